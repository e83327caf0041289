/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Numbers modulo p = 2^130 - 5 in radix 2^26: x0 + 2^26 x1 + ... + 2^104 x4 in five vectors, with
 * a limb in each 64-bit lane. pmuludq multiplies the low halves of the lanes. Unless a comment says
 * otherwise, macros compute each lane independently.
 *
 * A file that includes this must define MASK26 = 2^26 - 1 in all lanes, scratch registers T0 and
 * T1, and SSE2 if vectors have 128 bits and AVX may be missing.
 */

/* vop: to = y op x, also where instructions have only two operands. vmov: to = from. */
#ifdef SSE2
#define V(n)		%xmm##n
.set	VECTOR_SIZE, 16
.macro	vop	op, x, y, to
.ifnc \y,\to
	movdqa	\y, \to
.endif
	\op	\x, \to
.endm
.macro	vmov	from, to
	movdqa	\from, \to
.endm
#else
#define V(n)		%ymm##n
.set	VECTOR_SIZE, 32
.macro	vop	op, x, y, to
	v\op	\x, \y, \to
.endm
.macro	vmov	from, to
	vmovdqa	\from, \to
.endm
#endif

/* x *= 5. Clobbers t. */
.macro	times5	x, t=T0
	vop	psllq, $2, \x, \t
	vop	paddq, \t, \x, \x
.endm

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

/* y += 2^n x mod 2^26, for one or more pairs x, y. Clobbers T0. */
.macro	add_shifted n, x, y, more:vararg
	vop	psllq, $\n, \x, T0
	vop	pand, MASK26, T0, T0
	vop	paddq, T0, \y, \y
.ifnb \more
	add_shifted \n, \more
.endif
.endm

/* c += m x, for one or more pairs c, x; x is a register or aligned memory. Clobbers t. */
.macro	mul_add	m, t, c, x, more:vararg
	vop	pmuludq, "\x", \m, \t
	vop	paddq, \t, \c, \c
.ifnb \more
	mul_add	\m, \t, \more
.endif
.endm

/*
 * c += 2^26i m x (mod p), where m is limb i of the other factor, and the five limbs of x are in
 * memory, \step bytes apart. The columns are given as ci, ..., c4, c0, ... and \wrap = 5 - i. At
 * column c0 the index wraps around, so m becomes 5 m. Clobbers t.
 */
.macro	mul_limb m, t, x, step, wrap, c, more:vararg
.if \wrap == 0
	times5	\m, \t
.endif
	mul_add	\m, \t, \c, "\x"
.ifnb \more
	mul_limb \m, \t, "\step + \x", \step, "\wrap - 1", \more
.endif
.endm

/* Store one or more vectors in the frame, one after another from \to on. */
.macro	store_vectors to, x, more:vararg
	vmov	\x, \to(%rsp)
.ifnb \more
	store_vectors "\to + VECTOR_SIZE", \more
.endif
.endm

/* to = from, for one or more pairs from, to */
.macro	copy	from, to, more:vararg
	vmov	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/*
 * Convert a power from radix 2^44 to radix 2^26: x = p0 + 2^44 p1 + 2^88 p2, for limbs p below
 * 2^45. x0 < 2^26 + 2^6, x1 < 2^26 + 2^19, x2 < 2^26, x3 < 2^26 + 2^11, x4 < 2^26. x0 may be p0,
 * and x4 may be p2. Clobbers t, T0.
 */
.macro	split_power x0, x1, x2, x3, x4, p0, p1, p2, t
	vop	psrlq, $26, \p0, \x1
	add_shifted 18, \p1, \x1
	vop	psrlq, $8, \p1, \x2
	vop	pand, MASK26, \x2, \x2
	vop	psrlq, $34, \p1, \x3
	add_shifted 10, \p2, \x3
	vop	pand, MASK26, \p0, \x0
	/* Bits of x4 above the low 26 have weight 2^130 = 5. */
	vop	psrlq, $16, \p2, \x4
	vop	psrlq, $26, \x4, \t
	vop	pand, MASK26, \x4, \x4
	times5	\t
	vop	paddq, \t, \x0, \x0
.endm

/*
 * Store limb i of the multipliers for mul_last, of powers x and of y = 2^64 x. The first lanes of
 * each 128 bits of x and y go to vector i of VAR_LAST, the second lanes to vector 5 + i.
 *
 * 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so y_i = (2^12 lo mod 2^26) + hi / 2^14
 * with lo = x_(i-2) and hi = x_(i-3), times 5 if the index wraps around: times5_both if it does
 * for lo and hi, times5_hi if it does only for hi. No carry is needed. Clobbers X0, T0, T1.
 */
.macro	store_last i, x, lo, hi, times5_hi=0, times5_both=0
	vop	psrlq, $14, \hi, X0
.if \times5_hi
	times5	X0
.endif
	add_shifted 12, \lo, X0
.if \times5_both
	times5	X0
.endif
	vop	punpcklqdq, X0, \x, T0
	vop	punpckhqdq, X0, \x, T1
	vmov	T0, VAR_LAST+VECTOR_SIZE*\i(%rsp)
	vmov	T1, VAR_LAST+VECTOR_SIZE*(5+\i)(%rsp)
.endm

/*
 * Vectors 10 ... 14 += s x (mod p), with x in memory as store_last leaves it. With s < 2^26.1 and
 * x < 5 * 2^26.1 this adds less than 2^59 to each. Clobbers s and vector 15.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, V(15), \x, VECTOR_SIZE, 5, V(10), V(11), V(12), V(13), V(14)
	mul_limb \s1, V(15), \x, VECTOR_SIZE, 4, V(11), V(12), V(13), V(14), V(10)
	mul_limb \s2, V(15), \x, VECTOR_SIZE, 3, V(12), V(13), V(14), V(10), V(11)
	mul_limb \s3, V(15), \x, VECTOR_SIZE, 2, V(13), V(14), V(10), V(11), V(12)
	mul_limb \s4, V(15), \x, VECTOR_SIZE, 1, V(14), V(10), V(11), V(12), V(13)
.endm
