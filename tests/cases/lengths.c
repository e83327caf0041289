// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * All lengths. A call must access nothing outside its buffers: each lies at the beginning or the
 * end of an area that has no mapped pages around it.
 */

#include "poly1305_test.h"

#define AREA_SIZE	PAGE_ALIGN(KEY_SIZE + LEN_MAX)

/* The message without its key, where nothing lies before it */
static int check_alone(const struct subject *s, u8 *area, size_t len, u8 *tag)
{
	const u8 *input = s->sample->input;
	struct mac mac;
	int err;

	memcpy(area, input + KEY_SIZE, len);
	err = mac_init(&mac, s, input) ?:
	      mac_update(&mac, stream(s, input), s->head) ?:
	      mac_update(&mac, area, len) ?:
	      mac_final(&mac, tag);
	return check_tag(s, err, tag, len, s->head, "the message alone");
}

int test_lengths(const struct subject *s)
{
	u8 *area = vmalloc(AREA_SIZE), *tags = vmalloc(PAGE_SIZE);
	size_t len, cut;
	int err = 0;

	if (!area || !tags)
		err = fail(s, "no memory");
	for (len = 0; len <= LEN_MAX && !err; len = NEXT_LEN(len)) {
		cut = random_below(s->head + len + 1);
		err = check_ways(s, area, len, cut, tags) ?:
		      check_ways(s, area + AREA_SIZE - KEY_SIZE - len, len, cut,
				 tags + PAGE_SIZE - TAG_SIZE) ?:
		      check_alone(s, area, len, tags);
		cond_resched();
	}
	vfree(area);
	vfree(tags);
	return err;
}
