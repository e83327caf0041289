#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

GROUP = r26.constant("arch/x86/poly1305-avx2.h", "GROUP")
LANES = 4
STREAMS = 2


def near(r4, r8):
    """Two quads at a time, blocks split into limbs."""
    block = [r26.MASK26] * 4 + [2**25 - 1]
    h = [r26.MASK26] * 4 + [5 * 2**24 - 1]
    for _ in range(4):
        c = r26.add(r26.mul(r26.add(block, h), r8, "near"),
                    r26.mul(block, r4, "near"))
        h = r26.most(h, r26.carry(c, "near"))
    r26.reduce([LANES * limb for limb in c], "near")


def main():
    r4 = r26.split_power(*r26.POWER44)
    r8 = r26.carry(r26.mul(r4, r4, "powers"), "powers")
    near(r4, r8)
    r26.far(r4, r8, GROUP, GROUP, STREAMS * LANES, "far")
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
