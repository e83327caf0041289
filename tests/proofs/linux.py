#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
linux.py MODULE OBJECT: Linux's own ChaCha20 and Poly1305, from a module of a kernel's package
linux.py --faults OBJECT...: change bits of them, which the proofs must find.

The functions that have a class here go to OBJECT, for prove.py --only linux, vex.py and
validate.py: their bytes and relocations, at the same places, with the module's constants. What
else in the module refers to their code must be harmless.

Of arguments of 32 bits the upper half of the register is taken to be 0. The ABI does not promise
that, but the code relies on it, and compilers leave it so.
"""

import io
import lzma
import pathlib
import subprocess
import sys
import tempfile

from chacha import Stream, columns, rows
from check import parallel
import contracts
from contracts import same_call
from cpu import (PRESERVED, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RDX, RSI, RSP,
                 ZERO)
from faults import verdict
from features import EVERY, implied
import generic
from loader import ALLOCATED, ELFFile, Objects, PC32, PLT32, SECTIONS, WRITABLE
from proof import (FUNCTIONS, Function, RADIX_26, RADIX_64, high, lane, low, mem, mems, reads, reg,
                   registers, sets)
from scalar import WORD
from values import P, add, const, mul, weigh, words

STEP = 20               # of the numbers in the code, so many are left as they are
# Sections that may refer to the code: these have the kernel count calls, and make nops of endbr64.
HARMLESS = SECTIONS | {'.call_sites', '.ibt_endbr_seal'}


class Theirs:
    """A function of Linux, which may have the name of one of ours, and has no block"""
    wipes = False

    def __init__(self, *args):
        super().__init__(*args)
        self.block = None

    @classmethod
    def model(cls, p, name):
        p.function.calls.add(name)
        p.claiming = True
        cls.called(p)
        p.claiming = False


class Chacha(Theirs, Stream):
    """
    chacha_Nblock_xor_*(state, dst, src, len, nrounds): the first min(len, 64 N) bytes of dst become
    those of src xor the keystream of N blocks, and no other byte changes, for any state, any len
    below 2^32, and any even nrounds from 2 on. dst may be src.

    The head of the loop of double rounds is a cut, and its end another, at which each length below
    64 N is a case. layout has the words in the loop; kept what they were before.
    """
    needs = 'AVX2',
    most = 1 << 30              # double rounds
    length = RAX
    count, layout, kept = 0, (), ()

    def cuts(self):
        return dict(zip(self.loops[0], ('rounds', 'finished')))

    def cases(self, cut):
        size = 64 * self.count
        if cut != 'finished':
            return [None]
        return [0, 1, 7, 62, size - 1, size] if self.short_form else range(size + 1)

    def inputs(self, p):
        ctx, size = p.ctx, 64 * self.count
        p.cpu.features = EVERY | implied(self.needs)
        self.state(p)
        p.total, p.here = ctx.new('double rounds', 1, self.most - 1), ZERO
        p.size = const(p.case) if p.case not in (None, size) else \
            ctx.new('len', p.case or 0, (1 << 32) - 1)
        p.cover(p.size, 0, (1 << 32) - 1)
        self.texts(p, p.size)
        p.region('state', ZERO, const(64), False)
        self.have_state(p)

    def begin(self, p):
        regs, bases = p.cpu.regs, p.cpu.bases
        regs[RDI], regs[RSI], regs[RDX], regs[RCX] = (
            bases['state'], bases['dst'], bases['src'], p.size)
        regs[R8] = p.cpu.join(p.ctx.word('junk', 32), p.ctx.times(p.total, 2))

    def number(self, p, block):
        return p.cpu.add32(p.words[12], const(block))

    def invariant(self, p, i):
        for place, name in (RDI, 'state'), (RSI, 'dst'), (RDX, 'src'):
            p.is_(reg(place), p.cpu.bases[name], name)
        p.is_(reg(self.length), p.size, 'len')
        self.rounds_done(p, i, self.layout)
        for place, labels in self.kept:
            x, y = (self.before(p, block)[word] for word, block in labels)
            p.is_(place, p.cpu.join(y, x), 'words before the rounds')

    def rounds(self, p):
        left = p.counter(low(reg(R8), 32), 2, ZERO, 1, self.most, 'double rounds that are left')
        p.falls(left)
        self.invariant(p, p.ctx.minus(p.total, left))

    def finished(self, p):
        p.falls(ZERO)
        self.invariant(p, p.total)

    def hooks(self, p):
        p.above = ZERO
        for insn in self.obj.body(self.name):
            if insn.name == 'movs':
                p.cpu.hooks[insn.at] = lambda cpu: self.any_frame(p, cpu)
                break

    @staticmethod
    def any_frame(p, cpu):
        """The last bytes of the text come to the stack, which may hold anything."""
        cpu.cells(cpu.of('frame'), {}).clear()
        last = cpu.ctx.tight(cpu.regs[RCX]).lo & -4
        p.above = cpu.read(cpu.ctx.plus(cpu.regs[RSP], last), 4)

    def text(self, p, offset, size):
        """src xor keystream; what is above the last bytes in their dword does not matter."""
        ctx, parts, at = p.ctx, [], offset
        while at < offset + size:
            begin, end = at & -4, min(at | 3, offset + size - 1) + 1
            n = min(4, p.case - begin)
            x = p.cpu.read(ctx.plus(p.cpu.bases['src'], begin), n)
            if n < 4:
                x = ctx.add(x, ctx.times(ctx.field(p.above, 8 * n, 32), 1 << 8 * n))
            x = p.cpu.bit_xor(None, x, self.key_of_text(p, begin, 4), 32)
            x = ctx.field(x, 8 * (at - begin), 8 * (end - begin))
            parts.append(ctx.times(x, 1 << 8 * (at - offset)))
            at = end
        return ctx.add(*parts)

    def end(self, p):
        self.wrote_text(p, 0, p.case)


class Wide(Chacha):
    """With AVX-512"""
    needs = 'AVX512VL', 'AVX512BW', 'AVX512F'
    length = RCX


def moved(layout, by):
    """The same words in other vectors"""
    return [(lane(v + by, i), labels) for (_, v, i), labels in layout]


def only(layout, *numbers):
    """Of a layout what is in these vectors"""
    return [x for x in layout if x[0][1] in numbers]


TWO, FOUR, EIGHT = rows(0, 0, 2), rows(0, 0, 2) + rows(4, 2, 2), columns(0)


class Two(Chacha, proves='chacha_2block_xor_avx2'):
    count, layout, kept = 2, TWO, moved(TWO, 8)


class Four(Chacha, proves='chacha_4block_xor_avx2'):
    count, layout, kept = 4, FOUR, moved(only(FOUR, 0, 1, 2, 3), 11) + moved(only(FOUR, 7), 8)


class Eight(Chacha, proves='chacha_8block_xor_avx2'):
    """The first words are on the stack; those before the rounds are read again."""
    count, layout = 8, [
        (mem('frame', 32 * v + 8 * i - 128) if v < 4 else place, labels)
        for place, labels in EIGHT for _, v, i in [place]]

    def keystream(self, p, block):
        """The number of the block is added last: sums modulo 2^32 are associative."""
        x = super().keystream(p, block)
        x[12] = p.cpu.add32(p.cpu.add32(self.after(p, p.total, block)[12], p.words[12]),
                            const(block))
        return x


class Two512(Wide, Two, proves='chacha_2block_xor_avx512vl'):
    pass


class Four512(Wide, Four, proves='chacha_4block_xor_avx512vl'):
    pass


class Eight512(Wide, proves='chacha_8block_xor_avx512vl'):
    count, layout, kept = 8, EIGHT, moved(EIGHT, 16)


class Permute(Chacha, proves='chacha_permute'):
    """The double rounds of one block, of which the rows are in %xmm0 to %xmm3"""
    needs = 'SSSE3', 'SSE2'
    layout = rows(0, 0, 1)
    kept = [reg(i) for i in (RAX, RCX, RDX, RSI, RDI, R9, R10, R11)] + \
        [lane(v, i) for v in range(8, 16) for i in range(2)]

    def inputs(self, p):
        p.cpu.features = EVERY | implied(self.needs)
        self.state(p)
        for place in Permute.kept:
            p.input(str(place), p.ctx.word(str(place)))
        p.total = p.ctx.new('double rounds', 1, self.most - 1)

    def cases(self, cut):
        return [None]

    def before(self, p, block):
        return p.words

    def begin(self, p):
        p.cpu.regs[R8] = p.cpu.join(p.ctx.word('junk', 32), p.ctx.times(p.total, 2))
        for place, ((i, _), (j, _)) in self.layout:
            sets(p.cpu, place, p.cpu.join(p.words[j], p.words[i]))
        for place in self.kept:
            sets(p.cpu, place, p.named[str(place)])

    def invariant(self, p, i):
        self.rounds_done(p, i, self.layout)

    def end(self, p):
        self.invariant(p, p.total)
        for place in self.kept:
            p.same(reads(p.cpu, place).p, p.named[str(place)].p, None, 'it is kept')

    @classmethod
    def called(cls, p):
        cpu, f = p.cpu, p.function
        p.same(cpu.mod(cpu.regs[R8], 32).p, p.ctx.times(p.total, 2).p, None, 'nrounds')
        f.rounds_done(p, ZERO, cls.layout)
        p.claiming = False
        for place in {*registers(cpu)} - {reg(RSP), *map(reg, PRESERVED), *cls.kept}:
            sets(cpu, place, p.ctx.word('left by a call'))
        cpu.forget_flags()
        f.rounds_done(p, p.total, cls.layout)


class One(Chacha, proves='chacha_block_xor_ssse3'):
    """Without a cut each length is a case from the beginning on."""
    needs = Permute.needs
    count = 1

    def cuts(self):
        return {}

    def cases(self, cut):
        return super().cases('finished')


class Four128(Eight, proves='chacha_4block_xor_ssse3'):
    needs = Permute.needs
    count, layout = 4, [(mem('frame', 16 * v + 8 * i) if v < 4 else place, labels)
                        for place, labels in columns(0, 4) for _, v, i in [place]]


class HChacha(Chacha, proves='hchacha_block_ssse3'):
    """hchacha_block_ssse3(state, out, nrounds): out is the first and the last row."""
    needs = Permute.needs

    def cuts(self):
        return {}

    def cases(self, cut):
        return [None]

    def inputs(self, p):
        Permute.inputs(self, p)
        p.region('state', ZERO, const(64), False)
        p.region('out', ZERO, const(32))
        self.have_state(p)

    def before(self, p, block):
        return p.words

    def begin(self, p):
        p.cpu.regs[RDI], p.cpu.regs[RSI] = p.cpu.bases['state'], p.cpu.bases['out']
        p.cpu.regs[RDX] = p.cpu.join(p.ctx.word('junk', 32), p.ctx.times(p.total, 2))

    def end(self, p):
        x = self.after(p, p.total, 0)
        for place, y in zip(mems('out', 0, 4, 8, 4), x[:4] + x[12:]):
            p.is_(place, y, 'a word of two rows')


H = R14, RBX, R10           # the registers of h


class SetKey(Theirs, Function, proves='poly1305_init_x86_64'):
    """poly1305_init_x86_64(state, key): h is 0, and r is the clamped half of a key."""
    arguments = 'state', 'key'

    def inputs(self, p):
        p.region('state', ZERO, const(192))
        p.region('key', ZERO, const(16), False)

    def end(self, p):
        for place in mems('state', 0, 8, 3):
            p.is_(place, ZERO, 'h is 0')
        for i, name in enumerate(('CLAMP_LO', 'CLAMP_HI')):
            kept = const(self.sources.number(name))
            r = p.cpu.bit_and(None, reads(p.cpu, mem('key', 8 * i)), kept)
            p.is_(mem('state', 24 + 8 * i), r, 'r is clamped')


class Blocks(Theirs, contracts.Blocks, proves='poly1305_blocks_x86_64'):
    """poly1305_blocks_x86_64(state, data, len, padbit): left blocks are to come."""
    arguments = 'state', 'data', 'len'
    heads = 'loop',
    state_size = 192

    def inputs(self, p):
        super().inputs(p)
        p.input('len', p.ctx.times(p.n, 16))

    def begin(self, p):
        super().begin(p)
        p.cpu.regs[RCX] = p.hibit

    def loop(self, p):
        left = p.any(reg(R15), 1, self.most, 'left')
        index = p.bounded(p.ctx.minus(p.n, left), 0, self.most, 'i >= 0')
        p.falls(left)
        p.is_(reg(RSI), p.block_at(index), 'the next block')
        h = p.number([reg(i) for i in H], RADIX_64, [WORD, WORD, self.most_h2], None, 'h')
        p.progress(index, words(*h), 'h = H_i (mod p)')

    @classmethod
    def called(cls, p):
        p.same(p.cpu.regs[RCX].p, p.hibit.p, None, 'a tail call has the same hibit')
        for place, x in zip(mems('state', 0, 8, 5), (*p.h, p.r0, p.r1)):
            p.same(reads(p.cpu, place).p, x.p, None, 'a tail call has the same state')
        p.claim(p.cpu.tail, 'it is called by a jump only')
        same_call(p, cls.arguments)


class Emit(Theirs, generic.Emit, proves='poly1305_emit_x86_64'):
    arguments = 'h', 'tag', 's'

    @classmethod
    def called(cls, p):
        for place, x in zip(mems('h', 0, 8, 3) + mems('s', 0, 8, 2), p.h + p.s):
            p.same(reads(p.cpu, place).p, x.p, None, 'a tail call has the same h and s')
        p.claim(p.cpu.tail, 'it is called by a jump only')
        same_call(p, cls.arguments)


class Block(Theirs, Function, proves='__poly1305_block'):
    """x becomes x r: with r1 in rax, r0 in r11, and r1 + r1 / 4 in r13."""
    bounds = [WORD, WORD, 6]
    kept = RCX, RSI, RDI, R11

    def clobbers(self):
        return {('r', RBX), ('r', R14)}

    def inputs(self, p):
        p.key()

    def begin(self, p):
        self.requires(p)
        p.named['r13'] = p.named['q1']
        p.before = {i: p.cpu.regs[i] for i in self.kept}

    @classmethod
    def requires(cls, p):
        for i, name in (RAX, 'r1'), (R11, 'r0'), (R13, 'q1'):
            p.is_(reg(i), p.named[name], name)
        p.x = p.number([reg(i) for i in H], RADIX_64, cls.bounds, None, 'x')

    @classmethod
    def ensures(cls, p):
        x = mul(words(*p.x), p.rpow(1))
        known = p.ctx.expand(x, P)      # by r alone, if x is a power of r
        p.same(x, known, P, 'x r')
        p.number([reg(i) for i in H], RADIX_64, [WORD, WORD, 4], known, 'x r')

    def end(self, p):
        self.ensures(p)
        p.claim(not p.cpu.written_vectors, 'vectors are kept')
        for i, x in p.before.items():
            p.same(p.cpu.regs[i].p, x.p, None, 'a register is kept')

    @classmethod
    def called(cls, p):
        cls.requires(p)
        for i in {*range(16)} - {*PRESERVED, RSP, *cls.kept} | {RBX, R14}:
            p.cpu.set(i, p.ctx.word('left by a call'))
        p.cpu.forget_flags()
        p.claiming = False
        cls.ensures(p)


FIELD = (1 << 26) - 1
# Bounds in radix 2^26: of powers up to r^4; of other powers, and of h as a call leaves it
LIMBS = [FIELD] * 4 + [(5 << 24) - 1]
H26 = [FIELD, FIELD + (1 << 13), FIELD, FIELD, (5 << 24) - 1]
POWERS = 2, 1, 4, 3         # in the order of the table in the state


def power(p, places, e):
    """Invariant: r^e in five limbs, and five times all but the first. places(k) are of number k."""
    x = p.number([places(max(0, 2 * k - 1)) for k in range(5)], RADIX_26,
                 LIMBS if e < 5 else H26, p.rpow(e), 'r^%d' % e)
    for k in range(1, 5):
        p.all_are(places(2 * k), p.ctx.times(x[k], 5), 'five times a limb')


class Init(Block, proves='__poly1305_init_avx'):
    """The powers of r, from r0 in r11 and r1 in r12, go to the state."""

    def inputs(self, p):
        super().inputs(p)
        p.region('state', ZERO, const(192))

    @classmethod
    def requires(cls, p):
        for i, name in (R12, 'r1'), (R11, 'r0'), (R13, 'q1'), (RDI, 'state'):
            p.is_(reg(i), p.named[name], name)

    def begin(self, p):
        p.named['r12'] = p.named['r1']
        super().begin(p)

    @classmethod
    def ensures(cls, p):
        cls.powers(p)

    @staticmethod
    def powers(p, more=lambda k, e: []):
        """The powers of r in the state, with other places of the same number k of r^e"""
        for i, e in enumerate(POWERS):
            power(p, lambda k, i=i, e=e: [mem('state', 48 + 16 * k + 4 * i, 4), *more(k, e)], e)

    @classmethod
    def called(cls, p):
        super().called(p)
        for place in mems('state', 48, 4, 36, 4):
            p.cpu.write(p.at('state', place[2]), 4, reads(p.cpu, place))


class BlocksAvx2(Blocks, proves='poly1305_blocks_avx2'):
    """
    poly1305_blocks_avx2(state, data, len, padbit): in radix 2^26 or 2^64, as is_base2_26 says. A
    case is that, padbit, and n mod 4, or None if the scalar code takes all. Where padbit is 0, the
    state in radix 2^26 takes at most 3 blocks, and that in radix 2^64 at most 7.
    """
    needs = 'AVX2',
    step = unit = least = 4     # blocks of a vector; of cases; the fewest in all in loops
    heads = ()

    def cuts(self):
        return {head: 'vectors' for head, _ in self.loops if self.obj.code[head].name[0] == 'v'}

    def cases(self, cut):
        rests = range(self.unit)
        if cut == 'vectors':
            return [(1, 1, i) for i in rests]
        return [(0, 0, None), (0, 1, None), *((0, 1, i) for i in rests),
                *((1, 1, i) for i in rests), *((1, 0, i) for i in range(1, self.step))]

    def count(self, p):
        radix, hibit, rest = p.case
        if rest is None:
            return p.new('n', 0, 7)
        if not hibit:
            return const(rest)
        least = self.least if self.running != 'entry' else 0 if radix else 8
        q = p.new('q', max(0, -((rest - least) // self.unit)), (1 << 31) // self.unit)
        return p.ctx.plus(p.ctx.times(q, self.unit), rest)

    def bit128(self, p):
        return const(p.case[1])

    def inputs(self, p):
        radix, hibit, _ = p.case
        p.cpu.features = EVERY | implied(self.needs)
        p.kind = radix, hibit
        super().inputs(p)
        least = self.least if self.running != 'entry' else 0
        p.cover(p.n, *((least, 1 << 31) if hibit else (1, self.step - 1) if radix else (0, 7)))
        if radix:
            p.limbs = [p.ctx.new('h%d in radix 2^26' % i, 0, b) for i, b in enumerate(H26)]
            p.have(ZERO, weigh(p.limbs, RADIX_26))

    def begin(self, p):
        super().begin(p)
        if p.case[0]:
            cells = p.cpu.cells(p.cpu.of('state'), {})
            for at in (0, 8, 16):
                del cells[at]
            for place, x in zip(mems('state', 0, 4, 6, 4), (*p.limbs, const(1))):
                sets(p.cpu, place, x)
            Init.ensures(p)

    def taken(self, p, step, first, more, least):
        """
        Invariant: %rdx counts first and a multiple of step blocks, and so many and some more are to
        come. The number of blocks that were taken.
        """
        ctx = p.ctx
        left = p.counter(reg(RDX), 16 * step, const(16 * first), 0, self.most, 'vectors left')
        p.falls(left)
        left = ctx.plus(ctx.times(left, step), first + more)
        index = p.bounded(ctx.minus(p.n, left), least, self.most + 8, 'so many were taken')
        p.is_(reg(RSI), p.block_at(index), 'the next block')
        insn = next(i for i in self.obj.body(self.name) if i.name == 'lea' and i.ops[1].relative)
        p.is_(reg(RCX), p.cpu.address(insn, insn.ops[1]), 'the constants')
        self.radix_26(p, self.frame)
        return index

    def vectors(self, p):
        """left quads come after the one that is added to S"""
        index, total = self.taken(p, 4, 4, 0, 4), {}
        for i in range(4):
            s = p.number([lane(v, i) for v in VECTORS], WEIGHTS, S, None, 'S')
            total = add(total, mul(weigh(s, WEIGHTS), p.rpow(4 - i)))
        p.progress(index, total, 'sum over the lanes of r^(4 - i) S_i = H_i (mod p)')

    @staticmethod
    def frame(k, e):
        """Where number k of r^e is: r^4 in the low half of each lane, and all in the high halves"""
        return [mem('frame', 32 * k + at, 4) for at in (
            *(range(0, 32, 8) if e == 4 else ()), 36 - 8 * e)]

    @staticmethod
    def radix_26(p, *more):
        p.is_(mem('state', 20, 4), const(1), 'is_base2_26')
        Init.powers(p, *more)

    def end(self, p):
        if p.ctx.tight(reads(p.cpu, mem('state', 20, 4))).const() == 0:
            super().end(p)
            return
        self.radix_26(p)
        h = p.number(mems('state', 0, 4, 5, 4), RADIX_26, H26, None, 'h')
        p.same(weigh(h, RADIX_26), p.value(p.n), P, 'h = (h + m_1) r^n + ... + m_n r (mod p)')
        for place, x in zip(mems('state', 24, 8, 2), (p.r0, p.r1)):
            p.is_(place, x, 'r is unchanged')


# Vectors with h and those with a block, limb by limb
VECTORS, WEIGHTS = (0, 7, 1, 8, 2, 3, 10, 4, 6), [1 << 26 * k for k in (0, 0, 1, 1, 2, 3, 3, 4, 4)]
S = [H26[0], FIELD, H26[1], FIELD, 2 * FIELD, H26[3], FIELD, H26[4], (1 << 25) - 1]


class BlocksAvx(BlocksAvx2, proves='poly1305_blocks_avx'):
    """
    poly1305_blocks_avx: the same, but n mod 2, and radix 2^26 takes at most 1 block without padbit.
    Of each 4 blocks the last 2 are loaded beforehand.
    """
    needs = 'AVX',
    step = unit = 2
    least = 6

    def vectors(self, p):
        index, total = self.taken(p, 2, 2, 4, 0), {}
        for i in range(2):
            s = p.number([lane(v, i) for v in range(5)], RADIX_26, H26, None, 'S')
            total = add(total, mul(weigh(s, RADIX_26), p.rpow(2 - i)))
            p.number([lane(v, i) for v in range(5, 10)], RADIX_26, [FIELD] * 4 + [(1 << 25) - 1],
                     p.block(p.ctx.plus(index, 2 + i)), 'a block')
        p.progress(index, total, 'sum over the lanes of r^(2 - i) S_i = H_i r^2 (mod p)', 2)
        for i in range(2):
            p.is_(lane(14, i), p.now(mem('frame', 8 * i - 0x170)), 'the first row of powers')

    @staticmethod
    def frame(k, e):
        at = 16 * k - (0x170 if e < 3 else 0xe0) + 4 * (e % 2)
        return [mem('frame', at, 4), mem('frame', at + 8, 4)]


class EmitAvx(Emit, proves='poly1305_emit_avx'):
    """The same of h in radix 2^26, or a jump there; a case is is_base2_26."""

    def cases(self, cut):
        return [0, 1]

    def inputs(self, p):
        super().inputs(p)
        p.cover(const(p.case), 0, 1)
        if p.case:
            p.cpu.cells(p.cpu.of('h'), {}).clear()
            p.limbs = [p.ctx.new('h%d in radix 2^26' % i, 0, b) for i, b in enumerate(H26)]
            for place, x in zip(mems('h', 0, 4, 6, 4), (*p.limbs, const(1))):
                sets(p.cpu, place, x)

    def hooks(self, p):
        for insn in self.obj.body(self.name):
            if insn.name == 'add' and insn.operands[1] == '0x5':
                p.cpu.hooks[insn.at] = lambda cpu: self.words(p)

    @staticmethod
    def words(p):
        """Here h is in radix 2^64."""
        p.h = p.abstract([reg(i) for i in (R8, R9, R10)], RADIX_64, [WORD, WORD, 4],
                         weigh(p.limbs, RADIX_26), 'h')


class BlocksAvx512(BlocksAvx2, proves='poly1305_blocks_avx512'):
    """
    poly1305_blocks_avx512: the same as poly1305_blocks_avx2, but 32 blocks or more go through
    vectors of 8 blocks first.
    """
    needs = 'AVX2', 'AVX512F'
    unit = 8
    exponents = 8, 4, 7, 3, 6, 2, 5, 1      # of the lanes

    def cuts(self):
        first, *_, last = super().cuts()        # Between them one joins another.
        return {first: 'vectors', last: 'wide'}

    def cases(self, cut):
        return super().cases('vectors' if cut == 'wide' else cut)

    def wide(self, p):
        """As vectors(); of two limbs the upper bits are still there."""
        index, total = self.taken(p, 8, 8 if p.case[2] > 3 else 4, 4, 8), {}
        for i, e in enumerate(self.exponents):
            places = [lane(0, i), lane(7, i), lane(1, i), low(lane(8, i), 26), lane(2, i),
                      lane(3, i), low(lane(10, i), 26), lane(4, i), lane(6, i)]
            s = p.number(places, WEIGHTS, S[:8] + [(1 << 24) - 1], None, 'S')
            s = add(weigh(s, WEIGHTS), {(): 1 << 128})
            total = add(total, mul(s, p.rpow(e)))
        p.progress(index, total, 'sum over the lanes of r^e S = H_i (mod p)')
        at = 16, 17, 21, 18, 22, 19, 23, 20, 24
        power(p, lambda k: [low(lane(at[k], i), 32) for i in range(8)], 8)
        for i, e in enumerate(self.exponents):
            power(p, lambda k, i=i: [high(lane(at[k], i))], e)


OWN = [name for name, cls in FUNCTIONS.items() if cls.__module__ == __name__]


def taken(module):
    """Assembly that makes the object"""
    data = pathlib.Path(module).read_bytes()
    elf = ELFFile(io.BytesIO(lzma.decompress(data) if module.endswith('.xz') else data))
    symbols = list(elf.get_section_by_name('.symtab').iter_symbols())
    text, fills = elf.get_section_index('.text'), {}
    code = elf.get_section(text).data()
    constants = {i: s for i, s in enumerate(elf.iter_sections()) if s.name.startswith('.rodata') and
                 s['sh_size'] and not s['sh_flags'] & WRITABLE}
    bodies = sorted((s['st_value'], s['st_value'] + s['st_size'], s.name) for s in symbols
                    if s.name in OWN and s['st_shndx'] == text)
    for table in elf.iter_sections('SHT_RELA'):
        to, of = table['sh_info'], elf.get_section(table['sh_info'])
        for r in table.iter_relocations():
            symbol, at = symbols[r['r_info_sym']], r['r_offset']
            there = symbol['st_value'] + r['r_addend']
            if to == text:
                fills[at] = r['r_info_type'], symbol, r['r_addend']
            elif to in constants:
                raise ValueError('a relocation among constants')
            elif symbol['st_shndx'] == text and of['sh_flags'] & ALLOCATED and \
                    of.name not in HARMLESS and any(a <= there < b for a, b, _ in bodies):
                raise ValueError('%s refers to the code' % of.name)

    def raw(data):
        return '.byte ' + ','.join(map(str, data))
    out = ['.section .rodata']
    for i, section in constants.items():
        out += ['.balign %d' % section['sh_addralign'], 'constants%d:' % i, raw(section.data())]
    out.append('.text')
    for begin, end, name in bodies:
        out += ['.org %d, 0xcc' % begin, '.globl ' + name, '.type %s, @function' % name,
                name + ':', raw(code[begin:end]), '.size %s, . - %s' % (name, name)]
        for at in sorted(fills.keys() & set(range(begin, end))):
            kind, symbol, addend = fills[at]
            there = 'constants%d+%d' % (symbol['st_shndx'], symbol['st_value']) if \
                symbol['st_shndx'] in constants else symbol.name
            out.append('.reloc %d, R_X86_64_%s, %s%+d' % (
                at, {PC32: 'PC32', PLT32: 'PLT32'}[kind], there, addend))
    return '\n'.join([*out, '.section .note.GNU-stack,"",@progbits', ''])


def numbers(file):
    """[(function, instruction, offset in the file of its immediate number)], but of %rsp"""
    obj = Objects([file])
    with open(file, 'rb') as stream:
        begin = ELFFile(stream).get_section_by_name('.text')['sh_offset']
    return [(file, name, i.text, begin + i.at[2] + op.field[0])
            for name in OWN if name in dict(obj.functions.values())
            for i in obj.body(name) for op in i.ops
            if op.kind == 'number' and op.field[1] and i.ops[0].number != RSP]


def found(job):
    """Whether the proof finds a changed bit, and the line to print"""
    file, name, text, at = job
    data = bytearray(pathlib.Path(file).read_bytes())
    data[at] ^= 1
    with tempfile.NamedTemporaryFile(suffix='.o') as stream:
        stream.write(data)
        stream.flush()
        why, obj, places = verdict(stream.name, [name], False)
        if not why and any(i.at not in places for i in obj.body(name)):
            why = 'an instruction is not reached'
    return bool(why), '%s: %s' % (name, text)


def faults(files):
    """Change a bit of every 20th number in the code; whether all are found."""
    jobs = [job for file in files for job in numbers(file)][::STEP]
    results = list(parallel(found, jobs))
    for good, what in results:
        if not good:
            print('not ok %s is not found' % what)
    good = sum(good for good, _ in results)
    print('%s %d of %d changed numbers are found' % (
        'ok' if good == len(jobs) else 'not ok', good, len(jobs)))
    return good == len(jobs)


def main(what, *files):
    if what == '--faults':
        return not faults(files)
    subprocess.run(['as', '-o', *files, '-'], input=taken(what), text=True, check=True)
    return False


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
