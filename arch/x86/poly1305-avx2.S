/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 block function for CPUs with AVX2.
 *
 * The message polynomial, four blocks at a time
 * ---------------------------------------------
 * Let R = r^4 and call four successive blocks a quad. For a group of g quads
 * the polynomial of poly1305_core.h sorts into
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^4 + b_k r^3 + c_k r^2 + d_k r),
 *
 * a_k ... d_k being the blocks of the k-th quad counted from the end. One ymm
 * register holds two blocks: stream A of vectors takes a_k and b_k, stream B
 * c_k and d_k. All lanes of both streams are multiplied by the same R^k, and
 * only their sums, once per message, by the four different powers.
 *
 * A block of 16 bytes is two 64-bit lanes, low and high. Both are multiplied
 * by the same R^k too; that the high one stands for 2^64 times its value is
 * made good in that last multiplication.
 *
 * vpmuludq multiplies the low dwords of the lanes. So each lane is two numbers
 * of 32 bits, even and odd: m = even + 2^32 odd, and
 *
 *	R^k m = R^k even + (2^32 R^k) odd.
 *
 * Powers are kept in radix 2^26, five limbs, and each with its multiple by
 * 2^32. The message is therefore never split: its dwords are multiplied as they
 * lie in memory. (Even dwords are a plain load, whose upper halves vpmuludq
 * ignores; odd dwords are brought down by vmovshdup while they are loaded.)
 *
 * That gives 10 multiplications and 10 additions per vector into five sums per
 * stream, which are reduced modulo p = 2^130 - 5 only once per group.
 *
 * Bounds
 * ------
 * All limbs of powers are below 2^26 + 2^16 =: L. In one sum a group of g <= 32
 * quads collects
 *
 *	2 (g - 1) products of a message dword	< 62 * 2^32 L	< 2^63.96
 *	4 ... the previous group's sum times R^g	< 2^56.8
 *	the bits 128 of all its blocks		< 2^57.4
 *
 * less than 2^64 altogether, with room for the carries between limbs.
 * tests/bounds/poly1305-avx2.py computes this exactly.
 */

#include "../../compat.h"

#define SCALAR_BLOCKS	poly1305_blocks_generic

/* struct poly1305_mac_state; see poly1305_core.h */
.set	STATE_H, 0
.set	STATE_R, 24
.set	STATE_NPOW, 40
.set	STATE_POW, 48

/* r^4 ... r^1 are the upper half of each of the rows of state->pow. */
.set	POW_ROW, 64
.set	POW_4, STATE_POW + 32

/* With fewer blocks than this, setting up the powers does not pay. */
.set	MIN_BLOCKS, 12

/* Longest group, in quads, and the longest for which fewer groups win */
.set	GROUP, 32

/*
 * The stack frame.
 *
 * TABLE: R^1 ... R^32 by limb: qword k-1 of row i has limb i of R^k in its low
 * half and limb i of 2^32 R^k in its high half.
 */
.set	ROW, 8 * GROUP
.set	TABLE, 0
.set	SUMS, TABLE + 5 * ROW	/* sums of the last group */
.set	LAST, SUMS + 10 * 32	/* multipliers for the end */
.set	HIBITS, LAST + 10 * 32	/* of a full group */
.set	FIRST, HIBITS + 5 * 32	/* h + first block, second block */
.set	POW44, FIRST + 32		/* R^1 ... R^4, radix 2^44 */
.set	VAR_HIBIT, POW44 + 3 * 32
.set	VAR_G, VAR_HIBIT + 8		/* quads of a full group */
.set	VAR_GROUPS, VAR_G + 8		/* full groups still to come */
.set	VAR_G1, VAR_GROUPS + 8	/* quads of the first group */
.set	FRAME, VAR_G1 + 8

#define STATE		%rbx
#define DATA		%r12

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
#define T		%ymm13
#define T2		%ymm14
#define MASK26		%ymm15

.section .rodata
.p2align 6
/* Loaded from 8 (4 - n) bytes in: all ones in the first n lanes of four */
.Lfirst_lanes:
	.quad	-1, -1, -1, -1, 0, 0, 0, 0
.Lmask26:
	.quad	(1 << 26) - 1
.text

/*
 * x = x r, in radix 2^64.
 *
 * As poly1305_generic.c explains: q1 = 5 r1 / 4 stands for 2^128 r1, and the
 * product is x0 r0 + x1 q1 + 2^64 (x0 r1 + x1 r0 + x2 q1) + 2^128 x2 r0.
 *
 * In: x2 <= 6; r0 in %r8, r1 in %r9, q1 in %r10. Out: x2 <= 4.
 * Clobbers %rax, %rdx, %rdi, %r11, %r14, %r15.
 */
.macro	mul_by_r x0, x1, x2
	mov	\x0, %rax
	mul	%r8
	mov	%rax, %rdi
	mov	%rdx, %r11
	mov	\x1, %rax
	mul	%r10
	add	%rax, %rdi
	adc	%rdx, %r11
	mov	\x0, %rax
	mul	%r9
	mov	%rax, %r14
	mov	%rdx, %r15
	mov	\x1, %rax
	mul	%r8
	add	%rax, %r14
	adc	%rdx, %r15
	mov	\x2, %rax
	imul	%r10, %rax
	imul	%r8, \x2
	add	%rax, %r14
	adc	$0, %r15
	add	%r11, %r14
	adc	%r15, \x2
	/* 5 (x2 / 4) is x2 / 4 plus x2 with its low two bits cleared. */
	mov	\x2, %rax
	mov	\x2, \x0
	shr	$2, %rax
	and	$-4, \x0
	and	$3, \x2
	add	%rax, \x0
	mov	%r14, \x1
	add	%rdi, \x0
	adc	$0, \x1
	adc	$0, \x2
.endm

/*
 * Store x (x2 <= 4) as the power r^(8-j), radix 2^44: limbs below 2^44, 2^44
 * and 2^43. Clobbers %rax, %rdx, %r11.
 */
.macro	store_power j, x0, x1, x2
	mov	$(1 << 44) - 1, %r11
	mov	\x0, %rax
	and	%r11, %rax
	mov	%rax, STATE_POW + 8 * \j(STATE)
	mov	\x0, %rax
	mov	\x1, %rdx
	shr	$44, %rax
	shl	$20, %rdx
	or	%rdx, %rax
	and	%r11, %rax
	mov	%rax, STATE_POW + POW_ROW + 8 * \j(STATE)
	mov	\x1, %rax
	mov	\x2, %rdx
	shr	$24, %rax
	shl	$40, %rdx
	add	%rdx, %rax
	mov	%rax, STATE_POW + 2 * POW_ROW + 8 * \j(STATE)
.endm

/*
 * c = a b (mod p) in radix 2^44; all three in POW44, lanes counted from 0.
 *
 * 2^132 = 20 (mod p). With limbs below 2^45, 2^45 and 2^43 in a and b the three
 * columns are below 2^94; c has limbs below 2^44, 2^44 + 2^12 and 2^42.
 * %r11 is 2^44 - 1. Clobbers %rax, %rdx, %rcx, %rsi, %rdi, %r8-%r10, %r14, %r15.
 */
.macro	mul_power c, a, b
	/* columns 0, 1, 2 in %rdi:%rsi, %r9:%r8, %r15:%r14 */
	mov	POW44 + 32 + 8 * \b(%rsp), %rcx
	mov	POW44 + 64 + 8 * \b(%rsp), %r10
	lea	(%rcx, %rcx, 4), %rcx
	lea	(%r10, %r10, 4), %r10
	shl	$2, %rcx			/* 20 b1 */
	shl	$2, %r10			/* 20 b2 */
	mov	POW44 + 0 + 8 * \a(%rsp), %rax
	mulq	POW44 + 0 + 8 * \b(%rsp)
	mov	%rax, %rsi
	mov	%rdx, %rdi
	mov	POW44 + 32 + 8 * \a(%rsp), %rax
	mul	%r10
	add	%rax, %rsi
	adc	%rdx, %rdi
	mov	POW44 + 64 + 8 * \a(%rsp), %rax
	mul	%rcx
	add	%rax, %rsi
	adc	%rdx, %rdi
	mov	POW44 + 0 + 8 * \a(%rsp), %rax
	mulq	POW44 + 32 + 8 * \b(%rsp)
	mov	%rax, %r8
	mov	%rdx, %r9
	mov	POW44 + 32 + 8 * \a(%rsp), %rax
	mulq	POW44 + 0 + 8 * \b(%rsp)
	add	%rax, %r8
	adc	%rdx, %r9
	mov	POW44 + 64 + 8 * \a(%rsp), %rax
	mul	%r10
	add	%rax, %r8
	adc	%rdx, %r9
	mov	POW44 + 0 + 8 * \a(%rsp), %rax
	mulq	POW44 + 64 + 8 * \b(%rsp)
	mov	%rax, %r14
	mov	%rdx, %r15
	mov	POW44 + 32 + 8 * \a(%rsp), %rax
	mulq	POW44 + 32 + 8 * \b(%rsp)
	add	%rax, %r14
	adc	%rdx, %r15
	mov	POW44 + 64 + 8 * \a(%rsp), %rax
	mulq	POW44 + 0 + 8 * \b(%rsp)
	add	%rax, %r14
	adc	%rdx, %r15

	/* Carry; what exceeds 130 bits comes round, times 5. */
	mov	%rsi, %rax
	and	%r11, %rsi
	shrd	$44, %rdi, %rax
	add	%rax, %r8
	adc	$0, %r9
	mov	%r8, %rax
	and	%r11, %r8
	shrd	$44, %r9, %rax
	add	%rax, %r14
	adc	$0, %r15
	mov	%r14, %rax
	shrd	$42, %r15, %rax
	shl	$22, %r14
	shr	$22, %r14
	lea	(%rax, %rax, 4), %rax
	add	%rax, %rsi
	mov	%rsi, %rax
	and	%r11, %rsi
	shr	$44, %rax
	add	%rax, %r8
	mov	%rsi, POW44 + 0 + 8 * \c(%rsp)
	mov	%r8, POW44 + 32 + 8 * \c(%rsp)
	mov	%r14, POW44 + 64 + 8 * \c(%rsp)
.endm

/*
 * From radix 2^44 to 2^26: p0 + 2^44 p1 + 2^88 p2 = sum of 2^26i x_i, in each
 * lane. Limbs below 2^45, 2^45, 2^43 give x0 < 2^26 + 2^4, x1 < 2^26 + 2^19,
 * x2 < 2^26, x3 < 2^26 + 2^11, x4 < 2^26. x3, x4 may be p1, p2.
 */
.macro	split_power x0, x1, x2, x3, x4, p0, p1, p2, t
	vpand	MASK26, \p0, \x0
	vpsrlq	$26, \p0, \x1
	vpsllq	$18, \p1, \t
	vpand	MASK26, \t, \t
	vpaddq	\t, \x1, \x1
	vpsrlq	$8, \p1, \x2
	vpand	MASK26, \x2, \x2
	vpsrlq	$34, \p1, \x3
	vpsllq	$10, \p2, \t
	vpand	MASK26, \t, \t
	vpaddq	\t, \x3, \x3
	vpsrlq	$16, \p2, \x4
	/* x4 may have a 27th bit, of weight 2^130 = 5. */
	vpsrlq	$26, \x4, \t
	vpand	MASK26, \x4, \x4
	vpaddq	\t, \x0, \x0
	vpsllq	$2, \t, \t
	vpaddq	\t, \x0, \x0
.endm

/*
 * Sums c_i of any size below 2^64 - 2^41 become limbs: c1 < 2^26 + 2^15,
 * c4 < 2^26 + 2^13, the others below 2^26. Two chains of carries run side by
 * side: 0 1 2 3 4 and 3 4 0 1, with 2^130 = 5.
 */
.macro	carry c0, c1, c2, c3, c4, t, t2
	vpsrlq	$26, \c0, \t
	vpsrlq	$26, \c3, \t2
	vpand	MASK26, \c0, \c0
	vpand	MASK26, \c3, \c3
	vpaddq	\t, \c1, \c1
	vpaddq	\t2, \c4, \c4
	vpsrlq	$26, \c4, \t2
	vpsrlq	$26, \c1, \t
	vpand	MASK26, \c4, \c4
	vpand	MASK26, \c1, \c1
	vpaddq	\t2, \c0, \c0
	vpaddq	\t, \c2, \c2
	vpsllq	$2, \t2, \t2
	vpsrlq	$26, \c2, \t
	vpaddq	\t2, \c0, \c0
	vpand	MASK26, \c2, \c2
	vpsrlq	$26, \c0, \t2
	vpaddq	\t, \c3, \c3
	vpand	MASK26, \c0, \c0
	vpsrlq	$26, \c3, \t
	vpaddq	\t2, \c1, \c1
	vpand	MASK26, \c3, \c3
	vpaddq	\t, \c4, \c4
.endm

/* x *= 5 */
.macro	times5 x, t
	vpsllq	$2, \x, \t
	vpaddq	\t, \x, \x
.endm

/*
 * Write powers x and their multiples z = 2^32 x into the table, at \to:
 *
 *	2^32 x_i = 2^26 (2^6 x_i mod 2^26) + 2^52 (x_i / 2^20),
 *
 * so z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20, times 5 where the index
 * comes round. z0 < 5 * 2^26.1 is carried into z1 < 2^26 + 2^9.
 */
.macro	store_table to, x0, x1, x2, x3, x4, z0, z1, z2, z3, z4
	vpsrlq	$20, \x4, \z1
	times5	\z1, \z0
	vpsrlq	$20, \x3, \z0
	vpsrlq	$20, \x0, \z2
	vpsrlq	$20, \x1, \z3
	vpsrlq	$20, \x2, \z4
	vpsllq	$6, \x4, T
	vpand	MASK26, T, T
	vpaddq	T, \z0, \z0
	times5	\z0, T
	vpsllq	$6, \x0, T
	vpand	MASK26, T, T
	vpaddq	T, \z1, \z1
	vpsllq	$6, \x1, T
	vpand	MASK26, T, T
	vpaddq	T, \z2, \z2
	vpsllq	$6, \x2, T
	vpand	MASK26, T, T
	vpaddq	T, \z3, \z3
	vpsllq	$6, \x3, T
	vpand	MASK26, T, T
	vpaddq	T, \z4, \z4
	vpsrlq	$26, \z0, T
	vpand	MASK26, \z0, \z0
	vpaddq	T, \z1, \z1
	vpsllq	$32, \z0, \z0
	vpsllq	$32, \z1, \z1
	vpsllq	$32, \z2, \z2
	vpsllq	$32, \z3, \z3
	vpsllq	$32, \z4, \z4
	vpor	\x0, \z0, \z0
	vpor	\x1, \z1, \z1
	vpor	\x2, \z2, \z2
	vpor	\x3, \z3, \z3
	vpor	\x4, \z4, \z4
	vmovdqa	\z0, 0 * ROW + \to
	vmovdqa	\z1, 1 * ROW + \to
	vmovdqa	\z2, 2 * ROW + \to
	vmovdqa	\z3, 3 * ROW + \to
	vmovdqa	\z4, 4 * ROW + \to
.endm

/* c += x m, for one product of the multiplication below */
.macro	mac	c, x, m
	vpmuludq \x, \m, T
	vpaddq	T, \c, \c
.endm

/*
 * All lanes: c += x y (mod p), x from memory at \x, one power y of the table
 * at \y. x, y limbs of at most 2^26 + 2^16: adds less than 2^56.4 to each c_i.
 * 5 y_j takes the place of y_j where 2^26(i+j) comes round. Clobbers M, T.
 */
.macro	mul_acc	c0, c1, c2, c3, c4, x, y, xstep=32
	vpbroadcastd 0 * ROW + \y, M
	mac	\c0, "0 * \xstep + \x", M
	mac	\c1, "1 * \xstep + \x", M
	mac	\c2, "2 * \xstep + \x", M
	mac	\c3, "3 * \xstep + \x", M
	mac	\c4, "4 * \xstep + \x", M
	vpbroadcastd 1 * ROW + \y, M
	mac	\c1, "0 * \xstep + \x", M
	mac	\c2, "1 * \xstep + \x", M
	mac	\c3, "2 * \xstep + \x", M
	mac	\c4, "3 * \xstep + \x", M
	times5	M, T
	mac	\c0, "4 * \xstep + \x", M
	vpbroadcastd 2 * ROW + \y, M
	mac	\c2, "0 * \xstep + \x", M
	mac	\c3, "1 * \xstep + \x", M
	mac	\c4, "2 * \xstep + \x", M
	times5	M, T
	mac	\c0, "3 * \xstep + \x", M
	mac	\c1, "4 * \xstep + \x", M
	vpbroadcastd 3 * ROW + \y, M
	mac	\c3, "0 * \xstep + \x", M
	mac	\c4, "1 * \xstep + \x", M
	times5	M, T
	mac	\c0, "2 * \xstep + \x", M
	mac	\c1, "3 * \xstep + \x", M
	mac	\c2, "4 * \xstep + \x", M
	vpbroadcastd 4 * ROW + \y, M
	mac	\c4, "0 * \xstep + \x", M
	times5	M, T
	mac	\c0, "1 * \xstep + \x", M
	mac	\c1, "2 * \xstep + \x", M
	mac	\c2, "3 * \xstep + \x", M
	mac	\c3, "4 * \xstep + \x", M
.endm

/* One limb of a power at \y times one dword of each lane of both streams */
.macro	mul_dwords y, a, b
	vpbroadcastd \y, M
	vpmuludq X0, M, T
	vpmuludq X1, M, M
	vpaddq	T, \a, \a
	vpaddq	M, \b, \b
.endm

/*
 * A += R^k times the two blocks at \p, B += R^k times the two at \q, the power
 * standing in the table at \y. Adds two products below 2^32 L to each sum.
 */
.macro	mul_quad p, q, y
	vmovdqu	\p, X0
	vmovdqu	\q, X1
	mul_dwords "0 * ROW + \y", A0, B0
	mul_dwords "1 * ROW + \y", A1, B1
	mul_dwords "2 * ROW + \y", A2, B2
	mul_dwords "3 * ROW + \y", A3, B3
	mul_dwords "4 * ROW + \y", A4, B4
	vmovshdup \p, X0
	vmovshdup \q, X1
	mul_dwords "4 + 0 * ROW + \y", A0, B0
	mul_dwords "4 + 1 * ROW + \y", A1, B1
	mul_dwords "4 + 2 * ROW + \y", A2, B2
	mul_dwords "4 + 3 * ROW + \y", A3, B3
	mul_dwords "4 + 4 * ROW + \y", A4, B4
.endm

/* The last two blocks of a stream have weight R^0: even + 2^26 (2^6 odd) */
.macro	add_last p, c0, c1
	vmovdqu	\p, X0
	vpsrlq	$32, X0, X1
	vpsllq	$6, X1, T
	vpsllq	$32, X1, X1
	vpxor	X1, X0, X0
	vpaddq	T, \c1, \c1
	vpaddq	X0, \c0, \c0
.endm

/*
 * A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane of each block, the high
 * lanes 0; g in \g.
 *
 * With S the limbs of that sum of powers, below 32 * 2^26.1, 2^128 = 2^104 2^24
 * gives A4 = 2^24 S0 and A_(i-1) = 5 * 2^24 S_i, below 2^57.4.
 * Clobbers %rax, %rcx, M, T.
 */
.macro	sum_hibits g
	/* All full rows of four powers, after the one that is not full */
	lea	-1(\g), %rax
	mov	%eax, %ecx
	and	$3, %ecx
	neg	%rcx
	lea	.Lfirst_lanes(%rip), %rdx
	vmovdqu	32(%rdx, %rcx, 8), M
	shr	$2, %rax
	shl	$5, %rax
	vpand	TABLE + 0 * ROW(%rsp, %rax), M, A4
	vpand	TABLE + 1 * ROW(%rsp, %rax), M, A0
	vpand	TABLE + 2 * ROW(%rsp, %rax), M, A1
	vpand	TABLE + 3 * ROW(%rsp, %rax), M, A2
	vpand	TABLE + 4 * ROW(%rsp, %rax), M, A3
	jmp	.Lcheck\@
.Lrow\@:
	vpaddd	TABLE + 0 * ROW(%rsp, %rax), A4, A4
	vpaddd	TABLE + 1 * ROW(%rsp, %rax), A0, A0
	vpaddd	TABLE + 2 * ROW(%rsp, %rax), A1, A1
	vpaddd	TABLE + 3 * ROW(%rsp, %rax), A2, A2
	vpaddd	TABLE + 4 * ROW(%rsp, %rax), A3, A3
.Lcheck\@:
	sub	$32, %rax
	jns	.Lrow\@

	mov	VAR_HIBIT(%rsp), %rax
	shl	$24, %rax
	vmovq	%rax, %xmm12
	vinserti128 $1, %xmm12, M, M
	sum_lanes A4
	vpmuludq M, A4, A4
	vpaddq	M, A4, A4		/* R^0 */
	times5	M, T
	sum_lanes A0
	sum_lanes A1
	sum_lanes A2
	sum_lanes A3
	vpmuludq M, A0, A0
	vpmuludq M, A1, A1
	vpmuludq M, A2, A2
	vpmuludq M, A3, A3
.endm

/* Low dwords: their sum over the lanes, in each lane */
.macro	sum_lanes x
	vpermq	$0x4e, \x, T
	vpaddd	T, \x, \x
	vpshufd	$0x4e, \x, T
	vpaddd	T, \x, \x
.endm

/*
 * c_j = sum of s_i f_(j-i), in each lane, f from memory; s becomes 5 s.
 * With \init c is set, else added to. s < 2^26.1 and f < 2^30.8, so each c_j
 * grows by less than 2^59.3.
 */
.macro	mul_last s0, s1, s2, s3, s4, f, first
.if \first
	vpmuludq 0 * 32 + \f, \s0, %ymm10
	vpmuludq 1 * 32 + \f, \s0, %ymm11
	vpmuludq 2 * 32 + \f, \s0, %ymm12
	vpmuludq 3 * 32 + \f, \s0, %ymm13
	vpmuludq 4 * 32 + \f, \s0, %ymm14
.else
	mac_last %ymm10, \s0, "0 * 32 + \f"
	mac_last %ymm11, \s0, "1 * 32 + \f"
	mac_last %ymm12, \s0, "2 * 32 + \f"
	mac_last %ymm13, \s0, "3 * 32 + \f"
	mac_last %ymm14, \s0, "4 * 32 + \f"
.endif
	mac_last %ymm11, \s1, "0 * 32 + \f"
	mac_last %ymm12, \s1, "1 * 32 + \f"
	mac_last %ymm13, \s1, "2 * 32 + \f"
	mac_last %ymm14, \s1, "3 * 32 + \f"
	times5	\s1, %ymm15
	mac_last %ymm12, \s2, "0 * 32 + \f"
	mac_last %ymm13, \s2, "1 * 32 + \f"
	mac_last %ymm14, \s2, "2 * 32 + \f"
	times5	\s2, %ymm15
	mac_last %ymm13, \s3, "0 * 32 + \f"
	mac_last %ymm14, \s3, "1 * 32 + \f"
	times5	\s3, %ymm15
	mac_last %ymm14, \s4, "0 * 32 + \f"
	times5	\s4, %ymm15
	mac_last %ymm10, \s1, "4 * 32 + \f"
	mac_last %ymm10, \s2, "3 * 32 + \f"
	mac_last %ymm11, \s2, "4 * 32 + \f"
	mac_last %ymm10, \s3, "2 * 32 + \f"
	mac_last %ymm11, \s3, "3 * 32 + \f"
	mac_last %ymm12, \s3, "4 * 32 + \f"
	mac_last %ymm10, \s4, "1 * 32 + \f"
	mac_last %ymm11, \s4, "2 * 32 + \f"
	mac_last %ymm12, \s4, "3 * 32 + \f"
	mac_last %ymm13, \s4, "4 * 32 + \f"
.endm

.macro	mac_last c, s, f
	vpmuludq \f, \s, %ymm15
	vpaddq	%ymm15, \c, \c
.endm

/*
 * For state->pow's r^4, r^3, r^2, r^1 write what mul_last wants: in the lanes of
 * the two vectors of a quad r^4, 2^64 r^4, r^3, 2^64 r^3 and the same of r^2, r.
 *
 * y = 2^64 x: 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so
 * y_i = (2^12 x_(i-2) mod 2^26) + x_(i-3) / 2^14, times 5 where the index comes
 * round: below 5 * 2^26.1. No carry is needed, these are few.
 */
.macro	prepare_last
	vpermq	$0xd8, POW_4 + 0 * POW_ROW(STATE), %ymm10
	vpermq	$0xd8, POW_4 + 1 * POW_ROW(STATE), %ymm11
	vpermq	$0xd8, POW_4 + 2 * POW_ROW(STATE), %ymm12
	split_power %ymm0, %ymm1, %ymm2, %ymm3, %ymm4, %ymm10, %ymm11, %ymm12, T

	vpsrlq	$14, %ymm2, %ymm5
	vpsrlq	$14, %ymm3, %ymm6
	vpsrlq	$14, %ymm4, %ymm7
	vpsrlq	$14, %ymm0, %ymm8
	vpsrlq	$14, %ymm1, %ymm9
	vpsllq	$12, %ymm3, T
	vpand	MASK26, T, T
	vpaddq	T, %ymm5, %ymm5
	times5	%ymm5, T
	vpsllq	$12, %ymm4, T
	vpand	MASK26, T, T
	vpaddq	T, %ymm6, %ymm6
	times5	%ymm6, T
	times5	%ymm7, T
	vpsllq	$12, %ymm0, T
	vpand	MASK26, T, T
	vpaddq	T, %ymm7, %ymm7
	vpsllq	$12, %ymm1, T
	vpand	MASK26, T, T
	vpaddq	T, %ymm8, %ymm8
	vpsllq	$12, %ymm2, T
	vpand	MASK26, T, T
	vpaddq	T, %ymm9, %ymm9

	store_last 0, %ymm0, %ymm5
	store_last 1, %ymm1, %ymm6
	store_last 2, %ymm2, %ymm7
	store_last 3, %ymm3, %ymm8
	store_last 4, %ymm4, %ymm9
.endm

.macro	store_last i, x, y
	vpunpcklqdq \y, \x, T
	vpunpckhqdq \y, \x, T2
	vmovdqa	T, LAST + 32 * \i(%rsp)
	vmovdqa	T2, LAST + 160 + 32 * \i(%rsp)
.endm

/* One row of POW44; four loads, as its four stores are too recent for one */
.macro	load_pow44 i, x, xx, t, tt
	vmovq	POW44 + 32 * \i + 0(%rsp), \xx
	vmovhps	POW44 + 32 * \i + 8(%rsp), \xx, \xx
	vmovq	POW44 + 32 * \i + 16(%rsp), \tt
	vmovhps	POW44 + 32 * \i + 24(%rsp), \tt, \tt
	vinserti128 $1, \tt, \x, \x
.endm

/*
 * void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it.
 *
 * The first 4 to 11 blocks go through scalar code. Nearly free, as the powers'
 * chain of dependent multiplications keeps the CPU waiting at the same time, it
 * leaves a number of blocks that divides into quads.
 */
SYM_FUNC_START(poly1305_blocks_avx2)
	cmp	$MIN_BLOCKS, %rdx
	jb	SCALAR_BLOCKS

	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$FRAME, %rsp
	and	$-64, %rsp

	mov	%rdi, STATE
	mov	%rsi, DATA
	mov	%ecx, %ecx
	mov	%rcx, VAR_HIBIT(%rsp)

	/*
	 * Divide n = %rax quads into a first group of g1 = %r8 and %r10 full
	 * groups of %r9, with 2 <= g1 <= %r9 <= 32.
	 */
	lea	-4(%rdx), %rax
	shr	$2, %rax
	mov	%rax, %r8
	xor	%r10d, %r10d
	xor	%ecx, %ecx
	mov	%rax, %r9
	cmp	$22, %rax
	jbe	.Ldivided
	inc	%ecx
	cmp	$44, %rax
	jbe	.Lequal_groups
	inc	%ecx
	cmp	$88, %rax
	jbe	.Lequal_groups

	/* Groups of 32. A first group of 0 or 1 is filled up. */
	mov	$GROUP, %r9d
	mov	%rax, %r10
	shr	$5, %r10
	and	$GROUP - 1, %r8d
	cmp	$2, %r8d
	jae	.Ldivided
	mov	%r9, %r8
	dec	%r10
	jmp	.Ldivided

.Lequal_groups:
	/* 2 or 4 groups: %r9 = n / 2^%rcx, rounded up */
	mov	$1, %r10d
	shl	%cl, %r10
	dec	%r10
	add	%r10, %r9
	shr	%cl, %r9
	mov	%r9, %rax
	imul	%r10, %rax
	sub	%rax, %r8
.Ldivided:
	mov	%r8, VAR_G1(%rsp)
	mov	%r9, VAR_G(%rsp)
	mov	%r10, VAR_GROUPS(%rsp)

	/* The rest, at least 4 blocks: the scalar head */
	imul	%r9, %r10
	add	%r8, %r10
	shl	$2, %r10
	sub	%r10, %rdx
	mov	%rdx, %rax
	shl	$4, %rax
	add	%rax, DATA
	mov	VAR_HIBIT(%rsp), %ecx
	call	SCALAR_BLOCKS

	vpbroadcastq .Lmask26(%rip), MASK26

	cmpl	$4, STATE_NPOW(STATE)
	jae	.Lpowers_known
	mov	STATE_R(STATE), %r8
	mov	STATE_R + 8(STATE), %r9
	mov	%r9, %r10
	shr	$2, %r10
	add	%r9, %r10
	mov	%r8, %rsi
	mov	%r9, %rcx
	xor	%r13d, %r13d
	store_power 7, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 6, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 5, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 4, %rsi, %rcx, %r13
	movl	$4, STATE_NPOW(STATE)
.Lpowers_known:

	mov	POW_4 + 0 * POW_ROW(STATE), %rax
	mov	POW_4 + 1 * POW_ROW(STATE), %rcx
	mov	POW_4 + 2 * POW_ROW(STATE), %rdx
	mov	%rax, POW44 + 0(%rsp)
	mov	%rcx, POW44 + 32(%rsp)
	mov	%rdx, POW44 + 64(%rsp)
	mov	$(1 << 44) - 1, %r11
	mul_power 1, 0, 0
	mul_power 2, 1, 0
	mul_power 3, 1, 1

	prepare_last

	/* h + first block, %r9 what exceeds 128 bits; and the second block */
	mov	STATE_H(STATE), %rax
	mov	STATE_H + 8(STATE), %rcx
	mov	STATE_H + 16(STATE), %r9
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	vmovdqu	16(DATA), %xmm0
	mov	%rax, FIRST(%rsp)
	mov	%rcx, FIRST + 8(%rsp)
	vmovdqa	%xmm0, FIRST + 16(%rsp)

	/* R^1 ... R^4 */
	load_pow44 0, %ymm10, %xmm10, %ymm11, %xmm11
	load_pow44 1, %ymm11, %xmm11, %ymm12, %xmm12
	load_pow44 2, %ymm12, %xmm12, %ymm13, %xmm13
	split_power %ymm0, %ymm1, %ymm2, %ymm3, %ymm4, %ymm10, %ymm11, %ymm12, T
	store_table TABLE(%rsp), %ymm0, %ymm1, %ymm2, %ymm3, %ymm4, \
		%ymm5, %ymm6, %ymm7, %ymm8, %ymm9

	/*
	 * As many more rows of four as are needed: R^1 ... R^(g1-1), and up to
	 * R^g where full groups follow. Row %r8 is row %r8 - %r10 times R^%r10,
	 * %r10 doubling, so that rows depend on few others. In bytes of table.
	 */
	mov	VAR_G1(%rsp), %rdi
	dec	%rdi
	cmpq	$0, VAR_GROUPS(%rsp)
	cmovne	VAR_G(%rsp), %rdi
	shl	$3, %rdi
	mov	$32, %r8d
	mov	$32, %r10d
	jmp	.Lrows_check
.Lrows:
	lea	TABLE(%rsp, %r8), %rax
	mov	%rax, %rsi
	sub	%r10, %rsi
	lea	TABLE - 8(%rsp, %r10), %rcx
	vpxor	%xmm0, %xmm0, %xmm0
	vmovdqa	%ymm0, %ymm1
	vmovdqa	%ymm0, %ymm2
	vmovdqa	%ymm0, %ymm3
	vmovdqa	%ymm0, %ymm4
	mul_acc	%ymm0, %ymm1, %ymm2, %ymm3, %ymm4, 0(%rsi), 0(%rcx), ROW
	carry	%ymm0, %ymm1, %ymm2, %ymm3, %ymm4, T, T2
	store_table 0(%rax), %ymm0, %ymm1, %ymm2, %ymm3, %ymm4, \
		%ymm5, %ymm6, %ymm7, %ymm8, %ymm9
	add	$32, %r8
	lea	(%r10, %r10), %rax
	cmp	%rax, %r8
	cmove	%rax, %r10
.Lrows_check:
	cmp	%rdi, %r8
	jb	.Lrows

	/* The bits 128 of the groups */
	cmpq	$0, VAR_GROUPS(%rsp)
	je	.Lfirst_group
	mov	VAR_G(%rsp), %rdi
	sum_hibits %rdi
	vmovdqa	A0, HIBITS + 0 * 32(%rsp)
	vmovdqa	A1, HIBITS + 1 * 32(%rsp)
	vmovdqa	A2, HIBITS + 2 * 32(%rsp)
	vmovdqa	A3, HIBITS + 3 * 32(%rsp)
	vmovdqa	A4, HIBITS + 4 * 32(%rsp)
.Lfirst_group:
	mov	VAR_G1(%rsp), %r10
	sum_hibits %r10
	vmovdqa	A0, B0
	vmovdqa	A1, B1
	vmovdqa	A2, B2
	vmovdqa	A3, B3
	vmovdqa	A4, B4

	/*
	 * From the last quad to the first: the least powers are ready before
	 * the greatest.
	 */
	mov	%r10, %rsi
	shl	$6, %rsi
	add	DATA, %rsi
	mov	%rsi, %rdx		/* end of the group */
	sub	$64, %rsi
	add_last (%rsi), A0, A1
	add_last 32(%rsi), B0, B1
	lea	TABLE(%rsp), %rdi
	sub	$2, %r10
	jz	.Lfirst_quad
.Lfirst_quads:
	sub	$64, %rsi
	mul_quad 0(%rsi), 32(%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lfirst_quads
.Lfirst_quad:
	mul_quad FIRST(%rsp), 32(DATA), 0(%rdi)

	/* 2^128 %r9 R^(g1-1), as in sum_hibits, into the lane of the first block */
	shl	$24, %r9
	vmovq	%r9, %xmm10
	vpbroadcastd 0 * ROW(%rdi), M
	mac	A4, X0, M
	times5	X0, T
	vpbroadcastd 1 * ROW(%rdi), M
	mac	A0, X0, M
	vpbroadcastd 2 * ROW(%rdi), M
	mac	A1, X0, M
	vpbroadcastd 3 * ROW(%rdi), M
	mac	A2, X0, M
	vpbroadcastd 4 * ROW(%rdi), M
	mac	A3, X0, M

	mov	VAR_GROUPS(%rsp), %rcx
	jmp	.Lgroups_check

.Lgroups:
	carry	A0, A1, A2, A3, A4, T, T2
	carry	B0, B1, B2, B3, B4, T, T2
	vmovdqa	A0, SUMS + 0 * 32(%rsp)
	vmovdqa	A1, SUMS + 1 * 32(%rsp)
	vmovdqa	A2, SUMS + 2 * 32(%rsp)
	vmovdqa	A3, SUMS + 3 * 32(%rsp)
	vmovdqa	A4, SUMS + 4 * 32(%rsp)
	vmovdqa	B0, SUMS + 5 * 32(%rsp)
	vmovdqa	B1, SUMS + 6 * 32(%rsp)
	vmovdqa	B2, SUMS + 7 * 32(%rsp)
	vmovdqa	B3, SUMS + 8 * 32(%rsp)
	vmovdqa	B4, SUMS + 9 * 32(%rsp)
	vmovdqa	HIBITS + 0 * 32(%rsp), A0
	vmovdqa	HIBITS + 1 * 32(%rsp), A1
	vmovdqa	HIBITS + 2 * 32(%rsp), A2
	vmovdqa	HIBITS + 3 * 32(%rsp), A3
	vmovdqa	HIBITS + 4 * 32(%rsp), A4
	vmovdqa	A0, B0
	vmovdqa	A1, B1
	vmovdqa	A2, B2
	vmovdqa	A3, B3
	vmovdqa	A4, B4

	mov	VAR_G(%rsp), %r10
	mov	%r10, %rsi
	shl	$6, %rsi
	add	%rdx, %rsi
	mov	%rsi, %rdx
	sub	$64, %rsi
	add_last (%rsi), A0, A1
	add_last 32(%rsi), B0, B1
	lea	TABLE(%rsp), %rdi
	dec	%r10
.Lquads:
	sub	$64, %rsi
	mul_quad 0(%rsi), 32(%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lquads
	mul_acc	A0, A1, A2, A3, A4, SUMS(%rsp), 0(%rdi)
	mul_acc	B0, B1, B2, B3, B4, SUMS + 160(%rsp), 0(%rdi)
	dec	%rcx
.Lgroups_check:
	test	%rcx, %rcx
	jnz	.Lgroups

	/* Multiply the streams and lanes by their powers and add them up. */
	carry	A0, A1, A2, A3, A4, T, T2
	carry	B0, B1, B2, B3, B4, T, T2
	mul_last A0, A1, A2, A3, A4, LAST(%rsp), 1
	mul_last B0, B1, B2, B3, B4, LAST + 160(%rsp), 0
	vpunpcklqdq %ymm11, %ymm10, %ymm0
	vpunpckhqdq %ymm11, %ymm10, %ymm1
	vpunpcklqdq %ymm13, %ymm12, %ymm2
	vpunpckhqdq %ymm13, %ymm12, %ymm3
	vextracti128 $1, %ymm14, %xmm4
	vpaddq	%ymm1, %ymm0, %ymm0
	vpaddq	%ymm3, %ymm2, %ymm2
	vpaddq	%xmm14, %xmm4, %xmm4
	vextracti128 $1, %ymm0, %xmm1
	vextracti128 $1, %ymm2, %xmm3
	vpunpckhqdq %xmm4, %xmm4, %xmm5
	vpaddq	%xmm1, %xmm0, %xmm0
	vpaddq	%xmm3, %xmm2, %xmm2
	vpaddq	%xmm5, %xmm4, %xmm4
	vmovq	%xmm0, %rax
	vpextrq	$1, %xmm0, %rcx
	vmovq	%xmm2, %rdx
	vpextrq	$1, %xmm2, %rsi
	vmovq	%xmm4, %rdi

	/* h = %rax + 2^26 %rcx + 2^52 %rdx + 2^78 %rsi + 2^104 %rdi, each < 2^63 */
	mov	%rcx, %r8
	mov	%rdx, %r9
	mov	%rsi, %r10
	mov	%rdi, %r11
	shl	$26, %rcx
	shr	$38, %r8
	shl	$52, %rdx
	shr	$12, %r9
	shl	$14, %rsi
	shr	$50, %r10
	shl	$40, %rdi
	shr	$24, %r11
	add	%rcx, %rax
	adc	%r9, %r8
	add	%rdx, %rax
	adc	$0, %r8
	add	%rsi, %r8
	adc	%r11, %r10
	add	%rdi, %r8
	adc	$0, %r10

	/* Now %rax + 2^64 %r8 + 2^128 %r10; 2^130 = 5 */
	mov	%r10, %rcx
	mov	%r10, %rdx
	shr	$2, %rcx
	and	$-4, %rdx
	and	$3, %r10d
	add	%rdx, %rcx
	add	%rcx, %rax
	adc	$0, %r8
	adc	$0, %r10
	mov	%rax, STATE_H(STATE)
	mov	%r8, STATE_H + 8(STATE)
	mov	%r10, STATE_H + 16(STATE)

	/* Leave nothing behind. */
	vzeroall
	lea	TABLE(%rsp), %rdi
	lea	VAR_HIBIT(%rsp), %rcx
.Lwipe:
	vmovdqa	%ymm0, (%rdi)
	add	$32, %rdi
	cmp	%rcx, %rdi
	jb	.Lwipe
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%esi, %esi
	xor	%edi, %edi
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(poly1305_blocks_avx2)
