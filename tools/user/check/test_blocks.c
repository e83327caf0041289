// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Block functions, alone: any state that the contract allows, with blocks made
 * to be awkward, must become the state that big integers say.
 */

#include "check.h"

#define NBLOCKS_MAX	320

static struct area data, states;

/* A value of at most three words from limbs of 44 bits, however loose */
static void from_limbs(u64 x[3], const u64 limb[3])
{
	x[0] = limb[0] + (limb[1] << 44);
	x[1] = (limb[1] >> 20) + (x[0] < limb[0]);
	x[2] = limb[2] >> 40;
	x[1] += limb[2] << 24;
	x[2] += x[1] < limb[2] << 24;
}

static void get_limbs(u64 limb[3], const struct poly1305_mac_state *state,
		      u32 k)
{
	int i;

	for (i = 0; i < 3; i++)
		limb[i] = state->pow[i][POLY1305_MAC_POWERS - k];
}

/* x as limbs that are as loose as they may be, or not, as chance has it */
static void to_limbs(u64 limb[3], const u64 x[3])
{
	static const u64 p[3] = { -5ULL, -1ULL, 3 };
	const u64 mask = (1ULL << 44) - 1;
	u64 y[3] = { x[0], x[1], x[2] };

	if (rnd() & 1) {
		y[0] += p[0];
		y[1] += y[0] < p[0];
		y[2] += x[1] == -1ULL && !y[1];
		y[2] += y[1] && 1;
		y[1] += p[1];
		y[2] += p[2];
	}
	limb[0] = y[0] & mask;
	limb[1] = (y[0] >> 44 | y[1] << 20) & mask;
	limb[2] = y[1] >> 24 | y[2] << 40;
	if (rnd() & 1 && limb[1]) {
		limb[0] += 1ULL << 44;
		limb[1]--;
	}
	if (rnd() & 1 && limb[2]) {
		limb[1] += 1ULL << 44;
		limb[2]--;
	}
}

static void fill_r(u64 r[2])
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

static void fill_blocks(u8 *p, size_t len)
{
	size_t i;

	switch (rnd_below(6)) {
	case 0:
		memset(p, 0xff, len);
		break;
	case 1:
		memset(p, 0, len);
		break;
	case 2:
		memset(p, 0xff, len);
		for (i = rnd_below(4); len && i; i--)
			p[rnd_below(len)] ^= 1 << rnd_below(8);
		break;
	case 3:
		for (i = 0; i < len; i++)
			p[i] = rnd_below(2) ? 0xff : 0;
		break;
	default:
		rnd_bytes(p, len);
	}
}

/* An end near which carries and the last reduction have something to do */
static void fill_target(u64 t[3])
{
	const u64 near = rnd_below(16);

	switch (rnd_below(3)) {
	case 0:				/* around 0, that is p */
		t[0] = near - 8;
		t[1] = near < 8 ? -1ULL : 0;
		t[2] = near < 8 ? 3 : 0;
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

/* The h from which these blocks lead to h mod p = target, if r has an inverse */
static void fill_h_for(u64 h[3], const u64 target[3], const u64 r[2],
		       const u8 *blocks, size_t nblocks, u32 hibit)
{
	u64 rn[3] = { 1 }, x[3] = { r[0], r[1] };
	size_t i;

	for (i = 0; i < nblocks; i++)
		ref_multiply(rn, x);
	ref_invert(rn);
	memset(x, 0, sizeof(x));
	ref_blocks(x, r, blocks, nblocks, hibit);
	memcpy(h, target, 3 * sizeof(h[0]));
	ref_subtract(h, x);
	ref_multiply(h, rn);
}

static void fill_h(u64 h[3])
{
	switch (rnd_below(6)) {
	case 0:				/* the greatest there is */
		h[0] = -1ULL;
		h[1] = -1ULL;
		h[2] = POLY1305_H2_MAX;
		break;
	case 1:				/* p - 1, p, p + 1, ... */
		h[0] = rnd_below(8) - 6;
		h[1] = h[0] < 8 ? 0 : -1ULL;
		h[2] = h[0] < 8 ? 4 : 3;
		break;
	case 2:
		memset(h, 0, 3 * sizeof(h[0]));
		break;
	default:
		h[0] = rnd();
		h[1] = rnd();
		h[2] = rnd_below(POLY1305_H2_MAX + 1);
	}
}

/* npow powers, and junk for the rest */
static void fill_powers(struct poly1305_mac_state *state, u32 npow)
{
	u64 r[3] = { state->r[0], state->r[1] }, x[3] = { 1 }, limb[3];
	u32 k, i;

	if (rnd() & 1)
		rnd_bytes(state->pow, sizeof(state->pow));
	else
		memset(state->pow, 0xff, sizeof(state->pow));
	for (k = 1; k <= npow; k++) {
		ref_multiply(x, r);
		to_limbs(limb, x);
		for (i = 0; i < 3; i++)
			state->pow[i][POLY1305_MAC_POWERS - k] = limb[i];
	}
	state->npow = npow;
}

static u32 any_hint(size_t nblocks)
{
	switch (rnd_below(4)) {
	case 0:
		return 0;
	case 1:
		return nblocks;
	case 2:
		return rnd_below(1000);
	default:
		return rnd();
	}
}

/* What the contract says of a state, given what it was before */
static void check_state(const struct poly1305_mac_state *state,
			const struct poly1305_mac_state *before,
			const u64 expected[3])
{
	u64 h[3] = { state->h[0], state->h[1], state->h[2] };
	u64 r[3] = { before->r[0], before->r[1] }, power[3] = { 1 };
	u64 limb[3], x[3];
	u32 k;

	if (h[2] > POLY1305_H2_MAX)
		fail("h[2] is %llu", (unsigned long long)h[2]);
	ref_reduce(h);
	if (memcmp(h, expected, sizeof(h)))
		fail("h is wrong");
	if (memcmp(state->r, before->r, sizeof(state->r)))
		fail("r is changed");
	if (state->hint != before->hint)
		fail("hint is changed");
	if (state->npow > POLY1305_MAC_POWERS)
		fail("npow is %u", state->npow);

	for (k = 1; k <= state->npow; k++) {
		get_limbs(limb, state, k);
		if (limb[0] >> 45 || limb[1] >> 45 || limb[2] >> 43)
			fail("r^%u has too large a limb", k);
		from_limbs(x, limb);
		ref_reduce(x);
		ref_multiply(power, r);
		if (memcmp(x, power, sizeof(x)))
			fail("r^%u of %u is wrong", k, state->npow);
	}
}

/* One call, from *before; blocks may lie anywhere in data */
static void try_blocks(const struct subject *subject,
		       const struct poly1305_mac_state *before,
		       size_t at, size_t nblocks, u32 hibit)
{
	const size_t state_at = area_offset(&states, sizeof(*before), 8);
	struct poly1305_mac_state *state = (void *)(states.rw + state_at);
	u64 expected[3] = { before->h[0], before->h[1], before->h[2] };

	ref_blocks(expected, before->r, data.rw + at, nblocks, hibit);
	area_paint(&states);
	*state = *before;
	call_blocks(subject->blocks, state, data.ro + at, nblocks, hibit);
	check_state(state, before, expected);
	area_check(&states, state_at, sizeof(*state), "the state");
}

static size_t any_nblocks(void)
{
	switch (rnd_below(16)) {
	case 0:
		return rnd_below(NBLOCKS_MAX + 1);
	case 1:
	case 2:
		return rnd_below(130);
	default:
		return rnd_below(40);
	}
}

static void set_up(void)
{
	if (!data.rw) {
		data = area_new(NBLOCKS_MAX * BLOCK_SIZE + 128);
		states = area_new(sizeof(struct poly1305_mac_state));
	}
}

static void test_blocks(const struct subject *subject)
{
	struct poly1305_mac_state before;
	size_t nblocks, at;
	u64 target[3], i;
	u32 hibit;

	set_up();
	for (i = first_case(); next_case(&i, random_cases()); i++) {
		nblocks = any_nblocks();
		hibit = rnd_below(4) != 0;
		at = area_offset(&data, nblocks * BLOCK_SIZE, 1);
		fill_blocks(data.rw + at, nblocks * BLOCK_SIZE);
		fill_r(before.r);
		fill_h(before.h);
		if (rnd_below(8) == 0) {
			fill_target(target);
			fill_h_for(before.h, target, before.r, data.rw + at,
				   nblocks, hibit);
		}
		fill_powers(&before, rnd_below(POLY1305_MAC_POWERS + 1));
		before.hint = any_hint(nblocks);
		try_blocks(subject, &before, at, nblocks, hibit);
	}
}

/* Every number of blocks, npow and hibit, at every alignment */
static void test_lengths(const struct subject *subject)
{
	struct poly1305_mac_state before;
	size_t nblocks, at, last;
	u64 i;

	set_up();
	for (i = first_case(); next_case(&i, NBLOCKS_MAX + 1); i++) {
		nblocks = i;
		last = data.size - nblocks * BLOCK_SIZE;
		fill_blocks(data.rw, data.size);
		fill_r(before.r);
		fill_h(before.h);
		before.hint = any_hint(nblocks);
		for (at = 0; at < 64; at++) {
			fill_powers(&before, at % 9);
			try_blocks(subject, &before,
				   at < 62 ? at : at == 62 ? last : last - 1,
				   nblocks, at & 1);
		}
	}
}

const struct test blocks_tests[] = {
	{ "blocks", test_blocks },
	{ "blocks-lengths", test_lengths },
	{ }
};
