// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The glue as the module has it, so that its table can be read: what the
 * exported functions do not show.
 */

#include "../../user/user.c"

#include "check.h"

const struct saved_offsets saved_offsets = {
	.keylen = offsetof(struct poly1305_saved, keylen),
	.buflen = offsetof(struct poly1305_saved, buflen),
	.key = offsetof(struct poly1305_saved, key),
	.buf = offsetof(struct poly1305_saved, buf),
	.s = offsetof(struct poly1305_saved, s),
	.r = offsetof(struct poly1305_saved, r),
	.h = offsetof(struct poly1305_saved, h),
	.size = sizeof(struct poly1305_saved),
};

/* The rows themselves, in the order of impls */
#define ROW(id, ...) &tier_##id,
static const struct poly1305_tier *const tiers[] = { POLY1305_TIERS(ROW) };

static void describe(struct subject *s, size_t i)
{
	s->name = tiers[i]->name;
	s->driver = tiers[i]->name;
	s->impl = &impls[i];
	s->blocks = tiers[i]->blocks;
	s->digest = tiers[i]->digest;
	s->batch = tiers[i]->lanes ? tiers[i]->batch : tiers[i]->pair;
	s->run = tiers[i]->has_run ? tiers[i]->run : NULL;
	s->lanes = tiers[i]->lanes ?: 2;
	s->compiled = s->blocks == poly1305_blocks_generic;
}

/* Whom the exported functions called before any test chose another */
static typeof(impls[0].digest) digest_at_start;

bool serves(const struct subject *subject)
{
	return best_impl == subject->impl &&
	       shim_call_poly1305_best_update == subject->impl->update &&
	       shim_call_poly1305_best_final == subject->impl->final &&
	       shim_call_poly1305_best_digest == subject->impl->digest;
}

bool served_at_start(const struct subject *subject)
{
	return digest_at_start == subject->impl->digest;
}

void reload(void)
{
	poly1305_mod_exit();
	if (poly1305_mod_init())
		abort();
}

#ifdef CONFIG_X86_64
static bool has_adx;
#endif

const struct subject *subjects(void)
{
	/* Two for the scalar tier */
	static struct subject list[ARRAY_SIZE(impls) + 2];
	struct subject *s = list;
	size_t i;

	if (list[0].name)
		return list;
	digest_at_start = shim_call_poly1305_best_digest;
	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		if (!impls[i].usable(&impls[i].alg.base.cra_priority))
			continue;
		describe(s++, i);
#ifdef CONFIG_X86_64
		if (s[-1].blocks == poly1305_blocks_x86_64)
			has_adx = poly1305_x86_64_adx;
		if (s[-1].blocks == poly1305_blocks_x86_64 && has_adx) {
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
