# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
poly1305-avx2.S: quads of blocks, a block in each lane, radix 2^26. The sum over the lanes
of S times their powers of r is the Horner value of all blocks so far.
"""

from contracts import BlocksWithPowers, Digest
from cpu import R8, R9, R10, R12, RAX, RCX, RDI, RDX, RSI, ZERO
from proof import Function, RADIX_26, lane, leave, mem, mems, reads, reg, sets
from values import P, add, const, mul, weigh

EXPONENTS = (4, 2, 3, 1)        # the power of r of each lane
S_BOUNDS = [(1 << 26) - 1, (1 << 26) + (1 << 15), (1 << 26) - 1, (1 << 26) - 1, (7 << 24) - 1]
POWER_BOUNDS = [(1 << 26) + (1 << 24)] * 5
SUMS = [reg(i) for i in (RAX, RCX, RDX, RSI, RDI)]


def have_s(p, index):
    """Invariant: S has its bounds, and its weighted sum is the Horner value."""
    total = {}
    for i, e in enumerate(EXPONENTS):
        s = p.number([lane(k, i) for k in range(5)], RADIX_26, S_BOUNDS, None, 'S')
        total = add(total, mul(weigh(s, RADIX_26), p.rpow(e)))
    p.progress(index, total, 'sum over the lanes of r^k S = H_i (mod p)')


def lane_powers(p):
    """Invariant: the powers of the lanes, in the lower halves, where make_powers has stored them"""
    region, at = p.function.lanes
    for i, e in enumerate(EXPONENTS):
        p.number(mems(region, at + 8 * i, 32, 5, 4), RADIX_26, POWER_BOUNDS, p.rpow(e), 'r^%d' % e)


def powers(p):
    """Invariant: r^4 and r^8 in all lanes, with 5 times their limbs; and lane_powers"""
    for name, e in (('VAR_R', 4), ('VAR_R_2', 8)):
        at = p.function.var(name)
        rows = [mems(p.function.vars, at + 32 * k, 8, 4, 4) for k in range(9)]
        x = p.number(rows[:5], RADIX_26, POWER_BOUNDS, p.rpow(e), 'r^%d' % e)
        for k in range(1, 5):
            p.all_are(rows[4 + k], p.ctx.times(x[k], 5), '5 times the limbs of powers')
    lane_powers(p)


class Quads(Function, proves='quads_avx2'):
    """
    quads_avx2 and join_lanes_avx2: from S, which has taken some blocks, and 4 (2 j + b) more,
    to the limbs of H_n. A case is hibit and the bytes of a last block that is not whole.
    """
    most = 1 << 28
    vars, lanes = 'vars', ('lanes', 0)      # where the powers are

    def cases(self, cut):
        every = [(0, 0), (1, 0)] + [(1, t) for t in range(1, 16)]
        return [(0, 0), (1, 0), (1, 1)] if self.short_form else every

    def inputs(self, p):
        ctx, cpu = p.ctx, p.cpu
        hibit, p.short = p.case
        p.any_r()
        p.hibit = const(hibit)
        p.cover(const(hibit + p.short), 0, 16)
        p.first = p.new('first', 0, 4)
        p.left = ctx.add(ctx.times(p.new('j', 1, self.most), 8), ctx.times(p.new('b', 0, 1), 4))
        p.blocks = ctx.add(p.first, p.left)
        size = ctx.plus(ctx.times(p.blocks, 16), -self.lacks(p))
        p.region('data', ZERO, size, False)
        p.input('end', ctx.add(cpu.bases['data'], size))
        p.region('vars', const(self.var('VAR_R')), const(self.var('VAR_L')), align=32)
        p.region('lanes', ZERO, const(160), False)
        p.input('hibits', p.symbol('hibits', 64 - 64 * hibit))

    @staticmethod
    def lacks(p):
        return -p.short % 16

    @classmethod
    def requires(cls, p):
        ctx = p.ctx
        if p.claiming:
            p.first = p.data_index(reg(R12))
            p.left = ctx.minus(p.blocks, p.first)
            p.quotient(p.left, 4, 'the number of blocks')
            p.within(p.first, 0, 4, 'the blocks of the first quad')
            p.within(p.left, 8, 8 * cls.most, '8 blocks or more')
            p.claim(not p.short or p.hibit.const() == 1, 'a padded block has no bit 128 to lack')
            p.claim(p.cpu.of(p.function.vars).align >= 32, 'the frame is aligned')
        p.is_(reg(R12), p.block_at(p.first), 'DATA')
        p.is_(reg(RCX), p.left, 'the number of blocks')
        cls.fixed(p)
        powers(p)
        have_s(p, p.first)

    begin = requires

    @classmethod
    def fixed(cls, p):
        """Invariant: what stays the same"""
        ctx = p.ctx
        lacks = cls.lacks(p)
        p.is_(reg(R10), ctx.plus(p.named['end'], lacks - 128), 'the last 8 blocks')
        p.is_(reg(RDX), p.named['end'], 'the end')
        p.is_(reg(RAX), const(lacks), 'how many bytes the last block lacks')
        hibits = ctx.minus(p.symbol('hibits', 64), ctx.times(p.hibit, 64))
        p.is_(reg(R8), hibits, 'bit 128 of blocks')
        p.is_(reg(R9), ctx.plus(hibits, 32 if p.short else 0), 'bit 128 of the last quad')
        p.is_(reg(RDI), p.at(p.function.vars, 0), 'pointers to the powers')
        p.is_(reg(RSI), p.at(*p.function.lanes), 'pointers to the powers')

    def cuts(self):
        (head, end), = self.loops
        return {head: 'pair', end: 'last'}

    def pair(self, p):
        """Left more pairs of quads come before the last one, at which rcx points."""
        ctx = p.ctx
        end = ctx.plus(p.named['end'], self.lacks(p) - 128)
        left = p.counter(reg(R12), -128, end, 1, self.most, 'left', p.cpu.bases['data'])
        p.falls(left)
        p.is_(reg(RCX), end, 'rcx is where the last pair is')
        self.fixed(p)
        powers(p)
        have_s(p, ctx.minus(ctx.plus(p.blocks, -8), ctx.times(left, 8)))

    def last(self, p):
        self.fixed(p)
        powers(p)
        have_s(p, p.ctx.plus(p.blocks, -8))

    def end(self, p):
        sums = [reads(p.cpu, place) for place in SUMS]
        p.same(weigh(sums, RADIX_26), p.value(p.blocks), P, 'the limbs are those of H_n (mod p)')
        for offset in range(self.var('VAR_R'), self.var('VAR_L'), 8):
            p.same(p.now(mem('vars', offset)).p, {}, None, 'numbers in the frame are wiped')

    @classmethod
    def called(cls, p):
        f = p.function
        cls.requires(p)
        leave(p)
        x = [p.ctx.word('sum') for _ in SUMS]
        for place, y in zip(SUMS, x):
            sets(p.cpu, place, y)
        for offset in range(f.var('VAR_R'), f.var('VAR_L'), 8):
            p.cpu.write(p.at('frame', offset), 8, ZERO)
        p.have(p.blocks, weigh(x, RADIX_26))


class DigestAvx2(Digest, proves='poly1305_digest_avx2'):
    """Messages of 9 blocks or more go through quads_avx2; a case is the length mod 64."""
    unit, inner = 64, (16 * 9, Digest.lengths[1])
    vars = 'frame'

    def cases(self, cut):
        if cut == 'entry':
            return ['empty', 'any']
        return (0, 1, 15, 16, 37, 63) if self.short_form else range(64)

    @property
    def lanes(self):
        return 'frame', self.var('VAR_L')

    def cuts(self):
        return {('frame', self.var('VAR_R_2') + 8 * 32 + 24): 'powers'}

    def powers(self, p):
        p.bounded(p.len, *self.inner, 'lengths for quads')
        powers(p)


class BlocksAvx2(BlocksWithPowers, proves='poly1305_blocks_avx2'):
    """A case is n mod 4, hibit, and whether the powers are in the state."""
    vars, lanes = 'frame', ('state', 48)

    def cases(self, cut):
        if self.short_form:
            return ['no block', (1, 1, 0), (2, 0, 1)]
        return ['no block'] + [(rest, hibit, known) for rest in range(4) for hibit in (0, 1)
                               for known in (0, 1)]

    def count(self, p):
        if p.case == 'no block':
            return ZERO
        q = p.new('q', 1 if p.case[0] == 0 else 0, 1 << 29)
        return p.ctx.plus(p.ctx.times(q, 4), p.case[0])

    def bit128(self, p):
        return const(p.case[1]) if p.case != 'no block' else super().bit128(p)

    def kept(self, p):
        """Invariant of the tier: what state->pow holds"""
        lane_powers(p)
        # R itself is the first lane's power.
        power = [reads(p.cpu, place) for place in mems('state', 48, 32, 5, 4)]
        square = p.number(mems('state', 60, 32, 5, 4), RADIX_26, POWER_BOUNDS, p.rpow(8), 'r^8')
        for k in range(1, 5):
            p.is_(mem('state', 52 + 32 * k, 4), p.ctx.times(power[k], 5), 'kept 5 R')
            p.is_(mem('state', 68 + 32 * k, 4), p.ctx.times(square[k], 5), 'kept 5 R^2')
        p.anything([mem('state', at, 4) for at in (52, 68, *range(76, 208, 32))])
