/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-batch-avx2.S, which explains
 * them. Every macro works on each 64-bit lane, and each lane belongs to another
 * message. A macro that takes a list of operands calls itself for the rest of
 * the list.
 *
 * tests/bounds/poly1305-batch-avx2.py recomputes the bounds stated here.
 */

/*
 * The stack frame. A power y takes nine rows: 5 y1, 5 y2, 5 y3, 5 y4, y0, y1,
 * y2, y3, y4.
 */
.set	VAR_BEGIN, 0			/* -16 times the blocks of each message */
.set	VAR_END, 32			/* data + 16 times the blocks */
.set	VAR_LAST_HIBIT, 64		/* bit 128 of each last block, in limb 4 */
.set	VAR_BUF, 96			/* the last two blocks of each message */
.set	VAR_R1, VAR_BUF + 4 * 32	/* r */
.set	VAR_R2, VAR_R1 + 9 * 32		/* r^2 */
.set	VAR_MESSAGES, VAR_R2 + 9 * 32	/* how many messages are left */
.set	VAR_HAS_R2, VAR_MESSAGES + 4	/* whether VAR_R2 was ever used */
.set	FRAME, VAR_MESSAGES + 32

/* The requests of the messages in progress */
.set	REQS, %rdi
/* -16 times the blocks left in each message that has begun */
.set	LEFT, %rdx
/* The ends of the messages, with their last blocks counted as whole */
.set	END0, %r8
.set	END1, %r9
.set	END2, %r10
.set	END3, %r11

/* h; a block or a power; scratch; bit 128 in limb 4 */
#define A0		%ymm0
#define A1		%ymm1
#define A2		%ymm2
#define A3		%ymm3
#define A4		%ymm4
#define B0		%ymm5
#define B1		%ymm6
#define B2		%ymm7
#define B3		%ymm8
#define B4		%ymm9
#define T		%ymm10
#define T2		%ymm11
#define T3		%ymm12
#define HIBIT		%ymm14
#define MASK26		%ymm15

/*
 * Copy the last two blocks of a message to the 32 zeroes at %r11. The message
 * is at %r8, of %r9 bytes, or %r10 with its last block counted as whole. If its
 * last block is whole, set lane %rsi of VAR_LAST_HIBIT. Clobbers %rax, %rcx,
 * %r8, %r9, %r12, %xmm1.
 */
.macro	copy_end
	mov	%r10, %rcx
	sub	%r9, %rcx		/* bytes that the last block lacks */
	cmp	$16, %r9
	jb	.Lshort\@
	test	%ecx, %ecx
	jnz	.Llong\@
	movq	$1 << 24, VAR_LAST_HIBIT(%rsp, %rsi, 8)
.Llong\@:
	lea	.Lmove_down(%rip), %rax
	vmovdqu	-16(%r8, %r9), %xmm1
	vpshufb	(%rax, %rcx), %xmm1, %xmm1
	vpor	.Lpadding - .Lmove_down(%rax, %rcx), %xmm1, %xmm1
	vmovdqa	%xmm1, 16(%r11)
	cmp	$32, %r10
	jb	.Lcopied\@
	vmovdqu	-32(%r8, %r10), %xmm1
	vmovdqa	%xmm1, (%r11)
	jmp	.Lcopied\@

	/* Up to 15 bytes, in pieces that may overlap, followed by the 1 bit */
.Lshort\@:
	test	%r9, %r9
	jz	.Lcopied\@
	lea	(, %r9, 8), %ecx
	cmp	$4, %r9
	jb	.Lbytes\@
	cmp	$8, %r9
	jb	.Ldwords\@
	mov	(%r8), %rax
	mov	-8(%r8, %r9), %r12
	neg	%ecx			/* shifts count modulo 64 */
	shr	$8, %r12
	bts	$56, %r12
	sub	$8, %ecx
	shr	%cl, %r12
	mov	%rax, 16(%r11)
	mov	%r12, 24(%r11)
	jmp	.Lcopied\@
.Ldwords\@:
	mov	(%r8), %eax
	mov	-4(%r8, %r9), %r12d
	bts	$32, %r12
	sub	$32, %ecx
	shl	%cl, %r12
	or	%r12, %rax
	mov	%rax, 16(%r11)
	jmp	.Lcopied\@
.Lbytes\@:
	movzbl	-1(%r8, %r9), %r12d
	bts	$8, %r12d
	sub	$8, %ecx
	shl	%cl, %r12d
	movzbl	(%r8), %eax
	or	%eax, %r12d
	shr	$1, %r9d
	movzbl	(%r8, %r9), %eax	/* the middle byte of three */
	lea	(, %r9, 8), %ecx
	shl	%cl, %eax
	or	%eax, %r12d
	mov	%r12, 16(%r11)
.Lcopied\@:
.endm

/* END0 ... END3 = addresses of the keys. Clobbers %rax. */
.macro	key_pointers
	mov	(REQS), %rax
	mov	REQ_KEY(%rax), END0
	mov	8(REQS), %rax
	mov	REQ_KEY(%rax), END1
	mov	16(REQS), %rax
	mov	REQ_KEY(%rax), END2
	mov	24(REQS), %rax
	mov	REQ_KEY(%rax), END3
.endm

/* \to = the next block of lane \lane / 8, or the zeroes at %rcx if it has not begun */
.macro	block_or_none end, lane, to
	lea	(\end, LEFT), \to
	cmp	VAR_BEGIN + \lane(%rsp), LEFT
	cmovl	%rcx, \to
.endm

/* HIBIT = bit 128 in the lanes that have begun. Clobbers T. */
.macro	active_hibits
	vmovq	LEFT, %xmm14
	vpbroadcastq %xmm14, HIBIT
	vpbroadcastq .Lhibit(%rip), T
	vmovdqa	VAR_BEGIN(%rsp), T2
	vpcmpgtq HIBIT, T2, HIBIT
	vpandn	T, HIBIT, HIBIT
.endm

/* B0, B4 = the low and the high words of four blocks in memory */
.macro	load_blocks p0, p1, p2, p3
	vmovdqu	\p0, %xmm5
	vinserti128 $1, \p2, B0, B0
	vmovdqu	\p1, %xmm6
	vinserti128 $1, \p3, B1, B1
	unpack_blocks
.endm

/* The same, with the blocks of lanes 0 and 2 in B0, of lanes 1 and 3 in B1 */
.macro	unpack_blocks
	vpunpckhqdq B1, B0, B4
	vpunpcklqdq B1, B0, B0
.endm

/* B = B0 + 2^64 B4 + HIBIT in radix 2^26: limbs below 2^26. Clobbers T. */
.macro	split_blocks
	vpsllq	$12, B4, B3
	vpsrlq	$52, B0, B2
	vpsrlq	$26, B0, B1
	vpor	B3, B2, B2
	vpsrlq	$14, B4, B3
	vpsrlq	$40, B4, B4
	vpand	MASK26, B0, B0
	vpand	MASK26, B1, B1
	vpand	MASK26, B2, B2
	vpand	MASK26, B3, B3
	vpor	HIBIT, B4, B4
.endm

/* B += A */
.macro	add_sums
	vpaddq	A0, B0, B0
	vpaddq	A1, B1, B1
	vpaddq	A2, B2, B2
	vpaddq	A3, B3, B3
	vpaddq	A4, B4, B4
.endm

/*
 * A = B y (mod p), or A += B y with first=0, for the power y at \y. As
 * 2^130 = 5, products of limbs i and j with i + j >= 5 go to limb i + j - 5,
 * times 5.
 *
 * With B < 2^27.1 and y < 2^26.1, so that 5 y < 2^28.5, this adds less than
 * 2^57.8 to each A.
 */
.macro	mul	y, first=1
	mul_limb	B0, "\y + 4 * 32", \first
	mul_limb	B1, "\y + 3 * 32", 0
	mul_limb	B2, "\y + 2 * 32", 0
	mul_limb	B3, "\y + 1 * 32", 0
	mul_limb	B4, "\y + 0 * 32", 0
.endm

/* A += \b times the five rows from \y on */
.macro	mul_limb	b, y, first
.if \first
	vpmuludq \y + 0 * 32(%rsp), \b, A0
	vpmuludq \y + 1 * 32(%rsp), \b, A1
	vpmuludq \y + 2 * 32(%rsp), \b, A2
	vpmuludq \y + 3 * 32(%rsp), \b, A3
	vpmuludq \y + 4 * 32(%rsp), \b, A4
.else
	vpmuludq \y + 0 * 32(%rsp), \b, T
	vpmuludq \y + 1 * 32(%rsp), \b, T2
	vpmuludq \y + 2 * 32(%rsp), \b, T3
	vpaddq	T, A0, A0
	vpmuludq \y + 3 * 32(%rsp), \b, T
	vpaddq	T2, A1, A1
	vpmuludq \y + 4 * 32(%rsp), \b, T2
	vpaddq	T3, A2, A2
	vpaddq	T, A3, A3
	vpaddq	T2, A4, A4
.endif
.endm

/*
 * Sums c_i below 2^59 become limbs: c1 < 2^26 + 2^10, c4 < 2^26 + 2^10, the
 * others below 2^26. Two chains of carries run side by side: 0 1 2 3 4 and 3 4
 * 0 1, with 2^130 = 5.
 */
.macro	carry c0, c1, c2, c3, c4
	carry_step \c0, \c1, T
	carry_step \c3, \c4, T2
	carry_step \c1, \c2, T
	carry_step \c4, \c0, T2
	vpsllq	$2, T2, T2
	vpaddq	T2, \c0, \c0
	carry_step \c2, \c3, T
	carry_step \c0, \c1, T2
	carry_step \c3, \c4, T
.endm

/* Carry what exceeds 26 bits to the next limb. */
.macro	carry_step from, to, t
	vpsrlq	$26, \from, \t
	vpand	MASK26, \from, \from
	vpaddq	\t, \to, \to
.endm

/* Store limbs as the power at \y. Clobbers T. */
.macro	store_power y, x0, x1, x2, x3, x4
	vmovdqa	\x0, \y + 4 * 32(%rsp)
	store_limb "\y + 0 * 32", \x1
	store_limb "\y + 1 * 32", \x2
	store_limb "\y + 2 * 32", \x3
	store_limb "\y + 3 * 32", \x4
.endm

.macro	store_limb y, x
	vpsllq	$2, \x, T
	vpaddq	\x, T, T
	vmovdqa	\x, \y + 5 * 32(%rsp)
	vmovdqa	T, \y(%rsp)
.endm

/*
 * A = A mod p, with limbs below 2^26. Clobbers T, T2.
 *
 * On entry A < 2p, with limbs as carry leaves them. q = (A + 5) / 2^130,
 * rounded down, is 1 if A >= p, else 0, and A mod p = A + 5 q - 2^130 q.
 */
.macro	reduce
	vpsrlq	$25, MASK26, T		/* 5 */
	vpsllq	$2, T, T2
	vpaddq	T2, T, T
	vpaddq	A0, T, T
.irp a, A1, A2, A3, A4
	vpsrlq	$26, T, T
	vpaddq	\a, T, T
.endr
	vpsrlq	$26, T, T
	vpsllq	$2, T, T2
	vpaddq	T2, T, T
	vpaddq	T, A0, A0
	carry_step A0, A1, T
	carry_step A1, A2, T
	carry_step A2, A3, T
	carry_step A3, A4, T
	vpand	MASK26, A4, A4
.endm

/*
 * %ymm2 = the tags of lanes 0 and 2, %ymm3 = those of lanes 1 and 3: A plus the
 * pads B0 + 2^64 B4, modulo 2^128. Clobbers A, B, T.
 */
.macro	add_pads
	vpsllq	$26, A1, A1
	vpor	A1, A0, A0
	vpsllq	$52, A2, T
	vpor	T, A0, A0		/* word 0 */
	vpsrlq	$12, A2, A2
	vpsllq	$14, A3, A3
	vpor	A3, A2, A2
	vpsllq	$40, A4, A4
	vpor	A4, A2, A2		/* word 1 */
	vpaddq	B0, A0, A0
	vpaddq	B4, A2, A2
	/* Word 0 carried if it is below its pad. AVX2 compares signed numbers only. */
	vpbroadcastq .Lsign(%rip), T
	vpxor	T, A0, A1
	vpxor	T, B0, B0
	vpcmpgtq A1, B0, B0		/* -1 for a carry */
	vpsubq	B0, A2, A1
	vpunpcklqdq A1, A0, A2
	vpunpckhqdq A1, A0, A3
.endm

/* Copy each from to its to. */
.macro	copy	from, to, more:vararg
	vmovdqa	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/* Zero \n rows of the frame; %ymm0 is 0. */
.macro	wipe_rows from, n
.set	i, 0
.rept	\n
	vmovdqa	%ymm0, \from + 32 * i(%rsp)
.set	i, i + 1
.endr
.endm
