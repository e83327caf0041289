#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1271-avx2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

GROUP = r26.constant("arch/x86/poly1271-avx2.S", "GROUP")
LANES = 4
STREAMS = 2
P = 2**127 - 1
LIMB = r26.MASK26
LAST_DWORD = 2**25 - 1      # of a block: three bytes and the 1 bit


def carry(c):
    """The macro carry: its steps in their order"""
    r26.check("carry: sums below 2^64 - 2^41", max(c), 2**64 - 2**41)
    c = list(c)
    for src, dst in (0, 1), (3, 4), (1, 2), (4, 0), (2, 3), (0, 1), (3, 4):
        c[dst] += (c[src] >> 26) * (8 if (src, dst) == (4, 0) else 1)
        c[src] = min(c[src], LIMB)
        r26.check("carry: sums and carries fit 64 bits", c[dst], 2**64)
    r26.check("carry: limb 1 below 2^26 + 2^15", c[1], 2**26 + 2**15)
    r26.check("carry: limb 4 below 2^26 + 2^12", c[4], 2**26 + 2**12)
    r26.check("carry: the other limbs below 2^26", max(c[0], c[2], c[3]), 2**26)
    return c


def multiply(x, y):
    """The columns of x y, with 8 x or 8 y where the index wraps around"""
    c = [0] * 5
    r26.check("factors times 8 fit 32 bits", 8 * max(x + y), 2**32)
    for i in range(5):
        for j in range(5):
            c[(i + j) % 5] += x[i] * y[j] * (1 if i + j < 5 else 8)
    r26.check("columns below 2^57.4", max(c), int(2**57.4))
    return c


def split(x):
    """split_vector, of one number"""
    return [x & LIMB, x >> 26 & LIMB, x >> 52 & LIMB, x >> 78 & LIMB, x >> 104]


def rotated(x):
    """add_rotated, of one number: the limbs as the shifts and masks make them"""
    low, high = x & 2**64 - 1, x >> 64
    upper = LIMB << 32
    z = [high << 1 & upper, (low << 38 & upper) + (high >> 57 << 32), low << 12 & upper,
         ((low >> 14) + (high << 50 & 2**64 - 1)) & upper, high << 24 & 2**23 - 1 << 32]
    return [limb >> 32 for limb in z]


def value(limbs):
    return sum(limb << 26 * i for i, limb in enumerate(limbs))


def shifts():
    """Every bit goes where it should, so all numbers do: shifts and masks are linear."""
    good = all(value(split(2**i)) == 2**i for i in range(128))
    good &= all((value(rotated(2**i)) - 2**(i + 32)) % P == 0 for i in range(128))
    good &= value(rotated(P)) == P
    r26.check("shifts: each bit of a number goes where it should", not good, True)
    most = [max(split(2**128 - 1)[i], rotated(2**127 - 1)[i], rotated(2**127)[i])
            for i in range(5)]
    r26.check("shifts: limbs below 2^26", max(most), 2**26)


def general():
    """gpr_mul: results at most 2^127, from factors at most 2^127"""
    words = 2**128 - 1
    high = 2**127 * 2**127 >> 128
    r26.check("gpr_mul: the middle column, where no word is above 2^63",
              2 * (2**64 - 1) * (2**63 - 1), 2**128)
    r26.check("gpr_mul: what stands at 2^128, doubled", 2 * high, 2**127 + 1)
    # fold_top adds 1 to 127 bits, or 2 where the sum carried and is below 2^127.
    r26.check("gpr_mul: below 2^128 + 2^127", words + 2 * high, 2**128 + 2**127)
    r26.check("gpr_mul: where it carried", 2 * high - 1 + 2, 2**127 + 2)
    # Only 1 comes out as 2^127; of r^2, r^3 and r^4 that is for r = 1 alone, where the
    # words never get so far. r^2 = 1 for 1 and -1, and -1 is no square, so r^4 = 1 too.
    cube = next(x for x in (pow(g, (P - 1) // 3, P) for g in range(2, 99)) if x != 1)
    clamp = 0x07FFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    good = P % 4 == 3 and all(root & ~clamp for root in (P - 1, cube, cube * cube % P))
    r26.check("store_last: no clamped r but 1 has r^2, r^3 or r^4 = 1", not good, True)


def main():
    shifts()
    general()
    limbs = [LIMB] * 5
    dword = 2**32 - 1

    # The sum before, times a power, the products of a group, and the last quad
    sums = split(2**128 - 1)
    for _ in range(4):
        c = multiply(sums, limbs)
        c = [limb + 2 * (GROUP - 1) * dword * LIMB for limb in c]
        c[0] += dword
        c[1] += dword << 6
        r26.check("a group: sums below 2^64 - 2^58", max(c), 2**64 - 2**58)
        sums = r26.most(sums, carry(c))
    r26.check("the last dword of a block, times 2^6", LAST_DWORD << 6, 2**32)

    last = [STREAMS * LANES * c for c in multiply(sums, limbs)]
    r26.check("the end: limbs below 2^61", max(last), 2**61)
    h2 = (last[3] >> 50) + (last[4] >> 24) + 2
    r26.check("the end: what stands at 2^128, below 2^38", h2, 2**38)
    r26.check("the end: below 2^128 + 2^127", 2**128 + 2 * h2, 2**128 + 2**127)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
