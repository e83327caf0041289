// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The functions of poly1305.h and poly1305_user.h, served by each implementation */

#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static void serve_by(const struct subject *subject)
{
	if (poly1305_user_select(subject->driver))
		fail("cannot be selected: did it fail the self-test?");
	if (!serves(subject))
		fail("does not serve, although it was selected");
}

/* Passed the self-test, stands in its place, says of itself what it should */
static void test_registered(const struct subject *subject)
{
	const char *const *name = poly1305_user_impls();
	const struct shash_alg *alg = &subject->impl->alg;
	const struct subject *s, *last = NULL;
	bool listed = false;

	for (; *name; name++) {
		for (s = subjects(); s->name && strcmp(s->name, *name); s++)
			;
		if (!s->name)
			fail("%s is listed, but cannot run", *name);
		if (!last && !served_at_start(s))
			fail("%s is listed first, but did not serve", *name);
		if (last && last->impl->alg.base.cra_priority <=
			    s->impl->alg.base.cra_priority)
			fail("%s is listed before %s", last->name, *name);
		listed |= s->impl == subject->impl;
		last = s;
	}
	if (!listed)
		fail("is not listed: did it fail the self-test?");
	if (strcmp(last->name, "poly1305-portable"))
		fail("the last that is listed is %s", last->name);

	if (strcmp(alg->base.cra_name, "poly1305") ||
	    strcmp(alg->base.cra_driver_name, subject->driver) ||
	    alg->digestsize != TAG_SIZE || alg->base.cra_blocksize != BLOCK_SIZE ||
	    alg->statesize != saved_offsets.size)
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

/* More than 2^32 bytes: a piece of memory, mapped again and again */
#define PIECE		(2 << 20)
#define PIECES		2049
#define TAIL		77

static u8 *map_huge(const u8 *piece)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int fd = memfd_create("checkpoly1305", 0);
	u8 *map = mmap(NULL, (size_t)PIECES * PIECE + page, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t i;

	if (fd < 0 || write(fd, piece, PIECE) != PIECE || map == MAP_FAILED)
		skip("no memory");
	for (i = 0; i <= PIECES; i++)
		if (mmap(map + i * PIECE, i < PIECES ? PIECE : page, PROT_READ,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			skip("no memory");
	close(fd);
	return map;
}

/* A piece takes h to h r^n + (what it takes 0 to). */
static void expect_huge(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE],
			const u8 *piece)
{
	u64 h[3] = {}, once[3] = {}, r[3], rn[3];
	size_t n;

	ref_r(r, key);
	ref_blocks(once, r, piece, PIECE / BLOCK_SIZE, 1);
	memcpy(rn, r, sizeof(rn));
	for (n = 1; n < PIECE / BLOCK_SIZE; n *= 2)
		ref_multiply(rn, rn);
	for (n = 0; n < PIECES; n++) {
		ref_multiply(h, rn);
		ref_add(h, once);
	}
	ref_end(tag, h, key, piece, TAIL);
}

static void test_huge(const struct subject *subject)
{
	static u8 piece[PIECE];
	const u64 len = (u64)PIECE * PIECES + TAIL, first = (1ULL << 32) + 5;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], key[KEY_SIZE], *map;
	struct poly1305_mac_ctx ctx;
	u64 i;

	if (!slow_tests())
		skip("takes seconds, with --slow");
	if (sizeof(size_t) < sizeof(len))
		skip("no buffer is that long on this CPU");
	serve_by(subject);
	for (i = first_case(); next_case(&i, 1); i++) {
		rnd_bytes(piece, sizeof(piece));
		fill_key(key);
		map = map_huge(piece);
		expect_huge(expected, key, piece);
		poly1305_mac_digest(key, map, (size_t)len, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("digest: wrong tag");
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, map, (size_t)first);
		poly1305_mac_update(&ctx, map + first, len - first);
		poly1305_mac_final(&ctx, tag);
		munmap(map, len / PIECE * PIECE + sysconf(_SC_PAGESIZE));
		if (memcmp(tag, expected, TAG_SIZE))
			fail("updates: wrong tag");
	}
}

const struct test api_tests[] = {
	{ "registered", test_registered },
	{ "library", test_library },
	{ "verify", test_verify },
	{ "scatterlist", test_sg },
	{ "huge", test_huge },
	{ }
};
