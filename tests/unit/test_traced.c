// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Branches and addresses that depend on secrets. Keys, messages, states and tags are marked as
 * undefined. Valgrind's memcheck, under which this must run, traces undefined bits
 * through all computations and complains of each branch and address that depends on one.
 */

#include "check.h"

/* All lengths up to 64 bytes, and longer ones in steps of a sixteenth */
int test_traced(const struct subject *s)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	const struct way *way;
	struct message m;
	size_t len;

	if (!RUNNING_ON_VALGRIND)
		skip("needs valgrind");
	for (len = 0; len < AREA_SIZE - 100; len += len < 64 ? 1 : len / 16 + 1) {
		for (way = ways; way < ways + nways; way++) {
			if (!(way->kinds & s->kind) || way->branches)
				continue;
			rnd_bytes(input, KEY_SIZE + len + 16);
			m = prepare_way(way, s, len);
			way->run(&m);
			reveal(objects, AREA_SIZE);
		}
	}
	if (before != VALGRIND_COUNT_ERRORS)
		fail("%lu complaints of valgrind", VALGRIND_COUNT_ERRORS - before);
	return 0;
}
