/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The offsets of the members of poly1305.h's structures that assembly uses, and
 * lengths that C has to know, too. C includes this file through poly1305-x86.h, and
 * does not compile if an offset is wrong.
 */

#ifndef POLY1305_OFFSETS_H
#define POLY1305_OFFSETS_H

/* struct poly1305_mac_state */
#define STATE_H		0
#define STATE_R		24
#define STATE_NPOW	40
#define STATE_HINT	44
#define STATE_POW	48
#define STATE_POW_ROW	64	/* bytes of one limb of all powers */
#define STATE_OWN	240
#define STATE_UNFOLDED	244

/* state->own of poly1305-avx2-short.S; all but the first hold as long as npow is 0 */
#define OWN_PIECE	1	/* a piece has come that would gain by known powers */
#define OWN_POWERS	2	/* pow has R = r^4 and R^2 */
#define OWN_CUBE	3	/* and R^3 */
#define OWN_FOURTH	4	/* and R^4, for poly1305-avx512f.S */

/*
 * What state->pow then holds, in radix 2^26: five vectors of 32 bytes, of which vector i
 * has limb i of r^4, r^2, r^3, r in the lower halves of its lanes. The upper halves have
 * numbers of which the limbs are as far apart, except where a comment says otherwise.
 */
#define OWN_R		0	/* R itself, lower half of the first lane */
#define OWN_5R		4	/* 5 R, from limb 1 on, as all multiples by 5 */
#define OWN_R_2		12
#define OWN_5R_2	20
#define OWN_R_3		28
#define OWN_5R_3	156	/* behind the vectors, 4 bytes apart */
#define OWN_R_4		176	/* limbs 0 to 3, 4 bytes apart */
#define OWN_R_4_TOP	4	/* limb 4, where limb 0 of 5 R would be */

/* struct poly1305_mac_req */
#define REQ_KEY		0
#define REQ_DATA	8
#define REQ_LEN		16
#define REQ_TAG		24
#define REQ_SIZE	40

/*
 * The shortest message for three chains on CPUs without mulx, in blocks. Those with mulx
 * have three chains from poly1305_x86_64_mulx_below on, which is no less.
 */
#define POLY1305_MIN_CHAINS	24
/* The shortest message for the method of poly1305-avx2-short.S, in blocks */
#define AVX2_SHORT_MIN	17
/* The same for poly1305-avxifma.S, 9 at least */
#define AVXIFMA_MIN	12
/* The least number of blocks behind its first quad for groups of quads */
#define AVXIFMA_LONG	224
/* The shortest message for poly1305_parts_avx512(), in blocks, 10 at least */
#define AVX512_PARTS_MIN	10

#ifndef __ASSEMBLER__
#include "../../poly1305.h"

static_assert(offsetof(struct poly1305_mac_state, h) == STATE_H);
static_assert(offsetof(struct poly1305_mac_state, r) == STATE_R);
static_assert(offsetof(struct poly1305_mac_state, npow) == STATE_NPOW);
static_assert(offsetof(struct poly1305_mac_state, hint) == STATE_HINT);
static_assert(offsetof(struct poly1305_mac_state, pow) == STATE_POW);
static_assert(offsetof(struct poly1305_mac_state, own) == STATE_OWN);
static_assert(offsetof(struct poly1305_mac_state, unfolded) == STATE_UNFOLDED);
static_assert(sizeof(((struct poly1305_mac_state *)0)->pow[0]) ==
	      STATE_POW_ROW);
static_assert(offsetof(struct poly1305_mac_req, key) == REQ_KEY);
static_assert(offsetof(struct poly1305_mac_req, data) == REQ_DATA);
static_assert(offsetof(struct poly1305_mac_req, len) == REQ_LEN);
static_assert(offsetof(struct poly1305_mac_req, tag) == REQ_TAG);
static_assert(sizeof(struct poly1305_mac_req) == REQ_SIZE);
#endif

#endif /* POLY1305_OFFSETS_H */
