/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1305-AES in the checker: aes.c has the module, and AES itself. */

#ifndef CHECK_AES_H
#define CHECK_AES_H

#include <crypto/algapi.h>

/* A transform of poly1305(aes) without a key; the first call loads the module. */
struct crypto_shash *aes_transform(void);

/* out = AES_key(in), for a new key and one block */
void aes_block(const u8 key[16], const u8 in[16], u8 out[16]);

#endif /* CHECK_AES_H */
