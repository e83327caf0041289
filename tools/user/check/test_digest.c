// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Whole messages, by each way that leads to a tag.
 */

#include "check.h"

static struct area input, keys, tags;

/* A way: from a key and the message behind a copy of it to a tag */
typedef void way_fn(const struct subject *subject, const u8 *key,
		    const u8 *data, size_t len, u8 *tag);

static void by_function(const struct subject *subject, const u8 *key,
			const u8 *data, size_t len, u8 *tag)
{
	call_digest(subject->digest, key, data, len, tag);
}

static void by_glue(const struct subject *subject, const u8 *key,
		    const u8 *data, size_t len, u8 *tag)
{
	subject->impl->digest(key, data, len, tag);
}

/* How much of what is left comes next: mostly little, sometimes all */
static size_t piece(size_t left)
{
	switch (rnd_below(4)) {
	case 0:
		return min(left, rnd_below(20));
	case 1:
		return min(left, rnd_below(300));
	default:
		return rnd_below(left + 1);
	}
}

static void by_updates(const struct subject *subject, const u8 *key,
		       const u8 *data, size_t len, u8 *tag)
{
	struct poly1305_mac_ctx ctx;
	size_t n;

	if (rnd() & 1)
		poly1305_mac_init(&ctx, key);
	else
		poly1305_mac_init_hint(&ctx, key, rnd() & 1 ? len : rnd());
	for (; len; len -= n, data += n) {
		n = piece(len);
		subject->impl->update(&ctx, data, n);
	}
	subject->impl->final(&ctx, tag);
	for (n = 0; n < sizeof(ctx); n++)
		if (((u8 *)&ctx)[n])
			fail("the context is not wiped at byte %zu", n);
}

static void fill_key(u8 key[KEY_SIZE])
{
	rnd_bytes(key, KEY_SIZE);
	if (rnd_below(4) == 0)
		memset(key, 0xff, 16);
	if (rnd_below(4) == 0)
		memset(key + 16, 0xff, 16);
}

static void try_digest(const struct subject *subject, way_fn *way, size_t at,
		       size_t len, const u8 expected[TAG_SIZE])
{
	const size_t key_at = area_offset(&keys, KEY_SIZE, 1);
	const size_t tag_at = area_offset(&tags, TAG_SIZE, 1);

	memcpy(keys.rw + key_at, input.rw + at, KEY_SIZE);
	area_paint(&tags);
	way(subject, keys.ro + key_at, input.ro + at + KEY_SIZE, len,
	    tags.rw + tag_at);
	if (memcmp(tags.rw + tag_at, expected, TAG_SIZE))
		fail("wrong tag for %zu bytes", len);
	area_check(&tags, tag_at, TAG_SIZE, "the tag");
}

static void set_up(void)
{
	if (!input.rw) {
		input = area_new(KEY_SIZE + LEN_MAX);
		keys = area_new(KEY_SIZE);
		tags = area_new(TAG_SIZE);
	}
}

/* Every length, and as many cases more */
static void try_all(const struct subject *subject, way_fn *way)
{
	u8 expected[TAG_SIZE];
	size_t len, at;
	u64 i;

	set_up();
	for (i = first_case(); next_case(&i, LEN_MAX + 1 + random_cases()); i++) {
		if (i <= LEN_MAX)
			len = i;
		else
			len = rnd_below(rnd() & 7 ? 600 : LEN_MAX + 1);
		at = area_offset(&input, KEY_SIZE + len, 1);
		fill_key(input.rw + at);
		if (rnd() & 3)
			rnd_bytes(input.rw + at + KEY_SIZE, len);
		else
			memset(input.rw + at + KEY_SIZE, 0xff, len);
		ref_tag(expected, input.rw + at, input.rw + at + KEY_SIZE, len);
		try_digest(subject, way, at, len, expected);
	}
}

static void test_function(const struct subject *subject)
{
	if (subject->digest)
		try_all(subject, by_function);
}

static void test_glue(const struct subject *subject)
{
	try_all(subject, by_glue);
}

static void test_updates(const struct subject *subject)
{
	try_all(subject, by_updates);
}

const struct test digest_tests[] = {
	{ "digest-function", test_function },
	{ "digest", test_glue },
	{ "updates", test_updates },
	{ }
};
