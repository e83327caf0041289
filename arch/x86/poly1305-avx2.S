/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2 and BMI2.
 *
 * Four successive blocks are a quad. Each lane of a vector holds one block of a quad, in the
 * order 1, 3, 2, 4 of vpunpck{l,h}qdq. The lanes of S are the values of four polynomials in
 * R = r^4. The quads m_0, m_1, ... change S by
 *
 *	S = S R + m_i,	or two at a time	S = S R^2 + m_i R + m_(i+1),
 *
 * with one reduction. Finally the lanes are multiplied by r^4, r^3, r^2 and r, and summed.
 * All arithmetic is modulo p = 2^130 - 5 in radix 2^26, a limb in each of five registers, and
 * vpmuludq multiplies the low halves of the lanes. Macros compute each lane independently.
 *
 * Only r^2, r^3, r^4 and r^8 are needed. The first three are computed in general registers and
 * go to the lanes together; r^8 is the square of r^4 in all lanes. The block function keeps the
 * powers in state->pow for the next update.
 *
 * The first quad has 1 to 4 blocks, to leave a multiple of 4, and zeros in the lanes before
 * them. It needs no multiplication, and no block goes through scalar code. A shuffle moves the
 * tail of a message to the start of the last block, and bit 128 of that block is 0.
 *
 * Bounds: After a carry, limbs of S are below 2^26 + 2^15, and limbs of powers are below
 * 2^26 + 2^24. Columns of products, most of them times 5, are below 2^58, and m_(i+1) adds less
 * than 2^52. carry_last leaves limbs below 2^31.8. tests/proofs proves these bounds and those
 * at the macros.
 */

/* 2^26 - 1 in all lanes */
#define MASK26		mask26(%rip)
#include "poly1305-macros.h"

/* The least number of blocks for vectors: a first quad, of 1 to 4 blocks, and two more quads */
.set MIN_BLOCKS,	9

/*
 * The stack frame of all functions. From VAR_R on it holds key material. A number takes nine
 * vectors, equal in all lanes: its limbs, and 5 times limbs 1 ... 4.
 */
.set NUMBER_SIZE,	9 * 32
.set VAR_LEN,		0
.set VAR_TAG,		8
.set VAR_HIBIT,		16
.set VAR_R,		64			/* R in all lanes */
.set VAR_R_2,		VAR_R + NUMBER_SIZE	/* R^2 in all lanes */
.set VAR_L,		VAR_R_2 + NUMBER_SIZE	/* the limbs of r^4, r^2, r^3, r */
.set FRAME,		VAR_L + 5 * 32

/*
 * General registers
 */
.set STATE,		%rbx	/* the state, or the key of a digest function */
.set DATA,		%r12	/* the next quad */

/* While the powers are computed: r, and the number that becomes r^2 ... r^4 */
.set R0,		%r8
.set R1,		%r9
.set Q1,		%r10	/* 5 r1 / 4 */
.set POWER0,		%rsi
.set POWER1,		%rcx
.set POWER2,		%r13
.set u0,		%r14	/* temporaries, with %rax and %rdx */
.set u1,		%r15
.set u2,		%r11
.set u3,		%rdi

/* While quads are processed */
.set VARS,		%rdi	/* the frame */
.set LANES,		%rsi	/* the limbs of r^4, r^2, r^3, r in the lanes */
.set BLOCKS,		%rcx	/* blocks from DATA on */
.set BLOCKS_8,		%cl
.set LAST_PAIR,		%rcx	/* in the loop, instead: DATA at the end of the loop */
.set LAST_QUADS,	%r10	/* the last 8 blocks */
.set FIRST,		%r10	/* before, the blocks of the first quad */
.set FIRST_32,		%r10d
.set END,		%rdx	/* the end of the last block */
.set LACKS,		%rax	/* the bytes missing from the last block */
.set LACKS_32,		%eax
.set HIBIT,		%r8	/* the address of bit 128 of all blocks, in four lanes */
.set LAST_HIBIT,	%r9	/* and of the last quad's blocks */
.set LAST_HIBIT_32,	%r9d
.set TABLE,		%r11	/* of constants */
.set ROW,		%rax	/* the offset in a table */
.set ROW_32,		%eax
/* h + the first block */
.set H0,		%rax
.set H1,		%r11
.set H2,		%rax	/* when H0 is in a vector */

/*
 * Vectors
 */

/* S, the value of each lane */
.set S0,		%ymm0
.set S1,		%ymm1
.set S2,		%ymm2
.set S3,		%ymm3
.set S4,		%ymm4
.set S0_XMM,		%xmm0
.set S1_XMM,		%xmm1
.set S2_XMM,		%xmm2
.set S3_XMM,		%xmm3
.set S4_XMM,		%xmm4
/* Scratch */
.set T0,		%ymm5
.set T1,		%ymm6
.set T2,		%ymm7
.set T3,		%ymm8
.set T4,		%ymm9
.set T5,		%ymm15
.set T0_XMM,		%xmm5
.set T1_XMM,		%xmm6
.set T2_XMM,		%xmm7
.set T3_XMM,		%xmm8
.set T4_XMM,		%xmm9
/* C, the columns of products */
.set C0,		%ymm10
.set C1,		%ymm11
.set C2,		%ymm12
.set C3,		%ymm13
.set C4,		%ymm14
.set C0_XMM,		%xmm10
.set C1_XMM,		%xmm11
.set C2_XMM,		%xmm12
.set C4_XMM,		%xmm14

.section .rodata
.p2align 6
/*
 * For a first quad of 1, 2, 3 and 4 blocks: a mask of the lanes that have a block; and the
 * dwords of a full quad that go to each lane
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
 * Loads of quads
 */

/*
 * Convert words to radix 2^26: x = lo + 2^64 hi + 2^104 top, with limbs below 2^26, except
 * x4 < 2^24 + top. lo may be x0, and hi may be x4. Clobbers t.
 */
.macro	split_words x0, x1, x2, x3, x4, lo, hi, top, t
	/* Bits 52 ... 63 of lo and 0 ... 13 of hi make limb 2. */
	vpsrlq	$52, \lo, \x2
	vpsllq	$12, \hi, \t
	vpsrlq	$26, \lo, \x1
	vpor	\t, \x2, \x2
	/* Limbs 3 and 4 begin at bits 14 and 40 of hi. */
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

/* LAST_QUADS = the address of the last 8 of the BLOCKS blocks at DATA */
.macro	point_at_last_quads
	mov	BLOCKS, LAST_QUADS
	shl	$4, LAST_QUADS
	lea	-128(DATA, LAST_QUADS), LAST_QUADS
.endm

/*
 * S = the first quad of the BLOCKS > 4 blocks at DATA: 1 to 4 blocks, to leave a multiple of 4
 * in BLOCKS. Lanes without a block are 0. DATA moves past these blocks. Bit 128 of the blocks
 * is in \hibit. If add_h=1, h of the state is added to the first block: h2, bit 128 and a carry
 * are at most 6 * 2^24 in limb 4, so S4 < 2^24 + 6 * 2^24. Clobbers %rax, FIRST, TABLE, T.
 */
.macro	first_quad hibit, add_h=0
	/* T0 = the lanes that have a block, T1 = where each lane's word is; 32 bytes a row */
	lea	-1(BLOCKS), ROW_32
	and	$3, ROW_32
	lea	1(ROW), FIRST_32
	shl	$5, ROW_32
	lea	first_lanes(%rip), TABLE
	vmovdqa	(TABLE, ROW), T0
	vmovdqa	first_from - first_lanes(TABLE, ROW), T1
	load_quad 0(DATA), S0, S4, T2
.if \add_h
	/* h + the first block, which is in the first lane */
	mov	STATE_H(STATE), H0
	mov	STATE_H+8(STATE), H1
	add	(DATA), H0
	adc	8(DATA), H1
	vmovq	H0, T2_XMM
	vmovq	H1, T3_XMM
	mov	STATE_H+16(STATE), H2
	adc	$0, H2
	vpblendd $3, T2, S0, S0
	vpblendd $3, T3, S4, S4
	/* T2 = h2 and the carry in the first lane, as limb 4, and bit 128 in all lanes */
	shl	$24, H2
	vmovq	H2, T2_XMM
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
	sub	FIRST, BLOCKS
	shl	$4, FIRST
	add	FIRST, DATA
	split_words S0, S1, S2, S3, S4, S0, S4, T2, T3
.endm

/*
 * Arithmetic on S
 */

/*
 * S = C (mod p) with fewer carries than carry, for join_lanes_avx2, which takes limbs of 32
 * bits. If columns are below 2^58, and columns 1 to 3 below 2^57.7, S0 and S1 are below 2^26
 * and the other limbs below 2^31.8. Clobbers C, T.
 */
.macro	carry_last
	/* 4 to 0, times 5, interleaved with 2 and 3 */
	vpsrlq	$26, C4, T4
	vpand	MASK26, C4, S4
	vpaddq	T4, C0, C0
	vpsllq	$2, T4, T4
	vpsrlq	$26, C2, T2
	vpaddq	T4, C0, C0
	vpsrlq	$26, C3, T3
	vpand	MASK26, C2, S2
	/* 0 to 1 and 2 to 3 */
	vpsrlq	$26, C0, T0
	vpand	MASK26, C3, S3
	vpaddq	T0, C1, C1
	vpaddq	T2, S3, S3
	/* 1 to 2 and 3 to 4 */
	vpsrlq	$26, C1, T1
	vpand	MASK26, C0, S0
	vpaddq	T3, S4, S4
	vpand	MASK26, C1, S1
	vpaddq	T1, S2, S2
.endm

/* In a number of the frame: the vector whose product with limb j goes to column i */
#define VECTOR(i, j)	(32 * ((i) - (j) - 9 * ((j) > (i))))

/*
 * C += 2^26j x y, or C = 2^26j x y if first=1, where x is limb j of a factor, and y is a number
 * of the frame. With x below 7 * 2^24 this adds less than 2^55.6 to each column. Clobbers T3,
 * T4, T5.
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
 * C += the quad in lo, hi, with bit 128 in \hibit. Before a carry, columns may exceed a limb,
 * so the blocks are split into 26, 38, 52, 0 and 25 bits. Clobbers lo, hi, T4.
 */
.macro	add_quad lo, hi, hibit
	/* Column 0: bits 0 ... 25 of lo. Column 1: the others */
	vpand	MASK26, \lo, T4
	vpsrlq	$26, \lo, \lo
	vpaddq	T4, C0, C0
	/* Column 2: bits 0 ... 39 of hi, times 2^12 */
	vpsllq	$24, \hi, T4
	vpaddq	\lo, C1, C1
	vpsrlq	$12, T4, T4
	/* Column 4: the others, and bit 128 */
	vpsrlq	$40, \hi, \hi
	vpaddq	T4, C2, C2
	vpor	\hibit, \hi, \hi
	vpaddq	\hi, C4, C4
.endm

/*
 * S = S R^2 + m R + n for the quads m at \p and n after it, with bit 128 in \hibit and
 * \hibit_n. If last=1, the last block ends at END, without LACKS bytes, of which the first
 * becomes a 1 bit; S is as carry_last leaves it. Each limb of m is split off just before its
 * multiplications. The order of the limbs of m and S saves 3% on Zen 3. Clobbers C, T; if
 * last=1, also TABLE.
 */
.macro	two_quads p, hibit, hibit_n, last=0
	/* T0, T1 = the words of m; limbs 0, 1 and 2 of m, times R */
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
	/* Limbs 3 and 4 of m, between limbs 2, 3 and 0 of S */
	mul_number S2, 2, VAR_R_2
	vpsrlq	$14, T1, T2
	vpand	MASK26, T2, T2
	mul_number T2, 3, VAR_R
	mul_number S3, 3, VAR_R_2
	vpsrlq	$40, T1, T1
	vpor	\hibit, T1, T1
	mul_number T1, 4, VAR_R
	mul_number S0, 0, VAR_R_2
	/* T0, T1 = the words of n */
.if \last
	lea	move_down(%rip), TABLE
	vmovdqu	-16(END), T0_XMM
	vpshufb	(TABLE, LACKS), T0_XMM, T0_XMM
	vpor	padding - move_down(TABLE, LACKS), T0_XMM, T0_XMM
	vmovdqu	32+64+\p, T2_XMM
	vinserti128 $1, T0_XMM, T2, T2
	vmovdqu	64+\p, T0
	vpunpckhqdq T2, T0, T1
	vpunpcklqdq T2, T0, T0
.else
	load_quad 64+\p, T0, T1, T4
.endif
	add_quad T0, T1, \hibit_n
	/* carry computes S1 and S4 last, so they are multiplied last. */
	mul_number S1, 1, VAR_R_2
	mul_number S4, 4, VAR_R_2
.if \last
	carry_last
.else
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endif
.endm

/*
 * Powers of r
 */

/* Number y of the frame = S, which is equal in all lanes. T0 ... T3 = 5 S1 ... 5 S4. */
.macro	store_number y
	five_times S1, T0
	five_times S2, T1
	five_times S3, T2
	five_times S4, T3
	vmovdqa	S0, \y+0*32(VARS)
	vmovdqa	S1, \y+1*32(VARS)
	vmovdqa	S2, \y+2*32(VARS)
	vmovdqa	S3, \y+3*32(VARS)
	vmovdqa	S4, \y+4*32(VARS)
	vmovdqa	T0, \y+5*32(VARS)
	vmovdqa	T1, \y+6*32(VARS)
	vmovdqa	T2, \y+7*32(VARS)
	vmovdqa	T3, \y+8*32(VARS)
.endm

/* Store T0 ... T3 = 5 S1 ... 5 S4 in state->pow, at offset x5, and S at offset x, if given. */
.macro	keep_number x5, x
.ifnb \x
	vmovd	S0_XMM, STATE_POW+\x+0*32(STATE)
	vmovd	S1_XMM, STATE_POW+\x+1*32(STATE)
	vmovd	S2_XMM, STATE_POW+\x+2*32(STATE)
	vmovd	S3_XMM, STATE_POW+\x+3*32(STATE)
	vmovd	S4_XMM, STATE_POW+\x+4*32(STATE)
.endif
	vmovd	T0_XMM, STATE_POW+\x5+1*32(STATE)
	vmovd	T1_XMM, STATE_POW+\x5+2*32(STATE)
	vmovd	T2_XMM, STATE_POW+\x5+3*32(STATE)
	vmovd	T3_XMM, STATE_POW+\x5+4*32(STATE)
.endm

/* Load number y of the frame from offsets x and x5 of state->pow. Clobbers T0. */
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

/*
 * S = S^2 (mod p), for S from split_words. Each product that occurs twice is computed once,
 * with a doubled factor. In: T2 = 5 S3, T3 = 5 S4. Clobbers C, T.
 *
 *	C0 = s0 s0       +  10 s4 s1    +  2 s2 (5 s3)
 *	C1 = (2 s0) s1   +  s3 (5 s3)   +  2 s2 (5 s4)
 *	C2 = (2 s0) s2   +  10 s4 s3    +  s1 s1
 *	C3 = (2 s0) s3   +  (2 s1) s2   +  s4 (5 s4)
 *	C4 = (2 s0) s4   +  (2 s1) s3   +  s2 s2
 */
.macro	square
	/* T0 = 2 s0 and T1 = 10 s4; the first terms, and both terms with T1 */
	vpaddq	S0, S0, T0
	vpaddq	T3, T3, T1
	vpmuludq S0, S0, C0
	vpmuludq S1, T0, C1
	vpmuludq S2, T0, C2
	vpmuludq S3, T0, C3
	vpmuludq S4, T0, C4
	vpmuludq S1, T1, T4
	vpmuludq S3, T1, T5
	/* T0 = 2 s1 and T1 = 2 s2; terms with T0, and s1 s1 */
	vpaddq	S1, S1, T0
	vpaddq	S2, S2, T1
	vpaddq	T4, C0, C0
	vpaddq	T5, C2, C2
	vpmuludq S2, T0, T4
	vpmuludq S3, T0, T5
	vpmuludq S1, S1, T0
	vpaddq	T4, C3, C3
	vpaddq	T5, C4, C4
	/* s3 (5 s3), s4 (5 s4) and s2 s2 */
	vpmuludq S3, T2, T4
	vpmuludq S4, T3, T5
	vpaddq	T0, C2, C2
	vpmuludq S2, S2, T0
	vpaddq	T4, C1, C1
	vpaddq	T5, C3, C3
	/* Terms with T1 */
	vpmuludq T1, T2, T4
	vpmuludq T1, T3, T5
	vpaddq	T0, C4, C4
	vpaddq	T4, C0, C0
	vpaddq	T5, C1, C1
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endm

/*
 * Powers: \to = the vectors of r^4, r^2, r^3, r; VAR_R and VAR_R_2 = the numbers R and R^2. If
 * keep=1, \to is state->pow, and R and R^2 are stored there, too. In: R0, R1. Limbs of r^k are
 * below 2^26, except limb 4, which is below 2^26 + 2^24. VARS = %rsp. Clobbers S, C, T and all
 * general registers except STATE, DATA, %rsp and %rbp.
 */
.macro	make_powers to, keep=0
	/* T0 + 2^64 T1 + 2^128 T2 = r^4, r^2, r^3, r in the lanes, T2 up to 4 */
	five_quarters R1, Q1
	vmovq	R0, T3_XMM
	vmovq	R1, T4_XMM
	/* r^2 in the first two lanes */
	square_r R0, R1, Q1, POWER0, POWER1, POWER2, u0, u1, u2, u3
	vmovq	POWER0, T0_XMM
	vmovq	POWER1, T1_XMM
	vmovq	POWER2, T2_XMM
	vpunpcklqdq T0_XMM, T0_XMM, T0_XMM
	vpunpcklqdq T1_XMM, T1_XMM, T1_XMM
	vpunpcklqdq T2_XMM, T2_XMM, T2_XMM
	/* r^3 and r in the last two lanes; r has no word 2 */
	mul_r	POWER0, POWER1, POWER2, R0, R1, Q1
	vmovq	POWER0, C0_XMM
	vmovq	POWER1, C1_XMM
	vmovq	POWER2, C2_XMM
	vpunpcklqdq T3_XMM, C0_XMM, T3_XMM
	vpunpcklqdq T4_XMM, C1_XMM, T4_XMM
	vinserti128 $1, T3_XMM, T0, T0
	vinserti128 $1, T4_XMM, T1, T1
	vinserti128 $1, C2_XMM, T2, T2
	/* r^4 in the first lane */
	mul_r	POWER0, POWER1, POWER2, R0, R1, Q1
	vmovq	POWER0, C0_XMM
	vmovq	POWER1, C1_XMM
	vmovq	POWER2, C2_XMM
	vpblendd $3, C0, T0, T0
	vpblendd $3, C1, T1, T1
	vpblendd $3, C2, T2, T2
	vpsllq	$24, T2, T2
	split_words S0, S1, S2, S3, S4, T0, T1, T2, T3
	/* S = R in all lanes */
	vmovdqu	S0, 0*32+\to
	vpbroadcastq S0_XMM, S0
	vmovdqu	S1, 1*32+\to
	vpbroadcastq S1_XMM, S1
	vmovdqu	S2, 2*32+\to
	vpbroadcastq S2_XMM, S2
	vmovdqu	S3, 3*32+\to
	vpbroadcastq S3_XMM, S3
	vmovdqu	S4, 4*32+\to
	vpbroadcastq S4_XMM, S4
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
 * The end of a message
 */

/* to = 5 times limb i of the powers in LANES, in the lower halves of the lanes */
.macro	times5_power i, to
	vmovdqu	32*\i(LANES), \to
	vpsllq	$2, \to, \to
	vpaddq	32*\i(LANES), \to, \to
.endm

/* c += x y. Clobbers T4. */
.macro	mul_add_lanes y, x, c
	vpmuludq \y, \x, T4
	vpaddq	T4, \c, \c
.endm

/*
 * static void join_lanes_avx2(void);
 *
 * Multiply the lanes of S by r^4, r^2, r^3 and r, and sum them: h = LIMB0 + 2^26
 * LIMB1 + ... + 2^104 LIMB4 (mod p). S has limbs of 32 bits, so limbs of the powers are
 * multiplied by 5, not limbs of S.
 *
 * in:        rsi LANES; S
 * requires:  S from carry_last; limbs of the powers below 2^26 + 2^24
 * reads:     LANES[0, 160)
 * writes:    -
 * returns:   rax, rcx, rdx, rsi, rdi: LIMB0 ... LIMB4, of up to 64 bits
 * clobbers:  rax, rcx, rdx, rsi, rdi, ymm0-ymm15
 * wipes:     ymm0-ymm15
 * stack:     0
 * features:  AVX2
 */
SYM_FUNC_START_LOCAL(join_lanes_avx2)
	times5_power 1, T0
	times5_power 2, T1
	times5_power 3, T2
	times5_power 4, T3
	/* Limb 0 of the powers */
.irp i, 0, 1, 2, 3, 4
	vpmuludq (LANES), S\i, C\i
.endr
	/* Limb 1, and 5 times it where the columns wrap around */
	mul_add_lanes 32(LANES), S0, C1
	mul_add_lanes 32(LANES), S1, C2
	mul_add_lanes 32(LANES), S2, C3
	mul_add_lanes 32(LANES), S3, C4
	mul_add_lanes T0, S4, C0
	/* Limb 2 */
	mul_add_lanes 64(LANES), S0, C2
	mul_add_lanes 64(LANES), S1, C3
	mul_add_lanes 64(LANES), S2, C4
	mul_add_lanes T1, S3, C0
	mul_add_lanes T1, S4, C1
	/* Limb 3 */
	mul_add_lanes 96(LANES), S0, C3
	mul_add_lanes 96(LANES), S1, C4
	mul_add_lanes T2, S2, C0
	mul_add_lanes T2, S3, C1
	mul_add_lanes T2, S4, C2
	/* Limb 4 */
	mul_add_lanes 128(LANES), S0, C4
	mul_add_lanes T3, S1, C0
	mul_add_lanes T3, S2, C1
	mul_add_lanes T3, S3, C2
	mul_add_lanes T3, S4, C3

	/* Two lanes each of C0 and C1 in S0, of C2 and C3 in S2, of C4 in S4 */
	vpunpcklqdq C1, C0, S0
	vpunpckhqdq C1, C0, S1
	vpunpcklqdq C3, C2, S2
	vpunpckhqdq C3, C2, S3
	vextracti128 $1, C4, S4_XMM
	vpaddq	S1, S0, S0
	vpaddq	S3, S2, S2
	vpaddq	C4_XMM, S4_XMM, S4_XMM
	/* The sums */
	vextracti128 $1, S0, S1_XMM
	vextracti128 $1, S2, S3_XMM
	vpunpckhqdq S4_XMM, S4_XMM, T0_XMM
	vpaddq	S1_XMM, S0_XMM, S0_XMM
	vpaddq	S3_XMM, S2_XMM, S2_XMM
	vpaddq	T0_XMM, S4_XMM, S4_XMM
	vmovq	S0_XMM, LIMB0
	vpextrq	$1, S0_XMM, LIMB1
	vmovq	S2_XMM, LIMB2
	vpextrq	$1, S2_XMM, LIMB3
	vmovq	S4_XMM, LIMB4
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(join_lanes_avx2)

/*
 * static void quads_avx2(void);
 *
 * Process the blocks after the first quad, S, and finish: h = LIMB0 + 2^26 LIMB1 + ... +
 * 2^104 LIMB4 (mod p), the polynomial of all blocks.
 *
 * in:        rdi VARS, rsi LANES, rcx BLOCKS, r12 DATA, r10 LAST_QUADS, rdx END, rax LACKS,
 *            r8 HIBIT, r9 LAST_HIBIT; S
 * requires:  BLOCKS is a multiple of 4; 8 <= BLOCKS <= 2^31; LACKS < 16; VARS aligned to 32;
 *            limbs of S below 2^26, 2^26 + 2^15, 2^26, 2^26, 7 2^24, of powers 2^26 + 2^24
 * reads:     DATA[0, 16 BLOCKS - LACKS) (which ends at END),
 *            VARS[VAR_R, VAR_L), LANES[0, 160), HIBIT[0, 32), LAST_HIBIT[0, 32)
 * writes:    VARS[VAR_R, VAR_L)
 * returns:   rax, rcx, rdx, rsi, rdi: LIMB0 ... LIMB4, of up to 64 bits
 * clobbers:  rax, rcx, rdx, rsi, rdi, r11, r12, ymm0-ymm15, flags
 * wipes:     ymm0-ymm15, VARS[VAR_R, VAR_L)
 * stack:     0
 * features:  AVX2
 */
SYM_FUNC_START_LOCAL(quads_avx2)
	test	$4, BLOCKS_8
	jz	.Lpairs
	/* S = S R + m. carry computes S1 and S4 last, so they are multiplied last. */
	mul_number S0, 0, VAR_R, first=1
	mul_number S2, 2, VAR_R
	mul_number S3, 3, VAR_R
	mul_number S1, 1, VAR_R
	mul_number S4, 4, VAR_R
	load_quad 0(DATA), T0, T1, T4
	add_quad T0, T1, (HIBIT)
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
	add	$64, DATA
	sub	$4, BLOCKS
.Lpairs:
	/* BLOCKS is a multiple of 8. The last 8 are at LAST_QUADS. */
	sub	$8, BLOCKS
	jz	.Llast_pair
	shl	$4, BLOCKS
	add	DATA, LAST_PAIR
.p2align 5
.Lpair:
	two_quads 0(DATA), (HIBIT), (HIBIT)
	sub	$-128, DATA
	cmp	LAST_PAIR, DATA
	jne	.Lpair
.Llast_pair:
	two_quads 0(LAST_QUADS), (HIBIT), (LAST_HIBIT), last=1
	vpxor	T0_XMM, T0_XMM, T0_XMM
.set i, VAR_R
.rept (VAR_L - VAR_R) / 32
	vmovdqa	T0, i(VARS)
.set i, i + 32
.endr
	jmp	join_lanes_avx2
SYM_FUNC_END(quads_avx2)

/*
 * void poly1305_digest_avx2(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data, size_t len,
 *			     u8 tag[POLY1305_MAC_TAG_SIZE]);
 *
 * The tag of a whole message: tag = (h mod p) + s mod 2^128, where h is the polynomial of the
 * message in the clamped r, and key = r || s. Fewer than 16 MIN_BLOCKS bytes are left to
 * poly1305_digest_mulx.
 *
 * in:        rdi key, rsi data, rdx len, rcx tag
 * requires:  len < 2^35; tag may overlap key or data
 * reads:     key[0, 32), data[0, len)
 * writes:    tag[0, 16) (after the last read)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, the frame,
 *            or what poly1305_digest_mulx wipes
 * stack:     912; array [VAR_R, FRAME)
 * features:  AVX2, BMI2
 */
.set LEN,	%rdx
.set LEN_32,	%edx
.set TAG,	%rcx
/* A copy of TAG while begin_function runs, later of WORD0, because add_pad needs %rax */
.set KEPT,	%r8
SYM_TYPED_FUNC_START(poly1305_digest_avx2)
	cmp	$16 * MIN_BLOCKS, LEN
	jb	poly1305_digest_mulx
	mov	TAG, KEPT
	begin_function
	mov	LEN, VAR_LEN(%rsp)
	mov	KEPT, VAR_TAG(%rsp)
	load_r	STATE, R0, R1
	make_powers VAR_L(%rsp)

	/* The operands of quads_avx2. LAST_HIBIT is first the end of the message. */
	mov	VAR_LEN(%rsp), LEN
	lea	15(LEN), BLOCKS
	shr	$4, BLOCKS
	lea	(DATA, LEN), LAST_HIBIT
	first_quad hibits(%rip)
	mov	LEN_32, LACKS_32
	mov	LAST_HIBIT, END
	neg	LACKS_32
	and	$15, LACKS_32
	/* LAST_HIBIT is the next row of hibits if the last block is incomplete. */
	lea	hibits(%rip), HIBIT
	lea	15(LACKS), LAST_HIBIT_32
	and	$16, LAST_HIBIT_32
	lea	(HIBIT, LAST_HIBIT, 2), LAST_HIBIT
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
	mov	WORD0, KEPT
	mov	VAR_TAG(%rsp), TAG
	add_pad	KEPT, WORD1, WORD2, STATE
	mov	KEPT, (TAG)
	mov	WORD1, 8(TAG)
	end_function
SYM_FUNC_END(poly1305_digest_avx2)

/*
 * void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			     u32 hibit);
 *
 * For each block m, h = (h + m + 2^128 hibit) r (mod p). Powers are kept in state->pow, as
 * poly1305-offsets.h says, for the next call. Fewer than MIN_BLOCKS blocks are left to
 * poly1305_blocks_mulx.
 *
 * in:        rdi state, rsi data, rdx nblocks, ecx hibit
 * requires:  nblocks <= 2^31; state as poly1305_core.h allows; state->h[2] <= 4; hibit <= 1;
 *            if have_powers is not 0, pow has the powers; data is apart from state
 * reads:     state[0, 208), data[0, 16 nblocks)
 * writes:    state->h, state->have_powers, state->pow[0, 160) with h[2] <= 4
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, the frame,
 *            or what poly1305_blocks_mulx wipes
 * stack:     912; array [VAR_R, FRAME)
 * features:  AVX2, BMI2
 */
.set NBLOCKS,	%rdx
.set HIBIT_ROW,		%rcx	/* the offset in hibits */
.set HIBIT_ROW_32,	%ecx
SYM_TYPED_FUNC_START(poly1305_blocks_avx2)
	cmp	$MIN_BLOCKS, NBLOCKS
	jb	poly1305_blocks_mulx
	begin_function
	mov	%ecx, VAR_HIBIT(%rsp)
	mov	NBLOCKS, VAR_LEN(%rsp)
	mov	%rsp, VARS
	cmpl	$0, STATE_HAVE_POWERS(STATE)
	jne	.Lpowers_known
	mov	STATE_R(STATE), R0
	mov	STATE_R+8(STATE), R1
	make_powers STATE_POW(STATE), keep=1
	movl	$1, STATE_HAVE_POWERS(STATE)
	jmp	.Lpowers
.Lpowers_known:
	load_number VAR_R, POW_R, POW_5R
	load_number VAR_R_2, POW_R_2, POW_5R_2
.Lpowers:
	/* The operands of quads_avx2; row 2 of hibits has zeros. */
	mov	VAR_HIBIT(%rsp), HIBIT_ROW_32
	mov	VAR_LEN(%rsp), NBLOCKS
	lea	STATE_POW(STATE), LANES
	xor	$1, HIBIT_ROW_32
	shl	$6, HIBIT_ROW_32
	lea	hibits(%rip), HIBIT
	add	HIBIT_ROW, HIBIT
	mov	HIBIT, LAST_HIBIT
	mov	NBLOCKS, BLOCKS
	shl	$4, END
	add	DATA, END
	first_quad (HIBIT), add_h=1
	xor	LACKS_32, LACKS_32
	point_at_last_quads
	call	quads_avx2
	store_h
	end_function
SYM_FUNC_END(poly1305_blocks_avx2)
