// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Areas of memory between inaccessible pages */

#include <stdlib.h>

#include "check.h"
#include "kernel.h"

struct area input = { INPUT_MAX }, output = { INPUT_MAX };
struct area keys, tags, objects, exports;

void make_areas(void)
{
	struct area *const areas[] = { &input, &output, &keys, &tags, &objects, &exports };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(areas); i++) {
		areas[i]->size = PAGE_ALIGN(areas[i]->size ?: 1);
		areas[i]->at = vmalloc(areas[i]->size);
		if (!areas[i]->at)
			abort();
	}
}
