// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1271 arithmetic in plain C, for every CPU: modulo p = 2^127 - 1, with blocks
 * of 15 bytes.
 *
 * poly1305_core.h has the notation, the form of the state and the contract of a
 * block function. If the compiler has 128-bit integers, numbers are two words of 64
 * bits. Otherwise they are four of 32 bits: as r has none above 28 bits, the products of
 * a column fit in 64 bits.
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

#if defined(CONFIG_ARCH_SUPPORTS_INT128) && defined(__SIZEOF_INT128__)

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

#else /* no 128-bit integers */

/*
 * h = (h + block) r, one block after the other, in radix 2^32. As 2^128 = 2, a product
 * of words i and j with i + j >= 4 wraps around to word i + j - 4, times 2.
 *
 * Bounds: r's words are below 2^28, twice that below 2^29, so each column is below
 * 4 * 2^61 = 2^63. The part above 127 bits is below 2^33; h <= 2^127 afterwards.
 */
void poly1271_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit)
{
	const u32 top = hibit << 24;
	u32 h[4], m[4], r[4], q[4];
	u64 d[4], carry;
	int i, j;

	for (i = 0; i < 4; i++) {
		h[i] = state->h[i / 2] >> 32 * (i % 2);
		r[i] = state->r[i / 2] >> 32 * (i % 2);
		q[i] = 2 * r[i];
	}

	for (; nblocks--; data += BLOCK) {
		m[0] = get_unaligned_le32(data);
		m[1] = get_unaligned_le32(data + 4);
		m[2] = get_unaligned_le32(data + 8);
		m[3] = get_unaligned_le32(data + 11) >> 8 | top;
		carry = 0;
		for (i = 0; i < 4; i++) {
			carry += (u64)h[i] + m[i];
			h[i] = carry;
			carry >>= 32;
		}

		for (i = 0; i < 4; i++) {
			d[i] = carry;
			for (j = 0; j <= i; j++)
				d[i] += (u64)h[j] * r[i - j];
			for (; j < 4; j++)
				d[i] += (u64)h[j] * q[4 + i - j];
			carry = d[i] >> 32;
		}
		carry = d[3] >> 31;
		d[3] &= MASK(31);
		for (i = 0; i < 4; i++) {
			carry += (u32)d[i];
			h[i] = carry;
			carry >>= 32;
		}
	}

	state->h[0] = h[0] | (u64)h[1] << 32;
	state->h[1] = h[2] | (u64)h[3] << 32;

	memzero_explicit(h, sizeof(h));
	memzero_explicit(m, sizeof(m));
	memzero_explicit(r, sizeof(r));
	memzero_explicit(q, sizeof(q));
	memzero_explicit(d, sizeof(d));
}

#endif
