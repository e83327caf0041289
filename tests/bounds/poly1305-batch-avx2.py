#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-batch-avx2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

P = 2**130 - 5
BLOCK = [r26.MASK26] * 4 + [2**25 - 1]
CLAMPED = [r26.MASK26] * 4 + [2**20 - 1]


def reduce(h):
    """The macro reduce: A mod p, limb by limb."""
    value = sum(limb << (26 * i) for i, limb in enumerate(h))
    r26.check("reduce: h is below 2p", value, 2 * P)
    q = (value + 5) >> 130
    r26.check("reduce: p is subtracted at most once", q, 2)
    top = h[4]
    carry = h[0] + 5 * q >> 26
    for limb in h[1:4]:
        carry = limb + carry >> 26
    r26.check("reduce: one bit is above 130 at most", top + carry, 2**27)


def main():
    r_2 = r26.carry(r26.mul(CLAMPED, CLAMPED, "r^2"), "r^2")
    h = [0] * 5
    for _ in range(6):
        one = r26.mul(r26.add(BLOCK, h), CLAMPED, "one block")
        two = r26.add(r26.mul(r26.add(BLOCK, h), r_2, "two blocks"),
                      r26.mul(BLOCK, CLAMPED, "two blocks"))
        for c in (one, two):
            r26.check("sums stay below 2^59", max(c), 2**59)
        h = r26.most(h, r26.carry(one, "one block"),
                     r26.carry(two, "two blocks"))
    r26.check("limb 1 of h is below 2^26 + 2^10", h[1], 2**26 + 2**10)
    r26.check("limb 4 of h is below 2^26 + 2^10", h[4], 2**26 + 2**10)
    r26.check("the other limbs of h are below 2^26", max(h[0], h[2], h[3]),
              2**26)
    reduce(h)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
