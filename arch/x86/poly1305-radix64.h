/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Numbers modulo p = 2^130 - 5 in general registers, in radix 2^64: a = a0 + 2^64 a1 + 2^128 a2.
 * Also loads of the key and of a message's tail, the addition of the pad, and lists of registers.
 *
 * A file that uses mul_r must define its temporaries u0, u1, u2 and u3.
 */

.macro	push_regs regs:vararg
.irp reg, \regs
	push	\reg
.endr
.endm

.macro	pop_regs regs:vararg
.irp reg, \regs
	pop	\reg
.endr
.endm

/* Zero registers, named by their lower halves. Clobbers flags. */
.macro	zero_regs regs:vararg
.irp reg, \regs
	xor	\reg, \reg
.endr
.endm

/* a = the three words at \at */
.macro	load_words at, a0, a1, a2
	mov	\at, \a0
	mov	8+\at, \a1
	mov	16+\at, \a2
.endm

.macro	store_words a0, a1, a2, at
	mov	\a0, \at
	mov	\a1, 8+\at
	mov	\a2, 16+\at
.endm

/*
 * q = 5 r / 4 for a multiple r of 4, so q = 2^130 r / 4 = 2^128 r (mod p) is an integer. Clobbers
 * flags.
 */
.macro	five_quarters r, q
	mov	\r, \q
	shr	$2, \q
	add	\r, \q
.endm

/* a = a + 2^64 \plus (mod p), folded by 2^130 = 5. If a2 < 2^63, then a2 <= 4. Clobbers t. */
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
 * a = a b (mod p), plus the block at \block if it is given, with bit 128 in \hibit. Clobbers %rax,
 * %rdx, u0, u1, u2, u3. With b5 = 2^128 b1, from five_quarters, the product is
 *
 *	      a0 b0 + a1 b5
 *	+ 2^64  (a0 b1 + a1 b0 + a2 b5)
 *	+ 2^128 (a2 b0)
 *
 * Bounds: b0, b1 < 2^60, b5 < 2^60.4 and a2 <= 6. u3 holds the third line and the carries of the
 * second line's products; u3 < 2^63.4. The multiple of 4 in u3 is folded by 2^130 = 5. The new a2
 * is the remainder and all carries out of word 1 (u0). The additions to word 1 are below 3 * 2^64
 * with a block, so a2 <= 3 + 1 + 2, and below 2 * 2^64 without a block, so a2 <= 4.
 *
 * The high halves come first because u3 has the longest latency: on Zen 4 a block takes 11.6 cycles
 * in this order, and 12 to 14 cycles in most others.
 */
.macro	mul_r	a0, a1, a2, b0, b1, b5, block, hibit
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
	add	u1, u3				/* everything at 2^128 */
	mov	u3, u1
	and	$3, u1
	shr	$2, u3
	lea	(u3, u3, 4), u3			/* the multiple of 4, folded */

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
	add	u2, u0
	adc	$0, u1
	imul	\b5, \a2
	add	u3, \a0
	adc	\a2, u0
	adc	$0, u1
	mov	u0, \a1
	mov	u1, \a2
.endm

/* lo + 2^64 hi = r, the clamped first half of the key at \key */
.macro	load_r	key, lo, hi
	mov	$0x0ffffffc0fffffff, \lo
	and	(\key), \lo
	mov	$0x0ffffffc0ffffffc, \hi
	and	8(\key), \hi
.endm

/*
 * a0 = a whole message of t bytes at \p, followed by a 1 bit, for 0 < t < 8; a0_32 is the lower
 * half of a0. In: t in %rcx. Reads no byte outside the message. Clobbers %rax, %rcx, %rdx.
 */
.macro	load_short a0, a0_32, p
	cmp	$4, %ecx
	jb	.Lthree\@
	mov	-4(\p, %rcx), %eax		/* the last 4 bytes and the 1 bit */
	bts	$32, %rax
	mov	(\p), \a0_32
	lea	-32(, %rcx, 8), %ecx
	shl	%cl, %rax
	or	%rax, \a0
	jmp	.Lloaded\@
.Lthree\@:
	movzbl	-1(\p, %rcx), %eax		/* the last byte and the 1 bit */
	bts	$8, %eax
	movzbl	(\p), \a0_32
	mov	%ecx, %edx
	shr	$1, %edx
	lea	-8(, %rcx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
	movzbl	(\p, %rdx), %eax		/* the middle byte of three */
	lea	(, %rdx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
.Lloaded\@:
.endm

/*
 * x = the last word of a message's tail, followed by a 1 bit. The tail has t bytes, 0 < t < 16, so
 * x is the second word of its block, or the first if t < 8. In: t in \count, with lower half
 * \count32; the message ends at \p + t and has at least 8 bytes. On return bit 6 of \count is set
 * if t < 8. The load takes the last 8 bytes. The shift is by 8 (15 - t) bits modulo 64.
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
 * a += the tail of a message, followed by a 1 bit, which is loaded as in load_tail. In: the tail of
 * t bytes at 16(\p), and t - 16 in %rcx. Clobbers %rcx, %rdx.
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
 * a0 + 2^64 a1 = the tag, (a mod p) + s mod 2^128, for a < 2p and the key at \key. a mod p is a - p
 * if a + 5 >= 2^130, else a. Clobbers a2, %rax, %rdx.
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
