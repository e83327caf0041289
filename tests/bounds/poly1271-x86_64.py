#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst cases of arch/x86/poly1271-x86_64.S and poly1271_generic.c, as TAP.

All quantities are sums and products of nonnegative numbers, so upper bounds are carried
through the code line by line. Where a mask or a word cuts a number off, the bound is the
mask's.
"""

import math
import os
import re
import sys

WORD = 2**64 - 1
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
with open(os.path.join(TOP, "poly1271_core.h"), encoding="ascii") as f:
    FIELD = {name: int(value, 16) for name, value in
             re.findall(r"^#define POLY1305_(\w+)\s+(0x\w+)ULL$", f.read(), re.M)}
R0, R1 = FIELD["CLAMP_LO"], FIELD["CLAMP_HI"]
H_MAX = (FIELD["H1_MAX"] << 64) + WORD      # the greatest h of a state
BLOCK = 2**121 - 1

results = []


def check(what, value, limit):
    """value < limit"""
    results.append(value < limit)
    print(f"{'ok' if value < limit else 'not ok'} {len(results)} - "
          f"{what}: 2^{math.log2(value):.4f}")


def multiply_r(block):
    """The result for any two words, plus a block, and the high word of column 2"""
    first = WORD * R0 + WORD * 2 * R1
    second = WORD * 2 * R1 + WORD * 2 * R0
    check("multiply_r: first column with a block", first + block, 2**128)
    check("multiply_r: doubled second column", second, 2**128)
    return first + block + (second >> 64) + (2**63 - 1 << 64)


def fold(x):
    """Two words, with what is above 127 bits folded"""
    return min(x, 2**127 - 1) + (x >> 127)


def product(a, b):
    """fold_product: a b modulo p, with the carry counted twice"""
    high = a * b >> 128
    check("product: what stands at 2^128, doubled", 2 * high, 2**128)
    # Where low + 2 high carries, less than 2 high is left.
    check("product: the sum where it carries", 2 * high + 2, 2**128)
    return WORD << 64 | WORD, 2 * high + 2


def words32():
    """The code for 32-bit words: its columns, and h"""
    word = 2**32 - 1
    r = [R0 & word, R0 >> 32, R1 & word, R1 >> 32]
    carry = 0
    for i in range(4):
        column = carry + sum(word * r[i - j] if j <= i else word * 2 * r[4 + i - j]
                             for j in range(4))
        check(f"32 bits: column {i}", column, 2**64)
        carry = column >> 32
    check("32 bits: twice a word of r", 2 * max(r), 2**32)
    check("32 bits: what is folded", column >> 31, 2**64)
    return 2**127 - 1 + (column >> 31)


def main():
    check("the greatest h + block", H_MAX + BLOCK, 2**128)
    check("the greatest h", H_MAX, 2 * (2**127 - 1))
    h = multiply_r(0)
    check("h after multiply_r, in a state", h, H_MAX + 1)
    chain = multiply_r(BLOCK)
    check("a chain with its next block", chain, 2**128)

    # Powers: r, squared or multiplied by r
    power = max(R1 << 64 | R0, h)
    any_words, carried = product(power, power)
    square = max(fold(any_words), fold(carried))
    check("a square", square, 2**127 + 1)
    power = max(power, square)

    # x P + y: the second carry is where the sum exceeds 2^128 again.
    any_words, carried = product(chain, power)
    check("x P + y where it carries", any_words + chain - 2**128 + 2, 2**128)
    check("x P + y where the product carried", carried + chain, 2**129)
    # multiply_r, which comes last, takes any two words.
    check("32 bits: h", words32(), H_MAX + 1)
    print(f"1..{len(results)}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
