/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1271 in the general registers of any x86-64 CPU, with mulx where
 * poly1271_x86_64_mulx says that the CPU has it.
 *
 * p = 2^127 - 1, in radix 2^64. poly1305_core.h and poly1271_core.h have the notation
 * and the form of the state. Blocks are processed in one of two ways:
 *
 *  - One after the other, h = (h + m) r. From one h to the next it takes at least
 *    seven cycles, and the CPU idles a third of the time.
 *  - In two such chains in parallel, for long messages. Of 2 m blocks each chain takes
 *    m consecutive ones: h = x r^m + y. r^m is computed by squaring, interleaved with the
 *    first blocks.
 *
 * Both multiply by the clamped r, so no column of a product exceeds 128 bits.
 */

#include "../../compat.h"
#include "../../arch/x86/poly1305-offsets.h"
#include "../../arch/x86/poly1305-macros.h"

/* Shortest message, in blocks, for two chains */
#define MIN_CHAINS	16

/* The chains: h + m each */
#define x0	%r8
#define x1	%r9
#define y0	%r10
#define y1	%r11
/* With one chain: twice r0, and the hibit where it stands in a block's word 1 */
#define twice_r0 %r10
#define top	%r11
/* Temporaries, with %rax and %rdx */
#define b	%rbx
#define c	%rbp
#define d	%r12
#define t	%r13
#define u	%r14
#define r0	%r15
#define twice_r1 %rdi
#define src	%rsi
/* The blocks that remain; with two chains, the bytes from one to the other */
#define count	%rcx
#define step	%rcx

/* The stack frame of two chains */
#define VAR_TWICE_R0	0
#define VAR_TOP		8
#define VAR_P0		16	/* P, a power of r */
#define VAR_P1		24
#define VAR_Y0		32	/* y, while P is in its registers */
#define VAR_Y1		40
#define VAR_BLOCKS	48	/* m */
#define VAR_BIT		56	/* the lowest bit of m that P includes */
#define VAR_END		64	/* the last block of the first chain */
#define FRAME		72

/* hi, lo = x y. With again=1, x is that of the last product. */
.macro	product	mulx, lo, hi, x, y, again=0
.if \mulx
.if \again == 0
	mov	\x, %rdx
.endif
	mulx	\y, \lo, \hi
.else
	mov	\y, %rax
	mul	\x
	mov	%rax, \lo
	mov	%rdx, \hi
.endif
.endm

/* a += the block at \block, for a < 2^127 + 2^125, as in a state. Clobbers t. */
.macro	add_block a0, a1, block, hibit
	mov	7+\block, t
	shr	$8, t
	add	\hibit, t
	add	\block, \a0
	adc	t, \a1
.endm

/*
 * a = a r, plus the block at \block if it is given, for any a of two words. rr0 is 2 r0.
 *
 * As 2^128 = 2 (mod p), the product is
 *
 *	   a0 r0 + a1 (2 r1)
 *	+ 2^64 (a0 r1 + a1 r0)
 *
 * The second column is computed doubled. So its high word u stands at 2^127 = 1, and
 * its low word, halved, stays at 2^64.
 *
 * r0 < 2^60 - 2^33 and 2 r1 < 2^60, so the first column is below 2^125 - 2^97, and u
 * below 2^62. The result is below 2^127 + 2^125, or 2^121 more with a block.
 */
.macro	multiply_r mulx, a0, a1, rr0, block, hibit
	product	\mulx, c, d, \a0, twice_r1
	product	\mulx, \a0, b, \a0, r0, again=1
.ifnb \block
	add_block \a0, b, "\block", \hibit
.endif
	product	\mulx, t, u, \a1, twice_r1
	add	t, \a0
	adc	u, b
	product	\mulx, \a1, u, \a1, \rr0, again=1
	add	c, \a1
	adc	d, u
	shr	$1, \a1
	add	u, \a0
	adc	b, \a1
.endm

/*
 * d, c = c + 2^64 d + 2^128 (%rax + 2^64 %rdx) (mod p), of two words. The number must
 * be below 2^254.7: then the number added is below 2^127.7, and so is the sum where it
 * carries.
 */
.macro	fold_product
	add	%rax, %rax
	adc	%rdx, %rdx
	add	%rax, c
	adc	%rdx, d
	fold_carry
.endm

/* The carry out of d stands at 2^128 = 2. */
.macro	fold_carry
	sbb	%rax, %rax
	and	$2, %eax
	add	%rax, c
	adc	$0, d
.endm

/* P = P^2, at most 2^127, for P below 2^127 + 2^125 */
.macro	square_power
	mov	VAR_P0(%rsp), %rax
	mul	%rax
	mov	%rax, c
	mov	%rdx, d
	mov	VAR_P0(%rsp), %rax
	mulq	VAR_P1(%rsp)
	mov	%rax, t
	mov	%rdx, u
	mov	VAR_P1(%rsp), %rax
	mul	%rax
.rept 2
	add	t, d
	adc	u, %rax
	adc	$0, %rdx
.endr
	fold_product
	/* In %rax and %rdx, as objtool would take a store of %rbp or %r12 for a saved one */
	mov	d, %rdx
	mov	d, %rax
	btr	$63, %rdx
	shr	$63, %rax
	add	c, %rax
	adc	$0, %rdx
	mov	%rax, VAR_P0(%rsp)
	mov	%rdx, VAR_P1(%rsp)
.endm

/* x = x P + y, for x and y below 2^127 + 2^125 + 2^121 */
.macro	join_chains
	mov	x0, %rax
	mulq	VAR_P0(%rsp)
	mov	%rax, c
	mov	%rdx, d
	mov	x0, %rax
	mulq	VAR_P1(%rsp)
	mov	%rax, t
	mov	%rdx, u
	mov	x1, %rax
	mulq	VAR_P0(%rsp)
	xor	%ebx, %ebx
	add	%rax, t
	adc	%rdx, u
	adc	$0, b
	mov	x1, %rax
	mulq	VAR_P1(%rsp)
	add	t, d
	adc	u, %rax
	adc	b, %rdx
	fold_product
	add	y0, c
	adc	y1, d
	fold_carry
	mov	c, x0
	mov	d, x1
.endm

/* One block of each chain */
.macro	two_blocks mulx
	add	$15, src
	multiply_r \mulx, x0, x1, VAR_TWICE_R0(%rsp), 0(src), VAR_TOP(%rsp)
	multiply_r \mulx, y0, y1, VAR_TWICE_R0(%rsp), "0(%rsi, %rcx)", VAR_TOP(%rsp)
.endm

/*
 * From the first block of each chain to the last. Meanwhile P goes from r to r^m: for
 * each bit of m below the highest, P is squared, and multiplied by r if the bit is set.
 * A squaring takes about as long as two blocks of each chain, and is interleaved with them;
 * m >= 8 gives enough blocks.
 */
.macro	two_chains mulx
	jmp	.Lcheck_bit\@
.Lnext_bit\@:
	square_power
	two_blocks \mulx
	two_blocks \mulx
	mov	VAR_BIT(%rsp), %rax
	test	%rax, VAR_BLOCKS(%rsp)
	jz	.Lcheck_bit\@
	mov	y0, VAR_Y0(%rsp)
	mov	y1, VAR_Y1(%rsp)
	mov	VAR_P0(%rsp), y0
	mov	VAR_P1(%rsp), y1
	multiply_r \mulx, y0, y1, VAR_TWICE_R0(%rsp)
	mov	y0, VAR_P0(%rsp)
	mov	y1, VAR_P1(%rsp)
	mov	VAR_Y0(%rsp), y0
	mov	VAR_Y1(%rsp), y1
.Lcheck_bit\@:
	shrq	$1, VAR_BIT(%rsp)
	jnz	.Lnext_bit\@

.Lblocks\@:
	two_blocks \mulx
	cmp	VAR_END(%rsp), src
	jne	.Lblocks\@
.endm

/*
 * The rest of poly1271_some_blocks for long messages, in two chains: first a block
 * alone if their number is odd
 */
SYM_FUNC_START_LOCAL(poly1271_chains)
	sub	$FRAME, %rsp
	mov	twice_r0, VAR_TWICE_R0(%rsp)
	mov	top, VAR_TOP(%rsp)
	/* Through %rax, as objtool would take a store of %r15 for a saved one */
	mov	r0, %rax
	mov	%rax, VAR_P0(%rsp)
	mov	twice_r1, %rax
	shr	$1, %rax
	mov	%rax, VAR_P1(%rsp)

	shr	$1, count
	jnc	1f
	multiply_r 0, x0, x1, twice_r0, 15(src), top
	add	$15, src
	/* The highest bit of m */
1:	mov	count, VAR_BLOCKS(%rsp)
	mov	count, %rax
.irp k, 1, 2, 4, 8, 16, 32
	mov	%rax, %rdx
	shr	$\k, %rdx
	or	%rdx, %rax
.endr
	shr	$1, %rax
	inc	%rax
	mov	%rax, VAR_BIT(%rsp)
	imul	$15, count, step
	lea	-15(src, step), %rax
	mov	%rax, VAR_END(%rsp)
	xor	%r10d, %r10d			/* y0, y1 */
	xor	%r11d, %r11d
	add_block y0, y1, "0(%rsi, %rcx)", VAR_TOP(%rsp)

	cmpb	$0, poly1271_x86_64_mulx(%rip)
	je	2f
	two_chains 1
	jmp	3f
2:	two_chains 0

	/* The last block of each chain has been added, but not multiplied by r. */
3:	join_chains
	multiply_r 0, x0, x1, VAR_TWICE_R0(%rsp)
	lea	15(src, step), src
	xor	%eax, %eax
.irp i, VAR_TWICE_R0, VAR_P0, VAR_P1, VAR_Y0, VAR_Y1
	mov	%rax, \i(%rsp)
.endr
	add	$FRAME, %rsp
	RET
SYM_FUNC_END(poly1271_chains)

/*
 * x = the h that the count > 0 blocks at src lead to from x; src moves past these blocks.
 * r0 and twice_r1 stay; all other registers are clobbered.
 */
SYM_FUNC_START_LOCAL(poly1271_some_blocks)
	lea	(r0, r0), twice_r0
	add_block x0, x1, 0(src), top
	cmp	$MIN_CHAINS, count
	jae	poly1271_chains
	cmpb	$0, poly1271_x86_64_mulx(%rip)
	je	3f
	dec	count
	jz	2f
1:	multiply_r 1, x0, x1, twice_r0, 15(src), top
	add	$15, src
	dec	count
	jnz	1b
2:	multiply_r 1, x0, x1, twice_r0
	add	$15, src
	RET
3:	dec	count
	jz	5f
4:	multiply_r 0, x0, x1, twice_r0, 15(src), top
	add	$15, src
	dec	count
	jnz	4b
5:	multiply_r 0, x0, x1, twice_r0
	add	$15, src
	RET
SYM_FUNC_END(poly1271_some_blocks)

.macro	push_all
.irp x, rbx, rbp, r12, r13, r14, r15
	push	%\x
.endr
.endm

/* Restore what push_all saved, and zero all else that has held key material. */
.macro	pop_all
.irp x, eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d
	xor	%\x, %\x
.endr
.irp x, r15, r14, r13, r12, rbp, rbx
	pop	%\x
.endr
.endm

/*
 * void poly1271_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
 *			       size_t nblocks, u32 hibit)
 */
SYM_TYPED_FUNC_START(poly1271_blocks_x86_64)
	test	%rdx, %rdx
	jz	1f
	push_all
	push	%rdi
	mov	STATE_H(%rdi), x0
	mov	STATE_H+8(%rdi), x1
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), twice_r1
	add	twice_r1, twice_r1
	mov	%ecx, %r11d			/* top */
	shl	$56, top
	mov	%rdx, count
	call	poly1271_some_blocks
	pop	%rdi
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	pop_all
1:	RET
SYM_FUNC_END(poly1271_blocks_x86_64)

/*
 * void poly1271_digest_x86_64(const u8 key[32], const u8 *data, size_t len, u8 tag[16])
 */
SYM_TYPED_FUNC_START(poly1271_digest_x86_64)
	push_all
	push	%rcx
	push	%rdi
	mov	$0x0ffffffc0fffffff, r0
	and	(%rdi), r0
	mov	$0x07fffffc0ffffffc, t
	and	8(%rdi), t
	lea	(t, t), twice_r1

	/* count = len / 15: multiply by (2^67 + 7) / 15. The rest, in bytes, is saved. */
	mov	%rdx, b
	mov	$0x8888888888888889, %rax
	mul	%rdx
	mov	%rdx, count
	shr	$3, count
	imul	$-15, count, %rax
	add	%rax, b
	push	b

	xor	%r8d, %r8d			/* x0, x1 */
	xor	%r9d, %r9d
	test	count, count
	jz	.Lno_block
	mov	$1 << 56, top
	call	poly1271_some_blocks
	pop	%rcx
	test	%ecx, %ecx
	jz	.Ltag
.Lrest:
	/* At least 8 bytes follow the start of the message, so they can be loaded. */
	sub	$16, %rcx
	sub	$16, src
	add_tail x0, x1, x1, src
.Lmultiply:
	lea	(r0, r0), twice_r0
	multiply_r 0, x0, x1, twice_r0

	/* h mod p is h + 1 - 2^127 if h + 1 reaches 2^127, else h. */
.Ltag:
	mov	x0, %rax
	mov	x1, %rdx
	add	$1, %rax
	adc	$0, %rdx
	btr	$63, %rdx
	cmovc	%rax, x0
	cmovc	%rdx, x1
	pop	%rdi
	pop	%rcx
	add	16(%rdi), x0
	adc	24(%rdi), x1
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	pop_all
	RET

	/* Fewer than 15 bytes in all */
.Lno_block:
	pop	%rcx
	cmp	$8, %ecx
	jae	.Lrest
	test	%ecx, %ecx
	jz	.Ltag
	load_short x0, %r8d, src
	jmp	.Lmultiply
SYM_FUNC_END(poly1271_digest_x86_64)

/* Whether the CPU has mulx; set before the first call */
.section .data..ro_after_init, "aw"
	.globl	poly1271_x86_64_mulx
	.hidden	poly1271_x86_64_mulx
poly1271_x86_64_mulx:
	.byte	0
