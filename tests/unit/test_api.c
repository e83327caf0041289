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

/* A key and a message behind it, which ends at a guard page; and their tag */
static u8 *any_message(size_t len, u8 expected[TAG_SIZE])
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

#ifndef POLY1271
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

/* Two buffers, beside each other or in areas of their own; empty ones may be NULL. */
static void test_digest2(const struct tier *tier)
{
	u8 expected[TAG_SIZE], *key, *a, *b;
	size_t len, cut;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 2 * (LEN_MAX + 1)); i++) {
		len = i / 2;
		key = any_message(len, expected);
		cut = rnd() & 1 ? rnd_below(len + 1) :
				  len - min(len, rnd_below(40));
		a = key + KEY_SIZE;
		b = a + cut;
		if (i & 1) {
			a = memcpy(messages.rw + messages.size - cut, a, cut);
			if (!cut)
				a = NULL;
			if (cut == len)
				b = NULL;
		}
		area_paint(&tags);
		poly1305_mac_digest2(key, a, cut, b, len - cut, tags.rw);
		if (memcmp(tags.rw, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes, cut at %zu", len, cut);
		area_check(&tags, 0, TAG_SIZE);
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
#endif

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
#ifndef POLY1271
	if (poly1305_mac_digest_sg(key, NULL, 0, tag) ||
	    memcmp(tag, expected, TAG_SIZE))
		fail("scatterlist: wrong tag for no bytes");
	if (poly1305_mac_digest_sg(key, NULL, 1, tags.rw) != -EINVAL ||
	    poly1305_mac_digest_sg(key, NULL, -1U, tags.rw) != -EINVAL)
		fail("scatterlist: bytes from a NULL list");
	if (poly1305_mac_batch(NULL, 0))
		fail("batch: error for no requests");
#endif
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

#ifdef POLY1271
#define WAYS	5
#else
#define WAYS	9
#endif

/* The tag may overlap the key or the message, which must be read before. */
static void test_tag_overlap(const struct tier *tier)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], saved[KEY_SIZE + 2000], *key, *tag;
	struct poly1305_mac_ctx ctx;
#ifndef POLY1271
	struct poly1305_mac_prepared prepared;
	struct scatterlist list;
#endif
	size_t len;
	int way, err;
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, 2000); i++) {
		len = i;
		key = any_message(len, expected);
		memcpy(saved, key, KEY_SIZE + len);
		tag = key + rnd_below(KEY_SIZE + len - TAG_SIZE + 1);
#ifndef POLY1271
		poly1305_mac_prepare(&prepared, key);
#endif
		for (way = 0; way < WAYS; way++) {
			memcpy(key, saved, KEY_SIZE + len);
			err = 0;
			if (way == 0) {
				poly1305_mac_digest(key, key + KEY_SIZE, len,
						    tag);
			} else if (way == 1) {
				poly1305_mac_init(&ctx, key);
				poly1305_mac_update(&ctx, key + KEY_SIZE, len);
				poly1305_mac_final(&ctx, tag);
			} else if (way == 2) {
				err = alg->digest(desc, key, KEY_SIZE + len,
						  tag);
			} else if (way == 3) {
				err = alg->init(desc) ?:
				      alg->finup(desc, key, KEY_SIZE + len, tag);
			} else if (way == 4) {
				err = alg->init(desc) ?:
				      alg->update(desc, key, KEY_SIZE + len) ?:
				      alg->final(desc, tag);
#ifndef POLY1271
			} else if (way == 5) {
				list = (struct scatterlist){ key + KEY_SIZE, len,
							     NULL };
				err = poly1305_mac_digest_sg(key, &list, len,
							     tag);
			} else if (way == 6) {
				poly1305_mac_digest_prepared(&prepared, key + 16,
							     key + KEY_SIZE, len,
							     tag);
			} else if (way == 7) {
				poly1305_mac_init_prepared(&ctx, &prepared,
							   key + 16);
				poly1305_mac_update(&ctx, key + KEY_SIZE, len);
				poly1305_mac_final(&ctx, tag);
			} else if (way == 8) {
				/* The second half is elsewhere. */
				memcpy(messages.rw, key + KEY_SIZE + len / 2,
				       len - len / 2);
				poly1305_mac_digest2(key, key + KEY_SIZE, len / 2,
						     messages.rw, len - len / 2,
						     tag);
#endif
			}
			if (err || memcmp(tag, expected, TAG_SIZE))
				fail("way %d: error %d, %zu bytes, tag at %ld",
				     way, err, len, (long)(tag - key));
		}
		if (len >= TAG_SIZE) {
			/*
			 * The tag to verify lies in the message itself, so the
			 * message now has another tag.
			 */
			memcpy(key, saved, KEY_SIZE + len);
			memcpy(key + KEY_SIZE, expected, TAG_SIZE);
			ref_tag(expected, key, key + KEY_SIZE, len);
			err = poly1305_mac_verify(key, key + KEY_SIZE, len,
						  key + KEY_SIZE);
			if (!err != !memcmp(key + KEY_SIZE, expected, TAG_SIZE))
				fail("verify: error %d, the tag in the message",
				     err);
		}
	}
}

const struct test api_tests[] = {
	{ "registered", test_registered },
	{ "library", test_library },
	{ "verify", test_verify },
#ifndef POLY1271
	{ "scatterlist", test_sg },
	{ "digest2", test_digest2 },
	{ "prepared", test_prepared },
#endif
	{ "nothing", test_nothing },
	{ "order", test_order },
	{ "tag-overlap", test_tag_overlap },
	{ }
};
