/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 in the general registers of any x86-64 CPU: one block at a time in radix 2^64,
 * h = (h + m) r. If the CPU has BMI2, both functions jump to poly1305-mulx.S.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"

/* h, with or without a block added; r; 5 r1 / 4 */
#define x0	%r8
#define x1	%r9
#define x2	%r10
#define r0	%r11
#define r1	%r12
#define q1	%r13
/* Temporaries of mul_r, with %rax and %rdx */
#define u0	%r14
#define u1	%r15
#define u2	%rbx
#define u3	%rbp

#define src	%rsi

#include "poly1305-radix64.h"

.macro	save_registers_x86_64
	push_regs %rbx, %rbp, %r12, %r13, %r14, %r15
.endm

/* Also zeroes the caller-saved registers that have held key material. Clobbers flags. */
.macro	restore_registers_x86_64
	zero_regs %eax, %ecx, %edx, %esi, %r8d, %r9d, %r10d, %r11d
	pop_regs %r15, %r14, %r13, %r12, %rbp, %rbx
.endm

/* A block function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_blocks_x86_64)
	cmpb	$0, poly1305_has_mulx(%rip)
	jne	poly1305_blocks_mulx
	mov	%ecx, %ecx		/* the upper half of a u32 is undefined */
	test	%rdx, %rdx
	jz	5f
	save_registers_x86_64
	push	%rdi

	load_words STATE_H(%rdi), x0, x1, x2
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), r1
	five_quarters r1, q1
	mov	%rdx, %rdi

	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	dec	%rdi
	jz	3f
2:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), %rcx
	add	$16, src
	dec	%rdi
	jnz	2b
3:	mul_r	x0, x1, x2, r0, r1, q1

	pop	%rdi
	store_words x0, x1, x2, STATE_H(%rdi)
	restore_registers_x86_64
5:	RET
SYM_FUNC_END(poly1305_blocks_x86_64)

/* A digest function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_digest_x86_64)
	cmpb	$0, poly1305_has_mulx(%rip)
	jne	poly1305_digest_mulx
	save_registers_x86_64
	push	%rcx
	mov	%rdx, %rcx

	load_r	%rdi, r0, r1
	five_quarters r1, q1

	xor	%r8d, %r8d			/* x0, x1, x2 */
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	sub	$16, %rcx
	jb	.Ldigest_short

	mov	(src), x0
	mov	8(src), x1
	inc	x2
	sub	$16, %rcx
	jb	2f
1:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	1b
2:	mul_r	x0, x1, x2, r0, r1, q1

	/* x is h. The tail has t bytes at 16(src), %rcx = t - 16. */
	cmp	$-16, %rcx
	je	.Ldigest_tag
.Ldigest_partial:
	add_tail x0, x1, x2, src
4:	mul_r	x0, x1, x2, r0, r1, q1

.Ldigest_tag:
	add_pad	x0, x1, x2, %rdi
	pop	%rcx
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	restore_registers_x86_64
	RET

	/* The message has t < 16 bytes. */
.Ldigest_short:
	sub	$16, src
	cmp	$-8, %rcx
	jge	.Ldigest_partial
	cmp	$-16, %rcx
	je	.Ldigest_tag
	add	$16, %ecx			/* t = 1 ... 7 */
	add	$16, src
	load_short x0, %r8d, src
	jmp	4b
SYM_FUNC_END(poly1305_digest_x86_64)

/* Whether the CPU has BMI2. poly1305_arch_init() sets it. */
.section .data..ro_after_init, "aw"
	.globl	poly1305_has_mulx
	.hidden	poly1305_has_mulx
poly1305_has_mulx:
	.byte	0
