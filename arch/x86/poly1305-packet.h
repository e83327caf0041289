/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The MAC of a packet, which chapoly.ko computes in FPU sections of its own */

#ifndef POLY1305_PACKET_H
#define POLY1305_PACKET_H

#include "poly1305-offsets.h"

/* The state of Poly1305. The multiplication of h by r is pending. */
struct poly1305_packet {
	u64 h[3];
	u64 key[4];			/* r, clamped, and s */
	u64 q1, s0;			/* 5 r[1] / 4, 5 r[0] */
	u64 fresh;			/* whether h has no block yet, for chapoly_mulx() */
	u8 end[64];			/* the end of the message: padding, and both lengths */
};

static_assert(offsetof(struct poly1305_packet, h) == MAC_H);
static_assert(offsetof(struct poly1305_packet, key) == MAC_R);
static_assert(offsetof(struct poly1305_packet, q1) == MAC_Q1);
static_assert(offsetof(struct poly1305_packet, s0) == MAC_S0);
static_assert(offsetof(struct poly1305_packet, fresh) == MAC_FRESH);
static_assert(offsetof(struct poly1305_packet, end) == MAC_END);

/*
 * The tag of a packet, in poly1305-avx512.S: add at least 128 bytes of text, zeros up to a block,
 * and the last block of mac->end.
 */
void poly1305_packet_avx512(const struct poly1305_packet *mac, const u8 *text, size_t len,
			    u8 tag[POLY1305_MAC_TAG_SIZE]);

#endif /* POLY1305_PACKET_H */
