# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Vector instructions on values. A register is eight lanes of 64 bits, a mask register one value.
Masks, shuffles, permutations and counts of shifts must be known on the path.
"""

import re
from functools import partialmethod

from general import left, right
from values import const

ZERO = const(0)
FULL = (1 << 64) - 1


def lanewise(bits, f):
    """The instruction that makes f(cpu, insn, a, b) of elements of its last two operands"""
    def do(self, insn, ops):
        def g(a, b):
            return f(self, insn, a, b)
        x, y = (self.lanes(insn, op, ops[0].size) for op in ops[-2:])
        self.set_lanes(insn, ops[0], list(map(g if bits == 64 else self.by_halves(g), x, y)))
    return do


def shift(bits, f):
    """The instruction that makes f(cpu, a, n, bits) of elements and an immediate number"""
    def do(self, insn, ops):
        def g(a):
            return f(self, a, ops[-1].value, bits)
        if ops[-1].kind != 'number' or not 0 < ops[-1].value < bits:
            self.stuck(insn)
        x = self.lanes(insn, ops[-2], ops[0].size)
        self.set_lanes(insn, ops[0], list(map(g if bits == 64 else self.by_halves(g), x)))
    return do


def permutation(bits, pick, sizes=(16, 32, 64), unknown=0):
    """
    The instruction whose lane i is pick(i, n, *operands), for an immediate number n without
    unknown bits; or whose dword i that is, as dwords() has it.
    """
    def do(self, insn, ops):
        n = ops[-1].value if ops[-1].kind == 'number' else 0
        if ops[0].size not in sizes or n & unknown:
            self.stuck(insn)
        sources = ops[1:] if insn.name[0] == 'v' or ops[-1].kind == 'number' else ops
        vectors = [self.lanes(insn, op, op.size) for op in sources if op.kind != 'number']
        picks = [pick(i, n, *vectors) for i in range(8 * ops[0].size // bits)]
        self.set_lanes(insn, ops[0], picks if bits == 64 else self.dwords(picks))
    return do


def madd52(high):
    """The instruction that adds the low or the high 52 bits of a product to its first operand"""
    def do(self, insn, ops):
        out = []
        for a, b, c in zip(*(self.lanes(insn, op, ops[0].size) for op in ops)):
            q, r = self.ctx.split(self.ctx.mul(self.mod(b, 52), self.mod(c, 52)), 52)
            out.append(self.mod(self.ctx.add(a, q if high else r), 64))
        self.set_lanes(insn, ops[0], out)
    return do


def extension(size, bits):
    """The instruction that makes lanes of the fields of 8 bytes in memory"""
    def do(self, insn, ops):
        if ops[0].size != size or ops[1].kind != 'memory':
            self.stuck(insn)
        x = self.get(insn, ops[1], 8)
        self.set_lanes(insn, ops[0], [self.ctx.field(x, i, i + bits) for i in range(0, 64, bits)])
    return do


def kmov(bits):
    """A move of so many bits to a mask"""
    def do(self, insn, ops):
        if ops[0].kind != 'mask' or ops[1].kind == 'mask':
            self.stuck(insn)
        x = self.get(insn, ops[1], bits // 8 if ops[1].kind == 'memory' else None)
        self.set_mask(ops[0].number, self.mod(x, bits))
    return do


def kxor(bits, ones):
    """The xor of two masks, or its complement; of one with itself it is known."""
    def do(self, insn, ops):
        a, b = (0 if ops[1].text == ops[2].text else self.known(insn, self.mask[op.number])
                for op in ops[1:])
        self.set_mask(ops[0].number, const((a ^ b ^ ones) & ((1 << bits) - 1)))
    return do


class Vectors:
    """The vector part of cpu.Cpu"""

    def lanes(self, insn, op, size):
        """A vector operand as lanes"""
        if op.kind == 'vector':
            return self.vec[op.number][:size // 8]
        if op.kind == 'memory':
            at, where = self.address(insn, op), self.where(insn)
            if op.broadcast:
                x = self.read(at, op.size, where)
                return [x if op.size == 8 else self.join(x, x)] * (size // 8)
            return [self.read(self.ctx.plus(at, 8 * i), 8, where) for i in range(size // 8)]
        self.stuck(insn)

    def set_lanes(self, insn, op, lanes):
        """A vector result. VEX and EVEX instructions zero what is above it."""
        if op.masking and (op.kind != 'memory' or insn.name[-2:] != '64'):
            self.stuck(insn)
        if op.kind == 'memory':
            at = self.address(insn, op)
            mask = self.known(insn, self.mask[op.masking[0]]) if op.masking else FULL
            for i, x in enumerate(lanes):
                if mask >> i & 1:
                    self.write(self.ctx.plus(at, 8 * i), 8, x, self.where(insn))
            return
        if insn.name[0] == 'v':
            lanes = lanes + [ZERO] * (8 - len(lanes))
        self.written_vectors |= {(op.number, i) for i in range(len(lanes))}
        self.vec[op.number] = lanes + self.vec[op.number][len(lanes):]

    def halves(self, x):
        """The high and the low dword of a lane"""
        return self.ctx.split(x, 32)

    def join(self, high, low):
        return self.ctx.add(low, self.ctx.times(high, 1 << 32))

    def by_halves(self, f):
        """f on the dwords of lanes"""
        return lambda *lanes: self.join(*(f(*x) for x in zip(*map(self.halves, lanes))))

    # Of legacy SSE the last two operands are all that there are.
    do_vpaddq = lanewise(64, lambda cpu, insn, a, b: cpu.mod(cpu.ctx.add(a, b), 64))
    do_vpsubq = lanewise(64, lambda cpu, insn, a, b: cpu.mod(cpu.ctx.tight(cpu.ctx.minus(a, b)), 64))
    do_vpaddd = lanewise(32, lambda cpu, insn, a, b: cpu.add32(a, b))
    do_vpmuludq = lanewise(64, lambda cpu, insn, a, b: cpu.ctx.mul(cpu.mod(a, 32),
                                                                   cpu.mod(b, 32)))
    do_vpand = lanewise(64, lambda cpu, insn, a, b: cpu.bit_and(insn, a, b))
    do_vpor = lanewise(64, lambda cpu, insn, a, b: cpu.bit_or(insn, a, b))
    xor_lanes = lanewise(32, lambda cpu, insn, a, b: cpu.bit_xor(insn, a, b, 32))
    do_vpsrlq, do_vpsrld = shift(64, right), shift(32, right)
    do_vpsllq, do_vpslld = shift(64, left), shift(32, left)
    do_vprold = shift(32, lambda cpu, a, n, bits: cpu.rotated(a, n))
    do_vpmadd52luq, do_vpmadd52huq = madd52(False), madd52(True)

    def do_vpxor(self, insn, ops):
        if ops[-1].text == ops[-2].text:
            self.set_lanes(insn, ops[0], [ZERO] * (ops[0].size // 8))
        else:
            self.xor_lanes(insn, ops)

    def do_vpternlogq(self, insn, ops):
        if ops[3].value & 255 != 0xa8:          # (a | b) & c
            self.stuck(insn)
        a, b, c = (self.lanes(insn, op, ops[0].size) for op in ops[:3])
        self.set_lanes(insn, ops[0], [
            self.bit_and(insn, self.bit_or(insn, x, y), z) for x, y, z in zip(a, b, c)])

    def do_vpsrldq(self, insn, ops):
        n, x = 8 * ops[2].value, self.lanes(insn, ops[1], ops[0].size)
        if not 0 < n <= 64:
            self.stuck(insn)
        pairs = zip(x[::2], x[1::2])
        self.set_lanes(insn, ops[0], [z for low, high in pairs for z in (
            (self.join_shifted(low, high, n, 64), right(self, high, n, 64)) if n < 64 else
            (high, ZERO))])

    def do_vpshrdq(self, insn, ops):
        x, y = (self.lanes(insn, op, ops[0].size) for op in ops[1:3])
        self.set_lanes(insn, ops[0], [self.join_shifted(a, b, ops[3].value, 64)
                                      for a, b in zip(x, y)])

    # Moves

    def do_vmovdqa(self, insn, ops):
        self.set_lanes(insn, ops[0], self.lanes(insn, ops[1], ops[0].size or ops[1].size))

    def low(self, insn, op, size):
        """The low bytes of a vector, or another operand"""
        return self.mod(self.vec[op.number][0], 8 * size) if op.kind == 'vector' else \
            self.get(insn, op, size)

    def do_vmovq(self, insn, ops, size=8):
        x = self.low(insn, ops[1], size)
        if ops[0].kind == 'vector':
            self.set_lanes(insn, ops[0], [x, ZERO])
        else:
            self.put(insn, ops[0], x)

    do_vmovd = partialmethod(do_vmovq, size=4)

    def do_vmovhps(self, insn, ops):
        """From memory; the low half is that of the second operand, or stays as it is."""
        if ops[-1].kind != 'memory':
            self.stuck(insn)
        self.set_lanes(insn, ops[0], [self.vec[ops[-2].number][0],
                                      self.get(insn, ops[-1], 8)])

    def do_vpextrq(self, insn, ops):
        self.put(insn, ops[0], self.vec[ops[1].number][ops[2].value & 1])

    def do_vpinsrq(self, insn, ops):
        x = self.vec[ops[1].number][:2]
        x[ops[3].value & 1] = self.get(insn, ops[2], 8)
        self.set_lanes(insn, ops[0], x)

    def do_vzeroupper(self, insn, ops, keep=2):
        for i in range(16):
            self.vec[i] = self.vec[i][:keep] + [ZERO] * (8 - keep)

    do_vzeroall = partialmethod(do_vzeroupper, keep=0)

    # Lanes in another order

    def do_vpunpcklqdq(self, insn, ops, k=0):
        x, y = (self.lanes(insn, op, ops[0].size) for op in ops[-2:])
        self.set_lanes(insn, ops[0], [z for i in range(0, len(x), 2)
                                      for z in (x[i + k], y[i + k])])

    do_vpunpckhqdq = partialmethod(do_vpunpcklqdq, k=1)

    def do_vpbroadcastq(self, insn, ops):
        self.set_lanes(insn, ops[0], [self.low(insn, ops[1], 8)] * (ops[0].size // 8))

    def do_vpbroadcastd(self, insn, ops):
        x = self.low(insn, ops[1], 4)
        self.set_lanes(insn, ops[0], [self.join(x, x)] * (ops[0].size // 8))

    do_vbroadcasti128 = permutation(64, lambda i, n, x: x[i % 2])
    do_vperm2i128 = permutation(64, lambda i, n, x, y: (x + y)[2 * (n >> i // 2 * 4 & 3) + i % 2],
                                unknown=0x88)
    do_vinserti128 = permutation(64, lambda i, n, x, y: y[i % 2] if i // 2 == n & 1 else x[i],
                                 (32,))
    do_vextracti128 = permutation(64, lambda i, n, x: x[i + 2 * (n & 1)])
    do_vextracti64x4 = permutation(64, lambda i, n, x: x[i + 4 * (n & 1)])
    do_vshufi64x2 = permutation(64, lambda i, n, x, y: (x if i < 4 else y)[
        2 * (n >> i // 2 * 2 & 3) + i % 2], (64,))
    permuted_lanes = permutation(64, lambda i, n, x: x[i & 4 | n >> 2 * (i & 3) & 3], (32, 64))

    def dwords(self, picks):
        """Lanes made of dwords, each given as (list of lanes, number of the dword)"""
        out = []
        for (xs, i), (ys, j) in zip(picks[::2], picks[1::2]):
            if xs is ys and j == i + 1 and i % 2 == 0:
                out.append(xs[i // 2])
                continue
            low, high = (self.halves(zs[k // 2])[1 - k % 2] for zs, k in ((xs, i), (ys, j)))
            out.append(self.join(high, low))
        return out

    do_vpblendd = permutation(32, lambda i, n, x, y: (y if n >> i & 1 else x, i))
    do_vpunpckldq = permutation(32, lambda i, n, x, y: (y if i & 1 else x, i & -4 | i >> 1 & 1))
    do_vpunpckhdq = permutation(32, lambda i, n, x, y: (
        y if i & 1 else x, i & -4 | i >> 1 & 1 | 2))
    do_vpshufd = permutation(32, lambda i, n, x: (x, i & -4 | n >> 2 * (i & 3) & 3))

    def do_vpermd(self, insn, ops):
        index, x = (self.lanes(insn, op, ops[0].size) for op in ops[1:3])
        picks, top = [], 2 * len(x) - 1
        for lane in index:
            c = self.known(insn, lane)
            picks += [(x, c & top), (x, c >> 32 & top)]
        self.set_lanes(insn, ops[0], self.dwords(picks))

    def do_vpermq(self, insn, ops):
        if ops[2].kind == 'number':
            self.permuted_lanes(insn, ops)
            return
        index = [self.known(insn, i) for i in self.lanes(insn, ops[1], 64)]
        x = self.lanes(insn, ops[2], 64)
        self.set_lanes(insn, ops[0], [x[c & 7] for c in index])

    def do_vpermi2q(self, insn, ops):
        index = [self.known(insn, i) for i in self.lanes(insn, ops[0], 64)]
        x, y = (self.lanes(insn, op, 64) for op in ops[1:])
        self.set_lanes(insn, ops[0], [(y if c & 8 else x)[c & 7] for c in index])

    do_vpmovzxdq, do_vpmovzxbq = extension(16, 32), extension(64, 8)

    def do_vpshufb(self, insn, ops):
        x, index = (self.lanes(insn, op, ops[0].size) for op in ops[-2:])
        out = []
        for i, lane in enumerate(index):
            c = self.known(insn, lane)
            j, parts = 0, []
            while j < 8:
                b = c >> 8 * j & 255
                if b & 128:
                    j += 1
                    continue
                b, n = b & 15, 1
                while j + n < 8 and (b + n) % 8 and c >> 8 * (j + n) & 255 == b + n:
                    n += 1                      # a run of bytes that stay together
                parts.append(self.ctx.times(self.ctx.field(
                    x[(i & -2) + b // 8], 8 * (b % 8), 8 * (b % 8 + n)), 1 << 8 * j))
                j += n
            out.append(self.ctx.add(ZERO, *parts))
        self.set_lanes(insn, ops[0], out)

    # Masks

    def masked(self, insn, ops, f):
        """Carry out f, then take the lanes that the mask leaves out from the old value."""
        op = ops[0]
        old, mask = self.vec[op.number], self.known(insn, self.mask[op.masking[0]])
        masking, op.masking = op.masking, []
        try:
            f(insn, ops)
        finally:
            op.masking = masking
        new, dword = self.vec[op.number], insn.name[-1] == 'd'
        for i in range(op.size // 8):
            x, y = (ZERO if op.zeroing else old[i]), new[i]
            if dword and mask >> 2 * i & 3 in (1, 2):   # one half of the lane
                pairs = zip(self.halves(x), self.halves(y), (2, 1))
                new[i] = self.join(*(b if mask >> 2 * i & k else a for a, b, k in pairs))
            elif not (mask >> 2 * i & 3 if dword else mask >> i & 1):
                new[i] = x

    def do_vmovdqu8(self, insn, ops):
        """With a mask of bytes: it reads, stores, and may fault on, no other bytes."""
        to, of = ops
        if {to.kind, of.kind} != {'vector', 'memory'} or not to.masking:
            self.stuck(insn)
        vector, memory = ops if to.kind == 'vector' else ops[::-1]
        mask = self.known(insn, self.mask[to.masking[0]])
        old, at, out = self.vec[vector.number], self.address(insn, memory), []
        for i in range(vector.size // 8):
            parts = []
            for run in re.finditer('0+|1+', format(mask >> 8 * i & 255, '08b')[::-1]):
                (j, end), on = run.span(), run[0][0] == '1'
                byte = self.ctx.plus(at, 8 * i + j)
                if to is vector and on:
                    x = self.read(byte, end - j, self.where(insn))
                elif to is memory and on or to is vector and not to.zeroing:
                    x = self.ctx.field(old[i], 8 * j, 8 * end)
                else:
                    continue
                if to is memory:
                    self.write(byte, end - j, x, self.where(insn))
                parts.append(self.ctx.times(x, 1 << 8 * j))
            out.append(self.ctx.add(ZERO, *parts))
        if to is vector:
            self.written_vectors |= {(to.number, i) for i in range(8)}
            self.vec[to.number] = out + [ZERO] * (8 - len(out))

    do_kmovb, do_kmovw, do_kmovd, do_kmovq = kmov(8), kmov(16), kmov(32), kmov(64)

    def do_kortestq(self, insn, ops):
        if ops[0].text != ops[1].text:
            self.stuck(insn)
        self.flags(self.mask[ops[0].number], self.unknown('carry'))

    do_kxorb, do_kxorq, do_kxnorq = kxor(8, 0), kxor(64, 0), kxor(64, FULL)

    # Names that differ only in what does not matter here: alignment, prefix, lanes of masks.
    # Of legacy SSE the first operand is a source, too.
    do_vmovdqu = do_vmovdqa32 = do_vmovdqa64 = do_vmovdqu64 = do_vmovdqa
    do_vshufi32x4, do_vbroadcasti32x4 = do_vshufi64x2, do_vbroadcasti128
    do_movdqa = do_movdqu = do_movaps = do_vmovdqa
    do_vpandq, do_vporq, do_vpxorq, do_vpxord = do_vpand, do_vpor, do_vpxor, do_vpxor
    do_paddq, do_paddd, do_pmuludq = do_vpaddq, do_vpaddd, do_vpmuludq
    do_pand, do_por, do_pxor, do_xorps = do_vpand, do_vpor, do_vpxor, do_vpxor
    do_psrlq, do_psllq, do_pshufd, do_pshufb = do_vpsrlq, do_vpsllq, do_vpshufd, do_vpshufb
    do_psrld, do_pslld = do_vpsrld, do_vpslld
    do_punpcklqdq, do_punpckhqdq = do_vpunpcklqdq, do_vpunpckhqdq
    do_punpckldq, do_punpckhdq = do_vpunpckldq, do_vpunpckhdq
    do_movq, do_movhps = do_vmovq, do_vmovhps
