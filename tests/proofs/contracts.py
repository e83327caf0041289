# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The contracts of poly1305_core.h: block functions and digest functions"""

from cpu import NAMES, PRESERVED, RCX, RDI, RDX, RSI, RSP, ZERO
from proof import ARGUMENTS, Function, leave, mem, mems, reg, sets
from values import P, add, const, only_variable, scale, words


# The fields of r0 and r1, from the low end: their width in bits, and whether clamping keeps them
FIELDS = ((28, 1), (6, 0), (26, 1), (4, 0)), ((2, 0), (26, 1), (6, 0), (26, 1), (4, 0))


def same_call(p, arguments):
    """A tail call has the same arguments, and other registers are as at the entry."""
    for i, name in [*zip(ARGUMENTS, arguments), (RSP, 'stack'), *((i, NAMES[i]) for i in PRESERVED)]:
        p.same(p.cpu.regs[i].p, p.named[name].p, None, 'a tail call has the same ' + name)
    p.ended = True


class Blocks(Function):
    """
    poly1305_core.h's contract of a block function: h becomes H_n, for any state, n and hibit.
    """
    arguments = 'state', 'data', 'n'
    most = 1 << 31
    most_h2 = 4
    state_size = 240
    assumes = 'a state',
    scalar = True           # leaves have_powers and pow alone

    def cases(self, cut):
        return ['no block', 'blocks'] if cut == 'entry' else [None]

    def count(self, p):
        """n, by the case"""
        return ZERO if p.case == 'no block' else p.ctx.new('n', 1, self.most)

    def bit128(self, p):
        """hibit, by the case"""
        return p.ctx.new('hibit', 0, 1)

    def inputs(self, p):
        ctx = p.ctx
        p.claim(self.most_h2 == self.sources.number('POLY1305_H2_MAX'), 'h2 is as C has it')
        p.n = p.blocks = p.input('n', self.count(p))
        p.short = 0
        p.hibit = p.input('hibit', self.bit128(p))
        if not p.kind:
            p.cover(p.n, 0 if self.running == 'entry' else 1, self.most)
            p.cover(p.hibit, 0, 1)
        p.region('state', ZERO, const(self.state_size))
        p.region('data', ZERO, ctx.times(p.n, 16), False)
        p.input('end', p.block_at(p.n))
        p.h = [ctx.word('h0'), ctx.word('h1'), ctx.new('h2', 0, self.most_h2)]
        for i, x in enumerate(p.h):
            p.input('h%d' % i, x, False)
        p.key()
        p.have(ZERO, words(*p.h))

    def begin(self, p):
        for place, x in zip(mems('state', 0, 8, 5), p.h + [p.r0, p.r1]):
            sets(p.cpu, place, x)
        super().begin(p)
        junk = p.new('upper half of hibit', 0, (1 << 32) - 1)
        p.cpu.regs[RCX] = p.ctx.add(p.hibit, p.ctx.times(junk, 1 << 32))

    def end(self, p):
        *h, r0, r1 = map(p.now, mems('state', 0, 8, 5))
        p.same(words(*h), p.value(p.n), P, 'h = (h + m_1) r^n + ... + m_n r (mod p)')
        p.within(h[2], 0, self.most_h2, 'h2 <= 4')
        p.same(r0.p, p.r0.p, None, 'r is unchanged')
        p.same(r1.p, p.r1.p, None, 'r is unchanged')

    @classmethod
    def called(cls, p):
        ctx, cpu = p.ctx, p.cpu
        state, n = cpu.regs[RDI], cpu.regs[RDX]
        p.claim(cls.scalar, 'a callee has no powers of its own')
        p.same(cpu.mod(cpu.regs[RCX], 32).p, p.hibit.p, None, 'a callee gets hibit')
        if cpu.tail:
            same_call(p, cls.arguments)
            return
        h = [cpu.read(ctx.plus(state, 8 * i), 8, 'a call: ') for i in range(3)]
        for i, x in ((3, p.r0), (4, p.r1)):
            p.same(cpu.read(ctx.plus(state, 8 * i), 8).p, x.p, None, 'a callee gets r')
        index = p.data_index(reg(RSI))
        p.same(words(*h), p.value(index), P, 'a callee gets h')
        p.within(h[2], *p.callee.bounds['state->h[2]'], 'a callee gets h2 <= 4')
        h = [ctx.word('h0'), ctx.word('h1'), ctx.new('h2', *p.callee.after['h[2]'])]
        for i, x in enumerate(h):
            cpu.write(ctx.plus(state, 8 * i), 8, x, 'a call: ')
        leave(p)
        p.have(ctx.add(index, n), words(*h))


class BlocksWithPowers(Blocks):
    """
    A block function that leaves powers of r in the state, whose have_powers is then not 0. If there
    are blocks, the last part of a case is whether that is so at the entry.
    """
    assumes = 'a state', 'powers'
    scalar = False

    def begin(self, p):
        super().begin(p)
        known, most = None if p.case == 'no block' else p.case[-1], (1 << 32) - 1
        have_powers = p.ctx.new('have_powers', 1 if known else 0, 0 if known == 0 else most)
        p.cover(have_powers, 0, most)
        sets(p.cpu, mem('state', 40, 4), have_powers)
        if known:
            self.kept(p)

    def end(self, p):
        super().end(p)
        if p.case != 'no block':
            have_powers = p.now(mem('state', 40, 4))
            p.within(have_powers, 1, 1 << 32, 'have_powers says that pow has powers')
            self.kept(p)


class Digest(Function):
    """
    poly1305_core.h's contract of a digest function: the tag is that of key and message. A case
    fixes the length modulo 16, or modulo more.
    """
    arguments = 'key', 'data', 'len', 'tag'
    most = 1 << 31
    unit = 16                   # A case that is a number is the length modulo that.
    lengths = 0, (1 << 35) - 1  # for which the function may be called
    inner = property(lambda self: self.lengths)     # that come to a cut
    late = 'key', 'data'        # what the tag may overlap

    def length(self, p):
        """(number of whole blocks, bytes of a block that is not whole), by the case"""
        if p.case in ('empty', 'any'):
            return ZERO, 0
        least, most = self.inner
        q = p.new('q', -((p.case - least) // self.unit), (most - p.case) // self.unit)
        return p.ctx.plus(p.ctx.times(q, self.unit // 16), p.case // 16), p.case % 16

    def cases(self, cut):
        return (0, 1, 3, 4, 8, 15) if self.short_form else range(16)

    def inputs(self, p):
        ctx, cpu = p.ctx, p.cpu
        p.whole, p.short = self.length(p)
        p.n = p.whole
        p.blocks = ctx.plus(p.whole, 1 if p.short else 0)
        p.len = ctx.plus(ctx.times(p.whole, 16), p.short)
        p.input('len', p.len)
        p.hibit = const(1)
        p.region('data', ZERO, p.len, False)
        p.region('tag')
        cpu.late = self.late
        if p.case == 'any':             # but none, of which nothing is known yet
            p.len = p.input('len', ctx.new('len', max(1, self.lengths[0]), self.lengths[1]))
            p.blocks = ctx.new('blocks', 1, self.most)
            cpu.of('data').hi = p.len
        p.cover(p.len, *(self.lengths if self.running == 'entry' else self.inner))
        p.input('end', ctx.add(cpu.bases['data'], p.len))
        self.set_key(p)
        p.have(ZERO, {})

    def set_key(self, p):
        """The key as the fields that clamping keeps and clears, and s"""
        ctx = p.ctx
        p.region('key', writable=False)
        p.key()
        p.s = [ctx.word('s0'), ctx.word('s1')]
        for i, x in enumerate(p.s):
            sets(p.cpu, mem('key', 16 + 8 * i), x)
        for i, r, shift in ((0, p.r0, 0), (1, p.rho, 2)):       # rho is r1 / 4
            bit, word, kept = 0, ZERO, {}
            for width, keep in FIELDS[i]:
                x = ctx.word('bits %d to %d of word %d' % (bit, bit + width, i), width)
                word = ctx.add(word, ctx.times(x, 1 << bit))
                kept = add(kept, x.p, keep << bit >> shift)
                bit += width
            ctx.refined[only_variable(r)] = kept
            sets(p.cpu, mem('key', 8 * i), word)

    def end(self, p):
        tag_is_right(p)

    def hooks(self, p):
        find_reductions(p)

    @classmethod
    def called(cls, p):
        p.bounded(p.len, *cls.lengths, 'a tail call is for such lengths')
        p.claim(p.cpu.tail, 'it is called by a jump only')
        same_call(p, cls.arguments)


def find_reductions(p):
    """
    Where the code adds 5, or 5 c + 5 with c = h >> 130, to h, to see whether that reaches
    2^130: the three sums with carries that follow tell what h is.
    """
    for insn in p.function.obj.body(p.function.name):
        folded = insn.name == 'lea' and insn.operands[1].endswith('*4+0x5]')
        if folded or insn.name == 'add' and insn.operands == ['rax', '0x5']:
            def hook(cpu, folded=folded, op=insn.ops[1]):
                p.excess = cpu.regs[op.base] if folded else ZERO
                cpu.sums = []
            p.cpu.hooks[insn.at] = hook


def tag(p):
    return words(*map(p.now, mems('tag', 0, 8, 2)))


def tag_is_right(p):
    """The tag is (h mod p) + s mod 2^128, and h is the message's Horner value."""
    ctx, cpu = p.ctx, p.cpu
    if not cpu.sums:
        p.claim(ctx.tight(p.blocks).const() == 0, 'without a reduction there is no block')
        p.same(tag(p), words(*p.s), 1 << 128, 'the tag of no block is s')
        return
    c = p.excess
    (d0, _), (d1, c0), (d2, c1) = cpu.sums
    low, x1 = ctx.plus(ctx.minus(d0, ctx.times(c, 5)), -5), ctx.minus(d1, c0)
    top = ctx.bounds(ctx.minus(d2, c1))
    if top.lo >> 63:                    # there are ones above the two bits
        top = ctx.split(top, 2)[1]
    above, x2 = ctx.split(top, 2) if c.p else (ZERO, top)
    h = words(low, x1, ctx.add(x2, ctx.times(c, 4)))
    p.same(h, p.value(p.blocks), P, 'h = (h + m_1) r^n + ... + m_n r (mod p)')
    reduced(p, low, x1, top, x2, above, c)


def reduced(p, low, x1, top, x2, above, c):
    """
    The tag is (h mod p) + s mod 2^128, where h = low + 2^64 x1 + 2^128 (x2 + 4 c).

    With c = h >> 130 or c = 0, h + 5 c + 5 = 2^130 e + w and Q = c + e, the residue h - Q p is
    w - 5 + 5 e. So it is in [0, p) if w < 2^130, e is 0 or 1, e = 0 implies w >= 5, and e = 1
    implies w < p. The first two are claims about intervals; w >= 5 in the third, as h and c are
    not negative; in the fourth w is at most the greatest h + 5 c + 5 less 2^130. top is x2, with
    4 above added, as the code has it.
    """
    ctx = p.ctx
    h = words(low, x1, ctx.add(x2, ctx.times(c, 4)))
    carry, w0 = ctx.split(ctx.plus(ctx.add(low, ctx.times(c, 5)), 5), 64)
    carry, w1 = ctx.split(ctx.bounds(ctx.add(x1, carry)), 64)
    e, w2 = ctx.split(ctx.bounds(ctx.add(top, carry)), 2)
    e = ctx.minus(e, above)
    p.same(add(add(h, c.p, 5), {(): 5}), add(words(w0, w1, w2), ctx.add(e, c).p, 1 << 130),
           None, 'h + 5 c + 5 = 2^130 (c + e) + w')
    four = ctx.bounds(ctx.minus(ctx.add(x2, carry), w2))
    p.same(four.p, scale(e.p, 4), None, '4 e = x2 + carry - w2')
    most = low.hi + (x1.hi << 64) + (ctx.tight(x2).hi << 128) + 5 * c.hi + 5
    p.claim(-4 < four.lo and four.hi < 8 and most - (1 << 130) < P, 'e is 0, or 1 and w < p')
    p.claim(all(ctx.tight(x).lo >= 0 for x in (low, x1, x2, c, w0, w1, w2)) and
            ctx.tight(w2).hi <= 3, 'h and c are not negative, and w is from 0 to 2^130 - 1')
    p.same(tag(p), add(add(h, ctx.add(c, e).p, -P), words(*p.s)), 1 << 128,
           'tag = h - Q p + s (mod 2^128)')
