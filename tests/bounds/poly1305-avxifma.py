#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avxifma.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

LANES = 4
GROUP = r26.constant("arch/x86/poly1305-avxifma.h", "GROUP")
MASK26, MASK42, MASK44, MASK52 = 2**26 - 1, 2**42 - 1, 2**44 - 1, 2**52 - 1
# h of a state, or a power in radix 2^64: words, and at most 4 above them
TOP = 4


def split_words(top):
    """The limbs of two words and top 2^128; bit 128 is 2^40 of limb 2."""
    return [MASK44, MASK44, 2**40 - 1 + (top << 40)]


def mul44(x, y, low, high, what):
    """Add the low and high halves of x y to the sums low and high."""
    scaled = [20 * limb for limb in y]
    before = list(high)
    r26.check("20 y1 and 20 y2 below 2^49.4", max(scaled[1:]), 2**49.4)
    for i in range(3):
        for j in range(3):
            factor = y[i - j] if j <= i else scaled[i - j]
            r26.check(what + ": factors fit 52 bits", max(x[j], factor), 2**52)
            low[i] += min(x[j] * factor, MASK52)
            high[i] += x[j] * factor >> 52
    r26.check("one product adds less than 2^42 to U",
              max(h - b for h, b in zip(high, before)), 2**42)


def join44(low, high):
    r26.check("join44: the low half of 20 * 2^8 U2 is the whole", 5120 * high[2],
              2**52)
    r26.check("join44: U2 below 2^39.2", high[2], 2**39.2)
    low = [low[0] + 5120 * high[2], low[1] + (high[0] << 8), low[2] + (high[1] << 8)]
    r26.check("join44: L below 2^55.2", max(low), 2**55.2)
    return low


def carry44(low, high):
    low = join44(low, high)
    carries = [low[0] >> 44, low[1] >> 44, low[2] >> 42]
    s = [MASK44 + 5 * carries[2], MASK44 + carries[0], MASK42 + carries[1]]
    r26.check("carry44: s0 below 2^44 + 2^16", s[0], 2**44 + 2**16)
    r26.check("carry44: s1 below 2^44 + 2^12", s[1], 2**44 + 2**12)
    r26.check("carry44: s2 below 2^42 + 2^12", s[2], 2**42 + 2**12)
    return s


def products(begin, *pairs):
    """The sums of products that begin with a block or with 0"""
    low, high = list(begin), [0] * 3
    for x, y in pairs:
        mul44(x, y, low, high, "mul44")
    return low, high


def pack52(x, what, top):
    """From radix 2^44; limb 2 is up to top."""
    x1 = x[1] + (x[0] >> 44)
    x2 = x[2] + (x1 >> 44)
    r26.check(f"pack52: {what}, limb 2 below 2^43", x2, 2**43)
    r26.check(f"pack52: {what}, limb 2", x2 >> 16, top)
    return [MASK52, MASK52, x2 >> 16]


def fold52(c):
    """Columns that are the sums of their registers; returns S in radix 2^52"""
    by_2_156 = 5 << 26
    c3, c4 = c[3], c[4] + (c[3] >> 52)
    r26.check("fold52: columns fit 64 bits", max(c[:3] + [c3, c4]), 2**63)
    r26.check("fold52: the upper half of c4 is folded whole", (c4 >> 52) * by_2_156,
              2**52)
    c0 = c[0] + MASK52
    c1 = c[1] + (MASK52 * by_2_156 >> 52) + MASK52
    c2 = c[2] + (MASK52 * by_2_156 >> 52) + (c4 >> 52) * by_2_156 + (c1 >> 52)
    r26.check("fold52: c2 wraps around whole", 5 * (c2 >> 26), 2**52)
    c0 += 5 * (c2 >> 26)
    c1 = MASK52 + (c0 >> 52)
    r26.check("fold52: the last carry is 0 or 1", c1 >> 52, 2)
    return [MASK52, MASK52, MASK26 + (c1 >> 52)]


def groups(s, power):
    """Groups in radix 2^52; returns S in radix 2^44 again."""
    g = pack52(power, "powers up to 2^26", 2**26 + 1)
    s = pack52(s, "S below 2^27", 2**27)
    quad = [MASK52, MASK52, 2**25 - 1]
    for _ in range(3):
        c = quad + [0, 0]
        for k in range(GROUP):
            x = quad if k < GROUP - 1 else s
            r26.check("mul52: limb 2 fits vpmuludq", max(x[2], g[2]), 2**32)
            for i in range(3):
                for j in range(3):
                    if i == j == 2:
                        if x is quad:
                            r26.check("mul52: X2 G2 below 2^52", x[2] * g[2], 2**52)
                        r26.check("mul52: X2 G2 below 2^53", x[2] * g[2], 2**53)
                        c[4] += x[2] * g[2]
                        continue
                    c[i + j] += min(x[i] * g[j], MASK52)
                    c[i + j + 1] += x[i] * g[j] >> 52
        for column, bits in enumerate((56.1, 57.7, 58.4, 57.6, 55.7)):
            r26.check(f"groups: column {column} below 2^{bits}", c[column], 2**bits)
        s = r26.most(s, fold52(c))
        r26.check("fold52: S2 up to 2^26", fold52(c)[2], 2**26 + 1)
    return [MASK44, MASK44, 2**42 + 2**16 - 1]


def main():
    zero = [0] * 3
    power = split_words(TOP)
    power = r26.most(power, carry44(*products(zero, (power, power))))
    for limb, bits in zip(power, (45, 45, 43)):
        r26.check("powers for the state below 2^45, 2^45, 2^43", limb, 2**bits)
    power = r26.most(power, r26.POWER44)

    block = split_words(1)
    # The first block takes h and a carry besides its bit 128.
    s = r26.most(block, split_words(TOP + 1 + 1))
    r26.check("first quad: limb 2 below 7 * 2^40", s[2], 7 << 40)
    for _ in range(8):
        s = r26.most(s, carry44(*products(block, (s, power))),
                     carry44(*products(block, (block, power), (s, power))))
    s = r26.most(s, groups(s, carry44(*products(zero, (power, power)))))
    for limb, bits in zip(s, (45, 45, 43)):
        r26.check("S below 2^45, 2^45, 2^43", limb, 2**bits)

    last = r26.most(join44(*products(zero, (s, power))),
                    join44(*products(zero, (block, power), (s, power))))
    total = [LANES * limb for limb in last]
    r26.check("sums of the lanes below 2^57.2", max(total), 2**57.2)
    r26.check("h2 below 2^18", (total[2] >> 40) + 2, 2**18)
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
