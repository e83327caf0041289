// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Branches and addresses that depend on secrets. Keys, messages, states and tags are marked as
 * undefined. Valgrind's memcheck, under which this must run, traces undefined bits
 * through all computations and complains of each branch and address that depends on one.
 */

#include "ways.h"

/* Powers known and not, both kinds of last block */
static void trace_blocks(const struct tier *tier, size_t nblocks)
{
	struct poly1305_mac_state *state = (void *)objects;
	u32 hibit;

	for (hibit = 0; hibit < 2; hibit++) {
		memset(state, 0, sizeof(*state));
		hide(state->h, sizeof(state->h));
		hide(state->r, sizeof(state->r));
		hide(state->pow, sizeof(state->pow));
		/* The second call has what the first has remembered. */
		tier->blocks(state, input, nblocks, 1);
		tier->blocks(state, input, nblocks, hibit);
		if (state->npow > 1000)
			fail("npow is %u", state->npow);
	}
}

/* All lengths up to 64 bytes, and longer ones at distances in which no tier has all its methods */
void test_traced(const struct tier *tier)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	const struct way *way;
	struct message m;
	size_t len;

	if (!RUNNING_ON_VALGRIND)
		skip("needs valgrind");
	for (len = 0; len < AREA_SIZE - 100; len += len < 64 ? 1 : len / 16 + 1) {
		for (way = ways; way->name; way++) {
			if (way->branches)
				continue;
			rnd_bytes(input, KEY_SIZE + len + 16);
			m = prepare_way(way, tier, len);
			way->run(&m);
			reveal(objects, AREA_SIZE);
		}
		trace_blocks(tier, len / BLOCK_SIZE);
	}
	if (before != VALGRIND_COUNT_ERRORS)
		fail("%lu complaints of valgrind", VALGRIND_COUNT_ERRORS - before);
}
