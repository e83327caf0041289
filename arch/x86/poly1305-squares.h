/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * r^8, r^16, r^32 and r^12 for AVX2, and sums over lanes.
 *
 * The powers are computed in general registers. A multiplication there takes less than half as
 * long as one in vectors, and leaves the vector units free.
 *
 * A number is sq0 + 2^44 sq1 + 2^88 sq2, and 2^132 = 20 (mod p). Products are added up in three
 * columns of 128 bits, c0, c1 and c2.
 *
 * VAR_POWERS(%rsp) is the array of poly1305-powers.h, which must hold r^4. VAR_SQUARES(%rsp) has
 * room for three rows of four limbs: in each row the limbs of one weight of r^8, r^16, r^32, r^12.
 */

#define sq0	%r8
#define sq1	%r9
#define sq2	%r10
#define c0l	%rcx
#define c0h	%rsi
#define c1l	%rdi
#define c1h	%r13
#define c2l	%r14
#define c2h	%r15
#define low44	%r11

/* c = x y, or c += x y if add=1. Clobbers %rax, %rdx. */
.macro	gpr_mul	cl, ch, x, y, add=0
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
.macro	gpr_times20	x
	lea	(\x, \x, 4), \x
	shl	$2, \x
.endm

/*
 * sq = c (mod p), for columns below 2^96, 2^94.5 and 2^91.6; limbs of sq are below 2^44 + 2^11.
 * All columns carry at once. As the carries are below 2^52, all columns carry once more.
 * Clobbers c, %rax, %rdx.
 */
.macro	gpr_carry
	mov	c0l, sq0
	mov	c1l, sq1
	mov	c2l, sq2
	shrd	$44, c0h, c0l
	shrd	$44, c1h, c1l
	shrd	$44, c2h, c2l
	and	low44, sq0
	and	low44, sq1
	and	low44, sq2
	lea	(c2l, c2l, 4), c2l
	add	c0l, sq1
	add	c1l, sq2
	lea	(sq0, c2l, 4), sq0
	mov	sq0, %rax
	mov	sq1, %rdx
	mov	sq2, c2l
	shr	$44, %rax
	shr	$44, %rdx
	shr	$44, c2l
	and	low44, sq0
	and	low44, sq1
	and	low44, sq2
	lea	(c2l, c2l, 4), c2l
	add	%rax, sq1
	add	%rdx, sq2
	lea	(sq0, c2l, 4), sq0
.endm

/* sq = sq^2 (mod p), also stored as number j of VAR_SQUARES; limbs below 2^45. Clobbers c. */
.macro	gpr_square j
	gpr_mul	c0l, c0h, sq0, sq0
	mov	sq2, c2l
	gpr_times20	c2l
	lea	(sq0, sq0), c2h
	gpr_mul	c1l, c1h, c2h, sq1
	gpr_mul	c1l, c1h, c2l, sq2, add=1
	add	c2l, c2l
	gpr_mul	c0l, c0h, c2l, sq1, add=1
	mov	c2h, %rax
	gpr_mul	c2l, c2h, %rax, sq2
	gpr_mul	c2l, c2h, sq1, sq1, add=1
	gpr_carry
	gpr_store	\j
.endm

/* Number j of VAR_SQUARES = sq */
.macro	gpr_store	j
	mov	sq0, VAR_SQUARES + 8 * \j(%rsp)
	mov	sq1, VAR_SQUARES + 32 + 8 * \j(%rsp)
	mov	sq2, VAR_SQUARES + 64 + 8 * \j(%rsp)
.endm

/*
 * VAR_SQUARES = r^8, r^16, r^32 and r^12 = r^8 r^4, with limbs below 2^44 + 2^11. Clobbers all
 * general registers except STATE and DATA.
 */
.macro	compute_squares
	mov	$(1 << 44) - 1, low44
	mov	VAR_POWERS(%rsp), sq0
	mov	VAR_POWERS + 32(%rsp), sq1
	mov	VAR_POWERS + 64(%rsp), sq2
	gpr_square 0
	gpr_square 1
	gpr_square 2

	mov	VAR_SQUARES(%rsp), sq0
	mov	VAR_SQUARES + 32(%rsp), sq1
	mov	VAR_SQUARES + 64(%rsp), sq2
	gpr_mul	c0l, c0h, sq0, VAR_POWERS(%rsp)
	gpr_mul	c1l, c1h, sq0, VAR_POWERS+32(%rsp)
	gpr_mul	c2l, c2h, sq0, VAR_POWERS+64(%rsp)
	gpr_mul	c1l, c1h, sq1, VAR_POWERS(%rsp), add=1
	gpr_mul	c2l, c2h, sq1, VAR_POWERS+32(%rsp), add=1
	gpr_mul	c2l, c2h, sq2, VAR_POWERS(%rsp), add=1
	gpr_times20	sq1
	gpr_times20	sq2
	gpr_mul	c0l, c0h, sq1, VAR_POWERS+64(%rsp), add=1
	gpr_mul	c0l, c0h, sq2, VAR_POWERS+32(%rsp), add=1
	gpr_mul	c1l, c1h, sq2, VAR_POWERS+64(%rsp), add=1
	gpr_carry
	gpr_store	3
	/* Scalar code, called next, pushes these registers, so they may hold no key material. */
	xor	%r13d, %r13d
	xor	%r14d, %r14d
	xor	%r15d, %r15d
.endm

/*
 * %ymm\x = limb i of the four powers at \q0 ... \q3 in the frame. Four loads, because recent
 * stores of 8 bytes cannot be forwarded to one load of 32. Clobbers %xmm13.
 */
.macro	gather	i, x, q0, q1, q2, q3
	vmovq	32 * \i + \q0(%rsp), %xmm\x
	vmovhps	32 * \i + \q1(%rsp), %xmm\x, %xmm\x
	vmovq	32 * \i + \q2(%rsp), %xmm13
	vmovhps	32 * \i + \q3(%rsp), %xmm13, %xmm13
	vinserti128 $1, %xmm13, %ymm\x, %ymm\x
.endm

/* %ymm\x = limb i of r^4, r^8, r^12, r^16. Clobbers %xmm13. */
.macro	load_squares i, x
	gather	\i, \x, VAR_POWERS, VAR_SQUARES, VAR_SQUARES+24, VAR_SQUARES+8
.endm

/*
 * %rax, %rcx, %rdx, %rsi, %rdi = the sums over the lanes of %ymm10 ... %ymm14.
 * Clobbers %ymm0 ... %ymm5.
 */
.macro	add_up_lanes
	vpunpcklqdq %ymm11, %ymm10, %ymm0
	vpunpckhqdq %ymm11, %ymm10, %ymm1
	vpunpcklqdq %ymm13, %ymm12, %ymm2
	vpunpckhqdq %ymm13, %ymm12, %ymm3
	vextracti128 $1, %ymm14, %xmm4
	vpaddq	%ymm1, %ymm0, %ymm0
	vpaddq	%ymm3, %ymm2, %ymm2
	vpaddq	%xmm14, %xmm4, %xmm4
	vextracti128 $1, %ymm0, %xmm1
	vextracti128 $1, %ymm2, %xmm3
	vpunpckhqdq %xmm4, %xmm4, %xmm5
	vpaddq	%xmm1, %xmm0, %xmm0
	vpaddq	%xmm3, %xmm2, %xmm2
	vpaddq	%xmm5, %xmm4, %xmm4
	vmovq	%xmm0, %rax
	vpextrq	$1, %xmm0, %rcx
	vmovq	%xmm2, %rdx
	vpextrq	$1, %xmm2, %rsi
	vmovq	%xmm4, %rdi
.endm
