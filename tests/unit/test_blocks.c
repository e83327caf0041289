// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Block functions alone, compared with big-integer arithmetic, from any state that the
 * contract allows and with awkward blocks.
 */

#include "check.h"

/* The number that limbs of 44 bits stand for, tight or loose */
static void from_limbs(u64 x[3], const u64 limb[3])
{
	int i;

	memset(x, 0, 3 * sizeof(x[0]));
	for (i = 0; i < 3; i++)
		add_shifted(x, limb[i], 44 * i);
}

static void get_limbs(u64 limb[3], const struct poly1305_mac_state *state,
		      u32 k)
{
	int i;

	for (i = 0; i < 3; i++)
		limb[i] = state->pow[i][POLY1305_MAC_POWERS - k];
}

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

/* Checks the contract's rules for a state after a call, given the state before. */
static void check_state(const struct tier *tier,
			const struct poly1305_mac_state *state,
			const struct poly1305_mac_state *before,
			const u64 expected[3])
{
	u64 r[3] = { before->r[0], before->r[1] }, power[3] = { 1 };
	u64 h[3], limb[3], x[3];
	u32 k;

	value_of(h, state, tier->name);
	if (memcmp(h, expected, sizeof(h)))
		fail("h is wrong");
	if (memcmp(state->r, before->r, sizeof(state->r)))
		fail("r has changed");
	if (state->hint != before->hint)
		fail("hint has changed");
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
		fill_r(before.r);
		fill_state_h(&before);
		if (rnd_below(8) == 0 && nblocks < 300) {
			fill_target(target);
			before.unfolded = 0;
			fill_h_for(before.h, target, before.r, input.rw + at,
				   nblocks, hibit);
		}
		fill_powers(&before, rnd_below(POLY1305_MAC_POWERS + 1));
		before.hint = any_hint(nblocks);
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
		fill_r(before.r);
		fill_state_h(&before);
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, text, nblocks, hibit);
		before.hint = any_hint(nblocks);
		end = nblocks <= NBLOCKS_MAX ? 64 : 0;
		for (at = 0; at < end; at++) {
			if (at % 8 == 0)
				fill_powers(&before, rnd_below(9));
			memcpy(input.rw + at, text, len);
			try_blocks(tier, &before, 8 * (at % 8), at, nblocks,
				   hibit, expected);
		}
		fill_powers(&before, rnd_below(9));
		memcpy(input.rw + last, text, len);
		try_blocks(tier, &before, 0, last, nblocks, hibit, expected);
	}
}

/* One message through the block functions of several tiers in turn */
static void test_mix(const struct tier *tier)
{
	struct poly1305_mac_state *state, before;
	size_t left, n, at, state_at;
	u64 expected[3], i;

	state_at = objects.size - sizeof(*state);
	state = (void *)(objects.rw + state_at);
	for (i = first_case(); next_case(&i, random_cases() / 4); i++) {
		left = rnd_below(rnd_below(8) ? NBLOCKS_MAX + 1 :
				 INPUT_MAX / BLOCK_SIZE + 1);
		at = input.size - left * BLOCK_SIZE;
		fill_message(input.rw + at, left * BLOCK_SIZE);
		fill_r(before.r);
		fill_state_h(&before);
		fill_powers(&before, 0);
		before.hint = any_hint(left);
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, input.rw + at, left, 1);

		area_paint(&objects);
		*state = before;
		for (; left; left -= n, at += n * BLOCK_SIZE) {
			n = min(left, rnd() & 1 ? rnd_below(10) : any_nblocks());
			call_blocks(rnd() & 1 ? tier : any_tier(), state,
				    input.ro + at, n, 1);
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
