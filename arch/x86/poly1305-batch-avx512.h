/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame, the registers and the arithmetic of poly1305-batch-avx512.S,
 * which explains them. poly1305-avx512.h has the rest. Every macro works on
 * each lane, and each lane belongs to another message.
 *
 * tests/bounds/poly1305-batch-avx512.py recomputes the bounds stated here.
 */

/*
 * Least length of the longest message behind its first block or two, in groups, for r^3
 * and r^4 to pay
 */
.set GROUPS_MIN,	3

/*
 * The stack frame. A power y takes five rows: y0, y1, y2, 20 y1, 20 y2. From
 * VAR_PADS on it holds key material and messages. For lengths that differ,
 * VAR_NEG_HALVES is -32 times the halves of each message, VAR_LAST_LO and
 * VAR_LAST_HI are the last blocks.
 */
.set VAR_MESSAGES,	0	/* how many messages are left */
.set VAR_HAS_GROUPS,	4	/* whether VAR_R3, VAR_R4 were used */
.set VAR_ADJACENT,	8	/* whether this is a run */
.set VAR_ASKED,		12	/* how many messages the caller passed */
.set VAR_RUN_LEN,	16	/* length of each message of a run */
.set VAR_NEG_HALVES,	64
.set VAR_PADS,		128	/* s */
.set VAR_LAST_LO,	VAR_PADS + 2 * 64
.set VAR_LAST_HI,	VAR_LAST_LO + 64
.set VAR_R4,		VAR_LAST_HI + 64
.set VAR_R3,		VAR_R4 + 5 * 64
.set FRAME,		VAR_R3 + 5 * 64

/* Requests */
.set REQS,		%rdi
/* Equal lengths: the length; blocks, halves or groups left; the block with the 1 bit */
.set ONE_LEN,		%rdx
.set LEFT,		%rdx
.set MARKS,		%rsi
/* Offset of the next bytes from DATA0 ... DATA7 */
.set OFFSET,		%rbx
/* Nonzero if lengths differ */
.set DIFFER,		%rbx
/* Then: bytes in halves of the longest and of the shortest message */
.set LONGEST,		OFFSET
.set SHORTEST,		%rsi
.set NONE,		%rdx	/* zeroes */
/* data of each message; if lengths differ, the end of its halves */
.set DATA0,		%r8
.set DATA1,		%r9
.set DATA2,		%r10
.set DATA3,		%r11
.set DATA4,		%r12
.set DATA5,		%r13
.set DATA6,		%r14
.set DATA7,		%r15

/* 32 bytes of each message as they are loaded, two messages to a register */
.set Z0,		%zmm12
.set Z1,		%zmm13
.set Z2,		%zmm14
.set Z3,		%zmm28
/* The low and high words of both rows of a half */
.set LOA,		Z0
.set HIA,		Z1
.set LOB,		Z2
.set HIB,		Z3
/* All lanes; the lanes whose last block has a bit 128 */
#define ALL		%k7
#define WHOLE		%k6
/* If lengths differ: lanes with a separate first block; lanes with any block */
#define ODD		%k5
#define SOME		%k4
/* ... and lanes whose halves have begun */
#define BEGUN		%k3

/*
 * Of the eight requests from \at(REQS) on: data, ONE_LEN and DIFFER; F = r;
 * LOB, HIB = s. Clobbers rax, rcx, Z, T.
 */
.macro	begin_eight at
	xor	%ebx, %ebx			/* DIFFER */
	begin_lane \at, 0, DATA0, Z0, %ymm12
	begin_lane \at, 2, DATA2, Z0
	begin_lane \at, 1, DATA1, Z1, %ymm13
	begin_lane \at, 3, DATA3, Z1
	begin_lane \at, 4, DATA4, Z2, %ymm14
	begin_lane \at, 6, DATA6, Z2
	begin_lane \at, 5, DATA5, Z3, %ymm28
	begin_lane \at, 7, DATA7, Z3
	transpose
	split_key
.endm

/*
 * Lane \i: take its data, compare its length with ONE_LEN, and load its key, r0
 * r1 s0 s1, into the upper half of \z, or into \ymm, the lower half, if that is
 * given.
 */
.macro	begin_lane at, i, data, z, ymm
	mov	\at + 8 * \i(REQS), %rax
	mov	REQ_DATA(%rax), \data
.if \i == 0
	mov	REQ_LEN(%rax), ONE_LEN
.else
	mov	REQ_LEN(%rax), %rcx
	xor	ONE_LEN, %rcx
	or	%rcx, DIFFER
.endif
	mov	REQ_KEY(%rax), %rax
.ifnb \ymm
	vmovdqu64 (%rax), \ymm
.else
	vinserti64x4 $1, (%rax), \z, \z
.endif
.endm

/*
 * The same for a run, with the eight requests that begin \at requests behind
 * REQS. Goes to \stop unless all are VAR_RUN_LEN long. Clobbers rax, Z, T.
 */
.macro	begin_run_eight at, stop
	mov	VAR_RUN_LEN(%rsp), ONE_LEN
	begin_run_lane \at, 0, \stop, DATA0, Z0, %ymm12
	begin_run_lane \at, 2, \stop, DATA2, Z0
	begin_run_lane \at, 1, \stop, DATA1, Z1, %ymm13
	begin_run_lane \at, 3, \stop, DATA3, Z1
	begin_run_lane \at, 4, \stop, DATA4, Z2, %ymm14
	begin_run_lane \at, 6, \stop, DATA6, Z2
	begin_run_lane \at, 5, \stop, DATA5, Z3, %ymm28
	begin_run_lane \at, 7, \stop, DATA7, Z3
	transpose
	split_key
.endm

/* Lane \i, as in begin_lane */
.macro	begin_run_lane at, i, stop, data, z, ymm
	cmp	REQ_SIZE * (\at + \i) + REQ_LEN(REQS), ONE_LEN
	jne	\stop
	mov	REQ_SIZE * (\at + \i) + REQ_KEY(REQS), %rax
	mov	REQ_SIZE * (\at + \i) + REQ_DATA(REQS), \data
.ifnb \ymm
	vmovdqu64 (%rax), \ymm
.else
	vinserti64x4 $1, (%rax), \z, \z
.endif
.endm

/*
 * LOA, HIA, LOB, HIB = the rows of Z, whose halves are lanes 0 2, 1 3, 4 6, 5
 * 7. The first step makes pairs of words of two messages, low and high; the
 * second step makes rows. Clobbers T.
 */
.macro	transpose
	vpunpcklqdq Z1, Z0, T0
	vpunpckhqdq Z1, Z0, Z1
	vpunpcklqdq Z3, Z2, T1
	vpunpckhqdq Z3, Z2, T2
	vshufi64x2 $0x88, T1, T0, LOA
	vshufi64x2 $0xdd, T1, T0, LOB
	vshufi64x2 $0xdd, T2, Z1, HIB
	vshufi64x2 $0x88, T2, Z1, HIA
.endm

/*
 * F = r, which is LOA + 2^64 HIA clamped, in radix 2^44: limbs below 2^44, 2^44
 * and 2^36. Clobbers T0.
 */
.macro	split_key
	vpsrlq	$44, LOA, F1
	vpsllq	$20, HIA, T0
	vpsrlq	$24, HIA, F2
	vpandq	clamp_0(%rip){1to8}, LOA, F0
	vpternlogq $0xa8, clamp_1(%rip){1to8}, T0, F1	/* (F1 | T0) & mask */
	vpandq	clamp_2(%rip){1to8}, F2, F2
	times20 F
.endm

/*
 * \x = \a^2, where \a\()S2 holds 20 \a\()2: fewer instructions than square,
 * with the same bounds. Clobbers L, U, T0, T1.
 */
.macro	square_by_s a, x
	vpaddq	\a\()1, \a\()1, T0
	vpaddq	\a\()2, \a\()2, T1
	zero_sums
	vpmadd52huq \a\()1, \a\()1, U2
	vpmadd52luq \a\()1, \a\()1, L2
	vpmadd52huq \a\()0, \a\()0, U0
	vpmadd52luq \a\()0, \a\()0, L0
	vpmadd52huq \a\()2, \a\()S2, U1
	vpmadd52luq \a\()2, \a\()S2, L1
	vpmadd52huq \a\()0, T0, U1
	vpmadd52luq \a\()0, T0, L1
	vpmadd52huq \a\()0, T1, U2
	vpmadd52luq \a\()0, T1, L2
	vpmadd52huq T0, \a\()S2, U0
	vpmadd52luq T0, \a\()S2, L0
	carry44	\x
.endm

/* VAR_R3 = E F, VAR_R4 = E^2. Clobbers Y, L, U, T. */
.macro	higher_powers
	movl	$1, VAR_HAS_GROUPS(%rsp)
	multiply E, F, Y
	store_power VAR_R3
	square_by_s E, Y
	store_power VAR_R4
.endm

/* Store Y as the power at \y. Clobbers T. */
.macro	store_power y
	vmovdqa64 Y0, \y(%rsp)
	vmovdqa64 Y1, \y + 64(%rsp)
	vmovdqa64 Y2, \y + 128(%rsp)
	vpxorq	T0, T0, T0
	vpxorq	T1, T1, T1
	vpmadd52luq by_2_132(%rip), Y1, T0
	vpmadd52luq by_2_132(%rip), Y2, T1
	vmovdqa64 T0, \y + 192(%rsp)
	vmovdqa64 T1, \y + 256(%rsp)
.endm

/* LOB, HIB = a row: 16 bytes of each message at OFFSET */
.macro	load_row
	vmovdqu64 (DATA0, OFFSET), %xmm12
	vmovdqu64 (DATA1, OFFSET), %xmm13
	vinserti64x2 $1, (DATA2, OFFSET), Z0, Z0
	vinserti64x2 $1, (DATA3, OFFSET), Z1, Z1
	vinserti64x2 $2, (DATA4, OFFSET), Z0, Z0
	vinserti64x2 $2, (DATA5, OFFSET), Z1, Z1
	vinserti64x2 $3, (DATA6, OFFSET), Z0, Z0
	vinserti64x2 $3, (DATA7, OFFSET), Z1, Z1
	vpunpcklqdq Z1, Z0, LOB
	vpunpckhqdq Z1, Z0, HIB
.endm

/*
 * LOB, HIB = those of the first 16 bytes of each message for which %eax has a
 * bit. Clobbers k1 to k4, rax.
 */
.macro	load_short_row
	kmovd	%eax, %k1
	shl	$16, %rax
	kmovd	%eax, %k2
	shl	$16, %rax
	kmovq	%rax, %k3
	shl	$16, %rax
	kmovq	%rax, %k4
	vmovdqu8 (DATA0), %xmm12{%k1}{z}
	vmovdqu8 (DATA1), %xmm13{%k1}{z}
	vmovdqu8 -16(DATA2), %ymm12{%k2}
	vmovdqu8 -16(DATA3), %ymm13{%k2}
	vmovdqu8 -32(DATA4), Z0{%k3}
	vmovdqu8 -32(DATA5), Z1{%k3}
	vmovdqu8 -48(DATA6), Z0{%k4}
	vmovdqu8 -48(DATA7), Z1{%k4}
	vpunpcklqdq Z1, Z0, LOB
	vpunpckhqdq Z1, Z0, HIB
.endm

/* Y = the only row of messages whose block lacks %ecx bytes */
.macro	load_one_row
	test	%ecx, %ecx
	jnz	.Lshort\@
	load_row
	split	LOB, HIB, ALL
	jmp	.Lloaded\@
.Lshort\@:
	mov	$0xffff, %eax
	shrx	%ecx, %eax, %eax
	load_short_row
	vporq	(MARKS){1to8}, LOB, LOB
	vporq	8(MARKS){1to8}, HIB, HIB
	kxorb	%k1, %k1, %k1
	split	LOB, HIB, %k1
.Lloaded\@:
.endm

/* The rows of the half at OFFSET + \at */
.macro	load_half at
	vmovdqu64 \at(DATA0, OFFSET), %ymm12
	vmovdqu64 \at(DATA1, OFFSET), %ymm13
	vmovdqu64 \at(DATA4, OFFSET), %ymm14
	vmovdqu64 \at(DATA5, OFFSET), %ymm28
	vinserti64x4 $1, \at(DATA2, OFFSET), Z0, Z0
	vinserti64x4 $1, \at(DATA3, OFFSET), Z1, Z1
	vinserti64x4 $1, \at(DATA6, OFFSET), Z2, Z2
	vinserti64x4 $1, \at(DATA7, OFFSET), Z3, Z3
	transpose
.endm

/* The upper half of \z = those of 32 bytes at \data for which k2 has a bit */
.macro	load_other_half at, data, z
	vmovdqu8 \at - 32(\data, OFFSET), \z{%k2}
.endm

/*
 * The rows of the last half, at OFFSET + \at, which lacks %ecx bytes; if any,
 * followed by the 1 bits. Sets WHOLE. Clobbers k1, k2, rax.
 */
.macro	load_end at
	test	%ecx, %ecx
	jnz	.Lshort\@
	load_half \at
	kmovb	ALL, WHOLE
	jmp	.Lloaded\@
.Lshort\@:
	mov	$-1, %eax
	shrx	%ecx, %eax, %eax
	kmovd	%eax, %k1
	shl	$32, %rax
	kmovq	%rax, %k2
	vmovdqu8 \at(DATA0, OFFSET), %ymm12{%k1}{z}
	vmovdqu8 \at(DATA1, OFFSET), %ymm13{%k1}{z}
	vmovdqu8 \at(DATA4, OFFSET), %ymm14{%k1}{z}
	vmovdqu8 \at(DATA5, OFFSET), %ymm28{%k1}{z}
	load_other_half \at, DATA2, Z0
	load_other_half \at, DATA3, Z1
	load_other_half \at, DATA6, Z2
	load_other_half \at, DATA7, Z3
	transpose
	vporq	(MARKS){1to8}, LOB, LOB
	vporq	8(MARKS){1to8}, HIB, HIB
	kxorb	WHOLE, WHOLE, WHOLE
.Lloaded\@:
.endm

/*
 * For messages whose lengths differ, from the lengths: L0 = t, the bytes of the
 * last block, 1 to 16, or 0 for an empty message; VAR_NEG_HALVES; ODD, WHOLE,
 * SOME; and the flag "not zero" if any message has fewer than 16 bytes.
 * Clobbers T, L1, rax, rcx, k1.
 */
.macro	describe_messages
	two_lengths 0, %xmm29
	two_lengths 2, %xmm30
	two_lengths 4, %xmm31
	two_lengths 6, %xmm3
	vinserti64x2 $1, %xmm30, T0, T0
	vinserti64x2 $1, %xmm3, T2, T2
	vinserti64x4 $1, %ymm31, T0, T0
	vpcmpuq	$1, sixteen(%rip){1to8}, T0, %k1
	kortestb %k1, %k1
	vptestmq T0, T0, SOME
	vpminuq	one(%rip){1to8}, T0, T1
	vpsubq	T1, T0, T1
	vpandq	minus_16(%rip){1to8}, T1, T1	/* bytes before the last block */
	vptestmq sixteen(%rip){1to8}, T1, ODD
	vpsubq	T1, T0, L0
	vptestmq sixteen(%rip){1to8}, L0, WHOLE
	vpandq	minus_32(%rip){1to8}, T1, T1
	vpxorq	L1, L1, L1
	vpsubq	T1, L1, T1
	vmovdqa64 T1, VAR_NEG_HALVES(%rsp)
.endm

/* \xmm = the lengths of lanes \i and \i + 1 */
.macro	two_lengths i, xmm
	mov	8 * \i(REQS), %rax
	mov	8 * \i + 8(REQS), %rcx
	vmovq	REQ_LEN(%rax), \xmm
	vpinsrq	$1, REQ_LEN(%rcx), \xmm, \xmm
.endm

/*
 * 16 bytes at \from for lane \i: a quarter of \z, or \xmm, its first, if that
 * is given
 */
.macro	load_quarter i, from, z, xmm
.ifnb \xmm
	vmovdqu64 \from, \xmm
.else
	vinserti64x2 $\i / 2, \from, \z, \z
.endif
.endm

/* The last 16 bytes of lane \i's message. Clobbers rax. */
.macro	load_tail i, data, z, xmm
	mov	8 * \i(REQS), %rax
	mov	REQ_LEN(%rax), %rax
	load_quarter \i, "-16(\data, %rax)", \z, \xmm
.endm

/*
 * The last block of lane \i's message, which may be partial. Clobbers rax, rcx,
 * rdx, k1, T2.
 */
.macro	load_short_last i, data, z, xmm
	rest_length \i
	mov	8 * \i(REQS), %rcx
	mov	REQ_LEN(%rcx), %rcx
	sub	%eax, %ecx
	mov	$-1, %edx
	bzhi	%ecx, %edx, %ecx
	kmovd	%ecx, %k1
.ifnb \xmm
	vmovdqu8 (\data, %rax), \xmm{%k1}{z}
.else
	vmovdqu8 (\data, %rax), %xmm31{%k1}{z}
	vinserti64x2 $\i / 2, %xmm31, \z, \z
.endif
.endm

/* %rax = the bytes before the last block of lane \i's message */
.macro	rest_length i
	mov	8 * \i(REQS), %rax
	mov	REQ_LEN(%rax), %rax
	sub	$1, %rax
	adc	$0, %rax
	and	$-16, %rax
.endm

/*
 * LOB, HIB hold the last 16 bytes of each message; shift them down by
 * s = 128 - 8 t bits, so that only the last block's t = L0 bytes remain.
 * Clobbers T, L1.
 *
 * Shifts by 64 or more, and by negative numbers, give 0.
 */
.macro	move_last
	vpbroadcastq sixteen(%rip), T0
	vpsubq	L0, T0, T0
	vpsllq	$3, T0, T0			/* s */
	vpbroadcastq sixty_four(%rip), T1
	vpsubq	T0, T1, T2			/* 64 - s */
	vpsubq	T1, T0, T1			/* s - 64 */
	vpsllvq	T2, HIB, L1
	vpsrlvq	T1, HIB, T1
	vpsrlvq	T0, LOB, LOB
	vpsrlvq	T0, HIB, HIB
	vpternlogq $0xfe, L1, T1, LOB		/* the OR of all three */
.endm

/*
 * VAR_LAST_LO, VAR_LAST_HI = LOB, HIB followed by the 1 bit, if t = L0 < 16.
 * Clobbers T.
 */
.macro	mark_last
	vpbroadcastq one(%rip), T2
	vpsllq	$3, L0, T0
	vpsubq	sixty_four(%rip){1to8}, T0, T1
	vpsllvq	T0, T2, T0
	vpsllvq	T1, T2, T1
	vporq	T0, LOB, LOB{SOME}
	vporq	T1, HIB, HIB
	vmovdqa64 LOB, VAR_LAST_LO(%rsp)
	vmovdqa64 HIB, VAR_LAST_HI(%rsp)
.endm

/*
 * Lane \i: load its first block, or NONE, if the number of blocks before the
 * last is even; compute the end of its halves; update LONGEST and SHORTEST.
 * Clobbers rax, rcx.
 */
.macro	begin_differ i, data, z, xmm
	rest_length \i
	mov	NONE, %rcx
	test	$16, %eax
	cmovnz	\data, %rcx
	load_quarter \i, (%rcx), \z, \xmm
	add	%rax, \data
	and	$-32, %rax
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

/* BEGUN = the lanes with a half at OFFSET. Clobbers T0. */
.macro	find_begun
	vpbroadcastq OFFSET, T0
	vpcmpq	$5, VAR_NEG_HALVES(%rsp), T0, BEGUN
.endm

/*
 * 32 bytes of lane \i, or NONE if it has not begun, to the upper half of \z, or
 * to \ymm, the lower half, if that is given
 */
.macro	load_begun i, data, z, ymm
	lea	(\data, OFFSET), %rax
	cmp	VAR_NEG_HALVES + 8 * \i(%rsp), OFFSET
	cmovl	NONE, %rax
.ifnb \ymm
	vmovdqu64 (%rax), \ymm
.else
	vinserti64x4 $1, (%rax), \z, \z
.endif
.endm

/*
 * L + 2^52 U = (h + m_1) r^2 + m_2 r for the half at OFFSET; h = 0 with
 * first=1. Clobbers Y, Z, T.
 */
.macro	half_of_all load=load_half, whole=ALL, first=0
	\load	0
	split	LOB, HIB, \whole
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
.if !\first
	add_h
.endif
	mul44	Y, E
.endm

/* L + 2^52 U = (h + m_1) r^4 + m_2 r^3 + m_3 r^2 + m_4 r for the group at OFFSET */
.macro	group_of_all load=load_half, whole=ALL
	\load	32
	split	LOB, HIB, \whole
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	mul44	Y, E
	load_half 0
	split	LOB, HIB, ALL
	mul44_stored	VAR_R3
	split	LOA, HIA, ALL
	add_h
	mul44_stored	VAR_R4
.endm

/*
 * Y = the row \lo, \hi in radix 2^44, with bit 128 in lanes \k: limbs below
 * 2^44, 2^44 and 2^41. Clobbers T0.
 */
.macro	split	lo, hi, k
	shift_words Y, \lo, \hi
	vporq	HIBIT, Y2, Y2{\k}
.endm

/* Y += h */
.macro	add_h
	vpaddq	X0, Y0, Y0
	vpaddq	X1, Y1, Y1
	vpaddq	X2, Y2, Y2
.endm

/*
 * L + 2^52 U += Y y (mod p), y the power at \y: as mul44, with the same bounds.
 * After four of these, one of them with h in Y, 5120 U2 < 2^52 in join44, and
 * all of L and its carries are far below 2^64.
 */
.macro	mul44_stored	y
	vpmadd52huq \y + 256(%rsp), Y2, U1
	vpmadd52huq \y + 192(%rsp), Y2, U0
	vpmadd52huq \y(%rsp), Y2, U2
	vpmadd52luq \y + 256(%rsp), Y2, L1
	vpmadd52luq \y + 192(%rsp), Y2, L0
	vpmadd52luq \y(%rsp), Y2, L2
	vpmadd52huq \y(%rsp), Y1, U1
	vpmadd52huq \y + 256(%rsp), Y1, U0
	vpmadd52huq \y + 64(%rsp), Y1, U2
	vpmadd52huq \y + 64(%rsp), Y0, U1
	vpmadd52huq \y(%rsp), Y0, U0
	vpmadd52huq \y + 128(%rsp), Y0, U2
	vpmadd52luq \y(%rsp), Y1, L1
	vpmadd52luq \y + 256(%rsp), Y1, L0
	vpmadd52luq \y + 64(%rsp), Y1, L2
	vpmadd52luq \y + 64(%rsp), Y0, L1
	vpmadd52luq \y(%rsp), Y0, L0
	vpmadd52luq \y + 128(%rsp), Y0, L2
.endm

/*
 * X0, X1 = the words of X mod p, modulo 2^128, where X is as join44 leaves it.
 * Clobbers X2, T.
 *
 * X is v = x0 + 2^44 x1 + 2^88 x2 = Q p + w with w < p. Let q = x2 / 2^42,
 * rounded down. q is Q or Q - 1: not above Q, as 2^130 q <= v, and v < (q + 2)
 * p, as x0 + 2^44 x1 + 5 q + 10 < 2^130. So (v + 5 q + 5) / 2^130, which is
 * Q + (w + 5 - 5 (Q - q)) / 2^130, is Q, rounded down. And w = v - Q p is the
 * part of v + 5 Q below bit 130.
 */
.macro	reduce
	vpsrlq	$42, X2, T0			/* q */
	vpaddq	by_2_130(%rip), X0, T1
	vpmadd52luq by_2_130(%rip), T0, T1
	vpsrlq	$44, T1, T1
	vpaddq	X1, T1, T1
	vpsrlq	$44, T1, T1
	vpaddq	X2, T1, T1
	vpsrlq	$42, T1, T1			/* Q */
	vpsllq	$24, X2, X2
	vpmadd52luq by_2_130(%rip), T1, X0
	vpsrlq	$44, X0, T0
	vpaddq	T0, X1, X1
	vpsllq	$44, X1, T0
	vpsrlq	$20, X1, X1
	vpternlogq $0xea, T0, M44, X0		/* X0 = (X0 & M44) | T0 */
	vpaddq	X2, X1, X1
.endm

/*
 * X2, T1 = X0 + 2^64 X1 + s modulo 2^128: the tags of lanes 0 2 4 6, and of
 * lanes 1 3 5 7. Clobbers X, T0, k1.
 */
.macro	add_pads
	vpbroadcastq one(%rip), T0	/* a masked load would show which lanes carry */
	vpaddq	VAR_PADS(%rsp), X0, X0
	vpaddq	VAR_PADS + 64(%rsp), X1, X1
	vpcmpuq	$1, VAR_PADS(%rsp), X0, %k1		/* carried */
	vpaddq	T0, X1, X1{%k1}
	vpunpcklqdq X1, X0, X2
	vpunpckhqdq X1, X0, T1
.endm

/* Write the tags X2 and T1, with \run those of a run. Clobbers rax. */
.macro	store_tags run=0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
.if \run
	mov	REQ_SIZE * \i + REQ_TAG(REQS), %rax
.else
	mov	8 * \i(REQS), %rax
	mov	REQ_TAG(%rax), %rax
.endif
.if \i == 0
	vmovdqu	%xmm2, (%rax)
.elseif \i == 1
	vmovdqu64 %xmm30, (%rax)
.elseif \i & 1
	vextracti64x2 $\i / 2, T1, (%rax)
.else
	vextracti64x2 $\i / 2, X2, (%rax)
.endif
.endr
.endm

/* Zero \n rows of the frame; zmm0 is 0. */
.macro	wipe_rows	from, n
.set i, 0
.rept	\n
	vmovdqa64 %zmm0, \from + 64 * i(%rsp)
.set i, i + 1
.endr
.endm
