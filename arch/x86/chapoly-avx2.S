/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4) for CPUs with AVX2 and BMI2, interleaved with Poly1305.
 *
 * The state of a block is sixteen 32-bit words, in four rows of four. A round is four quarter
 * rounds, first of the columns, then of the diagonals.
 *
 *  - Columns: each of 16 vectors holds one word of 8 blocks, a stride of text. Diagonals need only
 *    other names of registers. Word 9 is in memory, to free a register.
 *  - Rows: each of four vectors holds one row of 2 blocks, one block in each half. Shuffles turn
 *    diagonals into columns. There are one to three such sets.
 *
 * The rounds need no general registers. With these, the macro "interleave" computes the MAC of
 * other text or, before the MAC has its key, block 0, which gives the key. chapoly-x86.h has the
 * prototypes.
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
/* Columns: the step from the numbers of a stride's 8 blocks to those of the next stride */
next_stride:
	.long	8, 8, 8, 8, 8, 8, 8, 8

	.text

/* Besides the registers of poly1305-mulx.h, except r1 and s0, which are in memory here */
#define FRAME	%r14	/* struct chapoly_avx2 */
#define SRC	%rsi
#define DST	%rcx
#define MAC	%r15	/* the text to authenticate */
#define COUNT	%eax
/* On the stack */
#define PLAIN	(%rsp)	/* double rounds of a stride without the MAC */
#define MIXED	8(%rsp)	/* double rounds of a stride, each interleaved with 4 blocks of the MAC */
#define STRIDES	16(%rsp) /* strides left */

#define T	%ymm9	/* word 9 of columns is in memory */

/*
 * Step n of nine, which compute x = x r plus the block at mac_at(MAC) with its bit 128, as mulx_r
 * of poly1305-mulx.h and with its bounds. Nothing between steps may change the flags.
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

.macro	load_mac
	mov FRAME_H(FRAME), x0; mov FRAME_H+8(FRAME), x1; mov FRAME_H+16(FRAME), x2
	mov	FRAME_R(FRAME), r0
	mov	FRAME_Q1(FRAME), q1
.endm

.macro	store_mac
	mov x0, FRAME_H(FRAME); mov x1, FRAME_H+8(FRAME); mov x2, FRAME_H+16(FRAME)
.endm

/* Block 0: rows 0, 1 and 3 in general registers, row 2 in memory in the place of h */
.set A0, %r8d; .set A1, %r9d; .set A2, %r10d; .set A3, %r11d
.set B0, %r12d; .set B1, %r13d; .set B2, %r15d; .set B3, %ebp
.set D0, %ebx; .set D1, %edx; .set D2, %edi; .set D3, %ecx
#define FRAME_C	FRAME_H
#define KEY_COUNT %esi	/* double rounds of block 0 left */

/* Step n of the 48 of two rounds of block 0, if n belongs to this quarter round. Clobbers eax. */
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

/* Block 0 before its rounds */
.macro	begin_key
.irp i, 0, 1, 2, 3
	mov	FRAME_STATE+4*\i(FRAME), A\i
	mov	FRAME_STATE+16+4*\i(FRAME), B\i
	mov	FRAME_STATE+32+4*\i(FRAME), %eax
	mov	%eax, FRAME_C+4*\i(FRAME)
	mov	FRAME_STATE+48+4*\i(FRAME), D\i
.endr
.endm

/* Store the first half of block 0 in the frame, by 64-bit words, as it will be loaded. */
.macro	end_key
.irp i, 0, 1, 2, 3
	add	FRAME_STATE+4*\i(FRAME), A\i
	add	FRAME_STATE+16+4*\i(FRAME), B\i
.endr
	shl $32, %r9; or %r9, %r8; mov %r8, FRAME_R(FRAME)
	shl $32, %r11; or %r11, %r10; mov %r10, FRAME_R+8(FRAME)
	shl $32, %r13; or %r13, %r12; mov %r12, FRAME_R+16(FRAME)
	shl $32, %rbp; or %rbp, %r15; mov %r15, FRAME_R+24(FRAME)
.endm

/* Spread \rate_ steps of the MAC, or of block 0 if keyed, over the next \places_ interleave. */
.macro	plan	places_, keyed_, rate_
	places = \places_
	keyed = \keyed_
	rate = \rate_
	due = 0
	steps = 0
.endm

.macro	interleave
	due = due + rate
.rept due / places
.if keyed
	key_step steps%48
.else
	mac_at = steps / 9 * 16
	mac_step steps%9
.endif
	steps = steps + 1
.endr
	due = due % places
.endm

.macro	end_plan
.if steps != rate
	.error	"not all steps are interleaved"
.endif
.endm

/* a = a op b, e = e op f, and so on */
.macro	each	op, a, b, e, f, g, h, i, j
	\op %ymm\b, %ymm\a, %ymm\a; \op %ymm\f, %ymm\e, %ymm\e; interleave
	\op %ymm\h, %ymm\g, %ymm\g; \op %ymm\j, %ymm\i, %ymm\i; interleave
.endm

/* Rotate words left by n bits. Clobbers T. */
.macro	rotate	n, words:vararg
.irp b, \words
	vpslld $\n, %ymm\b, T; vpsrld $32-\n, %ymm\b, %ymm\b; vpor T, %ymm\b, %ymm\b; interleave
.endr
.endm

/*
 * Half of four quarter rounds: a += b; d = (d ^ a) <<< 16 or 8; c += d; b = (b ^ c) <<< n. In the
 * second quarter round, c is word 9.
 */
.macro	half	a0, b0, c0, d0, a1, b1, d1, a2, b2, c2, d2, a3, b3, c3, d3, mask, n
	each	vpaddd, \a0, \b0, \a1, \b1, \a2, \b2, \a3, \b3
	each	vpxor, \d0, \a0, \d1, \a1, \d2, \a2, \d3, \a3
.irp d, \d0, \d1, \d2, \d3
	vpshufb	\mask(%rip), %ymm\d, %ymm\d
.endr
	interleave
	vpaddd FRAME_WORD(FRAME), %ymm\d1, T; vmovdqa T, FRAME_WORD(FRAME)
	vpxor T, %ymm\b1, %ymm\b1; vpaddd %ymm\d0, %ymm\c0, %ymm\c0; interleave
	vpaddd %ymm\d2, %ymm\c2, %ymm\c2; vpaddd %ymm\d3, %ymm\c3, %ymm\c3; interleave
	vpxor %ymm\c0, %ymm\b0, %ymm\b0; vpxor %ymm\c2, %ymm\b2, %ymm\b2
	vpxor %ymm\c3, %ymm\b3, %ymm\b3; interleave
	rotate	\n, \b1, \b0, \b2, \b3
.endm

/* Two rounds of 8 blocks in columns, interleaved with \rate steps at 48 places */
.macro	double_round rate, keyed=0
	plan	48, \keyed, \rate
	half	0, 4, 8, 12,  1, 5, 13,  2, 6, 10, 14,  3, 7, 11, 15, rotate_16, 12
	half	0, 4, 8, 12,  1, 5, 13,  2, 6, 10, 14,  3, 7, 11, 15, rotate_8, 7
	half	0, 5, 10, 15,  3, 4, 14,  1, 6, 11, 12,  2, 7, 8, 13, rotate_16, 12
	half	0, 5, 10, 15,  3, 4, 14,  1, 6, 11, 12,  2, 7, 8, 13, rotate_8, 7
	end_plan
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
 * Turn words a, b, c, d of 8 blocks into their row: the halves of c, a, t, b, in this order, are
 * the row of blocks 0 and 4, 1 and 5, 2 and 6, 3 and 7. Clobbers d.
 */
.macro	words_to_row a, b, c, d, t
	vpunpckldq %ymm\b, %ymm\a, %ymm\t; vpunpckhdq %ymm\b, %ymm\a, %ymm\b
	vpunpckldq %ymm\d, %ymm\c, %ymm\a; vpunpckhdq %ymm\d, %ymm\c, %ymm\d
	vpunpcklqdq %ymm\a, %ymm\t, %ymm\c; vpunpckhqdq %ymm\a, %ymm\t, %ymm\a
	vpunpcklqdq %ymm\d, %ymm\b, %ymm\t; vpunpckhqdq %ymm\d, %ymm\b, %ymm\b
.endm

/* Xor rows x and y of blocks b and b + 4 to the text, x at byte \at. Clobbers y, t. */
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
 * dst = src xor the keystream of blocks frame->numbers, for strides > 0 of 512 bytes. Each stride
 * increases the numbers by 8. dst may be src. Interleaved with rounds <= 10 double rounds of each
 * stride, the MAC absorbs the next 4 * rounds blocks at mac. They are read before that stride of
 * dst is written. The multiplication of frame->h by r is pending.
 */
SYM_FUNC_START(chapoly_avx2_strides)
	save_registers
	push	%r15
	mov	%rdi, FRAME
	mov	%r8, MAC
	push	%rcx				/* STRIDES */
	push	%r9				/* MIXED */
	mov	$10, %eax
	sub	%r9, %rax
	push	%rax				/* PLAIN */
	mov	%rsi, DST
	mov	%rdx, SRC
	load_mac

.Lstride:
	begin_columns
	mov	PLAIN, COUNT
	test	COUNT, COUNT
	jz	.Lall_mixed
.p2align 6
.Lrounds:
	double_round 0
	dec	COUNT
	jnz	.Lrounds
.Lall_mixed:
	mov	MIXED, COUNT
	test	COUNT, COUNT
	jz	.Lend_columns
.p2align 6
.Lrounds_and_mac:
	double_round 4*9
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
	add	$24, %rsp
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_strides)

/*
 * dst = src xor the keystream of blocks frame->numbers, for one stride. Interleaved with its
 * rounds, general registers compute block 0. Its first half goes to frame->mac.
 */
SYM_FUNC_START(chapoly_avx2_key)
	save_registers
	push	%r15
	push	%rsi
	push	%rdx
	mov	%rdi, FRAME
	begin_key
	begin_columns
	mov	$10, KEY_COUNT
.p2align 6
.Lrounds_and_key:
	double_round 48, 1
	dec	KEY_COUNT
	jnz	.Lrounds_and_key
	end_key
	pop	SRC
	pop	DST
	end_columns
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_key)

#undef T
#define T	%ymm12
#define MASK_16	%ymm14
#define MASK_8	%ymm15

/* Apply op to each set: its number, the registers of its rows, and a register that may change. */
.macro	all_sets sets, op
	\op	0, 0, 1, 2, 3, 12
.if \sets > 1
	\op	1, 4, 5, 6, 7, 13
.endif
.if \sets > 2
	\op	2, 8, 9, 10, 11, 12
.endif
.endm

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

/* The steps of a half round: a += b; d = (d ^ a) <<< 16 or 8; c += d; b = (b ^ c) <<< n */
.macro	row_a	set, a, b, c, d, t
	vpaddd %ymm\b, %ymm\a, %ymm\a
.endm
.macro	row_d	set, a, b, c, d, t
	vpxor %ymm\a, %ymm\d, %ymm\d
.endm
.macro	row_turn mask, set, a, b, c, d, t
	vpshufb \mask, %ymm\d, %ymm\d
.endm
.macro	row_c	set, a, b, c, d, t
	vpaddd %ymm\d, %ymm\c, %ymm\c
.endm
.macro	row_b	set, a, b, c, d, t
	vpxor %ymm\c, %ymm\b, %ymm\b
.endm
.macro	row_rotate n, set, a, b, c, d, t
	vpslld $\n, %ymm\b, %ymm\t; vpsrld $32-\n, %ymm\b, %ymm\b; vpor %ymm\t, %ymm\b, %ymm\b
.endm

.macro	rows_half sets, mask, n
	all_sets \sets, row_a; interleave
	all_sets \sets, row_d; interleave
	all_sets \sets, "row_turn \mask,"; interleave
	all_sets \sets, row_c; interleave
	all_sets \sets, row_b; interleave
	all_sets \sets, "row_rotate \n,"; interleave
.endm

/*
 * Turn rows a, c and d: ta, tc, td are the source of each word, in two bits. The result of row b is
 * known last, so the other rows turn relative to b.
 */
.macro	turn_rows ta, tc, td, set, a, b, c, d, t
	vpshufd $\ta, %ymm\a, %ymm\a; vpshufd $\td, %ymm\d, %ymm\d; vpshufd $\tc, %ymm\c, %ymm\c
.endm

.macro	rows_round sets, ta, tc, td
	rows_half \sets, MASK_16, 12
	rows_half \sets, MASK_8, 7
	all_sets \sets, "turn_rows \ta, \tc, \td,"; interleave
.endm

/* Two rounds of all sets, interleaved with \rate steps at 26 places */
.macro	rows_double_round sets, rate, keyed=0
	plan	26, \keyed, \rate
	rows_round \sets, 0x93, 0x39, 0x4e
	rows_round \sets, 0x39, 0x93, 0x4e
	end_plan
.endm

/* Store two rows of a set's blocks, x at byte \at, in the stream. Clobbers T. */
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

.macro	load_masks
	vmovdqa	rotate_16(%rip), MASK_16
	vmovdqa	rotate_8(%rip), MASK_8
.endm

/* The keystream of \sets sets; with keyed=1 also block 0, in general registers */
.macro	rows	sets, count, align, rate, keyed=0
	all_sets \sets, begin_rows
	mov	$10, \count
.p2align \align
.Lrounds\@:
	rows_double_round \sets, \rate, \keyed
	dec	\count
	jnz	.Lrounds\@
.if \keyed
	end_key
.endif
	all_sets \sets, end_rows
.endm

/*
 * frame->stream = the keystream of the first 4 or 6 blocks frame->numbers, whichever suffices.
 * Interleaved with its rounds, general registers compute block 0. Its first half goes to
 * frame->mac.
 */
SYM_FUNC_START(chapoly_avx2_rows_key)
	save_registers
	push	%r15
	mov	%rdi, FRAME
	load_masks
	begin_key
	cmp	$4, %rsi
	ja	.Lsix
	rows	2, KEY_COUNT, 6, 48, 1
	jmp	.Lwipe_key
.Lsix:
	rows	3, KEY_COUNT, 6, 48, 1
.Lwipe_key:
	xor	%ecx, %ecx
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_rows_key)

/* frame->stream = the keystream of the first 2 or 4 blocks frame->numbers, whichever suffices. */
SYM_FUNC_START(chapoly_avx2_rows)
	push	FRAME
	mov	%rdi, FRAME
	load_masks
	cmp	$2, %rsi
	ja	.Lfour
	rows	1, COUNT, 5, 0
	jmp	.Lwipe_rows
.Lfour:
	rows	2, COUNT, 5, 0
.Lwipe_rows:
	vzeroall
	pop	FRAME
	RET
SYM_FUNC_END(chapoly_avx2_rows)

/*
 * frame->stream = the keystream of the first 4 blocks frame->numbers. Interleaved with the first 8
 * double rounds, the MAC absorbs 32 blocks at mac. The multiplication of frame->h by r is pending.
 */
SYM_FUNC_START(chapoly_avx2_rows_mac)
	save_registers
	push	%r15
	mov	%rdi, FRAME
	mov	%rsi, MAC
	load_mac
	load_masks
	all_sets 2, begin_rows
	mov	$8, COUNT
.p2align 6
.Lwith_mac:
	rows_double_round 2, 4*9
	add	$4 * 16, MAC
	dec	COUNT
	jnz	.Lwith_mac
	mov	$2, COUNT
.Lwithout_mac:
	rows_double_round 2, 0
	dec	COUNT
	jnz	.Lwithout_mac
	all_sets 2, end_rows
	store_mac
	wipe_and_return
SYM_FUNC_END(chapoly_avx2_rows_mac)
