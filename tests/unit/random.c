// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Random numbers, the same on every CPU. */

#include "check.h"

static u64 random_state;

void rnd_begin(u64 begin)
{
	random_state = begin;
}

/* splitmix64 */
u64 rnd(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

size_t rnd_below(size_t n)
{
	return rnd() % n;
}

void rnd_bytes(void *p, size_t len)
{
	u8 *byte = p;
	u64 word = 0;
	size_t i;

	for (i = 0; i + 8 <= len; i += 8)
		put_unaligned_le64(rnd(), byte + i);
	for (word = rnd(); i < len; i++, word >>= 8)
		byte[i] = word;
}
