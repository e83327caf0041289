/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4) for CPUs with AVX512F, BW and VL, and BMI2.
 *
 * Vectors hold columns of 16 blocks or rows of 4, as chapoly-avx2.S explains. There are one or two
 * sets of rows.
 *
 * The rounds are latency-bound. So two sets of rows are interleaved with the columns, and 24 blocks
 * take about the time of 16. chapoly-x86.h has the prototype.
 */

#include "../../compat.h"

	.section .rodata
	.p2align 6
/* The numbers of a group's blocks, in the order of lanes: of columns, and of a set of rows */
column_numbers:
	.long	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
row_numbers:
	.long	0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0

	.text

/* The arguments */
#define STATE	%rdi	/* 16 words; word 12 is the number of the first block */
#define DST	%rsi
#define SRC	%rdx
#define LEN	%rcx	/* bytes of text left */
#define KEY	%r8	/* receives the first 32 bytes of block 0 */

#define WHOLE	%r9	/* whole blocks of text left */
#define PARTS	%r10	/* blocks of text left, including a partial block */
#define DONE	%r11	/* blocks before this group */
#define DONE32	%r11d
#define ROUNDS	%eax	/* double rounds left */

/* Two sets of rows; scratch; the numbers of the columns' blocks */
.set R0, %zmm16; .set R1, %zmm17; .set R2, %zmm18; .set R3, %zmm19
.set S0, %zmm20; .set S1, %zmm21; .set S2, %zmm22; .set S3, %zmm23
.set Q0, %zmm24; .set Q1, %zmm25; .set Q2, %zmm26; .set Q3, %zmm27
.set T, %zmm28; .set NUMBERS, %zmm29

#define LAST_BYTES	%k1	/* the bytes of a partial block */
#define FIRST_WORDS	%k2	/* word 0 of each 128-bit lane */
#define WITH_KEY	%k3	/* not 0: block 0 of this group is the MAC's key */

/* a += b; d = (d ^ a) <<< n; four times, if given */
.macro	column_step	n, a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3
.ifnb \a0
	vpaddd	\b0, \a0, \a0
	vpaddd	\b1, \a1, \a1
	vpaddd	\b2, \a2, \a2
	vpaddd	\b3, \a3, \a3
	vpxord	\a0, \d0, \d0
	vpxord	\a1, \d1, \d1
	vpxord	\a2, \d2, \d2
	vpxord	\a3, \d3, \d3
	vprold	$\n, \d0, \d0
	vprold	$\n, \d1, \d1
	vprold	$\n, \d2, \d2
	vprold	$\n, \d3, \d3
.endif
.endm

/* A round of \sets sets of rows, interleaved with four quarter rounds of columns, if given */
.macro	one_round sets, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
	column_step	16, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
	each_set \sets, row_step, 0, 16, 0, 1, 3
	column_step	12, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
	each_set \sets, row_step, 0, 12, 2, 3, 1
	column_step	8, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
	each_set \sets, row_step, 0, 8, 0, 1, 3
	column_step	7, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
	each_set \sets, row_step, 0, 7, 2, 3, 1
.endm

/*
 * Apply op to the rows R of four blocks, and S of the next four. from is the number of the first
 * block, and what else op takes.
 */
.macro	each_set sets, op, from:vararg
.if \sets
	\op	R, \from
.endif
.if \sets == 2
	\op	S, 4+\from
.endif
.endm

/* a += b; d = (d ^ a) <<< n; for rows a, b, d of x */
.macro	row_step x, first, n, a, b, d
	vpaddd	\x\b, \x\a, \x\a
	vpxord	\x\a, \x\d, \x\d
	vprold	$\n, \x\d, \x\d
.endm

/* Turn rows 1, 2 and 3 to the left by \b, \c and \d: the source of each word, in two bits */
.macro	turn_rows_zmm x, first, b, c, d
	vpshufd	$\b, \x\()1, \x\()1
	vpshufd	$\c, \x\()2, \x\()2
	vpshufd	$\d, \x\()3, \x\()3
.endm

/* x = the rows of blocks DONE + \first ... DONE + \first + 3 before the rounds. Clobbers T, eax. */
.macro	load_rows x, first
	lea	\first(DONE), %eax
	vbroadcasti32x4 (STATE), \x\()0
	vbroadcasti32x4 16(STATE), \x\()1
	vbroadcasti32x4 32(STATE), \x\()2
	vbroadcasti32x4 48(STATE), \x\()3
	vpbroadcastd %eax, T{FIRST_WORDS}{z}
	vpaddd	\x\()3, T, \x\()3
	vpaddd	row_numbers(%rip), \x\()3, \x\()3
.endm

/* Add to rows x their values from before the rounds, and put them. Clobbers x, Q, T, eax. */
.macro	end_rows_zmm x, first
	load_rows Q, \first
.irp i, 0, 1, 2, 3
	vpaddd	Q\i, \x\i, \x\i
.endr
	put_rows_zmm \first, 1, \x\()0, \x\()1, \x\()2, \x\()3
.endm

/* Xor keystream x to block b of the group, 0 to 23. Blocks below sure are whole. Clobbers T. */
.macro	put_block b, x
.if \b >= sure
	cmp	$\b, WHOLE
	ja	.Lwhole\@
	cmp	$\b, PARTS
	jbe	.Lnone\@
	vmovdqu8 64*(\b)(SRC), T{LAST_BYTES}{z}
	vpxord	\x, T, T
	vmovdqu8 T, 64*(\b)(DST){LAST_BYTES}
	jmp	.Lnone\@
.Lwhole\@:
.endif
	vpxord	64*(\b)(SRC), \x, \x
	vmovdqu64 \x, 64*(\b)(DST)
.Lnone\@:
.endm

/*
 * Xor rows x0 ... x3 of four blocks to the text: lane l of each row belongs to block
 * \first + \step l. Block 0 may be the MAC's key instead. Clobbers x, Q and T.
 */
.macro	put_rows_zmm first, step, x0, x1, x2, x3
	vshufi32x4 $0x44, \x1, \x0, Q0
	vshufi32x4 $0xee, \x1, \x0, Q1
	vshufi32x4 $0x44, \x3, \x2, Q2
	vshufi32x4 $0xee, \x3, \x2, Q3
	vshufi32x4 $0x88, Q2, Q0, \x0
	vshufi32x4 $0xdd, Q2, Q0, \x1
	vshufi32x4 $0x88, Q3, Q1, \x2
	vshufi32x4 $0xdd, Q3, Q1, \x3
.if \first == 0
	kortestq WITH_KEY, WITH_KEY
	jz	.Ltext\@
	vextracti64x4 $0, \x0, (KEY)
	jmp	.Lfirst_done\@
.Ltext\@:
.endif
	put_block \first, \x0
.Lfirst_done\@:
	put_block \first+\step, \x1
	put_block \first+2*\step, \x2
	put_block \first+3*\step, \x3
.endm

/*
 * Turn words a, b, c, d of 16 blocks into their row: lane l of the j-th of these registers becomes
 * the row of block 4 l + j. Clobbers Q.
 */
.macro	words_to_row_zmm a, b, c, d
	vpunpckldq %zmm\b, %zmm\a, Q0
	vpunpckhdq %zmm\b, %zmm\a, Q1
	vpunpckldq %zmm\d, %zmm\c, Q2
	vpunpckhdq %zmm\d, %zmm\c, Q3
	vpunpcklqdq Q2, Q0, %zmm\a
	vpunpckhqdq Q2, Q0, %zmm\b
	vpunpcklqdq Q3, Q1, %zmm\c
	vpunpckhqdq Q3, Q1, %zmm\d
.endm

/*
 * Process 16 blocks in columns, zmm0 ... zmm15, and the next blocks in \sets sets of rows. There
 * must be more than 8 blocks, and more than 16 with two sets.
 */
.macro	columns	sets
	sure = 8 + 4*\sets
	each_set \sets, load_rows, 16
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpbroadcastd 4*\i(STATE), %zmm\i
.endr
	vpbroadcastd DONE32, NUMBERS
	vpaddd	column_numbers(%rip), NUMBERS, NUMBERS
	vpaddd	%zmm12, NUMBERS, NUMBERS
	vmovdqa64 NUMBERS, %zmm12
	mov	$10, ROUNDS
.Lrounds\@:
	one_round \sets, %zmm0, %zmm1, %zmm2, %zmm3, %zmm4, %zmm5, %zmm6, %zmm7, \
		%zmm8, %zmm9, %zmm10, %zmm11, %zmm12, %zmm13, %zmm14, %zmm15
	each_set \sets, turn_rows_zmm, 0, 0x39, 0x4e, 0x93
	one_round \sets, %zmm0, %zmm1, %zmm2, %zmm3, %zmm5, %zmm6, %zmm7, %zmm4, \
		%zmm10, %zmm11, %zmm8, %zmm9, %zmm15, %zmm12, %zmm13, %zmm14
	each_set \sets, turn_rows_zmm, 0, 0x93, 0x4e, 0x39
	dec	ROUNDS
	jnz	.Lrounds\@
	vpaddd	NUMBERS, %zmm12, %zmm12
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15
	vpaddd	4*\i(STATE){1to16}, %zmm\i, %zmm\i
.endr
	words_to_row_zmm 0, 1, 2, 3
	words_to_row_zmm 4, 5, 6, 7
	words_to_row_zmm 8, 9, 10, 11
	words_to_row_zmm 12, 13, 14, 15
	put_rows_zmm 0, 4, %zmm0, %zmm4, %zmm8, %zmm12
	put_rows_zmm 1, 4, %zmm1, %zmm5, %zmm9, %zmm13
	put_rows_zmm 2, 4, %zmm2, %zmm6, %zmm10, %zmm14
	put_rows_zmm 3, 4, %zmm3, %zmm7, %zmm11, %zmm15
	each_set \sets, end_rows_zmm, 16
.endm

/* Process up to 8 blocks in \sets sets of rows. Two sets must have more than 4 blocks. */
.macro	rows_zmm	sets
	sure = 4*\sets - 4
	each_set \sets, load_rows, 0
	mov	$10, ROUNDS
.Lrounds\@:
	one_round \sets
	each_set \sets, turn_rows_zmm, 0, 0x39, 0x4e, 0x93
	one_round \sets
	each_set \sets, turn_rows_zmm, 0, 0x93, 0x4e, 0x39
	dec	ROUNDS
	jnz	.Lrounds\@
	each_set \sets, end_rows_zmm, 0
.endm

/*
 * dst = src xor the keystream. With with_key, the first 32 bytes of the first block go to key, and
 * the text starts at the next block. dst may be src. Wipes all vector registers. No general
 * register holds a secret.
 */
SYM_FUNC_START(chacha20_avx512)
	mov	$0x1111, %eax
	kmovd	%eax, FIRST_WORDS
	xor	DONE32, DONE32
	movzbl	%r9b, %r9d
	kmovd	%r9d, WITH_KEY
	test	%r9d, %r9d
	jz	.Lgroup
	sub	$64, DST
	sub	$64, SRC
	add	$64, LEN
.Lgroup:
	mov	%ecx, %eax
	and	$63, %eax
	mov	$-1, WHOLE
	bzhi	%rax, WHOLE, %rax
	kmovq	%rax, LAST_BYTES
	mov	LEN, WHOLE
	lea	63(LEN), PARTS
	shr	$6, WHOLE
	shr	$6, PARTS
	cmp	$16, PARTS
	ja	.Lcolumns_and_rows
	cmp	$8, PARTS
	ja	.Lcolumns
	cmp	$4, PARTS
	ja	.Lrows
	rows_zmm	1
	jmp	.Lwipe
.Lrows:
	rows_zmm	2
	jmp	.Lwipe
.Lcolumns:
	columns	0
	jmp	.Lwipe
.Lcolumns_and_rows:
	columns	2
	add	$24 * 64, DST
	add	$24 * 64, SRC
	add	$24, DONE
	kxorq	WITH_KEY, WITH_KEY, WITH_KEY
	sub	$24 * 64, LEN
	ja	.Lgroup

.Lwipe:
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	vpxord	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(chacha20_avx512)
