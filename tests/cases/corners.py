#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Messages that drive the accumulator to chosen values: prints corners.h.

Notation: p = 2^130 - 5. A block of 16 bytes stands for m + 2^128, and each block
does h = (h + m + 2^128) r. There are three constructions:

Exact sums. With r = 1 nothing is multiplied, and h is the sum of the blocks. The
blocks are chosen so that their sum, as an integer, is p - 1, p, p + 1, 2p and so on.
A tier that reduces too early, too late or by the wrong multiple of p fails there.
The last carry, the final subtraction and the addition of the pad are tested too; they
do not depend on the tier that added the blocks.

Targets. For any r that has an inverse, the block m = t / r - h - 2^128 (mod p)
makes the accumulator t. A block must have m < 2^128, which holds one time in four, so
the block before it is varied, and blocks are added before that, until it holds. A
prefix of other blocks comes first. It is long enough for vector code, so that the
last lanes of its last group lead to t.

Powers. Vector code keeps r^k in limbs of 26 bits, or of 44. If
r^2 = -d (mod p) with a small d, all limbs of r^2 above the size of d are all ones,
which is their maximum. With r = 2^66 c + x, and 2^132 = 20 (mod p),

	r^2 = 20 c^2 + 2^67 c x + x^2  (mod p),

which grows with x and stays below p for small c and x < 2^60. For each c, x is the
greatest value that keeps it below p, rounded down to one that clamping allows. The
best c is the one that loses least by the rounding. The remaining d is about 2^67 c.

For r^2, and for the powers that groups of vectors are multiplied by, a search of all d
below 2^26 has found r: then all limbs but the lowest are all ones. It took the roots of the
primes below d modulo p, whose products are the roots of d, and kept those that clamping
leaves as they are. The prefixes of
the messages for these are all ones too.

Carries. If r^2 is a little above a multiple of 2^128, the last additions of a squaring
carry through whole words, which random keys never do. Such r are square roots modulo p of
numbers like that.
"""

import sys

P = 2**130 - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
BLOCK = 16
HIBIT = 2**(8 * BLOCK)
# The multiples of this number modulo 2^128 spread evenly.
SPREAD = 0x9E3779B97F4A7C15F39CC0605CEDC835
ONES = HIBIT - 1
TRIES = 4096


def clamp_down(x):
    """The greatest number up to x that clamping leaves as it is."""
    for bit in range(127, -1, -1):
        if x >> bit & 1 and not CLAMP >> bit & 1:
            # This bit may not be set, so all allowed ones below it may.
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
    pieces = [data[i:i + BLOCK] for i in range(0, len(data), BLOCK)]
    return [int.from_bytes(piece + b"\1", "little") for piece in pieces]


def to_target(prefix, r, target):
    """A few blocks that, after prefix, make the accumulator target."""
    start = accumulate(blocks_of(prefix), r)
    want = target * pow(r, -1, P)
    for count in range(TRIES):
        before = bytes(BLOCK * (count // 256))
        before += (count * SPREAD & ONES).to_bytes(BLOCK, "little")
        h = accumulate(blocks_of(before), r, start)
        last = (want - h - HIBIT) % P
        if last < HIBIT:
            return before + last.to_bytes(BLOCK, "little")
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
        data += m.to_bytes(BLOCK, "little")
    return data


def hexadecimal(data):
    return "\n\t\t  ".join(f'"{data[i:i + 32].hex()}"' for i in range(0, len(data), 32))


def corner(why, fill, prefix, last, r, s, target):
    """A corner; its message is prefix blocks of the byte fill, then last."""
    message = bytes([fill]) * BLOCK * prefix + last
    h = accumulate(blocks_of(message), r)
    if h != target % P or r & ~CLAMP:
        raise ValueError(f"{why}: wrong accumulator, or r is not clamped")
    tag = (h + s) % HIBIT
    key = r.to_bytes(16, "little") + s.to_bytes(16, "little")
    return (f'\t{{ "{why}", 0x{fill:02x}, {prefix},\n\t\t  {hexadecimal(key)},\n'
            f'\t\t  {hexadecimal(last)},\n\t\t  {hexadecimal(tag.to_bytes(16, "little"))} }},\n')


TARGETS = [("0", 0), ("1", 1), ("p - 1", P - 1), ("2^128", 2**128),
           ("2^128 - 1", 2**128 - 1), ("2^129", 2**129), ("p - 2^128", P - 2**128)]
SUMS = [("p - 1", P - 1), ("p", P), ("p + 1", P + 1), ("2^130 - 1", 2**130 - 1),
        ("2^130", 2**130), ("2p - 1", 2 * P - 1), ("2p", 2 * P), ("2p + 1", 2 * P + 1),
        ("2^131", 2**131), ("4p", 4 * P), ("1024p - 1", 1024 * P - 1),
        ("1024p", 1024 * P), ("1024p + 1", 1024 * P + 1)]

# r^k = -d, 0 < d < 2^26 - 5. No such r exists for k = 128.
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
# r^2 = j 2^128 + s with j < 4 and s < 2^26
CARRIES = [0x0AB3C83C007ECBAC060B0B3C08DBA5AA, 0x050AFBC00CDDC818037732C000EBD36A,
           0x01C5E9400E43E6B400D000DC0E4061D7]
# The longest exceeds a group of every vector tier.
LONG_PREFIXES = [70, 301, 1100]

# Too short for vectors, long enough for some, and more than a group of every tier
PREFIXES = [0, 5, 31, 64, 255, 514]


def all_corners():
    s = 0
    for name, total in SUMS:
        s = ONES - s
        prefix = max(0, (total - 32 * HIBIT) // (HIBIT + ONES))
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
                last = to_target(bytes([fill]) * BLOCK * prefix, r, target)
                yield corner(f"{name}, {label}", fill, prefix, last, r, s, target)

    for k, r in HIGH_POWERS.items():
        d = P - pow(r, k, P)
        if d >= 2**26 - 5:
            raise ValueError(f"r^{k} is not -d for a small d")
        for prefix in LONG_PREFIXES:
            name, target = TARGETS[n % len(TARGETS)]
            n += 1
            s = ONES - s
            last = to_target(b"\xff" * BLOCK * prefix, r, target)
            yield corner(f"{name}, r^{k} = -{d}", 0xff, prefix, last, r, s, target)

    for r in CARRIES:
        for prefix in PREFIXES[1:]:
            name, target = TARGETS[n % len(TARGETS)]
            n += 1
            s = ONES - s
            last = to_target(b"\xff" * BLOCK * prefix, r, target)
            yield corner(f"{name}, r^2 carries", 0xff, prefix, last, r, s, target)


def main():
    print("""/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Made by tests/cases/corners.py, which describes how; do not edit. The members are
 * those of struct corner.
 */""")
    print("".join(all_corners()), end="")


if __name__ == "__main__":
    sys.exit(main())
