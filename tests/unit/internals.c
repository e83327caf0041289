// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Two files of the module, included so that their static variables can be read, and
 * the tiers as subjects of the tests.
 */

#include "poly1305_glue.c"
#include "poly1305_lib.c"

#include "check.h"

static void describe(struct subject *s, size_t i)
{
	const struct poly1305_tier *tier = poly1305_tiers[i];
	const struct poly1305_code *code = tier->simd_from ? &tier->simd :
							     &tier->scalar;
	const struct poly1305_lanes *lanes = tier->lanes ?: tier->pairs;

	s->name = tier->name;
	s->tier = tier;
	s->alg = &drivers[i];
	s->blocks = code->blocks;
	s->digest = code->has_digest ? code->digest : NULL;
	s->batch = lanes ? lanes->batch : NULL;
	s->run = lanes && lanes->has_run ? lanes->run : NULL;
	s->lanes = lanes ? lanes->width : 0;
	s->compiled = s->blocks == poly1305_blocks_generic;
}

/* The tier that the exported functions called before any test chose another */
static typeof(((struct poly1305_ops *)NULL)->digest) digest_at_start;

bool serves(const struct subject *subject)
{
	const struct poly1305_ops *ops = subject->tier->ops;

	return best_tier == subject->tier &&
	       shim_call_poly1305_best_update == ops->update &&
	       shim_call_poly1305_best_final == ops->final &&
	       shim_call_poly1305_best_digest == ops->digest;
}

bool served_at_start(const struct subject *subject)
{
	return digest_at_start == subject->tier->ops->digest;
}

void reload(void)
{
	poly1305_mod_exit();
	if (poly1305_mod_init())
		abort();
}

#ifdef CONFIG_X86_64
/* arch/x86/poly1305-x86_64.S */
extern u8 poly1305_x86_64_adx;
static bool has_adx;
#endif

const struct subject *subjects(void)
{
	/* Two for the scalar tier */
	static struct subject list[POLY1305_NTIERS + 2];
	struct subject *s = list;
	int priority;
	size_t i;

	if (list[0].name)
		return list;
	digest_at_start = shim_call_poly1305_best_digest;
	for (i = 0; i < POLY1305_NTIERS; i++) {
		if (!poly1305_tiers[i]->usable(&priority))
			continue;
		describe(s++, i);
#ifdef CONFIG_X86_64
		if (strcmp(s[-1].name, "poly1305-x86_64"))
			continue;
		has_adx = poly1305_x86_64_adx;
		if (has_adx) {
			describe(s, i);
			s->name = "poly1305-x86_64-without-adx";
			s++->poor = true;
		}
#endif
	}
	return list;
}

void prepare(const struct subject *subject)
{
#ifdef CONFIG_X86_64
	poly1305_x86_64_adx = has_adx && !subject->poor;
#endif
}

const struct subject *any_subject(void)
{
	const struct subject *list = subjects();
	size_t n = 0;

	while (list[n].name)
		n++;
	return &list[rnd_below(n)];
}
