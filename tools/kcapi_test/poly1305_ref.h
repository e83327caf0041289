/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1305 straight from its definition: slow, obvious, for tests only. */
#ifndef POLY1305_REF_H
#define POLY1305_REF_H

#include <stddef.h>

#define POLY1305_KEY_SIZE	32
#define POLY1305_TAG_SIZE	16

/* The tag of @len bytes at @text under the 32 bytes at @key. */
void poly1305_ref(const unsigned char *key, const void *text, size_t len,
		  unsigned char *tag);

/*
 * The tag of the message that is @chunk, @len bytes, a multiple of 16, written
 * @times times over. It costs one multiplication per repetition.
 */
void poly1305_ref_repeat(const unsigned char *key, const void *chunk,
			 size_t len, size_t times, unsigned char *tag);

#endif /* POLY1305_REF_H */
