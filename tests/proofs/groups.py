# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Long messages in poly1305-avx2.S and poly1305-sse2.S: groups of g units of two or four blocks,
with a table of powers of R = r^2 or r^4 and of their multiples by 2^32, radix 2^26. Each lane of
the sums has a multiplier; the sum of the products is the Horner value of all blocks so far.
"""

from contracts import Blocks, Digest
from cpu import R9, R12, RCX, RDI, RDX, ZERO
from proof import RADIX_26, RADIX_44, RADIX_64, lane, mem, reads, reg, sets
from values import add, const, mul, scale, weigh, words

WORD = (1 << 64) - 1
LIMB = [(1 << 26) + (1 << 19)] * 5
SUM = [(1 << 64) - (1 << 41) - 1] * 5
LAST = [5 * x for x in LIMB]
HIBITS = [int(2 ** 57.4)] * 5
POWER = [(1 << 44) - 1, (1 << 44) - 1, (1 << 43) - 1]
SQUARE = [(1 << 44) + (1 << 11)] * 3


class Groups(Blocks):
    """A case is g, with g1, the units of the first group, from the table on."""

    def cuts(self):
        head, end = max(self.loops, key=lambda loop: loop[1][2] - loop[0][2])
        hibits = self.var('VAR_HIBITS') + 5 * self.bytes_of_vector - 8
        return {('frame', self.var(self.last_of_division)): 'divided',
                ('frame', hibits): 'table', head: 'group', end: 'done'}

    def stops(self):
        """Only what comes later: the same places of the frame are stored to for other ends."""
        order = ['entry', 'divided', 'squares', 'table', 'group', 'done']
        at = order.index(self.running)
        return {stop: cut for stop, cut in self.cuts().items()
                if cut in order[at + 1:] or cut == self.running == 'group'}

    def cases(self, cut):
        if cut == 'entry':
            return ['groups']
        if cut == 'table':
            if self.short_form:
                return [(g, g1) for g in self.sizes[:1] for g1 in (2, g - 1, g)]
            return [(g, g1) for g in self.sizes for g1 in range(2, g + 1 + self.extra)]
        return [(g, None) for g in self.sizes]

    def variant(self, case):
        return case[0] if isinstance(case, tuple) else None

    def count(self, p):
        ctx = p.ctx
        if p.case == 'groups':
            return ctx.new('n', self.least, self.most)
        p.g, g1 = p.case
        p.g1 = const(g1) if g1 else ctx.new('g1', 2, p.g + self.extra)
        p.groups = ctx.new('groups', 1, self.most // (self.unit * p.g))
        p.head = ctx.new('head', 0, self.most_head)
        p.public |= {'g1', 'groups', 'head'}
        return ctx.add(p.head, ctx.times(p.g1, self.unit),
                       ctx.times(p.groups, p.g * self.unit))

    def inputs(self, p):
        super().inputs(p)
        if p.case != 'below':
            p.cpu.of('state').hi = const(40)        # the powers stay out of the state

    # Invariants

    def division(self, p):
        """g, g1 and the number of groups are in the frame; DATA is behind the head."""
        ctx = p.ctx
        if p.claiming and p.case == 'groups':       # how the segment has divided n
            g = ctx.tight(reads(p.cpu, mem('frame', self.var('VAR_G')))).const()
            p.claim(g in self.sizes, 'g is known')
            p.g = g
        p.is_(mem('frame', self.var('VAR_G')), const(p.g), 'VAR_G')
        if not p.claiming:
            sets(p.cpu, mem('frame', self.var('VAR_G1')), p.g1)
            sets(p.cpu, mem('frame', self.var('VAR_GROUPS')), p.groups)
            self.set_head(p)
            return
        p.g1 = p.any(mem('frame', self.var('VAR_G1')), 2, p.g + self.extra, 'g1')
        p.groups = p.any(mem('frame', self.var('VAR_GROUPS')), 1, self.most // (self.unit * p.g),
                         'groups')
        self.set_head(p)
        p.same(p.n.p, ctx.add(p.head, ctx.times(p.g1, self.unit),
                              ctx.times(p.groups, p.g * self.unit)).p, None,
               'n = head + units of the first group and of the others')

    def state(self, p, index):
        """The state has the Horner value after index blocks."""
        h = p.number(mems('state', 0, 8, 3), RADIX_64, [WORD, WORD, 4], None, 'h')
        p.progress(index, words(*h), 'state->h = H_i (mod p)')

    def row(self, k, z):
        """Places of the limbs of R^k, or of 2^32 R^k if z is 1"""
        raise NotImplementedError

    def entries(self, p):
        """R^1 ... R^g and their multiples by 2^32; returns the limbs of R^g"""
        R = self.unit
        for k in range(1, p.g + 1):
            x = p.number(self.row(k, 0), RADIX_26, LIMB, p.rpow(R * k), 'R^%d' % k)
            p.number(self.row(k, 1), RADIX_26, LIMB, scale(p.rpow(R * k), 1 << 32),
                     '2^32 R^%d' % k)
        return x

    def multipliers(self, p):
        """VAR_LAST: what each lane of the sums is multiplied by in the end"""
        for s, lanes in enumerate(self.weights()):
            for i, (e, shift) in enumerate(lanes):
                p.number([mem('frame', self.var('VAR_LAST') + self.bytes_of_vector * (5 * s + k) +
                              8 * i) for k in range(5)], RADIX_26, LAST,
                         scale(p.rpow(e), 1 << shift), 'multiplier %d, %d' % (s, i))

    def weights(self):
        """Of the lanes of both sums: (power of r, power of 2)"""
        lanes = [(e, shift) for e in range(self.unit, 0, -1) for shift in (0, 64)]
        return lanes[:len(lanes) // 2], lanes[len(lanes) // 2:]

    def hibits(self, p, registers):
        """VAR_HIBITS: bits 128 of the blocks of a full group, by lanes"""
        ones = {}
        for k in range(p.g):
            ones = add(ones, p.rpow(self.unit * k))
        for i in range(self.bytes_of_vector // 8):
            places = [mem('frame', self.var('VAR_HIBITS') + self.bytes_of_vector * k + 8 * i)
                      for k in range(5)]
            if registers:
                places = [[place, lane(k, i)] for k, place in enumerate(places)]
            if i % 2:
                for place in places:
                    p.all_are(place if registers else [place], ZERO, 'high lanes get no bit 128')
                continue
            p.number(places, RADIX_26, HIBITS, scale(mul(ones, p.hibit.p), 1 << 128), 'bits 128')

    def sums(self, p, index):
        """The sums are below 2^64 - 2^41, and make the Horner value after index blocks."""
        total = {}
        for s, lanes in enumerate(self.weights()):
            for i, (e, shift) in enumerate(lanes):
                x = p.number([lane(5 * s + k, i) for k in range(5)], RADIX_26, SUM, None,
                             'sums')
                total = add(total, scale(mul(weigh(x, RADIX_26), p.rpow(e)), 1 << shift))
        p.progress(index, total, 'the sums times their multipliers = H_i (mod p)')

    # Cuts

    def divided(self, p):
        self.division(p)
        self.state(p, self.done_blocks(p))

    def table(self, p):
        ctx = p.ctx
        self.at_cut = 'table'
        self.division(p)
        self.entries(p)
        self.multipliers(p)
        self.hibits(p, True)
        first = mem('frame', self.var('VAR_FIRST'))
        at = p.block_at(p.head)
        x = p.number([first, mem('frame', first[2] + 8), reg(R9)], RADIX_64, [WORD, WORD, 5], None,
                     'h + m')
        m = words(p.cpu.read(at, 8), p.cpu.read(ctx.plus(at, 8), 8))
        p.progress(p.head, add(words(*x), m, -1), 'VAR_FIRST = H_i + m_(i+1), without bit 128')
        self.second_block(p, at)

    def second_block(self, p, at):
        pass

    def group(self, p):
        ctx = p.ctx
        self.at_cut = 'group'
        self.division(p)
        left = p.any(reg(RCX), 1, self.most // (self.unit * p.g), 'left')
        index = ctx.minus(p.n, ctx.times(left, self.unit * p.g))
        taken = p.bounded(ctx.minus(index, p.head), 2 * self.unit, self.most + 256, 'blocks of '
                          'groups that were taken')
        index = p.bounded(index, taken.lo, taken.hi + self.most_head, 'i')
        p.is_(reg(RDX), p.block_at(index), 'the end of the last group')
        self.multipliers(p)
        self.hibits(p, False)
        last = self.entries(p)
        self.times_5(p, last)
        self.sums(p, index)

    def times_5(self, p, x):
        pass

    def done(self, p):
        self.at_cut = 'done'
        self.division(p)
        self.multipliers(p)
        self.sums(p, p.n)

    def powers_of_r(self, p):
        """compute_powers: each power becomes any limbs, in radix 2^44."""
        at = self.var('VAR_POWERS')
        for j in range(4) if self.running == 'divided' else ():
            p.cpu.watches['frame', at + 64 + 8 * j] = lambda cpu, j=j: p.abstract(
                [mem('frame', at + 32 * i + 8 * j) for i in range(3)], RADIX_44, POWER,
                p.rpow(4 - j), 'r^%d' % (4 - j))

    def rows(self, p, watch, per_row):
        """Each row of the table, when it is complete, becomes any such limbs."""
        for k in range(0, self.sizes[-1], per_row) if self.running != 'done' else ():
            def hook(cpu, k=k):
                for j in range(k + 1, k + per_row + 1):
                    for z in (0, 1):
                        p.abstract(self.row(j, z), RADIX_26, LIMB, scale(
                            p.rpow(self.unit * j), 1 << 32 * z), '%sR^%d' % ('2^32 ' * z, j))
            p.cpu.watches['frame', watch(k)] = hook


class BlocksAvx2(Blocks):
    """Jumps to groups_avx2 or to poly1305_blocks_avx2_short."""
    scalar = False


class Avx2(Groups):
    """Quads of four blocks; the powers for the table are squares, in general registers."""
    unit, extra, sizes, bytes_of_vector, most_head = 4, 0, (16, 32), 32, 7
    least = least_of_call = 224     # for two groups
    last_of_division = 'VAR_HEAD'

    def cuts(self):
        squares = self.var('VAR_SQUARES') + 64 + 24
        return {('frame', squares): 'squares', **super().cuts()}

    def row(self, k, z):
        return [mem('frame', self.var('VAR_TABLE') + self.var('ROW') * i + 8 * (k - 1) + 4 * z, 4)
                for i in range(5)]

    def set_head(self, p):
        if p.claiming:
            if p.function.running in ('entry', 'divided'):
                p.head = p.any(mem('frame', self.var('VAR_HEAD')), 0, 7, 'head')
            else:
                p.any(mem('frame', self.var('VAR_HEAD')), 0, 7, 'head')
        else:
            sets(p.cpu, mem('frame', self.var('VAR_HEAD')), p.head)
        p.is_(reg(R12), p.block_at(self.done_blocks(p)), 'DATA')

    def done_blocks(self, p):
        """The head is taken after the powers are computed."""
        return ZERO if self.at_cut in ('divided', 'squares') else p.head

    def divided(self, p):
        self.at_cut = 'divided'
        super().divided(p)

    def squares(self, p):
        self.at_cut = 'squares'
        self.division(p)
        self.state(p, ZERO)
        for at, exponents, bounds in ((self.var('VAR_POWERS'), (4, 3, 2, 1), POWER),
                                      (self.var('VAR_SQUARES'), (8, 16, 32, 12), SQUARE)):
            for j, e in enumerate(exponents):
                p.number([mem('frame', at + 32 * i + 8 * j) for i in range(3)], RADIX_44, bounds,
                         p.rpow(e), 'r^%d' % e)

    def hooks(self, p):
        super().hooks(p)
        self.powers_of_r(p)
        at = self.var('VAR_SQUARES')
        if self.running == 'done':
            return
        for j, e in enumerate((8, 16, 32)):
            p.cpu.watches['frame', at + 64 + 8 * j] = lambda cpu, j=j, e=e: p.abstract(
                [mem('frame', at + 32 * i + 8 * j) for i in range(3)], RADIX_44, SQUARE,
                p.rpow(e), 'r^%d' % e)
        table, row = self.var('VAR_TABLE'), self.var('ROW')
        self.rows(p, lambda k: table + 4 * row + 8 * k + 24, 4)
        r8 = self.var('VAR_R_8')
        p.cpu.watches['frame', r8 + 4 * row] = lambda cpu: p.abstract(
            [mem('frame', r8 + i * row, 4) for i in range(5)], RADIX_26, LIMB, p.rpow(32), 'R^8')

    def second_block(self, p, at):
        for i in range(2):
            p.is_(mem('frame', self.var('VAR_FIRST') + 16 + 8 * i),
                  p.cpu.read(p.ctx.plus(at, 16 + 8 * i), 8), 'the second block')
        p.is_(reg(RDI), const(p.g), 'g')

    def times_5(self, p, x):
        for i in range(1, 5):
            p.is_(mem('frame', self.var('VAR_TIMES_5') + self.var('ROW') * i, 4),
                  p.ctx.times(x[i], 5), '5 R^g')


class Sse2(Groups):
    """Pairs of blocks; the first block goes through scalar code if their number is odd."""
    unit, extra, sizes, bytes_of_vector, most_head = 2, 1, (16, 30), 16, 1
    least = 64
    last_of_division = 'VAR_G1'

    def cases(self, cut):
        return (['below'] if cut == 'entry' else []) + super().cases(cut)

    def count(self, p):
        return p.ctx.new('n', 0, self.least - 1) if p.case == 'below' else super().count(p)

    def row(self, k, z):
        at = self.var('VAR_TABLE') + 80 * (k - 1) + 4 * z
        return [[mem('frame', at + 16 * i + 8 * j, 4) for j in range(2)] for i in range(5)]

    def set_head(self, p):
        if p.claiming and p.function.running == 'entry':
            p.head = p.data_index(reg(R12))
            p.within(p.head, 0, self.most_head, 'the head')
        p.is_(reg(R12), p.block_at(p.head), 'DATA')

    def done_blocks(self, p):
        return p.head

    def hooks(self, p):
        super().hooks(p)
        self.powers_of_r(p)
        self.rows(p, lambda k: self.var('VAR_TABLE') + 80 * (k + 1) + 72, 2)


class DigestGroups(Digest):
    """poly1305_digest_avx2_groups: whole blocks through a state on the stack, then the rest"""
    lengths = 16 * 224, 1 << 36

    def length(self, p):
        return p.ctx.new('q', 224, self.most), p.case


FUNCTIONS = {
    'poly1305_blocks_sse2': Sse2,
    'groups_avx2': Avx2,
    'poly1305_blocks_avx2': BlocksAvx2,
    'poly1305_digest_avx2_groups': DigestGroups,
}
