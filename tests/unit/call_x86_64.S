/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * void call_with(struct call *call), in user space on x86-64
 *
 * Loads all registers and the stack pointer from *call, calls call->fn, and stores
 * all registers back. It relies on nothing but the function's return.
 *
 * call.c asserts that the offsets are those of struct call.
 */

#define FN		0x000
#define STACK		0x008
#define LEVEL		0x010
#define FLAGS		0x018
#define MXCSR		0x020
#define FPUENV		0x024
#define GPR		0x040
#define MASK		0x0c0
#define VECTOR		0x100

	.macro	avx512_masks insn:req, swap=0
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7
	.if \swap
	\insn	%k\i, MASK + 8 * \i(%rax)
	.else
	\insn	MASK + 8 * \i(%rax), %k\i
	.endif
	.endr
	.endm

	/* Load or store vector registers 0 to 15 */
	.macro	low_vectors insn:req, kind:req, store=0
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.if \store
	\insn	%\kind\i, VECTOR + 64 * \i(%rax)
	.else
	\insn	VECTOR + 64 * \i(%rax), %\kind\i
	.endif
	.endr
	.endm

	/* Load or store vector registers 16 to 31 */
	.macro	high_vectors insn:req, kind:req, store=0
	.irp	i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.if \store
	\insn	%\kind\i, VECTOR + 64 * \i(%rax)
	.else
	\insn	VECTOR + 64 * \i(%rax), %\kind\i
	.endif
	.endr
	.endm

	.text
	.globl	call_with
	.hidden	call_with
	.type	call_with, @function
call_with:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rdi, current(%rip)
	mov	%rsp, our_stack(%rip)
	mov	FN(%rdi), %rax
	mov	%rax, fn(%rip)

	mov	%rdi, %rax
	mov	STACK(%rax), %rsp
	cmpl	$1, LEVEL(%rax)
	jb	1f
	je	2f
	avx512_masks kmovq
	low_vectors vmovdqu64, zmm
	high_vectors vmovdqu64, zmm
	jmp	3f
2:	low_vectors vmovdqu, ymm
	jmp	3f
1:	low_vectors movdqu, xmm
3:
	mov	GPR + 8 * 1(%rax), %rcx
	mov	GPR + 8 * 2(%rax), %rdx
	mov	GPR + 8 * 3(%rax), %rbx
	mov	GPR + 8 * 5(%rax), %rbp
	mov	GPR + 8 * 6(%rax), %rsi
	mov	GPR + 8 * 7(%rax), %rdi
	mov	GPR + 8 * 8(%rax), %r8
	mov	GPR + 8 * 9(%rax), %r9
	mov	GPR + 8 * 10(%rax), %r10
	mov	GPR + 8 * 11(%rax), %r11
	mov	GPR + 8 * 12(%rax), %r12
	mov	GPR + 8 * 13(%rax), %r13
	mov	GPR + 8 * 14(%rax), %r14
	mov	GPR + 8 * 15(%rax), %r15
	mov	GPR + 8 * 0(%rax), %rax
	call	*fn(%rip)

	mov	%rax, result(%rip)
	mov	current(%rip), %rax
	mov	%rcx, GPR + 8 * 1(%rax)
	mov	%rdx, GPR + 8 * 2(%rax)
	mov	%rbx, GPR + 8 * 3(%rax)
	mov	%rsp, GPR + 8 * 4(%rax)
	mov	%rbp, GPR + 8 * 5(%rax)
	mov	%rsi, GPR + 8 * 6(%rax)
	mov	%rdi, GPR + 8 * 7(%rax)
	mov	%r8, GPR + 8 * 8(%rax)
	mov	%r9, GPR + 8 * 9(%rax)
	mov	%r10, GPR + 8 * 10(%rax)
	mov	%r11, GPR + 8 * 11(%rax)
	mov	%r12, GPR + 8 * 12(%rax)
	mov	%r13, GPR + 8 * 13(%rax)
	mov	%r14, GPR + 8 * 14(%rax)
	mov	%r15, GPR + 8 * 15(%rax)
	mov	result(%rip), %rcx
	mov	%rcx, GPR + 8 * 0(%rax)

	mov	our_stack(%rip), %rsp
	pushf
	pop	FLAGS(%rax)
	cld
	stmxcsr	MXCSR(%rax)
	fnstenv	FPUENV(%rax)
	fninit
	cmpl	$1, LEVEL(%rax)
	jb	1f
	je	2f
	avx512_masks kmovq, swap=1
	low_vectors vmovdqu64, zmm, store=1
	high_vectors vmovdqu64, zmm, store=1
	vzeroupper
	jmp	3f
2:	low_vectors vmovdqu, ymm, store=1
	vzeroupper
	jmp	3f
1:	low_vectors movdqu, xmm, store=1
3:
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.size	call_with, . - call_with

	.local	current, our_stack, fn, result
	.comm	current, 8, 8
	.comm	our_stack, 8, 8
	.comm	fn, 8, 8
	.comm	result, 8, 8

	.section .note.GNU-stack, "", @progbits
