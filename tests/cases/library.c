// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for features that only the exported functions have */

#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "poly1305_test.h"

/* verify returns 0 for the right tag, -EBADMSG for any changed bit of tag or message. */
int test_verify(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 100, 1500, LEN_SIMD };
	static u8 input[KEY_SIZE + LEN_SIMD];
	const u8 *key = input, *msg = input + KEY_SIZE;
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
		cond_resched();
	}
	return 0;
}

/* A context need not be initialized before init and is zero after final. */
int test_wipe(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 200, 1024, LEN_MAX };
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memset(&ctx, 0xff, sizeof(ctx));
		poly1305_mac_init(&ctx, random_sample.input);
		poly1305_mac_update(&ctx, random_sample.input + KEY_SIZE, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
			return fail(s, "%zu bytes", len);
		if (memchr_inv(&ctx, 0, sizeof(ctx)))
			return fail(s, "%zu bytes: the context is not wiped",
				    len);
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

	memset(tag, 0, sizeof(tag));
	err = poly1305_mac_digest_sg(key, NULL, 0, tag);
	if (err || memcmp(tag, random_sample.tags[0], TAG_SIZE))
		return fail(s, "digest_sg: %d", err);

	poly1305_mac_init(&ctx, key);
	poly1305_mac_update(&ctx, NULL, 0);
	poly1305_mac_update(&ctx, key + KEY_SIZE, 5);
	poly1305_mac_update(&ctx, NULL, 0);
	poly1305_mac_final(&ctx, tag);
	if (memcmp(tag, random_sample.tags[5], TAG_SIZE))
		return fail(s, "update");
	return 0;
}

/* Calls in a wrong order: after final a context has an all-zero key, and its tag is 0. */
int test_order(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 300, LEN_MAX };
	const u8 *key = random_sample.input, *msg = key + KEY_SIZE;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		poly1305_mac_init(&ctx, msg);
		poly1305_mac_update(&ctx, key, 17);
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, msg, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
			return fail(s, "%zu bytes, init twice", len);

		poly1305_mac_final(&ctx, tag);
		if (memchr_inv(tag, 0, TAG_SIZE))
			return fail(s, "%zu bytes, final twice", len);

		poly1305_mac_update(&ctx, msg, len);
		poly1305_mac_final(&ctx, tag);
		if (memchr_inv(tag, 0, TAG_SIZE))
			return fail(s, "%zu bytes, update after final", len);
	}
	return 0;
}

/* A copy of a context is independent of the original. */
int test_copy(const struct subject *s)
{
	static const u16 lens[] = { 100, 700, 2 * LEN_SIMD };
	const u8 *msg = random_sample.input + KEY_SIZE;
	struct poly1305_mac_ctx ctx, copy;
	size_t i, len, cut, step;
	u8 tag[TAG_SIZE];

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		step = len > LEN_ALL ? 127 : 1;
		for (cut = 0; cut <= len; cut += step) {
			poly1305_mac_init(&ctx, random_sample.input);
			poly1305_mac_update(&ctx, msg, cut);
			copy = ctx;

			/* The original goes on with other bytes, and ends first. */
			poly1305_mac_update(&ctx, msg, len - cut);
			poly1305_mac_update(&ctx, msg, 1);
			poly1305_mac_final(&ctx, tag);

			ctx = copy;
			poly1305_mac_update(&copy, msg + cut, len - cut);
			poly1305_mac_final(&copy, tag);
			if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
				return fail(s, "%zu bytes copied at %zu", len,
					    cut);

			poly1305_mac_update(&ctx, msg + cut, len - cut);
			poly1305_mac_final(&ctx, tag);
			if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
				return fail(s, "%zu bytes, the copy of a copy at %zu",
					    len, cut);
		}
		cond_resched();
	}
	return 0;
}

/*
 * A hint, right or wrong, does not change the tag. The context need not be initialized
 * before, and is zero after final. Another init forgets the hint.
 */
int test_hint(const struct subject *s)
{
	static const u16 lens[] = { 0, 15, 64, 200, 300, 576, 1024, LEN_MAX };
	const u8 *key = random_sample.input, *msg = key + KEY_SIZE;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];
	size_t i, j, len, cut, step;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		const size_t hints[] = {
			lens[i], 0, lens[i] / 2, 2 * lens[i], 17, 1 << 20,
			U32_MAX, SIZE_MAX,
		};

		len = lens[i];
		step = len > LEN_ALL ? 307 : 61;
		for (j = 0; j < ARRAY_SIZE(hints); j++) {
			for (cut = 0; cut <= len; cut += step) {
				memset(&ctx, 0xff, sizeof(ctx));
				poly1305_mac_init_hint(&ctx, key, hints[j]);
				poly1305_mac_update(&ctx, msg, cut);
				poly1305_mac_update(&ctx, msg + cut, len - cut);
				poly1305_mac_final(&ctx, tag);
				if (memcmp(tag, random_sample.tags[len],
					   TAG_SIZE))
					return fail(s, "%zu bytes cut at %zu, hint %zu",
						    len, cut, hints[j]);
				if (memchr_inv(&ctx, 0, sizeof(ctx)))
					return fail(s, "%zu bytes, hint %zu: not wiped",
						    len, hints[j]);
			}
		}
		poly1305_mac_init_hint(&ctx, msg, LEN_MAX);
		poly1305_mac_update(&ctx, key, 17);
		poly1305_mac_init(&ctx, key);
		poly1305_mac_update(&ctx, msg, len);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, random_sample.tags[len], TAG_SIZE))
			return fail(s, "%zu bytes, init behind a hint", len);
		cond_resched();
	}
	return 0;
}

#define SG_BLOCKS	8
#define SG_ORDER	1
#define SG_BLOCK_SIZE	(PAGE_SIZE << SG_ORDER)
#define SG_BITS		(PAGE_SHIFT + SG_ORDER)
#define SG_ENTRIES	16
#define SG_MOST		(2 * SG_ENTRIES * SG_BLOCK_SIZE)

/*
 * Makes two chained tables of entries of any length, 0 included, anywhere in blocks of
 * two pages, so that many entries cross a page boundary. Returns their total length.
 */
static size_t random_sgl(struct scatterlist (*sgl)[SG_ENTRIES],
			 struct page **blocks)
{
	unsigned int n[2], len, at, i, j;
	size_t total = 0;

	for (i = 0; i < 2; i++) {
		n[i] = 1 + random_below(SG_ENTRIES - 1);
		sg_init_table(sgl[i], n[i] + !i);
		for (j = 0; j < n[i]; j++) {
			len = random_len(SG_BITS);
			at = random_below(SG_BLOCK_SIZE - len);
			sg_set_page(&sgl[i][j], blocks[random_below(SG_BLOCKS)],
				    len, at);
			total += len;
		}
	}
	sg_chain(sgl[0], n[0] + 1, sgl[1]);
	return total;
}

static int sg_digests(const struct subject *s, struct page **blocks, u8 *flat)
{
	static struct scatterlist sgl[2][SG_ENTRIES];
	const u8 *key = random_sample.input;
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	size_t total, len;
	unsigned int i;
	int err;

	for (i = 0; i < 100 * effort; i++) {
		total = random_sgl(sgl, blocks);
		sg_copy_to_buffer(sgl[0], sg_nents(sgl[0]), flat, total);

		/* The whole list, then part of it */
		for (len = total; ; len = random_below(total)) {
			poly1305_ref(key, flat, len, want);
			err = poly1305_mac_digest_sg(key, sgl[0], len, tag);
			if (err || memcmp(tag, want, TAG_SIZE))
				return fail(s, "list %u, %zu of %zu bytes, error %d",
					    i, len, total, err);
			if (len < total || !total)
				break;
		}
		cond_resched();
	}
	return 0;
}

/* Scatterlists of any shape, in pages that the kernel may have to map first */
int test_sg(const struct subject *s)
{
	struct page *blocks[SG_BLOCKS] = { NULL };
	struct scatterlist sg;
	unsigned int i;
	int err = 0;
	u8 *flat;

	flat = vmalloc(SG_MOST);
	if (!flat)
		return fail(s, "no memory");
	random_fill(flat, SG_BLOCK_SIZE);

	for (i = 0; i < SG_BLOCKS && !err; i++) {
		blocks[i] = alloc_pages(GFP_HIGHUSER, SG_ORDER);
		if (!blocks[i]) {
			err = fail(s, "no memory");
			break;
		}
		flat[i]++;
		sg_init_table(&sg, 1);
		sg_set_page(&sg, blocks[i], SG_BLOCK_SIZE, 0);
		sg_copy_from_buffer(&sg, 1, flat, SG_BLOCK_SIZE);
	}

	err = err ?: sg_digests(s, blocks, flat);

	while (i--)
		__free_pages(blocks[i], SG_ORDER);
	vfree(flat);
	return err;
}

/* A list that is too short is rejected, and no tag is written. */
int test_sg_short(const struct subject *s)
{
	static const unsigned int lens[] = { LEN_MAX + 1, 2 * LEN_MAX,
					     U32_MAX };
	const u8 *key = random_sample.input;
	u8 tag[TAG_SIZE];
	size_t i;
	int err;

	memset(tag, 0x5a, sizeof(tag));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		err = poly1305_mac_digest_sg(key, random_sample.sgl, lens[i],
					     tag);
		if (err != -EINVAL)
			return fail(s, "%u bytes from %d: %d", lens[i],
				    LEN_MAX, err);
	}
	err = poly1305_mac_digest_sg(key, NULL, 1, tag);
	if (err != -EINVAL)
		return fail(s, "1 byte from a NULL list: %d", err);
	if (memchr_inv(tag, 0x5a, sizeof(tag)))
		return fail(s, "the tag is written");
	return 0;
}

/* The tag may overwrite the key or the message in a list. */
static int sg_overlaps(const struct subject *s, u8 *buf, size_t len,
		       size_t step)
{
	struct scatterlist sgl[2];
	size_t at;
	int err;

	sg_init_table(sgl, 2);
	sg_set_buf(&sgl[0], buf + KEY_SIZE, 7);
	sg_set_buf(&sgl[1], buf + KEY_SIZE + 7, len - 7);
	for (at = 0; at + TAG_SIZE <= KEY_SIZE + len; at += step) {
		memcpy(buf, random_sample.input, KEY_SIZE + len);
		err = poly1305_mac_digest_sg(buf, sgl, len, buf + at);
		err = check_overlap(s, "list", err, buf, len, at);
		if (err)
			return err;
	}
	return 0;
}

int test_sg_overlap(const struct subject *s)
{
	u8 *buf = kmalloc(KEY_SIZE + LEN_SIMD, GFP_KERNEL);
	int err;

	if (!buf)
		return fail(s, "no memory");
	err = sg_overlaps(s, buf, 16, 1) ?:
	      sg_overlaps(s, buf, 300, 1) ?:
	      sg_overlaps(s, buf, 1420, 1) ?:
	      sg_overlaps(s, buf, LEN_SIMD, 37);
	kfree(buf);
	return err;
}

/* Not a test: logs the time of a digest, the minimum of some rounds. */
void print_times(void)
{
	static const u16 lens[] = { 16, 64, 256, 576, 1024, 1420, 4096, 16384 };
	unsigned int i, j, k, times;
	u64 start, ns, least;
	u8 tag[TAG_SIZE];
	u8 *input;

	input = vzalloc(KEY_SIZE + 16384);
	if (!input)
		return;
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		times = 1 + 16384 / lens[i];
		least = U64_MAX;
		for (j = 0; j < 10; j++) {
			start = ktime_get_ns();
			for (k = 0; k < times; k++)
				poly1305_mac_digest(input, input + KEY_SIZE,
						    lens[i], tag);
			ns = ktime_get_ns() - start;
			least = min(least, ns);
			cond_resched();
		}
		pr_info("# library: digest of %5u bytes: %llu ns\n", lens[i],
			div_u64(least, times));
	}
	vfree(input);
}
