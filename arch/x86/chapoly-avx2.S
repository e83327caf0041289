/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4), interleaved with Poly1305, for CPUs with AVX2 and BMI2
 *
 * The state of a block is sixteen 32-bit words, in four rows of four. A round is four quarter
 * rounds at once: first of the columns, then of the diagonals.
 *
 *  - Columns: each of 16 vectors holds one word of 8 blocks, a stride of text. A diagonal is a
 *    matter of naming registers. Word 9 lives in memory, so that a register is free.
 *  - Rows: each of four vectors holds one row of 2 blocks, one block in each half. The rows are
 *    turned by shuffles, so that diagonals become columns. There are one to three such sets.
 *
 * The rounds keep the vector units busy and leave the general registers alone. There the MAC of
 * other text is computed: "beside" drops the next few of its instructions between those of a round.
 * A stride takes 2% longer with it than without (Zen 5, 26 November 2026; not measured on Zen 3).
 * Before there is a key, block 0, which gives the key, can be computed there.
 *
 * This file has more than 500 lines, because columns and rows share their constants, the frame and
 * the MAC.
 */

#include "poly1305-mulx.h"

	.section .rodata
	.p2align 5
rotate_16:
	.byte	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
	.byte	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
rotate_8:
	.byte	3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
	.byte	3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
/* Columns: added to the numbers of a stride's 8 blocks, gives those of the next stride */
next_stride:
	.long	8, 8, 8, 8, 8, 8, 8, 8
/* Columns: lane 0 has a number of its own, lanes 1 to 7 count on from another. */
following:
	.long	0, 0, 1, 2, 3, 4, 5, 6
sigma:
	.ascii	"expand 32-byte k"

	.text

/* Beside those of poly1305-mulx.h, of which r1 and s0 are in memory here */
#define FRAME	%r14
#define SRC	%rsi
#define DST	%rcx
#define MAC	%r15	/* the text that is authenticated */
#define COUNT	%eax
/* On the stack */
#define BEHIND	(%rsp)	/* blocks of the MAC behind the rounds of a stride */
#define BESIDE	8(%rsp)	/* double rounds that are interleaved with the MAC */
#define STRIDES	16(%rsp) /* how many are left */

#define T	%ymm9	/* word 9 is in memory */

/*
 * One of nine steps of mulx_r of poly1305-mulx.h, whose effect and bounds hold: x = x r plus the
 * block at mac_at(MAC) and its bit 128. Between steps nothing may change the flags.
 */
.macro	mac_step n
.if \n == 0
	mov x0, %rdx; mulx r0, x0, u2; mulx FRAME_R+8(FRAME), u0, u1
.elseif \n == 1
	add mac_at(MAC), x0; adc 8+mac_at(MAC), u0; adc $1, u1
.elseif \n == 2
	mov x1, %rdx; mulx q1, x1, u3; add x1, x0
.elseif \n == 3
	adc u3, u2; mulx r0, x1, u3; add u0, x1
.elseif \n == 4
	adc u3, u1; mov x2, %rdx; shr $2, %rdx
.elseif \n == 5
	mulx FRAME_S0(FRAME), u0, u3; add u0, x0; adc u3, u2
.elseif \n == 6
	mov x2, %rdx; and $3, x2; imul r0, x2
.elseif \n == 7
	mulx q1, u0, u3; add u1, x2; add u0, x1
.else
	adc u3, x2; add u2, x1; adc $0, x2
.endif
.endm

/* Block 0 in general registers: rows 0, 1 and 3. Row 2 is in memory, where h is not needed yet. */
.set A0, %r8d; .set A1, %r9d; .set A2, %r10d; .set A3, %r11d
.set B0, %r12d; .set B1, %r13d; .set B2, %r15d; .set B3, %ebp
.set D0, %ebx; .set D1, %edx; .set D2, %edi; .set D3, %ecx
#define FRAME_C	FRAME_H

/* Step n of the 48 of two rounds of block 0, if it belongs to this quarter round. Clobbers eax. */
.macro	quarter_step n, quarter, a, b, c, d
	later_half = (\n) / 12 % 2
.if (\n) / 24 * 4 + (\n) % 12 / 3 != \quarter
.elseif (\n) % 3 == 0
	add B\b, A\a; xor A\a, D\d; rol $16-8*later_half, D\d
.elseif (\n) % 3 == 1
	mov FRAME_C+4*\c(FRAME), %eax; add D\d, %eax; mov %eax, FRAME_C+4*\c(FRAME)
.else
	xor %eax, B\b; rol $12-5*later_half, B\b
.endif
.endm

.macro	key_step n
	quarter_step \n, 0, 0, 0, 0, 0
	quarter_step \n, 1, 1, 1, 1, 1
	quarter_step \n, 2, 2, 2, 2, 2
	quarter_step \n, 3, 3, 3, 3, 3
	quarter_step \n, 4, 0, 1, 2, 3
	quarter_step \n, 5, 1, 2, 3, 0
	quarter_step \n, 6, 2, 3, 0, 1
	quarter_step \n, 7, 3, 0, 1, 2
.endm

/* A place between vector instructions for a step of the MAC or block 0: rate in 48 places */
.macro	beside
	due = due + rate
.rept due / 48
	mac_at = steps / 9 * 16
.if rate == 48
	key_step steps
.else
	mac_step steps%9
.endif
	steps = steps + 1
.endr
	due = due % 48
.endm

/* a = a op b, e = e op f, and so on */
.macro	each	op, a, b, e, f, g, h, i, j
	\op %ymm\b, %ymm\a, %ymm\a; \op %ymm\f, %ymm\e, %ymm\e; beside
	\op %ymm\h, %ymm\g, %ymm\g; \op %ymm\j, %ymm\i, %ymm\i; beside
.endm

/* Rotate the words to the left by n bits. Clobbers T. */
.macro	rotate	n, words:vararg
.irp b, \words
	vpslld $\n, %ymm\b, T; vpsrld $32-\n, %ymm\b, %ymm\b; vpor T, %ymm\b, %ymm\b; beside
.endr
.endm

/*
 * Half of four quarter rounds: a += b; d = (d ^ a) <<< 16 or 8; c += d; b = (b ^ c) <<< n. The
 * second quarter round's c is word 9.
 */
.macro	half	a0, b0, c0, d0, a1, b1, d1, a2, b2, c2, d2, a3, b3, c3, d3, mask, n
	each	vpaddd, \a0, \b0, \a1, \b1, \a2, \b2, \a3, \b3
	each	vpxor, \d0, \a0, \d1, \a1, \d2, \a2, \d3, \a3
.irp d, \d0, \d1, \d2, \d3
	vpshufb	\mask(%rip), %ymm\d, %ymm\d
.endr
	beside
	vpaddd FRAME_WORD(FRAME), %ymm\d1, T; vmovdqa T, FRAME_WORD(FRAME)
	vpxor T, %ymm\b1, %ymm\b1; vpaddd %ymm\d0, %ymm\c0, %ymm\c0; beside
	vpaddd %ymm\d2, %ymm\c2, %ymm\c2; vpaddd %ymm\d3, %ymm\c3, %ymm\c3; beside
	vpxor %ymm\c0, %ymm\b0, %ymm\b0; vpxor %ymm\c2, %ymm\b2, %ymm\b2
	vpxor %ymm\c3, %ymm\b3, %ymm\b3; beside
	rotate	\n, \b1, \b0, \b2, \b3
.endm

/* Two rounds of 8 blocks in columns, which have 48 places for \to_do steps */
.macro	double_round to_do
	rate = \to_do
	due = 0
	steps = 0
	half	0, 4, 8, 12,  1, 5, 13,  2, 6, 10, 14,  3, 7, 11, 15, rotate_16, 12
	half	0, 4, 8, 12,  1, 5, 13,  2, 6, 10, 14,  3, 7, 11, 15, rotate_8, 7
	half	0, 5, 10, 15,  3, 4, 14,  1, 6, 11, 12,  2, 7, 8, 13, rotate_16, 12
	half	0, 5, 10, 15,  3, 4, 14,  1, 6, 11, 12,  2, 7, 8, 13, rotate_8, 7
.if steps != rate
	.error	"not all steps have a place between the rounds"
.endif
.endm

/* The words of 8 blocks before the rounds */
.macro	begin_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd FRAME_STATE+4*\w(FRAME), %ymm\w
.endr
	vmovdqa	FRAME_NUMBERS(FRAME), %ymm12
	vpbroadcastd FRAME_STATE+4*9(FRAME), T
	vmovdqa	T, FRAME_WORD(FRAME)
.endm

/*
 * Words a, b, c, d of 8 blocks become a row: the halves of c, a, t, b, in this order, are that row
 * of blocks 0 and 4, 1 and 5, 2 and 6, 3 and 7. Clobbers d.
 */
.macro	words_to_row a, b, c, d, t
	vpunpckldq %ymm\b, %ymm\a, %ymm\t; vpunpckhdq %ymm\b, %ymm\a, %ymm\b
	vpunpckldq %ymm\d, %ymm\c, %ymm\a; vpunpckhdq %ymm\d, %ymm\c, %ymm\d
	vpunpcklqdq %ymm\a, %ymm\t, %ymm\c; vpunpckhqdq %ymm\a, %ymm\t, %ymm\a
	vpunpcklqdq %ymm\d, %ymm\b, %ymm\t; vpunpckhqdq %ymm\d, %ymm\b, %ymm\b
.endm

/* Rows x and y of blocks b and b + 4, x at byte \at: xor them to the text. Clobbers y, t. */
.macro	put_rows b, at, x, y, t
	vperm2i128 $0x20, %ymm\y, %ymm\x, %ymm\t
	vperm2i128 $0x31, %ymm\y, %ymm\x, %ymm\y
	vpxor 64*\b+\at(SRC), %ymm\t, %ymm\t; vmovdqu %ymm\t, 64*\b+\at(DST)
	vpxor 64*\b+256+\at(SRC), %ymm\y, %ymm\y; vmovdqu %ymm\y, 64*\b+256+\at(DST)
.endm

/* Add the words from before the rounds, and xor the keystream to a stride of text. */
.macro	end_columns
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15
	vpbroadcastd FRAME_STATE+4*\w(FRAME), T
	vpaddd	T, %ymm\w, %ymm\w
.endr
	vpaddd	FRAME_NUMBERS(FRAME), %ymm12, %ymm12
	vpbroadcastd FRAME_STATE+4*9(FRAME), T
	vpaddd	FRAME_WORD(FRAME), T, T
	vmovdqa	%ymm15, FRAME_WORD(FRAME)
	words_to_row 0, 1, 2, 3, 15; words_to_row 4, 5, 6, 7, 3
	put_rows 0, 0, 2, 6, 7; put_rows 1, 0, 0, 4, 7
	put_rows 2, 0, 15, 3, 7; put_rows 3, 0, 1, 5, 7
	vmovdqa	FRAME_WORD(FRAME), %ymm15
	words_to_row 8, 9, 10, 11, 0; words_to_row 12, 13, 14, 15, 11
	put_rows 0, 32, 10, 14, 15; put_rows 1, 32, 8, 12, 15
	put_rows 2, 32, 0, 11, 15; put_rows 3, 32, 9, 13, 15
	vmovdqa	FRAME_NUMBERS(FRAME), T
	vpaddd	next_stride(%rip), T, T
	vmovdqa	T, FRAME_NUMBERS(FRAME)
.endm

.macro	wipe_and_return
	vzeroall
	vmovdqa	%ymm0, FRAME_WORD(FRAME)
	pop	%r15
	restore_registers
	xor	%edi, %edi
	clear_registers
	RET
.endm

/*
 * void chapoly_avx2_strides(struct chapoly_avx2 *frame, u8 *dst, const u8 *src, size_t strides,
 *			     const u8 *mac, size_t mac_blocks);
 *
 * dst = src xor the keystream of the blocks that frame->numbers names, for each stride of 512
 * bytes, strides > 0; dst may be src. The numbers go up by 8 with each. Beside each stride the MAC
 * takes the next mac_blocks blocks at mac, up to 32, before that stride of dst is written.
 * frame->h is a sum that has yet to be multiplied by r.
 */
SYM_FUNC_START(chapoly_avx2_strides)
	save_registers
	push	%r15
	mov	%rdi, FRAME
	mov	%r8, MAC
	push	%rcx				/* STRIDES */
	imul	$171, %r9d, %eax
	shr	$9, %eax			/* a third */
	push	%rax				/* BESIDE */
	lea	(%rax, %rax, 2), %eax
	sub	%rax, %r9
	push	%r9				/* BEHIND */
	mov	%rsi, DST
	mov	%rdx, SRC
	mov FRAME_H(FRAME), x0; mov FRAME_H+8(FRAME), x1; mov FRAME_H+16(FRAME), x2
	mov	FRAME_R(FRAME), r0
	mov	FRAME_Q1(FRAME), q1

.Lstride:
	begin_columns
	mov	$10, COUNT
	sub	BESIDE, COUNT
	jz	.Lall_beside
.p2align 6
.Lrounds:
	double_round 0
	dec	COUNT
	jnz	.Lrounds
.Lall_beside:
	mov	BESIDE, COUNT
	test	COUNT, COUNT
	jz	.Lbehind
.p2align 6
.Lrounds_and_mac:
	double_round 3*9
	add	$3 * 16, MAC
	dec	COUNT
	jnz	.Lrounds_and_mac
.Lbehind:
	mov	BEHIND, COUNT
	test	COUNT, COUNT
	jz	.Lend_columns
.Lmac:
	mac_at = 0
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8
	mac_step \n
.endr
	add	$16, MAC
	dec	COUNT
	jnz	.Lmac
.Lend_columns:
	end_columns
	add	$512, SRC
	add	$512, DST
	decq	STRIDES
	jnz	.Lstride

	mov x0, FRAME_H(FRAME); mov x1, FRAME_H+8(FRAME); mov x2, FRAME_H+16(FRAME)
	add	$24, %rsp
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_strides)

/*
 * void chapoly_avx2_key(struct chapoly_avx2 *frame, u8 *dst, const u8 *src);
 *
 * dst = src xor the keystream of the blocks that frame->numbers names, for one stride. Interleaved
 * with its rounds, general registers compute block 0, whose first half is written to frame->key.
 */
SYM_FUNC_START(chapoly_avx2_key)
	save_registers
	push	%r15
	push	%rsi
	push	%rdx
	mov	%rdi, FRAME
.irp i, 0, 1, 2, 3
	mov	FRAME_STATE+4*\i(FRAME), A\i
	mov	FRAME_STATE+16+4*\i(FRAME), B\i
	mov	FRAME_STATE+32+4*\i(FRAME), %eax
	mov	%eax, FRAME_C+4*\i(FRAME)
	mov	FRAME_STATE+48+4*\i(FRAME), D\i
.endr
	begin_columns
	mov	$10, %esi
.p2align 6
.Lrounds_and_key:
	double_round 48
	dec	%esi
	jnz	.Lrounds_and_key
.irp i, 0, 1, 2, 3
	add	FRAME_STATE+4*\i(FRAME), A\i
	add	FRAME_STATE+16+4*\i(FRAME), B\i
	mov	A\i, FRAME_R+4*\i(FRAME)
	mov	B\i, FRAME_R+16+4*\i(FRAME)
.endr
	pop	SRC
	pop	DST
	end_columns
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_key)

/*
 * void chapoly_avx2_begin(struct chapoly_avx2 *frame, const u8 key[32], const u8 nonce[12],
 *			   u32 first, u32 second);
 *
 * The next blocks are first, second, second + 1 and so on.
 */
SYM_FUNC_START(chapoly_avx2_begin)
	vmovdqa	sigma(%rip), %xmm0
	vmovdqu	(%rsi), %ymm1
	vmovdqa	%xmm0, FRAME_STATE(%rdi)
	vmovdqu	%ymm1, FRAME_STATE+16(%rdi)
	vmovd (%rdx), %xmm0; vpsllq $32, %xmm0, %xmm0; vpinsrq $1, 4(%rdx), %xmm0, %xmm0
	vmovdqa	%xmm0, FRAME_STATE+48(%rdi)
	vmovd	%ecx, %xmm0
	vmovd	%r8d, %xmm1
	vpbroadcastd %xmm1, %ymm1
	vpaddd	following(%rip), %ymm1, %ymm1
	vpblendd $1, %ymm0, %ymm1, %ymm1
	vmovdqa	%ymm1, FRAME_NUMBERS(%rdi)
	RET
SYM_FUNC_END(chapoly_avx2_begin)

#undef FRAME
#undef T
#define FRAME	%rdi
#define T	%ymm12
#define MASK_16	%ymm14
#define MASK_8	%ymm15

/* Row 3 of blocks 2 \set and 2 \set + 1 of frame->numbers. Clobbers T. */
.macro	load_row_3 set, x
	vbroadcasti128 FRAME_STATE+48(FRAME), \x
	vpmovzxdq FRAME_NUMBERS+8*\set(FRAME), %xmm12
	vpermq	$0x10, T, T
	vpblendd $0x11, T, \x, \x
.endm

/* The rows of blocks 2 \set and 2 \set + 1 before the rounds */
.macro	begin_rows set, a, b, c, d, t
	vbroadcasti128 FRAME_STATE(FRAME), %ymm\a
	vbroadcasti128 FRAME_STATE+16(FRAME), %ymm\b
	vbroadcasti128 FRAME_STATE+32(FRAME), %ymm\c
	load_row_3 \set, %ymm\d
.endm

/* a += b; d = (d ^ a) <<< 16 or 8; c += d; b = (b ^ c) <<< n. Clobbers t. */
.macro	row_half mask, n, a, b, c, d, t
	vpaddd %ymm\b, %ymm\a, %ymm\a; vpxor %ymm\a, %ymm\d, %ymm\d; vpshufb \mask, %ymm\d, %ymm\d
	vpaddd %ymm\d, %ymm\c, %ymm\c; vpxor %ymm\c, %ymm\b, %ymm\b
	vpslld $\n, %ymm\b, %ymm\t; vpsrld $32-\n, %ymm\b, %ymm\b; vpor %ymm\t, %ymm\b, %ymm\b
.endm

/*
 * A round. Then rows a, c and d are turned: ta, tc, td are the source of each word, in two bits.
 * As only their order matters, b can stay, which is known last.
 */
.macro	row_round ta, tc, td, set, a, b, c, d, t
	row_half MASK_16, 12, \a, \b, \c, \d, \t
	row_half MASK_8, 7, \a, \b, \c, \d, \t
	vpshufd $\ta, %ymm\a, %ymm\a; vpshufd $\tc, %ymm\c, %ymm\c; vpshufd $\td, %ymm\d, %ymm\d
.endm

/* Two rows of the blocks of a set, of which the first is at byte \at, to the stream. Clobbers T. */
.macro	stream_rows set, at, x, y
	vperm2i128 $0x20, %ymm\y, %ymm\x, T
	vmovdqa	T, FRAME_STREAM+128*\set+\at(FRAME)
	vperm2i128 $0x31, %ymm\y, %ymm\x, T
	vmovdqa	T, FRAME_STREAM+128*\set+64+\at(FRAME)
.endm

/* Add the rows from before the rounds, and write the keystream of both blocks. Clobbers T. */
.macro	end_rows set, a, b, c, d, t
	vbroadcasti128 FRAME_STATE(FRAME), T; vpaddd T, %ymm\a, %ymm\a
	vbroadcasti128 FRAME_STATE+16(FRAME), T; vpaddd T, %ymm\b, %ymm\b
	vbroadcasti128 FRAME_STATE+32(FRAME), T; vpaddd T, %ymm\c, %ymm\c
	load_row_3 \set, MASK_8; vpaddd MASK_8, %ymm\d, %ymm\d
	stream_rows \set, 0, \a, \b
	stream_rows \set, 32, \c, \d
.endm

.macro	all_sets sets, op
	\op	0, 0, 1, 2, 3, 12
.if \sets > 1
	\op	1, 4, 5, 6, 7, 13
.endif
.if \sets > 2
	\op	2, 8, 9, 10, 11, 12
.endif
.endm

.macro	rows	sets
	all_sets \sets, begin_rows
	mov	$10, COUNT
.Lrounds\@:
	all_sets \sets, "row_round 0x93, 0x39, 0x4e,"
	all_sets \sets, "row_round 0x39, 0x93, 0x4e,"
	dec	COUNT
	jnz	.Lrounds\@
	all_sets \sets, end_rows
.endm

/*
 * void chapoly_avx2_rows(struct chapoly_avx2 *frame, size_t blocks);
 *
 * The keystream of the first blocks of frame->numbers, up to 6, to frame->stream, in pairs
 */
SYM_FUNC_START(chapoly_avx2_rows)
	vmovdqa	rotate_16(%rip), MASK_16
	vmovdqa	rotate_8(%rip), MASK_8
	cmp	$4, %rsi
	ja	.Lsix
	cmp	$2, %rsi
	ja	.Lfour
	rows	1
	jmp	.Lwipe_rows
.Lfour:
	rows	2
	jmp	.Lwipe_rows
.Lsix:
	rows	3
.Lwipe_rows:
	vzeroall
	RET
SYM_FUNC_END(chapoly_avx2_rows)

#define AT	%rax	/* how many bytes are done */

/* If bit \n of the length is set: the next n bytes, through reg */
.macro	xor_part n, reg, move=mov, xor=xor, more:vararg
	test	$\n, %cl
	jz	.Lnone\@
	\move (%rsi, AT), \reg; \xor (%rdx, AT), \more \reg; \move \reg, (%rdi, AT)
	add	$\n, AT
.Lnone\@:
.endm

/*
 * void chapoly_avx2_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len);
 *
 * dst = src xor stream. dst may be src.
 */
SYM_FUNC_START(chapoly_avx2_xor)
	xor	%eax, %eax
	mov	%rcx, %r8
	shr	$5, %r8
	jz	.Lparts
.Lxor:
	vmovdqu	(%rsi, AT), %ymm0
	vpxor	(%rdx, AT), %ymm0, %ymm0
	vmovdqu	%ymm0, (%rdi, AT)
	add	$32, AT
	dec	%r8
	jnz	.Lxor
.Lparts:
	xor_part 16, %xmm0, vmovdqu, vpxor, %xmm0,
	xor_part 8, %r8
	xor_part 4, %r8d
	xor_part 2, %r8w
	xor_part 1, %r8b
	xor	%r8d, %r8d
	vzeroall
	RET
SYM_FUNC_END(chapoly_avx2_xor)

/* Take %r15 blocks at src into the MAC. Clobbers %rcx, %rdx. */
.macro	mulx_blocks
	test	%r15, %r15
	jz	.Ldone\@
.p2align 5
.Lblock\@:
	mulx_r	0(src), $1, %rcx
	add	$16, src
	dec	%r15
	jnz	.Lblock\@
.Ldone\@:
.endm

/*
 * void chapoly_mulx(struct chapoly_avx2 *frame, const u8 *data, size_t blocks, const u8 *end,
 *		     size_t end_blocks, u8 *tag);
 *
 * Take the blocks at data and then those at end into the MAC. Write the tag of all up to here.
 */
SYM_FUNC_START(chapoly_mulx)
	save_registers
	push	%r15
	push	%r9
	push	%rcx
	push	%r8
	mov	%rdx, %r15
	mov FRAME_H(%rdi), x0; mov FRAME_H+8(%rdi), x1; mov FRAME_H+16(%rdi), x2
	mov FRAME_R(%rdi), r0; mov FRAME_R+8(%rdi), r1
	mov FRAME_Q1(%rdi), q1; mov FRAME_S0(%rdi), s0
	mulx_blocks
	pop	%r15
	pop	src
	mulx_blocks
	mov x0, FRAME_H(%rdi); mov x1, FRAME_H+8(%rdi); mov x2, FRAME_H+16(%rdi)
	pop	%rcx
	mulx_low t=%rsi
	mulx_high %rsi
	fold	x0, x1, x2, u1, u2		/* and add u2, as mulx_r does */
	add	$FRAME_R, %rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	pop	%r15
	restore_registers
	xor	%ecx, %ecx
	xor	%esi, %esi
	clear_registers
	RET
SYM_FUNC_END(chapoly_mulx)
