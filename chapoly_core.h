/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Interfaces inside chapoly.ko: the implementations of packets */

#ifndef CHAPOLY_CORE_H
#define CHAPOLY_CORE_H

#include "compat.h"
#include <crypto/chacha.h>
#include <linux/kernel.h>

#include "chapoly.h"
#include "poly1305_core.h"

/* Most text in an FPU section, and in a call of the library's ChaCha20 */
#define CHAPOLY_PART		16384

/**
 * struct chapoly_impl - an implementation of packets for some kind of CPU
 * @name: its name in the log
 * @tier: the tier of poly1305.ko that goes with it: this runs where that does
 * @most: the most text of a packet in one piece. Longer packets take @crypt, and poly1305.ko.
 * @seal: chapoly_seal() in an FPU section, called if crypto_simd_usable()
 * @open: chapoly_open(), likewise
 * @crypt: encrypts or decrypts the next bytes of a longer packet, up to CHAPOLY_PART, likewise
 */
struct chapoly_impl {
	const char *name;
	const char *tier;
	size_t most;
	void (*seal)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		     const u8 *nonce, const u8 *key);
	int (*open)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		    const u8 *nonce, const u8 *key);
	void (*crypt)(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len);
};

extern const struct chapoly_impl chapoly_avx2, chapoly_avx512;

/* AVX2's, which chapoly_avx512 calls for short packets */
void chapoly_avx2_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		       const u8 *nonce, const u8 *key);
int chapoly_avx2_open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		      const u8 *nonce, const u8 *key);

/* Text in place of which keystream comes out, of the most blocks that are kept as a stream */
#define CHAPOLY_ZEROS		(23 * CHACHA_BLOCK_SIZE)
extern const u8 chapoly_zeros[CHAPOLY_ZEROS];

/* Compare the tag of a packet with the tag received, and wipe the former. */
bool chapoly_is_right(u8 tag[CHAPOLY_TAG_SIZE], const u8 *received);

#endif /* CHAPOLY_CORE_H */
