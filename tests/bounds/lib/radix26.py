# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst cases of the steps shared by SIMD block functions in radix 2^26.

Each number is the greatest value that its lane can take. All operations in the
code are monotonic, so the greatest inputs give the greatest outputs.
"""

import os
import re

MASK26 = 2**26 - 1
MASK44 = 2**44 - 1
DWORD = 2**32 - 1
# The limbs of a power that poly1305_core.h allows
POWER44 = (2**45 - 1, 2**45 - 1, 2**43 - 1)
# L of the comments: the limbs of a power in radix 2^26
LIMB = 2**26 + 2**19
results = {}


def constant(path, name):
    """The value of .set name in a source file of the project."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    with open(os.path.join(top, path), encoding="ascii") as f:
        found = re.search(rf"^\.set\t{name}, (\d+)$", f.read(), re.M)
        return int(found.group(1))


def check(what, value, limit):
    """Remember whether value was below limit in every computation."""
    results[what] = results.get(what, True) and value < limit


def report():
    """Print the results as TAP; 0 if all is well."""
    for n, (what, ok) in enumerate(results.items(), 1):
        print(f"{'ok' if ok else 'not ok'} {n} - {what}")
    print(f"1..{len(results)}")
    return 0 if all(results.values()) else 1


def carry(c, what):
    """The macro carry: its steps in their order."""
    check("carry: sums below 2^64 - 2^41", max(c), 2**64 - 2**41)
    c = list(c)
    for src, dst in (0, 1), (3, 4), (1, 2), (4, 0), (2, 3), (0, 1), (3, 4):
        c[dst] += (c[src] >> 26) * (5 if (src, dst) == (4, 0) else 1)
        c[src] = min(c[src], MASK26)
        check(what + ": sums and carries fit 64 bits", c[dst], 2**64)
    check("carry: limb 1 below 2^26 + 2^15", c[1], 2**26 + 2**15)
    check("carry: limb 4 below 2^26 + 2^12", c[4], 2**26 + 2**12)
    check("carry: the other limbs below 2^26", max(c[0], c[2], c[3]), 2**26)
    return c


def mul(x, y, what):
    """The columns of x y, times 5 where the index wraps around"""
    c = [0] * 5
    check(what + ": factors fit 32 bits", max(x), 2**32)
    check(what + ": factors times 5 fit 32 bits", 5 * max(y), 2**32)
    for i in range(5):
        for j in range(5):
            c[(i + j) % 5] += x[i] * y[j] * (1 if i + j < 5 else 5)
    return c


def mul_power(x, y, what):
    """mul, for limbs below 2^26 + 2^19"""
    c = mul(x, y, what)
    check("mul_power: adds less than 2^56.5", max(c), 2**56.5)
    return c


def split_power(p0, p1, p2):
    """A power with the limbs that poly1305_core.h allows, in radix 2^26"""
    top = p2 >> 16
    x = [MASK26 + 5 * (top >> 26), (p0 >> 26) + MASK26, MASK26,
         (p1 >> 34) + MASK26, min(top, MASK26)]
    for limb, more in zip(x, (2**6, 2**19, 0, 2**11, 0)):
        check("split_power: limbs exceed 2^26 as stated", limb, 2**26 + more)
    return x


def mul44(x, y):
    """Product in radix 2^44: two rounds of carries, each of all columns at once"""
    check("squares: multiples of limbs fit 64 bits", 40 * max(x), 2**64)
    c = [x[0] * y[0] + 20 * (x[1] * y[2] + x[2] * y[1]),
         x[0] * y[1] + x[1] * y[0] + 20 * x[2] * y[2],
         x[0] * y[2] + x[1] * y[1] + x[2] * y[0]]
    for column, bits in zip(c, (96, 94.5, 91.6)):
        check(f"squares: column below 2^{bits}", column, 2**bits)
    for _ in range(2):
        out = [limb >> 44 for limb in c]
        out = [20 * out[2], out[0], out[1]]
        check("squares: carries below 2^52", max(out), 2**52)
        c = [min(limb, MASK44) + more for limb, more in zip(c, out)]
        check("squares: limbs carried once fit 64 bits", max(c), 2**64)
    check("squares: limbs below 2^44 + 2^11", max(c), 2**44 + 2**11)
    return c


def squares():
    """Bounds for r^8, r^12, r^16 and r^32 of poly1305-squares.h, given r^4"""
    power = (2**45 - 1,) * 3
    return most(mul44(power, power), mul44(power, POWER44))


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


def reduce(c, what, bits=63):
    """The end of the method: sums over all lanes become the form of the state."""
    check(what + f": sum of all lanes below 2^{bits}", max(c), 2**bits)
    h2 = (c[3] >> 50) + (c[4] >> 24) + 2
    check(what + ": the folded excess fits 64 bits", 5 * (h2 >> 2), 2**64)


def groups(r_1, r_2, group, first_group, sums_in_all, name, times=times_2_32):
    """The whole method, given R^1 and R^2."""
    # R^1 is as loaded; the others are like R^2, or come out of carry.
    power = r_2
    for _ in range(4):
        power = most(power, carry(mul_power(most(power, r_1), most(power, r_1),
                                            name + ", powers"), name + ", powers"))

    def at_2_128(times, x):
        check(name + ": factors of 2^128 fit 32 bits", 5 * times << 24, 2**32)
        return [5 * (times << 24) * limb for limb in x[1:]] + \
               [(times << 24) * x[0]]

    def products(n):
        sums = [DWORD, DWORD << 6, 0, 0, 0]
        hibits = [1, 0, 0, 0, 0]
        for k in range(1, n):
            x = r_1 if k == 1 else power
            sums = add(sums, [DWORD * limb for limb in x],
                       [DWORD * limb for limb in times(x)])
            hibits = add(hibits, x)
        check(name + ": sum of the powers fits 32 bits", max(hibits), 2**32)
        hibits = at_2_128(1, hibits)
        check("sum_hibits: below 2^57.4", max(hibits), 2**57.4)
        return add(sums, hibits)

    sums = carry(add(products(first_group), at_2_128(5, power)),
                 name + ", first group")
    for _ in range(4):
        c = add(products(group), mul_power(sums, power, name + ", full group"))
        sums = most(sums, carry(c, name + ", full group"))

    # Here the sums are multiplied by 5.
    last = most(r_1, times_2_64(r_1))
    s, x = int(2**26.1), int(5 * 2**26.1)
    check("mul_last: sums below 2^26.1", max(sums), s)
    check("mul_last: multipliers below 5 * 2^26.1", max(last), x)
    c = mul([x] * 5, [s] * 5, name + ", last")
    check("mul_last: adds less than 2^59", max(c), 2**59)
    reduce([sums_in_all * limb for limb in c], name)
