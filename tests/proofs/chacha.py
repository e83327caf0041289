# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
chapoly-avx512.S and chapoly-avx2.S: ChaCha20 of RFC 8439, and Poly1305 beside it.

Sums, xors and rotations are made once for each two operands, so two ways to compute a word give
the same polynomial. At the head of each loop of rounds, the words of all blocks are those after
i double rounds: any 32-bit words x, from which an iteration must make the words that a double
round of the RFC makes of x. So 10 double rounds follow by induction, as Horner's rule does.
"""

import functools
import re

from cpu import R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, ZERO
from loader import TOP
from proof import Function, lane, mask, mem, mems, reg, sets
from scalar import BlocksMulx, have_x
from values import P, Val, const, mul, words

QUARTERS = [(i, 4 + (i + k) % 4, 8 + (i + 2 * k) % 4, 12 + (i + 3 * k) % 4)
            for k in (0, 1) for i in range(4)]
AT = {(kind + name).replace('FRAME_', ''): int(n) for kind, name, n in re.findall(
    r'#define (FRAME_|MAC_)(\w+)\s+(\d+)',       # places in AVX2's frame, and in the MAC's
    (TOP / 'arch/x86/poly1305-offsets.h').read_text('ascii'))}


def double_round(cpu, x):
    """RFC 8439, section 2.3: four quarter rounds of columns, and four of diagonals"""
    x = list(x)
    for a, b, c, d in QUARTERS:
        for to, other, turned, n in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
            x[to] = cpu.add32(x[to], x[other])
            x[turned] = cpu.rotated(cpu.bit_xor(None, x[turned], x[to], 32), n)
    return x


def columns(block, blocks=8):
    """Word w of all blocks is vector w: [(place, ((word, block), ...) from its low end on)]"""
    return [(lane(w, i), ((w, block + 2 * i), (w, block + 2 * i + 1)))
            for w in range(16) for i in range(blocks // 2)]


def rows(vector, block, blocks):
    """Row r of all blocks is vector + r"""
    return [(lane(vector + r, i), ((4 * r + i % 2 * 2, block + i // 2),
                                   (4 * r + i % 2 * 2 + 1, block + i // 2)))
            for r in range(4) for i in range(2 * blocks)]


class Stream(Function):
    """
    A function that computes blocks of the keystream; layouts say where words are in loops, and
    number() is word 12 of a block.
    """
    most = 1 << 25      # blocks: texts below 2 GiB
    layouts = ()
    counter = reg(RAX)

    def __init__(self, *args):
        super().__init__(*args)
        for i, layout in enumerate(self.layouts):
            setattr(self, 'rounds%d' % i, functools.partial(self.rounds, layout))
            setattr(self, 'finished%d' % i, functools.partial(self.finished, layout))

    @staticmethod
    def texts(p, hi, lo=ZERO, **twins):
        """src, and dst, which may be the same bytes as src and, shifted, as other regions"""
        p.region('src', lo, hi, False)
        p.region('dst', lo, hi)
        p.cpu.of('dst').output = True
        p.cpu.twins = {'src': [0], **twins}

    @staticmethod
    def state(p):
        """The state of block 0"""
        p.known, p.stream, p.total = (ZERO, {}), {}, const(10)
        p.words = [p.input('word %d' % w, p.ctx.word('word %d' % w, 32), False) for w in range(16)]

    @staticmethod
    def have_state(p):
        """It is in memory."""
        for place, x in zip(mems('state', 0, 4, 16, 4), p.words):
            sets(p.cpu, place, x)

    def before(self, p, block):
        """The words of a block before the rounds"""
        return p.words[:12] + [self.number(p, block)] + p.words[13:]

    def after(self, p, i, block):
        """The words of a block after i double rounds, from what is known"""
        known, x = p.known
        count = p.ctx.norm(p.ctx.minus(i, known).p)
        n = count.pop((), 0)
        p.claim(not count and 0 <= n <= 10, 'it is known how many double rounds were done')
        if block not in x:
            p.claim(known.const() == 0, 'the rounds of all blocks were begun')
            x[block] = self.before(p, block)
        y = x[block]
        for _ in range(n):
            y = double_round(p.cpu, y)
        if n:
            p.function.report.keep('rounds', [z.p for z in x[block] + y], n)
        return y

    def keystream(self, p, block):
        """The words of the keystream, when all double rounds were done"""
        if block not in p.stream:
            p.stream[block] = [p.cpu.add32(x, y) for x, y in zip(
                self.after(p, p.total, block), self.before(p, block))]
        return p.stream[block]

    def rounds_done(self, p, i, layout):
        """Invariant: all words are those after i double rounds."""
        blocks = sorted({block for _, labels in layout for _, block in labels})
        if p.claiming:
            x = {block: self.after(p, i, block) for block in blocks}
        else:
            x = {block: [p.ctx.word('x%d of block %d' % (w, block), 32) for w in range(16)]
                 for block in blocks}
            p.known = i, x
        for place, labels in layout:
            low, *high = (x[block][word] for word, block in labels)
            p.is_(place, p.cpu.join(high[0], low) if high else low,
                  'word %d of block %d after i double rounds' % labels[0])

    def rounds(self, layout, p):
        left = p.any(self.counter, 1, 10, 'double rounds that are left')
        p.falls(self.outer(p), left)
        self.rounds_done(p, p.ctx.plus(p.ctx.times(left, -1), 10), layout)
        self.besides(layout, p)

    @staticmethod
    def outer(p):
        """What falls in an outer loop"""
        return ZERO

    def finished(self, layout, p):
        p.falls(self.outer(p))
        self.rounds_done(p, const(10), layout)
        self.besides(layout, p)

    def besides(self, layout, p):
        """Other invariants at the head and at the end of a loop of rounds"""

    def again(self, p):
        """At a loop's head: a path comes back with one time more done, and one less left."""
        if p.claiming and self.running != 'entry':
            self.wrote_one(p)
            p.s, p.left = p.ctx.plus(p.s, 1), p.ctx.plus(p.left, -1)
        if p.claiming:
            p.within(p.left, 1, self.most, 'something is left')
        p.falls(p.left)

    def loop_cuts(self, loops):
        return {place: name % i for i, loop in enumerate(loops)
                for place, name in zip(loop, ('rounds%d', 'finished%d'))}

    # What was written

    def text(self, p, offset, size):
        """src xor keystream, dword by dword"""
        out = []
        for at in range(0, size, 4):
            n = min(4, size - at)
            x = p.cpu.read(p.ctx.add(p.cpu.bases['src'], p.here, const(offset + at)), n)
            x = p.cpu.bit_xor(None, x, self.key_of_text(p, offset + at, n), 32)
            out.append(p.ctx.times(p.ctx.field(x, 0, 8 * n), 1 << 8 * at))
        return p.ctx.add(*out)

    def key_of_text(self, p, offset, size):
        return self.keystream(p, offset // 64)[offset // 4 % 16]

    def bytes_of(self, p, block, offset, size):
        """Bytes of the keystream"""
        x = self.keystream(p, block)[offset // 4:][:size // 4]
        return p.ctx.add(*(p.ctx.times(y, 1 << 32 * i) for i, y in enumerate(x)))

    def stored(self, p, block, at, count, size):
        """The keystream of a block is in the frame."""
        for i, place in enumerate(mems('state', at, size, count, size)):
            p.same(p.now(place).p, self.bytes_of(p, block, size * i, size).p, None,
                   'byte %d of block %d' % (size * i, block))

    def wrote(self, p, name, base, lo, hi, want, what):
        """
        From lo to hi behind base, and nowhere else, a region was written as it should be:
        want(offset, size)
        """
        rest = {m: c for m, c in p.ctx.norm(base.p).items() if m}
        at, shift = lo, base.p.get((), 0)
        for offset, (size, value) in sorted(p.cpu.only_cells(p.cpu.of(name), rest, '').items()):
            p.claim(offset - shift == at, '%s: bytes %d to %d are written' % (what, at, offset))
            p.same(value.p, want(at, size).p, None, '%s, byte %d' % (what, at))
            at += size
        p.claim(at == max(lo, hi), '%s: %d bytes are written, not %d' % (what, at - lo, hi - lo))
        p.covered.add(name)

    def wrote_text(self, p, lo, hi):
        """From lo to hi behind here, and nowhere else, dst is src xor keystream."""
        self.wrote(p, 'dst', p.here, lo, hi, functools.partial(self.text, p), 'text xor keystream')


class ChaCha512(Stream, proves='chacha20_avx512'):
    """
    chacha20_avx512. A group is up to 24 blocks: j groups are done, and 64 q + t bytes are left.
    With the MAC's key, offsets count from 64 bytes before the text. A case is whether this group
    begins the text, with or without the key, or is later; and whether t is 0. Of the rounds
    neither matters.
    """
    arguments = 'state',
    layouts = rows(16, 0, 4), rows(16, 0, 4) + rows(20, 4, 4), columns(0, 16), \
        columns(0, 16) + rows(16, 16, 4) + rows(20, 20, 4)
    parts = (0, 4), (5, 8), (9, 16), (17, Stream.most + 1)

    def cases(self, cut):
        if cut.startswith('rounds'):
            return ['any']
        kinds = ['text', 'key'] + ['later'] * (cut != 'entry')
        if self.short_form and cut.startswith('finished'):
            return [('key', 1), ('later', 0)] + [('later', 1)] * (cut == 'finished0')
        return [(kind, tail) for kind in kinds for tail in (0, 1)]

    def cuts(self):
        group, *loops = self.loops
        return {**self.loop_cuts(loops), group[0]: 'group'}

    def inputs(self, p):
        ctx = p.ctx
        kind, tail = ('any', 'any') if p.case == 'any' else p.case
        p.key_now = const(kind == 'key') if kind != 'any' else p.new('with key', 0, 1)
        p.j = ZERO if kind in ('text', 'key') else p.new('j', int(kind != 'any'), self.most)
        p.q = p.new('q', int(kind == 'key'), self.most)
        p.t = p.new('t', int(tail != 0), 63) if tail else ZERO
        p.parts = ctx.plus(p.q, tail) if tail != 'any' else p.new('parts', 0, self.most + 1)
        p.kind = kind
        if tail != 'any':
            p.cover(p.t, 0, 63)
            p.cover(p.q, int(kind == 'key'), self.most)
        p.ones = ctx.ones(p.t)
        ctx.facts.append((ctx.add(ctx.times(p.j, 24), p.q).p, 0, self.most))
        p.left = ctx.add(ctx.times(p.q, 64), p.t)
        p.here = ctx.times(p.j, 1536)
        self.texts(p, ctx.add(p.here, p.left), ZERO if kind == 'text' else const(64))
        p.region('mac_key')
        p.cpu.of('mac_key').output = True
        p.region('state')
        self.state(p)
        p.tail = None

    def begin(self, p):
        super().begin(p)
        self.have_state(p)
        ctx, regs, begin = p.ctx, p.cpu.regs, p.cpu.of('src').lo.lo
        regs[RSI], regs[RDX] = p.at('dst', begin), p.at('src', begin)
        regs[RCX], regs[R8] = ctx.plus(p.left, -begin), p.cpu.bases['mac_key']
        regs[R9] = ctx.add(p.key_now, ctx.times(p.new('junk', 0, (1 << 56) - 1), 256))

    def number(self, p, block):
        return p.cpu.add32(p.words[12], p.ctx.plus(p.ctx.times(p.j, 24), block))

    def arguments_of_group(self, p):
        ctx = p.ctx
        p.is_(reg(R11), ctx.times(p.j, 24), 'how many blocks came before')
        p.is_(reg(RCX), p.left, 'how many bytes are left')
        p.is_(reg(RSI), ctx.add(p.cpu.bases['dst'], p.here), 'dst')
        p.is_(reg(RDX), ctx.add(p.cpu.bases['src'], p.here), 'src')
        p.is_(mask(3), p.key_now, 'whether block 0 is the key')

    def group(self, p):
        ctx = p.ctx
        if p.claiming and self.running != 'entry':
            self.group_written(p)
            p.j, p.q, p.key_now = ctx.plus(p.j, 1), ctx.plus(p.q, -24), ZERO
            p.left, p.here = ctx.plus(p.left, -1536), ctx.plus(p.here, 1536)
        p.falls(p.q)
        self.arguments_of_group(p)

    @staticmethod
    def outer(p):
        return p.q

    def besides(self, layout, p):
        self.arguments_of_group(p)
        p.is_(reg(R9), p.q, 'how many blocks are whole')
        p.is_(reg(R10), p.parts, 'how many blocks there are')
        p.bounded(p.parts, *self.parts[self.layouts.index(layout)], 'as many as the loop is for')
        p.ctx.propagate()
        p.is_(mask(1), p.ones, 'the bytes of the last block')
        if layout[0][0] == lane(0, 0):
            for i in range(8):
                p.is_(lane(29, i), p.cpu.join(self.number(p, 2 * i + 1), self.number(p, 2 * i)),
                      'what word 12 of columns was before the rounds')

    def tails(self):
        """The bytes of a last block that is not whole"""
        return (1, 7, 62) if self.short_form else range(1, 64)

    def covered(self, cut):
        super().covered(cut)
        short, self.short_form = self.short_form, False
        self.must(set(self.tails()) == set(range(1, 64)), 'each length of a tail')
        self.short_form = short

    def hooks(self, p):
        for insn in self.obj.body(self.name):
            if insn.name == 'vmovdqu8' and insn.operands[0].startswith('zmm'):
                p.cpu.hooks[insn.at] = functools.partial(self.last_block, p, insn)

    def last_block(self, p, insn, cpu):
        """
        The masked load, xor and store of a block of t bytes, for each t. Then what they leave
        in the register may be any number.
        """
        ctx, dst, src = p.ctx, cpu.of('dst'), cpu.of('src')
        load, vector = insn, insn.ops[0].number
        at = ctx.norm(ctx.minus(cpu.address(insn, insn.ops[1]), ctx.add(
            cpu.bases['src'], p.here)).p).get((), 0)
        p.tail = at // 64
        p.claim(ctx.tight(p.q).const() == p.tail and at % 64 == 0, 'the last block is no other')
        end, known = dst.hi, cpu.mask[1]
        p.same(known.p, p.ones.p, None, 'the mask is that of the last block')
        cells = cpu.cells(dst, {m: c for m, c in ctx.norm(p.here.p).items() if m})
        others = dict(cells)
        for t in self.tails():
            cells.clear()
            dst.hi = src.hi = ctx.add(p.here, const(64 * p.tail + t))
            cpu.mask[1], insn = const((1 << t) - 1), load
            cpu.begin_piece(insn.at)
            for _ in range(3):
                cpu.seen.add(insn.at)
                cpu.trace.append(insn.at)
                cpu.step(insn)
                insn = self.obj.code[insn.after]
            cpu.end_piece(insn.at)
            self.wrote_text(p, at, at + t)
        cells.clear()
        cells.update(others)
        dst.hi = src.hi = end
        cpu.mask[1] = known
        cpu.vec[vector] = [ctx.word('of the last block') for _ in range(8)]
        cpu.next = insn.at

    def group_written(self, p):
        q = p.ctx.tight(p.q)
        p.claim(q.const() is not None or q.lo >= 24, 'the number of whole blocks is known')
        whole = min(24, q.lo)
        self.wrote_text(p, 64 * p.key_now.lo, 64 * whole)
        p.claim(p.tail == (whole if whole < 24 and p.t.hi else None), 'the last block is written')
        self.wrote(p, 'mac_key', ZERO, 0, 32 * p.key_now.lo,
                   functools.partial(self.bytes_of, p, 0), 'the key')

    def end(self, p):
        self.group_written(p)
        left = p.ctx.tight(p.ctx.minus(p.left, const(1536)))
        p.claim(left.hi <= 0, 'nothing is left')


WORD = mems('state', AT['WORD'], 8, 4)
WORD_9 = [(place, ((9, 2 * i), (9, 2 * i + 1))) for i, place in enumerate(WORD)]
COLUMNS = [x for x in columns(0) if x[0][1] != 9] + WORD_9


class Avx2(Stream):
    """Functions of chapoly-avx2.S; blocks have the numbers in the frame, plus 8 for each stride."""
    def inputs(self, p):
        self.buffers(p)
        p.region('state', align=32)
        self.state(p)
        p.numbers = [p.ctx.word('number %d' % i, 32) for i in range(8)]

    def begin(self, p):
        super().begin(p)
        self.have_state(p)
        self.numbers_are(p, p.s)

    def buffers(self, p):
        """dst and src, a stride each"""
        p.here, p.s = ZERO, ZERO
        self.texts(p, const(512))

    def number(self, p, block, strides=None):
        return p.words[12] if block == 8 else p.cpu.add32(
            p.numbers[block], p.ctx.times(p.s if strides is None else strides, 8))

    def numbers_are(self, p, strides):
        """Invariant: the numbers went up by 8 with each stride."""
        for i, place in enumerate(mems('state', AT['NUMBERS'], 8, 4)):
            p.is_(place, p.cpu.join(self.number(p, 2 * i + 1, strides),
                                    self.number(p, 2 * i, strides)), 'the numbers of the blocks')

    def besides(self, layout, p):
        self.numbers_are(p, p.s)

    def stride_done(self, p):
        """The last stride is written, and the function is about to return."""
        self.wrote_text(p, 0, 512)
        self.word_wiped(p)

    @staticmethod
    def word_wiped(p):
        p.all_are(WORD, ZERO, 'the spilled words are wiped')


class Beside(Avx2):
    """
    What comes with the rounds: the MAC in general registers, or block 0. The MAC takes 4 blocks
    with each of the last b double rounds. Its text has a case: none is taken; it is apart; it is
    'behind', 512 bytes before dst; or block 0 takes its place, the 'key'. In the loop of rounds, a
    case also says whether the MAC has begun.
    """
    arguments = 'state',
    assumes = 'multiples of r',
    keyless = {'none': '0', 'key': 'WITH_KEY'}      # The MAC takes nothing.
    rounds_of = {'none': 0, 'behind': 8, 'key': 11}
    # Of block 0, which is block 8 here: rows 0, 1 and 3, and row 2 in place of h
    block_0 = [(reg(r), ((w, 8),)) for w, r in zip(
        (0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15),
        (R8, R9, R10, R11, R12, R13, R14, RBP, RBX, RDX, RDI, R15))] + \
        [(mem('state', AT['H'] + 4 * i, 4), ((8 + i, 8),)) for i in range(4)]

    @staticmethod
    def key(p):
        p.key()
        return [p.input('s%d of the key' % i, p.ctx.word('s%d' % i), False) for i in (0, 1)]

    @staticmethod
    def any_key(p):
        """The MAC takes nothing, so its key may be anything."""
        p.any_r()
        for name in ('r0', 'r1', 'q1', 's0', 's0 of the key', 's1 of the key'):
            p.input(name, p.ctx.word(name), False)

    @staticmethod
    def have_key(p, at=AT['H'] - AT['MAC_H']):
        """r, s, multiples of r, and x, which has yet to be multiplied by r, behind a place"""
        for name, value in (('R', 'r0'), ('R+', 'r1'), ('R++', 's0 of the key'),
                            ('R+++', 's1 of the key'), ('Q1', 'q1'), ('S0', 's0')):
            offset = AT['MAC_' + name.rstrip('+')] + 8 * name.count('+')
            sets(p.cpu, mem('state', at + offset), p.named[value])
        have_x(p, ZERO, BlocksMulx.most_x2, mems('state', at + AT['MAC_H'], 8, 3))

    @staticmethod
    def mac_ends(p, index, at=AT['H']):
        """The MAC has taken index blocks, and the frame has x again."""
        x = list(map(p.now, mems('state', at, 8, 3)))
        p.claim('h[2]' in p.function.block.after, 'x2 is within bounds')
        p.same(mul(words(*x), p.rpow(1)), p.value(index), P, 'x r = H_n (mod p)')

    def of_mac(self, p, kind, begun):
        """b, the key, and the text of the MAC beside p.strides strides"""
        ctx = p.ctx
        p.mac, p.begun, p.kind = kind, begun, kind
        b = ctx.new('b', 1, 10) if kind == 'apart' else const(self.rounds_of[kind])
        if begun:       # b - d double rounds are left
            least, most = (-2, 7) if kind == 'behind' else (-9, 9)
            p.d = p.new('d', 0, most) if begun == 'begun' else \
                ctx.plus(p.new('d + 10', least + 10, 9), -10)
            p.cover(p.d, least, most)
            if kind == 'apart' and begun == 'begun':
                b = ctx.plus(ctx.add(p.d, p.new('left', 0, 9)), 1)
                ctx.facts.append((b.p, 1, 10))
        elif kind in ('apart', 'none') and self.running != self.heads[-1]:
            p.kind = 'apart'
            p.cover(b, 0, 10)
        p.b = p.input('b', b)
        p.m = ctx.times(b, 4)
        p.blocks, p.short, p.hibit = ctx.mul(p.m, p.strides), 0, const(1)
        p.first = ctx.mul(p.m, p.s)
        p.region('data', ZERO, ctx.times(p.blocks, 16), False)
        (self.any_key if kind in self.keyless else self.key)(p)
        p.claim(self.block.words['multiples of r'] == ('rounds = ' + ' or '.join(
            self.keyless[x] for x in self.kinds if x in self.keyless),), 'when the MAC has no key')

    def begin(self, p):
        super().begin(p)
        p.cpu.regs[RSI], p.cpu.regs[RDX] = p.named['data'], p.b
        self.have_key(p)

    @staticmethod
    def with_mac(kinds):
        """Cases of the loop of rounds: [(kind, whether the MAC has begun)]"""
        return [(kind, begun) for kind in kinds
                for begun in (('before', 'begun') if kind in ('apart', 'behind') else ('',))]

    @staticmethod
    def slot(p, at, size=8):
        """A place on the stack"""
        offset = p.ctx.norm(p.ctx.minus(p.cpu.regs[RSP], p.cpu.stack).p)
        return mem('stack', offset[()] + at, size)

    def mac_at(self, p, index):
        """Invariant: the MAC has taken index blocks, and src of mulx_r points behind them."""
        p.is_(reg(RSI), p.block_at(index), 'src is at the next block')
        for r, name in ((R11, 'r0'), (R14, 'r1'), (RBP, 'q1'), (RAX, 's0')):
            p.is_(reg(r), p.named[name], name)
        have_x(p, index, BlocksMulx.most_x2)

    def double_rounds(self, p, layout):
        """Invariant at the head of the loop of rounds"""
        ctx, place = p.ctx, self.slot(p, 0, 4)
        d = None
        if p.claiming:
            left = p.any(place, 1, 10, 'double rounds that are left')
            d = ctx.tight(ctx.minus(p.b, left))
            p.claim(d.hi <= 0 or d.lo >= 0, 'it is known whether the MAC has begun')
            begun = d.hi > 0
        elif p.begun:
            p.mentioned.add(place)
            begun, d = p.begun == 'begun', p.d
            left = ctx.minus(p.b, d)
            ctx.facts.append((left.p, 1, 10))
            sets(p.cpu, place, Val(left.p, max(left.lo, 1), min(left.hi, 10)))
        else:
            left, begun = p.any(place, 1, 10, 'double rounds that are left'), False
        p.falls(self.outer(p), left)
        self.rounds_done(p, ctx.plus(ctx.times(left, -1), 10), layout)
        if p.mac != 'key':
            self.mac_at(p, ctx.add(p.first, ctx.times(d, 4)) if begun else p.first)
        self.besides(layout, p)


class Strides(Beside, proves='chapoly_avx2_strides'):
    """
    chapoly_avx2_strides: s strides are done, and l more come behind this one. With block 0 there is
    one stride.
    """
    heads = 'stride', 'columns'
    most = property(lambda self: self.block.bounds['strides'][1])
    kinds = 'apart', 'none', 'behind', 'key'

    def __init__(self, *args):
        super().__init__(*args)
        distance, rounds = self.block.pairs[frozenset(('mac', 'dst'))].more
        self.rounds_of = {**self.rounds_of, 'behind': int(rounds.split()[-1])}
        self.behind = {'data': [int(distance.replace(' ', ''))]}

    def cases(self, cut):
        if cut == 'columns':
            return self.with_mac(self.kinds)
        return [(kind, '') for kind in self.kinds]

    def buffers(self, p):
        ctx, (kind, begun) = p.ctx, p.case
        alone = kind == 'key'
        p.s = ZERO if self.running == 'entry' or alone else p.new('s', 0, self.most)
        p.left = const(1) if alone else ctx.plus(p.new('l', 0, self.most), 1)
        strides = p.strides = ctx.add(p.s, p.left)
        if not alone:
            ctx.facts.append((strides.p, 1, self.most))
        p.here = ctx.times(p.s, 512)
        self.texts(p, ctx.times(strides, 512), **(self.behind if kind == 'behind' else {}))
        self.of_mac(p, kind, begun)

    def begin(self, p):
        super().begin(p)
        p.cpu.regs[RCX], p.cpu.regs[R8], p.cpu.regs[R9] = (
            p.cpu.bases['dst'], p.cpu.bases['src'], p.left)

    def wrote_one(self, p):
        self.wrote_text(p, 0, 512)

    def outer(self, p):
        return p.left

    def pointers(self, p):
        """Invariant of both loops: the pointers on the stack and the number of strides left"""
        here = p.ctx.times(p.s, 512)
        p.is_(self.slot(p, 16), p.left, 'how many strides are left')
        p.is_(self.slot(p, 24), p.ctx.add(p.cpu.bases['dst'], here), 'dst')
        p.is_(self.slot(p, 32), p.ctx.add(p.cpu.bases['src'], here), 'src')

    def besides(self, layout, p):
        super().besides(layout, p)
        self.pointers(p)

    def stride(self, p):
        self.again(p)
        self.pointers(p)
        self.numbers_are(p, p.s)
        p.anything(WORD)
        if p.mac == 'key':
            x = self.before(p, 8)
            for place, ((word, _),) in self.block_0:
                p.is_(place, x[word], 'word %d of block 0' % word)
        else:
            self.mac_at(p, p.ctx.mul(p.m, p.s))

    def columns(self, p):
        self.double_rounds(p, COLUMNS + (self.block_0 if p.mac == 'key' else []))

    def end(self, p):
        self.stride_done(p)
        self.numbers_are(p, p.ctx.plus(p.s, 1))
        if p.mac == 'key':
            self.stored(p, 8, AT['R'], 4, 8)
            p.anything(mems('state', AT['H'], 8, 3))        # words of block 0
        else:
            self.mac_ends(p, p.ctx.mul(p.m, p.strides))
            for place, name in zip(mems('state', AT['R'], 8, 4), (
                    'r0', 'r1', 's0 of the key', 's1 of the key')):
                p.same(p.now(place).p, p.named[name].p, None, 'the key is as before')


class Rows(Beside, proves='chapoly_avx2_rows'):
    """chapoly_avx2_rows: the keystream of 2 or 6 blocks goes to the frame."""
    heads = 'rows',
    sets = {2: (1, 2), 6: (3, 6)}       # blocks that are computed -> those that are asked for
    kinds = 'apart', 'none'

    def cases(self, cut):
        return [(n, *case) for n in self.sets for case in (
            self.with_mac(self.kinds) if cut == 'rows' else [(kind, '') for kind in self.kinds])]

    def buffers(self, p):
        count, kind, begun = p.case
        p.here = p.s = ZERO
        p.strides = const(1)
        p.count = p.input('blocks', p.new('blocks', *self.sets[count]))
        p.cover(p.count, 1, 6)
        self.of_mac(p, kind, begun)

    def begin(self, p):
        super().begin(p)
        p.cpu.regs[RCX] = p.count

    def rows(self, p):
        self.double_rounds(p, sum((rows(2 * i, i, 2) for i in range(0, p.case[0], 2)), []))

    def end(self, p):
        blocks = p.case[0]
        p.anything(mems('state', AT['STREAM'] + 64 * blocks, 8, 8 * (6 - blocks)))
        for block in range(blocks):
            self.stored(p, block, AT['STREAM'] + 64 * block, 8, 8)
        self.mac_ends(p, p.blocks)
        self.word_wiped(p)
