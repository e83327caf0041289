/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame and the arithmetic of poly1305-avx2.S, which explains them.
 * Every macro works on each 64-bit lane. A macro that takes a list of operands
 * calls itself for the rest of the list.
 */

/* Longest group, in quads, and its logarithm */
.set	GROUP, 32
.set	GROUP_LOG, 5

/*
 * The stack frame. From VAR_POWERS on it holds key material.
 *
 * VAR_TABLE: R^1 ... R^32, by limb. Each qword has limb x of a power in its low
 * half and the same limb of 2^32 times the power in its high half. In front of
 * each row are one limb of R^8 and 5 times one limb of R^g.
 */
.set	ROW, 8 * GROUP + 32
.set	VAR_HIBIT, 0
.set	VAR_GROUPS, 8				/* full groups */
.set	VAR_G, 16				/* quads of a full group */
.set	VAR_G1, 24				/* quads of the first group */
.set	VAR_HEAD, 32				/* blocks for scalar code */
.set	VAR_BLOCKS, 40				/* all blocks */
.set	VAR_POWERS, 64				/* r^4 ... r^1 as in state->pow */
.set	VAR_SQUARES, VAR_POWERS + 3 * 32	/* r^8, r^16, r^32, r^12 likewise */
.set	VAR_SUMS, VAR_SQUARES			/* or the sums of the last group */
.set	VAR_FIRST, VAR_SUMS + 10 * 32		/* h + first block, second block */
.set	VAR_LAST, VAR_FIRST + 32		/* multipliers for the sums */
.set	VAR_HIBITS, VAR_LAST + 10 * 32		/* for a full group */
.set	VAR_R_8, VAR_HIBITS + 5 * 32
.set	VAR_TIMES_5, VAR_R_8 + 4
.set	VAR_TABLE, VAR_R_8 + 32
.set	FRAME, VAR_R_8 + 5 * ROW

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

/* While the table is built */
#define HIGH26		%ymm11

/* Limb i of r^4, r^2, r^3, r^1, in the order of store_last */
.macro	load_powers i, x
	gather	\i, \x, VAR_POWERS, VAR_POWERS+16, VAR_POWERS+8, VAR_POWERS+24
.endm

/*
 * From radix 2^44 to 2^26: p0 + 2^44 p1 + 2^88 p2 = sum of 2^26i x_i. Limbs p
 * below 2^45 give x0 < 2^26 + 2^6, x1 < 2^26 + 2^19, x2 < 2^26,
 * x3 < 2^26 + 2^11, x4 < 2^26.
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
	/* Bits of x4 above the low 26 have weight 2^130 = 5. */
	vpsrlq	$26, \x4, \t
	vpand	MASK26, \x4, \x4
	vpaddq	\t, \x0, \x0
	vpsllq	$2, \t, \t
	vpaddq	\t, \x0, \x0
.endm

/*
 * Sums c_i below 2^64 - 2^41 become limbs: c1 < 2^26 + 2^15, c4 < 2^26 + 2^12,
 * the others below 2^26. Two chains of carries run side by side: 0 1 2 3 4 and
 * 3 4 0 1, with 2^130 = 5.
 */
.macro	carry c0, c1, c2, c3, c4
	carry_step \c0, \c1, T
	carry_step \c3, \c4, T2
	carry_step \c1, \c2, T
	carry_step \c4, \c0, T2
	vpsllq	$2, T2, T2
	vpaddq	T2, \c0, \c0
	carry_step \c2, \c3, T
	carry_step \c0, \c1, T2
	carry_step \c3, \c4, T
.endm

/* Carry what exceeds 26 bits to the next limb. */
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

/*
 * Write the powers x and z = 2^32 x into the table, at \to:
 *
 *	2^32 x_i = 2^26 (2^6 x_i mod 2^26) + 2^52 (x_i / 2^20),
 *
 * so z_i = (2^6 x_(i-1) mod 2^26) + x_(i-2) / 2^20. Where the index wraps
 * around, 5 x_4 is split in this way, while x_3 / 2^20 is multiplied by 5 after
 * the split. z is below 2^26 + 2^9. z is computed in the upper halves. HIGH26
 * is 2^32 MASK26. Clobbers M, T, T2.
 */
.macro	store_table to, x0, x1, x2, x3, x4
	vpsrlq	$20, \x3, T2
	times5	T2
	vpsllq	$32, T2, T2
	vpaddq	\x0, T2, T2
	vpsllq	$2, \x4, M
	vpaddq	\x4, M, M
	add_shifted M, T2
	vmovdqa	T2, \to
	store_pair "ROW+\to", \x1, \x0, M
	store_pair "2*ROW+\to", \x2, \x1, \x0
	store_pair "3*ROW+\to", \x3, \x2, \x1
	store_pair "4*ROW+\to", \x4, \x3, \x2
.endm

/* One limb: x, and above it z = (2^6 y mod 2^26) + w / 2^20 */
.macro	store_pair to, x, y, w
	vpsllq	$12, \w, T2
	vpblendd $0xaa, T2, \x, T2
	add_shifted \y, T2
	vmovdqa	T2, \to
.endm

/* x += 2^32 (2^6 y mod 2^26) */
.macro	add_shifted y, x
	vpsllq	$38, \y, T
	vpand	HIGH26, T, T
	vpaddq	T, \x, \x
.endm

/*
 * c += m 2^26i x (mod p), where m is limb i of a factor and the five limbs of x
 * are in memory, \step apart. The sums are listed rotated, that of x_0 first.
 * From number \wrap on the index wraps around, and m becomes 5 m.
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
 * A += x y (mod p), x a row of the table, y one power from it. With limbs up to
 * 2^26 + 2^19 this adds less than 2^56.5 to each A_i.
 */
.macro	mul_power	x, y
	vpbroadcastd 0 * ROW + \y, M
	mul_limb M, T, \x, ROW, 5, A0, A1, A2, A3, A4
	vpbroadcastd 1 * ROW + \y, M
	mul_limb M, T, \x, ROW, 4, A1, A2, A3, A4, A0
	vpbroadcastd 2 * ROW + \y, M
	mul_limb M, T, \x, ROW, 3, A2, A3, A4, A0, A1
	vpbroadcastd 3 * ROW + \y, M
	mul_limb M, T, \x, ROW, 2, A3, A4, A0, A1, A2
	vpbroadcastd 4 * ROW + \y, M
	mul_limb M, T, \x, ROW, 1, A4, A0, A1, A2, A3
.endm

/* VAR_TIMES_5 = 5 times limbs 1 ... 4 of the power at \y. Clobbers %rax. */
.macro	store_times_5 y
.irp i, 1, 2, 3, 4
	mov	\i*ROW+\y, %eax
	lea	(%rax, %rax, 4), %eax
	mov	%eax, \i*ROW+VAR_TIMES_5(%rsp)
.endr
.endm

/*
 * A and B += VAR_SUMS y (mod p). y is the power at \y; VAR_TIMES_5 holds 5
 * times its limbs. Limbs as in mul_power. Each multiplier serves both sums.
 */
.macro	mul_sums y
	vpbroadcastd 0*ROW+\y, M
	mac_sums 0, A0, A1, A2, A3, A4
	mac_sums 5, B0, B1, B2, B3, B4
	vpbroadcastd 1*ROW+\y, M
	mac_sums 0, A1, A2, A3, A4
	mac_sums 5, B1, B2, B3, B4
	vpbroadcastd 1*ROW+VAR_TIMES_5(%rsp), M
	mac_sums 4, A0
	mac_sums 9, B0
	vpbroadcastd 2*ROW+\y, M
	mac_sums 0, A2, A3, A4
	mac_sums 5, B2, B3, B4
	vpbroadcastd 2*ROW+VAR_TIMES_5(%rsp), M
	mac_sums 3, A0, A1
	mac_sums 8, B0, B1
	vpbroadcastd 3*ROW+\y, M
	mac_sums 0, A3, A4
	mac_sums 5, B3, B4
	vpbroadcastd 3*ROW+VAR_TIMES_5(%rsp), M
	mac_sums 2, A0, A1, A2
	mac_sums 7, B0, B1, B2
	vpbroadcastd 4*ROW+\y, M
	mac_sums 0, A4
	mac_sums 5, B4
	vpbroadcastd 4*ROW+VAR_TIMES_5(%rsp), M
	mac_sums 1, A0, A1, A2, A3
	mac_sums 6, B0, B1, B2, B3
.endm

/* c += M times number n of VAR_SUMS, the next c += M times the next, ... */
.macro	mac_sums n, c, more:vararg
	mac	M, T, \c, "VAR_SUMS+32*(\n)(%rsp)"
.ifnb \more
	mac_sums "\n+1", \more
.endif
.endm

/*
 * Add s x (mod p) to %ymm10 ... %ymm14, x from VAR_LAST. s becomes 5 s. With
 * s < 2^26.1 and x < 5 * 2^26.1 this adds less than 2^59 to each.
 */
.macro	mul_last x, s0, s1, s2, s3, s4
	mul_limb \s0, %ymm15, \x, 32, 5, %ymm10, %ymm11, %ymm12, %ymm13, %ymm14
	mul_limb \s1, %ymm15, \x, 32, 4, %ymm11, %ymm12, %ymm13, %ymm14, %ymm10
	mul_limb \s2, %ymm15, \x, 32, 3, %ymm12, %ymm13, %ymm14, %ymm10, %ymm11
	mul_limb \s3, %ymm15, \x, 32, 2, %ymm13, %ymm14, %ymm10, %ymm11, %ymm12
	mul_limb \s4, %ymm15, \x, 32, 1, %ymm14, %ymm10, %ymm11, %ymm12, %ymm13
.endm

/*
 * Limb i of the multipliers for mul_last, for the two vectors of a quad: r^4,
 * 2^64 r^4, r^3, 2^64 r^3, and r^2, 2^64 r^2, r, 2^64 r. x holds r^4, r^2, r^3,
 * r.
 *
 * y = 2^64 x: 2^64 x_i = 2^52 (2^12 x_i mod 2^26) + 2^78 (x_i / 2^14), so
 * y_i = (2^12 x_(i-2) mod 2^26) + x_(i-3) / 2^14, times 5 where an index wraps
 * around: times5_both if both do, times5_hi if only that of \hi does. No carry
 * is needed.
 */
.macro	store_last i, x, lo, hi, times5_hi=0, times5_both=0
	vpsrlq	$14, \hi, X0
.if \times5_hi
	times5	X0
.endif
	vpsllq	$12, \lo, T
	vpand	MASK26, T, T
	vpaddq	T, X0, X0
.if \times5_both
	times5	X0
.endif
	vpunpcklqdq X0, \x, T
	vpunpckhqdq X0, \x, T2
	vmovdqa	T, VAR_LAST + 32 * \i(%rsp)
	vmovdqa	T2, VAR_LAST + 160 + 32 * \i(%rsp)
.endm

/*
 * The products p and q of limb \y of R^k with a dword of each lane of X0 and
 * X1. Meanwhile the products of the limb before, if given, are added to a and
 * b.
 */
.macro	mul_dwords y, p, q, last_p, last_q, a, b
	vpbroadcastd \y, \q
	vpmuludq X0, \q, \p
.ifnb \a
	vpaddq	\last_p, \a, \a
.endif
	vpmuludq X1, \q, \q
.ifnb \a
	vpaddq	\last_q, \b, \b
.endif
.endm

/*
 * A += R^k times the two blocks at \p, B += R^k times the two blocks at \q,
 * with R^k in the table at \y. Adds two products below 2^32 L to each sum.
 * Clobbers MASK26.
 */
.macro	mul_quad p, q, y
	vmovdqu	\p, X0
	vmovdqu	\q, X1
	mul_dwords 0*ROW+\y, T, M
	mul_dwords 1*ROW+\y, T2, %ymm15, T, M, A0, B0
	mul_dwords 2*ROW+\y, T, M, T2, %ymm15, A1, B1
	mul_dwords 3*ROW+\y, T2, %ymm15, T, M, A2, B2
	mul_dwords 4*ROW+\y, T, M, T2, %ymm15, A3, B3
	vmovshdup \p, X0
	vmovshdup \q, X1
	mul_dwords 4+0*ROW+\y, T2, %ymm15, T, M, A4, B4
	mul_dwords 4+1*ROW+\y, T, M, T2, %ymm15, A0, B0
	mul_dwords 4+2*ROW+\y, T2, %ymm15, T, M, A1, B1
	mul_dwords 4+3*ROW+\y, T, M, T2, %ymm15, A2, B2
	mul_dwords 4+4*ROW+\y, T2, %ymm15, T, M, A3, B3
	vpaddq	T2, A4, A4
	vpaddq	%ymm15, B4, B4
.endm

/*
 * Add the last two blocks of a stream, of weight R^0: even + 2^26 (2^6 odd). M
 * is 2^6 in each lane, T is 0.
 */
.macro	add_last p, c0, c1
	vpblendd $0x55, \p, T, X0
	vmovshdup \p, X1
	vpmuludq M, X1, X1
	vpaddq	X0, \c0, \c0
	vpaddq	X1, \c1, \c1
.endm

/* Each lane = the sum of the low dwords of all lanes */
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
 * A = 2^128 hibit (R^0 + ... + R^(g-1)) in the low lane of each block, 0 in the
 * high lanes; g in \g.
 *
 * With S the limbs of that sum of powers, below 32 L, 2^128 = 2^104 2^24 gives
 * A4 = 2^24 S0 and A_(i-1) = 5 * 2^24 S_i, below 2^57.4. Clobbers %rax, %rcx,
 * %r11, M, T.
 */
.macro	sum_hibits g
	/* Rows of four powers; of the last row, the first (g - 1) mod 4 */
	lea	-1(\g), %rax
	mov	%eax, %ecx
	and	$3, %ecx
	neg	%rcx
	lea	.Lfirst_lanes(%rip), %r11
	vmovdqu	32(%r11, %rcx, 8), M
	shr	$2, %rax
	shl	$5, %rax
	vpand	VAR_TABLE + 0 * ROW(%rsp, %rax), M, A4
	vpand	VAR_TABLE + 1 * ROW(%rsp, %rax), M, A0
	vpand	VAR_TABLE + 2 * ROW(%rsp, %rax), M, A1
	vpand	VAR_TABLE + 3 * ROW(%rsp, %rax), M, A2
	vpand	VAR_TABLE + 4 * ROW(%rsp, %rax), M, A3
	jmp	.Lcheck\@
.Lrow\@:
	vpaddd	VAR_TABLE + 0 * ROW(%rsp, %rax), A4, A4
	vpaddd	VAR_TABLE + 1 * ROW(%rsp, %rax), A0, A0
	vpaddd	VAR_TABLE + 2 * ROW(%rsp, %rax), A1, A1
	vpaddd	VAR_TABLE + 3 * ROW(%rsp, %rax), A2, A2
	vpaddd	VAR_TABLE + 4 * ROW(%rsp, %rax), A3, A3
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

/* Store vectors at successive places in the frame. */
.macro	store_vectors to, x, more:vararg
	vmovdqa	\x, \to(%rsp)
.ifnb \more
	store_vectors "\to + 32", \more
.endif
.endm

/* Copy each from to its to. */
.macro	copy	from, to, more:vararg
	vmovdqa	\from, \to
.ifnb \more
	copy	\more
.endif
.endm

/* Zero the frame from VAR_POWERS to VAR_R_8; %ymm0 is 0. Clobbers %rdi, %rsi. */
.macro	wipe_frame
	lea	VAR_POWERS(%rsp), %rdi
	lea	VAR_R_8(%rsp), %rsi
.Lwipe\@:
	vmovdqa	%ymm0, (%rdi)
	vmovdqa	%ymm0, 32(%rdi)
	add	$64, %rdi
	cmp	%rsi, %rdi
	jb	.Lwipe\@
.endm

/*
 * In each of the five rows of limbs, zero the entries from VAR_R_8 to the one at
 * VAR_TABLE - 8 + 8 g; %ymm0 is 0. Clobbers %rdi, %rsi.
 */
.macro	wipe_table g
	mov	\g, %rdi
	lea	VAR_TABLE - 8(%rsp, %rdi, 8), %rdi
	lea	VAR_R_8(%rsp), %rsi
	and	$-32, %rdi
.Lwipe_row\@:
.irp i, 0, 1, 2, 3, 4
	vmovdqa	%ymm0, \i*ROW(%rdi)
.endr
	sub	$32, %rdi
	cmp	%rsi, %rdi
	jae	.Lwipe_row\@
.endm
