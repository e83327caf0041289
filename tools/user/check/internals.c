// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The glue as the module has it, so that its table can be read: what the
 * exported functions do not show.
 */

#include "../user.c"

#include "check.h"

static bool usable(const struct poly1305_impl *impl)
{
	return impl->tier->usable();
}

const struct subject *subjects(void)
{
	static struct subject list[ARRAY_SIZE(impls) + 1];
	struct subject *s = list;
	size_t i;

	if (list[0].name)
		return list;
	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		if (!usable(&impls[i]))
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
