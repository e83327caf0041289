/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The arithmetic of three chains: macros for poly1305-x86_64.S, with the names
 * of registers and the notation of poly1305-x86_64-serial.h.
 */

/* The stack frame */
#define R0	0
#define R1	8
#define Q1	16	/* 5 r1 / 4 */
#define HIBIT	24
#define Z0	32	/* the third chain */
#define Z1	40
#define Z2	48
#define P0	56	/* a power of r */
#define P1	64
#define P2	72
#define SECRETS_END 80
#define STATE	80
#define M	88	/* blocks in a chain */
#define BIT	96	/* of m, the last that P has */
#define END	104	/* the last block of the first chain */
#define FRAME	112

/* The first chain is x, this is the second. */
#define y0	%r11
#define y1	%r12
#define y2	%r13
/* one more temporary */
#define t	%rdi
/* from one chain to the next, in bytes */
#define step	%rcx

/* Add the next block of chain \n, or none, to %rax, u0 and u1. */
.macro	add_block n
.if \n == 1
	add	(src), %rax
	adc	8(src), u0
	adc	HIBIT(%rsp), u1
.elseif \n == 2
	add	(src, step), %rax
	adc	8(src, step), u0
	adc	HIBIT(%rsp), u1
.elseif \n == 3
	add	(src, step, 2), %rax
	adc	8(src, step, 2), u0
	adc	HIBIT(%rsp), u1
.endif
.endm

/*
 * a = a r, as in mul_r, and the next block of chain \n added if \n is 1, 2 or 3.
 * a is in registers or memory, r and the hibit in the frame.
 *
 * Column 0 ends in %rax, column 1 in u0 and v, to which x2 q1 is added: with
 * a2 <= 6, v is below 2 2^60.4 + 6 2^60.4 < 2^63.4.
 *
 * adcx and adox are here for another reason than their two carries: add may start
 * on any port, these only on two that multiplications do not need. In place of
 * the first two additions they are worth 4% on Golden Cove.
 */
.macro	chain	adx, a0, a1, a2, n=0
.if \adx
	mov	\a0, %rdx
	mulx	R1(%rsp), u0, u1
	mulx	R0(%rsp), w, v
	mov	\a1, %rdx
	xor	%eax, %eax			/* CF = OF = 0 */
	mulx	R0(%rsp), %rax, t
	adcx	%rax, u0
	adcx	t, u1
	mulx	Q1(%rsp), %rax, %rdx
	adox	w, %rax
	adox	%rdx, v
.else
	mov	R1(%rsp), %rax
	mulq	\a0
	mov	%rax, u0
	mov	%rdx, u1
	mov	R0(%rsp), %rax
	mulq	\a1
	add	%rax, u0
	adc	%rdx, u1
	mov	R0(%rsp), %rax
	mulq	\a0
	mov	%rax, w
	mov	%rdx, v
	mov	Q1(%rsp), %rax
	mulq	\a1
	add	w, %rax
	adc	%rdx, v
.endif
	mov	R0(%rsp), w
	imul	\a2, w
	mov	Q1(%rsp), t
	imul	\a2, t
	add	u1, w				/* all at 2^128 */
	mov	w, u1
	and	$3, u1
	shr	$2, w
	lea	(w, w, 4), w			/* its multiple of 4, folded */
	add	t, v
	add_block \n
	add	w, %rax
	adc	v, u0
	adc	$0, u1
	mov	%rax, \a0
	mov	u0, \a1
	mov	u1, \a2
.endm

/* The next block of each chain */
.macro	three_blocks adx
	add	$16, src
	chain	\adx, x0, x1, x2, 1
	chain	\adx, y0, y1, y2, 2
	chain	\adx, Z0(%rsp), Z1(%rsp), Z2(%rsp), 3
.endm

/*
 * a = u0 + 2^64 u1 + 2^128 v + 2^192 w + 2^256 t + b, without b if none is named.
 *
 * With t < 2^6 and b2 <= 6: what exceeds 2^130 is folded by its multiple of 4 and
 * its quarter, which make 5 times it. That leaves less than 2^7 in word 2. When
 * b has been added, what exceeds 2^130 is folded again: a2 <= 4.
 */
.macro	fold	a0, a1, a2, b0, b1, b2
	mov	v, %rdx
	and	$3, %rdx
	and	$-4, v
	add	v, u0				/* the multiple of 4 */
	adc	w, u1
	adc	t, %rdx
	shrd	$2, w, v
	shrd	$2, t, w
	shr	$2, t
	add	v, u0				/* the quarter of it */
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
.macro	mul_power a0, a1, a2, b0, b1, b2
	mov	\a0, %rax
	mulq	P0(%rsp)
	mov	%rax, u0
	mov	%rdx, u1
	mov	\a1, %rax
	mulq	P1(%rsp)
	mov	%rax, v
	mov	%rdx, w
	mov	\a2, t
	imul	P2(%rsp), t
	mov	\a0, %rax
	mulq	P1(%rsp)
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
	mov	\a1, %rax
	mulq	P0(%rsp)
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
	mov	\a0, %rax
	mulq	P2(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	\a2, %rax
	mulq	P0(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	\a1, %rax
	mulq	P2(%rsp)
	add	%rax, w
	adc	%rdx, t
	mov	\a2, %rax
	mulq	P1(%rsp)
	add	%rax, w
	adc	%rdx, t
	fold	\a0, \a1, \a2, \b0, \b1, \b2
.endm

/* P = P P, in the same way */
.macro	square_power
	mov	P0(%rsp), %rax
	mul	%rax
	mov	%rax, u0
	mov	%rdx, u1
	mov	P1(%rsp), %rax
	mul	%rax
	mov	%rax, v
	mov	%rdx, w
	mov	P2(%rsp), t
	imul	t, t
	mov	P0(%rsp), %rax
	mulq	P1(%rsp)
.rept 2
	add	%rax, u1
	adc	%rdx, v
	adc	$0, w
	adc	$0, t
.endr
	mov	P2(%rsp), %rax
	add	%rax, %rax
	mulq	P0(%rsp)
	add	%rax, v
	adc	%rdx, w
	adc	$0, t
	mov	P2(%rsp), %rax
	add	%rax, %rax
	mulq	P1(%rsp)
	add	%rax, w
	adc	%rdx, t
	fold	P0(%rsp), P1(%rsp), P2(%rsp)
.endm

/*
 * From the first block of each chain to the last. What makes r^m of r goes beside
 * the first blocks: for every bit of m below the highest P is squared, and then
 * multiplied by r if the bit is set. r^2 is r r. Each further squaring takes about
 * as long as two blocks of each chain and has them beside it; if m >= 2, there
 * are enough.
 */
.macro	three_chains adx
	chain	\adx, P0(%rsp), P1(%rsp), P2(%rsp)
	jmp	.Lbit\@
.Lnext_bit\@:
.rept 2
	three_blocks \adx
.endr
	square_power
.Lbit\@:
	mov	BIT(%rsp), %rax
	test	%rax, M(%rsp)
	jz	.Lbit_done\@
	chain	\adx, P0(%rsp), P1(%rsp), P2(%rsp)
.Lbit_done\@:
	shrq	$1, BIT(%rsp)
	jnz	.Lnext_bit\@
	jmp	.Lcheck\@

.Lblocks\@:
	three_blocks \adx
.Lcheck\@:
	cmp	END(%rsp), src
	jne	.Lblocks\@
.endm
