#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Worst cases of arch/x86/poly1305-x86_64.S: the largest value that each word can
# take. All quantities are sums and products of nonnegative numbers, so the script
# carries upper bounds through the code line by line. Where a mask or a word cuts a
# number off, the bound is the mask's.

import math
import sys

WORD = 2**64 - 1
R0 = 0x0ffffffc0fffffff
R1 = 0x0ffffffc0ffffffc
H2_MAX = 4              # where load_state has folded h: 3 and a carry

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
    # the block; the excess over 2^64 goes to x2
    word1 = WORD + t + top + 2 + (WORD + 1 if block else 0)
    x2 = 3 + (word1 >> 64) + (1 if block else 0)
    fits = max(d, fold, t, top) <= WORD
    return x2, fits, max(d, fold, t, top)


def chain(x2, block):
    """chain_mul: v takes x2 q1, which saves one addition"""
    q1 = R1 + R1 // 4
    high = (WORD * R0 >> 64) + 1
    d = (WORD * R1 >> 64) + high + R0 * x2
    fold = 5 * (d >> 2)
    v = (WORD * R0 >> 64) + (WORD * q1 >> 64) + 1 + q1 * x2
    # word 1 takes u0, v, the block and the carries of two additions to word 0
    word1 = WORD + v + 2 + (WORD if block else 0)
    x2 = 3 + (word1 >> 64) + (1 if block else 0)
    return x2, max(d, fold, v) <= WORD, max(d, fold, v)


def chain_mulx(x2, block):
    """chain_mulx, where the block is added before the multiple of 4 is taken"""
    q1 = R1 + R1 // 4
    u1 = (WORD * R1 >> 64) + (WORD * R0 >> 64) + 1
    v = (WORD * R0 >> 64) + (WORD * q1 >> 64) + 1
    u0 = R0 * x2 + u1 + (1 if block else 0)
    v += q1 * x2
    fold = 5 * (u0 >> 2)
    # bit 128 of the block, and the carry of word 1, v and a carry of word 0
    x2 = 3 + (WORD + v + 1 >> 64) + (1 if block else 0)
    return x2, max(u0, fold, v) <= WORD, max(u0, fold, v)


def mul_power(x2, p2, b2=None):
    """a2 of a P + b with words 0 and 1 full, and the intermediate values"""
    product = (WORD + (WORD << 64) + (x2 << 128)) * \
        (WORD + (WORD << 64) + (p2 << 128))
    word4 = product >> 256
    # The excess' multiple of 4 and its quarter are added, and then b
    word2 = 3 + (word4 + 1) + ((word4 >> 2) + 1)
    if b2 is not None:
        word2 += b2 + 1
    fold = 5 * (word2 >> 2)
    # If word 1 carries out, it is left with less than was added.
    return 3 + 1, product, word4, word2, fold


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

# Three chains
fits = True
chain_x2 = x2
for _ in range(8):
    after, now, widest = chain(chain_x2, True)
    fits &= now
    chain_x2 = max(chain_x2, after)
check(fits, "no word overflows in chain_mul, widest " + bits(widest))
check(chain_x2 <= 6, "x2 <= 6 in a chain: %d" % chain_x2)

# With mulx: a chain begins with x2 <= H2_MAX + 2, or after mul_r with 6
fits = True
mulx_x2 = x2
for _ in range(8):
    after, now, widest = chain_mulx(mulx_x2, True)
    fits &= now
check(fits, "no word overflows in chain_mulx, widest " + bits(widest))
check(after <= 5, "x2 <= 5 after it: %d" % after)

# The power, squared and multiplied by r any number of times
p2 = 0
for _ in range(8):
    p2 = max(p2, mul_power(p2, p2)[0], chain(p2, False)[0],
             chain_mulx(p2, False)[0])
check(p2 <= 4, "P2 <= 4: %d" % p2)

# x P + y and that times P + z, where y2 and z2 may be as large as x2
x2, product, word4, word2, fold = mul_power(chain_x2, p2, chain_x2)
check(product < 2**262 and word4 < 2**6,
      "product of two: %s, its word 4: %d" % (bits(product), word4))
check(word2 < 2**7, "its word 2 after one fold: %d" % word2)
check(fold <= WORD and x2 <= 4, "x2 <= 4 after another: %d" % x2)
x2, fits, widest = mul_r(x2, False)
check(fits, "no word overflows in the last mul_r, widest " + bits(widest))
check(x2 <= H2_MAX, "h2 <= %d at the end: %d" % (H2_MAX, x2))

# poly1305-powers.h and poly1305-quads.h, where vectors begin and end: powers of r, which
# begin with square_r, and h from five sums below 2^63
q1 = R1 + R1 // 4
check(max(R0 * R0 + R1 * q1, 2 * R0 * R1) < 2**122, "square_r: sums below 2^122")
excess = 2 * R0 * R1 + (R0 * R0 + R1 * q1 >> 64) >> 64
check(excess + excess // 4 <= WORD, "square_r: the folded excess fits a word")
x2 = 6
excess = (WORD * R1 + WORD * R0 + x2 * q1 + (WORD * R0 + WORD * q1 >> 64) >> 64) + x2 * R0
check(x2 * q1 <= WORD and 5 * (excess >> 2) <= WORD,
      "mul_by_r: no word overflows, widest " + bits(excess))
check((WORD >> 24) + (4 << 40) < 2**43, "store_power: limb 2 below 2^43")
sums = 2**63 - 1
excess = (sums >> 50) + (sums >> 24) + 2
check(5 * (excess >> 2) <= WORD, "join_h: the folded excess fits a word")

print("1..%d" % count)
sys.exit(1 if failed else 0)
