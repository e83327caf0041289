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
 *
 * Lengths are any size_t, beyond 2^32 as well. What is read for a length of 0 is
 * nothing, and its pointer may be NULL; other pointers may not. A tag may overlap
 * the key (or pad) and the message, as they are read before, wherever nothing
 * else is said; so may that of the shash drivers. A context, and what is prepared,
 * may overlap nothing else that is passed with it.
 *
 * A context that was never begun is undefined. One that was ended is a context
 * of key 0: to go on without another init is a mistake, but a harmless one, as
 * every tag is 0 then and depends on nothing. To begin anew in the middle is no
 * mistake.
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
 * messages, may be prepared with the first piece that can use them although that
 * piece alone would not pay for them, where an implementation gains by that (of
 * ours the portable one). The tag does not depend on @total_len:
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

/**
 * struct poly1305_mac_req - one message of a batch
 * @key: its one-time key r || s, used for no other message, of this batch or
 *	any
 * @data: the message, at any alignment; ignored if @sgl is set; may be NULL if
 *	@len is 0
 * @len: its length in bytes, 0 included
 * @tag: receives the 16 bytes
 * @sgl: NULL, or the message as a scatterlist, of which what is beyond @len is
 *	left alone; always NULL in user space
 */
struct poly1305_mac_req {
	const u8 *key;
	const void *data;
	size_t len;
	u8 *tag;
	struct scatterlist *sgl;
};

/**
 * poly1305_mac_batch() - the tags of many messages, each under its own key
 * @reqs: the messages, of any lengths, in any order; unchanged on return; may be
 *	NULL if @n is 0
 * @n: how many; 0 is no work and no error
 *
 * The tags are those that poly1305_mac_digest() gives one by one, sooner: short
 * messages share vector registers and FPU sections. Messages of like length
 * share best, and are found wherever they stand among 64 neighbours. One
 * message alone costs what poly1305_mac_digest() does.
 *
 * A tag may overlap the key or the message of its own request; it must not
 * overlap anything of another one, as the order of the work is not defined.
 * What a request only reads (key, message) may be shared.
 *
 * Return: 0, or -EINVAL if a scatterlist holds fewer bytes than its request
 * says; no tag at all is then written.
 */
int __must_check poly1305_mac_batch(struct poly1305_mac_req *reqs,
				    unsigned int n);

/* user compiles and tests what follows, but its library lacks it. */
#if defined(__KERNEL__) || defined(POLY1305_USER_INTERNAL)
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
		       struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * struct poly1305_mac_prepared - what depends on r alone
 * @state: the beginning of every message under that r, its powers computed
 *
 * For MACs that use one r for many messages and a new pad for each, as
 * Poly1305-AES does. Private, and as secret as r: wipe it after use.
 */
struct poly1305_mac_prepared {
	struct poly1305_mac_state state;
};

/**
 * poly1305_mac_prepare() - get ready for many messages under one r
 * @prepared: receives r and its powers
 * @r: the evaluation point. Bits that Poly1305 forbids are cleared; who must
 *	refuse them has to look first.
 */
void poly1305_mac_prepare(struct poly1305_mac_prepared *prepared,
			  const u8 r[POLY1305_MAC_BLOCK_SIZE]);

/**
 * poly1305_mac_init_prepared() - begin a message under an r used before
 * @ctx: where the message's state will live; need not be initialized
 * @prepared: what poly1305_mac_prepare() made of r
 * @pad: what is added last. Never use one pad for two messages under one r:
 *	their tags are enough to forge.
 */
void poly1305_mac_init_prepared(struct poly1305_mac_ctx *ctx,
				const struct poly1305_mac_prepared *prepared,
				const u8 pad[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_digest_prepared() - the tag of a message in one buffer, under an
 *	r used before
 * @prepared: what poly1305_mac_prepare() made of r
 * @pad: what is added last. Never use one pad for two messages under one r:
 *	their tags are enough to forge.
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: receives the 16 bytes; may overlap @pad or @data
 */
void poly1305_mac_digest_prepared(const struct poly1305_mac_prepared *prepared,
				  const u8 pad[POLY1305_MAC_TAG_SIZE],
				  const void *data, size_t len,
				  u8 tag[POLY1305_MAC_TAG_SIZE]);
#endif

#endif /* POLY1305_MAC_H */
