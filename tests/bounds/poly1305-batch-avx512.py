#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-batch-avx512.S, as TAP.

All operations are monotonic, so the greatest inputs give the greatest outputs.
"""

import sys

M42, M44, M52 = 2**42 - 1, 2**44 - 1, 2**52 - 1
ROW = [M44, M44, 2**41 - 1]
CLAMPED = [M44, M44, 2**36 - 1]
results = {}


def check(what, value, limit):
    """Remember whether value was below limit in every computation."""
    results[what] = results.get(what, True) and value < limit


def most(*vectors):
    return [max(limbs) for limbs in zip(*vectors)]


def mul_row(low, high, a, y, what):
    """The macros mul44 and mul44_stored: low + 2^52 high += a y"""
    y = y + [20 * y[1], 20 * y[2]]
    check(what + ": factors fit 52 bits", max(a + y), 2**52)
    for i in range(3):
        for j in range(3):
            factor = y[j] if i + j < 3 else y[j + 2]
            low[(i + j) % 3] += M52
            high[(i + j) % 3] += a[i] * factor >> 52


def join44(low, high, what):
    """The macro join44"""
    check(what + ": 5120 U2 fits 52 bits", 5120 * high[2], 2**52)
    low = [low[0] + 5120 * high[2], low[1] + (high[0] << 8),
           low[2] + (high[1] << 8)]
    check(what + ": sums fit 64 bits", max(low), 2**64)
    return low


def carry44(low, high, what):
    """The macros join44 and carry44"""
    low = join44(low, high, what)
    return [M44 + 5 * (low[2] >> 42), M44 + (low[0] >> 44),
            M42 + (low[1] >> 44)]


def reduce(low, high):
    """The macros join44 and reduce: the estimate of the quotient, and all sums"""
    low = join44(low, high, "reduce")
    q = low[2] >> 42
    check("reduce: q fits 52 bits", q + 1, 2**52)
    check("reduce: q is Q or Q - 1",
          low[0] + (low[1] << 44) + 5 * q + 10, 2**130)
    for start in (5 * q + 5, 5 * (q + 1)):
        carry = 0
        for limb in (low[0] + start, low[1], low[2]):
            check("reduce: sums fit 64 bits", limb + carry, 2**64)
            carry = limb + carry >> 44


def product(a, y, what):
    low, high = [0] * 3, [0] * 3
    mul_row(low, high, a, y, what)
    return carry44(low, high, what)


def main():
    square = product(CLAMPED, CLAMPED, "r^2")
    powers = [CLAMPED, square, product(square, CLAMPED, "r^3"),
              product(square, square, "r^4")]
    check("20 y1 and 20 y2 fit 52 bits", 20 * max(y for power in powers
                                                 for y in power[1:]), 2**52)

    h = [0] * 3
    for _ in range(6):
        first = [m + limb for m, limb in zip(ROW, h)]
        low, high = [0] * 3, [0] * 3
        for a, y in zip([first] + [ROW] * 3, reversed(powers)):
            mul_row(low, high, a, y, "four rows")
        reduce(low, high)
        h = most(h, carry44(low, high, "four rows"),
                 product(first, CLAMPED, "one row"))
    check("limb 0 of h is below 2^44 + 2^17", h[0], 2**44 + 2**17)
    check("limb 1 of h is below 2^44 + 2^12", h[1], 2**44 + 2**12)
    check("limb 2 of h is below 2^42 + 2^12", h[2], 2**42 + 2**12)

    for n, (what, ok) in enumerate(results.items(), 1):
        print(f"{'ok' if ok else 'not ok'} {n} - {what}")
    print(f"1..{len(results)}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
