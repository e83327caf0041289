// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 as the paper defines it, upon one operation on big integers,
 * h = (h + m) a mod p, which ref_gmp.c and ref_small.c provide. Without GMP,
 * that is in programs for foreign CPUs, the latter serves.
 */

#include "check.h"

#ifdef CHECK_WITH_GMP
#define ref_step	ref_gmp_step
#else
#define ref_step	ref_small_step
#endif

static const u64 zero[3];
static const u64 one[3] = { 1 };

/* The number for n bytes, with a 1 bit after them if hibit */
static void load(u64 m[3], const u8 *data, size_t n, u32 hibit)
{
	size_t i;

	memset(m, 0, 3 * sizeof(m[0]));
	for (i = 0; i < n; i++)
		m[i / 8] |= (u64)data[i] << 8 * (i % 8);
	m[n / 8] |= (u64)hibit << 8 * (n % 8);
}

void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks,
		u32 hibit)
{
	const u64 a[3] = { r[0], r[1] };
	u64 m[3];

	ref_reduce(h);
	for (; nblocks--; data += BLOCK_SIZE) {
		load(m, data, BLOCK_SIZE, hibit);
		ref_step(h, m, a);
	}
}

void ref_r(u64 r[3], const u8 key[KEY_SIZE])
{
	load(r, key, BLOCK_SIZE, 0);
	r[0] &= POLY1305_CLAMP_LO;
	r[1] &= POLY1305_CLAMP_HI;
	r[2] = 0;
}

void ref_end(u8 tag[TAG_SIZE], u64 h[3], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len)
{
	const size_t whole = len / BLOCK_SIZE;
	unsigned int carry = 0;
	u64 r[3], m[3];
	int i;

	ref_r(r, key);
	ref_blocks(h, r, data, whole, 1);
	if (len % BLOCK_SIZE) {
		load(m, data + whole * BLOCK_SIZE, len % BLOCK_SIZE, 1);
		ref_step(h, m, r);
	}

	for (i = 0; i < TAG_SIZE; i++) {
		carry += (u8)(h[i / 8] >> 8 * (i % 8)) + key[16 + i];
		tag[i] = carry;
		carry >>= 8;
	}
}

void ref_tag(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len)
{
	u64 h[3] = {};

	ref_end(tag, h, key, data, len);
}

void ref_reduce(u64 h[3])
{
	ref_step(h, zero, one);
}

void ref_multiply(u64 h[3], const u64 a[3])
{
	ref_step(h, zero, a);
}

void ref_add(u64 h[3], const u64 a[3])
{
	ref_step(h, a, one);
}

/* By Fermat: h^(p - 2), and p - 2 = 2^130 - 7 has 127 ones, two zeros, a one. */
void ref_invert(u64 h[3])
{
	u64 x[3] = { h[0], h[1], h[2] };
	int bit;

	for (bit = 128; bit >= 0; bit--) {
		ref_multiply(h, h);
		if (bit != 1 && bit != 2)
			ref_multiply(h, x);
	}
}

/* h = h - a: a (p - 1) is -a */
void ref_subtract(u64 h[3], const u64 a[3])
{
	static const u64 minus_one[3] = { -6ULL, -1ULL, 3 };
	u64 x[3] = { a[0], a[1], a[2] };

	ref_multiply(x, minus_one);
	ref_add(h, x);
}
