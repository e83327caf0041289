/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for CPUs with AVX-512F and VL, but without IFMA.
 *
 * All arithmetic is modulo p = 2^130 - 5 in radix 2^26. A number is five limbs,
 * one in each of five vector registers. A register has eight lanes of 64 bits,
 * and vpmuludq multiplies their low halves. Let R = r^4.
 *
 * Groups, for long messages. For a group of g <= 56 vectors of four blocks, as they lie in
 * memory, the polynomial is
 *
 *	sum over k = 0 ... g-1 of R^k (a_k r^4 + b_k r^3 + c_k r^2 + d_k r),
 *
 * where a_k ... d_k are the blocks of the k-th vector, counted from the end.
 * All lanes of a vector are multiplied by one R^k. Only their sums are
 * multiplied by the four different powers, once per message.
 *
 * A block is two lanes, low and high. The high lane stands for 2^64 times its
 * value; the last multiplication accounts for that, too. A lane is two dwords,
 * m = even + 2^32 odd, and the message is never split. Even dwords come from a
 * plain load, because vpmuludq ignores the upper halves; odd dwords are moved
 * down by vmovshdup as they are loaded. Each kind has its own five sums, E and
 * O, which are joined once per group. That gives 10 multiplications and 10
 * additions per vector, and one reduction per group of 56.
 *
 * Bounds: Limbs in the table of powers are below L = 2^26 + 2^19. In one
 * sum a group of 56 vectors collects
 *
 *	55 products of a message dword		< 55 * 2^32 L	< 2^63.80
 *	the last dword, of weight R^0		< 2^32
 *	the previous group's sum times R^56	< 2^56.5
 *	the bits 128 of all its blocks		< 2^58.2
 *
 * less than 2^64 - 2^59 altogether, which leaves room for the carries.
 *
 * Eights, for packets, where a table of powers costs too much. Call eight successive
 * blocks an eight. A lane takes one block of each, split into limbs. S is the value of
 * each lane's own polynomial, which the eights m, n, ... change by
 *
 *	S = S R^2 + m,		or two at a time	S = S R^4 + m R^2 + n,
 *
 * with one reduction. The last eight also adds the first four lanes, times R, to the
 * last four, which is where poly1305-avx2-short.S ends, too: with four lanes, times r^4,
 * r^2, r^3 and r. All powers but R^4 are that file's, and stay in state->pow in its form,
 * so that its code and this may take turns.
 *
 * The first eight has the 1 to 8 blocks that leave a multiple of 8, and the last eight may
 * end with a partial block, without bit 128. After a carry, limbs of S and of powers are
 * below 2^26 + 2^15. Limb 4 of a block is below 2^25, that of the first S below 7 * 2^24, and
 * that of R below 2^26 + 2^24. The ten products in a column, most of them times 5, are below
 * 2^57.5.
 *
 * tests/bounds/poly1305-avx512f.py computes these bounds and those at the
 * macros.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-powers.h"
#include "poly1305-avx512f.h"
#include "poly1305-squares.h"
#include "poly1305-x86_64-ends.h"

/* Longest message, in vectors, that is two groups, and four */
.set	TWO_GROUPS, 64
.set	FOUR_GROUPS, 160

.section .rodata
.p2align 6
.Lone_in_last_four:
	.quad	0, 0, 0, 0, 1, 1, 1, 1
/* Where blocks 1, 3, 2, 4, 5, 7, 6, 8 have their low and their high words in an eight */
.Llow_words:
	.quad	0, 4, 2, 6, 8, 12, 10, 14
.Lhigh_words:
	.quad	1, 5, 3, 7, 9, 13, 11, 15
/* Alternating lanes of two vectors of four */
.Lby_turns:
	.byte	0, 8, 1, 9, 2, 10, 3, 11
.Lmask26:
	.quad	(1 << 26) - 1
.text

/*
 * Take %rdx > 8 blocks, with hibit %ecx. 128 bytes are read at %r8, of which the first 1 to
 * 8 blocks are taken, and the last eight are at %r9. The others follow the first ones as if
 * those were at %rsi. Of the last eight only those in the lanes of k2 have bit 128.
 *
 * %rdi is a state whose own is OWN_POWERS at least, and whose npow is 0; own becomes
 * OWN_FOURTH. Wipes what it clobbers.
 */
SYM_FUNC_START_LOCAL(eights_avx512f)
	begin_small
	mov	%rdi, STATE
	mov	%rsi, DATA
	mov	%r8, %rdi
	mov	%r9, %rsi
	vpbroadcastq .Lmask26(%rip), MASK26
	cmpl	$OWN_FOURTH, STATE_OWN(STATE)
	je	.Lfourth_known
	make_cube_and_fourth
	movl	$OWN_FOURTH, STATE_OWN(STATE)
.Lfourth_known:
	shl	$24, %ecx
	vpbroadcastq %rcx, BITS
	vmovdqa64 .Llow_words(%rip), BLOCKS_LOW
	vmovdqa64 .Lhigh_words(%rip), BLOCKS_HIGH
.irp i, 0, 1, 2, 3
	vpbroadcastd STATE_POW+OWN_R_4+4*\i(STATE), L\i
.endr
	vpbroadcastd STATE_POW+OWN_R_4_TOP(STATE), L4

	/* %eax = the blocks of the first eight, %rdx = the eights between it and the last */
	dec	%rdx
	mov	%edx, %eax
	and	$7, %eax
	inc	%eax
	shr	$3, %rdx
	dec	%rdx
	first_eight
	shl	$4, %eax
	add	%rax, DATA
	test	$1, %dl
	jz	.Leights
	one_eight 0(DATA)
	sub	$-128, DATA
.Leights:
	shr	$1, %rdx
	jz	.Llast_eight
.Ltwo_eights:
	two_eights 0(DATA)
	add	$256, DATA
	dec	%rdx
	jnz	.Ltwo_eights
.Llast_eight:
	vmovdqa64 BITS, BITS{%k2}{z}
	last_eight 0(%rsi)
	mul_lanes
	add_up_lanes
	/* h first: the next piece waits for it. */
	store_h	DATA
	wipe_vectors
	end_small
SYM_FUNC_END(eights_avx512f)

/*
 * The block function for fewer than poly1305_avx512f_groups_from bytes, whose number is
 * %rax
 */
SYM_FUNC_START_LOCAL(blocks_avx512f_short)
	cmpl	$0, STATE_NPOW(%rdi)
	jne	.Lown_unknown
	cmpl	$OWN_POWERS, STATE_OWN(%rdi)
	jb	.Lown_unknown
	/* The powers of eights are known, so these pay earlier. */
	cmp	poly1305_avx512f_kept_from(%rip), %rax
	jb	poly1305_blocks_avx2
.Lown_known:
	mov	%rsi, %r8
	lea	-128(%rsi, %rax), %r9
	kxnorw	%k2, %k2, %k2
	jmp	eights_avx512f
.Lown_unknown:
	cmp	poly1305_avx512f_from(%rip), %rax
	jb	poly1305_blocks_avx2
	push	%rbp
	mov	%rsp, %rbp
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	call	poly1305_powers_avx2
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	pop	%rbp
	mov	%rdx, %rax
	shl	$4, %rax
	jmp	.Lown_known
SYM_FUNC_END(blocks_avx512f_short)

/* Begin a function for a whole message of \len bytes, with a state in the frame. */
.macro	begin_message len, tag
	begin_small
	sub	$MESSAGE_FRAME, %rsp
	and	$-64, %rsp
	mov	%rsp, STATE
	mov	%rsi, DATA
	mov	\len, MESSAGE_LEN(%rsp)
	mov	\tag, MESSAGE_TAG(%rsp)
	mov	%rdi, MESSAGE_KEY(%rsp)
.endm

/*
 * Fill in the state: h = 0, R and R^2. Clobbers what a function may; %rdx = the length of
 * the message.
 */
.macro	begin_state
	mov	MESSAGE_KEY(%rsp), %rdi
	load_r	%rdi, %r8, %r9
	xor	%eax, %eax
	mov	%rax, STATE_H(STATE)
	mov	%rax, STATE_H + 8(STATE)
	mov	%rax, STATE_H + 16(STATE)
	mov	%r8, STATE_R(STATE)
	mov	%r9, STATE_R + 8(STATE)
	mov	STATE, %rdi
	call	poly1305_powers_avx2
	mov	MESSAGE_LEN(%rsp), %rdx
.endm

/*
 * Take %rdx blocks, of which the last eight are in MESSAGE_LAST, and have bit 128 in the lanes
 * of %eax; %r8 and DATA are %r8 and %rsi of eights_avx512f. Write the tag, wipe the frame, and
 * return.
 */
.macro	finish_message
	kmovw	%eax, %k2
	mov	STATE, %rdi
	mov	DATA, %rsi
	mov	$1, %ecx
	lea	MESSAGE_LAST(%rsp), %r9
	call	eights_avx512f
	mov	STATE_H(STATE), %r8
	mov	STATE_H+8(STATE), %r9
	mov	STATE_H+16(STATE), %r10
	mov	MESSAGE_TAG(%rsp), %rcx
	mov	MESSAGE_KEY(%rsp), %rsi
	add_pad	%r8, %r9, %r10, %rsi
.set i, 0
.rept MESSAGE_LEN / 64
	vmovdqa64 %zmm0, i(%rsp)
.set i, i + 64
.endr
	mov	%r8, (%rcx)
	mov	%r9, 8(%rcx)
	end_small
.endm

/*
 * void poly1305_digest_avx512f(const u8 key[32], const u8 *data, size_t len, u8 tag[16]);
 *
 * The tag of a message. Long ones would take less time through poly1305_blocks_avx512f(). The
 * tag is written last, so it may overlap key or data.
 */
SYM_TYPED_FUNC_START(poly1305_digest_avx512f)
	cmp	poly1305_avx512f_from(%rip), %rdx
	jb	poly1305_digest_avx2
	begin_message %rdx, %rcx
	begin_state
	/* The last eight, copied, in case a block is partial and needs a 1 bit behind it */
	mov	%edx, %ecx
	add	$15, %rdx
	and	$-16, %rdx
	lea	-16(DATA, %rdx), %rsi
	vmovdqu64 -112(%rsi), %zmm0
	vmovdqu64 -64(%rsi), %zmm1
	vmovdqu64 %zmm0, MESSAGE_LAST(%rsp)
	vmovdqu64 %zmm1, MESSAGE_LAST+48(%rsp)
	and	$15, %ecx
	jnz	.Lpartial
	vmovdqu	(%rsi), %xmm0
	vmovdqa	%xmm0, MESSAGE_LAST+112(%rsp)
	mov	$0xff, %eax
	jmp	.Lcopied
.Lpartial:
	sub	$16, %rsi
	sub	$16, %rcx
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	add_rest %r8, %r9, %r9, %rsi
	mov	%r8, MESSAGE_LAST+112(%rsp)
	mov	%r9, MESSAGE_LAST+120(%rsp)
	mov	MESSAGE_LEN(%rsp), %rdx
	add	$15, %rdx
	mov	$0x7f, %eax
.Lcopied:
	shr	$4, %rdx
	mov	DATA, %r8
	finish_message
SYM_FUNC_END(poly1305_digest_avx512f)

/*
 * void poly1305_parts_avx512f(const u8 key[32], const u8 *data, size_t len,
 *			       const u8 ends[48], bool three, u8 tag[16]);
 *
 * The tag of whole blocks in two or three parts, as of poly1305_parts_avx2(), which takes
 * those of fewer than poly1305_avx512f_from bytes. They are AVX2_SHORT_MIN at least, of
 * which the first eight are loaded.
 */
SYM_TYPED_FUNC_START(poly1305_parts_avx512f)
	movzbl	%r8b, %eax
	shl	$4, %eax
	lea	32(%rdx, %rax), %rax
	cmp	poly1305_avx512f_from(%rip), %rax
	jb	poly1305_parts_avx2
	begin_message %rax, %r9
	vmovdqu64 -96(DATA, %rdx), %zmm0
	vmovdqu	-32(DATA, %rdx), %ymm1
	vmovdqu	16(%rcx), %ymm2
	vmovdqa64 %zmm0, MESSAGE_LAST(%rsp)
	vmovdqa	%ymm1, MESSAGE_LAST+64(%rsp)
	vmovdqa	%ymm2, MESSAGE_LAST+96(%rsp)
	/* %r10 = where the first eight have the first block at data */
	lea	MESSAGE_FIRST(%rsp), %r10
	test	%r8b, %r8b
	jz	.Lcopy_first
	vmovdqu	(%rcx), %xmm0
	vmovdqa	%xmm0, (%r10)
	add	$16, %r10
	sub	$16, DATA
.Lcopy_first:
	vmovdqu64 (%rsi), %zmm0
	vmovdqu64 64(%rsi), %zmm1
	vmovdqu64 %zmm0, (%r10)
	vmovdqu64 %zmm1, 64(%r10)
	begin_state
	shr	$4, %rdx
	lea	MESSAGE_FIRST(%rsp), %r8
	mov	$0xff, %eax
	finish_message
SYM_FUNC_END(poly1305_parts_avx512f)

/*
 * void poly1305_blocks_avx512f(struct poly1305_mac_state *state,
 *				const u8 *data, size_t nblocks, u32 hibit);
 *
 * A block function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_blocks_avx512f)
	mov	%rdx, %rax
	shl	$4, %rax
	cmp	poly1305_avx512f_groups_from(%rip), %rax
	jb	blocks_avx512f_short

	begin_blocks
	shl	$24, %rcx
	mov	%rcx, VAR_HIBIT(%rsp)

	/*
	 * n = %rax vectors become a first group of g1 = %r8 vectors and
	 * %r10 > 0 groups of g = %r9, with 2 <= g1 <= g <= GROUP. The %r11
	 * blocks left over go first, as a head.
	 */
	mov	%rdx, %r11
	mov	%rdx, %rax
	shr	$2, %rax
	/* 2 or 4 groups, of which the first may be shorter */
	mov	%rax, %r8
	mov	$1, %r10d
	lea	1(%rax), %r9
	shr	$1, %r9
	cmp	$TWO_GROUPS, %rax
	jbe	.Lgroups_known
	mov	$3, %r10d
	lea	3(%rax), %r9
	shr	$2, %r9
	cmp	$FOUR_GROUPS, %rax
	jbe	.Lgroups_known
	/* n / 56 = (n / 8) / 7; to divide by 7, multiply by 2^64 / 7 rounded up. */
	shr	$3, %rax
	mov	$0x2492492492492493, %rcx
	mul	%rcx
	mov	%rdx, %r10
	mov	$GROUP, %r9d
.Lgroups_known:
	mov	%r9, %rcx
	imul	%r10, %rcx
	sub	%rcx, %r8
	/* A first group of 0 or 1 becomes a full one. */
	cmp	$2, %r8
	jae	.Ldivided
	mov	%r9, %r8
	sub	%r9, %rcx
	dec	%r10
.Ldivided:
	add	%r8, %rcx
	shl	$2, %rcx
	sub	%rcx, %r11
	mov	%r9, VAR_G(%rsp)
	mov	%r10, VAR_GROUPS(%rsp)
	mov	%r11, VAR_HEAD(%rsp)
	mov	%r8, VAR_G1(%rsp)

	/* r^4 ... r^1: known, or computed here */
	cmpl	$4, STATE_NPOW(STATE)
	jb	.Lpowers_unknown
	copy_powers STATE_POW_4(STATE), STATE_POW_ROW, VAR_POWERS(%rsp), 32
	jmp	.Lpowers_known
.Lpowers_unknown:
	compute_powers
.Lpowers_known:
	compute_squares r_32=0

	/*
	 * The head goes through scalar code. It is here to run beside the
	 * multiplications above, each of which waits for the one before.
	 */
	mov	VAR_HEAD(%rsp), %rdx
	test	%rdx, %rdx
	jz	.Lhead_done
	mov	STATE, %rdi
	mov	DATA, %rsi
	mov	%rdx, %rax
	shl	$4, %rax
	add	%rax, DATA
	mov	VAR_HIBIT(%rsp), %rcx
	shr	$24, %rcx
	call	SCALAR_BLOCKS
.Lhead_done:

	/* S = r^4, r^3, r^2, r^1 */
	use	ymm
	vpbroadcastq .Lmask26(%rip), %zmm15
	load_powers 0, 10
	load_powers 1, 11
	load_powers 2, 12
	split_power S, X0, X1, M
	/*
	 * R^1 ... R^4; times R^4 gives R^5 ... R^8; together the first row of
	 * the table
	 */
	load_squares 0, 10
	load_squares 1, 11
	load_squares 2, 12
	split_power O, X0, X1, M
	store_table O, VAR_TABLE(%rsp)
	copy	O0, H0, O1, H1, O2, H2, O3, H3, O4, H4
	mul_power E, H, VAR_TABLE+24(%rsp), {1to4}
	carry	E
	use	zmm
.irp i, 0, 1, 2, 3, 4
	vinserti64x4 $1, %ymm\i, O\i, O\i
.endr
	store_table O, VAR_TABLE(%rsp)

	vpmovzxbq .Lby_turns(%rip), M
	make_last 0, 3, 2, times5_both=1
	make_last 1, 4, 3, times5_both=1
	make_last 2, 0, 4, times5_hi=1
	make_last 3, 1, 0
	make_last 4, 2, 1

	/*
	 * More rows of eight, up to R^g. Row %r8 is row %r8 - %r10 times
	 * R^(%r10 / 8), where %r10 doubles, so that each row depends on few
	 * others. Counted in bytes of the table.
	 */
	mov	VAR_G(%rsp), %rdi
	shl	$3, %rdi
	mov	$64, %r8d
	mov	$64, %r10d
	jmp	.Lrows_check
.Lrows:
	lea	VAR_TABLE(%rsp, %r8), %rax
	mov	%rax, %rsi
	sub	%r10, %rsi
	lea	VAR_TABLE - 8(%rsp, %r10), %rcx
	copy	0*ROW(%rsi), S0, 1*ROW(%rsi), S1, 2*ROW(%rsi), S2
	copy	3*ROW(%rsi), S3, 4*ROW(%rsi), S4
	mul_power E, S, 0(%rcx), {1to8}
	carry	E
	store_table E, 0(%rax)
	add	$64, %r8
	lea	(%r10, %r10), %rax
	cmp	%rax, %r8
	cmove	%rax, %r10
.Lrows_check:
	cmp	%rdi, %r8
	jb	.Lrows

	mov	$0x5555, %eax
	kmovw	%eax, EVEN
	mov	VAR_G1(%rsp), %r10
	sum_hibits %r10

	/*
	 * A group goes from the last vector to the first, because low powers
	 * are ready before high ones. %rdx is the end of the group.
	 */
	mov	%r10, %rsi
	shl	$6, %rsi
	add	DATA, %rsi
	mov	%rsi, %rdx
	sub	$64, %rsi
	begin_group (%rsi)
	lea	VAR_TABLE(%rsp), %rdi
	sub	$2, %r10
	jz	.Lfirst_vector
.Lfirst_vectors:
	sub	$64, %rsi
	mul_vector (%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lfirst_vectors
.Lfirst_vector:

	/* h + first block; %r9 is the excess over 128 bits, times 2^24 */
	load_h
	add	(DATA), %rax
	adc	8(DATA), %rcx
	adc	$0, %r9
	shl	$24, %r9
	vmovq	%rax, %xmm10
	vpinsrq	$1, %rcx, %xmm10, %xmm10
	mov	$3, %eax
	kmovw	%eax, %k1
	vmovdqu64 (DATA), X1
	vmovdqa64 X0, X1{%k1}
	vpsrlq	$32, X1, X0
	mul_dwords 0(%rdi), O0, E0, O1, E1, O2, E2, O3, E3, O4, E4
	vmovq	%r9, %xmm10
	mul_limb X0, 0, 5, E4, 0*ROW(%rdi){1to8}
	times5	X0
	mul_limb X0, 0, 5, E0, 1*ROW(%rdi){1to8}, E1, 2*ROW(%rdi){1to8}, \
		E2, 3*ROW(%rdi){1to8}, E3, 4*ROW(%rdi){1to8}

	mov	VAR_GROUPS(%rsp), %r8
	mov	VAR_G(%rsp), %r10
	cmp	VAR_G1(%rsp), %r10
	je	.Lgroups
	sum_hibits %r10

.Lgroups:
	join
	carry	E, S
	mov	VAR_G(%rsp), %r10
	mov	%r10, %rsi
	shl	$6, %rsi
	add	%rdx, %rsi
	mov	%rsi, %rdx
	sub	$64, %rsi
	begin_group (%rsi)
	lea	VAR_TABLE(%rsp), %rdi
	dec	%r10
.Lvectors:
	sub	$64, %rsi
	mul_vector (%rsi), 0(%rdi)
	add	$8, %rdi
	dec	%r10
	jnz	.Lvectors
	mul_power E, S, 0(%rdi), {1to8}, first=0
	dec	%r8
	jnz	.Lgroups

	/* Multiply the lanes by their powers, and add them up. */
	join
	carry	E, S
	multiply E, S, "L0, L1, L2, L3, L4"

	/* h = the sums over the lanes of E, below 2^63 each */
	vextracti64x4 $1, E0, %ymm10
	vextracti64x4 $1, E1, %ymm11
	vextracti64x4 $1, E2, %ymm12
	vextracti64x4 $1, E3, %ymm13
	vextracti64x4 $1, E4, %ymm14
	vpaddq	%ymm0, %ymm10, %ymm10
	vpaddq	%ymm1, %ymm11, %ymm11
	vpaddq	%ymm2, %ymm12, %ymm12
	vpaddq	%ymm3, %ymm13, %ymm13
	vpaddq	%ymm4, %ymm14, %ymm14
	add_up_lanes
	store_h

	/* After so long a piece more may follow: keep the powers. */
	cmpl	$4, STATE_NPOW(STATE)
	jae	.Lwipe
	copy_powers VAR_POWERS(%rsp), 32, STATE_POW_4(STATE), STATE_POW_ROW
	movl	$4, STATE_NPOW(STATE)
.Lwipe:
	/* Wipe the frame as far as it was used, and all vector registers. */
	vpxorq	E0, E0, E0
	vmovdqa64 E0, VAR_POWERS(%rsp)
	vmovdqa64 E0, VAR_POWERS + 64(%rsp)
	vmovdqa64 E0, VAR_POWERS + 128(%rsp)
	mov	VAR_G(%rsp), %rdi
	lea	VAR_TABLE - 8(%rsp, %rdi, 8), %rdi
	and	$-64, %rdi
	lea	VAR_TABLE(%rsp), %rsi
.Lwipe_row:
.irp i, 0, 1, 2, 3, 4
	vmovdqa64 E0, \i * ROW(%rdi)
.endr
	sub	$64, %rdi
	cmp	%rsi, %rdi
	jae	.Lwipe_row
	wipe_vectors
	end_blocks
SYM_FUNC_END(poly1305_blocks_avx512f)

/* Members of the preset, which are set before the first call */
.section .data..ro_after_init, "aw"
	.p2align 3
	.globl	poly1305_avx512f_kept_from, poly1305_avx512f_from
	.globl	poly1305_avx512f_groups_from
	.hidden	poly1305_avx512f_kept_from, poly1305_avx512f_from
	.hidden	poly1305_avx512f_groups_from
poly1305_avx512f_kept_from:
	.quad	768
poly1305_avx512f_from:
	.quad	768
poly1305_avx512f_groups_from:
	.quad	768
