#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Find r with a power whose limbs are full, for HIGH_POWERS in corners.py.

    tests/cases/powers.py K...

prints, for each k, any d and clamped r with r^k = -d (mod p) and d < 2^26 - 5. All
limbs of such an r^k but the lowest are all ones, in radix 2^26, 2^44 and 2^52.

p = 2^130 - 5 is 3 mod 4, so one of v and -v is a square, and a square has exactly one
root that is itself a square. For an even k, let e = 1/k modulo (p - 1) / 2. Then d^e is
a k-th root of d or of -d; it and its negative are the only ones. For an odd k that has
no factor in common with p - 1, each number has one k-th root. A root is clamped with
probability 2^-24, as it must be below 2^128 and 22 of its bits must be 0. That leaves
a few r for each k.

The root of a product is the product of the roots. So, given the roots of the primes,
each d costs one multiplication. Primes above 2^20 are used only if nothing is found
without them; a search without them takes a minute or two. k = 8 and 256 need them, and
their r come from a search of all d by a program in C.
"""

import sys

P = 2**130 - 5
MOST = 2**26 - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
FORBIDDEN = (2**130 - 1) & ~CLAMP


def primes(most):
    sieve = bytearray([1]) * (most + 1)
    for i in range(2, int(most**0.5) + 1):
        if sieve[i]:
            sieve[i * i::i] = bytes(len(range(i * i, most + 1, i)))
    return [i for i in range(2, most + 1) if sieve[i]]


def search(k, largest):
    """The pairs (d, r) with no prime factor of d above largest."""
    factors = primes(largest)
    exponent = pow(k, -1, P - 1 if k % 2 else (P - 1) // 2)
    roots = [pow(q, exponent, P) for q in factors]
    found = []

    def walk(d, root, i):
        for i in range(i, len(factors)):
            more = d * factors[i]
            if more >= MOST:
                return
            r = root * roots[i] % P
            if not r & FORBIDDEN or not P - r & FORBIDDEN:
                found.extend((more, r) for r in (r, P - r)
                             if not r & FORBIDDEN and pow(r, k, P) == P - more)
            if more * factors[i] < MOST:
                walk(more, r, i)

    walk(1, 1, 0)
    return sorted(found)


def main():
    for k in map(int, sys.argv[1:]):
        for d, r in search(k, 2**20) or search(k, MOST):
            print(f"{k}: d = {d}, r = {r:#x}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
