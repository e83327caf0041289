// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The functions of poly1305.h and poly1305_user.h, served by each implementation */

#include "check.h"

void serve_by(const struct subject *subject)
{
	if (poly1305_user_select(subject->tier->name))
		fail("cannot be selected: did it fail the self-test?");
	if (!serves(subject))
		fail("does not serve, although it was selected");
}

/* Passed the self-test, stands in its place, says of itself what it should */
static void test_registered(const struct subject *subject)
{
	const char *const *name = poly1305_user_impls();
	const struct shash_alg *alg = subject->alg;
	const struct subject *s, *last = NULL;
	bool listed = false;

	for (; *name; name++) {
		for (s = subjects(); s->name && strcmp(s->name, *name); s++)
			;
		if (!s->name)
			fail("%s is listed, but cannot run", *name);
		if (!last && !served_at_start(s))
			fail("%s is listed first, but did not serve", *name);
		if (last && last->alg->base.cra_priority <=
			    s->alg->base.cra_priority)
			fail("%s is listed before %s", last->name, *name);
		listed |= s->tier == subject->tier;
		last = s;
	}
	if (!listed)
		fail("is not listed: did it fail the self-test?");
	if (strcmp(last->name, "poly1305-portable"))
		fail("the last that is listed is %s", last->name);

	if (strcmp(alg->base.cra_name, "poly1305") ||
	    strcmp(alg->base.cra_driver_name, subject->tier->name) ||
	    alg->digestsize != TAG_SIZE || alg->base.cra_blocksize != BLOCK_SIZE ||
	    alg->statesize != sizeof(struct poly1305_saved))
		fail("the shash says something wrong of itself");

	serve_by(subject);
	if (poly1305_user_select("poly1305") != -ENOENT ||
	    poly1305_user_select("") != -ENOENT || !serves(subject))
		fail("what does not exist can be selected");
}

/* Keys and messages for the tests below; the message ends where memory does. */
static u8 *any_message(size_t len, u8 expected[TAG_SIZE])
{
	u8 *key = input.rw + input.size - KEY_SIZE - len;

	fill_key(key);
	fill_message(key + KEY_SIZE, len);
	ref_tag(expected, key, key + KEY_SIZE, len);
	return key;
}

static void test_library(const struct subject *subject)
{
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx, copy;
	size_t len, cut;
	u64 i;

	serve_by(subject);
	for (i = first_case(); next_case(&i, LEN_MAX + 1); i++) {
		len = i;
		key = any_message(len, expected);
		poly1305_mac_digest(key, len ? key + KEY_SIZE : NULL, len, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("digest: wrong tag for %zu bytes", len);

		/* A copy in the middle goes on by itself. */
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

/* The right tag, and each tag that differs from it in one bit */
static void test_verify(const struct subject *subject)
{
	u8 tag[TAG_SIZE], *key;
	unsigned int bit;
	size_t len;
	u64 i;

	serve_by(subject);
	for (i = first_case(); next_case(&i, 200); i++) {
		len = i < 100 ? i : rnd_below(LEN_MAX + 1);
		key = any_message(len, tag);
		if (poly1305_mac_verify(key, key + KEY_SIZE, len, tag))
			fail("a right tag is refused, %zu bytes", len);
		for (bit = 0; bit < 128; bit++) {
			tag[bit / 8] ^= 1 << bit % 8;
			if (poly1305_mac_verify(key, key + KEY_SIZE, len, tag) !=
			    -EBADMSG)
				fail("bit %u may be wrong, %zu bytes", bit, len);
			tag[bit / 8] ^= 1 << bit % 8;
		}
	}
}

/* Lists of pieces, some empty; longer than the message, and too short */
static void test_sg(const struct subject *subject)
{
	struct scatterlist list[64];
	u8 expected[TAG_SIZE], *key, *data;
	size_t len, n, entries;
	u64 i;
	int err;

	serve_by(subject);
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

		/* Part of what the list holds */
		n = rnd_below(len + 1);
		ref_tag(expected, key, data, n);
		if (poly1305_mac_digest_sg(key, list, n, tags.rw) ||
		    memcmp(tags.rw, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes of a list of %zu", n, len);
	}
}

/* One r under many pads; what was prepared stays as it was. */
static void test_prepared(const struct subject *subject)
{
	static const u8 zero[sizeof(struct poly1305_mac_ctx)];
	struct poly1305_mac_prepared prepared, before;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len, cut;
	u64 i;

	serve_by(subject);
	for (i = first_case(); next_case(&i, LEN_MAX + 1); i++) {
		len = i;
		key = any_message(len, expected);
		poly1305_mac_prepare(&prepared, key);
		memcpy(&before, &prepared, sizeof(before));

		/* The tag may lie over the pad, as over the key elsewhere. */
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
			fail("what was prepared has changed, %zu bytes", len);
	}
}

/* Nothing, at no address, by every function that takes bytes */
static void test_nothing(const struct subject *subject)
{
	const struct shash_alg *alg = subject->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len;
	int err;
	u64 i;

	serve_by(subject);
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
	if (poly1305_mac_digest_sg(key, NULL, 0, tag) ||
	    memcmp(tag, expected, TAG_SIZE))
		fail("scatterlist: wrong tag for no bytes");
	area_paint(&tags);
	if (poly1305_mac_digest_sg(key, NULL, 1, tags.rw) != -EINVAL ||
	    poly1305_mac_digest_sg(key, NULL, -1U, tags.rw) != -EINVAL)
		fail("scatterlist: bytes from no list");
	if (poly1305_mac_batch(NULL, 0))
		fail("batch: an error for no requests");
	if (alg->digest(desc, NULL, 0, tags.rw) != -ENOKEY ||
	    alg->init(desc) || alg->finup(desc, NULL, 0, tags.rw) != -ENOKEY)
		fail("shash: a tag without a key");
	area_check(&tags, 0, 0);
}

/*
 * Calls in a wrong order. A context that was ended is one of key 0: whatever
 * follows, its tag is 0, and tells nothing. A descriptor that was ended is as
 * after init.
 */
static void test_order(const struct subject *subject)
{
	static const u8 zero[sizeof(struct poly1305_mac_ctx)];
	const struct shash_alg *alg = subject->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key;
	struct poly1305_mac_ctx ctx;
	size_t len;
	int err;
	u64 i;

	serve_by(subject);
	for (i = first_case(); next_case(&i, 2000); i++) {
		len = i;
		key = any_message(len, expected);

		/* Begun twice, the second time counts. */
		poly1305_mac_init_hint(&ctx, input.ro, rnd());
		poly1305_mac_update(&ctx, input.ro, rnd_below(KEY_SIZE));
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, key + KEY_SIZE, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("init twice: wrong tag for %zu bytes", len);

		/* Ended twice; continued, and ended */
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

/* A tag anywhere in what it is the tag of, which was read before */
static void test_tag_overlap(const struct subject *subject)
{
	const struct shash_alg *alg = subject->alg;
	struct shash_desc *desc = (void *)objects.rw;
	u8 expected[TAG_SIZE], saved[KEY_SIZE + 2000], *key, *tag;
	struct poly1305_mac_prepared prepared;
	struct poly1305_mac_ctx ctx;
	struct scatterlist list;
	size_t len;
	int way, err;
	u64 i;

	serve_by(subject);
	for (i = first_case(); next_case(&i, 2000); i++) {
		len = i;
		key = any_message(len, expected);
		memcpy(saved, key, KEY_SIZE + len);
		tag = key + rnd_below(KEY_SIZE + len - TAG_SIZE + 1);
		poly1305_mac_prepare(&prepared, key);
		for (way = 0; way < 8; way++) {
			memcpy(key, saved, KEY_SIZE + len);
			list.addr = key + KEY_SIZE;
			list.length = len;
			list.next = NULL;
			err = 0;
			if (way == 0) {
				poly1305_mac_digest(key, key + KEY_SIZE, len,
						    tag);
			} else if (way == 1) {
				poly1305_mac_init(&ctx, key);
				poly1305_mac_update(&ctx, key + KEY_SIZE, len);
				poly1305_mac_final(&ctx, tag);
			} else if (way == 2) {
				err = poly1305_mac_digest_sg(key, &list, len,
							     tag);
			} else if (way == 3) {
				err = alg->digest(desc, key, KEY_SIZE + len,
						  tag);
			} else if (way == 4) {
				err = alg->init(desc) ?:
				      alg->finup(desc, key, KEY_SIZE + len, tag);
			} else if (way == 5) {
				err = alg->init(desc) ?:
				      alg->update(desc, key, KEY_SIZE + len) ?:
				      alg->final(desc, tag);
			} else if (way == 6) {
				poly1305_mac_digest_prepared(&prepared, key + 16,
							     key + KEY_SIZE, len,
							     tag);
			} else {
				poly1305_mac_init_prepared(&ctx, &prepared,
							   key + 16);
				poly1305_mac_update(&ctx, key + KEY_SIZE, len);
				poly1305_mac_final(&ctx, tag);
			}
			if (err || memcmp(tag, expected, TAG_SIZE))
				fail("way %d: error %d, %zu bytes, tag at %ld",
				     way, err, len, (long)(tag - key));
		}
		if (len >= TAG_SIZE) {
			/* A message that holds its own tag is no more right. */
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
	{ "scatterlist", test_sg },
	{ "prepared", test_prepared },
	{ "nothing", test_nothing },
	{ "order", test_order },
	{ "tag-overlap", test_tag_overlap },
	{ }
};
