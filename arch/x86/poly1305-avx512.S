/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for x86-64 CPUs with AVX512F, VL, BW, DQ, IFMA and VBMI2, and BMI2.
 *
 * poly1305_core.h has the notation and the contract. A vector is eight blocks, one in each
 * 64-bit lane. As numbers they are three zmm registers, one for each limb.
 *
 * Two loads, m_1 ... m_4 and m_5 ... m_8, and vpunpck{l,h}qdq bring the low and the high words
 * of a vector's blocks into the lanes in the order below. P is the powers of r that the last
 * vector is multiplied by.
 *
 *	blocks			1 5 2 6 3 7 4 8
 *	exponents of r in P	8 4 7 3 6 2 5 1
 *
 * A message of n blocks is ceil(n / 8) vectors. If n is not a multiple of 8, the first vector
 * has fewer blocks, the last of its eight. The other lanes hold 0, which changes nothing. So
 * the last vector is always multiplied by P:
 *
 *	X = v_1;  X = X r^8 + v_i  for i = 2 ... ;  h = sum of lanes of X P.
 *
 * Radix 2^44, with limbs of 44, 44 and 42 bits, is for all powers, and for messages with fewer
 * than LONG_VECTORS vectors after the first; 2^132 = 4 * 2^130 = 20 (mod p). Longer messages
 * take the multiplier's radix 2^52, with limbs of 52, 52 and 26 bits. Names with 44 or 52 are
 * for that radix. Macros on vectors compute each lane independently.
 * tests/proofs proves the bounds stated here.
 */

#include "poly1305-macros.h"

	.section .rodata
	.p2align 6
/* In all lanes, by a broadcast: factors (mod p), and masks */
by_1:
	.quad	1
by_2_8:
	.quad	1 << 8
by_2_20:
	.quad	1 << 20
by_2_36:
	.quad	1 << 36
by_2_44:
	.quad	1 << 44
by_2_130:
	.quad	5
by_2_132:
	.quad	20
by_2_140:
	.quad	20 << 8
by_2_156:
	.quad	5 << 26
mask26:
	.quad	(1 << 26) - 1
mask42:
	.quad	(1 << 42) - 1
mask44:
	.quad	(1 << 44) - 1
mask52:
	.quad	(1 << 52) - 1
/* Masks of the lanes for r^2, r^3 and r^4, and of the lanes that are multiplied by r^4 */
lanes_of_powers:
	.byte	0x30, 0x0c, 0x03, 0x55
	.p2align 3
/* Bit 128 of the blocks of a vector; from the second qword on, of all blocks but the last */
hibits:
	.fill	8, 8, 1
	.quad	0
/* 1 in the odd lanes */
odd_lanes:
	.rept	4
	.quad	0, 1
	.endr
/* A byte 1 at 128. A load from byte 128 - n pads a message of n bytes. */
padding:
	.fill	128, 1, 0
	.fill	1, 1, 1
	.fill	126, 1, 0
/*
 * For a first vector of f = 1 ... 8 blocks, row f: the index of each lane's low word among the
 * words of the f blocks. They become the last blocks; lanes without a block have negative
 * indices.
 */
lanes_from_blocks:
	.set	f, 1
	.rept	8
	.irp	i, 0, 4, 1, 5, 2, 6, 3, 7
	.byte	2 * (\i + f - 8)
	.endr
	.set	f, f + 1
	.endr
/* For each lane of P, the index of its power in a row of state->pow */
lanes_from_state:
	.byte	0, 4, 1, 5, 2, 6, 3, 7
/* For each power in a row of state->pow, its lane of P */
state_from_lanes:
	.byte	0, 2, 4, 6, 1, 3, 5, 7
/* Masks of the lanes of the last f of 8 blocks, f = 0 ... 8, and of the first of them alone */
lanes_of_last:
	.byte	0x00, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff
lane_of_first:
	.byte	0x80, 0x20, 0x08, 0x02, 0x40, 0x10, 0x04, 0x01

	.text

/*
 * The least numbers of vectors after the first, measured on Emerald Rapids. PAIRS: two at a
 * time. LONG_VECTORS: in radix 2^52. GROUPS_OF_16, GROUPS_OF_32: in groups of that size,
 * without the three vectors that are processed while the table is computed.
 */
.set PAIRS,		3
.set LONG_VECTORS,	36
.set GROUPS_OF_16,	36
.set GROUPS_OF_32,	128

/*
 * General registers
 */

/* Arguments */
.set STATE,		%rdi
.set KEY,		%rdi	/* of a digest function; in a packet's MAC, r and s */
.set DATA,		%rsi	/* the next vector, or the end of the message */
.set LEN,		%r10	/* a copy of %rdx: bytes, or in the block function first blocks */
.set LEN_32,		%r10d
.set TAG,		%rcx
.set HIBIT_32,		%ecx

/* Arguments of finish_avx512, with DATA and LEN */
.set LATER,		%rdx	/* blocks after the first, which is h if OWN is 1 */
.set KEPT,		%r8d	/* 1 if P came from state->pow, else 0 */
.set HAS_H,		%ecx	/* 1 if h is in U, or 0 if h is 0 */
.set OWN,		%r9	/* 1 if h is a block of its own, before the message; else 0 */
.set OWN_32,		%r9d
.set PADDING,		%r11	/* 64 bytes that pad the last vector */

/* While vectors are processed */
.set VECS,		%rdi	/* vectors from DATA on */
.set VECS_8,		%dil
.set FIRST,		%rdx	/* in place of LATER: blocks in the first vector, less 1 */
.set FIRST_32,		%edx
.set AT,		%rax	/* an address */
.set ONES,		%rax	/* all bits 1, for masks of bytes */
.set MASK,		%rdi	/* in place of VECS, which is 0 before and after: a mask of bytes */
.set MASK_32,		%edi

/* A number in radix 2^64 with small h2, in the places of KEPT and OWN */
.set H0,		%rax
.set H0_32,		%eax
.set H1,		%r8
.set H1_32,		%r8d
.set H2,		%r9
.set H2_32,		%r9d

/* While powers are computed; %rdx is an operand of mulx. */
.set R0,		%rdi	/* r */
.set R1,		%rcx
.set Q1,		%r11	/* 5 r1 / 4, which is 2^128 r1 (mod p) */
.set A0,		%rbx	/* scratch */
.set A1,		%r12
.set B0,		%r13
.set B1,		%r14
.set CLAMP,		%rax

/*
 * Vectors, in radix 2^44. A suffix names the low half or quarter of a register.
 */

/* X, the value so far */
.set X0,		%zmm0
.set X1,		%zmm1
.set X2,		%zmm2
/* L, sums of low halves of products */
.set L0,		%zmm3
.set L1,		%zmm4
.set L2,		%zmm5
.set L0_XMM,		%xmm3
.set L1_XMM,		%xmm4
.set L2_XMM,		%xmm5
/* U, sums of high halves */
.set U0,		%zmm6
.set U1,		%zmm7
.set U2,		%zmm8
.set U0_XMM,		%xmm6
.set U1_XMM,		%xmm7
.set U2_XMM,		%xmm8
.set U2_YMM,		%ymm8
/* Y, a vector of blocks, or powers for the table */
.set Y0,		%zmm9
.set Y1,		%zmm10
.set Y2,		%zmm11
.set Y0_XMM,		%xmm9
.set Y1_XMM,		%xmm10
.set Y2_XMM,		%xmm11
/* P, the powers that the last vector is multiplied by; its first lane is r^8. */
.set P0,		%zmm12
.set P1,		%zmm13
.set P2,		%zmm14
.set P0_XMM,		%xmm12
.set P1_XMM,		%xmm13
.set P2_XMM,		%xmm14
/* E = r^8 in all lanes */
.set E0,		%zmm15
.set E1,		%zmm16
.set E2,		%zmm17
.set ES1,		%zmm18	/* 20 E1 */
.set ES2,		%zmm19	/* 20 E2 */
.set E0_XMM,		%xmm15
.set E1_XMM,		%xmm16
.set E2_XMM,		%xmm17
/* F = r^16 in all lanes; while powers are computed, any factor */
.set F0,		%zmm20
.set F1,		%zmm21
.set F2,		%zmm22
.set FS1,		%zmm23	/* 20 F1 */
.set FS2,		%zmm24	/* 20 F2 */
/* At the end of a message, when F is no longer needed */
.set PS1,		%zmm23	/* 20 P1 */
.set PS2,		%zmm24	/* 20 P2 */
/* Constants of the call */
.set M44,		%zmm25	/* masks */
.set M42,		%zmm26
.set HIBIT,		%zmm27	/* bit 128, 0 or 1, of all blocks */
.set LAST_HIBIT,	%zmm28	/* bit 128 of the blocks of the last vector */
/* Scratch */
.set T0,		%zmm29
.set T1,		%zmm30
.set T2,		%zmm31
/* While vectors are taken in pairs, which leaves T2 free: 2^40 HIBIT, bit 128 in limb 2 */
.set BIT40,		%zmm31

/* Masks: lanes of the first vector that have a block; scratch */
#define FIRST_LANES	%k3
#define FIRST_BLOCK	%k7
#define BYTES		%k1
/* The bytes of the last vector's second half that belong to the message */
#define LAST_B		%k4

/*
 * Powers of r in general registers
 */

/* Zero the caller-saved registers that may hold key material, H above all, and return. */
.macro	wipe_and_return_44
	pop	%rbp
	zero_regs %eax, %ecx, %edx, %esi, %edi, %r8d, %r9d
	RET
.endm

/*
 * H = H r (mod p), in radix 2^64, r clamped: the three sums of mul_r. In: R, Q1. Clobbers %rdx,
 * A, B. For h2 <= 4 the first two sums are below 2^126. The third, with the carry, is below
 * 2^63. Its bits above 130, below 2^61, are folded by 2^130 = 5, which leaves h2 <= 4.
 */
.macro	h_times_r
	/* A0 + 2^64 A1 = h0 r0 + h1 q1, with h1 r0 begun in B */
	mov	R0, %rdx
	mulx	H0, A0, A1
	mulx	H1, B0, B1
	mov	Q1, %rdx
	mulx	H1, %rdx, H1
	add	%rdx, A0
	adc	H1, A1
	/* B0 + 2^64 B1 = h1 r0 + h0 r1 */
	mov	R1, %rdx
	mulx	H0, H0, H1
	add	H0, B0
	adc	H1, B1
	/* B0 and B1 += h2 q1, H2 = h2 r0 */
	mov	Q1, H0
	imul	H2, H0
	imul	R0, H2
	add	H0, B0
	adc	$0, B1
	/* A0 + 2^64 B0 + 2^128 H2 is the product. */
	add	A1, B0
	adc	B1, H2
	mov	A0, H0
	mov	B0, H1
	fold	H0, H1, H2, A0
.endm

/*
 * Lanes \k of L0, L2 and T2 = H, in radix 2^64. If \z is {z}, the other lanes of T2 become 0.
 */
.macro	set_lanes k, z
	vpbroadcastq H0, L0{\k}
	vpbroadcastq H1, L2{\k}
	vpbroadcastq H2, T2{\k}\z
.endm

/*
 * Arithmetic in radix 2^44
 */

/* M44 and M42 in all lanes */
.macro	set_masks
	vpbroadcastq mask44(%rip), M44
	vpbroadcastq mask42(%rip), M42
.endm

/* Vectors = 0 */
.macro	zero_vectors vectors:vararg
.irp v, \vectors
	vpxorq	\v, \v, \v
.endr
.endm

/* Vectors up to zmm15 = 0, named by their low quarters: VEX takes two bytes less than EVEX. */
.macro	zero_low_vectors quarters:vararg
.irp v, \quarters
	vpxor	\v, \v, \v
.endr
.endm

/* L + 2^52 U = 0 */
.macro	zero_sums
	zero_low_vectors L0_XMM, L1_XMM, L2_XMM, U0_XMM, U1_XMM, U2_XMM
.endm

/*
 * \r\()S1 = 20 \r\()1 and \r\()S2 = 20 \r\()2, for limbs below 2^47. The multiplier takes
 * longer than shifts and additions, but fewer instructions.
 */
.macro	times20	r
	zero_vectors \r\()S1, \r\()S2
	vpmadd52luq by_2_132(%rip){1to8}, \r\()1, \r\()S1
	vpmadd52luq by_2_132(%rip){1to8}, \r\()2, \r\()S2
.endm

/* L_i + 2^52 U_i += x y */
.macro	madd52	x, y, i
	vpmadd52huq \x, \y, U\i
	vpmadd52luq \x, \y, L\i
.endm

/*
 * L + 2^52 U += \a \r (mod p) in radix 2^44. \r\()S1, \r\()S2 and \a\()0 are ready last, so
 * products without them come first. Products for the sums that carry44 uses last come last.
 *
 * Bounds: \a and \r below 2^45, 2^45, 2^43, so \r\()S1 < 2^49.4 and \r\()S2 < 2^47.4: all
 * factors are below 2^52. One call adds less than 3 * 2^52 to each limb of L, 2^41.5 to U0, U1
 * and 2^38.6 to U2.
 */
.macro	mul44	a, r
	madd52	\a\()1, \r\()0, 1
	madd52	\a\()1, \r\()1, 2
	madd52	\a\()2, \r\()S1, 0
	madd52	\a\()2, \r\()0, 2
	madd52	\a\()2, \r\()S2, 1
	madd52	\a\()1, \r\()S2, 0
	/* \a\()0 \r\()2, \a\()0 \r\()1 and \a\()0 \r\()0 */
	vpmadd52huq \a\()0, \r\()2, U2
	vpmadd52huq \a\()0, \r\()1, U1
	vpmadd52luq \a\()0, \r\()2, L2
	madd52	\a\()0, \r\()0, 0
	vpmadd52luq \a\()0, \r\()1, L1
.endm

/*
 * L = L + 2^52 U (mod p) in radix 2^44. 2^52 is 2^8 times the weight of the next limb, and
 * limb 2 wraps around by 2^8 * 2^132 = 2^140 (mod p).
 *
 * Bounds, after at most two mul44 that started from L below 2^52: 5120 U2 < 2^52 and
 * 2^8 U0, 2^8 U1 < 2^51, so low halves are whole products; L < 2^55.
 */
.macro	join44
	vpmadd52luq by_2_140(%rip){1to8}, U2, L0
	vpmadd52luq by_2_8(%rip){1to8}, U0, L1
	vpmadd52luq by_2_8(%rip){1to8}, U1, L2
.endm

/*
 * \x = L + 2^52 U (mod p). All limbs carry at once, and only to the next limb, which is enough
 * for the next multiplication. Clobbers L, U.
 *
 * Bounds, after at most two mul44 that started from L below 2^52: the carries are below 2^11,
 * 2^11 and 2^13, so \x\()0 < 2^44 + 2^15.4, \x\()1 < 2^44 + 2^11, \x\()2 < 2^42 + 2^11.
 */
.macro	carry44	x
	join44
	/* The carries of limbs 2, 1 and 0 */
	vpsrlq	$42, L2, U2
	vpsrlq	$44, L1, U1
	vpsrlq	$44, L0, U0
	/* Limbs without carries, plus the carry of the limb below, 5 times that of limb 2 */
	vpandq	M44, L0, \x\()0
	vpandq	M42, L2, L2
	vpmadd52luq by_2_130(%rip){1to8}, U2, \x\()0
	vpandq	M44, L1, L1
	vpaddq	U0, L1, \x\()1
	vpaddq	U1, L2, \x\()2
.endm

/* \x = \a \r (mod p), with the bounds of mul44 and carry44. Clobbers L, U. */
.macro	multiply a, r, x
	zero_sums
	mul44	\a, \r
	carry44	\x
.endm

/*
 * \x = \a^2 (mod p). Each product that occurs twice is computed once, with a doubled factor.
 * Clobbers L, U, T. Bounds: 2 \a\()1, 2 \a\()2 and 20 \a\()2 are below 2^52; the sums have the
 * bounds of mul44.
 */
.macro	square_44	a, x
	/* T0 = 2 a1, and the parts of T2 = 20 a2 = 4 a2 + 16 a2 */
	vpsllq	$1, \a\()1, T0
	vpsllq	$2, \a\()2, T1
	vpsllq	$4, \a\()2, T2
	zero_sums
	madd52	\a\()1, \a\()1, 2
	madd52	\a\()0, \a\()0, 0
	vpaddq	T1, T2, T2
	vpsrlq	$1, T1, T1			/* 2 a2 */
	madd52	\a\()0, T0, 1
	madd52	\a\()0, T1, 2
	/* 20 a2^2 to limb 1, and 20 (2 a1 a2) to limb 0 */
	vpmadd52huq \a\()2, T2, U1
	vpmadd52huq T0, T2, U0
	vpmadd52luq \a\()2, T2, L1
	vpmadd52luq T0, T2, L0
	carry44	\x
.endm

/*
 * \x = \lo + 2^64 \hi + 2^128 \top in radix 2^44: below 2^44, 2^44, and 2^43 for \top up to 4.
 * \lo and \hi may be \x\()0 and \x\()2.
 */
.macro	split_words_44 x, lo, hi, top
	vpshrdq	$44, \hi, \lo, \x\()1
	vpshrdq	$24, \top, \hi, \x\()2
	vpandq	M44, \lo, \x\()0
	vpandq	M44, \x\()1, \x\()1
.endm

/* \x = the vector of blocks in T0, T1, in radix 2^44, with bit 128 in \hibit */
.macro	split44	x, hibit
	vpunpcklqdq T1, T0, \x\()0
	vpunpckhqdq T1, T0, \x\()2
	split_words_44 \x, \x\()0, \x\()2, \hibit
.endm

/*
 * \x = the vector of blocks in T0, T1, in radix 2^44, with bit 128 in BIT40. Shifts take the
 * place of vpshrdq, which occupies the multiplier on some CPUs. Clobbers T0.
 */
.macro	shift44	x
	vpunpcklqdq T1, T0, \x\()0
	vpunpckhqdq T1, T0, \x\()2
	/* Bits 44 ... 63 of the low word, and 0 ... 23 of the high word */
	vpsllq	$20, \x\()2, T0
	vpsrlq	$44, \x\()0, \x\()1
	vpsrlq	$24, \x\()2, \x\()2
	vpandq	M44, \x\()0, \x\()0
	vpternlogq $0xa8, M44, T0, \x\()1	/* (\x\()1 | T0) & M44 */
	vporq	BIT40, \x\()2, \x\()2
.endm

/*
 * Start the sums with a vector of weight 1: L + 2^52 U = the blocks in T0, T1, with bit 128 in
 * T2. Low words are split at 52 bits. High words, of weight 2^64, are split at 32 bits: the
 * low 32 bits, times 2^20, have the weight of L1, the high bits the weight of U1. L0, L1 are
 * below 2^52, U0 below 2^12 and U1 below 2^33.
 */
.macro	begin_sums
	vpunpcklqdq T1, T0, U0
	vpunpckhqdq T1, T0, U1
	zero_low_vectors L1_XMM
	/* The low 52 bits of the low words; the low 32 bits of the high words, times 2^20 */
	vpandq	mask52(%rip){1to8}, U0, L0
	vpmadd52luq by_2_20(%rip){1to8}, U1, L1
	/* The high 12 bits of the low words; the high 32 bits of the high words, and bit 128 */
	vpsrlq	$52, U0, U0
	vpshrdq	$32, T2, U1, U1
	zero_low_vectors L2_XMM, U2_XMM
.endm

/* Masks of lanes */
#define LANES_OF_R2	%k1
#define LANES_OF_R3	%k2
#define LANES_OF_R4	%k3
#define EVEN_LANES	%k1

/*
 * static void powers_avx512(void);
 *
 * P = r^8 ... r^1 in the order of the lanes, with limbs as carry44 leaves them, and the masks
 * M44 and M42.
 *
 * in:        rdi R0, rcx R1
 * requires:  R0 and R1 are r, clamped
 * reads:     -
 * writes:    -
 * returns:   -
 * clobbers:  rax, rdx, r8, r9, r11, zmm3-zmm14, zmm20-zmm26, zmm31, k1-k3, flags
 * wipes:     -; leaves rax, rcx, rdx, rdi, r8, r9, r11, zmm3-zmm14, zmm20-zmm24, zmm31
 * stack:     32
 * features:  AVX512F, AVX512DQ, AVX512IFMA, AVX512_VBMI2, BMI2
 *
 * r^1 ... r^4 are computed in general registers, and each goes to two lanes. Then the even
 * lanes are multiplied by r^4 and the odd lanes by 1, in zmm: with ymm, a message takes 20
 * cycles longer on Emerald Rapids.
 */
SYM_FUNC_START_LOCAL(powers_avx512)
	push_regs %rbx, %r12, %r13, %r14
	set_masks
	/* Words of r^1 in all lanes; then r^2, r^3 and r^4 in two lanes each */
	five_quarters R1, Q1
	vpbroadcastq R0, L0
	vpbroadcastq R1, L2
	square_r R0, R1, Q1, H0, H1, H2, A0, A1, B0, B1
	kmovb	lanes_of_powers(%rip), LANES_OF_R2
	set_lanes LANES_OF_R2, {z}
	h_times_r
	kmovb	lanes_of_powers+1(%rip), LANES_OF_R3
	set_lanes LANES_OF_R3
	h_times_r
	kmovb	lanes_of_powers+2(%rip), LANES_OF_R4
	set_lanes LANES_OF_R4
	pop_regs %r14, %r13, %r12, %rbx
	split_words_44 Y, L0, L2, T2
	/* F = r^4, which the first lane of Y has, in the even lanes, and 1 in the odd lanes */
	kmovb	lanes_of_powers+3(%rip), EVEN_LANES
	vmovdqu64 odd_lanes(%rip), F0
	vpbroadcastq Y0_XMM, F0{EVEN_LANES}
	vpbroadcastq Y1_XMM, F1{EVEN_LANES}{z}
	vpbroadcastq Y2_XMM, F2{EVEN_LANES}{z}
	times20	F
	multiply Y, F, P
	RET
SYM_FUNC_END(powers_avx512)

/*
 * Loads of vectors
 */

/* T0, T1 = the vector at \base, which is not the last */
.macro	load	base
	vmovdqu64 (\base), T0
	vmovdqu64 64(\base), T1
.endm

/* T0, T1 = the last vector, at DATA, completed from PADDING where the message ends */
.macro	load_last_44
	vmovdqu64 (DATA), T0
	vmovdqu64 (PADDING), T1
	vmovdqu8 64(DATA), T1{LAST_B}
.endm

/*
 * X = X r^8 + the vector in T0, T1, with bit 128 in T2, with the bounds of carry44. In: E. DATA
 * moves on. Clobbers L, U.
 */
.macro	step_44
	begin_sums
	mul44	X, E
	carry44	X
	sub	$-128, DATA
.endm

/*
 * Long messages, in radix 2^52, with a fold after each group of vectors
 */

/* The most vectors of a group, because of the bounds of fold52 */
.set GROUP,		32

/* The table of powers in the frame: limb i of exponent k is at ROW i + 8 (GROUP - k). */
.set ROW,		8 * GROUP
.set TABLE_END,		3 * ROW

/* General registers; DATA, VECS and PADDING stay. */
.set TABLE,		%rax	/* the place of a power in the table */
.set COUNT,		%rcx	/* the vectors of a group; within a group, those left */
.set COUNT_32,		%ecx
.set TWICE,		%rax	/* twice the size of a group */
.set ROWS_8,		%edx	/* powers of the table that are yet to be stored */
.set REST,		%rax	/* vectors that remain after full groups */
.set REST_32,		%eax
.set AHEAD,		%r10	/* bytes of a full group, or 0 in the last group */
.set POWER_OF_X,	%rdx	/* the place of the power for X */

/*
 * C, sums of products. Column c has weight 2^(52 c), and is the sum of up to three registers,
 * CcA to CcC. There are eleven for 17 products: no product waits for another. They take the
 * places of L, U, E and F0; X, Y, P, HIBIT, LAST_HIBIT and T stay.
 */
.set C0A,		%zmm3
.set C1A,		%zmm4
.set C1B,		%zmm5
.set C2A,		%zmm6
.set C2B,		%zmm7
.set C2C,		%zmm8
.set C3A,		%zmm16
.set C3B,		%zmm17
.set C3C,		%zmm18
.set C4A,		%zmm19
.set C4B,		%zmm20
/* G, one power in all lanes */
.set G0,		%zmm21
.set G1,		%zmm22
.set G2,		%zmm23
.set BIT24,		%zmm24	/* 2^24 HIBIT, which is bit 128 in limb 2 */
.set M52,		%zmm25	/* masks, in the places of M44 and M42 */
.set M26,		%zmm26

/* G = the power at TABLE */
.macro	load_power
	vpbroadcastq (TABLE), G0
	vpbroadcastq ROW(TABLE), G1
	vpbroadcastq 2 * ROW(TABLE), G2
.endm

/*
 * C += Y G, and Y = the blocks in T0, T1, in radix 2^52, by shifts, which do not occupy the
 * multiplier. Clobbers T0, T2.
 *
 * Bounds: Y0, Y1, G0, G1 < 2^52, Y2 <= 2^26 and G2 < 2^26. So Y2 G2 < 2^52 has no high half.
 * Less than 2^53 is added to each register.
 */
.macro	mul52_split52
	/* T0, T2 = the low and the high words of the blocks */
	vpunpckhqdq T1, T0, T2
	vpunpcklqdq T1, T0, T0
	/* Y2 G, after which Y2 may change */
	vpmadd52luq Y2, G0, C2B
	vpmadd52luq Y2, G1, C3A
	vpmadd52luq Y2, G2, C4B
	vpmadd52huq Y2, G0, C3B
	vpmadd52huq Y2, G1, C4A
	vpsrlq	$40, T2, Y2
	vporq	BIT24, Y2, Y2
	/* Y1 G, after which Y1 may change */
	vpmadd52luq Y1, G1, C2C
	vpmadd52luq Y1, G2, C3B
	vpmadd52huq Y1, G1, C3C
	vpmadd52huq Y1, G2, C4A
	vpmadd52luq Y1, G0, C1A
	vpmadd52huq Y1, G0, C2A
	vpsrlq	$52, T0, Y1
	vpsllq	$12, T2, T2
	vporq	T2, Y1, Y1
	/* Y0 G, after which Y0 may change */
	vpmadd52luq Y0, G0, C0A
	vpmadd52luq Y0, G1, C1A
	vpmadd52luq Y0, G2, C2A
	vpmadd52huq Y0, G0, C1B
	vpmadd52huq Y0, G1, C2B
	vpmadd52huq Y0, G2, C3A
	vmovdqa64 T0, Y0
.endm

/*
 * X = C (mod p) in radix 2^52. X2 <= 2^26. Bits of X0 and X1 above 52 have been carried to the
 * next limb, and the multiplier ignores them. Clobbers C, T0, T1.
 *
 * Bounds for GROUP vectors: columns 0 to 4 are below 2^57.1, 2^58.7, 2^59.4, 2^58.6, 2^56.1.
 * Columns 3 and 4 are folded as
 *
 *	2^156 c3 + 2^208 c4 = 5 * 2^26 (c3 + 2^52 c4)	(mod p),
 *
 * 52 bits at a time, c4 in two steps. Then c1 and c2 carry. The bits of c2 above 26, below
 * 2^34, wrap around times 5. Then c0 < 2^58 carries less than 2^6 to c1, which is now below
 * 2^52 + 2^6. So the last carry is 0 or 1, and X2 <= 2^26.
 */
.macro	fold52
	/* Each column becomes one register, CcA: 3 and 4 first. */
	vpaddq	C3B, C3A, C3A
	vpaddq	C4B, C4A, C4A
	vpaddq	C3C, C3A, C3A
	vpaddq	C1B, C1A, C1A
	vpaddq	C2B, C2A, C2A
	vpsrlq	$52, C3A, T0
	vpaddq	C2C, C2A, C2A
	/* Fold the low 52 bits of c3; the others go to c4. */
	vpmadd52luq by_2_156(%rip){1to8}, C3A, C0A
	vpaddq	T0, C4A, C4A
	vpmadd52huq by_2_156(%rip){1to8}, C3A, C1A
	/* Fold the low 52 bits of c4, then the others. */
	vpsrlq	$52, C4A, T1
	vpmadd52luq by_2_156(%rip){1to8}, C4A, C1A
	vpmadd52huq by_2_156(%rip){1to8}, C4A, C2A
	vpmadd52luq by_2_156(%rip){1to8}, T1, C2A
	/* Carry c1 to c2 and c2 to c0. */
	vpsrlq	$52, C1A, T0
	vpandq	M52, C1A, C1A
	vpaddq	T0, C2A, C2A
	vpsrlq	$26, C2A, T1
	vpandq	M26, C2A, C2A
	vpmadd52luq by_2_130(%rip){1to8}, T1, C0A
	/* Carry c0 to c1 and c1 to c2. */
	vpsrlq	$52, C0A, T0
	vmovdqa64 C0A, X0
	vpaddq	T0, C1A, X1
	vpsrlq	$52, X1, T1
	vpaddq	T1, C2A, X2
.endm

/* Carry \a, in radix 2^44, from limb 0 to limb 1 and from there to limb 2. Clobbers T0. */
.macro	ripple	a
	vpsrlq	$44, \a\()0, T0
	vpandq	M44, \a\()0, \a\()0
	vpaddq	T0, \a\()1, \a\()1
	vpsrlq	$44, \a\()1, T0
	vpandq	M44, \a\()1, \a\()1
	vpaddq	T0, \a\()2, \a\()2
.endm

/* Carry \a, in radix 2^44, from limb 2 to limb 0, by 2^130 = 5. Clobbers T0. */
.macro	wrap_around a
	vpsrlq	$42, \a\()2, T0
	vpandq	M42, \a\()2, \a\()2
	vpmadd52luq by_2_130(%rip){1to8}, T0, \a\()0
.endm

/*
 * Convert \a from radix 2^44, with limbs below 2^44, 2^44 and 2^42 + 2^16, to radix 2^52, with
 * limbs below 2^52, 2^52 and up to 2^26. The multiplier splits 2^44 \a\()1 and 2^36 \a\()2 at
 * 52 bits. Clobbers T0, T1.
 */
.macro	pack52	a
	zero_vectors T0, T1
	/* Limb 0 += 2^44 \a\()1, its low half; T0, T1 = 2^36 \a\()2, its low and high half */
	vpmadd52luq by_2_44(%rip){1to8}, \a\()1, \a\()0
	vpmadd52luq by_2_36(%rip){1to8}, \a\()2, T0
	vpmadd52huq by_2_36(%rip){1to8}, \a\()2, T1
	/* Limb 1 = T0 + 2^44 \a\()1, its high half */
	vpmadd52huq by_2_44(%rip){1to8}, \a\()1, T0
	vmovdqa64 T1, \a\()2
	vmovdqa64 T0, \a\()1
.endm

/*
 * Convert L from radix 2^44, with limbs below 2^56, to radix 2^52, with limbs below 2^52, 2^52
 * and 2^26, and store it as a row of the table, at TABLE. Clobbers L, T0, T1.
 *
 * After two ripple with a wrap_around between them, L2 is 2^42 at most. If it is 2^42, a carry
 * of 1 passed through all limbs, so L1 is 0 and L0 is below the value that wrapped around,
 * 5 * 2^14. The last wrap_around adds 5, and no carry follows.
 */
.macro	store_powers
	ripple	L
	wrap_around L
	ripple	L
	wrap_around L
	pack52	L
	vmovdqa64 L0, (TABLE)
	vmovdqa64 L1, ROW(TABLE)
	vmovdqa64 L2, 2 * ROW(TABLE)
.endm

/*
 * T0, T1 = the vector at DATA, which moves on. For messages that are not in the caches, also
 * prefetches the vector AHEAD bytes further, which may be beyond the message: a prefetch never
 * faults.
 */
.macro	load_next
	prefetcht0 (DATA, AHEAD)
	prefetcht0 64(DATA, AHEAD)
	load	DATA
	sub	$-128, DATA
.endm

/*
 * static void long_avx512(void);
 *
 * Process all vectors of a long message after the first: X = X R^k + v_1 R^(k-1) + ... + v_k
 * (mod p), with R = r^8 and k = VECS, in each lane. X is in radix 2^44 before and after.
 *
 * in:        rdi VECS, rsi DATA, r11 PADDING, k4 LAST_B; X, P, E, M44, M42, HIBIT, LAST_HIBIT
 * requires:  36 <= VECS <= 2^27; limbs of X, P and E below 2^45, 2^45, 2^43
 * reads:     DATA[0, 128 VECS) (of the last 64 bytes those in LAST_B), PADDING[0, 64)
 * writes:    -
 * returns:   -
 * clobbers:  rax, rcx, rdx, rdi, rsi, r10, zmm0-zmm11, zmm16-zmm26, zmm29-zmm31, flags
 * wipes:     r10, the frame; leaves zmm0-zmm11, zmm16-zmm24, zmm29-zmm31
 * stack:     832; array [0, TABLE_END)
 * features:  AVX512F, AVX512BW, AVX512IFMA, AVX512_VBMI2
 *
 * A group of g vectors is C = X R^g + v_1 R^(g-1) + ... + v_g, folded into the next X. Y is
 * always the vector to be multiplied next, and is split while the one before it is multiplied.
 * The last vector of a group has weight 1. X, which is ready last, is multiplied last: it takes
 * the place of Y for one round of the loop, which splits the next group's first vector.
 */
SYM_FUNC_START_LOCAL(long_avx512)
	push	%rbp
	mov	%rsp, %rbp
	and	$-64, %rsp
	sub	$TABLE_END, %rsp

	/*
	 * Y = R^8 ... R^1 = P^8, lane by lane, by three squares. Squares are latency-bound, so X
	 * takes a vector after each.
	 */
	vmovdqa64 P0, Y0
	vmovdqa64 P1, Y1
	vmovdqa64 P2, Y2
	mov	$3, COUNT_32
	sub	COUNT, VECS
.Lsquare:
	square_44	Y, Y
	load	DATA
	vmovdqa64 HIBIT, T2
	step_44
	dec	COUNT_32
	jnz	.Lsquare
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	Y0, T0, Y0
	vpermq	Y1, T0, Y1
	vpermq	Y2, T0, Y2

	/* The size of a group is 8, 16 or 32, and the table has as many powers. */
	mov	$8, COUNT_32
	lea	(COUNT, COUNT), TWICE
	cmp	$GROUPS_OF_16, VECS
	cmovae	TWICE, COUNT
	lea	(COUNT, COUNT), TWICE
	cmp	$GROUPS_OF_32, VECS
	cmovae	TWICE, COUNT

	/*
	 * A row of the table has eight powers: the first those in Y, and each other the product
	 * of the one before with R^8.
	 */
	vpbroadcastq Y0_XMM, F0
	vpbroadcastq Y1_XMM, F1
	vpbroadcastq Y2_XMM, F2
	times20	F
	lea	8 * (GROUP - 8)(%rsp), TABLE
	mov	COUNT_32, ROWS_8
.Lrow:
	vmovdqa64 Y0, L0
	vmovdqa64 Y1, L1
	vmovdqa64 Y2, L2
	store_powers
	sub	$64, TABLE
	sub	$8, ROWS_8
	jz	.Ltable_complete
	multiply Y, F, Y
	jmp	.Lrow

.Ltable_complete:
	/* X in radix 2^52: from carry44, it needs one ripple. X2 may be 2^26, powers less. */
	ripple	X
	pack52	X
	vpbroadcastq mask52(%rip), M52
	vpbroadcastq mask26(%rip), M26

	/* The first group has the vectors that remain after full groups, or is a full group. */
	mov	COUNT, AHEAD
	shl	$7, AHEAD
	lea	-1(COUNT), REST_32
	and	VECS, REST
	cmovnz	REST, COUNT
	load	DATA
	sub	$-128, DATA
	/* The multiplier ignores bits of Y0 and Y1 above 52; Y2 < 2^25. */
	vpunpcklqdq T1, T0, Y0
	vpunpckhqdq T1, T0, T2
	vpshrdq	$40, HIBIT, T2, Y2
	vpshrdq	$52, T2, Y0, Y1
	vpsllq	$24, HIBIT, BIT24
.Lgroup:
	/* Y is the first of COUNT vectors. X is for R^COUNT, and Y for the power after it. */
	zero_vectors C0A, C1A, C1B, C2A, C2B, C2C, C3A, C3B, C3C, C4A, C4B
	sub	COUNT, VECS
	cmovz	VECS, AHEAD
	mov	COUNT, TABLE
	neg	TABLE
	lea	ROW(%rsp, TABLE, 8), POWER_OF_X
	lea	8(POWER_OF_X), TABLE
	jmp	.Lfirst_of_group

.Lvector:
	load_next
.Lvector_loaded:
	/* C += Y times its power, and Y = the vector in T0, T1 */
	load_power
	add	$8, TABLE
	mul52_split52
	dec	COUNT_32
	jz	.Lgroup_ends
.Lfirst_of_group:
	/* COUNT vectors of the group are left, with Y. */
	cmp	$2, COUNT_32
	ja	.Lvector
	jb	.Llast_of_group
	/* The vector after Y is the last of the group; if no group follows, of the message. */
	test	VECS, VECS
	jnz	.Lvector
	load_last_44
	vpsllq	$24, LAST_HIBIT, BIT24
	jmp	.Lvector_loaded
.Llast_of_group:
	/* C += Y, the last vector of the group, of weight 1. Then X takes the place of Y. */
	vpmadd52luq by_1(%rip){1to8}, Y0, C0A
	vpmadd52luq by_1(%rip){1to8}, Y1, C1A
	vpaddq	Y2, C2C, C2C
	vmovdqa64 X0, Y0
	vmovdqa64 X1, Y1
	vmovdqa64 X2, Y2
	mov	POWER_OF_X, TABLE
	test	VECS, VECS
	jnz	.Lvector
	jmp	.Lvector_loaded
.Lgroup_ends:
	fold52
	mov	AHEAD, COUNT
	shr	$7, COUNT
	test	VECS, VECS
	jnz	.Lgroup

	/* Wipe the frame, and convert X to radix 2^44. */
	zero_vectors T0
	.set	i, 0
	.rept	TABLE_END / 64
	vmovdqa64 T0, i(%rsp)
	.set	i, i + 64
	.endr
	mov	%rbp, %rsp
	pop	%rbp
	vpandq	M52, X0, X0
	vpandq	M52, X1, X1
	set_masks
	/* Bits 44 ... 51 of X0, all of X1, and X2 become limbs of 44, 44 and 42 bits. */
	vpsrlq	$44, X0, Y0
	vpsllq	$8, X1, Y1
	vpsrlq	$36, X1, Y2
	vpsllq	$16, X2, X2
	vpandq	M44, X0, X0
	vporq	Y0, Y1, X1
	vpandq	M44, X1, X1
	vporq	Y2, X2, X2
	RET
SYM_FUNC_END(long_avx512)

/* The sums of all lanes, by limbs; limb 0 is in H0. */
.set SUM1,		%rcx
.set SUM1_HIGH,		%rsi	/* the bits of SUM1 from 20 on */
.set SUM2,		%rdx
.set SUM2_HALF,		%rdi	/* half of the lanes of limb 2 */

/*
 * static void finish_avx512(void);
 *
 * The polynomial of a message that begins with h:
 *
 *	H = h r^n + m_1 r^n + ... + m_n r	(mod p), or
 *	H = h r^(n+1) + m_1 r^n + ... + m_n r	(mod p) if OWN is 1.
 *
 * in:        rsi DATA, rdx LATER, rcx HAS_H, r8d KEPT, r9 OWN, r10 LEN, r11 PADDING, k4 LAST_B; U,
 *            P, M44, M42, HIBIT, LAST_HIBIT
 * requires:  LATER <= 2^30; HAS_H <= 1; KEPT <= 1; OWN <= 1; if HAS_H is 1, U is h in radix 2^44
 *            in all lanes, with limbs below 2^44, 2^44, 5 * 2^40; if OWN is 1, HAS_H is 1, and
 *            DATA has 128 bytes or more; else LEN is the bytes at DATA; limbs of P below 2^45,
 *            2^45, 2^43
 * reads:     DATA[0, 16 LATER + 16) (of the last 64 bytes those in LAST_B), PADDING[0, 64)
 * writes:    -
 * returns:   rax, r8, r9: H with h[2] <= 2^20
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r10, zmm0-zmm26, zmm29-zmm31, k1, k3, k7, flags
 * wipes:     zmm0-zmm24, zmm29-zmm31; leaves rcx, rdx, rsi, rdi
 * stack:     840
 * features:  AVX512F, AVX512VL, AVX512BW, AVX512DQ, AVX512IFMA, AVX512_VBMI2, BMI2
 *
 * X is the first vector, with h in the lane of the first block. The VECS other vectors are taken
 * as their number asks for. A single one goes to .Lkept if KEPT is 1, else to .Lone.
 *
 *	VECS				by
 *	0				-
 *	1				.Lone, or .Lkept
 *	2				.Lsingle, and then as 1
 *	PAIRS ... LONG_VECTORS - 1	.Lpairs, two at a time, and then as 0 or 1
 *	LONG_VECTORS ...		long_avx512
 *
 *	.Lsingle, .Lone		X = X E + v
 *	.Lpairs			X = X E^2 + u E + v
 *	.Lkept			H = X (E P) + v P
 *	.Ltimes_p		H = X P, when no vector is left
 *
 * If P came from state->pow, E P does not wait for X, and .Lkept saves a reduction. The
 * invariant at .Lpairs: VECS is at least 2, and
 *
 *	VECS is even, or KEPT is 1.
 *
 * It holds at first because .Lsingle takes one vector of an odd number if KEPT is 0, and it
 * remains because .Lpairs takes two. So VECS ends at 0, for .Ltimes_p, or at 1 with KEPT = 1,
 * for .Lkept.
 */
SYM_FUNC_START_LOCAL(finish_avx512)
	/* VECS = the number of vectors after the first, and FIRST = the first's blocks less 1 */
	mov	LATER, VECS
	shr	$3, VECS
	and	$7, FIRST_32
	/* From here on, FIRST and FIRST_LANES are for the blocks that are at DATA. */
	sub	OWN, FIRST
	lea	lanes_of_last(%rip), AT
	kmovb	1(AT, FIRST), FIRST_LANES
	test	VECS, VECS
	jnz	.Lmore

	/*
	 * The first vector is also the last, and is padded with a byte 1 after the message. If
	 * the message has no tail, no lane takes the block with this byte.
	 */
	lea	padding+128(%rip), AT
	sub	LEN, AT
	vmovdqu64 (AT), T0
	vmovdqu64 64(AT), T1
	/* The first half: min(LEN, 64) bytes */
	mov	$-1, ONES
	bzhi	LEN, ONES, MASK
	kmovq	MASK, BYTES
	vmovdqu8 (DATA), T0{BYTES}
	/* The second half: max(LEN - 64, 0) bytes */
	xor	MASK_32, MASK_32
	sub	$64, LEN
	cmovb	MASK, LEN
	bzhi	LEN, ONES, LEN
	kmovq	LEN, BYTES
	vmovdqu8 64(DATA), T1{BYTES}
	vmovdqa64 LAST_HIBIT, T2{FIRST_LANES}{z}
	jmp	.Lplace
.Lmore:
	load	DATA
	vmovdqa64 HIBIT, T2{FIRST_LANES}{z}
.Lplace:
	/* X = these blocks, moved to the last lanes, with bit 128 in T2 */
	lea	lanes_from_blocks(%rip), AT
	/* L0, L2 = the indices of low and high words, then these words */
	vpmovzxbq (AT, FIRST, 8), L0
	vpaddq	by_1(%rip){1to8}, L0, L2
	vpermi2q T1, T0, L0{FIRST_LANES}{z}
	vpermi2q T1, T0, L2{FIRST_LANES}{z}
	split_words_44 X, L0, L2, T2
	test	HAS_H, HAS_H
	jz	.Lno_h
	/* Add h to the first block. */
	lea	lane_of_first(%rip), AT
	add	FIRST, OWN
	kmovb	(AT, OWN), FIRST_BLOCK
	vpaddq	U0, X0, X0{FIRST_BLOCK}
	vpaddq	U1, X1, X1{FIRST_BLOCK}
	vpaddq	U2, X2, X2{FIRST_BLOCK}
.Lno_h:
	shl	$4, FIRST
	lea	16(DATA, FIRST), DATA
	test	VECS, VECS
	jz	.Ltimes_p
	vpbroadcastq P0_XMM, E0
	vpbroadcastq P1_XMM, E1
	vpbroadcastq P2_XMM, E2
	times20	E
	cmp	$LONG_VECTORS, VECS
	jae	.Llong
	cmp	$1, VECS
	je	.Lone
	cmp	$PAIRS, VECS
	jb	.Lsingle

	/* F = E^2 = r^16. An odd number of vectors: one alone, unless the last will be. */
	square_44	E, F
	times20	F
	test	$1, VECS_8
	jz	.Leven
	test	KEPT, KEPT
	jnz	.Leven
.Lsingle:
	/* X = X E + v, the next vector, which is not the last */
	load	DATA
	vmovdqa64 HIBIT, T2
	jmp	.Lstep
.Lone:
	/* VECS = 1: the last vector */
	test	KEPT, KEPT
	jnz	.Lkept
	load_last_44
	vmovdqa64 LAST_HIBIT, T2
.Lstep:
	step_44
	dec	VECS
	jz	.Ltimes_p
	cmp	$1, VECS
	je	.Lone

.Leven:
	vpsllq	$40, HIBIT, BIT40
.Lpairs:
	/* X = X F + u E + v, with one carry. u is Y, and v is what the sums begin with. */
	load	DATA
	shift44	Y
	sub	$-128, DATA
	sub	$2, VECS
	jz	.Lpair_ends
	load	DATA
.Lpair_loaded:
	shift44	L
	zero_low_vectors U0_XMM, U1_XMM, U2_XMM
	mul44	Y, E
	mul44	X, F
	carry44	X
	sub	$-128, DATA
	cmp	$1, VECS
	ja	.Lpairs
	jb	.Ltimes_p

.Lkept:
	/* VECS = 1, and P came from state->pow: v P, and then E P in place of P */
	multiply P, E, E
	times20	P
	load_last_44
	split44	Y, LAST_HIBIT
	zero_sums
	mul44	Y, P
	vmovdqa64 E0, P0
	vmovdqa64 E1, P1
	vmovdqa64 E2, P2
	jmp	.Ladd_times_p

.Lpair_ends:
	/* v is the last vector. */
	load_last_44
	vpsllq	$40, LAST_HIBIT, BIT40
	jmp	.Lpair_loaded

.Llong:
	call	long_avx512
.Ltimes_p:
	/* No vector is left. */
	zero_sums
.Ladd_times_p:
	times20	P
	mul44	X, P

	/* Add up eight lanes of one or two products. The sums are below 2^58. */
	join44
	vpunpcklqdq L1, L0, U0
	vpunpckhqdq L1, L0, U1
	vpaddq	U1, U0, U0	/* four lanes of limb 0, four of limb 1 */
	vshufi64x2 $0x44, L2, U0, U1
	vshufi64x2 $0xee, L2, U0, U2
	vpaddq	U2, U1, U1	/* two of limb 0, two of limb 1, four of limb 2 */
	vshufi64x2 $0xb1, U1, U1, U2
	vpaddq	U2, U1, U1	/* one of limb 0, one of limb 1, two of limb 2 */
	vextracti64x4 $1, U1, U2_YMM
	vmovq	U1_XMM, H0
	vpextrq	$1, U1_XMM, SUM1
	vmovq	U2_XMM, SUM2
	vpextrq	$1, U2_XMM, SUM2_HALF
	add	SUM2_HALF, SUM2

	/* H = H0 + 2^44 SUM1 + 2^88 SUM2; h2 < 2^20 */
	mov	SUM1, SUM1_HIGH
	mov	SUM2, H2
	shl	$44, SUM1
	mov	SUM2, H1
	shr	$20, SUM1_HIGH
	shl	$24, H1
	shr	$40, H2
	add	SUM1, H0
	adc	SUM1_HIGH, H1
	adc	$0, H2

	/* All vectors but the constants of the call */
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
	.endr
	.irp	i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 29, 30, 31
	vpxord	%xmm\i, %xmm\i, %xmm\i
	.endr
	vzeroupper
	RET
SYM_FUNC_END(finish_avx512)

/*
 * Write the tag of H, wipe and return. On the stack are the addresses of the tag and the key.
 *
 * Let q = h >> 130. If (h mod 2^130) + 5 q + 5 reaches 2^130, h - q p reaches p, and q becomes
 * q + 1. Then h mod p is h - q p, and the tag is the low 128 bits of h + 5 q + s. For
 * h2 < 2^20.
 */
.set QUOTIENT,		%rsi	/* q, and then 5 q */
.set SUM,		%rdx	/* words of (h mod 2^130) + 5 q + 5, for their carries */
.macro	finish_digest_44
	pop	TAG
	pop	KEY
	mov	H2, QUOTIENT
	shr	$2, QUOTIENT
	and	$3, H2_32
	lea	5(QUOTIENT, QUOTIENT, 4), SUM
	add	H0, SUM
	mov	H1, SUM
	adc	$0, SUM
	adc	$0, H2
	shr	$2, H2
	add	H2, QUOTIENT
	lea	(QUOTIENT, QUOTIENT, 4), QUOTIENT
	add	16(KEY), H0
	adc	24(KEY), H1
	add	QUOTIENT, H0
	adc	$0, H1
	mov	H0, 0(TAG)
	mov	H1, 8(TAG)
	wipe_and_return_44
.endm

/* The bytes of the last block, or in a packet of the last two, that are not of the message */
.set LACKS,		%rcx
.set LACKS_32,		%ecx

/*
 * void poly1305_digest_avx512(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data, size_t len,
 *			       u8 tag[POLY1305_MAC_TAG_SIZE]);
 *
 * The tag of a whole message: tag = (h mod p) + s mod 2^128, where h is the polynomial of the
 * message in the clamped r, and key = r || s. A tail is loaded with a mask, and gets its 1 bit
 * from PADDING, not from LAST_HIBIT.
 *
 * in:        rdi key, rsi data, rdx len, rcx tag
 * requires:  len <= 2^33; tag may overlap key or data
 * reads:     key[0, 32), data[0, len)
 * writes:    tag[0, 16) (after the last read)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, zmm0-zmm31, k1-k4, k7, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8, r9, zmm0-zmm24, zmm29-zmm31
 * stack:     872
 * features:  AVX512F, AVX512VL, AVX512BW, AVX512DQ, AVX512IFMA, AVX512_VBMI2, BMI2
 */
SYM_TYPED_FUNC_START(poly1305_digest_avx512)
	push	%rbp
	mov	%rsp, %rbp
	push	KEY
	push	TAG
	mov	%rdx, LEN
	test	LEN, LEN
	jz	.Lno_bytes
	mov	8(KEY), R1
	mov	0(KEY), R0
	mov	$CLAMP_LO, CLAMP
	and	CLAMP, R0
	and	$-4, CLAMP
	and	CLAMP, R1
	call	powers_avx512

	/* LACKS = the number of bytes that the last block lacks; LAST_B leaves them out. */
	mov	LEN_32, LACKS_32
	neg	LACKS_32
	and	$15, LACKS_32
	mov	$-1, ONES
	shrx	LACKS, ONES, ONES
	kmovq	ONES, LAST_B
	/* PADDING has the byte 1 right after the message. */
	lea	padding+64(%rip), PADDING
	add	LACKS, PADDING
	/* Bit 128 of the last block is 0 if bytes are lacking. */
	add	$15, LACKS_32
	shr	$4, LACKS_32
	lea	hibits(%rip), AT
	vmovdqu64 (AT), HIBIT
	vmovdqu64 (AT, LACKS, 8), LAST_HIBIT

	xor	KEPT, KEPT
	xor	OWN_32, OWN_32
	xor	HAS_H, HAS_H
	lea	-1(LEN), LATER
	shr	$4, LATER
	call	finish_avx512
.Ltag:
	finish_digest_44
.Lno_bytes:
	/* H = 0 */
	zero_regs H0_32, H1_32, H2_32
	jmp	.Ltag
SYM_FUNC_END(poly1305_digest_avx512)

/*
 * void poly1305_packet_avx512(const struct poly1305_packet *mac, const u8 *text, size_t len,
 *			       u8 tag[POLY1305_MAC_TAG_SIZE]);
 *
 * The tag of a packet: mac->h, which is yet to be multiplied by r, continues with the text,
 * zeros up to a block, and both lengths. So mac->h is like a block before the text.
 *
 * in:        rdi mac, rsi text, rdx len, rcx tag
 * requires:  128 <= len <= 2^33; mac->h[2] < 2^63.1; mac->key has r, clamped, and s;
 *            mac->end has 48 zeros and the lengths; tag is apart from mac, and may overlap text
 * reads:     mac->h, mac->key, mac->end, text[0, len)
 * writes:    tag[0, 16) (after the last read)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, zmm0-zmm31, k1-k4, k7, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8, r9, zmm0-zmm24, zmm29-zmm31
 * stack:     872
 * features:  AVX512F, AVX512VL, AVX512BW, AVX512DQ, AVX512IFMA, AVX512_VBMI2, BMI2
 */
SYM_TYPED_FUNC_START(poly1305_packet_avx512)
	push	%rbp
	mov	%rsp, %rbp
	/* KEY = mac->key, and the other members are at MAC_H-MAC_R and so on from there. */
	add	$MAC_R, KEY
	push	KEY
	push	TAG
	mov	%rdx, LEN
	mov	8(KEY), R1
	mov	0(KEY), R0
	call	powers_avx512

	/* Y = mac->h with h2 <= 4 */
	mov	8(%rsp), KEY
	mov	MAC_H-MAC_R(KEY), H0
	mov	MAC_H-MAC_R+8(KEY), H1
	mov	MAC_H-MAC_R+16(KEY), H2
	fold	H0, H1, H2, %rdx
	vpbroadcastq H0, U0
	vpbroadcastq H1, U2
	vpbroadcastq H2, L2
	split_words_44 U, U0, U2, L2

	/* The last vector ends with LACKS bytes of PADDING: zeros and the lengths. */
	mov	LEN_32, LACKS_32
	neg	LACKS_32
	and	$15, LACKS_32
	add	$16, LACKS_32
	mov	$-1, ONES
	shrx	LACKS, ONES, ONES
	kmovq	ONES, LAST_B
	lea	MAC_END-MAC_R(KEY), PADDING
	vmovdqu64 hibits(%rip), HIBIT
	vmovdqa64 HIBIT, LAST_HIBIT
	xor	KEPT, KEPT
	mov	$1, OWN_32
	mov	OWN_32, HAS_H
	lea	31(LEN), LATER
	shr	$4, LATER
	call	finish_avx512
	finish_digest_44
SYM_FUNC_END(poly1305_packet_avx512)

/*
 * void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			       u32 hibit);
 *
 * For each block m, h = (h + m + 2^128 hibit) r (mod p). The powers r^8 ... r^1 are kept in
 * state->pow, a row of 64 bytes for each limb, for the next call.
 *
 * in:        rdi state, rsi data, rdx nblocks, ecx hibit
 * requires:  nblocks <= 2^29; state as poly1305_core.h allows; state->h[2] <= 4; hibit <= 1;
 *            if have_powers is not 0, pow has the powers; data is apart from state
 * reads:     state[0, 240), data[0, 16 nblocks)
 * writes:    state->h, state->have_powers, state->pow with h[2] <= 4
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, zmm0-zmm31, k1-k4, k7, flags
 * wipes:     rax, rcx, rdx, rsi, rdi, r8, r9, zmm0-zmm24, zmm29-zmm31
 * stack:     864
 * features:  AVX512F, AVX512VL, AVX512BW, AVX512DQ, AVX512IFMA, AVX512_VBMI2, BMI2
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx512)
	test	%rdx, %rdx
	jnz	.Lblocks
	RET
.Lblocks:
	push	%rbp
	mov	%rsp, %rbp
	push	STATE
	mov	%rdx, LEN
	mov	HIBIT_32, %eax
	vpbroadcastq %rax, HIBIT
	vmovdqa64 HIBIT, LAST_HIBIT
	kxnorq	LAST_B, LAST_B, LAST_B
	cmpl	$0, STATE_HAVE_POWERS(STATE)
	je	.Lmake_powers
	/* P from state->pow */
	set_masks
	vpmovzxbq lanes_from_state(%rip), T0
	vpermq	STATE_POW(STATE), T0, P0
	vpermq	STATE_POW+STATE_POW_ROW(STATE), T0, P1
	vpermq	STATE_POW+2*STATE_POW_ROW(STATE), T0, P2
	mov	$1, KEPT
	jmp	.Lhave_powers
.Lmake_powers:
	mov	STATE_R+8(STATE), R1
	mov	STATE_R(STATE), R0
	call	powers_avx512
	/* state->pow from P */
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	P0, T0, L0
	vpermq	P1, T0, L1
	vpermq	P2, T0, L2
	mov	(%rsp), STATE
	vmovdqu64 L0, STATE_POW(STATE)
	vmovdqu64 L1, STATE_POW+STATE_POW_ROW(STATE)
	vmovdqu64 L2, STATE_POW+2*STATE_POW_ROW(STATE)
	movl	$1, STATE_HAVE_POWERS(STATE)
	xor	KEPT, KEPT
.Lhave_powers:
	/* There is no tail, so PADDING has no byte 1. */
	lea	padding+64(%rip), PADDING
	xor	OWN_32, OWN_32
	mov	$1, HAS_H
	lea	-1(LEN), LATER
	shl	$4, LEN
	vpbroadcastq STATE_H(STATE), U0
	vpbroadcastq STATE_H+8(STATE), U2
	vpbroadcastq STATE_H+16(STATE), L2
	split_words_44 U, U0, U2, L2
	call	finish_avx512

	/* Fold h2 to at most 4 by 2^130 = 5. */
	fold	H0, H1, H2, %rcx
	pop	STATE
	store_words H0, H1, H2, STATE_H(STATE)
	wipe_and_return_44
SYM_FUNC_END(poly1305_blocks_avx512)
