/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Quads, groups of four blocks of which each lane of a ymm register takes one: how a
 * message becomes quads, and the powers of r that the lanes end with. This is common
 * to poly1305-avx2-short.S (radix 2^26) and poly1305-avxifma.S (radix 2^44), which
 * split the words into limbs themselves. After poly1305-powers.h.
 *
 * Words of four blocks are in the lanes in the order of blocks 1, 3, 2, 4, as
 * vpunpck{l,h}qdq leaves them.
 */

.pushsection .rodata
.p2align 6
/*
 * For a first quad of 1, 2, 3 and 4 blocks: the lanes that have a block; and in
 * dwords, from which lane of a full quad each block comes
 */
first_lanes:
	.quad	0, 0, 0, -1
	.quad	0, -1, 0, -1
	.quad	0, -1, -1, -1
	.quad	-1, -1, -1, -1
first_from:
	.long	0, 1, 0, 1, 0, 1, 0, 1
	.long	0, 1, 0, 1, 0, 1, 4, 5
	.long	0, 1, 4, 5, 0, 1, 2, 3
	.long	0, 1, 2, 3, 4, 5, 6, 7
/*
 * For a block that lacks n bytes, from byte n on: a shuffle that moves the last bytes
 * of a vector to its beginning, and the 1 bit behind them
 */
move_down:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.fill	16, 1, 0x80
padding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0
.popsection

/* Scratch */
#define T0		%ymm5
#define T1		%ymm6
#define T2		%ymm7
#define T3		%ymm8

/* The quad at \p: low words of its blocks 1, 3, 2, 4, and their high words */
.macro	load_quad p, lo, hi, t
	vmovdqu	\p, \lo
	vmovdqu	32+\p, \t
	vpunpckhqdq \t, \lo, \hi
	vpunpcklqdq \t, \lo, \lo
.endm

/*
 * T0, T2 = the last quad, blocks 1, 2 and 3, 4. Its last block ends at %rdx and lacks
 * %rax bytes: it gets a 1 bit behind its last byte. Clobbers %r11.
 */
.macro	load_last_blocks p
	lea	move_down(%rip), %r11
	vmovdqu	-16(%rdx), %xmm5
	vpshufb	(%r11, %rax), %xmm5, %xmm5
	vpor	padding - move_down(%r11, %rax), %xmm5, %xmm5
	vmovdqu	32+\p, %xmm7
	vinserti128 $1, %xmm5, T2, T2
	vmovdqu	\p, T0
.endm

/* The same as load_quad in T0, T1. Clobbers %r11, T2. */
.macro	load_last p
	load_last_blocks \p
	vpunpckhqdq T2, T0, T1
	vpunpcklqdq T2, T0, T0
.endm

/*
 * %r10 = where the last 8 of the %rcx blocks at DATA are
 */
.macro	point_at_last_quads
	mov	%rcx, %r10
	shl	$4, %r10
	lea	-128(DATA, %r10), %r10
.endm

/*
 * S = the first quad of a message of VAR_LEN bytes at DATA, and for those behind it, of
 * which the last block may be partial: DATA; %rcx, their number of blocks; %rdx, the end of
 * the message; %rax, how many bytes the last block lacks; at (%r8) bit 128 of the blocks,
 * and at (%r9) that of the last quad. Clobbers %r10, %r11, T.
 */
.macro	begin_quads
	mov	VAR_LEN(%rsp), %rdx
	lea	15(%rdx), %rcx
	shr	$4, %rcx
	lea	(DATA, %rdx), %r9
	first_quad hibits(%rip)
	mov	%edx, %eax
	mov	%r9, %rdx
	neg	%eax
	and	$15, %eax
	lea	hibits(%rip), %r8
	lea	15(%rax), %r9d
	and	$16, %r9d
	lea	(%r8, %r9, 2), %r9
.endm

/*
 * The parameters of a parts function, but ends in %r10. Its first 4 and its last 8 blocks
 * are copied to the frame, to lie beside each other, and DATA points to the first. There
 * are 96 bytes at DATA, at least.
 * VAR_DATA = DATA as if these were there, too; VAR_LEN = the length of all parts;
 * VAR_TAG = the tag's address. Clobbers %rdx, %ymm0, %ymm1, %xmm2.
 */
.macro	copy_parts
	vmovdqu	16(%r10), %ymm0
	vmovdqa	%ymm0, VAR_END + 96(%rsp)
.irp i, 0, 32, 64
	vmovdqu	\i - 96(DATA, %rdx), %ymm0
	vmovdqa	%ymm0, VAR_END + \i(%rsp)
.endr
	mov	%r9, VAR_TAG(%rsp)
	add	$32, %rdx
	test	%r8b, %r8b
	jnz	.Lthree_parts\@
	vmovdqu	(DATA), %ymm0
	vmovdqu	32(DATA), %ymm1
	vmovdqa	%ymm0, VAR_FIRST(%rsp)
	vmovdqa	%ymm1, VAR_FIRST + 32(%rsp)
	jmp	.Lfirst_copied\@
.Lthree_parts\@:
	vmovdqu	(%r10), %xmm0
	vmovdqu	(DATA), %ymm1
	vmovdqu	32(DATA), %xmm2
	vmovdqa	%xmm0, VAR_FIRST(%rsp)
	vmovdqu	%ymm1, VAR_FIRST + 16(%rsp)
	vmovdqa	%xmm2, VAR_FIRST + 48(%rsp)
	add	$16, %rdx
	sub	$16, DATA
.Lfirst_copied\@:
	mov	DATA, VAR_DATA(%rsp)
	mov	%rdx, VAR_LEN(%rsp)
	lea	VAR_FIRST(%rsp), DATA
.endm

/* What take_quads needs for the blocks behind the first quad, of %r10 bytes */
.macro	point_at_parts
	mov	VAR_DATA(%rsp), DATA
	add	%r10, DATA
	xor	%eax, %eax
	lea	hibits(%rip), %r8
	mov	%r8, %r9
	lea	VAR_END(%rsp), %r10
	lea	8 * 16(%r10), %rdx
.endm

/*
 * Take %rcx >= 8 blocks, a multiple of 4 of them, by the including file's one_quad and
 * two_quads: the last 8 are at %r10, the others at DATA. Bit 128 of the blocks is at
 * (%r8), and that of the last quad at (%r9). Clobbers DATA, %rcx, and what load_last does.
 */
.macro	take_quads
	test	$4, %cl
	jz	.Lpairs\@
	one_quad 0(DATA), (%r8)
	add	$64, DATA
	sub	$4, %rcx
.Lpairs\@:
	sub	$8, %rcx
	jz	.Llast_pair\@
	shl	$4, %rcx
	add	DATA, %rcx
.p2align 5
.Lpair\@:
	two_quads 0(DATA), (%r8), (%r8)
	sub	$-128, DATA
	cmp	%rcx, DATA
	jne	.Lpair\@
.Llast_pair\@:
	two_quads 0(%r10), (%r8), (%r9), last=1
.endm

/*
 * Add h of the state to the first block of the quad lo, hi, which is at DATA. T2 = the bits above
 * the words: bit 128, from \hibit, and those of h, shifted by \shift; up to 6 * 2^shift.
 * Clobbers %rax, %r11, T3.
 */
.macro	add_h	lo, hi, hibit, shift
	/* The first block is in the first lane. */
	mov	STATE_H(STATE), %rax
	mov	STATE_H+8(STATE), %r11
	add	(DATA), %rax
	adc	8(DATA), %r11
	vmovq	%rax, %xmm7
	vmovq	%r11, %xmm8
	mov	STATE_H+16(STATE), %rax
	adc	$0, %rax
	vpblendd $3, T2, \lo, \lo
	vpblendd $3, T3, \hi, \hi
	shl	$\shift, %rax
	vmovq	%rax, %xmm7
	vpaddq	\hibit, T2, T2
.endm

/*
 * lo, hi = the first quad of a message of %rcx > 4 blocks at DATA, of which it takes 1
 * to 4, so that the number of the others, in %rcx, is a multiple of 4. Lanes without a
 * block are 0. DATA moves on by %r10 bytes. T2 = the bits above the words: bit 128, from
 * \hibit, shifted by \shift, or with add_h what the macro add_h makes of them. Clobbers
 * %rax, %r11, T.
 */
.macro	first_quad_words lo, hi, hibit, shift, add_h=0
	lea	-1(%rcx), %eax
	and	$3, %eax
	lea	1(%rax), %r10d
	shl	$5, %eax
	lea	first_lanes(%rip), %r11
	vmovdqa	(%r11, %rax), T0
	vmovdqa	first_from - first_lanes(%r11, %rax), T1
	load_quad 0(DATA), \lo, \hi, T2
.if \add_h
	add_h	\lo, \hi, \hibit, \shift
	vpermd	T2, T1, T2
	vpand	T2, T0, T2
.else
	vpand	\hibit, T0, T2
.endif
	vpermd	\lo, T1, \lo
	vpermd	\hi, T1, \hi
	vpand	T0, \lo, \lo
	vpand	T0, \hi, \hi
	sub	%r10, %rcx
	shl	$4, %r10
	add	%r10, DATA
.endm

/*
 * %rsi + 2^64 %rcx + 2^128 %r13 = r^2 (mod p), with %r13 <= 4. In: r0 in %r8,
 * r1 in %r9, q1 = 5 r1 / 4 in %r10. r0^2 + r1 q1 and 2 r0 r1 are below 2^122.
 * Clobbers %rax, %rdx, %rdi.
 */
.macro	square_r
	mov	%r8, %rax
	mul	%r8
	mov	%rax, %rsi
	mov	%rdx, %rdi
	mov	%r9, %rax
	mul	%r10
	add	%rax, %rsi
	adc	%rdx, %rdi
	lea	(%r8, %r8), %rax
	mul	%r9
	add	%rdi, %rax
	adc	$0, %rdx
	mov	%rax, %rcx
	mov	%rdx, %r13
	mov	%rdx, %rdi
	shr	$2, %rdx
	and	$-4, %rdi
	and	$3, %r13d
	add	%rdx, %rdi
	add	%rdi, %rsi
	adc	$0, %rcx
	adc	$0, %r13
.endm

/*
 * T0 + 2^64 T1 + 2^128 T2 = r^4, r^2, r^3, r in the lanes, T2 up to 4. In: r0 in %r8,
 * r1 in %r9. Clobbers %ymm8 ... %ymm12 and all general registers but STATE, DATA, %rsp
 * and %rbp.
 */
.macro	power_words
	mov	%r9, %r10
	shr	$2, %r10
	add	%r9, %r10
	vmovq	%r8, %xmm8
	vmovq	%r9, %xmm9
	square_r
	vmovq	%rsi, %xmm5
	vmovq	%rcx, %xmm6
	vmovq	%r13, %xmm7
	vpunpcklqdq %xmm5, %xmm5, %xmm5
	vpunpcklqdq %xmm6, %xmm6, %xmm6
	vpunpcklqdq %xmm7, %xmm7, %xmm7
	mul_by_r %rsi, %rcx, %r13
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpunpcklqdq %xmm8, %xmm10, %xmm8
	vpunpcklqdq %xmm9, %xmm11, %xmm9
	vinserti128 $1, %xmm8, T0, T0
	vinserti128 $1, %xmm9, T1, T1
	vinserti128 $1, %xmm12, T2, T2
	mul_by_r %rsi, %rcx, %r13
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpblendd $3, %ymm10, T0, T0
	vpblendd $3, %ymm11, T1, T1
	vpblendd $3, %ymm12, T2, T2
.endm
