// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The self-test that a tier and its driver must pass before the driver is registered.
 *
 * The first test compares tags with those of test vectors. The others compare tags with those that
 * the portable tier, which has passed the first test, computes block by block. At the first
 * difference, the self-test logs where it was and ends.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/internal/hash.h>
#include <linux/module.h>

#include "poly1305_core.h"
#include "poly1305_desc.h"
#define POLY1305_TESTVECS_SECTION	__initconst
#include "testmgr_vectors.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define LENGTHS_MAX	9000
#define LEN_MAX		69637
#define OFFSETS		64

static_assert(POLY1305_TESTVEC_MAX <= LEN_MAX);

/* Key and message in one buffer, as the shash takes them, with space for any alignment */
static u8 input[OFFSETS + KEY_SIZE + LEN_MAX] __initdata;
static struct poly1305_mac_ctx ctx __initdata;
static union {
	struct shash_desc desc;
	u8 bytes[sizeof(struct shash_desc) + HASH_MAX_DESCSIZE];
} shash __initdata __aligned(8);
static u8 saved[POLY1305_STATE_MAX] __initdata;
static const struct poly1305_ops *portable __initdata;

/* Every length up to 1024 bytes, then every 61st, which gives tails of all lengths */
static size_t __init next_length(size_t len)
{
	return len + (len < 1024 ? 1 : 61);
}

/*
 * Messages that are cut into two updates: the length, and the distance between cuts. Short messages
 * are cut everywhere. Cuts of long messages give both updates tails of all lengths. 68 KiB reach
 * every loop of every tier, and take more than one FPU section.
 */
static const struct {
	u32 len;
	u32 step;
} cuts[] __initconst = {
	{ 17, 1 }, { 65, 1 }, { 140, 1 }, { 300, 1 }, { 1024, 37 },
	{ 4113, 121 }, { LEN_MAX, 9001 },
};

static int __init check(const struct poly1305_tier *tier, const u8 *tag, const u8 *expected,
			const char *what, size_t len, size_t at)
{
	if (!memcmp(tag, expected, TAG_SIZE))
		return 0;
	pr_err("self-test of %s failed: %s, %zu bytes, at %zu; not registered\n",
	       tier->name, what, len, at);
	return -EBADMSG;
}

static int __init refuse(const struct poly1305_tier *tier, int err, size_t at)
{
	pr_err("self-test of %s failed: error %d after %zu bytes; not registered\n",
	       tier->name, err, at);
	return -EBADMSG;
}

/* Pseudorandom bytes: the high byte of a 32-bit congruential generator */
static void __init fill(u8 *p, size_t len, u32 seed)
{
	while (len--) {
		seed = seed * 1664525 + 1013904223;
		*p++ = seed >> 24;
	}
}

static int __init test_vectors(const struct poly1305_tier *tier, const struct shash_alg *alg)
{
	u8 expected[TAG_SIZE], tag[TAG_SIZE];
	struct poly1305_testvec vec;
	const char *text;
	size_t i, len;
	int err;

	for_each_poly1305_testvec(i, text, &vec) {
		len = strlen(vec.msg) / 2;
		if (hex2bin(input, vec.key, KEY_SIZE) ||
		    hex2bin(input + KEY_SIZE, vec.msg, len) ||
		    hex2bin(expected, vec.tag, TAG_SIZE))
			return refuse(tier, -EINVAL, 0);

		tier->ops->digest(input, input + KEY_SIZE, len, tag);
		err = check(tier, tag, expected, vec.why, len, 0);
		if (err)
			return err;

		err = alg->digest(&shash.desc, input, KEY_SIZE + len, tag);
		if (err)
			return refuse(tier, err, 0);
		err = check(tier, tag, expected, vec.why, len, 0);
		if (err)
			return err;
	}
	return 0;
}

/* tag = the tag of len bytes at msg, computed by the portable tier, block by block */
static void __init expect(const u8 *key, const u8 *msg, size_t len, u8 *tag)
{
	size_t n;

	poly1305_ctx_init(&ctx, key);
	for (; len; len -= n) {
		n = min_t(size_t, len, POLY1305_MAC_BLOCK_SIZE);
		portable->update(&ctx, msg, n);
		msg += n;
	}
	portable->final(&ctx, tag);
}

/* Lengths up to those of jumbo frames, at changing alignments */
static int __init test_lengths(const struct poly1305_tier *tier)
{
	u8 expected[TAG_SIZE], tag[TAG_SIZE];
	const u8 *msg;
	size_t len;
	int err;

	for (len = 0; len <= LENGTHS_MAX; len = next_length(len)) {
		msg = input + KEY_SIZE + len % OFFSETS;
		expect(input, msg, len, expected);
		tier->ops->digest(input, msg, len, tag);
		err = check(tier, tag, expected, "length", len, len % OFFSETS);
		if (err)
			return err;
	}
	return 0;
}

/*
 * A message in two updates, by the functions of first and of second. If one of these is the
 * portable tier, this tests a message during which SIMD becomes usable or unusable.
 */
static int __init test_cuts(const struct poly1305_tier *tier, const struct poly1305_ops *first,
			    const struct poly1305_ops *second, const u8 *expected, size_t len,
			    size_t step, const char *what)
{
	const u8 *msg = input + KEY_SIZE;
	u8 tag[TAG_SIZE];
	size_t cut;
	int err;

	for (cut = 0; cut <= len; cut += step) {
		poly1305_ctx_init(&ctx, input);
		first->update(&ctx, msg, cut);
		second->update(&ctx, msg + cut, len - cut);
		second->final(&ctx, tag);
		err = check(tier, tag, expected, what, len, cut);
		if (err)
			return err;
	}
	return 0;
}

/* Key and message in two updates of the shash, with export and import between them */
static int __init test_shash_cuts(const struct poly1305_tier *tier, const struct shash_alg *alg,
				  const u8 *expected, size_t len, size_t step)
{
	const size_t total = KEY_SIZE + len;
	u8 tag[TAG_SIZE];
	size_t cut;
	int err;

	for (cut = 0; cut <= total; cut += step) {
		err = alg->init(&shash.desc) ?:
		      alg->update(&shash.desc, input, cut) ?:
		      alg->export(&shash.desc, saved);
		memset(&shash, 0xff, sizeof(shash));
		err = err ?: alg->import(&shash.desc, saved);
		if (cut % 2)
			err = err ?: alg->finup(&shash.desc, input + cut, total - cut, tag);
		else
			err = err ?: alg->update(&shash.desc, input + cut, total - cut) ?:
			      alg->final(&shash.desc, tag);
		if (err)
			return refuse(tier, err, cut);
		err = check(tier, tag, expected, "export, import", total, cut);
		if (err)
			return err;
	}
	return 0;
}

int __init poly1305_selftest(const struct poly1305_tier *tier, const struct shash_alg *alg)
{
	const struct poly1305_ops *const ops = tier->ops;
	u8 expected[TAG_SIZE], tag[TAG_SIZE];
	size_t i, len, step;
	int err;

	portable = poly1305_tiers[0]->ops;
	err = test_vectors(tier, alg);
	if (err)
		goto out;

	fill(input, sizeof(input), 1305);
	err = test_lengths(tier);
	if (err)
		goto out;

	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		len = cuts[i].len;
		step = cuts[i].step;
		expect(input, input + KEY_SIZE, len, expected);
		ops->digest(input, input + KEY_SIZE, len, tag);
		err = check(tier, tag, expected, "digest", len, 0) ?:
		      test_cuts(tier, ops, ops, expected, len, step, "cut") ?:
		      test_cuts(tier, ops, portable, expected, len, step,
				"cut, the rest without SIMD") ?:
		      test_cuts(tier, portable, ops, expected, len, step,
				"cut, the beginning without SIMD") ?:
		      test_shash_cuts(tier, alg, expected, len, step);
		if (err)
			goto out;
	}
out:
	memset(&shash, 0, sizeof(shash));
	memset(saved, 0, sizeof(saved));
	return err;
}
