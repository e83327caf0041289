/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 in the general registers of any x86-64 CPU, for short messages and
 * wherever vector registers are unavailable.
 *
 * poly1305_core.h has the notation and the form of the state. A message is
 * processed in one of two ways:
 *
 *  - One block at a time in radix 2^64, h = (h + m) r. The time from one h to
 *    the next is what counts. On CPUs with mulx and adcx, poly1305-mulx.S does
 *    this.
 *  - Three such chains side by side for long messages, because one chain leaves
 *    the CPU idle half of the time. Of 3 m blocks each chain takes m
 *    consecutive ones:
 *
 *	h = (x r^m + y) r^m + z
 *
 *    All chains multiply by the clamped r, which makes them cheap. r^m is
 *    computed by squaring, beside the first blocks, so no table of powers is
 *    needed.
 *
 * The chains multiply with mulx, adcx and adox where the CPU has them
 * (poly1305_x86_64_mulx_below), otherwise with mul and adc.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"

/* The size of a state without powers */
#define SHORT_STATE	STATE_NPOW

#include "poly1305-x86_64-serial.h"
#include "poly1305-x86_64-chains.h"

/*
 * x, r0, r1, q1 = h, r and 5 r1 / 4 of the state at \state. poly1305-mulx.S may have left h
 * unfolded; here x2 <= 4. Clobbers %rax.
 */
.macro	load_state state
	mov	STATE_H(\state), x0
	mov	STATE_H+8(\state), x1
	mov	STATE_H+16(\state), x2
	mov	x2, %rax
	and	$3, x2
	shr	$2, %rax
	lea	(%rax, %rax, 4), %rax
	add	%rax, x0
	adc	$0, x1
	adc	$0, x2
	mov	STATE_R(\state), r0
	mov	STATE_R+8(\state), r1
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
.endm

/*
 * The block function for long messages: the parameters of poly1305_blocks_x86_64(), with
 * nblocks >= 6 and %rcx = hibit. Of the state it takes h and r alone:
 * poly1305_digest_mul() has no more.
 */
SYM_FUNC_START(poly1305_chains)
	push_all
	sub	$FRAME, %rsp
	mov	%rdi, VAR_STATE(%rsp)
	mov	%rcx, VAR_HIBIT(%rsp)

	load_state %rdi
	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	mov	r0, VAR_R0(%rsp)
	mov	r1, VAR_R1(%rsp)
	mov	q1, VAR_Q1(%rsp)
	mov	r0, VAR_P0(%rsp)
	mov	r1, VAR_P1(%rsp)
	movq	$0, VAR_P2(%rsp)

	/* m = n / 3; the first chain also takes the n mod 3 blocks left over. */
	mov	%rdx, %rdi
	mov	$0xaaaaaaaaaaaaaaab, %rax	/* (2^65 + 1) / 3 */
	mul	%rdx
	shr	$1, %rdx
	mov	%rdx, VAR_BLOCKS(%rsp)
	lea	(%rdx, %rdx, 2), %rax
	sub	%rax, %rdi
	jz	2f
1:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), VAR_HIBIT(%rsp)
	add	$16, src
	dec	%rdi
	jnz	1b

2:	mov	VAR_BLOCKS(%rsp), step
	mov	step, %rax
.irp k, 1, 2, 4, 8, 16, 32
	mov	%rax, %rdx
	shr	$\k, %rdx
	or	%rdx, %rax
.endr
	shr	$2, %rax
	inc	%rax
	mov	%rax, VAR_BIT(%rsp)
	shl	$4, step
	lea	-16(src, step), %rax
	mov	%rax, VAR_END(%rsp)
	mov	VAR_HIBIT(%rsp), y2
	mov	(src, step), y0
	mov	8(src, step), y1
	mov	(src, step, 2), %rax
	mov	8(src, step, 2), %rdx
	mov	%rax, VAR_Z0(%rsp)
	mov	%rdx, VAR_Z1(%rsp)
	mov	y2, VAR_Z2(%rsp)

	cmpq	$0, poly1305_x86_64_mulx_below(%rip)
	je	3f
	three_chains 1
	jmp	4f
3:	three_chains 0

	/* The last block of each chain has been added, but not multiplied by r. */
4:	mul_by_power x0, x1, x2, y0, y1, y2
	mul_by_power x0, x1, x2, VAR_Z0(%rsp), VAR_Z1(%rsp), VAR_Z2(%rsp)
	mul_r	x0, x1, x2, VAR_R0(%rsp), VAR_R1(%rsp), VAR_Q1(%rsp)

	mov	VAR_STATE(%rsp), %rdi
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	xor	%eax, %eax
.set i, 0
.rept VAR_SECRETS_END / 8
	mov	%rax, i(%rsp)
.set i, i + 8
.endr
	add	$FRAME, %rsp
	clear_registers
	pop_all
	RET
SYM_FUNC_END(poly1305_chains)

/* poly1305_blocks_x86_64() on CPUs without mulx or adcx; %rcx = hibit */
SYM_FUNC_START(poly1305_blocks_mul)
	test	%rdx, %rdx
	jz	5f
	cmp	$POLY1305_MIN_CHAINS, %rdx
	jae	poly1305_chains
	push_all
	push	%rdi

	load_state %rdi
	mov	%rdx, %rdi

	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	dec	%rdi
	jz	3f
2:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), %rcx
	add	$16, src
	dec	%rdi
	jnz	2b
3:	mul_r	x0, x1, x2, r0, r1, q1

	pop	%rdi
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	clear_registers
	pop_all
5:	RET
SYM_FUNC_END(poly1305_blocks_mul)

/*
 * poly1305_digest_x86_64() for any message on CPUs without mulx, adcx or adox, and for
 * messages long enough for three chains
 */
SYM_FUNC_START(poly1305_digest_mul)
	push_all
	push	%rcx
	mov	%rdx, %rcx

	load_r	%rdi, r0, r1
	mov	r1, q1
	shr	$2, q1
	add	r1, q1

	cmp	$16 * POLY1305_MIN_CHAINS, %rcx
	jae	.Ldigest_long
	xor	%r8d, %r8d			/* x0, x1, x2 */
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	sub	$16, %rcx
	jb	.Ldigest_short

	mov	(src), x0
	mov	8(src), x1
	inc	x2
	sub	$16, %rcx
	jb	2f
1:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	1b
2:	mul_r	x0, x1, x2, r0, r1, q1

	/* x is h; %rcx = t - 16, and t bytes remain at 16(src). */
.Ldigest_rest:
	cmp	$-16, %rcx
	je	.Ldigest_tag
.Ldigest_partial:
	add_rest x0, x1, x2, src
4:	mul_r	x0, x1, x2, r0, r1, q1

.Ldigest_tag:
	add_pad	x0, x1, x2, %rdi
	pop	%rcx
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	clear_registers
	pop_all
	RET

	/* Fewer than 16 bytes in all */
.Ldigest_short:
	sub	$16, src
	cmp	$-8, %rcx
	jge	.Ldigest_partial
	cmp	$-16, %rcx
	je	.Ldigest_tag
	add	$16, %ecx			/* t = 1 ... 7 */
	add	$16, src
	load_few x0, %r8d, src
	jmp	4b

	/* A long message: blocks go through a state on the stack. */
.Ldigest_long:
	push	%rdi
	push	%rsi
	push	%rcx
	sub	$SHORT_STATE, %rsp
	xor	%eax, %eax
	mov	%rax, STATE_H(%rsp)
	mov	%rax, STATE_H+8(%rsp)
	mov	%rax, STATE_H+16(%rsp)
	mov	r0, STATE_R(%rsp)
	mov	r1, STATE_R+8(%rsp)
	xor	%r12d, %r12d		/* else the callee would push key material */
	xor	%r13d, %r13d
	mov	%rsp, %rdi
	mov	%rcx, %rdx
	shr	$4, %rdx
	mov	$1, %ecx
	call	poly1305_chains

	load_state %rsp
	xor	%eax, %eax
.set i, 0
.rept SHORT_STATE / 8
	mov	%rax, i(%rsp)
.set i, i + 8
.endr
	add	$SHORT_STATE, %rsp
	pop	%rdx
	pop	%rsi
	pop	%rdi
	mov	%rdx, %rcx
	and	$15, %ecx
	sub	%rcx, %rdx
	sub	$16, %rcx
	lea	-16(src, %rdx), src
	jmp	.Ldigest_rest
SYM_FUNC_END(poly1305_digest_mul)

/*
 * The shortest message, in bytes, that poly1305-mulx.S leaves to the code above: for three
 * chains, or 0 on a CPU without mulx, adcx or adox. Set before the first call.
 */
.section .data..ro_after_init, "aw"
	.p2align 3
	.globl	poly1305_x86_64_mulx_below
	.hidden	poly1305_x86_64_mulx_below
poly1305_x86_64_mulx_below:
	.quad	0
