// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_mac_digest_sg(), which a MAC may lack (POLY1305_WHOLE_LIBRARY), on each tier
 */

#include "check.h"

/* Scatterlists with some empty entries, as long as the message, longer, or too short */
static void test_sg(const struct tier *tier)
{
	struct scatterlist list[64];
	u8 expected[TAG_SIZE], *key, *data;
	size_t len, n, entries;
	u64 i;
	int err;

	serve_by(tier);
	for (i = first_case(); next_case(&i, LEN_MAX + 1 + random_cases() / 4); i++) {
		len = i <= LEN_MAX ? i : rnd_below(300);
		key = any_message(len, expected);
		data = key + KEY_SIZE;
		entries = 0;
		for (n = 0; n < len && entries < ARRAY_SIZE(list) - 2; entries++) {
			list[entries].addr = data + n;
			list[entries].length = rnd_below(4) ?
				rnd_below(len - n + 1) :
				min(len - n, rnd_below(18));
			n += list[entries].length;
		}
		list[entries].addr = data + n;
		list[entries++].length = len - n;
		for (n = 0; n < entries; n++)
			list[n].next = &list[n + 1];
		list[entries - 1].next = NULL;

		area_paint(&tags);
		err = poly1305_mac_digest_sg(key, len || rnd() & 1 ? list : NULL,
					     len, tags.rw);
		if (err)
			fail("error %d for %zu bytes in %zu pieces", err, len,
			     entries);
		if (memcmp(tags.rw, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes in %zu pieces", len,
			     entries);

		area_paint(&tags);
		err = poly1305_mac_digest_sg(key, list, len + 1 + rnd_below(99),
					     tags.rw);
		if (err != -EINVAL)
			fail("error %d for a list that is too short", err);
		area_check(&tags, 0, 0);

		/* Only the beginning of the list */
		n = rnd_below(len + 1);
		ref_tag(expected, key, data, n);
		if (poly1305_mac_digest_sg(key, list, n, tags.rw) ||
		    memcmp(tags.rw, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes of a list of %zu", n, len);
	}
}

/* A length of 0 and a NULL pointer */
static void test_nothing(const struct tier *tier)
{
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;

	serve_by(tier);
	key = any_message(0, expected);
	area_paint(&tags);
	if (poly1305_mac_digest_sg(key, NULL, 0, tag) ||
	    memcmp(tag, expected, TAG_SIZE))
		fail("scatterlist: wrong tag for no bytes");
	if (poly1305_mac_digest_sg(key, NULL, 1, tags.rw) != -EINVAL ||
	    poly1305_mac_digest_sg(key, NULL, -1U, tags.rw) != -EINVAL)
		fail("scatterlist: bytes from a NULL list");
	area_check(&tags, 0, 0);
}

static int overlap_sg(const struct shash_alg *alg, u8 *key, size_t len, u8 *tag)
{
	struct scatterlist list = { key + KEY_SIZE, len, NULL };

	return poly1305_mac_digest_sg(key, &list, len, tag);
}

static void test_tag_overlap(const struct tier *tier)
{
	static const struct overlap ways[] = {
		{ "digest_sg", overlap_sg },
		{ }
	};

	check_tag_overlap(tier, ways);
}

const struct test whole_tests[] = {
	{ "scatterlist", test_sg },
	{ "whole-nothing", test_nothing },
	{ "whole-tag-overlap", test_tag_overlap },
	{ }
};
