// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The list of tiers under test. Two files of the module are included here, so that
 * their static variables can be read.
 */

#include "poly1305_glue.c"
#include "poly1305_lib.c"

#include "check.h"

bool serves(const struct tier *tier)
{
	const struct poly1305_ops *ops = tier->def->ops;

	return poly1305_best_update == ops->update &&
	       poly1305_best_final == ops->final &&
	       poly1305_best_digest == ops->digest;
}

static void describe(struct tier *t, size_t i)
{
	const struct poly1305_tier *def = poly1305_tiers[i];
	const struct poly1305_code *code = def->simd_from ? &def->simd :
							    &def->scalar;

	t->name = def->name;
	t->def = def;
	t->alg = &drivers[i];
	t->blocks = code->blocks;
	t->compiled = t->blocks == poly1305_blocks_generic;
	t->at_start = serves(t);
}

#ifndef CONFIG_X86_64
bool poly1305_has_mulx;
#endif
static bool has_mulx;

const struct tier *tier_list(void)
{
	/* The scalar tier may be listed twice; the last entry is empty. */
	static struct tier list[POLY1305_NTIERS + 2];
	struct tier *t = list;
	size_t i;

	if (list[0].name)
		return list;
	for (i = 0; i < POLY1305_NTIERS; i++) {
		if (!poly1305_tiers[i]->usable())
			continue;
		describe(t++, i);
		if (strcmp(t[-1].name, POLY1305_NAME "-x86_64"))
			continue;
		has_mulx = poly1305_has_mulx;
		if (has_mulx) {
			describe(t, i);
			t->name = POLY1305_NAME "-x86_64-without-mulx";
			t++->no_mulx = true;
		}
	}
	return list;
}

void prepare(const struct tier *tier)
{
	poly1305_has_mulx = has_mulx && !tier->no_mulx;
}
