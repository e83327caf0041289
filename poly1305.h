/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305: the functions that poly1305.ko exports to other kernel modules and, built by
 * "make user-lib", libpoly1305.a to programs.
 *
 * Poly1305 is a one-time authenticator. A key must authenticate one message and no more: two tags
 * under one key give an attacker who knows the messages enough to forge a third. No function here
 * can detect that a key is used twice. The caller must derive a fresh key for each message, as
 * ChaCha20-Poly1305 does from its nonce.
 *
 * Every function may be called in any context except NMI. None sleeps or allocates memory.
 *
 * A length may be any size_t, even above 2^32. If a length is 0, nothing is read and its pointer
 * may be NULL; no other pointer may be NULL. Data need no alignment. A tag may overlap the key and
 * the message, because the tag is written last, by the shash drivers, too. A context may not
 * overlap any other argument.
 *
 * Before init a context is undefined. Init in the middle of a message is allowed. After final a
 * context has key 0: to use it without another init is a mistake, but every tag is then 0 and
 * reveals nothing. A context that is abandoned before final still holds key material: wipe it with
 * memzero_explicit().
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
 * Incremented when a function or structure of poly1305.h or chapoly.h is changed or removed, so a
 * driver can refuse to compile. Release 1.0 has no such macro.
 */
#define POLY1305_API_VERSION	2

#ifdef __cplusplus
extern "C" {
#endif

struct scatterlist;

/* The evaluation of the message polynomial. poly1305_core.h states what all code must keep true. */
struct poly1305_mac_state {
	u64 h[3];	/* the accumulator, h[0] + 2^64 h[1] + 2^128 h[2] */
	u64 r[2];	/* the clamped evaluation point, r[0] + 2^64 r[1] */
	u32 have_powers;	/* whether pow holds powers of r */
	u32 want_powers;	/* whether the message is known to repay computing powers of r */
	u64 pow[3 * POLY1305_MAC_POWERS];	/* in the form of the tier's vector code */
};

/**
 * struct poly1305_mac_ctx - the state of one message
 *
 * The members are private. A context holds no pointers, so it may be copied and its copies
 * continued separately. All copies have one key: never release more than one of their tags.
 */
struct poly1305_mac_ctx {
	/* private: */
	u64 s[2];	/* the pad, which is added last */
	u8 buf[POLY1305_MAC_BLOCK_SIZE];
	u32 buflen;	/* bytes of an incomplete block in buf, at most 15 */
	struct poly1305_mac_state state;
};

/**
 * poly1305_mac_init() - start a message
 * @ctx: the context to use; need not be initialized
 * @key: the one-time key r || s, never used for another message
 */
void poly1305_mac_init(struct poly1305_mac_ctx *ctx, const u8 key[POLY1305_MAC_KEY_SIZE]);

/**
 * poly1305_mac_init_hint() - start a message of roughly known length
 * @ctx: the context to use; need not be initialized
 * @key: the one-time key r || s, never used for another message
 * @total_len: the length of the whole message, or an estimate
 *
 * For messages that arrive in several updates. If @total_len is 1024 bytes or more, powers of r
 * are computed at the first update that can use them, even if that update alone does not repay
 * them. The tag does not depend on @total_len: a wrong hint only costs time.
 */
void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx, const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len);

/**
 * poly1305_mac_update() - append bytes to the message
 * @ctx: a context between init and final
 * @data: the bytes
 * @len: the number of bytes
 *
 * The tag does not depend on how the message is cut into updates.
 */
void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data, size_t len);

/**
 * poly1305_mac_final() - end the message
 * @ctx: a context between init and final; wiped on return
 * @tag: receives the 16 bytes; compare received tags with poly1305_mac_verify() or
 *	crypto_memneq(), never with memcmp()
 */
void poly1305_mac_final(struct poly1305_mac_ctx *ctx, u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_digest() - compute the tag of a message in one buffer
 * @key: the one-time key r || s, never used for another message
 * @data: the message
 * @len: the length of the message in bytes
 * @tag: receives the 16 bytes
 */
void poly1305_mac_digest(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
			 u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * poly1305_mac_verify() - check the tag of a message in one buffer
 * @key: the one-time key r || s, with which the sender authenticated this message and no other
 * @data: the message
 * @len: the length of the message in bytes
 * @tag: the tag that came with the message
 *
 * Tags are compared in constant time.
 *
 * Return: 0 if the tag is right, -EBADMSG if it is wrong.
 */
int __must_check
poly1305_mac_verify(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
		    const u8 tag[POLY1305_MAC_TAG_SIZE]);

/* Not in libpoly1305.a, but its tests compile it */
#if defined(__KERNEL__) || defined(POLY1305_USER_INTERNAL)
/*
 * Kernels without CONFIG_MODVERSIONS let modules of different versions call each other, although
 * their functions and structures differ. So a module that calls poly1305.ko must fail to load with
 * -ENOEXEC if poly1305_mac_fits() is false. The log then says what to do.
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
 * poly1305_mac_digest_sg() - compute the tag of a message in a scatterlist
 * @key: the one-time key r || s, never used for another message
 * @sgl: the message
 * @len: the length of the message in bytes; further bytes of @sgl are ignored
 * @tag: receives the 16 bytes
 *
 * Return: 0, or -EINVAL if @sgl holds fewer than @len bytes. @tag is then unchanged.
 */
int __must_check
poly1305_mac_digest_sg(const u8 key[POLY1305_MAC_KEY_SIZE], struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);
#endif

#ifdef __cplusplus
}
#endif

#endif /* POLY1305_MAC_H */
