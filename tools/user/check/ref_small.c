// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The reference's arithmetic without GMP: schoolbook multiplication of digits
 * of 10 bits, as 13 of them make 130. Slow, and plain enough to be read; it is
 * compared with GMP wherever there is GMP.
 */

#include "check.h"

#define DIGIT		10
#define DIGITS		13
/* Three words, and a sum of two such numbers */
#define IN		20

static void load(u32 x[IN], const u64 words[3])
{
	int bit;

	for (bit = 0; bit < 192; bit++)
		x[bit / DIGIT] += (u32)(words[bit / 64] >> bit % 64 & 1)
				  << bit % DIGIT;
}

static void carry(u32 *x, int n)
{
	int i;

	for (i = 0; i < n - 1; i++) {
		x[i + 1] += x[i] >> DIGIT;
		x[i] %= 1 << DIGIT;
	}
}

void ref_small_step(u64 h[3], const u64 m[3], const u64 a[3])
{
	u32 x[IN] = {}, y[IN] = {}, d[2 * IN + 1] = {};
	int i, j;

	load(x, h);
	load(x, m);
	load(y, a);

	/* A column is below 20 * 2^11 * 2^10. */
	for (i = 0; i < IN; i++)
		for (j = 0; j < IN; j++)
			d[i + j] += x[i] * y[j];

	/* What stands above 130 bits counts five times below, until nothing does. */
	for (j = 0; j < 5; j++) {
		carry(d, 2 * IN + 1);
		for (i = DIGITS; i <= 2 * IN; i++) {
			d[i - DIGITS] += 5 * d[i];
			d[i] = 0;
		}
	}
	carry(d, 2 * IN + 1);

	/* Now d < 2^130; d >= p if d + 5 reaches 2^130, and d - p is the rest. */
	memcpy(x, d, DIGITS * sizeof(d[0]));
	x[DIGITS] = 0;
	x[0] += 5;
	carry(x, DIGITS + 1);
	if (x[DIGITS])
		memcpy(d, x, DIGITS * sizeof(d[0]));

	memset(h, 0, 3 * sizeof(h[0]));
	for (i = 0; i < 130; i++)
		h[i / 64] |= (u64)(d[i / DIGIT] >> i % DIGIT & 1) << i % 64;
}
