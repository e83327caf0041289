// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The reference itself: a vector of the RFC, and its arithmetic twice. */

#include "check.h"

/* RFC 8439, section 2.5.2 */
static void test_rfc8439(const struct tier *tier)
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

/* GMP against the reference's own arithmetic; and what is derived from either */
static void test_arithmetic(const struct tier *tier)
{
	static const u64 zero[3];
	static const u64 one[3] = { 1 };
	u64 m[3], a[3], x[3], y[3], i;

	for (i = first_case(); next_case(&i, random_cases()); i++) {
		any_number(m);
		any_number(a);
		any_number(x);
		memcpy(y, x, sizeof(y));
		poly1305_ref_step(x, m, a);
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
