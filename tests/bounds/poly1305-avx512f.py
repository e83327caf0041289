#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx512f.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

GROUP = r26.constant("arch/x86/poly1305-avx512f.h", "GROUP")
LANES = 8
# The limit stated at the top of the file, with room to join and carry
FULL = 2**64 - 2**59


def join(even, odd):
    """The macro join: even + 2^32 odd"""
    r26.check("sums below 2^64 - 2^59", max(even + odd), FULL)
    times_2_32 = [5 * (r26.MASK26 + (odd[3] >> 20)),
                  r26.MASK26 + 5 * (odd[4] >> 20)]
    times_2_32 += [r26.MASK26 + (odd[i] >> 20) for i in range(3)]
    r26.check("join adds less than 2^46.4", max(times_2_32), 2**46.4)
    return r26.carry(r26.add(even, times_2_32), "groups")


def group(powers, more):
    """A group of GROUP vectors; more is added to the sums of even dwords."""
    bits = [limb * (GROUP - 1) for limb in powers]
    bits[0] += 1
    r26.check("sum of the powers fits 32 bits", max(bits), 2**32)
    r26.check("factors of 2^128 fit 32 bits", 5 * 2**24, 2**32)
    bits = [(5 << 24) * limb for limb in bits[1:]] + [bits[0] << 24]
    r26.check("bits 128 below 2^58.2", max(bits), 2**58.2)
    sums = [(GROUP - 1) * r26.DWORD * limb for limb in powers]
    sums[0] += r26.DWORD
    return join(r26.add(sums, bits, more), sums)


def groups(r4, squares):
    """All groups, with separate sums for even and odd dwords"""
    r26.check("limbs of powers below 2^26 + 2^19", max(r4 + squares),
              2**26 + 2**19)
    power = r26.most(r4, squares)
    for _ in range(4):
        c = r26.mul_power(power, power, "powers")
        power = r26.most(power, r26.carry(c, "powers"))

    # The first block exceeds 128 bits by at most h2 and a carry: 5.
    excess = 5 << 24
    r26.check("excess times 5 fits 32 bits", 5 * excess, 2**32)
    sums = group(power, [5 * excess * limb for limb in power[1:]] +
                 [excess * power[0]])
    for _ in range(4):
        sums = r26.most(sums, group(power, r26.mul_power(power, sums, "groups")))

    last = r26.most(r4, r26.times_2_64(r4))
    r26.reduce([LANES * c for c in r26.mul(last, sums, "last")], "groups")


def words(top):
    """split_words: the limbs of two words and top 2^128"""
    return [r26.MASK26] * 4 + [2**24 - 1 + (top << 24)]


def product(x, power):
    """The macro multiply: limbs of x are multiplied by 5."""
    c = r26.mul(power, x, "eights")
    r26.check("multiply: eights add less than 2^56.7", max(c), 2**56.7)
    return c


def eights():
    """Packets, in vectors of eight blocks"""
    # Powers in radix 2^64 have at most 4 above their words.
    power = words(4)
    r26.check("eights: powers below 2^26 + 2^24", max(power), 2**26 + 2**24)
    power_2 = r26.carry(product(power, power), "R^2")
    power_3 = r26.carry(product(power_2, power), "R^3")
    power_4 = r26.carry(product(power_2, power_2), "R^4")

    # The first block takes h and a carry besides its bit 128.
    block = words(1)
    sums = words(4 + 1 + 1)
    r26.check("first_eight: limb 4 below 7 * 2^24", sums[4], 7 << 24)
    for _ in range(8):
        one = r26.add(product(sums, power_2), block)
        two = r26.add(product(sums, power_4), product(block, power_2))
        r26.check("eights: products in a column below 2^57.5", max(two), 2**57.5)
        sums = r26.most(sums, r26.carry(one, "one eight"),
                        r26.carry(r26.add(two, block), "two eights"))

    last = r26.add(product(block, power), product(sums, r26.most(power_2, power_3)))
    last = [2 * c for c in last]
    r26.check("last_eight: columns below 2^58.5", max(last), 2**58.5)
    sums = r26.carry(last, "last eight")
    r26.reduce([LANES // 2 * c for c in product(sums, power)], "eights")


def main():
    r4 = r26.split_power(*r26.POWER44)
    eights()
    groups(r4, r26.split_power(*r26.squares()))
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
