// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The glue as the module has it, so that its table can be read: what the
 * exported functions do not show.
 */

#include "../user.c"

#include "check.h"

const struct saved_offsets saved_offsets = {
	.keylen = offsetof(struct poly1305_saved, keylen),
	.buflen = offsetof(struct poly1305_saved, buflen),
	.r = offsetof(struct poly1305_saved, r),
	.h = offsetof(struct poly1305_saved, h),
	.size = sizeof(struct poly1305_saved),
};

const struct subject *subjects(void)
{
	static struct subject list[ARRAY_SIZE(impls) + 1];
	struct subject *s = list;
	size_t i;

	if (list[0].name)
		return list;
	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		if (!impls[i].tier->usable())
			continue;
		s->name = impls[i].tier->name;
		s->impl = &impls[i];
		s->blocks = impls[i].tier->blocks;
		s->digest = impls[i].tier->digest;
		s->compiled = s->blocks == poly1305_blocks_generic;
		s++;
	}
	return list;
}

const struct subject *any_subject(void)
{
	const struct subject *list = subjects();
	size_t n = 0;

	while (list[n].name)
		n++;
	return &list[rnd_below(n)];
}
