#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Messages that drive the accumulator to chosen values: prints corners.h.

    tests/kernel/corners.py >tests/kernel/corners.h

Notation: p = 2^130 - 5, a block of 16 bytes stands for m + 2^128, and each block
does h = (h + m + 2^128) r. Three constructions, no search but for values that fit:

Exact sums. With r = 1 nothing is multiplied, and h is the sum of the blocks. So
blocks are chosen whose sum is p - 1, p, p + 1, 2p, ... as an integer, which is
what an implementation that reduces too early, too late or by the wrong multiple
of p gets wrong. The last carry of all, the final subtraction and the addition of
the pad have nothing to do with which implementation added the blocks.

Targets. For any r that has an inverse, the block m = t / r - h - 2^128 (mod p)
makes the accumulator t. It is a block if it is below 2^128, one time in four; the
block before it is varied, and others put before that, until it is. These come
after a prefix of blocks, long enough that vector code runs and the last lanes of
its last group are what makes t.

Powers. The state keeps r^k in limbs of 44 bits, the vector code in limbs of 26.
Those of r^2 are at their maxima where r^2 = -d (mod p) with a small d: then all
limbs above the size of d are all ones. With r = 2^66 c + x, and 2^132 = 20 (mod p),

	r^2 = 20 c^2 + 2^67 c x + x^2  (mod p),

which grows with x and stays below p for small c and x < 2^60: x is the greatest
that keeps it there, rounded down to what clamping allows, and c the one of those
for which that loses the least. The d that is left is about 2^67 c.

Of r^2 and of the powers that groups of vectors are multiplied by, powers.py has found
r for which d is below 2^26: then only the lowest limb is not all ones. All other
bits of the messages for these are ones, too.
"""

import sys

P = 2**130 - 5
HIBIT = 2**128
# Its multiples lie about evenly among the blocks.
SPREAD = 0x9E3779B97F4A7C15F39CC0605CEDC835
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
ONES = 2**128 - 1


def clamp_down(x):
    """The greatest number up to x that clamping leaves as it is."""
    for bit in range(127, -1, -1):
        if x >> bit & 1 and not CLAMP >> bit & 1:
            # Below a bit that may not be set, all may be.
            return x >> bit + 1 << bit + 1 & CLAMP | (2**bit - 1) & CLAMP
    return x


def square(c, x):
    return 20 * c * c + 2**67 * c * x + x * x


def root_below(c):
    """The greatest clamped x with square(c, x) < p."""
    low, high = 0, 2**60 - 1
    while low < high:
        mid = (low + high + 1) // 2
        if square(c, mid) < P:
            low = mid
        else:
            high = mid - 1
    return clamp_down(low)


def high_squares(count):
    """The r for which -r^2 mod p is least."""
    found = []
    for c in range(1, 4096):
        x = root_below(c)
        r = 2**66 * c + x
        if r & ~CLAMP == 0:
            found.append((-r * r % P, r))
    return [r for _, r in sorted(found)[:count]]


def accumulate(blocks, r, h=0):
    for block in blocks:
        h = (h + block) * r % P
    return h


def blocks_of(data):
    pieces = [data[i:i + 16] for i in range(0, len(data), 16)]
    return [int.from_bytes(piece + b"\1", "little") for piece in pieces]


def to_target(prefix, r, target):
    """A few blocks behind prefix that make the accumulator target."""
    start = accumulate(blocks_of(prefix), r)
    want = target * pow(r, -1, P)
    for count in range(4 * 256):
        before = bytes(16 * (count // 256))
        before += (count * SPREAD & ONES).to_bytes(16, "little")
        h = accumulate(blocks_of(before), r, start)
        last = (want - h - HIBIT) % P
        if last < HIBIT:
            return before + last.to_bytes(16, "little")
    raise ValueError("no block leads there")


def to_sum(total):
    """The fewest blocks whose sum is total."""
    n = -(-total // (HIBIT + ONES))
    rest = total - n * HIBIT
    if rest < 0:
        raise ValueError("no blocks have that sum")
    data = b""
    for _ in range(n):
        m = min(rest, ONES)
        rest -= m
        data += m.to_bytes(16, "little")
    return data


def hexadecimal(data):
    return "\n\t\t  ".join(f'"{data[i:i + 32].hex()}"' for i in range(0, len(data), 32))


def corner(why, fill, prefix, last, r, s, target):
    """A row; prefix blocks of a byte come before last."""
    message = bytes([fill]) * 16 * prefix + last
    h = accumulate(blocks_of(message), r)
    if h != target % P or r & ~CLAMP:
        raise ValueError(f"{why}: not what was to be shown")
    tag = (h + s) % HIBIT
    key = r.to_bytes(16, "little") + s.to_bytes(16, "little")
    return (f'\t{{ "{why}", 0x{fill:02x}, {prefix},\n\t\t  {hexadecimal(key)},\n'
            f'\t\t  {hexadecimal(last)},\n\t\t  {hexadecimal(tag.to_bytes(16, "little"))} }},\n')


TARGETS = [
    ("0", 0), ("1", 1), ("p - 1", P - 1), ("2^128", HIBIT), ("2^128 - 1", ONES),
    ("2^129", 2**129), ("p - 2^128", P - HIBIT),
]

SUMS = [
    ("p - 1", P - 1), ("p", P), ("p + 1", P + 1), ("2^130 - 1", 2**130 - 1),
    ("2^130", 2**130), ("2p - 1", 2 * P - 1), ("2p", 2 * P), ("2p + 1", 2 * P + 1),
    ("2^131", 2**131), ("4p", 4 * P), ("1024p - 1", 1024 * P - 1),
    ("1024p", 1024 * P), ("1024p + 1", 1024 * P + 1),
]

# r^k = -d, 0 < d < 2^26 - 5: see powers.py. There is none for r^128.
HIGH_POWERS = {
    2: 0xEFDD6C8079B39F80A1FC0980178E953,
    3: 0xEFEE6940A6BE2340E343634058C5902,
    4: 0x8B4C66001F71EDC031069400FD865DB,
    8: 0x3048C740476514803EBC1E40ECCD4E2,
    16: 0x3AEA1580EA7A8680606778C0EAE5205,
    32: 0xF3FECE805B861E802FAD8F80E92B8E9,
    64: 0x399E7540C1FF3A408B42ED40C7CC63A,
    256: 0x76B01B80132314407C8A400089DBB0F,
}

# The shortest is one that lanes take, the longest more than a group of each vector
# code has.
LONG_PREFIXES = [70, 301, 1100]

# Enough for no vector, some, and one group of every implementation and more
PREFIXES = [0, 5, 31, 64, 255, 514]


def rows():
    s = 0
    for name, total in SUMS:
        s = ONES - s
        prefix = max(0, (total - 2**133) // (HIBIT + ONES))
        last = to_sum(total - prefix * (HIBIT + ONES))
        yield corner(f"the sum {name}", 0xff, prefix, last, 1, s, total)

    squares = high_squares(2)
    factors = [("r = 1", 1), ("r greatest", CLAMP), ("r = 2^66", 2**66)]
    factors += [("r^2 = -%.1fe%d" % (d / 10**(len(str(d)) - 1), len(str(d)) - 1), r)
                for r, d in ((r, -r * r % P) for r in squares)]
    n = 0
    for label, r in factors:
        for prefix in PREFIXES:
            for fill in 0xff, 0:
                name, target = TARGETS[n % len(TARGETS)]
                n += 1
                s = ONES - s
                last = to_target(bytes([fill]) * 16 * prefix, r, target)
                yield corner(f"{name}, {label}", fill, prefix, last, r, s, target)

    for k, r in HIGH_POWERS.items():
        d = P - pow(r, k, P)
        if d >= 2**26 - 5:
            raise ValueError(f"r^{k} is not what was to be shown")
        for prefix in LONG_PREFIXES:
            name, target = TARGETS[n % len(TARGETS)]
            n += 1
            s = ONES - s
            last = to_target(b"\xff" * 16 * prefix, r, target)
            yield corner(f"{name}, r^{k} = -{d}", 0xff, prefix, last, r, s, target)


def main():
    print("""/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Made by tests/kernel/corners.py, which says how; not to be edited. Each row: the
 * accumulator at the end and what r is; a byte and how many blocks of it the
 * message begins with; the key; the rest of the message; the tag.
 */""")
    print("".join(rows()), end="")


if __name__ == "__main__":
    sys.exit(main())
