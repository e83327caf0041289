/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2 and BMI2: messages of AVX2_GROUPS blocks or more.
 *
 * Let R = r^4, and call four successive blocks a quad. All arithmetic is modulo
 * p = 2^130 - 5 in radix 2^26. A number is five limbs, one in each of five
 * vector registers. A register has four lanes of 64 bits, and vpmuludq
 * multiplies their low halves.
 *
 * For a group of g <= 32 quads the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^4 + b_k r^3 + c_k r^2 + d_k r),
 *
 * where a_k ... d_k are the blocks of the k-th quad, counted from the end. A
 * vector is two blocks as they lie in memory: stream A takes a_k and b_k,
 * stream B takes c_k and d_k. Every lane of both streams is multiplied by the
 * same R^k, so that only the sums of the lanes are multiplied by the four
 * different powers, once per message.
 *
 * A block is two lanes, low and high. The high lane stands for 2^64 times its
 * value, for which the last multiplication accounts. A lane is two dwords,
 * m = even + 2^32 odd, and
 *
 *	R^k m = R^k even + (2^32 R^k) odd.
 *
 * So powers are stored together with their multiples by 2^32, and the message
 * is never split. Even dwords come from a plain load, because vpmuludq ignores
 * the upper halves; odd dwords are moved down by vmovshdup as they are loaded.
 * That gives 10 multiplications and 10 additions per vector into the five sums
 * of its stream, which are reduced only once per group.
 *
 * Each group costs a reduction and a multiplication of the sums by R^g, and every
 * four powers of the table cost a multiplication. So shorter messages have shorter
 * groups, and below AVX2_GROUPS blocks poly1305-avx2-short.S is faster.
 *
 * Bounds: Limbs in the table of powers are below L = 2^26 + 2^19. A group of 32
 * quads adds to one sum
 *
 *	62 products of a message dword		< 62 * 2^32 L	< 2^63.97
 *	2^6 times a dword of weight R^0		< 2^38
 *	the previous group's sum times R^32	< 2^56.5
 *	bit 128 of all blocks of the group	< 2^57.4
 *
 * less than 2^64 - 2^41 altogether, which leaves room for the carries.
 * tests/proofs proves these bounds and those at the macros.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#define SCALAR_BLOCKS	poly1305_blocks_mulx
#include "poly1305-powers.h"
#include "poly1305-avx2.h"
#include "poly1305-squares.h"

/* Most quads of a message that is cut into groups of 16 quads */
.set	GROUPS_OF_16, 112

.section .rodata
.p2align 6
/* A load from byte 8 (4 - n) gives a mask of the first n of four lanes. */
.Lfirst_lanes:
	.quad	-1, -1, -1, -1, 0, 0, 0, 0
.Lmask26:
	.quad	(1 << 26) - 1
.Ltwo_6:
	.quad	1 << 6
.text

/* A block function for AVX2_GROUPS blocks or more */
SYM_FUNC_START_LOCAL(groups_avx2)
	begin_function
	mov	%rcx, VAR_HIBIT(%rsp)

	/*
	 * The %rax quads become a first group of g1 = %r8 quads and %r10 > 0
	 * groups of g = %r9, with 2 <= g1 <= g <= GROUP. The remaining %rdx
	 * blocks, the head, come before them.
	 */
	mov	%rdx, %rax
	shr	$2, %rax
	mov	$GROUP, %r9d
	mov	%rax, %r10
	shr	$GROUP_LOG, %r10
	cmp	$GROUPS_OF_16, %rax
	ja	.Lgroups_known
	mov	$16, %r9d
	mov	%eax, %r10d
	shr	$4, %r10d
.Lgroups_known:
	mov	%r9, %rcx
	imul	%r10, %rcx
	mov	%rax, %r8
	sub	%rcx, %r8
	/* If the first group would have 0 or 1 quads, a full group is the first. */
	cmp	$2, %r8
	jae	.Ldivided
	mov	%r9, %r8
	sub	%r9, %rcx
	dec	%r10
.Ldivided:
	add	%r8, %rcx
	shl	$2, %rcx
	sub	%rcx, %rdx
	mov	%r8, VAR_G1(%rsp)
	mov	%r9, VAR_G(%rsp)
	mov	%r10, VAR_GROUPS(%rsp)
	mov	%rdx, VAR_HEAD(%rsp)

	compute_powers
	compute_squares

	/*
	 * Scalar code takes the head. The CPU executes it in parallel with the
	 * multiplications above, each of which waits for its predecessor.
	 */
	mov	VAR_HEAD(%rsp), %rdx
	test	%rdx, %rdx
	jz	.Lhead_done
	mov	STATE, %rdi
	mov	DATA, %rsi
	mov	%rdx, %rax
	shl	$4, %rax
	add	%rax, DATA
	mov	VAR_HIBIT(%rsp), %ecx
	call	SCALAR_BLOCKS
.Lhead_done:

	vpbroadcastq .Lmask26(%rip), MASK26
	load_powers 0, 10
	load_powers 1, 11
	load_powers 2, 12
	split_power B0, B1, B2, B3, B4, X0, X1, M, T1

	/* VAR_FIRST = h + first block, whose bits above 128 are %r9; second block */
	load_h
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	vmovdqu	16(DATA), %xmm10
	mov	%rax, VAR_FIRST(%rsp)
	mov	%rcx, VAR_FIRST + 8(%rsp)
	vmovdqa	%xmm10, VAR_FIRST + 16(%rsp)

	store_last 0, B0, B3, B2, times5_both=1
	store_last 1, B1, B4, B3, times5_both=1
	store_last 2, B2, B0, B4, times5_hi=1
	store_last 3, B3, B1, B0
	store_last 4, B4, B2, B1

	/* The table begins with R^1 ... R^4. */
	load_squares 0, 10
	load_squares 1, 11
	load_squares 2, 12
	split_power A0, A1, A2, A3, A4, X0, X1, M, T1
	vmovq	VAR_SQUARES + 16(%rsp), %xmm10
	vmovq	VAR_SQUARES + 32 + 16(%rsp), %xmm11
	vmovq	VAR_SQUARES + 64 + 16(%rsp), %xmm12
	split_power B0, B1, B2, B3, B4, X0, X1, M, T1
	vpsllq	$32, MASK26, HIGH26
	store_table VAR_TABLE(%rsp), A0, A1, A2, A3, A4
	vmovd	%xmm5, VAR_R_8(%rsp)
	vmovd	%xmm6, VAR_R_8+ROW(%rsp)
	vmovd	%xmm7, VAR_R_8+2*ROW(%rsp)
	vmovd	%xmm8, VAR_R_8+3*ROW(%rsp)
	vmovd	%xmm9, VAR_R_8+4*ROW(%rsp)

	/*
	 * More rows of four powers, up to R^g. The second row is the first times R^4.
	 * Each later row is the last but one times R^8, so that the CPU can compute
	 * two rows in parallel.
	 */
	mov	VAR_G(%rsp), %rdi
	lea	VAR_TABLE(%rsp, %rdi, 8), %rdi
	lea	VAR_TABLE(%rsp), %rsi
	lea	VAR_TABLE+32(%rsp), %rax
	lea	VAR_TABLE+24(%rsp), %rcx
.Lrows:
	vpxor	%xmm0, %xmm0, %xmm0
	copy	A0, A1, A0, A2, A0, A3, A0, A4
	mul_power	0(%rsi), 0(%rcx)
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	store_table 0(%rax), A0, A1, A2, A3, A4
	lea	-32(%rax), %rsi
	lea	VAR_R_8(%rsp), %rcx
	add	$32, %rax
	cmp	%rdi, %rax
	jb	.Lrows

	/* Bit 128 of all blocks of a full group, and of the first group */
	mov	VAR_G(%rsp), %rdi
	sum_hibits %rdi
	store_vectors VAR_HIBITS, A0, A1, A2, A3, A4
	mov	VAR_G1(%rsp), %r10
	cmp	%rdi, %r10
	je	.Lhibits_done
	sum_hibits %r10
.Lhibits_done:
	store_times_5 "VAR_TABLE-8(%rsp, %rdi, 8)"
	mov	VAR_GROUPS(%rsp), %rcx
	mov	DATA, %rdx
	lea	64(DATA), %r8
	jmp	.Lgroup

.Lgroups:
	vpbroadcastq .Lmask26(%rip), MASK26
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
	store_vectors VAR_SUMS, A0, A1, A2, A3, A4, B0, B1, B2, B3, B4
	copy	VAR_HIBITS(%rsp), A0, VAR_HIBITS+32(%rsp), A1
	copy	VAR_HIBITS+64(%rsp), A2, VAR_HIBITS+96(%rsp), A3
	copy	VAR_HIBITS+128(%rsp), A4
	mov	VAR_G(%rsp), %r10
	mov	%rdx, %r8

	/*
	 * A group of %r10 quads at %rdx, which becomes the end of the group.
	 * The last quad comes first and the quad at %r8 last, because low
	 * powers are ready before high ones. In the first group %r8 points to
	 * the second quad, because the first quad is handled separately.
	 */
.Lgroup:
	copy	A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	shl	$6, %r10
	add	%r10, %rdx
	lea	-64(%rdx), %rsi
	vpbroadcastq .Ltwo_6(%rip), M
	vpxor	%xmm13, %xmm13, %xmm13
	add_last 0(%rsi), A0, A1
	add_last 32(%rsi), B0, B1
	lea	VAR_TABLE(%rsp), %rdi
	mov	%rsi, %rax
	sub	%r8, %rax
	jz	.Lfirst_quad
	test	$64, %eax
	jz	.Lquads
	add	$64, %rsi
	sub	$8, %rdi
	jmp	.Lodd_quads
.Lquads:
	mul_quad -64(%rsi), -32(%rsi), 0(%rdi)
.Lodd_quads:
	mul_quad -128(%rsi), -96(%rsi), 8(%rdi)
	add	$-128, %rsi
	add	$16, %rdi
	cmp	%r8, %rsi
	jne	.Lquads

	lea	64(DATA), %rax
	cmp	%rax, %rsi
	je	.Lfirst_quad
	mul_sums 0(%rdi)
	dec	%rcx
	jnz	.Lgroups
	jmp	.Lgroups_done

.Lfirst_quad:
	mul_quad VAR_FIRST(%rsp), 32(DATA), 0(%rdi)
	/* Add 2^128 %r9 R^(g1-1) to the first block's lane, in the form of sum_hibits. */
	shl	$24, %r9
	vmovq	%r9, %xmm10
	vpbroadcastd 0 * ROW(%rdi), M
	mul_add	X0, T0, A4, M
	times5	X0
	vpbroadcastd 1 * ROW(%rdi), M
	mul_add	X0, T0, A0, M
	vpbroadcastd 2 * ROW(%rdi), M
	mul_add	X0, T0, A1, M
	vpbroadcastd 3 * ROW(%rdi), M
	mul_add	X0, T0, A2, M
	vpbroadcastd 4 * ROW(%rdi), M
	mul_add	X0, T0, A3, M
	jmp	.Lgroups

.Lgroups_done:
	/* Multiply the sums of all lanes by the powers of the lanes. */
	vpbroadcastq .Lmask26(%rip), MASK26
	carry	A0, A1, A2, A3, A4, A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4, B0, B1, B2, B3, B4
	vpxor	%xmm10, %xmm10, %xmm10
	copy	X0, %ymm11, X0, %ymm12, X0, %ymm13, X0, %ymm14
	mul_last VAR_LAST(%rsp), A0, A1, A2, A3, A4
	mul_last VAR_LAST+160(%rsp), B0, B1, B2, B3, B4

	/* h = the sums over the lanes of %ymm10 ... %ymm14, each below 2^63 */
	add_up_lanes
	store_h

	/* Wipe the frame as far as it was used, and all vector registers. */
	vpxor	%xmm0, %xmm0, %xmm0
	wipe_table VAR_G(%rsp)
	wipe_frame
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	end_function
SYM_FUNC_END(groups_avx2)

/*
 * void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx2)
	cmp	$AVX2_GROUPS, %rdx
	jb	poly1305_blocks_avx2_short
	jmp	groups_avx2
SYM_FUNC_END(poly1305_blocks_avx2)

/*
 * poly1305_digest_avx2() for AVX2_GROUPS blocks or more. On the stack are a state, through which
 * whole blocks go, and behind it the addresses of message and tag and the length of the message.
 */
.set	STATE_SIZE, STATE_NPOW + 8
SYM_FUNC_START(poly1305_digest_avx2_groups)
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$STATE_SIZE + 24, %rsp
	mov	%rdi, %rbx
	mov	%rsi, STATE_SIZE(%rsp)
	mov	%rdx, STATE_SIZE + 8(%rsp)
	mov	%rcx, STATE_SIZE + 16(%rsp)
	load_r	%rbx, %r8, %r9
	xor	%eax, %eax
	mov	%rax, STATE_H(%rsp)
	mov	%rax, STATE_H + 8(%rsp)
	mov	%rax, STATE_H + 16(%rsp)
	mov	%r8, STATE_R(%rsp)
	mov	%r9, STATE_R + 8(%rsp)
	mov	%rsp, %rdi
	shr	$4, %rdx
	mov	$1, %ecx
	call	groups_avx2

	mov	STATE_H(%rsp), %rsi
	mov	STATE_H + 8(%rsp), %r12
	mov	STATE_H + 16(%rsp), %r13
	mov	STATE_SIZE + 8(%rsp), %rdx
	mov	%edx, %ecx
	and	$15, %ecx
	jz	.Ltag
	mov	STATE_R(%rsp), %r8
	mov	STATE_R + 8(%rsp), %r9
	mov	%r9, %r10
	shr	$2, %r10
	add	%r9, %r10
	sub	%rcx, %rdx
	add	STATE_SIZE(%rsp), %rdx
	lea	-16(%rdx), %r11
	sub	$16, %rcx
	add_tail %rsi, %r12, %r13, %r11
	mul_r	%rsi, %r12, %r13, %r8, %r9, %r10
.Ltag:
	add_pad	%rsi, %r12, %r13, %rbx
	mov	STATE_SIZE + 16(%rsp), %rcx
	mov	%rsi, (%rcx)
	mov	%r12, 8(%rcx)
	xor	%eax, %eax
.irp i, 0, 8, 16
	mov	%rax, STATE_H + \i(%rsp)
.endr
	mov	%rax, STATE_R(%rsp)
	mov	%rax, STATE_R + 8(%rsp)
	end_function
SYM_FUNC_END(poly1305_digest_avx2_groups)
