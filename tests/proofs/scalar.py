# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The functions of poly1305-x86_64.S, with mul and with mulx: one block at a time, radix 2^64"""

from contracts import Blocks, Digest
from cpu import R8, R9, R10, R15, RCX, RDI, RSI
from proof import RADIX_64, reg
from values import const, mul, words

WORD = (1 << 64) - 1
H = [reg(R8), reg(R9), reg(R10)]        # x0, x1, x2


def have_x(p, index, most_x2, places=H):
    """Invariant: x, which has yet to be multiplied by r, has taken index blocks."""
    x = p.number(places, RADIX_64, [WORD, WORD, most_x2], None, 'x')
    p.progress(index, mul(words(*x), p.rpow(1)), 'x r = H_i (mod p)')


def block_in_x(p, index, most_x2):
    """Invariant: src is at the last of the blocks that x has taken."""
    p.is_(reg(RSI), p.block_at(p.ctx.plus(index, -1)), 'src is the block in x')
    have_x(p, index, most_x2)


class BlocksMul(Blocks, proves='poly1305_blocks_x86_64'):
    """At the head of the loop x = h plus a block, and left more blocks come."""
    heads = 'loop',
    counter, most_x2 = reg(RDI), 6

    def loop(self, p):
        left = p.any(self.counter, 1, self.most, 'left')
        index = p.bounded(p.ctx.minus(p.n, left), 1, self.most, 'i >= 1')
        p.falls(left)
        block_in_x(p, index, self.most_x2)


class BlocksMulx(BlocksMul, proves='poly1305_blocks_mulx'):
    """As BlocksMul, but x2 is folded only after the last block."""
    counter, most_x2 = reg(R15), int(2 ** 63.1)


class DigestMul(Digest, proves='poly1305_digest_x86_64'):
    """%rcx is the number of bytes behind the next block; that is added as x is multiplied."""
    heads = 'loop',
    most_x2 = 6

    def loop(self, p):
        j = p.counter(reg(RCX), 16, const(p.case), 0, self.most, 'left')
        p.falls(j)
        index = p.bounded(p.ctx.plus(p.ctx.minus(p.whole, j), -1), 1, self.most, 'i >= 1')
        block_in_x(p, index, self.most_x2)


class DigestMulx(DigestMul, proves='poly1305_digest_mulx'):
    """Messages of 80 bytes and more take the loop; all others no loop at all."""
    most_x2 = int(2 ** 63.1)

    def cuts(self):
        """The only loop that moves src on"""
        for head, _ in self.loops:
            insn = self.obj.code[head]
            while insn.name[0] != 'j':
                if insn.name == 'add' and insn.operands[0] == 'rsi':
                    return {head: 'loop'}
                insn = self.obj.code[insn.after]
        raise LookupError('no loop')
