/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * One block at a time with mulx, in radix 2^64. Before this file is included, x0, x1, x2, r0,
 * r1, q1 = 5 r1 / 4, s0 = 5 r0 and the temporaries u0, u1, v, w must be defined. r0, r1, q1
 * and s0 may be in memory. All macros clobber temporaries, and all but fold %rdx.
 */

/*
 * x = x r, plus the block at \block if it is given.
 *
 * r1 is a multiple of 4, so 2^128 r1 = 5 r1 / 4 = q1 (mod p) is an integer, and
 * the product is
 *
 *	      x0 r0 + x1 q1
 *	+ 2^64  (x0 r1 + x1 r0 + x2 q1)
 *	+ 2^128 (x2 r0)
 *
 * where r0, r1 < 2^60 and q1 < 1.25 2^60.
 *
 * mulx_low computes the part without x2. Words 0 and 1 are in x0 and x1; v is
 * still to be added to word 1, and u1 stands at 2^128. v < 2.25 2^60 + 1 and
 * u1 < 2 2^60 + 3. Clobbers t, which may be hibit.
 */
.macro	mulx_low block, hibit, t=w
	mov	x0, %rdx
	mulx	r0, x0, v
	mulx	r1, u0, u1
.ifnb \block
	add	\block, x0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	mov	x1, %rdx
	mulx	q1, x1, \t
	add	x1, x0
	adc	\t, v
	mulx	r0, x1, \t
	add	u0, x1
	adc	\t, u1
.endm

/*
 * For long messages: x2 is not folded. With x2 = 4 a + b, 2^130 a = 5 a, so
 *
 *	2^128 x2 r0 = a s0 + 2^128 b r0
 *
 * and from one x2 to the next there are only a shift, a product and three
 * additions. If x2 < 2^63.1, then a s0 < 2^123.5 and v < (2.25 + .7) 2^60 + 3.
 * The new x2, the sum of u1, b r0 and the high half of x2 q1, is below
 * (2 + 3 + .7) 2^60 + 6 < 2^62.6.
 *
 * mulx_high leaves v to be added to word 1.
 */
.macro	mulx_high t=w
	mov	x2, %rdx
	shr	$2, %rdx
	mulx	s0, u0, \t
	add	u0, x0
	adc	\t, v
	mov	x2, %rdx
	and	$3, x2
	imul	r0, x2
	mulx	q1, u0, \t
	add	u1, x2
	add	u0, x1
	adc	\t, x2
.endm

.macro	mulx_r	block, hibit, t=w
	mulx_low \block, \hibit, \t
	mulx_high \t
	add	v, x1
	adc	$0, x2
.endm

/*
 * In place of the last two instructions of mulx_r: fold the excess over 2^130 while v is added
 * to word 1. Then x2 <= 4, and x < 2p.
 */
.macro	fold
	mov	x2, u1
	and	$3, x2
	shr	$2, u1
	lea	(u1, u1, 4), u1
	add	u1, x0
	adc	v, x1
	adc	$0, x2
.endm
