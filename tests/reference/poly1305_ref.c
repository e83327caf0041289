// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 by its definition, with long multiplication as taught at school. It
 * shares no idea with the code under test and must stay so simple that reading it
 * is enough to believe it. Its running time depends on its input and nothing is
 * wiped: never use it on real keys.
 *
 * A message is cut into blocks of 16 bytes; the last block may be shorter. Block
 * i, read as a little-endian number with a byte 1 after its last byte, is c_i.
 * With r and s the two halves of the key, r clamped, the tag is
 *
 *	((c_1 r^n + c_2 r^(n-1) + ... + c_n r^1) mod 2^130 - 5) + s  mod 2^128
 *
 * In Poly1271 a block is 15 bytes, r has one bit less, and the prime is 2^127 - 1.
 */
#include <linux/string.h>

#include "poly1305_ref.h"

/* p = 2^BITS - LESS */
#ifdef POLY1271
#define BITS		127
#define LESS		1
#define CLAMP_HI	0x07fffffc0ffffffcULL
#else
#define BITS		130
#define LESS		5
#define CLAMP_HI	0x0ffffffc0ffffffcULL
#endif

static const uint64_t p[3] = POLY1305_REF_P;

#define DIGITS	6		/* of 32 bits in three words */
#define WIDE	(2 * DIGITS + 1)	/* digits of (h + m) a */

static uint32_t digit(const uint64_t x[3], int i)
{
	return i < DIGITS ? x[i / 2] >> 32 * (i % 2) : 0;
}

/*
 * x = high 2^BITS + low becomes LESS high + low, which leaves the same remainder.
 * Returns whether high was not 0.
 */
static int fold(uint32_t x[WIDE])
{
	const int at = BITS / 32, bit = BITS % 32;
	const uint32_t mask = (1U << bit) - 1;
	uint32_t high, any = 0;
	uint64_t carry = 0;
	int i;

	for (i = 0; i < WIDE; i++) {
		high = i + at < WIDE ? x[i + at] >> bit : 0;
		high |= i + at + 1 < WIDE ? x[i + at + 1] << (32 - bit) : 0;
		any |= high;
		carry += LESS * (uint64_t)high;
		carry += i < at ? x[i] : i == at ? x[i] & mask : 0;
		x[i] = carry;
		carry >>= 32;
	}
	return any != 0;
}

void poly1305_ref_step(uint64_t h[3], const uint64_t m[3], const uint64_t a[3])
{
	uint32_t sum[DIGITS + 1], x[WIDE] = { 0 };
	uint64_t carry = 0;
	int i, j;

	for (i = 0; i <= DIGITS; i++) {
		carry += (uint64_t)digit(h, i) + digit(m, i);
		sum[i] = carry;
		carry >>= 32;
	}
	for (i = 0; i <= DIGITS; i++) {
		carry = 0;
		for (j = 0; j < DIGITS; j++) {
			carry += (uint64_t)sum[i] * digit(a, j) + x[i + j];
			x[i + j] = carry;
			carry >>= 32;
		}
		x[i + DIGITS] = carry;
	}

	while (fold(x))
		;
	for (i = 0; i < 3; i++)
		h[i] = x[2 * i] | (uint64_t)x[2 * i + 1] << 32;

	/* From p to 2^BITS - 1: 0 to LESS - 1 */
	if (h[2] == p[2] && h[1] == p[1] && h[0] >= p[0]) {
		h[0] += LESS;
		h[1] = 0;
		h[2] = 0;
	}
}

/* The number in up to 16 bytes, with a byte @end after the last */
static void load(uint64_t m[3], const uint8_t *data, size_t len, uint64_t end)
{
	size_t i;

	memset(m, 0, 3 * sizeof(m[0]));
	for (i = 0; i < len; i++)
		m[i / 8] |= (uint64_t)data[i] << 8 * (i % 8);
	m[len / 8] |= end << 8 * (len % 8);
}

void poly1305_ref_init(struct poly1305_ref *ref, const uint8_t key[32])
{
	memset(ref->h, 0, sizeof(ref->h));
	load(ref->r, key, 16, 0);
	ref->r[0] &= 0x0ffffffc0fffffffULL;
	ref->r[1] &= CLAMP_HI;
	memcpy(ref->s, key + 16, sizeof(ref->s));
}

void poly1305_ref_block(struct poly1305_ref *ref, const uint8_t *data,
			size_t len)
{
	uint64_t m[3];

	load(m, data, len, 1);
	poly1305_ref_step(ref->h, m, ref->r);
}

void poly1305_ref_update(struct poly1305_ref *ref, const void *data, size_t len)
{
	const uint8_t *block = data;
	size_t n;

	for (; len; block += n, len -= n) {
		n = len < POLY1305_REF_BLOCK ? len : POLY1305_REF_BLOCK;
		poly1305_ref_block(ref, block, n);
	}
}

void poly1305_ref_tag(const struct poly1305_ref *ref, uint8_t tag[16])
{
	unsigned int carry = 0;
	int i;

	for (i = 0; i < 16; i++) {
		carry += (uint8_t)(ref->h[i / 8] >> 8 * (i % 8)) + ref->s[i];
		tag[i] = carry;
		carry >>= 8;
	}
}

void poly1305_ref(const uint8_t key[32], const void *data, size_t len,
		  uint8_t tag[16])
{
	struct poly1305_ref ref;

	poly1305_ref_init(&ref, key);
	poly1305_ref_update(&ref, data, len);
	poly1305_ref_tag(&ref, tag);
}

/* Adds @len bytes, and zeros up to the next multiple of 16. */
static void add_padded(struct poly1305_ref *ref, const uint8_t *data, size_t len)
{
	uint8_t last[16] = { 0 };
	const size_t rest = len % 16;

	poly1305_ref_update(ref, data, len - rest);
	if (rest) {
		memcpy(last, data + len - rest, rest);
		poly1305_ref_block(ref, last, sizeof(last));
	}
}

void poly1305_ref_aead(const uint8_t key[32], const void *ad, size_t ad_len,
		       const void *text, size_t len, uint8_t tag[16])
{
	struct poly1305_ref ref;
	uint8_t lengths[16];
	int i;

	for (i = 0; i < 8; i++) {
		lengths[i] = (uint64_t)ad_len >> 8 * i;
		lengths[8 + i] = (uint64_t)len >> 8 * i;
	}
	poly1305_ref_init(&ref, key);
	add_padded(&ref, ad, ad_len);
	add_padded(&ref, text, len);
	poly1305_ref_block(&ref, lengths, sizeof(lengths));
	poly1305_ref_tag(&ref, tag);
}
