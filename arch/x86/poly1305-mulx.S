/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Messages in one buffer, and blocks one after the other on CPUs that have mulx and
 * adcx (poly1305_x86_64_adx): short messages above all. What is not for this file goes on to
 * poly1305-x86_64.S.
 *
 * mulx keeps its operands and names where its product goes, so that a block takes
 * fewer instructions than with mul, and fewer registers have to be saved. A
 * message of up to 16 bytes needs no saved register.
 *
 * The next call begins while this one's products wait for each other, as far as the
 * CPU finds room for what waits. So in short messages each instruction that waits
 * counts, above all late ones.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-x86_64-ends.h"

/* From so many bytes on h is not folded between blocks. */
#define LONG_BYTES		80

/* h, to which a block may have been added */
#define x0	%r8
#define x1	%r9
#define x2	%r10
/* r, and multiples */
#define r0	%r11
#define r1	%r14
#define q1	%rbp	/* 5 r1 / 4 */
#define s0	%rax	/* 5 r0 */
/* temporaries, with %rdx */
#define u0	%r12
#define u1	%r13
#define v	%rbx
#define w	%rdi

#define src	%rsi
#define len	%rax	/* of short messages, less 32 */

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
	add	u0, x0
	adc	w, v
	mov	x2, %rdx
	and	$3, x2
	imul	r0, x2
	mulx	q1, u0, w
	add	u1, x2
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

/* Fold what mulx_r leaves above 2^130: x2 <= 4, and h < 2p. */
.macro	fold
	mov	x2, u1
	and	$3, x2
	shr	$2, u1
	lea	(u1, u1, 4), u1
	add	u1, x0
	adc	$0, x1
	adc	$0, x2
.endm

/* s0 and q1, from r0 and r1; clobbers flags */
.macro	multiples
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
	lea	(r0, r0, 4), s0
.endm

/*
 * For short messages: x2 is folded after each block, and word 0 of x comes and goes
 * in %rdx, where mulx wants it. x = x r is in parts, so that between them a block,
 * the rest of a message or nothing can be added:
 *
 *  - short_begin makes the part without the former x1, which goes to %rdx; x2 <= 5.
 *    Words 0 and 1 are in x0 and u0, v and x1 are for word 1, and u1 + x2 is what
 *    is at 2^128. v, u1 < 2^60, x1 < 6.25 2^60 and x2 < 5 2^60.
 *  - add_words adds a block but its bit 128, and puts \x2r0 into u1 < 6 2^60 + 1.
 *  - short_fold adds \x2q1 to v, if nobody has, and then the part with the former
 *    x1, folds, and adds the block's bit 128. u1 < 7 2^60 + 2 and
 *    v < (1 + 6.25 + 1.25) 2^60 + 1 < 2^63.1, so x2 <= 3 + 1 + 1.
 *
 * What the fold waits for comes first: x2 r0 before x2 q1, which is added late.
 */
.macro	short_begin
	mulx	r0, x0, v
	mulx	r1, u0, u1
	mov	x1, %rdx
	mov	x2, x1
	imul	r0, x2
	imul	q1, x1
.endm

.macro	add_words block, x2r0=x2
	add	\block, x0
	adc	8+\block, u0
	adc	\x2r0, u1
.endm

.macro	short_fold hibit, x2q1
.ifnb \x2q1
	add	\x2q1, v
.endif
	mulx	r0, x1, x2
	add	u0, x1
	adc	x2, u1
	mov	u1, x2
	shr	$2, u1
	lea	(u1, u1, 4), u1
	mulx	q1, %rdx, u0
	add	x0, %rdx
	adc	u0, v
	and	$3, x2
	add	u1, %rdx
	adc	v, x1
	adc	\hibit, x2
.endm

.macro	short_block block
	short_begin
	add_words \block
	short_fold $1, x1
.endm

/*
 * Save registers, and short_begin with r from \key and the first block of a message;
 * add_words, if \block says where the second is. x2 = 1, so that x2 r0 is r0 and
 * x2 q1 is q1: they are not copied. The first product stands before all that it need
 * not wait for.
 */
.macro	short_first key, block
	push	%rbx
	push	%rbp
	mov	$0x0ffffffc0fffffff, r0
	mov	(src), %rdx
	and	(\key), r0
	mulx	r0, x0, v
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
 * The tag after short_begin, to (\tag), and the end of the function.
 *
 * With the product x + 2^64 v + 2^128 u1 and u1 = 4 c + d, h = x + 2^64 v +
 * 2^128 d + 5 c < 2p. The sum is of h + 5, on top of which d is in two bits below
 * ones: its carry out of 2^130 says that h >= p, and that h - p is what is in
 * words 0 and 1. Otherwise 5 has to be subtracted, which s has without it.
 *
 * Registers are restored and wiped where the CPU waits for sums. %rax and %rdx keep
 * a length and half of the tag. The other half is wiped: whoever gives
 * poly1305_mac_verify() a wrong tag must not find the right one. %rdx is overwritten
 * there, where it takes the length of what is compared.
 */
.macro	short_end key, tag
	add	x1, v
	add	x2, u1
	mulx	r0, x1, x2
	add	u0, x1
	adc	x2, u1
	mov	24(\key), x2
	mulx	q1, %rdx, u0
	add	x0, %rdx
	adc	u0, v
	mov	u1, u0
	shr	$2, u0
	mov	16(\key), q1
	sub	$5, q1
	sbb	$0, x2				/* s - 5 */
	lea	5(u0, u0, 4), u0		/* 5 c + 5 */
	or	$-4, u1
	add	u0, %rdx
	pop	%r14
	adc	v, x1
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
 * The tag of one block, with fewer instructions: a0 + 2^64 (a1 + b) + 2^128 d is the
 * product and b < 2^63. If c = d / 4, rounded down, and the sum has 5 c + 5 added,
 * it is Q 2^130 and less than that, and the product - Q p is below p. Clobbers t.
 */
.macro	few_end	a0, a1, b, d, t, key
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
.endm

/*
 * x, the end of a message: its last t bytes, those before the end, and the 1 bit
 * behind them, as the second word of a block, or as the first if t < 8.
 * \count = t modulo 16; it becomes a count of which bit 6 says that t < 8.
 * Shifts count modulo 64.
 */
.macro	load_end x, p, count, count32
	mov	-8(\p, \count), \x
	shr	$8, \x
	bts	$56, \x
	not	\count32
	shl	$3, \count32
	shrx	\count, \x, \x
.endm

.macro	push_short
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
.endm

.macro	pop_short
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
.endm

/* Registers that have held key material and that the caller does not restore */
.macro	clear_registers
	xor	%eax, %eax
	xor	%edx, %edx
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
.endm

/*
 * void poly1305_digest_x86_64(const u8 key[32], const u8 *data, size_t len,
 *			       u8 tag[16])
 *
 * The tag of a message in one buffer. It is written last: it may overlap.
 */
SYM_TYPED_FUNC_START(poly1305_digest_x86_64)
	cmpb	$0, poly1305_x86_64_adx(%rip)
	je	.Lmul
	cmp	$16, %rdx
	jne	.Lnot_one

	/* One whole block, read where it is needed, and x2 = 1 */
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
	few_end	%r8, %r10, %r9, %r11, %rax, %rdi
	mov	%r8, (%rcx)
	mov	%r10, 8(%rcx)
	clear_registers
	RET

.Lnot_one:
	jb	.Lless
	lea	-32(%rdx), len
	cmp	$LONG_BYTES - 32, len
	jae	.Lmore

	/* 32 bytes and more */
	short_first %rdi, 16(src)
	short_fold $1, q1
	cmp	$48 - 32, len
	jb	1f
	short_block 32(src)
	cmp	$64 - 32, len
	jb	1f
	short_block 48(src)
1:	short_begin
	test	$15, %al
	jnz	.Lrest
.Llast:	short_end %rdi, %rcx

.Lmul:	jmp	poly1305_digest_mul

.Lmore:	cmp	$32, %rdx
	jae	.Llong
	/* 17 ... 31 bytes */
	short_first %rdi
	mov	r0, x2
	mov	q1, x1

	/* The 1 to 15 bytes that are left, through x1 */
.Lrest:	add	x1, v
	mov	len, x1
	and	$-16, x1
	lea	32(src, x1), src
	and	$15, %eax
	load_end x1, src, len, %eax
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

	/* Fewer than 16 bytes in all: no bit 128, x2 = 0 */
.Lless:	cmp	$8, %edx
	jb	.Lfew
	load_end %r9, %rsi, %rdx, %edx
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
	few_end	%r8, %r10, %r9, %r11, %rax, %rdi
	mov	%r8, (%rcx)
	mov	%r10, 8(%rcx)
	xor	%esi, %esi
	clear_registers
	RET

	/* Fewer than 8: only the first word */
.Lfew:	mov	%rcx, %r9
	mov	%edx, %ecx
	test	%ecx, %ecx
	jz	.Lnone
	load_few %r11, %r11d, %rsi
	mov	$0x0ffffffc0fffffff, %rdx
	and	(%rdi), %rdx			/* r0 */
	mulx	%r11, %r8, %rcx
	mov	$0x0ffffffc0ffffffc, %rdx
	and	8(%rdi), %rdx			/* r1 */
	mulx	%r11, %r10, %r11
	few_end	%r8, %r10, %rcx, %r11, %rax, %rdi
	mov	%r8, (%r9)
	mov	%r10, 8(%r9)
	xor	%ecx, %ecx
	clear_registers
	RET

	/* h = 0, and the tag is s. */
.Lnone:	mov	16(%rdi), %rax
	mov	24(%rdi), %rdx
	mov	%rax, (%r9)
	mov	%rdx, 8(%r9)
	clear_registers
	RET

.p2align 5
.Llong:	cmp	$16 * MIN_CHAINS_MULX, %rdx
	jae	.Lmul
	push_short
	push	%rdi
	push	%rcx
	mov	%rdx, %rcx
	load_r	%rdi, r0, r1
	multiples
	mov	(src), x0
	mov	8(src), x1
	sub	$32, %rcx
	mulx_r_1 16(src), $1
	add	$16, src
	sub	$16, %rcx
.p2align 6
4:	mulx_r	16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	4b
	mulx_r
	/* %rcx = t - 16 where t bytes remain, those at 16(src). */
	cmp	$-16, %rcx
	je	5f
	add_rest x0, x1, x2, src
	mulx_r
5:	fold
	pop	%rcx
	pop	%rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	clear_registers
	pop_short
	RET
SYM_FUNC_END(poly1305_digest_x86_64)

/*
 * void poly1305_blocks_mulx(struct poly1305_mac_state *state, const u8 *data,
 *			     size_t nblocks, u32 hibit)
 *
 * nblocks > 0, and %rcx = hibit.
 */
SYM_FUNC_START(poly1305_blocks_mulx)
	push_short
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
	clear_registers
	pop	%r15
	pop_short
	RET
SYM_FUNC_END(poly1305_blocks_mulx)
