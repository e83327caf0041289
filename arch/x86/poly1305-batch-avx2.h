/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-batch-avx2.S, which explains
 * them. Every macro works on each 64-bit lane, and each lane belongs to another
 * message.
 *
 * tests/bounds/poly1305-batch-avx2.py recomputes the bounds stated here.
 */

/* The stack frame. Its first eight rows are the multipliers of x_0 to x_4. */
.set	VAR_5R0, 0			/* 5 r_0 */
.set	VAR_Q, VAR_5R0 + 32		/* q_1, q_2, q_3 */
.set	VAR_R, VAR_Q + 3 * 32		/* r_0, r_1, r_2, r_3 */
.set	VAR_BUF, VAR_R + 4 * 32		/* the last block of each message */
.set	VAR_BEGIN, VAR_BUF + 4 * 16	/* -16 times the blocks of each message */
.set	VAR_END, VAR_BEGIN + 32		/* data + 16 times the blocks */
.set	VAR_LEN_OF, VAR_END + 32	/* the length of each message */
.set	VAR_LAST_HIBIT, VAR_LEN_OF + 32	/* bit 128 of each last block, in x_4 */
.set	VAR_LEN, VAR_LAST_HIBIT + 32	/* the length of every message of a run */
.set	VAR_ADJACENT, VAR_LEN + 8	/* whether the requests are those of a run */
.set	VAR_ASKED, VAR_ADJACENT + 4	/* how many messages there are */
.set	VAR_MESSAGES, VAR_ASKED + 4	/* how many are left */
.set	FRAME, VAR_MESSAGES + 16

/* The requests, or their addresses, from those of the messages in progress on */
.set	REQS, %rdi
/* These requests, at the beginning and the end of four messages */
.set	REQ0, %rax
.set	REQ1, %rcx
.set	REQ2, %rsi
.set	REQ3, %rbx
/* -16 times the blocks left in the longest message */
.set	LEFT, %rdx
/* -16 times the blocks of the shortest message */
.set	SHORTEST, %r12
/* The ends of the messages, with their last blocks counted as whole */
.set	END0, %r8
.set	END1, %r9
.set	END2, %r10
.set	END3, %r11
/* What LEFT is after the blocks that need no padding */
.set	LIMIT, %r12
/* Bytes that all last blocks lack, or -1 if these are in VAR_BUF */
.set	LACK, %r13
/* Lanes read this before their message begins. */
.set	NO_BLOCK, %r13

/* x; the columns of x r; scratch; bit 128 in x_4; constants */
#define X0		%ymm0
#define X1		%ymm1
#define X2		%ymm2
#define X3		%ymm3
#define X4		%ymm4
#define Y0		%ymm5
#define Y1		%ymm6
#define Y2		%ymm7
#define Y3		%ymm8
#define Y4		%ymm9
#define T		%ymm10
#define T2		%ymm11
#define T3		%ymm12
#define HIBIT		%ymm13
#define THREE		%ymm14
#define MASK32		%ymm15

/*
 * Copy the last block of a message to the 16 zeroes at %r11, with its 1 bit if
 * it is not whole. The message is at %r8, of %r9 bytes, or %r10 with its last
 * block counted as whole. Clobbers %rax, %rbx, %rcx, %r9, %xmm0.
 */
.macro	copy_end
	cmp	$16, %r9
	jb	.Lshort\@
	mov	%r10, %rcx
	sub	%r9, %rcx		/* bytes that the last block lacks */
	lea	.Lmove_down(%rip), %rax
	vmovdqu	-16(%r8, %r9), %xmm0
	vpshufb	(%rax, %rcx), %xmm0, %xmm0
	vpor	.Lpadding - .Lmove_down(%rax, %rcx), %xmm0, %xmm0
	vmovdqa	%xmm0, (%r11)
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
	mov	-8(%r8, %r9), %rbx
	neg	%ecx			/* shifts count modulo 64 */
	shr	$8, %rbx
	bts	$56, %rbx
	sub	$8, %ecx
	shr	%cl, %rbx
	mov	%rax, (%r11)
	mov	%rbx, 8(%r11)
	jmp	.Lcopied\@
.Ldwords\@:
	mov	(%r8), %eax
	mov	-4(%r8, %r9), %ebx
	bts	$32, %rbx
	sub	$32, %ecx
	shl	%cl, %rbx
	or	%rbx, %rax
	mov	%rax, (%r11)
	jmp	.Lcopied\@
.Lbytes\@:
	movzbl	-1(%r8, %r9), %ebx
	bts	$8, %ebx
	sub	$8, %ecx
	shl	%cl, %ebx
	movzbl	(%r8), %eax
	or	%eax, %ebx
	shr	$1, %r9d
	movzbl	(%r8, %r9), %eax	/* the middle byte of three */
	lea	(, %r9, 8), %ecx
	shl	%cl, %eax
	or	%eax, %ebx
	mov	%rbx, (%r11)
.Lcopied\@:
.endm

/* REQ0 ... REQ3 = addresses of the requests */
.macro	requests
	cmpl	$0, VAR_ADJACENT(%rsp)
	jne	.Ladjacent\@
	mov	(REQS), REQ0
	mov	8(REQS), REQ1
	mov	16(REQS), REQ2
	mov	24(REQS), REQ3
	jmp	.Lrequests\@
.Ladjacent\@:
	mov	REQS, REQ0
	lea	REQ_SIZE(REQS), REQ1
	lea	2 * REQ_SIZE(REQS), REQ2
	lea	3 * REQ_SIZE(REQS), REQ3
.Lrequests\@:
.endm

/* END0 ... END3 = the same member of each request */
.macro	members member
	mov	\member(REQ0), END0
	mov	\member(REQ1), END1
	mov	\member(REQ2), END2
	mov	\member(REQ3), END3
.endm

/* Store END0 ... END3 at \to. */
.macro	store_ends to
	mov	END0, \to(%rsp)
	mov	END1, \to + 8(%rsp)
	mov	END2, \to + 16(%rsp)
	mov	END3, \to + 24(%rsp)
.endm

/*
 * Set VAR_BEGIN, and VAR_LAST_HIBIT, from the lengths in END0 to END3. An empty
 * message has one block, which is not whole. Zero VAR_BUF. Clobbers X0 to X3.
 */
.macro	begins_and_hibits
	vmovq	END0, %xmm0
	vpinsrq	$1, END1, %xmm0, %xmm0
	vmovq	END2, %xmm1
	vpinsrq	$1, END3, %xmm1, %xmm1
	vinserti128 $1, %xmm1, X0, X0
	vpxor	X1, X1, X1
	vmovdqa	X1, VAR_BUF(%rsp)
	vmovdqa	X1, VAR_BUF + 32(%rsp)
	vpbroadcastq .Lfifteen(%rip), X2
	vpaddq	X0, X2, X2
	vpsrlq	$4, X2, X2
	vpcmpeqq X0, X1, X3		/* -1 for an empty message */
	vpsubq	X3, X2, X2
	vpsllq	$4, X2, X2		/* 16 times the blocks */
	vpcmpeqq X0, X2, X3		/* -1 for a last block that is whole */
	vpsubq	X3, X1, X3
	vmovdqa	X3, VAR_LAST_HIBIT(%rsp)
	vpsubq	X2, X1, X2
	vmovdqa	X2, VAR_BEGIN(%rsp)
.endm

/* \to = the next block of lane \i, or the zeroes at NO_BLOCK if it has not begun */
.macro	block_or_none end, i, to
	lea	(\end, LEFT), \to
	cmp	VAR_BEGIN + 8 * \i(%rsp), LEFT
	cmovl	NO_BLOCK, \to
.endm

/*
 * The next block of each message that has begun, and its bit 128. Clobbers T, T2, T3,
 * %rax, %rbx, %rcx and %rsi.
 */
.macro	load_begun x0, x1, x2, x3
	vmovq	LEFT, %xmm13
	vpbroadcastq %xmm13, HIBIT
	vpbroadcastq .Lhibit(%rip), T
	vmovdqa	VAR_BEGIN(%rsp), T2
	vpcmpgtq HIBIT, T2, HIBIT
	vpandn	T, HIBIT, HIBIT
	block_or_none END0, 0, %rax
	block_or_none END1, 1, %rcx
	block_or_none END2, 2, %rsi
	block_or_none END3, 3, %rbx
	load_words (%rax), (%rcx), (%rsi), (%rbx)
	words_to_digits \x0, \x1, \x2, \x3
.endm

/* The next block of each message, all of which have begun. Clobbers T, T2, T3. */
.macro	load_next x0, x1, x2, x3
	load_words "(END0, LEFT)", "(END1, LEFT)", "(END2, LEFT)", "(END3, LEFT)"
	words_to_digits \x0, \x1, \x2, \x3
.endm

/* The last block of each message, from VAR_BUF, and its bit 128. Clobbers T, T2, T3. */
.macro	load_last x0, x1, x2, x3
	vmovdqa	VAR_LAST_HIBIT(%rsp), HIBIT
	load_words VAR_BUF(%rsp), VAR_BUF+16(%rsp), VAR_BUF+32(%rsp), VAR_BUF+48(%rsp)
	words_to_digits \x0, \x1, \x2, \x3
.endm

/*
 * The last block of each message, if all lack LACK bytes, 0 < LACK < 16, and are
 * not their message's first. Their bit 128 is 0. Clobbers LEFT, %rax, T, T2, T3.
 */
.macro	load_tail x0, x1, x2, x3
	lea	.Lmove_down(%rip), %rax
	vbroadcasti128 (%rax, LACK), T3
	vbroadcasti128 .Lpadding - .Lmove_down(%rax, LACK), HIBIT
	sub	LACK, LEFT
	load_pairs "(END0, LEFT)", "(END1, LEFT)", "(END2, LEFT)", "(END3, LEFT)"
	vpshufb	T3, T, T
	vpshufb	T3, T2, T2
	vpor	HIBIT, T, T
	vpor	HIBIT, T2, T2
	vpxor	HIBIT, HIBIT, HIBIT
	pairs_to_words
	words_to_digits \x0, \x1, \x2, \x3
.endm

/* T3, T = the low and the high words of four blocks. Clobbers T2. */
.macro	load_words p0, p1, p2, p3
	load_pairs "\p0", "\p1", "\p2", "\p3"
	pairs_to_words
.endm

/* T = the blocks of lanes 0 and 2, T2 = those of lanes 1 and 3 */
.macro	load_pairs p0, p1, p2, p3
	vmovdqu	\p0, %xmm10
	vinserti128 $1, \p2, T, T
	vmovdqu	\p1, %xmm11
	vinserti128 $1, \p3, T2, T2
.endm

/* T3, T = the low and the high words of the blocks in T and T2 */
.macro	pairs_to_words
	vpunpcklqdq T2, T, T3
	vpunpckhqdq T2, T, T
.endm

/* x_0 to x_3 = the digits of the words in T3 and T */
.macro	words_to_digits x0, x1, x2, x3
	vpand	MASK32, T3, \x0
	vpsrlq	$32, T3, \x1
	vpand	MASK32, T, \x2
	vpsrlq	$32, T, \x3
.endm

/*
 * Store the multipliers for r = r_0 + 2^32 r_1 + 2^64 r_2 + 2^96 r_3, given its
 * words in T3 and T. What is above a digit in its lane does not count. As r is
 * clamped, its digits are below 2^28, and r_1, r_2, r_3 are multiples of 4: q_i
 * = 5 r_i / 4 is an integer, below 1.25 2^28. Clobbers T, T2, T3.
 */
.macro	store_r
	vmovdqa	T3, VAR_R(%rsp)
	vpsrlq	$32, T3, T2
	vmovdqa	T2, VAR_R + 32(%rsp)
	vmovdqa	T, VAR_R + 64(%rsp)
	vpsrlq	$32, T, T2
	vmovdqa	T2, VAR_R + 96(%rsp)
	vpslld	$2, T3, T2
	vpaddd	T3, T2, T2
	vmovdqa	T2, VAR_5R0(%rsp)
	vpsrld	$2, T3, T2
	vpaddd	T3, T2, T2
	vpsrlq	$32, T2, T2
	vmovdqa	T2, VAR_Q(%rsp)
	vpsrld	$2, T, T2
	vpaddd	T, T2, T2
	vmovdqa	T2, VAR_Q + 32(%rsp)
	vpsrlq	$32, T2, T2
	vmovdqa	T2, VAR_Q + 64(%rsp)
.endm

/*
 * x = x r + y, for y in Y0 to Y3 and HIBIT. On entry and on return, x_0 to x_3
 * are digits, with anything above them, and x_4 < 2^31.
 *
 * 2^128 r_i = 2^130 r_i / 4 = q_i (mod p). With x_4 = 4 a + b, 2^128 x_4 r_0 =
 * a 5 r_0 + 2^128 b r_0. So the columns of x r are
 *
 *	y_0 = x_0 r_0 + x_1 q_3 + x_2 q_2 + x_3 q_1 + a 5 r_0
 *	y_1 = x_0 r_1 + x_1 r_0 + x_2 q_3 + x_3 q_2 + x_4 q_1
 *	y_2 = x_0 r_2 + x_1 r_1 + x_2 r_0 + x_3 q_3 + x_4 q_2
 *	y_3 = x_0 r_3 + x_1 r_2 + x_2 r_1 + x_3 r_0 + x_4 q_3
 *	y_4 = b r_0
 *
 * y_0 to y_3, with a digit and a carry added, are below 2^62.5; y_4 is below
 * 3 2^28, and a carry into it below 1.2 2^30. Clobbers Y, T, T2, T3.
 */
.macro	mul_add
	mul_digit X0, VAR_R
	mul_digit X1, VAR_Q + 64
	mul_digit X2, VAR_Q + 32
	mul_digit X3, VAR_Q
	vpsrlq	$2, X4, T
	vpand	THREE, X4, Y4
	vpmuludq VAR_5R0(%rsp), T, T
	vpmuludq VAR_Q(%rsp), X4, T2
	vpmuludq VAR_Q + 32(%rsp), X4, T3
	vpaddq	T, Y0, X0
	vpmuludq VAR_Q + 64(%rsp), X4, T
	vpaddq	T2, Y1, Y1
	vpmuludq VAR_R(%rsp), Y4, Y4
	vpaddq	T3, Y2, Y2
	vpaddq	T, Y3, Y3
	vpaddq	HIBIT, Y4, Y4
	vpsrlq	$32, X0, T
	vpaddq	T, Y1, X1
	vpsrlq	$32, X1, T
	vpaddq	T, Y2, X2
	vpsrlq	$32, X2, T
	vpaddq	T, Y3, X3
	vpsrlq	$32, X3, T
	vpaddq	T, Y4, X4
.endm

/* Y0 to Y3 += \x times the four rows from \row on */
.macro	mul_digit x, row
	vpmuludq \row(%rsp), \x, T
	vpmuludq \row + 32(%rsp), \x, T2
	vpmuludq \row + 64(%rsp), \x, T3
	vpaddq	T, Y0, Y0
	vpmuludq \row + 96(%rsp), \x, T
	vpaddq	T2, Y1, Y1
	vpaddq	T3, Y2, Y2
	vpaddq	T, Y3, Y3
.endm

/*
 * Tags: X2 = those of lanes 0 and 2, X3 = those of lanes 1 and 3, for x as
 * mul_add leaves it and the keys' second halves in T3 and T. Clobbers X, Y, T,
 * T2, T3.
 *
 * With x_4 = 4 a + b, v = x - a p is x without 4 a, plus 5 a. v + 5 < 2^131
 * tells by its bit 130, q, whether v >= p. So x mod p = x - (a + q) p, which is
 * x + 5 (a + q) modulo 2^128.
 */
.macro	tags
	vpand	MASK32, T3, Y0		/* the digits of the pads */
	vpsrlq	$32, T3, Y1
	vpand	MASK32, T, Y2
	vpsrlq	$32, T, Y3
	vpsrlq	$2, X4, T
	vpand	THREE, X4, X4
	vpsllq	$2, T, T2
	vpaddq	T2, T, T
	vpand	MASK32, X0, X0
	vpand	MASK32, X1, X1
	vpand	MASK32, X2, X2
	vpand	MASK32, X3, X3
	vpaddq	T, X0, X0		/* below 2^32 + 5 2^29 */
	vpbroadcastq .Lfive(%rip), T
	vpaddq	X0, T, T
.irp x, X1, X2, X3, X4
	vpsrlq	$32, T, T
	vpaddq	\x, T, T
.endr
	vpsrlq	$2, T, T		/* q */
	vpsllq	$2, T, T2
	vpaddq	T2, T, T
	vpaddq	Y0, X0, X0
	vpaddq	Y1, X1, X1
	vpaddq	Y2, X2, X2
	vpaddq	Y3, X3, X3
	vpaddq	T, X0, X0
	vpsrlq	$32, X0, T
	vpaddq	T, X1, X1
	vpsrlq	$32, X1, T
	vpaddq	T, X2, X2
	vpsrlq	$32, X2, T
	vpaddq	T, X3, X3
	vpsllq	$32, X1, X1
	vpsllq	$32, X3, X3
	vpblendd $0xaa, X1, X0, X0
	vpblendd $0xaa, X3, X2, X1
	vpunpcklqdq X1, X0, X2
	vpunpckhqdq X1, X0, X3
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
