/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Messages for peers whose code takes whole blocks alone. Such a peer defines blocks(). */

#ifndef BLOCKS_H
#define BLOCKS_H

#include <string.h>

#include "foreign.h"

#define BLOCK	16

/* The bytes of an incomplete block */
struct partial {
	uint8_t buf[BLOCK];
	size_t buflen;
};

static void blocks(const uint8_t *data, size_t len, uint32_t padbit);

static void add(struct partial *p, const uint8_t *data, size_t len)
{
	size_t n;

	if (p->buflen) {
		n = BLOCK - p->buflen;
		if (n > len)
			n = len;
		memcpy(p->buf + p->buflen, data, n);
		p->buflen += n;
		data += n;
		len -= n;
		if (p->buflen < BLOCK)
			return;
		blocks(p->buf, BLOCK, 1);
	}
	p->buflen = len % BLOCK;
	n = len - p->buflen;
	if (n)
		blocks(data, n, 1);
	if (p->buflen)
		memcpy(p->buf, data + n, p->buflen);
}

static void add_last(struct partial *p)
{
	if (!p->buflen)
		return;
	p->buf[p->buflen++] = 1;
	memset(p->buf + p->buflen, 0, BLOCK - p->buflen);
	blocks(p->buf, BLOCK, 0);
}

#endif
