/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The scalar code before and after the vector code of AVX2 and SSE2.
 *
 * STATE points to the state, DATA to the message. For compute_powers, VAR_POWERS(%rsp) holds
 * r^4 ... r^1 in radix 2^44: three rows of four limbs, in each row the limbs of one weight.
 */

#define STATE		%rbx
#define DATA		%r12

/* Temporaries of mul_r, with %rax and %rdx */
#define u0		%r14
#define u1		%r15
#define u2		%r11
#define u3		%rdi

#include "poly1305-radix64.h"

/*
 * Power j of VAR_POWERS = x0 + 2^64 x1 + 2^128 x2, x2 <= 4, in radix 2^44: limbs below 2^44,
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
	five_quarters %r9, %r10
	mov	%r8, %rsi
	mov	%r9, %rcx
	xor	%r13d, %r13d
	store_power 3, %rsi, %rcx, %r13
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	store_power 2, %rsi, %rcx, %r13
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	store_power 1, %rsi, %rcx, %r13
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	store_power 0, %rsi, %rcx, %r13
	zero_regs %r13d, %r14d, %r15d
.endm

/*
 * Convert h from radix 2^26 to radix 2^64:
 * %rax + 2^64 %r13 + 2^128 %r10 = %rax + 2^26 %rcx + 2^52 %rdx + 2^78 %rsi + 2^104 %rdi (mod p),
 * for limbs of up to 64 bits; %r10 <= 4. Clobbers %rcx, %rdx, %rsi, %rdi, %r9, %r11.
 */
.macro	join_h
	mov	%rcx, %r13
	mov	%rdx, %r9
	mov	%rsi, %r10
	mov	%rdi, %r11
	shl	$26, %rcx
	shr	$38, %r13
	shl	$52, %rdx
	shr	$12, %r9
	shl	$14, %rsi
	shr	$50, %r10
	shl	$40, %rdi
	shr	$24, %r11
	add	%rcx, %rax
	adc	%r9, %r13
	add	%rdx, %rax
	adc	$0, %r13
	add	%rsi, %r13
	adc	%r11, %r10
	add	%rdi, %r13
	adc	$0, %r10
	fold	%rax, %r13, %r10, %rcx
.endm

/* join_h, with the result stored as state->h */
.macro	store_h
	join_h
	store_words %rax, %r13, %r10, STATE_H(STATE)
.endm

/*
 * Begin a function: save registers, set up STATE, DATA, %rcx = hibit, and a frame of FRAME bytes,
 * aligned to 64. If the function takes a key instead of a state, STATE points to the key.
 */
.macro	begin_function
	push	%rbp
	mov	%rsp, %rbp
	push_regs %rbx, %r12, %r13, %r14, %r15
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%rdi, STATE
	mov	%rsi, DATA
	mov	%ecx, %ecx
.endm

/* End such a function: zero all caller-saved registers, restore the others, return. */
.macro	end_function
	zero_regs %eax, %ecx, %edx, %esi, %edi, %r8d, %r9d, %r10d, %r11d
	lea	-40(%rbp), %rsp
	pop_regs %r15, %r14, %r13, %r12, %rbx, %rbp
	RET
.endm
