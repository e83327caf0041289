/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Scalar code that the SIMD block functions begin and end with.
 *
 * STATE points to the state, DATA to the message. VAR_POWERS(%rsp) holds
 * r^4 ... r^1 in radix 2^44: three rows of four limbs, as in state->pow.
 */

#define STATE		%rbx
#define DATA		%r12
#define SCALAR_BLOCKS	poly1305_blocks_x86_64

/* r^4 ... r^1 are the second half of each row of state->pow. */
#define STATE_POW_4	(STATE_POW + 32)

/*
 * x = x r, in radix 2^64.
 *
 * As in poly1305_generic.c, q1 = 5 r1 / 4 stands for 2^128 r1, and the product
 * is x0 r0 + x1 q1 + 2^64 (x0 r1 + x1 r0 + x2 q1) + 2^128 x2 r0.
 *
 * In: x2 <= 6; r0 in %r8, r1 in %r9, q1 in %r10. Out: x2 <= 4. Clobbers %rax,
 * %rdx, %rdi, %r11, %r14, %r15.
 */
.macro	mul_by_r x0, x1, x2
	mov	\x0, %rax
	mul	%r8
	mov	%rax, %rdi
	mov	%rdx, %r11
	mov	\x1, %rax
	mul	%r10
	add	%rax, %rdi
	adc	%rdx, %r11
	mov	\x0, %rax
	mul	%r9
	mov	%rax, %r14
	mov	%rdx, %r15
	mov	\x1, %rax
	mul	%r8
	add	%rax, %r14
	adc	%rdx, %r15
	mov	\x2, %rax
	imul	%r10, %rax
	imul	%r8, \x2
	add	%rax, %r14
	adc	$0, %r15
	add	%r11, %r14
	adc	%r15, \x2
	/* 5 (x2 / 4) is x2 / 4 plus x2 with its low two bits cleared. */
	mov	\x2, %rax
	mov	\x2, \x0
	shr	$2, %rax
	and	$-4, \x0
	and	$3, \x2
	add	%rax, \x0
	mov	%r14, \x1
	add	%rdi, \x0
	adc	$0, \x1
	adc	$0, \x2
.endm

/*
 * Store x, x2 <= 4, as power j of VAR_POWERS in radix 2^44: limbs below 2^44,
 * 2^44 and 2^43. Clobbers %rax, %rdx, %r11.
 */
.macro	store_power j, x0, x1, x2
	mov	$(1 << 44) - 1, %r11
	mov	\x0, %rax
	mov	\x0, %rdx
	and	%r11, %rax
	shr	$44, %rdx
	mov	%rax, VAR_POWERS + 8 * \j(%rsp)
	mov	\x1, %rax
	shl	$20, %rax
	or	%rdx, %rax
	and	%r11, %rax
	mov	%rax, VAR_POWERS + 32 + 8 * \j(%rsp)
	mov	\x1, %rax
	mov	\x2, %rdx
	shr	$24, %rax
	shl	$40, %rdx
	add	%rdx, %rax
	mov	%rax, VAR_POWERS + 64 + 8 * \j(%rsp)
.endm

/* VAR_POWERS = r^4 ... r^1. Clobbers all general registers except STATE and DATA. */
.macro	compute_powers
	mov	STATE_R(STATE), %r8
	mov	STATE_R + 8(STATE), %r9
	mov	%r9, %r10
	shr	$2, %r10
	add	%r9, %r10
	mov	%r8, %rsi
	mov	%r9, %rcx
	xor	%r13d, %r13d
	store_power 3, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 2, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 1, %rsi, %rcx, %r13
	mul_by_r %rsi, %rcx, %r13
	store_power 0, %rsi, %rcx, %r13
	/* The function called next pushes these. */
	xor	%r13d, %r13d
	xor	%r14d, %r14d
	xor	%r15d, %r15d
.endm

/*
 * Fold h = %rax + 2^64 \mid + 2^128 %r10 by 2^130 = 5 (mod p), %r10 below 2^63. Then
 * %r10 <= 4. Clobbers %rcx, %rdx.
 */
.macro	fold_h	mid
	mov	%r10, %rcx
	mov	%r10, %rdx
	shr	$2, %rcx
	and	$-4, %rdx
	and	$3, %r10d
	add	%rdx, %rcx
	add	%rcx, %rax
	adc	$0, \mid
	adc	$0, %r10
.endm

/*
 * h = %rax + 2^64 \mid + 2^128 %r10 = %rax + 2^26 %rcx + 2^52 %rdx + 2^78 %rsi
 * + 2^104 %rdi (mod p), each of 64 bits; %r10 <= 4. Clobbers %rcx, %rdx, %rsi,
 * %rdi, %r9, %r11.
 */
.macro	join_h mid=%r13
	mov	%rcx, \mid
	mov	%rdx, %r9
	mov	%rsi, %r10
	mov	%rdi, %r11
	shl	$26, %rcx
	shr	$38, \mid
	shl	$52, %rdx
	shr	$12, %r9
	shl	$14, %rsi
	shr	$50, %r10
	shl	$40, %rdi
	shr	$24, %r11
	add	%rcx, %rax
	adc	%r9, \mid
	add	%rdx, %rax
	adc	$0, \mid
	add	%rsi, \mid
	adc	%r11, %r10
	add	%rdi, \mid
	adc	$0, %r10
	fold_h	\mid
.endm

/* The same, stored as state->h */
.macro	store_h mid=%r13
	join_h	\mid
	mov	%rax, STATE_H(STATE)
	mov	\mid, STATE_H + 8(STATE)
	mov	%r10, STATE_H + 16(STATE)
.endm

/*
 * %rax + 2^64 %rcx + 2^128 %r9 = h of the state, %r9 <= 4. A head that went through
 * scalar code may have left h unfolded. Clobbers %r11.
 */
.macro	load_h
	mov	STATE_H(STATE), %rax
	mov	STATE_H + 8(STATE), %rcx
	mov	STATE_H + 16(STATE), %r9
	mov	%r9, %r11
	and	$3, %r9d
	shr	$2, %r11
	lea	(%r11, %r11, 4), %r11
	add	%r11, %rax
	adc	$0, %rcx
	adc	$0, %r9
.endm

/*
 * Begin and end a function. Sets up STATE, DATA, %rcx = hibit and a frame of FRAME
 * bytes, aligned to 64; the end also zeroes all caller-saved registers. Where a function
 * takes a key in place of a state, STATE points to that.
 */
.macro	begin_blocks
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
.endm

.macro	end_blocks
	zero_caller_saved
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
.endm

/* The same for a function that clobbers no register of its caller but STATE and DATA */
.macro	begin_small
	push	%rbp
	mov	%rsp, %rbp
	push	STATE
	push	DATA
.endm

.macro	end_small
	zero_caller_saved
	lea	-16(%rbp), %rsp
	pop	DATA
	pop	STATE
	pop	%rbp
	RET
.endm

.macro	zero_caller_saved
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%esi, %esi
	xor	%edi, %edi
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
.endm
