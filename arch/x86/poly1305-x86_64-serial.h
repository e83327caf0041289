/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The arithmetic of one block at a time, in radix 2^64: macros and registers of
 * poly1305-x86_64.S and poly1305-batch-x86_64.S.
 */

#include "poly1305-x86_64-ends.h"

/* One chain: h + m; r; 5 r1 / 4 */
#define x0	%r8
#define x1	%r9
#define x2	%r10
#define r0	%r11
#define r1	%r12
#define q1	%r13
/* A second chain, where r and 5 r1 / 4 are in memory */
#define y0	%r11
#define y1	%r12
#define y2	%r13
/* Temporaries of mul_r, with %rax and %rdx */
#define u0	%r14
#define u1	%r15
#define v	%rbx
#define w	%rbp

#define src	%rsi

/*
 * a = a r, plus the block at \block if it is given.
 *
 * 2^128 r1 = 2^130 (r1 / 4) = 5 r1 / 4 (mod p), an integer as r1 is a multiple
 * of 4. With q1 = 5 r1 / 4 the product is
 *
 *	      x0 r0 + x1 q1
 *	+ 2^64  (x0 r1 + x1 r0 + x2 q1)
 *	+ 2^128 (x2 r0)
 *
 * r0, r1 < 2^60, q1 < 2^60.4 and x2 <= 6. w holds the third line and the
 * carries of the second line's products; w < 2^63.4. Its multiple of 4 is
 * folded by 2^130 = 5. The rest becomes x2, together with all carries out of
 * word 1 (u0). The additions to word 1 are below 3 * 2^64 with a block, so
 * x2 <= 3 + 1 + 2, and below 2 * 2^64 without one, so x2 <= 4.
 *
 * The high halves come first because w has the longest way to go. In this order
 * Zen 4 takes 11.6 cycles a block; most other orders take 12 to 14.
 */
.macro	mul_r	a0, a1, a2, b0, b1, b5, block, hibit
	mov	\b1, %rax
	mul	\a0
	mov	%rax, u0
	mov	%rdx, u1
	mov	\b0, %rax
	mul	\a1
	add	%rax, u0
	adc	%rdx, u1
	mov	\a2, w
	imul	\b0, w
	add	u1, w				/* everything at 2^128 */
	mov	w, u1
	and	$3, u1
	shr	$2, w
	lea	(w, w, 4), w			/* folded multiple of 4 */

	mov	\b0, %rax
	mul	\a0
	mov	%rax, \a0
	mov	%rdx, v
	mov	\b5, %rax
	mul	\a1
	add	%rax, \a0
	adc	%rdx, v
.ifnb \block
	add	\block, \a0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	add	v, u0
	adc	$0, u1
	imul	\b5, \a2
	add	w, \a0
	adc	\a2, u0
	adc	$0, u1
	mov	u0, \a1
	mov	u1, \a2
.endm

/* Zero the caller-saved registers that have held key material. */
.macro	clear_registers
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%esi, %esi
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
.endm

.macro	push_all
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
.endm

.macro	pop_all
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
.endm
