/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avx2.S, which explains them. Unless a
 * comment says otherwise, macros compute each 64-bit lane independently.
 */

/* Most quads of a group, and the logarithm of that number */
.set	GROUP, 32
.set	GROUP_LOG, 5

/*
 * The stack frame. From VAR_POWERS on it holds key material.
 *
 * VAR_TABLE holds R^1 ... R^32 in five rows, one for each limb. Each qword of a row has the
 * limb of a power in its low half, and the limb of 2^32 times the power in its high half.
 * In front of each row are that limb of R^8, and 5 times that limb of R^g.
 */
.set	ROW, 8 * GROUP + 32
.set	VAR_HIBIT, 0
.set	VAR_GROUPS, 8				/* full groups */
.set	VAR_G, 16				/* quads of a full group */
.set	VAR_G1, 24				/* quads of the first group */
.set	VAR_HEAD, 32				/* blocks for scalar code */
.set	VAR_POWERS, 64				/* r^4 ... r^1, see poly1305-powers.h */
.set	VAR_SQUARES, VAR_POWERS + 3 * 32	/* r^8, r^16, r^32, r^12 */
.set	VAR_SUMS, VAR_SQUARES			/* later, sums of the last group */
.set	VAR_FIRST, VAR_SUMS + 10 * 32		/* h + first block, second block */
.set	VAR_LAST, VAR_FIRST + 32		/* multipliers of the sums, see mul_last */
.set	VAR_HIBITS, VAR_LAST + 10 * 32		/* sum_hibits of a full group */
.set	VAR_R_8, VAR_HIBITS + 5 * 32
.set	VAR_TIMES_5, VAR_R_8 + 4
.set	VAR_TABLE, VAR_R_8 + 32
.set	FRAME, VAR_R_8 + 5 * ROW

#define A0		%ymm0
#define A1		%ymm1
#define A2		%ymm2
#define A3		%ymm3
#define A4		%ymm4
#define B0		%ymm5
#define B1		%ymm6
#define B2		%ymm7
#define B3		%ymm8
#define B4		%ymm9
#define X0		%ymm10
#define X1		%ymm11
#define M		%ymm12
#define T0		%ymm13
#define T1		%ymm14
#define MASK26		%ymm15

/* While the table is built, 2^32 MASK26 */
#define HIGH26		%ymm11

#include "poly1305-radix26.h"

/* %ymm\x = limb i of r^4, r^2, r^3, r, the order that store_last needs. Clobbers %xmm13. */
.macro	load_powers i, x
	gather	\i, \x, VAR_POWERS, VAR_POWERS+16, VAR_POWERS+8, VAR_POWERS+24
.endm

/*
 * Store the powers x and z = 2^32 x in the table at \to. As
 *
 *	2^32 x_i = 2^26 (2^6 x_i mod 2^26) + 2^52 (x_i / 2^20),
 *
 * z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20. If the index wraps around, 5 x_4 is split
 * in this way, but x_3 / 2^20 is multiplied by 5 after the split. Limbs of z are below
 * 2^26 + 2^9, and are computed in the upper halves. Clobbers M, T0, T1.
 */
.macro	store_table to, x0, x1, x2, x3, x4
	vpsrlq	$20, \x3, T1
	times5	T1
	vpsllq	$32, T1, T1
	vpaddq	\x0, T1, T1
	vpsllq	$2, \x4, M
	vpaddq	\x4, M, M
	add_upper M, T1
	vmovdqa	T1, \to
	store_pair "ROW+\to", \x1, \x0, M
	store_pair "2*ROW+\to", \x2, \x1, \x0
	store_pair "3*ROW+\to", \x3, \x2, \x1
	store_pair "4*ROW+\to", \x4, \x3, \x2
.endm

/* Store a limb: x, and in the upper half z = (2^6 y mod 2^26) + w / 2^20. Clobbers T0, T1. */
.macro	store_pair to, x, y, w
	vpsllq	$12, \w, T1
	vpblendd $0xaa, T1, \x, T1
	add_upper \y, T1
	vmovdqa	T1, \to
.endm

/* x += 2^32 (2^6 y mod 2^26). Clobbers T0. */
.macro	add_upper y, x
	vpsllq	$38, \y, T0
	vpand	HIGH26, T0, T0
	vpaddq	T0, \x, \x
.endm

/*
 * A += x y (mod p), for four powers x and one power y of the table. With limbs up to
 * 2^26 + 2^19 this adds less than 2^56.5 to each A_i. Clobbers M, T0.
 */
.macro	mul_power	x, y
	vpbroadcastd 0 * ROW + \y, M
	mul_limb M, T0, \x, ROW, 5, A0, A1, A2, A3, A4
	vpbroadcastd 1 * ROW + \y, M
	mul_limb M, T0, \x, ROW, 4, A1, A2, A3, A4, A0
	vpbroadcastd 2 * ROW + \y, M
	mul_limb M, T0, \x, ROW, 3, A2, A3, A4, A0, A1
	vpbroadcastd 3 * ROW + \y, M
	mul_limb M, T0, \x, ROW, 2, A3, A4, A0, A1, A2
	vpbroadcastd 4 * ROW + \y, M
	mul_limb M, T0, \x, ROW, 1, A4, A0, A1, A2, A3
.endm

/* VAR_TIMES_5 = 5 times limbs 1 ... 4 of the power at \y. Clobbers %rax. */
.macro	store_times_5 y
.irp i, 1, 2, 3, 4
	mov	\i*ROW+\y, %eax
	lea	(%rax, %rax, 4), %eax
	mov	%eax, \i*ROW+VAR_TIMES_5(%rsp)
.endr
.endm

/*
 * A and B += VAR_SUMS y (mod p), for the power y at \y, with 5 times its limbs in VAR_TIMES_5. With
 * limbs up to 2^26 + 2^19 this adds less than 2^56.5 to each sum. Each limb of y is loaded once for
 * A and B. Clobbers M, T0.
 */
.macro	mul_sums y
	vpbroadcastd 0*ROW+\y, M
	mul_add_sums 0, A0, A1, A2, A3, A4
	mul_add_sums 5, B0, B1, B2, B3, B4
	vpbroadcastd 1*ROW+\y, M
	mul_add_sums 0, A1, A2, A3, A4
	mul_add_sums 5, B1, B2, B3, B4
	vpbroadcastd 1*ROW+VAR_TIMES_5(%rsp), M
	mul_add_sums 4, A0
	mul_add_sums 9, B0
	vpbroadcastd 2*ROW+\y, M
	mul_add_sums 0, A2, A3, A4
	mul_add_sums 5, B2, B3, B4
	vpbroadcastd 2*ROW+VAR_TIMES_5(%rsp), M
	mul_add_sums 3, A0, A1
	mul_add_sums 8, B0, B1
	vpbroadcastd 3*ROW+\y, M
	mul_add_sums 0, A3, A4
	mul_add_sums 5, B3, B4
	vpbroadcastd 3*ROW+VAR_TIMES_5(%rsp), M
	mul_add_sums 2, A0, A1, A2
	mul_add_sums 7, B0, B1, B2
	vpbroadcastd 4*ROW+\y, M
	mul_add_sums 0, A4
	mul_add_sums 5, B4
	vpbroadcastd 4*ROW+VAR_TIMES_5(%rsp), M
	mul_add_sums 1, A0, A1, A2, A3
	mul_add_sums 6, B0, B1, B2, B3
.endm

/* c += M x, for one or more c and successive vectors x of VAR_SUMS from n on. Clobbers T0. */
.macro	mul_add_sums n, c, more:vararg
	mul_add	M, T0, \c, "VAR_SUMS+32*(\n)(%rsp)"
.ifnb \more
	mul_add_sums "\n+1", \more
.endif
.endm

/*
 * p = y X0 and q = y X1, for limb \y of R^k and the low dwords of the lanes. If a and b are given,
 * a += last_p and b += last_q, the products of the limb before.
 */
.macro	mul_dwords y, p, q, last_p, last_q, a, b
	vpbroadcastd \y, \q
	vpmuludq X0, \q, \p
.ifnb \a
	vpaddq	\last_p, \a, \a
.endif
	vpmuludq X1, \q, \q
.ifnb \a
	vpaddq	\last_q, \b, \b
.endif
.endm

/*
 * A += R^k times the two blocks at \p, B += R^k times the two blocks at \q,
 * with R^k in the table at \y. Adds two products below 2^32 L to each sum.
 * Clobbers X0, X1, M, T0, T1, MASK26.
 */
.macro	mul_quad p, q, y
	vmovdqu	\p, X0
	vmovdqu	\q, X1
	mul_dwords 0*ROW+\y, T0, M
	mul_dwords 1*ROW+\y, T1, %ymm15, T0, M, A0, B0
	mul_dwords 2*ROW+\y, T0, M, T1, %ymm15, A1, B1
	mul_dwords 3*ROW+\y, T1, %ymm15, T0, M, A2, B2
	mul_dwords 4*ROW+\y, T0, M, T1, %ymm15, A3, B3
	vmovshdup \p, X0
	vmovshdup \q, X1
	mul_dwords 4+0*ROW+\y, T1, %ymm15, T0, M, A4, B4
	mul_dwords 4+1*ROW+\y, T0, M, T1, %ymm15, A0, B0
	mul_dwords 4+2*ROW+\y, T1, %ymm15, T0, M, A1, B1
	mul_dwords 4+3*ROW+\y, T0, M, T1, %ymm15, A2, B2
	mul_dwords 4+4*ROW+\y, T1, %ymm15, T0, M, A3, B3
	vpaddq	T1, A4, A4
	vpaddq	%ymm15, B4, B4
.endm

/*
 * Add the last two blocks of a stream, of weight R^0: even + 2^26 (2^6 odd). In: M = 2^6 in
 * each lane, T0 = 0. Clobbers X0, X1.
 */
.macro	add_last p, c0, c1
	vpblendd $0x55, \p, T0, X0
	vmovshdup \p, X1
	vpmuludq M, X1, X1
	vpaddq	X0, \c0, \c0
	vpaddq	X1, \c1, \c1
.endm

/* Each lane of x = the sum of the low dwords of all lanes, for one or more x. Clobbers T0. */
.macro	sum_lanes x, more:vararg
	vpermq	$0x4e, \x, T0
	vpaddd	T0, \x, \x
	vpshufd	$0x4e, \x, T0
	vpaddd	T0, \x, \x
.ifnb \more
	sum_lanes \more
.endif
.endm

/*
 * Bit 128 of all blocks of a group: A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane of each
 * block, 0 in the high lanes; g in \g. If S is that sum of powers, with limbs below 32 L,
 * 2^128 = 2^104 2^24 gives A4 = 2^24 S0 and A_(i-1) = 5 * 2^24 S_i, below 2^57.4. Clobbers %rax,
 * %rcx, %r11, M, T0.
 */
.macro	sum_hibits g
	/* Four powers at a time, and (g - 1) mod 4 of the last four */
	lea	-1(\g), %rax
	mov	%eax, %ecx
	and	$3, %ecx
	neg	%rcx
	lea	.Lfirst_lanes(%rip), %r11
	vmovdqu	32(%r11, %rcx, 8), M
	shr	$2, %rax
	shl	$5, %rax
	vpand	VAR_TABLE + 0 * ROW(%rsp, %rax), M, A4
	vpand	VAR_TABLE + 1 * ROW(%rsp, %rax), M, A0
	vpand	VAR_TABLE + 2 * ROW(%rsp, %rax), M, A1
	vpand	VAR_TABLE + 3 * ROW(%rsp, %rax), M, A2
	vpand	VAR_TABLE + 4 * ROW(%rsp, %rax), M, A3
	jmp	.Lcheck\@
.Lrow\@:
	vpaddd	VAR_TABLE + 0 * ROW(%rsp, %rax), A4, A4
	vpaddd	VAR_TABLE + 1 * ROW(%rsp, %rax), A0, A0
	vpaddd	VAR_TABLE + 2 * ROW(%rsp, %rax), A1, A1
	vpaddd	VAR_TABLE + 3 * ROW(%rsp, %rax), A2, A2
	vpaddd	VAR_TABLE + 4 * ROW(%rsp, %rax), A3, A3
.Lcheck\@:
	sub	$32, %rax
	jns	.Lrow\@

	vmovq	VAR_HIBIT(%rsp), %xmm12
	vpsllq	$24, %xmm12, %xmm12
	vinserti128 $1, %xmm12, M, M
	sum_lanes A4, A0, A1, A2, A3
	vpmuludq M, A4, A4
	vpaddq	M, A4, A4		/* R^0 */
	times5	M
	vpmuludq M, A0, A0
	vpmuludq M, A1, A1
	vpmuludq M, A2, A2
	vpmuludq M, A3, A3
.endm

/* Zero the frame from VAR_POWERS to VAR_R_8. In: %ymm0 = 0. Clobbers %rdi, %rsi. */
.macro	wipe_frame
	lea	VAR_POWERS(%rsp), %rdi
	lea	VAR_R_8(%rsp), %rsi
.Lwipe\@:
	vmovdqa	%ymm0, (%rdi)
	vmovdqa	%ymm0, 32(%rdi)
	add	$64, %rdi
	cmp	%rsi, %rdi
	jb	.Lwipe\@
.endm

/*
 * In each of the five rows of limbs, zero the qwords from VAR_R_8 to VAR_TABLE - 8 + 8 g. In: g in
 * \g, %ymm0 = 0. Clobbers %rdi, %rsi.
 */
.macro	wipe_table g
	mov	\g, %rdi
	lea	VAR_TABLE - 8(%rsp, %rdi, 8), %rdi
	lea	VAR_R_8(%rsp), %rsi
	and	$-32, %rdi
.Lwipe_row\@:
.irp i, 0, 1, 2, 3, 4
	vmovdqa	%ymm0, \i*ROW(%rdi)
.endr
	sub	$32, %rdi
	cmp	%rsi, %rdi
	jae	.Lwipe_row\@
.endm
