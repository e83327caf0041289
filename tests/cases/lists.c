// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for functions that Poly1271 lacks: hints of a length, and scatterlists */

#include "poly1305_test.h"

/* A hint, right or wrong, does not change the tag. Another init forgets it. */
int test_hint(const struct subject *s)
{
	static const u16 lens[] = { 0, 64, 200, 300, 1024, LEN_MAX };
	static const size_t hints[] = { 0, 17, 1024, SIZE_MAX };
	const u8 *key = random_sample.input, *msg = key + KEY_SIZE;
	struct poly1305_mac_ctx ctx;
	size_t i, j, len, cut, again;
	u8 tag[TAG_SIZE];
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		for (j = 0; j < ARRAY_SIZE(hints) * 2; j++) {
			cut = random_below(len + 1);
			again = j % 2;
			memset(&ctx, 0xff, sizeof(ctx));
			poly1305_mac_init_hint(&ctx, key, hints[j / 2]);
			if (again)
				poly1305_mac_init(&ctx, key);
			poly1305_mac_update(&ctx, msg, cut);
			poly1305_mac_update(&ctx, msg + cut, len - cut);
			poly1305_mac_final(&ctx, tag);
			err = check_tag(s, 0, tag, len, cut, again ? "init behind a hint" : "hint");
			if (err)
				return err;
		}
	}
	return 0;
}

#define SG_ORDER	3
#define SG_SIZE		(PAGE_SIZE << SG_ORDER)
#define SG_ENTRY_BITS	(PAGE_SHIFT + 1)
#define SG_ENTRIES	16
#define SG_MOST		(2 * SG_ENTRIES * (2 << SG_ENTRY_BITS))

/*
 * Makes two chained tables of entries of any length, 0 included, anywhere in the pages, so that
 * many entries cross a page boundary. Copies them to flat, and returns their total length.
 */
static size_t random_sgl(struct scatterlist (*sgl)[SG_ENTRIES], struct page *pages, u8 *flat)
{
	unsigned int n[2], len, at, i, j;
	struct scatterlist *sg;
	size_t total = 0;

	for (i = 0; i < 2; i++) {
		n[i] = 1 + random_below(SG_ENTRIES - 1);
		sg_init_table(sgl[i], n[i] + !i);
		for (j = 0; j < n[i]; j++) {
			len = random_len(SG_ENTRY_BITS);
			/* Often at the end */
			at = SG_SIZE - len;
			if (random_below(2))
				at = random_below(at + 1);
			/* Some empty entries begin a page. */
			if (!len)
				at = PAGE_SIZE;
			sg_set_page(&sgl[i][j], pages, len, at);
		}
	}
	sg_chain(sgl[0], n[0] + 1, sgl[1]);
	/* Each by itself: for sg_copy_to_buffer(), see poly1305_mac_digest_sg(). */
	for (sg = sgl[0]; sg; sg = sg_next(sg))
		total += sg_copy_to_buffer(sg, 1, flat + total, sg->length);
	return total;
}

/* Scatterlists of any shape, in pages that the kernel may have to map first */
int test_sg(const struct subject *s)
{
	static struct scatterlist sgl[2][SG_ENTRIES];
	struct page *pages = alloc_pages(GFP_HIGHUSER, SG_ORDER);
	const u8 *key = random_sample.input;
	u8 *flat = vmalloc(SG_MOST), want[TAG_SIZE], tag[TAG_SIZE];
	size_t total, len;
	unsigned int i;
	int err = 0;

	if (!flat || !pages) {
		err = fail(s, "no memory");
		goto out;
	}
	random_fill(flat, SG_SIZE);
	sg_init_table(sgl[0], 1);
	sg_set_page(sgl[0], pages, SG_SIZE, 0);
	sg_copy_from_buffer(sgl[0], 1, flat, SG_SIZE);

	for (i = 0; i < 100 * effort && !err; i++) {
		total = random_sgl(sgl, pages, flat);
		/* Every other list to its end */
		len = i % 2 ? total : random_below(total + 1);
		poly1305_ref(key, flat, len, want);
		err = poly1305_mac_digest_sg(key, sgl[0], len, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			err = fail(s, "list %u, %zu of %zu bytes, error %d", i, len, total, err);
		cond_resched();
	}
out:
	if (pages)
		__free_pages(pages, SG_ORDER);
	vfree(flat);
	return err;
}

/* A list that is too short is rejected, and no tag is written. No bytes need no list. */
int test_sg_short(const struct subject *s)
{
	static const unsigned int lens[] = { 501, 1000, U32_MAX };
	const u8 *key = random_sample.input;
	struct scatterlist sg;
	u8 tag[TAG_SIZE];
	size_t i;
	int err;

	sg_init_table(&sg, 1);
	sg_set_buf(&sg, key + KEY_SIZE, 500);
	memset(tag, 0x5a, sizeof(tag));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		err = poly1305_mac_digest_sg(key, &sg, lens[i], tag);
		if (err != -EINVAL)
			return fail(s, "%u bytes from 500: %d", lens[i], err);
	}
	err = poly1305_mac_digest_sg(key, NULL, 1, tag);
	if (err != -EINVAL)
		return fail(s, "1 byte from a NULL list: %d", err);
	if (memchr_inv(tag, 0x5a, sizeof(tag)))
		return fail(s, "the tag is written");
	err = poly1305_mac_digest_sg(key, NULL, 0, tag);
	return check_tag(s, err, tag, 0, 0, "a NULL list");
}
