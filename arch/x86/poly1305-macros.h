/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Assembly macros that tiers and packets share. poly1305_core.h has the notation, p = 2^130 - 5
 * among it.
 *
 *  1. Lists of registers
 *  2. Numbers modulo p in general registers, in radix 2^64: the product with mul, the key, the
 *     tail of a message, the tag
 *  3. The same with mulx, for CPUs with BMI2
 *  4. Numbers modulo p in vectors, in radix 2^26, for SSE2 and AVX2
 *
 * A number a in radix 2^64 is a0 + 2^64 a1 + 2^128 a2. A macro changes the flags, unless all
 * its instructions are moves.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"

/*
 * 1. Lists of registers
 */

/* Push registers. */
.macro	push_regs regs:vararg
.irp reg, \regs
	push	\reg
.endr
.endm

/* Pop registers. */
.macro	pop_regs regs:vararg
.irp reg, \regs
	pop	\reg
.endr
.endm

/* Zero registers, named by their lower halves. */
.macro	zero_regs regs:vararg
.irp reg, \regs
	xor	\reg, \reg
.endr
.endm

/*
 * 2. Radix 2^64
 */

/* a = the three words at \at */
.macro	load_words at, a0, a1, a2
	mov	\at, \a0
	mov	8+\at, \a1
	mov	16+\at, \a2
.endm

/* The three words at \at = a */
.macro	store_words a0, a1, a2, at
	mov	\a0, \at
	mov	\a1, 8+\at
	mov	\a2, 16+\at
.endm

/* q = 5 r / 4 = 2^130 r / 4 = 2^128 r (mod p), for a multiple r of 4: q is an integer. */
.macro	five_quarters r, q
	mov	\r, \q
	shr	$2, \q
	add	\r, \q
.endm

/*
 * a = a + 2^64 \plus (mod p), folded by 2^130 = 5: a2 = 4 t + a2 mod 4, and 5 t is added to a0.
 * If a2 < 2^63, then a2 <= 4 afterwards. Clobbers t.
 */
.macro	fold	a0, a1, a2, t, plus=$0
	mov	\a2, \t
	and	$3, \a2
	shr	$2, \t
	lea	(\t, \t, 4), \t
	add	\t, \a0
	adc	\plus, \a1
	adc	$0, \a2
.endm

/*
 * a = a b (mod p), plus the block at \block if it is given, with bit 128 in \hibit. Clobbers
 * %rax, %rdx, and u0, u1, u2, u3, which the including file defines. With b5 = 2^128 b1 (mod p),
 * from five_quarters, the product is
 *
 *	      a0 b0 + a1 b5
 *	+ 2^64  (a0 b1 + a1 b0 + a2 b5)
 *	+ 2^128 (a2 b0)
 *
 * Bounds: b0, b1 < 2^60, b5 < 2^60.4 and a2 <= 6. u3 holds the third line and the carries of
 * the second line's products; u3 < 2^63.4. The multiple of 4 in u3 is folded by 2^130 = 5. The
 * new a2 is the remainder and all carries out of word 1 (u0). The additions to word 1 are below
 * 3 * 2^64 with a block, so a2 <= 3 + 1 + 2, and below 2 * 2^64 without a block, so a2 <= 4.
 *
 * The high halves come first because u3 has the longest latency: on Zen 4 a block takes 11.6
 * cycles in this order, and 12 to 14 cycles in most others.
 */
.macro	mul_r	a0, a1, a2, b0, b1, b5, block, hibit
	/* u0 + 2^64 u1 = a0 b1 + a1 b0, and u3 = u1 + a2 b0, everything at 2^128 */
	mov	\b1, %rax
	mul	\a0
	mov	%rax, u0
	mov	%rdx, u1
	mov	\b0, %rax
	mul	\a1
	add	%rax, u0
	adc	%rdx, u1
	mov	\a2, u3
	imul	\b0, u3
	add	u1, u3
	/* u1 = u3 mod 4, and u3 = 5 (u3 / 4), the multiple of 4, folded */
	mov	u3, u1
	and	$3, u1
	shr	$2, u3
	lea	(u3, u3, 4), u3

	/* a0 + 2^64 u2 = a0 b0 + a1 b5 */
	mov	\b0, %rax
	mul	\a0
	mov	%rax, \a0
	mov	%rdx, u2
	mov	\b5, %rax
	mul	\a1
	add	%rax, \a0
	adc	%rdx, u2
.ifnb \block
	add	\block, \a0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	/* Add u2 and a2 b5 to word 1, and u3 to word 0. */
	add	u2, u0
	adc	$0, u1
	imul	\b5, \a2
	add	u3, \a0
	adc	\a2, u0
	adc	$0, u1
	mov	u0, \a1
	mov	u1, \a2
.endm

/* lo + 2^64 hi = r, the clamped first half of the key at \key; lo, hi < 2^60 */
.macro	load_r	key, lo, hi
	mov	$CLAMP_LO, \lo
	and	(\key), \lo
	mov	$CLAMP_HI, \hi
	and	8(\key), \hi
.endm

/*
 * a0 = a whole message of t bytes at \p, followed by a 1 bit, for 0 < t < 8; a0_32 is the lower
 * half of a0. In: t in %rcx. Reads no byte outside the message. Clobbers %rax, %rcx, %rdx.
 */
.macro	load_short a0, a0_32, p
	cmp	$4, %ecx
	jb	.Lthree\@
	/* 4 to 7 bytes: the first 4; the last 4 and the 1 bit, shifted by 8 (t - 4) bits */
	mov	-4(\p, %rcx), %eax
	bts	$32, %rax
	mov	(\p), \a0_32
	lea	-32(, %rcx, 8), %ecx
	shl	%cl, %rax
	or	%rax, \a0
	jmp	.Lloaded\@
.Lthree\@:
	/* 1 to 3 bytes: the first; the last and the 1 bit, shifted by 8 (t - 1) bits */
	movzbl	-1(\p, %rcx), %eax
	bts	$8, %eax
	movzbl	(\p), \a0_32
	mov	%ecx, %edx
	shr	$1, %edx
	lea	-8(, %rcx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
	/* The byte t / 2, which is the middle byte of three, and else one of those above */
	movzbl	(\p, %rdx), %eax
	lea	(, %rdx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
.Lloaded\@:
.endm

/*
 * x = the last word of a message's tail, followed by a 1 bit. The tail has t bytes, 0 < t < 16,
 * so x is the second word of its block, or the first if t < 8. In: t in \count, with lower half
 * \count32; the message ends at \p + t and has at least 8 bytes. On return bit 6 of \count is
 * set if t < 8. The load takes the last 8 bytes. The shift is by 8 (15 - t) bits modulo 64.
 */
.macro	load_tail x, p, count, count32
	mov	-8(\p, \count), \x
	shr	$8, \x
	bts	$56, \x
	not	\count32
	shl	$3, \count32
	shrx	\count, \x, \x
.endm

/*
 * a = a + the tail of a message, followed by a 1 bit, which is loaded as in load_tail. In: the
 * tail of t bytes at 16(\p), and t - 16 in %rcx. Clobbers %rcx, %rdx.
 */
.macro	add_tail a0, a1, a2, p
	mov	24(\p, %rcx), %rdx
	shr	$8, %rdx
	bts	$56, %rdx
	not	%ecx
	shl	$3, %ecx
	shr	%cl, %rdx
	test	$64, %cl
	jnz	.Lword\@
	add	16(\p), \a0
	adc	%rdx, \a1
	adc	$0, \a2
	jmp	.Ltail_added\@
.Lword\@:
	add	%rdx, \a0
	adc	$0, \a1
	adc	$0, \a2
.Ltail_added\@:
.endm

/*
 * a0 + 2^64 a1 = the tag, (a mod p) + s mod 2^128, for a < 2p and the key at \key. a mod p is a
 * - p if a + 5 >= 2^130, else a. Clobbers a2, %rax, %rdx.
 */
.macro	add_pad	a0, a1, a2, key
	mov	\a0, %rax
	mov	\a1, %rdx
	add	$5, %rax
	adc	$0, %rdx
	adc	$0, \a2
	and	$-4, \a2
	cmovnz	%rax, \a0
	cmovnz	%rdx, \a1
	add	16(\key), \a0
	adc	24(\key), \a1
.endm

/*
 * 3. Radix 2^64 with mulx
 *
 * mulx keeps its operands and writes its product to any two registers, so a block takes fewer
 * instructions than with mul, and saves fewer registers. The macros use these registers:
 */
.set x0,	%r8	/* x = h, with or without a block added */
.set x1,	%r9
.set x2,	%r10
.set r0,	%r11	/* r and multiples of it */
.set r1,	%r14
.set q1,	%rbp	/* 5 r1 / 4 */
.set s0,	%rax	/* 5 r0 */
.set u0,	%r12	/* temporaries, with %rdx */
.set u1,	%r13
.set u2,	%rbx
.set u3,	%rdi
.set src,	%rsi	/* the message */

/* q1 = 5 r1 / 4 and s0 = 5 r0 */
.macro	multiples
	five_quarters r1, q1
	lea	(r0, r0, 4), s0
.endm

/*
 * The first half of x = x r, the products of mul_r without x2, plus the block at \block if it
 * is given, with bit 128 in \hibit. Clobbers %rdx, u0, and t, which may be \hibit.
 *
 * Out: words 0 and 1 of the sum in x0 and x1; u2 < 2.25 2^60 + 1, yet to be added to word 1;
 * u1 < 2 2^60 + 3, of weight 2^128; for r0, r1 < 2^60 and q1 < 1.25 2^60.
 */
.macro	mulx_low block, hibit, t=u3
	/* x0 r0 = x0 + 2^64 u2, and x0 r1 = u0 + 2^64 u1 */
	mov	x0, %rdx
	mulx	r0, x0, u2
	mulx	r1, u0, u1
.ifnb \block
	add	\block, x0
	adc	8+\block, u0
	adc	\hibit, u1
.endif
	/* Add x1 q1, and x1 r0. */
	mov	x1, %rdx
	mulx	q1, x1, \t
	add	x1, x0
	adc	\t, u2
	mulx	r0, x1, \t
	add	u0, x1
	adc	\t, u1
.endm

/*
 * The second half of x = x r, after mulx_low: the products of x2. u2 is yet to be added to word
 * 1. Clobbers %rdx, u0, t.
 *
 * Long messages never fold x2. With x2 = 4 a + b, 2^130 a = 5 a, so
 *
 *	2^128 x2 r0 = a s0 + 2^128 b r0
 *
 * and only a shift, a product and three additions lead from one x2 to the next. If x2 < 2^63.1,
 * then a s0 < 2^123.5 and u2 < (2.25 + .7) 2^60 + 3. The new x2, the sum of u1, b r0 and the
 * high half of x2 q1, is below (2 + 3 + .7) 2^60 + 6 < 2^62.6.
 */
.macro	mulx_high t=u3
	/* Add a s0. */
	mov	x2, %rdx
	shr	$2, %rdx
	mulx	s0, u0, \t
	add	u0, x0
	adc	\t, u2
	/* x2 = b r0 + u1; add 2^64 x2 q1, of the old x2. */
	mov	x2, %rdx
	and	$3, x2
	imul	r0, x2
	mulx	q1, u0, \t
	add	u1, x2
	add	u0, x1
	adc	\t, x2
.endm

/*
 * x = x r, plus the block at \block if it is given; x2 < 2^63.1. Clobbers %rdx, u0, u1, u2, t.
 */
.macro	mulx_r	block, hibit, t=u3
	mulx_low \block, \hibit, \t
	mulx_high \t
	add	u2, x1
	adc	$0, x2
.endm

/*
 * a = r^2 = r0^2 + r1 q1 + 2^64 (2 r0 r1) (mod p), for q1 = 5 r1 / 4. The sums are below 2^122, and
 * a2 <= 4 afterwards. All registers are arguments. Clobbers %rdx, t, u, v, w.
 */
.macro	square_r r0, r1, q1, a0, a1, a2, t, u, v, w
	/* a1 + 2^64 a2 = 2 r0 r1, and a0 + 2^64 u = r0^2 */
	mov	\r0, %rdx
	lea	(\r1, \r1), \w
	mulx	\w, \a1, \a2
	mulx	\r0, \a0, \u
	/* a0 + 2^64 u += r1 q1 */
	mov	\q1, %rdx
	mulx	\r1, \t, \v
	add	\t, \a0
	adc	\v, \u
	add	\u, \a1
	adc	$0, \a2
	fold	\a0, \a1, \a2, \t
.endm

/* Save the callee-saved registers among those above. */
.macro	save_registers
	push_regs %rbx, %rbp, %r12, %r13, %r14
.endm

/* Restore them. */
.macro	restore_registers
	pop_regs %r14, %r13, %r12, %rbp, %rbx
.endm

/* Zero the caller-saved registers that have held key material. */
.macro	clear_registers
	zero_regs %eax, %edx, %r8d, %r9d, %r10d, %r11d
.endm

/*
 * 4. Radix 2^26 in vectors
 *
 * x = x0 + 2^26 x1 + ... + 2^104 x4 in five vectors, with a limb in each 64-bit lane. pmuludq
 * multiplies the low halves of the lanes. Macros compute each lane independently. A file that
 * uses them defines
 *
 *	MASK26		2^26 - 1 in all lanes, a register or in memory; a macro of C, before the
 *			#include
 *	T0, T1		scratch vectors
 *	SSE2		if vectors have 128 bits and AVX may be missing; likewise a macro of C
 *	FRAME		bytes of the functions' stack frames
 *	STATE, DATA	%rbx and %r12: the state, or a digest function's key; the message
 */

/* to = y op x, also where instructions have only two operands */
#ifdef SSE2
.macro	vop	op, x, y, to
.ifnc \y,\to
	movdqa	\y, \to
.endif
	\op	\x, \to
.endm
#else
.macro	vop	op, x, y, to
	v\op	\x, \y, \to
.endm
#endif

/* to = 5 x, for x below 2^61 */
.macro	five_times x, to
	vop	psllq, $2, \x, \to
	vop	paddq, \x, \to, \to
.endm

/* Carry from x to the next limb: sum = to + x / 2^26, and low = x mod 2^26. Clobbers t. */
.macro	carry_step x, to, t, low, sum
	vop	psrlq, $26, \x, \t
	vop	pand, MASK26, \x, \low
	vop	paddq, \t, \to, \sum
.endm

/*
 * s = c (mod p), for columns c below 2^64 - 2^41: s1 < 2^26 + 2^15, s4 < 2^26 + 2^12, the other
 * limbs below 2^26. Two chains of carries run in parallel, 0 1 2 3 4 and 3 4 0 1; the carry
 * from 4 to 0 is multiplied by 2^130 = 5. s may be c. Clobbers c, T0, T1.
 */
.macro	carry	c0, c1, c2, c3, c4, s0, s1, s2, s3, s4
	carry_step \c0, \c1, T0, \c0, \c1
	carry_step \c3, \c4, T1, \c3, \c4
	carry_step \c1, \c2, T0, \c1, \c2
	carry_step \c4, \c0, T1, \c4, \c0
	/* c0 has the carry T1 from 4, and gets 4 T1 more. */
	vop	psllq, $2, T1, T1
	vop	paddq, T1, \c0, \c0
	carry_step \c2, \c3, T0, \s2, \c3
	carry_step \c0, \c1, T1, \s0, \s1
	carry_step \c3, \c4, T0, \s3, \s4
.endm

/* The limbs of h, of up to 64 bits, as vector code leaves them */
.set LIMB0,	%rax
.set LIMB1,	%rcx
.set LIMB2,	%rdx
.set LIMB3,	%rsi
.set LIMB4,	%rdi
/* Afterwards, the words of h */
.set WORD0,	%rax
.set WORD1,	%r13
.set WORD2,	%r10
/* The high bits of limbs 2 and 4; those of limbs 1 and 3 are in WORD1 and WORD2. */
.set HIGH2,	%r9
.set HIGH4,	%r11

/*
 * Convert h from radix 2^26 to radix 2^64:
 *
 *	WORD0 + 2^64 WORD1 + 2^128 WORD2 =
 *		LIMB0 + 2^26 LIMB1 + 2^52 LIMB2 + 2^78 LIMB3 + 2^104 LIMB4	(mod p)
 *
 * for limbs of up to 64 bits; WORD2 <= 4. A limb is split where its upper bits begin a new
 * word. Clobbers LIMB1 ... LIMB4, HIGH2, HIGH4.
 */
.macro	join_h
	mov	LIMB1, WORD1
	mov	LIMB2, HIGH2
	mov	LIMB3, WORD2
	mov	LIMB4, HIGH4
	shl	$26, LIMB1
	shr	$38, WORD1
	shl	$52, LIMB2
	shr	$12, HIGH2
	shl	$14, LIMB3
	shr	$50, WORD2
	shl	$40, LIMB4
	shr	$24, HIGH4
	/* HIGH2 and HIGH4 are added with the carries of LIMB1 and LIMB3. */
	add	LIMB1, WORD0
	adc	HIGH2, WORD1
	add	LIMB2, WORD0
	adc	$0, WORD1
	add	LIMB3, WORD1
	adc	HIGH4, WORD2
	add	LIMB4, WORD1
	adc	$0, WORD2
	fold	WORD0, WORD1, WORD2, LIMB1
.endm

/* join_h, with the result stored as state->h */
.macro	store_h
	join_h
	store_words WORD0, WORD1, WORD2, STATE_H(STATE)
.endm

/*
 * Begin a function whose arguments are %rdi, a state or a key; %rsi, the message; %ecx, the
 * hibit. Save the callee-saved registers, and make a frame of FRAME bytes, aligned to 64. Copy
 * the first two arguments to STATE and DATA, and zero the upper half of %rcx.
 */
.macro	begin_function
	push	%rbp
	mov	%rsp, %rbp
	push_regs %rbx, %r12, %r13, %r14, %r15
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%rdi, STATE
	mov	%rsi, DATA
	mov	%ecx, %ecx
.endm

/* End such a function: zero all caller-saved registers, restore the others, return. */
.macro	end_function
	zero_regs %eax, %ecx, %edx, %esi, %edi, %r8d, %r9d, %r10d, %r11d
	lea	-40(%rbp), %rsp
	pop_regs %r15, %r14, %r13, %r12, %rbx, %rbp
	RET
.endm
