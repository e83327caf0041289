// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Keys, messages and states: random ones, and ones that make carries propagate far */

#include "../cases/corner.h"
#include "check.h"

/* Among their keys are those whose r has powers with limbs that are all ones. */
static const struct corner corners[] = {
#include "../cases/corners.h"
};

void fill_key(u8 key[KEY_SIZE])
{
	u64 r[2];

	rnd_bytes(key, KEY_SIZE);
	switch (rnd_below(8)) {
	case 0:			/* all bits of r set that clamping leaves */
		memset(key, 0xff, KEY_SIZE / 2);
		break;
	case 1:			/* small r */
		memset(key, 0, KEY_SIZE / 2);
		key[rnd_below(KEY_SIZE / 2)] = rnd();
		break;
	case 2:			/* awkward r */
		fill_r(r);
		put_unaligned_le64(r[0], key);
		put_unaligned_le64(r[1], key + 8);
		break;
	}
	switch (rnd_below(8)) {
	case 0:
	case 1:			/* the last addition carries through all words */
		memset(key + KEY_SIZE / 2, 0xff, KEY_SIZE / 2);
		break;
	case 2:			/* s - 5 borrows */
		memset(key + KEY_SIZE / 2, 0, sizeof(u64));
		key[KEY_SIZE / 2] = rnd_below(8);
		break;
	}
}

void fill_message(u8 *data, size_t len)
{
	size_t i;

	switch (rnd_below(8)) {
	case 0:
		memset(data, 0xff, len);
		break;
	case 1:
		memset(data, 0, len);
		break;
	case 2:			/* all ones but for a few bits */
		memset(data, 0xff, len);
		for (i = rnd_below(4); len && i; i--)
			data[rnd_below(len)] ^= 1 << rnd_below(8);
		break;
	case 3:
		for (i = 0; i < len; i++)
			data[i] = rnd() & 1 ? 0xff : 0;
		break;
	default:
		rnd_bytes(data, len);
	}
}

/* x += y 2^shift, for shift < 128 */
static void add_shifted(u64 x[3], u64 y, unsigned int shift)
{
	u64 words[3] = {};
	unsigned int carry = 0, i;

	words[shift / 64] = y << shift % 64;
	if (shift % 64)
		words[shift / 64 + 1] = y >> (64 - shift % 64);
	for (i = 0; i < 3; i++) {
		x[i] += carry;
		carry = x[i] < carry;
		x[i] += words[i];
		carry += x[i] < words[i];
	}
}

void fill_r(u64 r[2])
{
	u8 bytes[KEY_SIZE / 2];

	switch (rnd_below(8)) {
	case 0:
		r[0] = -1ULL;
		r[1] = -1ULL;
		break;
	case 1:
		r[0] = rnd_below(3);
		r[1] = rnd_below(2) * 4;
		break;
	case 2:
		r[0] = 1ULL << rnd_below(64);
		r[1] = 1ULL << rnd_below(64);
		break;
	case 3 ... 4:
		hex2bin(bytes, corners[rnd_below(ARRAY_SIZE(corners))].key,
			sizeof(bytes));
		r[0] = get_unaligned_le64(bytes);
		r[1] = get_unaligned_le64(bytes + 8);
		break;
	default:
		r[0] = rnd();
		r[1] = rnd();
	}
	r[0] &= POLY1305_CLAMP_LO;
	r[1] &= POLY1305_CLAMP_HI;
}

void fill_h(u64 h[3])
{
	switch (rnd_below(6)) {
	case 0:				/* the greatest h */
		h[0] = -1ULL;
		h[1] = POLY1305_H1_MAX;
		h[2] = POLY1305_H2_MAX;
		break;
	case 1:				/* p - 1, p, p + 1, ... */
		memcpy(h, ref_p, sizeof(ref_p));
		h[0]--;
		add_shifted(h, rnd_below(8), 0);
		break;
	case 2:
		memset(h, 0, 3 * sizeof(h[0]));
		break;
	default:
		h[0] = rnd();
		h[1] = rnd() & POLY1305_H1_MAX;
		h[2] = rnd_below(POLY1305_H2_MAX + 1);
	}
}

void value_of(u64 h[3], const struct poly1305_mac_state *state, const char *tier)
{
	memcpy(h, state->h, sizeof(state->h));
	if (POLY1305_H_BEYOND(h))
		fail("%s: h[1] is %llx, h[2] %llx", tier, (unsigned long long)h[1],
		     (unsigned long long)h[2]);
	ref_reduce(h);
}

void fill_target(u64 t[3])
{
	const u64 near = rnd_below(16);

	switch (rnd_below(3)) {
	case 0:				/* around 0, and so p */
		t[0] = near - 8;
		t[1] = near < 8 ? ref_p[1] : 0;
		t[2] = near < 8 ? ref_p[2] : 0;
		break;
	case 1:				/* around a multiple of 2^128 */
		t[0] = near - 8;
		t[1] = near < 8 ? -1ULL : 0;
		t[2] = rnd_below(4);
		break;
	default:			/* around a multiple of 2^64 */
		t[0] = near - 8;
		t[1] = rnd();
		t[2] = rnd_below(4);
	}
	ref_reduce(t);
}

/*
 * Solves (h + m) r = target for the last block m. Only one target in four, or in 128 with
 * blocks of 15 bytes, leads to an m with the hibit of a whole block, so it tries many.
 */
void aim_message(const u8 key[KEY_SIZE], u8 *data, size_t len)
{
	u64 r[3], inverse[3], h[3] = {}, m[3];
	u8 bytes[24];
	int tries, i;

	ref_r(r, key);
	memcpy(inverse, r, sizeof(inverse));
	ref_invert(inverse);
	ref_blocks(h, r, data, len / BLOCK_SIZE - 1, 1);
	for (tries = 0; tries < 400; tries++) {
		fill_target(m);
		ref_multiply(m, inverse);
		ref_subtract(m, h);
		for (i = 0; i < 3; i++)
			put_unaligned_le64(m[i], bytes + 8 * i);
		if (bytes[BLOCK_SIZE] != 1 || (BLOCK_SIZE < 16 && m[2]))
			continue;
		memcpy(data + len - BLOCK_SIZE, bytes, BLOCK_SIZE);
		return;
	}
}
