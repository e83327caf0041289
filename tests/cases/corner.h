/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A corner, in the kernel and for checkpoly1305; corners.py makes corners.h, their list. */

#ifndef POLY1305_CORNER_H
#define POLY1305_CORNER_H

#include <linux/types.h>

/**
 * struct corner - a message that leads to a chosen accumulator
 * @why: the accumulator, and r
 * @fill: the byte that fills the first @blocks blocks
 * @blocks: see @fill
 * @key: the key, in hexadecimal like the members below
 * @last: the rest of the message
 * @tag: its tag
 */
struct corner {
	const char *why;
	u8 fill;
	u16 blocks;
	const char *key;
	const char *last;
	const char *tag;
};

#endif /* POLY1305_CORNER_H */
