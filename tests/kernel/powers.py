#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Find r of which a power has full limbs, for HIGH_POWERS in corners.py.

    tests/kernel/powers.py K...

prints k, d and r with r clamped and r^k = -d (mod p), d < 2^26 - 5, for each k. Then
all limbs of r^k but the lowest are all ones, in radix 2^26, 2^44 and 2^52 alike.

p = 2^130 - 5 is 3 mod 4. So of v and -v one is a square, and a square has exactly
one root that is a square itself. For an even k, the power 1/k modulo (p - 1) / 2 of d
is therefore a k-th root of d or of -d, and it and its negative are the only ones; for
an odd k without a factor of p - 1, each number has one root. Such a root is clamped
with a chance of 2^-24: it must be below 2^128, and 22 bits must be 0. That leaves a
few r for each k.

The root of a product is the product of the roots. So after the roots of primes each d
costs one multiplication. Primes above 2^20 are left out unless nothing is found
without them. That takes a minute or two for each k that has such an r; 8 and 256 have
none, and a search of all d in C gave theirs.
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
    """The pairs (d, r), of all d with no prime factor above largest."""
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
