/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2 and BMI2.
 *
 * Four successive blocks are a quad. Each lane of a vector holds one block of a quad, in the order
 * 1, 3, 2, 4 of vpunpck{l,h}qdq. The lanes of S are the values of four polynomials in R = r^4. The
 * quads m_0, m_1, ... change S by
 *
 *	S = S R + m_i,	or two at a time	S = S R^2 + m_i R + m_(i+1),
 *
 * with one reduction. In the end the lanes are multiplied by r^4, r^3, r^2 and r, and added up. All
 * arithmetic is modulo p = 2^130 - 5 in radix 2^26, a limb in each of five registers, and vpmuludq
 * multiplies the low halves of the lanes. Macros compute each lane independently.
 *
 * Only r^2, r^3, r^4 and r^8 are needed. The first three are computed in general registers and go
 * to the lanes together; r^8 is the square of r^4 in all lanes. The block function keeps the powers
 * in state->pow for the next update.
 *
 * The first quad has 1 to 4 blocks, to leave a multiple of 4, and zeros in the lanes before them.
 * It needs no multiplication, and no block goes through scalar code. A shuffle moves the tail of a
 * message to the start of the last block, and bit 128 of that block is 0.
 *
 * Bounds: After a carry, limbs of S are below 2^26 + 2^15, and limbs of powers are below 2^26 +
 * 2^24. Columns of products, most of them times 5, are below 2^58, and m_(i+1) adds less than 2^52.
 * carry_last leaves limbs below 2^31.8. tests/proofs proves these bounds and those at the macros.
 */

/* The least number of blocks for vectors: a first quad, of 1 to 4 blocks, and two more quads */
.set	MIN_BLOCKS, 9

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

#include "poly1305-macros.h"

.set STATE,	%rbx	/* the state, or the key of a digest function */
.set DATA,	%r12	/* the message */
.set u0,	%r14	/* temporaries of mul_r, with %rax and %rdx */
.set u1,	%r15
.set u2,	%r11
.set u3,	%rdi

.section .rodata
.p2align 6
/*
 * For a first quad of 1, 2, 3 and 4 blocks: a mask of the lanes that have a block; and the dwords
 * of a full quad that go to each lane
 */
first_lanes:
	.quad	0, 0, 0, -1
	.quad	0, -1, 0, -1
	.quad	0, -1, -1, -1
	.quad	-1, -1, -1, -1
first_from:
	.long	0, 1, 0, 1, 0, 1, 0, 1
	.long	0, 1, 0, 1, 0, 1, 4, 5
	.long	0, 1, 4, 5, 0, 1, 2, 3
	.long	0, 1, 2, 3, 4, 5, 6, 7
/*
 * At byte n, for a block without its last n bytes: a shuffle that moves the last 16 - n loaded
 * bytes to the start, and the 1 bit that follows them
 */
move_down:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.fill	16, 1, 0x80
padding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0
.p2align 6
mask26:
	.rept	4
	.quad	(1 << 26) - 1
	.endr
/* Bit 128 as limb 4: of all blocks of a quad, of all but the last, of none */
hibits:
	.quad	1 << 24, 1 << 24, 1 << 24, 1 << 24
	.quad	1 << 24, 1 << 24, 1 << 24, 0
	.quad	0, 0, 0, 0
.text

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

/* lo, hi = the low and the high words of the quad at \p. Clobbers t. */
.macro	load_quad p, lo, hi, t
	vmovdqu	\p, \lo
	vmovdqu	32+\p, \t
	vpunpckhqdq \t, \lo, \hi
	vpunpcklqdq \t, \lo, \lo
.endm

/* %r10 = the address of the last 8 of the %rcx blocks at DATA */
.macro	point_at_last_quads
	mov	%rcx, %r10
	shl	$4, %r10
	lea	-128(DATA, %r10), %r10
.endm

/*
 * S = the first quad of the %rcx > 4 blocks at DATA: 1 to 4 blocks, to leave a multiple of 4 in
 * %rcx. Lanes without a block are 0. DATA moves on by %r10 bytes. Bit 128 of the blocks is in
 * \hibit. If add_h=1, h of the state is added to the first block: h2, bit 128 and a carry are at
 * most 6 * 2^24 in limb 4, so S4 < 2^24 + 6 * 2^24. Clobbers %rax, %r11, T.
 */
.macro	first_quad hibit, add_h=0
	lea	-1(%rcx), %eax
	and	$3, %eax
	lea	1(%rax), %r10d
	shl	$5, %eax
	lea	first_lanes(%rip), %r11
	vmovdqa	(%r11, %rax), T0
	vmovdqa	first_from - first_lanes(%r11, %rax), T1
	load_quad 0(DATA), S0, S4, T2
.if \add_h
	/* The first block is in the first lane. */
	mov	STATE_H(STATE), %rax
	mov	STATE_H+8(STATE), %r11
	add	(DATA), %rax
	adc	8(DATA), %r11
	vmovq	%rax, %xmm7
	vmovq	%r11, %xmm8
	mov	STATE_H+16(STATE), %rax
	adc	$0, %rax
	vpblendd $3, T2, S0, S0
	vpblendd $3, T3, S4, S4
	shl	$24, %rax
	vmovq	%rax, %xmm7
	vpaddq	\hibit, T2, T2
	vpermd	T2, T1, T2
	vpand	T2, T0, T2
.else
	vpand	\hibit, T0, T2
.endif
	vpermd	S0, T1, S0
	vpermd	S4, T1, S4
	vpand	T0, S0, S0
	vpand	T0, S4, S4
	sub	%r10, %rcx
	shl	$4, %r10
	add	%r10, DATA
	split_words S0, S1, S2, S3, S4, S0, S4, T2, T3
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

/* Number y of the frame = S, which is equal in all lanes. T0 ... T3 = 5 S1 ... 5 S4. */
.macro	store_number y
	five_times S1, T0
	five_times S2, T1
	five_times S3, T2
	five_times S4, T3
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8
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
 * S = S R^2 + m R + n for the quads m at \p and n after it, with bit 128 in \hibit and \hibit_n. If
 * last=1, the last block ends at %rdx and lacks %rax bytes, of which the first becomes a 1 bit; S
 * is as carry_last leaves it. Each limb of m is split off just before its multiplications. The
 * order of the limbs of m and S saves 3% on Zen 3. Clobbers C, T; if last=1, also %r11.
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
	lea	move_down(%rip), %r11
	vmovdqu	-16(%rdx), %xmm5
	vpshufb	(%r11, %rax), %xmm5, %xmm5
	vpor	padding - move_down(%r11, %rax), %xmm5, %xmm5
	vmovdqu	32+64+\p, %xmm7
	vinserti128 $1, %xmm5, T2, T2
	vmovdqu	64+\p, T0
	vpunpckhqdq T2, T0, T1
	vpunpcklqdq T2, T0, T0
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
 * %rsi + 2^64 %rcx + 2^128 %r13 = r^2 (mod p), with %r13 <= 4. In: r0 in %r8, r1 in %r9,
 * q1 = 5 r1 / 4 in %r10. r0^2 + r1 q1 and 2 r0 r1 are below 2^122. Clobbers %rax, %rdx, %rdi.
 */
.macro	square_r
	mov	%r8, %rax
	mul	%r8
	mov	%rax, %rsi
	mov	%rdx, %rdi
	mov	%r9, %rax
	mul	%r10
	add	%rax, %rsi
	adc	%rdx, %rdi
	lea	(%r8, %r8), %rax
	mul	%r9
	add	%rdi, %rax
	adc	$0, %rdx
	mov	%rax, %rcx
	mov	%rdx, %r13
	fold	%rsi, %rcx, %r13, %rdi
.endm

/*
 * Powers: \to = the vectors of r^4, r^2, r^3, r; VAR_R and VAR_R_2 = the numbers R and R^2. If
 * keep=1, \to is state->pow, and R and R^2 are stored there, too. In: r0 in %r8, r1 in %r9. Limbs
 * of r^k are below 2^26, except limb 4, which is below 2^26 + 2^24. VARS = %rsp. Clobbers S, C, T
 * and all general registers except STATE, DATA, %rsp and %rbp.
 */
.macro	make_powers to, keep=0
	/* T0 + 2^64 T1 + 2^128 T2 = r^4, r^2, r^3, r in the lanes, T2 up to 4 */
	five_quarters %r9, %r10
	vmovq	%r8, %xmm8
	vmovq	%r9, %xmm9
	square_r
	vmovq	%rsi, %xmm5
	vmovq	%rcx, %xmm6
	vmovq	%r13, %xmm7
	vpunpcklqdq %xmm5, %xmm5, %xmm5
	vpunpcklqdq %xmm6, %xmm6, %xmm6
	vpunpcklqdq %xmm7, %xmm7, %xmm7
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpunpcklqdq %xmm8, %xmm10, %xmm8
	vpunpcklqdq %xmm9, %xmm11, %xmm9
	vinserti128 $1, %xmm8, T0, T0
	vinserti128 $1, %xmm9, T1, T1
	vinserti128 $1, %xmm12, T2, T2
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpblendd $3, %ymm10, T0, T0
	vpblendd $3, %ymm11, T1, T1
	vpblendd $3, %ymm12, T2, T2
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
 * Multiply the lanes of S by r^4, r^2, r^3 and r, and add them up: %rax, %rcx, %rdx, %rsi, %rdi =
 * the limbs of h, of up to 64 bits. In: S from carry_last, LANES. Wipes all vector registers.
 *
 * S has limbs of 32 bits, so limbs of the powers are multiplied by 5, not limbs of S.
 */
SYM_FUNC_START_LOCAL(join_lanes_avx2)
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

	/* Add up the lanes of C. */
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
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(join_lanes_avx2)

/*
 * Process the blocks after the first quad, S, and finish: %rax, %rcx, %rdx, %rsi, %rdi = the limbs
 * of h, of up to 64 bits. In: VARS; LANES; %rcx, the number of blocks, a multiple of 4 and at least
 * 8, of which the last 8 are at %r10 and the others at DATA; %rdx, the end of the last block; %rax,
 * the number of bytes missing from that block; at (%r8), bit 128 of the blocks; at (%r9), bit 128
 * of the last quad's blocks. Clobbers DATA, %r11. Wipes all vector registers and, in the frame, R
 * and R^2.
 */
SYM_FUNC_START_LOCAL(quads_avx2)
	test	$4, %cl
	jz	.Lpairs
	/* S = S R + m. carry computes S1 and S4 last, so they are multiplied last. */
	mul_number S0, 0, VAR_R, first=1
	mul_number S2, 2, VAR_R
	mul_number S3, 3, VAR_R
	mul_number S1, 1, VAR_R
	mul_number S4, 4, VAR_R
	load_quad 0(DATA), T0, T1, T4
	add_quad T0, T1, (%r8)
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
	add	$64, DATA
	sub	$4, %rcx
.Lpairs:
	sub	$8, %rcx
	jz	.Llast_pair
	shl	$4, %rcx
	add	DATA, %rcx
.p2align 5
.Lpair:
	two_quads 0(DATA), (%r8), (%r8)
	sub	$-128, DATA
	cmp	%rcx, DATA
	jne	.Lpair
.Llast_pair:
	two_quads 0(%r10), (%r8), (%r9), last=1
	vpxor	%xmm5, %xmm5, %xmm5
.set i, VAR_R
.rept (VAR_L - VAR_R) / 32
	vmovdqa	T0, i(VARS)
.set i, i + 32
.endr
	jmp	join_lanes_avx2
SYM_FUNC_END(quads_avx2)

/* A digest function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_digest_avx2)
	cmp	$16 * MIN_BLOCKS, %rdx
	jb	poly1305_digest_mulx
	mov	%rcx, %r8
	begin_function
	mov	%rdx, VAR_LEN(%rsp)
	mov	%r8, VAR_TAG(%rsp)
	load_r	STATE, %r8, %r9
	make_powers VAR_L(%rsp)

	/* The operands of quads_avx2 */
	mov	VAR_LEN(%rsp), %rdx
	lea	15(%rdx), %rcx
	shr	$4, %rcx
	lea	(DATA, %rdx), %r9
	first_quad hibits(%rip)
	mov	%edx, %eax
	mov	%r9, %rdx
	neg	%eax
	and	$15, %eax
	lea	hibits(%rip), %r8
	lea	15(%rax), %r9d
	and	$16, %r9d
	lea	(%r8, %r9, 2), %r9
	lea	VAR_L(%rsp), LANES
	point_at_last_quads
	call	quads_avx2

	/* Write the tag, and wipe the frame from VAR_L on. */
	join_h
.set i, VAR_L
.rept (FRAME - VAR_L) / 16
	vmovdqa	%xmm0, i(%rsp)
.set i, i + 16
.endr
	mov	%rax, %r8
	mov	VAR_TAG(%rsp), %rcx
	add_pad	%r8, %r13, %r10, STATE
	mov	%r8, (%rcx)
	mov	%r13, 8(%rcx)
	end_function
SYM_FUNC_END(poly1305_digest_avx2)

/*
 * A block function as poly1305_core.h defines it. It keeps powers in state->pow for the next one.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx2)
	cmp	$MIN_BLOCKS, %rdx
	jb	poly1305_blocks_mulx
	begin_function
	mov	%ecx, VAR_HIBIT(%rsp)
	mov	%rdx, VAR_LEN(%rsp)
	mov	%rsp, VARS
	cmpl	$0, STATE_NPOW(STATE)
	jne	.Lpowers_known
	mov	STATE_R(STATE), %r8
	mov	STATE_R+8(STATE), %r9
	make_powers STATE_POW(STATE), keep=1
	movl	$1, STATE_NPOW(STATE)
	jmp	.Lpowers
.Lpowers_known:
	load_number VAR_R, POW_R, POW_5R
	load_number VAR_R_2, POW_R_2, POW_5R_2
.Lpowers:
	mov	VAR_HIBIT(%rsp), %ecx
	mov	VAR_LEN(%rsp), %rdx
	lea	STATE_POW(STATE), LANES
	xor	$1, %ecx
	shl	$6, %ecx
	lea	hibits(%rip), %r8
	add	%rcx, %r8
	mov	%r8, %r9
	mov	%rdx, %rcx
	shl	$4, %rdx
	add	DATA, %rdx
	first_quad (%r8), add_h=1
	xor	%eax, %eax
	point_at_last_quads
	call	quads_avx2
	store_h
	end_function
SYM_FUNC_END(poly1305_blocks_avx2)
