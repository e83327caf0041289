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

/* RFC 8439, section 2.5.2 */
static void test_rfc8439(const struct subject *subject)
{
	static const u8 key[KEY_SIZE] = {
		0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33,
		0x7f, 0x44, 0x52, 0xfe, 0x42, 0xd5, 0x06, 0xa8,
		0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d, 0xb2, 0xfd,
		0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b
	};
	static const char text[] = "Cryptographic Forum Research Group";
	static const u8 expected[TAG_SIZE] = {
		0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
		0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9
	};
	u8 tag[TAG_SIZE];

	ref_tag(tag, key, (const u8 *)text, strlen(text));
	if (memcmp(tag, expected, TAG_SIZE))
		fail("wrong tag");
}

/* Numbers of three words; in each, now and then, all ones or zeroes, or p */
static void any_number(u64 x[3])
{
	static const u64 p[3] = { -5ULL, -1ULL, 3 };
	int i;

	for (i = 0; i < 3; i++)
		x[i] = rnd() & 3 ? rnd() : 0 - (rnd() & 1);
	if (rnd_below(8) == 0)
		memcpy(x, p, sizeof(p));
}

/* GMP against digits of 10 bits; and what is derived from them */
static void test_arithmetic(const struct subject *subject)
{
	u64 m[3], a[3], x[3], y[3], i;

	for (i = first_case(); next_case(&i, random_cases()); i++) {
		any_number(m);
		any_number(a);
		any_number(x);
		memcpy(y, x, sizeof(y));
		ref_small_step(x, m, a);
#ifdef CHECK_WITH_GMP
		ref_gmp_step(y, m, a);
		if (memcmp(x, y, sizeof(x)))
			fail("GMP has another result");
#endif
		memcpy(y, x, sizeof(y));
		ref_add(y, m);
		ref_subtract(y, m);
		if (memcmp(x, y, sizeof(x)))
			fail("x + m - m is not x");

		if (i % 64)
			continue;
		ref_reduce(a);
		memcpy(y, a, sizeof(y));
		ref_invert(y);
		ref_multiply(y, a);
		if (memcmp(y, memcmp(a, zero, sizeof(a)) ? one : zero, sizeof(y)))
			fail("a (1 / a) is not 1");
	}
}

const struct test reference_tests[] = {
	{ "reference-rfc8439", test_rfc8439, true },
	{ "reference-arithmetic", test_arithmetic, true },
	{ }
};
