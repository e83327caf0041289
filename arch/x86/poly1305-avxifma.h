/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avxifma.S, which explains them. Every
 * macro works on each 64-bit lane.
 *
 * tests/bounds/poly1305-avxifma.py recomputes the bounds stated here.
 */

/* Quads between two reductions, a multiple of 4, and the bytes of a row of the table */
.set	GROUP, 16
.set	ROW, 8 * GROUP

/*
 * The stack frame of all functions. From VAR_R on it holds key material. A number takes
 * five vectors: its limbs, and 20 times limbs 1 and 2.
 */
.set	VAR_LEN, 0
.set	VAR_TAG, 8
.set	VAR_HIBIT, 16
.set	VAR_DATA, 24			/* DATA, as if VAR_FIRST were there */
.set	VAR_R, 64			/* R in all lanes */
.set	VAR_R_2, VAR_R + 5 * 32		/* R^2 in all lanes */
.set	VAR_P, VAR_R_2 + 5 * 32		/* r^4, r^2, r^3, r */
.set	VAR_Q, VAR_P + 5 * 32		/* for groups: a number */
.set	VAR_S, VAR_Q + 5 * 32		/* S in radix 2^52 */
.set	VAR_TOP, VAR_S + 3 * 32		/* bit 128 of the blocks, in limb 2 */
.set	VAR_TABLE, VAR_TOP + 32		/* R^GROUP ... R; a row for each limb */
.set	VAR_END, VAR_TABLE		/* of a message in parts, the last 8 blocks */
.set	VAR_FIRST, VAR_END + 8 * 16	/* and the first 4 */
.set	FRAME, VAR_TABLE + 3 * ROW

/* The frame, for quads_avxifma and its callers */
#define VARS		%rdi
/* The entry of the table for the next quad of a group, and the end of the first row */
#define TABLE		%rsi
#define TABLE_END	%r11

/* S, the sums of the lanes; Y, a number; L and U, sums of low and high halves */
#define S0		%ymm0
#define S1		%ymm1
#define S2		%ymm2
#define Y0		%ymm3
#define Y1		%ymm4
#define Y2		%ymm9
#define L0		%ymm10
#define L1		%ymm11
#define L2		%ymm12
#define U0		%ymm13
#define U1		%ymm14
#define U2		%ymm15

/* In all lanes */
#define MASK44		mask44(%rip)
#define MASK42		mask42(%rip)
#define MASK52		mask52(%rip)
#define MASK26		mask26(%rip)

/*
 * sum += the low, or the high, 52 bits of the product of the low 52 bits of x and y. The
 * instructions of AVX-IFMA have the VEX encoding. That of 256 bits of AVX-512 IFMA, EVEX,
 * does the same, so tests can run this code on CPUs that have it.
 */
#ifdef POLY1305_EVEX
#define ENCODING	{evex}
#else
#define ENCODING	{vex}
#endif
.macro	add_low	y, x, sum
	ENCODING vpmadd52luq \y, \x, \sum
.endm

.macro	add_high y, x, sum
	ENCODING vpmadd52huq \y, \x, \sum
.endm

/*
 * x = lo + 2^64 hi + 2^88 top in radix 2^44: limbs below 2^44, except
 * x2 < 2^40 + top, of which top has no bit below 2^40. Clobbers T3. lo may be
 * x0, and hi x2.
 */
.macro	split_words x0, x1, x2, lo, hi, top
	vpsllq	$40, \hi, \x1
	vpsrlq	$44, \lo, T3
	vpand	MASK44, \lo, \x0
	vpsrlq	$20, \x1, \x1
	vpsrlq	$24, \hi, \x2
	vpor	T3, \x1, \x1
	vpor	\top, \x2, \x2
.endm

/*
 * x = the quad in T0, T2, blocks 1, 2 and 3, 4, with bit 128 in top: limbs below 2^44,
 * 2^44 and 2^41. Bytes 5 to 10 of a block are limb 1 and four bits below it, bytes 11 to
 * 15 are limb 2. Shuffles run where the multiplier does not. Clobbers T0, T2.
 */
.macro	split_quad x0, x1, x2, top
	vpunpcklqdq T2, T0, \x0
	vpshufb	upper_limbs(%rip), T0, T0
	vpshufb	upper_limbs(%rip), T2, T2
	vpand	MASK44, \x0, \x0
	vpunpcklqdq T2, T0, \x1
	vpunpckhqdq T2, T0, \x2
	vpsrlq	$4, \x1, \x1
	vpor	\top, \x2, \x2
.endm

/* x = the quad at \p, with bit 128 in top; it may be the \last quad. Clobbers T0, T2. */
.macro	take_quad x0, x1, x2, p, top, last=0
.if \last
	load_last_blocks \p
.else
	vmovdqu	\p, T0
	vmovdqu	32+\p, T2
.endif
	split_quad \x0, \x1, \x2, \top
.endm

/* low + 2^52 high += x y, factors below 2^52 */
.macro	product	y, x, low, high
	add_low	\y, \x, \low
	add_high \y, \x, \high
.endm

/*
 * L + 2^52 U += x y; y is a number of the frame. Each column takes x2, x1, x0 in this
 * order, as a carry completes x0 last. Bounds: limbs of x and y below 2^45, 2^45 and
 * 2^43, and 20 y1, 20 y2 below 2^49.4; one call adds less than 3 * 2^52 to each limb of
 * L, and less than 2^42 to each of U. Clobbers T1, T3.
 */
.macro	mul44	x0, x1, x2, y
	vmovdqa	\y+128(VARS), T1		/* 20 y2 */
	vmovdqa	\y(VARS), T3			/* y0 */
	product	\y+96(VARS), \x2, L0, U0	/* 20 y1 */
	product	T1, \x1, L0, U0
	product	T1, \x2, L1, U1
	product	T3, \x2, L2, U2
	product	T3, \x1, L1, U1
	product	T3, \x0, L0, U0
	vmovdqa	\y+32(VARS), T1
	product	T1, \x1, L2, U2
	product	T1, \x0, L1, U1
	product	\y+64(VARS), \x0, L2, U2
.endm

.macro	zero	x0, x1, x2
	vpxor	\x0, \x0, \x0
	vpxor	\x1, \x1, \x1
	vpxor	\x2, \x2, \x2
.endm

/*
 * L = L + 2^52 U. 2^52 is 2^8 times the weight of the next limb, and 2^8 * 2^132 =
 * 20 * 2^8 (mod p). Clobbers U.
 *
 * Bounds, after at most two mul44 that began with L below 2^44: U2 < 2^39.2, so the low
 * half of 20 * 2^8 U2 is the whole; L < 2^55.2.
 */
.macro	join44
	vpsllq	$8, U0, U0
	vpsllq	$8, U1, U1
	add_low	by_2_140(%rip), U2, L0
	vpaddq	U0, L1, L1
	vpaddq	U1, L2, L2
.endm

/*
 * s = L + 2^52 U. All limbs carry at once, and only to the next limb, which is enough
 * for the next multiplication: s0 < 2^44 + 2^16, s1 < 2^44 + 2^12, s2 < 2^42 + 2^12.
 * Clobbers L, U.
 */
.macro	carry44	s0, s1, s2
	join44
	vpsrlq	$42, L2, U2
	vpsrlq	$44, L0, U0
	vpsrlq	$44, L1, U1
	vpand	MASK44, L0, \s0
	add_low	by_2_130(%rip), U2, \s0
	vpand	MASK44, L1, L1
	vpand	MASK42, L2, L2
	vpaddq	U0, L1, \s1
	vpaddq	U1, L2, \s2
.endm

/* to = 20 x, below 2^52. Clobbers T3. */
.macro	times20	x, to
	vpsllq	$4, \x, \to
	vpsllq	$2, \x, T3
	vpaddq	T3, \to, \to
.endm

/* Store x as number y of the frame. Clobbers T0, T1, T3. */
.macro	store_number y, x0, x1, x2
	times20	\x1, T0
	times20	\x2, T1
	vmovdqa	\x0, \y(VARS)
	vmovdqa	\x1, \y+32(VARS)
	vmovdqa	\x2, \y+64(VARS)
	vmovdqa	T0, \y+96(VARS)
	vmovdqa	T1, \y+128(VARS)
.endm

/* S = S R + m for the quad m at \p, with bit 128 in \hibit. Clobbers L, U, T. */
.macro	one_quad p, hibit
	take_quad L0, L1, L2, \p, \hibit
	zero	U0, U1, U2
	mul44	S0, S1, S2, VAR_R
	carry44	S0, S1, S2
.endm

/*
 * S = S R^2 + m R + n for the quads m at \p and n behind it, with bit 128 in \hibit
 * and \hibit_n. n may be the \last quad. Clobbers L, U, Y, T.
 */
.macro	two_quads p, hibit, hibit_n, last=0
	take_quad Y0, Y1, Y2, \p, \hibit
	take_quad L0, L1, L2, 64+\p, \hibit_n, \last
	zero	U0, U1, U2
	mul44	Y0, Y1, Y2, VAR_R
	mul44	S0, S1, S2, VAR_R_2
	carry44	S0, S1, S2
.endm

/*
 * VAR_P = r^4, r^2, r^3, r from r0 in %r8, r1 in %r9; VAR_R and VAR_R_2. With state=1
 * the powers go to state->pow, too: r^4 and its like below 2^44, 2^44 and 2^43, and
 * r^8 ... r^5, their products with R, after a carry. VARS = %rsp. Clobbers S, L, U, Y, T
 * and all general registers but STATE, DATA and %rbp.
 */
.macro	make_powers state=0
	power_words
	mov	%rsp, VARS
	vpsllq	$40, T2, T2
	split_words Y0, Y1, Y2, T0, T1, T2
	store_number VAR_P, Y0, Y1, Y2
.if \state
	store_powers 32, Y0, Y1, Y2
.endif
	vpbroadcastq %xmm3, S0
	vpbroadcastq %xmm4, S1
	vpbroadcastq %xmm9, S2
	store_number VAR_R, S0, S1, S2
	zero	L0, L1, L2
	zero	U0, U1, U2
	mul44	Y0, Y1, Y2, VAR_R
	carry44	Y0, Y1, Y2
.if \state
	store_powers 0, Y0, Y1, Y2
.endif
	vpbroadcastq %xmm3, S0
	vpbroadcastq %xmm4, S1
	vpbroadcastq %xmm9, S2
	store_number VAR_R_2, S0, S1, S2
.endm

/* Half a row of state->pow, at \half, has the powers in their order. Clobbers T0. */
.macro	store_powers half, x0, x1, x2
	vpermq	$0xd8, \x0, T0
	vmovdqu	T0, STATE_POW+\half(STATE)
	vpermq	$0xd8, \x1, T0
	vmovdqu	T0, STATE_POW+STATE_POW_ROW+\half(STATE)
	vpermq	$0xd8, \x2, T0
	vmovdqu	T0, STATE_POW+2*STATE_POW_ROW+\half(STATE)
.endm

/* x, and number y of the frame = the powers that store_powers puts at \half. Clobbers T. */
.macro	load_half y, half, x0, x1, x2
	vpermq	$0xd8, STATE_POW+\half(STATE), \x0
	vpermq	$0xd8, STATE_POW+STATE_POW_ROW+\half(STATE), \x1
	vpermq	$0xd8, STATE_POW+2*STATE_POW_ROW+\half(STATE), \x2
	store_number \y, \x0, \x1, \x2
.endm

/* VAR_P, VAR_R and VAR_R_2 from state->pow. Clobbers S, T. */
.macro	load_powers
	load_half VAR_P, 32, S0, S1, S2
	vpbroadcastq %xmm0, S0
	vpbroadcastq %xmm1, S1
	vpbroadcastq %xmm2, S2
	store_number VAR_R, S0, S1, S2
	vpbroadcastq STATE_POW(STATE), S0
	vpbroadcastq STATE_POW+STATE_POW_ROW(STATE), S1
	vpbroadcastq STATE_POW+2*STATE_POW_ROW(STATE), S2
	store_number VAR_R_2, S0, S1, S2
.endm

/*
 * S = the first quad of a message, as first_quad_words has it. With add_h
 * S2 < 2^40 + 6 * 2^40. Clobbers %rax, %r10, %r11, T.
 */
.macro	first_quad hibit, add_h=0
	first_quad_words S0, S2, \hibit, 40, \add_h
	split_words S0, S1, S2, S0, S2, T2
.endm

/*
 * %rax + 2^64 %r13 + 2^128 %r10 = the sum of the lanes of L + 2^52 U, %r10 <= 4.
 * Limbs are below 2^57.2, so h2 is below 2^18 before it is folded. Clobbers %rcx, %rdx,
 * %rsi, %rdi, L, U.
 */
.macro	add_up_lanes44
	join44
	vpunpcklqdq L1, L0, U0
	vpunpckhqdq L1, L0, U1
	vextracti128 $1, L2, %xmm15
	vpaddq	U1, U0, U0
	vpaddq	%xmm12, %xmm15, %xmm12
	vextracti128 $1, U0, %xmm14
	vpunpckhqdq %xmm12, %xmm12, %xmm15
	vpaddq	%xmm14, %xmm13, %xmm13
	vpaddq	%xmm15, %xmm12, %xmm12
	vmovq	%xmm13, %rax
	vpextrq	$1, %xmm13, %rcx
	vmovq	%xmm12, %rdx
	mov	%rcx, %rsi
	mov	%rdx, %r13
	mov	%rdx, %r10
	shl	$44, %rcx
	shr	$20, %rsi
	shl	$24, %r13
	shr	$40, %r10
	add	%rcx, %rax
	adc	%rsi, %r13
	adc	$0, %r10
	fold_h	%r13
.endm

/*
 * Groups, in radix 2^52: limbs of 52, 52 and 26 bits, columns c of weight 2^(52 c). The
 * multiplier ignores what a limb has above 52 bits. Eleven sums for 17 products, so that
 * no product waits for another. X, one quad or S; G, a limb of a power in all lanes.
 */
#define X0		%ymm0
#define X1		%ymm1
#define X2		%ymm2
#define G		%ymm3
#define T		%ymm4
#define C0A		%ymm5
#define C1A		%ymm6
#define C1B		%ymm7
#define C2A		%ymm8
#define C2B		%ymm9
#define C2C		%ymm10
#define C3A		%ymm11
#define C3B		%ymm12
#define C3C		%ymm13
#define C4A		%ymm14
#define C4B		%ymm15

/*
 * X = the quad at \p, which is not the first of the message: bytes 6 to 13 of a block
 * come from a load that begins two bytes before it. X2 < 2^25.
 */
.macro	split52	p
	vmovdqu	\p, X0
	vmovdqu	32+\p, T
	vmovdqu	-2+\p, X1
	vpunpckhqdq T, X0, X2
	vpunpcklqdq T, X0, X0
	vpunpckhqdq 30+\p, X1, X1
	vpsrlq	$40, X2, X2
	vpsrlq	$4, X1, X1
	vpor	VAR_TOP(VARS), X2, X2
.endm

/*
 * C += X g, g the power at \at of the table, G0 and G1 < 2^52, G2 <= 2^26. X2 < 2^25, so
 * X2 G2 has no high half; in S, X2 < 2^27, and vpmuludq takes the whole product. Each
 * half adds less than 2^52, and that product up to 2^53.
 */
.macro	mul52	at, s=0
	vpbroadcastq \at, G
	add_low	G, X2, C2B
	add_high G, X2, C3B
	add_low	G, X1, C1A
	add_high G, X1, C2A
	add_low	G, X0, C0A
	add_high G, X0, C1B
	vpbroadcastq ROW+\at, G
	add_low	G, X2, C3A
	add_high G, X2, C4A
	add_low	G, X1, C2C
	add_high G, X1, C3C
	add_low	G, X0, C1A
	add_high G, X0, C2B
	vpbroadcastq 2*ROW+\at, G
.if \s
	vpmuludq G, X2, T
	vpaddq	T, C4B, C4B
.else
	add_low	G, X2, C4B
.endif
	add_low	G, X1, C3B
	add_high G, X1, C4A
	add_low	G, X0, C2A
	add_high G, X0, C3A
.endm

/* C = X, with X2 < 2^25 */
.macro	begin52
	vpand	MASK52, X0, C0A
	vpand	MASK52, X1, C1A
	vmovdqa	X2, C2A
	zero	C1B, C2B, C2C
	zero	C3A, C3B, C3C
	vpxor	C4A, C4A, C4A
	vpxor	C4B, C4B, C4B
.endm

/*
 * VAR_S = C in radix 2^52, S2 <= 2^26; what S0 and S1 have above 52 bits has been
 * carried. Clobbers X, C.
 *
 * Bounds: columns 0 to 4 are below 2^56.1, 2^57.7, 2^58.4, 2^57.6 and 2^55.7. The upper
 * two are folded as
 *
 *	2^156 c3 + 2^208 c4 = 5 * 2^26 (c3 + 2^52 c4)	(mod p)
 *
 * in pieces of 52 bits, c4 in two. Then c1 and c2 carry; what c2 has above 26 bits wraps
 * around times 5, and c0 and c1 carry once more. The last carry is 0 or 1.
 */
.macro	fold52
	vpaddq	C3B, C3A, C3A
	vpaddq	C4B, C4A, C4A
	vpaddq	C3C, C3A, C3A
	vpaddq	C1B, C1A, C1A
	vpaddq	C2B, C2A, C2A
	vpsrlq	$52, C3A, X0
	vpaddq	C2C, C2A, C2A
	add_low	by_2_156(%rip), C3A, C0A
	vpaddq	X0, C4A, C4A
	add_high by_2_156(%rip), C3A, C1A
	vpsrlq	$52, C4A, X1
	add_low	by_2_156(%rip), C4A, C1A
	add_high by_2_156(%rip), C4A, C2A
	add_low	by_2_156(%rip), X1, C2A
	vpsrlq	$52, C1A, X0
	vpand	MASK52, C1A, C1A
	vpaddq	X0, C2A, C2A
	vpsrlq	$26, C2A, X1
	vpand	MASK26, C2A, C2A
	add_low	by_2_130(%rip), X1, C0A
	vpsrlq	$52, C0A, X0
	vmovdqa	C0A, VAR_S(VARS)
	vpaddq	X0, C1A, C1A
	vpsrlq	$52, C1A, X1
	vmovdqa	C1A, VAR_S+32(VARS)
	vpaddq	X1, C2A, C2A
	vmovdqa	C2A, VAR_S+64(VARS)
.endm

/*
 * x from radix 2^44, limbs as carry44 leaves them or less, x2 < 2^43, to radix 2^52: x2
 * <= 2^26 after carry44, else below 2^27; x0 and x1 have junk above 52 bits. Clobbers T0.
 */
.macro	pack52	x0, x1, x2
	vpsrlq	$44, \x0, T0
	vpand	MASK44, \x0, \x0
	vpaddq	T0, \x1, \x1
	vpsrlq	$44, \x1, T0
	vpand	MASK44, \x1, \x1
	vpaddq	T0, \x2, \x2
	vpsllq	$44, \x1, T0
	vpsrlq	$8, \x1, \x1
	vpor	T0, \x0, \x0
	vpsllq	$36, \x2, T0
	vpsrlq	$16, \x2, \x2
	vpor	T0, \x1, \x1
.endm

/* S = VAR_S in radix 2^44: below 2^44, 2^44 and 2^43. Clobbers T0, T1. */
.macro	unpack52
	vmovdqa	VAR_S(VARS), T0
	vmovdqa	VAR_S+32(VARS), T1
	vmovdqa	VAR_S+64(VARS), S2
	vpand	MASK44, T0, S0
	vpsllq	$12, T0, T0
	vpsrlq	$56, T0, T0
	vpsllq	$8, T1, S1
	vpor	T0, S1, S1
	vpand	MASK44, S1, S1
	vpsllq	$12, T1, T1
	vpsrlq	$48, T1, T1
	vpsllq	$16, S2, S2
	vpor	T1, S2, S2
.endm

/*
 * Store a copy of Y = R^k, R^(k-2), R^(k-1), R^(k-3) in the table, in radix 2^52.
 * Clobbers T.
 */
.macro	store_row k
	vpermq	$0xd8, Y0, T1
	vpermq	$0xd8, Y1, T2
	vpermq	$0xd8, Y2, T3
	pack52	T1, T2, T3
	vmovdqa	T1, VAR_TABLE+8*(GROUP-\k)(VARS)
	vmovdqa	T2, VAR_TABLE+8*(GROUP-\k)+ROW(VARS)
	vmovdqa	T3, VAR_TABLE+8*(GROUP-\k)+2*ROW(VARS)
.endm

/* Y = Y y. Clobbers L, U, T. */
.macro	multiply y
	zero	L0, L1, L2
	zero	U0, U1, U2
	mul44	Y0, Y1, Y2, \y
	carry44	Y0, Y1, Y2
.endm

/* S = S R + m for the next quad m, with bit 128 in (%r8); DATA moves on. */
.macro	next_quad
	one_quad 0(DATA), (%r8)
	add	$64, DATA
.endm
