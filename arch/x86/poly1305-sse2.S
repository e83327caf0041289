/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 block function for CPUs with SSE2 and no wider vectors, for long messages. Scalar code
 * is faster for short messages on all 64-bit CPUs of recent years.
 *
 * A vector is one block. Let R = r^2, and call two successive blocks a pair. For a group of g pairs
 * the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^2 + b_k r),
 *
 * with k counted from the last pair. Stream A takes the blocks a_k, stream B the blocks b_k. Every
 * lane of both streams is multiplied by the same R^k. Only the sums of the lanes are multiplied by
 * r^2, 2^64 r^2, r and 2^64 r, once per message. A lane is two dwords, m = even + 2^32 odd, which
 * are multiplied as they lie in memory by R^k and by 2^32 R^k, all in radix 2^26.
 *
 * pmuludq takes its dwords from the low halves of the lanes. A load from 4 bytes further on moves
 * odd dwords there. It reads into the next block, which always exists, because the last pair of a
 * group is handled separately.
 *
 * Bounds: limbs in the table are below L = 2^26 + 2^19. A group of at most 25 pairs adds 48
 * products below 2^32 L to a sum, and other terms below 2^58. tests/proofs proves L, and that no
 * sum exceeds 64 bits.
 */

/*
 * The least number of blocks for vectors; scalar code takes fewer. There must be two groups,
 * because a full group follows the first.
 */
.set	MIN_BLOCKS, 64

/*
 * The number of pairs in a full group; the first group may have one more. A message of fewer than
 * LONG_PAIRS pairs does not repay GROUP powers, so its groups have GROUP_SHORT pairs.
 */
.set	GROUP, 24
.set	GROUP_SHORT, 16
.set	LONG_PAIRS, 256

/*
 * The stack frame. From VAR_POWERS on it holds key material.
 *
 * VAR_TABLE holds R^1 ... R^24, in 80 bytes each, 16 for each limb: limb x of the power and limb
 * z of 2^32 times the power, as dwords x, z, x, z.
 */
.set	ENTRY_SIZE, 5 * 16
.set	VAR_HIBIT, 0
.set	VAR_GROUPS, 8			/* full groups still to come */
.set	VAR_G, 16			/* pairs of a full group */
.set	VAR_G1, 24			/* pairs of the first group */
.set	VAR_POWERS, 32			/* r^4 ... r^1, see compute_powers */
.set	VAR_FIRST, VAR_POWERS		/* later, h + first block */
.set	VAR_LAST, VAR_POWERS + 3 * 32	/* multipliers of the sums, see mul_last */
.set	VAR_SUMS, VAR_LAST + 10 * 16	/* sums of the last group, or two powers */
.set	VAR_HIBITS, VAR_SUMS + 10 * 16	/* sum_hibits of a full group */
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
#define T0		%xmm13
#define T1		%xmm14
#define MASK26		%xmm15

#define SSE2
#include "poly1305-macros.h"

.set STATE,	%rbx	/* the state, or the key of a digest function */
.set DATA,	%r12	/* the message */
.set u0,	%r14	/* temporaries of mul_r, with %rax and %rdx */
.set u1,	%r15
.set u2,	%r11
.set u3,	%rdi

.section .rodata
.p2align 4
.Lmask26:
	.quad	(1 << 26) - 1, (1 << 26) - 1
.text

/*
 * Power j of VAR_POWERS = x0 + 2^64 x1 + 2^128 x2, x2 <= 4, in radix 2^44: limbs below 2^44,
 * 2^44 and 2^43. Clobbers %rax, %rdx, %r11.
 */
.macro	store_power j, x0, x1, x2
	mov	$(1 << 44) - 1, %r11
	mov	\x0, %rax
	mov	\x0, %rdx
	and	%r11, %rax
	shr	$44, %rdx
	mov	%rax, VAR_POWERS + 8 * \j(%rsp)
	mov	\x1, %rax
	shl	$20, %rax
	or	%rdx, %rax
	and	%r11, %rax
	mov	%rax, VAR_POWERS + 32 + 8 * \j(%rsp)
	mov	\x1, %rax
	mov	\x2, %rdx
	shr	$24, %rax
	shl	$40, %rdx
	add	%rdx, %rax
	mov	%rax, VAR_POWERS + 64 + 8 * \j(%rsp)
.endm

/*
 * VAR_POWERS = r^4 ... r^1 in radix 2^44: three rows of four limbs, in each row the limbs of one
 * weight. Clobbers all general registers except STATE and DATA.
 */
.macro	compute_powers
	mov	STATE_R(STATE), %r8
	mov	STATE_R + 8(STATE), %r9
	five_quarters %r9, %r10
	mov	%r8, %rsi
	mov	%r9, %rcx
	xor	%r13d, %r13d
	store_power 3, %rsi, %rcx, %r13
.irp j, 2, 1, 0
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	store_power \j, %rsi, %rcx, %r13
.endr
	zero_regs %r13d, %r14d, %r15d
.endm

/* x *= 5. Clobbers t. */
.macro	times5	x, t=T0
	vop	psllq, $2, \x, \t
	vop	paddq, \t, \x, \x
.endm

/* y += 2^n x mod 2^26, for one or more pairs x, y. Clobbers T0. */
.macro	add_shifted n, x, y, more:vararg
	vop	psllq, $\n, \x, T0
	vop	pand, MASK26, T0, T0
	vop	paddq, T0, \y, \y
.ifnb \more
	add_shifted \n, \more
.endif
.endm

/* c += m x, for one or more pairs c, x; x is a register or aligned memory. Clobbers t. */
.macro	mul_add	m, t, c, x, more:vararg
	vop	pmuludq, "\x", \m, \t
	vop	paddq, \t, \c, \c
.ifnb \more
	mul_add	\m, \t, \more
.endif
.endm

/*
 * c += 2^26i m x (mod p), where m is limb i of the other factor, and the five limbs of x are in
 * memory, 16 bytes apart. The columns are given as ci, ..., c4, c0, ... and \wrap = 5 - i. At
 * column c0 the index wraps around, so m becomes 5 m. Clobbers t.
 */
.macro	mul_limb m, t, x, wrap, c, more:vararg
.if \wrap == 0
	times5	\m, \t
.endif
	mul_add	\m, \t, \c, "\x"
.ifnb \more
	mul_limb \m, \t, "16 + \x", "\wrap - 1", \more
.endif
.endm

/* Store one or more vectors in the frame, one after another from \to on. */
.macro	store_vectors to, x, more:vararg
	movdqa	\x, \to(%rsp)
.ifnb \more
	store_vectors "\to + 16", \more
.endif
.endm

/* to = from, for one or more pairs from, to */
.macro	copy	from, to, more:vararg
	movdqa	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/*
 * Store limb i of the multipliers for mul_last, of powers x and of y = 2^64 x. The first lanes of x
 * and y go to vector i of VAR_LAST, the second lanes to vector 5 + i.
 *
 * 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so y_i = (2^12 lo mod 2^26) + hi / 2^14
 * with lo = x_(i-2) and hi = x_(i-3), times 5 if the index wraps around: times5_both if it does
 * for lo and hi, times5_hi if it does only for hi. No carry is needed. Clobbers X0, T0, T1.
 */
.macro	store_last i, x, lo, hi, times5_hi=0, times5_both=0
	vop	psrlq, $14, \hi, X0
.if \times5_hi
	times5	X0
.endif
	add_shifted 12, \lo, X0
.if \times5_both
	times5	X0
.endif
	vop	punpcklqdq, X0, \x, T0
	vop	punpckhqdq, X0, \x, T1
	movdqa	T0, VAR_LAST+16*\i(%rsp)
	movdqa	T1, VAR_LAST+16*(5+\i)(%rsp)
.endm

/*
 * %xmm10 ... %xmm14 += s x (mod p), with x in memory as store_last leaves it. With s < 2^26.1 and
 * x < 5 * 2^26.1 this adds less than 2^59 to each. Clobbers s, %xmm15.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, %xmm15, \x, 5, %xmm10, %xmm11, %xmm12, %xmm13, %xmm14
	mul_limb \s1, %xmm15, \x, 4, %xmm11, %xmm12, %xmm13, %xmm14, %xmm10
	mul_limb \s2, %xmm15, \x, 3, %xmm12, %xmm13, %xmm14, %xmm10, %xmm11
	mul_limb \s3, %xmm15, \x, 2, %xmm13, %xmm14, %xmm10, %xmm11, %xmm12
	mul_limb \s4, %xmm15, \x, 1, %xmm14, %xmm10, %xmm11, %xmm12, %xmm13
.endm

/*
 * c += x y (mod p), x in memory, y a power from the table. With limbs up to 2^26 + 2^19 this adds
 * less than 2^56.5 to each c_i. Clobbers M, T0.
 */
.macro	mul_power c0, c1, c2, c3, c4, x, y
	movdqa	0 * 16 + \y, M
	mul_limb M, T0, \x, 5, \c0, \c1, \c2, \c3, \c4
	movdqa	1 * 16 + \y, M
	mul_limb M, T0, \x, 4, \c1, \c2, \c3, \c4, \c0
	movdqa	2 * 16 + \y, M
	mul_limb M, T0, \x, 3, \c2, \c3, \c4, \c0, \c1
	movdqa	3 * 16 + \y, M
	mul_limb M, T0, \x, 2, \c3, \c4, \c0, \c1, \c2
	movdqa	4 * 16 + \y, M
	mul_limb M, T0, \x, 1, \c4, \c0, \c1, \c2, \c3
.endm

/*
 * A = powers lo and hi of VAR_POWERS in radix 2^26, one in each lane, from limbs below 2^45 in
 * radix 2^44. A0 < 2^26 + 2^6, A1 < 2^26 + 2^19, A2 < 2^26, A3 < 2^26 + 2^11, A4 < 2^26.
 * Clobbers X0, T0, T1.
 */
.macro	load_powers lo, hi
	load_two A0, \lo, \hi, 0
	load_two X0, \lo, \hi, 32
	load_two A4, \lo, \hi, 64
	vop	psrlq, $26, A0, A1
	add_shifted 18, X0, A1
	vop	psrlq, $8, X0, A2
	vop	pand, MASK26, A2, A2
	vop	psrlq, $34, X0, A3
	add_shifted 10, A4, A3
	vop	pand, MASK26, A0, A0
	/* Bits of A4 above the low 26 have weight 2^130 = 5. */
	vop	psrlq, $16, A4, A4
	vop	psrlq, $26, A4, T1
	vop	pand, MASK26, A4, A4
	times5	T1
	vop	paddq, T1, A0, A0
.endm

/* x = a limb of two powers. Recent stores of 8 bytes cannot be forwarded to a load of 16. */
.macro	load_two x, lo, hi, row
	movq	VAR_POWERS + 8 * \lo + \row(%rsp), \x
	movhps	VAR_POWERS + 8 * \hi + \row(%rsp), \x
.endm

/* Store x, z, x, z in each of two entries, for one or more limbs x, z. Clobbers z, T0. */
.macro	store_pairs to, x, z, more:vararg
	psllq	$32, \z
	por	\x, \z
	pshufd	$0x44, \z, T0
	pshufd	$0xee, \z, \z
	movdqa	T0, \to(%rdi)
	movdqa	\z, ENTRY_SIZE + \to(%rdi)
.ifnb \more
	store_pairs "16 + \to", \more
.endif
.endm

/*
 * a += y X0 and b += y X1 in the low dwords, for successive limbs y of R^k, or from 4 bytes further
 * on, of 2^32 R^k. Clobbers M, T0.
 */
.macro	mul_dwords load, y, a, b, more:vararg
	\load	\y, M
	movdqa	M, T0
	pmuludq	X0, T0
	pmuludq	X1, M
	paddq	T0, \a
	paddq	M, \b
.ifnb \more
	mul_dwords \load, "16 + \y", \more
.endif
.endm

/*
 * A += R^k times the block at \p, B += R^k times the block at \q, with R^k at (%rdi). Adds two
 * products below 2^32 L to each sum. Clobbers X0, X1, M, T0.
 */
.macro	mul_pair p, q
	movdqu	\p, X0
	movdqu	\q, X1
	mul_dwords movdqa, 0(%rdi), A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	movdqu	4 + \p, X0
	movdqu	4 + \q, X1
	mul_dwords movdqu, 4(%rdi), A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
.endm

/* Add the last block of a stream, of weight R^0: even + 2^26 (2^6 odd). Clobbers X0, X1. */
.macro	add_last p, c0, c1
	movdqu	\p, X0
	vop	psrlq, $32, X0, X1
	psllq	$32, X0
	psrlq	$32, X0
	psllq	$6, X1
	paddq	X1, \c1
	paddq	X0, \c0
.endm

/*
 * Bit 128 of all blocks of a group: A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane, 0 in
 * the high lane. In: g in %r10. If S is that sum of powers, 2^128 = 2^104 2^24 gives A4 = 2^24 S0
 * and A_(i-1) = 5 * 2^24 S_i, below 2^57.4. Clobbers %rax, %rcx, M, T0.
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
 * Start a group of %r10 pairs at %rdx: add its last pair to A and B. Afterwards %rdx is the end of
 * the group, %rsi its last pair, and %rdi the table entry of R^1. Clobbers X0, X1.
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

/* to = the sum of the lanes of x. Clobbers %xmm0. */
.macro	sum_lanes x, to
	pshufd	$0xee, \x, %xmm0
	paddq	\x, %xmm0
	movq	%xmm0, \to
.endm

/* A block function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_blocks_sse2)
	cmp	$MIN_BLOCKS, %rdx
	jb	poly1305_blocks_x86_64

	begin_function
	mov	%rcx, VAR_HIBIT(%rsp)

	/* If the number of blocks is odd, scalar code takes the first. */
	mov	%rdx, %r13
	test	$1, %dl
	jz	.Leven
	mov	$1, %edx
	add	$16, DATA
	call	poly1305_blocks_x86_64
.Leven:

	/*
	 * The pairs become a first group of %rdx pairs and %rax full groups of %rcx. If the
	 * remainder is less than 2, a full group joins the first.
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

	compute_powers
	movdqa	.Lmask26(%rip), MASK26

	load_powers 2, 3
	store_last 0, A0, A3, A2, times5_both=1
	store_last 1, A1, A4, A3, times5_both=1
	store_last 2, A2, A0, A4, times5_hi=1
	store_last 3, A3, A1, A0
	store_last 4, A4, A2, A1

	/* The table: R^1 and R^2, then two powers at a time, the last two times R^2 */
	load_powers 2, 0
	lea	VAR_TABLE(%rsp), %rdi
	mov	VAR_G(%rsp), %rcx
	jmp	.Lstore_row
.Lrows:
	store_vectors VAR_SUMS, A0, A1, A2, A3, A4
	pxor	A0, A0
	copy	A0, A1, A0, A2, A0, A3, A0, A4
	mul_power A0, A1, A2, A3, A4, VAR_SUMS(%rsp), VAR_TABLE+ENTRY_SIZE(%rsp)
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
.Lstore_row:
	/*
	 * Store the two powers x = A, and z = 2^32 x, from (%rdi) on.
	 * z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20, times 5 if the index wraps around;
	 * z0 < 5 * 2^26.1 is carried into z1 < 2^26 + 2^9.
	 */
	vop	psrlq, $20, A4, B1
	vop	psrlq, $20, A3, B0
	vop	psrlq, $20, A0, B2
	vop	psrlq, $20, A1, B3
	vop	psrlq, $20, A2, B4
	times5	B1
	add_shifted 6, A4, B0, A0, B1, A1, B2, A2, B3, A3, B4
	times5	B0
	carry_step B0, B1, T0, B0, B1
	store_pairs 0, A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	add	$2 * ENTRY_SIZE, %rdi
	sub	$2, %rcx
	ja	.Lrows

	/* h + first block; %r9 is the excess over 128 bits */
	mov	STATE_H(STATE), %rax
	mov	STATE_H + 8(STATE), %rcx
	mov	STATE_H + 16(STATE), %r9
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	mov	%rax, VAR_FIRST(%rsp)
	mov	%rcx, VAR_FIRST + 8(%rsp)

	/* Bit 128 of all blocks of a full group, and of the first group */
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

	/* Add 2^128 %r9 R^(g-1) to the low lane of A, in the form of sum_hibits. */
	shl	$24, %r9
	movq	%r9, X0
	mul_add	X0, T0, A4, 0(%rdi)
	times5	X0
	mul_add	X0, T0, A0, 16(%rdi), A1, 32(%rdi), A2, 48(%rdi), A3, 64(%rdi)

	mov	VAR_GROUPS(%rsp), %rcx
.Lgroups:
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
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

	/* Multiply the sums of all lanes by the powers of the lanes, and add them up. */
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
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
	end_function
SYM_FUNC_END(poly1305_blocks_sse2)
