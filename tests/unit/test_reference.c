// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The reference itself: the published vectors, and its arithmetic twice. */

#include "check.h"
#include "testmgr_vectors.h"

static void test_vectors(const struct tier *tier)
{
	u8 key[KEY_SIZE], data[POLY1305_TESTVEC_MAX], expected[TAG_SIZE];
	struct poly1305_testvec vec;
	const char *text;
	u8 tag[TAG_SIZE];
	size_t i, len;

	for_each_poly1305_testvec(i, text, &vec) {
		len = strlen(vec.msg) / 2;
		if (hex2bin(key, vec.key, KEY_SIZE) || hex2bin(data, vec.msg, len) ||
		    hex2bin(expected, vec.tag, TAG_SIZE))
			fail("%s: not hexadecimal", vec.why);
		ref_tag(tag, key, data, len);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("%s: wrong tag", vec.why);
	}
}

/* Numbers of three words; in each, now and then, all ones or zeroes, or p */
static void any_number(u64 x[3])
{
	int i;

	for (i = 0; i < 3; i++)
		x[i] = rnd() & 3 ? rnd() : 0 - (rnd() & 1);
	if (rnd_below(8) == 0)
		memcpy(x, ref_p, sizeof(ref_p));
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
	{ "reference-vectors", test_vectors, true },
	{ "reference-arithmetic", test_arithmetic, true },
	{ }
};
