/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avx2.S, which explains them.
 * Whatever a macro does, it does in each 64-bit lane. A macro of a list of
 * operands ends with itself, for the rest of the list.
 */

/* Longest group of the far method, in quads, and its logarithm */
.set	GROUP, 32
.set	GROUP_LOG, 5

/*
 * The stack frame. From POWERS on it holds key material.
 *
 * NEAR: by limb, r^8 r^6 r^7 r^5 r^4 r^2 r^3 r^1: each qword has limb x of a
 * power in its low half and 5 x in its high half.
 *
 * TABLE: by limb, R^1 ... R^32: each qword has limb x of a power in its low
 * half and the same limb of 2^32 times the power in its high half.
 */
.set	ROW, 8 * GROUP
.set	VAR_HIBIT, 0
.set	VAR_GROUPS, 8		/* full groups */
.set	VAR_G, 16		/* quads of a full group */
.set	VAR_G1, 24		/* quads of the first group; 0: near method */
.set	VAR_HEAD, 32		/* blocks for scalar code */
.set	VAR_NBLOCKS, 40
.set	POWERS, 64		/* r^4 ... r^1 as in state->pow */
.set	NEAR, POWERS + 3 * 32
.set	LAST, NEAR + 5 * 64	/* multipliers of the sums */
.set	FIRST, LAST + 10 * 32	/* h + first block, second block */
.set	SUMS, FIRST + 32	/* sums of the last group */
.set	HIBITS, SUMS + 10 * 32	/* of a full group */
.set	TABLE, HIBITS + 5 * 32
.set	FRAME, TABLE + 5 * ROW

#define DATA		%r12

#define A0		%ymm0
#define A1		%ymm1
#define A2		%ymm2
#define A3		%ymm3
#define A4		%ymm4
#define B0		%ymm5
#define B1		%ymm6
#define B2		%ymm7
#define B3		%ymm8
#define B4		%ymm9
#define X0		%ymm10
#define X1		%ymm11
#define M		%ymm12
#define T		%ymm13
#define T2		%ymm14
#define MASK26		%ymm15

/* Copy the three rows of r^4 ... r^1. Clobbers X0. */
.macro	copy_powers from, from_row, to, to_row
	vmovdqu	0 * \from_row + \from, X0
	vmovdqu	X0, 0 * \to_row + \to
	vmovdqu	1 * \from_row + \from, X0
	vmovdqu	X0, 1 * \to_row + \to
	vmovdqu	2 * \from_row + \from, X0
	vmovdqu	X0, 2 * \to_row + \to
.endm

/*
 * Limb i of r^4, r^2, r^3, r^1 from POWERS, the order in which unpacking
 * puts four blocks. One load each, as their stores are too recent for one load.
 */
.macro	load_powers i, x, xx, tt
	vmovq	POWERS + 32 * \i + 0(%rsp), \xx
	vmovhps	POWERS + 32 * \i + 16(%rsp), \xx, \xx
	vmovq	POWERS + 32 * \i + 8(%rsp), \tt
	vmovhps	POWERS + 32 * \i + 24(%rsp), \tt, \tt
	vinserti128 $1, \tt, \x, \x
.endm

/*
 * From radix 2^44 to 2^26: p0 + 2^44 p1 + 2^88 p2 = sum of 2^26i x_i, in each
 * lane. Limbs below 2^45, 2^45, 2^43 give x0 < 2^26 + 2^4, x1 < 2^26 + 2^19,
 * x2 < 2^26, x3 < 2^26 + 2^11, x4 < 2^26.
 */
.macro	split_power x0, x1, x2, x3, x4, p0, p1, p2, t
	vpand	MASK26, \p0, \x0
	vpsrlq	$26, \p0, \x1
	vpsllq	$18, \p1, \t
	vpand	MASK26, \t, \t
	vpaddq	\t, \x1, \x1
	vpsrlq	$8, \p1, \x2
	vpand	MASK26, \x2, \x2
	vpsrlq	$34, \p1, \x3
	vpsllq	$10, \p2, \t
	vpand	MASK26, \t, \t
	vpaddq	\t, \x3, \x3
	vpsrlq	$16, \p2, \x4
	/* x4 may have a 27th bit, of weight 2^130 = 5. */
	vpsrlq	$26, \x4, \t
	vpand	MASK26, \x4, \x4
	vpaddq	\t, \x0, \x0
	vpsllq	$2, \t, \t
	vpaddq	\t, \x0, \x0
.endm

/*
 * Sums c_i of any size below 2^64 - 2^41 become limbs: c1 < 2^26 + 2^15,
 * c4 < 2^26 + 2^13, the others below 2^26. Two chains of carries run side by
 * side: 0 1 2 3 4 and 3 4 0 1, with 2^130 = 5.
 */
.macro	carry c0, c1, c2, c3, c4, t=T, t2=T2
	carry_step \c0, \c1, \t
	carry_step \c3, \c4, \t2
	carry_step \c1, \c2, \t
	carry_step \c4, \c0, \t2
	vpsllq	$2, \t2, \t2
	vpaddq	\t2, \c0, \c0
	carry_step \c2, \c3, \t
	carry_step \c0, \c1, \t2
	carry_step \c3, \c4, \t
.endm

/* What from has above 26 bits moves to the next limb. */
.macro	carry_step from, to, t
	vpsrlq	$26, \from, \t
	vpand	MASK26, \from, \from
	vpaddq	\t, \to, \to
.endm

/* x *= 5 */
.macro	times5 x, t=T
	vpsllq	$2, \x, \t
	vpaddq	\t, \x, \x
.endm

/* c += m x for any number of pairs c, x */
.macro	mac	m, t, c, x, more:vararg
	vpmuludq \x, \m, \t
	vpaddq	\t, \c, \c
.ifnb \more
	mac	\m, \t, \more
.endif
.endm

/* The near method: groups of two quads, blocks split into limbs */

/*
 * B = the limbs of the quad at \p, one block in each lane, in the order of
 * load_powers; X1 has 2^24 hibit in each lane. All below 2^26.
 */
.macro	split_quad p
	vmovdqu	\p, B0
	vmovdqu	32 + \p, B1
	vpunpckhqdq B1, B0, B4
	vpunpcklqdq B1, B0, B0
	vpsllq	$12, B4, B3
	vpsrlq	$52, B0, B2
	vpsrlq	$26, B0, B1
	vpor	B3, B2, B2
	vpsrlq	$14, B4, B3
	vpsrlq	$40, B4, B4
	vpand	MASK26, B0, B0
	vpand	MASK26, B1, B1
	vpand	MASK26, B2, B2
	vpand	MASK26, B3, B3
	vpor	X1, B4, B4
.endm

/*
 * A = B y (mod p), or A += B y with first=0, in each lane. y is a vector of
 * powers or one power for all lanes, according to \load and \load5, which load
 * a limb of it and 5 times that. 5 y_j takes the place of y_j where 2^26(i+j)
 * comes round. B < 2^27.1, y < 2^26.1: adds less than 2^57.8 to each A_i.
 */
.macro	mul_near y, load, load5, first=1
	\load	"NEAR + 0 * 64 + \y(%rsp)", M
.if \first
	vpmuludq B0, M, A0
	vpmuludq B1, M, A1
	vpmuludq B2, M, A2
	vpmuludq B3, M, A3
	vpmuludq B4, M, A4
.else
	mac	M, T, A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
.endif
	\load	"NEAR + 1 * 64 + \y(%rsp)", M
	mac	M, T, A1, B0, A2, B1, A3, B2, A4, B3
	\load5	"NEAR + 1 * 64 + \y(%rsp)", M
	mac	M, T, A0, B4
	\load	"NEAR + 2 * 64 + \y(%rsp)", M
	mac	M, T, A2, B0, A3, B1, A4, B2
	\load5	"NEAR + 2 * 64 + \y(%rsp)", M
	mac	M, T, A0, B3, A1, B4
	\load	"NEAR + 3 * 64 + \y(%rsp)", M
	mac	M, T, A3, B0, A4, B1
	\load5	"NEAR + 3 * 64 + \y(%rsp)", M
	mac	M, T, A0, B2, A1, B3, A2, B4
	\load	"NEAR + 4 * 64 + \y(%rsp)", M
	mac	M, T, A4, B0
	\load5	"NEAR + 4 * 64 + \y(%rsp)", M
	mac	M, T, A0, B1, A1, B2, A2, B3, A3, B4
.endm

/* For \load and \load5: one power for all lanes, or one for each */
.macro	bcast	x, m
	vpbroadcastd \x, \m
.endm

.macro	bcast5	x, m
	vpbroadcastd 4 + \x, \m
.endm

.macro	lanes	x, m
	vmovdqa	\x, \m
.endm

.macro	lanes5	x, m
	vmovshdup \x, \m
.endm

/* NEAR at \to = x and 5 x, limb by limb */
.macro	store_near to, x, more:vararg
	vpslld	$2, \x, T
	vpaddd	\x, T, T
	vpsllq	$32, T, T
	vpor	\x, T, T
	vmovdqa	T, NEAR + \to(%rsp)
.ifnb \more
	store_near "\to + 64", \more
.endif
.endm

/* B += A */
.macro	add_sums
	vpaddq	A0, B0, B0
	vpaddq	A1, B1, B1
	vpaddq	A2, B2, B2
	vpaddq	A3, B3, B3
	vpaddq	A4, B4, B4
.endm

/* The far method: groups of up to 32 quads, blocks multiplied as they lie */

/*
 * Write powers x and their multiples z = 2^32 x into the table, at \to:
 *
 *	2^32 x_i = 2^26 (2^6 x_i mod 2^26) + 2^52 (x_i / 2^20),
 *
 * so z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20, times 5 where the index
 * comes round. z0 < 5 * 2^26.1 is carried into z1 < 2^26 + 2^9.
 */
.macro	store_table to, x0, x1, x2, x3, x4, z0, z1, z2, z3, z4
	vpsrlq	$20, \x4, \z1
	vpsrlq	$20, \x3, \z0
	vpsrlq	$20, \x0, \z2
	vpsrlq	$20, \x1, \z3
	vpsrlq	$20, \x2, \z4
	times5	\z1
	add_shifted 6, \x4, \z0, \x0, \z1, \x1, \z2, \x2, \z3, \x3, \z4
	times5	\z0
	carry_step \z0, \z1, T
	store_pairs \to, \x0, \z0, \x1, \z1, \x2, \z2, \x3, \z3, \x4, \z4
.endm

/* y += 2^n x mod 2^26 for any number of pairs x, y */
.macro	add_shifted n, x, y, more:vararg
	vpsllq	$\n, \x, T
	vpand	MASK26, T, T
	vpaddq	T, \y, \y
.ifnb \more
	add_shifted \n, \more
.endif
.endm

/* Join x and z as dwords of one qword, and store them a row apart. */
.macro	store_pairs to, x, z, more:vararg
	vpsllq	$32, \z, \z
	vpor	\x, \z, \z
	vmovdqa	\z, \to
.ifnb \more
	store_pairs "ROW + \to", \more
.endif
.endm

/*
 * c += m 2^26i x (mod p): m is limb i of a factor, the five limbs of x stand in
 * memory, \step apart. The sums come rotated, the one for x_0 first; those from
 * the \wrap-th on are where the index comes round and m becomes 5 m.
 */
.macro	mul_limb m, t, x, step, wrap, c, more:vararg
.if \wrap == 0
	times5	\m, \t
.endif
	mac	\m, \t, \c, "\x"
.ifnb \more
	mul_limb \m, \t, "\step + \x", \step, "\wrap - 1", \more
.endif
.endm

/*
 * c += x y (mod p) in each lane: x in memory, y one power of the table at \y.
 * Limbs of at most 2^26 + 2^19: adds less than 2^56.8 to each c_i.
 */
.macro	mul_power c0, c1, c2, c3, c4, x, y, step=32
	vpbroadcastd 0 * ROW + \y, M
	mul_limb M, T, \x, \step, 5, \c0, \c1, \c2, \c3, \c4
	vpbroadcastd 1 * ROW + \y, M
	mul_limb M, T, \x, \step, 4, \c1, \c2, \c3, \c4, \c0
	vpbroadcastd 2 * ROW + \y, M
	mul_limb M, T, \x, \step, 3, \c2, \c3, \c4, \c0, \c1
	vpbroadcastd 3 * ROW + \y, M
	mul_limb M, T, \x, \step, 2, \c3, \c4, \c0, \c1, \c2
	vpbroadcastd 4 * ROW + \y, M
	mul_limb M, T, \x, \step, 1, \c4, \c0, \c1, \c2, \c3
.endm

/*
 * Add s x (mod p) to %ymm10 ... %ymm14, with x from LAST. s becomes 5 s.
 * s < 2^26.1 and x < 5 * 2^26.1: adds less than 2^59.3 to each.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, %ymm15, \x, 32, 5, %ymm10, %ymm11, %ymm12, %ymm13, %ymm14
	mul_limb \s1, %ymm15, \x, 32, 4, %ymm11, %ymm12, %ymm13, %ymm14, %ymm10
	mul_limb \s2, %ymm15, \x, 32, 3, %ymm12, %ymm13, %ymm14, %ymm10, %ymm11
	mul_limb \s3, %ymm15, \x, 32, 2, %ymm13, %ymm14, %ymm10, %ymm11, %ymm12
	mul_limb \s4, %ymm15, \x, 32, 1, %ymm14, %ymm10, %ymm11, %ymm12, %ymm13
.endm

/*
 * One limb of what mul_last wants, for the two vectors of a quad: r^4,
 * 2^64 r^4, r^3, 2^64 r^3, and the same of r^2 and r. x is r^4, r^2, r^3, r.
 *
 * y = 2^64 x: 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so
 * y_i = (2^12 x_(i-2) mod 2^26) + x_(i-3) / 2^14, times 5 where an index comes
 * round: that of \lo and \hi or of \hi alone. No carry is needed.
 */
.macro	store_last i, x, lo, hi, times5_hi=0, times5_both=0
	vpsrlq	$14, \hi, X0
.if \times5_hi
	times5	X0
.endif
	add_shifted 12, \lo, X0
.if \times5_both
	times5	X0
.endif
	vpunpcklqdq X0, \x, T
	vpunpckhqdq X0, \x, T2
	vmovdqa	T, LAST + 32 * \i(%rsp)
	vmovdqa	T2, LAST + 160 + 32 * \i(%rsp)
.endm

/* A and B += R^k times one dword of each lane of X0 and X1, limb by limb */
.macro	mul_dwords y, a, b, more:vararg
	vpbroadcastd \y, M
	vpmuludq X0, M, T
	vpmuludq X1, M, M
	vpaddq	T, \a, \a
	vpaddq	M, \b, \b
.ifnb \more
	mul_dwords "ROW + \y", \more
.endif
.endm

/*
 * A += R^k times the two blocks at \p, B += R^k times the two at \q, the power
 * standing in the table at \y. Adds two products below 2^32 L to each sum.
 */
.macro	mul_quad p, q, y
	vmovdqu	\p, X0
	vmovdqu	\q, X1
	mul_dwords \y, A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
	vmovshdup \p, X0
	vmovshdup \q, X1
	mul_dwords "4 + \y", A0, B0, A1, B1, A2, B2, A3, B3, A4, B4
.endm

/* The last two blocks of a stream have weight R^0: even + 2^26 (2^6 odd) */
.macro	add_last p, c0, c1
	vmovdqu	\p, X0
	vpsrlq	$32, X0, X1
	vpsllq	$6, X1, T
	vpsllq	$32, X1, X1
	vpxor	X1, X0, X0
	vpaddq	T, \c1, \c1
	vpaddq	X0, \c0, \c0
.endm

/* Low dwords: their sum over the lanes, in each lane */
.macro	sum_lanes x, more:vararg
	vpermq	$0x4e, \x, T
	vpaddd	T, \x, \x
	vpshufd	$0x4e, \x, T
	vpaddd	T, \x, \x
.ifnb \more
	sum_lanes \more
.endif
.endm

/*
 * A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane of each block, the high
 * lanes 0; g in \g.
 *
 * With S the limbs of that sum of powers, below 32 * 2^26.1, 2^128 = 2^104 2^24
 * gives A4 = 2^24 S0 and A_(i-1) = 5 * 2^24 S_i, below 2^57.5.
 * Clobbers %rax, %rcx, M, T.
 */
.macro	sum_hibits g
	/* Rows of four powers; of the last, g - 1 mod 4 count */
	lea	-1(\g), %rax
	mov	%eax, %ecx
	and	$3, %ecx
	neg	%rcx
	lea	.Lfirst_lanes(%rip), %r11
	vmovdqu	32(%r11, %rcx, 8), M
	shr	$2, %rax
	shl	$5, %rax
	vpand	TABLE + 0 * ROW(%rsp, %rax), M, A4
	vpand	TABLE + 1 * ROW(%rsp, %rax), M, A0
	vpand	TABLE + 2 * ROW(%rsp, %rax), M, A1
	vpand	TABLE + 3 * ROW(%rsp, %rax), M, A2
	vpand	TABLE + 4 * ROW(%rsp, %rax), M, A3
	jmp	.Lcheck\@
.Lrow\@:
	vpaddd	TABLE + 0 * ROW(%rsp, %rax), A4, A4
	vpaddd	TABLE + 1 * ROW(%rsp, %rax), A0, A0
	vpaddd	TABLE + 2 * ROW(%rsp, %rax), A1, A1
	vpaddd	TABLE + 3 * ROW(%rsp, %rax), A2, A2
	vpaddd	TABLE + 4 * ROW(%rsp, %rax), A3, A3
.Lcheck\@:
	sub	$32, %rax
	jns	.Lrow\@

	vmovq	VAR_HIBIT(%rsp), %xmm12
	vpsllq	$24, %xmm12, %xmm12
	vinserti128 $1, %xmm12, M, M
	sum_lanes A4, A0, A1, A2, A3
	vpmuludq M, A4, A4
	vpaddq	M, A4, A4		/* R^0 */
	times5	M
	vpmuludq M, A0, A0
	vpmuludq M, A1, A1
	vpmuludq M, A2, A2
	vpmuludq M, A3, A3
.endm

/* Store vectors one behind the other in the frame. */
.macro	store_vectors to, x, more:vararg
	vmovdqa	\x, \to(%rsp)
.ifnb \more
	store_vectors "\to + 32", \more
.endif
.endm

/* Move any number of pairs from, to. */
.macro	copy	from, to, more:vararg
	vmovdqa	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/* Zeroes from POWERS to %r8, both in the frame. Clobbers %rdi. */
.macro	wipe_frame
	vpxor	%xmm0, %xmm0, %xmm0
	lea	POWERS(%rsp), %rdi
.Lwipe\@:
	vmovdqa	%ymm0, (%rdi)
	add	$32, %rdi
	cmp	%r8, %rdi
	jb	.Lwipe\@
.endm
