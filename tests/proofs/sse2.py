# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
poly1305-sse2.S: groups of g pairs of blocks, with a table of powers of R = r^2 and of their
multiples by 2^32, radix 2^26. Each lane of the sums has a multiplier; the sum of the products is
the Horner value of all blocks so far.
"""

from contracts import Blocks
from cpu import R9, R12, RCX, RDX, ZERO
from proof import RADIX_26, RADIX_44, RADIX_64, lane, mem, mems, reads, reg, sets
from values import add, const, mul, scale, weigh, words

WORD = (1 << 64) - 1
LIMB = [(1 << 26) + (1 << 19)] * 5
SUM = [(1 << 64) - (1 << 41) - 1] * 5
LAST = [5 * x for x in LIMB]
HIBITS = [int(2 ** 57.4)] * 5
POWER = [(1 << 44) - 1, (1 << 44) - 1, (1 << 43) - 1]


class Sse2(Blocks, proves='poly1305_blocks_sse2'):
    """
    The first block goes through scalar code if their number is odd. A case is g, with g1, the
    pairs of the first group, from the table on.
    """
    sizes = 16, 24
    least = 64
    # The lanes of both sums: (which sum, which lane, power of r, power of 2)
    lanes = (0, 0, 2, 0), (0, 1, 2, 64), (1, 0, 1, 0), (1, 1, 1, 64)

    def cuts(self):
        head, end = max(self.loops, key=lambda loop: loop[1][2] - loop[0][2])
        return {('frame', self.var('VAR_G1')): 'divided',
                ('frame', self.var('VAR_HIBITS') + 72): 'table', head: 'group', end: 'done'}

    def stops(self):
        """Only what comes later: the same places of the frame are stored to for other ends."""
        order = ['entry', 'divided', 'table', 'group', 'done']
        at = order.index(self.running)
        return {stop: cut for stop, cut in self.cuts().items()
                if cut in order[at + 1:] or cut == self.running == 'group'}

    def cases(self, cut):
        if cut == 'entry':
            return ['below', 'groups']
        if cut == 'table':
            if self.short_form:
                return [(g, g1) for g in self.sizes[:1] for g1 in (2, g - 1, g)]
            return [(g, g1) for g in self.sizes for g1 in range(2, g + 2)]
        return [(g, None) for g in self.sizes]

    def variant(self, case):
        return case[0] if isinstance(case, tuple) else None

    def count(self, p):
        if p.case == 'below':
            return p.ctx.new('n', 0, self.least - 1)
        if p.case == 'groups':
            return p.ctx.new('n', self.least, self.most)
        p.g, g1 = p.case
        p.kind = p.g
        p.cover(const(g1) if g1 else None, 2, p.g + 1)
        p.g1 = const(g1) if g1 else p.new('g1', 2, p.g + 1)
        p.groups = p.new('groups', 1, self.most // (2 * p.g))
        p.head = p.new('head', 0, 1)
        return self.divided_blocks(p)

    @staticmethod
    def divided_blocks(p):
        """The blocks of the head, the first group and the others"""
        return p.ctx.add(p.head, p.ctx.times(p.g1, 2), p.ctx.times(p.groups, 2 * p.g))

    def inputs(self, p):
        super().inputs(p)
        if p.case != 'below':
            p.cpu.of('state').hi = const(40)        # the powers stay out of the state

    # Invariants

    def frame(self, name, offset=0, size=8):
        return mem('frame', self.var(name) + offset, size)

    def division(self, p):
        """g, g1 and the number of groups are in the frame; DATA is behind the head."""
        if p.claiming and p.case == 'groups':       # how the segment has divided n
            p.g = p.ctx.tight(reads(p.cpu, self.frame('VAR_G'))).const()
            p.claim(p.g in self.sizes, 'g is known')
        p.is_(self.frame('VAR_G'), const(p.g), 'VAR_G')
        if p.claiming:
            p.g1 = p.any(self.frame('VAR_G1'), 2, p.g + 1, 'g1')
            p.groups = p.any(self.frame('VAR_GROUPS'), 1, self.most // (2 * p.g), 'groups')
        else:
            sets(p.cpu, self.frame('VAR_G1'), p.g1)
            sets(p.cpu, self.frame('VAR_GROUPS'), p.groups)
        if p.claiming and self.running == 'entry':
            p.head = p.data_index(reg(R12))
            p.within(p.head, 0, 1, 'the head')
        p.is_(reg(R12), p.block_at(p.head), 'DATA')
        if p.claiming:
            p.same(p.n.p, self.divided_blocks(p).p, None,
                   'n = head + units of the first group and of the others')

    def state(self, p, index):
        """The state has the Horner value after index blocks."""
        h = p.number(mems('state', 0, 8, 3), RADIX_64, [WORD, WORD, 4], None, 'h')
        p.progress(index, words(*h), 'state->h = H_i (mod p)')

    def entry(self, p, k, z):
        """R^k, or 2^32 R^k if z is 1, as number() and abstract() take it"""
        at = self.var('VAR_TABLE') + 80 * (k - 1) + 4 * z
        places = [[mem('frame', at + 16 * i + 8 * j, 4) for j in range(2)] for i in range(5)]
        return places, RADIX_26, LIMB, scale(p.rpow(2 * k), 1 << 32 * z), '%sR^%d' % (
            '2^32 ' * z, k)

    def entries(self, p):
        """R^1 ... R^g and their multiples by 2^32"""
        for k in range(1, p.g + 1):
            for z in (0, 1):
                p.number(*self.entry(p, k, z))

    def multipliers(self, p):
        """VAR_LAST: what each lane of the sums is multiplied by in the end"""
        for s, i, e, shift in self.lanes:
            p.number(mems('frame', self.var('VAR_LAST') + 80 * s + 8 * i, 16, 5), RADIX_26, LAST,
                     scale(p.rpow(e), 1 << shift), 'multiplier %d, %d' % (s, i))

    def hibits(self, p, registers):
        """VAR_HIBITS: bits 128 of the blocks of a full group, by lanes"""
        ones = {}
        for k in range(p.g):
            ones = add(ones, p.rpow(2 * k))
        low, high = ([[place, lane(k, i)][:1 + registers] for k, place in enumerate(
            mems('frame', self.var('VAR_HIBITS') + 8 * i, 16, 5))] for i in range(2))
        p.number(low, RADIX_26, HIBITS, scale(mul(ones, p.hibit.p), 1 << 128), 'bits 128')
        p.all_are(sum(high, []), ZERO, 'high lanes get no bit 128')

    def sums(self, p, index):
        """The sums are below 2^64 - 2^41, and make the Horner value after index blocks."""
        total = {}
        for s, i, e, shift in self.lanes:
            x = p.number([lane(5 * s + k, i) for k in range(5)], RADIX_26, SUM, None, 'sums')
            total = add(total, scale(mul(weigh(x, RADIX_26), p.rpow(e)), 1 << shift))
        p.progress(index, total, 'the sums times their multipliers = H_i (mod p)')

    # Cuts

    def divided(self, p):
        self.division(p)
        self.state(p, p.head)

    def table(self, p):
        ctx = p.ctx
        self.division(p)
        self.entries(p)
        self.multipliers(p)
        self.hibits(p, True)
        at = p.block_at(p.head)
        x = p.number([self.frame('VAR_FIRST'), self.frame('VAR_FIRST', 8), reg(R9)], RADIX_64,
                     [WORD, WORD, 5], None, 'h + m')
        m = words(p.cpu.read(at, 8), p.cpu.read(ctx.plus(at, 8), 8))
        p.progress(p.head, add(words(*x), m, -1), 'VAR_FIRST = H_i + m_(i+1), without bit 128')

    def group(self, p):
        ctx = p.ctx
        self.division(p)
        left = p.any(reg(RCX), 1, self.most // (2 * p.g), 'left')
        p.falls(left)
        index = ctx.minus(p.n, ctx.times(left, 2 * p.g))
        taken = p.bounded(ctx.minus(index, p.head), 4, self.most + 256, 'blocks of groups that '
                          'were taken')
        index = p.bounded(index, taken.lo, taken.hi + 1, 'i')
        p.is_(reg(RDX), p.block_at(index), 'the end of the last group')
        self.multipliers(p)
        self.hibits(p, False)
        self.entries(p)
        self.sums(p, index)

    def done(self, p):
        self.division(p)
        self.multipliers(p)
        self.sums(p, p.n)

    def hooks(self, p):
        """Powers of r, and rows of the table, when complete, become any such limbs."""
        super().hooks(p)
        if self.running == 'divided':
            for j, e in enumerate((4, 3, 2, 1)):
                p.watch(mems('frame', self.var('VAR_POWERS') + 8 * j, 32, 3), RADIX_44, POWER,
                        p.rpow(e), 'r^%d' % e)
        for k in range(0, self.sizes[-1], 2) if self.running != 'done' else ():
            def hook(cpu, k=k):
                for j in (k + 1, k + 2):
                    for z in (0, 1):
                        p.abstract(*self.entry(p, j, z))
            p.cpu.watches['frame', self.var('VAR_TABLE') + 80 * (k + 1) + 72] = hook
