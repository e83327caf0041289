// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Keys, messages and states: random ones, and ones that make carries propagate far */

#include "check.h"

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

void fill_r(u64 r[2])
{
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
	case 1:				/* p - 1, p, p + 1, ... up to 2^130 - 1 */
		memcpy(h, ref_p, sizeof(ref_p));
		h[0] += rnd_below(1 - ref_p[0]) - 1;
		break;
	default:			/* any words, often zeros or ones */
		h[0] = rnd() & 1 ? rnd() : 0 - (rnd() & 1);
		h[1] = (rnd() & 1 ? rnd() : 0 - (rnd() & 1)) & POLY1305_H1_MAX;
		h[2] = rnd() & 1 ? POLY1305_H2_MAX : rnd_below(POLY1305_H2_MAX + 1);
	}
}
