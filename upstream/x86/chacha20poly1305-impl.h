/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20-Poly1305 for x86-64: what its implementations share, beyond chacha20poly1305-x86.h
 *
 * Names that begin with chapoly are internal to this directory.
 */

#ifndef CHACHA20POLY1305_IMPL_H
#define CHACHA20POLY1305_IMPL_H

#include <asm/fpu/api.h>
#include <crypto/chacha.h>
#include <crypto/poly1305.h>
#include <crypto/utils.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#define CHAPOLY_KEY_SIZE	32
#define CHAPOLY_NONCE_SIZE	12
#define CHAPOLY_TAG_SIZE	POLY1305_DIGEST_SIZE

/* The bytes of keystream that are computed at once: 8 blocks of ChaCha20 */
#define CHAPOLY_STREAM_SIZE	512

/* The most text in an FPU section, which takes less than 10 microseconds */
#define CHAPOLY_CHUNK		16384

/* Zeros to encrypt, which gives keystream.  No implementation keeps more keystream. */
#define CHAPOLY_ZEROS		(23 * CHACHA_BLOCK_SIZE)
#define chapoly_zeros		((const u8 *)page_address(ZERO_PAGE(0)))

/*
 * Messages for some kind of CPU.  open works in place: text is the ciphertext, and received is the
 * tag of the message.  If the tag is wrong, open writes nothing.  crypt encrypts or decrypts up to
 * CHAPOLY_CHUNK bytes of other messages.
 */
struct chapoly_impl {
	size_t seal_max;	/* the longest text for seal */
	size_t open_max;	/* the longest text for open */
	void (*seal)(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		     const u8 *nonce, const u8 *key);
	int (*open)(u8 *text, size_t len, const u8 *received, const u8 *ad, size_t ad_len,
		    const u8 *nonce, const u8 *key);
	void (*crypt)(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len);
};

extern const struct chapoly_impl chapoly_avx2;
#ifdef WITH_AVX512
extern const struct chapoly_impl chapoly_avx512;

/* Of libpoly1305: calls poly1305_packet_avx512(). */
struct poly1305_packet;
void libpoly1305_packet(const struct poly1305_packet *mac, const u8 *text, size_t len,
			u8 tag[CHAPOLY_TAG_SIZE]);
#endif /* WITH_AVX512 */

/* Compares the tag of a message with the tag received, and wipes the tag. */
static inline bool chapoly_is_right(u8 tag[CHAPOLY_TAG_SIZE], const u8 *received)
{
	const bool right = !crypto_memneq(tag, received, CHAPOLY_TAG_SIZE);

	memzero_explicit(tag, CHAPOLY_TAG_SIZE);
	return right;
}

POLY1305_TAIL
#endif /* CHACHA20POLY1305_IMPL_H */
