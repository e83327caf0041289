/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The bytes of scatterlists. Entries may be empty and start anywhere. The kernel's sg_miter, and
 * with it sg_zero_buffer(), skips a page after an empty entry whose offset is a page or more.
 *
 * No entry after the bytes in question is read, and none for no bytes. Callers have checked with
 * sg_nents_for_len() that the bytes exist.
 */

#ifndef CHAPOLY_LIST_H
#define CHAPOLY_LIST_H

#include <linux/scatterlist.h>
#include <linux/string.h>

#ifdef CONFIG_HIGHMEM
#error "an entry of a list may have no address"
#endif

/* A place in a list: byte number @at, counted from the start of @sg */
struct place {
	struct scatterlist *sg;
	size_t at;
};

/* Returns the address of the next byte, and limits *n to the bytes left in its entry. */
static inline u8 *next_piece(struct place *p, size_t *n)
{
	for (; p->at >= p->sg->length; p->sg = sg_next(p->sg))
		p->at -= p->sg->length;
	*n = min_t(size_t, *n, p->sg->length - p->at);
	return (u8 *)sg_virt(p->sg) + p->at;
}

/* Copy n bytes at a place. */
static inline void list_read(struct place p, u8 *to, size_t n)
{
	size_t part;
	u8 *piece;

	for (; n; n -= part, to += part, p.at += part) {
		part = n;
		piece = next_piece(&p, &part);
		memcpy(to, piece, part);
	}
}

/* Write n bytes at a place: the bytes at from, or zeros if from is NULL. */
static inline void list_write(struct place p, const u8 *from, size_t n)
{
	size_t part, done;
	u8 *piece;

	for (done = 0; done < n; done += part, p.at += part) {
		part = n - done;
		piece = next_piece(&p, &part);
		if (from)
			memcpy(piece, from + done, part);
		else
			memset(piece, 0, part);
	}
}

#endif /* CHAPOLY_LIST_H */
