/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Numbers modulo p = 2^130 - 5 in radix 2^26: x0 + 2^26 x1 + ... + 2^104 x4 in five vectors, with
 * a limb in each 64-bit lane. pmuludq multiplies the low halves of the lanes. Unless a comment says
 * otherwise, macros compute each lane independently.
 *
 * A file that includes this must define MASK26 = 2^26 - 1 in all lanes, scratch registers T0 and
 * T1, and SSE2 if vectors have 128 bits and AVX may be missing.
 */

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
