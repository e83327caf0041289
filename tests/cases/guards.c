// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A call must access nothing outside its buffers. Each buffer lies at the beginning or
 * the end of an area that has no mapped pages around it.
 */

#include "poly1305_test.h"

#define AREA_SIZE	(PAGE_ALIGN(LEN_MAX) + PAGE_SIZE)

enum { KEY, MESSAGE, TAG, AREAS };

static u8 *place(u8 *area, size_t size, bool at_end)
{
	return at_end ? area + AREA_SIZE - size : area;
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
	u8 *areas[AREAS] = { NULL };
	unsigned int ends, i;
	size_t len;
	int err = 0;

	for (i = 0; i < AREAS && !err; i++) {
		areas[i] = vmalloc(AREA_SIZE);
		if (!areas[i])
			err = fail(s, "no memory");
	}
	for (len = 0; len <= LEN_MAX && !err; len = NEXT_LEN(len)) {
		/* Each length with the message at both ends, the others in turn */
		for (ends = len & 1; ends < BIT(AREAS) && !err; ends += 3)
			err = check_ends(s, areas, len, ends);
		cond_resched();
	}
	for (i = 0; i < AREAS; i++)
		vfree(areas[i]);
	return err;
}
