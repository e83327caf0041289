/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439) with the MAC of poly1305.ko and the ChaCha20 of the
 * kernel's library. Each module that seals packets includes this file once.
 *
 * The caller makes the cipher's state from key and nonce, at block 0. Block 0 of the
 * keystream holds the MAC's key, and text begins at block 1. The MAC's message is
 *
 *	associated data, zeros, text, zeros, both lengths,
 *
 * each part a multiple of 16 bytes long. The text is the ciphertext.
 *
 *  - A short packet is copied to the stack, behind 64 zero bytes. ChaCha20 turns
 *    these into block 0, so one call in one FPU section yields all the keystream.
 *    The MAC's message is built around the text, for one call too.
 *  - Of a longer packet in one piece, only the beginning is copied. The MAC takes the
 *    text where it is.
 *  - A packet in pieces, or too long for the cache, is encrypted and authenticated
 *    piece by piece.
 *
 * A wrong tag is found before dst is touched, except in pieces: there the caller has
 * to destroy what it has opened.
 */

#ifndef POLY1305_AEAD_H
#define POLY1305_AEAD_H

#include "compat.h"
#include <crypto/chacha.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#ifdef CONFIG_X86_64
#include <asm/processor.h>
#endif

#include "poly1305.h"

#define AEAD_BLOCK	POLY1305_MAC_BLOCK_SIZE

/*
 * The keystream that ChaCha20 computes at once: eight blocks in the widest vector
 * code, and at most four on 32-bit CPUs, where the stack is small, too.
 */
#ifdef CONFIG_64BIT
#define AEAD_STREAM	(8 * CHACHA_BLOCK_SIZE)
#else
#define AEAD_STREAM	(4 * CHACHA_BLOCK_SIZE)
#endif

/* The most text of a short packet, and its most associated data */
#define AEAD_SHORT_MAX	(AEAD_STREAM - CHACHA_BLOCK_SIZE)
#define AEAD_ASSOC_MAX	(CHACHA_BLOCK_SIZE - POLY1305_MAC_KEY_SIZE)

/* More text than this is sealed in parts of this length, for the cache's sake. */
#define AEAD_PART	16384

/* The end of the MAC's message: zeros and lengths */
#define AEAD_TRAILER_MAX	(2 * AEAD_BLOCK - 1)

/* Block 0, the text of a short packet, and the end of the MAC's message */
#define AEAD_ROOM	(AEAD_STREAM + AEAD_TRAILER_MAX)

/* A packet in pieces */
struct aead_pieces {
	struct chacha_state cipher;
	struct poly1305_mac_ctx mac;
	u64 ad_len, len;		/* of the whole packet */
	size_t ad_left, left;		/* what is still to come of these */
	size_t used, made;		/* bytes of the stream */
	u8 stream[AEAD_STREAM];
};

/*
 * Whether portable code computes one block in less time than vector code computes two: on
 * AMD's CPUs from family 0x1a (Zen 5) on, in 0.6 of it. On Zen 3 and Zen 4 it takes longer.
 * User-Mode Linux does not know the CPU.
 */
static bool aead_block_alone(void)
{
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	return boot_cpu_data.x86_vendor == X86_VENDOR_AMD && boot_cpu_data.x86 >= 0x1a;
#else
	return false;
#endif
}

/*
 * How much keystream to compute first, with block 0, so that the rest of a packet
 * takes as few calls as possible: what exceeds a multiple of AEAD_STREAM.
 */
static size_t aead_first(size_t len)
{
	const size_t all = CHACHA_BLOCK_SIZE + round_up(len, CHACHA_BLOCK_SIZE);
	const size_t n = all % AEAD_STREAM ?: AEAD_STREAM;

	return n > CHACHA_BLOCK_SIZE || aead_block_alone() ? n : 2 * CHACHA_BLOCK_SIZE;
}

/*
 * Write the end of the MAC's message. It may write AEAD_TRAILER_MAX bytes; returns
 * the number of those that count.
 */
static size_t aead_trailer(u8 *out, size_t ad_len, size_t len)
{
	const size_t pad = -len % AEAD_BLOCK;

	memset(out, 0, AEAD_BLOCK);
	put_unaligned_le64(ad_len, out + pad);
	put_unaligned_le64(len, out + pad + 8);
	return pad + AEAD_BLOCK;
}

/*
 * Compute block 0, and encrypt or decrypt the text that stands behind it. in and out
 * may be the same.
 */
static void aead_cipher_room(u8 *out, u8 *in, size_t len,
			     struct chacha_state *cipher)
{
	if (!len) {
		chacha20_block(cipher, out);
		return;
	}
	memset(in, 0, CHACHA_BLOCK_SIZE);
	chacha20_crypt(cipher, out, in, CHACHA_BLOCK_SIZE + len);
}

/*
 * The MAC of a short packet, whose ciphertext stands behind block 0. The associated
 * data replace the second half of that block; the key may be its first half.
 */
static void aead_mac_room(const u8 *key, u8 *room, size_t len, const u8 *ad,
			  size_t ad_len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u8 *text = room + CHACHA_BLOCK_SIZE, *begin = text;

	if (ad_len) {
		begin -= round_up(ad_len, AEAD_BLOCK);
		memset(text - AEAD_ASSOC_MAX, 0, AEAD_ASSOC_MAX);
		memcpy(begin, ad, ad_len);
	}
	poly1305_mac_digest(key, begin, text - begin + len +
			    aead_trailer(text + len, ad_len, len), tag);
}

/*
 * Seal a short packet whose text stands at room + CHACHA_BLOCK_SIZE. There it becomes
 * ciphertext, and the tag follows it.
 */
static void aead_seal_room(u8 room[AEAD_ROOM], size_t len, const u8 *ad,
			   size_t ad_len, struct chacha_state *cipher)
{
	u8 *text = room + CHACHA_BLOCK_SIZE;

	aead_cipher_room(room, room, len, cipher);
	aead_mac_room(room, room, len, ad, ad_len, text + len);
	memzero_explicit(room, CHACHA_BLOCK_SIZE);
	memzero_explicit(cipher, sizeof(*cipher));
}

/*
 * Open a short packet whose ciphertext and tag stand at in + CHACHA_BLOCK_SIZE. The text
 * comes to out + CHACHA_BLOCK_SIZE, from where the caller must wipe it.
 */
static bool aead_open_room(u8 out[AEAD_STREAM], u8 in[AEAD_ROOM], size_t len,
			   const u8 *ad, size_t ad_len,
			   struct chacha_state *cipher)
{
	u8 tag[POLY1305_MAC_TAG_SIZE], received[POLY1305_MAC_TAG_SIZE];
	bool ok;

	memcpy(received, in + CHACHA_BLOCK_SIZE + len, sizeof(received));
	aead_cipher_room(out, in, len, cipher);
	aead_mac_room(out, in, len, ad, ad_len, tag);
	ok = !crypto_memneq(tag, received, POLY1305_MAC_TAG_SIZE);
	memzero_explicit(tag, sizeof(tag));
	memzero_explicit(out, CHACHA_BLOCK_SIZE);
	memzero_explicit(cipher, sizeof(*cipher));
	return ok;
}

static bool aead_is_short(size_t len, size_t ad_len)
{
	return len <= AEAD_SHORT_MAX && ad_len <= AEAD_ASSOC_MAX;
}

/* Begin a packet whose lengths are known. Of @cipher, a copy is used. */
static __maybe_unused void aead_begin(struct aead_pieces *p,
				      const struct chacha_state *cipher,
				      size_t ad_len, size_t len)
{
	p->cipher = *cipher;
	p->ad_len = ad_len;
	p->len = len;
	p->ad_left = ad_len;
	p->left = len;
	p->used = CHACHA_BLOCK_SIZE;
	p->made = aead_first(len);
	memset(p->stream, 0, p->made);
	chacha20_crypt(&p->cipher, p->stream, p->stream, p->made);
	poly1305_mac_init_hint(&p->mac, p->stream, ad_len + len);
}

/* Associated data, all of them before the text */
static __maybe_unused void aead_assoc(struct aead_pieces *p, const void *data,
				      size_t n)
{
	static const u8 zeros[AEAD_BLOCK];

	poly1305_mac_update(&p->mac, data, n);
	p->ad_left -= n;
	if (n && !p->ad_left)
		poly1305_mac_update(&p->mac, zeros, -p->ad_len % AEAD_BLOCK);
}

/*
 * Whole blocks need no copy of the keystream. The stream serves where a piece ends
 * within a block, and there for what follows.
 */
static void aead_cipher(struct aead_pieces *p, u8 *dst, const u8 *src, size_t n)
{
	size_t take;

	for (; n; dst += take, src += take, n -= take, p->left -= take) {
		if (p->used < p->made) {
			take = min(n, p->made - p->used);
			crypto_xor_cpy(dst, src, p->stream + p->used, take);
			p->used += take;
		} else if (n == p->left || n >= AEAD_STREAM) {
			take = n;
			if (n < p->left)
				take = round_down(n, CHACHA_BLOCK_SIZE);
			chacha20_crypt(&p->cipher, dst, src, take);
		} else {
			take = 0;
			p->used = 0;
			p->made = min_t(size_t, p->left, AEAD_STREAM);
			p->made = round_up(p->made, CHACHA_BLOCK_SIZE);
			memset(p->stream, 0, p->made);
			chacha20_crypt(&p->cipher, p->stream, p->stream,
				       p->made);
		}
	}
}

/* Seal or open the next piece of the text, of any length. dst may be src. */
static __maybe_unused void aead_text(struct aead_pieces *p, u8 *dst,
				     const u8 *src, size_t n, bool seal)
{
	size_t part;

	for (; n; dst += part, src += part, n -= part) {
		part = min_t(size_t, n, AEAD_PART);
		if (!seal)
			poly1305_mac_update(&p->mac, src, part);
		aead_cipher(p, dst, src, part);
		if (seal)
			poly1305_mac_update(&p->mac, dst, part);
	}
}

/* Compute the tag and wipe everything. */
static __maybe_unused void aead_end(struct aead_pieces *p,
				    u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u8 end[AEAD_TRAILER_MAX];

	poly1305_mac_update(&p->mac, end, aead_trailer(end, p->ad_len, p->len));
	poly1305_mac_final(&p->mac, tag);
	memzero_explicit(p, sizeof(*p));
}

static noinline_for_stack void aead_seal_short(u8 *dst, const u8 *src,
					       size_t len, const u8 *ad,
					       size_t ad_len,
					       struct chacha_state *cipher)
{
	u8 room[AEAD_ROOM], *text = room + CHACHA_BLOCK_SIZE;

	memcpy(text, src, len);
	aead_seal_room(room, len, ad, ad_len, cipher);
	memcpy(dst, text, len + POLY1305_MAC_TAG_SIZE);
}

static noinline_for_stack void aead_seal_long(u8 *dst, const u8 *src,
					      size_t len, const u8 *ad,
					      size_t ad_len,
					      struct chacha_state *cipher)
{
	const size_t first = min(len, aead_first(len) - CHACHA_BLOCK_SIZE);
	u8 room[AEAD_STREAM], *text = room + CHACHA_BLOCK_SIZE;

	memcpy(text, src, first);
	aead_cipher_room(room, room, first, cipher);
	memcpy(dst, text, first);
	chacha20_crypt(cipher, dst + first, src + first, len - first);
	if (ad_len || len % AEAD_BLOCK) {
		poly1305_mac_aead(room, ad, ad_len, dst, len, dst + len);
	} else {
		/* The lengths stand where the tag will be: all is one piece. */
		aead_trailer(dst + len, 0, len);
		poly1305_mac_digest(room, dst, len + AEAD_BLOCK, dst + len);
	}
	memzero_explicit(room, CHACHA_BLOCK_SIZE);
	memzero_explicit(cipher, sizeof(*cipher));
}

static noinline_for_stack void aead_seal_parts(u8 *dst, const u8 *src,
					       size_t len, const u8 *ad,
					       size_t ad_len,
					       struct chacha_state *cipher)
{
	struct aead_pieces p;

	aead_begin(&p, cipher, ad_len, len);
	memzero_explicit(cipher, sizeof(*cipher));
	aead_assoc(&p, ad, ad_len);
	aead_text(&p, dst, src, len, true);
	aead_end(&p, dst + len);
}

/*
 * Seal a packet whose text lies in one piece. Writes len + POLY1305_MAC_TAG_SIZE bytes to
 * dst, which may be src. The cipher must be at block 0; it is wiped.
 */
static __maybe_unused void aead_seal(u8 *dst, const u8 *src, size_t len,
				     const u8 *ad, size_t ad_len,
				     struct chacha_state *cipher)
{
	if (aead_is_short(len, ad_len))
		aead_seal_short(dst, src, len, ad, ad_len, cipher);
	else if (len <= AEAD_PART)
		aead_seal_long(dst, src, len, ad, ad_len, cipher);
	else
		aead_seal_parts(dst, src, len, ad, ad_len, cipher);
}

static noinline_for_stack bool aead_open_short(u8 *dst, const u8 *src,
					       size_t len, const u8 *ad,
					       size_t ad_len,
					       struct chacha_state *cipher)
{
	u8 in[AEAD_ROOM], out[AEAD_STREAM];
	bool ok;

	memcpy(in + CHACHA_BLOCK_SIZE, src, len + POLY1305_MAC_TAG_SIZE);
	ok = aead_open_room(out, in, len, ad, ad_len, cipher);
	if (ok)
		memcpy(dst, out + CHACHA_BLOCK_SIZE, len);
	memzero_explicit(out + CHACHA_BLOCK_SIZE, len);
	return ok;
}

static noinline_for_stack bool aead_open_long(u8 *dst, const u8 *src,
					      size_t len, const u8 *ad,
					      size_t ad_len,
					      struct chacha_state *cipher)
{
	const size_t first = min(len, aead_first(len) - CHACHA_BLOCK_SIZE);
	u8 room[AEAD_STREAM], *text = room + CHACHA_BLOCK_SIZE;
	u8 tag[POLY1305_MAC_TAG_SIZE];
	bool ok;

	memcpy(text, src, first);
	aead_cipher_room(room, room, first, cipher);
	poly1305_mac_aead(room, ad, ad_len, src, len, tag);
	ok = !crypto_memneq(tag, src + len, POLY1305_MAC_TAG_SIZE);
	if (ok) {
		memcpy(dst, text, first);
		chacha20_crypt(cipher, dst + first, src + first, len - first);
	}
	memzero_explicit(tag, sizeof(tag));
	memzero_explicit(room, CHACHA_BLOCK_SIZE + first);
	memzero_explicit(cipher, sizeof(*cipher));
	return ok;
}

/*
 * Open a packet: len bytes of text and the tag behind them. Returns false, and dst
 * is untouched, if the tag is wrong. dst may be src. The cipher is wiped. len is at
 * most UINT_MAX: the kernel's ChaCha20 counts in that type.
 */
static __maybe_unused bool aead_open(u8 *dst, const u8 *src, size_t len,
				     const u8 *ad, size_t ad_len,
				     struct chacha_state *cipher)
{
	if (aead_is_short(len, ad_len))
		return aead_open_short(dst, src, len, ad, ad_len, cipher);
	return aead_open_long(dst, src, len, ad, ad_len, cipher);
}

#endif /* POLY1305_AEAD_H */
