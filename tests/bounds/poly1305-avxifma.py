#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avxifma.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

LANES = 4
MASK42, MASK44, MASK52 = 2**42 - 1, 2**44 - 1, 2**52 - 1
# h of a state, or a power in radix 2^64: words, and at most 4 above them
TOP = 4


def split_words(top):
    """The limbs of two words and top 2^128; bit 128 is 2^40 of limb 2."""
    return [MASK44, MASK44, 2**40 - 1 + (top << 40)]


def mul44(x, y, low, high, what):
    """Add the low and high halves of x y to the sums low and high."""
    scaled = [20 * limb for limb in y]
    before = list(high)
    r26.check("20 y1 and 20 y2 below 2^49.4", max(scaled[1:]), 2**49.4)
    for i in range(3):
        for j in range(3):
            factor = y[i - j] if j <= i else scaled[i - j]
            r26.check(what + ": factors fit 52 bits", max(x[j], factor), 2**52)
            low[i] += min(x[j] * factor, MASK52)
            high[i] += x[j] * factor >> 52
    r26.check("one product adds less than 2^42 to U",
              max(h - b for h, b in zip(high, before)), 2**42)


def join44(low, high):
    r26.check("join44: the low half of 20 * 2^8 U2 is the whole", 5120 * high[2],
              2**52)
    r26.check("join44: U2 below 2^39.2", high[2], 2**39.2)
    low = [low[0] + 5120 * high[2], low[1] + (high[0] << 8), low[2] + (high[1] << 8)]
    r26.check("join44: L below 2^55.7", max(low), 2**55.7)
    return low


def carry44(low, high):
    low = join44(low, high)
    carries = [low[0] >> 44, low[1] >> 44, low[2] >> 42]
    s = [MASK44 + 5 * carries[2], MASK44 + carries[0], MASK42 + carries[1]]
    r26.check("carry44: s0 below 2^44 + 2^16", s[0], 2**44 + 2**16)
    r26.check("carry44: s1 below 2^44 + 2^12", s[1], 2**44 + 2**12)
    r26.check("carry44: s2 below 2^42 + 2^12", s[2], 2**42 + 2**12)
    return s


def products(begin, *pairs):
    """The sums of products that begin with a block or with 0"""
    low, high = list(begin), [0] * 3
    for x, y in pairs:
        mul44(x, y, low, high, "mul44")
    return low, high


def main():
    zero = [0] * 3
    power = split_words(TOP)
    power = r26.most(power, carry44(*products(zero, (power, power))))
    # r^12 and r^16, as they leave the carry
    long_power = carry44(*products(zero, (r26.most(power, r26.POWER44),
                                          r26.most(power, r26.POWER44))))
    for limb, bits in zip(power, (45, 45, 43)):
        r26.check("powers for the state below 2^45, 2^45, 2^43", limb, 2**bits)
    power = r26.most(power, r26.POWER44)

    block = split_words(1)
    # The first block takes h and a carry besides its bit 128.
    s = r26.most(block, split_words(TOP + 1 + 1))
    r26.check("first quad: limb 2 below 7 * 2^40", s[2], 7 << 40)
    for _ in range(8):
        s = r26.most(s, carry44(*products(block, (s, power))),
                     carry44(*products(block, (block, power), (s, power))),
                     carry44(*products(block, (block, power), (block, power),
                                       (block, long_power), (s, long_power))))
    for limb, bits in zip(s, (45, 45, 44)):
        r26.check("S below 2^45, 2^45, 2^44", limb, 2**bits)

    total = [LANES * limb for limb in join44(*products(zero, (s, power)))]
    r26.check("sums of the lanes below 2^57.2", max(total), 2**57.2)
    r26.check("h2 below 2^18", (total[2] >> 40) + 2, 2**18)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
