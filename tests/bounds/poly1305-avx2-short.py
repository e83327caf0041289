#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx2-short.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

LANES = 4
# h of a state, or a power in radix 2^64: words, and at most 4 above them
TOP = 4
BLOCK = [r26.MASK26] * 4 + [2**25 - 1]


def split_words(top):
    """The limbs of two words and top 2^128; bit 128 is 2^24 of limb 4."""
    return [r26.MASK26] * 4 + [2**24 - 1 + (top << 24)]


def add_quad(columns):
    """A block, in pieces that need not fit a limb"""
    return r26.add(columns, [r26.MASK26, 2**38 - 1, 2**52 - 2**12, 0, 2**25 - 1])


def carry_last(c):
    """Limbs of 32 bits"""
    r26.check("carry_last: columns below 2^58", max(c), 2**58)
    r26.check("carry_last: columns 1 to 3 below 2^57.7", max(c[1:4]), 2**57.7)
    c0 = c[0] + 5 * (c[4] >> 26)
    c1 = c[1] + (c0 >> 26)
    r26.check("carry_last: sums fit 64 bits", max(c + [c0, c1]), 2**64)
    low = [min(limb, r26.MASK26) for limb in [c0, c1] + c[2:]]
    limbs = r26.add(low, [0, 0, c1 >> 26, c[2] >> 26, c[3] >> 26])
    r26.check("carry_last: limbs below 2^31.8", max(limbs), 2**31.8)
    return limbs


def square(x):
    """Like r26.mul(x, x), with the factors that are doubled"""
    r26.check("R^2: doubled factors fit 32 bits", max(2 * max(x), 10 * x[4]), 2**32)
    return r26.carry(r26.mul(x, x, "R^2"), "R^2")


def main():
    power = split_words(TOP)
    r26.check("powers: limbs below 2^26 + 2^24", max(power), 2**26 + 2**24)
    power_2 = square(power)
    power_3 = r26.carry(r26.mul(power_2, power, "R^3"), "R^3")

    # The first block takes h and a carry besides its bit 128.
    first = r26.most(BLOCK, split_words(TOP + 1 + 1))
    r26.check("first quad: limb 4 below 7 * 2^24", first[4], 7 << 24)
    r26.check("products of one limb below 2^55.6",
              5 * max(first) * max(power + power_2 + power_3), 2**55.6)
    four = r26.add(r26.mul(BLOCK, power_2, "four quads"),
                   r26.add(r26.mul(BLOCK, power, "four quads"),
                           r26.mul(first, power_3, "four quads")))
    r26.check("first four quads: columns below 2^58", max(add_quad(four)), 2**58)
    sums = r26.most(first, r26.carry(add_quad(four), "four quads"))
    last = carry_last(add_quad(four))
    for _ in range(8):
        one = r26.mul(sums, power, "one quad")
        two = r26.add(r26.mul(BLOCK, power, "two quads"),
                      r26.mul(sums, power_2, "two quads"))
        r26.check("products in a column below 2^58", max(two), 2**58)
        last = r26.most(last, carry_last(add_quad(one)), carry_last(add_quad(two)))
        sums = r26.most(sums, r26.carry(add_quad(one), "one quad"),
                        r26.carry(add_quad(two), "two quads"))
    r26.check("S: limbs below 2^27", max(sums), 2**27)

    r26.reduce([LANES * c for c in r26.mul(last, power, "last")], "last", 64)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
