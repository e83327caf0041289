// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 arithmetic in plain C, for every CPU.
 *
 * poly1305_core.h has the notation, the form of the state and the contract of
 * a block function. One of two block functions is built. If the compiler has
 * 128-bit integers, it reads messages as 64-bit words: one block at a time or,
 * in long messages, up to 16 blocks between two reductions. Otherwise it uses
 * five limbs of 26 bits.
 */

#include "compat.h"
#include <linux/kernel.h>
#include <linux/string.h>

#include "poly1305_core.h"

#define MASK(bits)	((1ULL << (bits)) - 1)

/* The tag: (h mod p) + s mod 2^128, with h folded. */
void poly1305_emit(const u64 h[3], const u64 s[2],
		   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u64 g0, g1, g2, reduce, t0, t1;

	/*
	 * g = h + 5. As h < 2p, h mod p is h - p = g - 2^130 if g >= 2^130, and
	 * h otherwise. Only the low 128 bits of either are needed.
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

/* How many blocks the code for long messages takes between two reductions */
#define GROUP		16

/*
 * The least number of blocks for which that code wins: if it must compute its
 * whole table, and if r^1 ... r^8 are known or serve later calls, too.
 * docs/arithmetic.md has the figures.
 */
#define GROUP_MIN	112
#define GROUP_MIN_READY	80

/*
 * x += y0 + 2^64 y1 + 2^128 y2. Carries are found by comparison: compilers make
 * better code of that than of 128-bit sums.
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
 * 2^128 r1 = 2^130 (r1 / 4) = 5 r1 / 4 (mod p), an integer as r1 is a multiple
 * of 4. With q1 = 5 r1 / 4 and x = h + block the product is
 *
 *	     x0 r0 + x1 q1
 *	+ 2^64  (x0 r1 + x1 r0 + x2 q1)
 *	+ 2^128 (x2 r0)
 *
 * Bounds: r0, r1 < 2^60 - 2^33, q1 < 2^60.4 and x2 <= 6, so the first two sums
 * are below 2^126. The second carries at most r0 + r1 into the third, which
 * stays below 8 * 2^60. The part above 130 bits, less than 2^61, is folded by
 * 2^130 = 5, which leaves h2 <= 4.
 */
static void blocks_serial(struct poly1305_mac_state *state, const u8 *data,
			  size_t nblocks, u32 hibit)
{
	const u64 r0 = state->r[0], r1 = state->r[1], q1 = r1 + (r1 >> 2);
	u64 x[3] = { state->h[0], state->h[1], state->h[2] };
	u128 d0, d1;
	u64 d2;

	while (nblocks--) {
		add(x, get_unaligned_le64(data), get_unaligned_le64(data + 8),
		    hibit);
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

/*
 * A power a of r, prepared to be multiplied by a block of two 64-bit words:
 * lo is a, hi is 2^64 a (mod p), both in radix 2^44.
 *
 * Bounds: lo < 2^45, 2^45, 2^43 as in the state; hi < 2^47, 2^45, 2^45.
 */
struct power {
	u64 lo[3];
	u64 hi[3];
};

/*
 * out = a b (mod p) in radix 2^44.
 *
 * 2^132 = 4 * 2^130 = 20 (mod p). Inputs below 2^45, 2^45, 2^43 keep the three
 * columns below 2^94; outputs are below 2^44, 2^44 + 2^7 and 2^42.
 */
static void multiply(u64 out[3], const u64 a[3], const u64 b[3])
{
	const u64 b1x20 = 20 * b[1], b2x20 = 20 * b[2];
	u128 d0, d1, d2;

	d0 = (u128)a[0] * b[0] + (u128)a[1] * b2x20 + (u128)a[2] * b1x20;
	d1 = (u128)a[0] * b[1] + (u128)a[1] * b[0] + (u128)a[2] * b2x20;
	d2 = (u128)a[0] * b[2] + (u128)a[1] * b[1] + (u128)a[2] * b[0];

	d1 += (u64)(d0 >> 44);
	d2 += (u64)(d1 >> 44);
	d0 = (d0 & MASK(44)) + 5 * (u64)(d2 >> 42);
	out[0] = d0 & MASK(44);
	out[1] = (d1 & MASK(44)) + (u64)(d0 >> 44);
	out[2] = d2 & MASK(42);
}

static void get_power(u64 a[3], const struct poly1305_mac_state *state, int k)
{
	int i;

	for (i = 0; i < 3; i++)
		a[i] = state->pow[i][POLY1305_MAC_POWERS - k];
}

static void set_power(struct poly1305_mac_state *state, int k, const u64 a[3])
{
	int i;

	for (i = 0; i < 3; i++)
		state->pow[i][POLY1305_MAC_POWERS - k] = a[i];
}

/* Compute all powers that the state has room for. */
void poly1305_extend_powers(struct poly1305_mac_state *state)
{
	u64 a[3], b[3];
	int k;

	for (k = state->npow + 1; k <= POLY1305_MAC_POWERS; k++) {
		if (k == 1) {
			a[0] = state->r[0] & MASK(44);
			a[1] = (state->r[0] >> 44 | state->r[1] << 20) & MASK(44);
			a[2] = state->r[1] >> 24;
		} else {
			get_power(a, state, k / 2);
			get_power(b, state, k - k / 2);
			multiply(a, a, b);
		}
		set_power(state, k, a);
	}
	state->npow = POLY1305_MAC_POWERS;

	memzero_explicit(a, sizeof(a));
	memzero_explicit(b, sizeof(b));
}

/*
 * 2^64 a is 2^44 (2^20 a). The shift by 20 is carried so that its limbs x are
 * below 2^44 + 2^24, 2^44 + 2^22 and 2^42. The factor 2^44 then only moves
 * them up by one; the last one wraps around, times 2^132 = 20.
 */
static void prepare_power(struct power *power, const u64 a[3])
{
	u64 x0, x1, x2;

	x0 = (a[0] << 20) & MASK(44);
	x1 = ((a[1] << 20) & MASK(44)) + (a[0] >> 24);
	x2 = (a[2] << 20) + (a[1] >> 24);
	x0 += 5 * (x2 >> 42);
	x2 &= MASK(42);

	memcpy(power->lo, a, sizeof(power->lo));
	power->hi[0] = 20 * x2;
	power->hi[1] = x0;
	power->hi[2] = x1;
}

/* table[k - 1] = r^k */
static void prepare_table(struct power table[GROUP],
			  struct poly1305_mac_state *state)
{
	u64 a[3];
	size_t k;

	poly1305_extend_powers(state);
	for (k = 1; k <= GROUP; k++) {
		if (k <= POLY1305_MAC_POWERS)
			get_power(a, state, k);
		else
			multiply(a, table[POLY1305_MAC_POWERS - 1].lo,
				 table[k - POLY1305_MAC_POWERS - 1].lo);
		prepare_power(&table[k - 1], a);
	}
	memzero_explicit(a, sizeof(a));
}

/* The sum of r^1 ... r^n, which n hibits multiply. Limbs are below 2^49. */
static void sum_powers(u64 sum[3], const struct power table[GROUP], size_t n)
{
	size_t i, k;

	for (i = 0; i < 3; i++)
		sum[i] = 0;
	for (k = 0; k < n; k++)
		for (i = 0; i < 3; i++)
			sum[i] += table[k].lo[i];
}

/* d += (m0 + 2^64 m1) power, which adds less than 2^112 to each column */
static __always_inline void add_product(u128 d[3], u64 m0, u64 m1,
					const struct power *power)
{
	d[0] += (u128)m0 * power->lo[0];
	d[1] += (u128)m0 * power->lo[1];
	d[2] += (u128)m0 * power->lo[2];
	d[0] += (u128)m1 * power->hi[0];
	d[1] += (u128)m1 * power->hi[1];
	d[2] += (u128)m1 * power->hi[2];
}

/*
 * h = (h + m_1) r^n + m_2 r^(n-1) + ... + m_n r, with one reduction at the end.
 * hibits is the sum of powers that the blocks' bits 128 multiply, or zero.
 *
 * Columns have weights 1, 2^44 and 2^88. 16 blocks put less than 2^116 into
 * each. The blocks' bits 128, and the top word x2 of h + m_1, add 2^128 a with
 * a = hibits + x2 r^n < 2^50:
 *
 *	2^128 (a0 + 2^44 a1 + 2^88 a2) = 2^88 (2^40 a0) + 5 (2^42 a1)
 *					 + 2^44 (5 (2^42 a2))	(mod p)
 *
 * The first block comes last, because it alone waits for the h before it.
 */
static __always_inline void add_group(u64 h[3], const u8 *data, size_t n,
				      const struct power table[GROUP],
				      const u64 hibits[3])
{
	const struct power *top = &table[n - 1];
	u128 d[3] = {}, fold;
	u64 a[3];
	size_t i;

	for (i = 1; i < n; i++)
		add_product(d, get_unaligned_le64(data + 16 * i),
			    get_unaligned_le64(data + 16 * i + 8), top - i);

	add(h, get_unaligned_le64(data), get_unaligned_le64(data + 8), 0);
	add_product(d, h[0], h[1], top);
	for (i = 0; i < 3; i++)
		a[i] = hibits[i] + h[2] * top->lo[i];
	d[0] += (u128)(5 * a[1]) << 42;
	d[1] += (u128)(5 * a[2]) << 42;
	d[2] += (u128)a[0] << 40;

	/* Carry. The part above 130 bits wraps around as fold, below 2^77. */
	d[1] += d[0] >> 44;
	d[2] += d[1] >> 44;
	fold = 5 * (d[2] >> 42);

	h[0] = ((u64)d[0] & MASK(44)) | (u64)d[1] << 44;
	h[1] = ((u64)d[1] & MASK(44)) >> 20 | (u64)d[2] << 24;
	h[2] = ((u64)d[2] & MASK(42)) >> 40;
	add(h, fold, fold >> 64, 0);
}

/* If nblocks is not a multiple of GROUP, the first group is shorter. */
static void blocks_grouped(struct poly1305_mac_state *state, const u8 *data,
			   size_t nblocks, u32 hibit)
{
	const size_t first = nblocks % GROUP;
	struct power table[GROUP];
	u64 hibits[3] = {};

	prepare_table(table, state);

	if (first) {
		if (hibit)
			sum_powers(hibits, table, first);
		add_group(state->h, data, first, table, hibits);
		data += first * POLY1305_MAC_BLOCK_SIZE;
		nblocks -= first;
	}

	if (hibit)
		sum_powers(hibits, table, GROUP);
	for (; nblocks; nblocks -= GROUP) {
		add_group(state->h, data, GROUP, table, hibits);
		data += GROUP * POLY1305_MAC_BLOCK_SIZE;
	}

	memzero_explicit(table, sizeof(table));
	memzero_explicit(hibits, sizeof(hibits));
}

void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit)
{
	const bool ready = state->npow == POLY1305_MAC_POWERS ||
			   state->hint >= GROUP_MIN;

	if (nblocks < (ready ? GROUP_MIN_READY : GROUP_MIN))
		blocks_serial(state, data, nblocks, hibit);
	else
		blocks_grouped(state, data, nblocks, hibit);
}

#else /* no 128-bit integers */

/*
 * Radix 2^26, five limbs, the same form for h and r:
 * w[0] + 2^64 w[1] + 2^128 w[2] = x0 + 2^26 x1 + ... + 2^104 x4.
 *
 * All limbs are below 2^26 except x4, which takes all bits of w[2]: x4 < 2^27
 * for w[2] <= 6.
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
 * h = (h + block) r, one block after the other. As 2^130 = 5, a product of
 * limbs i and j with i + j >= 5 wraps around to limb i + j - 5, times 5.
 *
 * Bounds: before a multiplication h0, h2, h3 < 2^27, h1 < 2^27 + 2^9, and
 * h4 < 2^27; r's limbs are below 2^26, five times that below 2^28.4. So each
 * column is below 5 * 2^55.5 < 2^58.
 */
void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit)
{
	u32 h[5], m[5], r[5], q[5];
	u64 d[5], carry, t;
	int i, j;

	split26(r, state->r[0], state->r[1], 0);
	for (i = 0; i < 5; i++)
		q[i] = 5 * r[i];
	split26(h, state->h[0], state->h[1], state->h[2]);

	while (nblocks--) {
		split26(m, get_unaligned_le64(data),
			get_unaligned_le64(data + 8), hibit);
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
	 * h1 may exceed 26 bits by a carry, so the limbs are added in 64-bit
	 * words, not joined bit by bit. h4 < 2^26 leaves h2 <= 3 plus a carry.
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
