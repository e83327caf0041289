/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers and the arithmetic of poly1305-avx512.S, which explains what the lanes hold. Macros
 * compute each lane independently, in radix 2^44; poly1305-avx512-long.h has radix 2^52.
 * tests/proofs proves the bounds stated here.
 */

	.pushsection .rodata
	.p2align 6
/* In all lanes: 20, 20 * 2^8 and 5, which are 2^132, 2^140 and 2^130 (mod p); 2^8 */
by_2_132:
	.fill	8, 8, 20
by_2_140:
	.fill	8, 8, 20 << 8
by_2_130:
	.fill	8, 8, 5
by_2_8:
	.fill	8, 8, 1 << 8
mask44:
	.quad	(1 << 44) - 1
mask42:
	.quad	(1 << 42) - 1
/* Masks of the lanes for r^2, r^3 and r^4, and of the lanes that are multiplied by r^4 */
lanes_of_powers:
	.byte	0x30, 0x0c, 0x03, 0x55
	.popsection

/* General registers */
.set DATA,		%rsi	/* the next vector, or the end of the message */
.set VECS,		%rdi	/* vectors from DATA on */
.set LEN,		%r10	/* length of the message, in bytes or blocks */
.set PADDING,		%r11	/* 64 bytes that pad the last vector */
.set KEPT,		%r8d	/* whether P came from state->pow; shares H1's register */
/* H, a number in radix 2^64 with small h2 */
.set H0, %rax; .set H1, %r8; .set H2, %r9
/* While powers are computed: r; Q1 = 5 r1 / 4, which is 2^128 r1 (mod p); scratch */
.set R0, %r15; .set R1, %rcx; .set Q1, %r11
.set A0, %rbx; .set A1, %r12; .set B0, %r13; .set B1, %r14

/* Vectors of limbs: X, the value so far */
.set X0, %zmm0; .set X1, %zmm1; .set X2, %zmm2
/* Sums of low halves, and of high halves, of products */
.set L0, %zmm3; .set L1, %zmm4; .set L2, %zmm5
.set U0, %zmm6; .set U1, %zmm7; .set U2, %zmm8
/* A vector of blocks, or powers for the table */
.set Y0, %zmm9; .set Y1, %zmm10; .set Y2, %zmm11
/* P, the powers that the last vector is multiplied by */
.set P0, %zmm12; .set P1, %zmm13; .set P2, %zmm14
/* E = r^8 in all lanes, with ES1 = 20 E1 and ES2 = 20 E2 */
.set E0, %zmm15; .set E1, %zmm16; .set E2, %zmm17; .set ES1, %zmm18; .set ES2, %zmm19
/* F = r^16 in all lanes; while powers are computed, any factor */
.set F0, %zmm20; .set F1, %zmm21; .set F2, %zmm22; .set FS1, %zmm23; .set FS2, %zmm24
/* 20 P1 and 20 P2 replace 20 F1 and 20 F2. */
.set PS1, FS1; .set PS2, FS2
/* Constants of the call: masks; bit 128, 0 or 1, of all blocks, and of the last vector's */
.set M44, %zmm25; .set M42, %zmm26; .set HIBIT, %zmm27; .set LAST_HIBIT, %zmm28
/* Scratch. BIT40 = 2^40 HIBIT, which is bit 128 in limb 2. */
.set T0, %zmm29; .set T1, %zmm30; .set T2, %zmm31; .set BIT40, T2

/* The bytes of the last vector's second half that belong to the message */
#define LAST_B		%k4

/* Save the callee-saved registers that make_powers_44 clobbers. */
.macro	save_registers_44
	push_regs %rbx, %r12, %r13, %r14, %r15
.endm

.macro	restore_registers_44
	pop_regs %r15, %r14, %r13, %r12, %rbx
.endm

/* Zero the caller-saved registers that may hold key material, H above all, and return. */
.macro	wipe_and_return_44
	pop	%rbp
	zero_regs %eax, %ecx, %edx, %esi, %edi, %r8d, %r9d
	RET
.endm

/*
 * H = H r (mod p), in radix 2^64, r clamped: the three sums of mul_r. In: R, Q1. Clobbers rdx, A,
 * B. For h2 <= 4 the first two sums are below 2^126. The third, with the carry, is below 2^63. Its
 * bits above 130, below 2^61, are folded by 2^130 = 5, which leaves h2 <= 4.
 */
.macro	h_times_r
	mov	R0, %rdx
	mulx	H0, A0, A1
	mulx	H1, B0, B1
	mov	Q1, %rdx
	mulx	H1, %rdx, H1
	add	%rdx, A0
	adc	H1, A1
	mov	R1, %rdx
	mulx	H0, H0, H1
	add	H0, B0
	adc	H1, B1
	mov	Q1, H0
	imul	H2, H0
	imul	R0, H2
	add	H0, B0
	adc	$0, B1
	add	A1, B0
	adc	B1, H2
	mov	A0, H0
	mov	B0, H1
	fold	H0, H1, H2, A0
.endm

/*
 * H = r^2 = r0^2 + r1 q1 + 2^64 (2 r0 r1) (mod p); the sums are below 2^122.
 * In: R, Q1. Clobbers rdx, A, B.
 */
.macro	square_r_44
	mov	R0, %rdx
	lea	(R1, R1), B1
	mulx	B1, H1, H2
	mulx	R0, H0, A1
	mov	Q1, %rdx
	mulx	R1, A0, B0
	add	A0, H0
	adc	B0, A1
	add	A1, H1
	adc	$0, H2
	fold	H0, H1, H2, A0
.endm

/* Lanes \k of L0, L2 and T2 = H. If \z is {z}, the other lanes of T2 become 0. */
.macro	set_lanes k, z
	vpbroadcastq H0, L0{\k}
	vpbroadcastq H1, L2{\k}
	vpbroadcastq H2, T2{\k}\z
.endm

/*
 * \r\()S1 = 20 \r\()1 and \r\()S2 = 20 \r\()2, for limbs below 2^47. The multiplier takes longer
 * than shifts and additions, but fewer instructions.
 */
.macro	times20	r
	vpxorq	\r\()S1, \r\()S1, \r\()S1
	vpxorq	\r\()S2, \r\()S2, \r\()S2
	vpmadd52luq by_2_132(%rip), \r\()1, \r\()S1
	vpmadd52luq by_2_132(%rip), \r\()2, \r\()S2
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
 * Bounds: \a and \r below 2^45, 2^45, 2^43, so \r\()S1 < 2^49.4 and \r\()S2 < 2^47.4: all factors
 * are below 2^52. One call adds less than 3 * 2^52 to each limb of L, 2^41.5 to U0, U1 and 2^38.6
 * to U2.
 */
.macro	mul44	a, r
	madd52	\a\()1, \r\()0, 1
	madd52	\a\()1, \r\()1, 2
	madd52	\a\()2, \r\()S1, 0
	madd52	\a\()2, \r\()0, 2
	madd52	\a\()2, \r\()S2, 1
	madd52	\a\()1, \r\()S2, 0
	vpmadd52huq \a\()0, \r\()2, U2
	vpmadd52huq \a\()0, \r\()1, U1
	vpmadd52luq \a\()0, \r\()2, L2
	madd52	\a\()0, \r\()0, 0
	vpmadd52luq \a\()0, \r\()1, L1
.endm

/*
 * L = L + 2^52 U (mod p) in radix 2^44. 2^52 is 2^8 times the weight of the next limb, and limb 2
 * wraps around by 2^8 * 2^132 = 2^140 (mod p).
 *
 * Bounds, after at most two mul44 that started from L below 2^52: 5120 U2 < 2^52 and
 * 2^8 U0, 2^8 U1 < 2^51, so low halves are whole products; L < 2^55.
 */
.macro	join44
	vpmadd52luq by_2_140(%rip), U2, L0
	vpmadd52luq by_2_8(%rip), U0, L1
	vpmadd52luq by_2_8(%rip), U1, L2
.endm

/*
 * \x = L + 2^52 U. All limbs carry at once, and only to the next limb, which is enough for the next
 * multiplication. Clobbers L, U.
 *
 * Bounds, after at most two mul44 that started from L below 2^52: the carries are below 2^11, 2^11
 * and 2^13, so \x\()0 < 2^44 + 2^15.4, \x\()1 < 2^44 + 2^11, \x\()2 < 2^42 + 2^11.
 */
.macro	carry44	x
	join44
	vpsrlq	$42, L2, U2
	vpsrlq	$44, L1, U1
	vpsrlq	$44, L0, U0
	vpandq	M44, L0, \x\()0
	vpandq	M42, L2, L2
	vpmadd52luq by_2_130(%rip), U2, \x\()0
	vpandq	M44, L1, L1
	vpaddq	U0, L1, \x\()1
	vpaddq	U1, L2, \x\()2
.endm

/* L + 2^52 U = 0 */
.macro	zero_sums
	zero_vectors L0, L1, L2, U0, U1, U2
.endm

.macro	zero_vectors vectors:vararg
.irp v, \vectors
	vpxorq	\v, \v, \v
.endr
.endm

/* \x = \a \r (mod p). Clobbers L, U. */
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
	vpsllq	$1, \a\()1, T0
	vpsllq	$2, \a\()2, T1
	vpsllq	$4, \a\()2, T2
	zero_sums
	madd52	\a\()1, \a\()1, 2
	madd52	\a\()0, \a\()0, 0
	vpaddq	T1, T2, T2			/* 20 a2 */
	vpsrlq	$1, T1, T1
	madd52	\a\()0, T0, 1
	madd52	\a\()0, T1, 2
	vpmadd52huq \a\()2, T2, U1
	vpmadd52huq T0, T2, U0
	vpmadd52luq \a\()2, T2, L1
	vpmadd52luq T0, T2, L0
	carry44	\x
.endm

/*
 * \x = \lo + 2^64 \hi + 2^128 \top in radix 2^44: below 2^44, 2^44, and 2^43 for \top up to 4. \lo
 * and \hi may be \x\()0 and \x\()2.
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
 * \x = the vector of blocks in T0, T1, in radix 2^44, with bit 128 in BIT40. Shifts take the place
 * of vpshrdq, which occupies the multiplier on some CPUs. Clobbers T0.
 */
.macro	shift44	x
	vpunpcklqdq T1, T0, \x\()0
	vpunpckhqdq T1, T0, \x\()2
	vpsllq	$20, \x\()2, T0
	vpsrlq	$44, \x\()0, \x\()1
	vpsrlq	$24, \x\()2, \x\()2
	vpandq	M44, \x\()0, \x\()0
	vpternlogq $0xa8, M44, T0, \x\()1	/* (\x\()1 | T0) & M44 */
	vporq	BIT40, \x\()2, \x\()2
.endm

/*
 * P = r^8 ... r^1 in the order of the lanes, from R0, R1. Clobbers H, Q1, rdx, A, B, F, L, U, Y, T,
 * k1, k2, k3.
 *
 * r^1 ... r^4 are computed in general registers, and each goes to two lanes. Then the even lanes
 * are multiplied by r^4 and the odd lanes by 1, in zmm: with ymm, a message takes 20 cycles longer
 * on Emerald Rapids.
 */
.macro	make_powers_44
	five_quarters R1, Q1
	vpbroadcastq R0, L0
	vpbroadcastq R1, L2
	square_r_44
	kmovb	lanes_of_powers(%rip), %k1
	set_lanes %k1, {z}
	h_times_r
	kmovb	lanes_of_powers+1(%rip), %k2
	set_lanes %k2
	h_times_r
	kmovb	lanes_of_powers+2(%rip), %k3
	set_lanes %k3
	split_words_44 Y, L0, L2, T2
	kmovb	lanes_of_powers+3(%rip), %k1
	vmovdqa64 odd_lanes(%rip), F0
	vpbroadcastq %xmm9, F0{%k1}
	vpbroadcastq %xmm10, F1{%k1}{z}
	vpbroadcastq %xmm11, F2{%k1}{z}
	times20	F
	multiply Y, F, P
.endm

/*
 * Start the sums with a vector of weight 1: L + 2^52 U = the blocks in T0, T1, with bit 128 in
 * \hibit. Low words are split at 52 bits. High words, of weight 2^64, are split at 32 bits: the low
 * 32 bits, times 2^20, have the weight of L1, the high bits the weight of U1. L0, L1 are below
 * 2^52, U0 below 2^12 and U1 below 2^33.
 */
.macro	begin_sums hibit
	vpunpcklqdq T1, T0, U0
	vpunpckhqdq T1, T0, U1
	vpxorq	L1, L1, L1
	vpandq	mask52(%rip){1to8}, U0, L0
	vpmadd52luq by_2_20(%rip), U1, L1
	vpsrlq	$52, U0, U0
	vpshrdq	$32, \hibit, U1, U1
	vpxorq	L2, L2, L2
	vpxorq	U2, U2, U2
.endm

/* T0, T1 = the vector at \base, which is not the last */
.macro	load	base
	vmovdqu64 (\base), T0
	vmovdqu64 64(\base), T1
.endm

/* T0, T1 = the last vector, at \base, completed from \pad where the message ends */
.macro	load_last_44 base, pad
	vmovdqu64 (\base), T0
	vmovdqu64 (\pad), T1
	vmovdqu8 64(\base), T1{LAST_B}
.endm

/* M44 and M42 in all lanes */
.macro	set_masks
	vpbroadcastq mask44(%rip), M44
	vpbroadcastq mask42(%rip), M42
.endm
