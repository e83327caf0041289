/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4) for CPUs with AVX2 and BMI2, together with Poly1305.
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
 *    vectors are a set; there are one or three sets, A0 to D0, A1 to D1 and A2 to D2. One
 *    vector instruction is a step of 8 quarter rounds. turn_rows turns the rows, which makes
 *    columns of diagonals, and back.
 *
 * The rounds need no general registers, so these compute something else: four blocks of the MAC
 * of other text, or, before the MAC has a key, a double round of block 0, which gives the key.
 * Either follows the vector instructions of a double round, on none of which it depends. A double
 * round and what follows it have at most 260 instructions, so a CPU that reorders that many can
 * overlap them. An earlier version interleaved the two kinds of instructions; it had three times
 * the size and was no faster (Zen 5, 29 November 2026).
 *
 * The multiplication of the MAC's accumulator h by r is pending: where RFC 8439 has h r, the
 * frame has h. So a block m takes h to h r + m.
 *
 * The file has three parts: general registers, columns, and rows.
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
#define ARG_MAC		src
#define ARG_ROUNDS	%rdx
#define ARG_BLOCKS	%rcx	/* of chapoly_avx2_rows() */
#define ARG_DST		%rcx	/* of chapoly_avx2_strides(), and the next two */
#define ARG_SRC		%r8
#define ARG_STRIDES	%r9

/* struct chapoly_avx2. A pointer to its middle reaches most members with one byte of offset. */
#define FRAME		%rcx
#define MIDDLE		128
#define STATE(at)	FRAME_STATE+(-MIDDLE)+at(FRAME)
#define NUMBERS(at)	FRAME_NUMBERS+(-MIDDLE)+at(FRAME)
#define WORD_9		FRAME_WORD+(-MIDDLE)(FRAME)
#define MAC(at)		FRAME_H+(-MIDDLE)+at(FRAME)
#define STREAM(at)	FRAME_STREAM+(-MIDDLE)+at(FRAME)

/* On the stack of both functions */
#define COUNT		(%rsp)	 /* double rounds left */
#define ROUNDS		8(%rsp)	 /* the argument: how many of the last ones have a MAC */
/* On that of chapoly_avx2_rows() */
#define BLOCKS		16(%rsp) /* the argument */
/* On that of chapoly_avx2_strides() */
#define STRIDES		16(%rsp) /* strides left */
#define NEXT_DST	24(%rsp) /* this stride of dst */
#define NEXT_SRC	32(%rsp) /* this stride of src */

/* With the MAC, besides the registers of mulx_r, src and u3 among them */
#define TO_TAKE		%r15d	/* blocks to take in this double round */
#define TO_TAKE_64	%r15

/* With block 0: Kw is its word w. Words 8 to 11 are in memory, in place of h. */
.set K0, %r8d
.set K1, %r9d
.set K2, %r10d
.set K3, %r11d
.set K4, %r12d
.set K5, %r13d
.set K6, %r14d
.set K7, %ebp
#define K8		MAC(MAC_H)
#define K9		MAC(MAC_H+4)
#define K10		MAC(MAC_H+8)
#define K11		MAC(MAC_H+12)
.set K12, %ebx
.set K13, %edx
.set K14, %edi
.set K15, %r15d
#define KEY_TMP		%eax	/* a word of row 2 */

/* x = h of the frame; r and its multiples */
.macro	load_mac
	load_words MAC(MAC_H), x0, x1, x2
	mov	MAC(MAC_R), r0
	mov	MAC(MAC_R+8), r1
	mov	MAC(MAC_Q1), q1
	mov	MAC(MAC_S0), s0
.endm

/*
 * If this double round is among the last ROUNDS, x = x r + m for each of the next 4 blocks m at
 * src, with bit 128 set. In and out: x2 < 2^63.1. Clobbers TO_TAKE, rdx, u0, u1, u2, u3, flags.
 */
.macro	four_blocks
	mov	COUNT, TO_TAKE
	cmp	ROUNDS, TO_TAKE
	ja	.Lnone\@
	mov	$4, TO_TAKE
.Lblock\@:
	mulx_r	0(src), $1
	add	$16, src
	dec	TO_TAKE
	jnz	.Lblock\@
.Lnone\@:
.endm

/*
 * Half a quarter round of block 0, of words a, b, c and d, of which c is in memory. Clobbers
 * KEY_TMP, flags.
 */
.macro	half_scalar a, b, c, d, turn_d, turn_b
	/* a += b; d = (d ^ a) <<< \turn_d */
	add	\b, \a
	xor	\a, \d
	rol	$\turn_d, \d
	/* c += d */
	mov	\c, KEY_TMP
	add	\d, KEY_TMP
	mov	KEY_TMP, \c
	/* b = (b ^ c) <<< \turn_b */
	xor	KEY_TMP, \b
	rol	$\turn_b, \b
.endm

/* Two rounds of block 0. A line is half a quarter round. Clobbers KEY_TMP, flags. */
.macro	double_round_key
	/* Columns, the first half of each quarter round */
	half_scalar K0, K4, K8,  K12, 16, 12
	half_scalar K1, K5, K9,  K13, 16, 12
	half_scalar K2, K6, K10, K14, 16, 12
	half_scalar K3, K7, K11, K15, 16, 12
	/* and the second half of each */
	half_scalar K0, K4, K8,  K12, 8, 7
	half_scalar K1, K5, K9,  K13, 8, 7
	half_scalar K2, K6, K10, K14, 8, 7
	half_scalar K3, K7, K11, K15, 8, 7
	/* Diagonals, the first half of each quarter round */
	half_scalar K0, K5, K10, K15, 16, 12
	half_scalar K1, K6, K11, K12, 16, 12
	half_scalar K2, K7, K8,  K13, 16, 12
	half_scalar K3, K4, K9,  K14, 16, 12
	/* and the second half of each */
	half_scalar K0, K5, K10, K15, 8, 7
	half_scalar K1, K6, K11, K12, 8, 7
	half_scalar K2, K7, K8,  K13, 8, 7
	half_scalar K3, K4, K9,  K14, 8, 7
.endm

/* a, b, c, d = column \i of the state of block 0, before its rounds. Clobbers KEY_TMP. */
.macro	begin_key_column i, a, b, c, d
	mov	STATE(4*\i), \a
	mov	STATE(16+4*\i), \b
	mov	STATE(32+4*\i), KEY_TMP
	mov	KEY_TMP, \c
	mov	STATE(48+4*\i), \d
.endm

/* Block 0 before its rounds */
.macro	begin_key
	begin_key_column 0, K0, K4, K8, K12
	begin_key_column 1, K1, K5, K9, K13
	begin_key_column 2, K2, K6, K10, K14
	begin_key_column 3, K3, K7, K11, K15
.endm

/* The MAC's key in the frame = the first half of block 0. Clobbers K0 to K7, flags. */
.macro	end_key
.irp w, 0, 1, 2, 3, 4, 5, 6, 7
	add	STATE(4*\w), K\w
	mov	K\w, MAC(MAC_R+4*\w)
.endr
.endm

/*
 * h of the frame = x. Wipe vectors, the spilled word, and the general registers that have held
 * secrets; K14 is u3, too. Free \stack bytes of arguments, restore registers and return.
 */
.macro	wipe_and_return stack
	store_words x0, x1, x2, MAC(MAC_H)
	vzeroall
	vmovdqa	V0, WORD_9
	add	$\stack, %rsp
	pop	TO_TAKE_64
	restore_registers
	zero_regs K14
	clear_registers
	RET
.endm

/*
 * 2. Columns
 */

/* Vw holds word w of 8 blocks; word 9 is in WORD_9. */
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

/* After the rounds: this stride of text */
#define DST		%rdi
#define SRC		%rdx

/* Of the two orders of operands that vpxor and vpor permit, the code has the shorter encoding. */

/* b = b <<< \n. Clobbers TMP. */
.macro	rotate_column n, b
	vpslld	$\n, \b, TMP
	vpsrld	$32-\n, \b, \b
	vpor	\b, TMP, \b
.endm

/*
 * Half of four quarter rounds: a += b; d = (d ^ a) <<< 16 or 8, as \mask says; c += d;
 * b = (b ^ c) <<< \n. c1 is word 9, in memory. Clobbers TMP.
 */
.macro	half_columns mask, n, a0, b0, c0, d0, a1, b1, d1, a2, b2, c2, d2, a3, b3, c3, d3
	/* a += b */
	vpaddd	\b0, \a0, \a0
	vpaddd	\b1, \a1, \a1
	vpaddd	\b2, \a2, \a2
	vpaddd	\b3, \a3, \a3
	/* d ^= a */
	vpxor	\a0, \d0, \d0
	vpxor	\a1, \d1, \d1
	vpxor	\a2, \d2, \d2
	vpxor	\a3, \d3, \d3
	/* d = d <<< 16 or 8 */
	vpshufb	\mask(%rip), \d0, \d0
	vpshufb	\mask(%rip), \d1, \d1
	vpshufb	\mask(%rip), \d2, \d2
	vpshufb	\mask(%rip), \d3, \d3
	/* c += d, first c1; b1 ^= c1 */
	vpaddd	WORD_9, \d1, TMP
	vmovdqa	TMP, WORD_9
	vpxor	\b1, TMP, \b1
	vpaddd	\d0, \c0, \c0
	vpaddd	\d2, \c2, \c2
	vpaddd	\d3, \c3, \c3
	/* b ^= c */
	vpxor	\b0, \c0, \b0
	vpxor	\b2, \c2, \b2
	vpxor	\b3, \c3, \b3
	/* b = b <<< 12 or 7 */
	rotate_column \n, \b1
	rotate_column \n, \b0
	rotate_column \n, \b2
	rotate_column \n, \b3
.endm

/* Four quarter rounds of 8 blocks, with the words of half_columns. Clobbers TMP. */
.macro	round_columns words:vararg
	half_columns rotate_16, 12, \words
	half_columns rotate_8, 7, \words
.endm

/*
 * Two rounds of 8 blocks. A line is a quarter round; word 9, the third of the second line, is
 * in memory. Clobbers TMP.
 */
.macro	double_round_columns
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
.endm

/* The words of 8 blocks before the rounds. Clobbers TMP. */
.macro	begin_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd STATE(4*\w), V\w
.endr
	vmovdqa	NUMBERS(0), V12
	vpbroadcastd STATE(4*9), TMP
	vmovdqa	TMP, WORD_9
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
 * the numbers of the frame by 8. Clobbers all vectors and WORD_9.
 */
.macro	end_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd STATE(4*\w), TMP
	vpaddd	TMP, V\w, V\w
.endr
	vpaddd	NUMBERS(0), V12, V12
	vpbroadcastd STATE(4*9), V9
	vpaddd	WORD_9, V9, V9

	/*
	 * Rows 0 and 1, with V15 in memory to free a register. The rows of blocks
	 *
	 *			0, 4	1, 5	2, 6	3, 7
	 *	words 0 to 3	V2	V0	V15	V1	free: V3
	 *	words 4 to 7	V6	V4	V3	V5	free: V7
	 */
	vmovdqa	V15, WORD_9
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
	vmovdqa	WORD_9, V15
	columns_to_rows V8, V9, V10, V11, V0
	columns_to_rows V12, V13, V14, V15, V11
	put_rows 0, 32, V10, V14, V15
	put_rows 1, 32, V8, V12, V15
	put_rows 2, 32, V0, V11, V15
	put_rows 3, 32, V9, V13, V15

	vmovdqa	NUMBERS(0), TMP
	vpaddd	next_stride(%rip), TMP, TMP
	vmovdqa	TMP, NUMBERS(0)
.endm

/*
 * void chapoly_avx2_strides(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds, u8 *dst,
 *			     const u8 *src, size_t strides);
 *
 * dst = src xor the keystream of blocks frame->blocks.numbers, which each stride of 512 bytes
 * increases by 8.
 *
 * h = h r^n + m_1 r^(n - 1) + ... + m_n modulo p, for the n = 4 rounds strides blocks m_i at
 * mac, each with bit 128 set. The last rounds of the 10 double rounds of a stride come with 4
 * blocks each, which are read before that stride of dst is written. The multiplication of h by
 * r is pending, and h[2] < 2^63.1, before and after.
 *
 * If rounds = WITH_KEY, block 0, whose state is frame->blocks.state, takes the place of the
 * MAC. frame->mac.key = its first half, and frame->mac.h holds words of it afterwards.
 *
 * in:        rdi frame, rsi mac, rdx rounds, rcx dst, r8 src, r9 strides
 * requires:  frame is aligned to 32 bytes; 0 < strides < 2^22; rounds <= 11, which is
 *            WITH_KEY, and then strides = 1; dst is src or apart from it; src and mac are apart
 *            from frame; dst is apart from the members of frame before stream; mac is apart
 *            from dst, or mac = dst - 512 and rounds = 8; unless rounds = 0 or WITH_KEY,
 *            frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0; frame->mac.h[2] < 2^63.1
 * reads:     frame->blocks, frame->mac.h, frame->mac.key[0, 16), frame->mac.q1,
 *            frame->mac.s0, src[0, 512 strides), mac[0, 64 rounds strides)
 * writes:    dst[0, 512 strides), frame->blocks.numbers, frame->word,
 *            frame->mac.key (if rounds = WITH_KEY), frame->mac.h with h[2] < 2^63.1
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rdx, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     88
 * features:  AVX2, BMI2
 */
SYM_FUNC_START(chapoly_avx2_strides)
	save_registers
	push	TO_TAKE_64				/* callee-saved, too */
	push	ARG_SRC				/* NEXT_SRC */
	push	ARG_DST				/* NEXT_DST */
	push	ARG_STRIDES			/* STRIDES */
	push	ARG_ROUNDS			/* ROUNDS */
	push	$0				/* COUNT */
	lea	MIDDLE(ARG_FRAME), FRAME
	load_mac
	cmp	$WITH_KEY, ARG_ROUNDS
	jne	.Lstride
	begin_key

.Lstride:
	begin_columns
	movl	$10, COUNT
.p2align 5
.Lcolumns:
	double_round_columns
	cmpl	$WITH_KEY, ROUNDS
	je	.Lblock_0
	four_blocks
.Lnext_columns:
	decl	COUNT
	jnz	.Lcolumns
	cmpl	$WITH_KEY, ROUNDS
	jne	.Lend_columns
	end_key
.Lend_columns:
	mov	NEXT_SRC, SRC
	mov	NEXT_DST, DST
	end_columns
	addq	$512, NEXT_SRC
	addq	$512, NEXT_DST
	decq	STRIDES
	jnz	.Lstride
	wipe_and_return 5*8

.Lblock_0:
	double_round_key
	jmp	.Lnext_columns
SYM_FUNC_END(chapoly_avx2_strides)

/*
 * 3. Rows
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
/* Scratch of each set */
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

/* \op set, args: for each of \sets, which are "0", or "1, 2" */
.macro	each_set sets, op, args:vararg
.irp set, \sets
	\op	\set, \args
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
	vpor	\x\set, T\set, \x\set
.endm

/* Half of all quarter rounds, as half_columns has it. Clobbers the scratch of the sets. */
.macro	half_rows sets, mask, n
	each_set "\sets", add_row, A, B
	each_set "\sets", xor_row, D, A
	each_set "\sets", shuffle_row, D, \mask
	each_set "\sets", add_row, C, D
	each_set "\sets", xor_row, B, C
	each_set "\sets", rotate_row, B, \n
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

/* A round of the sets, and the turns of rows after it. Clobbers the scratch of the sets. */
.macro	round_rows sets, a, c, d
	half_rows "\sets", MASK_16, 12
	half_rows "\sets", MASK_8, 7
	each_set "\sets", turn_rows, \a, \c, \d
.endm

/* Two rounds of the sets. Clobbers the scratch of the sets. */
.macro	double_round_rows sets
	round_rows "\sets", LEFT_3, LEFT_1, LEFT_2
	round_rows "\sets", LEFT_1, LEFT_3, LEFT_2
.endm

/* d = row 3 of the set's blocks before the rounds. Clobbers T0. */
.macro	load_row_d set, d
	vbroadcasti128 STATE(48), \d
	/* 64-bit lanes n0, n1 of two numbers become n0, n0, n1, n0. Both become words 12. */
	vpmovzxdq NUMBERS(8*\set), T0_XMM
	vpermq	$0x10, T0, T0
	vpblendd $0x11, T0, \d, \d
.endm

/* The rows of a set before the rounds, of blocks 2 \set and 2 \set + 1. Clobbers T0. */
.macro	begin_rows set, a, b, c, d
	vbroadcasti128 STATE(0), \a\set
	vbroadcasti128 STATE(16), \b\set
	vbroadcasti128 STATE(32), \c\set
	load_row_d \set, \d\set
.endm

/* Store two rows of a set's blocks in the stream, x at byte \at of a block. Clobbers T0. */
.macro	store_rows set, at, x, y
	vperm2i128 $0x20, \y, \x, T0
	vmovdqa	T0, STREAM(128*\set+\at)
	vperm2i128 $0x31, \y, \x, T0
	vmovdqa	T0, STREAM(128*\set+64+\at)
.endm

/* Add the rows from before the rounds, and store the keystream. Clobbers T0, OLD_D. */
.macro	end_rows set, a, b, c, d
	vbroadcasti128 STATE(0), T0
	vpaddd	T0, \a\set, \a\set
	vbroadcasti128 STATE(16), T0
	vpaddd	T0, \b\set, \b\set
	vbroadcasti128 STATE(32), T0
	vpaddd	T0, \c\set, \c\set
	load_row_d \set, OLD_D
	vpaddd	OLD_D, \d\set, \d\set
	store_rows \set, 0, \a\set, \b\set
	store_rows \set, 32, \c\set, \d\set
.endm

/*
 * void chapoly_avx2_rows(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds,
 *			  size_t blocks);
 *
 * frame->stream = the keystream of the first 2 blocks frame->blocks.numbers if blocks <= 2, or
 * else of the first 6. h = h r^n + m_1 r^(n - 1) + ... + m_n modulo p, for the n = 4 rounds
 * blocks m_i at mac, each with bit 128 set. The last rounds of the 10 double rounds come with 4
 * blocks each. The multiplication of h by r is pending, and h[2] < 2^63.1, before and after.
 *
 * in:        rdi frame, rsi mac, rdx rounds, rcx blocks
 * requires:  frame is aligned to 32 bytes; 0 < blocks <= 6; rounds <= 10; mac is apart from
 *            frame; unless rounds = 0, frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0;
 *            frame->mac.h[2] < 2^63.1
 * reads:     frame->blocks.state, frame->blocks.numbers[0, 24), frame->mac.h,
 *            frame->mac.key[0, 16), frame->mac.q1, frame->mac.s0, mac[0, 64 rounds)
 * writes:    frame->stream[0, 384) (only 128 bytes if blocks <= 2), frame->word, frame->mac.h
 *            with h[2] < 2^63.1
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, ymm0-ymm15, flags
 * wipes:     rax, rdx, rdi, r8-r11, ymm0-ymm15, frame->word
 * stack:     72
 * features:  AVX2, BMI2
 */
SYM_FUNC_START(chapoly_avx2_rows)
	save_registers
	push	TO_TAKE_64				/* callee-saved, too */
	push	ARG_BLOCKS			/* BLOCKS */
	push	ARG_ROUNDS			/* ROUNDS */
	push	$10				/* COUNT */
	lea	MIDDLE(ARG_FRAME), FRAME
	load_mac
	vmovdqa	rotate_16(%rip), MASK_16
	vmovdqa	rotate_8(%rip), MASK_8
	each_set "0, 1, 2", begin_rows, A, B, C, D
.p2align 5
.Lrows:
	double_round_rows "0"
	cmpl	$2, BLOCKS
	jbe	.Lone_set
	double_round_rows "1, 2"
.Lone_set:
	four_blocks
	decl	COUNT
	jnz	.Lrows
	each_set "0", end_rows, A, B, C, D
	cmpl	$2, BLOCKS
	jbe	.Lend_rows
	each_set "1, 2", end_rows, A, B, C, D
.Lend_rows:
	wipe_and_return 3*8
SYM_FUNC_END(chapoly_avx2_rows)
