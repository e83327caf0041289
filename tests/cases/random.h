/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Random numbers, the same on every CPU, for the cases, the checker and the fuzzer */

#ifndef POLY1305_TEST_RANDOM_H
#define POLY1305_TEST_RANDOM_H

/* A seed put here begins a sequence of its own. */
extern u64 random_state;

/* splitmix64 */
static inline u64 rnd(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static inline u32 rnd_below(u32 n)
{
	return (rnd() >> 32) * n >> 32;
}

/* Up to most and 2^15, with all orders of magnitude about equally likely */
static inline u32 rnd_len(u32 most)
{
	return rnd_below(min(most, 1U << rnd_below(16)) + 1);
}

static inline void rnd_bytes(void *p, size_t len)
{
	u8 *byte = p;

	while (len--)
		*byte++ = rnd() >> 56;
}

#endif /* POLY1305_TEST_RANDOM_H */
