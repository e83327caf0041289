// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Branches and addresses that depend on secrets. Keys, messages, states and tags are marked as
 * undefined. Valgrind's memcheck, under which this must run, traces undefined bits
 * through all computations and complains of each branch and address that depends on one.
 */

#include <crypto/internal/simd.h>

#include "traced.h"
#include "ways.h"

/*
 * Lengths at which tiers change their method. Each is tried with its neighbours, and
 * so are all lengths up to 64 bytes and every fifth up to 272.
 */
static const size_t boundaries[] = {
	512, 640, 768, 896, 1024, 1280, 2048, 2880, 3072, 4096, 6144, 8192,
	8256, 12288, 16384, 20480, 25600, INPUT_MAX - KEY_SIZE - TAG_SIZE - 17,
};

/* Powers known and not, both kinds of last block */
static void trace_blocks(const struct tier *tier, size_t nblocks)
{
	struct poly1305_mac_state *state = (void *)objects.at;
	u32 hibit;

	for (hibit = 0; hibit < 2; hibit++) {
		memset(state, 0, sizeof(*state));
		hide(state->h, sizeof(state->h));
		hide(state->r, sizeof(state->r));
		hide(state->pow, sizeof(state->pow));
		/* The second call has what the first has remembered. */
		tier->blocks(state, input.at, nblocks, 1);
		tier->blocks(state, input.at, nblocks, hibit);
		if (state->npow > 1000)
			fail("npow is %u", state->npow);
	}
}

void test_traced(const struct tier *tier)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	struct message m = new_message(tier);
	const struct way *way;
	u64 i;

	if (!RUNNING_ON_VALGRIND)
		skip("needs valgrind");
	for (i = 0; next_case(i, 64 + 42 + 3 * ARRAY_SIZE(boundaries)); i++) {
		if (i < 64 + 42)
			m.len = i < 64 ? i : 64 + 5 * (i - 64);
		else
			m.len = boundaries[(i - 64 - 42) / 3] + 17 * ((i - 64 - 42) % 3) - 17;
		for (way = ways; way->name; way++) {
			if (way->branches)
				continue;
			serve_by(tier);
			shim_simd_usable = true;
			rnd_bytes(input.at, KEY_SIZE + m.len);
			hide(input.at, input.size);
			hide(tags.at, tags.size);
			if (way->before)
				way->before(&m);
			way->run(&m);
			reveal(objects.at, objects.size);
		}
		trace_blocks(tier, m.len / BLOCK_SIZE);
	}
	if (before != VALGRIND_COUNT_ERRORS)
		fail("%lu complaints of valgrind", VALGRIND_COUNT_ERRORS - before);
}
