/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1271 block function for CPUs with AVX2 and BMI2.
 *
 * p = 2^127 - 1. Let R = r^4, and call four successive blocks a quad. A vector is two
 * blocks, low and high half each in a lane of 64 bits: stream A takes the first two
 * blocks a and b of a quad, stream B the last two, c and d. For a group of g <= 32
 * quads, and the sum h of all before,
 *
 *	h R^g + sum over k = 0 ... g-1 of R^k (a_k r^4 + b_k r^3 + c_k r^2 + d_k r),
 *
 * where quads are counted from the end. All lanes of both streams are multiplied by the
 * same R^k. The four powers at the end, and the 2^64 of the high lanes, multiply only
 * the sums, once per message.
 *
 * Powers and sums are in radix 2^26, five limbs, and 2^130 = 8. Blocks are not split: a
 * lane is two dwords, m = even + 2^32 odd, and
 *
 *	R^k m = R^k even + (2^32 R^k) odd,
 *
 * so the table has powers together with their multiples by 2^32. That is ten
 * multiplications for each vector, and ten additions to the five sums of its stream.
 * These are reduced once per group.
 *
 * Powers are computed in general registers, in radix 2^64. There a product modulo p
 * takes four multiplications, and a multiplication by 2^32 or 2^64 is a rotation.
 *
 * A vector is loaded as 16 bytes of each block: its 15 bytes, and the next byte, which the
 * 1 bit replaces. To read nothing outside the message, at least one block is left to
 * scalar code.
 *
 * Bounds: limbs in the table are below 2^26. In one sum a group of 32 quads collects
 *
 *	62 products of a message dword		< 62 * 2^58	< 2^63.96
 *	a dword of weight R^0, by 2^6		< 2^38
 *	the sum before, times R^32		< 2^57.4
 *
 * less than 2^64 - 2^58 altogether.
 */

#include "../../compat.h"
#include "../../arch/x86/poly1305-offsets.h"

#define SCALAR_BLOCKS	poly1271_blocks_x86_64

/* Shortest message, in blocks, for this method; scalar code below */
.set	MIN_BLOCKS, 16
/* Least number of quads for groups of 16, and of 32 */
.set	GROUPS_OF_16, 32
.set	GROUPS_OF_32, 96

/* Longest group, in quads */
.set	GROUP, 32

/*
 * The stack frame. From VAR_SUMS on it holds key material.
 *
 * VAR_TABLE: R^1 ... R^32, a row for each limb. Each qword has a limb of a power in its
 * low half and the same limb of 2^32 times the power in its high half.
 */
.set	ROW, 8 * GROUP
.set	VAR_G, 0				/* quads of a full group, times 8 */
.set	VAR_GROUPS, 8				/* full groups */
.set	VAR_TAIL, 16				/* blocks for scalar code */
.set	VAR_G1, 24				/* quads of the first group */
.set	VAR_SUMS, 64				/* those of the last group */
.set	VAR_LAST, VAR_SUMS + 10 * 32		/* multipliers for the sums */
.set	VAR_TABLE, VAR_LAST + 10 * 32
.set	FRAME, VAR_TABLE + 5 * ROW

#define STATE		%rbx
#define DATA		%r12

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
#define X0		%ymm10
#define X1		%ymm11
#define T		%ymm12
#define M		%ymm13
#define T2		%ymm14
#define M2		%ymm15

/* While the table is built, and while sums are carried */
#define MASK26		%ymm15
#define HIGH26		%ymm14
#define HIGH23		%ymm13

.section .rodata
.p2align 5
/* The odd dwords of each lane, of two blocks; without the byte after a block */
.Lodd_dwords:
.rept 2
	.byte	4, 5, 6, 7, 128, 128, 128, 128
	.byte	12, 13, 14, 128, 128, 128, 128, 128
.endr
/* The 1 bits of two blocks, in their last dwords */
.Lone_bits:
	.quad	0, 1 << 24, 0, 1 << 24
/* The even dwords */
.Leven_dwords:
	.quad	0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff
.Lmask26:
	.quad	(1 << 26) - 1
.text

/*
 * h1, h0 = the number they hold with the carry flag on top, at most 2^127: the bits above
 * the lowest 127 are folded. The number must be below 2^128 + 2^127. Clobbers %rdi.
 */
.macro	fold_top h0, h1
	mov	$0, %edi
	adc	%edi, %edi
	add	\h1, \h1
	adc	%edi, %edi
	shr	$1, \h1
	add	%rdi, \h0
	adc	$0, \h1
.endm

/*
 * a = a b (mod p), for a and b at most 2^127, as is the result. Clobbers %rax, %rcx,
 * %rdx, %rsi, %rdi.
 */
.macro	gpr_mul	a0, a1, b0, b1
	mov	\a0, %rdx
	mulx	\b0, %rax, %rcx
	mulx	\b1, %rdi, %rsi
	mov	\a1, %rdx
	mulx	\b0, \a0, \a1
	add	\a0, %rdi
	adc	\a1, %rsi
	mulx	\b1, \a0, \a1
	add	%rdi, %rcx
	adc	%rsi, \a0
	adc	$0, \a1
	/* 2^128 = 2 (mod p): the third word counts twice. */
	add	\a0, \a0
	adc	\a1, \a1
	add	\a0, %rax
	adc	\a1, %rcx
	fold_top %rax, %rcx
	mov	%rax, \a0
	mov	%rcx, \a1
.endm

/*
 * Store x, and 2^64 x, as numbers j and j + 1 for split_vector. x is below 2^127: the only
 * number for which gpr_mul could give 2^127 is 1, and r^2, r^3 and r^4 are 1 for r = 1
 * alone, where they come out as 1. Clobbers %rax, %rcx.
 */
.macro	store_last at, j, x0, x1
	mov	\x0, VAR_LAST + \at + 8 * \j(%rsp)
	mov	\x1, VAR_LAST + \at + 32 + 8 * \j(%rsp)
	mov	\x0, %rax
	mov	\x1, %rcx
	add	%rax, %rax
	adc	%rcx, %rcx
	shr	$1, %rax
	mov	%rcx, VAR_LAST + \at + 8 * \j + 8(%rsp)
	mov	%rax, VAR_LAST + \at + 32 + 8 * \j + 8(%rsp)
.endm

/* x = the limbs of w0 + 2^64 w1 <= 2^128 - 1 in radix 2^26, each below 2^26 */
.macro	split_vector w0, w1, x0, x1, x2, x3, x4
	vpsrlq	$52, \w0, \x2
	vpsllq	$12, \w1, \x3
	vpor	\x3, \x2, \x2
	vpand	MASK26, \x2, \x2
	vpand	MASK26, \w0, \x0
	vpsrlq	$26, \w0, \x1
	vpand	MASK26, \x1, \x1
	vpsrlq	$14, \w1, \x3
	vpand	MASK26, \x3, \x3
	vpsrlq	$40, \w1, \x4
.endm

/*
 * x += 2^32 times the limbs of z = 2^32 (w0 + 2^64 w1) (mod p), each below 2^26, for
 * numbers up to 2^127. Bit i of z is bit i + 95 of the number, modulo 127. HIGH26 and
 * HIGH23 are 26 and 23 bits at 2^32. Clobbers T.
 */
.macro	add_rotated w0, w1, x0, x1, x2, x3, x4, t
	vpsllq	$1, \w1, \t
	vpand	HIGH26, \t, \t
	vpor	\t, \x0, \x0
	vpsllq	$38, \w0, \t
	vpand	HIGH26, \t, \t
	vpor	\t, \x1, \x1
	vpsrlq	$57, \w1, \t
	vpsllq	$32, \t, \t
	vpor	\t, \x1, \x1
	vpsllq	$12, \w0, \t
	vpand	HIGH26, \t, \t
	vpor	\t, \x2, \x2
	vpsllq	$24, \w1, \t
	vpand	HIGH23, \t, \t
	vpor	\t, \x4, \x4
	vpsrlq	$14, \w0, \w0
	vpsllq	$50, \w1, \w1
	vpor	\w0, \w1, \t
	vpand	HIGH26, \t, \t
	vpor	\t, \x3, \x3
.endm

/* Store vectors at successive places. */
.macro	store	to, step, x, more:vararg
	vmovdqa	\x, \to
.ifnb \more
	store	"\step + \to", \step, \more
.endif
.endm

/*
 * Sums c_i below 2^64 - 2^41 become limbs: c1 < 2^26 + 2^15, c4 < 2^26 + 2^12, the others
 * below 2^26. Two chains of carries run side by side: 0 1 2 3 4 and 3 4 0 1, with
 * 2^130 = 8.
 */
.macro	carry	c0, c1, c2, c3, c4, t, t2
	carry_step \c0, \c1, \t
	carry_step \c3, \c4, \t2
	carry_step \c1, \c2, \t
	carry_step \c4, \c0, \t2, 3
	carry_step \c2, \c3, \t
	carry_step \c0, \c1, \t2
	carry_step \c3, \c4, \t
.endm

/* Carry what exceeds 26 bits to the next limb, times 2^shift. */
.macro	carry_step from, to, t, shift=0
	vpsrlq	$26, \from, \t
	vpand	MASK26, \from, \from
.if \shift
	vpsllq	$\shift, \t, \t
.endif
	vpaddq	\t, \to, \to
.endm

/* c = M times number n of VAR_SUMS, the next c = M times the next, ... */
.macro	mul_sums n, c, more:vararg
	vpmuludq VAR_SUMS + 32 * (\n)(%rsp), M, \c
.ifnb \more
	mul_sums "\n + 1", \more
.endif
.endm

/* The same, added to c. Clobbers T. */
.macro	mac_sums n, c, more:vararg
	vpmuludq VAR_SUMS + 32 * (\n)(%rsp), M, T
	vpaddq	T, \c, \c
.ifnb \more
	mac_sums "\n + 1", \more
.endif
.endm

/*
 * A and B = VAR_SUMS times the power at (%rdi) (mod p). Limbs of the sums up to
 * 2^26 + 2^15 give less than 2^57.4 in each. Clobbers M, T.
 */
.macro	mul_by_power
	vpbroadcastd (%rdi), M
	mul_sums 0, A0, A1, A2, A3, A4
	mul_sums 5, B0, B1, B2, B3, B4
	vpbroadcastd 1 * ROW(%rdi), M
	mac_sums 0, A1, A2, A3, A4
	mac_sums 5, B1, B2, B3, B4
	vpsllq	$3, M, M
	mac_sums 4, A0
	mac_sums 9, B0
	vpbroadcastd 2 * ROW(%rdi), M
	mac_sums 0, A2, A3, A4
	mac_sums 5, B2, B3, B4
	vpsllq	$3, M, M
	mac_sums 3, A0, A1
	mac_sums 8, B0, B1
	vpbroadcastd 3 * ROW(%rdi), M
	mac_sums 0, A3, A4
	mac_sums 5, B3, B4
	vpsllq	$3, M, M
	mac_sums 2, A0, A1, A2
	mac_sums 7, B0, B1, B2
	vpbroadcastd 4 * ROW(%rdi), M
	mac_sums 0, A4
	mac_sums 5, B4
	vpsllq	$3, M, M
	mac_sums 1, A0, A1, A2, A3
	mac_sums 6, B0, B1, B2, B3
.endm

/* X0 = blocks a and b of the quad at DATA, X1 = c and d, each with the byte after it */
.macro	load_quad
	vmovdqu	(DATA), %xmm10
	vmovdqu	30(DATA), %xmm11
	vinserti128 $1, 15(DATA), X0, X0
	vinserti128 $1, 45(DATA), X1, X1
	add	$60, DATA
.endm

/* The odd dwords of each, with the 1 bits in place of those bytes */
.macro	take_odd_dwords
	vpshufb	.Lodd_dwords(%rip), X0, X0
	vpshufb	.Lodd_dwords(%rip), X1, X1
	vpor	.Lone_bits(%rip), X0, X0
	vpor	.Lone_bits(%rip), X1, X1
.endm

/*
 * The products p and q of limb \y of R^k with a dword of each lane of X0 and X1.
 * Meanwhile the products of the limb before, if given, are added to a and b.
 */
.macro	mul_dwords y, p, q, last_p, last_q, a, b
	vpbroadcastd \y, \q
	vpmuludq X0, \q, \p
.ifnb \a
	vpaddq	\last_p, \a, \a
.endif
	vpmuludq X1, \q, \q
.ifnb \a
	vpaddq	\last_q, \b, \b
.endif
.endm

/* A and B += R^k times the quad at DATA, with R^k at (%rdi): two products in each sum */
.macro	mul_quad
	load_quad
	mul_dwords 0*ROW(%rdi), T, M
	mul_dwords 1*ROW(%rdi), T2, M2, T, M, A0, B0
	mul_dwords 2*ROW(%rdi), T, M, T2, M2, A1, B1
	mul_dwords 3*ROW(%rdi), T2, M2, T, M, A2, B2
	mul_dwords 4*ROW(%rdi), T, M, T2, M2, A3, B3
	take_odd_dwords
	mul_dwords 4+0*ROW(%rdi), T2, M2, T, M, A4, B4
	mul_dwords 4+1*ROW(%rdi), T, M, T2, M2, A0, B0
	mul_dwords 4+2*ROW(%rdi), T2, M2, T, M, A1, B1
	mul_dwords 4+3*ROW(%rdi), T, M, T2, M2, A2, B2
	mul_dwords 4+4*ROW(%rdi), T2, M2, T, M, A3, B3
	vpaddq	T2, A4, A4
	vpaddq	M2, B4, B4
.endm

/* A and B += the quad at DATA, of weight R^0: even + 2^26 (2^6 odd) */
.macro	add_quad
	load_quad
	vpand	.Leven_dwords(%rip), X0, T
	vpand	.Leven_dwords(%rip), X1, T2
	vpaddq	T, A0, A0
	vpaddq	T2, B0, B0
	take_odd_dwords
	vpsllq	$6, X0, X0
	vpsllq	$6, X1, X1
	vpaddq	X0, A1, A1
	vpaddq	X1, B1, B1
.endm

/*
 * c += m 2^26i x (mod p), where m is limb i of a factor and the limbs of x are at \x, 32
 * bytes apart. The sums are listed rotated, that of x_0 first. From number \wrap on the
 * index wraps around, and m becomes 8 m. Clobbers %ymm15.
 */
.macro	mul_limb m, x, wrap, c, more:vararg
.if \wrap == 0
	vpsllq	$3, \m, \m
.endif
	vpmuludq \x, \m, %ymm15
	vpaddq	%ymm15, \c, \c
.ifnb \more
	mul_limb \m, "32 + \x", "\wrap - 1", \more
.endif
.endm

/* Add s x (mod p) to %ymm10 ... %ymm14, lane by lane: less than 2^57.4 to each. */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, \x, 5, %ymm10, %ymm11, %ymm12, %ymm13, %ymm14
	mul_limb \s1, \x, 4, %ymm11, %ymm12, %ymm13, %ymm14, %ymm10
	mul_limb \s2, \x, 3, %ymm12, %ymm13, %ymm14, %ymm10, %ymm11
	mul_limb \s3, \x, 2, %ymm13, %ymm14, %ymm10, %ymm11, %ymm12
	mul_limb \s4, \x, 1, %ymm14, %ymm10, %ymm11, %ymm12, %ymm13
.endm

/* \sum = the sum over the lanes of %ymm\n. Clobbers %xmm0. */
.macro	sum_lanes n, sum
	vextracti128 $1, %ymm\n, %xmm0
	vpaddq	%xmm0, %xmm\n, %xmm\n
	vpunpckhqdq %xmm\n, %xmm\n, %xmm0
	vpaddq	%xmm0, %xmm\n, %xmm\n
	vmovq	%xmm\n, \sum
.endm

/*
 * h1, h0 = the number, at most 2^127, with these limbs below 2^61 in radix 2^26; h0 is
 * v0. The third word, below 2^38, stands at 2^128 = 2 (mod p) and counts twice.
 */
.macro	join_limbs v0, h1, v1, v2, v3, v4, t
	mov	\v1, \h1
	mov	\v2, \t
	shl	$26, \v1
	shr	$38, \h1
	shl	$52, \v2
	shr	$12, \t
	add	\v1, \v0
	adc	\t, \h1
	mov	\v3, \v1
	mov	\v4, \t
	shl	$14, \v3
	shr	$50, \v1
	shl	$40, \v4
	shr	$24, \t
	add	\v2, \v0
	adc	\v3, \h1
	adc	\v1, \t
	add	\v4, \h1
	adc	$0, \t
	add	\t, \t
	add	\t, \v0
	adc	$0, \h1
	fold_top \v0, \h1
.endm

/*
 * void poly1271_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit)
 *
 * A block function as poly1305_core.h defines it. Blocks without a hibit are left to
 * scalar code.
 */
SYM_TYPED_FUNC_START(poly1271_blocks_avx2)
	cmp	$MIN_BLOCKS, %rdx
	jb	SCALAR_BLOCKS
	test	%ecx, %ecx
	jz	SCALAR_BLOCKS

	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%rdi, STATE
	mov	%rsi, DATA

	/*
	 * %rax quads become a first group of %r9 quads and VAR_GROUPS groups of %r15,
	 * with 2 <= %r9 <= %r15 <= GROUP. At least one block is left over.
	 */
	lea	-1(%rdx), %rax
	shr	$2, %rax
	mov	$3, %ecx
	cmp	$GROUPS_OF_16, %rax
	jb	.Lgroups_known
	inc	%ecx
	cmp	$GROUPS_OF_32, %rax
	jb	.Lgroups_known
	inc	%ecx
.Lgroups_known:
	mov	$1, %r15d
	shl	%cl, %r15d
	lea	-1(%r15), %r9d
	and	%rax, %r9
	mov	%rax, %r8
	shr	%cl, %r8
	/* A first group of 0 or 1 becomes a full one. */
	cmp	$2, %r9
	jae	.Ldivided
	sub	%r9, %rax
	mov	%r15, %r9
	dec	%r8
.Ldivided:
	shl	$2, %rax
	sub	%rax, %rdx
	lea	(, %r15, 8), %rcx
	mov	%rcx, VAR_G(%rsp)
	mov	%r8, VAR_GROUPS(%rsp)
	mov	%rdx, VAR_TAIL(%rsp)
	mov	%r9, VAR_G1(%rsp)

	/* r, r^2, r^3, r^4 = R, R^2 */
	mov	STATE_R(STATE), %r13
	mov	STATE_R + 8(STATE), %r14
	mov	%r13, %r10
	mov	%r14, %r11
	store_last 160, 2, %r13, %r14
	gpr_mul	%r10, %r11, %r13, %r14
	mov	%r10, %r8
	mov	%r11, %r9
	store_last 160, 0, %r10, %r11
	gpr_mul	%r8, %r9, %r10, %r11
	gpr_mul	%r10, %r11, %r13, %r14
	store_last 0, 2, %r10, %r11
	store_last 0, 0, %r8, %r9
	mov	%r8, %r10
	mov	%r9, %r11
	gpr_mul	%r10, %r11, %r8, %r9
	mov	%r10, %r13
	mov	%r11, %r14

	/* The table as two words each, odd and even powers in two chains */
	lea	VAR_TABLE(%rsp), %r15
	mov	%r8, (%r15)
	mov	%r9, ROW(%r15)
.Lpowers:
	mov	%r10, 8(%r15)
	mov	%r11, ROW + 8(%r15)
	add	$16, %r15
	lea	VAR_TABLE(%rsp), %rax
	add	VAR_G(%rsp), %rax
	cmp	%rax, %r15
	je	.Lpowers_done
	gpr_mul	%r8, %r9, %r13, %r14
	gpr_mul	%r10, %r11, %r13, %r14
	mov	%r8, (%r15)
	mov	%r9, ROW(%r15)
	jmp	.Lpowers
.Lpowers_done:

	/* From words to limbs, in place */
	vpbroadcastq .Lmask26(%rip), MASK26
	vpsllq	$32, MASK26, HIGH26
	vpsrlq	$3, HIGH26, HIGH23
	vpand	HIGH26, HIGH23, HIGH23
.irp at, 0, 160
	vmovdqa	VAR_LAST + \at(%rsp), X0
	vmovdqa	VAR_LAST + \at + 32(%rsp), X1
	split_vector X0, X1, A0, A1, A2, A3, A4
	store	"VAR_LAST + \at(%rsp)", 32, A0, A1, A2, A3, A4
.endr
	lea	VAR_TABLE(%rsp), %rcx
.Lsplit:
	vmovdqa	(%rcx), X0
	vmovdqa	ROW(%rcx), X1
	split_vector X0, X1, A0, A1, A2, A3, A4
	add_rotated X0, X1, A0, A1, A2, A3, A4, T
	store	"0(%rcx)", ROW, A0, A1, A2, A3, A4
	add	$32, %rcx
	cmp	%rax, %rcx
	jb	.Lsplit

	/* The sums begin with h. In a lane of a it counts R times, so R^(g1 - 1) is next. */
	vmovq	STATE_H(STATE), %xmm10
	vmovq	STATE_H + 8(STATE), %xmm11
	split_vector X0, X1, A0, A1, A2, A3, A4
	vpxor	%xmm5, %xmm5, %xmm5
	store	"VAR_SUMS(%rsp)", 32, A0, A1, A2, A3, A4, B0, B0, B0, B0, B0
	mov	VAR_G1(%rsp), %r9
	lea	VAR_TABLE - 16(%rsp, %r9, 8), %rdi
	lea	VAR_TABLE(%rsp), %rcx
	mov	VAR_GROUPS(%rsp), %r8
	mul_by_power
	jmp	.Lquads

	/* A group: %rdi goes down to the table's first power, at %rcx. */
.Lgroups:
	vpbroadcastq .Lmask26(%rip), MASK26
	carry	A0, A1, A2, A3, A4, T, T2
	carry	B0, B1, B2, B3, B4, T, T2
	store	"VAR_SUMS(%rsp)", 32, A0, A1, A2, A3, A4, B0, B1, B2, B3, B4
	mov	VAR_G(%rsp), %rdi
	lea	-8(%rcx, %rdi), %rdi
	mul_by_power
	sub	$8, %rdi
.Lquads:
	mul_quad
	sub	$8, %rdi
	cmp	%rcx, %rdi
	jae	.Lquads
	add_quad
	dec	%r8
	jns	.Lgroups

	/* Multiply streams and lanes by their powers, and add them up. */
	vpbroadcastq .Lmask26(%rip), MASK26
	carry	A0, A1, A2, A3, A4, T, T2
	carry	B0, B1, B2, B3, B4, T, T2
.irp i, 10, 11, 12, 13, 14
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	mul_last VAR_LAST(%rsp), A0, A1, A2, A3, A4
	mul_last VAR_LAST+160(%rsp), B0, B1, B2, B3, B4
	sum_lanes 10, %r8
	sum_lanes 11, %r9
	sum_lanes 12, %r10
	sum_lanes 13, %r11
	sum_lanes 14, %rdx
	join_limbs %r8, %rax, %r9, %r10, %r11, %rdx, %rsi
	mov	%r8, STATE_H(STATE)
	mov	%rax, STATE_H + 8(STATE)

	/* Wipe the frame as far as it was used, and all vector registers. */
	vzeroall
.set i, VAR_SUMS
.rept 20
	vmovdqa	%ymm0, i(%rsp)
.set i, i + 32
.endr
	mov	VAR_G(%rsp), %rdi
	lea	-32(%rcx, %rdi), %rdi
.Lwipe:
	store	"0(%rdi)", ROW, %ymm0, %ymm0, %ymm0, %ymm0, %ymm0
	sub	$32, %rdi
	cmp	%rcx, %rdi
	jae	.Lwipe

	mov	STATE, %rdi
	mov	DATA, %rsi
	mov	VAR_TAIL(%rsp), %rdx
	mov	$1, %ecx
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	jmp	SCALAR_BLOCKS
SYM_FUNC_END(poly1271_blocks_avx2)
