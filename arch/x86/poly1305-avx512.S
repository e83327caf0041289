/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for x86-64 CPUs with AVX512F, VL, BW, DQ, IFMA and VBMI2, and BMI2.
 *
 * Notation and contract: poly1305_core.h. Eight blocks are processed at a time, one in each
 * 64-bit lane of a vector. A vector of numbers is three zmm registers, one for each limb.
 *
 * Two loads, m_1 ... m_4 and m_5 ... m_8, and vpunpck{l,h}qdq bring the low and high words of
 * eight blocks into lanes in this order; P, the powers for the last vector, has these
 * exponents of r:
 *
 *	blocks		1 5 2 6 3 7 4 8
 *	exponents	8 4 7 3 6 2 5 1
 *
 * A message of n blocks is ceil(n / 8) vectors. If n is not a multiple of 8, the first vector
 * lacks blocks at its beginning. A lane without a block holds 0, which changes nothing. So
 * the last vector always meets P:
 *
 *	X = v_1;  X = X r^8 + v_i  for i = 2 ... ;  h = sum of lanes of X P.
 *
 * A piece whose powers are in the state already may end as h = sum of lanes of
 * X (r^8 P) + v P. So it has one step less that waits for the step before.
 *
 * Radix 2^44, limbs of 44, 44 and 42 bits, is for all powers, and for messages of fewer
 * vectors behind the first than LONG_VECTORS or LONG_BESIDE; 2^132 = 4 * 2^130 = 20 (mod p).
 * Radix 2^52, limbs of 52, 52 and 26 bits, is that of the multiplier and serves longer
 * messages.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-avx512.h"
#include "poly1305-avx512-beside.h"
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
/* Bit 128 of the blocks; from the second lane on, of all blocks but the last */
hibits:
	.rept	8
	.quad	1
	.endr
	.quad	0
mask52:
	.quad	(1 << 52) - 1
/* A byte 0x01 at 128. A load from 128 - n pads n bytes. */
padding:
	.fill	128, 1, 0
	.fill	1, 1, 1
	.fill	126, 1, 0
/*
 * Index of each lane's low word among the words of eight blocks; the last row
 * is for eight blocks. Row f, from 1, is for the last f blocks alone: each
 * index is 2 (8 - f) less, and negative in lanes that have no block.
 */
lanes_from_blocks:
	.set	f, 1
	.rept	8
	.irp	i, 0, 4, 1, 5, 2, 6, 3, 7
	.byte	2 * (\i + f - 8)
	.endr
	.set	f, f + 1
	.endr
/* The place of each lane's power in a row of state->pow */
lanes_from_state:
	.byte	0, 4, 1, 5, 2, 6, 3, 7
/* The lane of each power in a row of state->pow */
state_from_lanes:
	.byte	0, 2, 4, 6, 1, 3, 5, 7
/* The lanes of the last f of 8 blocks, f = 0 ... 8 */
lanes_of_last:
	.byte	0x00, 0x80, 0xa0, 0xa8, 0xaa, 0xea, 0xfa, 0xfe, 0xff

	.text

/*
 * Numbers of vectors behind the first. PAIRS: from here on they are taken in pairs.
 * LONG_VECTORS: from here on in radix 2^52. GROUPS_OF_16, GROUPS_OF_32: in groups of that size,
 * if so many are left after three during the table's set-up. Measured on Emerald Rapids.
 *
 * With scalar blocks, measured on Zen 4. EIGHTS_BESIDE: from here on in eights; 10 at least,
 * as two vectors must be left. LONG_BESIDE takes the place of LONG_VECTORS, and is no less.
 */
.set PAIRS,		3
.set LONG_VECTORS,	36
.set GROUPS_OF_16,	36
.set GROUPS_OF_32,	128
.set EIGHTS_BESIDE,	10
.set LONG_BESIDE,	47
.if EIGHTS_BESIDE < 10 || LONG_BESIDE < LONG_VECTORS
.error "too few vectors for scalar blocks"
.endif

/*
 * Of a message of rdx > 0 blocks: VECS = the number of vectors behind the first; rdx = the
 * number of blocks in the first, 1 to 8; k3 = their lanes. Clobbers rax.
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
 * X = the first vector: the first rdx of the blocks in T0, T1, with bit 128 in T2. rdx and
 * k3 are as count_vectors leaves them. DATA moves behind the blocks, which a permutation
 * moves to the last lanes. Clobbers rax, L, T.
 */
.macro	place_first
	lea	lanes_from_blocks-8(%rip), %rax
	vpmovzxbq (%rax, %rdx, 8), L0
	vpaddq	one(%rip){1to8}, L0, L2
	vpermi2q T1, T0, L0{%k3}{z}
	vpermi2q T1, T0, L2{%k3}{z}
	split_words X, L0, L2, T2
	mov	%edx, %eax
	shl	$4, %eax
	add	%rax, DATA
.endm

/*
 * X = the first vector of a message of rdx > 0 blocks and LEN bytes at DATA, with what
 * the two macros above leave. Clobbers rax, rcx, LEN, L, T, k1.
 */
.macro	load_first
	count_vectors
	test	VECS, VECS
	jnz	.Lmore\@

	/*
	 * The first vector is also the last. Its padding is the byte after the message. If
	 * that ends with a whole block, no lane takes the block with that byte.
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

/* X = X r^8 + the vector at DATA, which is not the last; DATA moves on. */
.macro	step
	load	DATA
	begin	HIBIT
	mul44	X, E
	carry44	X
	sub	$-128, DATA
.endm

/*
 * H = the sum of the lanes of X r^8k P + ... + (last vector) P, k = VECS; h2 is
 * below 2^20. In: X, the first vector in radix 2^44, below 2^45, 2^45, 2^43;
 * DATA, VECS, LAST_B, PADDING, P, KEPT and the constants of the call; rcx points to r.
 *
 * Wipes all vector registers but masks and bits 128. Leaves key material in H, rcx, rdx,
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
	cmp	KEPT, %edi
	jbe	.Lkept
	cmp	$PAIRS, VECS
	jb	.Lsingle

	/*
	 * Two vectors between carries, X = X r^16 + v r^8 + w. If their number is odd, one is
	 * left over: the last if the number is at most KEPT, see .Lkept; else the first. The
	 * first pair and the last wait for powers and X, so vpshrdq costs them nothing.
	 */
.Lpairs:
	square	E, F
	times20	F
	test	$1, %dil
	jz	.Lmany
	cmp	KEPT, %edi
	jbe	.Lmany
	step
	dec	VECS
.Lmany:
	cmp	$EIGHTS_BESIDE, VECS
	jb	.Lpair
	cmpb	$0, poly1305_avx512_beside(%rip)
	je	.Lpair
	eights_beside
.Lpair:
	load	DATA
	split44	Y, HIBIT
	sub	$-128, DATA
	sub	$2, VECS
	jz	.Llast_pair
	load	DATA
	begin	HIBIT
.Lmultiply_pair:
	mul44	Y, E
	mul44	X, F
	carry44	X
	sub	$-128, DATA
	cmp	$2, VECS
	jb	.Lone_kept
	je	.Lpair
	cmpb	$0, poly1305_avx512_shifts(%rip)
	je	.Lpair
	sub	$2, VECS
	vpsllq	$40, HIBIT, BIT40
	load_pair
	jmp	.Lmultiply_pair

	/*
	 * P came from the state, so r^8 P does not wait for X. The last vector v then needs no
	 * reduction of its own: X (r^8 P) + v P in place of (X r^8 + v) P. That is one
	 * multiplication more, which pays where the multiplier would be idle.
	 */
.Lkept:
	cmp	$1, VECS
	jne	.Lpairs
.Lone_kept:
	multiply P, E, E
	times20	E
	times20	P
	load_last DATA, PADDING
	split44	Y, LAST_HIBIT
	zero_sums
	mul44	Y, P
	mul44	X, E
	jmp	.Ladd_up
.Llast_pair:
	load_last DATA, PADDING
	begin	LAST_HIBIT
	mul44	Y, E
	mul44	X, F
	carry44	X
	jmp	.Lfinal_one

	/* X = X r^8 + v */
.Lsingle:
	dec	VECS
	jz	.Llast
	step
	jmp	.Lsingle
.Llast:
	load_last DATA, PADDING
	begin	LAST_HIBIT
	mul44	X, E
	carry44	X
.Lfinal_one:
	times20	P
	zero_sums
	mul44	X, P

.Ladd_up:
	/* Add up the eight lanes of one or two products, to less than 2^58. */
	join44
	vpunpcklqdq L1, L0, U0
	vpunpckhqdq L1, L0, U1
	vpaddq	U1, U0, U0			/* four sums of limb 0, four of limb 1 */
	vshufi64x2 $0x44, L2, U0, U1
	vshufi64x2 $0xee, L2, U0, U2
	vpaddq	U2, U1, U1			/* two and two, and four of limb 2 */
	vshufi64x2 $0xb1, U1, U1, U2
	vpaddq	U2, U1, U1			/* one and one, and two of limb 2 */
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

	/* Radix 2^52. With scalar blocks, pairs win below LONG_BESIDE. */
.Llong:
	cmp	$LONG_BESIDE, VECS
	jae	.Lvery_long
	cmpb	$0, poly1305_avx512_beside(%rip)
	jne	.Lpairs
.Lvery_long:
	long_message
	jmp	.Lfinal_one
SYM_FUNC_END(finish_avx512)

/*
 * P and the masks, from the key at rdi. Clobbers H, rcx, rdx, Q1, F, L, U, Y, T, k1, k2,
 * k3.
 */
.macro	make_powers_of_key
	save_registers
	mov	0(%rdi), R0
	mov	8(%rdi), R1
	mov	$0x0ffffffc0fffffff, %rax
	and	%rax, R0
	and	$-4, %rax
	and	%rax, R1
	set_masks
	make_powers
	restore_registers
.endm

/*
 * Write the tag of H, wipe and return. On the stack are the addresses of the tag and the key.
 *
 * h mod p is h - q p with q = h >> 130, or with q + 1 if h - q p
 * reaches p, which it does if (h mod 2^130) + 5 q + 5 reaches 2^130.
 * The tag takes only 128 bits of h + 5 q + s.
 */
.macro	finish_digest
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
	wipe_and_return
.endm

/*
 * void poly1305_digest_avx512(const u8 key[32], const u8 *data, size_t len,
 *			       u8 tag[16]);
 *
 * The tag of a message. A partial last block is loaded with a mask and gets its
 * 1 bit from PADDING instead of LAST_HIBIT.
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
	make_powers_of_key

	/* c = bytes that the last block lacks */
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

	lea	15(LEN), %rdx
	shr	$4, %rdx
	load_first
	xor	KEPT, KEPT
	mov	8(%rsp), %rcx
	call	finish_avx512
.Ltag:
	finish_digest
SYM_FUNC_END(poly1305_digest_avx512)

/*
 * void poly1305_parts_avx512(const u8 key[32], const u8 *data, size_t len,
 *			      const u8 ends[48], bool three, u8 tag[16]);
 *
 * The tag of whole blocks in two or three parts: the first block of ends if there are
 * three, len bytes at data, and the other two blocks of ends. They are AVX512_PARTS_MIN
 * at least, so the eight blocks loaded for the first vector do not reach the last two.
 */
SYM_TYPED_FUNC_START(poly1305_parts_avx512)
	push	%rbp
	mov	%rsp, %rbp
	push	%rdi
	push	%r9
	push	%rcx
	/* 16 if there are three: DATA begins where their first block would stand. */
	movzbl	%r8b, %eax
	shl	$4, %eax
	push	%rax
	sub	%rax, DATA
	lea	32(%rdx, %rax), LEN
	make_powers_of_key
	pop	%rcx
	pop	PADDING
	/* The first block of ends, if there are three, and the blocks at DATA behind it */
	mov	LEN, %rdx
	shr	$4, %rdx
	count_vectors
	vmovdqu64 (DATA, %rcx), T0
	vmovdqu64 64(DATA), T1
	test	%ecx, %ecx
	jz	.Ltwo_parts
	/* The caller has just stored two words: one load of both would wait for that. */
	vmovq	(PADDING), %xmm31
	vmovhps	8(PADDING), %xmm31, %xmm31
	vshufi64x2 $0, T2, T2, T2
	valignq	$6, T2, T0, T0
.Ltwo_parts:
	vmovdqa64 hibits(%rip), HIBIT
	vmovdqa64 HIBIT, LAST_HIBIT
	vmovdqa64 HIBIT, T2{%k3}{z}
	place_first
	/* The other two end the last vector. */
	sub	$16, PADDING
	mov	$-1, %eax
	kmovq	%rax, LAST_B
	xor	KEPT, KEPT
	mov	8(%rsp), %rcx
	call	finish_avx512
	finish_digest
SYM_FUNC_END(poly1305_parts_avx512)

/*
 * void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data,
 *			       size_t nblocks, u32 hibit);
 */
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
	mov	poly1305_avx512_kept_most(%rip), KEPT
	vpmovzxbq lanes_from_state(%rip), T0
	vpermq	STATE_POW(%rdi), T0, P0
	vpermq	STATE_POW+STATE_POW_ROW(%rdi), T0, P1
	vpermq	STATE_POW+2*STATE_POW_ROW(%rdi), T0, P2
	jmp	.Lhave_powers
.Lmake_powers:
	save_registers
	mov	STATE_R(%rdi), R0
	mov	STATE_R+8(%rdi), R1
	make_powers
	restore_registers
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

	/* Add h to the lane of the first block. */
	lea	lanes_of_last(%rip), %rax
	kmovb	-1(%rax, %rdx), %k7
	kxorb	%k3, %k7, %k7
	mov	(%rsp), %rdx
	vpbroadcastq STATE_H(%rdx), L0
	vpbroadcastq STATE_H+8(%rdx), L2
	vpbroadcastq STATE_H+16(%rdx), T2
	split_words L, L0, L2, T2
	vpaddq	L0, X0, X0{%k7}
	vpaddq	L1, X1, X1{%k7}
	vpaddq	L2, X2, X2{%k7}
	lea	STATE_R(%rdx), %rcx
	call	finish_avx512

	/* Fold h2 to at most 4 by 2^130 = 5. */
	fold_h	%rcx
	pop	%rdi
	mov	H0, STATE_H(%rdi)
	mov	H1, STATE_H+8(%rdi)
	mov	H2, STATE_H+16(%rdi)
	wipe_and_return
SYM_FUNC_END(poly1305_blocks_avx512)

/*
 * From the preset, before the first call: whether loops split words with shifts, not
 * vpshrdq; whether long messages have scalar blocks beside vectors; the most vectors behind
 * the first that end as at .Lkept
 */
.section .data..ro_after_init, "aw"
	.globl	poly1305_avx512_shifts, poly1305_avx512_beside, poly1305_avx512_kept_most
	.hidden	poly1305_avx512_shifts, poly1305_avx512_beside, poly1305_avx512_kept_most
	.p2align 2
poly1305_avx512_kept_most:
	.long	0
poly1305_avx512_shifts:
	.byte	0
poly1305_avx512_beside:
	.byte	0
