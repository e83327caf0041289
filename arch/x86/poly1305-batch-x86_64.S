/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Two messages at once, each under its own key, in the general registers of any
 * x86-64 CPU.
 *
 * Within one message each block depends on the block before, so the CPU spends
 * much of its time waiting. Two messages side by side fill that time. Both go
 * block by block, h = (h + m) r, with the macros of
 * poly1305-x86_64-serial.h. They end together: the longer message starts alone.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-x86_64-serial.h"

/*
 * The stack frame: r0, r1 and q1 of each message, its request, the address of
 * the next two requests, and how many messages are left
 */
#define VAR_FIRST_R	0
#define VAR_SECOND_R	24
#define VAR_FIRST_REQ	48
#define VAR_SECOND_REQ	56
#define VAR_NEXT	64
#define VAR_MESSAGES	72
#define FRAME		80

/* Store the clamped r of request \req as r0, r1, q1 at \to. Clobbers %rax, %rbp. */
.macro	pair_key req, to
	mov	REQ_KEY(\req), %rbp
	mov	$0x0ffffffc0fffffff, %rax
	and	(%rbp), %rax
	mov	%rax, \to(%rsp)
	mov	$0x0ffffffc0ffffffc, %rax
	and	8(%rbp), %rax
	mov	%rax, \to + 8(%rsp)
	mov	%rax, %rbp
	shr	$2, %rbp
	add	%rbp, %rax
	mov	%rax, \to + 16(%rsp)
.endm

/* Add the partial last block of request \req, if any; \p is the last whole block. */
.macro	pair_rest a0, a1, a2, p, req, r
	mov	\req(%rsp), %rax
	mov	REQ_LEN(%rax), %ecx
	and	$15, %ecx
	jz	.Lwhole\@
	sub	$16, %rcx
	add_rest \a0, \a1, \a2, \p
	mul_r	\a0, \a1, \a2, \r(%rsp), \r + 8(%rsp), \r + 16(%rsp)
.Lwhole\@:
.endm

/*
 * void poly1305_batch_x86_64(const struct poly1305_mac_req *const reqs[],
 *			      unsigned int n)
 *
 * A lanes function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_batch_x86_64)
	push_all
	sub	$FRAME, %rsp
	mov	%rdi, VAR_NEXT(%rsp)
	mov	%esi, VAR_MESSAGES(%rsp)
.Lpair:
	mov	VAR_NEXT(%rsp), %rdi
	mov	(%rdi), %rsi
	mov	8(%rdi), %rdi
	mov	REQ_LEN(%rsi), %rax
	cmp	REQ_LEN(%rdi), %rax
	jae	1f
	xchg	%rsi, %rdi
1:	mov	%rsi, VAR_FIRST_REQ(%rsp)
	mov	%rdi, VAR_SECOND_REQ(%rsp)
	mov	REQ_LEN(%rsi), %rcx
	mov	REQ_LEN(%rdi), %rdx
	shr	$4, %rcx
	shr	$4, %rdx
	jz	.Lpair_short
	pair_key %rsi, VAR_FIRST_R
	pair_key %rdi, VAR_SECOND_R
	mov	REQ_DATA(%rsi), %rsi
	mov	REQ_DATA(%rdi), %rdi

	mov	(%rsi), x0
	mov	8(%rsi), x1
	mov	$1, %r10d			/* x2 */
	sub	%rdx, %rcx
	jz	3f
2:	mul_r	x0, x1, x2, VAR_FIRST_R(%rsp), VAR_FIRST_R + 8(%rsp), \
		VAR_FIRST_R + 16(%rsp), 16(%rsi), $1
	add	$16, %rsi
	dec	%rcx
	jnz	2b

3:	mov	VAR_SECOND_REQ(%rsp), %rax
	mov	REQ_LEN(%rax), %rcx
	shr	$4, %rcx
	mov	(%rdi), y0
	mov	8(%rdi), y1
	mov	$1, %r13d			/* y2 */
	jmp	5f
4:	mul_r	x0, x1, x2, VAR_FIRST_R(%rsp), VAR_FIRST_R + 8(%rsp), \
		VAR_FIRST_R + 16(%rsp), 16(%rsi), $1
	add	$16, %rsi
	mul_r	y0, y1, y2, VAR_SECOND_R(%rsp), VAR_SECOND_R + 8(%rsp), \
		VAR_SECOND_R + 16(%rsp), 16(%rdi), $1
	add	$16, %rdi
5:	dec	%rcx
	jnz	4b
	mul_r	x0, x1, x2, VAR_FIRST_R(%rsp), VAR_FIRST_R + 8(%rsp), \
		VAR_FIRST_R + 16(%rsp)
	mul_r	y0, y1, y2, VAR_SECOND_R(%rsp), VAR_SECOND_R + 8(%rsp), \
		VAR_SECOND_R + 16(%rsp)
	pair_rest x0, x1, x2, %rsi, VAR_FIRST_REQ, VAR_FIRST_R
	pair_rest y0, y1, y2, %rdi, VAR_SECOND_REQ, VAR_SECOND_R

	mov	VAR_FIRST_REQ(%rsp), %rsi
	mov	VAR_SECOND_REQ(%rsp), %rdi
	mov	REQ_KEY(%rsi), %rcx
	add_pad	x0, x1, x2, %rcx
	mov	REQ_KEY(%rdi), %rcx
	add_pad	y0, y1, y2, %rcx
	mov	REQ_TAG(%rsi), %rsi
	mov	REQ_TAG(%rdi), %rdi
	mov	x0, (%rsi)
	mov	x1, 8(%rsi)
	mov	y0, (%rdi)
	mov	y1, 8(%rdi)

.Lpair_done:
	addq	$16, VAR_NEXT(%rsp)
	subl	$2, VAR_MESSAGES(%rsp)
	jnz	.Lpair

	xor	%eax, %eax
	mov	%rax, VAR_FIRST_R(%rsp)
	mov	%rax, VAR_FIRST_R + 8(%rsp)
	mov	%rax, VAR_FIRST_R + 16(%rsp)
	mov	%rax, VAR_SECOND_R(%rsp)
	mov	%rax, VAR_SECOND_R + 8(%rsp)
	mov	%rax, VAR_SECOND_R + 16(%rsp)
	add	$FRAME, %rsp
	clear_registers
	pop_all
	RET

	/*
	 * A message of fewer than 16 bytes leaves nothing to interleave: the
	 * two are computed in turn. The first tag waits in the frame, because
	 * it may overlap the second message or its key. The callee pushes the
	 * registers cleared here, which hold key material of the pair before.
	 */
.Lpair_short:
	xor	%ebp, %ebp
	xor	%r12d, %r12d
	xor	%r13d, %r13d
	xor	%r14d, %r14d
	xor	%r15d, %r15d
	mov	%rdi, %rbx
	mov	REQ_KEY(%rsi), %rdi
	mov	REQ_LEN(%rsi), %rdx
	mov	REQ_DATA(%rsi), %rsi
	lea	VAR_FIRST_R(%rsp), %rcx
	call	poly1305_digest_x86_64
	mov	REQ_KEY(%rbx), %rdi
	mov	REQ_DATA(%rbx), %rsi
	mov	REQ_LEN(%rbx), %rdx
	mov	REQ_TAG(%rbx), %rcx
	call	poly1305_digest_x86_64
	mov	VAR_FIRST_REQ(%rsp), %rcx
	mov	VAR_FIRST_R(%rsp), %rax
	mov	VAR_FIRST_R + 8(%rsp), %rdx
	mov	REQ_TAG(%rcx), %rcx
	mov	%rax, (%rcx)
	mov	%rdx, 8(%rcx)
	jmp	.Lpair_done
SYM_FUNC_END(poly1305_batch_x86_64)
