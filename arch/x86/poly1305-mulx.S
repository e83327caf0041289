/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 on CPUs with BMI2, which has mulx and rorx: one block at a time in general registers.
 *
 * A message of up to 16 bytes uses only caller-saved registers. Consecutive calls overlap, as far
 * as the CPU's scheduler holds instructions that wait. So short messages have few of these, above
 * all at the end.
 */

#include "poly1305-mulx.h"

/* The least number of bytes of a message in which h is not folded between blocks */
#define LONG_BYTES	80

#define len	%rax	/* the length of a short message, minus 32 */

/*
 * Short messages fold x2 after each block. Word 0 of x is passed in %rdx, for mulx. Three macros
 * compute x = x r, to let a block, the tail or nothing be added between the first and the last.
 * They clobber u0, u1, u2. Arguments may name other registers for r0, r1, q1 and u0 ... u2.
 *
 *  - short_begin computes the products without the old x1, which goes to %rdx; x2 <= 5. Words 0 and
 *    1 are in x0 and u0; u2 and x1 are yet to be added to word 1; u1 + x2 has weight 2^128.
 *    u2, u1 < 2^60, x1 < 6.25 2^60 and x2 < 5 2^60.
 *  - add_words adds the block at \block without its bit 128, and \x2r0 to u1: u1 < 6 2^60 + 1.
 *  - short_fold adds \x2q1, if given, to u2, then adds the products of the old x1, folds, and adds
 *    \hibit, bit 128 of the block. u1 < 7 2^60 + 2 and u2 < (1 + 6.25 + 1.25) 2^60 + 1 < 2^63.1, so
 *    x2 <= 3 + 1 + 1.
 *
 * The inputs of the fold come first: x2 r0 before x2 q1, which is added late.
 */
.macro	short_begin r=r0, s=r1, q=q1, a=u0, b=u1, c=u2
	mulx	\r, x0, \c
	mulx	\s, \a, \b
	mov	x1, %rdx
	mov	x2, x1
	imul	\r, x2
	imul	\q, x1
.endm

.macro	add_words block, x2r0=x2
	add	\block, x0
	adc	8+\block, u0
	adc	\x2r0, u1
.endm

.macro	short_fold hibit, x2q1, r=r0, q=q1, a=u0, b=u1, c=u2
.ifnb \x2q1
	add	\x2q1, \c
.endif
	mulx	\r, x1, x2
	add	\a, x1
	adc	x2, \b
	mov	\b, x2
	shr	$2, \b
	lea	(\b, \b, 4), \b
	mulx	\q, %rdx, \a
	add	x0, %rdx
	adc	\a, \c
	and	$3, x2
	add	\b, %rdx
	adc	\c, x1
	adc	\hibit, x2
.endm

/* x = x r plus the block at \block */
.macro	short_block block
	short_begin
	add_words \block
	short_fold $1, x1
.endm

/*
 * short_begin for the first block of a message, at src, with r from \key; saves the caller's
 * registers. If \block is given, also add_words for the second block. x2 = 1, so x2 r0 is r0 and
 * x2 q1 is q1, and neither is copied. The first product comes as early as possible.
 */
.macro	short_first_block key, block
	push	%rbx
	push	%rbp
	mov	$0x0ffffffc0fffffff, r0
	mov	(src), %rdx
	and	(\key), r0
	mulx	r0, x0, u2
	push	%r12
	push	%r13
	push	%r14
	mov	$0x0ffffffc0ffffffc, r1
	and	8(\key), r1
	mulx	r1, u0, u1
	rorx	$2, r1, q1
	add	r1, q1
	mov	8(src), %rdx
.ifnb \block
	add_words \block, r0
.endif
.endm

/*
 * Finish after short_begin: write the tag to (\tag), restore registers and return.
 *
 * Let the product be x + 2^64 u2 + 2^128 u1 and u1 = 4 c + d. Then
 * h = x + 2^64 u2 + 2^128 d + 5 c < 2p. The code computes h + 5. In the top word, d is the low two
 * bits and the others are ones, so the carry flag is the carry out of 2^130. If it is set, h >= p,
 * and words 0 and 1 hold h - p. Otherwise they hold h + 5, and s - 5 is added instead of s.
 *
 * Registers are restored and wiped while the sums wait. On return %rax holds a length and %rdx half
 * of the tag. The other half is wiped, because a caller that gives poly1305_mac_verify() a wrong
 * tag must not find the right tag in registers. poly1305_mac_verify() itself overwrites %rdx.
 */
.macro	short_end key, tag
	add	x1, u2
	add	x2, u1
	mulx	r0, x1, x2
	add	u0, x1
	adc	x2, u1
	mov	24(\key), x2
	mulx	q1, %rdx, u0
	add	x0, %rdx
	adc	u0, u2
	mov	u1, u0
	shr	$2, u0
	mov	16(\key), q1
	sub	$5, q1
	sbb	$0, x2				/* s - 5 */
	lea	5(u0, u0, 4), u0		/* 5 c + 5 */
	or	$-4, u1
	add	u0, %rdx
	pop	%r14
	adc	u2, x1
	adc	$0, u1
	pop	%r13
	cmovc	24(\key), x2
	cmovc	16(\key), q1
	xor	%r8d, %r8d
	pop	%r12
	add	q1, %rdx
	adc	x2, x1
	xor	%r11d, %r11d
	pop	%rbp
	xor	%r10d, %r10d
	mov	%rdx, (\tag)
	pop	%rbx
	mov	x1, 8(\tag)
	xor	%r9d, %r9d
	RET
.endm

/*
 * Write the tag of a message of one block to (\tag), wipe caller-saved registers, also \more if it
 * is given, and return. The product of block and r is u = a0 + 2^64 (a1 + b) + 2^128 d, b < 2^63.
 *
 * Let c = d / 4, rounded down. u + 5 c + 5 is Q 2^130 plus less than 2^130, and u - Q p is
 * below p.
 */
.macro	return_tag_of_block	a0, a1, b, d, t, key, tag, more
	mov	\d, \t
	shr	$2, \t
	lea	5(\t, \t, 4), \t
	add	\a0, \t
	mov	\a1, \t
	adc	\b, \t
	adc	$0, \d
	shr	$2, \d				/* Q */
	lea	(\d, \d, 4), \d
	add	16(\key), \a0
	adc	24(\key), \a1
	add	\d, \a0
	adc	\b, \a1
	mov	\a0, (\tag)
	mov	\a1, 8(\tag)
.ifnb \more
	xor	\more, \more
.endif
	clear_registers
	RET
.endm

/* A digest function as poly1305_core.h defines it */
SYM_TYPED_FUNC_START(poly1305_digest_mulx)
	cmp	$16, %rdx
	jne	.Lnot_one

	/* 16 bytes: the multiplier takes its operands from memory, and x2 = 1. */
	mov	$0x0ffffffc0fffffff, %rdx
	and	(%rdi), %rdx			/* r0 */
	mulx	(%rsi), %r8, %r10
	mulx	8(%rsi), %rax, %r11
	add	%rax, %r10
	adc	%rdx, %r11
	mov	$0x0ffffffc0ffffffc, %rdx
	and	8(%rdi), %rdx			/* r1 */
	mulx	(%rsi), %rax, %r9
	shr	$2, %rdx
	lea	(%rdx, %rdx, 4), %rdx		/* q1 */
	add	%rax, %r10
	adc	%r9, %r11
	mulx	8(%rsi), %rax, %r9
	add	%rax, %r8
	adc	%rdx, %r9
	return_tag_of_block	%r8, %r10, %r9, %r11, %rax, %rdi, %rcx

.Lnot_one:
	jb	.Lless
	lea	-32(%rdx), len
	cmp	$LONG_BYTES - 32, len
	jae	.Lmore

	/* 32 to LONG_BYTES - 1 bytes */
	short_first_block %rdi, 16(src)
	short_fold $1, q1
	cmp	$48 - 32, len
	jb	1f
	short_block 32(src)
	cmp	$64 - 32, len
	jb	1f
	short_block 48(src)
1:	short_begin
	test	$15, %al
	jnz	.Ltail
.Llast:	short_end %rdi, %rcx

.Lmore:	cmp	$32, %rdx
	jae	.Llong
	/* 17 to 31 bytes */
	short_first_block %rdi
	mov	r0, x2
	mov	q1, x1

	/* The tail of 1 to 15 bytes: its last word goes to x1. */
.Ltail:	add	x1, u2
	mov	len, x1
	and	$-16, x1
	lea	32(src, x1), src
	and	$15, %eax
	load_tail x1, src, len, %eax
	test	$64, %al
	jnz	2f
	add	(src), x0
	adc	x1, u0
	adc	x2, u1
	jmp	3f
2:	add	x1, x0
	adc	$0, u0
	adc	x2, u1
3:	short_fold $0
	short_begin
	jmp	.Llast

	/* 8 to 15 bytes: no bit 128, x2 = 0 */
.Lless:	cmp	$8, %edx
	jb	.Lfew
	load_tail %r9, %rsi, %rdx, %edx
	mov	$0x0ffffffc0fffffff, %rdx
	and	(%rdi), %rdx			/* r0 */
	mulx	(%rsi), %r8, %r10
	mulx	%r9, %rax, %r11
	add	%rax, %r10
	adc	$0, %r11
	mov	$0x0ffffffc0ffffffc, %rdx
	and	8(%rdi), %rdx			/* r1 */
	mulx	(%rsi), %rax, %rsi
	add	%rax, %r10
	adc	%rsi, %r11
	shr	$2, %rdx
	lea	(%rdx, %rdx, 4), %rdx		/* q1 */
	mulx	%r9, %rax, %r9
	add	%rax, %r8
	adc	$0, %r9
	return_tag_of_block	%r8, %r10, %r9, %r11, %rax, %rdi, %rcx, %esi

	/* 1 to 7 bytes: only the first word */
.Lfew:	mov	%rcx, %r9
	mov	%edx, %ecx
	test	%ecx, %ecx
	jz	.Lnone
	load_short %r11, %r11d, %rsi
	mov	$0x0ffffffc0fffffff, %rdx
	and	(%rdi), %rdx			/* r0 */
	mulx	%r11, %r8, %rcx
	mov	$0x0ffffffc0ffffffc, %rdx
	and	8(%rdi), %rdx			/* r1 */
	mulx	%r11, %r10, %r11
	return_tag_of_block	%r8, %r10, %rcx, %r11, %rax, %rdi, %r9, %ecx

	/* 0 bytes: h = 0, and the tag is s. */
.Lnone:	mov	16(%rdi), %rax
	mov	24(%rdi), %rdx
	mov	%rax, (%r9)
	mov	%rdx, 8(%r9)
	clear_registers
	RET

.p2align 5
.Llong:	save_registers
	push	%rdi
	push	%rcx
	mov	%rdx, %rcx
	load_r	%rdi, r0, r1
	multiples
	mov	(src), x0
	mov	8(src), x1
	sub	$32, %rcx
	/* x = x r plus a block: x2 = 1, so x2 r0 is r0 and x2 q1 is q1. */
	mulx_low 16(src), $1
	lea	(r0, u1), x2
	add	q1, u2
	add	u2, x1
	adc	$0, x2
	add	$16, src
	sub	$16, %rcx
.p2align 6
4:	mulx_r	16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	4b
	/* The tail has t bytes at 16(src), %rcx = t - 16. */
	cmp	$-16, %rcx
	je	5f
	mulx_r
	add_tail x0, x1, x2, src
5:	mulx_low
	mulx_high
	fold	x0, x1, x2, u1, u2	/* also adds u2 to word 1 */
	pop	%rcx
	pop	%rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	clear_registers
	restore_registers
	RET
SYM_FUNC_END(poly1305_digest_mulx)

/*
 * Load r0, r1 and their multiples, and x = h plus the block at src. In: the state's address in
 * %rdi, bit 128 of the block in %rcx.
 */
.macro	load_state
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), r1
	load_words STATE_H(%rdi), x0, x1, x2
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
	store_words x0, x1, x2, STATE_H(%rdi)
	xor	%ecx, %ecx
	clear_registers
.endm

/*
 * A block function as poly1305_core.h defines it. h is folded only after the last block. A single
 * block has its own code, which saves no registers.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_mulx)
	mov	%ecx, %ecx		/* the upper half of a u32 is undefined */
	dec	%rdx
	jnz	.Lblocks

	/* One block, in caller-saved registers */
	load_words STATE_H(%rdi), %rdx, x1, x2
	/* x2 <= 6: h2 <= 4, bit 128 and a carry */
	add	(src), %rdx
	adc	8(src), x1
	adc	%rcx, x2
	mov	STATE_R+8(%rdi), %rax
	shr	$2, %rax
	add	STATE_R+8(%rdi), %rax		/* q1 */
	short_begin STATE_R(%rdi), STATE_R+8(%rdi), %rax, %rsi, %rcx, r0
	add	x2, %rcx
	short_fold $0, x1, STATE_R(%rdi), %rax, %rsi, %rcx, r0
	store_words %rdx, x1, x2, STATE_H(%rdi)
	xor	%ecx, %ecx
	xor	%esi, %esi
	clear_registers
	RET

.Lblocks:
	cmp	$1, %rdx
	jne	.Lmore_than_two

	/* Two blocks need no counter, and no hibit afterwards: fewer registers are saved. */
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
