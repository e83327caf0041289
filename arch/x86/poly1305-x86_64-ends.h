/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The beginning and the end of a message in general registers */

/* r0, r1 = the clamped first half of the key at \key */
.macro	load_r	key, r0, r1
	mov	$0x0ffffffc0fffffff, \r0
	and	(\key), \r0
	mov	$0x0ffffffc0ffffffc, \r1
	and	8(\key), \r1
.endm

/*
 * a0 = the t bytes at \p followed by a 1 bit, for a whole message of t bytes,
 * 0 < t < 8. %rcx is t. Reads no byte outside the message.
 * Clobbers %rax, %rcx, %rdx.
 */
.macro	load_few a0, a0_32, p
	cmp	$4, %ecx
	jb	.Lthree\@
	mov	-4(\p, %rcx), %eax		/* the last 4 bytes and the 1 bit */
	bts	$32, %rax
	mov	(\p), \a0_32
	lea	-32(, %rcx, 8), %ecx
	shl	%cl, %rax
	or	%rax, \a0
	jmp	.Lfew\@
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
.Lfew\@:
.endm

/*
 * x = the last t bytes of a message, 0 < t < 16, followed by a 1 bit, as the
 * second word of a block, or as its first if t < 8. \count is t, and the
 * message ends at \p + \count. On return bit 6 of \count says whether t < 8.
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

/*
 * a += the last t bytes of a message, at 16(\p), followed by a 1 bit; %rcx is t
 * - 16, and t > 0. Clobbers %rcx, %rdx.
 *
 * The load takes the last 8 bytes of the message. Shifted down by 8 (15 - t)
 * bits, with the 1 bit above them, they are the second word of the block, or
 * its first word if t < 8. The shift counts modulo 64.
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
 * a = (h mod p) + s, of which a0 and a1 are the tag; a is h < 2p on entry, and
 * the key is at \key. h mod p is h - p if h + 5 reaches 2^130, else h. Clobbers
 * %rax, %rdx.
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
