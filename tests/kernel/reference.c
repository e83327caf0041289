// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 by its definition, with school arithmetic on words of 32 bits and
 * every intermediate value reduced completely. It shares no idea with the code
 * under test, is neither fast nor constant in time, and must stay so simple
 * that reading it is enough to believe it.
 */

#include "poly1305_test.h"

void reference_init(struct reference *ref, const u8 key[KEY_SIZE])
{
	u8 r[16];
	int i;

	/* The top four bits of four bytes, the low two of three, are zero. */
	memcpy(r, key, sizeof(r));
	for (i = 3; i < 16; i += 4)
		r[i] &= 15;
	for (i = 4; i < 16; i += 4)
		r[i] &= 252;

	for (i = 0; i < 4; i++) {
		ref->r[i] = get_unaligned_le32(r + 4 * i);
		ref->s[i] = get_unaligned_le32(key + 16 + 4 * i);
	}
	memset(ref->h, 0, sizeof(ref->h));
}

/* x mod 2^130 - 5, for x of nine words, into its first five */
static void reduce(u32 x[9])
{
	u32 high[5], top;
	u64 sum;
	int i;

	/* x = low + 2^130 high = low + 5 high, until high is 0 */
	for (;;) {
		for (i = 0; i < 5; i++) {
			high[i] = x[i + 4] >> 2;
			if (i < 4)
				high[i] |= x[i + 5] << 30;
		}
		if (!memchr_inv(high, 0, sizeof(high)))
			break;

		x[4] &= 3;
		memset(x + 5, 0, 4 * sizeof(*x));
		sum = 0;
		for (i = 0; i < 9; i++) {
			sum += x[i];
			if (i < 5)
				sum += 5ULL * high[i];
			x[i] = sum;
			sum >>= 32;
		}
	}

	/* x >= 2^130 - 5 if and only if x + 5 reaches 2^130 */
	sum = 5;
	for (i = 0; i < 5; i++) {
		sum += x[i];
		top = sum;
		sum >>= 32;
	}
	if (top < 4)
		return;
	sum = 5;
	for (i = 0; i < 5; i++) {
		sum += x[i];
		x[i] = sum;
		sum >>= 32;
	}
	x[4] &= 3;
}

/* h = (h + block) r, for a block of 1 to 16 bytes with a 1 behind them */
void reference_block(struct reference *ref, const u8 *data, size_t len)
{
	u8 block[20] = { 0 };
	u32 product[9] = { 0 };
	u64 sum = 0;
	int i, j;

	memcpy(block, data, len);
	block[len] = 1;
	for (i = 0; i < 5; i++) {
		sum += ref->h[i];
		sum += get_unaligned_le32(block + 4 * i);
		ref->h[i] = sum;
		sum >>= 32;
	}

	for (i = 0; i < 5; i++) {
		sum = 0;
		for (j = 0; j < 4; j++) {
			sum += (u64)ref->h[i] * ref->r[j] + product[i + j];
			product[i + j] = sum;
			sum >>= 32;
		}
		product[i + 4] = sum;
	}
	reduce(product);
	memcpy(ref->h, product, sizeof(ref->h));
}

/* h + s mod 2^128 */
void reference_tag(const struct reference *ref, u8 tag[TAG_SIZE])
{
	u64 sum = 0;
	int i;

	for (i = 0; i < 4; i++) {
		sum += (u64)ref->h[i] + ref->s[i];
		put_unaligned_le32(sum, tag + 4 * i);
		sum >>= 32;
	}
}

void reference_digest(const u8 key[KEY_SIZE], const u8 *data, size_t len,
		      u8 tag[TAG_SIZE])
{
	struct reference ref;
	size_t n;

	reference_init(&ref, key);
	for (; len; data += n, len -= n) {
		n = min_t(size_t, len, 16);
		reference_block(&ref, data, n);
	}
	reference_tag(&ref, tag);
}
