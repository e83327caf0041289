// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Block functions alone, compared with big-integer arithmetic, from any state that the
 * contract allows and with awkward blocks.
 */

#include "check.h"

/* The h from which these blocks lead to target mod p, if r has an inverse */
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

/* Any r and h. In half of the states the tier has met blocks already, and may know powers. */
static void fill_state(const struct tier *tier, struct poly1305_mac_state *state)
{
	memset(state, rnd() & 1 ? 0xff : 0, sizeof(*state));
	state->npow = 0;
	state->powers_pay = rnd() & 1;
	fill_r(state->r);
	fill_h(state->h);
	if (rnd() & 1)
		call_blocks(tier, state, input.ro, rnd_below(64), 1);
	fill_h(state->h);
}

/* Checks the contract's rules for a state after a call, given the state before. */
static void check_state(const struct tier *tier,
			const struct poly1305_mac_state *state,
			const struct poly1305_mac_state *before,
			const u64 expected[3])
{
	u64 h[3];

	value_of(h, state, tier->name);
	if (memcmp(h, expected, sizeof(h)))
		fail("h is wrong");
	if (memcmp(state->r, before->r, sizeof(state->r)))
		fail("r has changed");
	if (state->powers_pay != before->powers_pay)
		fail("powers_pay has changed");
}

/* One call from *before, with the state and the blocks at the given offsets */
static void try_blocks(const struct tier *tier,
		       const struct poly1305_mac_state *before, size_t state_at,
		       size_t at, size_t nblocks, u32 hibit,
		       const u64 expected[3])
{
	struct poly1305_mac_state *state = (void *)(objects.rw + state_at);

	area_paint(&objects);
	*state = *before;
	call_blocks(tier, state, input.ro + at, nblocks, hibit);
	check_state(tier, state, before, expected);
	area_check(&objects, state_at, sizeof(*state));
}

static size_t any_nblocks(void)
{
	switch (rnd_below(64)) {
	case 0:
		return rnd_below(INPUT_MAX / BLOCK_SIZE + 1);
	case 1 ... 4:
		return rnd_below(NBLOCKS_MAX + 1);
	case 5 ... 12:
		return rnd_below(130);
	default:
		return rnd_below(40);
	}
}

/* Random calls; some start from an h that leads to an awkward one */
static void test_blocks(const struct tier *tier)
{
	struct poly1305_mac_state before;
	size_t nblocks, at, state_at;
	u64 target[3], expected[3], i;
	u32 hibit;

	for (i = first_case(); next_case(&i, random_cases()); i++) {
		nblocks = any_nblocks();
		hibit = rnd_below(4) != 0;
		at = area_offset(&input, nblocks * BLOCK_SIZE, 1);
		state_at = area_offset(&objects, sizeof(before), 8);
		fill_message(input.rw + at, nblocks * BLOCK_SIZE);
		fill_state(tier, &before);
		if (rnd_below(8) == 0 && nblocks < 300) {
			fill_target(target);
			fill_h_for(before.h, target, before.r, input.rw + at,
				   nblocks, hibit);
		}
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, input.rw + at, nblocks, hibit);
		try_blocks(tier, &before, state_at, at, nblocks, hibit,
			   expected);
	}
}

/*
 * Each number of blocks up to NBLOCKS_MAX, at each alignment of the message and of the
 * state, and at the end of readable memory. --cases adds greater numbers, each at the
 * end alone.
 */
static void test_lengths(const struct tier *tier)
{
	const size_t most = min_t(u64, INPUT_MAX / BLOCK_SIZE,
				  NBLOCKS_MAX + random_cases() / 8);
	static u8 text[INPUT_MAX];
	struct poly1305_mac_state before;
	size_t nblocks, len, at, end, last;
	u64 expected[3], i;
	u32 hibit;

	for (i = first_case(); next_case(&i, 2 * (most + 1)); i++) {
		nblocks = i / 2;
		hibit = i % 2;
		len = nblocks * BLOCK_SIZE;
		last = input.size - len;
		fill_message(text, len);
		fill_state(tier, &before);
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, text, nblocks, hibit);
		end = nblocks <= NBLOCKS_MAX ? 64 : 0;
		for (at = 0; at < end; at++) {
			memcpy(input.rw + at, text, len);
			try_blocks(tier, &before, 8 * (at % 8), at, nblocks,
				   hibit, expected);
		}
		memcpy(input.rw + last, text, len);
		try_blocks(tier, &before, 0, last, nblocks, hibit, expected);
	}
}

/*
 * One message through the block functions of several tiers in turn. Vector code of one tier has
 * no use for the powers of another.
 */
static void test_mix(const struct tier *tier)
{
	struct poly1305_mac_state *state, before;
	const struct poly1305_tier *owner;
	const struct tier *t;
	size_t left, n, at, state_at;
	u64 expected[3], i;

	state_at = objects.size - sizeof(*state);
	state = (void *)(objects.rw + state_at);
	for (i = first_case(); next_case(&i, random_cases() / 4); i++) {
		left = rnd_below(rnd_below(8) ? NBLOCKS_MAX + 1 :
				 INPUT_MAX / BLOCK_SIZE + 1);
		at = input.size - left * BLOCK_SIZE;
		fill_message(input.rw + at, left * BLOCK_SIZE);
		fill_state(tier, &before);
		owner = tier->def;
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, input.rw + at, left, 1);

		area_paint(&objects);
		*state = before;
		for (; left; left -= n, at += n * BLOCK_SIZE) {
			n = min(left, rnd() & 1 ? rnd_below(10) : any_nblocks());
			t = rnd() & 1 ? tier : any_tier();
			if (has_powers(t) && t->def != owner) {
				state->npow = 0;
				owner = t->def;
			}
			call_blocks(t, state, input.ro + at, n, 1);
		}
		check_state(tier, state, &before, expected);
		area_check(&objects, state_at, sizeof(*state));
	}
}

/* poly1305_emit(): the tag from any h */
static void test_emit(const struct tier *tier)
{
	u8 key[KEY_SIZE], expected[TAG_SIZE], tag[TAG_SIZE];
	u64 h[3], s[2], i;

	for (i = first_case(); next_case(&i, random_cases()); i++) {
		fill_key(key);
		if (rnd() & 1)
			fill_h(h);
		else
			fill_target(h);
		s[0] = get_unaligned_le64(key + 16);
		s[1] = get_unaligned_le64(key + 24);
		poly1305_emit(h, s, tag);
		ref_end(expected, h, key, NULL, 0);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("wrong tag");
	}
}

const struct test block_tests[] = {
	{ "emit", test_emit, true },
	{ "blocks", test_blocks },
	{ "blocks-lengths", test_lengths },
	{ "blocks-mix", test_mix },
	{ }
};
