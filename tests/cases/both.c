// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for both the exported functions and the shash drivers */

#include "poly1305_test.h"
#include "../../testmgr_vectors.h"

#define LARGE		SZ_1M
#define LARGE_ONES	SZ_128K

int mac_digest(const struct subject *s, const u8 *input, size_t len,
	       u8 tag[TAG_SIZE])
{
	if (s->tfm) {
		SHASH_DESC_ON_STACK(desc, s->tfm);

		desc->tfm = s->tfm;
		return crypto_shash_digest(desc, input, KEY_SIZE + len, tag);
	}
	poly1305_mac_digest(input, input + KEY_SIZE, len, tag);
	return 0;
}

int mac_init(struct mac *mac, const struct subject *s, const u8 key[KEY_SIZE])
{
	mac->s = s;
	if (s->tfm) {
		mac->desc.tfm = s->tfm;
		return crypto_shash_init(&mac->desc) ?:
		       crypto_shash_update(&mac->desc, key, KEY_SIZE);
	}
	poly1305_mac_init(&mac->ctx, key);
	return 0;
}

int mac_update(struct mac *mac, const u8 *data, size_t len)
{
	if (mac->s->tfm)
		return crypto_shash_update(&mac->desc, data, len);
	poly1305_mac_update(&mac->ctx, data, len);
	return 0;
}

int mac_final(struct mac *mac, u8 tag[TAG_SIZE])
{
	if (mac->s->tfm)
		return crypto_shash_final(&mac->desc, tag);
	poly1305_mac_final(&mac->ctx, tag);
	return 0;
}

/*
 * Key and message in two pieces, at a cut that counts from the key's first byte. To the library the
 * key comes whole; a shash takes it as input, and every other last piece by finup.
 */
int mac_cut(const struct subject *s, const u8 *input, size_t len, size_t cut,
	    u8 tag[TAG_SIZE])
{
	const size_t rest = KEY_SIZE + len - cut;
	struct mac mac;
	int err;

	mac.s = s;
	if (!s->tfm)
		return mac_init(&mac, s, input) ?:
		       mac_update(&mac, input + KEY_SIZE, cut - KEY_SIZE) ?:
		       mac_update(&mac, input + cut, rest) ?:
		       mac_final(&mac, tag);

	mac.desc.tfm = s->tfm;
	err = crypto_shash_init(&mac.desc) ?:
	      mac_update(&mac, input, cut) ?:
	      mac_update(&mac, NULL, 0);
	if (rest % 2)
		return err ?: crypto_shash_finup(&mac.desc, input + cut, rest, tag);
	return err ?: mac_update(&mac, input + cut, rest) ?: mac_final(&mac, tag);
}

int test_vectors(const struct subject *s)
{
	struct poly1305_testvec vec;
	const char *text;
	static u8 input[KEY_SIZE + POLY1305_TESTVEC_MAX];
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	size_t i, len;
	int err;

	for_each_poly1305_testvec(i, text, &vec) {
		len = strlen(vec.msg) / 2;
		if (hex2bin(input, vec.key, KEY_SIZE) ||
		    hex2bin(input + KEY_SIZE, vec.msg, len) ||
		    hex2bin(want, vec.tag, TAG_SIZE))
			return fail(s, "%s: not hexadecimal", vec.why);

		poly1305_ref(input, input + KEY_SIZE, len, tag);
		if (memcmp(tag, want, TAG_SIZE))
			return fail(s, "%s: the reference is wrong", vec.why);

		err = mac_digest(s, input, len, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "%s: digest, error %d", vec.why, err);

		err = mac_cut(s, input, len, KEY_SIZE + len / 2, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "%s: pieces, error %d", vec.why, err);
	}
	return 0;
}

/* The tag depends on the alignment neither of short messages, nor of some longer ones. */
int test_alignment(const struct subject *s)
{
	static const u16 lens[] = { 257, 300, 576, 1024, 2049, LEN_SIMD };
	const size_t each = 150, listed = each + ARRAY_SIZE(lens);
	static u8 buf[64 + KEY_SIZE + LEN_SIMD] __aligned(64);
	u8 tag[TAG_SIZE];
	size_t i, len, at;
	int err;

	for (i = 0; i < listed + 20 * effort; i++) {
		len = i < each ? i : i < listed ? lens[i - each] :
						  random_below(LEN_SIMD);
		for (at = 0; at < 64; at++) {
			memcpy(buf + at, random_sample.input, KEY_SIZE + len);
			err = mac_digest(s, buf + at, len, tag);
			if (err || memcmp(tag, random_sample.tags[len],
					  TAG_SIZE))
				return fail(s, "%zu bytes at %zu mod 64, error %d",
					    len, at, err);
		}
		cond_resched();
	}
	return 0;
}

/*
 * Messages cut in two, at every byte or many of them, for a shash within the key too; and byte by
 * byte
 */
int test_cuts(const struct subject *s)
{
	static const u16 lens[] = { 0, 1, 16, 17, 65, 140, 301, 576, 1025,
				    2 * LEN_SIMD };
	const u8 *input = random_sample.input, *want;
	const size_t first = s->tfm ? 0 : KEY_SIZE;
	u8 tag[TAG_SIZE];
	struct mac mac;
	size_t i, len, at;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		want = random_sample.tags[len];
		for (at = first; at <= KEY_SIZE + len;
		     at += len > LEN_ALL && at > KEY_SIZE ? 61 : 1) {
			err = mac_cut(s, input, len, at, tag);
			if (err || memcmp(tag, want, TAG_SIZE))
				return fail(s, "%zu bytes cut at %zu, key included, error %d",
					    len, at, err);
		}

		err = mac_init(&mac, s, input);
		if (s->tfm)	/* the key again, in bytes */
			err = err ?: crypto_shash_init(&mac.desc);
		for (at = first; at < KEY_SIZE + len; at++)
			err = err ?: mac_update(&mac, input + at, 1);
		err = err ?: mac_final(&mac, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "%zu single bytes, error %d", len, err);
		cond_resched();
	}
	return 0;
}

/* Messages of random length in random pieces, most of them short, some empty */
int test_pieces(const struct subject *s)
{
	const u8 *msg = ones_sample.input + KEY_SIZE;
	u8 tag[TAG_SIZE];
	struct mac mac;
	size_t len, at, n;
	unsigned int i;
	int err;

	for (i = 0; i < 300 * effort; i++) {
		len = random_below(LEN_MAX + 1);
		err = mac_init(&mac, s, ones_sample.input);
		for (at = 0; at < len; at += n) {
			n = min_t(size_t, random_len(14), len - at);
			err = err ?: mac_update(&mac, msg + at, n);
		}
		err = err ?: mac_final(&mac, tag);
		if (err || memcmp(tag, ones_sample.tags[len], TAG_SIZE))
			return fail(s, "message %u, %zu bytes, error %d", i,
				    len, err);
		cond_resched();
	}
	return 0;
}

/* Messages longer than a page, an FPU section, or a group of vectors */
static int large_digests(const struct subject *s, const u8 *input, size_t most)
{
	static const u32 lens[] = { 4097, 8192 + 15, 65536, 65536 + 17,
				    LARGE_ONES - 1, LARGE_ONES, LARGE - 1,
				    LARGE };
	static const u32 pieces[] = { 4095, 4096, 65536 + 1 };
	const u8 *msg = input + KEY_SIZE;
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	struct mac mac;
	size_t i, at, n;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens) && lens[i] <= most; i++) {
		poly1305_ref(input, msg, lens[i], want);
		err = mac_digest(s, input, lens[i], tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "digest of %u bytes, error %d", lens[i],
				    err);
		err = mac_cut(s, input, lens[i], KEY_SIZE + 1, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "update with %u bytes, error %d",
				    lens[i] - 1, err);
	}

	/* want is now the tag of all most bytes. */
	for (i = 0; i < ARRAY_SIZE(pieces); i++) {
		err = mac_init(&mac, s, input);
		for (at = 0; at < most; at += n) {
			n = min_t(size_t, pieces[i], most - at);
			err = err ?: mac_update(&mac, msg + at, n);
		}
		err = err ?: mac_final(&mac, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "%zu bytes in pieces of %u, error %d",
				    most, pieces[i], err);
	}
	return 0;
}

int test_large(const struct subject *s)
{
	u8 *input = vmalloc(KEY_SIZE + LARGE);
	int err;

	if (!input)
		return fail(s, "no memory");
	random_fill(input, KEY_SIZE + LARGE);
	err = large_digests(s, input, LARGE);
	memset(input, 0xff, KEY_SIZE + LARGE_ONES);
	err = err ?: large_digests(s, input, LARGE_ONES);
	vfree(input);
	return err;
}

/*
 * buf is a copy of key and message, with a tag written at byte at. Checks that the tag
 * is right and nothing else has changed, and restores the bytes below it.
 */
int check_overlap(const struct subject *s, const char *how, int err, u8 *buf,
		  size_t len, size_t at)
{
	const u8 *input = random_sample.input;

	if (err || memcmp(buf + at, random_sample.tags[len], TAG_SIZE))
		return fail(s, "%s: %zu bytes, the tag over byte %zu, error %d",
			    how, len, at, err);
	memcpy(buf + at, input + at, TAG_SIZE);
	if (memcmp(buf, input, KEY_SIZE + len))
		return fail(s, "%s: %zu bytes, bytes outside the tag are written",
			    how, len);
	return 0;
}

/* The tag may overwrite the key or the message. */
int test_overlap(const struct subject *s)
{
	static const u16 lens[] = { 0, 16, 31, 300, 1420, LEN_SIMD };
	static u8 buf[KEY_SIZE + LEN_SIMD];
	size_t i, len, at, step;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		step = len > LEN_ALL ? 37 : 1;
		for (at = 0; at + TAG_SIZE <= KEY_SIZE + len; at += step) {
			memcpy(buf, random_sample.input, KEY_SIZE + len);
			err = mac_digest(s, buf, len, buf + at);
			err = check_overlap(s, "digest", err, buf, len, at);
			if (err)
				return err;
			err = mac_cut(s, buf, len, KEY_SIZE + min(len, at), buf + at);
			err = check_overlap(s, "final", err, buf, len, at);
			if (err)
				return err;
		}
	}
	return 0;
}

/* A copy of a context or a descriptor is independent of the original. */
int test_copy(const struct subject *s)
{
	static const u16 lens[] = { 100, 700, 2 * LEN_SIMD };
	const u8 *msg = random_sample.input + KEY_SIZE, *want;
	struct mac mac, copy;
	size_t i, len, cut;
	u8 tag[TAG_SIZE];
	int err, twice;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		want = random_sample.tags[len];
		for (cut = 0; cut <= len; cut += len > LEN_ALL ? 127 : 1) {
			err = mac_init(&mac, s, random_sample.input) ?:
			      mac_update(&mac, msg, cut);
			copy = mac;

			/* The original goes on with other bytes, and ends first. */
			err = err ?: mac_update(&mac, msg, len - cut) ?:
			      mac_update(&mac, msg, 1) ?:
			      mac_final(&mac, tag);
			mac = copy;
			for (twice = 0; twice < 2; twice++, copy = mac) {
				err = err ?: mac_update(&copy, msg + cut, len - cut) ?:
				      mac_final(&copy, tag);
				if (err || memcmp(tag, want, TAG_SIZE))
					return fail(s, "%zu bytes copied at %zu, error %d", len,
						    cut, err);
			}
		}
		cond_resched();
	}
	return 0;
}
