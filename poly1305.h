/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for other kernel modules and, built by "make user-lib", for user space: the
 * functions that poly1305.ko exports.
 *
 * Poly1305 is a one-time authenticator. A key must authenticate one message
 * and no more: two tags under one key give an attacker who knows the messages
 * enough to forge a third. No function here can notice that a key is used twice.
 * The caller must derive a fresh one for each message, as ChaCha20-Poly1305 does
 * from its nonce.
 *
 * Every function may be called in any context except NMI. None sleeps or allocates memory.
 *
 * A length may be any size_t, also above 2^32. If it is 0, nothing is read and the pointer
 * may be NULL; no other pointer may be NULL. A tag may overlap the key and the message,
 * because it is written last; that also holds for the shash drivers. A context may not
 * overlap any other argument.
 *
 * Before init a context is undefined. After final it is a context of key 0: if it is then
 * used without another init, which is a mistake, every tag is 0 and reveals nothing. Init in
 * the middle of a message is allowed. If a context is abandoned before final, it still holds
 * key material: wipe it with memzero_explicit().
 */

#ifndef POLY1305_MAC_H
#define POLY1305_MAC_H

#include <linux/types.h>

#define POLY1305_MAC_KEY_SIZE	32
#define POLY1305_MAC_TAG_SIZE	16
#define POLY1305_MAC_BLOCK_SIZE	16

/* Number of powers of r that fit into a context */
#define POLY1305_MAC_POWERS	8

/*
 * Grows when a function or structure of poly1305.h or chapoly.h goes or changes, so that a driver
 * can refuse to compile. Release 1.0 has no such macro.
 */
#define POLY1305_API_VERSION	2

#ifdef __cplusplus
extern "C" {
#endif

struct scatterlist;

/**
 * struct poly1305_mac_state - the evaluation of the message polynomial
 * @h: the accumulator, h[0] + 2^64 h[1] + 2^128 h[2]
 * @r: the clamped evaluation point, r[0] + 2^64 r[1]
 * @npow: not 0 if @pow holds powers of r
 * @powers_pay: whether the message is long enough to repay its powers
 * @pow: powers of r in the form of the tier's vector code
 *
 * Private: poly1305_core.h states what all code must keep true.
 */
struct poly1305_mac_state {
	u64 h[3];
	u64 r[2];
	u32 npow;
	u32 powers_pay;
	u64 pow[3 * POLY1305_MAC_POWERS];
};

/**
 * struct poly1305_mac_ctx - the state of one message
 * @s: the pad, which is added last
 * @buf: the bytes of an incomplete block
 * @buflen: the number of bytes in @buf, at most 15
 * @state: everything that the block functions see
 *
 * The members are private. A context holds no pointers, so it may be copied and its copies
 * continued separately. All copies have one key: never release more than one of their tags.
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
 * For messages that arrive in several updates. If @total_len is 1024 bytes or more, powers of r
 * are computed at the first update that can use them, even if that update alone does not repay
 * them. The tag does not depend on @total_len: a wrong hint only costs time.
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
 * poly1305_mac_verify() - check the tag of a message in one buffer
 * @key: the one-time key r || s under which the sender authenticated this
 *	message, and no other
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: the tag that came with the message
 *
 * Tags are compared in constant time.
 *
 * Return: 0 if the tag is right, -EBADMSG if it is not.
 */
int __must_check
poly1305_mac_verify(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
		    size_t len, const u8 tag[POLY1305_MAC_TAG_SIZE]);

/* libpoly1305.a does not have the rest, but its tests compile it. */
#if defined(__KERNEL__) || defined(POLY1305_USER_INTERNAL)
/*
 * Kernels without CONFIG_MODVERSIONS let a module call one of another version, with other functions
 * and structures. So init of a module that calls poly1305.ko fails with -ENOEXEC if
 * poly1305_mac_fits() is false, which then logs what to do.
 */
#define POLY1305_ABI(type)	(POLY1305_API_VERSION << 16 | (u32)sizeof(type))
#define poly1305_same_abi(module, loaded, type)					\
	((loaded) == POLY1305_ABI(type) ||					\
	 (pr_err("not loaded: another version of " module " is in use; "	\
		 "type poly1305ctl off, then poly1305ctl on, or restart\n"), false))
#define poly1305_mac_fits()							\
	poly1305_same_abi("poly1305.ko", poly1305_mac_abi, struct poly1305_mac_ctx)

extern const u32 poly1305_mac_abi;

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

#endif

#ifdef __cplusplus
}
#endif

#endif /* POLY1305_MAC_H */
