#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Worst cases of arch/x86/poly1305-mulx.S: upper bounds carried through its macros
# line by line. All quantities are sums and products of nonnegative numbers; only
# where a mask or a word cuts a number off is the bound the mask's.

import math
import os
import re
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../arch/x86/poly1305-mulx.S")
WORD = 2**64 - 1
H2_MAX = 4              # in every state

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
    """v and u1; each addition to a word below carries 1"""
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


def mulx_short(x2, block):
    v, u1 = mulx_low(block)
    v += x2 * Q1
    u1 += x2 * R0
    # word 1 overflows at most once, as word 0 does: carries into x2
    after = 3 + (WORD + v + 1 >> 64)
    return after, max(v, u1, 5 * (u1 >> 2))


# add_rest and a first block add up to a carry and the 1 bit to what x2 was.
x2 = 1
widest = 0
for _ in range(100):
    after, w = mulx_r(x2 + 2, True)
    widest = max(widest, w)
    x2 = max(x2, after, H2_MAX)
check(x2 + 2 < 2**62.5, "x2 between blocks that do not fold: " + bits(x2))
check(widest <= WORD, "no word overflows in mulx_r, widest " + bits(widest))
folded = 5 * ((x2 + 2) >> 2)
check(folded <= WORD, "what fold adds: " + bits(folded))
check(3 + 1 <= H2_MAX, "h2 <= %d after fold" % H2_MAX)

x2 = 1
widest = 0
for _ in range(8):
    after, w = mulx_short(x2 + 1, True)
    widest = max(widest, w)
    x2 = max(x2, after)
check(x2 <= H2_MAX, "x2 <= %d after mulx_short: %d" % (H2_MAX, x2))
check(widest <= WORD, "no word overflows in mulx_short, widest " + bits(widest))
check((H2_MAX + 1) << 128 < 2 * (2**130 - 5), "h < 2p where h2 <= %d" % H2_MAX)

# One block: %r9 = high half of x1 q1 and q1, %r11 at 2^128
r9 = (WORD * Q1 >> 64) + Q1
r11 = (WORD * R0 >> 64) + R0 + 1 + (WORD * R1 >> 64) + 1 + 1
check(r9 <= WORD and r11 < 2**62, "one block: " + bits(r9) + ", " + bits(r11))

print("1..%d" % count)
sys.exit(1 if failed else 0)
