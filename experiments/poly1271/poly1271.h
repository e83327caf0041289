/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1271 for other kernel modules: the functions that poly1271.ko exports.
 *
 * An experiment: a one-time authenticator like Poly1305, modulo 2^127 - 1 and with
 * blocks of 15 bytes. Nobody has published an analysis of it. README.md says when
 * to use it: to study it.
 *
 * The rules of poly1305.h for keys, contexts, pointers, lengths and overlap hold here
 * too, and each function does what the function of the same name there does.
 */

#ifndef POLY1271_MAC_H
#define POLY1271_MAC_H

#include "poly1305.h"

#define POLY1271_MAC_KEY_SIZE	32
#define POLY1271_MAC_TAG_SIZE	16
#define POLY1271_MAC_BLOCK_SIZE	15

/**
 * struct poly1271_mac_ctx - the state of one message
 * @s: the pad, which is added last
 * @buf: the bytes of an incomplete block, and zeros, if @buflen is not 0
 * @buflen: the number of bytes in @buf, at most 14
 * @state: everything that the block functions see
 *
 * Private, like struct poly1305_mac_ctx.
 */
struct poly1271_mac_ctx {
	u64 s[2];
	u8 buf[POLY1271_MAC_BLOCK_SIZE + 1];
	u32 buflen;
	struct poly1305_mac_state state;
};

/**
 * poly1271_mac_init() - begin a message
 * @ctx: the context to use; need not be initialized
 * @key: the one-time key r || s. Never use it for a second message: two tags
 *	under one key are enough to forge.
 */
void poly1271_mac_init(struct poly1271_mac_ctx *ctx,
		       const u8 key[POLY1271_MAC_KEY_SIZE]);

/**
 * poly1271_mac_update() - add bytes to the message
 * @ctx: a context between init and final
 * @data: the bytes, at any alignment; may be NULL if @len is 0
 * @len: the number of bytes
 */
void poly1271_mac_update(struct poly1271_mac_ctx *ctx, const void *data,
			 size_t len);

/**
 * poly1271_mac_final() - end the message
 * @ctx: a context between init and final; wiped on return
 * @tag: receives the 16 bytes
 */
void poly1271_mac_final(struct poly1271_mac_ctx *ctx,
			u8 tag[POLY1271_MAC_TAG_SIZE]);

/**
 * poly1271_mac_digest() - the tag of a message in one buffer
 * @key: the one-time key r || s
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: receives the 16 bytes; may overlap @key or @data
 */
void poly1271_mac_digest(const u8 key[POLY1271_MAC_KEY_SIZE], const void *data,
			 size_t len, u8 tag[POLY1271_MAC_TAG_SIZE]);

/**
 * poly1271_mac_verify() - check the tag of a message in one buffer
 * @key: the one-time key r || s
 * @data: the message, at any alignment; may be NULL if @len is 0
 * @len: its length in bytes, 0 included
 * @tag: the tag that came with the message
 *
 * Return: 0 if the tag is right, -EBADMSG if it is not.
 */
int __must_check
poly1271_mac_verify(const u8 key[POLY1271_MAC_KEY_SIZE], const void *data,
		    size_t len, const u8 tag[POLY1271_MAC_TAG_SIZE]);

#endif /* POLY1271_MAC_H */
