// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Functions of poly1305.h that a MAC may lack, on each tier: POLY1305_WHOLE_LIBRARY.
 * test_batch.c has more of poly1305_mac_batch().
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

/* Up to these, all lengths of text and of associated data */
#define SHORT_TEXT	80
#define SHORT_AD	34

/*
 * Packets, of which each part ends at a guard page, or the associated data begins behind
 * one. Empty parts may be NULL. Then the tag overlaps one of them, or the key.
 */
static void test_mac_aead(const struct tier *tier)
{
	const u64 short_cases = (SHORT_TEXT + 1) * (SHORT_AD + 1);
	u8 expected[TAG_SIZE], *key, *text, *ad, *tag;
	size_t len, ad_len;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, short_cases + 2 * (LEN_MAX + 1)); i++) {
		if (i < short_cases) {
			len = i / (SHORT_AD + 1);
			ad_len = i % (SHORT_AD + 1);
		} else {
			len = (i - short_cases) / 2;
			ad_len = rnd_below(4) ? rnd_below(17) : rnd_below(65);
		}
		key = any_message(len, expected);
		text = key + KEY_SIZE;
		ad = messages.rw + (rnd() & 1 ? messages.size - ad_len : 0);
		fill_message(ad, ad_len);
		poly1305_ref_aead(key, ad, ad_len, text, len, expected);
		area_paint(&tags);
		poly1305_mac_aead(key, ad_len || i & 1 ? ad : NULL, ad_len,
				  len || i & 1 ? text : NULL, len, tags.rw);
		if (memcmp(tags.rw, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes behind %zu", len, ad_len);
		area_check(&tags, 0, TAG_SIZE);

		tag = key + rnd_below(KEY_SIZE + len - TAG_SIZE + 1);
		if (ad_len >= TAG_SIZE && rnd() & 1)
			tag = ad + rnd_below(ad_len - TAG_SIZE + 1);
		poly1305_mac_aead(key, ad, ad_len, text, len, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("wrong tag in place, %zu bytes behind %zu", len, ad_len);
	}
}

/* Functions with a prepared r; they must not change the prepared object. */
static void test_prepared(const struct tier *tier)
{
	static const u8 zero[sizeof(struct poly1305_mac_ctx)];
	struct poly1305_mac_prepared prepared, before;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len, cut;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, LEN_MAX + 1); i++) {
		len = i;
		key = any_message(len, expected);
		poly1305_mac_prepare(&prepared, key);
		memcpy(&before, &prepared, sizeof(before));

		/* The tag may overwrite the pad. */
		memcpy(tag, key + 16, TAG_SIZE);
		poly1305_mac_digest_prepared(&prepared, tag,
					     len ? key + KEY_SIZE : NULL, len,
					     tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("digest: wrong tag for %zu bytes", len);

		cut = rnd_below(len + 1);
		memset(&ctx, 0xff, sizeof(ctx));
		poly1305_mac_init_prepared(&ctx, &prepared, key + 16);
		poly1305_mac_update(&ctx, NULL, 0);
		poly1305_mac_update(&ctx, key + KEY_SIZE, cut);
		poly1305_mac_update(&ctx, key + KEY_SIZE + cut, len - cut);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("updates: wrong tag for %zu bytes, cut at %zu",
			     len, cut);
		if (memcmp(&ctx, zero, sizeof(ctx)))
			fail("updates: the context is not wiped");
		if (memcmp(&prepared, &before, sizeof(before)))
			fail("the prepared object has changed, %zu bytes", len);
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
	if (poly1305_mac_batch(NULL, 0))
		fail("batch: error for no requests");
	area_check(&tags, 0, 0);
}

static int overlap_sg(const struct shash_alg *alg, u8 *key, size_t len, u8 *tag)
{
	struct scatterlist list = { key + KEY_SIZE, len, NULL };

	return poly1305_mac_digest_sg(key, &list, len, tag);
}

static int overlap_digest_prepared(const struct shash_alg *alg, u8 *key, size_t len,
				   u8 *tag)
{
	struct poly1305_mac_prepared prepared;

	poly1305_mac_prepare(&prepared, key);
	poly1305_mac_digest_prepared(&prepared, key + 16, key + KEY_SIZE, len, tag);
	return 0;
}

static int overlap_init_prepared(const struct shash_alg *alg, u8 *key, size_t len,
				 u8 *tag)
{
	struct poly1305_mac_prepared prepared;
	struct poly1305_mac_ctx ctx;

	poly1305_mac_prepare(&prepared, key);
	poly1305_mac_init_prepared(&ctx, &prepared, key + 16);
	poly1305_mac_update(&ctx, key + KEY_SIZE, len);
	poly1305_mac_final(&ctx, tag);
	return 0;
}

static void test_tag_overlap(const struct tier *tier)
{
	static const struct overlap ways[] = {
		{ "digest_sg", overlap_sg },
		{ "digest_prepared", overlap_digest_prepared },
		{ "init_prepared", overlap_init_prepared },
		{ }
	};

	check_tag_overlap(tier, ways);
}

const struct test whole_tests[] = {
	{ "scatterlist", test_sg },
	{ "mac-aead", test_mac_aead },
	{ "prepared", test_prepared },
	{ "whole-nothing", test_nothing },
	{ "whole-tag-overlap", test_tag_overlap },
	{ }
};
