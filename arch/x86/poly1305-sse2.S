/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 block function for CPUs with SSE2 and no wider vectors.
 *
 * Scalar multiplication is fast on all 64-bit CPUs of recent years, so this
 * serves long messages only. The method is that of poly1305-avx2.S with one
 * block per vector: R = r^2, two successive blocks are a pair, and for a group
 * of g pairs the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^2 + b_k r).
 *
 * Stream A takes the blocks a_k, stream B the blocks b_k. Both 64-bit lanes of
 * both streams are multiplied by the same R^k. Only their sums are multiplied
 * by r^2, 2^64 r^2 and r, 2^64 r, once per message. A lane is two dwords,
 * m = even + 2^32 odd, which are multiplied as they lie in memory by R^k and by
 * 2^32 R^k, all in radix 2^26.
 *
 * pmuludq takes its dwords from the low halves of the lanes. Odd dwords get
 * there by a load from 4 bytes further on. Such a load reads into the next
 * block, which always exists: the last pair of a group is handled separately.
 *
 * Bounds: limbs in the table are below L = 2^26 + 2^19. A group of at most 31
 * pairs adds 60 products below 2^32 L to a sum, and less than 2^58 besides.
 * tests/bounds/poly1305-sse2.py checks L, and that no sum exceeds 64 bits.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-powers.h"

/*
 * Shortest message, in blocks, for this method; scalar code below. It has two groups at
 * least, so that a full one follows the first.
 */
.set	MIN_BLOCKS, 64

/*
 * Pairs of a full group; the first group may have one more. Messages of fewer
 * pairs than LONG_PAIRS do not repay that many powers, so their groups are of
 * GROUP_SHORT.
 */
.set	GROUP, 30
.set	GROUP_SHORT, 16
.set	LONG_PAIRS, 256

/*
 * The stack frame. From VAR_POWERS on it holds key material.
 *
 * VAR_TABLE: R^1 ... R^30, 80 bytes each, 16 per limb: limb x of the power and
 * limb z of 2^32 times the power, as dwords x, z, x, z.
 */
.set	ENTRY_SIZE, 5 * 16
.set	VAR_HIBIT, 0
.set	VAR_GROUPS, 8			/* full groups still to come */
.set	VAR_G, 16			/* pairs of a full group */
.set	VAR_G1, 24			/* pairs of the first group */
.set	VAR_POWERS, 32			/* r^4 ... r^1 as in state->pow */
.set	VAR_LAST, VAR_POWERS + 3 * 32	/* multipliers of the sums */
.set	VAR_FIRST, VAR_LAST + 10 * 16	/* h + first block */
.set	VAR_SUMS, VAR_FIRST + 32	/* sums of the last group; a row of powers */
.set	VAR_HIBITS, VAR_SUMS + 10 * 16	/* of a full group */
.set	VAR_TABLE, VAR_HIBITS + 5 * 16
.set	VAR_TABLE_END, VAR_TABLE + GROUP * ENTRY_SIZE
.set	FRAME, VAR_TABLE_END + 16

#define A0		%xmm0
#define A1		%xmm1
#define A2		%xmm2
#define A3		%xmm3
#define A4		%xmm4
#define B0		%xmm5
#define B1		%xmm6
#define B2		%xmm7
#define B3		%xmm8
#define B4		%xmm9
#define X0		%xmm10
#define X1		%xmm11
#define M		%xmm12
#define T		%xmm13
#define T2		%xmm14
#define MASK26		%xmm15

.section .rodata
.p2align 4
.Lmask26:
	.quad	(1 << 26) - 1, (1 << 26) - 1
.text

/* y = x / 2^n, and y = 2^n x mod 2^26 */
.macro	shift_right n, x, y
	movdqa	\x, \y
	psrlq	$\n, \y
.endm

.macro	shift_left26 n, x, y
	movdqa	\x, \y
	psllq	$\n, \y
	pand	MASK26, \y
.endm

/* x *= 5 */
.macro	times5 x, t=T
	movdqa	\x, \t
	psllq	$2, \t
	paddq	\t, \x
.endm

/* Carry what exceeds 26 bits to the next limb. */
.macro	carry_step from, to, t=T
	shift_right 26, \from, \t
	pand	MASK26, \from
	paddq	\t, \to
.endm

/*
 * Sums c_i below 2^64 - 2^41 become limbs: c1 < 2^26 + 2^15, c4 < 2^26 + 2^12,
 * the others below 2^26. Two chains of carries run side by side: 0 1 2 3 4 and
 * 3 4 0 1, with 2^130 = 5.
 */
.macro	carry c0, c1, c2, c3, c4
	carry_step \c0, \c1
	carry_step \c3, \c4, T2
	carry_step \c1, \c2
	shift_right 26, \c4, T2
	pand	MASK26, \c4
	times5	T2
	paddq	T2, \c0
	carry_step \c2, \c3
	carry_step \c0, \c1, T2
	carry_step \c3, \c4
.endm

/* c += m x for any number of pairs c, x; x is a register or aligned memory */
.macro	mac	m, t, c, x, more:vararg
	movdqa	\m, \t
	pmuludq	\x, \t
	paddq	\t, \c
.ifnb \more
	mac	\m, \t, \more
.endif
.endm

/*
 * c += m 2^26i x (mod p), where m is limb i of a factor and the five limbs of x
 * are in memory. The sums are listed rotated, that of x_0 first. From number
 * \wrap on the index wraps around, and m becomes 5 m.
 */
.macro	mul_limb m, t, x, wrap, c, more:vararg
.if \wrap == 0
	times5	\m, \t
.endif
	mac	\m, \t, \c, "\x"
.ifnb \more
	mul_limb \m, \t, "16 + \x", "\wrap - 1", \more
.endif
.endm

/*
 * c += x y (mod p), x in memory, y a power from the table. With limbs up to
 * 2^26 + 2^19 this adds less than 2^56.5 to each c_i.
 */
.macro	mul_power c0, c1, c2, c3, c4, x, y
	movdqa	0 * 16 + \y, M
	mul_limb M, T, \x, 5, \c0, \c1, \c2, \c3, \c4
	movdqa	1 * 16 + \y, M
	mul_limb M, T, \x, 4, \c1, \c2, \c3, \c4, \c0
	movdqa	2 * 16 + \y, M
	mul_limb M, T, \x, 3, \c2, \c3, \c4, \c0, \c1
	movdqa	3 * 16 + \y, M
	mul_limb M, T, \x, 2, \c3, \c4, \c0, \c1, \c2
	movdqa	4 * 16 + \y, M
	mul_limb M, T, \x, 1, \c4, \c0, \c1, \c2, \c3
.endm

/*
 * Add s x (mod p) to %xmm10 ... %xmm14, x from VAR_LAST. s becomes 5 s. With
 * s < 2^26.1 and x < 5 * 2^26.1 this adds less than 2^59 to each.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, %xmm15, \x, 5, %xmm10, %xmm11, %xmm12, %xmm13, %xmm14
	mul_limb \s1, %xmm15, \x, 4, %xmm11, %xmm12, %xmm13, %xmm14, %xmm10
	mul_limb \s2, %xmm15, \x, 3, %xmm12, %xmm13, %xmm14, %xmm10, %xmm11
	mul_limb \s3, %xmm15, \x, 2, %xmm13, %xmm14, %xmm10, %xmm11, %xmm12
	mul_limb \s4, %xmm15, \x, 1, %xmm14, %xmm10, %xmm11, %xmm12, %xmm13
.endm

/*
 * A = two powers in radix 2^26, from lanes lo and hi of VAR_POWERS in radix
 * 2^44. Limbs below 2^45, 2^45, 2^43 give x0 < 2^26 + 2^4, x1 < 2^26 + 2^19,
 * x2 < 2^26, x3 < 2^26 + 2^11, x4 < 2^26.
 */
.macro	load_powers lo, hi
	load_two A0, \lo, \hi, 0
	load_two X0, \lo, \hi, 32
	load_two A4, \lo, \hi, 64
	shift_right 26, A0, A1
	shift_left26 18, X0, T
	paddq	T, A1
	shift_right 8, X0, A2
	pand	MASK26, A2
	shift_right 34, X0, A3
	shift_left26 10, A4, T
	paddq	T, A3
	pand	MASK26, A0
	/* x4 may have a 27th bit, of weight 2^130 = 5. */
	psrlq	$16, A4
	shift_right 26, A4, X0
	pand	MASK26, A4
	times5	X0
	paddq	X0, A0
.endm

/* Two loads: recent stores of 8 bytes cannot be forwarded to one load of 16. */
.macro	load_two x, lo, hi, row
	movq	VAR_POWERS + 8 * \lo + \row(%rsp), \x
	movhps	VAR_POWERS + 8 * \hi + \row(%rsp), \x
.endm

/* y += 2^n x mod 2^26 for any number of pairs x, y */
.macro	add_shifted n, x, y, more:vararg
	shift_left26 \n, \x, T
	paddq	T, \y
.ifnb \more
	add_shifted \n, \more
.endif
.endm

/*
 * Write the two powers A, and z = 2^32 A, into the table at (%rdi) and
 * ENTRY_SIZE(%rdi). z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20, times 5
 * where the index wraps around; z0 < 5 * 2^26.1 is carried into
 * z1 < 2^26 + 2^9. Clobbers B, T.
 */
.macro	store_table
	shift_right 20, A4, B1
	shift_right 20, A3, B0
	shift_right 20, A0, B2
	shift_right 20, A1, B3
	shift_right 20, A2, B4
	times5	B1
	add_shifted 6, A4, B0, A0, B1, A1, B2, A2, B3, A3, B4
	times5	B0
	carry_step B0, B1
	store_pairs 0, A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
.endm

/* Combine x and z as the dwords of qwords, and store one qword in each entry, twice. */
.macro	store_pairs to, x, z, more:vararg
	psllq	$32, \z
	por	\x, \z
	pshufd	$0x44, \z, T
	pshufd	$0xee, \z, \z
	movdqa	T, \to(%rdi)
	movdqa	\z, ENTRY_SIZE + \to(%rdi)
.ifnb \more
	store_pairs "16 + \to", \more
.endif
.endm

/* Copy the three rows of r^4 ... r^1 from (%rsi) to (%rdi). */
.macro	copy_powers from_row, to_row
.irp i, 0, 1, 2
	movdqu	\i * \from_row(%rsi), X0
	movdqu	16 + \i * \from_row(%rsi), X1
	movdqu	X0, \i * \to_row(%rdi)
	movdqu	X1, 16 + \i * \to_row(%rdi)
.endr
.endm

/*
 * Limb i of the multipliers for mul_last: r^2, 2^64 r^2 and r, 2^64 r. x holds
 * r^2, r. y = 2^64 x has y_i = (2^12 x_(i-2) mod 2^26) + x_(i-3) / 2^14, times
 * 5 where an index wraps around: times5_both if both do, times5_hi if only that
 * of hi does. No carry is needed.
 */
.macro	store_last i, x, lo, hi, times5_hi=0, times5_both=0
	shift_right 14, \hi, X0
.if \times5_hi
	times5	X0
.endif
	add_shifted 12, \lo, X0
.if \times5_both
	times5	X0
.endif
	movdqa	\x, T
	punpcklqdq X0, T
	movdqa	\x, T2
	punpckhqdq X0, T2
	movdqa	T, VAR_LAST + 16 * \i(%rsp)
	movdqa	T2, VAR_LAST + 80 + 16 * \i(%rsp)
.endm

/* A and B += R^k times the low dwords of X0 and X1, limb by limb */
.macro	mul_dwords load, y, a, b, more:vararg
	\load	\y, M
	movdqa	M, T
	pmuludq	X0, T
	pmuludq	X1, M
	paddq	T, \a
	paddq	M, \b
.ifnb \more
	mul_dwords \load, "16 + \y", \more
.endif
.endm

/* Load a power, or 2^32 times the power */
.macro	load_even y, m
	movdqa	\y, \m
.endm

.macro	load_odd y, m
	movdqu	4 + \y, \m
.endm

/*
 * A += R^k times the block at \p, B += R^k times the block at \q, with R^k at
 * (%rdi). Adds two products below 2^32 L to each sum.
 */
.macro	mul_pair p, q
	movdqu	\p, X0
	movdqu	\q, X1
	mul_dwords load_even, 0(%rdi), A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	movdqu	4 + \p, X0
	movdqu	4 + \q, X1
	mul_dwords load_odd, 0(%rdi), A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
.endm

/* Add the last block of a stream, of weight R^0: even + 2^26 (2^6 odd) */
.macro	add_last p, c0, c1
	movdqu	\p, X0
	shift_right 32, X0, X1
	psllq	$32, X0
	psrlq	$32, X0
	psllq	$6, X1
	paddq	X1, \c1
	paddq	X0, \c0
.endm

/*
 * A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane, 0 in the high lane; g
 * in %r10. With S the limbs of that sum, 2^128 = 2^104 2^24 gives A4 = 2^24 S0
 * and A_(i-1) = 5 * 2^24 S_i, below 2^57.4. Clobbers %rax, %rcx, M, T.
 */
.macro	sum_hibits
	pxor	A4, A4
	copy	A4, A0, A4, A1, A4, A2, A4, A3
	lea	VAR_TABLE(%rsp), %rax
	lea	-1(%r10), %rcx
.Lpower\@:
	paddd	0 * 16(%rax), A4
	paddd	1 * 16(%rax), A0
	paddd	2 * 16(%rax), A1
	paddd	3 * 16(%rax), A2
	paddd	4 * 16(%rax), A3
	add	$ENTRY_SIZE, %rax
	dec	%rcx
	jnz	.Lpower\@

	movq	VAR_HIBIT(%rsp), M
	psllq	$24, M
	pmuludq	M, A4
	paddq	M, A4			/* R^0 */
	times5	M
	pmuludq	M, A0
	pmuludq	M, A1
	pmuludq	M, A2
	pmuludq	M, A3
.endm

/*
 * Begin a group of %r10 pairs with its last pair. On return %rdx is the end of
 * the group, %rsi that pair, and %rdi the table entry of R^1.
 */
.macro	begin_group
	mov	%r10, %rsi
	shl	$5, %rsi
	add	%rdx, %rsi
	mov	%rsi, %rdx
	sub	$32, %rsi
	add_last 0(%rsi), A0, A1
	add_last 16(%rsi), B0, B1
	lea	VAR_TABLE(%rsp), %rdi
.endm

/* Store vectors at successive places in the frame. */
.macro	store_vectors to, x, more:vararg
	movdqa	\x, \to(%rsp)
.ifnb \more
	store_vectors "\to + 16", \more
.endif
.endm

/* Copy each from to its to. */
.macro	copy	from, to, more:vararg
	movdqa	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/* The sum of both lanes */
.macro	sum_lanes x, to
	pshufd	$0xee, \x, %xmm0
	paddq	\x, %xmm0
	movq	%xmm0, \to
.endm

/*
 * void poly1305_blocks_sse2(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_sse2)
	cmp	$MIN_BLOCKS, %rdx
	jb	SCALAR_BLOCKS

	begin_blocks
	mov	%rcx, VAR_HIBIT(%rsp)

	/* If the number of blocks is odd, the first goes through scalar code. */
	mov	%rdx, %r13
	test	$1, %dl
	jz	.Leven
	mov	$1, %edx
	add	$16, DATA
	call	SCALAR_BLOCKS
.Leven:

	/*
	 * %rax full groups of %rcx pairs, and a first group of the %rdx pairs
	 * left over. If fewer than 2 are left over, one full group joins them.
	 */
	mov	%r13, %rax
	shr	%rax
	xor	%edx, %edx
	mov	$GROUP_SHORT, %ecx
	mov	$GROUP, %r8d
	cmp	$LONG_PAIRS, %rax
	cmovae	%r8, %rcx
	div	%rcx
	cmp	$2, %rdx
	jae	.Ldivided
	add	%rcx, %rdx
	dec	%rax
.Ldivided:
	mov	%rax, VAR_GROUPS(%rsp)
	mov	%rcx, VAR_G(%rsp)
	mov	%rdx, VAR_G1(%rsp)

	/* r^4 ... r^1: known, or computed here */
	cmpl	$4, STATE_NPOW(STATE)
	jb	.Lpowers_unknown
	lea	STATE_POW_4(STATE), %rsi
	lea	VAR_POWERS(%rsp), %rdi
	copy_powers STATE_POW_ROW, 32
	jmp	.Lpowers_known
.Lpowers_unknown:
	compute_powers
	lea	VAR_POWERS(%rsp), %rsi
	lea	STATE_POW_4(STATE), %rdi
	copy_powers 32, STATE_POW_ROW
	movl	$4, STATE_NPOW(STATE)
.Lpowers_known:
	movdqa	.Lmask26(%rip), MASK26

	load_powers 2, 3
	store_last 0, A0, A3, A2, times5_both=1
	store_last 1, A1, A4, A3, times5_both=1
	store_last 2, A2, A0, A4, times5_hi=1
	store_last 3, A3, A1, A0
	store_last 4, A4, A2, A1

	/*
	 * The table, two powers to a row: R^1, R^2; each further row is the
	 * last times R^2
	 */
	load_powers 2, 0
	lea	VAR_TABLE(%rsp), %rdi
	mov	VAR_G(%rsp), %rcx
	jmp	.Lstore_row
.Lrows:
	store_vectors VAR_SUMS, A0, A1, A2, A3, A4
	pxor	A0, A0
	copy	A0, A1, A0, A2, A0, A3, A0, A4
	mul_power A0, A1, A2, A3, A4, VAR_SUMS(%rsp), VAR_TABLE+ENTRY_SIZE(%rsp)
	carry	A0, A1, A2, A3, A4
.Lstore_row:
	store_table
	add	$2 * ENTRY_SIZE, %rdi
	sub	$2, %rcx
	ja	.Lrows

	/* h + first block; %r9 is the excess over 128 bits */
	load_h
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	mov	%rax, VAR_FIRST(%rsp)
	mov	%rcx, VAR_FIRST + 8(%rsp)

	/* The bits 128 of a full group, and of the first */
	mov	VAR_G(%rsp), %r10
	sum_hibits
	store_vectors VAR_HIBITS, A0, A1, A2, A3, A4
	mov	VAR_G1(%rsp), %r10
	sum_hibits
	copy	A0, B0, A1, B1, A2, B2, A3, B3, A4, B4

	mov	DATA, %rdx
	begin_group
	sub	$2, %r10
	jz	.Lfirst_pair
.Lfirst_pairs:
	sub	$32, %rsi
	mul_pair 0(%rsi), 16(%rsi)
	add	$ENTRY_SIZE, %rdi
	dec	%r10
	jnz	.Lfirst_pairs
.Lfirst_pair:
	mul_pair VAR_FIRST(%rsp), 16(DATA)

	/* Add 2^128 %r9 R^(g-1) to the low lane of A, as in sum_hibits. */
	shl	$24, %r9
	movq	%r9, X0
	mac	X0, T, A4, 0(%rdi)
	times5	X0
	mac	X0, T, A0, 16(%rdi), A1, 32(%rdi), A2, 48(%rdi), A3, 64(%rdi)

	mov	VAR_GROUPS(%rsp), %rcx
.Lgroups:
	carry	A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4
	store_vectors VAR_SUMS, A0, A1, A2, A3, A4, B0, B1, B2, B3, B4
	copy	VAR_HIBITS(%rsp), A0, VAR_HIBITS+16(%rsp), A1, VAR_HIBITS+32(%rsp), A2
	copy	VAR_HIBITS+48(%rsp), A3, VAR_HIBITS+64(%rsp), A4
	copy	A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	mov	VAR_G(%rsp), %r10
	begin_group
	dec	%r10
.Lpairs:
	sub	$32, %rsi
	mul_pair 0(%rsi), 16(%rsi)
	add	$ENTRY_SIZE, %rdi
	dec	%r10
	jnz	.Lpairs
	mul_power A0, A1, A2, A3, A4, VAR_SUMS(%rsp), 0(%rdi)
	mul_power B0, B1, B2, B3, B4, VAR_SUMS+80(%rsp), 0(%rdi)
	dec	%rcx
	jnz	.Lgroups

	/* Multiply streams and lanes by their powers, and add them up. */
	carry	A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4
	pxor	%xmm10, %xmm10
	copy	%xmm10, %xmm11, %xmm10, %xmm12, %xmm10, %xmm13, %xmm10, %xmm14
	mul_last VAR_LAST(%rsp), A0, A1, A2, A3, A4
	mul_last VAR_LAST+80(%rsp), B0, B1, B2, B3, B4
	sum_lanes %xmm10, %rax
	sum_lanes %xmm11, %rcx
	sum_lanes %xmm12, %rdx
	sum_lanes %xmm13, %rsi
	sum_lanes %xmm14, %rdi
	store_h

	/* Wipe the frame from VAR_POWERS on, and all vector registers. */
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor	%xmm\i, %xmm\i
.endr
	lea	VAR_POWERS(%rsp), %rdi
	lea	VAR_TABLE_END(%rsp), %rcx
.Lwipe:
	movdqa	%xmm0, (%rdi)
	add	$16, %rdi
	cmp	%rcx, %rdi
	jb	.Lwipe
	end_blocks
SYM_FUNC_END(poly1305_blocks_sse2)
