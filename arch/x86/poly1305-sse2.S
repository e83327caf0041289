/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 block function for long messages on CPUs with SSE2 and no wider vectors. For short
 * messages, scalar code is faster on all 64-bit CPUs of recent years.
 *
 * A vector is one block. Let R = r^2, and call two successive blocks a pair. For a group of g
 * pairs the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^2 + b_k r),
 *
 * with k counted from the last pair. Stream A takes the blocks a_k, stream B the blocks b_k.
 * Every lane of both streams is multiplied by the same R^k. Only the sums of the lanes are
 * multiplied by r^2, 2^64 r^2, r and 2^64 r, once per message. A lane is two dwords,
 * m = even + 2^32 odd, which are multiplied as they lie in memory by R^k and by 2^32 R^k, all
 * in radix 2^26.
 *
 * pmuludq takes its dwords from the low halves of the lanes. To move odd dwords there, a block is
 * loaded again from 4 bytes further on. This load reads into the next block, which always exists,
 * because the last pair of a group is handled separately.
 *
 * Bounds: limbs in the table are below L = 2^26 + 2^19. A group of at most 25 pairs adds 48
 * products below 2^32 L to a sum, and other terms below 2^58. tests/proofs proves L, and that
 * no sum exceeds 64 bits.
 */

/* 2^26 - 1 in both lanes; this register is set once */
#define MASK26		%xmm15
#define SSE2
#include "poly1305-macros.h"

/*
 * The least number of blocks for vectors; scalar code takes fewer. There must be two groups,
 * because a full group follows the first.
 */
.set MIN_BLOCKS,	64

/*
 * The number of pairs in a full group; the first group may have one more. A message of fewer
 * than LONG_PAIRS pairs does not repay GROUP powers, so its groups have GROUP_SHORT pairs.
 */
.set GROUP,		24
.set GROUP_SHORT,	16
.set LONG_PAIRS,	256

/*
 * The stack frame. From VAR_POWERS on it holds key material.
 *
 * VAR_TABLE holds R^1 ... R^24, in 80 bytes each, 16 for each limb: limb x of the power and
 * limb z of 2^32 times the power, as dwords x, z, x, z.
 */
.set LIMBS_SIZE,	5 * 16		/* five vectors, one for each limb */
.set ENTRY_SIZE,	LIMBS_SIZE
.set VAR_HIBIT,		0
.set VAR_GROUPS,	8		/* full groups still to come */
.set VAR_G,		16		/* pairs of a full group */
.set VAR_G1,		24		/* pairs of the first group */
.set VAR_POWERS,	32		/* r^4 ... r^1, see compute_powers */
.set VAR_FIRST,		VAR_POWERS	/* later, h + first block */
.set VAR_LAST,		VAR_POWERS + 3 * 32	/* multipliers of the sums, see mul_last */
.set VAR_SUMS,		VAR_LAST + 10 * 16	/* sums of the last group, or two powers */
.set VAR_HIBITS,	VAR_SUMS + 10 * 16	/* sum_hibits of a full group */
.set VAR_TABLE,		VAR_HIBITS + 5 * 16
.set VAR_TABLE_END,	VAR_TABLE + GROUP * ENTRY_SIZE
.set FRAME,		VAR_TABLE_END + 16

/*
 * General registers
 */
.set STATE,		%rbx
.set DATA,		%r12		/* the message */

/* While the powers are computed: r, and the number that becomes r^1 ... r^4 */
.set R0,		%r8
.set R1,		%r9
.set Q1,		%r10		/* 5 r1 / 4 */
.set POWER0,		%rsi
.set POWER1,		%rcx
.set POWER2,		%r13
.set POWER2_32,		%r13d
.set LIMB,		%rax		/* scratch of store_power */
.set HIGH,		%rdx
.set MASK44,		%r11
.set u0,		%r14		/* temporaries of mul_r, with %rax and %rdx */
.set u1,		%r15
.set u2,		%r11
.set u3,		%rdi

/* While the table is made and summed */
.set POWER,		%rax		/* a power of the table */
.set COUNT,		%rcx		/* powers that are left */

/* While groups are processed */
.set ENTRY,		%rdi		/* the table entry of the next power */
.set PAIR,		%rsi		/* the pair being multiplied, from the last to the first */
.set GROUP_END,		%rdx
.set PAIRS,		%r10		/* pairs of the group, then those left */
.set GROUPS,		%rcx		/* full groups that are left */
.set LOW,		%rax		/* h + first block: words 0 and 1 */
.set MIDDLE,		%rcx
.set TOP,		%r9		/* word 2, without bit 128 of the block */

/*
 * Vectors
 */

/* The sums of both streams, or two powers in A */
.set A0,		%xmm0
.set A1,		%xmm1
.set A2,		%xmm2
.set A3,		%xmm3
.set A4,		%xmm4
.set B0,		%xmm5
.set B1,		%xmm6
.set B2,		%xmm7
.set B3,		%xmm8
.set B4,		%xmm9
/* Blocks of both streams, or scratch */
.set X0,		%xmm10
.set X1,		%xmm11
.set M,			%xmm12		/* a limb */
.set T0,		%xmm13		/* scratch */
.set T1,		%xmm14

.section .rodata
.p2align 4
.Lmask26:
	.quad	(1 << 26) - 1, (1 << 26) - 1
.text

/*
 * Power j of VAR_POWERS = x0 + 2^64 x1 + 2^128 x2, x2 <= 4, in radix 2^44: limbs below 2^44,
 * 2^44 and 2^43. Clobbers LIMB, HIGH, MASK44.
 */
.macro	store_power j, x0, x1, x2
	mov	$(1 << 44) - 1, MASK44
	/* Limb 0: bits 0 ... 43 of x0 */
	mov	\x0, LIMB
	mov	\x0, HIGH
	and	MASK44, LIMB
	shr	$44, HIGH
	mov	LIMB, VAR_POWERS + 8 * \j(%rsp)
	/* Limb 1: bits 44 ... 63 of x0 and 0 ... 23 of x1 */
	mov	\x1, LIMB
	shl	$20, LIMB
	or	HIGH, LIMB
	and	MASK44, LIMB
	mov	LIMB, VAR_POWERS + 32 + 8 * \j(%rsp)
	/* Limb 2: bits 24 ... 63 of x1, and x2 */
	mov	\x1, LIMB
	mov	\x2, HIGH
	shr	$24, LIMB
	shl	$40, HIGH
	add	HIGH, LIMB
	mov	LIMB, VAR_POWERS + 64 + 8 * \j(%rsp)
.endm

/*
 * VAR_POWERS = r^4 ... r^1 in radix 2^44: three rows of four limbs, in each row the limbs of
 * one weight. Clobbers all general registers except STATE and DATA.
 */
.macro	compute_powers
	mov	STATE_R(STATE), R0
	mov	STATE_R + 8(STATE), R1
	five_quarters R1, Q1
	mov	R0, POWER0
	mov	R1, POWER1
	xor	POWER2_32, POWER2_32
	store_power 3, POWER0, POWER1, POWER2
.irp j, 2, 1, 0
	mul_r	POWER0, POWER1, POWER2, R0, R1, Q1
	store_power \j, POWER0, POWER1, POWER2
.endr
	zero_regs %r13d, %r14d, %r15d
.endm

/* x *= 5. Clobbers t. */
.macro	times5	x, t=T0
	vop	psllq, $2, \x, \t
	vop	paddq, \t, \x, \x
.endm

/* y += 2^n x mod 2^26. Clobbers T0. */
.macro	add_shifted n, x, y
	vop	psllq, $\n, \x, T0
	vop	pand, MASK26, T0, T0
	vop	paddq, T0, \y, \y
.endm

/* c += m x, for x in a register or in aligned memory. Clobbers t. */
.macro	mul_add	m, t, c, x
	vop	pmuludq, \x, \m, \t
	vop	paddq, \t, \c, \c
.endm

/*
 * c += 2^26i m x (mod p), where m is limb i of one factor, and the five limbs of the other
 * factor x are in memory, 16 bytes apart. Limb j of x goes to column i + j, and from column 5
 * on, times 5, to column i + j - 5. The five columns are named in that order: ci, ..., c4,
 * c0, ... Before column c0, unless it comes first, m becomes 5 m. Clobbers t.
 */
.macro	mul_limb i, m, t, x, c_0, c_1, c_2, c_3, c_4
	mul_add	\m, \t, \c_0, 0*16+\x
.if \i == 4
	times5	\m, \t
.endif
	mul_add	\m, \t, \c_1, 1*16+\x
.if \i == 3
	times5	\m, \t
.endif
	mul_add	\m, \t, \c_2, 2*16+\x
.if \i == 2
	times5	\m, \t
.endif
	mul_add	\m, \t, \c_3, 3*16+\x
.if \i == 1
	times5	\m, \t
.endif
	mul_add	\m, \t, \c_4, 4*16+\x
.endm

/* Store five limbs in the frame, from \to on. */
.macro	store_limbs to, x0, x1, x2, x3, x4
	movdqa	\x0, 0*16+\to(%rsp)
	movdqa	\x1, 1*16+\to(%rsp)
	movdqa	\x2, 2*16+\to(%rsp)
	movdqa	\x3, 3*16+\to(%rsp)
	movdqa	\x4, 4*16+\to(%rsp)
.endm

/* Load five limbs from the frame. */
.macro	load_limbs from, x0, x1, x2, x3, x4
	movdqa	0*16+\from(%rsp), \x0
	movdqa	1*16+\from(%rsp), \x1
	movdqa	2*16+\from(%rsp), \x2
	movdqa	3*16+\from(%rsp), \x3
	movdqa	4*16+\from(%rsp), \x4
.endm

/* B = A */
.macro	copy_a_to_b
	movdqa	A0, B0
	movdqa	A1, B1
	movdqa	A2, B2
	movdqa	A3, B3
	movdqa	A4, B4
.endm

/*
 * Store limb i of the multipliers for mul_last, of powers x and of y = 2^64 x. The first lanes
 * of x and y go to vector i of VAR_LAST, the second lanes to vector 5 + i.
 *
 * 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so y_i = (2^12 lo mod
 * 2^26) + hi / 2^14 with lo = x_(i-2) and hi = x_(i-3), times 5 if the index wraps around:
 * times5_both if it does for lo and hi, times5_hi if it does only for hi. No carry is needed.
 * Clobbers X0, T0, T1.
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
 * c += x y (mod p), x in memory, y a power from the table. With limbs up to 2^26 + 2^19 this
 * adds less than 2^56.5 to each c_i. Clobbers M, T0.
 */
.macro	mul_power c0, c1, c2, c3, c4, x, y
	movdqa	0*16+\y, M
	mul_limb 0, M, T0, \x, \c0, \c1, \c2, \c3, \c4
	movdqa	1*16+\y, M
	mul_limb 1, M, T0, \x, \c1, \c2, \c3, \c4, \c0
	movdqa	2*16+\y, M
	mul_limb 2, M, T0, \x, \c2, \c3, \c4, \c0, \c1
	movdqa	3*16+\y, M
	mul_limb 3, M, T0, \x, \c3, \c4, \c0, \c1, \c2
	movdqa	4*16+\y, M
	mul_limb 4, M, T0, \x, \c4, \c0, \c1, \c2, \c3
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
	/* Limb 0 has 26 bits for A0, 18 for A1; limb 1 has 8 for A1, 26 for A2, 10 for A3. */
	vop	psrlq, $26, A0, A1
	add_shifted 18, X0, A1
	vop	psrlq, $8, X0, A2
	vop	pand, MASK26, A2, A2
	vop	psrlq, $34, X0, A3
	add_shifted 10, A4, A3
	vop	pand, MASK26, A0, A0
	/* Limb 2 has 16 bits for A3 and 26 for A4. Those above have weight 2^130 = 5. */
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

/*
 * Store limb i of two powers x and of z = 2^32 times them, as dwords x, z, x, z, in the entries
 * at ENTRY. Clobbers z, T0.
 */
.macro	store_limb_pair i, x, z
	psllq	$32, \z
	por	\x, \z
	pshufd	$0x44, \z, T0
	pshufd	$0xee, \z, \z
	movdqa	T0, \i*16(ENTRY)
	movdqa	\z, ENTRY_SIZE+\i*16(ENTRY)
.endm

/*
 * Store the two powers x = A, and z = 2^32 x, in the entries at ENTRY.
 *
 * z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20, times 5 if the index wraps around;
 * z0 < 5 * 2^26.1 is carried into z1 < 2^26 + 2^9. Clobbers B, T0.
 */
.macro	store_two_entries
	/* B_i = x_(i-2) / 2^20; both terms of z0 wrap around, and of z1 the second. */
	vop	psrlq, $20, A4, B1
	vop	psrlq, $20, A3, B0
	vop	psrlq, $20, A0, B2
	vop	psrlq, $20, A1, B3
	vop	psrlq, $20, A2, B4
	times5	B1
	add_shifted 6, A4, B0
	add_shifted 6, A0, B1
	add_shifted 6, A1, B2
	add_shifted 6, A2, B3
	add_shifted 6, A3, B4
	times5	B0
	carry_step B0, B1, T0, B0, B1
	store_limb_pair 0, A0, B0
	store_limb_pair 1, A1, B1
	store_limb_pair 2, A2, B2
	store_limb_pair 3, A3, B3
	store_limb_pair 4, A4, B4
.endm

/*
 * a += y X0 and b += y X1 in the low dwords, for a limb y of R^k or, 4 bytes further on, of
 * 2^32 R^k. Clobbers M, T0.
 */
.macro	mul_dwords load, y, a, b
	\load	\y, M
	movdqa	M, T0
	pmuludq	X0, T0
	pmuludq	X1, M
	paddq	T0, \a
	paddq	M, \b
.endm

/*
 * A += R^k times the block at \p, B += R^k times the block at \q, with R^k at ENTRY. Adds two
 * products below 2^32 L to each sum. Clobbers X0, X1, M, T0.
 */
.macro	mul_pair p, q
	/* Even dwords times R^k */
	movdqu	\p, X0
	movdqu	\q, X1
	mul_dwords movdqa, 0*16(ENTRY), A0, B0
	mul_dwords movdqa, 1*16(ENTRY), A1, B1
	mul_dwords movdqa, 2*16(ENTRY), A2, B2
	mul_dwords movdqa, 3*16(ENTRY), A3, B3
	mul_dwords movdqa, 4*16(ENTRY), A4, B4
	/* Odd dwords times 2^32 R^k */
	movdqu	4 + \p, X0
	movdqu	4 + \q, X1
	mul_dwords movdqu, 0*16+4(ENTRY), A0, B0
	mul_dwords movdqu, 1*16+4(ENTRY), A1, B1
	mul_dwords movdqu, 2*16+4(ENTRY), A2, B2
	mul_dwords movdqu, 3*16+4(ENTRY), A3, B3
	mul_dwords movdqu, 4*16+4(ENTRY), A4, B4
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
 * the high lane. In: g in PAIRS. If S is that sum of powers, 2^128 = 2^104 2^24 gives
 * A4 = 2^24 S0 and A_(i-1) = 5 * 2^24 S_i, below 2^57.4. Clobbers POWER, COUNT, M, T0.
 */
.macro	sum_hibits
	pxor	A4, A4
	movdqa	A4, A0
	movdqa	A4, A1
	movdqa	A4, A2
	movdqa	A4, A3
	/* A4, A0 ... A3 = S - R^0 */
	lea	VAR_TABLE(%rsp), POWER
	lea	-1(PAIRS), COUNT
.Lpower\@:
	paddd	0*16(POWER), A4
	paddd	1*16(POWER), A0
	paddd	2*16(POWER), A1
	paddd	3*16(POWER), A2
	paddd	4*16(POWER), A3
	add	$ENTRY_SIZE, POWER
	dec	COUNT
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
 * Start a group of PAIRS pairs at GROUP_END, which is the end of the last group: add its last
 * pair to A and B. Afterwards GROUP_END is its end, PAIR its last pair, and ENTRY the table
 * entry of R^1. Clobbers X0, X1.
 */
.macro	begin_group
	mov	PAIRS, PAIR
	shl	$5, PAIR
	add	GROUP_END, PAIR
	mov	PAIR, GROUP_END
	sub	$32, PAIR
	add_last 0(PAIR), A0, A1
	add_last 16(PAIR), B0, B1
	lea	VAR_TABLE(%rsp), ENTRY
.endm

/*
 * At the end of the message: the sum of all lanes, of which X0, X1, M, T0, T1 and MASK26 are no
 * longer needed.
 */
.set S0,		%xmm10
.set S1,		%xmm11
.set S2,		%xmm12
.set S3,		%xmm13
.set S4,		%xmm14
.set PRODUCT,		%xmm15

/*
 * S += s x (mod p), with x in memory as store_last leaves it. With s < 2^26.1 and
 * x < 5 * 2^26.1 this adds less than 2^59 to each limb. Clobbers s, PRODUCT.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb 0, \s0, PRODUCT, \x, S0, S1, S2, S3, S4
	mul_limb 1, \s1, PRODUCT, \x, S1, S2, S3, S4, S0
	mul_limb 2, \s2, PRODUCT, \x, S2, S3, S4, S0, S1
	mul_limb 3, \s3, PRODUCT, \x, S3, S4, S0, S1, S2
	mul_limb 4, \s4, PRODUCT, \x, S4, S0, S1, S2, S3
.endm

/* to = the sum of the lanes of x. Clobbers A0. */
.macro	sum_lanes x, to
	pshufd	$0xee, \x, A0
	paddq	\x, A0
	movq	A0, \to
.endm

/* At the end of the function: the bytes of the frame to wipe */
.set SECRET,		%rdi
.set SECRETS_END,	%rcx

/* At the start of the function */
.set NBLOCKS,		%rdx
.set NBLOCKS_32,	%edx
.set NBLOCKS_8,		%dl
.set KEPT_NBLOCKS,	%r13		/* NBLOCKS, over a call */
.set FULL,		%rax		/* pairs, then full groups */
.set FIRST,		%rdx		/* pairs of the first group */
.set FIRST_32,		%edx
.set SIZE,		%rcx		/* pairs of a full group */
.set SIZE_32,		%ecx
.set LONG_SIZE,		%r8
.set LONG_SIZE_32,	%r8d

/*
 * void poly1305_blocks_sse2(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			     u32 hibit);
 *
 * For each block m, h = (h + m + 2^128 hibit) r (mod p). Fewer than MIN_BLOCKS blocks, and the
 * first of an odd number, are left to poly1305_blocks_x86_64.
 *
 * in:        rdi state, rsi data, rdx nblocks, ecx hibit
 * requires:  nblocks <= 2^31; state as poly1305_core.h allows; state->h[2] <= 4; hibit <= 1;
 *            data is apart from state
 * reads:     state->h, state->r, data[0, 16 nblocks)
 * writes:    state->h with h[2] <= 4
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, xmm0-xmm15, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8-r11, xmm0-xmm15, the frame,
 *            or what poly1305_blocks_x86_64 wipes
 * stack:     2632; array [VAR_POWERS, FRAME)
 * features:  SSE2
 */
SYM_TYPED_FUNC_START(poly1305_blocks_sse2)
	cmp	$MIN_BLOCKS, NBLOCKS
	jb	poly1305_blocks_x86_64

	begin_function
	mov	%rcx, VAR_HIBIT(%rsp)

	/*
	 * If the number of blocks is odd, scalar code takes the first block. The state in %rdi, the
	 * block in %rsi and the hibit in %ecx are still the arguments of this function.
	 */
	mov	NBLOCKS, KEPT_NBLOCKS
	test	$1, NBLOCKS_8
	jz	.Leven
	mov	$1, NBLOCKS_32
	add	$16, DATA
	call	poly1305_blocks_x86_64
.Leven:

	/*
	 * The pairs become a first group of FIRST pairs, the remainder, and FULL groups of
	 * SIZE, the quotient. If the remainder is less than 2, a full group joins the first.
	 */
	mov	KEPT_NBLOCKS, FULL
	shr	FULL
	xor	FIRST_32, FIRST_32
	mov	$GROUP_SHORT, SIZE_32
	mov	$GROUP, LONG_SIZE_32
	cmp	$LONG_PAIRS, FULL
	cmovae	LONG_SIZE, SIZE
	div	SIZE
	cmp	$2, FIRST
	jae	.Ldivided
	add	SIZE, FIRST
	dec	FULL
.Ldivided:
	mov	FULL, VAR_GROUPS(%rsp)
	mov	SIZE, VAR_G(%rsp)
	mov	FIRST, VAR_G1(%rsp)

	compute_powers
	movdqa	.Lmask26(%rip), MASK26

	/* The multipliers for mul_last: r^2 for stream A, and r for stream B */
	load_powers 2, 3
	store_last 0, A0, A3, A2, times5_both=1
	store_last 1, A1, A4, A3, times5_both=1
	store_last 2, A2, A0, A4, times5_hi=1
	store_last 3, A3, A1, A0
	store_last 4, A4, A2, A1

	/* The table: R^1 and R^2, then two powers at a time, the last two times R^2 */
	load_powers 2, 0
	lea	VAR_TABLE(%rsp), ENTRY
	mov	VAR_G(%rsp), COUNT
	jmp	.Lstore_row
.Lrows:
	store_limbs VAR_SUMS, A0, A1, A2, A3, A4
	pxor	A0, A0
	movdqa	A0, A1
	movdqa	A0, A2
	movdqa	A0, A3
	movdqa	A0, A4
	mul_power A0, A1, A2, A3, A4, VAR_SUMS(%rsp), VAR_TABLE+ENTRY_SIZE(%rsp)
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
.Lstore_row:
	store_two_entries
	add	$2 * ENTRY_SIZE, ENTRY
	sub	$2, COUNT
	ja	.Lrows

	/* h + first block */
	mov	STATE_H(STATE), LOW
	mov	STATE_H + 8(STATE), MIDDLE
	mov	STATE_H + 16(STATE), TOP
	add	(DATA), LOW
	adc	8(DATA), MIDDLE
	adc	$0, TOP
	mov	LOW, VAR_FIRST(%rsp)
	mov	MIDDLE, VAR_FIRST + 8(%rsp)

	/* Bit 128 of all blocks of a full group, and of the first group */
	mov	VAR_G(%rsp), PAIRS
	sum_hibits
	store_limbs VAR_HIBITS, A0, A1, A2, A3, A4
	mov	VAR_G1(%rsp), PAIRS
	sum_hibits
	copy_a_to_b

	/* The first group, whose first block is at VAR_FIRST */
	mov	DATA, GROUP_END
	begin_group
	sub	$2, PAIRS
	jz	.Lfirst_pair
.Lfirst_pairs:
	sub	$32, PAIR
	mul_pair 0(PAIR), 16(PAIR)
	add	$ENTRY_SIZE, ENTRY
	dec	PAIRS
	jnz	.Lfirst_pairs
.Lfirst_pair:
	mul_pair VAR_FIRST(%rsp), 16(DATA)

	/* Add 2^128 TOP R^(g-1) to the low lane of A, in the form of sum_hibits. */
	shl	$24, TOP
	movq	TOP, X0
	mul_add	X0, T0, A4, 0*16(ENTRY)
	times5	X0
	mul_add	X0, T0, A0, 1*16(ENTRY)
	mul_add	X0, T0, A1, 2*16(ENTRY)
	mul_add	X0, T0, A2, 3*16(ENTRY)
	mul_add	X0, T0, A3, 4*16(ENTRY)

	/* Full groups: A and B are the bits 128 and the pairs, plus the last sums times R^g. */
	mov	VAR_GROUPS(%rsp), GROUPS
.Lgroups:
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
	store_limbs VAR_SUMS, A0, A1, A2, A3, A4
	store_limbs VAR_SUMS+LIMBS_SIZE, B0, B1, B2, B3, B4
	load_limbs VAR_HIBITS, A0, A1, A2, A3, A4
	copy_a_to_b
	mov	VAR_G(%rsp), PAIRS
	begin_group
	dec	PAIRS
.Lpairs:
	sub	$32, PAIR
	mul_pair 0(PAIR), 16(PAIR)
	add	$ENTRY_SIZE, ENTRY
	dec	PAIRS
	jnz	.Lpairs
	mul_power A0, A1, A2, A3, A4, VAR_SUMS(%rsp), 0(ENTRY)
	mul_power B0, B1, B2, B3, B4, VAR_SUMS+LIMBS_SIZE(%rsp), 0(ENTRY)
	dec	GROUPS
	jnz	.Lgroups

	/* Multiply the sums of the lanes by the powers of the lanes, and sum the products. */
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
	pxor	S0, S0
	movdqa	S0, S1
	movdqa	S0, S2
	movdqa	S0, S3
	movdqa	S0, S4
	mul_last VAR_LAST(%rsp), A0, A1, A2, A3, A4
	mul_last VAR_LAST+LIMBS_SIZE(%rsp), B0, B1, B2, B3, B4
	sum_lanes S0, LIMB0
	sum_lanes S1, LIMB1
	sum_lanes S2, LIMB2
	sum_lanes S3, LIMB3
	sum_lanes S4, LIMB4
	store_h

	/* Wipe the frame from VAR_POWERS on, and all vector registers. */
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor	%xmm\i, %xmm\i
.endr
	lea	VAR_POWERS(%rsp), SECRET
	lea	VAR_TABLE_END(%rsp), SECRETS_END
.Lwipe:
	movdqa	A0, (SECRET)
	add	$16, SECRET
	cmp	SECRETS_END, SECRET
	jb	.Lwipe
	end_function
SYM_FUNC_END(poly1305_blocks_sse2)
