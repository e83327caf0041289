// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The functions of poly1305.h and poly1305_user.h, on each tier */

#include "check.h"

void serve_by(const struct tier *tier)
{
	if (poly1305_user_select(tier->def->name))
		fail("cannot be selected: did it fail the self-test?");
	if (!serves(tier))
		fail("is not in use, although it was selected");
}

/* It passed the self-test, is listed by priority, and registered its attributes. */
static void test_registered(const struct tier *tier)
{
	const char *const *name = poly1305_user_impls();
	const struct shash_alg *alg = tier->alg;
	const struct tier *t, *last = NULL;
	bool listed = false;

	for (; *name; name++) {
		for (t = tier_list(); t->name && strcmp(t->name, *name); t++)
			;
		if (!t->name)
			fail("%s is listed, but cannot run", *name);
		if (!last && !served_at_start(t))
			fail("%s is listed first, but was not in use", *name);
		if (last && last->alg->base.cra_priority <=
			    t->alg->base.cra_priority)
			fail("%s is listed before %s", last->name, *name);
		listed |= t->def == tier->def;
		last = t;
	}
	if (!listed)
		fail("is not listed: did it fail the self-test?");
	if (strcmp(last->name, POLY1305_NAME "-portable"))
		fail("%s is listed last", last->name);

	if (strcmp(alg->base.cra_name, POLY1305_NAME) ||
	    strcmp(alg->base.cra_driver_name, tier->def->name) ||
	    alg->digestsize != TAG_SIZE || alg->base.cra_blocksize != BLOCK_SIZE ||
	    alg->statesize != sizeof(struct poly1305_saved))
		fail("an attribute of the shash is wrong");

	serve_by(tier);
	if (poly1305_user_select(POLY1305_NAME) != -ENOENT ||
	    poly1305_user_select("") != -ENOENT || !serves(tier))
		fail("a tier that does not exist can be selected");
}

u8 *any_message(size_t len, u8 expected[TAG_SIZE])
{
	u8 *key = input.rw + input.size - KEY_SIZE - len;

	fill_key(key);
	fill_message(key + KEY_SIZE, len);
	ref_tag(expected, key, key + KEY_SIZE, len);
	return key;
}

static void test_library(const struct tier *tier)
{
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx, copy;
	size_t len, cut;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, LEN_MAX + 1); i++) {
		len = i;
		key = any_message(len, expected);
		poly1305_mac_digest(key, len ? key + KEY_SIZE : NULL, len, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("digest: wrong tag for %zu bytes", len);

		/* A copy made in the middle is independent of the original. */
		cut = rnd_below(len + 1);
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, key + KEY_SIZE, cut);
		copy = ctx;
		poly1305_mac_update(&ctx, key, rnd_below(20));
		poly1305_mac_final(&ctx, tag);
		poly1305_mac_update(&copy, key + KEY_SIZE + cut, len - cut);
		poly1305_mac_final(&copy, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("copy: wrong tag for %zu bytes, copied at %zu",
			     len, cut);
	}
}

/* The right tag is accepted, and any tag with one wrong bit is rejected. */
static void test_verify(const struct tier *tier)
{
	u8 tag[TAG_SIZE], *key;
	unsigned int bit;
	size_t len;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 200); i++) {
		len = i < 100 ? i : rnd_below(LEN_MAX + 1);
		key = any_message(len, tag);
		if (poly1305_mac_verify(key, key + KEY_SIZE, len, tag))
			fail("the right tag is rejected, %zu bytes", len);
		for (bit = 0; bit < 128; bit++) {
			tag[bit / 8] ^= 1 << bit % 8;
			if (poly1305_mac_verify(key, key + KEY_SIZE, len, tag) !=
			    -EBADMSG)
				fail("a tag with bit %u wrong is accepted, %zu bytes",
				     bit, len);
			tag[bit / 8] ^= 1 << bit % 8;
		}
	}
}

/* A length of 0 and a NULL pointer, in every function that takes bytes */
static void test_nothing(const struct tier *tier)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len;
	int err;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 100); i++) {
		len = i;
		key = any_message(len, expected);
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, NULL, 0);
		poly1305_mac_update(&ctx, key + KEY_SIZE, len);
		poly1305_mac_update(&ctx, NULL, 0);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("updates: wrong tag for %zu bytes and none", len);

		err = alg->init(desc) ?: alg->update(desc, NULL, 0) ?:
		      alg->update(desc, key, KEY_SIZE + len) ?:
		      alg->update(desc, NULL, 0) ?:
		      alg->finup(desc, NULL, 0, tag);
		if (err || memcmp(tag, expected, TAG_SIZE))
			fail("shash: error %d for %zu bytes and none", err, len);
	}

	key = any_message(0, expected);
	poly1305_mac_digest(key, NULL, 0, tag);
	if (memcmp(tag, expected, TAG_SIZE) ||
	    poly1305_mac_verify(key, NULL, 0, tag))
		fail("digest or verify: wrong for no bytes");
	area_paint(&tags);
	if (alg->digest(desc, NULL, 0, tags.rw) != -ENOKEY ||
	    alg->init(desc) || alg->finup(desc, NULL, 0, tags.rw) != -ENOKEY)
		fail("shash: a tag without a key");
	area_check(&tags, 0, 0);
}

/*
 * Calls in a wrong order. After final a context has an all-zero key, so every later
 * tag is 0 and reveals nothing. After final a descriptor is as after init.
 */
static void test_order(const struct tier *tier)
{
	static const u8 zero[sizeof(struct poly1305_mac_ctx)];
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len;
	int err;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 2000); i++) {
		len = i;
		key = any_message(len, expected);

		/* A second init replaces the first. */
		poly1305_mac_init_hint(&ctx, input.ro, rnd());
		poly1305_mac_update(&ctx, input.ro, rnd_below(KEY_SIZE));
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, key + KEY_SIZE, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("init twice: wrong tag for %zu bytes", len);

		/* final again; update and final again */
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, zero, TAG_SIZE))
			fail("final twice: a tag that is not 0");
		poly1305_mac_update(&ctx, key + KEY_SIZE, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, zero, TAG_SIZE))
			fail("update after final: a tag that is not 0");
		if (memcmp(&ctx, zero, sizeof(ctx)))
			fail("update after final: the context is not wiped");

		area_paint(&objects);
		area_paint(&tags);
		err = alg->init(desc) ?:
		      alg->update(desc, key, rnd_below(KEY_SIZE + len + 1)) ?:
		      alg->init(desc) ?:
		      alg->finup(desc, key, KEY_SIZE + len, tag);
		if (err || memcmp(tag, expected, TAG_SIZE))
			fail("shash: error %d, init twice, %zu bytes", err, len);
		err = alg->final(desc, tags.rw);
		if (err != -ENOKEY)
			fail("shash: error %d, final twice", err);
		area_check(&tags, 0, 0);
		err = alg->update(desc, key, KEY_SIZE + len) ?:
		      alg->final(desc, tag);
		if (err || memcmp(tag, expected, TAG_SIZE))
			fail("shash: error %d, update after final", err);
		err = alg->export(desc, exports.rw) ?:
		      alg->import(desc, exports.rw) ?:
		      alg->finup(desc, key, KEY_SIZE + len, tag);
		if (err || memcmp(tag, expected, TAG_SIZE))
			fail("shash: error %d, export after final", err);
	}
}

void check_tag_overlap(const struct tier *tier, const struct overlap *ways)
{
	u8 expected[TAG_SIZE], saved[KEY_SIZE + 2000], *key, *tag;
	const struct overlap *way;
	size_t len;
	int err;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 2000); i++) {
		len = i;
		key = any_message(len, expected);
		memcpy(saved, key, KEY_SIZE + len);
		tag = key + rnd_below(KEY_SIZE + len - TAG_SIZE + 1);
		for (way = ways; way->name; way++) {
			memcpy(key, saved, KEY_SIZE + len);
			err = way->run(tier->alg, key, len, tag);
			if (err || memcmp(tag, expected, TAG_SIZE))
				fail("%s: error %d, %zu bytes, tag at %ld",
				     way->name, err, len, (long)(tag - key));
		}
	}
}

static int overlap_digest(const struct shash_alg *alg, u8 *key, size_t len, u8 *tag)
{
	poly1305_mac_digest(key, key + KEY_SIZE, len, tag);
	return 0;
}

static int overlap_final(const struct shash_alg *alg, u8 *key, size_t len, u8 *tag)
{
	struct poly1305_mac_ctx ctx;

	poly1305_mac_init(&ctx, key);
	poly1305_mac_update(&ctx, key + KEY_SIZE, len);
	poly1305_mac_final(&ctx, tag);
	return 0;
}

static int overlap_shash_digest(const struct shash_alg *alg, u8 *key, size_t len,
				u8 *tag)
{
	return alg->digest((void *)objects.rw, key, KEY_SIZE + len, tag);
}

static int overlap_shash_finup(const struct shash_alg *alg, u8 *key, size_t len,
			       u8 *tag)
{
	struct shash_desc *desc = (void *)objects.rw;

	return alg->init(desc) ?: alg->finup(desc, key, KEY_SIZE + len, tag);
}

static int overlap_shash_final(const struct shash_alg *alg, u8 *key, size_t len,
			       u8 *tag)
{
	struct shash_desc *desc = (void *)objects.rw;

	return alg->init(desc) ?: alg->update(desc, key, KEY_SIZE + len) ?:
	       alg->final(desc, tag);
}

/* The tag may overlap the key or the message, which must be read before. */
static void test_tag_overlap(const struct tier *tier)
{
	static const struct overlap ways[] = {
		{ "digest", overlap_digest },
		{ "final", overlap_final },
		{ "shash digest", overlap_shash_digest },
		{ "shash finup", overlap_shash_finup },
		{ "shash final", overlap_shash_final },
		{ }
	};

	check_tag_overlap(tier, ways);
}

/* The tag to verify lies in the message itself, which therefore has another tag. */
static void test_verify_overlap(const struct tier *tier)
{
	u8 expected[TAG_SIZE], *key;
	size_t len;
	int err;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 2000 - TAG_SIZE); i++) {
		len = TAG_SIZE + i;
		key = any_message(len, expected);
		memcpy(key + KEY_SIZE, expected, TAG_SIZE);
		ref_tag(expected, key, key + KEY_SIZE, len);
		err = poly1305_mac_verify(key, key + KEY_SIZE, len, key + KEY_SIZE);
		if (!err != !memcmp(key + KEY_SIZE, expected, TAG_SIZE))
			fail("error %d, %zu bytes", err, len);
	}
}

const struct test api_tests[] = {
	{ "registered", test_registered },
	{ "library", test_library },
	{ "verify", test_verify },
	{ "nothing", test_nothing },
	{ "order", test_order },
	{ "tag-overlap", test_tag_overlap },
	{ "verify-overlap", test_verify_overlap },
	{ }
};
