/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame, the registers and the arithmetic of poly1305-avx512f.S,
 * which explains them. Every macro works on each 64-bit lane. A macro that
 * takes a list of operands calls itself for the rest of the list.
 */

/* Longest group, in vectors */
.set	GROUP, 56

/*
 * The stack frame. From VAR_POWERS on it holds key material. VAR_TABLE:
 * R^1 ... R^56, by limb, a qword each.
 */
.set	ROW, 8 * GROUP
.set	VAR_HIBIT, 0				/* hibit times 2^24 */
.set	VAR_G1, 8				/* vectors of the first group */
.set	VAR_GROUPS, 16				/* groups after the first */
.set	VAR_G, 24				/* vectors of such a group */
.set	VAR_HEAD, 32				/* blocks for scalar code */
.set	VAR_POWERS, 64				/* r^4 ... r^1 as in state->pow */
.set	VAR_SQUARES, VAR_POWERS + 3 * 32	/* r^8, r^16, -, r^12 likewise */
.set	VAR_TABLE, VAR_POWERS + 3 * 64
.set	FRAME, VAR_TABLE + 5 * ROW

/* That of functions for whole messages; from its beginning on a state, with key material */
.set	MESSAGE_LAST, 256			/* the last eight */
.set	MESSAGE_FIRST, MESSAGE_LAST + 128	/* the first eight, and a block more */
.set	MESSAGE_LEN, MESSAGE_FIRST + 3 * 64
.set	MESSAGE_TAG, MESSAGE_LEN + 8
.set	MESSAGE_KEY, MESSAGE_LEN + 16
.set	MESSAGE_FRAME, MESSAGE_LEN + 24

#define EVEN		%k2

/*
 * The vectors: zmm with eight lanes, or ymm with four for the first few powers, where
 * narrow vectors finish sooner, and for the four lanes in which eights end
 */
.macro	use	width
/* Sums of products with even and with odd dwords */
.set	E0, %\width\()0
.set	E1, %\width\()1
.set	E2, %\width\()2
.set	E3, %\width\()3
.set	E4, %\width\()4
.set	O0, %\width\()5
.set	O1, %\width\()6
.set	O2, %\width\()7
.set	O3, %\width\()8
.set	O4, %\width\()9
/* A message vector, and its odd dwords moved down */
.set	X0, %\width\()10
.set	X1, %\width\()11
/* A power in all lanes, or an order of lanes */
.set	M, %\width\()12
/* Scratch */
.set	T, %\width\()13
.set	T2, %\width\()14
.set	MASK26, %\width\()15
/* Multipliers for the lanes of the sums */
.set	L0, %\width\()16
.set	L1, %\width\()17
.set	L2, %\width\()18
.set	L3, %\width\()19
.set	L4, %\width\()20
/* The sums of earlier groups; before that r^4 ... r^1, or new powers of the table */
.set	S0, %\width\()21
.set	S1, %\width\()22
.set	S2, %\width\()23
.set	S3, %\width\()24
.set	S4, %\width\()25
/* The bits 128 of a group */
.set	H0, %\width\()26
.set	H1, %\width\()27
.set	H2, %\width\()28
.set	H3, %\width\()29
.set	H4, %\width\()30
/*
 * For vectors of eight blocks: their bits 128, and where their low and their high words
 * are. BLOCKS_LOW is free for H4 when no vector is left.
 */
.set	BITS, %\width\()12
.set	BLOCKS_LOW, %\width\()30
.set	BLOCKS_HIGH, %\width\()31
.endm
	use	zmm

/* Limb i of r^4, r^3, r^2, r^1 */
.macro	load_powers i, x
	gather	\i, \x, VAR_POWERS, VAR_POWERS+8, VAR_POWERS+16, VAR_POWERS+24
.endm

/*
 * From radix 2^44 to 2^26: p0 + 2^44 p1 + 2^88 p2 = sum of 2^26i x_i. Limbs p
 * below 2^45 give x0 < 2^26 + 2^6, x1 < 2^26 + 2^19, x2 < 2^26,
 * x3 < 2^26 + 2^11, x4 < 2^26.
 */
.macro	split_power x, p0, p1, p2
	vpandq	MASK26, \p0, \x\()0
	vpsrlq	$26, \p0, \x\()1
	add_shifted 18, \p1, \x\()1
	vpsrlq	$8, \p1, \x\()2
	vpandq	MASK26, \x\()2, \x\()2
	vpsrlq	$34, \p1, \x\()3
	add_shifted 10, \p2, \x\()3
	vpsrlq	$16, \p2, \x\()4
	/* Bits of x4 above the low 26 have weight 2^130 = 5. */
	vpsrlq	$26, \x\()4, T
	vpandq	MASK26, \x\()4, \x\()4
	times5	T
	vpaddq	T, \x\()0, \x\()0
.endm

/* y += 2^n x mod 2^26 for any number of pairs x, y */
.macro	add_shifted n, x, y, more:vararg
	vpsllq	$\n, \x, T2
	vpandq	MASK26, T2, T2
	vpaddq	T2, \y, \y
.ifnb \more
	add_shifted \n, \more
.endif
.endm

/* x *= 5 */
.macro	times5 x
	vpsllq	$2, \x, T2
	vpaddq	T2, \x, \x
.endm

/*
 * Sums c_i below 2^64 - 2^48 become limbs s, of c itself if no other vectors are given:
 * s1 < 2^26 + 2^15, s4 < 2^26 + 2^12, the others below 2^26. Two chains of carries run side
 * by side: 0 1 2 3 4 and 3 4 0 1, with 2^130 = 5. Clobbers c, T, T2.
 */
.macro	carry c, s
.ifb \s
	carry	\c, \c
.else
	carry_step \c\()0, \c\()1, \c\()1, \c\()0, T
	carry_step \c\()3, \c\()4, \c\()4, \c\()3, T2
	carry_step \c\()1, \c\()2, \c\()2, \c\()1, T
	carry_step \c\()4, \c\()0, \c\()0, \c\()4, T2
	vpsllq	$2, T2, T2
	vpaddq	T2, \c\()0, \c\()0
	carry_step \c\()2, \c\()3, \c\()3, \s\()2, T
	carry_step \c\()0, \c\()1, \s\()1, \s\()0, T2
	carry_step \c\()3, \c\()4, \s\()4, \s\()3, T
.endif
.endm

/* low = the low 26 bits of from; sum = to + the other bits of from */
.macro	carry_step from, to, sum, low, t
	vpsrlq	$26, \from, \t
	vpandq	MASK26, \from, \low
	vpaddq	\t, \to, \sum
.endm

/*
 * c = x y (mod p), or c += x y with first=0. 5 x_i replaces x_i, i > 0, where
 * 2^(26 (i + j)) wraps around. ys lists the limbs of y. With limbs of x
 * and y up to 2^26 + 2^19 this adds less than 2^56.5 to each c_i, and with those of
 * eights less than 2^56.7. Clobbers x, T, T2.
 */
.macro	multiply c, x, ys, first=1
	mul_by_limb	\x\()0, \first, 5, \c, 0, 1, 2, 3, 4, \ys
	mul_by_limb	\x\()1, 0, 4, \c, 1, 2, 3, 4, 0, \ys
	mul_by_limb	\x\()2, 0, 3, \c, 2, 3, 4, 0, 1, \ys
	mul_by_limb	\x\()3, 0, 2, \c, 3, 4, 0, 1, 2, \ys
	mul_by_limb	\x\()4, 0, 1, \c, 4, 0, 1, 2, 3, \ys
.endm

/* c += m y for one limb m of x, whose first product goes to c_i */
.macro	mul_by_limb	m, first, wrap, c, i, j, k, l, n, y0, y1, y2, y3, y4
	mul_limb \m, \first, \wrap, \c\i, \y0, \c\j, \y1, \c\k, \y2, \c\l, \y3, \c\n, \y4
.endm

/* multiply by the power at \y, of which the limbs are \row bytes apart */
.macro	mul_power c, x, y, b, first=1, row=ROW
	multiply \c, \x, "\y\b,\row+\y\b,2*\row+\y\b,3*\row+\y\b,4*\row+\y\b", \first
.endm

/* c += m y for each pair c, y; m becomes 5 m before pair number \wrap */
.macro	mul_limb m, first, wrap, c, y, more:vararg
.if \wrap == 0
	times5	\m
.endif
.if \first
	vpmuludq \y, \m, \c
.else
	vpmuludq \y, \m, T
	vpaddq	T, \c, \c
.endif
.ifnb \more
	mul_limb \m, \first, "\wrap - 1", \more
.endif
.endm

/* Store the limbs of powers into the table. */
.macro	store_table x, to
	vmovdqu64 \x\()0, 0 * ROW + \to
	vmovdqu64 \x\()1, 1 * ROW + \to
	vmovdqu64 \x\()2, 2 * ROW + \to
	vmovdqu64 \x\()3, 3 * ROW + \to
	vmovdqu64 \x\()4, 4 * ROW + \to
.endm

/*
 * Limb i of L: r^4, 2^64 r^4, r^3, 2^64 r^3, ... r, 2^64 r. S is r^4, r^3, r^2,
 * r. M says which lanes come from S and which from 2^64 S.
 *
 * y = 2^64 x: 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so
 * y_i = (2^12 x_(i-2) mod 2^26) + x_(i-3) / 2^14, times 5 where an index wraps
 * around: times5_both if both do, times5_hi if only that of \hi does. No carry
 * is needed.
 */
.macro	make_last i, lo, hi, times5_hi=0, times5_both=0
	vpsrlq	$14, S\hi, T
.if \times5_hi
	times5	T
.endif
	add_shifted 12, S\lo, T
.if \times5_both
	times5	T
.endif
	vmovdqa64 S\i, L\i
	vpermt2q T, M, L\i
.endm

/*
 * E and O += R^k times the dwords of X0 and X1, with R^k in the table at \y.
 * Adds a product below 2^32 (2^26 + 2^19) to each sum.
 */
.macro	mul_dwords y, e, o, more:vararg
	vpbroadcastq \y, M
	vpmuludq X0, M, T
	vpmuludq X1, M, T2
	vpaddq	T, \e, \e
	vpaddq	T2, \o, \o
.ifnb \more
	mul_dwords "ROW + \y", \more
.endif
.endm

/* E and O += R^k times the vector at \p */
.macro	mul_vector p, y
	vmovdqu64 \p, X0
	vmovshdup \p, X1
	mul_dwords "\y", E0, O0, E1, O1, E2, O2, E3, O3, E4, O4
.endm

/*
 * E += 2^32 O:
 *
 *	2^32 O_i = 2^26 (2^6 O_i mod 2^26) + 2^52 (O_i / 2^20),
 *
 * so E_i += (2^6 O_(i-1) mod 2^26) + O_(i-2) / 2^20, times 5 where the index
 * wraps around. Adds less than 2^46.4 to each.
 */
.macro	join
	vpsrlq	$20, O3, T
	add_shifted 6, O4, T
	times5	T
	vpaddq	T, E0, E0
	vpsrlq	$20, O4, T
	times5	T
	add_shifted 6, O0, T
	vpaddq	T, E1, E1
	join_limb E2, O1, O0
	join_limb E3, O2, O1
	join_limb E4, O3, O2
.endm

.macro	join_limb e, lo, hi
	vpsrlq	$20, \hi, T
	add_shifted 6, \lo, \e
	vpaddq	T, \e, \e
.endm

/* Each lane = the sum of all lanes. Clobbers T. */
.macro	sum_lanes x, more:vararg
	vshufi64x2 $0x4e, \x, \x, T
	vpaddq	T, \x, \x
	vshufi64x2 $0xb1, \x, \x, T
	vpaddq	T, \x, \x
	vpshufd	$0x4e, \x, T
	vpaddq	T, \x, \x
.ifnb \more
	sum_lanes \more
.endif
.endm

/*
 * H = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane of each block, 0 in the
 * high lanes; g in \g, at least 2.
 *
 * With S the limbs of that sum of powers, below 56 L, 2^128 = 2^104 2^24 gives
 * H4 = 2^24 S0 and H_(i-1) = 5 * 2^24 S_i, below 2^58.2. Clobbers %rax, %rcx,
 * %r11, M, T, T2, k1.
 */
.macro	sum_hibits g
	/* Rows of eight powers; of the last row, the first (g - 1) mod 8 */
	lea	-1(\g), %rcx
	mov	%rcx, %rax
	and	$-8, %rax
	shl	$3, %rax
	and	$7, %ecx
	mov	$1, %r11d
	shl	%cl, %r11d
	dec	%r11d
	kmovw	%r11d, %k1
	vmovdqa64 VAR_TABLE + 0 * ROW(%rsp, %rax), H4{%k1}{z}
	vmovdqa64 VAR_TABLE + 1 * ROW(%rsp, %rax), H0{%k1}{z}
	vmovdqa64 VAR_TABLE + 2 * ROW(%rsp, %rax), H1{%k1}{z}
	vmovdqa64 VAR_TABLE + 3 * ROW(%rsp, %rax), H2{%k1}{z}
	vmovdqa64 VAR_TABLE + 4 * ROW(%rsp, %rax), H3{%k1}{z}
	jmp	.Lcheck\@
.Lrow\@:
	vpaddq	VAR_TABLE + 0 * ROW(%rsp, %rax), H4, H4
	vpaddq	VAR_TABLE + 1 * ROW(%rsp, %rax), H0, H0
	vpaddq	VAR_TABLE + 2 * ROW(%rsp, %rax), H1, H1
	vpaddq	VAR_TABLE + 3 * ROW(%rsp, %rax), H2, H2
	vpaddq	VAR_TABLE + 4 * ROW(%rsp, %rax), H3, H3
.Lcheck\@:
	sub	$64, %rax
	jns	.Lrow\@

	mov	$0x55, %ecx
	kmovw	%ecx, %k1
	vpbroadcastq VAR_HIBIT(%rsp), M{%k1}{z}
	sum_lanes H4, H0, H1, H2, H3
	vpmuludq M, H4, H4
	vpaddq	M, H4, H4		/* R^0 */
	times5	M
	vpmuludq M, H0, H0
	vpmuludq M, H1, H1
	vpmuludq M, H2, H2
	vpmuludq M, H3, H3
.endm

/*
 * Begin a group with its last vector, at \p, of weight R^0: E = H plus its even
 * dwords, O = its odd dwords. EVEN has a bit for each even dword.
 */
.macro	begin_group p
	vmovdqu32 \p, X0{EVEN}{z}
	vpsrlq	$32, \p, O0
	vpaddq	X0, H0, E0
	copy	H1, E1, H2, E2, H3, E3, H4, E4
.irp o, O1, O2, O3, O4
	vpxorq	\o, \o, \o
.endr
.endm

/* Copy each from to its to. */
.macro	copy	from, to, more:vararg
	vmovdqa64 \from, \to
.ifnb \more
	copy	\more
.endif
.endm

/* Wipe all vector registers, but BLOCKS_HIGH. */
.macro	wipe_vectors
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxord	%xmm\i, %xmm\i, %xmm\i
.endr
.irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	vpxord	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
.endm

/*
 * x = X0 + 2^64 X1 + 2^104 bits: limbs below 2^26, except x4 < 2^24 + bits. Clobbers T.
 */
.macro	split_words x, bits
	vpandq	MASK26, X0, \x\()0
	vpsrlq	$26, X0, \x\()1
	vpsrlq	$52, X0, \x\()2
	vpsllq	$12, X1, T
	vpsrlq	$14, X1, \x\()3
	vpsrlq	$40, X1, \x\()4
	vpandq	MASK26, \x\()1, \x\()1
	vpternlogq $0xa8, MASK26, T, \x\()2	/* (x2 | T) & MASK26 */
	vpandq	MASK26, \x\()3, \x\()3
	vpaddq	\bits, \x\()4, \x\()4
.endm

/* x = the eight at \p. Clobbers X0, X1, T. */
.macro	load_eight x, p
	vmovdqu64 \p, X0
	vmovdqa64 X0, X1
	vpermt2q 64+\p, BLOCKS_LOW, X0
	vpermt2q 64+\p, BLOCKS_HIGH, X1
	split_words \x, BITS
.endm

/*
 * S = an eight of the first %rax blocks at %rdi, 1 to 8 of more than 8. They are in the
 * places of its last blocks, and lanes without a block are 0. h is added to the first of
 * them: S4 < 2^24 + 6 * 2^24. %rcx is 2^24 hibit. Clobbers %r8, %r9, %r10, k1, k3, O0, O1,
 * X0, X1, T, T2.
 */
.macro	first_eight
	/* A lane has no block if its index is below 0 here, and the first one if it is 0. */
	lea	-16(%rax, %rax), %r8
	vpbroadcastq %r8, T
	vpxorq	T2, T2, T2
	vpaddq	T, BLOCKS_LOW, O0
	vpaddq	T, BLOCKS_HIGH, O1
	vpcmpq	$5, T2, O0, %k1				/* O0 >= 0 */
	vptestnmq O0, O0, %k3
	vmovdqu64 (%rdi), X0
	vmovdqa64 X0, X1
	vpermt2q 64(%rdi), O0, X0{%k1}{z}
	vpermt2q 64(%rdi), O1, X1{%k1}{z}
	vmovdqa64 BITS, T2{%k1}{z}

	mov	STATE_H(STATE), %r8
	mov	STATE_H+8(STATE), %r9
	mov	STATE_H+16(STATE), %r10
	add	(%rdi), %r8
	adc	8(%rdi), %r9
	adc	$0, %r10
	shl	$24, %r10
	add	%rcx, %r10
	vpbroadcastq %r8, X0{%k3}
	vpbroadcastq %r9, X1{%k3}
	vpbroadcastq %r10, T2{%k3}
	split_words S, T2
.endm

/* S = S R^2 + m for the eight m at \p. Clobbers E, X0, X1, T, T2. */
.macro	one_eight p
	load_eight E, \p
	mul_power E, S, STATE_POW+OWN_R_2(STATE), {1to8}, first=0, row=32
	carry	E, S
.endm

/*
 * S = S R^4 + m R^2 + n for the eights m at \p and n behind it. L is R^4.
 * Clobbers E, O, X0, X1, T, T2.
 */
.macro	two_eights p
	load_eight E, 128+\p
	load_eight O, \p
	mul_power E, O, STATE_POW+OWN_R_2(STATE), {1to8}, first=0, row=32
	multiply E, S, "L0, L1, L2, L3, L4", first=0
	carry	E, S
.endm

/*
 * E = S R^2 + m for the last eight m at \p, folded to four lanes: the first four, times R,
 * plus the last four. So S takes L, which is R^3 in the first four lanes and R^2 in the
 * others, and m takes H, which is R and 1. Columns are below 2^58.5. Clobbers S, O, X0, X1,
 * T, T2 and BLOCKS_LOW, which is H4.
 */
.macro	last_eight p
	load_eight O, \p
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+OWN_R_2+32*\i(STATE), L\i
	vpbroadcastd STATE_POW+OWN_R_3+32*\i(STATE), %ymm10
	vinserti64x4 $0, %ymm10, L\i, L\i
.endr
	use	ymm
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+OWN_R+32*\i(STATE), H\i
.endr
	use	zmm
	vporq	.Lone_in_last_four(%rip), H0, H0
	multiply E, O, "H0, H1, H2, H3, H4"
	multiply E, S, "L0, L1, L2, L3, L4", first=0
.irp i, 0, 1, 2, 3, 4
	vextracti64x4 $1, %zmm\i, %ymm10
	vpaddq	%ymm10, %ymm\i, %ymm\i
.endr
	use	ymm
	carry	E
	use	zmm
.endm

/* %ymm10 ... %ymm14 = E, in four lanes, times r^4, r^2, r^3, r. Clobbers E and O. */
.macro	mul_lanes
	use	ymm
	mul_power O, E, STATE_POW(STATE), row=32
.irp i, 0, 1, 2, 3, 4
	vmovdqa	O\i, %ymm1\i
.endr
	use	zmm
.endm

/*
 * R^3 and R^4 for state->pow, which has R and R^2, as lanes 0 and 1 of R^2 times R and
 * R^2. Clobbers %eax, k1, S, O, E, X0, T, T2.
 */
.macro	make_cube_and_fourth
	mov	$2, %eax
	kmovw	%eax, %k1
.irp i, 0, 1, 2, 3, 4
	vpbroadcastd STATE_POW+OWN_R_2+32*\i(STATE), S\i
	vpbroadcastd STATE_POW+OWN_R+32*\i(STATE), O\i
	vmovdqa64 S\i, O\i{%k1}
.endr
	multiply E, S, "O0, O1, O2, O3, O4"
	carry	E
.irp i, 0, 1, 2, 3
	vpunpckhqdq %xmm\i, %xmm\i, %xmm10
	vmovd	%xmm10, STATE_POW+OWN_R_4+4*\i(STATE)
.endr
	vpunpckhqdq %xmm4, %xmm4, %xmm10
	vmovd	%xmm10, STATE_POW+OWN_R_4_TOP(STATE)
	vmovd	%xmm0, STATE_POW+OWN_R_3(STATE)
.irp i, 1, 2, 3, 4
	vmovd	%xmm\i, STATE_POW+OWN_R_3+32*\i(STATE)
	times5	E\i
	vmovd	%xmm\i, STATE_POW+OWN_5R_3+4*\i(STATE)
.endr
.endm
