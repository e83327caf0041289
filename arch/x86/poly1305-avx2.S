/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX2 and BMI2.
 *
 * Four successive blocks are a quad. Each lane of a vector holds one block of a quad, and the lanes
 * of S are the values of four polynomials in R = r^4. The quads m_0, m_1, ... change S by
 *
 *	S = S R + m_i,	or two at a time	S = S R^2 + m_i R + m_(i+1),
 *
 * with one reduction. In the end the lanes are multiplied by r^4, r^3, r^2 and r, and added up. All
 * arithmetic is modulo p = 2^130 - 5 in radix 2^26, a limb in each of five registers, and vpmuludq
 * multiplies the low halves of the lanes.
 *
 * Only r^2, r^3, r^4 and r^8 are needed. The first three are computed in general registers and go
 * to the lanes together; r^8 is the square of r^4 in all lanes. The block function keeps the powers
 * in state->pow for the next update.
 *
 * The first quad has 1 to 4 blocks, to leave a multiple of 4, and zeros in the lanes before them.
 * It needs no multiplication, and no block goes through scalar code. A shuffle moves the tail of a
 * message to the start of the last block, and bit 128 of that block is 0.
 *
 * Bounds: After a carry, limbs of S are below 2^26 + 2^15, and limbs of powers are below 2^26 +
 * 2^24. Columns of products, most of them times 5, are below 2^58, and m_(i+1) adds less than 2^52.
 * carry_last leaves limbs below 2^31.8. tests/proofs proves these bounds and those at the macros.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-powers.h"
#include "poly1305-avx2.h"

/* The least number of blocks for vectors: a first quad, of 1 to 4 blocks, and two more quads */
.set	MIN_BLOCKS, 9

.section .rodata
.p2align 6
mask26:
	.rept	4
	.quad	(1 << 26) - 1
	.endr
/* Bit 128 as limb 4: of all blocks of a quad, of all but the last, of none */
hibits:
	.quad	1 << 24, 1 << 24, 1 << 24, 1 << 24
	.quad	1 << 24, 1 << 24, 1 << 24, 0
	.quad	0, 0, 0, 0
.text

/*
 * Multiply the lanes of S by r^4, r^2, r^3 and r, and add them up: %rax, %rcx, %rdx, %rsi, %rdi =
 * the limbs of h, of up to 64 bits. In: S from carry_last, LANES. Wipes all vector registers.
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
 * Process the blocks after the first quad, S, and finish: %rax, %rcx, %rdx, %rsi, %rdi = the limbs
 * of h, of up to 64 bits. In: VARS; LANES; %rcx, the number of blocks, a multiple of 4 and at least
 * 8, of which the last 8 are at %r10 and the others at DATA; %rdx, the end of the last block; %rax,
 * the number of bytes missing from that block; at (%r8), bit 128 of the blocks; at (%r9), bit 128
 * of the last quad's blocks. Clobbers DATA, %r11. Wipes all vector registers and, in the frame, R
 * and R^2.
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

/* After quads_avx2, write the tag, wipe the frame from VAR_L to \end, and return. */
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
	end_function
.endm

/* A digest function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_digest_avx2)
	cmp	$16 * MIN_BLOCKS, %rdx
	jb	poly1305_digest_mulx
	mov	%rcx, %r8
	begin_function
	mov	%rdx, VAR_LEN(%rsp)
	mov	%r8, VAR_TAG(%rsp)
	load_r	STATE, %r8, %r9
	make_powers VAR_L(%rsp)
	begin_quads
	lea	VAR_L(%rsp), LANES
	point_at_last_quads
	call	quads_avx2
	finish_digest FRAME
SYM_FUNC_END(poly1305_digest_avx2)

/*
 * A block function as poly1305_core.h defines it. It keeps the powers in state->pow for the next
 * update.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx2)
	cmp	$MIN_BLOCKS, %rdx
	jb	poly1305_blocks_mulx
	begin_function
	mov	%ecx, VAR_HIBIT(%rsp)
	mov	%rdx, VAR_LEN(%rsp)
	mov	%rsp, VARS
	cmpl	$0, STATE_NPOW(STATE)
	jne	.Lpowers_known
	mov	STATE_R(STATE), %r8
	mov	STATE_R+8(STATE), %r9
	make_powers STATE_POW(STATE), keep=1
	movl	$1, STATE_NPOW(STATE)
	jmp	.Lpowers
.Lpowers_known:
	load_number VAR_R, POW_R, POW_5R
	load_number VAR_R_2, POW_R_2, POW_5R_2
.Lpowers:
	mov	VAR_HIBIT(%rsp), %ecx
	mov	VAR_LEN(%rsp), %rdx
	lea	STATE_POW(STATE), LANES
	xor	$1, %ecx
	shl	$6, %ecx
	lea	hibits(%rip), %r8
	add	%rcx, %r8
	mov	%r8, %r9
	mov	%rdx, %rcx
	shl	$4, %rdx
	add	DATA, %rdx
	first_quad (%r8), add_h=1
	xor	%eax, %eax
	point_at_last_quads
	call	quads_avx2
	store_h
	end_function
SYM_FUNC_END(poly1305_blocks_avx2)
