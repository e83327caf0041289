/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for x86-64 CPUs with AVX512F, VL, BW, DQ, IFMA and VBMI2, and BMI2.
 *
 * poly1305_core.h has the notation and the contract. A vector is eight blocks, one in each
 * 64-bit lane. As numbers they are three zmm registers, one for each limb.
 *
 * Two loads, m_1 ... m_4 and m_5 ... m_8, and vpunpck{l,h}qdq bring the low and the high words of a
 * vector's blocks into the lanes in the order below. P is the powers of r that the last vector is
 * multiplied by.
 *
 *	blocks			1 5 2 6 3 7 4 8
 *	exponents of r in P	8 4 7 3 6 2 5 1
 *
 * A message of n blocks is ceil(n / 8) vectors. If n is not a multiple of 8, the first vector has
 * fewer blocks, the last of its eight. The other lanes hold 0, which changes nothing. So the last
 * vector is always multiplied by P:
 *
 *	X = v_1;  X = X r^8 + v_i  for i = 2 ... ;  h = sum of lanes of X P.
 *
 * Radix 2^44, with limbs of 44, 44 and 42 bits, is for all powers, and for messages with fewer than
 * LONG_VECTORS vectors after the first; 2^132 = 4 * 2^130 = 20 (mod p). Longer messages take the
 * multiplier's radix 2^52, with limbs of 52, 52 and 26 bits.
 */

#include "poly1305-macros.h"
#include "poly1305-avx512.h"
#include "poly1305-avx512-long.h"

	.section .rodata
	.p2align 6
/* In all lanes: 2^20 */
by_2_20:
	.fill	8, 8, 1 << 20
/* 1 in the odd lanes */
odd_lanes:
	.rept	4
	.quad	0, 1
	.endr
.set one,		odd_lanes + 8
/* Bit 128 of the blocks of a vector; from the second qword on, of all blocks but the last */
hibits:
	.fill	8, 8, 1
	.quad	0
mask52:
	.quad	(1 << 52) - 1
/* A byte 1 at 128. A load from byte 128 - n pads a message of n bytes. */
padding:
	.fill	128, 1, 0
	.fill	1, 1, 1
	.fill	126, 1, 0
/*
 * For a first vector of f = 1 ... 8 blocks, row f: the index of each lane's low word among the
 * words of the f blocks. They become the last blocks; lanes without a block have negative indices.
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
/* Masks of the lanes of the last f of 8 blocks, f = 0 ... 8 */
lanes_of_last:
	.byte	0x00, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff

	.text

/*
 * The least numbers of vectors after the first, measured on Emerald Rapids. PAIRS: two at a time.
 * LONG_VECTORS: in radix 2^52. GROUPS_OF_16, GROUPS_OF_32: in groups of that size, without the
 * three vectors that are processed while the table is computed.
 */
.set PAIRS,		3
.set LONG_VECTORS,	36
.set GROUPS_OF_16,	36
.set GROUPS_OF_32,	128

/*
 * For a message of rdx > 0 blocks: VECS = the number of vectors after the first; rdx = the number
 * of blocks in the first vector, 1 to 8; k3 = the mask of their lanes. Clobbers rax.
 */
.macro	count_vectors
	lea	-1(%rdx), VECS
	shr	$3, VECS
	lea	(, VECS, 8), %rax
	sub	%rax, %rdx
	lea	lanes_of_last(%rip), %rax
	kmovb	(%rax, %rdx), %k3
.endm

/*
 * X = the first vector: the first rdx of the blocks in T0, T1, moved to the last lanes, with bit
 * 128 in T2. In: rdx and k3 from count_vectors. DATA moves past these blocks. Clobbers rax, L, T.
 */
.macro	place_first
	lea	lanes_from_blocks-8(%rip), %rax
	vpmovzxbq (%rax, %rdx, 8), L0
	vpaddq	one(%rip){1to8}, L0, L2
	vpermi2q T1, T0, L0{%k3}{z}
	vpermi2q T1, T0, L2{%k3}{z}
	split_words_44 X, L0, L2, T2
	mov	%edx, %eax
	shl	$4, %eax
	add	%rax, DATA
.endm

/*
 * Add the number at (rax) to the first block's lane of X. In: X, rdx and k3 after place_first.
 * Clobbers rcx, L, T, k7.
 */
.macro	add_h_44
	lea	lanes_of_last(%rip), %rcx
	kmovb	-1(%rcx, %rdx), %k7
	kxorb	%k3, %k7, %k7
	vpbroadcastq (%rax), L0
	vpbroadcastq 8(%rax), L2
	vpbroadcastq 16(%rax), T2
	split_words_44 L, L0, L2, T2
	vpaddq	L0, X0, X0{%k7}
	vpaddq	L1, X1, X1{%k7}
	vpaddq	L2, X2, X2{%k7}
.endm

/*
 * X = the first vector of a message of rdx > 0 blocks and LEN bytes at DATA. Sets VECS, rdx and k3
 * as count_vectors does, and moves DATA past the vector. Clobbers rax, rcx, LEN, L, T, k1.
 */
.macro	load_first
	count_vectors
	test	VECS, VECS
	jnz	.Lmore\@

	/*
	 * The first vector is also the last, and is padded with a byte 1 after the message. If the
	 * message has no tail, no lane takes the block with this byte.
	 */
	lea	padding+128(%rip), %rcx
	sub	LEN, %rcx
	vmovdqu64 (%rcx), T0
	vmovdqu64 64(%rcx), T1
	mov	$-1, %rax
	bzhi	LEN, %rax, %rcx
	kmovq	%rcx, %k1
	vmovdqu8 (DATA), T0{%k1}
	xor	%ecx, %ecx
	sub	$64, LEN
	cmovae	LEN, %rcx
	bzhi	%rcx, %rax, %rcx
	kmovq	%rcx, %k1
	vmovdqu8 64(DATA), T1{%k1}
	vmovdqa64 LAST_HIBIT, T2{%k3}{z}
	jmp	.Lplace\@
.Lmore\@:
	load	DATA
	vmovdqa64 HIBIT, T2{%k3}{z}
.Lplace\@:
	place_first
.endm

/* X = X r^8 + the vector at DATA, which is not the last. DATA moves on. Clobbers L, U, T. */
.macro	step_44
	load	DATA
	begin_sums HIBIT
	mul44	X, E
	carry44	X
	sub	$-128, DATA
.endm

/*
 * Process all vectors after the first: H = the sum of the lanes of X r^8k P + ... + v P, with
 * k = VECS and v the last vector; h2 is below 2^20. In: X, the first vector in radix 2^44, below
 * 2^45, 2^45, 2^43; DATA, VECS, LAST_B, PADDING, P, KEPT and the constants of the call.
 *
 * Wipes all vector registers except the constants of the call. Leaves key material in H, rcx, rdx,
 * rsi, rdi.
 */
SYM_FUNC_START_LOCAL(finish_avx512)
	test	VECS, VECS
	jz	.Lfinal_one
	vpbroadcastq %xmm12, E0
	vpbroadcastq %xmm13, E1
	vpbroadcastq %xmm14, E2
	times20	E
	cmp	$LONG_VECTORS, VECS
	jae	.Llong
	cmp	$1, VECS
	je	.Lone
	cmp	$PAIRS, VECS
	jb	.Lsingle

	/*
	 * Two vectors between carries, X = X r^16 + v r^8 + w. If the number of vectors is odd, one
	 * is processed alone: the first, or the last if P came from state->pow.
	 */
	square_44	E, F
	times20	F
	vpsllq	$40, HIBIT, BIT40
	test	$1, %dil
	jz	.Lpairs
	test	KEPT, KEPT
	jnz	.Lpairs
	step_44
	dec	VECS
.Lpairs:
	sub	$2, VECS
	jz	.Llast_pair
	/* Y = v, and L + 2^52 U = w */
	load	DATA
	shift44	Y
	sub	$-128, DATA
	load	DATA
	shift44	L
	zero_vectors U0, U1, U2
	mul44	Y, E
	mul44	X, F
	carry44	X
	sub	$-128, DATA
	cmp	$1, VECS
	jne	.Lpairs
	jmp	.Lkept
.Llast_pair:
	load	DATA
	split44	Y, HIBIT
	sub	$-128, DATA
	load_last_44 DATA, PADDING
	begin_sums LAST_HIBIT
	mul44	Y, E
	mul44	X, F
	carry44	X
	jmp	.Lfinal_one

	/* X = X r^8 + v */
.Lsingle:
	step_44
	dec	VECS
.Lone:
	test	KEPT, KEPT
	jnz	.Lkept
	load_last_44 DATA, PADDING
	begin_sums LAST_HIBIT
	mul44	X, E
	carry44	X
.Lfinal_one:
	times20	P
	zero_sums
	mul44	X, P

.Ladd_up:
	/* Add up eight lanes of one or two products. The sums are below 2^58. */
	join44
	vpunpcklqdq L1, L0, U0
	vpunpckhqdq L1, L0, U1
	vpaddq	U1, U0, U0			/* four lanes of limb 0, four of limb 1 */
	vshufi64x2 $0x44, L2, U0, U1
	vshufi64x2 $0xee, L2, U0, U2
	vpaddq	U2, U1, U1			/* two of limb 0, two of limb 1, four of limb 2 */
	vshufi64x2 $0xb1, U1, U1, U2
	vpaddq	U2, U1, U1			/* one of limb 0, one of limb 1, two of limb 2 */
	vextracti64x4 $1, U1, %ymm8
	vmovq	%xmm7, H0
	vpextrq	$1, %xmm7, %rcx
	vmovq	%xmm8, %rdx
	vpextrq	$1, %xmm8, %rdi
	add	%rdi, %rdx

	/* H = H0 + 2^44 rcx + 2^88 rdx; h2 < 2^20 */
	mov	%rcx, %rsi
	mov	%rdx, H2
	shl	$44, %rcx
	mov	%rdx, H1
	shr	$20, %rsi
	shl	$24, H1
	shr	$40, H2
	add	%rcx, H0
	adc	%rsi, H1
	adc	$0, H2

	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
		17, 18, 19, 20, 21, 22, 23, 24, 29, 30, 31
	vpxord	%xmm\i, %xmm\i, %xmm\i
	.endr
	vzeroupper
	RET

	/*
	 * If P came from state->pow, r^8 P does not wait for X. So X (r^8 P) + v P is computed,
	 * not (X r^8 + v) P: the last vector v needs no reduction.
	 */
.Lkept:
	multiply P, E, E
	times20	E
	times20	P
	load_last_44 DATA, PADDING
	split44	Y, LAST_HIBIT
	zero_sums
	mul44	Y, P
	mul44	X, E
	jmp	.Ladd_up

.Llong:
	long_message
	jmp	.Lfinal_one
SYM_FUNC_END(finish_avx512)

/*
 * Write the tag of H, wipe and return. On the stack are the addresses of the tag and the key.
 *
 * Let q = h >> 130. If (h mod 2^130) + 5 q + 5 reaches 2^130, h - q p reaches p, and q becomes
 * q + 1. Then h mod p is h - q p, and the tag is the low 128 bits of h + 5 q + s.
 */
.macro	finish_digest_44
	pop	%rcx
	pop	%rdi
	mov	H2, %rsi
	shr	$2, %rsi
	and	$3, %r9d
	lea	5(%rsi, %rsi, 4), %rdx
	add	H0, %rdx
	mov	H1, %rdx
	adc	$0, %rdx
	adc	$0, H2
	shr	$2, H2
	add	H2, %rsi
	lea	(%rsi, %rsi, 4), %rsi
	add	16(%rdi), H0
	adc	24(%rdi), H1
	add	%rsi, H0
	adc	$0, H1
	mov	H0, 0(%rcx)
	mov	H1, 8(%rcx)
	wipe_and_return_44
.endm

/*
 * A digest function as poly1305_core.h defines it. A tail is loaded with a mask, and gets its 1 bit
 * from PADDING, not from LAST_HIBIT.
 */
SYM_TYPED_FUNC_START(poly1305_digest_avx512)
	push	%rbp
	mov	%rsp, %rbp
	push	%rdi
	push	%rcx
	mov	%rdx, LEN
	xor	%eax, %eax
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	test	%rdx, %rdx
	jz	.Ltag
	save_registers_44
	mov	0(%rdi), R0
	mov	8(%rdi), R1
	mov	$0x0ffffffc0fffffff, %rax
	and	%rax, R0
	and	$-4, %rax
	and	%rax, R1
	set_masks
	make_powers_44
	restore_registers_44

	/* rcx = the number of bytes that the last block lacks */
	mov	%r10d, %ecx
	neg	%ecx
	and	$15, %ecx
	mov	$-1, %rax
	shrx	%rcx, %rax, %rax
	kmovq	%rax, LAST_B
	lea	padding+64(%rip), PADDING
	add	%rcx, PADDING
	add	$15, %ecx
	shr	$4, %ecx
	lea	hibits(%rip), %rax
	vmovdqa64 (%rax), HIBIT
	vmovdqu64 (%rax, %rcx, 8), LAST_HIBIT

	xor	KEPT, KEPT
	lea	15(LEN), %rdx
	shr	$4, %rdx
	load_first
	call	finish_avx512
.Ltag:
	finish_digest_44
SYM_FUNC_END(poly1305_digest_avx512)

/*
 * The tag of a packet with at least 128 bytes of ciphertext: mac->h continues with the text, zeros
 * up to a block, and both lengths. mac->end has 48 zeros and the lengths. Clobbers mac->h.
 */
SYM_TYPED_FUNC_START(poly1305_packet_avx512)
	push	%rbp
	mov	%rsp, %rbp
	lea	MAC_R(%rdi), %rdi
	push	%rdi
	push	%rcx
	mov	%rdx, LEN
	save_registers_44
	mov	0(%rdi), R0
	mov	8(%rdi), R1
	five_quarters R1, Q1
	mov	MAC_H-MAC_R(%rdi), H0
	mov	MAC_H-MAC_R+8(%rdi), H1
	mov	MAC_H-MAC_R+16(%rdi), H2
	fold	H0, H1, H2, A0
	h_times_r
	mov	H0, MAC_H-MAC_R(%rdi)
	mov	H1, MAC_H-MAC_R+8(%rdi)
	mov	H2, MAC_H-MAC_R+16(%rdi)
	set_masks
	make_powers_44
	restore_registers_44

	/* The last vector ends with rcx bytes that are not of the text. */
	mov	%r10d, %ecx
	neg	%ecx
	and	$15, %ecx
	add	$16, %ecx
	mov	$-1, %rax
	shrx	%rcx, %rax, %rax
	kmovq	%rax, LAST_B
	lea	MAC_END-MAC_R(%rdi), PADDING
	vmovdqa64 hibits(%rip), HIBIT
	vmovdqa64 HIBIT, LAST_HIBIT
	lea	31(LEN), %rdx
	shr	$4, %rdx
	count_vectors
	load	DATA
	vmovdqa64 HIBIT, T2{%k3}{z}
	place_first
	mov	8(%rsp), %rax
	add	$MAC_H-MAC_R, %rax
	add_h_44
	xor	KEPT, KEPT
	call	finish_avx512
	finish_digest_44
SYM_FUNC_END(poly1305_packet_avx512)

/* A block function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_blocks_avx512)
	test	%rdx, %rdx
	jnz	.Lblocks
	RET
.Lblocks:
	push	%rbp
	mov	%rsp, %rbp
	push	%rdi
	mov	%rdx, LEN
	mov	%ecx, %eax
	vpbroadcastq %rax, HIBIT
	vmovdqa64 HIBIT, LAST_HIBIT
	kxnorq	LAST_B, LAST_B, LAST_B
	set_masks
	cmpl	$8, STATE_NPOW(%rdi)
	jb	.Lmake_powers
	vpmovzxbq lanes_from_state(%rip), T0
	vpermq	STATE_POW(%rdi), T0, P0
	vpermq	STATE_POW+STATE_POW_ROW(%rdi), T0, P1
	vpermq	STATE_POW+2*STATE_POW_ROW(%rdi), T0, P2
	mov	$1, KEPT
	jmp	.Lhave_powers
.Lmake_powers:
	save_registers_44
	mov	STATE_R(%rdi), R0
	mov	STATE_R+8(%rdi), R1
	make_powers_44
	restore_registers_44
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	P0, T0, L0
	vpermq	P1, T0, L1
	vpermq	P2, T0, L2
	vmovdqu64 L0, STATE_POW(%rdi)
	vmovdqu64 L1, STATE_POW+STATE_POW_ROW(%rdi)
	vmovdqu64 L2, STATE_POW+2*STATE_POW_ROW(%rdi)
	movl	$8, STATE_NPOW(%rdi)
	xor	KEPT, KEPT
.Lhave_powers:
	lea	padding+64(%rip), PADDING
	mov	LEN, %rdx
	shl	$4, LEN
	load_first

	mov	(%rsp), %rax
	add	$STATE_H, %rax
	add_h_44
	call	finish_avx512

	/* Fold h2 to at most 4 by 2^130 = 5. */
	fold	H0, H1, H2, %rcx
	pop	%rdi
	store_words H0, H1, H2, STATE_H(%rdi)
	wipe_and_return_44
SYM_FUNC_END(poly1305_blocks_avx512)
