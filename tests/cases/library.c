// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for features that only the exported functions have */

#include "poly1305_test.h"

/* verify returns 0 for the right tag, -EBADMSG for any changed bit of tag or message. */
int test_verify(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 100, 1500, LEN_SIMD };
	static u8 input[KEY_SIZE + LEN_SIMD];
	u8 *key = input, *msg = input + KEY_SIZE;
	size_t i, len, bit, step;
	u8 tag[TAG_SIZE];
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memcpy(input, random_sample.input, KEY_SIZE + len);
		memcpy(tag, random_sample.tags[len], TAG_SIZE);
		err = poly1305_mac_verify(key, msg, len, tag);
		if (err)
			return fail(s, "the right tag of %zu bytes: %d", len,
				    err);

		for (bit = 0; bit < 8 * TAG_SIZE; bit++) {
			tag[bit / 8] ^= 1 << bit % 8;
			err = poly1305_mac_verify(key, msg, len, tag);
			tag[bit / 8] ^= 1 << bit % 8;
			if (err != -EBADMSG)
				return fail(s, "%zu bytes, bit %zu of the tag changed: %d",
					    len, bit, err);
		}

		step = len > LEN_ALL ? 97 : 1;
		for (bit = 0; bit < 8 * len; bit += step) {
			input[KEY_SIZE + bit / 8] ^= 1 << bit % 8;
			err = poly1305_mac_verify(key, msg, len, tag);
			input[KEY_SIZE + bit / 8] ^= 1 << bit % 8;
			if (err != -EBADMSG)
				return fail(s, "%zu bytes, bit %zu changed: %d",
					    len, bit, err);
		}

		err = len ? poly1305_mac_verify(key, msg, len - 1, tag) :
			    -EBADMSG;
		if (err != -EBADMSG)
			return fail(s, "%zu bytes, the last one missing: %d",
				    len, err);

		/* The tag to verify lies in the message, which then has another tag. */
		if (len < TAG_SIZE)
			continue;
		memcpy(msg, tag, TAG_SIZE);
		poly1305_ref(key, msg, len, tag);
		err = poly1305_mac_verify(key, msg, len, msg);
		if (err != (memcmp(msg, tag, TAG_SIZE) ? -EBADMSG : 0))
			return fail(s, "%zu bytes with their tag: %d", len, err);
		cond_resched();
	}
	return 0;
}

/* A length of 0 needs no pointer. */
int test_null(const struct subject *s)
{
	const u8 *key = random_sample.input;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];
	int err;

	poly1305_mac_digest(key, NULL, 0, tag);
	if (memcmp(tag, random_sample.tags[0], TAG_SIZE))
		return fail(s, "digest");

	err = poly1305_mac_verify(key, NULL, 0, tag);
	if (err)
		return fail(s, "verify: %d", err);

	poly1305_mac_init(&ctx, key);
	poly1305_mac_update(&ctx, NULL, 0);
	poly1305_mac_update(&ctx, key + KEY_SIZE, 5);
	poly1305_mac_update(&ctx, NULL, 0);
	poly1305_mac_final(&ctx, tag);
	if (memcmp(tag, random_sample.tags[5], TAG_SIZE))
		return fail(s, "update");
	return 0;
}

/*
 * A context may hold anything before init and is zero after final. So a call in a wrong order
 * then has an all-zero key, and its tag is 0.
 */
int test_order(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 200, 1024, LEN_MAX };
	const u8 *key = random_sample.input, *msg = key + KEY_SIZE;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memset(&ctx, 0xff, sizeof(ctx));
		poly1305_mac_init(&ctx, msg);
		poly1305_mac_update(&ctx, key, 17);
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, msg, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
			return fail(s, "%zu bytes, init twice", len);
		if (memchr_inv(&ctx, 0, sizeof(ctx)))
			return fail(s, "%zu bytes: the context is not wiped", len);

		poly1305_mac_final(&ctx, tag);
		if (memchr_inv(tag, 0, TAG_SIZE))
			return fail(s, "%zu bytes, final twice", len);

		poly1305_mac_update(&ctx, msg, len);
		poly1305_mac_final(&ctx, tag);
		if (memchr_inv(tag, 0, TAG_SIZE))
			return fail(s, "%zu bytes, update after final", len);
		if (memchr_inv(&ctx, 0, sizeof(ctx)))
			return fail(s, "%zu bytes, update after final: not wiped", len);
	}
	return 0;
}
