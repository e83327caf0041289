/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avx2.S, which explains them. Macros compute each
 * 64-bit lane independently. tests/proofs proves the bounds stated here.
 */

/*
 * The stack frame of all functions. From VAR_R on it holds key material. A number takes nine
 * vectors, equal in all lanes: its limbs, and 5 times limbs 1 ... 4.
 */
.set	VAR_LEN, 0
.set	VAR_TAG, 8
.set	VAR_HIBIT, 16
.set	VAR_R, 64			/* R in all lanes */
.set	VAR_R_2, VAR_R + 9 * 32		/* R^2 in all lanes */
.set	VAR_L, VAR_R_2 + 9 * 32		/* the limbs of r^4, r^2, r^3, r */
.set	FRAME, VAR_L + 5 * 32

/* The addresses of the frame, and of the limbs of r^4, r^2, r^3, r in the lanes */
#define VARS		%rdi
#define LANES		%rsi

/* S, the value of each lane; C, the columns of products */
#define S0		%ymm0
#define S1		%ymm1
#define S2		%ymm2
#define S3		%ymm3
#define S4		%ymm4
#define C0		%ymm10
#define C1		%ymm11
#define C2		%ymm12
#define C3		%ymm13
#define C4		%ymm14
/* Scratch */
#define T0		%ymm5
#define T1		%ymm6
#define T2		%ymm7
#define T3		%ymm8
#define T4		%ymm9
#define T5		%ymm15

/* 2^26 - 1 in all lanes */
#define MASK26		mask26(%rip)

#include "poly1305-radix26.h"
#include "poly1305-quads.h"

/*
 * Convert words to radix 2^26: x = lo + 2^64 hi + 2^104 top, with limbs below 2^26, except
 * x4 < 2^24 + top. lo may be x0, and hi may be x4. Clobbers t.
 */
.macro	split_words x0, x1, x2, x3, x4, lo, hi, top, t
	vpsrlq	$52, \lo, \x2
	vpsllq	$12, \hi, \t
	vpsrlq	$26, \lo, \x1
	vpor	\t, \x2, \x2
	vpsrlq	$14, \hi, \x3
	vpsrlq	$40, \hi, \x4
	vpand	MASK26, \lo, \x0
	vpand	MASK26, \x1, \x1
	vpand	MASK26, \x2, \x2
	vpand	MASK26, \x3, \x3
	vpaddq	\top, \x4, \x4
.endm

/*
 * S = C (mod p) with fewer carries than carry, for mul_powers, which takes limbs of 32 bits. If
 * columns are below 2^58, and columns 1 to 3 below 2^57.7, S0 and S1 are below 2^26 and the other
 * limbs below 2^31.8. Clobbers C, T.
 */
.macro	carry_last
	vpsrlq	$26, C4, T4
	vpand	MASK26, C4, S4
	vpaddq	T4, C0, C0
	vpsllq	$2, T4, T4
	vpsrlq	$26, C2, T2
	vpaddq	T4, C0, C0
	vpsrlq	$26, C3, T3
	vpand	MASK26, C2, S2
	vpsrlq	$26, C0, T0
	vpand	MASK26, C3, S3
	vpaddq	T0, C1, C1
	vpaddq	T2, S3, S3
	vpsrlq	$26, C1, T1
	vpand	MASK26, C0, S0
	vpaddq	T3, S4, S4
	vpand	MASK26, C1, S1
	vpaddq	T1, S2, S2
.endm

/* T0 ... T3 = 5 S1 ... 5 S4 */
.macro	times5_s
	five_times S1, T0
	five_times S2, T1
	five_times S3, T2
	five_times S4, T3
.endm

/* Number y of the frame = S, which is equal in all lanes. T0 ... T3 = 5 S1 ... 5 S4. */
.macro	store_number y
	times5_s
.irp i, 0, 1, 2, 3, 4
	vmovdqa	%ymm\i, \y+\i*32(VARS)
.endr
.irp i, 5, 6, 7, 8
	vmovdqa	%ymm\i, \y+\i*32(VARS)
.endr
.endm

/* Store T0 ... T3 = 5 S1 ... 5 S4 in state->pow, at offset x5, and S at offset x, if given. */
.macro	keep_number x5, x
.ifnb \x
.irp i, 0, 1, 2, 3, 4
	vmovd	%xmm\i, STATE_POW+\x+\i*32(STATE)
.endr
.endif
.irp i, 5, 6, 7, 8
	vmovd	%xmm\i, STATE_POW+\x5+(\i-4)*32(STATE)
.endr
.endm

/* Number y of the frame = the number at offsets x and x5 of state->pow. Clobbers T0. */
.macro	load_number y, x, x5
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+\x+\i*32(STATE), T0
	vmovdqa	T0, \y+\i*32(VARS)
.endr
.irp i, 1, 2, 3, 4
	vpbroadcastd STATE_POW+\x5+\i*32(STATE), T0
	vmovdqa	T0, \y+(4+\i)*32(VARS)
.endr
.endm

/* In a number of the frame, the offset of the vector whose product with limb j goes to column i */
#define VECTOR(i, j)	(32 * ((i) - (j) - 9 * ((j) > (i))))

/*
 * C += 2^26j x y, or C = 2^26j x y if first=1, where x is limb j of a factor, and y is a number of
 * the frame. With x below 7 * 2^24 this adds less than 2^55.6 to each column. Clobbers T3, T4, T5.
 */
.macro	mul_number x, j, y, first=0
.if \first
	vpmuludq \y+VECTOR(0, \j)(VARS), \x, C0
	vpmuludq \y+VECTOR(1, \j)(VARS), \x, C1
	vpmuludq \y+VECTOR(2, \j)(VARS), \x, C2
	vpmuludq \y+VECTOR(3, \j)(VARS), \x, C3
	vpmuludq \y+VECTOR(4, \j)(VARS), \x, C4
.else
	vpmuludq \y+VECTOR(0, \j)(VARS), \x, T3
	vpmuludq \y+VECTOR(1, \j)(VARS), \x, T4
	vpmuludq \y+VECTOR(2, \j)(VARS), \x, T5
	vpaddq	T3, C0, C0
	vpmuludq \y+VECTOR(3, \j)(VARS), \x, T3
	vpaddq	T4, C1, C1
	vpmuludq \y+VECTOR(4, \j)(VARS), \x, T4
	vpaddq	T5, C2, C2
	vpaddq	T3, C3, C3
	vpaddq	T4, C4, C4
.endif
.endm

/*
 * C += the quad in lo, hi, with bit 128 in \hibit. Before a carry, columns may exceed a limb, so
 * the blocks are split into 26, 38, 52, 0 and 25 bits. Clobbers lo, hi, T4.
 */
.macro	add_quad lo, hi, hibit
	vpand	MASK26, \lo, T4
	vpsrlq	$26, \lo, \lo
	vpaddq	T4, C0, C0
	vpsllq	$24, \hi, T4
	vpaddq	\lo, C1, C1
	vpsrlq	$12, T4, T4
	vpsrlq	$40, \hi, \hi
	vpaddq	T4, C2, C2
	vpor	\hibit, \hi, \hi
	vpaddq	\hi, C4, C4
.endm

/*
 * S = S R + m for the quad m at \p, with bit 128 in \hibit. The limbs that carry computes last, S1
 * and S4, are multiplied last. Clobbers C, T.
 */
.macro	one_quad p, hibit
	mul_number S0, 0, VAR_R, first=1
	mul_number S2, 2, VAR_R
	mul_number S3, 3, VAR_R
	mul_number S1, 1, VAR_R
	mul_number S4, 4, VAR_R
	load_quad \p, T0, T1, T4
	add_quad T0, T1, \hibit
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endm

/*
 * S = S R^2 + m R + n for the quads m at \p and n after it, with bit 128 in \hibit and \hibit_n. If
 * last=1, n may be incomplete, see load_last, and S is as carry_last leaves it. Each limb of m is
 * split off just before its multiplications. The order of the limbs of m and S saves 3% on Zen 3.
 * Clobbers C, T; if last=1, also %r11.
 */
.macro	two_quads p, hibit, hibit_n, last=0
	load_quad \p, T0, T1, T2
	vpand	MASK26, T0, T2
	mul_number T2, 0, VAR_R, first=1
	vpsrlq	$26, T0, T2
	vpand	MASK26, T2, T2
	mul_number T2, 1, VAR_R
	vpsrlq	$52, T0, T0
	vpsllq	$12, T1, T2
	vpor	T2, T0, T0
	vpand	MASK26, T0, T0
	mul_number T0, 2, VAR_R
	mul_number S2, 2, VAR_R_2
	vpsrlq	$14, T1, T2
	vpand	MASK26, T2, T2
	mul_number T2, 3, VAR_R
	mul_number S3, 3, VAR_R_2
	vpsrlq	$40, T1, T1
	vpor	\hibit, T1, T1
	mul_number T1, 4, VAR_R
	mul_number S0, 0, VAR_R_2
.if \last
	load_last 64+\p
.else
	load_quad 64+\p, T0, T1, T4
.endif
	add_quad T0, T1, \hibit_n
	mul_number S1, 1, VAR_R_2
	mul_number S4, 4, VAR_R_2
.if \last
	carry_last
.else
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endif
.endm

/*
 * Powers: \to = the vectors of r^4, r^2, r^3, r; VAR_R and VAR_R_2 = the numbers R and R^2. If
 * keep=1, \to is state->pow, and R and R^2 are stored there, too. In: r0 in %r8, r1 in %r9. Limbs
 * of r^k are below 2^26, except limb 4, which is below 2^26 + 2^24. VARS = %rsp. Clobbers S, C, T
 * and all general registers except STATE, DATA, %rsp and %rbp.
 */
.macro	make_powers to, keep=0
	power_words
	vpsllq	$24, T2, T2
	split_words S0, S1, S2, S3, S4, T0, T1, T2, T3
.irp i, 0, 1, 2, 3, 4
	vmovdqu	%ymm\i, \i*32+\to
	vpbroadcastq %xmm\i, %ymm\i
.endr
	mov	%rsp, VARS
	store_number VAR_R
.if \keep
	/* R is stored already, as the first lane's power. */
	keep_number POW_5R
.endif
	square
	store_number VAR_R_2
.if \keep
	keep_number POW_5R_2, POW_R_2
.endif
.endm

/*
 * S = S^2. Each product that occurs twice is computed once, with a doubled factor. In: T2 = 5 S3,
 * T3 = 5 S4. Clobbers C, T.
 */
.macro	square
	vpaddq	S0, S0, T0
	vpaddq	T3, T3, T1			/* 10 s4 */
	vpmuludq S0, S0, C0
	vpmuludq S1, T0, C1
	vpmuludq S2, T0, C2
	vpmuludq S3, T0, C3
	vpmuludq S4, T0, C4
	vpmuludq S1, T1, T4
	vpmuludq S3, T1, T5
	vpaddq	S1, S1, T0
	vpaddq	S2, S2, T1
	vpaddq	T4, C0, C0
	vpaddq	T5, C2, C2
	vpmuludq S2, T0, T4
	vpmuludq S3, T0, T5
	vpmuludq S1, S1, T0
	vpaddq	T4, C3, C3
	vpaddq	T5, C4, C4
	vpmuludq S3, T2, T4
	vpmuludq S4, T3, T5
	vpaddq	T0, C2, C2
	vpmuludq S2, S2, T0
	vpaddq	T4, C1, C1
	vpaddq	T5, C3, C3
	vpmuludq T1, T2, T4
	vpmuludq T1, T3, T5
	vpaddq	T0, C4, C4
	vpaddq	T4, C0, C0
	vpaddq	T5, C1, C1
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endm

/*
 * C = S times r^4, r^2, r^3, r in the lanes. S may have limbs of 32 bits, so limbs of the powers
 * are multiplied by 5, not limbs of S. In: LANES. Clobbers T.
 */
.macro	mul_powers
	times5_power 1, T0
	times5_power 2, T1
	times5_power 3, T2
	times5_power 4, T3
.irp i, 0, 1, 2, 3, 4
	vpmuludq (LANES), %ymm\i, %ymm1\i
.endr
	mul_add_lanes 32(LANES), S0, C1, S1, C2, S2, C3, S3, C4
	mul_add_lanes T0, S4, C0
	mul_add_lanes 64(LANES), S0, C2, S1, C3, S2, C4
	mul_add_lanes T1, S3, C0, S4, C1
	mul_add_lanes 96(LANES), S0, C3, S1, C4
	mul_add_lanes T2, S2, C0, S3, C1, S4, C2
	mul_add_lanes 128(LANES), S0, C4
	mul_add_lanes T3, S1, C0, S2, C1, S3, C2, S4, C3
.endm

/* to = 5 times limb i of the powers in LANES, in the lower halves of the lanes */
.macro	times5_power i, to
	vmovdqu	32*\i(LANES), \to
	vpsllq	$2, \to, \to
	vpaddq	32*\i(LANES), \to, \to
.endm

/* c += x y, for one or more pairs x, c. Clobbers T4. */
.macro	mul_add_lanes y, x, c, more:vararg
	vpmuludq \y, \x, T4
	vpaddq	T4, \c, \c
.ifnb \more
	mul_add_lanes \y, \more
.endif
.endm

/*
 * %rax, %rcx, %rdx, %rsi, %rdi = the sums over the lanes of %ymm10 ... %ymm14.
 * Clobbers %ymm0 ... %ymm5.
 */
.macro	add_up_lanes
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
.endm
