#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Worst cases of arch/x86/poly1305-x86_64.S: the largest value that each word,
# limb and column can take, with the constants read from it. All
# quantities are sums and products of nonnegative numbers, so upper bounds are
# carried through the code line by line; only where a mask or a word cuts a
# number off is the bound the mask's.

import math
import os
import re
import sys

ARCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../arch/x86")
SOURCES = ("poly1305-x86_64.S", "poly1305-x86_64-groups.h")
WORD = 2**64 - 1
R0 = 0x0ffffffc0fffffff
R1 = 0x0ffffffc0ffffffc
H2_MAX = 4              # in every state
LIMBS_IN = (2**45 - 1, 2**45 - 1, 2**43 - 1)    # of powers in the state

count = 0
failed = 0


def check(holds, what):
    global count, failed
    count += 1
    failed += not holds
    print(("ok" if holds else "not ok"), count, "-", what)


def bits(value):
    return "2^%.2f" % math.log2(value)


def mul_r(x2, block):
    """x2 after x = x r + block, for x0 and x1 of full words"""
    q1 = R1 + R1 // 4
    d = ((WORD * R1 + WORD * R0) >> 64) + R0 * x2
    fold = 5 * (d >> 2)
    t = ((WORD * R0) >> 64) + ((WORD * q1) >> 64) + 1
    top = q1 * x2
    # word 1 takes u0, t, top, the carries of three additions to word 0 and
    # the block; what exceeds 2^64 goes to x2
    word1 = WORD + t + top + 2 + (WORD + 1 if block else 0)
    x2 = 3 + (word1 >> 64) + (1 if block else 0)
    fits = max(d, fold, t, top) <= WORD
    return x2, fits, max(d, fold, t, top)


def words_to_limbs(y2):
    """limbs of y and of 2^64 y, for y0, y1 of full words"""
    mask = 2**44 - 1
    lo = (mask, mask, (WORD >> 24) + (y2 << 40))
    z = (WORD >> 46) + (y2 << 18)
    hi = (20 * (2**42 - 1), mask + 5 * z, mask)
    return lo, hi


def times_2_128(a):
    b = [(a[0] >> 2) + (3 << 42), (a[1] >> 2) + (3 << 42), a[2] >> 2]
    return (5 * b[0], 5 * b[1], 5 * b[2] + (3 << 40))


source = ""
for name in SOURCES:
    with open(os.path.join(ARCH, name), encoding="ascii") as f:
        source += f.read()
group = max(int(k) for k in re.findall(r"\$(\d+), BLOCKS\(", source))
mask = int(re.search(r"MASK44\s+(0x[0-9a-f]+)", source).group(1), 16)
check(mask == 2**44 - 1, "MASK44 has 44 bits")

# One block after the other
x2 = H2_MAX + 2         # hibit, and a carry out of word 1
fits = True
for _ in range(8):
    after, now, widest = mul_r(x2, True)
    fits &= now
    x2 = max(x2, after)
check(fits, "no word overflows in mul_r, widest " + bits(widest))
check(x2 <= 6, "x2 <= 6 between blocks: %d" % x2)
after, _, _ = mul_r(x2, False)
check(after <= H2_MAX, "h2 <= %d at the end: %d" % (H2_MAX, after))

# Powers, from words and from what another implementation left in the state
cached = sum(limb << (44 * i) for i, limb in enumerate(LIMBS_IN)) >> 128
check(cached < 2**20, "y2 of a power in the state: %d" % cached)
lo, hi = words_to_limbs(after)
check(lo[0] < 2**45 and lo[1] < 2**45 and lo[2] < 2**43,
      "limbs that go into the state: " + ", ".join(map(bits, lo)))
lo, hi = words_to_limbs(max(after, cached))
check(lo[0] < 2**45 and lo[1] < 2**45 and lo[2] < 2**44,
      "limbs of a power: " + ", ".join(map(bits, lo)))
check(hi[0] < 2**47 and hi[1] < 2**45 and hi[2] < 2**45,
      "limbs of 2^64 times it: " + ", ".join(map(bits, hi)))
# Groups
ones = tuple((group - 1) * limb for limb in lo)
check(max(ones) < 2**49, "sums of powers: " + ", ".join(map(bits, ones)))
ones = times_2_128(ones)
top = times_2_128(lo)
check(max(top) * x2 < 2**53 and max(ones) < 2**53,
      "ONES and x2 TOP: " + bits(max(ones)) + ", " + bits(max(top) * x2))

d = [group * WORD * (lo[i] + hi[i]) + ones[i] + x2 * top[i] for i in range(3)]
check(max(d) < 2**116, "%d blocks in a column: " % group +
      ", ".join(map(bits, d)))
check(max(d) < 2**128, "no carry out of a column")

total = d[0] + (d[1] << 44) + (d[2] << 88)
check(total < 2**205, "what is reduced: " + bits(total))
word3 = total >> 192
check(word3 < 2**13, "its word 3: " + bits(word3))
# The first addition of the fold carries into h2 only if it leaves less than
# word 3 in h1, to which the second adds less than word 3 / 4 and a carry.
check(word3 + (word3 >> 2) + 1 <= WORD, "h2 takes one carry: h2 <= 4")

print("1..%d" % count)
sys.exit(1 if failed else 0)
