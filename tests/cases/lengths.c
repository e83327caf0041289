// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * All lengths, and with them every alignment. A call must access nothing outside its buffers:
 * each lies at the beginning or the end of an area that has no mapped pages around it.
 */

#include "poly1305_test.h"

#define AREA_SIZE	(PAGE_ALIGN(KEY_SIZE + LEN_MAX) + PAGE_SIZE)

enum { KEY, INPUT, TAG, AREAS };

static u8 *place(u8 *area, size_t size, bool at_end)
{
	return at_end ? area + AREA_SIZE - size : area;
}

static int check_ends(const struct subject *s, const struct sample *sample, u8 *const *areas,
		      size_t len, unsigned int ends)
{
	u8 *key = place(areas[KEY], KEY_SIZE, ends & BIT(KEY));
	u8 *input = place(areas[INPUT], KEY_SIZE + len, ends & BIT(INPUT));
	u8 *tag = place(areas[TAG], TAG_SIZE, ends & BIT(TAG));
	const u8 *want = sample->tags[len];
	struct mac mac;
	int err;

	memcpy(key, sample->input, KEY_SIZE);
	memcpy(input, sample->input, KEY_SIZE + len);
	err = mac_digest(s, input, len, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "digest of %zu bytes, ends %x, error %d", len, ends, err);
	if (!s->tfm && poly1305_mac_verify(key, input + KEY_SIZE, len, tag))
		return fail(s, "verify of %zu bytes, ends %x", len, ends);

	/* The message alone, at the beginning of its area or still at the end */
	input = place(areas[INPUT], len, ends & BIT(INPUT));
	memmove(input, sample->input + KEY_SIZE, len);
	memset(tag, 0, TAG_SIZE);
	err = mac_init(&mac, s, key) ?:
	      mac_update(&mac, input, len) ?:
	      mac_final(&mac, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "update with %zu bytes, ends %x, error %d", len, ends, err);
	return 0;
}

int test_lengths(const struct subject *s)
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
		/* Each length with the input at both ends, the others in turn */
		for (ends = len & 1; ends < BIT(AREAS) && !err; ends += 3)
			err = check_ends(s, ends & 1 ? &random_sample : &ones_sample, areas, len,
					 ends);
		cond_resched();
	}
	for (i = 0; i < AREAS; i++)
		vfree(areas[i]);
	return err;
}
