/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for x86-64 CPUs with AVX512F, VL, BW, DQ and IFMA, and BMI2.
 *
 * Notation and contract: poly1305_core.h. Eight blocks are in flight, one in
 * each 64-bit lane of a vector; a vector of numbers is three zmm registers, one
 * for each limb.
 *
 * Lanes. Two loads m_1 ... m_4 and m_5 ... m_8 and vpunpck{l,h}qdq bring the
 * low and high words of eight blocks into lanes in the order
 *
 *	1 5 2 6 3 7 4 8		so P, the powers to multiply with, has
 *	8 4 7 3 6 2 5 1		as its exponents of r.
 *
 * A message of n blocks is ceil(n / 8) vectors. If they do not come out even,
 * the first vector lacks blocks, in front: a lane without a block holds 0,
 * which is as good as no block at all. So the last vector always meets P:
 *
 *	X = v_1;  X = X r^8 + v_i  for i = 2 ... ;  h = sum of lanes of X P.
 *
 * Radix 2^44 serves messages up to LONG vectors, and all powers: limbs of 44,
 * 44 and 42 bits, so that 2^132 = 4 * 2^130 = 20 (mod p). Radix 2^52, limbs of
 * 52, 52 and 26 bits, is what the multiplier has: it serves longer ones.
 */

#include "../../compat.h"
#include "poly1305-avx512.h"

	.section .rodata
	.p2align 6
/* 5 * 2^26, 20 * 2^8 and 5 in all lanes: 2^156, 2^140 and 2^130 (mod p) */
by_2_156:
	.fill	8, 8, 5 << 26
by_2_140:
	.fill	8, 8, 20 << 8
by_2_130:
	.fill	8, 8, 5
/* The order of the lanes: which word of eight blocks, the low one, they take */
lanes_from_blocks:
	.byte	0, 8, 2, 10, 4, 12, 6, 14
/* ... where they find their power in the state, ... */
lanes_from_state:
	.byte	0, 4, 1, 5, 2, 6, 3, 7
/* ... and where the state finds its powers in the lanes */
state_from_lanes:
	.byte	0, 2, 4, 6, 1, 3, 5, 7
/* 8 4 7 3 6 2 5 1 from 4 3 2 1 in four lanes and, past eight, 8 7 6 5 */
lanes_of_powers:
	.byte	8, 0, 9, 1, 10, 2, 11, 3
/* The lanes that hold blocks if only the last f of 8 do, f = 0 ... 8 */
lanes_of_last:
	.byte	0x00, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff

	.text

/* struct poly1305_mac_state */
.set STATE_R,		24
.set STATE_NPOW,	40
.set STATE_POW,		48

/*
 * How many vectors after the first make it pay to take them in pairs, to use
 * radix 2^52, and how many left then groups of 16 and of GROUP. Measured on
 * Zen 4; by their ports' count Intel's CPUs would like LONG about half as high.
 */
.set PAIRS,		5
.set LONG,		48
.set GROUPS_OF_16,	96
.set GROUPS_OF_32,	200

/*
 * P = r^8 ... r^1 in the order of the lanes, from R0, R1.
 * Clobbers H, Q1, rdx, A, B, C, F, L, U, X, T, k1, k2, k3.
 *
 * Scalar as far as r^4, which has less latency than a vector. In four lanes, as
 * narrow vectors are cheaper on some CPUs, r^4 ... r^1 times r^4 is r^8 ... r^5.
 */
.macro	make_powers
	use	ymm
	mov	R1, Q1
	shr	$2, Q1
	add	R1, Q1
	vpbroadcastq R0, L0
	vpbroadcastq R1, L2
	vpxorq	T2, T2, T2
	mov	$4, %edx
	mov	$2, %eax
	mov	$1, %ecx
	kmovd	%edx, %k1
	kmovd	%eax, %k2
	kmovd	%ecx, %k3
	mov	R0, H0
	mov	R1, H1
	mul_r	h2_is_0=1
	set_lanes %k1
	mul_r
	set_lanes %k2
	mul_r
	set_lanes %k3
	vpsllq	$40, T2, T2
	begin_words T2
	copy	L, P
	vpbroadcastq %xmm3, F0
	vpbroadcastq %xmm4, F1
	vpbroadcastq %xmm5, F2
	times20	F
	multiply P, F, X
	use	zmm
	vpmovzxbq lanes_of_powers(%rip), T0
	vpermt2q X0, T0, P0
	vpermt2q X1, T0, P1
	vpermt2q X2, T0, P2
.endm

/*
 * X = the first vector of rdx > 0 blocks at DATA, \len bytes; VECS is how many
 * vectors follow, DATA where; rdx (1 to 8) is how many blocks the first has.
 * Clobbers rax, rcx, \len, L, U, T, k1, k2, k3, k7.
 *
 * Its n blocks go to the last lanes by a permutation: the word for a lane that
 * would be number i of a full vector is number i - 2 (8 - n) here.
 */
.macro	load_first len
	lea	-1(%rdx), VECS
	shr	$3, VECS
	lea	(, VECS, 8), %rax
	sub	%rax, %rdx
	lea	lanes_of_last(%rip), %rax
	kmovb	(%rax, %rdx), %k3
	test	VECS, VECS
	jnz	.Lmore\@

	/*
	 * The first is the last. Its padding, the byte after the message, goes
	 * to a block that no lane takes if the message ends with a block.
	 */
	mov	$-1, %rax
	bzhi	\len, %rax, %rcx
	kmovq	%rcx, %k1
	add	$1, %rcx
	kmovq	%rcx, %k7
	vmovdqu8 ONES, T0{%k7}{z}
	vmovdqu8 (DATA), T0{%k1}
	xor	%ecx, %ecx
	sub	$64, \len
	cmovae	\len, %rcx
	bzhi	%rcx, %rax, %rcx
	kmovq	%rcx, %k1
	add	$1, %rcx
	kmovq	%rcx, %k7
	vmovdqu8 ONES, T1{%k7}{z}
	vmovdqu8 64(DATA), T1{%k1}
	kandb	LAST_LANES, %k3, %k2
	jmp	.Lsplit\@
.Lmore\@:
	vmovdqu64 (DATA), T0
	vmovdqu64 64(DATA), T1
	kmovb	%k3, %k2
.Lsplit\@:
	lea	-16(%rdx, %rdx), %eax
	vpbroadcastq %rax, L2
	vpmovzxbq lanes_from_blocks(%rip), L0
	vpaddq	L2, L0, L0
	vpternlogq $0xff, L1, L1, L1
	vpsubq	L1, L0, L2
	vpermi2q T1, T0, L0{%k3}{z}
	vpermi2q T1, T0, L2{%k3}{z}
	vmovdqa64 HIBIT, T2{%k2}{z}
	begin_words T2
	copy	L, X
	mov	%edx, %eax
	shl	$4, %eax
	add	%rax, DATA
.endm

/* Put \a, made strict, at exponents \first to \first - 7. Clobbers \a, T0. */
.macro	store_powers a, first
	strict52 \a
	vmovdqa64 \a\()0, 8 * (GROUP - \first)(%rsp)
	vmovdqa64 \a\()1, 8 * (GROUP - \first) + ROW(%rsp)
	vmovdqa64 \a\()2, 8 * (GROUP - \first) + 2 * ROW(%rsp)
.endm

/* X = X r^8 + the vector at DATA, which is not the last; DATA moves on. */
.macro	step
	load	DATA, 0
	begin	HIBIT
	mul44	X, E
	carry44	X
	sub	$-128, DATA
.endm

/*
 * H = the sum of the lanes of X r^8k P + ... + (last vector) P, k = VECS; h2 is
 * below 2^20. In: X, the first vector in radix 2^44, below 2^45, 2^45, 2^44;
 * DATA, VECS, LAST_B, LAST_LANES, PAD_B, P and the constants of the call.
 *
 * Wipes all vector registers. Leaves key material in H, rdx, A, B.
 */
SYM_FUNC_START_LOCAL(finish_avx512)
	test	VECS, VECS
	jz	.Lfinal_one
	vpbroadcastq %xmm12, E0
	vpbroadcastq %xmm13, E1
	vpbroadcastq %xmm14, E2
	times20	E
	cmp	$LONG, VECS
	jae	.Llong
	cmp	$PAIRS, VECS
	jb	.Lsingle

	/*
	 * Two vectors between carries, X = X r^16 + v r^8 + w. The last vector
	 * is kept for the end, and the first of the others made into X if they
	 * are odd in number.
	 */
	use	ymm
	square	E, F
	use	zmm
	vpbroadcastq %xmm20, F0
	vpbroadcastq %xmm21, F1
	vpbroadcastq %xmm22, F2
	times20	F
	test	$1, %dil
	jnz	.Lpair
	step
	dec	VECS
.Lpair:
	load	DATA, 0
	begin	HIBIT
	copy	L, Y
	load	DATA, 128
	begin	HIBIT
	mul44	Y, E
	mul44	X, F
	carry44	X
	add	$256, DATA
	sub	$2, VECS
	cmp	$1, VECS
	jne	.Lpair

	/* X = X r^8 + v */
.Lsingle:
	dec	VECS
	jz	.Llast
	step
	jmp	.Lsingle
.Llast:
	load_last DATA, 0
	begin	T2
	mul44	X, E
	carry44	X
.Lfinal_one:
	times20	P
	zero_sums
	mul44	X, P

	/* Add up the eight lanes, to less than 2^59; L and U are 3 to 8. */
	join44
	vextracti64x4 $1, L0, %ymm6
	vextracti64x4 $1, L1, %ymm7
	vextracti64x4 $1, L2, %ymm8
	vpaddq	%ymm6, %ymm3, %ymm3
	vpaddq	%ymm7, %ymm4, %ymm4
	vpaddq	%ymm8, %ymm5, %ymm5
	vpunpcklqdq %ymm4, %ymm3, %ymm6
	vpunpckhqdq %ymm4, %ymm3, %ymm7
	vpshufd	$0x4e, %ymm5, %ymm8
	vpaddq	%ymm7, %ymm6, %ymm6
	vpaddq	%ymm8, %ymm5, %ymm5
	vextracti128 $1, %ymm6, %xmm7
	vextracti128 $1, %ymm5, %xmm8
	vpaddq	%xmm7, %xmm6, %xmm6
	vpaddq	%xmm8, %xmm5, %xmm5
	vmovq	%xmm6, H0
	vpextrq	$1, %xmm6, A0
	vmovq	%xmm5, B0

	/* H = H0 + 2^44 A0 + 2^88 B0 */
	mov	A0, A1
	mov	B0, H2
	shl	$44, A0
	mov	B0, H1
	shr	$20, A1
	shl	$24, H1
	shr	$40, H2
	add	A0, H0
	adc	A1, H1
	adc	$0, H2

	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
		17, 18, 19, 20, 21, 22, 23, 24, 29, 30, 31
	vpxord	%xmm\i, %xmm\i, %xmm\i
	.endr
	vzeroupper
	RET

	/* Radix 2^52: X = X R^s + v_1 R^(s-1) + ... + v_s, with R = r^8 */
.Llong:
	push	%rbp
	mov	%rsp, %rbp
	and	$-64, %rsp
	sub	$TABLE_SIZE, %rsp

	/*
	 * Y = R^8 ... R^1 = P^8. Meanwhile the first vectors pass: each square
	 * waits for the one before it, which leaves the multiplier free.
	 */
	copy	P, Y
	square	Y, Y
	step
	square	Y, Y
	step
	square	Y, Y
	step
	sub	$3, VECS
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	Y0, T0, Y0
	vpermq	Y1, T0, Y1
	vpermq	Y2, T0, Y2

	/* r8 is the group size. */
	mov	$8, %r8d
	cmp	$GROUPS_OF_16, VECS
	jb	.Ltable_8
	vpbroadcastq %xmm9, F0
	vpbroadcastq %xmm10, F1
	vpbroadcastq %xmm11, F2
	times20	F
	multiply Y, F, E
	mov	$16, %r8d
	cmp	$GROUPS_OF_32, VECS
	jb	.Ltable_16
	vpbroadcastq %xmm15, F0
	vpbroadcastq %xmm16, F1
	vpbroadcastq %xmm17, F2
	times20	F
	multiply Y, F, L
	store_powers L, 24
	multiply E, F, L
	store_powers L, GROUP
	mov	$GROUP, %r8d
.Ltable_16:
	store_powers E, 16
.Ltable_8:
	store_powers Y, 8
	strict52 X

	vpternlogq $0xff, T0, T0, T0
	vpsrlq	$12, T0, M52
	vpsrlq	$38, T0, M26
	vpsrlq	$40, T0, M24
	vpsrlq	$16, HIBIT, HIBIT24

	/* The first group is what makes the others come out even. */
	lea	-1(%r8), %ecx
	and	VECS, %rcx
	cmovz	%r8, %rcx
.Lgroup:
	/* rcx = s, rdx = the last vector of the group */
	mov	%rcx, %rdx
	shl	$7, %rdx
	lea	-128(DATA, %rdx), %rdx
	sub	%rcx, VECS
	jz	.Llast_group
	load	%rdx, 0
	vmovdqa64 HIBIT24, T2
	jmp	.Lbegin
.Llast_group:
	load_last %rdx, 0
	vpsrlq	$16, T2, T2
.Lbegin:
	begin52	T2
	mov	$GROUP, %r9d
	sub	%rcx, %r9
	lea	(%rsp, %r9, 8), TABLE
	jmp	.Lvector_next
.Lvector:
	add	$8, TABLE
	load_power
	split52
	sub	$-128, DATA
	mul52	Y
.Lvector_next:
	cmp	%rdx, DATA
	jne	.Lvector
	sub	$-128, DATA
	lea	(%rsp, %r9, 8), TABLE
	load_power
	mul52	X
	fold52
	mov	%r8, %rcx
	test	VECS, VECS
	jnz	.Lgroup

	/* Wipe the table; back to radix 2^44 */
	vpxorq	T0, T0, T0
	.set	i, 0
	.rept	TABLE_SIZE / 64
	vmovdqa64 T0, i(%rsp)
	.set	i, i + 64
	.endr
	leave
	set_masks
	vpsrlq	$44, X0, Y0
	vpsllq	$8, X1, Y1
	vpsrlq	$36, X1, Y2
	vpsllq	$16, X2, X2
	vpandq	M44, X0, X0
	vporq	Y0, Y1, X1
	vpandq	M44, X1, X1
	vporq	Y2, X2, X2
	jmp	.Lfinal_one
SYM_FUNC_END(finish_avx512)

/* What the functions below save: the registers that the caller owns */
.macro	enter
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
.endm

/* H and scratch registers hold key material. */
.macro	wipe_and_return
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%esi, %esi
	xor	%edi, %edi
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
	RET
.endm

/*
 * void poly1305_digest_avx512(const u8 key[32], const u8 *data, size_t len,
 *			       u8 tag[16]);
 *
 * The tag of a message. A last block that is not full is loaded with a mask,
 * and gets its 1 bit from ONES instead of HIBIT.
 */
SYM_TYPED_FUNC_START(poly1305_digest_avx512)
	enter
	push	%rdi
	push	%rcx
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%r8d, %r8d
	test	%rdx, %rdx
	jz	.Ltag

	mov	0(%rdi), R0
	mov	8(%rdi), R1
	mov	$0x0ffffffc0fffffff, %rax
	and	%rax, R0
	and	$-4, %rax
	and	%rax, R1

	/* c = bytes that the last block lacks */
	mov	%edx, %ecx
	neg	%ecx
	and	$15, %ecx
	mov	$-1, %rax
	shrx	%rcx, %rax, %rax
	kmovq	%rax, LAST_B
	add	$1, %rax
	kmovq	%rax, PAD_B
	mov	$0x01010101, %eax
	vpbroadcastd %eax, ONES
	cmp	$1, %ecx
	sbb	%eax, %eax
	or	$0x7f, %eax
	kmovd	%eax, LAST_LANES

	mov	$1, %eax
	shl	$40, %rax
	vpbroadcastq %rax, HIBIT
	set_masks
	push	%rdx
	make_powers
	pop	%r8
	lea	15(%r8), %rdx
	shr	$4, %rdx
	load_first %r8
	call	finish_avx512
.Ltag:
	/*
	 * h mod p is h - q p with q = h >> 130, or q + 1 if that leaves at
	 * least p, that is if (h mod 2^130) + 5 q + 5 reaches 2^130. Of
	 * h + 5 q + s only 128 bits are wanted.
	 */
	pop	B0
	pop	%rdi
	mov	H2, %rsi
	shr	$2, %rsi
	and	$3, %r8d
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
	mov	H0, 0(B0)
	mov	H1, 8(B0)
	wipe_and_return
SYM_FUNC_END(poly1305_digest_avx512)

/*
 * void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data,
 *			       size_t nblocks, u32 hibit);
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx512)
	test	%rdx, %rdx
	jnz	.Lblocks
	RET
.Lblocks:
	enter
	push	%rdi
	mov	%ecx, %eax
	shl	$40, %rax
	vpbroadcastq %rax, HIBIT
	vpxorq	ONES, ONES, ONES
	kxnorq	LAST_B, LAST_B, LAST_B
	kxnorb	LAST_LANES, LAST_LANES, LAST_LANES
	kxorq	PAD_B, PAD_B, PAD_B
	set_masks
	mov	STATE_R(%rdi), R0
	mov	STATE_R+8(%rdi), R1
	cmpl	$8, STATE_NPOW(%rdi)
	jb	.Lmake_powers
	vpmovzxbq lanes_from_state(%rip), T0
	vpermq	STATE_POW(%rdi), T0, P0
	vpermq	STATE_POW+64(%rdi), T0, P1
	vpermq	STATE_POW+128(%rdi), T0, P2
	jmp	.Lhave_powers
.Lmake_powers:
	push	%rdx
	make_powers
	pop	%rdx
	vpmovzxbq state_from_lanes(%rip), T0
	vpermq	P0, T0, L0
	vpermq	P1, T0, L1
	vpermq	P2, T0, L2
	vmovdqu64 L0, STATE_POW(%rdi)
	vmovdqu64 L1, STATE_POW+64(%rdi)
	vmovdqu64 L2, STATE_POW+128(%rdi)
	movl	$8, STATE_NPOW(%rdi)
.Lhave_powers:
	mov	%rdx, %r8
	shl	$4, %r8
	load_first %r8

	/* h goes to the lane of the first block. */
	lea	lanes_of_last(%rip), %rax
	movzbl	(%rax, %rdx), %ecx
	xor	-1(%rax, %rdx), %cl
	kmovd	%ecx, %k7
	mov	(%rsp), %rdx
	mov	0(%rdx), H0
	mov	16(%rdx), H2
	mov	8(%rdx), H1
	split_h
	vpbroadcastq A0, T0
	vpbroadcastq A1, T1
	vpbroadcastq B0, T2
	vpaddq	T0, X0, X0{%k7}
	vpaddq	T1, X1, X1{%k7}
	vpaddq	T2, X2, X2{%k7}
	call	finish_avx512

	/* 2^130 = 5 brings h2 to at most 4. */
	pop	%rdi
	mov	H2, %rdx
	shr	$2, %rdx
	and	$3, %r8d
	lea	(%rdx, %rdx, 4), %rdx
	add	%rdx, H0
	adc	$0, H1
	adc	$0, H2
	mov	H0, 0(%rdi)
	mov	H1, 8(%rdi)
	mov	H2, 16(%rdi)
	wipe_and_return
SYM_FUNC_END(poly1305_blocks_avx512)
