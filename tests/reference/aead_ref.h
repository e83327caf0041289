/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* ChaCha20-Poly1305 as in RFC 8439, for tests only. */
#ifndef AEAD_REF_H
#define AEAD_REF_H

#include "poly1305_ref.h"

#define AEAD_KEY_SIZE	32
#define AEAD_NONCE_SIZE	12

/* Encrypts @len bytes at @text to @out, where the tag follows them. */
void aead_ref_encrypt(const uint8_t *key, const uint8_t *nonce, const uint8_t *assoc, size_t alen,
		      const uint8_t *text, size_t len, uint8_t *out);

#endif /* AEAD_REF_H */
