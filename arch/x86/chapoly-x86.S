/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by packets with AVX2 and with AVX-512, for CPUs with AVX2 and BMI2: the state of ChaCha20,
 * the xor of kept keystream, wiping, and Poly1305 in general registers, one block at a time.
 * chapoly-x86.h has the prototypes.
 */

#include "poly1305-mulx.h"

	.section .rodata
	.p2align 5
/* The numbers in lanes 1 to 7 are consecutive. The number in lane 0 is independent. */
following:
	.long	0, 0, 1, 2, 3, 4, 5, 6
sigma:
	.ascii	"expand 32-byte k"

	.text

/* The next blocks are first, second, second + 1 and so on. */
SYM_FUNC_START(chapoly_x86_begin)
	vmovdqa	sigma(%rip), %xmm0
	vmovdqu	(%rsi), %ymm1
	vmovdqa	%xmm0, FRAME_STATE(%rdi)
	vmovdqu	%ymm1, FRAME_STATE+16(%rdi)
	vmovd (%rdx), %xmm0; vpsllq $32, %xmm0, %xmm0; vpinsrq $1, 4(%rdx), %xmm0, %xmm0
	vmovdqa	%xmm0, FRAME_STATE+48(%rdi)
	vmovd	%ecx, %xmm0
	vmovd	%r8d, %xmm1
	vpbroadcastd %xmm1, %ymm1
	vpaddd	following(%rip), %ymm1, %ymm1
	vpblendd $1, %ymm0, %ymm1, %ymm1
	vmovdqa	%ymm1, FRAME_NUMBERS(%rdi)
	RET
SYM_FUNC_END(chapoly_x86_begin)

/* Zero the frame, which is aligned to 32 bytes. The size is a multiple of 32 and not 0. */
SYM_FUNC_START(chapoly_x86_wipe)
	vpxor	%xmm0, %xmm0, %xmm0
	shr	$5, %rsi
.Lwipe:
	vmovdqa	%ymm0, (%rdi)
	add	$32, %rdi
	dec	%rsi
	jnz	.Lwipe
	vzeroupper
	RET
SYM_FUNC_END(chapoly_x86_wipe)

#define AT	%rax	/* bytes done */

/* If the length has the bit \n, xor the next n bytes, through reg. */
.macro	xor_part n, reg, move=mov, xor=xor, more:vararg
	test	$\n, %cl
	jz	.Lnone\@
	\move (%rsi, AT), \reg; \xor (%rdx, AT), \more \reg; \move \reg, (%rdi, AT)
	add	$\n, AT
.Lnone\@:
.endm

/* dst = src xor stream. dst may be src. */
SYM_FUNC_START(chapoly_x86_xor)
	xor	%eax, %eax
	mov	%rcx, %r8
	shr	$5, %r8
	jz	.Lparts
.Lxor:
	vmovdqu	(%rsi, AT), %ymm0
	vpxor	(%rdx, AT), %ymm0, %ymm0
	vmovdqu	%ymm0, (%rdi, AT)
	add	$32, AT
	dec	%r8
	jnz	.Lxor
.Lparts:
	xor_part 16, %xmm0, vmovdqu, vpxor, %xmm0,
	xor_part 8, %r8
	xor_part 4, %r8d
	xor_part 2, %r8w
	xor_part 1, %r8b
	xor	%r8d, %r8d
	vzeroall
	RET
SYM_FUNC_END(chapoly_x86_xor)

/* Absorb %r15 blocks at src. Clobbers %rcx, %rdx. */
.macro	mulx_blocks
	test	%r15, %r15
	jz	.Ldone\@
.p2align 5
.Lblock\@:
	mulx_r	0(src), $1, %rcx
	add	$16, src
	dec	%r15
	jnz	.Lblock\@
.Ldone\@:
.endm

/* x = the block at src, the first of a message, which needs no multiplication */
.macro	first_block
	mov	(src), x0
	mov	8(src), x1
	mov	$1, x2
	add	$16, src
	dec	%r15
.endm

/*
 * Absorb the blocks at data, then the blocks at end; there must be at least one. If mac->fresh is
 * not 0, they are the first of the message. Write the tag of the message so far.
 */
SYM_FUNC_START(chapoly_mulx)
	save_registers
	push	%r15
	push	%r9
	push	%rcx
	push	%r8
	mov	%rdx, %r15
	mov MAC_H(%rdi), x0; mov MAC_H+8(%rdi), x1; mov MAC_H+16(%rdi), x2
	mov MAC_R(%rdi), r0; mov MAC_R+8(%rdi), r1
	mov MAC_Q1(%rdi), q1; mov MAC_S0(%rdi), s0
	cmpq	$0, MAC_FRESH(%rdi)
	je	.Lblocks
	test	%r15, %r15
	jnz	.Lfirst
	pop	%r15
	pop	src
	first_block
	jmp	.Lend
.Lfirst:
	first_block
.Lblocks:
	mulx_blocks
	pop	%r15
	pop	src
.Lend:
	mulx_blocks
	mov x0, MAC_H(%rdi); mov x1, MAC_H+8(%rdi); mov x2, MAC_H+16(%rdi)
	pop	%rcx
	mulx_low t=%rsi
	mulx_high %rsi
	fold	x0, x1, x2, u1, u2		/* and add u2, as mulx_r does */
	add	$MAC_R, %rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	pop	%r15
	restore_registers
	xor	%ecx, %ecx
	xor	%esi, %esi
	clear_registers
	RET
SYM_FUNC_END(chapoly_mulx)
