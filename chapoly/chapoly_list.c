// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Packets in scatterlists: the functions of chapoly.h for lists.
 *
 * Opening takes two passes over the lists. The first authenticates the ciphertext. The second
 * decrypts, and runs only if the tag is right. So a forged packet in place keeps its bytes, which
 * matters if the pages belong to somebody else. If src and dst differ, the first pass copies the
 * ciphertext to dst and authenticates the copy. Each byte of src is read once, so the ciphertext
 * decrypted is the ciphertext authenticated, even if src changes meanwhile.
 *
 * A pair is as many bytes as lie in one piece of src and in one piece of dst. Entries may be empty
 * and start anywhere. The kernel's sg_miter, and with it sg_zero_buffer(), skips a page after an
 * empty entry whose offset is a page or more. No entry after the last byte of a packet is read, and
 * for no bytes no entry is read.
 */

#include "../compat.h"
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "chapoly_core.h"

#ifdef CONFIG_HIGHMEM
#error "an entry of a list may have no address"
#endif

#define TAG_SIZE	CHAPOLY_TAG_SIZE

/* Byte number @at of a list, counted from the start of @sg */
struct cursor {
	struct scatterlist *sg;
	size_t at;
};

/* Returns the address of the next byte, and limits *n to the bytes left in its entry. */
static u8 *next_piece(struct cursor *c, size_t *n)
{
	for (; c->at >= c->sg->length; c->sg = sg_next(c->sg))
		c->at -= c->sg->length;
	*n = min_t(size_t, *n, c->sg->length - c->at);
	return (u8 *)sg_virt(c->sg) + c->at;
}

/* The next bytes of two lists, at the same offset. In place, dst.sg is NULL. */
struct pair {
	struct cursor src, dst;
	size_t left;		/* bytes to come */
};

/* Returns the length of the next pair, or 0 after the last. */
static size_t next_pair(struct pair *p, u8 **from, u8 **to)
{
	size_t n = p->left;

	if (!n)
		return 0;
	*from = next_piece(&p->src, &n);
	*to = *from;
	if (p->dst.sg) {
		*to = next_piece(&p->dst, &n);
		p->dst.at += n;
	}
	p->src.at += n;
	p->left -= n;
	return n;
}

/* Copy a tag from a list, or to it. */
static void copy_tag(struct cursor c, u8 tag[TAG_SIZE], bool to_list)
{
	size_t n, done;
	u8 *piece;

	for (done = 0; done < TAG_SIZE; done += n, c.at += n) {
		n = TAG_SIZE - done;
		piece = next_piece(&c, &n);
		if (to_list)
			memcpy(piece, tag + done, n);
		else
			memcpy(tag + done, piece, n);
	}
}

/* Whether a list has n bytes after the first skip bytes. Nobody promises that the sum fits. */
static bool has_bytes(struct scatterlist *sgl, u64 skip, u64 n)
{
	return n <= U64_MAX - skip && sg_nents_for_len(sgl, skip + n) >= 0;
}

void chapoly_ad_list(struct chapoly_pieces *p, struct scatterlist *ad, size_t n)
{
	struct cursor c = { ad };
	size_t len;
	u8 *piece;

	if (!has_bytes(ad, 0, n)) {
		memzero_explicit(p, sizeof(*p));
		return;
	}
	for (; n; n -= len, c.at += len) {
		len = n;
		piece = next_piece(&c, &len);
		chapoly_ad(p, piece, len);
	}
}
EXPORT_SYMBOL_GPL(chapoly_ad_list);

/* Whether p is a live packet, to be sealed or opened, that has had no text yet */
static bool awaits_text(const struct chapoly_pieces *p, bool seal)
{
	return p->made && !p->len && p->seal == seal;
}

int chapoly_seal_list(struct chapoly_pieces *p, struct scatterlist *dst, struct scatterlist *src,
		      size_t skip)
{
	const u64 end = skip + p->left;
	struct pair pair = { { src, skip }, { dst == src ? NULL : dst, skip }, p->left };
	u8 *from, *to, tag[TAG_SIZE];
	size_t n;
	int err;

	if (!awaits_text(p, true) || !has_bytes(src, skip, p->left) ||
	    !has_bytes(dst, skip, p->left + TAG_SIZE)) {
		memzero_explicit(p, sizeof(*p));
		return -EINVAL;
	}
	while ((n = next_pair(&pair, &from, &to)))
		chapoly_text(p, to, from, n);
	err = chapoly_end(p, tag);
	copy_tag((struct cursor){ dst, end }, tag, true);
	return err;
}
EXPORT_SYMBOL_GPL(chapoly_seal_list);

int chapoly_open_list(struct chapoly_pieces *p, struct scatterlist *dst, struct scatterlist *src,
		      size_t skip)
{
	const u64 end = skip + p->left;
	const struct pair text = { { src, skip }, { dst == src ? NULL : dst, skip }, p->left };
	u8 *from, *to, tag[TAG_SIZE], received[TAG_SIZE];
	struct pair pair = text;
	bool right;
	size_t n;

	if (!awaits_text(p, false) || !has_bytes(src, skip, p->left + TAG_SIZE) ||
	    (dst != src && p->left && !has_bytes(dst, skip, p->left))) {
		memzero_explicit(p, sizeof(*p));
		return -EINVAL;
	}
	while ((n = next_pair(&pair, &from, &to))) {
		if (to != from)
			memcpy(to, from, n);
		chapoly_pieces_mac(p, to, n);
	}
	copy_tag((struct cursor){ src, end }, received, false);
	chapoly_pieces_tag(p, tag);
	right = chapoly_is_right(tag, received);

	pair = text;
	while ((n = next_pair(&pair, &from, &to))) {
		if (right)
			chapoly_pieces_crypt(p, to, to, n);
		else if (to != from)
			memset(to, 0, n);
	}
	memzero_explicit(p, sizeof(*p));
	return right ? 0 : -EBADMSG;
}
EXPORT_SYMBOL_GPL(chapoly_open_list);
