/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1305 on CPUs with BMI2, for its mulx: the block function */

#include "poly1305-mulx.h"

/*
 * Load r0, r1 and their multiples, and x = h plus the block at src. In: the address of the state
 * in %rdi, bit 128 of the block in %rcx.
 */
.macro	load_state
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), r1
	mov	STATE_H(%rdi), x0
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	multiples
.endm

/* h of the state at %rdi = x r, folded. Wipes %rcx and the caller-saved registers. */
.macro	store_state
	mulx_low t=%rcx
	mulx_high %rcx
	fold	x0, x1, x2, u1, u2	/* also adds u2 to word 1 */
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	xor	%ecx, %ecx
	clear_registers
.endm

/*
 * void poly1305_blocks_mulx(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			     u32 hibit)
 *
 * A block function as poly1305_core.h defines it. h is folded only after the last block. A
 * single block has code of its own, which saves no registers.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_mulx)
	mov	%ecx, %ecx		/* the upper half of a u32 is undefined */
	dec	%rdx
	jnz	.Lblocks

	/* One block, in caller-saved registers */
	mov	STATE_H(%rdi), %rdx
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	/* x2 <= 6: h2 <= 4, bit 128 and a carry */
	add	(src), %rdx
	adc	8(src), x1
	adc	%rcx, x2
	mov	STATE_R+8(%rdi), %rax
	shr	$2, %rax
	add	STATE_R+8(%rdi), %rax		/* q1 */
	mulx	STATE_R(%rdi), x0, r0
	mulx	STATE_R+8(%rdi), %rsi, %rcx
	mov	x1, %rdx
	mov	x2, x1
	imul	STATE_R(%rdi), x2
	imul	%rax, x1
	add	x2, %rcx
	add	x1, r0
	mulx	STATE_R(%rdi), x1, x2
	add	%rsi, x1
	adc	x2, %rcx
	mov	%rcx, x2
	shr	$2, %rcx
	lea	(%rcx, %rcx, 4), %rcx
	mulx	%rax, %rdx, %rsi
	add	x0, %rdx
	adc	%rsi, r0
	and	$3, x2
	add	%rcx, %rdx
	adc	r0, x1
	adc	$0, x2
	mov	%rdx, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	xor	%ecx, %ecx
	xor	%esi, %esi
	clear_registers
	RET

.Lblocks:
	cmp	$1, %rdx
	jne	.Lmore_than_two

	/* Two blocks need no counter, and hibit is not used again, so fewer registers are saved. */
	save_registers
	load_state
	mulx_r	16(src), %rcx, %rcx
	store_state
	restore_registers
	RET

.Lmore_than_two:
	inc	%rdx
	jz	.Lnone_left
	dec	%rdx
	save_registers
	push	%r15
	push	%rdi
	mov	%rdx, %r15
	load_state
.p2align 6
1:	mulx_r	16(src), %rcx
	add	$16, src
	dec	%r15
	jnz	1b
	pop	%rdi
	store_state
	pop	%r15
	restore_registers
.Lnone_left:
	RET
SYM_FUNC_END(poly1305_blocks_mulx)
