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

/* Private, like struct poly1305_mac_ctx */
struct poly1271_mac_ctx {
	u64 s[2];
	u8 buf[POLY1271_MAC_BLOCK_SIZE + 1];
	u32 buflen;
	struct poly1305_mac_state state;
};

void poly1271_mac_init(struct poly1271_mac_ctx *ctx,
		       const u8 key[POLY1271_MAC_KEY_SIZE]);
void poly1271_mac_update(struct poly1271_mac_ctx *ctx, const void *data,
			 size_t len);
void poly1271_mac_final(struct poly1271_mac_ctx *ctx,
			u8 tag[POLY1271_MAC_TAG_SIZE]);
void poly1271_mac_digest(const u8 key[POLY1271_MAC_KEY_SIZE], const void *data,
			 size_t len, u8 tag[POLY1271_MAC_TAG_SIZE]);
int __must_check
poly1271_mac_verify(const u8 key[POLY1271_MAC_KEY_SIZE], const void *data,
		    size_t len, const u8 tag[POLY1271_MAC_TAG_SIZE]);

#endif /* POLY1271_MAC_H */
