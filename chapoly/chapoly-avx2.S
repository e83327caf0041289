/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4) for CPUs with AVX2 and BMI2, interleaved with Poly1305.
 *
 * The state of a block is sixteen 32-bit words, in four rows of four. A round is four quarter
 * rounds, a line each below. Odd rounds take the columns, even rounds the diagonals:
 *
 *	the state	 columns	 diagonals
 *	 0  1  2  3	 0  4  8 12	 0  5 10 15
 *	 4  5  6  7	 1  5  9 13	 1  6 11 12
 *	 8  9 10 11	 2  6 10 14	 2  7  8 13
 *	12 13 14 15	 3  7 11 15	 3  4  9 14
 *
 * A quarter round of a, b, c, d has two halves of one form:
 *
 *	a += b; d = (d ^ a) <<< 16; c += d; b = (b ^ c) <<< 12
 *	a += b; d = (d ^ a) <<< 8;  c += d; b = (b ^ c) <<< 7
 *
 * Vectors hold the words of several blocks in two ways:
 *
 *  - In columns. Each of 16 vectors, V0 to V15, holds one word of 8 blocks, a stride of text.
 *    Diagonals need only other names of registers. Word 9 is in memory, to free a register for
 *    rotations. After the rounds, words become blocks by two transpositions: of 32-bit lanes
 *    (columns_to_rows), then of 128-bit lanes (put_rows).
 *  - In rows. Each of four vectors holds one row of 2 blocks, a block in each half. These four
 *    vectors are a set; there are one to three sets, A0 to D0, A1 to D1 and A2 to D2. One
 *    vector instruction is a step of 8 quarter rounds. turn_rows turns the rows, which makes
 *    columns of diagonals, and back.
 *
 * The rounds need no general registers. At many places between vector instructions, the macro
 * "interleave" inserts a few instructions that compute something else in general registers:
 *
 *  - the MAC of other text, nine steps a block (mac_step), or
 *  - before the MAC has a key, block 0, which gives it, 48 steps for two rounds (key_step).
 *
 * The multiplication of the MAC's accumulator h by r is pending: where RFC 8439 has h r, the
 * frame has h. So a block m takes h to h r + m.
 *
 * The file has four parts: general registers, interleaving, columns, and rows.
 */

#include "../arch/x86/poly1305-macros.h"

	.section .rodata
	.p2align 5
/* vpshufb: rotate 32-bit words to the left */
rotate_16:
	.byte	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
	.byte	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
rotate_8:
	.byte	3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
	.byte	3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
/* Columns: the step from the numbers of a stride's 8 blocks to those of the next stride */
next_stride:
	.long	8, 8, 8, 8, 8, 8, 8, 8

	.text

/*
 * 1. General registers
 */

/* The arguments of C, where they arrive */
#define ARG_FRAME	%rdi
#define ARG_DST		%rsi	/* of functions with columns */
#define ARG_BLOCKS	%rsi	/* of chapoly_avx2_rows() and chapoly_avx2_rows_key() */
#define ARG_ROWS_MAC	%rsi	/* of chapoly_avx2_rows_mac() */
#define ARG_SRC		%rdx
#define ARG_STRIDES	%rcx
#define ARG_MAC		%r8
#define ARG_ROUNDS	%r9

/* In all functions */
#define FRAME		%r14	/* struct chapoly_avx2, in place of r1 */

/* With columns: this stride of text; with block 0, after the rounds */
#define SRC		%rsi
#define DST		%rcx

/* On the stack of chapoly_avx2_strides() */
#define PLAIN		(%rsp)	 /* double rounds of a stride without the MAC */
#define MIXED		8(%rsp)	 /* double rounds of a stride, each with 4 blocks of the MAC */
#define STRIDES		16(%rsp) /* strides left */

/*
 * With the MAC: x0 to x2, r0, q1 and u0 to u3 as mulx_r has them. r1 and s0 are in the frame,
 * as their registers are FRAME and COUNT.
 */
#define MAC		%r15	/* the text to authenticate */
#define FACTOR		%rdx	/* which mulx takes without naming it */
#define COUNT		%eax	/* double rounds left */
#define COUNT_64	%rax

/* With block 0: Kw is its word w. Words 8 to 11 are in memory, in place of h. */
.set K0, %r8d
.set K1, %r9d
.set K2, %r10d
.set K3, %r11d
.set K4, %r12d
.set K5, %r13d
.set K6, %r15d
.set K7, %ebp
#define K8		FRAME_H(FRAME)
#define K9		FRAME_H+4(FRAME)
#define K10		FRAME_H+8(FRAME)
#define K11		FRAME_H+12(FRAME)
.set K12, %ebx
.set K13, %edx
.set K14, %edi
.set K15, %ecx
#define KEY_TMP		%eax	/* a word of row 2 */
#define KEY_COUNT	%esi	/* double rounds left */
/* After the rounds, 64 bits of these registers, to join words of the key */
.set K0_64, %r8
.set K1_64, %r9
.set K2_64, %r10
.set K3_64, %r11
.set K4_64, %r12
.set K5_64, %r13
.set K6_64, %r15
.set K7_64, %rbp

/* x = h of the frame; r0 and q1 */
.macro	load_mac
	mov	FRAME_H(FRAME), x0
	mov	FRAME_H+8(FRAME), x1
	mov	FRAME_H+16(FRAME), x2
	mov	FRAME_R(FRAME), r0
	mov	FRAME_Q1(FRAME), q1
.endm

/* h of the frame = x */
.macro	store_mac
	mov	x0, FRAME_H(FRAME)
	mov	x1, FRAME_H+8(FRAME)
	mov	x2, FRAME_H+16(FRAME)
.endm

/*
 * Step \n of nine, which together compute x = x r + m for block \block of the text at MAC,
 * with bit 128 set; x2 < 2^63.1 before and after. This is mulx_r with r1 and s0 in memory, and
 * mulx_low and mulx_high explain it: below, x2 = 4 a + b at first, q1 = 5 r1 / 4, s0 = 5 r0.
 * Clobbers FACTOR, u0, u1, u2, u3 and flags. Carries go from steps 2, 3 and 7 to the next
 * step, so nothing between steps may change the flags.
 */
.macro	mac_step block, n
.if \n == 0
	/* x0 + 2^64 (u0 + u2) + 2^128 u1 = x0 r */
	mov	x0, FACTOR
	mulx	r0, x0, u2
	mulx	FRAME_R+8(FRAME), u0, u1
.elseif \n == 1
	/* Add the block. */
	add	16*(\block)(MAC), x0
	adc	16*(\block)+8(MAC), u0
	adc	$1, u1
.elseif \n == 2
	/* Add x1 q1, whose high half waits in u3, to words 0 and 1 (u2). */
	mov	x1, FACTOR
	mulx	q1, x1, u3
	add	x1, x0
.elseif \n == 3
	/* Add 2^64 x1 r0, whose high half waits in u3; word 1 goes from u0 to x1. */
	adc	u3, u2
	mulx	r0, x1, u3
	add	u0, x1
.elseif \n == 4
	/* FACTOR = a; the high half of x1 r0 goes to u1. */
	adc	u3, u1
	mov	x2, FACTOR
	shr	$2, FACTOR
.elseif \n == 5
	/* Add a s0 to words 0 and 1 (u2). */
	mulx	FRAME_S0(FRAME), u0, u3
	add	u0, x0
	adc	u3, u2
.elseif \n == 6
	/* The new x2 is b r0; the old x2 moves to FACTOR. */
	mov	x2, FACTOR
	and	$3, x2
	imul	r0, x2
.elseif \n == 7
	/* Add u1, and 2^64 q1 times the old x2, whose high half waits in u3. */
	mulx	q1, u0, u3
	add	u1, x2
	add	u0, x1
.else
	/* Add what waits in u2 for word 1. */
	adc	u3, x2
	add	u2, x1
	adc	$0, x2
.endif
.endm

/*
 * If \n is among the three steps from \first on, do step \n of block 0. The three are half of
 * a quarter round of words a, b, c and d, of which c is in memory. Clobbers KEY_TMP, which
 * takes c to the third step, and flags.
 */
.macro	half_scalar n, first, a, b, c, d, turn_d, turn_b
.if \n == \first
	/* a += b; d = (d ^ a) <<< \turn_d */
	add	\b, \a
	xor	\a, \d
	rol	$\turn_d, \d
.elseif \n == \first+1
	/* c += d */
	mov	\c, KEY_TMP
	add	\d, KEY_TMP
	mov	KEY_TMP, \c
.elseif \n == \first+2
	/* b = (b ^ c) <<< \turn_b */
	xor	KEY_TMP, \b
	rol	$\turn_b, \b
.endif
.endm

/*
 * Step \n of the 48 of two rounds of block 0. A line is half a quarter round: its first step;
 * a, b, c, d; the rotations of d and b. Clobbers KEY_TMP, flags.
 */
.macro	key_step n
	/* Columns, the first half of each quarter round */
	half_scalar \n, 0,  K0, K4, K8,  K12, 16, 12
	half_scalar \n, 3,  K1, K5, K9,  K13, 16, 12
	half_scalar \n, 6,  K2, K6, K10, K14, 16, 12
	half_scalar \n, 9,  K3, K7, K11, K15, 16, 12
	/* and the second half of each */
	half_scalar \n, 12, K0, K4, K8,  K12, 8, 7
	half_scalar \n, 15, K1, K5, K9,  K13, 8, 7
	half_scalar \n, 18, K2, K6, K10, K14, 8, 7
	half_scalar \n, 21, K3, K7, K11, K15, 8, 7
	/* Diagonals, the first half of each quarter round */
	half_scalar \n, 24, K0, K5, K10, K15, 16, 12
	half_scalar \n, 27, K1, K6, K11, K12, 16, 12
	half_scalar \n, 30, K2, K7, K8,  K13, 16, 12
	half_scalar \n, 33, K3, K4, K9,  K14, 16, 12
	/* and the second half of each */
	half_scalar \n, 36, K0, K5, K10, K15, 8, 7
	half_scalar \n, 39, K1, K6, K11, K12, 8, 7
	half_scalar \n, 42, K2, K7, K8,  K13, 8, 7
	half_scalar \n, 45, K3, K4, K9,  K14, 8, 7
.endm

/* a, b, c, d = column \i of the state of block 0, before its rounds. Clobbers KEY_TMP. */
.macro	begin_key_column i, a, b, c, d
	mov	FRAME_STATE+4*\i(FRAME), \a
	mov	FRAME_STATE+16+4*\i(FRAME), \b
	mov	FRAME_STATE+32+4*\i(FRAME), KEY_TMP
	mov	KEY_TMP, \c
	mov	FRAME_STATE+48+4*\i(FRAME), \d
.endm

/* Block 0 before its rounds */
.macro	begin_key
	begin_key_column 0, K0, K4, K8, K12
	begin_key_column 1, K1, K5, K9, K13
	begin_key_column 2, K2, K6, K10, K14
	begin_key_column 3, K3, K7, K11, K15
.endm

/* Add the state to a and b, words \i and 4 + \i of block 0. */
.macro	end_key_column i, a, b
	add	FRAME_STATE+4*\i(FRAME), \a
	add	FRAME_STATE+16+4*\i(FRAME), \b
.endm

/* Word \i of the key in the frame = lo + 2^32 hi. Clobbers lo, hi, flags. */
.macro	store_key_word i, lo, hi
	shl	$32, \hi
	or	\hi, \lo
	mov	\lo, FRAME_R+8*\i(FRAME)
.endm

/*
 * The MAC's key in the frame = the first half of block 0, by 64-bit words, as it is loaded
 * later. Clobbers K0 to K7, flags.
 */
.macro	end_key
	end_key_column 0, K0, K4
	end_key_column 1, K1, K5
	end_key_column 2, K2, K6
	end_key_column 3, K3, K7
	store_key_word 0, K0_64, K1_64
	store_key_word 1, K2_64, K3_64
	store_key_word 2, K4_64, K5_64
	store_key_word 3, K6_64, K7_64
.endm

/*
 * 2. Interleaving
 *
 * A plan spreads steps evenly over the places of two rounds. A place is a use of the macro
 * "interleave". These are variables of the assembler:
 *
 *	places	places in the two rounds
 *	keyed	whether the steps are those of block 0, or else of the MAC
 *	steps	steps in the two rounds
 *	place	places so far
 *	step	steps so far: place * steps / places, rounded down
 */

/* Begin two rounds. */
.macro	begin_plan places, keyed, steps
	places = \places
	keyed = \keyed
	steps = \steps
	place = 0
	step = 0
.endm

/* The next steps, if any. Clobbers what they clobber. */
.macro	interleave
	place = place + 1
.rept place * steps / places - step
.if keyed
	key_step step
.else
	mac_step step/9, step%9
.endif
	step = step + 1
.endr
.endm

/* End two rounds. */
.macro	end_plan
.if place != places || step != steps
	.error	"not all steps are interleaved"
.endif
.endm

/*
 * 3. Columns
 */

/* Vw holds word w of 8 blocks; word 9 is in FRAME_WORD. */
.set V0, %ymm0
.set V1, %ymm1
.set V2, %ymm2
.set V3, %ymm3
.set V4, %ymm4
.set V5, %ymm5
.set V6, %ymm6
.set V7, %ymm7
.set V8, %ymm8
.set V10, %ymm10
.set V11, %ymm11
.set V12, %ymm12
.set V13, %ymm13
.set V14, %ymm14
.set V15, %ymm15
.set TMP, %ymm9
.set V9, %ymm9		/* after the rounds, in place of TMP */

/* b = b <<< \n. Clobbers TMP. */
.macro	rotate_column n, b
	vpslld	$\n, \b, TMP
	vpsrld	$32-\n, \b, \b
	vpor	TMP, \b, \b
.endm

/*
 * Half of four quarter rounds: a += b; d = (d ^ a) <<< 16 or 8, as \mask says; c += d;
 * b = (b ^ c) <<< \n. c1 is word 9, in memory. Clobbers TMP. There are 12 places.
 */
.macro	half_columns mask, n, a0, b0, c0, d0, a1, b1, d1, a2, b2, c2, d2, a3, b3, c3, d3
	/* a += b */
	vpaddd	\b0, \a0, \a0
	vpaddd	\b1, \a1, \a1
	interleave
	vpaddd	\b2, \a2, \a2
	vpaddd	\b3, \a3, \a3
	interleave
	/* d ^= a */
	vpxor	\a0, \d0, \d0
	vpxor	\a1, \d1, \d1
	interleave
	vpxor	\a2, \d2, \d2
	vpxor	\a3, \d3, \d3
	interleave
	/* d = d <<< 16 or 8 */
	vpshufb	\mask(%rip), \d0, \d0
	vpshufb	\mask(%rip), \d1, \d1
	vpshufb	\mask(%rip), \d2, \d2
	vpshufb	\mask(%rip), \d3, \d3
	interleave
	/* c += d, first c1; b1 ^= c1 */
	vpaddd	FRAME_WORD(FRAME), \d1, TMP
	vmovdqa	TMP, FRAME_WORD(FRAME)
	vpxor	TMP, \b1, \b1
	vpaddd	\d0, \c0, \c0
	interleave
	vpaddd	\d2, \c2, \c2
	vpaddd	\d3, \c3, \c3
	interleave
	/* b ^= c */
	vpxor	\c0, \b0, \b0
	vpxor	\c2, \b2, \b2
	vpxor	\c3, \b3, \b3
	interleave
	/* b = b <<< 12 or 7 */
	rotate_column \n, \b1
	interleave
	rotate_column \n, \b0
	interleave
	rotate_column \n, \b2
	interleave
	rotate_column \n, \b3
	interleave
.endm

/* Four quarter rounds of 8 blocks, with the words of half_columns. Clobbers TMP. */
.macro	round_columns words:vararg
	half_columns rotate_16, 12, \words
	half_columns rotate_8, 7, \words
.endm

/*
 * Two rounds of 8 blocks, interleaved with \steps steps. A line is a quarter round; word 9,
 * the third of the second line, is in memory. Clobbers TMP, and what the steps clobber.
 */
.macro	double_round_columns steps, keyed=0
	begin_plan 48, \keyed, \steps
	/* Columns */
	round_columns \
		V0, V4, V8,  V12, \
		V1, V5,      V13, \
		V2, V6, V10, V14, \
		V3, V7, V11, V15
	/* Diagonals */
	round_columns \
		V0, V5, V10, V15, \
		V3, V4,      V14, \
		V1, V6, V11, V12, \
		V2, V7, V8,  V13
	end_plan
.endm

/* The words of 8 blocks before the rounds. Clobbers TMP. */
.macro	begin_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd FRAME_STATE+4*\w(FRAME), V\w
.endr
	vmovdqa	FRAME_NUMBERS(FRAME), V12
	vpbroadcastd FRAME_STATE+4*9(FRAME), TMP
	vmovdqa	TMP, FRAME_WORD(FRAME)
.endm

/*
 * Turn words a, b, c, d of 8 blocks into their row. Clobbers t; d is free afterwards. The
 * 32-bit lanes of the lower half, from the lowest on, a2 being word a of block 2; the upper
 * half is the same with blocks 4 to 7:
 *
 *	\a  a0 a1 a2 a3		\t  a0 b0 a1 b1		\c  a0 b0 c0 d0
 *	\b  b0 b1 b2 b3		\b  a2 b2 a3 b3		\a  a1 b1 c1 d1
 *	\c  c0 c1 c2 c3		\a  c0 d0 c1 d1		\t  a2 b2 c2 d2
 *	\d  d0 d1 d2 d3		\d  c2 d2 c3 d3		\b  a3 b3 c3 d3
 *
 * So the halves of c, a, t, b are the row of blocks 0 and 4, 1 and 5, 2 and 6, 3 and 7.
 */
.macro	columns_to_rows a, b, c, d, t
	vpunpckldq \b, \a, \t
	vpunpckhdq \b, \a, \b
	vpunpckldq \d, \c, \a
	vpunpckhdq \d, \c, \d
	vpunpcklqdq \a, \t, \c
	vpunpckhqdq \a, \t, \a
	vpunpcklqdq \d, \b, \t
	vpunpckhqdq \d, \b, \b
.endm

/*
 * Xor two successive rows to the text of blocks \block and \block + 4. The lower halves of x
 * and y are the rows of the first block, the upper halves those of the second. Row x is at
 * byte \at of a block. Clobbers y, t.
 */
.macro	put_rows block, at, x, y, t
	vperm2i128 $0x20, \y, \x, \t
	vperm2i128 $0x31, \y, \x, \y
	vpxor	64*\block+\at(SRC), \t, \t
	vmovdqu	\t, 64*\block+\at(DST)
	vpxor	64*\block+256+\at(SRC), \y, \y
	vmovdqu	\y, 64*\block+256+\at(DST)
.endm

/*
 * Add the words from before the rounds, and xor the keystream to a stride of text. Increase
 * the numbers of the frame by 8. Clobbers all vectors and FRAME_WORD.
 */
.macro	end_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd FRAME_STATE+4*\w(FRAME), TMP
	vpaddd	TMP, V\w, V\w
.endr
	vpaddd	FRAME_NUMBERS(FRAME), V12, V12
	vpbroadcastd FRAME_STATE+4*9(FRAME), V9
	vpaddd	FRAME_WORD(FRAME), V9, V9

	/*
	 * Rows 0 and 1, with V15 in memory to free a register. The rows of blocks
	 *
	 *			0, 4	1, 5	2, 6	3, 7
	 *	words 0 to 3	V2	V0	V15	V1	free: V3
	 *	words 4 to 7	V6	V4	V3	V5	free: V7
	 */
	vmovdqa	V15, FRAME_WORD(FRAME)
	columns_to_rows V0, V1, V2, V3, V15
	columns_to_rows V4, V5, V6, V7, V3
	put_rows 0, 0, V2, V6, V7
	put_rows 1, 0, V0, V4, V7
	put_rows 2, 0, V15, V3, V7
	put_rows 3, 0, V1, V5, V7

	/*
	 * Rows 2 and 3. V0 to V7 are free.
	 *
	 *			0, 4	1, 5	2, 6	3, 7
	 *	words 8 to 11	V10	V8	V0	V9	free: V11
	 *	words 12 to 15	V14	V12	V11	V13	free: V15
	 */
	vmovdqa	FRAME_WORD(FRAME), V15
	columns_to_rows V8, V9, V10, V11, V0
	columns_to_rows V12, V13, V14, V15, V11
	put_rows 0, 32, V10, V14, V15
	put_rows 1, 32, V8, V12, V15
	put_rows 2, 32, V0, V11, V15
	put_rows 3, 32, V9, V13, V15

	vmovdqa	FRAME_NUMBERS(FRAME), TMP
	vpaddd	next_stride(%rip), TMP, TMP
	vmovdqa	TMP, FRAME_NUMBERS(FRAME)
.endm

/*
 * Wipe vectors, the spilled word, and the general registers that have held secrets; K14 is u3,
 * too. Restore registers and return. K15 is not wiped here, as it is DST in the end of
 * functions with columns.
 */
.macro	wipe_and_return
	vzeroall
	vmovdqa	V0, FRAME_WORD(FRAME)
	pop	MAC
	restore_registers
	xor	K14, K14
	clear_registers
	RET
.endm

/*
 * void chapoly_avx2_strides(struct chapoly_avx2 *frame, u8 *dst, const u8 *src, size_t strides,
 *			     const u8 *mac, size_t rounds);
 *
 * dst = src xor the keystream of blocks frame->blocks.numbers, which each stride of 512 bytes
 * increases by 8. h = h r^n + m_1 r^(n - 1) + ... + m_n modulo p, for the n = 4 rounds strides
 * blocks m_i at mac, each with bit 128 set. The last rounds of the 10 double rounds of a stride
 * are interleaved with 4 blocks each, which are read before that stride of dst is written. The
 * multiplication of h by r is pending, and h[2] < 2^63.1, before and after.
 *
 * in:        rdi frame, rsi dst, rdx src, rcx strides, r8 mac, r9 rounds
 * requires:  frame is aligned to 32 bytes; 0 < strides < 2^22; rounds <= 10; dst is src or
 *            apart from it; src and mac are apart from frame; dst is apart from the members of
 *            frame before stream; mac is apart from dst, or mac = dst + d with d = -512, 0, 128,
 *            256, 384 or 512 if rounds = 8, or with d = 0, 128, 256 or 384 if rounds = 10 and
 *            strides = 1; unless rounds = 0, frame->mac has r, clamped, q1 = 5 r1 / 4 and
 *            s0 = 5 r0; frame->mac.h[2] < 2^63.1
 * reads:     frame->blocks, frame->mac.h, frame->mac.key[0, 16), frame->mac.q1,
 *            frame->mac.s0, src[0, 512 strides), mac[0, 64 rounds strides)
 * writes:    dst[0, 512 strides), frame->blocks.numbers, frame->word, frame->mac.h with
 *            h[2] < 2^63.1
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rdx, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     72
 * features:  AVX2, BMI2
 */
SYM_FUNC_START(chapoly_avx2_strides)
	save_registers
	push	MAC				/* callee-saved, too */
	mov	ARG_FRAME, FRAME
	mov	ARG_MAC, MAC
	push	ARG_STRIDES			/* STRIDES */
	push	ARG_ROUNDS			/* MIXED */
	mov	$10, COUNT
	sub	ARG_ROUNDS, COUNT_64
	push	COUNT_64			/* PLAIN */
	mov	ARG_DST, DST
	mov	ARG_SRC, SRC
	load_mac

.Lstride:
	begin_columns
	mov	PLAIN, COUNT
	test	COUNT, COUNT
	jz	.Lall_mixed
.p2align 6
.Lrounds:
	double_round_columns 0
	dec	COUNT
	jnz	.Lrounds
.Lall_mixed:
	mov	MIXED, COUNT
	test	COUNT, COUNT
	jz	.Lend_columns
.p2align 6
.Lrounds_and_mac:
	double_round_columns 4*9
	add	$4 * 16, MAC
	dec	COUNT
	jnz	.Lrounds_and_mac
.Lend_columns:
	end_columns
	add	$512, SRC
	add	$512, DST
	decq	STRIDES
	jnz	.Lstride

	store_mac
	add	$24, %rsp			/* PLAIN, MIXED, STRIDES */
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_strides)

/*
 * void chapoly_avx2_key(struct chapoly_avx2 *frame, u8 *dst, const u8 *src);
 *
 * dst = src xor the keystream of blocks frame->blocks.numbers, a stride, which increases these
 * by 8. frame->mac.key = the first half of block 0, whose state is frame->blocks.state.
 * General registers and frame->mac.h compute block 0, interleaved with all rounds, and the
 * latter holds words of block 0 afterwards.
 *
 * in:        rdi frame, rsi dst, rdx src
 * requires:  frame is aligned to 32 bytes; dst is src or apart from it; src is apart from
 *            frame, and dst from the members of frame before stream
 * reads:     frame->blocks, src[0, 512)
 * writes:    dst[0, 512), frame->blocks.numbers, frame->word, frame->mac.key, frame->mac.h[0, 16)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rdx, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     64
 * features:  AVX2
 */
SYM_FUNC_START(chapoly_avx2_key)
	save_registers
	push	MAC				/* callee-saved, too */
	push	ARG_DST
	push	ARG_SRC
	mov	ARG_FRAME, FRAME
	begin_key
	begin_columns
	mov	$10, KEY_COUNT
.p2align 6
.Lrounds_and_key:
	double_round_columns 48, 1
	dec	KEY_COUNT
	jnz	.Lrounds_and_key
	end_key
	pop	SRC
	pop	DST
	end_columns
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_key)

/*
 * 4. Rows
 */

/* Set 0: the rows of blocks 0 and 1 */
.set A0, %ymm0
.set B0, %ymm1
.set C0, %ymm2
.set D0, %ymm3
/* Set 1: of blocks 2 and 3 */
.set A1, %ymm4
.set B1, %ymm5
.set C1, %ymm6
.set D1, %ymm7
/* Set 2: of blocks 4 and 5 */
.set A2, %ymm8
.set B2, %ymm9
.set C2, %ymm10
.set D2, %ymm11
/* Scratch of each set. Set 2 comes when set 0 is done with its own. */
.set T0, %ymm12
.set T1, %ymm13
.set T2, %ymm12
#define T0_XMM		%xmm12

#define MASK_16		%ymm14	/* rotate_16 */
#define MASK_8		%ymm15	/* rotate_8 */
#define OLD_D		%ymm15	/* after the rounds, in place of MASK_8: row d before them */

/* vpshufd: turn the four words of a half to the left by n, so word i is the old word i + n. */
#define LEFT_1	0x39
#define LEFT_2	0x4e
#define LEFT_3	0x93

/* \op set, args: for each of the first \sets sets, of which there are 1 to 3 */
.macro	each_set sets, op, args:vararg
.irp set, 0, 1, 2
.if \set < \sets
	\op	\set, \args
.endif
.endr
.endm

/* x += y; here and below, rows are named by their letters. */
.macro	add_row	set, x, y
	vpaddd	\y\set, \x\set, \x\set
.endm

/* x ^= y */
.macro	xor_row	set, x, y
	vpxor	\y\set, \x\set, \x\set
.endm

/* x = x <<< 16 or 8, as \mask says */
.macro	shuffle_row set, x, mask
	vpshufb	\mask, \x\set, \x\set
.endm

/* x = x <<< n. Clobbers the set's scratch. */
.macro	rotate_row set, x, n
	vpslld	$\n, \x\set, T\set
	vpsrld	$32-\n, \x\set, \x\set
	vpor	T\set, \x\set, \x\set
.endm

/* Half of all quarter rounds, as half_columns has it. Clobbers T0, T1. There are 6 places. */
.macro	half_rows sets, mask, n
	each_set \sets, add_row, A, B
	interleave
	each_set \sets, xor_row, D, A
	interleave
	each_set \sets, shuffle_row, D, \mask
	interleave
	each_set \sets, add_row, C, D
	interleave
	each_set \sets, xor_row, B, C
	interleave
	each_set \sets, rotate_row, B, \n
	interleave
.endm

/*
 * Turn rows a, c and d of a set, as one of LEFT_1 to LEFT_3 says. Before even rounds that is
 * by 3, 1 and 2 words to the left, after them by 1, 3 and 2:
 *
 *	a	 0  1  2  3	 3  0  1  2
 *	b	 4  5  6  7	 4  5  6  7
 *	c	 8  9 10 11	 9 10 11  8
 *	d	12 13 14 15	14 15 12 13
 *
 * The result of row b is known last, so the other rows turn relative to b.
 */
.macro	turn_rows set, a, c, d
	vpshufd	$\a, A\set, A\set
	vpshufd	$\d, D\set, D\set
	vpshufd	$\c, C\set, C\set
.endm

/* A round of all sets, and the turns of rows after it. Clobbers T0, T1. There are 13 places. */
.macro	round_rows sets, a, c, d
	half_rows \sets, MASK_16, 12
	half_rows \sets, MASK_8, 7
	each_set \sets, turn_rows, \a, \c, \d
	interleave
.endm

/*
 * Two rounds of all sets, interleaved with \steps steps. Clobbers T0, T1, and what the steps
 * clobber.
 */
.macro	double_round_rows sets, steps, keyed=0
	begin_plan 26, \keyed, \steps
	round_rows \sets, LEFT_3, LEFT_1, LEFT_2
	round_rows \sets, LEFT_1, LEFT_3, LEFT_2
	end_plan
.endm

/* d = row 3 of the set's blocks before the rounds. Clobbers T0. */
.macro	load_row_d set, d
	vbroadcasti128 FRAME_STATE+48(FRAME), \d
	/* 64-bit lanes n0, n1 of two numbers become n0, n0, n1, n0. Both become words 12. */
	vpmovzxdq FRAME_NUMBERS+8*\set(FRAME), T0_XMM
	vpermq	$0x10, T0, T0
	vpblendd $0x11, T0, \d, \d
.endm

/* The rows of a set before the rounds, of blocks 2 \set and 2 \set + 1. Clobbers T0. */
.macro	begin_rows set, a, b, c, d
	vbroadcasti128 FRAME_STATE(FRAME), \a\set
	vbroadcasti128 FRAME_STATE+16(FRAME), \b\set
	vbroadcasti128 FRAME_STATE+32(FRAME), \c\set
	load_row_d \set, \d\set
.endm

/* Store two rows of a set's blocks in the stream, x at byte \at of a block. Clobbers T0. */
.macro	store_rows set, at, x, y
	vperm2i128 $0x20, \y, \x, T0
	vmovdqa	T0, FRAME_STREAM+128*\set+\at(FRAME)
	vperm2i128 $0x31, \y, \x, T0
	vmovdqa	T0, FRAME_STREAM+128*\set+64+\at(FRAME)
.endm

/* Add the rows from before the rounds, and store the keystream. Clobbers T0, OLD_D. */
.macro	end_rows set, a, b, c, d
	vbroadcasti128 FRAME_STATE(FRAME), T0
	vpaddd	T0, \a\set, \a\set
	vbroadcasti128 FRAME_STATE+16(FRAME), T0
	vpaddd	T0, \b\set, \b\set
	vbroadcasti128 FRAME_STATE+32(FRAME), T0
	vpaddd	T0, \c\set, \c\set
	load_row_d \set, OLD_D
	vpaddd	OLD_D, \d\set, \d\set
	store_rows \set, 0, \a\set, \b\set
	store_rows \set, 32, \c\set, \d\set
.endm

/* The masks of shuffle_row */
.macro	load_masks
	vmovdqa	rotate_16(%rip), MASK_16
	vmovdqa	rotate_8(%rip), MASK_8
.endm

/*
 * frame->stream = the keystream of the first 2 \sets blocks frame->blocks.numbers. With
 * keyed=1, after begin_key, also frame->mac.key = the first half of block 0. \count counts
 * double rounds. The loop is aligned to 2^\align bytes. Clobbers all vectors, \count, flags,
 * and with block 0 what that has in general registers and in frame->mac.h.
 */
.macro	stream_rows sets, count, align, steps, keyed=0
	each_set \sets, begin_rows, A, B, C, D
	mov	$10, \count
.p2align \align
.Lrounds\@:
	double_round_rows \sets, \steps, \keyed
	dec	\count
	jnz	.Lrounds\@
.if \keyed
	end_key
.endif
	each_set \sets, end_rows, A, B, C, D
.endm

/*
 * void chapoly_avx2_rows_key(struct chapoly_avx2 *frame, size_t blocks);
 *
 * frame->stream = the keystream of the first 4 blocks frame->blocks.numbers if blocks <= 4, or
 * else of the first 6. frame->mac.key = the first half of block 0, whose state is
 * frame->blocks.state. General registers and frame->mac.h compute block 0, interleaved with
 * all rounds, and the latter holds words of block 0 afterwards.
 *
 * in:        rdi frame, rsi blocks
 * requires:  frame is aligned to 32 bytes; 0 < blocks <= 6
 * reads:     frame->blocks.state, frame->blocks.numbers[0, 24)
 * writes:    frame->stream[0, 384) (only 256 bytes if blocks <= 4), frame->word, frame->mac.key,
 *            frame->mac.h[0, 16)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     48
 * features:  AVX2
 */
SYM_FUNC_START(chapoly_avx2_rows_key)
	save_registers
	push	MAC				/* callee-saved, too */
	mov	ARG_FRAME, FRAME
	load_masks
	begin_key
	cmp	$4, ARG_BLOCKS
	ja	.Lsix
	stream_rows 2, KEY_COUNT, 6, 48, 1
	jmp	.Lwipe_key
.Lsix:
	stream_rows 3, KEY_COUNT, 6, 48, 1
.Lwipe_key:
	xor	K15, K15
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_rows_key)

/*
 * void chapoly_avx2_rows(struct chapoly_avx2 *frame, size_t blocks);
 *
 * frame->stream = the keystream of the first 2 blocks frame->blocks.numbers if blocks <= 2, or
 * else of the first 4.
 *
 * in:        rdi frame, rsi blocks
 * requires:  frame is aligned to 32 bytes; 0 < blocks <= 4
 * reads:     frame->blocks.state, frame->blocks.numbers[0, 16)
 * writes:    frame->stream[0, 256) (only 128 bytes if blocks <= 2)
 * returns:   -
 * clobbers:  rax, ymm0-ymm15, flags
 * wipes:     ymm0-ymm15
 * stack:     8
 * features:  AVX2
 */
SYM_FUNC_START(chapoly_avx2_rows)
	push	FRAME
	mov	ARG_FRAME, FRAME
	load_masks
	cmp	$2, ARG_BLOCKS
	ja	.Lfour
	stream_rows 1, COUNT, 5, 0
	jmp	.Lwipe_rows
.Lfour:
	stream_rows 2, COUNT, 5, 0
.Lwipe_rows:
	vzeroall
	pop	FRAME
	RET
SYM_FUNC_END(chapoly_avx2_rows)

/*
 * void chapoly_avx2_rows_mac(struct chapoly_avx2 *frame, const u8 *mac);
 *
 * frame->stream = the keystream of the first 4 blocks frame->blocks.numbers.
 * h = h r^32 + m_1 r^31 + ... + m_32 modulo p, for the 32 blocks m_i at mac, each with bit 128
 * set. The first 8 of the 10 double rounds are interleaved with 4 blocks each. The
 * multiplication of h by r is pending, and h[2] < 2^63.1, before and after.
 *
 * in:        rdi frame, rsi mac
 * requires:  frame is aligned to 32 bytes; mac is apart from frame; frame->mac has r, clamped,
 *            q1 = 5 r1 / 4 and s0 = 5 r0; frame->mac.h[2] < 2^63.1
 * reads:     frame->blocks.state, frame->blocks.numbers[0, 16), frame->mac.h,
 *            frame->mac.key[0, 16), frame->mac.q1, frame->mac.s0, mac[0, 512)
 * writes:    frame->stream[0, 256), frame->word, frame->mac.h with h[2] < 2^63.1
 * returns:   -
 * clobbers:  rax, rdx, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rdx, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     48
 * features:  AVX2, BMI2
 */
SYM_FUNC_START(chapoly_avx2_rows_mac)
	save_registers
	push	MAC				/* callee-saved, too */
	mov	ARG_FRAME, FRAME
	mov	ARG_ROWS_MAC, MAC
	load_mac
	load_masks
	each_set 2, begin_rows, A, B, C, D
	mov	$8, COUNT
.p2align 6
.Lwith_mac:
	double_round_rows 2, 4*9
	add	$4 * 16, MAC
	dec	COUNT
	jnz	.Lwith_mac
	mov	$2, COUNT
.Lwithout_mac:
	double_round_rows 2, 0
	dec	COUNT
	jnz	.Lwithout_mac
	each_set 2, end_rows, A, B, C, D
	store_mac
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_rows_mac)
