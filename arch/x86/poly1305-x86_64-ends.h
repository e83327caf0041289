/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How messages begin and end in general registers: macros for poly1305-x86_64.S,
 * poly1305-mulx.S and poly1305-batch-x86_64.S.
 */

/* From how many blocks on three chains win on CPUs that have mulx */
#define MIN_CHAINS_MULX	36

/* r = the first half of the key at \key, clamped */
.macro	load_r	key, r0, r1
	mov	$0x0ffffffc0fffffff, \r0
	and	(\key), \r0
	mov	$0x0ffffffc0ffffffc, \r1
	and	8(\key), \r1
.endm

/*
 * x = the t bytes at \p, which are all there is of a message, and the 1 bit
 * behind them: 0 < t < 8, in %rcx; all of x is 0 before. Nothing before or behind
 * the bytes is read. Clobbers %rax, %rcx, %rdx.
 */
.macro	load_few a0, a0_32, p
	cmp	$4, %ecx
	jb	.Lthree\@
	mov	-4(\p, %rcx), %eax		/* the last 4 and the 1 bit */
	bts	$32, %rax
	mov	(\p), \a0_32
	lea	-32(, %rcx, 8), %ecx
	shl	%cl, %rax
	or	%rax, \a0
	jmp	.Lfew\@
.Lthree\@:
	movzbl	-1(\p, %rcx), %eax		/* the last one and the 1 bit */
	bts	$8, %eax
	movzbl	(\p), \a0_32
	mov	%ecx, %edx
	shr	$1, %edx
	lea	-8(, %rcx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
	movzbl	(\p, %rdx), %eax		/* the middle one of three */
	lea	(, %rdx, 8), %ecx
	shl	%cl, %eax
	or	%rax, \a0
.Lfew\@:
.endm

/*
 * x += the last t bytes of a message, at 16(\p), and the 1 bit behind them;
 * %rcx = t - 16, and t > 0. Clobbers %rcx, %rdx.
 *
 * The last 8 bytes of the message end in them. Shifted down by 8 (15 - t) bits,
 * with the 1 bit set in behind them, they are the block's second word, or its
 * first if t < 8. The shift counts modulo 64.
 */
.macro	add_rest a0, a1, a2, p
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
	jmp	.Lrest\@
.Lword\@:
	add	%rdx, \a0
	adc	$0, \a1
	adc	$0, \a2
.Lrest\@:
.endm

/*
 * x = (h mod p) + s, of which two words are the tag; h < 2p in x, so h mod p is
 * h - p if h + 5 reaches 2^130; the key at \key. Clobbers %rax, %rdx.
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
