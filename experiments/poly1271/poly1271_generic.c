// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1271 arithmetic in plain C, for every CPU of 64 bits: modulo p = 2^127 - 1, with
 * blocks of 15 bytes. Numbers are two words of 64 bits.
 *
 * poly1305_core.h has the notation, the form of the state and the contract of a
 * block function.
 */

#include "compat.h"
#include <linux/kernel.h>
#include <linux/string.h>

#include "poly1305_core.h"

#define MASK(bits)	((1ULL << (bits)) - 1)
#define BLOCK		POLY1305_MAC_BLOCK_SIZE

/* The tag: (h mod p) + s mod 2^128, with h in the form of the state. */
void poly1271_emit(const u64 h[3], const u64 s[2],
		   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u64 g0, g1, reduce, t0, t1;

	/*
	 * g = h + 1. As h < 2p, h mod p is h - p = g - 2^127 if g >= 2^127, and h
	 * otherwise.
	 */
	g0 = h[0] + 1;
	g1 = h[1] + !g0;
	reduce = 0 - (g1 >> 63);

	t0 = (g0 & reduce) | (h[0] & ~reduce);
	t1 = (g1 & reduce & MASK(63)) | (h[1] & ~reduce);

	t0 += s[0];
	t1 += s[1] + (t0 < s[0]);
	put_unaligned_le64(t0, tag);
	put_unaligned_le64(t1, tag + 8);
}

typedef unsigned __int128 u128;

/* r, and its words doubled: numbers of their own, without a carry between them */
struct multiplier {
	u64 r0;
	u64 twice_r0;
	u64 twice_r1;
};

/*
 * x r. As 2^128 = 2 (mod p), the product is
 *
 *	   x0 r0 + x1 (2 r1)
 *	+ 2^64 (x0 r1 + x1 r0)
 *
 * The second column is computed doubled. So its high word stands at 2^127 = 1, and its
 * low word, halved, stays at 2^64.
 *
 * Bounds: r0 < 2^60 - 2^33 and 2 r1 < 2^60, so the first column is below 2^125 - 2^97
 * and the doubled second one below 2^126, for any x. The result is below 2^127 + 2^125.
 * A block is below 2^121.
 */
static __always_inline u128 multiply_r(u128 x, const struct multiplier *r)
{
	const u64 x0 = x, x1 = x >> 64;
	const u128 c0 = (u128)x0 * r->r0 + (u128)x1 * r->twice_r1;
	const u128 c1 = (u128)x0 * r->twice_r1 + (u128)x1 * r->twice_r0;

	return c0 + ((u128)((u64)c1 >> 1) << 64 | (u64)(c1 >> 64));
}

/* The second word comes with the first byte of its own load shifted out. */
static __always_inline u128 load_block(const u8 *data, u64 top)
{
	return (u128)(get_unaligned_le64(data + 7) >> 8 | top) << 64 |
	       get_unaligned_le64(data);
}

void poly1271_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit)
{
	const struct multiplier r = {
		state->r[0], 2 * state->r[0], 2 * state->r[1]
	};
	const u64 top = (u64)hibit << 56;
	u128 x = (u128)state->h[1] << 64 | state->h[0];

	for (; nblocks--; data += BLOCK)
		x = multiply_r(x + load_block(data, top), &r);
	state->h[0] = x;
	state->h[1] = x >> 64;
}
