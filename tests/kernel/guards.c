// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Nothing outside its buffers is touched by a call: every buffer in turn, and
 * then all of them, stand at one end of an area that has no mapped page beyond.
 */

#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "poly1305_test.h"

#define AREA	(PAGE_ALIGN(LEN_MAX) + PAGE_SIZE)

enum { KEY, MESSAGE, TAG, AREAS };

static u8 *place(u8 *area, size_t size, bool at_end)
{
	return at_end ? area + AREA - size : area;
}

static int check_ends(const struct subject *s, u8 *const *areas, size_t len,
		      unsigned int ends)
{
	const struct sample *sample = &random_sample;
	u8 *key = place(areas[KEY], KEY_SIZE, ends & BIT(KEY));
	u8 *msg = place(areas[MESSAGE], len, ends & BIT(MESSAGE));
	u8 *tag = place(areas[TAG], TAG_SIZE, ends & BIT(TAG));
	struct mac mac;
	int err;

	memcpy(key, sample->input, KEY_SIZE);
	memcpy(msg, sample->input + KEY_SIZE, len);

	if (!s->tfm) {
		poly1305_mac_digest(key, msg, len, tag);
		if (memcmp(tag, sample->tags[len], TAG_SIZE))
			return fail(s, "digest of %zu bytes, ends %x", len,
				    ends);
		err = poly1305_mac_verify(key, msg, len, tag);
		if (err)
			return fail(s, "verify of %zu bytes, ends %x, error %d",
				    len, ends, err);
	}

	memset(tag, 0, TAG_SIZE);
	err = mac_init(&mac, s, key) ?:
	      mac_update(&mac, msg, len) ?:
	      mac_final(&mac, tag);
	if (err || memcmp(tag, sample->tags[len], TAG_SIZE))
		return fail(s, "update with %zu bytes, ends %x, error %d", len,
			    ends, err);
	return 0;
}

int test_guards(const struct subject *s)
{
	unsigned int ends, i;
	u8 *areas[AREAS];
	size_t len;
	int err = 0;

	for (i = 0; i < AREAS; i++) {
		areas[i] = vmalloc(AREA);
		if (!areas[i])
			err = fail(s, "no memory");
	}
	for (len = 0; len <= LEN_MAX && !err; len = NEXT_LEN(len)) {
		/* Each length with the message at both ends, all else in turn */
		for (ends = len & 1; ends < BIT(AREAS) && !err; ends += 3)
			err = check_ends(s, areas, len, ends);
		cond_resched();
	}
	for (i = 0; i < AREAS; i++)
		vfree(areas[i]);
	return err;
}
