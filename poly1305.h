/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for other kernel modules (and, built by "make user-lib", for user
 * space): the functions that poly1305.ko exports.
 *
 * Poly1305 is a one-time authenticator. A key must authenticate one message
 * and no more: two tags under one key give an attacker who knows the messages
 * enough to forge a third. No function here can notice that a key is used twice.
 * The caller must derive a fresh one for each message, as ChaCha20-Poly1305 does
 * from its nonce.
 *
 * Every function may be called in any context, hard interrupts included but
 * not NMIs. None sleeps or fails for lack of memory.
 *
 * Lengths are any size_t, beyond 2^32 as well. With length 0 nothing is read, and
 * the pointer may be NULL; other pointers may not be NULL. A tag may overlap the key
 * (or pad) and the message, which are read first, unless the function says
 * otherwise; the same is true of the shash drivers. A context or a prepared r may
 * not overlap any other argument.
 *
 * A context is undefined before init. After final it is a context of key 0: to go
 * on without another init is a mistake but does no harm, as every tag is 0 then and
 * depends on nothing. Init in the middle of a message is allowed. A context that is given
 * up before final holds key material: wipe it with memzero_explicit().
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
 * @h: the accumulator, h[0] + 2^64 h[1] + 2^128 h[2]
 * @r: the clamped evaluation point, r[0] + 2^64 r[1]
 * @npow: how many powers of r @pow holds, counted from r^1
 * @hint: the number of blocks that the caller announced, 0 if unknown
 * @pow: limb i of r^(8-j), in radix 2^44, is @pow[i][j]
 * @own: what the code of avx2 and avx512f remembers, or 0
 * @unfolded: whether h[2] may be greater than 4
 *
 * Private: poly1305_core.h states what every user of it must keep true.
 */
struct poly1305_mac_state {
	u64 h[3];
	u64 r[2];
	u32 npow;
	u32 hint;
	u64 pow[3][POLY1305_MAC_POWERS];
	u32 own;
	u32 unfolded;
};

/**
 * struct poly1305_mac_ctx - the state of one message
 * @s: the pad, which is added last
 * @buf: the bytes of an incomplete block, a 1 bit and zeros, if @buflen is not 0
 * @buflen: the number of bytes in @buf, at most 15
 * @state: everything that the block functions see
 *
 * The members are private. A context holds no pointers, so it may be copied, and
 * the copies go on separately. They have the same key: at most one of the two tags
 * may ever be shown to anyone.
 */
struct poly1305_mac_ctx {
	u64 s[2];
	u8 buf[POLY1305_MAC_BLOCK_SIZE];
	u32 buflen;
	struct poly1305_mac_state state;
};

/**
 * poly1305_mac_init() - begin a message
 * @ctx: the context to use; need not be initialized
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 */
void poly1305_mac_init(struct poly1305_mac_ctx *ctx,
		       const u8 key[POLY1305_MAC_KEY_SIZE]);

/**
 * poly1305_mac_init_hint() - begin a message of roughly known length
 * @ctx: the context to use; need not be initialized
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 * @total_len: the length of the whole message, as far as the caller knows
 *
 * For messages that arrive in pieces. Powers of r pay only on long messages. With a
 * hint they are computed at the first piece that can use them, even if that piece
 * alone would not pay for them. poly1305-portable, -avx2 and -avx512f gain by that.
 * The tag does not depend on @total_len: a wrong hint only costs time.
 */
void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx,
			    const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len);

/**
 * poly1305_mac_update() - add bytes to the message
 * @ctx: a context between init and final
 * @data: the bytes, at any alignment; may be NULL if @len is 0
 * @len: the number of bytes
 *
 * The tag does not depend on how the message is cut into updates.
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
 * poly1305_mac_aead() - the tag of a packet as RFC 8439 defines it
 * @key: the one-time key r || s, from block 0 of the keystream. Never use it for a
 *	second packet: two tags under one key are enough to forge.
 * @ad: the associated data, at any alignment; may be NULL if @ad_len is 0
 * @ad_len: their length in bytes
 * @text: the ciphertext, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes
 * @tag: receives the 16 bytes; may overlap @key, @ad or @text
 *
 * The message is the associated data, the ciphertext, each padded with zeros to whole
 * blocks, and both lengths. To build it in one buffer and call poly1305_mac_digest() is
 * faster for packets that are copied anyway.
 */
void poly1305_mac_aead(const u8 key[POLY1305_MAC_KEY_SIZE], const void *ad,
		       size_t ad_len, const void *text, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);

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
 * @sgl: NULL, or the message as a scatterlist, whose bytes beyond @len are ignored;
 *	always NULL in user space
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
 * @n: the number of messages; 0 is no error
 *
 * The tags are those of poly1305_mac_digest(), computed faster: short messages share
 * vector registers and FPU sections. Messages of similar length share best; they
 * are found wherever they stand among 64 neighbours. One message alone costs as
 * much as with poly1305_mac_digest().
 *
 * A tag may overlap the key or the message of its own request. It must not overlap
 * anything of another request, as the order of the work is not defined. Requests
 * may share keys and messages.
 *
 * Return: 0, or -EINVAL if a scatterlist holds fewer bytes than its request
 * says; then no tag is written.
 */
int __must_check poly1305_mac_batch(struct poly1305_mac_req *reqs,
				    unsigned int n);

/* The tests in user space compile what follows; the library there lacks it. */
#if defined(__KERNEL__) || defined(POLY1305_USER_INTERNAL)
/**
 * poly1305_mac_digest_sg() - the tag of a message in a scatterlist
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 * @sgl: the message; may be NULL if @len is 0
 * @len: its length in bytes; bytes of @sgl beyond it are ignored
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
 * struct poly1305_mac_prepared - an r with its powers
 * @state: the state with which every message under that r begins
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
 * @r: the evaluation point. Bits that Poly1305 forbids are cleared; a caller that
 *	must reject them has to check first.
 */
void poly1305_mac_prepare(struct poly1305_mac_prepared *prepared,
			  const u8 r[POLY1305_MAC_BLOCK_SIZE]);

/**
 * poly1305_mac_init_prepared() - begin a message under a prepared r
 * @ctx: the context to use; need not be initialized
 * @prepared: r, from poly1305_mac_prepare()
 * @pad: the pad, which is added last. Never use one pad for two messages under one r:
 *	their tags are enough to forge.
 */
void poly1305_mac_init_prepared(struct poly1305_mac_ctx *ctx,
				const struct poly1305_mac_prepared *prepared,
				const u8 pad[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_digest_prepared() - the tag of a message in one buffer, under a
 *	prepared r
 * @prepared: r, from poly1305_mac_prepare()
 * @pad: the pad, which is added last. Never use one pad for two messages under one r:
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
