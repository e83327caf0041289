/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Numbers for assembly: the mask that clamps r, and the offsets of members of structures. Each C
 * file that has the same numbers includes this header and asserts that they are equal. The proofs
 * read it, too.
 */

#ifndef POLY1305_OFFSETS_H
#define POLY1305_OFFSETS_H

/* r &= CLAMP_LO + 2^64 CLAMP_HI */
#define CLAMP_LO	0x0ffffffc0fffffff
#define CLAMP_HI	0x0ffffffc0ffffffc

/* struct poly1305_mac_state */
#define STATE_H			0
#define STATE_R			24
#define STATE_HAVE_POWERS	40
#define STATE_POW		48
#define STATE_POW_ROW		64	/* in poly1305-avx512.S: bytes of one limb of all powers */

/*
 * In poly1305-avx2.S, state->pow is five vectors of 32 bytes. In vector i, the lower halves of
 * the lanes hold limb i of r^4, r^2, r^3 and r. The upper halves of the first three lanes hold
 * limb i of 5 R, R^2 and 5 R^2, where R = r^4; vector 0 has no multiples of 5.
 */
#define POW_R		0
#define POW_5R		4
#define POW_R_2		12
#define POW_5R_2	20

/* struct poly1305_packet */
#define MAC_H		0
#define MAC_R		24
#define MAC_Q1		56
#define MAC_S0		64
#define MAC_FRESH	72
#define MAC_END		80

/* struct chapoly_blocks of chapoly/chapoly-x86.h, aligned to 32 bytes */
#define FRAME_STATE	0
#define FRAME_NUMBERS	64

/*
 * The rest of struct chapoly_avx2 of chapoly/chapoly-avx2-glue.c: a word of 8 blocks, and the MAC's
 * members
 */
#define FRAME_WORD	96
#define FRAME_H		128
#define FRAME_R		152
#define FRAME_Q1	184
#define FRAME_S0	192
#define FRAME_STREAM	288

/* For chapoly_avx2_strides(), in place of a number of rounds */
#define WITH_KEY	11

#ifndef __ASSEMBLER__
#include "../../poly1305.h"

static_assert(offsetof(struct poly1305_mac_state, h) == STATE_H);
static_assert(offsetof(struct poly1305_mac_state, r) == STATE_R);
static_assert(offsetof(struct poly1305_mac_state, have_powers) == STATE_HAVE_POWERS);
static_assert(offsetof(struct poly1305_mac_state, pow) == STATE_POW);
#endif

#endif /* POLY1305_OFFSETS_H */
