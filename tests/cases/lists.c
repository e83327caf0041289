// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for functions that Poly1271 lacks: hints of a length, and scatterlists */

#include "poly1305_test.h"

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
			/* Often at the end */
			at = SG_BLOCK_SIZE - len;
			if (random_below(2))
				at = random_below(at + 1);
			/* Some empty entries begin a page. */
			if (!len)
				at &= PAGE_SIZE;
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
	struct scatterlist *sg;
	size_t total, len, at;
	unsigned int i;
	int err;

	for (i = 0; i < 100 * effort; i++) {
		total = random_sgl(sgl, blocks);
		/* Each by itself: for sg_copy_to_buffer(), see poly1305_mac_digest_sg(). */
		for (sg = sgl[0], at = 0; sg; sg = sg_next(sg))
			at += sg_copy_to_buffer(sg, 1, flat + at, sg->length);

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
	err = poly1305_mac_digest_sg(key, NULL, 0, tag);
	if (err || memcmp(tag, random_sample.tags[0], TAG_SIZE))
		return fail(s, "no bytes from a NULL list: %d", err);
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
