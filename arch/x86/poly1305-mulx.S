/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * One block after the other on CPUs that have mulx: short messages above all.
 * poly1305_digest_x86_64() and poly1305_blocks_x86_64() come here.
 *
 * mulx keeps its operands and names where its product goes, so that a block takes
 * fewer instructions than with mul, and fewer registers have to be saved. A
 * message of one block needs no saved register and no loop at all.
 */

#include "../../compat.h"
#include "poly1305-x86_64-ends.h"

/* struct poly1305_mac_state */
#define STATE_H		0
#define STATE_R		24

/* Messages of so many bytes wait for h more than for instructions. */
#define LONG		80

/* h, to which a block may have been added */
#define x0	%r8
#define x1	%r9
#define x2	%r10
/* r, and multiples */
#define r0	%r11
#define r1	%rax
#define q1	%rdi	/* 5 r1 / 4 */
#define s0	%r14	/* 5 r0 */
/* temporaries, with %rdx */
#define u0	%r12
#define u1	%r13
#define v	%rbx
#define w	%rbp

#define src	%rsi

/*
 * x = x r, and if \block says where the next block is, this added.
 *
 * r1 is a multiple of 4, so 2^128 r1 = 5 r1 / 4 = q1 (mod p) is an integer, and
 * the product is
 *
 *	      x0 r0 + x1 q1
 *	+ 2^64  (x0 r1 + x1 r0 + x2 q1)
 *	+ 2^128 (x2 r0)
 *
 * where r0, r1 < 2^60 and q1 < 1.25 2^60.
 *
 * mulx_low is the part without x2: it leaves words 0 and 1 in x0 and x1, v for
 * word 1 and u1 for what is at 2^128. v < 2.25 2^60 + 1 and u1 < 2 2^60 + 3.
 */
.macro	mulx_low block, hibit
	mov	x0, %rdx
	mulx	r0, x0, v
	mulx	r1, u0, u1
.ifnb \block
	add	\block, x0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	mov	x1, %rdx
	mulx	q1, x1, w
	add	x1, x0
	adc	w, v
	mulx	r0, x1, w
	add	u0, x1
	adc	w, u1
.endm

/*
 * For long messages: x2 is not folded. Where x2 = 4 a + b, 2^130 a = 5 a, so that
 *
 *	2^128 x2 r0 = a s0 + 2^128 b r0
 *
 * and all that lies between the x2 of one block and that of the next are a
 * shift, a product and three additions. If x2 < 2^62.5, then a s0 < 2^122.9,
 * v < (2.25 + .45) 2^60 + 3, and the new x2, where u1, b r0 and the high half of
 * x2 q1 meet, is below (2 + 3 + .45) 2^60 + 6 < 2^62.5.
 */
.macro	mulx_r	block, hibit
	mulx_low \block, \hibit
	mov	x2, %rdx
	shr	$2, %rdx
	mulx	s0, u0, w
	mov	x2, %rdx
	and	$3, x2
	imul	r0, x2
	add	u1, x2
	add	u0, x0
	adc	w, v
	mulx	q1, u0, w
	add	u0, x1
	adc	w, x2
	add	v, x1
	adc	$0, x2
.endm

/* The same where x2 = 1: h was 0 before the block in x. */
.macro	mulx_r_1 block, hibit
	mulx_low \block, \hibit
	lea	(r0, u1), x2
	add	q1, v
	add	v, x1
	adc	$0, x2
.endm

/*
 * For short messages, which end before a chain binds: fewer instructions, and
 * x2 <= 4 after each. With x2 <= 5 before, u1 < (2 + 5) 2^60 + 3 and
 * v < (2.25 + 6.25) 2^60 + 1.
 */
.macro	mulx_short block, hibit
	mulx_low \block, \hibit
	mov	x2, w
	imul	q1, w
	imul	r0, x2
	add	w, v
	add	x2, u1
	fold_u1
.endm

/* The same where x2 = 1 */
.macro	mulx_short_1 block, hibit
	mulx_low \block, \hibit
	add	q1, v
	add	r0, u1
	fold_u1
.endm

/* x = x0 + 2^64 (x1 + v) + 2^128 u1, the multiple of 4 in u1 folded */
.macro	fold_u1
	mov	u1, x2
	and	$3, x2
	shr	$2, u1
	lea	(u1, u1, 4), u1
	add	u1, x0
	adc	v, x1
	adc	$0, x2
.endm

/* Fold what mulx_r leaves above 2^130: x2 <= 4, and h < 2p. */
.macro	fold
	mov	x2, u1
	xor	v, v
	fold_u1
.endm

/* s0 and q1, from r0 and r1; clobbers flags */
.macro	multiples
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
	lea	(r0, r0, 4), s0
.endm

/* Registers that have held key material and that the caller does not restore */
.macro	wipe
	xor	%eax, %eax
	xor	%edx, %edx
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
.endm

/*
 * void poly1305_digest_mulx(const u8 key[32], const u8 *data, size_t len,
 *			     u8 tag[16])
 *
 * The tag of a message in one buffer. It is written last: it may overlap.
 */
SYM_FUNC_START(poly1305_digest_mulx)
	cmp	$16, %rdx
	jne	.Lnot_one

	/*
	 * One whole block: x2 = 1, and x0, x1 are read where they are needed.
	 * The product is %r8 + 2^64 %r10 + 2^128 %r11, where %r11 < 2^62.
	 */
	mov	$0x0ffffffc0fffffff, %rdx
	and	(%rdi), %rdx			/* r0 */
	mulx	(%rsi), %r8, %r10
	mulx	8(%rsi), %rax, %r11
	add	%rdx, %r11
	mov	$0x0ffffffc0ffffffc, %rdx
	and	8(%rdi), %rdx			/* r1 */
	add	%rax, %r10
	adc	$0, %r11
	mulx	(%rsi), %rax, %r9
	shr	$2, %rdx
	lea	(%rdx, %rdx, 4), %rdx		/* q1 */
	add	%rax, %r10
	adc	%r9, %r11
	mulx	8(%rsi), %rax, %r9
	add	%rdx, %r9
	add	%rax, %r8
	adc	%r9, %r10
	adc	$0, %r11

	mov	%r11, %rax
	and	$3, %r11d
	shr	$2, %rax
	lea	(%rax, %rax, 4), %rax
	add	%rax, %r8
	adc	$0, %r10
	adc	$0, %r11
	add_pad	%r8, %r10, %r11, %rdi
	mov	%r8, (%rcx)
	mov	%r10, 8(%rcx)
	wipe
	RET

.Lnot_one:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%rdi
	push	%rcx
	mov	%rdx, %rcx
	load_r	%rdi, r0, r1
	multiples

	sub	$16, %rcx
	jb	.Lless
	mov	(src), x0
	mov	8(src), x1
	cmp	$LONG - 16, %rcx
	jae	.Llong

	sub	$16, %rcx
	jb	.Lshort_1
	mulx_short_1 16(src), $1
	add	$16, src
	sub	$16, %rcx
	jb	2f
1:	mulx_short 16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	1b
2:	mulx_short
	/* %rcx = t - 16 where t bytes remain, those at 16(src). */
	cmp	$-16, %rcx
	je	.Ltag
.Lshort_rest:
	add_rest x0, x1, x2, src
.Lshort_last:
	mulx_short
.Ltag:
	pop	%rcx
	pop	%rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	wipe
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	RET
.Lshort_1:
	mulx_short_1
	jmp	.Lshort_rest

.Llong:
	sub	$16, %rcx
	mulx_r_1 16(src), $1
	add	$16, src
	sub	$16, %rcx
.p2align 6
3:	mulx_r	16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	3b
	mulx_r
	cmp	$-16, %rcx
	je	4f
	add_rest x0, x1, x2, src
	mulx_r
4:	fold
	jmp	.Ltag

	/* Fewer than 16 bytes in all */
.Lless:
	xor	%r8d, %r8d			/* x0, x1, x2 */
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	cmp	$-16, %rcx
	je	.Ltag
	cmp	$-8, %rcx
	jge	5f
	add	$16, %ecx			/* t = 1 ... 7 */
	mov	r1, w
	load_few x0, %r8d, src
	mov	w, r1
	jmp	.Lshort_last
5:	sub	$16, src
	jmp	.Lshort_rest
SYM_FUNC_END(poly1305_digest_mulx)

/*
 * void poly1305_blocks_mulx(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit)
 *
 * nblocks > 0, and %rcx = hibit.
 */
SYM_FUNC_START(poly1305_blocks_mulx)
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	push	%rdi
	mov	%rdx, %r15

	mov	STATE_H(%rdi), x0
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), r1
	multiples

	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	dec	%r15
	jz	2f
.p2align 6
1:	mulx_r	16(src), %rcx
	add	$16, src
	dec	%r15
	jnz	1b
2:	mulx_r
	fold

	pop	%rdi
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	wipe
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	RET
SYM_FUNC_END(poly1305_blocks_mulx)
