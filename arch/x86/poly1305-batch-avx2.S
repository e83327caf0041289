/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Four messages at once, each under its own key, for CPUs with AVX2.
 *
 * poly1305_core.h has the notation. A number is five limbs in radix 2^26, one
 * in each of five vector registers. Each of the four 64-bit lanes belongs to
 * one message: h, r and a block below mean four of each. vpmuludq multiplies
 * the low halves of the lanes.
 *
 * Lengths may differ. All messages end at the same step, so a shorter one
 * begins later. Until then its lane takes blocks of 0 with a bit 128 of 0,
 * which keep its h at 0. While some lanes have not begun, and in short
 * messages, a step is one block of each message,
 *
 *	h = (h + m) r
 *
 * and later two, with one reduction for both:
 *
 *	h = (h + m_1) r^2 + m_2 r
 *
 * The last two blocks of each message are copied to the stack, and the last one
 * is padded, because it may be shorter than 16 bytes. Its 1 bit is then inside,
 * and its bit 128 is 0.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-batch-avx2.h"

/* Least length of the longest message, in blocks, for r^2 to pay */
.set	PAIRS_MIN, 6

.section .rodata
.p2align 5
/* Masks that clamp the words of r; .Lmask26 is for its limbs */
.Lclamp_lo:
	.quad	0x0ffffffc0fffffff, 0x0ffffffc0fffffff
	.quad	0x0ffffffc0fffffff, 0x0ffffffc0fffffff
.Lclamp_hi:
	.quad	0x0ffffffc0ffffffc, 0x0ffffffc0ffffffc
	.quad	0x0ffffffc0ffffffc, 0x0ffffffc0ffffffc
.Lmask26:
	.quad	(1 << 26) - 1
/* Bit 128, in limb 4 */
.Lhibit:
	.quad	1 << 24
.Lsign:
	.quad	1 << 63
/* A shuffle from n bytes in moves a vector down by n bytes and fills with zeroes. */
.Lmove_down:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.fill	16, 1, 0x80
/* A load from n bytes in has the 1 bit behind 16 - n bytes, or none for n = 0. */
.Lpadding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0
/* Lanes read this before their message begins. */
.Lno_block:
	.fill	16, 1, 0
.text

/*
 * void poly1305_batch_avx2(const struct poly1305_mac_req *const reqs[],
 *			    unsigned int n);
 *
 * A lanes function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_batch_avx2)
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	sub	$FRAME, %rsp
	and	$-32, %rsp
	mov	%esi, VAR_MESSAGES(%rsp)
	movl	$0, VAR_HAS_R2(%rsp)

.Lfour:
	/* The ends of the messages; %rdx is the longest length, %rbx the shortest */
	vpxor	%xmm0, %xmm0, %xmm0
	vmovdqa	%ymm0, VAR_BUF(%rsp)
	vmovdqa	%ymm0, VAR_BUF + 32(%rsp)
	vmovdqa	%ymm0, VAR_BUF + 64(%rsp)
	vmovdqa	%ymm0, VAR_BUF + 96(%rsp)
	vmovdqa	%ymm0, VAR_LAST_HIBIT(%rsp)
	lea	VAR_BUF(%rsp), %r11
	xor	%esi, %esi
	xor	%edx, %edx
	mov	$-1, %rbx
	shr	$1, %rbx
.Lmessages:
	mov	(REQS, %rsi, 8), %rax
	mov	REQ_DATA(%rax), %r8
	mov	REQ_LEN(%rax), %r9
	lea	15(%r9), %r10
	and	$-16, %r10
	lea	(%r8, %r10), %rax
	mov	%rax, VAR_END(%rsp, %rsi, 8)
	mov	%r10, %rax
	neg	%rax
	mov	%rax, VAR_BEGIN(%rsp, %rsi, 8)
	cmp	%rdx, %r10
	cmova	%r10, %rdx
	cmp	%rbx, %r10
	cmovb	%r10, %rbx
	copy_end
	add	$32, %r11
	inc	%esi
	cmp	$4, %esi
	jb	.Lmessages

	/*
	 * %rbx = -16 times the blocks left when all lanes have begun and pairs
	 * start, or 0
	 */
	xor	%eax, %eax
	and	$-32, %rbx
	cmp	$16 * PAIRS_MIN, %rdx
	cmovb	%rax, %rbx
	neg	%rbx
	neg	LEFT

	/* r, and r^2 if it is used */
	vpbroadcastq .Lmask26(%rip), MASK26
	key_pointers
	load_blocks (END0), (END1), (END2), (END3)
	vpand	.Lclamp_lo(%rip), B0, B0
	vpand	.Lclamp_hi(%rip), B4, B4
	vpxor	HIBIT, HIBIT, HIBIT
	split_blocks
	store_power VAR_R1, B0, B1, B2, B3, B4
	test	%rbx, %rbx
	jz	.Lpowers_done
	movl	$1, VAR_HAS_R2(%rsp)
	mul	VAR_R1
	carry	A0, A1, A2, A3, A4
	store_power VAR_R2, A0, A1, A2, A3, A4
.Lpowers_done:

	mov	VAR_END(%rsp), END0
	mov	VAR_END + 8(%rsp), END1
	mov	VAR_END + 16(%rsp), END2
	mov	VAR_END + 24(%rsp), END3
	vpxor	A0, A0, A0
	copy	A0, A1, A0, A2, A0, A3, A0, A4

	/* One block at a time until pairs start, or up to the last two blocks */
	mov	$-32, %rsi
	cmp	%rsi, %rbx
	cmovl	%rbx, %rsi
	jmp	.Lhead_check
.Lhead:
	active_hibits
	lea	.Lno_block(%rip), %rcx
	block_or_none END0, 0, %rax
	block_or_none END2, 16, %r12
	vmovdqu	(%rax), %xmm5
	vinserti128 $1, (%r12), B0, B0
	block_or_none END1, 8, %rax
	block_or_none END3, 24, %r12
	vmovdqu	(%rax), %xmm6
	vinserti128 $1, (%r12), B1, B1
	unpack_blocks
	split_blocks
	add_sums
	mul	VAR_R1
	carry	A0, A1, A2, A3, A4
	add	$16, LEFT
.Lhead_check:
	cmp	%rsi, LEFT
	jl	.Lhead

	vpbroadcastq .Lhibit(%rip), HIBIT
	jmp	.Lpairs_check
.Lpairs:
	load_blocks "(END0, LEFT)", "(END1, LEFT)", \
		"(END2, LEFT)", "(END3, LEFT)"
	split_blocks
	add_sums
	mul	VAR_R2
	load_blocks "16(END0, LEFT)", "16(END1, LEFT)", \
		"16(END2, LEFT)", "16(END3, LEFT)"
	split_blocks
	mul	VAR_R1, first=0
	carry	A0, A1, A2, A3, A4
	add	$32, LEFT
.Lpairs_check:
	cmp	$-32, LEFT
	jl	.Lpairs

	/* The last two blocks */
	test	%rbx, %rbx
	jz	.Lends_check
	load_blocks VAR_BUF(%rsp), VAR_BUF+32(%rsp), VAR_BUF+64(%rsp), \
		VAR_BUF+96(%rsp)
	split_blocks
	add_sums
	mul	VAR_R2
	vmovdqa	VAR_LAST_HIBIT(%rsp), HIBIT
	load_blocks VAR_BUF+16(%rsp), VAR_BUF+48(%rsp), VAR_BUF+80(%rsp), \
		VAR_BUF+112(%rsp)
	split_blocks
	mul	VAR_R1, first=0
	carry	A0, A1, A2, A3, A4
	jmp	.Ltags

.Lends:
	active_hibits
	cmp	$-16, LEFT
	jne	.Lends_hibits
	vmovdqa	VAR_LAST_HIBIT(%rsp), HIBIT
.Lends_hibits:
	lea	VAR_BUF + 32(%rsp, LEFT), %rax
	load_blocks (%rax), 32(%rax), 64(%rax), 96(%rax)
	split_blocks
	add_sums
	mul	VAR_R1
	carry	A0, A1, A2, A3, A4
	add	$16, LEFT
.Lends_check:
	test	LEFT, LEFT
	jnz	.Lends

.Ltags:
	reduce
	key_pointers
	load_blocks 16(END0), 16(END1), 16(END2), 16(END3)
	add_pads
	mov	(REQS), %rax
	mov	8(REQS), %rcx
	mov	16(REQS), %rdx
	mov	24(REQS), %rsi
	mov	REQ_TAG(%rax), %rax
	mov	REQ_TAG(%rcx), %rcx
	mov	REQ_TAG(%rdx), %rdx
	mov	REQ_TAG(%rsi), %rsi
	vmovdqu	%xmm2, (%rax)
	vmovdqu	%xmm3, (%rcx)
	vextracti128 $1, %ymm2, (%rdx)
	vextracti128 $1, %ymm3, (%rsi)
	add	$32, REQS
	subl	$4, VAR_MESSAGES(%rsp)
	jnz	.Lfour

	/* Wipe the frame and all vector registers. */
	vpxor	%xmm0, %xmm0, %xmm0
	wipe_rows VAR_BUF, 4
	wipe_rows VAR_R1, 9
	cmpl	$0, VAR_HAS_R2(%rsp)
	je	.Lwiped
	wipe_rows VAR_R2, 9
.Lwiped:
.irp i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	xor	%eax, %eax
	xor	%ecx, %ecx
	lea	-16(%rbp), %rsp
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(poly1305_batch_avx2)
