/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Interfaces inside chapoly.ko */

#ifndef CHAPOLY_CORE_H
#define CHAPOLY_CORE_H

#include "../chapoly.h"
#include "../poly1305_core.h"

/* A chunk: the most text in an FPU section, and in a call of the library's ChaCha20 */
#define CHAPOLY_CHUNK		16384

/*
 * An implementation of packets for a class of CPUs. Its functions are called only if
 * crypto_simd_usable().
 *
 * open works in place: text is the ciphertext, and received the packet's tag. If the tag is wrong,
 * open writes nothing. crypt encrypts or decrypts up to CHAPOLY_CHUNK bytes of other packets.
 */
struct chapoly_impl {
	const char *name;	/* in the log */
	const char *tier;	/* the tier of poly1305.ko for the same CPUs */
	size_t seal_max;	/* the longest text for seal: 0, or CHAPOLY_CHUNK or more */
	size_t open_max;	/* the longest text for open */
	void (*seal)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		     const u8 *nonce, const u8 *key);
	int (*open)(u8 *text, size_t len, const u8 *received, const u8 *ad, size_t ad_len,
		    const u8 *nonce, const u8 *key);
	void (*crypt)(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len);
};

extern const struct chapoly_impl chapoly_avx2, chapoly_avx512;

/* Use the implementation for a tier, which user space can select. */
void chapoly_use(const char *tier);

/* Zeros, which are encrypted to get keystream. No implementation keeps more keystream. */
#define CHAPOLY_ZEROS		(23 * CHACHA_BLOCK_SIZE)
extern const u8 chapoly_zeros[CHAPOLY_ZEROS];

/* Compares the computed tag of a packet with the tag received, and wipes the computed one. */
bool chapoly_is_right(u8 tag[CHAPOLY_TAG_SIZE], const u8 *received);

/*
 * The steps of a packet in pieces: authenticate n bytes of ciphertext; encrypt or decrypt n bytes;
 * compute the tag. No more than p->left bytes are to be encrypted or decrypted.
 */
void chapoly_pieces_mac(struct chapoly_pieces *p, const u8 *text, size_t n);
void chapoly_pieces_crypt(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n);
void chapoly_pieces_tag(struct chapoly_pieces *p, u8 tag[CHAPOLY_TAG_SIZE]);

#endif /* CHAPOLY_CORE_H */
