/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 on CPUs with mulx, adcx and adox: messages in one buffer, above all short
 * ones, and blocks one at a time. Everything else, and every call on other CPUs, is
 * passed on to poly1305-x86_64.S.
 *
 * mulx keeps its operands and writes its product to any registers. So a block
 * takes fewer instructions than with mul, and fewer registers must be saved; a
 * message of up to 16 bytes needs none.
 *
 * While the products of one call wait for each other, the CPU begins the next
 * call, as far as it has room for waiting instructions. So every waiting
 * instruction of a short message counts, most of all a late one.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-x86_64-ends.h"

/* From this many bytes on, h is not folded between blocks. */
#define LONG_BYTES	80

/* h, with or without a block added */
#define x0	%r8
#define x1	%r9
#define x2	%r10
/* r and multiples of it */
#define r0	%r11
#define r1	%r14
#define q1	%rbp	/* 5 r1 / 4 */
#define s0	%rax	/* 5 r0 */
/* Temporaries, with %rdx */
#define u0	%r12
#define u1	%r13
#define v	%rbx
#define w	%rdi

#define src	%rsi
#define len	%rax	/* of short messages, minus 32 */

#include "poly1305-mulx.h"

/* mulx_r for x2 = 1: h was 0 before the block in x was added. */
.macro	mulx_r_1 block, hibit
	mulx_low \block, \hibit
	lea	(r0, u1), x2
	add	q1, v
	add	v, x1
	adc	$0, x2
.endm

/* s0 and q1 from r0 and r1; clobbers flags */
.macro	multiples
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
	lea	(r0, r0, 4), s0
.endm

/*
 * For short messages: x2 is folded after each block. Word 0 of x is passed in
 * %rdx, where mulx expects it. x = x r is split into parts, so that a block,
 * the rest of a message or nothing can be added in between:
 *
 *  - short_begin computes the part without the old x1, which goes to %rdx;
 *    x2 <= 5. Words 0 and 1 are in x0 and u0; v and x1 are still to be added to
 *    word 1; u1 + x2 stands at 2^128. v, u1 < 2^60, x1 < 6.25 2^60 and x2 < 5
 *    2^60.
 *  - add_words adds a block without its bit 128, and \x2r0 to u1:
 *    u1 < 6 2^60 + 1.
 *  - short_fold adds \x2q1, if given, to v, then adds the part with the old x1,
 *    folds, and adds the block's bit 128. u1 < 7 2^60 + 2 and
 *    v < (1 + 6.25 + 1.25) 2^60 + 1 < 2^63.1, so x2 <= 3 + 1 + 1.
 *
 * The inputs of the fold come first: x2 r0 before x2 q1, which is added late.
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
 * Save registers, and do short_begin with r from \key and the first block of a
 * message; also add_words, if the second block is given as \block. x2 = 1, so
 * x2 r0 is r0 and x2 q1 is q1, and neither is copied. The first product comes
 * before everything that it does not depend on.
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
 * Finish after short_begin: write the tag to (\tag) and return.
 *
 * Let the product be x + 2^64 v + 2^128 u1 and u1 = 4 c + d. Then h = x + 2^64
 * v + 2^128 d + 5 c < 2p. The code computes h + 5, with d in two bits below
 * ones in the top word. A carry out of 2^130 shows that h >= p, and words 0 and
 * 1 then hold h - p. Otherwise the 5 must come off again: s - 5 is added in
 * place of s.
 *
 * Registers are restored and wiped while the sums wait. %rax and %rdx keep a
 * length and half of the tag. The other half is wiped, because a caller that
 * gives poly1305_mac_verify() a wrong tag must not find the right one; there
 * %rdx is overwritten with the length to compare.
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
 * The tag of a single block, in fewer instructions. Let v be the product,
 * a0 + 2^64 (a1 + b) + 2^128 d with b < 2^63, and c = d / 4, rounded down.
 * v + 5 c + 5 is Q 2^130 plus less than 2^130, and v - Q p is below p.
 * Clobbers t.
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

/* Zero the caller-saved registers that have held key material. */
.macro	clear_registers
	xor	%eax, %eax
	xor	%edx, %edx
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	xor	%r11d, %r11d
.endm

/*
 * The end of a message whose last block is in x: write the tag and return. On the stack are
 * its address, the key's, and what push_short saved.
 */
.macro	long_end
	mulx_low
	mulx_high
	fold
	pop	%rcx
	pop	%rdi
	add_pad	x0, x1, x2, %rdi
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	clear_registers
	pop_short
	RET
.endm

/*
 * void poly1305_digest_x86_64(const u8 key[32], const u8 *data, size_t len,
 *			       u8 tag[16])
 *
 * The tag of a message in one buffer. The tag is written last, so it may
 * overlap key or data.
 */
SYM_TYPED_FUNC_START(poly1305_digest_x86_64)
	cmp	poly1305_x86_64_mulx_below(%rip), %rdx
	jae	poly1305_digest_mul
	jmp	poly1305_digest_mulx
SYM_FUNC_END(poly1305_digest_x86_64)

/* The same for a message shorter than poly1305_x86_64_mulx_below */
SYM_TYPED_FUNC_START(poly1305_digest_mulx)
	cmp	$16, %rdx
	jne	.Lnot_one

	/* One whole block: operands come straight from memory, and x2 = 1. */
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

	/* 32 bytes or more */
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

.Lmore:	cmp	$32, %rdx
	jae	.Llong
	/* 17 to 31 bytes */
	short_first %rdi
	mov	r0, x2
	mov	q1, x1

	/* The remaining 1 to 15 bytes, through x1 */
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

	/* 8 to 15 bytes in all: no bit 128, x2 = 0 */
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

	/* Fewer than 8 bytes: only the first word */
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

	/* Empty message: h = 0, and the tag is s. */
.Lnone:	mov	16(%rdi), %rax
	mov	24(%rdi), %rdx
	mov	%rax, (%r9)
	mov	%rdx, 8(%r9)
	clear_registers
	RET

.p2align 5
.Llong:	push_short
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
	/* %rcx = t - 16, and t bytes remain at 16(src). */
	cmp	$-16, %rcx
	je	5f
	mulx_r
	add_rest x0, x1, x2, src
5:	long_end
SYM_FUNC_END(poly1305_digest_mulx)

/*
 * void poly1305_parts_mulx(const u8 key[32], const u8 *data, size_t len, const u8 ends[48],
 *			    bool three, u8 tag[16]);
 *
 * The tag of whole blocks in two or three parts: the first block of ends if there are
 * three, len bytes at data, and the other two blocks of ends.
 */
SYM_TYPED_FUNC_START(poly1305_parts_mulx)
	push_short
	push	%rdi
	push	%r9
	/* The address of the last block at data; data - 16 if there is none */
	lea	-16(src, %rdx), %rax
	push	%rax
	load_r	%rdi, r0, r1
	multiples
	mov	$1, %r10d			/* x2 */
	test	%r8b, %r8b
	jz	1f
	mov	(%rcx), x0
	mov	8(%rcx), x1
	sub	$16, src
	jmp	2f
1:	test	%rdx, %rdx
	jz	5f
	mov	(src), x0
	mov	8(src), x1
2:	cmp	(%rsp), src
	je	4f
.p2align 6
3:	mulx_r	16(src), $1
	add	$16, src
	cmp	(%rsp), src
	jne	3b
4:	mulx_r	16(%rcx), $1
	jmp	6f
5:	mov	16(%rcx), x0
	mov	24(%rcx), x1
6:	mulx_r	32(%rcx), $1
	pop	%rcx
	long_end
SYM_FUNC_END(poly1305_parts_mulx)

/*
 * x = h plus the block at src; r0, r1 and multiples of them. %rdi is the state, and %rcx
 * the block's bit 128.
 */
.macro	blocks_begin
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

/* h = x, which is not folded */
.macro	blocks_end
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	movl	$1, STATE_UNFOLDED(%rdi)
	clear_registers
.endm

/*
 * void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
 *			       size_t nblocks, u32 hibit)
 *
 * An update of few blocks waits for the h of the one before. So from two blocks on, h is
 * not folded at all: x2 < 2^63 + 2 in the first block. One block takes less time in the
 * form that folds.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_x86_64)
	mov	%ecx, %ecx		/* the upper half of a u32 is undefined */
	cmpq	$0, poly1305_x86_64_mulx_below(%rip)
	je	poly1305_blocks_mul
	dec	%rdx
	jnz	.Lblocks

	/* One block: short_begin and short_fold, in caller-saved registers */
	mov	STATE_H(%rdi), %rdx
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	cmpl	$0, STATE_UNFOLDED(%rdi)
	jne	.Lfold
	/* x2 <= 6: h2 <= 4, the bit 128 and a carry */
.Lfolded:
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

	/* 2^130 = 5: then x2 <= 4 */
.Lfold:	movl	$0, STATE_UNFOLDED(%rdi)
	mov	x2, %rax
	and	$3, x2
	shr	$2, %rax
	lea	(%rax, %rax, 4), %rax
	add	%rax, %rdx
	adc	$0, x1
	adc	$0, x2
	jmp	.Lfolded

	/*
	 * No block, or %rdx + 1 of them, enough to read the threshold; an update of few
	 * blocks would notice that.
	 */
.Lmany:	lea	1(%rdx), %rax
	shl	$4, %rax
	jz	2f
	cmp	poly1305_x86_64_mulx_below(%rip), %rax
	jb	.Lserial
	inc	%rdx
	jmp	poly1305_chains
2:	RET

.Lblocks:
	cmp	$1, %rdx
	jne	.Lmore_than_two

	/* Two blocks: with no counter and with hibit used up, fewer registers are saved. */
	push_short
	blocks_begin
	mulx_r	16(src), %rcx, %rcx
	mulx_r	t=%rcx
	blocks_end
	xor	%ecx, %ecx
	pop_short
	RET

.Lmore_than_two:
	cmp	$POLY1305_MIN_CHAINS - 1, %rdx
	jae	.Lmany
.Lserial:
	push_short
	push	%r15
	push	%rdi
	mov	%rdx, %r15
	blocks_begin
.p2align 6
1:	mulx_r	16(src), %rcx
	add	$16, src
	dec	%r15
	jnz	1b
	mulx_r
	pop	%rdi
	blocks_end
	pop	%r15
	pop_short
	RET
SYM_FUNC_END(poly1305_blocks_x86_64)
