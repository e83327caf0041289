/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Long messages in poly1305-avx512.S: radix 2^52, with a fold after each group of vectors.
 * tests/proofs proves the bounds stated here.
 */

	.pushsection .rodata
	.p2align 6
/* In all lanes: 5 * 2^26, which is 2^156 (mod p), and powers of 2 */
by_2_156:
	.fill	8, 8, 5 << 26
by_1:
	.fill	8, 8, 1
by_2_36:
	.rept	8
	.quad	1 << 36
	.endr
by_2_44:
	.rept	8
	.quad	1 << 44
	.endr
mask26:
	.quad	(1 << 26) - 1
	.popsection

/*
 * C, sums of products in radix 2^52. Column c has weight 2^(52 c), and is the sum of up to three
 * registers, CcA to CcC. There are eleven for 17 products: no product waits for another.
 */
.set C0A, L0; .set C1A, L1; .set C1B, L2; .set C2A, U0; .set C2B, U1; .set C2C, U2
.set C3A, E1; .set C3B, E2; .set C3C, ES1; .set C4A, ES2; .set C4B, F0
/* G = one power in all lanes; 2^24 HIBIT, which is bit 128 in limb 2; masks */
.set G0, F1; .set G1, F2; .set G2, FS1; .set BIT24, FS2; .set M26, M42; .set M52, M44

/* The most vectors of a group, because of the bounds of fold52 */
.set GROUP,		32

/* Bytes of a full group, or 0 in the last group; see load_next */
.set AHEAD,		%r10

/* The table of powers in the frame: limb i of exponent k is at ROW i + 8 (GROUP - k). */
.set TABLE,		%rax
.set ROW,		8 * GROUP
.set TABLE_BEGIN,	64
.set TABLE_END,		TABLE_BEGIN + 3 * ROW

/* In the frame: the address of the power for X; PADDING, while its register is in use */
#define POWER_OF_X	0(%rsp)
#define SAVED_PADDING	8(%rsp)

/* G = the power at TABLE */
.macro	load_power
	vpbroadcastq (TABLE), G0
	vpbroadcastq ROW(TABLE), G1
	vpbroadcastq 2 * ROW(TABLE), G2
.endm

/*
 * C += \a G, and Y = the blocks in T0, T1, in radix 2^52, by shifts, which do not occupy the
 * multiplier. \a may be Y. Clobbers T0, T2.
 *
 * Bounds: \a\()0, \a\()1, G0, G1 < 2^52, \a\()2 <= 2^26 and G2 < 2^26. So \a\()2 G2 < 2^52 has no
 * high half. Less than 2^53 is added to each register.
 */
.macro	mul52_split52 a
	vpunpckhqdq T1, T0, T2
	vpunpcklqdq T1, T0, T0
	vpmadd52luq \a\()2, G0, C2B
	vpmadd52luq \a\()2, G1, C3A
	vpmadd52luq \a\()2, G2, C4B
	vpmadd52huq \a\()2, G0, C3B
	vpmadd52huq \a\()2, G1, C4A
	vpsrlq	$40, T2, Y2
	vporq	BIT24, Y2, Y2
	vpmadd52luq \a\()1, G1, C2C
	vpmadd52luq \a\()1, G2, C3B
	vpmadd52huq \a\()1, G1, C3C
	vpmadd52huq \a\()1, G2, C4A
	vpmadd52luq \a\()1, G0, C1A
	vpmadd52huq \a\()1, G0, C2A
	vpsrlq	$52, T0, Y1
	vpsllq	$12, T2, T2
	vporq	T2, Y1, Y1
	vpmadd52luq \a\()0, G0, C0A
	vpmadd52luq \a\()0, G1, C1A
	vpmadd52luq \a\()0, G2, C2A
	vpmadd52huq \a\()0, G0, C1B
	vpmadd52huq \a\()0, G1, C2B
	vpmadd52huq \a\()0, G2, C3A
	vmovdqa64 T0, Y0
.endm

/*
 * X = C (mod p) in radix 2^52. X2 <= 2^26. Bits of X0 and X1 above 52 have been carried to the next
 * limb, and the multiplier ignores them. Clobbers C, T0, T1.
 *
 * Bounds for GROUP vectors: columns 0 to 4 are below 2^57.1, 2^58.7, 2^59.4, 2^58.6, 2^56.1.
 * Columns 3 and 4 are folded as
 *
 *	2^156 c3 + 2^208 c4 = 5 * 2^26 (c3 + 2^52 c4)	(mod p),
 *
 * 52 bits at a time, c4 in two steps. Then c1 and c2 carry. The bits of c2 above 26, below 2^34,
 * wrap around times 5. Then c0 < 2^58 carries less than 2^6 to c1, which is now below 2^52 + 2^6.
 * So the last carry is 0 or 1, and X2 <= 2^26.
 */
.macro	fold52
	vpaddq	C3B, C3A, C3A
	vpaddq	C4B, C4A, C4A
	vpaddq	C3C, C3A, C3A
	vpaddq	C1B, C1A, C1A
	vpaddq	C2B, C2A, C2A
	vpsrlq	$52, C3A, T0
	vpaddq	C2C, C2A, C2A
	vpmadd52luq by_2_156(%rip), C3A, C0A
	vpaddq	T0, C4A, C4A
	vpmadd52huq by_2_156(%rip), C3A, C1A
	vpsrlq	$52, C4A, T1
	vpmadd52luq by_2_156(%rip), C4A, C1A
	vpmadd52huq by_2_156(%rip), C4A, C2A
	vpmadd52luq by_2_156(%rip), T1, C2A
	vpsrlq	$52, C1A, T0
	vpandq	M52, C1A, C1A
	vpaddq	T0, C2A, C2A
	vpsrlq	$26, C2A, T1
	vpandq	M26, C2A, C2A
	vpmadd52luq by_2_130(%rip), T1, C0A
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
	vpmadd52luq by_2_130(%rip), T0, \a\()0
.endm

/*
 * Convert \a from radix 2^44, with limbs below 2^44, 2^44 and 2^42 + 2^16, to radix 2^52, with
 * limbs below 2^52, 2^52 and up to 2^26. The multiplier splits 2^44 \a\()1 and 2^36 \a\()2 at 52
 * bits. Clobbers T0, T1.
 */
.macro	pack52	a
	vpxorq	T0, T0, T0
	vpxorq	T1, T1, T1
	vpmadd52luq by_2_44(%rip), \a\()1, \a\()0
	vpmadd52luq by_2_36(%rip), \a\()2, T0
	vpmadd52huq by_2_36(%rip), \a\()2, T1
	vpmadd52huq by_2_44(%rip), \a\()1, T0
	vmovdqa64 T1, \a\()2
	vmovdqa64 T0, \a\()1
.endm

/*
 * Convert \a from radix 2^44, with limbs below 2^56, to radix 2^52, with limbs below 2^52, 2^52 and
 * 2^26, and store it at exponents \first to \first - 7 of the table. Clobbers \a, T0, T1.
 *
 * After two ripple with a wrap_around between them, \a\()2 is 2^42 at most. If it is 2^42, a carry
 * of 1 passed through all limbs, so \a\()1 is 0 and \a\()0 is below the value that wrapped around,
 * 5 * 2^14. The last wrap_around adds 5, and no carry follows.
 */
.macro	store_powers a, first
	ripple	\a
	wrap_around \a
	ripple	\a
	wrap_around \a
	pack52	\a
	vmovdqa64 \a\()0, TABLE_BEGIN + 8 * (GROUP - \first)(%rsp)
	vmovdqa64 \a\()1, TABLE_BEGIN + 8 * (GROUP - \first) + ROW(%rsp)
	vmovdqa64 \a\()2, TABLE_BEGIN + 8 * (GROUP - \first) + 2 * ROW(%rsp)
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
 * X = X R^n + v_1 R^(n-1) + ... + v_n (mod p), with R = r^8, for the n = VECS vectors from DATA on.
 * X is in radix 2^44 before and after. In: the operands of finish_avx512, and E. Clobbers all
 * vector registers except P, LAST_HIBIT and the masks, and all caller-saved general registers.
 */
.macro	long_message
	push	%rbp
	mov	%rsp, %rbp
	save_registers_44
	and	$-64, %rsp
	sub	$TABLE_END, %rsp
	mov	PADDING, SAVED_PADDING

	/* Y = R^8 ... R^1 = P^8. Squares are latency-bound, so three vectors go between them. */
	vmovdqa64 P0, Y0
	vmovdqa64 P1, Y1
	vmovdqa64 P2, Y2
	square_44	Y, Y
	step_44
	square_44	Y, Y
	step_44
	square_44	Y, Y
	step_44
	sub	$3, VECS
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	Y0, T0, Y0
	vpermq	Y1, T0, Y1
	vpermq	Y2, T0, Y2

	/* rcx = the size of a group */
	mov	$8, %ecx
	cmp	$GROUPS_OF_16, VECS
	jb	.Ltable_8
	vpbroadcastq %xmm9, F0
	vpbroadcastq %xmm10, F1
	vpbroadcastq %xmm11, F2
	times20	F
	multiply Y, F, E
	mov	$16, %ecx
	cmp	$GROUPS_OF_32, VECS
	jb	.Ltable_16
	vpbroadcastq %xmm15, F0
	vpbroadcastq %xmm16, F1
	vpbroadcastq %xmm17, F2
	times20	F
	zero_sums
	mul44	Y, F
	join44
	store_powers L, 24
	zero_sums
	mul44	E, F
	join44
	store_powers L, GROUP
	mov	$GROUP, %ecx
.Ltable_16:
	store_powers E, 16
.Ltable_8:
	store_powers Y, 8
	/* X comes from carry44. Its limb 2 may become 2^26; limb 2 of powers is below 2^26. */
	ripple	X
	pack52	X

	vpbroadcastq mask52(%rip), M52
	vpbroadcastq mask26(%rip), M26

	/* The first group has the vectors that remain after full groups, or is a full group. */
	mov	%rcx, AHEAD
	shl	$7, AHEAD
	lea	-1(%rcx), %eax
	and	VECS, %rax
	cmovnz	%rax, %rcx
	load	DATA
	sub	$-128, DATA
	/* The multiplier ignores bits of Y0 and Y1 above 52; Y2 < 2^25. */
	vpunpcklqdq T1, T0, Y0
	vpunpckhqdq T1, T0, T2
	vpshrdq	$40, HIBIT, T2, Y2
	vpshrdq	$52, T2, Y0, Y1
	vpsllq	$24, HIBIT, BIT24
.Lgroup:
	/* Y is the first of rcx vectors. */
	zero_vectors C0A, C1A, C1B, C2A, C2B, C2C, C3A, C3B, C3C, C4A, C4B
	sub	%rcx, VECS
	cmovz	VECS, AHEAD
	mov	$GROUP, %eax
	sub	%rcx, %rax
	lea	TABLE_BEGIN(%rsp, %rax, 8), TABLE
	mov	TABLE, POWER_OF_X
	add	$8, TABLE
	sub	$2, %rcx
	jb	.Lgroup_last
	je	.Lgroup_next_to_last
.Lvector:
	load_next
	load_power
	add	$8, TABLE
	mul52_split52 Y
	dec	%ecx
	jnz	.Lvector

.Lgroup_next_to_last:
	load_power
	test	VECS, VECS
	jz	.Lload_last
	load_next
	jmp	.Lloaded
.Lload_last:
	mov	SAVED_PADDING, PADDING
	load_last_44 DATA, PADDING
	vpsllq	$24, LAST_HIBIT, BIT24
.Lloaded:
	mul52_split52 Y
.Lgroup_last:
	/* C += Y, the last vector of the group, of weight 1. Another group may follow. */
	vpmadd52luq by_1(%rip), Y0, C0A
	vpmadd52luq by_1(%rip), Y1, C1A
	vpaddq	Y2, C2C, C2C
	mov	POWER_OF_X, TABLE
	load_power
	test	VECS, VECS
	jz	.Lno_more
	load_next
.Lno_more:
	mul52_split52 X
	fold52
	mov	AHEAD, %rcx
	shr	$7, %rcx
	test	VECS, VECS
	jnz	.Lgroup

	/* Wipe the frame and PADDING's register, and convert X to radix 2^44. */
	vpxorq	T0, T0, T0
	.set	i, 0
	.rept	TABLE_END / 64
	vmovdqa64 T0, i(%rsp)
	.set	i, i + 64
	.endr
	xor	%r11d, %r11d
	lea	-40(%rbp), %rsp
	restore_registers_44
	pop	%rbp
	vpandq	M52, X0, X0
	vpandq	M52, X1, X1
	set_masks
	vpsrlq	$44, X0, Y0
	vpsllq	$8, X1, Y1
	vpsrlq	$36, X1, Y2
	vpsllq	$16, X2, X2
	vpandq	M44, X0, X0
	vporq	Y0, Y1, X1
	vpandq	M44, X1, X1
	vporq	Y2, X2, X2
.endm
