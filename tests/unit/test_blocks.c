// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Block functions alone, from any state that the contract allows and with awkward blocks. For
 * assembly tests/proofs shows the same of all inputs; this is quicker, and includes other CPUs.
 * The reference is included for its steps. The case "vectors" compares it with known tags.
 */

#include "check.h"
#include "../reference/poly1305_ref.c"

static void to_digits(u32 x[DIGITS], const u64 *words)
{
	int i;

	for (i = 0; i < DIGITS; i++)
		x[i] = words[i / 8] >> 8 * (i % 8) & 255;
}

/* The blocks added to h, with bit 128 or without, and h reduced modulo p */
static void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks, u32 hibit)
{
	const u64 r_words[3] = { r[0], r[1] };
	u32 x[DIGITS], m[DIGITS], a[DIGITS];
	int i;

	to_digits(x, h);
	to_digits(a, r_words);
	for (; nblocks--; data += BLOCK_SIZE) {
		load(m, data, BLOCK_SIZE, hibit);
		step(x, m, a);
	}
	reduce(x);
	memset(h, 0, 3 * sizeof(h[0]));
	for (i = 0; i < DIGITS; i++)
		h[i / 8] |= (u64)x[i] << 8 * (i % 8);
}

/* A member of any state that the contract allows */
static void fill_h(u64 h[3])
{
	switch (rnd_below(6)) {
	case 0:				/* the greatest h */
		h[0] = -1ULL;
		h[1] = POLY1305_H1_MAX;
		h[2] = POLY1305_H2_MAX;
		break;
	case 1:				/* just below or above the prime */
		h[0] = -1ULL - rnd_below(8);
		h[1] = POLY1305_H2_MAX ? -1ULL : -1ULL >> 1;
		h[2] = POLY1305_H2_MAX ? 3 : 0;
		break;
	default:			/* any words, often zeros or ones */
		h[0] = rnd() & 1 ? rnd() : 0 - (rnd() & 1);
		h[1] = (rnd() & 1 ? rnd() : 0 - (rnd() & 1)) & POLY1305_H1_MAX;
		h[2] = rnd() & 1 ? POLY1305_H2_MAX : rnd_below(POLY1305_H2_MAX + 1);
	}
}

int test_blocks(const struct subject *s)
{
	struct poly1305_mac_state before, *state = at_end(objects, sizeof(*state));
	const struct tier *tier = s->tier;
	u64 expected[3], h[3];
	size_t nblocks, i;
	u8 *blocks;
	u32 hibit;

	for (i = 0; i < cases; i++) {
		nblocks = rnd_len(rnd_below(64) ? 300 : AREA_SIZE / BLOCK_SIZE - 8);
		hibit = rnd_below(4) != 0;
		memset(state, rnd() & 1 ? 0xff : 0, sizeof(*state));
		state->have_powers = 0;
		state->want_powers = rnd() & 1;
		fill_r(state->r);
		fill_h(state->h);
		/* Half of the states have met blocks already, and may know powers. */
		if (rnd() & 1)
			tier->blocks(state, input, rnd_below(64), 1);
		fill_h(state->h);
		before = *state;
		blocks = rnd() & 1 ? at_end(input, nblocks * BLOCK_SIZE) : input + rnd_below(128);
		fill_message(blocks, nblocks * BLOCK_SIZE);
		memcpy(expected, before.h, sizeof(expected));
		ref_blocks(expected, before.r, blocks, nblocks, hibit);

		tier->blocks(state, blocks, nblocks, hibit);
		memcpy(h, state->h, sizeof(h));
		if (POLY1305_H_BEYOND(h))
			fail("h[1] is %llx, h[2] %llx", (unsigned long long)h[1],
			     (unsigned long long)h[2]);
		ref_blocks(h, before.r, NULL, 0, 0);
		if (memcmp(h, expected, sizeof(h)))
			fail("h is wrong");
		if (memcmp(state->r, before.r, sizeof(state->r)) ||
		    state->want_powers != before.want_powers)
			fail("r or want_powers has changed");
	}
	return 0;
}
