/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2: messages of some hundred to a few thousand bytes,
 * for which poly1305-avx2.S spends too long on its table of powers.
 *
 * Let R = r^4, and call four successive blocks a quad. A lane of the vectors holds
 * one block of each quad. S is the value of each lane's own polynomial, so the quads
 * m_0, m_1, ... change it by
 *
 *	S = S R + m_i,	or two at a time	S = S R^2 + m_i R + m_(i+1),
 *
 * with one reduction. In the end the lanes are multiplied by r^4, r^3, r^2 and r, and
 * added up. All arithmetic is modulo p = 2^130 - 5 in radix 2^26, a limb in each of
 * five registers, and vpmuludq multiplies the low halves of the lanes.
 *
 * Only r^2, r^3, r^4 and r^8 are needed. The first three are computed in general
 * registers and go to the lanes together; r^8 is the square of r^4 in all lanes. If the
 * message comes in pieces, they stay in state->pow, split into limbs. A later piece
 * begins with three quads or, if their number is even, with four:
 *
 *	S = S R^2 + m_1 R + m_2		or	S = S R^3 + m_1 R^2 + m_2 R + m_3,
 *
 * for the first quad S; one of eight blocks has two, S R + m_1. These factors come from
 * state->pow directly, so a piece that ends here needs none in all lanes. R^3 is computed for
 * the first piece that takes it.
 *
 * The first quad has the 1 to 4 blocks that make the number of the others a multiple
 * of 4, and zeroes in the lanes before them. It needs no multiplication, and no block
 * goes through scalar code. The last quad of all takes a partial last block, moved to
 * its place by a shuffle, with bit 128 taken out of its lane.
 *
 * Bounds: After a carry, limbs of S are below 2^26 + 2^15, and those of powers
 * are below 2^26 + 2^24. Columns of products, most of them times 5, are below 2^58, and
 * m_(i+1) adds less than 2^52. The last carry of all leaves limbs below 2^31.8.
 * tests/bounds/poly1305-avx2-short.py computes these bounds and those at the macros.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-powers.h"
#include "poly1305-squares.h"
#include "poly1305-x86_64-ends.h"
#include "poly1305-quads.h"
#include "poly1305-avx2-short.h"

/*
 * Shortest message for this method, in blocks; shortest piece if the powers are known,
 * 8 at least. The former is measured on Zen 3, the latter on Zen 4.
 */
.set	MIN_BLOCKS, AVX2_SHORT_MIN
.set	MIN_BLOCKS_READY, 8

.section .rodata
.p2align 6
mask26:
	.rept	4
	.quad	(1 << 26) - 1
	.endr
/* Bit 128 in limb 4: of all blocks, of all but the last, of none */
hibits:
	.quad	1 << 24, 1 << 24, 1 << 24, 1 << 24
	.quad	1 << 24, 1 << 24, 1 << 24, 0
	.quad	0, 0, 0, 0
.text

/*
 * %rax, %rcx, %rdx, %rsi, %rdi = the limbs of h, each of 64 bits, where S, after carry_last, is
 * the value of each lane. In: LANES. Wipes all vector registers.
 */
SYM_FUNC_START_LOCAL(join_lanes_avx2)
	mul_powers
	add_up_lanes
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(join_lanes_avx2)

/*
 * The same after %rcx >= 8 further blocks, a multiple of 4 of them, the last 8 at %r10, the
 * others at DATA. In: VARS; LANES; %rdx, the end of the last; %rax, how many bytes it
 * lacks; at (%r8) bit 128 of the blocks, and at (%r9) that of the last quad. Clobbers DATA
 * and %r11. Wipes the numbers in the frame.
 */
SYM_FUNC_START_LOCAL(quads_avx2)
	take_quads
	vpxor	%xmm5, %xmm5, %xmm5
.set i, VAR_R
.rept (VAR_L - VAR_R) / 32
	vmovdqa	T0, i(VARS)
.set i, i + 32
.endr
	jmp	join_lanes_avx2
SYM_FUNC_END(quads_avx2)

/*
 * Write the tag, after quads_avx2, wipe the frame from VAR_L to \end, and return.
 */
.macro	finish_digest end
	join_h
.set i, VAR_L
.rept (\end - VAR_L) / 16
	vmovdqa	%xmm0, i(%rsp)
.set i, i + 16
.endr
	mov	%rax, %r8
	mov	VAR_TAG(%rsp), %rcx
	add_pad	%r8, %r13, %r10, STATE
	mov	%r8, (%rcx)
	mov	%r13, 8(%rcx)
	end_blocks
.endm

/*
 * void poly1305_digest_avx2(const u8 key[32], const u8 *data, size_t len,
 *			     u8 tag[16]);
 *
 * The tag of a message. The tag is written last, so it may overlap key or data.
 */
SYM_TYPED_FUNC_START(poly1305_digest_avx2)
	cmp	$16 * MIN_BLOCKS, %rdx
	jb	poly1305_digest_x86_64
	mov	%rdx, %rax
	shr	$4, %rax
	cmp	poly1305_avx2_groups_from(%rip), %rax
	jae	poly1305_digest_avx2_groups
	mov	%rcx, %r8
	begin_blocks
	mov	%rdx, VAR_LEN(%rsp)
	mov	%r8, VAR_TAG(%rsp)
	load_r	STATE, %r8, %r9
	make_powers VAR_L(%rsp)
	begin_quads
	lea	VAR_L(%rsp), LANES
	point_at_last_quads
	call	quads_avx2
	finish_digest VAR_END
SYM_FUNC_END(poly1305_digest_avx2)

/*
 * void poly1305_parts_avx2(const u8 key[32], const u8 *data, size_t len, const u8 ends[48],
 *			    bool three, u8 tag[16]);
 *
 * The tag of whole blocks in two or three parts: the first block of ends if there are
 * three, len bytes at data, and the other two blocks of ends. They are MIN_BLOCKS at
 * least; from poly1305_avx2_groups_from on, groups would take less time.
 */
SYM_TYPED_FUNC_START(poly1305_parts_avx2)
	mov	%rcx, %r10
	begin_blocks
	copy_parts
	load_r	STATE, %r8, %r9
	make_powers VAR_L(%rsp)

	mov	VAR_LEN(%rsp), %rcx
	shr	$4, %rcx
	lea	VAR_L(%rsp), LANES
	first_quad hibits(%rip)
	point_at_parts
	call	quads_avx2
	finish_digest FRAME
SYM_FUNC_END(poly1305_parts_avx2)

/*
 * void poly1305_blocks_avx2_short(struct poly1305_mac_state *state, const u8 *data,
 *				   size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it, called for fewer blocks than
 * poly1305_avx2_groups_from. Powers are computed for a piece that pays for them alone, for
 * the second of those that do not, or if the hint promises more. poly1305-offsets.h says
 * how they are kept.
 */
SYM_FUNC_START(poly1305_blocks_avx2_short)
	cmp	$MIN_BLOCKS_READY, %rdx
	jb	SCALAR_BLOCKS
	mov	STATE_OWN(%rdi), %eax
	cmpl	$0, STATE_NPOW(%rdi)
	jne	.Lno_powers
	cmp	$OWN_POWERS, %eax
	jae	.Lbegin
.Lno_powers:
	cmp	$MIN_BLOCKS, %rdx
	jae	.Lmake_powers
	test	%eax, %eax
	jnz	.Lmake_powers
	mov	STATE_HINT(%rdi), %eax
	cmp	%rax, %rdx
	jb	.Lmake_powers
	movl	$OWN_PIECE, STATE_OWN(%rdi)
	jmp	SCALAR_BLOCKS
.Lmake_powers:
	xor	%eax, %eax
.Lbegin:
	begin_small
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%rdi, STATE
	mov	%rsi, DATA
	test	%eax, %eax
	jz	.Lmake
.Lready:
	point_at_quads
	cmp	$8, %ecx
	je	.Leight
	test	$4, %al
	jnz	.Lodd
	first_quads 3
	test	%rcx, %rcx
	jnz	.Lcarry
.Llast_carry:
	carry_last
	call	join_lanes_avx2
	jmp	.Lstore_h
.Leight:
	only_two_quads
	jmp	.Llast_carry
.Lodd:
	cmpl	$OWN_CUBE, STATE_OWN(STATE)
	jae	.Lcube_known
	make_cube
	movl	$OWN_CUBE, STATE_OWN(STATE)
.Lcube_known:
	first_quads 4
	test	%rcx, %rcx
	jz	.Llast_carry
.Lcarry:
	carry	C0, C1, C2, C3, C4, S0, S1, S2, S3, S4

	mov	%rsp, VARS
	load_number VAR_R, OWN_R, OWN_5R
	load_number VAR_R_2, OWN_R_2, OWN_5R_2
.Lquads:
	mov	%r8, %r9
	xor	%eax, %eax
	point_at_last_quads
	call	quads_avx2
.Lstore_h:
	store_h	DATA
	end_small

.Lmake:
	mov	%ecx, VAR_HIBIT(%rsp)
	cmp	$8, %edx
	je	.Lmake_for_eight
	mov	%rdx, VAR_LEN(%rsp)
	mov	%r13, VAR_SAVED(%rsp)
	mov	%r14, VAR_SAVED + 8(%rsp)
	mov	%r15, VAR_SAVED + 16(%rsp)
	mov	STATE_R(STATE), %r8
	mov	STATE_R+8(STATE), %r9
	make_powers STATE_POW(STATE), own=1
	movl	$0, STATE_NPOW(STATE)
	movl	$OWN_POWERS, STATE_OWN(STATE)
	mov	VAR_SAVED(%rsp), %r13
	mov	VAR_SAVED + 8(%rsp), %r14
	mov	VAR_SAVED + 16(%rsp), %r15
	mov	VAR_LEN(%rsp), %rdx
	mov	VAR_HIBIT(%rsp), %ecx
	point_at_quads
	first_quad (%r8), add_h=1
	jmp	.Lquads

.Lmake_for_eight:
	call	poly1305_powers_avx2
	mov	VAR_HIBIT(%rsp), %ecx
	mov	$8, %edx
	jmp	.Lready
SYM_FUNC_END(poly1305_blocks_avx2_short)

/*
 * Compute R and R^2 for the state at %rdi, and store them as make_powers does with
 * own=1. poly1305-avx512f.S calls this. poly1305_blocks_avx2_short() does so for eight
 * blocks alone: reading them back into its frame would cost a first piece up to 10%. Key
 * material is left in the vector registers and in all general registers that a function may
 * clobber, which the caller wipes.
 */
SYM_FUNC_START(poly1305_powers_avx2)
	push	%rbx
	push	%r13
	push	%r14
	push	%r15
	mov	%rdi, STATE
	mov	STATE_R(STATE), %r8
	mov	STATE_R+8(STATE), %r9
	make_lanes STATE_POW(STATE)
	times5_s
	keep_number OWN_R, OWN_5R
	square
	times5_s
	keep_number OWN_R_2, OWN_5R_2
	movl	$0, STATE_NPOW(STATE)
	movl	$OWN_POWERS, STATE_OWN(STATE)
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%rbx
	RET
SYM_FUNC_END(poly1305_powers_avx2)
