/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1305 by its definition: slow, obvious, for tests only, in user space and in the kernel. */
#ifndef POLY1305_REF_H
#define POLY1305_REF_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

#define POLY1305_REF_DIGITS	17

/* Numbers are digits of 8 bits, the lowest first. */
struct poly1305_ref {
	uint32_t h[POLY1305_REF_DIGITS];
	uint32_t r[POLY1305_REF_DIGITS];
	uint8_t s[16];
};

void poly1305_ref_init(struct poly1305_ref *ref, const uint8_t key[32]);
/* Adds a block. All have 16 bytes, but the last, which may be shorter. */
void poly1305_ref_block(struct poly1305_ref *ref, const uint8_t *data, size_t len);
void poly1305_ref_tag(const struct poly1305_ref *ref, uint8_t tag[16]);

/* The tag of @len bytes at @data under @key */
void poly1305_ref(const uint8_t key[32], const void *data, size_t len, uint8_t tag[16]);

#endif /* POLY1305_REF_H */
