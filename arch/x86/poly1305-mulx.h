/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers and arithmetic of poly1305-mulx.S and of packets: one block at a time with mulx, in
 * radix 2^64.
 *
 * mulx keeps its operands and writes its product to any two registers. So a block takes fewer
 * instructions than with mul, and fewer registers must be saved.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"

/* h, with or without a block added */
#define x0	%r8
#define x1	%r9
#define x2	%r10
/* r and multiples of it */
#define r0	%r11
#define r1	%r14
#define q1	%rbp	/* 5 r1 / 4 */
#define s0	%rax	/* 5 r0 */
/* Temporaries, with %rdx */
#define u0	%r12
#define u1	%r13
#define u2	%rbx
#define u3	%rdi

#define src	%rsi

#include "poly1305-radix64.h"

/* q1 = 5 r1 / 4 and s0 = 5 r0. Clobbers flags. */
.macro	multiples
	five_quarters r1, q1
	lea	(r0, r0, 4), s0
.endm

/*
 * The first half of x = x r, the products of mul_r without x2, plus the block at \block if it is
 * given, with bit 128 in \hibit. Clobbers %rdx, u0, and t, which may be \hibit.
 *
 * Out: words 0 and 1 of the sum in x0 and x1; u2 < 2.25 2^60 + 1, yet to be added to word 1;
 * u1 < 2 2^60 + 3, of weight 2^128; for r0, r1 < 2^60 and q1 < 1.25 2^60.
 */
.macro	mulx_low block, hibit, t=u3
	mov	x0, %rdx
	mulx	r0, x0, u2
	mulx	r1, u0, u1
.ifnb \block
	add	\block, x0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	mov	x1, %rdx
	mulx	q1, x1, \t
	add	x1, x0
	adc	\t, u2
	mulx	r0, x1, \t
	add	u0, x1
	adc	\t, u1
.endm

/*
 * The second half of x = x r, after mulx_low: the products of x2. u2 is yet to be added to word 1.
 * Clobbers %rdx, u0, t.
 *
 * Long messages never fold x2. With x2 = 4 a + b, 2^130 a = 5 a, so
 *
 *	2^128 x2 r0 = a s0 + 2^128 b r0
 *
 * and only a shift, a product and three additions lead from one x2 to the next. If x2 < 2^63.1,
 * then a s0 < 2^123.5 and u2 < (2.25 + .7) 2^60 + 3. The new x2, the sum of u1, b r0 and the high
 * half of x2 q1, is below (2 + 3 + .7) 2^60 + 6 < 2^62.6.
 */
.macro	mulx_high t=u3
	mov	x2, %rdx
	shr	$2, %rdx
	mulx	s0, u0, \t
	add	u0, x0
	adc	\t, u2
	mov	x2, %rdx
	and	$3, x2
	imul	r0, x2
	mulx	q1, u0, \t
	add	u1, x2
	add	u0, x1
	adc	\t, x2
.endm

/* x = x r, plus the block at \block if it is given; x2 < 2^63.1. Clobbers %rdx, u0, u1, u2, t. */
.macro	mulx_r	block, hibit, t=u3
	mulx_low \block, \hibit, \t
	mulx_high \t
	add	u2, x1
	adc	$0, x2
.endm

.macro	save_registers
	push_regs %rbx, %rbp, %r12, %r13, %r14
.endm

.macro	restore_registers
	pop_regs %r14, %r13, %r12, %rbp, %rbx
.endm

/* Zero the caller-saved registers that have held key material. Clobbers flags. */
.macro	clear_registers
	zero_regs %eax, %edx, %r8d, %r9d, %r10d, %r11d
.endm
