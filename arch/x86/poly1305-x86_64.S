/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 in general registers: one block at a time in radix 2^64, h = (h + m) r.
 *
 * There are two functions of each kind. The mulx functions are for CPUs with BMI2, which has mulx
 * and rorx. The x86_64 functions, with mul, are for any x86-64 CPU; if the CPU has BMI2, they jump
 * to the mulx functions.
 *
 * With mulx, a message of up to 16 bytes takes only caller-saved registers. Consecutive calls
 * overlap as far as the CPU's scheduler has room for waiting instructions. So the code for short
 * messages has few of these, especially at the end.
 *
 * poly1305_core.h has the contract. poly1305-macros.h has the arithmetic, and the registers x,
 * r, q1, s0, u and src of the functions with mulx.
 */

#include "poly1305-macros.h"

/* The least number of bytes of a message in which h is not folded between blocks */
#define LONG_BYTES	80

/* Arguments besides src: of digest functions */
.set key,	%rdi
.set len,	%rdx
.set len_32,	%edx
.set tag,	%rcx
/* of block functions */
.set state,	%rdi
.set nblocks,	%rdx
.set hibit,	%rcx
.set hibit_32,	%ecx

/* With mulx, in messages of 17 to LONG_BYTES - 1 bytes: their length, minus 32 */
.set over,	%rax
.set over_32,	%eax
.set over_8,	%al

/* With mulx, for a single block: the registers of q1, u0, u1 and u2 */
.set single_q1,	%rax
.set single_u0,	%rsi
.set single_u1,	%rcx
.set single_u2,	%r11

/*
 * With mulx, in messages of up to 16 bytes: the product of block and r is
 * p0 + 2^64 (p1 + carry1) + 2^128 p2.
 */
.set p0,	%r8
.set p1,	%r10
.set carry1,	%r9
.set p2,	%r11
.set p2_32,	%r11d
.set lo,	%rax	/* the low word of a product, or scratch */

/*
 * Short messages fold x2 after each block. Word 0 of x is passed in %rdx, for mulx. Three
 * macros compute x = x r together, so that a block, the tail or nothing can be added between
 * the first and the last. Arguments may name other registers for r0, r1, q1 and u0, u1, u2. The
 * inputs of the fold come first: x2 r0 before x2 q1, which is added late.
 */

/*
 * The products without the old x1, for x2 <= 5. Words 0 and 1 are in x0 and \a; \c is yet to be
 * added to word 1, and x1 = x2 q1, too; \b + x2 has weight 2^128, with x2 = x2 r0. The old x1
 * moves to %rdx. Bounds: \c, \b < 2^60, x1 < 6.25 2^60 and x2 < 5 2^60.
 */
.macro	short_begin r=r0, s=r1, q=q1, a=u0, b=u1, c=u2
	mulx	\r, x0, \c
	mulx	\s, \a, \b
	mov	x1, %rdx
	mov	x2, x1
	imul	\r, x2
	imul	\q, x1
.endm

/* Add the block at \block without its bit 128, and \x2r0 to u1: u1 < 6 2^60 + 1. */
.macro	add_words block, x2r0=x2
	add	\block, x0
	adc	8+\block, u0
	adc	\x2r0, u1
.endm

/*
 * Add \x2q1, if given, to \c; add the products of the old x1, in %rdx; fold; add \hibit, bit
 * 128 of the block. x = %rdx, x1, x2 with x2 <= 3 + 1 + 1. Clobbers \a, \b, \c.
 *
 * Bounds: \b < 7 2^60 + 2, and \c < (1 + 6.25 + 1.25) 2^60 + 1 < 2^63.1.
 */
.macro	short_fold hibit, x2q1, r=r0, q=q1, a=u0, b=u1, c=u2
.ifnb \x2q1
	add	\x2q1, \c
.endif
	/* The old x1 times r0: word 1 without \c in x1; everything at 2^128 in \b */
	mulx	\r, x1, x2
	add	\a, x1
	adc	x2, \b
	/* x2 = \b mod 4, and \b = 5 (\b / 4); interleaved with the old x1 times q1 */
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

/* x = x r plus the block at \block; x2 <= 5 before and after. Clobbers u0, u1, u2. */
.macro	short_block block
	short_begin
	add_words \block
	short_fold $1, x1
.endm

/*
 * short_begin for the first block of a message, at src, with r from \key; saves the caller's
 * registers. If \block is given, also add_words for the second block. x2 = 1, so x2 r0 is r0
 * and x2 q1 is q1, and neither is copied. The first product comes as early as possible.
 */
.macro	short_first_block key, block
	push	%rbx
	push	%rbp
	/* Word 0 times r0, then times r1, between saves and the loads of r */
	mov	$CLAMP_LO, r0
	mov	(src), %rdx
	and	(\key), r0
	mulx	r0, x0, u2
	push	%r12
	push	%r13
	push	%r14
	mov	$CLAMP_HI, r1
	and	8(\key), r1
	mulx	r1, u0, u1
	rorx	$2, r1, q1
	add	r1, q1
	/* Word 1 waits in %rdx. */
	mov	8(src), %rdx
.ifnb \block
	add_words \block, r0
.endif
.endm

/*
 * Finish after short_begin: write the tag to (\tag), restore registers, and return.
 *
 * Let the product be x + 2^64 u2 + 2^128 u1 and u1 = 4 c + d. Then
 * h = x + 2^64 u2 + 2^128 d + 5 c < 2p. The code computes h + 5. In the top word, d is the low
 * two bits and the others are ones, so the carry flag is the carry out of 2^130. If it is set,
 * h >= p, and words 0 and 1 hold h - p. Otherwise they hold h + 5, and s - 5 is added instead
 * of s.
 *
 * Registers are restored and wiped while the sums wait. On return %rax holds a length and %rdx
 * half of the tag. The other half is wiped, because a caller that gives poly1305_mac_verify() a
 * wrong tag must not find the right tag in registers. poly1305_mac_verify() itself overwrites
 * %rdx.
 */
.macro	short_end key, tag
	/* The old x1 times r0 and q1; x2 = s1 */
	add	x1, u2
	add	x2, u1
	mulx	r0, x1, x2
	add	u0, x1
	adc	x2, u1
	mov	24(\key), x2
	mulx	q1, %rdx, u0
	add	x0, %rdx
	adc	u0, u2
	/* u0 = 5 c + 5, and q1 + 2^64 x2 = s - 5 */
	mov	u1, u0
	shr	$2, u0
	mov	16(\key), q1
	sub	$5, q1
	sbb	$0, x2
	lea	5(u0, u0, 4), u0
	/* h + 5, in %rdx and x1; its carry out of 2^130 chooses s */
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
	/* The tag */
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
 * Write the tag of a message of one block to (\tag), wipe caller-saved registers, also \more if
 * it is given, and return. In: the product u of block and r, in p0, p1, p2 and \carry < 2^63,
 * which is yet to be added to p1. Clobbers lo.
 *
 * Let c = p2 / 4, rounded down. u + 5 c + 5 is Q 2^130 plus less than 2^130, and u - Q p is
 * below p.
 */
.macro	return_tag_of_block carry, key, tag, more
	mov	p2, lo
	shr	$2, lo
	lea	5(lo, lo, 4), lo
	add	p0, lo
	mov	p1, lo
	adc	\carry, lo
	adc	$0, p2
	shr	$2, p2				/* Q */
	lea	(p2, p2, 4), p2
	add	16(\key), p0
	adc	24(\key), p1
	add	p2, p0
	adc	\carry, p1
	mov	p0, (\tag)
	mov	p1, 8(\tag)
.ifnb \more
	xor	\more, \more
.endif
	clear_registers
	RET
.endm

/*
 * void poly1305_digest_mulx(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data, size_t len,
 *			     u8 tag[POLY1305_MAC_TAG_SIZE]);
 *
 * The tag of a whole message: tag = (h mod p) + s mod 2^128, where h is the polynomial of the
 * message in the clamped r, and key = r || s.
 *
 * in:        rdi key, rsi data, rdx len, rcx tag
 * requires:  len < 2^35; tag may overlap key or data
 * reads:     key[0, 32), data[0, len)
 * writes:    tag[0, 16) (after the last read)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, r8-r11, flags
 * wipes:     rax, rdx, r8-r11
 * stack:     56
 * features:  BMI2
 */
SYM_TYPED_FUNC_START(poly1305_digest_mulx)
	cmp	$16, len
	jne	.Lnot_one

	/* 16 bytes: the multiplier takes its operands from memory, and x2 = 1. */
	mov	$CLAMP_LO, %rdx
	and	(key), %rdx			/* r0 */
	mulx	(src), p0, p1
	mulx	8(src), lo, p2
	add	lo, p1
	adc	%rdx, p2			/* x2 r0 */
	mov	$CLAMP_HI, %rdx
	and	8(key), %rdx			/* r1 */
	mulx	(src), lo, carry1
	shr	$2, %rdx
	lea	(%rdx, %rdx, 4), %rdx		/* q1, because r1 is a multiple of 4 */
	add	lo, p1
	adc	carry1, p2
	mulx	8(src), lo, carry1
	add	lo, p0
	adc	%rdx, carry1			/* x2 q1 */
	return_tag_of_block carry1, key, tag

.Lnot_one:
	jb	.Lless
	lea	-32(len), over
	cmp	$LONG_BYTES - 32, over
	jae	.Lmore

	/* 32 to LONG_BYTES - 1 bytes: two to four whole blocks */
	short_first_block key, 16(src)
	short_fold $1, q1
	cmp	$48 - 32, over
	jb	1f
	short_block 32(src)
	cmp	$64 - 32, over
	jb	1f
	short_block 48(src)
1:	short_begin
	test	$15, over_8
	jnz	.Ltail
.Llast:	short_end key, tag

.Lmore:	cmp	$32, len
	jae	.Llong
	/* 17 to 31 bytes: one whole block; x2 = 1 */
	short_first_block key
	mov	r0, x2
	mov	q1, x1

	/* The tail of 1 to 15 bytes: its last word goes to x1. */
.Ltail:	add	x1, u2
	mov	over, x1
	and	$-16, x1
	lea	32(src, x1), src
	and	$15, over_32
	load_tail x1, src, over, over_32
	test	$64, over_8
	jnz	2f
	/* 8 to 15 bytes */
	add	(src), x0
	adc	x1, u0
	adc	x2, u1
	jmp	3f
	/* 1 to 7 bytes */
2:	add	x1, x0
	adc	$0, u0
	adc	x2, u1
3:	short_fold $0
	short_begin
	jmp	.Llast

	/* 8 to 15 bytes: no bit 128, x2 = 0. carry1 is first word 1 of the block. */
.Lless:	cmp	$8, len_32
	jb	.Lfew
	load_tail carry1, src, len, len_32
	mov	$CLAMP_LO, %rdx
	and	(key), %rdx			/* r0 */
	mulx	(src), p0, p1
	mulx	carry1, lo, p2
	add	lo, p1
	adc	$0, p2
	mov	$CLAMP_HI, %rdx
	and	8(key), %rdx			/* r1 */
	mulx	(src), lo, %rsi
	add	lo, p1
	adc	%rsi, p2
	shr	$2, %rdx
	lea	(%rdx, %rdx, 4), %rdx		/* q1 */
	mulx	carry1, lo, carry1
	add	lo, p0
	adc	$0, carry1
	return_tag_of_block carry1, key, tag, %esi

	/* Up to 7 bytes: only the first word, in p2. load_short takes their number in %rcx. */
.set tag,	%r9
.set few_32,	%ecx
.Lfew:	mov	%rcx, tag
	mov	len_32, few_32
	test	few_32, few_32
	jz	.Lnone
	load_short p2, p2_32, src
.set carry1,	%rcx
	mov	$CLAMP_LO, %rdx
	and	(key), %rdx			/* r0 */
	mulx	p2, p0, carry1
	mov	$CLAMP_HI, %rdx
	and	8(key), %rdx			/* r1 */
	mulx	p2, p1, p2
	return_tag_of_block carry1, key, tag, %ecx

	/* 0 bytes: h = 0, and the tag is s. */
.Lnone:	mov	16(key), %rax
	mov	24(key), %rdx
	mov	%rax, (tag)
	mov	%rdx, 8(tag)
	clear_registers
	RET

	/* LONG_BYTES bytes or more. left = the bytes after the block that is added next */
.set left,	%rcx
.p2align 5
.Llong:	save_registers
	push	key
	push	%rcx				/* tag */
	mov	len, left
	load_r	key, r0, r1
	multiples
	mov	(src), x0
	mov	8(src), x1
	sub	$32, left
	/* x = x r plus a block: x2 = 1, so x2 r0 is r0 and x2 q1 is q1. */
	mulx_low 16(src), $1
	lea	(r0, u1), x2
	add	q1, u2
	add	u2, x1
	adc	$0, x2
	add	$16, src
	sub	$16, left
.p2align 6
4:	mulx_r	16(src), $1
	add	$16, src
	sub	$16, left
	jae	4b
	/* The tail has t bytes at 16(src), left = t - 16. */
	cmp	$-16, left
	je	5f
	mulx_r
	add_tail x0, x1, x2, src
	/* The last multiplication, the only one that folds x2; fold also adds u2 to word 1. */
5:	mulx_low
	mulx_high
	fold	x0, x1, x2, u1, u2
.set tag,	%rcx
	pop	tag
	pop	key
	add_pad	x0, x1, x2, key
	mov	x0, (tag)
	mov	x1, 8(tag)
	clear_registers
	restore_registers
	RET
SYM_FUNC_END(poly1305_digest_mulx)

/*
 * Load r0, r1 and their multiples, and x = h plus the block at src. In: state, and bit 128 of
 * the block in hibit. x2 <= 6: h2 <= 4, bit 128 and a carry.
 */
.macro	load_state
	mov	STATE_R(state), r0
	mov	STATE_R+8(state), r1
	load_words STATE_H(state), x0, x1, x2
	add	(src), x0
	adc	8(src), x1
	adc	hibit, x2
	multiples
.endm

/*
 * h of the state = x r, folded, so h2 <= 4. Wipes %rcx and the caller-saved registers. fold
 * also adds u2 to word 1.
 */
.macro	store_state
	mulx_low t=%rcx
	mulx_high %rcx
	fold	x0, x1, x2, u1, u2
	store_words x0, x1, x2, STATE_H(state)
	xor	%ecx, %ecx
	clear_registers
.endm

/*
 * void poly1305_blocks_mulx(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			     u32 hibit);
 *
 * For each block m, h = (h + m + 2^128 hibit) r (mod p). h is folded only after the last block.
 * A single block has its own code, which saves no registers.
 *
 * in:        rdi state, rsi data, rdx nblocks, ecx hibit
 * requires:  nblocks <= 2^31; state as poly1305_core.h allows; state->h[2] <= 4; hibit <= 1;
 *            data is apart from state
 * reads:     state->h, state->r, data[0, 16 nblocks)
 * writes:    state->h with h[2] <= 4
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, r8-r11, flags
 * wipes:     rax, rcx, rdx, r8-r11
 * stack:     56
 * features:  BMI2
 */
SYM_TYPED_FUNC_START(poly1305_blocks_mulx)
	mov	hibit_32, hibit_32	/* the upper half of a u32 is undefined */
	dec	nblocks
	jnz	.Lblocks

	/*
	 * One block, in caller-saved registers; word 0 of x is in %rdx. x2 <= 6: h2 <= 4, bit
	 * 128 and a carry.
	 */
	load_words STATE_H(state), %rdx, x1, x2
	add	(src), %rdx
	adc	8(src), x1
	adc	hibit, x2
	mov	STATE_R+8(state), single_q1
	shr	$2, single_q1
	add	STATE_R+8(state), single_q1
	short_begin STATE_R(state), STATE_R+8(state), single_q1, single_u0, single_u1, single_u2
	add	x2, single_u1
	short_fold $0, x1, STATE_R(state), single_q1, single_u0, single_u1, single_u2
	store_words %rdx, x1, x2, STATE_H(state)
	xor	%ecx, %ecx
	xor	%esi, %esi
	clear_registers
	RET

.Lblocks:
	cmp	$1, nblocks
	jne	.Lmore_than_two

	/* Two blocks need no counter, and no hibit afterwards: fewer registers are saved. */
	save_registers
	load_state
	mulx_r	16(src), hibit, hibit
	store_state
	restore_registers
	RET

	/* left = the blocks after the one in x; u3 takes the register of state. */
.set left,	%r15
.Lmore_than_two:
	inc	nblocks
	jz	.Lnone_left
	dec	nblocks
	save_registers
	push	%r15
	push	state
	mov	nblocks, left
	load_state
.p2align 6
1:	mulx_r	16(src), hibit
	add	$16, src
	dec	left
	jnz	1b
	pop	state
	store_state
	pop	%r15
	restore_registers
.Lnone_left:
	RET
SYM_FUNC_END(poly1305_blocks_mulx)

/*
 * With mul: other registers for r, its multiple and the temporaries of mul_r, because mul needs
 * %rax and %rdx. x and src are as before.
 */
.set r0,	%r11
.set r1,	%r12
.set q1,	%r13	/* 5 r1 / 4 */
.set u0,	%r14
.set u1,	%r15
.set u2,	%rbx
.set u3,	%rbp
.set x0_32,	%r8d	/* the lower halves of x */
.set x1_32,	%r9d
.set x2_32,	%r10d

/* Save, and restore, the callee-saved registers among those above. */
.macro	save_registers_x86_64
	push_regs %rbx, %rbp, %r12, %r13, %r14, %r15
.endm

/* Also zeroes the caller-saved registers that have held key material. */
.macro	restore_registers_x86_64
	zero_regs %eax, %ecx, %edx, %esi, %r8d, %r9d, %r10d, %r11d
	pop_regs %r15, %r14, %r13, %r12, %rbp, %rbx
.endm

/*
 * void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
 *			       u32 hibit);
 *
 * For each block m, h = (h + m + 2^128 hibit) r (mod p). If the CPU has BMI2, it jumps to
 * poly1305_blocks_mulx.
 *
 * in:        rdi state, rsi data, rdx nblocks, ecx hibit
 * requires:  nblocks <= 2^31; state as poly1305_core.h allows; state->h[2] <= 4; hibit <= 1;
 *            data is apart from state
 * reads:     poly1305_has_mulx, state->h, state->r, data[0, 16 nblocks)
 * writes:    state->h with h[2] <= 4
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, r8-r11, flags
 * wipes:     rax, rcx, rdx, rsi, r8-r11, or what poly1305_blocks_mulx wipes
 * stack:     56
 * features:  -
 */
.set left,	%rdi	/* the blocks after the one in x, while state is on the stack */
SYM_TYPED_FUNC_START(poly1305_blocks_x86_64)
	cmpb	$0, poly1305_has_mulx(%rip)
	jne	poly1305_blocks_mulx
	mov	hibit_32, hibit_32	/* the upper half of a u32 is undefined */
	test	nblocks, nblocks
	jz	5f
	save_registers_x86_64
	push	state

	load_words STATE_H(state), x0, x1, x2
	mov	STATE_R(state), r0
	mov	STATE_R+8(state), r1
	five_quarters r1, q1
	mov	nblocks, left

	add	(src), x0
	adc	8(src), x1
	adc	hibit, x2
	dec	left
	jz	3f
2:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), hibit
	add	$16, src
	dec	left
	jnz	2b
3:	mul_r	x0, x1, x2, r0, r1, q1

	pop	state
	store_words x0, x1, x2, STATE_H(state)
	restore_registers_x86_64
5:	RET
SYM_FUNC_END(poly1305_blocks_x86_64)

/*
 * void poly1305_digest_x86_64(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data, size_t len,
 *			       u8 tag[POLY1305_MAC_TAG_SIZE]);
 *
 * The tag of a whole message: tag = (h mod p) + s mod 2^128, where h is the polynomial of the
 * message in the clamped r, and key = r || s. If the CPU has BMI2, it jumps to
 * poly1305_digest_mulx.
 *
 * in:        rdi key, rsi data, rdx len, rcx tag
 * requires:  len < 2^35; tag may overlap key or data
 * reads:     poly1305_has_mulx, key[0, 32), data[0, len)
 * writes:    tag[0, 16) (after the last read)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, r8-r11, flags
 * wipes:     rax, rcx, rdx, rsi, r8-r11, or what poly1305_digest_mulx wipes
 * stack:     56; array [0, 40)
 * features:  -
 */
.set left,	%rcx	/* the bytes after the block that is added next */
.set left_32,	%ecx
SYM_TYPED_FUNC_START(poly1305_digest_x86_64)
	cmpb	$0, poly1305_has_mulx(%rip)
	jne	poly1305_digest_mulx
	save_registers_x86_64
	push	tag
	mov	len, left

	load_r	key, r0, r1
	five_quarters r1, q1

	xor	x0_32, x0_32			/* x = 0 */
	xor	x1_32, x1_32
	xor	x2_32, x2_32
	sub	$16, left
	jb	.Ldigest_short

	mov	(src), x0
	mov	8(src), x1
	inc	x2
	sub	$16, left
	jb	2f
1:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), $1
	add	$16, src
	sub	$16, left
	jae	1b
2:	mul_r	x0, x1, x2, r0, r1, q1

	/* x is h. The tail has t bytes at 16(src), left = t - 16. */
	cmp	$-16, left
	je	.Ldigest_tag
.Ldigest_partial:
	add_tail x0, x1, x2, src
4:	mul_r	x0, x1, x2, r0, r1, q1

.Ldigest_tag:
	add_pad	x0, x1, x2, key
	pop	tag
	mov	x0, (tag)
	mov	x1, 8(tag)
	restore_registers_x86_64
	RET

	/* The message has t < 16 bytes. */
.Ldigest_short:
	sub	$16, src
	cmp	$-8, left
	jge	.Ldigest_partial
	cmp	$-16, left
	je	.Ldigest_tag
	add	$16, left_32			/* t = 1 ... 7 */
	add	$16, src
	load_short x0, x0_32, src
	jmp	4b
SYM_FUNC_END(poly1305_digest_x86_64)

/* Whether the CPU has BMI2. poly1305_arch_init() sets it. */
.section .data..ro_after_init, "aw"
	.globl	poly1305_has_mulx
	.hidden	poly1305_has_mulx
poly1305_has_mulx:
	.byte	0
