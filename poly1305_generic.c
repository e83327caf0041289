// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 arithmetic in plain C, for every CPU: in radix 2^64 if the compiler has 128-bit
 * integers, else in radix 2^26. poly1305_core.h has the notation and the contracts.
 */

#include "poly1305_core.h"

#define MASK(bits)	((1ULL << (bits)) - 1)

/* tag = (h mod p) + s mod 2^128, for h < 2p */
void poly1305_emit(const u64 h[3], const u64 s[2], u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u64 g0, g1, g2, reduce, t0, t1;

	/*
	 * g = h + 5. As h < 2p, h mod p is h - p = g - 2^130 if g >= 2^130, else h. Only the low
	 * 128 bits are needed.
	 */
	g0 = h[0] + 5;
	g1 = h[1] + (g0 < 5);
	g2 = h[2] + (g1 < h[1]);
	reduce = 0 - (g2 >> 2);

	t0 = (g0 & reduce) | (h[0] & ~reduce);
	t1 = (g1 & reduce) | (h[1] & ~reduce);

	t0 += s[0];
	t1 += s[1] + (t0 < s[0]);
	put_unaligned_le64(t0, tag);
	put_unaligned_le64(t1, tag + 8);
}

#if defined(CONFIG_ARCH_SUPPORTS_INT128) && defined(__SIZEOF_INT128__)

typedef unsigned __int128 u128;

/*
 * x += y0 + 2^64 y1 + 2^128 y2. Comparisons give the carries: compilers turn them into faster code
 * than 128-bit sums.
 */
static __always_inline void add(u64 x[3], u64 y0, u64 y1, u64 y2)
{
	u64 carry;

	x[0] += y0;
	carry = x[0] < y0;
	x[1] += carry;
	carry = x[1] < carry;
	x[1] += y1;
	carry += x[1] < y1;
	x[2] += y2 + carry;
}

/*
 * h = (h + block) r, one block after the other, in radix 2^64.
 *
 * 2^128 r1 = 2^130 (r1 / 4) = 5 r1 / 4 (mod p), an integer because r1 is a multiple of 4. With
 * q1 = 5 r1 / 4 and x = h + block the product is
 *
 *	     x0 r0 + x1 q1
 *	+ 2^64  (x0 r1 + x1 r0 + x2 q1)
 *	+ 2^128 (x2 r0)
 *
 * Bounds: r0, r1 < 2^60 - 2^33, q1 < 2^60.4 and x2 <= 6, so the first two sums are below 2^126. The
 * second sum carries at most r0 + r1 into the third, which stays below 8 * 2^60. The bits from 130
 * up, less than 2^61, are folded by 2^130 = 5, which leaves h2 <= 4.
 */
void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
			     u32 hibit)
{
	const u64 r0 = state->r[0], r1 = state->r[1], q1 = r1 + (r1 >> 2);
	u64 x[3] = { state->h[0], state->h[1], state->h[2] };
	u128 d0, d1;
	u64 d2;

	while (nblocks--) {
		add(x, get_unaligned_le64(data), get_unaligned_le64(data + 8), hibit);
		data += POLY1305_MAC_BLOCK_SIZE;

		d0 = (u128)x[0] * r0 + (u128)x[1] * q1;
		d1 = (u128)x[0] * r1 + (u128)x[1] * r0 + x[2] * q1;
		d2 = x[2] * r0;

		d1 += (u64)(d0 >> 64);
		d2 += (u64)(d1 >> 64);

		/* 5 (d2 / 4) is d2 / 4 plus d2 with its low two bits cleared */
		x[0] = d0;
		x[1] = d1;
		x[2] = d2 & 3;
		add(x, (d2 >> 2) + (d2 & ~3ULL), 0, 0);
	}

	state->h[0] = x[0];
	state->h[1] = x[1];
	state->h[2] = x[2];
}

#else /* no 128-bit integers */

/*
 * Convert h, r or a block to five limbs in radix 2^26:
 * w0 + 2^64 w1 + 2^128 w2 = x0 + 2^26 x1 + ... + 2^104 x4.
 *
 * Limbs are below 2^26 except x4, which takes all bits of w2: x4 < 2^27 for w2 <= 6.
 */
static void split26(u32 x[5], u64 w0, u64 w1, u64 w2)
{
	x[0] = w0 & MASK(26);
	x[1] = (w0 >> 26) & MASK(26);
	x[2] = (w0 >> 52 | w1 << 12) & MASK(26);
	x[3] = (w1 >> 14) & MASK(26);
	x[4] = w1 >> 40 | w2 << 24;
}

/*
 * h = (h + block) r, one block after the other. As 2^130 = 5, a product of limbs i and j with
 * i + j >= 5 wraps around to limb i + j - 5, times 5.
 *
 * Bounds: before a multiplication h0, h2, h3, h4 < 2^27 and h1 < 2^27 + 2^9. r's limbs are below
 * 2^26, and 5 times as much is below 2^28.4. So each column is below 5 * 2^55.5 < 2^58.
 */
void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
			     u32 hibit)
{
	u32 h[5], m[5], r[5], q[5];
	u64 d[5], carry, t;
	int i, j;

	split26(r, state->r[0], state->r[1], 0);
	for (i = 0; i < 5; i++)
		q[i] = 5 * r[i];
	split26(h, state->h[0], state->h[1], state->h[2]);

	while (nblocks--) {
		split26(m, get_unaligned_le64(data), get_unaligned_le64(data + 8), hibit);
		data += POLY1305_MAC_BLOCK_SIZE;
		for (i = 0; i < 5; i++)
			h[i] += m[i];

		for (i = 0; i < 5; i++) {
			d[i] = 0;
			for (j = 0; j <= i; j++)
				d[i] += (u64)h[j] * r[i - j];
			for (; j < 5; j++)
				d[i] += (u64)h[j] * q[5 + i - j];
		}

		carry = 0;
		for (i = 0; i < 5; i++) {
			d[i] += carry;
			h[i] = d[i] & MASK(26);
			carry = d[i] >> 26;
		}
		t = h[0] + 5 * carry;
		h[0] = t & MASK(26);
		h[1] += t >> 26;
	}

	/*
	 * h1 may exceed 26 bits by a carry, so limbs are joined by additions. As h4 < 2^26, h2 <= 3
	 * plus a carry.
	 */
	t = h[0] + ((u64)h[1] << 26);
	state->h[0] = t + ((u64)h[2] << 52);
	carry = state->h[0] < t;
	t = (u64)h[2] >> 12;
	t += ((u64)h[3] << 14) + carry;
	state->h[1] = t + ((u64)h[4] << 40);
	state->h[2] = (h[4] >> 24) + (state->h[1] < t);

	memzero_explicit(h, sizeof(h));
	memzero_explicit(m, sizeof(m));
	memzero_explicit(r, sizeof(r));
	memzero_explicit(q, sizeof(q));
	memzero_explicit(d, sizeof(d));
}

#endif
