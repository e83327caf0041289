#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-batch-avx2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

DIGIT = r26.DWORD
R = [0x0fffffff] + [0x0ffffffc] * 3
Q = [5 * r // 4 for r in R]     # of r_1 to r_3
P = 2**130 - 5


def store_r():
    """The multipliers are computed in 32 bits each."""
    r26.check("store_r: 5 r_0 fits 32 bits", 5 * R[0], 2**32)
    r26.check("store_r: q_i are below 1.25 2^28", max(Q[1:]), 1.25 * 2**28)
    for digit in R[1:]:
        r26.check("store_r: 5 r_i / 4 is an integer", digit % 4, 1)


def mul_add(x_4):
    """The greatest x_4 that x r + m has, given that of x"""
    r26.check("mul_add: x_4 is below 2^31", x_4, 2**31)
    columns = []
    for j in range(4):
        sums = DIGIT            # of the message
        for i in range(4):
            sums += DIGIT * (R[j - i] if i <= j else Q[4 + j - i])
        sums += (x_4 // 4) * 5 * R[0] if j == 0 else x_4 * Q[j]
        columns.append(sums)
    carry = 0
    for column in columns:
        # 2^62.5 < 6.52e18
        r26.check("mul_add: columns are below 2^62.5",
                  (column + carry)**2, 2**125)
        carry = column + carry >> 32
    r26.check("mul_add: the carry into y_4 is below 1.2 2^30", carry,
              1.2 * 2**30)
    r26.check("mul_add: y_4 is below 3 2^28", 3 * R[0], 3 * 2**28)
    return 3 * R[0] + 1 + carry


def tags(x_4):
    """The last reduction"""
    excess = 5 * (x_4 // 4)
    r26.check("tags: 5 a + x_0 is below 2^32 + 5 2^29", DIGIT + excess,
              2**32 + 5 * 2**29)
    v = 2**130 - 1 + excess
    r26.check("tags: v + 5 is below 2^131", v + 5, 2**131)
    r26.check("tags: p is subtracted at most once more", v, 2 * P)


def main():
    store_r()
    x_4 = 1
    for _ in range(9):
        x_4 = max(x_4, mul_add(x_4))
    r26.check("x_4 grows no more", mul_add(x_4), x_4 + 1)
    tags(x_4)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
