#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

GROUP = r26.constant("arch/x86/poly1305-avx2.h", "GROUP")
LANES = 4
STREAMS = 2


def times_2_32(x):
    """store_table: the limbs of 2^32 x."""
    z = [5 * (x[3] >> 20), 5 * x[4] >> 20]
    z += [limb >> 20 for limb in x[:3]]
    r26.check("table: shifted limbs fit 64 bits", 5 * x[4] << 12, 2**64)
    z = [r26.MASK26 + limb for limb in z]
    r26.check("table: limbs of 2^32 x below 2^26 + 2^9", max(z), 2**26 + 2**9)
    return z


def largest_group():
    """What one sum of a group collects, for limbs and sums of any size stated"""
    limbs = [r26.LIMB] * 5
    parts = (2 * (GROUP - 1) * r26.DWORD * r26.LIMB, r26.DWORD << 6,
             max(r26.mul_power(limbs, limbs, "limbs of any size stated")),
             5 * 2**24 * GROUP * r26.LIMB)
    for part, bits in zip(parts, (63.97, 38, 56.5, 57.4)):
        r26.check(f"a group: a part below 2^{bits}", part, 2**bits)
    r26.check("a group: all parts below 2^64 - 2^41", sum(parts), 2**64 - 2**41)
    r26.carry([2**64 - 2**41 - 1] * 5, "sums of any size stated")
    r26.split_power(*[2**45 - 1] * 3)


def main():
    largest_group()
    r_1 = r26.split_power(*r26.POWER44)
    r_2 = r26.split_power(*r26.squares())
    r26.check("powers: limbs below 2^26 + 2^19", max(r_1 + r_2), r26.LIMB)
    r26.groups(r_1, r_2, GROUP, GROUP, STREAMS * LANES, "groups", times_2_32)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
