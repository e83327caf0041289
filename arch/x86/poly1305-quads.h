/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * For poly1305-avx2.S: loads of quads, and the powers of r that the lanes are multiplied by.
 *
 * A quad is four successive blocks, one in each lane of a ymm register. The lanes hold blocks 1, 3,
 * 2 and 4, in the order of vpunpck{l,h}qdq.
 */

.pushsection .rodata
.p2align 6
/*
 * For a first quad of 1, 2, 3 and 4 blocks: a mask of the lanes that have a block; and the dwords
 * of a full quad that go to each lane
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
 * At byte n, for a block without its last n bytes: a shuffle that moves the last 16 - n loaded
 * bytes to the start, and the 1 bit that follows them
 */
move_down:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.fill	16, 1, 0x80
padding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0
.popsection

/* lo, hi = the low and the high words of the quad at \p. Clobbers t. */
.macro	load_quad p, lo, hi, t
	vmovdqu	\p, \lo
	vmovdqu	32+\p, \t
	vpunpckhqdq \t, \lo, \hi
	vpunpcklqdq \t, \lo, \lo
.endm

/*
 * T0, T1 = the low and the high words of the last quad, at \p. Its last block ends at %rdx. If %rax
 * bytes are missing from that block, %rax > 0, it gets a 1 bit after its last byte. Clobbers %r11,
 * T2.
 */
.macro	load_last p
	lea	move_down(%rip), %r11
	vmovdqu	-16(%rdx), %xmm5
	vpshufb	(%r11, %rax), %xmm5, %xmm5
	vpor	padding - move_down(%r11, %rax), %xmm5, %xmm5
	vmovdqu	32+\p, %xmm7
	vinserti128 $1, %xmm5, T2, T2
	vmovdqu	\p, T0
	vpunpckhqdq T2, T0, T1
	vpunpcklqdq T2, T0, T0
.endm

/* %r10 = the address of the last 8 of the %rcx blocks at DATA */
.macro	point_at_last_quads
	mov	%rcx, %r10
	shl	$4, %r10
	lea	-128(DATA, %r10), %r10
.endm

/*
 * Start a message of VAR_LEN bytes at DATA: S = the first quad. Sets the operands of quads_avx2:
 * DATA = the end of the first quad, %rcx = the number of blocks from DATA on, %rdx = the end of the
 * message, %rax = the number of bytes missing from the last block, (%r8) = bit 128 of the blocks,
 * (%r9) = bit 128 of the last quad's blocks. Clobbers %r10, %r11, T.
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
 * S = S R + m for each quad m of %rcx blocks, a multiple of 4 and at least 8. The last 8 blocks are
 * at %r10, the others at DATA. Bit 128 of the blocks is at (%r8), and of the last quad's blocks at
 * (%r9). In, for load_last: %rax, %rdx. Clobbers DATA, %rcx, %r11, C, T.
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
 * Add h of the state to the first block of the quad at DATA, whose words are in S0 and S4. T2 = the
 * bits above the words, as limb 4: bit 128, from \hibit, plus h2 with a carry, at most 6 * 2^24.
 * Clobbers %rax, %r11, T3.
 */
.macro	add_h	hibit
	/* The first block is in the first lane. */
	mov	STATE_H(STATE), %rax
	mov	STATE_H+8(STATE), %r11
	add	(DATA), %rax
	adc	8(DATA), %r11
	vmovq	%rax, %xmm7
	vmovq	%r11, %xmm8
	mov	STATE_H+16(STATE), %rax
	adc	$0, %rax
	vpblendd $3, T2, S0, S0
	vpblendd $3, T3, S4, S4
	shl	$24, %rax
	vmovq	%rax, %xmm7
	vpaddq	\hibit, T2, T2
.endm

/*
 * S = the first quad of the %rcx > 4 blocks at DATA: 1 to 4 blocks, to leave a multiple of 4 in
 * %rcx. Lanes without a block are 0. DATA moves on by %r10 bytes. Bit 128 of the blocks is in
 * \hibit. If add_h=1, h of the state is added to the first block, and S4 < 2^24 + 6 * 2^24.
 * Clobbers %rax, %r11, T.
 */
.macro	first_quad hibit, add_h=0
	lea	-1(%rcx), %eax
	and	$3, %eax
	lea	1(%rax), %r10d
	shl	$5, %eax
	lea	first_lanes(%rip), %r11
	vmovdqa	(%r11, %rax), T0
	vmovdqa	first_from - first_lanes(%r11, %rax), T1
	load_quad 0(DATA), S0, S4, T2
.if \add_h
	add_h	\hibit
	vpermd	T2, T1, T2
	vpand	T2, T0, T2
.else
	vpand	\hibit, T0, T2
.endif
	vpermd	S0, T1, S0
	vpermd	S4, T1, S4
	vpand	T0, S0, S0
	vpand	T0, S4, S4
	sub	%r10, %rcx
	shl	$4, %r10
	add	%r10, DATA
	split_words S0, S1, S2, S3, S4, S0, S4, T2, T3
.endm

/*
 * %rsi + 2^64 %rcx + 2^128 %r13 = r^2 (mod p), with %r13 <= 4. In: r0 in %r8, r1 in %r9,
 * q1 = 5 r1 / 4 in %r10. r0^2 + r1 q1 and 2 r0 r1 are below 2^122. Clobbers %rax, %rdx, %rdi.
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
	fold	%rsi, %rcx, %r13, %rdi
.endm

/*
 * T0 + 2^64 T1 + 2^128 T2 = r^4, r^2, r^3, r in the lanes, T2 up to 4. In: r0 in %r8, r1 in %r9.
 * Clobbers %ymm8 ... %ymm12 and all general registers except STATE, DATA, %rsp and %rbp.
 */
.macro	power_words
	five_quarters %r9, %r10
	vmovq	%r8, %xmm8
	vmovq	%r9, %xmm9
	square_r
	vmovq	%rsi, %xmm5
	vmovq	%rcx, %xmm6
	vmovq	%r13, %xmm7
	vpunpcklqdq %xmm5, %xmm5, %xmm5
	vpunpcklqdq %xmm6, %xmm6, %xmm6
	vpunpcklqdq %xmm7, %xmm7, %xmm7
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpunpcklqdq %xmm8, %xmm10, %xmm8
	vpunpcklqdq %xmm9, %xmm11, %xmm9
	vinserti128 $1, %xmm8, T0, T0
	vinserti128 $1, %xmm9, T1, T1
	vinserti128 $1, %xmm12, T2, T2
	mul_r	%rsi, %rcx, %r13, %r8, %r9, %r10
	vmovq	%rsi, %xmm10
	vmovq	%rcx, %xmm11
	vmovq	%r13, %xmm12
	vpblendd $3, %ymm10, T0, T0
	vpblendd $3, %ymm11, T1, T1
	vpblendd $3, %ymm12, T2, T2
.endm
