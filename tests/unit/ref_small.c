// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The reference's arithmetic without GMP: schoolbook multiplication of digits
 * of 13 bits, as 10 of them make 130. Plain enough to be read; it is compared
 * with GMP wherever there is GMP.
 */

#include "check.h"

#define DIGIT		13
#define DIGITS		10
/* What three words need, and a product of two such numbers */
#define IN		15
#define OUT		(2 * IN)

static void add(u32 x[IN], const u64 words[3])
{
	int i, bit;
	u64 digit;

	for (i = 0; i < IN; i++) {
		bit = i * DIGIT;
		digit = words[bit / 64] >> bit % 64;
		if (bit % 64 > 64 - DIGIT && bit / 64 < 2)
			digit |= words[bit / 64 + 1] << (64 - bit % 64);
		x[i] += digit % (1 << DIGIT);
	}
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
	u32 x[IN] = {}, y[IN] = {}, d[OUT] = {};
	int i, j, top = OUT;

	add(x, h);
	add(x, m);
	add(y, a);

	/* A column is below 15 * 2^14 * 2^13. */
	for (i = 0; i < IN; i++)
		for (j = 0; y[i] && j < IN; j++)
			d[i + j] += y[i] * x[j];
	carry(d, OUT);

	/* What stands above 130 bits counts five times below. */
	while (top > DIGITS) {
		for (i = DIGITS; i < top; i++) {
			d[i - DIGITS] += 5 * d[i];
			d[i] = 0;
		}
		carry(d, OUT);
		while (top > DIGITS && !d[top - 1])
			top--;
	}

	/* Now d < 2^130; d >= p if d + 5 reaches 2^130, and d - p is the rest. */
	memcpy(x, d, DIGITS * sizeof(d[0]));
	x[DIGITS] = 0;
	x[0] += 5;
	carry(x, DIGITS + 1);
	if (x[DIGITS])
		memcpy(d, x, DIGITS * sizeof(d[0]));

	memset(h, 0, 3 * sizeof(h[0]));
	for (i = 0; i < DIGITS; i++) {
		j = i * DIGIT;
		h[j / 64] |= (u64)d[i] << j % 64;
		if (j % 64 > 64 - DIGIT)
			h[j / 64 + 1] |= (u64)d[i] >> (64 - j % 64);
	}
}
