// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Random numbers, the same on every CPU; and random keys and messages, often such that carries
 * propagate far. A seed put into random_state begins a sequence of its own.
 */

#include "poly1305_test.h"

u64 random_state;

/* splitmix64 */
u64 rnd(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

u32 rnd_below(u32 n)
{
	return (rnd() >> 32) * n >> 32;
}

u32 rnd_len(u32 most)
{
	return rnd_below(min(most, 1U << rnd_below(16)) + 1);
}

void rnd_bytes(void *p, size_t len)
{
	u8 *byte = p;

	while (len--)
		*byte++ = rnd() >> 56;
}

void clamp_r(u8 r[16])
{
	put_unaligned_le64(get_unaligned_le64(r) & POLY1305_CLAMP_LO, r);
	put_unaligned_le64(get_unaligned_le64(r + 8) & POLY1305_CLAMP_HI, r + 8);
}

void fill_r(u64 r[2])
{
	r[0] = rnd();
	r[1] = rnd();
	switch (rnd_below(6)) {
	case 0:			/* all bits set that clamping leaves */
		r[0] = -1ULL;
		r[1] = -1ULL;
		break;
	case 1:			/* small */
		r[0] %= 3;
		r[1] %= 8;
		break;
	case 2:			/* a bit in each word */
		r[0] = 1ULL << r[0] % 64;
		r[1] = 1ULL << r[1] % 64;
		break;
	}
	r[0] &= POLY1305_CLAMP_LO;
	r[1] &= POLY1305_CLAMP_HI;
}

void fill_key(u8 key[KEY_SIZE])
{
	u64 r[2];

	rnd_bytes(key, KEY_SIZE);
	if (rnd() & 1) {
		fill_r(r);
		put_unaligned_le64(r[0], key);
		put_unaligned_le64(r[1], key + 8);
	}
	if (!rnd_below(4))	/* the last addition carries through all words */
		memset(key + 16, 0xff, 16);
	else if (!rnd_below(4))	/* s - 5 borrows */
		put_unaligned_le64(rnd_below(8), key + 16);
}

void fill_message(u8 *data, size_t len)
{
	size_t i;

	if (rnd() & 1) {
		rnd_bytes(data, len);
		return;
	}
	/* All ones or zeros, but for a few bits */
	memset(data, rnd_below(4) ? 0xff : 0, len);
	for (i = rnd_below(4); len && i; i--)
		data[rnd_below(len)] ^= 1 << rnd_below(8);
}
