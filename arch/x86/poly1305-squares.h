/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Greater powers of r in the general registers, for the tables of SIMD block
 * functions: one multiplication here takes less than half of the time that one
 * takes in vectors, and vector units are free for something else.
 *
 * A number is p0 + 2^44 p1 + 2^88 p2, as in state->pow, and 2^132 = 20 (mod p).
 * Below, products are summed up in three columns of 128 bits.
 *
 * POWERS(%rsp) is the array of poly1305-powers.h, of which r^4 is needed here.
 * SQUARES(%rsp) is room for three rows of four limbs: r^8, r^16, r^32 and r^12.
 */

#define p0	%r8
#define p1	%r9
#define p2	%r10
#define c0l	%rcx
#define c0h	%rsi
#define c1l	%rdi
#define c1h	%r13
#define c2l	%r14
#define c2h	%r15
#define low44	%r11

/* c = x y, or c += x y with add=1 */
.macro	mul44	cl, ch, x, y, add=0
	mov	\x, %rax
	mulq	\y
.if \add
	add	%rax, \cl
	adc	%rdx, \ch
.else
	mov	%rax, \cl
	mov	%rdx, \ch
.endif
.endm

/* x *= 20 */
.macro	times20	x
	lea	(\x, \x, 4), \x
	shl	$2, \x
.endm

/*
 * p = c (mod p): columns below 2^96, and c2 below 2^92, become limbs below
 * 2^44 + 2^11. All are cut at once, and what comes of that, below 2^52, again.
 */
.macro	carry44
	mov	c0l, p0
	mov	c1l, p1
	mov	c2l, p2
	shrd	$44, c0h, c0l
	shrd	$44, c1h, c1l
	shrd	$44, c2h, c2l
	and	low44, p0
	and	low44, p1
	and	low44, p2
	lea	(c2l, c2l, 4), c2l
	add	c0l, p1
	add	c1l, p2
	lea	(p0, c2l, 4), p0
	mov	p0, %rax
	mov	p1, %rdx
	mov	p2, c2l
	shr	$44, %rax
	shr	$44, %rdx
	shr	$44, c2l
	and	low44, p0
	and	low44, p1
	and	low44, p2
	lea	(c2l, c2l, 4), c2l
	add	%rax, p1
	add	%rdx, p2
	lea	(p0, c2l, 4), p0
.endm

/* p = p^2 (mod p), stored as number j of SQUARES; limbs of p below 2^45 */
.macro	square44 j
	mul44	c0l, c0h, p0, p0
	mov	p2, c2l
	times20	c2l
	lea	(p0, p0), c2h
	mul44	c1l, c1h, c2h, p1
	mul44	c1l, c1h, c2l, p2, add=1
	add	c2l, c2l
	mul44	c0l, c0h, c2l, p1, add=1
	mov	c2h, %rax
	mul44	c2l, c2h, %rax, p2
	mul44	c2l, c2h, p1, p1, add=1
	carry44
	store44	\j
.endm

.macro	store44	j
	mov	p0, SQUARES + 8 * \j(%rsp)
	mov	p1, SQUARES + 32 + 8 * \j(%rsp)
	mov	p2, SQUARES + 64 + 8 * \j(%rsp)
.endm

/*
 * SQUARES = r^8, r^16, r^32, if \r_32 says so, and r^12 = r^8 r^4. Their limbs are
 * below 2^44 + 2^11. Clobbers all general registers but STATE and %r12.
 */
.macro	compute_squares r_32
	mov	$(1 << 44) - 1, low44
	mov	POWERS(%rsp), p0
	mov	POWERS + 32(%rsp), p1
	mov	POWERS + 64(%rsp), p2
	square44 0
	square44 1
.if \r_32
	square44 2
.endif

	mov	SQUARES(%rsp), p0
	mov	SQUARES + 32(%rsp), p1
	mov	SQUARES + 64(%rsp), p2
	mul44	c0l, c0h, p0, POWERS(%rsp)
	mul44	c1l, c1h, p0, POWERS+32(%rsp)
	mul44	c2l, c2h, p0, POWERS+64(%rsp)
	mul44	c1l, c1h, p1, POWERS(%rsp), add=1
	mul44	c2l, c2h, p1, POWERS+32(%rsp), add=1
	mul44	c2l, c2h, p2, POWERS(%rsp), add=1
	times20	p1
	times20	p2
	mul44	c0l, c0h, p1, POWERS+64(%rsp), add=1
	mul44	c0l, c0h, p2, POWERS+32(%rsp), add=1
	mul44	c1l, c1h, p2, POWERS+64(%rsp), add=1
	carry44
	store44	3
	/* Who is called next saves these. */
	xor	%r13d, %r13d
	xor	%r14d, %r14d
	xor	%r15d, %r15d
.endm
