/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 block function for CPUs with AVX2.
 *
 * Let R = r^4 and call four successive blocks a quad. All arithmetic is modulo
 * p = 2^130 - 5 in radix 2^26, a number being five limbs, one in each of five
 * vector registers, and on four lanes of 64 bits. vpmuludq multiplies the low
 * halves of the lanes. Two methods share the powers r^1 ... r^4 that they begin
 * with and the reduction that they end with.
 *
 * Near, for lengths that packets have
 * -----------------------------------
 * What precedes and follows the loop counts here. The four blocks of a quad are
 * split into limbs, one block to a lane, and h = (h + quad) R is done for two
 * quads at a time:
 *
 *	h = (h + first quad) R^2 + second quad R
 *
 * with one carry for both. The last time the lanes are multiplied by r^8, r^7,
 * r^6, r^5 and r^4, r^3, r^2, r instead and summed up, and that is all. A head
 * of up to 7 blocks, left to scalar code, makes the number of quads even.
 *
 * Far, for long messages
 * ----------------------
 * Work per block counts here. For a group of g <= 32 quads the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^4 + b_k r^3 + c_k r^2 + d_k r),
 *
 * a_k ... d_k being the blocks of the k-th quad counted from the end. A vector
 * is two blocks as they lie in memory: stream A takes a_k and b_k, stream B c_k
 * and d_k. All lanes of both are multiplied by the same R^k, and only their
 * sums, once per message, by the four different powers.
 *
 * A block is two lanes, low and high. That the high one stands for 2^64 times
 * its value is made good in that last multiplication, too. And a lane is two
 * dwords, even and odd: m = even + 2^32 odd, and
 *
 *	R^k m = R^k even + (2^32 R^k) odd.
 *
 * So powers are kept together with their multiples by 2^32, and the message is
 * never split. (Even dwords are a plain load, whose upper halves vpmuludq
 * ignores; odd dwords are brought down by vmovshdup while they are loaded.)
 * That gives 10 multiplications and 10 additions per vector into the five sums
 * of its stream, which are reduced only once per group.
 *
 * Bounds
 * ------
 * Limbs in the table of powers are below L = 2^26 + 2^19. In one sum of the far
 * method a group of 32 quads collects
 *
 *	62 products of a message dword		< 62 * 2^32 L	< 2^63.97
 *	the last two dwords, of weight R^0	< 2^38.1
 *	the previous group's sum times R^32	< 2^56.9
 *	the bits 128 of all its blocks		< 2^57.4
 *
 * less than 2^64 - 2^41 altogether, which leaves room for the carries.
 * tests/bounds/poly1305-avx2.py computes these, and those stated at the macros.
 */

#include "../../compat.h"
#include "poly1305-powers.h"
#include "poly1305-avx2.h"

#define SCALAR_BLOCKS	poly1305_blocks_x86_64

/* From how many blocks on either method is used; scalar code for fewer. */
.set	MIN_BLOCKS, 16
.set	FAR_BLOCKS, 180

.section .rodata
.p2align 6
/* Loaded from 8 (4 - n) bytes in: all ones in the first n lanes of four */
.Lfirst_lanes:
	.quad	-1, -1, -1, -1, 0, 0, 0, 0
.Lmask26:
	.quad	(1 << 26) - 1
.text

/*
 * void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx2)
	cmp	$MIN_BLOCKS, %rdx
	jb	SCALAR_BLOCKS

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
	mov	%ecx, %ecx
	mov	%rcx, VAR_HIBIT(%rsp)
	mov	%rdx, VAR_NBLOCKS(%rsp)
	cmp	$FAR_BLOCKS, %rdx
	jae	.Ldivide_far

	/* Near: %r10 groups of two quads, after a head of %rdx blocks */
	mov	%rdx, %r10
	shr	$3, %r10
	and	$7, %edx
	xor	%r8d, %r8d
	jmp	.Ldivided

	/*
	 * Far: n = %rax quads become a first group of g1 = %r8 and %r10 groups
	 * of %r9, with 2 <= g1 <= %r9 <= 32, after a head of 4 blocks or more.
	 */
.Ldivide_far:
	lea	-4(%rdx), %rax
	shr	$2, %rax
	mov	%rax, %r8
	mov	%rax, %r9
	cmp	$4 * GROUP, %rax
	ja	.Lgroups_of_32
	/* 4 groups, the first shorter by what is missing */
	mov	$3, %r10d
	add	%r10, %r9
	shr	$2, %r9
	lea	(%r9, %r9, 2), %rax
	sub	%rax, %r8
	jmp	.Ldivided_far
.Lgroups_of_32:
	/* A first group of 0 or 1 becomes 32. */
	mov	$GROUP, %r9d
	mov	%rax, %r10
	shr	$GROUP_LOG, %r10
	and	$GROUP - 1, %r8d
	cmp	$2, %r8d
	jae	.Ldivided_far
	mov	%r9, %r8
	dec	%r10
.Ldivided_far:
	mov	%r10, %rax
	imul	%r9, %rax
	add	%r8, %rax
	shl	$2, %rax
	sub	%rax, %rdx

.Ldivided:
	mov	%r8, VAR_G1(%rsp)
	mov	%r9, VAR_G(%rsp)
	mov	%r10, VAR_GROUPS(%rsp)
	mov	%rdx, VAR_HEAD(%rsp)

	/* r^4 ... r^1: known, or computed now */
	cmpl	$4, STATE_NPOW(STATE)
	jb	.Lpowers_unknown
	copy_powers POW_4(STATE), POW_ROW, POWERS(%rsp), 32
	jmp	.Lpowers_known
.Lpowers_unknown:
	compute_powers
.Lpowers_known:

	/*
	 * The head. It comes now so that it runs beside the multiplications
	 * above, each of which waits for the one before.
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
	load_powers 0, X0, %xmm10, %xmm13
	load_powers 1, X1, %xmm11, %xmm13
	load_powers 2, M, %xmm12, %xmm13
	split_power B0, B1, B2, B3, B4, X0, X1, M, T

	/* Times r^4: r^8, r^6, r^7, r^5 */
	store_near 32, B0, B1, B2, B3, B4
	mul_near 32, bcast, bcast5
	carry	A0, A1, A2, A3, A4
	store_near 0, A0, A1, A2, A3, A4

	mov	STATE_H(STATE), %rax
	mov	STATE_H + 8(STATE), %rcx
	mov	STATE_H + 16(STATE), %r9
	cmpq	$0, VAR_G1(%rsp)
	jne	.Lfar

	/* Near: h goes into the lane of the first block. */
	vpbroadcastq VAR_HIBIT(%rsp), X1
	vpsllq	$24, X1, X1
	mov	$(1 << 26) - 1, %r10d
	mov	%rax, %rdx
	mov	%rax, %rsi
	mov	%rcx, %rdi
	mov	%rcx, %r8
	and	%r10, %rax
	shr	$26, %rdx
	shr	$52, %rsi
	shl	$12, %rdi
	and	%r10, %rdx
	or	%rdi, %rsi
	shr	$14, %rcx
	and	%r10, %rsi
	and	%r10, %rcx
	shr	$40, %r8
	shl	$24, %r9
	or	%r9, %r8
	vmovq	%rax, %xmm0
	vmovq	%rdx, %xmm1
	vmovq	%rsi, %xmm2
	vmovq	%rcx, %xmm3
	vmovq	%r8, %xmm4
	mov	VAR_GROUPS(%rsp), %rcx
	jmp	.Lnear_check

	/* A = (A + first quad) R^2 + second quad R, with R = r^4 */
.Lnear_groups:
	split_quad 0(DATA)
	add_sums
	mul_near 0, bcast, bcast5
	split_quad 64(DATA)
	mul_near 32, bcast, bcast5, first=0
	carry	A0, A1, A2, A3, A4
	add	$128, DATA
.Lnear_check:
	dec	%rcx
	jnz	.Lnear_groups

	/* The last time each lane is multiplied by its own power. */
	split_quad 0(DATA)
	add_sums
	mul_near 0, lanes, lanes5
	split_quad 64(DATA)
	mul_near 32, lanes, lanes5, first=0
	copy	A4, %ymm14, A3, %ymm13, A2, %ymm12, A1, %ymm11, A0, %ymm10
	lea	LAST(%rsp), %r8
	jmp	.Lreduce

.Lfar:
	/* Far: h + first block, its excess over 128 bits %r9; second block */
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	vmovdqu	16(DATA), %xmm10
	mov	%rax, FIRST(%rsp)
	mov	%rcx, FIRST + 8(%rsp)
	vmovdqa	%xmm10, FIRST + 16(%rsp)

	store_last 0, B0, B3, B2, times5_both=1
	store_last 1, B1, B4, B3, times5_both=1
	store_last 2, B2, B0, B4, times5_hi=1
	store_last 3, B3, B1, B0
	store_last 4, B4, B2, B1

	/* R^1, R^2 = r^4, r^8; times R^2; together R^1 ... R^4 */
	vpunpcklqdq A0, B0, B0
	vpunpcklqdq A1, B1, B1
	vpunpcklqdq A2, B2, B2
	vpunpcklqdq A3, B3, B3
	vpunpcklqdq A4, B4, B4
	mul_near 0, bcast, bcast5
	carry	A0, A1, A2, A3, A4
	vinserti128 $1, %xmm0, B0, B0
	vinserti128 $1, %xmm1, B1, B1
	vinserti128 $1, %xmm2, B2, B2
	vinserti128 $1, %xmm3, B3, B3
	vinserti128 $1, %xmm4, B4, B4
	store_table TABLE(%rsp), B0, B1, B2, B3, B4, A0, A1, A2, A3, A4

	/*
	 * As many more rows of four as are needed: R^1 ... R^(g1-1), and up to
	 * R^g where full groups follow. Row %r8 is row %r8 - %r10 times R^%r10,
	 * %r10 doubling, so that rows depend on few others. In bytes of table.
	 */
	mov	VAR_G1(%rsp), %rdi
	dec	%rdi
	cmpq	$0, VAR_GROUPS(%rsp)
	cmovne	VAR_G(%rsp), %rdi
	shl	$3, %rdi
	mov	$32, %r8d
	mov	$32, %r10d
	jmp	.Lrows_check
.Lrows:
	lea	TABLE(%rsp, %r8), %rax
	mov	%rax, %rsi
	sub	%r10, %rsi
	lea	TABLE - 8(%rsp, %r10), %rcx
	vpxor	%xmm0, %xmm0, %xmm0
	copy	A0, A1, A0, A2, A0, A3, A0, A4
	mul_power A0, A1, A2, A3, A4, 0(%rsi), 0(%rcx), ROW
	carry	A0, A1, A2, A3, A4
	store_table 0(%rax), A0, A1, A2, A3, A4, B0, B1, B2, B3, B4
	add	$32, %r8
	lea	(%r10, %r10), %rax
	cmp	%rax, %r8
	cmove	%rax, %r10
.Lrows_check:
	cmp	%rdi, %r8
	jb	.Lrows

	/* The bits 128 of the groups */
	cmpq	$0, VAR_GROUPS(%rsp)
	je	.Lfirst_group
	mov	VAR_G(%rsp), %rdi
	sum_hibits %rdi
	store_vectors HIBITS, A0, A1, A2, A3, A4
.Lfirst_group:
	mov	VAR_G1(%rsp), %r10
	sum_hibits %r10
	copy	A0, B0, A1, B1, A2, B2, A3, B3, A4, B4

	/*
	 * From the last quad to the first: the least powers are ready before
	 * the greatest. %rdx is the end of the group.
	 */
	mov	%r10, %rsi
	shl	$6, %rsi
	add	DATA, %rsi
	mov	%rsi, %rdx
	sub	$64, %rsi
	add_last 0(%rsi), A0, A1
	add_last 32(%rsi), B0, B1
	lea	TABLE(%rsp), %rdi
	sub	$2, %r10
	jz	.Lfirst_quad
.Lfirst_quads:
	sub	$64, %rsi
	mul_quad 0(%rsi), 32(%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lfirst_quads
.Lfirst_quad:
	mul_quad FIRST(%rsp), 32(DATA), 0(%rdi)

	/* 2^128 %r9 R^(g1-1) as in sum_hibits, to the first block's lane */
	shl	$24, %r9
	vmovq	%r9, %xmm10
	vpbroadcastd 0 * ROW(%rdi), M
	mac	X0, T, A4, M
	times5	X0
	vpbroadcastd 1 * ROW(%rdi), M
	mac	X0, T, A0, M
	vpbroadcastd 2 * ROW(%rdi), M
	mac	X0, T, A1, M
	vpbroadcastd 3 * ROW(%rdi), M
	mac	X0, T, A2, M
	vpbroadcastd 4 * ROW(%rdi), M
	mac	X0, T, A3, M

	mov	VAR_GROUPS(%rsp), %rcx
	jmp	.Lgroups_check

.Lgroups:
	carry	A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4
	store_vectors SUMS, A0, A1, A2, A3, A4, B0, B1, B2, B3, B4
	copy	HIBITS(%rsp), A0, HIBITS+32(%rsp), A1
	copy	HIBITS+64(%rsp), A2, HIBITS+96(%rsp), A3
	copy	HIBITS+128(%rsp), A4
	copy	A0, B0, A1, B1, A2, B2, A3, B3, A4, B4

	mov	VAR_G(%rsp), %r10
	mov	%r10, %rsi
	shl	$6, %rsi
	add	%rdx, %rsi
	mov	%rsi, %rdx
	sub	$64, %rsi
	add_last 0(%rsi), A0, A1
	add_last 32(%rsi), B0, B1
	lea	TABLE(%rsp), %rdi
	dec	%r10
.Lquads:
	sub	$64, %rsi
	mul_quad 0(%rsi), 32(%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lquads
	mul_power A0, A1, A2, A3, A4, SUMS(%rsp), 0(%rdi)
	mul_power B0, B1, B2, B3, B4, SUMS+160(%rsp), 0(%rdi)
	dec	%rcx
.Lgroups_check:
	test	%rcx, %rcx
	jnz	.Lgroups

	/* Multiply the streams and lanes by their powers and add them up. */
	carry	A0, A1, A2, A3, A4
	carry	B0, B1, B2, B3, B4
	vpxor	%xmm10, %xmm10, %xmm10
	copy	X0, %ymm11, X0, %ymm12, X0, %ymm13, X0, %ymm14
	mul_last LAST(%rsp), A0, A1, A2, A3, A4
	mul_last LAST+160(%rsp), B0, B1, B2, B3, B4
	lea	FRAME(%rsp), %r8

	/* h = %ymm10 ... %ymm14, their lanes summed up, below 2^63 each */
.Lreduce:
	vpunpcklqdq %ymm11, %ymm10, %ymm0
	vpunpckhqdq %ymm11, %ymm10, %ymm1
	vpunpcklqdq %ymm13, %ymm12, %ymm2
	vpunpckhqdq %ymm13, %ymm12, %ymm3
	vextracti128 $1, %ymm14, %xmm4
	vpaddq	%ymm1, %ymm0, %ymm0
	vpaddq	%ymm3, %ymm2, %ymm2
	vpaddq	%xmm14, %xmm4, %xmm4
	vextracti128 $1, %ymm0, %xmm1
	vextracti128 $1, %ymm2, %xmm3
	vpunpckhqdq %xmm4, %xmm4, %xmm5
	vpaddq	%xmm1, %xmm0, %xmm0
	vpaddq	%xmm3, %xmm2, %xmm2
	vpaddq	%xmm5, %xmm4, %xmm4
	vmovq	%xmm0, %rax
	vpextrq	$1, %xmm0, %rcx
	vmovq	%xmm2, %rdx
	vpextrq	$1, %xmm2, %rsi
	vmovq	%xmm4, %rdi

	store_h

	/*
	 * Keep the powers where more of the message is announced, or likely as
	 * so much has come already. Else there is less for the caller to wipe.
	 */
	cmpl	$4, STATE_NPOW(STATE)
	jae	.Lwipe
	cmpq	$0, VAR_G1(%rsp)
	jne	.Lkeep
	mov	STATE_HINT(STATE), %eax
	cmp	VAR_NBLOCKS(%rsp), %rax
	jbe	.Lwipe
.Lkeep:
	copy_powers POWERS(%rsp), 32, POW_4(STATE), POW_ROW
	movl	$4, STATE_NPOW(STATE)
.Lwipe:
	/* Leave nothing behind in the frame, as far as used, or registers. */
	wipe_frame
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	clear_registers
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(poly1305_blocks_avx2)
