// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What a tier and its driver must get right before the driver is registered.
 *
 * The first test compares with published tags. The others compare with the portable
 * tier, which passed the first, on its simplest path: block by block. The first
 * difference ends the test with one line that says where it was.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/internal/hash.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "poly1305_core.h"
#include "poly1305_saved.h"
#define POLY1305_TESTVECS_SECTION	__initconst
#include "testmgr_vectors.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define LENGTHS_MAX	9000
#define LEN_MAX		69637
#define OFFSETS		64
#define BATCH_MAX	20
#define BATCHES		170

static_assert(POLY1305_TESTVEC_MAX <= LEN_MAX);

/*
 * Key and message in one piece, as the shash takes them, and room to move them
 * to any alignment. Only init uses these, and once.
 */
static u8 input[OFFSETS + KEY_SIZE + LEN_MAX] __initdata;
static struct poly1305_mac_ctx ctx __initdata;
static union {
	struct shash_desc desc;
	u8 bytes[sizeof(struct shash_desc) + HASH_MAX_DESCSIZE];
} shash __initdata __aligned(8);
static u8 saved[POLY1305_STATE_MAX] __initdata;
static const struct poly1305_ops *portable __initdata;

/* Every length up to 1 KiB, then every 61st, which leaves rests of all sizes */
static size_t __init next_length(size_t len)
{
	return len + (len < 1024 ? 1 : 61);
}

/*
 * The messages that are cut, and how far apart: short ones everywhere, long ones
 * so that both parts come in all sizes of rest. With 68 KiB every loop of every
 * tier has run, and messages take more than one FPU section.
 */
static const struct {
	u32 len;
	u32 step;
} cuts[] __initconst = {
	{ 17, 1 }, { 65, 1 }, { 140, 1 }, { 300, 1 }, { 1024, 37 },
	{ 4113, 121 }, { LEN_MAX, 9001 },
};

static int __init check(const struct poly1305_tier *tier, const u8 *tag,
			const u8 *expected, const char *what, size_t len,
			size_t at)
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

/* Bytes without a pattern: the high byte of a 32-bit congruential generator */
static void __init fill(u8 *p, size_t len, u32 seed)
{
	while (len--) {
		seed = seed * 1664525 + 1013904223;
		*p++ = seed >> 24;
	}
}

static int __init test_vectors(const struct poly1305_tier *tier,
			       const struct shash_alg *alg)
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

/* The right tag of the first len bytes of msg */
static void __init expect(const u8 *key, const u8 *msg, size_t len, u8 *tag)
{
	size_t n;

	poly1305_ctx_init(&ctx, key, 0);
	for (; len; len -= n) {
		n = min_t(size_t, len, POLY1305_MAC_BLOCK_SIZE);
		portable->update(&ctx, msg, n);
		msg += n;
	}
	portable->final(&ctx, tag);
}

/* Lengths up to that of jumbo frames, each at another alignment */
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
		err = check(tier, tag, expected, "length", len,
			    len % OFFSETS);
		if (err)
			return err;
	}
	return 0;
}

/* Packets of these lengths, behind 0 to 17 bytes of associated data */
static u8 packet[2 * POLY1305_MAC_BLOCK_SIZE + LENGTHS_MAX +
		 2 * POLY1305_MAC_BLOCK_SIZE] __initdata;

static int __init test_packets(const struct poly1305_tier *tier)
{
	const u8 *ad = input + KEY_SIZE, *text;
	u8 expected[TAG_SIZE], tag[TAG_SIZE];
	size_t len, ad_len, n;
	int err;

	for (len = 0; len <= LENGTHS_MAX; len = next_length(len)) {
		text = input + KEY_SIZE + len % OFFSETS;
		ad_len = len % 18;
		n = round_up(ad_len, POLY1305_MAC_BLOCK_SIZE);
		memset(packet, 0, sizeof(packet));
		memcpy(packet, ad, ad_len);
		memcpy(packet + n, text, len);
		n += round_up(len, POLY1305_MAC_BLOCK_SIZE);
		put_unaligned_le64(ad_len, packet + n);
		put_unaligned_le64(len, packet + n + 8);
		expect(input, packet, n + POLY1305_MAC_BLOCK_SIZE, expected);
		tier->ops->aead(input, ad, ad_len, text, len, tag);
		err = check(tier, tag, expected, "packet", len, ad_len);
		if (err)
			return err;
	}
	return 0;
}

/*
 * A message cut in two, with the parts done by first and second. If one of them is
 * the portable tier's, this is what happens to a message when SIMD becomes unusable,
 * or usable, in the middle of it.
 */
static int __init test_cuts(const struct poly1305_tier *tier,
			    const struct poly1305_ops *first,
			    const struct poly1305_ops *second,
			    const u8 *expected, size_t len, size_t step,
			    const char *what)
{
	static const size_t hints[] = { 0, LEN_MAX, SIZE_MAX };
	const u8 *msg = input + KEY_SIZE;
	u8 tag[TAG_SIZE];
	size_t cut;
	int err;

	for (cut = 0; cut <= len; cut += step) {
		poly1305_ctx_init(&ctx, input, hints[cut % ARRAY_SIZE(hints)]);
		first->update(&ctx, msg, cut);
		second->update(&ctx, msg + cut, len - cut);
		second->final(&ctx, tag);
		err = check(tier, tag, expected, what, len, cut);
		if (err)
			return err;
	}
	return 0;
}

/* The same through the shash, key included, by way of export and import */
static int __init test_shash_cuts(const struct poly1305_tier *tier,
				  const struct shash_alg *alg,
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
			err = err ?: alg->finup(&shash.desc, input + cut,
						total - cut, tag);
		else
			err = err ?: alg->update(&shash.desc, input + cut,
						 total - cut) ?:
			      alg->final(&shash.desc, tag);
		if (err)
			return refuse(tier, err, cut);
		err = check(tier, tag, expected, "export, import", total, cut);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Batches of all sizes up to one that fills the lanes of a vector more than
 * twice. Each message has its own key, place and length: lengths grow from batch
 * to batch, and within one batch they differ not at all, by a few blocks, or by
 * much.
 */
static struct poly1305_mac_req reqs[BATCH_MAX] __initdata;
static u8 tags[BATCH_MAX][TAG_SIZE] __initdata;

static int __init test_batches(const struct poly1305_tier *tier)
{
	static const u16 spreads[] __initconst = { 1, 40, 1000 };
	u8 expected[TAG_SIZE];
	unsigned int i, n, round;
	struct poly1305_mac_req *req;
	int err;

	for (round = 0; round < BATCHES; round++) {
		n = round % (BATCH_MAX + 1);
		for (i = 0; i < n; i++) {
			req = &reqs[i];
			req->key = input + 3 * i;
			req->data = input + 5 * i;
			req->len = round * 9 +
				   i * 77 % spreads[round % ARRAY_SIZE(spreads)];
			req->tag = tags[i];
		}
		err = poly1305_batch(tier, reqs, n);
		if (err)
			return refuse(tier, err, n);
		for (i = 0; i < n; i++) {
			req = &reqs[i];
			expect(req->key, req->data, req->len,
			       expected);
			err = check(tier, req->tag, expected, "batch", req->len,
				    i);
			if (err)
				return err;
		}
	}
	return 0;
}

int __init poly1305_selftest(const struct poly1305_tier *tier,
			     const struct shash_alg *alg)
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
	if (!err && POLY1305_WHOLE_LIBRARY)
		err = test_packets(tier) ?: test_batches(tier);
	if (err)
		goto out;

	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		len = cuts[i].len;
		step = cuts[i].step;
		expect(input, input + KEY_SIZE, len, expected);
		ops->digest(input, input + KEY_SIZE, len, tag);
		err = check(tier, tag, expected, "digest", len, 0) ?:
		      test_cuts(tier, ops, ops, expected, len, step,
				"cut") ?:
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
