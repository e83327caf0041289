/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame, the registers and the arithmetic of poly1305-batch-avx512.S,
 * which explains them, beside what it shares with poly1305-avx512.S. Whatever a
 * macro does to vectors it does in each lane, which belongs to another message.
 *
 * The bounds stated here are recomputed by tests/bounds/poly1305-batch-avx512.py.
 */

/* Up to how many groups rows are taken one by one */
.set SERIAL,		2

/* struct poly1305_mac_req */
.set REQ_KEY,		0
.set REQ_DATA,		8
.set REQ_LEN,		16
.set REQ_TAG,		24

/*
 * The stack frame. A power y takes five rows: y0, y1, y2, 20 y1, 20 y2. From
 * PADS on it holds key material and the message.
 */
.set IS_SERIAL,		0	/* whether rows are taken one by one */
.set ROW_LANES,		4	/* for each row, the lanes with a bit 128 */
.set LOADS,		64	/* which bytes of its group each message has */
.set SIZES,		128	/* bytes, the last block counted as whole */
.set ENDS,		192	/* data + SIZES */
.set LAST_LOADS,	256	/* LOADS in a last group that is not the first */
.set MARK_LO,		320	/* the 1 bits behind messages, in the last row */
.set MARK_HI,		384
.set PADS,		448	/* s */
.set R4,		PADS + 2 * 64
.set R3,		R4 + 5 * 64
.set R2,		R3 + 5 * 64
.set R1,		R2 + 5 * 64
.set ROWS,		R1 + 5 * 64	/* a group, to take rows from one by one */
.set FRAME,		ROWS + 8 * 64

/* reqs */
.set REQS,		%rdi
/* -64 times the groups that are left */
.set LEFT,		%rdx
/* SIZES of the longest message and of the shortest; minus the latter, later */
.set LONGEST,		%rsi
.set SHORTEST,		%rbx
/* ENDS */
.set END0,		%r8
.set END1,		%r9
.set END2,		%r10
.set END3,		%r11
.set END4,		%r12
.set END5,		%r13
.set END6,		%r14
.set END7,		%r15

/* The low and high words of a group's rows, when no powers are being made */
.set LO0,		%zmm9
.set LO1,		%zmm10
.set LO2,		%zmm11
.set LO3,		%zmm12
.set HI0,		%zmm13
.set HI1,		%zmm14
.set HI2,		%zmm15
.set HI3,		%zmm16
/* A group as it is loaded, a message in each; and a row in limbs */
.set Z0,		%zmm17
.set Z1,		%zmm18
.set Z2,		%zmm19
.set Z3,		%zmm20
.set Z4,		%zmm21
.set Z5,		%zmm22
.set Z6,		%zmm23
.set Z7,		%zmm24
.set B0,		%zmm17
.set B1,		%zmm18
.set B2,		%zmm19
/* Lanes whose last block is whole, if they have one */
#define WHOLE		%k6

/* Lane \i: its length to SIZES, its data to ENDS. Clobbers \t, rax. */
.macro	begin_lane i, t
	mov	8 * \i(REQS), \t
	mov	REQ_LEN(\t), %rax
	mov	REQ_DATA(\t), \t
	mov	%rax, SIZES + 8 * \i(%rsp)
	mov	\t, ENDS + 8 * \i(%rsp)
.endm

/* ... and when these have become what their names say: END, minimum, maximum */
.macro	end_lane i, end
	mov	ENDS + 8 * \i(%rsp), \end
	mov	SIZES + 8 * \i(%rsp), %rax
.if \i == 0
	mov	%rax, LONGEST
	mov	%rax, SHORTEST
.else
	cmp	LONGEST, %rax
	cmova	%rax, LONGEST
	cmp	SHORTEST, %rax
	cmovb	%rax, SHORTEST
.endif
.endm

/*
 * SIZES, ENDS, LAST_LOADS, MARK_LO, MARK_HI and WHOLE from lengths and data. Of
 * a message whose last block has t bytes, the last 16 - t bytes of the last group
 * are missing, and bit 8 t of the last block is its 1 bit, or if t = 16 its bit
 * 128. Clobbers T, L, U.
 *
 * Shifts by 64 and more, and by negative numbers, give 0.
 */
.macro	describe_messages
	vmovdqa64 SIZES(%rsp), T0
	vpaddq	fifteen(%rip){1to8}, T0, T1
	vpsrlq	$4, T1, T1
	vpsllq	$4, T1, T1
	vmovdqa64 T1, SIZES(%rsp)
	vpaddq	ENDS(%rsp), T1, T2
	vmovdqa64 T2, ENDS(%rsp)
	vpsubq	T0, T1, T0			/* 16 - t */
	vpternlogq $0xff, L0, L0, L0
	vpsrlvq	T0, L0, L0
	vmovdqa64 L0, LAST_LOADS(%rsp)
	vptestmq T1, T1, %k1
	vptestnmq T0, T0, WHOLE{%k1}
	vpbroadcastq sixteen(%rip), L1
	vpbroadcastq one(%rip), L2
	vpsubq	T0, L1, L1			/* t */
	vpsllq	$3, L1, L1
	vpsllvq	L1, L2, T0
	vmovdqa64 T0, MARK_LO(%rsp)
	vpsllq	$6, L2, T1
	vpsubq	T1, L1, L1			/* 8 t - 64 */
	vpsllvq	L1, L2, T0
	vmovdqa64 T0, MARK_HI(%rsp)
.endm

/*
 * PADS = s, F = r in radix 2^44: limbs below 2^44, 2^44 and 2^36. A key is half
 * a vector, r0 r1 s0 s1. Clobbers rax, rcx, L, U, T, Z.
 */
.macro	load_keys
	load_two_keys 0, 2, Z0, %ymm17
	load_two_keys 1, 3, Z1, %ymm18
	load_two_keys 4, 6, Z2, %ymm19
	load_two_keys 5, 7, Z3, %ymm20
	vpunpcklqdq Z1, Z0, L0			/* r0, s0 of 0 1, 2 3 */
	vpunpckhqdq Z1, Z0, L1			/* r1, s1 */
	vpunpcklqdq Z3, Z2, U0			/* of 4 5, 6 7 */
	vpunpckhqdq Z3, Z2, U1
	vshufi64x2 $0xdd, U0, L0, T0
	vshufi64x2 $0xdd, U1, L1, T1
	vmovdqa64 T0, PADS(%rsp)
	vmovdqa64 T1, PADS + 64(%rsp)
	vshufi64x2 $0x88, U0, L0, L0
	vshufi64x2 $0x88, U1, L1, L2
	vpandq	clamp_lo(%rip){1to8}, L0, L0
	vpandq	clamp_hi(%rip){1to8}, L2, L2
	vpsllq	$20, L2, T0
	vpsrlq	$44, L0, F1
	vpsrlq	$24, L2, F2
	vpandq	M44, L0, F0
	vpternlogq $0xa8, M44, T0, F1		/* F1 = (F1 | T0) & M44 */
	times20	F
.endm

.macro	load_two_keys i, j, to, to_ymm
	mov	8 * \i(REQS), %rax
	mov	8 * \j(REQS), %rcx
	mov	REQ_KEY(%rax), %rax
	mov	REQ_KEY(%rcx), %rcx
	vmovdqu64 (%rax), \to_ymm
	vinserti64x4 $1, (%rcx), \to, \to
.endm

/* Store F, or \from, as the power at \y; what times20 computes is there. */
.macro	store_power y, from=F
	vmovdqa64 \from\()0, \y(%rsp)
	vmovdqa64 \from\()1, \y + 64(%rsp)
	vmovdqa64 \from\()2, \y + 128(%rsp)
	vmovdqa64 \from\()S1, \y + 192(%rsp)
	vmovdqa64 \from\()S2, \y + 256(%rsp)
.endm

/* E = E r, stored as the power at \y */
.macro	next_power y
	multiply E, F, X
	copy	X, E
	times20	E
	store_power \y, E
.endm

/*
 * LOADS of this group, and in k2 to k5 the lanes of each of its rows that have a
 * bit 128. Clobbers T, k1.
 */
.macro	mask_lanes
	vpbroadcastq LEFT, T0
	vpaddq	SIZES(%rsp), T0, T0		/* bytes before the group's */
	vpxorq	T1, T1, T1
	vpcmpq	$5, T1, T0, %k2			/* for row 0: at least 0 */
	vpbroadcastq sixteen(%rip), T2
	vpaddq	T2, T0, T2
	vpcmpq	$5, T1, T2, %k3
	vpaddq	sixteen(%rip){1to8}, T2, T2
	vpcmpq	$5, T1, T2, %k4
	vpaddq	sixteen(%rip){1to8}, T2, T2
	vpcmpq	$5, T1, T2, %k5
	vpsubq	T0, T1, T0
	vpmaxsq	T1, T0, T0			/* bytes missing in front */
	vpternlogq $0xff, T2, T2, T2
	vpsllvq	T0, T2, T2
	cmp	$-64, LEFT
	jne	.Lmasked\@
	vpandq	LAST_LOADS(%rsp), T2, T2
	kmovb	WHOLE, %k5
.Lmasked\@:
	vmovdqa64 T2, LOADS(%rsp)
.endm

/* Z = the group, a message in each */
.macro	load_lanes masked=0
	load_lane 0, END0, Z0, %k1, \masked
	load_lane 1, END1, Z1, %k7, \masked
	load_lane 2, END2, Z2, %k1, \masked
	load_lane 3, END3, Z3, %k7, \masked
	load_lane 4, END4, Z4, %k1, \masked
	load_lane 5, END5, Z5, %k7, \masked
	load_lane 6, END6, Z6, %k1, \masked
	load_lane 7, END7, Z7, %k7, \masked
.endm

.macro	load_lane i, end, z, k, masked
.if \masked
	kmovq	LOADS + 8 * \i(%rsp), \k
	vmovdqu8 (\end, LEFT), \z{\k}{z}
.else
	vmovdqu64 (\end, LEFT), \z
.endif
.endm

/*
 * LO, HI = the rows of Z. First pairs of words of two messages, low and high;
 * then quarters of vectors: rows 0 and 2, rows 1 and 3; then the rows.
 */
.macro	transpose
	vpunpcklqdq Z1, Z0, LO0
	vpunpckhqdq Z1, Z0, HI0
	vpunpcklqdq Z3, Z2, LO1
	vpunpckhqdq Z3, Z2, HI1
	vpunpcklqdq Z5, Z4, LO2
	vpunpckhqdq Z5, Z4, HI2
	vpunpcklqdq Z7, Z6, LO3
	vpunpckhqdq Z7, Z6, HI3
	transpose_quarters LO0, LO1, LO2, LO3, Z0, Z1, Z2, Z3
	transpose_quarters HI0, HI1, HI2, HI3, Z4, Z5, Z6, Z7
.endm

.macro	transpose_quarters a, b, c, d, e, f, g, h
	vshufi64x2 $0x88, \b, \a, \e
	vshufi64x2 $0x88, \d, \c, \f
	vshufi64x2 $0xdd, \b, \a, \g
	vshufi64x2 $0xdd, \d, \c, \h
	vshufi64x2 $0x88, \f, \e, \a
	vshufi64x2 $0x88, \h, \g, \b
	vshufi64x2 $0xdd, \f, \e, \c
	vshufi64x2 $0xdd, \h, \g, \d
.endm

/*
 * B = the row \lo, \hi in radix 2^44, with bit 128 in lanes \k: limbs below
 * 2^44, 2^44 and 2^41. Clobbers T0.
 */
.macro	split	lo, hi, k
	vpsllq	$20, \hi, T0
	vpsrlq	$44, \lo, B1
	vpsrlq	$24, \hi, B2
	vpandq	M44, \lo, B0
	vpternlogq $0xa8, M44, T0, B1		/* B1 = (B1 | T0) & M44 */
	vporq	HIBIT, B2, B2{\k}
.endm

/* B += h */
.macro	add_h
	vpaddq	X0, B0, B0
	vpaddq	X1, B1, B1
	vpaddq	X2, B2, B2
.endm

/*
 * L + 2^52 U += B y (mod p), y being the power at \y: as mul44, with the same
 * bounds. Four of these, of which one with h in B, leave 5120 U2 < 2^52 for
 * join44, and all of L and its carries far below 2^64.
 */
.macro	mul_row	y
	vpmadd52huq \y + 256(%rsp), B2, U1
	vpmadd52huq \y + 192(%rsp), B2, U0
	vpmadd52huq \y(%rsp), B2, U2
	vpmadd52luq \y + 256(%rsp), B2, L1
	vpmadd52luq \y + 192(%rsp), B2, L0
	vpmadd52luq \y(%rsp), B2, L2
	vpmadd52huq \y(%rsp), B1, U1
	vpmadd52huq \y + 256(%rsp), B1, U0
	vpmadd52huq \y + 64(%rsp), B1, U2
	vpmadd52huq \y + 64(%rsp), B0, U1
	vpmadd52huq \y(%rsp), B0, U0
	vpmadd52huq \y + 128(%rsp), B0, U2
	vpmadd52luq \y(%rsp), B1, L1
	vpmadd52luq \y + 256(%rsp), B1, L0
	vpmadd52luq \y + 64(%rsp), B1, L2
	vpmadd52luq \y + 64(%rsp), B0, L1
	vpmadd52luq \y(%rsp), B0, L0
	vpmadd52luq \y + 128(%rsp), B0, L2
.endm

/* The rows to the frame */
.macro	store_rows
	vmovdqa64 LO0, ROWS(%rsp)
	vmovdqa64 HI0, ROWS + 64(%rsp)
	vmovdqa64 LO1, ROWS + 128(%rsp)
	vmovdqa64 HI1, ROWS + 192(%rsp)
	vmovdqa64 LO2, ROWS + 256(%rsp)
	vmovdqa64 HI2, ROWS + 320(%rsp)
	vmovdqa64 LO3, ROWS + 384(%rsp)
	vmovdqa64 HI3, ROWS + 448(%rsp)
.endm

/*
 * X = X mod p, its limbs below 2^44, 2^44 and 2^42. Clobbers T.
 *
 * X < 2p, limbs as carry44 leaves them. q = (X + 5) / 2^130, rounded down, is 1
 * if X >= p, else 0, and X mod p = X + 5 q - 2^130 q.
 */
.macro	reduce
	vpaddq	by_2_130(%rip), X0, T0
	vpsrlq	$44, T0, T0
	vpaddq	X1, T0, T0
	vpsrlq	$44, T0, T0
	vpaddq	X2, T0, T0
	vpsrlq	$42, T0, T0
	vpmadd52luq by_2_130(%rip), T0, X0
	ripple	X
	vpandq	M42, X2, X2
.endm

/*
 * L0, L1 = X + s modulo 2^128, in words; L2, U0 = the tags of lanes 0 2 4 6, of
 * lanes 1 3 5 7. Clobbers T, k1.
 */
.macro	add_pads
	vpsllq	$44, X1, T0
	vporq	T0, X0, L0
	vpsrlq	$20, X1, X1
	vpsllq	$24, X2, T1
	vporq	T1, X1, L1
	vpaddq	PADS(%rsp), L0, L0
	vpaddq	PADS + 64(%rsp), L1, L1
	vpcmpuq	$1, PADS(%rsp), L0, %k1		/* carried */
	vpaddq	one(%rip){1to8}, L1, L1{%k1}
	vpunpcklqdq L1, L0, L2
	vpunpckhqdq L1, L0, U0
.endm

/* Write the tag of lane \i. Clobbers \t. */
.macro	store_tag i, t
	mov	8 * \i(REQS), \t
	mov	REQ_TAG(\t), \t
.if \i == 0
	vmovdqu	%xmm5, (\t)
.elseif \i == 1
	vmovdqu	%xmm6, (\t)
.elseif \i & 1
	vextracti64x2 $\i / 2, U0, (\t)
.else
	vextracti64x2 $\i / 2, L2, (\t)
.endif
.endm

/* Zeroes, in zmm0, to \n rows of the frame */
.macro	wipe	from, n
.set i, 0
.rept	\n
	vmovdqa64 %zmm0, \from + 64 * i(%rsp)
.set i, i + 1
.endr
.endm
