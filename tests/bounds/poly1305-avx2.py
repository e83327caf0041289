#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx2.S, as TAP.

Each number below is the greatest value its lane can take; all operations in
the code are monotonic, so the greatest inputs give the greatest outputs.
"""

import os
import re
import sys

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../arch/x86/poly1305-avx2.h")
with open(HEADER, encoding="ascii") as f:
    GROUP = int(re.search(r"^\.set\tGROUP, (\d+)$", f.read(), re.M).group(1))

MASK26 = 2**26 - 1
DWORD = 2**32 - 1
LANES = 4
STREAMS = 2
results = {}


def check(what, value, limit):
    """Remember whether value stayed below limit, wherever it was computed."""
    results[what] = results.get(what, True) and value < limit


def carry(c, what):
    """The macro carry: its steps in their order."""
    c = list(c)
    for src, dst in (0, 1), (3, 4), (1, 2), (4, 0), (2, 3), (0, 1), (3, 4):
        c[dst] += (c[src] >> 26) * (5 if (src, dst) == (4, 0) else 1)
        c[src] = min(c[src], MASK26)
        check(what + ": sums and carries fit 64 bits", c[dst], 2**64)
    return c


def mul(x, y, what):
    """Columns of x y, 5 y_j or 5 x_i where the index comes round."""
    c = [0] * 5
    check(what + ": factors fit 32 bits", max(x), 2**32)
    check(what + ": factors times 5 fit 32 bits", 5 * max(y), 2**32)
    for i in range(5):
        for j in range(5):
            c[(i + j) % 5] += x[i] * y[j] * (1 if i + j < 5 else 5)
    return c


def split_power(p0, p1, p2):
    """From the limbs that poly1305_core.h allows to radix 2^26."""
    top = p2 >> 16
    return [MASK26 + 5 * (top >> 26), (p0 >> 26) + MASK26, MASK26,
            (p1 >> 34) + MASK26, min(top, MASK26)]


def times_2_32(x):
    """store_table: the limbs of 2^32 x."""
    z = [5 * (MASK26 + (x[3] >> 20)), MASK26 + 5 * (x[4] >> 20)]
    z += [MASK26 + (x[i] >> 20) for i in range(3)]
    z[1] += z[0] >> 26
    z[0] = min(z[0], MASK26)
    return z


def times_2_64(x):
    """store_last: the limbs of 2^64 x."""
    return [5 * (MASK26 + (x[2] >> 14)), 5 * (MASK26 + (x[3] >> 14)),
            MASK26 + 5 * (x[4] >> 14), MASK26 + (x[0] >> 14),
            MASK26 + (x[1] >> 14)]


def add(*vectors):
    return [sum(limbs) for limbs in zip(*vectors)]


def most(*vectors):
    return [max(limbs) for limbs in zip(*vectors)]


def reduce(c, what):
    """The end: lanes summed up, then h2 of what the state allows."""
    check(what + ": sum of all lanes below 2^63", LANES * max(c), 2**63)
    h2 = (LANES * c[3] >> 50) + (LANES * c[4] >> 24) + 2
    check(what + ": what is folded fits 64 bits", 5 * (h2 >> 2), 2**64)


def near(r4, r8):
    block = [MASK26] * 4 + [2**25 - 1]
    h = [MASK26] * 4 + [5 * 2**24 - 1]
    for _ in range(4):
        c = add(mul(add(block, h), r8, "near"), mul(block, r4, "near"))
        h = most(h, carry(c, "near"))
    reduce(c, "near")


def far(r4, r8):
    # R^1 is r^4 itself, R^2 is r^8; the others come out of carry.
    power = carry(mul(most(r4, r8), r8, "far, powers"), "far, powers")
    for _ in range(4):
        power = most(power, carry(mul(most(power, r4), most(power, r4),
                                      "far, powers"), "far, powers"))
    power = most(power, r8)

    products = [0] * 5
    hibits = [1, 0, 0, 0, 0]
    for k in range(1, GROUP):
        x = r4 if k == 1 else power
        products = add(products, [DWORD * limb for limb in x],
                       [DWORD * limb for limb in times_2_32(x)])
        hibits = add(hibits, x)
    products = add(products, [DWORD, DWORD << 6, 0, 0, 0])
    check("far: sum of the powers fits 32 bits", max(hibits), 2**32)

    def at_2_128(times, x):
        check("far: factors of 2^128 fit 32 bits", 5 * times << 24, 2**32)
        return [5 * (times << 24) * limb for limb in x[1:]] + \
               [(times << 24) * x[0]]

    constant = at_2_128(1, hibits)
    first = add(products, constant, at_2_128(5, power))
    sums = carry(first, "far, first group")
    for _ in range(4):
        group = add(products, constant, mul(sums, power, "far, full group"))
        sums = most(sums, carry(group, "far, full group"))

    # Here the sums are what is multiplied by 5.
    last = most(r4, times_2_64(r4))
    reduce([STREAMS * c for c in mul(last, sums, "far, last")], "far")


def main():
    r4 = split_power(2**45 - 1, 2**45 - 1, 2**43 - 1)
    r8 = carry(mul(r4, r4, "powers"), "powers")
    near(r4, r8)
    far(r4, r8)
    for n, (what, ok) in enumerate(results.items(), 1):
        print(f"{'ok' if ok else 'not ok'} {n} - avx2 {what}")
    print(f"1..{len(results)}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
