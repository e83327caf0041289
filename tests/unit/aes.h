/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1305-AES in the checker: aes.c contains the module, and AES itself. */

#ifndef CHECK_AES_H
#define CHECK_AES_H

#include <crypto/algapi.h>

/* The transform of poly1305(aes); it has no key at first. */
struct crypto_shash *aes_transform(void);

/* out = AES_key(in), for one block */
void aes_block(const u8 key[16], const u8 in[16], u8 out[16]);

#endif /* CHECK_AES_H */
