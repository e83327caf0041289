# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
poly1305-avx512.S: a block in each of eight lanes, radix 2^44 and for long messages 2^52. The sum
over the lanes of X times their powers of r is the Horner value of all blocks so far.
"""

from chacha import AT, Beside
from contracts import BlocksWithPowers, Digest
from cpu import R8, R9, R10, R11, RAX, RCX, RDI, RDX, RSI, ZERO
from proof import (
    Function, RADIX_44, RADIX_52, lane, leave, low, mask, mem, mems, reads, reg, sets)
from scalar import BlocksMulx
from values import P, add, const, mul, weigh, words

BLOCKS = (0, 4, 1, 5, 2, 6, 3, 7)           # which block of a vector a lane has
EXPONENTS = (8, 4, 7, 3, 6, 2, 5, 1)        # and its power of r in the end
BOUND = [(1 << 45) - 1, (1 << 45) - 1, (1 << 43) - 1]
CARRIED = [(1 << 44) + (1 << 16), (1 << 44) + (1 << 12), (1 << 42) + (1 << 12)]
BOUND_52 = [(1 << 52) - 1, (1 << 52) - 1, 1 << 26]
TABLE_52 = [(1 << 52) - 1, (1 << 52) - 1, (1 << 26) - 1]
BOUND_H = [(1 << 44) - 1, (1 << 44) - 1, 5 * (1 << 40)]
X, U, Y, P_, E, F = 0, 6, 9, 12, 15, 20         # the first of three registers
M44, M42, HIBIT, LAST_HIBIT, BIT40, BIT24 = 25, 26, 27, 28, 31, 24
# Registers of the columns of radix 2^52, by column
COLUMNS = ((3,), (4, 5), (6, 7, 8), (16, 17, 18), (19, 20))
LANES = range(8)
FULL = (1 << 64) - 1


def limbs(at, i):
    """The places of the limbs in a lane of three registers"""
    return [lane(at + k, i) for k in range(3)]


def powers(p, use, at=P_, exponents=EXPONENTS):
    """The lanes have these powers of r. use is p.number, as an invariant, or p.abstract."""
    for i, e in enumerate(exponents):
        use(limbs(at, i), RADIX_44, BOUND, p.rpow(e), 'r^%d' % e)


def total(p, numbers):
    """The sum of the numbers in the lanes times their powers of r"""
    t = {}
    for x, e in zip(numbers, EXPONENTS):
        t = add(t, mul(x, p.rpow(e)))
    return t


def have_x(p, index, bounds=BOUND):
    """Invariant: X has its bounds, and its weighted sum is the Horner value."""
    x = [weigh(p.number(limbs(X, i), RADIX_44, bounds, None, 'X'), RADIX_44) for i in LANES]
    p.progress(index, total(p, x), 'sum over the lanes of r^k X = H_i (mod p)')


def lanes_are(p, v, value, text):
    p.all_are([lane(v, i) for i in LANES], value, text)


def masks(p, radix):
    """Invariant: M44 and M42, or those of radix 2^52"""
    lanes_are(p, M44, const((1 << radix) - 1), 'the mask of two limbs')
    lanes_are(p, M42, const((1 << 130 - 2 * radix) - 1), 'the mask of the last limb')


def same_power(p, at, exponent):
    """Invariant: a power in all lanes, and 20 times its upper limbs"""
    x = p.number([[lane(at + k, i) for i in LANES] for k in range(3)], RADIX_44, BOUND,
                 p.rpow(exponent), 'r^%d' % exponent)
    for k in (1, 2):
        lanes_are(p, at + 2 + k, p.ctx.times(x[k], 20), '20 times it')


class Powers(Function, proves='powers_avx512'):
    """powers_avx512: from r, the powers in the lanes of P, and masks"""

    def inputs(self, p):
        p.key()

    def begin(self, p):
        for i, x in (RDI, p.r0), (RCX, p.r1):
            p.cpu.regs[i] = x

    @staticmethod
    def end(p):
        """Claimed at the return; assumed after a call"""
        powers(p, p.number)
        masks(p, 44)

    @classmethod
    def called(cls, p):
        for i, x in (RDI, p.r0), (RCX, p.r1):
            p.same(p.cpu.regs[i].p, x.p, None, 'powers_avx512 gets r')
        leave(p)
        p.claiming = False
        cls.end(p)


class Vectors(Function):
    """
    What processes vectors. A case is (g, rc, t): the vectors of a full group of radix 2^52; the
    vectors of this group, or at the head of the loop of pairs those that are left; the bytes of a
    last block that is not whole, or, behind 16 more, of the text of a packet. t is None where no
    path comes to the last vector. Finish has others at its entry.
    """
    most = 1 << 27

    def inputs(self, p):
        ctx = p.ctx
        p.g, p.rc, p.short = p.case
        p.last = p.short is not None
        self.divide(p)
        packet, p.short = divmod(p.short or 0, 16)
        p.any_r()
        p.hibit = p.input('hibit', const(1) if p.short or packet else ctx.new('hibit', 0, 1))
        self.count(p)
        p.blocks = ctx.add(p.first, ctx.times(p.vecs, 8))
        # Where no path comes to the last block, all but its first byte is out of bounds.
        p.size = ctx.plus(ctx.times(p.blocks, 16),
                          -(-p.short % 16) - 16 * packet if p.last else -15)
        self.sized(p)
        p.region('data', ZERO, p.size, False)
        if packet:
            p.region('padding', ZERO, const(64), False)
            p.padding = p.at('padding', 0)
            p.lengths = mems('padding', 48, 8, 2)
        if p.last:
            self.last_vector(p)
        else:
            p.last_b = p.new('LAST_B', 0, FULL)
            p.last_hibit = [p.new('LAST_HIBIT %d' % i, 0, 1) for i in LANES]
            p.padding = p.new('PADDING', 0, FULL)

    def count(self, p):
        """How many blocks the first vector has, and how many vectors follow"""
        p.first = p.new('first', 0, 1 << 30)
        p.vecs = p.new('vectors', 0, self.most)

    def divide(self, p):
        """What cases cover. Those with a last block that lacks bytes know its bytes."""

    def sized(self, p):
        """What a case says of the bytes at DATA"""

    @staticmethod
    def last_vector(p):
        """Which bytes of it are there, bit 128 of its blocks, and the padding"""
        lacks = -p.short % 16
        if p.lengths:
            p.last_b = const(FULL >> lacks + 16)
            p.last_hibit = [p.hibit] * 8
            (_, name, end, _), _ = p.lengths
            p.all_are(mems(name, end - 48, 8, 6), ZERO, 'zeros before the lengths')
            return
        p.last_b = const(FULL >> lacks)
        p.last_hibit = [p.hibit] * 7 + [ZERO if p.short else p.hibit]
        p.padding = p.symbol('padding', 64 + lacks)

    @classmethod
    def common(cls, p, index, radix=44):
        """Invariant: P, constants of the call, and DATA"""
        powers(p, p.number)
        masks(p, radix)
        lanes_are(p, HIBIT, p.hibit, 'HIBIT')
        for i in LANES:
            p.is_(lane(LAST_HIBIT, i), p.last_hibit[i], 'LAST_HIBIT')
        p.is_(mask(4), p.last_b, 'LAST_B')
        if index is not None:
            p.is_(reg(R11), p.padding, 'PADDING')
            p.is_(reg(RSI), p.block_at(index), 'DATA')


class Finish(Vectors, proves='finish_avx512'):
    """
    finish_avx512: from h and a message of blocks, to h. At the entry a case is (h, f, None), with f
    blocks at DATA for the first vector and others behind, or (h, bytes, t) of a message of one
    vector. h is 0; or a number to be added to the first block; or a block of its own. KEPT only
    chooses a path: on each the result is right, wherever P came from.
    """
    ZERO_H, ADDED, OWN = range(3)

    def cuts(self):
        tests = [i for i in self.obj.body(self.name) if i.operands == ['rdi', 'rdi']]
        (one, _), (pairs, _), _ = self.loops
        return {tests[1].at: 'placed', pairs: 'pairs', one: 'one',
                self.obj.code[tests[1].after].target: 'final'}

    def cases(self, cut):
        t = (0, 5, 16, 21) if self.short_form else range(32)
        if cut == 'entry':
            sizes, most = ((1, 16, 37, 64, 65, 127, 128), (1, 8)) if self.short_form else \
                (range(1, 129), range(1, 9))
            return [(h, n, n % 16) for h in (self.ZERO_H, self.ADDED) for n in sizes] + \
                [(h, f - (h == self.OWN), None) for h in range(3) for f in most] + \
                [(self.OWN, 9, None)]
        if cut in ('placed', 'final'):
            return [(None, None, None)]
        if cut == 'pairs':
            return [(None, None, None)] + [(None, left, i) for left in (2, 3) for i in t]
        return [(None, None, i) for i in t]

    def count(self, p):
        if self.running != 'entry':
            super().count(p)
        elif p.last:
            p.first, p.vecs = const(-(-p.rc // 16)), ZERO
        elif p.rc == 9:         # of a packet, whose first vector has one; the text has 128 bytes
            p.first, p.vecs = const(1), const(1)
        else:
            p.first = const(p.rc)
            p.vecs = p.new('vectors', 2 if p.g == self.OWN and p.rc < 2 else 1, self.most)

    def sized(self, p):
        if self.running != 'entry':
            return
        p.kind = p.g, p.last
        if p.g == self.OWN:     # The last block is not at DATA.
            p.size = const(128) if p.rc == 9 else p.ctx.plus(p.size, -16)
        if p.last:
            p.cover(const(p.rc), 1, 128)
        else:
            p.cover(p.blocks, 9, 8 * self.most + 8 - (p.g == self.OWN))

    def divide(self, p):
        known = const(p.short) if p.last else None
        if self.running == 'pairs':
            p.cover(const(p.rc) if p.last else p.ctx.new('left', 4, self.most), 2, self.most)
        if self.running in ('pairs', 'one'):
            p.cover(known, 0, 31)

    def begin(self, p):
        self.takes(p, p.g)
        if p.last:
            p.is_(reg(R10), const(p.rc), 'LEN')

    @classmethod
    def takes(cls, p, h):
        """What holds at the entry"""
        own = h == cls.OWN
        p.is_(reg(RDX), p.ctx.plus(p.blocks, own - 1), 'LATER')
        p.is_(reg(RCX), const(h != cls.ZERO_H), 'HAS_H')
        p.is_(reg(R9), const(own), 'OWN')
        p.any(reg(R8), 0, 1, 'KEPT')
        cls.common(p, ZERO)
        value = {}
        if h != cls.ZERO_H:
            value = weigh(p.number([[lane(U + k, i) for i in LANES] for k in range(3)], RADIX_44,
                                   BOUND_H, None, 'h'), RADIX_44)
        p.progress(ZERO, mul(value, p.rpow(own)), 'h is the value before the message')

    @classmethod
    def called(cls, p):
        ctx, cpu = p.ctx, p.cpu
        own, has = (ctx.tight(cpu.regs[i]).const() for i in (R9, RCX))
        p.claim(own == bool(p.lengths), 'h is a block of its own in packets only')
        p.within(p.blocks, 9 if own else 1, 1 << 30, 'the number of blocks')
        cls.last_vector(p)
        p.claim(not p.short or p.hibit.const() == 1, 'a padded block has no bit 128 to lack')
        if not own:
            p.is_(reg(R10), ctx.plus(ctx.times(p.blocks, 16), -(-p.short % 16)), 'LEN')
        cls.takes(p, cls.OWN if own else cls.ADDED if has else cls.ZERO_H)
        leave(p)
        h = [ctx.word('h0 of a call'), ctx.word('h1 of a call'),
             ctx.new('h2 of a call', *p.callee.after['h[2]'])]
        for i, x in zip((RAX, R8, R9), h):
            cpu.set(i, x)
        p.have(p.blocks, words(*h))

    # Cuts

    def placed(self, p):
        """X is the first vector, with h."""
        p.is_(reg(RDI), p.vecs, 'VECS')
        p.any(reg(R8), 0, 1, 'KEPT')
        self.common(p, p.first)
        have_x(p, p.first)

    def pairs(self, p):
        """VECS, two or more, vectors come from DATA on."""
        least, most = (2, self.most) if p.claiming else (p.rc, p.rc) if p.last else (4, self.most)
        left = p.counter(reg(RDI), 1, ZERO, least, most, 'left')
        p.falls(left)
        index = p.bounded(p.ctx.minus(p.blocks, p.ctx.times(left, 8)), 0, 1 << 31, 'i')
        self.common(p, index)
        same_power(p, E, 8)
        same_power(p, F, 16)
        lanes_are(p, BIT40, p.ctx.times(p.hibit, 1 << 40), 'BIT40')
        have_x(p, index)

    def one(self, p):
        p.is_(reg(RDI), const(1), 'VECS')
        p.any(reg(R8), 0, 1, 'KEPT')
        index = p.bounded(p.ctx.plus(p.blocks, -8), 0, 1 << 31, 'i')
        self.common(p, index)
        same_power(p, E, 8)
        have_x(p, index)

    def final(self, p):
        self.common(p, None)
        have_x(p, p.blocks)

    def hooks(self, p):
        """Where a last vector is taken by itself, powers become any with their values."""
        super().hooks(p)
        if self.running in ('pairs', 'one'):
            kept = [self.obj.code[i.after].target for i in self.obj.body(self.name)
                    if i.operands == ['r8d', 'r8d']][1]
            p.cpu.hooks[next(i.at for i in self.obj.body(self.name) if i.at >= kept and
                             i.operands[:1] == ['zmm23'])] = \
                lambda cpu: powers(p, p.abstract, E, [8 + e for e in EXPONENTS])

    def end(self, p):
        h = [reads(p.cpu, reg(i)) for i in (RAX, R8, R9)]
        p.same(words(*h), p.value(p.blocks), P, 'h = H_n (mod p)')


class Long(Vectors, proves='long_avx512'):
    """long_avx512: the same in radix 2^52, of VECS vectors; X is in radix 2^44 before and after."""
    SIZES = 8, 16, 32
    rest = {8: (33, 35), 16: (36, 127), 32: (128, Vectors.most)}    # vectors behind the table

    def cuts(self):
        body = self.obj.body(self.name)
        tail = next(i.at for i in body if i.operands == ['rdi', 'rdi'])
        rows = next(i.after for i in body if i.operands == ['edx', '0x8'])
        return {self.obj.code[rows].target: 'tabled', self.loops[2][0]: 'group', tail: 'tail'}

    def offset(self, k, limb):
        """The place of the table's limb of R^k, from the frame's end, which is aligned"""
        return -self.var('TABLE_END') + 8 * (32 - k) + self.var('ROW') * limb

    def power(self, k):
        """The places of the limbs of R^k in the table"""
        return [mem('frame', self.offset(k, i)) for i in range(3)]

    def cases(self, cut):
        if cut == 'entry':
            return [(None, None, None)]
        t = (0, 5, 16, 21) if self.short_form else range(32)
        every = [(8, rc) for rc in (1, 2, 3, 8)] + [(16, rc) for rc in range(1, 17)] + \
            [(32, rc) for rc in range(1, 33)]
        if self.short_form:
            every = [(8, 1), (8, 3), (8, 8)]
        if cut == 'tail':
            return [(g, rc, None) for g, rc in every if rc > 1] + \
                [(g, rc, i) for g, rc in every if rc == g for i in t]
        return [(g, rc, None) for g, rc in every]

    def variant(self, case):
        return case[0]

    def divide(self, p):
        if self.running == 'tabled':
            p.kind = p.g
            p.cover(self.known_rest(p, *self.rest[p.g]), *self.rest[p.g])
        elif self.running == 'group':
            p.kind = p.g, p.rc
        elif self.running == 'tail':
            p.kind = p.g, p.last or p.rc
            p.cover(const(p.short) if p.last else None, 0, 31)

    def count(self, p):
        super().count(p)
        if self.running == 'entry':
            p.vecs = p.new('long', 36, self.most)

    def begin(self, p):
        self.takes(p)

    @classmethod
    def takes(cls, p):
        """What holds at the entry"""
        p.is_(reg(RDI), p.vecs, 'VECS')
        cls.common(p, p.first)
        same_power(p, E, 8)
        have_x(p, p.first)

    @classmethod
    def called(cls, p):
        p.within(p.vecs, 36, cls.most, 'a message is long')
        cls.takes(p)
        leave(p)
        p.claiming = False
        cls.end(p)

    @staticmethod
    def end(p):
        """Claimed at the return; assumed after a call"""
        masks(p, 44)
        have_x(p, p.blocks)

    def table(self, p):
        for k in range(1, p.g + 1):
            p.number(self.power(k), RADIX_52, TABLE_52, p.rpow(8 * k), 'R^%d' % k)
        p.is_(reg(R11), p.padding, 'PADDING')

    def tabled(self, p):
        """The table is complete; X is still in radix 2^44. v vectors are left."""
        ctx = p.ctx
        if p.claiming and p.g is None:          # The segment from the entry has chosen g.
            p.g = ctx.tight(reads(p.cpu, reg(RCX))).const()
            p.claim(p.g in self.SIZES, 'the size of a group is known')
        p.is_(reg(RCX), const(p.g), 'rcx is the size of a group')
        least, most = self.rest[p.g]
        if p.claiming:
            v = p.any(reg(RDI), least, most, 'v')
        else:
            v = self.known_rest(p, least, most)
            sets(p.cpu, reg(RDI), v)
        index = p.bounded(ctx.minus(p.blocks, ctx.times(v, 8)), 0, 1 << 31, 'i')
        self.common(p, None)
        p.is_(reg(RSI), p.block_at(index), 'DATA')
        self.table(p)
        have_x(p, index, CARRIED)

    def known_rest(self, p, least, most):
        """v of this case: g m + rc, with rc = g for a multiple of g"""
        rest = p.rc % p.g
        m = p.new('m', -(-(least - rest) // p.g), (most - rest) // p.g)
        return p.ctx.plus(p.ctx.times(m, p.g), rest)

    def long(self, p, index):
        """Constants; Y is the vector of blocks from index on, and DATA is behind. Returns X."""
        p.is_(reg(RSI), p.block_at(p.ctx.plus(index, 8)), 'DATA')
        lanes_are(p, BIT24, p.ctx.times(p.hibit, 1 << 24), 'BIT24')
        self.common(p, None, radix=52)
        self.table(p)

        def places(at):
            return [[low(lane(at, i), 52), low(lane(at + 1, i), 52), lane(at + 2, i)]
                    for i in LANES]
        for places_of_y, block in zip(places(Y), BLOCKS):
            p.number(places_of_y, RADIX_52, [(1 << 52) - 1, (1 << 52) - 1, (1 << 25) - 1],
                     p.block(p.ctx.plus(index, block)), 'Y')
        return [weigh(p.number(x, RADIX_52, BOUND_52, None, 'X'), RADIX_52) for x in places(X)]

    def group(self, p):
        """A group of rc vectors, of which Y is the first, begins; more may follow."""
        ctx = p.ctx
        if p.claiming:
            p.g = p.g or ctx.tight(reads(p.cpu, reg(R10))).const() // 128
            rc = ctx.tight(reads(p.cpu, reg(RCX))).const()
            p.claim(rc is not None and 1 <= rc <= p.g, 'the size of this group is known')
        else:
            rc = p.rc
            p.is_(reg(RCX), const(rc), 'rcx')
        p.is_(reg(R10), const(128 * p.g), 'AHEAD')
        # Behind this group there are m groups more; a short one is not the last.
        m = p.counter(reg(RDI), p.g, const(rc), 0 if rc == p.g else 1, self.most // p.g, 'm')
        p.falls(ctx.plus(m, 1))
        left = ctx.plus(ctx.times(m, p.g), rc)
        index = p.bounded(ctx.minus(p.blocks, ctx.times(left, 8)), 0, 1 << 31, 'i')
        p.progress(index, total(p, self.long(p, index)), 'sum of r^k X = H_i (mod p)')

    def tail(self, p):
        """Two vectors of the group are left: Y, and the one at DATA."""
        ctx = p.ctx
        if p.last or p.claiming and ctx.tight(reads(p.cpu, reg(RDI))).const() == 0:
            m = ZERO
            p.claim(p.rc == p.g, 'the last group is whole')
            p.is_(reg(RDI), ZERO, 'VECS')
            p.is_(reg(R10), ZERO, 'AHEAD')
        else:
            m = p.counter(reg(RDI), p.g, ZERO, 1, self.most // p.g, 'm')
            p.is_(reg(R10), const(128 * p.g), 'AHEAD')
        left = ctx.times(m, p.g)
        index = p.bounded(ctx.plus(ctx.minus(p.blocks, ctx.times(left, 8)), -16), 0, 1 << 31,
                          'i')
        p.falls(ctx.plus(m, 1))
        p.is_(reg(RAX), p.at('frame', self.offset(1, 0)), 'TABLE')
        p.is_(reg(RDX), p.at('frame', self.offset(p.rc, 0)), 'POWER_OF_X')
        numbers, weights = [], [1 << 52 * k for k, column in enumerate(COLUMNS) for _ in column]
        for i, x in enumerate(self.long(p, index)):
            c = p.number([lane(r, i) for column in COLUMNS for r in column], weights,
                         [(p.rc - 2) * ((1 << 53) - 2)] * 11, None, 'C')
            numbers.append(add(weigh(c, weights), mul(x, p.rpow(8 * p.rc))))
        p.progress(index, total(p, numbers), 'sum of r^k (C + X R^n) = H_i r^16 (mod p)', 16)

    def hooks(self, p):
        """
        While the table is set up, Y becomes P^2, P^4, P^8 before each load of a vector, and X
        takes a vector behind it. Rows of the table, and what the next is made of, become any such
        powers.
        """
        super().hooks(p)
        if self.running != 'entry':
            return
        cpu, steps, rows = p.cpu, [], []
        for k in (8, 16, 24, 32):
            def row(cpu, k=k):
                for j in range(k, k - 8, -1):
                    p.abstract(self.power(j), RADIX_52, TABLE_52, p.rpow(8 * j), 'R^%d' % j)
            cpu.watches['frame', self.offset(k, 2) + 56] = row

        def load(cpu):
            steps.append(1)
            powers(p, p.abstract, Y, [e << len(steps) for e in EXPONENTS])
            if len(steps) > 1:
                index = p.ctx.plus(p.first, 8 * (len(steps) - 1))
                p.claiming = True
                have_x(p, index)
                p.claiming = False
                have_x(p, index)

        def next_row(cpu):
            rows.append(8)
            if len(rows) > 1:
                powers(p, p.abstract, Y, [8 * (sum(rows) - i) for i in LANES])
        body = self.obj.body(self.name)
        cpu.hooks[next(i.at for i in body if i.name == 'vmovdqu64')] = load
        cpu.hooks[next(i.at for i in body if i.operands == ['zmm3', 'zmm9'])] = next_row


class DigestAvx512(Digest, proves='poly1305_digest_avx512'):
    """A case is the length mod 16."""
    lengths, inner = (0, 1 << 33), (1, 1 << 33)
    most = 1 << 29

    def cases(self, cut):
        return ['empty', *super().cases(cut)]


class PacketAvx512(Digest, proves='poly1305_packet_avx512'):
    """
    poly1305_packet_avx512: from x, which has yet to be multiplied by r, the tag of a packet's text
    and lengths. A case is the length of the text mod 16.
    """
    arguments = 'state', 'data', 'len', 'tag'
    lengths = inner = 128, 1 << 33
    most, late, assumes = 1 << 29, ('data',), ('a key', 'an end')

    def inputs(self, p):
        super().inputs(p)
        p.blocks = p.ctx.plus(p.blocks, 1)
        p.padding = p.at('state', AT['MAC_END'])
        p.lengths = mems('state', AT['MAC_END'] + 48, 8, 2)

    def set_key(self, p):
        """The key of the state: r, which is clamped, and s"""
        p.region('state', writable=False)
        p.s = Beside.key(p)

    def begin(self, p):
        super().begin(p)
        x = [p.ctx.word('x0'), p.ctx.word('x1'), p.ctx.new('x2', 0, BlocksMulx.most_x2)]
        for name, values in ('MAC_H', x), ('MAC_R', (p.r0, p.r1, *p.s)), ('MAC_END', [ZERO] * 6):
            for place, value in zip(mems('state', AT[name], 8, 6), values):
                sets(p.cpu, place, value)
        p.have(ZERO, mul(words(*x), p.rpow(1)))


class BlocksAvx512(BlocksWithPowers, proves='poly1305_blocks_avx512'):
    """A case is whether the powers are known."""
    most = 1 << 29

    def cases(self, cut):
        return ['no block', (0,), (1,)]

    def kept(self, p):
        for e in range(1, 9):
            p.number(mems('state', 48 + 8 * (8 - e), 64, 3), RADIX_44, BOUND, p.rpow(e),
                     'kept r^%d' % e)
