/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The arithmetic of three chains: macros for poly1305-x86_64.S, with the
 * registers and the notation of poly1305-x86_64-serial.h.
 */

/* The stack frame */
#define VAR_R0		0
#define VAR_R1		8
#define VAR_Q1		16	/* 5 r1 / 4 */
#define VAR_HIBIT	24
#define VAR_Z0		32	/* the third chain */
#define VAR_Z1		40
#define VAR_Z2		48
#define VAR_P0		56	/* P, a power of r */
#define VAR_P1		64
#define VAR_P2		72
#define VAR_S0		80	/* S, its square, in five words */
#define VAR_S1		88
#define VAR_S2		96
#define VAR_S3		104
#define VAR_S4		112
#define VAR_SECRETS_END	120
#define VAR_STATE	120
#define VAR_BLOCKS	128	/* m, the blocks of a chain */
#define VAR_BIT		136	/* the lowest bit of m that P includes */
#define VAR_END		144	/* the last block of the first chain */
#define FRAME		152

/* One more temporary */
#define t	%rdi
/* Bytes from one chain to the next */
#define step	%rcx

/* Add the next block of chain \n to \lo, \mid and \hi, with \top at 2^128. */
.macro	add_block n, lo, mid, hi, top
.if \n == 1
	add	(src), \lo
	adc	8(src), \mid
.elseif \n == 2
	add	(src, step), \lo
	adc	8(src, step), \mid
.else
	add	(src, step, 2), \lo
	adc	8(src, step, 2), \mid
.endif
	adc	\top, \hi
.endm

/*
 * a = a r, as in mul_r, plus the next block of chain \n if \n is 1, 2 or 3. a
 * is in registers or memory, r and the hibit are in the frame.
 *
 * Column 0 ends in %rax, column 1 in u0 and v. x2 q1 is added to v: with
 * a2 <= 6, v is below 2 2^60.4 + 6 2^60.4 < 2^63.4.
 */
.macro	chain_mul a0, a1, a2, n
	mov	VAR_R1(%rsp), %rax
	mulq	\a0
	mov	%rax, u0
	mov	%rdx, u1
	mov	VAR_R0(%rsp), %rax
	mulq	\a1
	add	%rax, u0
	adc	%rdx, u1
	mov	VAR_R0(%rsp), %rax
	mulq	\a0
	mov	%rax, w
	mov	%rdx, v
	mov	VAR_Q1(%rsp), %rax
	mulq	\a1
	add	w, %rax
	adc	%rdx, v
	mov	VAR_R0(%rsp), w
	imul	\a2, w
	mov	VAR_Q1(%rsp), t
	imul	\a2, t
	add	u1, w				/* everything at 2^128 */
	mov	w, u1
	shr	$2, w
	lea	(w, w, 4), w			/* folded multiple of 4 */
	and	$3, u1
	add	t, v
.if \n
	add_block \n, %rax, u0, u1, VAR_HIBIT(%rsp)
.endif
	add	w, %rax
	adc	v, u0
	adc	$0, u1
	mov	%rax, \a0
	mov	u0, \a1
	mov	u1, \a2
.endm

/*
 * The same with mulx: b = a r, plus a block. b is a itself if a is in
 * registers; b2 may be u1.
 *
 * With a2 <= 6, everything at 2^128 is below (2 + 6) 2^60 + 4, and v, the part
 * of column 1 that comes from column 0 and x2, is below (2.25 + 7.5) 2^60 + 1.
 * So the block's words can be added before the multiple of 4 is taken, and its
 * bit 128 after: a2 is at most 3, plus that bit and one carry.
 *
 * adcx and adox are not here for their two carries. add may use any port, adcx
 * and adox only two, which multiplications do not need. That gains 3% on Golden
 * Cove; placing the shift and the lea before the and gains 3.5%.
 */
.macro	chain_mulx b0, b1, b2, a0, a1, a2, n
	mov	\a0, %rdx
	mulx	VAR_R1(%rsp), u0, u1
	mulx	VAR_R0(%rsp), \b0, v
	mov	\a1, %rdx
	xor	%edi, %edi			/* CF = OF = 0 */
	mulx	VAR_R0(%rsp), \b1, t
	adcx	u0, \b1
	adcx	t, u1
	mulx	VAR_Q1(%rsp), u0, %rdx
	adox	u0, \b0
	adox	%rdx, v
	mov	VAR_R0(%rsp), u0
	imul	\a2, u0
	mov	VAR_Q1(%rsp), t
	imul	\a2, t
.if \n
	add_block \n, \b0, \b1, u0, u1
.else
	add	u1, u0
.endif
	mov	u0, \b2				/* everything at 2^128 */
	shr	$2, u0
	lea	(u0, u0, 4), u0			/* folded multiple of 4 */
	and	$3, \b2
	add	t, v
	add	u0, \b0
	adc	v, \b1
.if \n
	adc	VAR_HIBIT(%rsp), \b2
.else
	adc	$0, \b2
.endif
.endm

.macro	chain_x	adx
.if \adx
	chain_mulx x0, x1, x2, x0, x1, x2, 1
.else
	chain_mul x0, x1, x2, 1
.endif
.endm

.macro	chain_y	adx
.if \adx
	chain_mulx y0, y1, y2, y0, y1, y2, 2
.else
	chain_mul y0, y1, y2, 2
.endif
.endm

/* One step of a chain that is in memory; with \n = 0, of the power */
.macro	chain_memory adx, a0, a1, a2, n
.if \adx
	chain_mulx %rax, w, u1, \a0(%rsp), \a1(%rsp), \a2(%rsp), \n
	mov	%rax, \a0(%rsp)
	mov	w, \a1(%rsp)
	mov	u1, \a2(%rsp)
.else
	chain_mul \a0(%rsp), \a1(%rsp), \a2(%rsp), \n
.endif
.endm

/* One block of each chain */
.macro	three_blocks adx
	add	$16, src
	chain_x	\adx
	chain_y	\adx
	chain_memory \adx, VAR_Z0, VAR_Z1, VAR_Z2, 3
.endm

/*
 * a = u0 + 2^64 u1 + 2^128 v + 2^192 w + 2^256 t, plus b if it is given.
 *
 * t < 2^6 and b2 <= 6. The excess over 2^130 is folded as its multiple of 4
 * plus a quarter of that, together 5 times the excess. Word 2 is then below
 * 2^7. After b is added, the excess over 2^130 is folded again: a2 <= 4.
 */
.macro	fold_product	a0, a1, a2, b0, b1, b2
	mov	v, %rdx
	and	$3, %rdx
	and	$-4, v
	add	v, u0				/* the multiple of 4 */
	adc	w, u1
	adc	t, %rdx
	shrd	$2, w, v
	shrd	$2, t, w
	shr	$2, t
	add	v, u0				/* its quarter */
	adc	w, u1
	adc	t, %rdx
.ifnb \b0
	add	\b0, u0
	adc	\b1, u1
	adc	\b2, %rdx
.endif
	mov	%rdx, %rax
	and	$3, %rdx
	shr	$2, %rax
	lea	(%rax, %rax, 4), %rax
	add	%rax, u0
	adc	$0, u1
	adc	$0, %rdx
	mov	u0, \a0
	mov	u1, \a1
	mov	%rdx, \a2
.endm

/* a = a P + b. With P2 <= 4 and a2 <= 6 the product is below 2^262. */
.macro	mul_by_power a0, a1, a2, b0, b1, b2
	mov	\a0, %rax
	mulq	VAR_P0(%rsp)
	mov	%rax, u0
	mov	%rdx, u1
	mov	\a1, %rax
	mulq	VAR_P1(%rsp)
	mov	%rax, v
	mov	%rdx, w
	mov	\a2, t
	imul	VAR_P2(%rsp), t
	mov	\a0, %rax
	mulq	VAR_P1(%rsp)
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
	mov	\a1, %rax
	mulq	VAR_P0(%rsp)
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
	mov	\a0, %rax
	mulq	VAR_P2(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	\a2, %rax
	mulq	VAR_P0(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	\a1, %rax
	mulq	VAR_P2(%rsp)
	add	%rax, w
	adc	%rdx, t
	mov	\a2, %rax
	mulq	VAR_P1(%rsp)
	add	%rax, w
	adc	%rdx, t
	fold_product	\a0, \a1, \a2, \b0, \b1, \b2
.endm

/* S = P^2, with the bound of mul_by_power */
.macro	square_power
	mov	VAR_P0(%rsp), %rax
	mul	%rax
	mov	%rax, u0
	mov	%rdx, u1
	mov	VAR_P1(%rsp), %rax
	mul	%rax
	mov	%rax, v
	mov	%rdx, w
	mov	VAR_P2(%rsp), t
	imul	t, t
	mov	VAR_P0(%rsp), %rax
	mulq	VAR_P1(%rsp)
.rept 2
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
.endr
	mov	VAR_P2(%rsp), %rax
	add	%rax, %rax
	mulq	VAR_P0(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	VAR_P2(%rsp), %rax
	add	%rax, %rax
	mulq	VAR_P1(%rsp)
	add	%rax, w
	adc	%rdx, t
	mov	u0, VAR_S0(%rsp)
	mov	u1, VAR_S1(%rsp)
	mov	v, VAR_S2(%rsp)
	mov	w, VAR_S3(%rsp)
	mov	t, VAR_S4(%rsp)
.endm

/* P = S */
.macro	fold_square
	mov	VAR_S0(%rsp), u0
	mov	VAR_S1(%rsp), u1
	mov	VAR_S2(%rsp), v
	mov	VAR_S3(%rsp), w
	mov	VAR_S4(%rsp), t
	fold_product	VAR_P0(%rsp), VAR_P1(%rsp), VAR_P2(%rsp)
.endm

/*
 * From the first block of each chain to the last. Meanwhile P goes from r to
 * r^m, beside the first blocks: for each bit of m below the highest, P is
 * squared, and multiplied by r if the bit is set. The step from r to r^2 is a
 * multiplication by r. Each later squaring takes about as long as two blocks of
 * each chain and runs beside them; m >= 2 gives enough blocks. It is split in
 * two parts whose inputs are ready when they start. In one piece it would wait
 * for itself and keep the chains out of the scheduler.
 */
.macro	three_chains adx
	chain_memory \adx, VAR_P0, VAR_P1, VAR_P2, 0
	jmp	.Lbit\@
.Lnext_bit\@:
	add	$16, src
	square_power
	chain_x	\adx
	chain_y	\adx
	fold_square
	chain_memory \adx, VAR_Z0, VAR_Z1, VAR_Z2, 3
	three_blocks \adx
.Lbit\@:
	mov	VAR_BIT(%rsp), %rax
	test	%rax, VAR_BLOCKS(%rsp)
	jz	.Lbit_done\@
	chain_memory \adx, VAR_P0, VAR_P1, VAR_P2, 0
.Lbit_done\@:
	shrq	$1, VAR_BIT(%rsp)
	jnz	.Lnext_bit\@
	jmp	.Lcheck\@

.Lblocks\@:
	three_blocks \adx
.Lcheck\@:
	cmp	VAR_END(%rsp), src
	jne	.Lblocks\@
.endm
