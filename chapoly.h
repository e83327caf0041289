/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439): the functions that chapoly.ko and libpoly1305.a export.
 *
 * Never use a nonce for two packets under one key: an attacker who sees both packets learns the xor
 * of their plaintexts and can forge packets. No function here can detect that.
 *
 * Every function may be called in any context except NMI. None sleeps or allocates memory.
 *
 * The payload of a packet, plaintext or ciphertext, has up to 2^38 - 64 bytes. Data need no
 * alignment. If a length is 0, nothing is read and its pointer may be NULL. dst may equal src;
 * otherwise dst overlaps nothing.
 *
 * A piece is a run of bytes at consecutive addresses. A packet is whole if its payload is one
 * piece, and otherwise in pieces. The entries of scatterlists are pieces, too.
 *
 * If dst is not src, each byte of ciphertext is read once. So others, such as the sender of shared
 * pages, may write to src during a call: the packet may be refused, but the ciphertext decrypted is
 * the ciphertext verified. Nothing else may write to ad or dst during a call.
 */

#ifndef CHAPOLY_H
#define CHAPOLY_H

#include "poly1305.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CHAPOLY_KEY_SIZE	32
#define CHAPOLY_NONCE_SIZE	12
#define CHAPOLY_TAG_SIZE	POLY1305_MAC_TAG_SIZE

/**
 * chapoly_seal() - encrypt and authenticate a packet
 * @dst: receives @len bytes of ciphertext, followed by the tag
 * @src: the plaintext
 * @len: the length of the plaintext in bytes
 * @ad: the associated data, which are authenticated and not encrypted
 * @ad_len: the length of the associated data in bytes
 * @nonce: never used before under this key
 * @key: the key
 */
void chapoly_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		  const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE]);

/**
 * chapoly_open() - verify and decrypt a packet
 * @dst: receives @len bytes of plaintext
 * @src: the ciphertext, followed by the tag
 * @len: the length of the ciphertext in bytes, without the tag
 * @ad: the associated data
 * @ad_len: the length of the associated data in bytes
 * @nonce: the nonce that the packet was sealed with
 * @key: the key
 *
 * Tags are compared in constant time. Nothing is decrypted before the tag is known to be right. If
 * the tag is wrong, nothing is written if @dst is @src; otherwise @dst is all zeros.
 *
 * Return: 0, or -EBADMSG if the packet is not authentic.
 */
int __must_check
chapoly_open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
	     const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE]);

/* The bytes of keystream that are computed at once: 8 blocks of ChaCha20 */
#define CHAPOLY_STREAM_SIZE	512

/**
 * struct chapoly_pieces - a packet whose payload is in pieces
 *
 * Call chapoly_begin(), chapoly_ad(), chapoly_text(), and then chapoly_end() to seal or
 * chapoly_verify() to open. Calls out of order produce no text and no tag: associated data after
 * text, and more text than announced, wipe the packet. For a wiped packet chapoly_text() writes
 * zeros, even in place, and chapoly_end() and chapoly_verify() fail with -EINVAL. They also fail if
 * there was less text than announced. chapoly_begin() may be called at any time.
 *
 * The members are private. They hold key material until chapoly_end() or chapoly_verify() wipes the
 * packet.
 */
struct chapoly_pieces {
	/* private: */
	bool seal;		/* whether the packet is encrypted, not decrypted */
	u32 cipher[16];		/* the state of ChaCha20 */
	struct poly1305_mac_ctx mac;
	u64 ad_len, len, left;	/* bytes of associated data and payload so far, and to come */
	size_t used, made;	/* bytes of stream used so far, and bytes of stream in all */
	u8 stream[CHAPOLY_STREAM_SIZE];		/* for pieces that start or end within a block */
};

/**
 * chapoly_begin() - start a packet in pieces
 * @p: the packet; need not be initialized
 * @len: the length of the whole payload in bytes; above the limit the packet is wiped
 * @nonce: to encrypt, never used before under this key; to decrypt, the sender's
 * @key: the key
 * @seal: true to encrypt, false to decrypt
 */
void chapoly_begin(struct chapoly_pieces *p, u64 len, const u8 nonce[CHAPOLY_NONCE_SIZE],
		   const u8 key[CHAPOLY_KEY_SIZE], bool seal);

/**
 * chapoly_ad() - append associated data, before any text
 * @p: the packet
 * @ad: the bytes
 * @n: the number of bytes
 */
void chapoly_ad(struct chapoly_pieces *p, const u8 *ad, size_t n);

/**
 * chapoly_text() - encrypt or decrypt the next piece of the payload
 * @p: the packet
 * @dst: receives @n bytes
 * @src: the piece
 * @n: the length of the piece in bytes; all pieces together have the length announced
 *
 * Decrypted payload is not authentic until chapoly_verify() returns 0. If chapoly_verify() returns
 * an error, the caller must destroy the payload. chapoly_open() and chapoly_open_list() decrypt no
 * forged packet at all.
 */
void chapoly_text(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n);

/**
 * chapoly_end() - end a packet that was encrypted in pieces
 * @p: the packet; wiped on return
 * @tag: receives the tag, or zeros
 *
 * Return: 0, or -EINVAL if calls were out of order. Do not send the packet then.
 */
int __must_check chapoly_end(struct chapoly_pieces *p, u8 tag[CHAPOLY_TAG_SIZE]);

/**
 * chapoly_verify() - end a packet that was decrypted in pieces
 * @p: the packet; wiped on return
 * @tag: the tag received, which is compared in constant time
 *
 * Return: 0, -EBADMSG if the packet is not authentic, or -EINVAL if calls were out of order.
 */
int __must_check chapoly_verify(struct chapoly_pieces *p, const u8 tag[CHAPOLY_TAG_SIZE]);

#if defined(__KERNEL__) || defined(POLY1305_USER_INTERNAL)
struct scatterlist;

/**
 * chapoly_ad_list() - append associated data in a scatterlist
 * @p: the packet; wiped if the list has fewer bytes
 * @ad: the list
 * @n: the number of bytes
 */
void chapoly_ad_list(struct chapoly_pieces *p, struct scatterlist *ad, size_t n);

/**
 * chapoly_seal_list() - encrypt a packet's whole payload in scatterlists
 * @p: the packet, after chapoly_begin() and associated data; wiped on return
 * @dst: receives the payload and the tag, @skip bytes after its start; may be @src
 * @src: has the payload, @skip bytes after its start
 * @skip: the number of bytes before the payload; they are neither read nor written
 *
 * Return: 0, or -EINVAL if calls were out of order or a list has too few bytes. Nothing is written
 * then.
 */
int __must_check chapoly_seal_list(struct chapoly_pieces *p, struct scatterlist *dst,
				   struct scatterlist *src, size_t skip);

/**
 * chapoly_open_list() - verify and decrypt a packet's whole payload in scatterlists
 * @p: the packet, after chapoly_begin() and associated data; wiped on return
 * @dst: receives the payload, @skip bytes after its start; may be @src
 * @src: has the payload and the tag, @skip bytes after its start
 * @skip: the number of bytes before the payload; they are neither read nor written
 *
 * Payload that @dst and @src have at one address is decrypted in place. The rules are those of
 * chapoly_open(): nothing is decrypted before the tag is known to be right. If the tag is wrong,
 * nothing is written in place, and payload of @dst at another address becomes zeros.
 *
 * Return: 0, -EBADMSG if the packet is not authentic, or -EINVAL if calls were out of order or a
 * list has too few bytes. Nothing is written after -EINVAL.
 */
int __must_check chapoly_open_list(struct chapoly_pieces *p, struct scatterlist *dst,
				   struct scatterlist *src, size_t skip);

/* As poly1305_mac_fits(), for a module that calls chapoly.ko, which checks poly1305.ko itself */
#define chapoly_fits()								\
	poly1305_same_abi("chapoly.ko", chapoly_abi, struct chapoly_pieces)

extern const u32 chapoly_abi;
#endif

#ifdef __cplusplus
}
#endif

#endif /* CHAPOLY_H */
