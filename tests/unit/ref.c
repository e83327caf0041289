// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The reference, tests/reference/poly1305_ref.c, and its steps on words as the code under test
 * has them. The case "vectors" of tests/cases compares it with known tags.
 */

#include "check.h"
#include "../reference/poly1305_ref.c"

static void to_digits(u32 x[DIGITS], const u64 *words)
{
	int i;

	for (i = 0; i < DIGITS; i++)
		x[i] = words[i / 8] >> 8 * (i % 8) & 255;
}

void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks, u32 hibit)
{
	const u64 r_words[3] = { r[0], r[1] };
	u32 x[DIGITS], m[DIGITS], a[DIGITS];
	int i;

	to_digits(x, h);
	to_digits(a, r_words);
	for (; nblocks--; data += BLOCK_SIZE) {
		load(m, data, BLOCK_SIZE, hibit);
		step(x, m, a);
	}
	reduce(x);
	memset(h, 0, 3 * sizeof(h[0]));
	for (i = 0; i < DIGITS; i++)
		h[i / 8] |= (u64)x[i] << 8 * (i % 8);
}
