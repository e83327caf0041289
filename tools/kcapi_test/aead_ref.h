/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* ChaCha20-Poly1305 as in RFC 8439, for tests only. */
#ifndef AEAD_REF_H
#define AEAD_REF_H

#include <stddef.h>

#define AEAD_KEY_SIZE	32
#define AEAD_NONCE_SIZE	12
#define AEAD_TAG_SIZE	16

/*
 * Encrypts @len bytes at @text into as many at @out, and the tag behind them.
 * Neither @alen nor @len may exceed AEAD_REF_MAX.
 */
#define AEAD_REF_MAX	8192

void aead_ref_encrypt(const unsigned char *key, const unsigned char *nonce,
		      const unsigned char *assoc, size_t alen,
		      const unsigned char *text, size_t len,
		      unsigned char *out);

#endif /* AEAD_REF_H */
