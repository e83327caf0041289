// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Block functions alone, from any state that the contract allows and with awkward blocks. For
 * assembly tests/proofs shows the same of all inputs; this is quicker, and includes other CPUs.
 */

#include "check.h"

void test_blocks(const struct tier *tier)
{
	struct poly1305_mac_state before, *state = at_end(objects, sizeof(*state));
	u64 expected[3], h[3];
	size_t nblocks, i;
	u8 *blocks;
	u32 hibit;

	for (i = 0; i < cases; i++) {
		nblocks = rnd_len(rnd_below(64) ? 300 : AREA_SIZE / BLOCK_SIZE);
		hibit = rnd_below(4) != 0;
		memset(state, rnd() & 1 ? 0xff : 0, sizeof(*state));
		state->npow = 0;
		state->powers_pay = rnd() & 1;
		fill_r(state->r);
		fill_h(state->h);
		/* Half of the states have met blocks already, and may know powers. */
		if (rnd() & 1)
			tier->blocks(state, input, rnd_below(64), 1);
		fill_h(state->h);
		before = *state;
		blocks = any_place(input, nblocks * BLOCK_SIZE);
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
		    state->powers_pay != before.powers_pay)
			fail("r or powers_pay has changed");
	}
}
