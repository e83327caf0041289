/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2 and AVX-IFMA: those that multiply 52 bits, but have no
 * 512-bit registers.
 *
 * Let R = r^4, and call four successive blocks a quad. A lane of the vectors holds one
 * block of each quad. S is the value of each lane's own polynomial, so the quads
 * m_0, m_1, ... change it by
 *
 *	S = S R + m_i,	or two at a time	S = S R^2 + m_i R + m_(i+1),
 *
 * with one reduction. In the end the lanes are multiplied by P = r^4, r^3, r^2 and
 * r, and added up; a piece with an odd number of quads behind its first ends with
 * S (R P) + m_i P. All arithmetic is modulo p = 2^130 - 5 in radix 2^44, limbs of 44,
 * 44 and 42 bits, of which state->pow has its powers; 2^132 = 20 (mod p). Long
 * messages take groups of 16 quads with one reduction, in radix 2^52, that of the
 * multiplier, and a table of R ... R^16. The last quads are in radix 2^44 again.
 *
 * The powers are r, r^2, r^3, r^4, computed in general registers, and r^8, their product
 * with r^4; the other products are stored beside it if the message comes in pieces.
 *
 * The first quad has the 1 to 4 blocks that make the number of the others a multiple of
 * 4, and zeroes in the lanes before them. The last quad takes a partial last block, moved
 * to its place by a shuffle, with bit 128 taken out of its lane.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-powers.h"
#include "poly1305-x86_64-ends.h"
#include "poly1305-quads.h"
#include "poly1305-avxifma.h"

/*
 * Shortest message for this method, in blocks, 9 at least; least number of blocks after
 * the first quad for groups, 4 * (GROUP + 7) at least. Measured on Zen 5, see ENCODING.
 */
.set	MIN_BLOCKS, AVXIFMA_MIN
.set	LONG_BLOCKS, AVXIFMA_LONG

.section .rodata
.p2align 6
mask44:
	.rept	4
	.quad	(1 << 44) - 1
	.endr
mask42:
	.rept	4
	.quad	(1 << 42) - 1
	.endr
mask52:
	.rept	4
	.quad	(1 << 52) - 1
	.endr
mask26:
	.rept	4
	.quad	(1 << 26) - 1
	.endr
/* 5 * 2^26, which is 2^156 (mod p) */
by_2_156:
	.fill	4, 8, 5 << 26
/* 20 * 2^8 and 5, which are 2^140 and 2^130 (mod p) */
by_2_140:
	.fill	4, 8, 20 << 8
by_2_130:
	.fill	4, 8, 5
/* See split_quad. */
upper_limbs:
	.rept	2
	.byte	5, 6, 7, 8, 9, 10, -1, -1, 11, 12, 13, 14, 15, -1, -1, -1
	.endr
/* Bit 128 in limb 2: of all blocks, of all but the last, of none */
hibits:
	.rept	7
	.quad	1 << 40
	.endr
	.fill	5, 8, 0
.text

/*
 * %rax + 2^64 %r13 + 2^128 %r10 = h, the sum of the lanes of L + 2^52 U + S VAR_P; %r10
 * <= 4. L + 2^52 U is 0, or one mul44 has left it. In: VARS. Clobbers %rcx, %rdx, %rsi,
 * %rdi. Wipes the numbers in the frame, and all vector registers.
 */
SYM_FUNC_START_LOCAL(join_lanes_avxifma)
	mul44	S0, S1, S2, VAR_P
	vpxor	%xmm0, %xmm0, %xmm0
.set i, VAR_R
.rept (VAR_TOP - VAR_R) / 32
	vmovdqa	%ymm0, i(VARS)
.set i, i + 32
.endr
	add_up_lanes44
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(join_lanes_avxifma)

/*
 * %rax, %r13, %r10 = h as join_lanes_avxifma leaves it, after the first quad, in S, and
 * %rcx >= 8 further blocks, a multiple of 4 of them, the last 8 at %r10, the others at
 * DATA. In: VARS; %rdx, the end of the message; %rax, how many bytes the last block
 * lacks; at (%r8) bit 128 of the blocks, and at (%r9) that of the last quad. Clobbers
 * DATA, %r11, too.
 */
SYM_FUNC_START_LOCAL(last_quads_avxifma)
	take_quads
	zero	L0, L1, L2
	zero	U0, U1, U2
	jmp	join_lanes_avxifma
SYM_FUNC_END(last_quads_avxifma)

/*
 * The same h after the first quad, in S, and %rcx further blocks at DATA: an odd number of
 * quads, 3 at least. In: VARS; STATE; at (%r8) bit 128 of the blocks. state->pow has
 * r^8 ... r^5, which are the lanes of R P. The last quad m therefore needs no reduction of
 * its own: S (R P) + m P in place of (S R + m) P. Clobbers DATA, too.
 */
SYM_FUNC_START_LOCAL(odd_quads_avxifma)
	sub	$4, %rcx
.Lodd_pair:
	two_quads 0(DATA), (%r8), (%r8)
	sub	$-128, DATA
	sub	$8, %rcx
	jnz	.Lodd_pair
	take_quad Y0, Y1, Y2, 0(DATA), (%r8)
	zero	L0, L1, L2
	zero	U0, U1, U2
	mul44	Y0, Y1, Y2, VAR_P
	load_half VAR_P, 0, Y0, Y1, Y2
	jmp	join_lanes_avxifma
SYM_FUNC_END(odd_quads_avxifma)

/* As last_quads_avxifma for blocks that are all at DATA, in groups if there are enough */
SYM_FUNC_START_LOCAL(quads_avxifma)
	cmp	$LONG_BLOCKS, %rcx
	jae	.Llong
.Lquads:
	point_at_last_quads
	jmp	last_quads_avxifma

	/*
	 * The table: the first four powers are P^4. Each product waits for the one before,
	 * so quads are processed in between.
	 */
.Llong:
	vmovdqa	(%r8), T0
	vpsrlq	$16, T0, T0
	vmovdqa	T0, VAR_TOP(VARS)
	vmovdqa	VAR_P(VARS), Y0
	vmovdqa	VAR_P+32(VARS), Y1
	vmovdqa	VAR_P+64(VARS), Y2
	multiply VAR_P
	next_quad
	store_number VAR_Q, Y0, Y1, Y2
	multiply VAR_Q
	next_quad
	store_row 4
	vpbroadcastq %xmm3, L0
	vpbroadcastq %xmm4, L1
	vpbroadcastq %xmm9, L2
	store_number VAR_Q, L0, L1, L2
.set k, 8
.rept GROUP / 4 - 1
	multiply VAR_Q
	next_quad
	store_row k
.set k, k + 4
.endr
	sub	$4 * (GROUP / 4 + 1), %rcx
	pack52	S0, S1, S2
	vmovdqa	S0, VAR_S(VARS)
	vmovdqa	S1, VAR_S+32(VARS)
	vmovdqa	S2, VAR_S+64(VARS)

	/*
	 * S = S R^GROUP + m_1 R^(GROUP-1) + ... + m_GROUP. The last quad starts the sums,
	 * and S, for which they wait, comes last.
	 */
.Lgroup:
	split52	64*(GROUP-1)(DATA)
	begin52
	lea	VAR_TABLE+8(VARS), TABLE
	lea	VAR_TABLE+ROW(VARS), TABLE_END
.p2align 5
.Lnext:
	split52	0(DATA)
	add	$64, DATA
	mul52	0(TABLE)
	add	$8, TABLE
	cmp	TABLE_END, TABLE
	jne	.Lnext
	vmovdqa	VAR_S(VARS), X0
	vmovdqa	VAR_S+32(VARS), X1
	vmovdqa	VAR_S+64(VARS), X2
	mul52	VAR_TABLE(VARS), s=1
	fold52
	add	$64, DATA
	sub	$4 * GROUP, %rcx
	cmp	$4 * (GROUP + 2), %rcx
	jae	.Lgroup

	vpxor	%xmm0, %xmm0, %xmm0
.set i, VAR_TABLE
.rept 3 * ROW / 32
	vmovdqa	%ymm0, i(VARS)
.set i, i + 32
.endr
	unpack52
	jmp	.Lquads
SYM_FUNC_END(quads_avxifma)

/* Write the tag of h as quads_avxifma leaves it, and return. */
.macro	finish_digest
	mov	VAR_TAG(%rsp), %rcx
	mov	%rax, %r8
	add_pad	%r8, %r13, %r10, STATE
	mov	%r8, (%rcx)
	mov	%r13, 8(%rcx)
	end_blocks
.endm

/*
 * void poly1305_digest_avxifma(const u8 key[32], const u8 *data, size_t len,
 *				u8 tag[16]);
 *
 * The tag of a message. The tag is written last, so it may overlap key or data.
 */
SYM_TYPED_FUNC_START(poly1305_digest_avxifma)
	cmp	$16 * MIN_BLOCKS, %rdx
	jb	poly1305_digest_x86_64
	mov	%rcx, %r8
	begin_blocks
	mov	%rdx, VAR_LEN(%rsp)
	mov	%r8, VAR_TAG(%rsp)
	load_r	STATE, %r8, %r9
	make_powers
	begin_quads
	call	quads_avxifma
	finish_digest
SYM_FUNC_END(poly1305_digest_avxifma)

/*
 * void poly1305_parts_avxifma(const u8 key[32], const u8 *data, size_t len,
 *			       const u8 ends[48], bool three, u8 tag[16]);
 *
 * The tag of whole blocks in two or three parts: the first block of ends if there are
 * three, len bytes at data, and the other two blocks of ends. They are MIN_BLOCKS at
 * least. From LONG_BLOCKS on, the groups of quads_avxifma are faster.
 */
SYM_TYPED_FUNC_START(poly1305_parts_avxifma)
	mov	%rcx, %r10
	begin_blocks
	copy_parts
	load_r	STATE, %r8, %r9
	make_powers

	mov	VAR_LEN(%rsp), %rcx
	shr	$4, %rcx
	first_quad hibits(%rip)
	point_at_parts
	call	last_quads_avxifma
	vpxor	%xmm0, %xmm0, %xmm0
.set i, VAR_END
.rept 12 / 2
	vmovdqa	%ymm0, i(%rsp)
.set i, i + 32
.endr
	finish_digest
SYM_FUNC_END(poly1305_parts_avxifma)

/*
 * void poly1305_blocks_avxifma(struct poly1305_mac_state *state, const u8 *data,
 *				size_t nblocks, u32 hibit);
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avxifma)
	cmp	$MIN_BLOCKS, %rdx
	jb	SCALAR_BLOCKS
	begin_blocks
	mov	%rdx, VAR_LEN(%rsp)
	mov	%ecx, VAR_HIBIT(%rsp)
	cmpl	$8, STATE_NPOW(STATE)
	jae	.Lknown
	mov	STATE_R(STATE), %r8
	mov	STATE_R+8(STATE), %r9
	make_powers state=1
	movl	$8, STATE_NPOW(STATE)
	jmp	.Lready
.Lknown:
	mov	%rsp, VARS
	load_powers
.Lready:
	mov	VAR_LEN(%rsp), %rcx
	mov	VAR_HIBIT(%rsp), %eax
	mov	%rcx, %rdx
	xor	$1, %eax
	shl	$4, %rdx
	shl	$6, %eax
	lea	hibits(%rip), %r8
	add	DATA, %rdx
	add	%rax, %r8
	mov	%r8, %r9
	first_quad (%r8), add_h=1
	xor	%eax, %eax
	test	$4, %cl
	jz	.Lany_quads
	cmp	$LONG_BLOCKS, %rcx
	jae	.Lany_quads
	call	odd_quads_avxifma
	jmp	.Lstore_h
.Lany_quads:
	call	quads_avxifma
.Lstore_h:
	mov	%rax, STATE_H(STATE)
	mov	%r13, STATE_H+8(STATE)
	mov	%r10, STATE_H+16(STATE)
	end_blocks
SYM_FUNC_END(poly1305_blocks_avxifma)
