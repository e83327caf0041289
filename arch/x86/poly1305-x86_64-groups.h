/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The arithmetic of groups of blocks: macros for poly1305-x86_64.S, whose names
 * of registers it uses.
 */

/*
 * Groups of K blocks.
 *
 * The table has an entry for each power a of r, r^K first and r last: a in
 * radix 2^44, and 2^64 a (mod p) likewise. So a block of words m0, m1 times a
 * is six products of a word and a limb, in columns of weight 1, 2^44 and 2^88.
 *
 *	limb	a	2^64 a		of m0 a + 2^64 m1 a, all < 2^112
 *	0	< 2^45	< 2^47
 *	1	< 2^45	< 2^45
 *	2	< 2^44	< 2^45
 *
 * Columns are 128 bits wide, and K <= 16 blocks leave them below 2^116.
 */
#define ENTRY		48
#define MASK44		0x00000fffffffffff

/* The stack frame */
#define ONES		0	/* 2^128 (r^(K-1) + ... + r) hibit, 3 limbs */
#define TOP		24	/* 2^128 r^K, 3 limbs */
#define R0		48
#define R1		56
#define Q1		64
#define STATE		72
#define HIBIT		80
#define FIRST		88	/* address of the entry of r^K */
#define BLOCKS		96	/* K */
#define GROUPS		104	/* how many groups remain */
#define EXTRA		112	/* blocks to do before groups come out even */
#define TABLE_END	(120 + 16 * ENTRY)
#define FRAME		TABLE_END

/* Columns of a group */
#define d0l	%r8
#define d0h	%r9
#define d1l	%r10
#define d1h	%r11
#define d2l	%r12
#define d2h	%r13
/* h plus the first block of the next group */
#define h0	%rbx
#define h1	%rbp
#define h2	%r14
/* the current entry */
#define entry	%rdi

/* The power in head: its words */
#define y0	%r11
#define y1	%r12
#define y2	%r13

/*
 * Write the entry of the power y, given in words, and add the limbs of the power
 * to ONES. What is above 130 bits, if anything, stays in limb 2: < 2^43 if y2 is
 * at most 4, < 2^44 if at most 8.
 *
 * 2^64 y is 2^44 (2^20 y). In radix 2^44 2^20 y has limbs z0, z1 < 2^44 and
 * z2 < 2^42, and what exceeds 2^130 is added to z0 five times: < 2^44 + 2^24.
 * The factor 2^44 only moves them up, the last one coming round as 2^132 = 20.
 */
.macro	store_power
	mov	$MASK44, %rdx
	mov	y0, %rax
	and	%rdx, %rax
	mov	%rax, (entry)
	add	%rax, ONES(%rsp)
	mov	y0, %rax
	shr	$44, %rax
	mov	y1, v
	shl	$20, v
	or	v, %rax
	and	%rdx, %rax
	mov	%rax, 8(entry)
	add	%rax, ONES + 8(%rsp)
	mov	y1, %rax
	shr	$24, %rax
	mov	y2, v
	shl	$40, v
	add	v, %rax
	mov	%rax, 16(entry)
	add	%rax, ONES + 16(%rsp)

	mov	y1, %rax
	shl	$18, %rax
	shr	$20, %rax
	and	$-4, %rax			/* 4 z2 */
	lea	(%rax, %rax, 4), %rax
	mov	%rax, 24(entry)
	mov	y1, %rax
	shr	$46, %rax
	mov	y2, v
	shl	$18, v
	add	v, %rax
	lea	(%rax, %rax, 4), %rax
	mov	y0, v
	shl	$20, v
	and	%rdx, v
	add	v, %rax				/* z0 */
	mov	%rax, 32(entry)
	mov	y0, %rax
	shr	$24, %rax
	mov	y1, v
	shl	$40, v
	or	v, %rax
	and	%rdx, %rax			/* z1 */
	mov	%rax, 40(entry)
.endm

/*
 * Load the power of which limb 0 is at \pow in the state, as words: limbs below
 * 2^45, 2^45 and 2^43 give y2 <= 8.
 */
.macro	load_power	pow
	mov	64(\pow), y1
	mov	128(\pow), %rax
	mov	y1, y0
	shl	$44, y0
	shr	$20, y1
	mov	%rax, y2
	shl	$24, %rax
	shr	$40, y2
	add	(\pow), y0
	adc	%rax, y1
	adc	$0, y2
.endm

/*
 * a = 2^128 a (mod p), limbs in radix 2^44.
 *
 * With a = 4 b + e, 2^128 a = 2^130 b + 2^128 e = 5 b + 2^88 2^40 e. Limbs of a
 * below 2^49 give limbs below 2^50.
 */
.macro	times_2_128	a0, a1, a2, e, t
	mov	\a0, \e
	and	$3, \e
	shl	$40, \e
	shr	$2, \a0
	mov	\a1, \t
	and	$3, \t
	shl	$42, \t
	add	\t, \a0
	shr	$2, \a1
	mov	\a2, \t
	and	$3, \t
	shl	$42, \t
	add	\t, \a1
	shr	$2, \a2
	lea	(\a0, \a0, 4), \a0
	lea	(\a1, \a1, 4), \a1
	lea	(\a2, \a2, 4), \a2
	add	\e, \a2
.endm

/*
 * (dl, dh) += word * limb, the word being in %rdx for mulx and in \word for
 * mul. CF = OF = 0 before and after mulx, as no column overflows; so either
 * flag may carry, and using them in turn makes two chains that do not wait for
 * each other.
 *
 * The limb is not an operand in memory: on Zen those loads would all queue up
 * at the multiplier, where nothing but the products themselves should.
 */
.macro	add_product	adx, word, limb, dl, dh
	mov	\limb, %rax
.if \adx
	mulx	%rax, %rax, %rcx
.if flag
	adcx	%rax, \dl
	adcx	%rcx, \dh
.else
	adox	%rax, \dl
	adox	%rcx, \dh
.endif
.set flag, 1 - flag
.else
	mul	\word
	add	%rax, \dl
	adc	%rdx, \dh
.endif
.endm

/* d += a (m0 + 2^64 m1), a being the power at \power */
.macro	add_block	adx, m0, m1, power
.if \adx
	mov	\m0, %rdx
.else
	mov	\m0, %rcx
.endif
	add_product	\adx, %rcx, 0 + \power, d0l, d0h
	add_product	\adx, %rcx, 8 + \power, d1l, d1h
	add_product	\adx, %rcx, 16 + \power, d2l, d2h
.if \adx
	mov	\m1, %rdx
.else
	mov	\m1, %rcx
.endif
	add_product	\adx, %rcx, 24 + \power, d0l, d0h
	add_product	\adx, %rcx, 32 + \power, d1l, d1h
	add_product	\adx, %rcx, 40 + \power, d2l, d2h
.endm

/* h2 at 2^128 times r^K: d += TOP h2, where TOP h2 < 2^53 */
.macro	add_top		i, dl, dh
	mov	h2, %rax
	imul	TOP + 8 * \i(%rsp), %rax
	add	%rax, \dl
	adc	$0, \dh
.endm

/*
 * h = d0 + 2^44 d1 + 2^88 d2 (mod p), in the form of the state.
 *
 * The sum is below 2^205: four words, of which what exceeds 2^130 is folded.
 * Its multiple of 4 and its quarter make 5 times it. If the first addition
 * carries into h2, it leaves h1 < 2^13, and the second does not: h2 <= 4.
 */
.macro	reduce
	mov	d1l, h0				/* 2^44 d1 */
	shl	$44, h0
	mov	d1h, %rax
	shl	$44, %rax
	shr	$20, d1l
	or	%rax, d1l
	shr	$20, d1h
	mov	d2l, h1				/* 2^88 d2 */
	shl	$24, h1
	mov	d2h, %rax
	shl	$24, %rax
	shr	$40, d2l
	or	%rax, d2l
	shr	$40, d2h

	add	d0l, h0
	adc	d0h, d1l
	adc	$0, d1h
	add	d1l, h1
	adc	d1h, d2l
	adc	$0, d2h

	mov	d2l, h2				/* h0, h1, d2l, d2h */
	and	$3, h2
	and	$-4, d2l
	add	d2l, h0
	adc	d2h, h1
	adc	$0, h2
	mov	d2h, %rax
	shl	$62, %rax
	shr	$2, d2l
	or	%rax, d2l
	shr	$2, d2h
	add	d2l, h0
	adc	d2h, h1
	adc	$0, h2
.endm

/*
 * GROUPS groups. The first block of a group is in h already; its products come
 * last, because they alone wait for the group before.
 */
.macro	groups		adx
.set flag, 0
1:	mov	FIRST(%rsp), entry
	mov	ONES(%rsp), d0l
	mov	ONES + 8(%rsp), d1l
	mov	ONES + 16(%rsp), d2l
	xor	d0h, d0h
	xor	d1h, d1h
	xor	d2h, d2h

.set i, 1
.rept 7
	add_block	\adx, 16*i(src), 16*i + 8(src), i*ENTRY(entry)
.set i, i + 1
.endr
	testb	$16, BLOCKS(%rsp)
	jz	2f
.rept 8
	add_block	\adx, 16*i(src), 16*i + 8(src), i*ENTRY(entry)
.set i, i + 1
.endr
	sub	$-128, src
2:	sub	$-128, src
	xor	%eax, %eax
	add_block	\adx, h0, h1, 0(entry)
	add_top	0, d0l, d0h
	add_top	1, d1l, d1h
	add_top	2, d2l, d2h
	reduce
	decq	GROUPS(%rsp)
	jz	.Lgroups_done
	add	(src), h0
	adc	8(src), h1
	adc	HIBIT(%rsp), h2
	jmp	1b
.endm
