// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Branches and addresses that depend on secrets. Keys, messages, states and tags are marked as
 * undefined. Valgrind's memcheck, under which this must run, traces undefined bits
 * through all computations and complains of each branch and address that depends on one.
 */

#include "check.h"

static void look_traced(void)
{
	if (now.way->branches)
		return;
	prepare_call(rnd());
	now.way->run();
	reveal(objects, AREA_SIZE);
}

/* All lengths up to 64 bytes, and longer ones in steps of a sixteenth */
int test_traced(const struct subject *s)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	size_t len;

	if (!RUNNING_ON_VALGRIND)
		skip("needs valgrind");
	for (len = 0; len < AREA_SIZE - 100; len += len < 64 ? 1 : len / 16 + 1)
		look_at_ways(s, len, look_traced);
	if (before != VALGRIND_COUNT_ERRORS)
		fail("%lu complaints of valgrind", VALGRIND_COUNT_ERRORS - before);
	return 0;
}
