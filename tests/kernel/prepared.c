// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for the functions that prepare one r for many messages */

#include <linux/mm.h>
#include <linux/sched.h>

#include "poly1305_test.h"

/* One message with a prepared r, in one piece and then in two */
static int check_prepared(const struct subject *s,
			  const struct poly1305_mac_prepared *prepared,
			  const u8 *pad, const u8 *msg, size_t len, size_t cut,
			  const u8 *want)
{
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];

	poly1305_mac_digest_prepared(prepared, pad, len ? msg : NULL, len, tag);
	if (memcmp(tag, want, TAG_SIZE))
		return fail(s, "digest of %zu bytes", len);

	memset(&ctx, 0xff, sizeof(ctx));
	poly1305_mac_init_prepared(&ctx, prepared, pad);
	poly1305_mac_update(&ctx, msg, cut);
	poly1305_mac_update(&ctx, NULL, 0);
	poly1305_mac_update(&ctx, msg + cut, len - cut);
	poly1305_mac_final(&ctx, tag);
	if (memcmp(tag, want, TAG_SIZE))
		return fail(s, "%zu bytes cut at %zu", len, cut);
	if (memchr_inv(&ctx, 0, sizeof(ctx)))
		return fail(s, "%zu bytes cut at %zu: the context is not wiped",
			    len, cut);
	return 0;
}

/* The same message without a prepared r, with a hint and without */
static int check_unprepared(const struct subject *s, const u8 *key,
			    const u8 *msg, size_t len, size_t hint,
			    const u8 *want)
{
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];

	poly1305_mac_init_hint(&ctx, key, hint);
	poly1305_mac_update(&ctx, msg, len);
	poly1305_mac_final(&ctx, tag);
	if (memcmp(tag, want, TAG_SIZE))
		return fail(s, "%zu bytes with a hint of %zu", len, hint);
	poly1305_mac_digest(key, msg, len, tag);
	if (memcmp(tag, want, TAG_SIZE))
		return fail(s, "%zu bytes without hint", len);
	return 0;
}

/* All lengths with one unclamped r and pad, then random lengths and pads */
static int prepared_lengths(const struct subject *s, const struct sample *sample)
{
	struct poly1305_mac_prepared prepared, before;
	const u8 *msg = sample->input + KEY_SIZE;
	u8 key[KEY_SIZE], want[TAG_SIZE];
	size_t len, cut;
	int err;

	memcpy(key, sample->input, KEY_SIZE);
	memset(&prepared, 0xff, sizeof(prepared));
	poly1305_mac_prepare(&prepared, key);
	before = prepared;

	for (len = 0; len <= LEN_MAX; len = NEXT_LEN(len)) {
		cut = random_below(len + 1);
		err = check_prepared(s, &prepared, key + 16, msg, len, cut,
				     sample->tags[len]) ?:
		      check_unprepared(s, key, msg, len, cut,
				       sample->tags[len]);
		if (err)
			return err;
		cond_resched();
	}
	for (len = 0; len <= LEN_MAX; len += 1 + random_below(200)) {
		random_fill(key + 16, TAG_SIZE);
		poly1305_ref(key, msg, len, want);
		err = check_prepared(s, &prepared, key + 16, msg, len,
				     random_below(len + 1), want);
		if (err)
			return err;
		cond_resched();
	}
	if (memcmp(&prepared, &before, sizeof(before)))
		return fail(s, "the prepared object has changed");
	return 0;
}

int test_prepared(const struct subject *s)
{
	return prepared_lengths(s, &random_sample) ?:
	       prepared_lengths(s, &ones_sample);
}

/* The tag may overwrite the pad or the message. */
int test_prepared_overlap(const struct subject *s)
{
	static const u16 lens[] = { 0, 16, 31, 300, 1420, LEN_SIMD };
	static u8 buf[TAG_SIZE + LEN_SIMD];
	const u8 *input = random_sample.input + KEY_SIZE - TAG_SIZE;
	struct poly1305_mac_prepared prepared;
	struct poly1305_mac_ctx ctx;
	size_t i, len, at;

	poly1305_mac_prepare(&prepared, random_sample.input);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		for (at = 0; at <= len; at += len > LEN_ALL ? 37 : 1) {
			memcpy(buf, input, TAG_SIZE + len);
			poly1305_mac_digest_prepared(&prepared, buf,
						     buf + TAG_SIZE, len,
						     buf + at);
			if (memcmp(buf + at, random_sample.tags[len], TAG_SIZE))
				return fail(s, "digest of %zu bytes, the tag over byte %zu",
					    len, at);
			memcpy(buf + at, input + at, TAG_SIZE);
			if (memcmp(buf, input, TAG_SIZE + len))
				return fail(s, "%zu bytes, bytes outside the tag are written",
					    len);

			poly1305_mac_init_prepared(&ctx, &prepared, buf);
			poly1305_mac_update(&ctx, buf + TAG_SIZE, len);
			poly1305_mac_final(&ctx, buf + at);
			if (memcmp(buf + at, random_sample.tags[len], TAG_SIZE))
				return fail(s, "update with %zu bytes, the tag over byte %zu",
					    len, at);
		}
		cond_resched();
	}
	return 0;
}

enum { PREPARED, PAD, MESSAGE, TAG, AREAS };

static int check_ends(const struct subject *s, u8 *const *areas, size_t len,
		      unsigned int ends)
{
	const size_t sizes[AREAS] = {
		sizeof(struct poly1305_mac_prepared), TAG_SIZE, len, TAG_SIZE
	};
	const struct sample *sample = &random_sample;
	struct poly1305_mac_prepared *prepared;
	u8 *at[AREAS];
	int i;

	for (i = 0; i < AREAS; i++)
		at[i] = place(areas[i], sizes[i], ends & BIT(i));
	prepared = (struct poly1305_mac_prepared *)at[PREPARED];
	memcpy(at[PAD], sample->input + 16, TAG_SIZE);
	memcpy(at[MESSAGE], sample->input + KEY_SIZE, len);

	poly1305_mac_prepare(prepared, sample->input);
	poly1305_mac_digest_prepared(prepared, at[PAD], at[MESSAGE], len,
				     at[TAG]);
	if (memcmp(at[TAG], sample->tags[len], TAG_SIZE))
		return fail(s, "digest of %zu bytes, ends %x", len, ends);
	return check_prepared(s, prepared, at[PAD], at[MESSAGE], len, len / 2,
			      sample->tags[len]);
}

/* No function may access anything outside its buffers: see guards.c. */
int test_prepared_guards(const struct subject *s)
{
	unsigned int ends;
	u8 *areas[AREAS];
	size_t len;
	int err;

	err = alloc_areas(s, areas, AREAS);
	for (len = 0; len <= LEN_MAX && !err; len += len < 600 ? 1 : 113) {
		for (ends = 0; ends < BIT(AREAS) && !err; ends++)
			err = check_ends(s, areas, len, ends);
		cond_resched();
	}
	free_areas(areas, AREAS);
	return err;
}
