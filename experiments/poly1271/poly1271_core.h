/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1271 for a copy of the files of poly1305.ko: the path of a message, the drivers, the
 * library and the self-test do not depend on this header. The copy's poly1305_core.h includes
 * it.
 *
 * p = 2^127 - 1. A block of 15 bytes stands for m + 2^120 * hibit. The state is that of
 * poly1305_core.h, but for this:
 *
 *  - h[0] + 2^64 h[1] < 2^127 + 2^125 < 2p, and h[2] is 0.
 *  - r[1] < 2^59.
 *  - No code uses powers.
 */

#ifndef POLY1271_CORE_H
#define POLY1271_CORE_H

#include "poly1271.h"

#define POLY1305_NAME		"poly1271"
#define POLY1305_TITLE		"Poly1271 one-time authenticator, an experiment without published analysis"

#undef POLY1305_MAC_BLOCK_SIZE
#define POLY1305_MAC_BLOCK_SIZE	POLY1271_MAC_BLOCK_SIZE

/* r &= 0x07fffffc0ffffffc0ffffffc0fffffff, as two words */
#define POLY1305_CLAMP_LO	0x0ffffffc0fffffffULL
#define POLY1305_CLAMP_HI	0x07fffffc0ffffffcULL

#define POLY1305_H1_MAX		0x9fffffffffffffffULL
#define POLY1305_H2_MAX		0
#define POLY1305_H_BEYOND(h)	(((h)[1] > POLY1305_H1_MAX) | ((h)[2] > 0))

#ifdef CONFIG_X86_64
#define POLY1305_TIERS(each)	each(portable) each(x86_64) each(avx2)
#else
#define POLY1305_TIERS(each)	each(portable)
#endif

#define poly1305_mac_ctx	poly1271_mac_ctx
#define poly1305_mac_init	poly1271_mac_init
#define poly1305_mac_update	poly1271_mac_update
#define poly1305_mac_final	poly1271_mac_final
#define poly1305_mac_digest	poly1271_mac_digest
#define poly1305_mac_verify	poly1271_mac_verify
#define poly1305_emit		poly1271_emit
#define poly1305_blocks_generic	poly1271_blocks_generic

#endif /* POLY1271_CORE_H */
