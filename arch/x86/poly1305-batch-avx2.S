/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Four messages at once, each under its own key, for CPUs with AVX2.
 *
 * poly1305_core.h has the notation. Each of the four 64-bit lanes of a vector
 * register belongs to one message: h, r and a block below mean four of each. A
 * number is five digits in radix 2^32, one in each of five registers, and
 * vpmuludq multiplies the low halves of the lanes. So neither messages nor sums
 * need to be split: a digit is the part below 2^32, and the part above it
 * has been added to the next digit. r is clamped, which keeps sums of products
 * below 2^64. That is why messages go block by block: powers of r would not be.
 *
 *	x = x r + m,	where x begins as the first block, and h = x r at last
 *
 * If all four messages have one length, of 16 bytes or more, they begin and end
 * together. The last block, if it is not whole, is loaded with bytes of the block
 * before, which a shuffle moves out.
 *
 * Otherwise lengths may differ. All messages end at the same step, so a shorter one
 * begins later. Until then its lane takes blocks of 0 with a bit 128 of 0,
 * which keep its x at 0. The last block of each message is copied to the stack
 * and padded there. An empty message has a last block of 0.
 *
 * If a last block is not whole, its 1 bit is inside, and its bit 128 is 0.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-batch-avx2.h"

.section .rodata
.p2align 5
/* Masks that clamp the words of r */
.Lclamp_lo:
	.quad	0x0ffffffc0fffffff, 0x0ffffffc0fffffff
	.quad	0x0ffffffc0fffffff, 0x0ffffffc0fffffff
.Lclamp_hi:
	.quad	0x0ffffffc0ffffffc, 0x0ffffffc0ffffffc
	.quad	0x0ffffffc0ffffffc, 0x0ffffffc0ffffffc
.Lmask32:
	.quad	(1 << 32) - 1
.Lhibit:
	.quad	1
.Lthree:
	.quad	3
.Lfive:
	.quad	5
.Lfifteen:
	.quad	15
/* A shuffle from n bytes in moves a vector down by n bytes and fills with zeroes. */
.Lmove_down:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.fill	16, 1, 0x80
/* A load from n bytes in has the 1 bit behind 16 - n bytes, or none for n = 0. */
.Lpadding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0
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
	xor	%edx, %edx
	jmp	fours_avx2
SYM_FUNC_END(poly1305_batch_avx2)

/*
 * unsigned int poly1305_run_avx2(const struct poly1305_mac_req *reqs,
 *				  unsigned int n);
 *
 * A run function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_run_avx2)
	mov	$1, %edx
	jmp	fours_avx2
SYM_FUNC_END(poly1305_run_avx2)

/* Both; %edx says whether REQS points to the requests of a run */
SYM_FUNC_START_LOCAL(fours_avx2)
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	sub	$FRAME, %rsp
	and	$-32, %rsp
	mov	%esi, VAR_MESSAGES(%rsp)
	mov	%esi, VAR_ASKED(%rsp)
	mov	%edx, VAR_ADJACENT(%rsp)
	vpbroadcastq .Lthree(%rip), THREE
	vpbroadcastq .Lmask32(%rip), MASK32
	cmpl	$0, VAR_ADJACENT(%rsp)
	je	.Lfour
	mov	REQ_LEN(REQS), %rdx
	mov	%rdx, VAR_LEN(%rsp)

.Lfour:
	requests
	mov	REQ_LEN(REQ0), %rdx
	mov	%rdx, %r12
	mov	%rdx, %r13
	xor	REQ_LEN(REQ1), %r12
	xor	REQ_LEN(REQ2), %r13
	or	%r13, %r12
	mov	%rdx, %r13
	xor	REQ_LEN(REQ3), %r13
	or	%r13, %r12			/* 0 if the lengths are equal */
	cmpl	$0, VAR_ADJACENT(%rsp)
	je	.Lkeys
	mov	VAR_LEN(%rsp), %r13
	xor	%rdx, %r13
	or	%r13, %r12
	jnz	.Ldone
.Lkeys:
	members	REQ_KEY
	load_words (END0), (END1), (END2), (END3)
	vpand	.Lclamp_lo(%rip), T3, T3
	vpand	.Lclamp_hi(%rip), T, T
	store_r
	test	%r12, %r12
	jnz	.Ldiffer
	cmp	$16, %rdx
	jb	.Ldiffer

	/* One length */
	members	REQ_DATA
	mov	%rdx, LACK
	neg	LACK
	and	$15, LACK
	add	LACK, %rdx			/* 16 times the blocks */
	add	%rdx, END0
	add	%rdx, END1
	add	%rdx, END2
	add	%rdx, END3
	neg	LEFT
	xor	%eax, %eax
	mov	$-16, LIMIT
	test	LACK, LACK
	cmovz	%rax, LIMIT
	jmp	.Lfirst

	/* Different lengths: the ends of the messages, and their last blocks */
.Ldiffer:
	members	REQ_LEN
	store_ends VAR_LEN_OF
	begins_and_hibits
	members	REQ_DATA
	store_ends VAR_END
	lea	VAR_BUF(%rsp), %r11
	xor	%esi, %esi
	mov	VAR_BEGIN(%rsp), LEFT
	mov	LEFT, SHORTEST
.Lmessages:
	mov	VAR_END(%rsp, %rsi, 8), %r8	/* data */
	mov	VAR_LEN_OF(%rsp, %rsi, 8), %r9
	mov	VAR_BEGIN(%rsp, %rsi, 8), %r10
	cmp	LEFT, %r10
	cmovl	%r10, LEFT
	cmp	SHORTEST, %r10
	cmovg	%r10, SHORTEST
	neg	%r10
	add	%r10, VAR_END(%rsp, %rsi, 8)
	copy_end
	add	$16, %r11
	inc	%esi
	cmp	$4, %esi
	jb	.Lmessages
	mov	VAR_END(%rsp), END0
	mov	VAR_END + 8(%rsp), END1
	mov	VAR_END + 16(%rsp), END2
	mov	VAR_END + 24(%rsp), END3

	cmp	$-16, LEFT
	je	.Lone
	cmp	SHORTEST, LEFT
	je	.Lall_begun

	/* Until all messages have begun, up to the last block */
	lea	.Lno_block(%rip), NO_BLOCK
	load_begun X0, X1, X2, X3
	vmovdqa	HIBIT, X4
	jmp	.Lbegun_check
.Lbegun:
	load_begun Y0, Y1, Y2, Y3
	mul_add
.Lbegun_check:
	add	$16, LEFT
	cmp	SHORTEST, LEFT
	jl	.Lbegun
	mov	$-16, LIMIT
	mov	$-1, LACK
	vpbroadcastq .Lhibit(%rip), HIBIT
	jmp	.Lnext_check

	/* All messages have begun: the first block, then all that are whole */
.Lall_begun:
	mov	$-16, LIMIT
	mov	$-1, LACK
.Lfirst:
	vpbroadcastq .Lhibit(%rip), HIBIT
	load_next X0, X1, X2, X3
	vmovdqa	HIBIT, X4
	jmp	.Lnext_done
.Lnext:
	load_next Y0, Y1, Y2, Y3
	mul_add
.Lnext_done:
	add	$16, LEFT
.Lnext_check:
	cmp	LIMIT, LEFT
	jl	.Lnext

	test	LACK, LACK
	jz	.Llast_product
	js	.Lbuffers
	load_tail Y0, Y1, Y2, Y3
	jmp	.Llast_block
.Lbuffers:
	load_last Y0, Y1, Y2, Y3
.Llast_block:
	mul_add

	jmp	.Llast_product

	/* One block of each message */
.Lone:
	load_last X0, X1, X2, X3
	vmovdqa	HIBIT, X4

	/* h = x r */
.Llast_product:
	vpxor	Y0, Y0, Y0
	vpxor	HIBIT, HIBIT, HIBIT
	copy	Y0, Y1, Y0, Y2, Y0, Y3
	mul_add

	requests
	members	REQ_KEY
	load_words 16(END0), 16(END1), 16(END2), 16(END3)
	tags
	members	REQ_TAG
	vmovdqu	%xmm2, (END0)
	vmovdqu	%xmm3, (END1)
	vextracti128 $1, %ymm2, (END2)
	vextracti128 $1, %ymm3, (END3)
	cmpl	$0, VAR_ADJACENT(%rsp)
	jne	.Lnext_of_run
	add	$4 * 8, REQS
	jmp	.Lfour_done
.Lnext_of_run:
	add	$4 * REQ_SIZE, REQS
.Lfour_done:
	subl	$4, VAR_MESSAGES(%rsp)
	jnz	.Lfour

	/* Wipe the frame and all vector registers. */
.Ldone:
	vpxor	%xmm0, %xmm0, %xmm0
	wipe_rows VAR_5R0, 8
	wipe_rows VAR_BUF, 2
.irp i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	mov	VAR_ASKED(%rsp), %eax
	sub	VAR_MESSAGES(%rsp), %eax
	lea	-24(%rbp), %rsp
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(fours_avx2)
