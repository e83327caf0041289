/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 by its definition: slow, obvious, for tests only. It compiles in user
 * space and in the kernel.
 */
#ifndef POLY1305_REF_H
#define POLY1305_REF_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

/* Numbers are three words of 64 bits, the lowest first. */
struct poly1305_ref {
	uint64_t h[3];
	uint64_t r[3];
	uint8_t s[16];
};

/* The bytes of a block, and p in words. With POLY1271 defined, all here is Poly1271. */
#ifdef POLY1271
#define POLY1305_REF_BLOCK	15
#define POLY1305_REF_P		{ -1ULL, -1ULL >> 1, 0 }
#else
#define POLY1305_REF_BLOCK	16
#define POLY1305_REF_P		{ -5ULL, -1ULL, 3 }
#endif

/* h = (h + m) a mod p, for any three numbers */
void poly1305_ref_step(uint64_t h[3], const uint64_t m[3], const uint64_t a[3]);

void poly1305_ref_init(struct poly1305_ref *ref, const uint8_t key[32]);
/* Adds a block of up to POLY1305_REF_BLOCK bytes; only the last may be shorter. */
void poly1305_ref_block(struct poly1305_ref *ref, const uint8_t *data,
			size_t len);
/* Adds @len bytes; all but the last call must add whole blocks. */
void poly1305_ref_update(struct poly1305_ref *ref, const void *data, size_t len);
void poly1305_ref_tag(const struct poly1305_ref *ref, uint8_t tag[16]);

/* The tag of @len bytes at @data under @key */
void poly1305_ref(const uint8_t key[32], const void *data, size_t len,
		  uint8_t tag[16]);

/* With Poly1305, the tag of a packet of RFC 8439: associated data and ciphertext */
void poly1305_ref_aead(const uint8_t key[32], const void *ad, size_t ad_len,
		       const void *text, size_t len, uint8_t tag[16]);

#endif /* POLY1305_REF_H */
