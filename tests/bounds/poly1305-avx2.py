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


def main():
    r_1 = r26.split_power(*r26.POWER44)
    r_2 = r26.split_power(*r26.squares())
    r26.check("powers: limbs below 2^26 + 2^19", max(r_1 + r_2),
              2**26 + 2**19)
    r26.groups(r_1, r_2, GROUP, GROUP, STREAMS * LANES, "groups", times_2_32)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
