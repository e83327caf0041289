/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Interfaces inside chapoly.ko */

#ifndef CHAPOLY_CORE_H
#define CHAPOLY_CORE_H

#include "chapoly.h"
#include "poly1305_core.h"

/* The most text in an FPU section, and in a call of the library's ChaCha20 */
#define CHAPOLY_PART		16384

/*
 * An implementation of packets for some kind of CPU. Its functions are called if
 * crypto_simd_usable(). crypt encrypts or decrypts up to CHAPOLY_PART bytes of other packets.
 */
struct chapoly_impl {
	const char *name;	/* in the log */
	const char *tier;	/* the tier of poly1305.ko for the same CPUs */
	size_t most;		/* the most text for which seal and open may be called */
	void (*seal)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		     const u8 *nonce, const u8 *key);
	int (*open)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		    const u8 *nonce, const u8 *key);
	void (*crypt)(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len);
};

extern const struct chapoly_impl chapoly_avx2, chapoly_avx512;

/* Zeros to encrypt, which gives keystream. No implementation keeps more keystream. */
#define CHAPOLY_ZEROS		(23 * CHACHA_BLOCK_SIZE)
extern const u8 chapoly_zeros[CHAPOLY_ZEROS];

/* Compares the tag of a packet with the tag received, and wipes the tag. */
bool chapoly_is_right(u8 tag[CHAPOLY_TAG_SIZE], const u8 *received);

#endif /* CHAPOLY_CORE_H */
