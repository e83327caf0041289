/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Numbers modulo p = 2^130 - 5 in radix 2^26: x0 + 2^26 x1 + ... + 2^104 x4 in five vectors, with
 * a limb in each 64-bit lane. pmuludq multiplies the low halves of the lanes. Unless a comment says
 * otherwise, macros compute each lane independently.
 *
 * A file that includes this must define MASK26 = 2^26 - 1 in all lanes, scratch registers T0 and
 * T1, and SSE2 if vectors have 128 bits and AVX may be missing. Functions have a frame of FRAME
 * bytes; STATE points to the state, DATA to the message.
 */

#define STATE		%rbx
#define DATA		%r12

/* Temporaries of mul_r, with %rax and %rdx */
#define u0		%r14
#define u1		%r15
#define u2		%r11
#define u3		%rdi

#include "poly1305-radix64.h"

/* to = y op x, also where instructions have only two operands */
#ifdef SSE2
.macro	vop	op, x, y, to
.ifnc \y,\to
	movdqa	\y, \to
.endif
	\op	\x, \to
.endm
#else
.macro	vop	op, x, y, to
	v\op	\x, \y, \to
.endm
#endif

/* to = 5 x */
.macro	five_times x, to
	vop	psllq, $2, \x, \to
	vop	paddq, \x, \to, \to
.endm

/* Carry from x to the next limb: sum = to + x / 2^26, and low = x mod 2^26. Clobbers t. */
.macro	carry_step x, to, t, low, sum
	vop	psrlq, $26, \x, \t
	vop	pand, MASK26, \x, \low
	vop	paddq, \t, \to, \sum
.endm

/*
 * s = c (mod p), for columns c below 2^64 - 2^41: s1 < 2^26 + 2^15, s4 < 2^26 + 2^12, the other
 * limbs below 2^26. Two chains of carries run in parallel, 0 1 2 3 4 and 3 4 0 1; the carry from 4
 * to 0 is multiplied by 2^130 = 5. s may be c. Clobbers c, T0, T1.
 */
.macro	carry	c0, c1, c2, c3, c4, s0, s1, s2, s3, s4
	carry_step \c0, \c1, T0, \c0, \c1
	carry_step \c3, \c4, T1, \c3, \c4
	carry_step \c1, \c2, T0, \c1, \c2
	carry_step \c4, \c0, T1, \c4, \c0
	vop	psllq, $2, T1, T1
	vop	paddq, T1, \c0, \c0
	carry_step \c2, \c3, T0, \s2, \c3
	carry_step \c0, \c1, T1, \s0, \s1
	carry_step \c3, \c4, T0, \s3, \s4
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
