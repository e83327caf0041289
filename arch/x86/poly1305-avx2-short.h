/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avx2-short.S, which explains
 * them. Every macro works on each 64-bit lane.
 *
 * tests/bounds/poly1305-avx2-short.py recomputes the bounds stated here.
 */

/*
 * The stack frame of all functions. From VAR_R on it holds key material. A number in
 * all lanes takes nine vectors: its limbs, and 5 times limbs 1 ... 4.
 */
.set	VAR_LEN, 0
.set	VAR_TAG, 8
.set	VAR_HIBIT, 16
.set	VAR_DATA, 16			/* DATA, as if VAR_FIRST were there */
.set	VAR_SAVED, 24			/* three registers of the caller */
.set	VAR_R, 64			/* R in all lanes */
.set	VAR_R_2, VAR_R + 9 * 32		/* R^2 in all lanes */
.set	VAR_L, VAR_R_2 + 9 * 32		/* the limbs of r^4, r^2, r^3, r */
.set	VAR_END, VAR_L + 5 * 32		/* of a message in parts, the last 8 blocks */
.set	VAR_FIRST, VAR_END + 8 * 16	/* and the first 4 */
.set	FRAME, VAR_FIRST + 4 * 16

/* The frame, and the vectors of VAR_L, for quads_avx2 and its callers */
#define VARS		%rdi
#define LANES		%rsi

/* S, the sums of the lanes; C, the columns of products */
#define S0		%ymm0
#define S1		%ymm1
#define S2		%ymm2
#define S3		%ymm3
#define S4		%ymm4
#define C0		%ymm10
#define C1		%ymm11
#define C2		%ymm12
#define C3		%ymm13
#define C4		%ymm14
/* Scratch, after T0 ... T3 */
#define T4		%ymm9
#define T5		%ymm15

/* In all lanes */
#define MASK26		mask26(%rip)

/*
 * x = lo + 2^64 hi + 2^104 top in radix 2^26: limbs below 2^26, except
 * x4 < 2^24 + top. lo may be x0, and hi may be x4.
 */
.macro	split_words x0, x1, x2, x3, x4, lo, hi, top, t
	vpsrlq	$52, \lo, \x2
	vpsllq	$12, \hi, \t
	vpsrlq	$26, \lo, \x1
	vpor	\t, \x2, \x2
	vpsrlq	$14, \hi, \x3
	vpsrlq	$40, \hi, \x4
	vpand	MASK26, \lo, \x0
	vpand	MASK26, \x1, \x1
	vpand	MASK26, \x2, \x2
	vpand	MASK26, \x3, \x3
	vpaddq	\top, \x4, \x4
.endm

/* to = 5 x */
.macro	times5	x, to
	vpsllq	$2, \x, \to
	vpaddq	\x, \to, \to
.endm

/*
 * Columns c below 2^64 - 2^41 become limbs s: s1 < 2^26 + 2^15,
 * s4 < 2^26 + 2^12, the others below 2^26. Two chains of carries run side by
 * side: 0 1 2 3 4 and 3 4 0 1, with 2^130 = 5. Clobbers c, T0, T1.
 */
.macro	carry	c0, c1, c2, c3, c4, s0, s1, s2, s3, s4
	carry_step \c0, \c1, \c1, \c0, T0
	carry_step \c3, \c4, \c4, \c3, T1
	carry_step \c1, \c2, \c2, \c1, T0
	carry_step \c4, \c0, \c0, \c4, T1
	vpsllq	$2, T1, T1
	vpaddq	T1, \c0, \c0
	carry_step \c2, \c3, \c3, \s2, T0
	carry_step \c0, \c1, \s1, \s0, T1
	carry_step \c3, \c4, \s4, \s3, T0
.endm

/* low = the low 26 bits of from; sum = to + the other bits of from */
.macro	carry_step from, to, sum, low, t
	vpsrlq	$26, \from, \t
	vpand	MASK26, \from, \low
	vpaddq	\t, \to, \sum
.endm

/*
 * The same before mul_powers, which takes limbs of 32 bits. For columns below 2^58, of which
 * 1 to 3 are below 2^57.7, s0 and s1 are below 2^26, the others below 2^31.8. Clobbers C, T.
 */
.macro	carry_last
	vpsrlq	$26, C4, T4
	vpand	MASK26, C4, S4
	vpaddq	T4, C0, C0
	vpsllq	$2, T4, T4
	vpsrlq	$26, C2, T2
	vpaddq	T4, C0, C0
	vpsrlq	$26, C3, T3
	vpand	MASK26, C2, S2
	vpsrlq	$26, C0, T0
	vpand	MASK26, C3, S3
	vpaddq	T0, C1, C1
	vpaddq	T2, S3, S3
	vpsrlq	$26, C1, T1
	vpand	MASK26, C0, S0
	vpaddq	T3, S4, S4
	vpand	MASK26, C1, S1
	vpaddq	T1, S2, S2
.endm

/* T0 ... T3 = 5 S1 ... 5 S4 */
.macro	times5_s
	times5	S1, T0
	times5	S2, T1
	times5	S3, T2
	times5	S4, T3
.endm

/*
 * Store S, the same in all lanes, as number y of the frame. T0 ... T3 = 5 S1 ... 5 S4.
 */
.macro	store_number y
	times5_s
.irp i, 0, 1, 2, 3, 4
	vmovdqa	%ymm\i, \y+\i*32(VARS)
.endr
.irp i, 5, 6, 7, 8
	vmovdqa	%ymm\i, \y+\i*32(VARS)
.endr
.endm

/*
 * S and T0 ... T3, as store_number leaves them, become a number of state->pow. The last
 * four are \step_5 bytes apart.
 */
.macro	keep_number own, own_5, step_5=32
.irp i, 0, 1, 2, 3, 4
	vmovd	%xmm\i, STATE_POW+\own+\i*32(STATE)
.endr
.irp i, 5, 6, 7, 8
	vmovd	%xmm\i, STATE_POW+\own_5+(\i-4)*\step_5(STATE)
.endr
.endm

/* Number y of the frame from state->pow. Clobbers T0. */
.macro	load_number y, own, own_5
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+\own+\i*32(STATE), T0
	vmovdqa	T0, \y+\i*32(VARS)
.endr
.irp i, 1, 2, 3, 4
	vpbroadcastd STATE_POW+\own_5+\i*32(STATE), T0
	vmovdqa	T0, \y+(4+\i)*32(VARS)
.endr
.endm

/* Where a number has the vector by which limb j of the other factor goes to column i */
#define VECTOR(i, j)	(32 * ((i) - (j) - 9 * ((j) > (i))))

/*
 * C += 2^26j x y, or C = x y for the first limb; y is a number of the frame. With
 * x below 7 * 2^24 this adds less than 2^55.6 to each column. Clobbers T3, T4, T5.
 */
.macro	mul_limb x, j, y, first=0
.if \first
	vpmuludq \y+VECTOR(0, \j)(VARS), \x, C0
	vpmuludq \y+VECTOR(1, \j)(VARS), \x, C1
	vpmuludq \y+VECTOR(2, \j)(VARS), \x, C2
	vpmuludq \y+VECTOR(3, \j)(VARS), \x, C3
	vpmuludq \y+VECTOR(4, \j)(VARS), \x, C4
.else
	vpmuludq \y+VECTOR(0, \j)(VARS), \x, T3
	vpmuludq \y+VECTOR(1, \j)(VARS), \x, T4
	vpmuludq \y+VECTOR(2, \j)(VARS), \x, T5
	vpaddq	T3, C0, C0
	vpmuludq \y+VECTOR(3, \j)(VARS), \x, T3
	vpaddq	T4, C1, C1
	vpmuludq \y+VECTOR(4, \j)(VARS), \x, T4
	vpaddq	T5, C2, C2
	vpaddq	T3, C3, C3
	vpaddq	T4, C4, C4
.endif
.endm

/*
 * C += S y, or C = S y with first=1, for a number y of state->pow. Clobbers T0, T1.
 */
.macro	mul_kept own, own_5, step_5=32, first=0
	vpbroadcastd STATE_POW+\own(STATE), T0
.if \first
.irp i, 0, 1, 2, 3, 4
	vpmuludq %ymm\i, T0, %ymm1\i
.endr
.else
	mac_kept S0, C0, S1, C1, S2, C2, S3, C3, S4, C4
.endif
	vpbroadcastd STATE_POW+\own+32(STATE), T0
	mac_kept S0, C1, S1, C2, S2, C3, S3, C4
	vpbroadcastd STATE_POW+\own+64(STATE), T0
	mac_kept S0, C2, S1, C3, S2, C4
	vpbroadcastd STATE_POW+\own+96(STATE), T0
	mac_kept S0, C3, S1, C4
	vpbroadcastd STATE_POW+\own+128(STATE), T0
	mac_kept S0, C4
	vpbroadcastd STATE_POW+\own_5+\step_5(STATE), T0
	mac_kept S4, C0
	vpbroadcastd STATE_POW+\own_5+2*\step_5(STATE), T0
	mac_kept S3, C0, S4, C1
	vpbroadcastd STATE_POW+\own_5+3*\step_5(STATE), T0
	mac_kept S2, C0, S3, C1, S4, C2
	vpbroadcastd STATE_POW+\own_5+4*\step_5(STATE), T0
	mac_kept S1, C0, S2, C1, S3, C2, S4, C3
.endm

/* For each pair x, c: c += x T0 */
.macro	mac_kept x, c, more:vararg
	vpmuludq \x, T0, T1
	vpaddq	T1, \c, \c
.ifnb \more
	mac_kept \more
.endif
.endm

/*
 * C += the quad in lo, hi, with bit 128 in \hibit. Columns take pieces of any
 * size before a carry: here 26, 38, 52, 0 and 25 bits. Clobbers lo, hi, T4.
 */
.macro	add_quad lo, hi, hibit
	vpand	MASK26, \lo, T4
	vpsrlq	$26, \lo, \lo
	vpaddq	T4, C0, C0
	vpsllq	$24, \hi, T4
	vpaddq	\lo, C1, C1
	vpsrlq	$12, T4, T4
	vpsrlq	$40, \hi, \hi
	vpaddq	T4, C2, C2
	vpor	\hibit, \hi, \hi
	vpaddq	\hi, C4, C4
.endm

/*
 * S = S R + m for the quad m at \p, with bit 128 in \hibit. The limbs that a carry
 * completes last come last. Clobbers C, T.
 */
.macro	one_quad p, hibit
	mul_limb S0, 0, VAR_R, first=1
	mul_limb S2, 2, VAR_R
	mul_limb S3, 3, VAR_R
	mul_limb S1, 1, VAR_R
	mul_limb S4, 4, VAR_R
	load_quad \p, T0, T1, T4
	add_quad T0, T1, \hibit
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endm

/*
 * S = S R^2 + m R + n for the quads m at \p and n behind it, with bit 128 in \hibit
 * and \hibit_n. n may be the \last quad; then S is for mul_powers. Each limb of m is split off
 * when its turn comes. Their order among those of S saves 3% on Zen 3. Clobbers C, T.
 */
.macro	two_quads p, hibit, hibit_n, last=0
	load_quad \p, T0, T1, T2
	vpand	MASK26, T0, T2
	mul_limb T2, 0, VAR_R, first=1
	vpsrlq	$26, T0, T2
	vpand	MASK26, T2, T2
	mul_limb T2, 1, VAR_R
	vpsrlq	$52, T0, T0
	vpsllq	$12, T1, T2
	vpor	T2, T0, T0
	vpand	MASK26, T0, T0
	mul_limb T0, 2, VAR_R
	mul_limb S2, 2, VAR_R_2
	vpsrlq	$14, T1, T2
	vpand	MASK26, T2, T2
	mul_limb T2, 3, VAR_R
	mul_limb S3, 3, VAR_R_2
	vpsrlq	$40, T1, T1
	vpor	\hibit, T1, T1
	mul_limb T1, 4, VAR_R
	mul_limb S0, 0, VAR_R_2
.if \last
	load_last 64+\p
.else
	load_quad 64+\p, T0, T1, T4
.endif
	add_quad T0, T1, \hibit_n
	mul_limb S1, 1, VAR_R_2
	mul_limb S4, 4, VAR_R_2
.if \last
	carry_last
.else
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endif
.endm

/*
 * For %rdx blocks at DATA, with %ecx their hibit: LANES; %rdx, their end; %rcx, their
 * number; at (%r8) their bit 128; bit 2 of %eax is set if an odd number of quads comes
 * after the first.
 */
.macro	point_at_quads
	lea	STATE_POW(STATE), LANES
	xor	$1, %ecx
	shl	$6, %ecx
	lea	hibits(%rip), %r8
	add	%rcx, %r8
	mov	%rdx, %rcx
	lea	-1(%rdx), %eax
	shl	$4, %rdx
	add	DATA, %rdx
.endm

/*
 * C = S R^2 + m R + n, or with \quads=4 S R^3 + l R^2 + m R + n, for the first quad S of a
 * message in pieces, as first_quad has it, and the quads l, m and n behind it, with bit 128
 * in (%r8). What does not wait for h is computed first. With S4 below 7 * 2^24 columns are
 * below 2^58. DATA moves on; %rcx = the blocks behind. Clobbers %rax, %r9, %r10, %r11, S, T.
 */
.macro	first_quads quads
	lea	-1(%rcx), %eax
	and	$3, %eax
	shl	$4, %eax
	lea	64*\quads-112(DATA, %rax), %r9		/* n */
.if \quads == 4
	split_quad -128(%r9)
	mul_kept OWN_R_2, OWN_5R_2, first=1
	split_quad -64(%r9)
	mul_kept OWN_R, OWN_5R
	first_quad (%r8), add_h=1
	mul_kept OWN_R_3, OWN_5R_3, step_5=4
.else
	split_quad -64(%r9)
	mul_kept OWN_R, OWN_5R, first=1
	first_quad (%r8), add_h=1
	mul_kept OWN_R_2, OWN_5R_2
.endif
	load_quad 0(%r9), T0, T1, T4
	add_quad T0, T1, (%r8)
	sub	$4*\quads-4, %rcx
	lea	64(%r9), DATA
.endm

/*
 * C = (S + h) R + m for a piece of two quads S and m at DATA, with bit 128 in (%r8). Clobbers
 * %rax, %r11, S, T.
 */
.macro	only_two_quads
	load_quad 0(DATA), S0, S4, T2
	add_h	S0, S4, (%r8), 24
	split_words S0, S1, S2, S3, S4, S0, S4, T2, T3
	mul_kept OWN_R, OWN_5R, first=1
	load_quad 64(DATA), T0, T1, T4
	add_quad T0, T1, (%r8)
.endm

/* S = the quad at \p, with bit 128 in (%r8). Clobbers T2. */
.macro	split_quad p
	load_quad \p, S0, S4, T2
	split_words S0, S1, S2, S3, S4, S0, S4, (%r8), T2
.endm

/*
 * Store the vectors of r^4, r^2, r^3, r at \to; S = R, the same in all lanes. In: r0 in
 * %r8, r1 in %r9. Limbs of r^k are below 2^26, and the last below 2^26 + 2^24. Clobbers
 * C, T and all general registers but STATE, DATA, %rsp and %rbp.
 */
.macro	make_lanes to
	power_words
	vpsllq	$24, T2, T2
	split_words S0, S1, S2, S3, S4, T0, T1, T2, T3
.irp i, 0, 1, 2, 3, 4
	vmovdqu	%ymm\i, \i*32+\to
	vpbroadcastq %xmm\i, %ymm\i
.endr
.endm

/*
 * The same, and VAR_R and VAR_R_2; S = R^2. With own=1 \to is state->pow, and the numbers go
 * there, too. VARS = %rsp.
 */
.macro	make_powers to, own=0
	make_lanes \to
	mov	%rsp, VARS
	store_number VAR_R
.if \own
	keep_number OWN_R, OWN_5R
.endif
	square
	store_number VAR_R_2
.if \own
	keep_number OWN_R_2, OWN_5R_2
.endif
.endm

/* R^3 for state->pow, which has R and R^2. Clobbers S, C, T. */
.macro	make_cube
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+OWN_R_2+\i*32(STATE), %ymm\i
.endr
	mul_kept OWN_R, OWN_5R, first=1
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
	times5_s
	keep_number OWN_R_3, OWN_5R_3, step_5=4
.endm

/*
 * S = S^2. Equal products are taken once, and doubled. In: T2 = 5 S3, T3 = 5 S4.
 * Clobbers C, T.
 */
.macro	square
	vpaddq	S0, S0, T0
	vpaddq	T3, T3, T1			/* 10 s4 */
	vpmuludq S0, S0, C0
	vpmuludq S1, T0, C1
	vpmuludq S2, T0, C2
	vpmuludq S3, T0, C3
	vpmuludq S4, T0, C4
	vpmuludq S1, T1, T4
	vpmuludq S3, T1, T5
	vpaddq	S1, S1, T0
	vpaddq	S2, S2, T1
	vpaddq	T4, C0, C0
	vpaddq	T5, C2, C2
	vpmuludq S2, T0, T4
	vpmuludq S3, T0, T5
	vpmuludq S1, S1, T0
	vpaddq	T4, C3, C3
	vpaddq	T5, C4, C4
	vpmuludq S3, T2, T4
	vpmuludq S4, T3, T5
	vpaddq	T0, C2, C2
	vpmuludq S2, S2, T0
	vpaddq	T4, C1, C1
	vpaddq	T5, C3, C3
	vpmuludq T1, T2, T4
	vpmuludq T1, T3, T5
	vpaddq	T0, C4, C4
	vpaddq	T4, C0, C0
	vpaddq	T5, C1, C1
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4
.endm

/*
 * S = the first quad of a message, as first_quad_words has it. With add_h
 * S4 < 2^24 + 6 * 2^24. Clobbers %rax, %r10, %r11, T.
 */
.macro	first_quad hibit, add_h=0
	first_quad_words S0, S4, \hibit, 24, \add_h
	split_words S0, S1, S2, S3, S4, S0, S4, T2, T3
.endm

/*
 * C = S times the powers of the lanes. The multiples by 5 are of the powers, as S may have
 * limbs of 32 bits. Clobbers T.
 */
.macro	mul_powers
	times5_power 1, T0
	times5_power 2, T1
	times5_power 3, T2
	times5_power 4, T3
.irp i, 0, 1, 2, 3, 4
	vpmuludq (LANES), %ymm\i, %ymm1\i
.endr
	mac	32(LANES), S0, C1, S1, C2, S2, C3, S3, C4
	mac	T0, S4, C0
	mac	64(LANES), S0, C2, S1, C3, S2, C4
	mac	T1, S3, C0, S4, C1
	mac	96(LANES), S0, C3, S1, C4
	mac	T2, S2, C0, S3, C1, S4, C2
	mac	128(LANES), S0, C4
	mac	T3, S1, C0, S2, C1, S3, C2, S4, C3
.endm

/* to = 5 times limb i of LANES, in the lower halves of the lanes */
.macro	times5_power i, to
	vmovdqu	32*\i(LANES), \to
	vpsllq	$2, \to, \to
	vpaddq	32*\i(LANES), \to, \to
.endm

/* For each pair x, c: c += x y. Clobbers T4. */
.macro	mac	y, x, c, more:vararg
	vpmuludq \y, \x, T4
	vpaddq	T4, \c, \c
.ifnb \more
	mac	\y, \more
.endif
.endm
