/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Scalar blocks beside the vectors of poly1305-avx512.S.
 *
 * On some CPUs products of 512 bits leave room for other instructions. There scalar code
 * takes some of the vectors, block by block, beside the products of the others. Of the blocks
 * m_1 ... m_8k of k vectors it computes s = m_1 r^8k + ... + m_8k r. The block that follows them
 * is in lane 0 of the next vector. s is added to it, as h is added to the first block of a message.
 */

#include "poly1305-x86_64-ends.h"

/* x is the value of the blocks so far, but for a multiplication by r. */
#define x0		%rbx
#define x1		%r12
#define x2		%r13
#define u0		%r14
#define u1		%r15
#define v		%r8
#define w		%r11
#define src		%r9
/* In memory: r, its multiples, bit 128 of the blocks */
#define r0		0(%rsp)
#define r1		8(%rsp)
#define q1		16(%rsp)
#define s0		24(%rsp)
#define BIT128		32(%rsp)
/* ... and PADDING, while its register is in use */
#define SAVED_PADDING	40(%rsp)
#define SCALARS_SIZE	64

#include "poly1305-mulx.h"

/*
 * Store r, to which rcx points and which need not be clamped, its multiples, bit 128 from HIBIT,
 * and PADDING. Clobbers x0, x1, u0.
 */
.macro	begin_scalars
	mov	PADDING, SAVED_PADDING
	load_r	%rcx, x0, x1
	mov	x0, r0
	mov	x1, r1
	lea	(x0, x0, 4), u0
	mov	u0, s0
	mov	x1, u0
	shr	$2, u0
	add	x1, u0
	mov	u0, q1
	vmovq	%xmm27, BIT128
.endm

/* x = the block at src */
.macro	scalar_first
	mov	(src), x0
	mov	8(src), x1
	mov	BIT128, x2
.endm

/* x = x r + the next one. Bounds: poly1305-mulx.h; x2 < 2^62.6. */
.macro	scalar_block
	add	$16, src
	mulx_r	0(src), BIT128
.endm

/* x = x r, x2 <= 4 */
.macro	scalar_last
	mulx_low
	mulx_high
	fold
.endm

/* L += x in lane 0, x2 <= 4: less than 2^44, 2^44 and 2^43. Clobbers Y, T. */
.macro	add_scalars44
	vmovq	x0, %xmm29
	vmovq	x1, %xmm30
	vmovq	x2, %xmm31
	split_words Y, T0, T1, T2
	vpaddq	Y0, L0, L0
	vpaddq	Y1, L1, L1
	vpaddq	Y2, L2, L2
.endm

/*
 * X = X r^16 + v r^8 + w, from DATA on, among macros \a to \c of scalar code, in places found
 * by trying on Zen 4. Bit 128 of the blocks is in BIT40. Clobbers L, U, Y, T0, T1.
 */
.macro	pair_beside a, b, c
	load_pair
	sub	$-128, DATA
	mul44	Y, E
	\a
	mul44	X, F
	\b
	carry44	X
	\c
.endm

/*
 * X = X r^64 + eight vectors, again and again while VECS is EIGHTS_BESIDE at least: three
 * pairs, and s in place of the seventh vector, X = X r^16 + s + v_8. In: X, E = r^8, F = r^16,
 * DATA, VECS, HIBIT, and rcx as for begin_scalars. Clobbers rdx, KEPT, H2, L, U, Y, T.
 */
.macro	eights_beside
	save_registers
	sub	$SCALARS_SIZE, %rsp
	begin_scalars
.Leight_beside:
	lea	6 * 128(DATA), src
	scalar_first
	vpsllq	$40, HIBIT, BIT40
	pair_beside scalar_block, scalar_block, scalar_block
	pair_beside scalar_block, scalar_block, scalar_block
	pair_beside scalar_block, scalar_last
	sub	$-128, DATA
	load	DATA
	shift44	L
	sub	$-128, DATA
	zero_high
	mul44	X, F
	add_scalars44
	carry44	X
	sub	$8, VECS
	cmp	$EIGHTS_BESIDE, VECS
	jae	.Leight_beside
	mov	SAVED_PADDING, PADDING
	vpxorq	T0, T0, T0
	vmovdqu64 T0, (%rsp)
	add	$SCALARS_SIZE, %rsp
	restore_registers
.endm
