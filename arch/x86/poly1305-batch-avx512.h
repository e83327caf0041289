/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stack frame, the registers and the arithmetic of poly1305-batch-avx512.S,
 * which explains them, beside what it shares with poly1305-avx512.S. Whatever a
 * macro does to vectors it does in each lane, which belongs to another message.
 *
 * The bounds stated here are recomputed by tests/bounds/poly1305-batch-avx512.py.
 */

/* From how many groups in the longest message on r^3 and r^4 pay */
.set GROUPS_MIN,	4

/* struct poly1305_mac_req */
.set REQ_KEY,		0
.set REQ_DATA,		8
.set REQ_LEN,		16
.set REQ_TAG,		24

/*
 * The stack frame. A power y takes five rows: y0, y1, y2, 20 y1, 20 y2. From
 * PADS on it holds key material.
 */
.set TODO,		0	/* messages not done yet */
.set HAS_GROUPS,	4	/* whether R3 and R4 have ever been used */
.set BY_GROUPS,		8	/* whether they are, for messages that differ */
/* Messages that differ: */
.set LOADS,		64	/* which bytes of its group each has */
.set SIZES,		128	/* bytes, the last block counted as whole */
.set ENDS,		192	/* data + SIZES */
.set LAST_LOADS,	256	/* LOADS in a last group that is not the first */
.set MARK_LO,		320	/* the 1 bits behind messages, in the last row */
.set MARK_HI,		384
.set PADS,		448	/* s */
.set R4,		PADS + 2 * 64
.set R3,		R4 + 5 * 64
.set FRAME,		R3 + 5 * 64

/* Requests */
.set REQS,		%rdi
/* The messages of one length: it, what is left, where; 16 bytes as padding has them */
.set LEN,		%rdx
.set LEFT,		%rdx
.set OFFSET,		%rbx
.set MARKS,		%rsi
/* Whether lengths differ */
.set DIFFER,		%rbx
/* Else SIZES of the longest message and of the shortest; minus the latter, later */
.set LONGEST,		%rcx
.set SHORTEST,		%rsi
/* data, or ENDS */
.set DATA0,		%r8
.set DATA1,		%r9
.set DATA2,		%r10
.set DATA3,		%r11
.set DATA4,		%r12
.set DATA5,		%r13
.set DATA6,		%r14
.set DATA7,		%r15

/* 32 bytes of each message as they are loaded, two messages in each */
.set Z0,		%zmm12
.set Z1,		%zmm13
.set Z2,		%zmm14
.set Z3,		%zmm28
/* The low and high words of both rows of a half */
.set LOA,		Z0
.set HIA,		Z1
.set LOB,		Z2
.set HIB,		Z3
/* All lanes; lanes whose last block is whole, if they have one */
#define ALL		%k7
#define WHOLE		%k6
/* ... or, with messages of one length, a last row's lanes with a bit 128 */
#define LAST		%k6

/* Lane \i: its data, whether its length differs from lane 0's; %rcx = its key */
.macro	begin_lane i, data
	mov	8 * \i(REQS), %rax
	mov	REQ_DATA(%rax), \data
.if \i == 0
	mov	REQ_LEN(%rax), LEN
.else
	mov	REQ_LEN(%rax), %rcx
	xor	LEN, %rcx
	or	%rcx, DIFFER
.endif
	mov	REQ_KEY(%rax), %rcx
.endm

/* The key at %rcx, r0 r1 s0 s1, as one half of \z, then as the other */
.macro	load_first_key z, ymm
	vmovdqu64 (%rcx), \ymm
.endm

.macro	load_second_key z
	vinserti64x4 $1, (%rcx), \z, \z
.endm

/*
 * LOA, HIA, LOB, HIB = the rows of Z, whose halves are lanes 0 2, 1 3, 4 6, 5 7:
 * first pairs of words of two messages, low and high; then rows. Clobbers T.
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
 * F = r, LOA + 2^64 HIA clamped, in radix 2^44: limbs below 2^44, 2^44 and 2^36.
 * Clobbers T.
 */
.macro	split_key
	vpandq	clamp_lo(%rip){1to8}, LOA, T1
	vpandq	clamp_hi(%rip){1to8}, HIA, T2
	vpsllq	$20, T2, T0
	vpsrlq	$44, T1, F1
	vpsrlq	$24, T2, F2
	vpandq	M44, T1, F0
	vpternlogq $0xa8, M44, T0, F1		/* F1 = (F1 | T0) & M44 */
	twenty_times F
.endm

/* \y\()S1, \y\()S2 = 20 times \y\()1, \y\()2, which are below 2^47 */
.macro	twenty_times y
	vpxorq	\y\()S1, \y\()S1, \y\()S1
	vpxorq	\y\()S2, \y\()S2, \y\()S2
	vpmadd52luq twenty(%rip){1to8}, \y\()1, \y\()S1
	vpmadd52luq twenty(%rip){1to8}, \y\()2, \y\()S2
.endm

/* R3 = E F, R4 = E^2. Clobbers Y, L, U, T. */
.macro	higher_powers
	movl	$1, HAS_GROUPS(%rsp)
	multiply E, F, Y
	store_power R3
	square	E, Y
	store_power R4
.endm

/* Store Y as the power at \y. Clobbers T. */
.macro	store_power y
	vmovdqa64 Y0, \y(%rsp)
	vmovdqa64 Y1, \y + 64(%rsp)
	vmovdqa64 Y2, \y + 128(%rsp)
	vpxorq	T0, T0, T0
	vpxorq	T1, T1, T1
	vpmadd52luq twenty(%rip){1to8}, Y1, T0
	vpmadd52luq twenty(%rip){1to8}, Y2, T1
	vmovdqa64 T0, \y + 192(%rsp)
	vmovdqa64 T1, \y + 256(%rsp)
.endm

/* LOB, HIB = a row, 16 bytes of each message at OFFSET */
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
 * LOB, HIB = what %eax has bits for of the first 16 bytes of each message.
 * Clobbers k1 to k4, rax.
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

/* Z = 32 bytes of each message at OFFSET + \at */
.macro	load_half at
	vmovdqu64 \at(DATA0, OFFSET), %ymm12
	vmovdqu64 \at(DATA1, OFFSET), %ymm13
	vmovdqu64 \at(DATA4, OFFSET), %ymm14
	vmovdqu64 \at(DATA5, OFFSET), %ymm28
	vinserti64x4 $1, \at(DATA2, OFFSET), Z0, Z0
	vinserti64x4 $1, \at(DATA3, OFFSET), Z1, Z1
	vinserti64x4 $1, \at(DATA6, OFFSET), Z2, Z2
	vinserti64x4 $1, \at(DATA7, OFFSET), Z3, Z3
.endm

/*
 * The rows of the last half, at OFFSET + \at, with the 1 bits behind it if %ecx
 * bytes are missing; LAST. Clobbers k1, k2, rax.
 */
.macro	load_end at
	test	%ecx, %ecx
	jnz	.Lshort\@
	load_half \at
	transpose
	kmovb	ALL, LAST
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
	vmovdqu8 \at-32(DATA2, OFFSET), Z0{%k2}
	vmovdqu8 \at-32(DATA3, OFFSET), Z1{%k2}
	vmovdqu8 \at-32(DATA6, OFFSET), Z2{%k2}
	vmovdqu8 \at-32(DATA7, OFFSET), Z3{%k2}
	transpose
	vporq	(MARKS){1to8}, LOB, LOB
	vporq	8(MARKS){1to8}, HIB, HIB
	kxorb	LAST, LAST, LAST
.Lloaded\@:
.endm

/* SIZES of messages that differ, all in a vector, and what follows from them:
 * LAST_LOADS, MARK_LO, MARK_HI and WHOLE. Of a message whose last block has t
 * bytes, the last 16 - t bytes of the last group are missing, and bit 8 t of the
 * last block is its 1 bit, or if t = 16 its bit 128. Clobbers T, L, U.
 *
 * Shifts by 64 and more, and by negative numbers, give 0.
 */
.macro	describe_messages
	two_lengths 0, %xmm29
	two_lengths 2, %xmm30
	two_lengths 4, %xmm31
	two_lengths 6, %xmm3
	vinserti64x2 $1, %xmm30, T0, T0
	vinserti64x2 $2, %xmm31, T0, T0
	vinserti64x2 $3, %xmm3, T0, T0
	vpaddq	fifteen(%rip){1to8}, T0, T1
	vpsrlq	$4, T1, T1
	vpsllq	$4, T1, T1
	vmovdqa64 T1, SIZES(%rsp)
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

/* \xmm = the lengths of lanes \i and \i + 1 */
.macro	two_lengths i, xmm
	mov	8 * \i(REQS), %rax
	mov	8 * \i + 8(REQS), %rcx
	vmovq	REQ_LEN(%rax), \xmm
	vpinsrq	$1, REQ_LEN(%rcx), \xmm, \xmm
.endm

/* Lane \i: its end for its data; what it makes of LONGEST and SHORTEST */
.macro	end_lane i, data
	mov	SIZES + 8 * \i(%rsp), %rax
	add	%rax, \data
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
 * Of the group whose last \size bytes are at OFFSET, LOADS, and in k2 to k5 the
 * lanes of each of its rows that have a bit 128. Clobbers T, k1, rax.
 */
.macro	mask_lanes size
	lea	\size - 64(OFFSET), %rax
	vpbroadcastq %rax, T0
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
	cmp	$-\size, OFFSET
	jne	.Lmasked\@
	vpandq	LAST_LOADS(%rsp), T2, T2
	kmovb	WHOLE, %k5
.Lmasked\@:
	vmovdqa64 T2, LOADS(%rsp)
.endm

/* As load_half, but only bytes that LOADS has bits for, from byte \from of its bits on */
.macro	load_masked_half at, from
	load_masked_two \at, \from, 0, DATA0, Z0, %ymm12, 2, DATA2
	load_masked_two \at, \from, 1, DATA1, Z1, %ymm13, 3, DATA3
	load_masked_two \at, \from, 4, DATA4, Z2, %ymm14, 6, DATA6
	load_masked_two \at, \from, 5, DATA5, Z3, %ymm28, 7, DATA7
.endm

.macro	load_masked_two at, from, i, data_i, z, ymm, j, data_j
	kmovd	LOADS + 8 * \i + \from(%rsp), %k1
	vmovdqu8 \at(\data_i, OFFSET), \ymm{%k1}{z}
	kmovd	LOADS + 8 * \j + \from(%rsp), %k1
	vmovdqu8 \at(\data_j, OFFSET), %ymm29{%k1}{z}
	vinserti64x4 $1, %ymm29, \z, \z
.endm

/* The 1 bits behind messages, if these are their last \size bytes */
.macro	mark_end size
	cmp	$-\size, OFFSET
	jne	.Lmarked\@
	vporq	MARK_LO(%rsp), LOB, LOB
	vporq	MARK_HI(%rsp), HIB, HIB
.Lmarked\@:
.endm

/*
 * Y = the row \lo, \hi in radix 2^44, with bit 128 in lanes \k: limbs below
 * 2^44, 2^44 and 2^41. Clobbers T0.
 */
.macro	split	lo, hi, k
	vpsllq	$20, \hi, T0
	vpsrlq	$44, \lo, Y1
	vpsrlq	$24, \hi, Y2
	vpandq	M44, \lo, Y0
	vpternlogq $0xa8, M44, T0, Y1		/* Y1 = (Y1 | T0) & M44 */
	vporq	HIBIT, Y2, Y2{\k}
.endm

/* Y += h */
.macro	add_h
	vpaddq	X0, Y0, Y0
	vpaddq	X1, Y1, Y1
	vpaddq	X2, Y2, Y2
.endm

/*
 * L + 2^52 U += Y y (mod p), y being the power at \y: as mul44, with the same
 * bounds. Four of these, of which one with h in Y, leave 5120 U2 < 2^52 for
 * join44, and all of L and its carries far below 2^64.
 */
.macro	mul_row	y
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
 * L0, L1 = the words of L + 2^52 U mod p, modulo 2^128. Clobbers L, U, T.
 *
 * After join44 this is v = l0 + 2^44 l1 + 2^88 l2. With q = v / 2^130, rounded
 * down, v - q p = v + 5 q - 2^130 q is below 2p, for 5 q is below p. So the
 * multiple of p to subtract is Q = (v + 5 q + 5) / 2^130, rounded down, q or
 * q + 1; and v - Q p is what v + 5 Q has below bit 130.
 */
.macro	reduce
	join44
	vpsrlq	$44, L0, T0
	vpaddq	by_2_130(%rip), L0, T1
	vpaddq	L1, T0, T0
	vpsrlq	$44, T0, T0
	vpaddq	L2, T0, T0
	vpsrlq	$42, T0, T0			/* q */
	vpmadd52luq by_2_130(%rip), T0, T1
	vpsrlq	$44, T1, T1
	vpaddq	L1, T1, T1
	vpsrlq	$44, T1, T1
	vpaddq	L2, T1, T1
	vpsrlq	$42, T1, T1			/* Q */
	vpsllq	$24, L2, L2
	vpmadd52luq by_2_130(%rip), T1, L0
	vpsrlq	$44, L0, T0
	vpaddq	T0, L1, L1
	vpsllq	$44, L1, T0
	vpsrlq	$20, L1, L1
	vpternlogq $0xea, T0, M44, L0		/* L0 = (L0 & M44) | T0 */
	vpaddq	L2, L1, L1
.endm

/*
 * L2, U0 = L0 + 2^64 L1 + s modulo 2^128, the tags of lanes 0 2 4 6, of lanes
 * 1 3 5 7. Clobbers L, k1.
 */
.macro	add_pads
	vpaddq	PADS(%rsp), L0, L0
	vpaddq	PADS + 64(%rsp), L1, L1
	vpcmpuq	$1, PADS(%rsp), L0, %k1		/* carried */
	vpaddq	one(%rip){1to8}, L1, L1{%k1}
	vpunpcklqdq L1, L0, L2
	vpunpckhqdq L1, L0, U0
.endm

/* Write L2 and U0 where they belong. Clobbers rax, rcx. */
.macro	store_tags
	store_tag 0, %rax
	store_tag 1, %rcx
	store_tag 2, %rax
	store_tag 3, %rcx
	store_tag 4, %rax
	store_tag 5, %rcx
	store_tag 6, %rax
	store_tag 7, %rcx
.endm

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
