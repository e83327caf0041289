#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Worst cases of arch/x86/poly1305-mulx*.S and .h: the script carries upper bounds through
# their macros line by line. All quantities are sums and products of nonnegative
# numbers. Where a mask or a word cuts a number off, the bound is the mask's.

import math
import os
import re
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../arch/x86/poly1305-mulx-digest.S")
WORD = 2**64 - 1
H2_MAX = 4              # in every state
X2_MAX = 2**63 - 1      # between blocks

count = 0
failed = 0


def check(holds, what):
    global count, failed
    count += 1
    failed += not holds
    print(("ok" if holds else "not ok"), count, "-", what)


def bits(value):
    return "2^%.2f" % math.log2(value)


with open(SOURCE, encoding="ascii") as f:
    source = f.read()
constants = sorted(set(re.findall(r"\$(0x0ffffffc0ffffff[cf])", source)))
check(len(constants) == 2, "r is clamped: " + ", ".join(constants))
R1, R0 = (int(c, 16) for c in constants)
Q1 = R1 + (R1 >> 2)
S0 = 5 * R0
check(R1 % 4 == 0 and Q1 <= WORD and S0 <= WORD,
      "q1, s0: " + bits(Q1) + ", " + bits(S0))


def mulx_low(block, hibit=1):
    """v and u1; each addition to a lower word carries 1"""
    v = (WORD * R0 >> 64) + (WORD * Q1 >> 64) + 1
    u1 = (WORD * R1 >> 64) + (WORD * R0 >> 64) + 1
    if block:
        u1 += hibit + 1
    return v, u1


def mulx_r(x2, block):
    v, u1 = mulx_low(block)
    top = 3 * R0 + u1
    v += ((x2 >> 2) * S0 >> 64) + 1
    after = top + (x2 * Q1 >> 64) + 1 + 1
    return after, max(v, top)


def short(x2, hibit):
    """short_begin, add_words and short_fold: the new x2, and the largest values"""
    v = WORD * R0 >> 64
    u1 = WORD * R1 >> 64
    x2q1 = x2 * Q1
    x2r0 = x2 * R0
    u1 += x2r0 + 1
    v += x2q1
    u1 += (WORD * R0 >> 64) + 1
    v += (WORD * Q1 >> 64) + 1
    # word 1 overflows at most once, and so does word 0; both carry into x2
    after = 3 + hibit + (WORD + v + 1 >> 64)
    return after, v, u1, x2q1, x2r0


# poly1305_blocks_x86_64 begins with h, a block, its bit 128 and a carry;
# poly1305_digest_mulx with 1. add_rest adds up to a carry and the 1 bit to x2.
x2 = X2_MAX
check(x2 + 2 < 2**63.1, "x2 in the first block: " + bits(x2 + 2))
after, widest = mulx_r(x2 + 2, True)
check(after < 2**62.6, "x2 after mulx_r: " + bits(after))
check(widest <= WORD, "no word overflows in mulx_r, widest " + bits(widest))
folded = 5 * ((after + 2) >> 2)
check(folded <= WORD, "the addend of fold: " + bits(folded))
v = mulx_low(False)[0] + ((x2 >> 2) * S0 >> 64) + 1
h2 = 3 + (WORD + v + 1 >> 64)
check(h2 <= H2_MAX, "h2 <= %d after fold" % h2)

P = 2**130 - 5


def reduced(v, u1):
    """Whether short_end and few_end subtract the right multiple of p"""
    h = WORD + ((WORD + v) << 64) + (3 << 128) + 5 * (u1 >> 2)
    carry = 3 + ((WORD + v + 1) >> 64)
    return h < 2 * P and carry <= 4 and 5 * (u1 >> 2) + 5 <= WORD


# In the first block %rdx and x1 are words of the message and x2 is 1, so x2 r0 and
# x2 q1 are r0 and q1.
x2 = 1
widest = 0
fits = True
for _ in range(8):
    after, v, u1, x2q1, x2r0 = short(x2, 1)
    widest = max(widest, v, u1, x2q1, x2r0, 5 * (u1 >> 2))
    fits &= reduced(v, u1)
    x2 = max(x2, after)
check(x2 <= 5, "x2 <= 5 between short blocks: %d" % x2)
check(widest <= WORD and v < 2**63.1,
      "no word overflows in them, widest " + bits(widest))
check(fits, "h < 2p in short_end, and its sum has one carry out of 2^130")

# One block: h, the block, its bit 128 and a carry
most = H2_MAX + 2
_, v, u1, x2q1, x2r0 = short(most, 1)
check(max(v, u1, x2q1, x2r0) <= WORD, "no word overflows for x2 = %d" % most)
after = max(short(x2, 0)[0] for x2 in range(most + 1))
check(after <= H2_MAX, "h2 <= %d after one block" % after)
check((H2_MAX + 1) << 128 < 2 * P, "h < 2p where h2 <= %d" % H2_MAX)

# One block: %r9 = high half of x1 q1, q1 and a carry, %r11 at 2^128
r9 = (WORD * Q1 >> 64) + Q1 + 1
r11 = (WORD * R0 >> 64) + R0 + 1 + (WORD * R1 >> 64) + 1
check(r9 < 2**63 and r11 < 2**62, "one block: " + bits(r9) + ", " + bits(r11))
check(reduced(r9, r11), "h < 2p in few_end")

print("1..%d" % count)
sys.exit(1 if failed else 0)
