// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 by its definition, with long multiplication as taught at school. It must stay
 * so simple that reading it is enough to believe it. Its running time depends on its
 * input and nothing is wiped: never use it on real keys.
 *
 * A message is cut into blocks of 16 bytes; the last block may be shorter. Block
 * i, read as a little-endian number with a byte 1 after its last byte, is c_i.
 * With r and s the two halves of the key, r clamped, the tag is
 *
 *	((c_1 r^n + c_2 r^(n-1) + ... + c_n r^1) mod 2^130 - 5) + s  mod 2^128
 */
#include <linux/string.h>

#include "poly1305_ref.h"

#define DIGITS	POLY1305_REF_DIGITS

/* The prime p, and the remainder of 2^136, which is what a carry out of all digits counts */
static const uint8_t p[DIGITS] = { 0xfb, [1 ... 15] = 0xff, 0x03 };
#define WRAP	(5U << 6)
#define CLAMP	0x0f
#define BLOCK	16

/* h = (h + m) a, or a number below 2^136 with the same remainder */
static void step(uint32_t h[DIGITS], const uint32_t m[DIGITS], const uint32_t a[DIGITS])
{
	uint32_t x[2 * DIGITS] = { 0 }, carry = 0;
	int i, j;

	for (i = 0; i < DIGITS; i++)
		for (j = 0; j < DIGITS; j++)
			x[i + j] += (h[i] + m[i]) * a[j];
	for (i = 0; i < DIGITS; i++)
		h[i] = x[i] + WRAP * x[DIGITS + i];
	do {
		h[0] += WRAP * carry;
		for (carry = 0, i = 0; i < DIGITS; i++) {
			carry += h[i];
			h[i] = carry % 256;
			carry /= 256;
		}
	} while (carry);
}

/* h mod p */
static void reduce(uint32_t h[DIGITS])
{
	uint32_t less[DIGITS];
	int i, borrow;

	for (;;) {
		for (borrow = 0, i = 0; i < DIGITS; i++) {
			borrow += (int)h[i] - p[i];
			less[i] = borrow & 255;
			borrow >>= 8;
		}
		if (borrow)
			return;
		memcpy(h, less, sizeof(less));
	}
}

/* The number in up to 16 bytes, with a byte @end after the last */
static void load(uint32_t m[DIGITS], const uint8_t *data, size_t len, uint32_t end)
{
	size_t i;

	for (i = 0; i < DIGITS; i++)
		m[i] = i < len ? data[i] : i == len ? end : 0;
}

void poly1305_ref_init(struct poly1305_ref *ref, const uint8_t key[32])
{
	int i;

	memset(ref->h, 0, sizeof(ref->h));
	load(ref->r, key, 16, 0);
	for (i = 0; i < 16; i += 4) {
		ref->r[i] &= i ? 0xfc : 0xff;
		ref->r[i + 3] &= i < 12 ? 0x0f : CLAMP;
	}
	memcpy(ref->s, key + 16, sizeof(ref->s));
}

void poly1305_ref_block(struct poly1305_ref *ref, const uint8_t *data, size_t len)
{
	uint32_t m[DIGITS];

	load(m, data, len, 1);
	step(ref->h, m, ref->r);
}

void poly1305_ref_tag(const struct poly1305_ref *ref, uint8_t tag[16])
{
	uint32_t h[DIGITS], carry = 0;
	int i;

	memcpy(h, ref->h, sizeof(h));
	reduce(h);
	for (i = 0; i < 16; i++) {
		carry += h[i] + ref->s[i];
		tag[i] = carry;
		carry >>= 8;
	}
}

void poly1305_ref(const uint8_t key[32], const void *data, size_t len, uint8_t tag[16])
{
	struct poly1305_ref ref;
	const uint8_t *block = data;
	size_t n;

	poly1305_ref_init(&ref, key);
	for (; len; block += n, len -= n) {
		n = len < BLOCK ? len : BLOCK;
		poly1305_ref_block(&ref, block, n);
	}
	poly1305_ref_tag(&ref, tag);
}
