// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A case for scatterlists */

#include "poly1305_test.h"

#define SG_SIZE		(8 * PAGE_SIZE)
#define SG_ENTRY_MAX	(2 * PAGE_SIZE)
#define SG_ENTRIES	16
#define SG_MOST		(2 * SG_ENTRIES * SG_ENTRY_MAX)

/*
 * Makes two chained tables of entries of any length, 0 included, anywhere in the pages, so that
 * many entries cross a page boundary. Copies them to flat, and returns their total length.
 */
static size_t random_sgl(struct scatterlist (*sgl)[SG_ENTRIES], const u8 *pages, u8 *flat)
{
	unsigned int n, len, at, i, j;
	size_t total = 0;

	for (i = 0; i < 2; i++) {
		n = 1 + rnd_below(SG_ENTRIES - 1);
		sg_init_table(sgl[i], n + !i);
		if (!i)
			sg_chain(sgl[0], n + 1, sgl[1]);
		for (j = 0; j < n; j++) {
			len = rnd_len(SG_ENTRY_MAX);
			/* Often at the end; the offset of an empty entry is a page. */
			at = SG_SIZE - len;
			if (rnd() & 1)
				at = rnd_below(at + 1);
			sg_set_buf(&sgl[i][j], pages + at, len);
			if (!len)
				sg_set_page(&sgl[i][j], virt_to_page(pages), 0, PAGE_SIZE);
			memcpy(flat + total, pages + at, len);
			total += len;
		}
	}
	return total;
}

/*
 * Scatterlists of any shape. If one is too short, it is refused, and no tag is written. No bytes
 * need no list.
 */
int test_sg(const struct subject *s)
{
	static struct scatterlist sgl[2][SG_ENTRIES];
	u8 *pages = kmalloc(SG_SIZE, GFP_KERNEL);
	const u8 *key = random_sample.input;
	u8 *flat = vmalloc(SG_MOST), want[TAG_SIZE], tag[TAG_SIZE];
	size_t total, len;
	unsigned int i;
	int err = 0;

	if (!flat || !pages) {
		err = fail("no memory");
		goto out;
	}
	rnd_bytes(pages, SG_SIZE);
	for (i = 0; i < 100 * effort && !err; i++) {
		total = random_sgl(sgl, pages, flat);
		/* Every other list to its end */
		len = i % 2 ? total : rnd_below(total + 1);
		poly1305_ref(key, flat, len, want);
		err = poly1305_mac_digest_sg(key, sgl[0], len, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			err = fail("list %u, %zu of %zu bytes, error %d", i, len, total, err);
		else if (poly1305_mac_digest_sg(key, sgl[0], total + 1, tag) != -EINVAL ||
			 memcmp(tag, want, TAG_SIZE))
			err = fail("list %u, a byte more than its %zu", i, total);
		cond_resched();
	}
	if (!err && poly1305_mac_digest_sg(key, NULL, 1, tag) != -EINVAL)
		err = fail("1 byte from a NULL list");
	if (!err)
		err = check_tag(s, poly1305_mac_digest_sg(key, NULL, 0, tag), tag, 0, 0,
				"a NULL list");
out:
	kfree(pages);
	vfree(flat);
	return err;
}
