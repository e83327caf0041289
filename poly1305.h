/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for other kernel modules (and, built by "make user-lib", for user
 * space): the functions that poly1305.ko exports.
 *
 * Poly1305 is a one-time authenticator. A key must authenticate one message
 * and no more: two tags under one key give an attacker who knows the messages
 * enough to forge a third. Nothing here can notice a key used twice; deriving
 * a fresh one for each message (as ChaCha20-Poly1305 does from its nonce) is
 * the caller's duty.
 *
 * Every function may be called in any context, hard interrupts included but
 * not NMIs, and none sleeps or fails for lack of memory.
 */

#ifndef POLY1305_MAC_H
#define POLY1305_MAC_H

#include <linux/types.h>

#define POLY1305_MAC_KEY_SIZE	32
#define POLY1305_MAC_TAG_SIZE	16
#define POLY1305_MAC_BLOCK_SIZE	16

/* How many powers of r a context has room for. */
#define POLY1305_MAC_POWERS	8

struct scatterlist;

/**
 * struct poly1305_mac_state - the evaluation of the message polynomial
 * @h: the accumulator, h[0] + 2^64 h[1] + 2^128 h[2], with h[2] <= 4
 * @r: the clamped evaluation point, r[0] + 2^64 r[1]
 * @npow: how many powers of r @pow holds, counted from r^1
 * @hint: blocks that the caller announced, 0 if unknown
 * @pow: limb i of r^(8-j), in radix 2^44, is @pow[i][j]
 *
 * Private: poly1305_core.h states what every user of it must keep true.
 */
struct poly1305_mac_state {
	u64 h[3];
	u64 r[2];
	u32 npow;
	u32 hint;
	u64 pow[3][POLY1305_MAC_POWERS];
};

/**
 * struct poly1305_mac_ctx - one message on its way to a tag
 * @s: the pad that is added last
 * @buf: the bytes of a block not complete yet
 * @buflen: how many bytes @buf holds, at most 15
 * @state: everything that the block functions see
 *
 * Its members are private. A context holds no pointers: it may be copied, and
 * both copies then go on separately (under the same key, so at most one of the
 * two tags may ever be shown to anyone).
 */
struct poly1305_mac_ctx {
	u64 s[2];
	u8 buf[POLY1305_MAC_BLOCK_SIZE];
	u32 buflen;
	struct poly1305_mac_state state;
};

/**
 * poly1305_mac_init() - begin a message
 * @ctx: where the message's state will live; need not be initialized
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 */
void poly1305_mac_init(struct poly1305_mac_ctx *ctx,
		       const u8 key[POLY1305_MAC_KEY_SIZE]);

/**
 * poly1305_mac_init_hint() - begin a message whose length is roughly known
 * @ctx: where the message's state will live; need not be initialized
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 * @total_len: how many bytes will follow in all, as far as the caller knows
 *
 * For messages that arrive in pieces: powers of r, which pay only on long
 * messages, are prepared with the first piece that can use them although that
 * piece alone would not pay for them. The tag does not depend on @total_len:
 * a wrong hint costs time, nothing else.
 */
void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx,
			    const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len);

/**
 * poly1305_mac_update() - add bytes to the message
 * @ctx: a context between init and final
 * @data: the bytes, at any alignment; may be NULL if @len is 0
 * @len: how many
 *
 * How a message is cut into updates does not change its tag.
 */
void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data,
			 size_t len);

/**
 * poly1305_mac_final() - end the message
 * @ctx: a context between init and final; wiped on return
 * @tag: receives the 16 bytes; compare received tags with
 *	poly1305_mac_verify() or crypto_memneq(), never with memcmp()
 */
void poly1305_mac_final(struct poly1305_mac_ctx *ctx,
			u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_digest() - the tag of a message in one buffer
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: receives the 16 bytes; may overlap @key or @data
 */
void poly1305_mac_digest(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
			 size_t len, u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_verify() - check the tag of a message in one buffer
 * @key: the one-time key r || s under which the sender authenticated this
 *	message, and no other
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: the tag that came with the message
 *
 * The comparison takes the same time wherever the tags differ.
 *
 * Return: 0 if the tag is right, -EBADMSG if it is not.
 */
int __must_check
poly1305_mac_verify(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
		    size_t len, const u8 tag[POLY1305_MAC_TAG_SIZE]);

#ifdef __KERNEL__
/**
 * poly1305_mac_digest_sg() - the tag of a message in a scatterlist
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 * @sgl: the message; may be NULL if @len is 0
 * @len: its length in bytes; what @sgl holds beyond that is left alone
 * @tag: receives the 16 bytes
 *
 * Return: 0, or -EINVAL if @sgl holds fewer than @len bytes; @tag is then
 * untouched.
 */
int __must_check
poly1305_mac_digest_sg(const u8 key[POLY1305_MAC_KEY_SIZE],
		       struct scatterlist *sgl, unsigned int len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);
#endif

#endif /* POLY1305_MAC_H */
