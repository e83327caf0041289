# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
chapoly-x86.S: what packets of AVX2 and AVX-512 share, and their MAC in general registers.
"""

import functools

from chacha import AT, Beside, Stream
from contracts import find_reductions, tag_is_right
from cpu import R8, R15, RAX, RCX, RDI, RSI, ZERO
from proof import Function, Path, mem, reads, reg, sets
from scalar import BlocksMulx, have_x
from values import const


class Begin(Function, proves='chapoly_x86_begin'):
    """chapoly_x86_begin: the state of block 0, and the numbers first, second, second + 1 ..."""
    arguments = 'state', 'key', 'nonce'

    def inputs(self, p):
        p.region('state', align=32)
        p.region('key')
        p.region('nonce')
        p.numbers = [p.input(name, p.ctx.word(name, 32)) for name in ('first', 'second')]

    def begin(self, p):
        super().begin(p)
        junk = p.new('junk', 0, (1 << 32) - 1)
        for place, x in zip((RCX, R8), p.numbers):
            p.cpu.regs[place] = p.cpu.join(junk, x)

    def end(self, p):
        cpu, (first, second) = p.cpu, p.numbers
        words_of = [const(int.from_bytes(b'expand 32-byte k'[i:i + 4], 'little'))
                    for i in range(0, 16, 4)]
        words_of += [reads(cpu, mem('key', 4 * i, 4)) for i in range(8)] + [ZERO]
        words_of += [reads(cpu, mem('nonce', 4 * i, 4)) for i in range(3)]
        words_of += [first] + [cpu.add32(second, const(i)) for i in range(7)]
        for i, x in enumerate(words_of):
            p.same(p.now(mem('state', 4 * i, 4)).p, x.p, None, 'word %d of the state' % i)


class Xor(Stream, proves='chapoly_x86_xor'):
    """
    chapoly_x86_xor: q vectors and t bytes, of which the loop has taken s vectors; a case is t.
    """
    vector = 32
    arguments = 'dst', 'src', 'stream', 'len'
    heads = 'loop',
    most = property(lambda self: (1 << 31) // self.vector)

    def cases(self, cut):
        return (0, 1, self.vector - 2) if self.short_form else range(self.vector)

    def inputs(self, p):
        ctx = p.ctx
        p.s = ZERO if self.running == 'entry' else p.new('s', 0, self.most)
        p.left = p.new('q', 0 if self.running == 'entry' else 1, self.most)
        p.blocks = ctx.add(p.s, p.left)
        ctx.facts.append((p.blocks.p, 0, self.most))
        p.here = ctx.times(p.s, self.vector)
        size = ctx.plus(ctx.times(p.blocks, self.vector), p.case)
        if self.running == 'entry':
            p.cover(size, 0, (1 << 31) - 1)
        else:
            p.cover(const(p.case), 0, self.vector - 1)
        self.texts(p, size)
        p.region('stream', ZERO, size, False)
        p.input('len', size)

    def key_of_text(self, p, offset, size):
        return p.cpu.read(p.ctx.add(p.cpu.bases['stream'], p.here, const(offset)), size)

    def wrote_one(self, p):
        self.wrote_text(p, 0, self.vector)

    def loop(self, p):
        self.again(p)
        p.is_(reg(RAX), p.ctx.times(p.s, self.vector), 'how many bytes are done')
        p.is_(reg(R8), p.left, 'how many vectors are left')

    def end(self, p):
        p.claim(p.ctx.tight(p.left).const() == (self.running != 'entry'), 'nothing is left')
        self.wrote_text(p, 0, self.vector * (self.running != 'entry') + p.case)


class Xor512(Xor, proves='chapoly_avx512_xor'):
    """chapoly_avx512_xor: the same; the last t bytes with a mask"""
    vector = 64
    arguments = 'stream', 'dst', 'src', 'len'


class Wipe(Stream, proves='chapoly_x86_wipe'):
    """chapoly_x86_wipe: s vectors are zero, and l are left."""
    vector = align = 32
    arguments = 'dst', 'size'
    heads = 'loop',

    def inputs(self, p):
        p.s = ZERO if self.running == 'entry' else p.new('s', 0, self.most)
        p.left = p.new('l', 1, self.most)
        p.here = p.ctx.times(p.s, self.vector)
        parts = p.ctx.add(p.s, p.left)
        p.ctx.facts.append((parts.p, 1, self.most))
        size = p.ctx.times(parts, self.vector)
        p.region('dst', ZERO, size, align=self.align)
        p.cpu.of('dst').output = True
        p.input('size', size)

    def wrote_one(self, p):
        self.wrote(p, 'dst', p.here, 0, self.vector, lambda at, size: ZERO, 'zeros')

    def loop(self, p):
        self.again(p)
        p.is_(reg(RDI), p.ctx.add(p.cpu.bases['dst'], p.ctx.times(p.s, self.vector)),
              'the next vector')
        p.is_(reg(RSI), p.left, 'how many vectors are left')

    def end(self, p):
        p.claim(p.ctx.tight(p.left).const() == 1, 'nothing is left')
        self.wrote_one(p)


class Wipe512(Wipe, proves='chapoly_avx512_wipe'):
    """chapoly_avx512_wipe: the same, without an alignment"""
    vector, align = 64, 1
    most = 1 << 24


class Mulx(Function, proves='chapoly_mulx'):
    """
    chapoly_mulx: the Horner value of n blocks at data and then e at end. A case is whether these
    are the first.
    """
    most = 1 << 31
    arguments = 'state', 'data', 'n', 'end', 'e', 'tag'
    heads = 'first', 'second'
    assumes = 'multiples of r', 'a key'

    def cases(self, cut):
        return ['fresh', 'not']

    def inputs(self, p):
        ctx = p.ctx
        p.kind = p.case
        p.n = p.input('n', ctx.new('n', 0, self.most))
        p.e = p.input('e', ctx.new('e', 0, self.most))
        p.blocks, p.short, p.hibit = ctx.add(p.n, p.e), 0, const(1)
        ctx.facts.append((p.blocks.p, 1, 2 * self.most))
        p.block_at = functools.partial(self.block_at, p)
        p.region('state')
        p.region('data', ZERO, ctx.times(p.n, 16), False)
        p.region('end', ZERO, ctx.times(p.e, 16), False)
        p.region('tag')
        p.s = Beside.key(p)

    @staticmethod
    def block_at(p, index):
        behind = p.ctx.minus(index, p.n)
        if p.ctx.tight(behind).lo < 0:
            return Path.block_at(p, index)
        return p.ctx.add(p.cpu.bases['end'], p.ctx.times(behind, 16))

    def begin(self, p):
        super().begin(p)
        Beside.have_key(p, 0)
        sets(p.cpu, mem('state', AT['MAC_FRESH']), ZERO if p.case == 'not' else
             p.new('fresh', 1, (1 << 64) - 1))
        if p.case == 'fresh':
            p.have(ZERO, {})

    def take(self, p, name, whole, before):
        left = p.any(reg(R15), 1, self.most, 'the number of blocks left')
        p.falls(left)
        done = p.bounded(p.ctx.minus(whole, left), 0, self.most, 'the number of blocks done')
        p.is_(reg(RSI), p.ctx.add(p.cpu.bases[name], p.ctx.times(done, 16)), 'src')
        have_x(p, p.ctx.add(before, done), BlocksMulx.most_x2)

    def first(self, p):
        self.take(p, 'data', p.n, ZERO)

    def second(self, p):
        self.take(p, 'end', p.e, p.n)

    def hooks(self, p):
        find_reductions(p)

    def end(self, p):
        Beside.mac_ends(p, p.blocks, AT['MAC_H'])
        tag_is_right(p)
