/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Eight messages at once, each under its own key, for CPUs with AVX512F, VL,
 * BW, DQ, IFMA and BMI2: messages of any lengths; or a run, which is requests
 * next to each other, as far as they have one length.
 *
 * Notation and contract: poly1305_core.h. A vector of numbers is three zmm
 * registers, one for each limb in radix 2^44, as in poly1305-avx512.h. Each of
 * the eight lanes belongs to one message: h, r and a block below mean eight of
 * each.
 *
 * A half is 32 bytes of each message. A transposition turns it into two rows; a
 * row is one block of every message:
 *
 *	h = (h + m_1) r^2 + m_2 r
 *
 * From GROUPS_MIN groups of two halves on, r^3 and r^4 save a reduction in each
 * group:
 *
 *	h = (h + m_1) r^4 + m_2 r^3 + m_3 r^2 + m_4 r
 *
 * The row with h comes last, because it alone depends on earlier results.
 *
 * If all eight messages have one length, as most do, they begin and end
 * together. If the number of blocks is odd, the first block goes by itself.
 *
 * If lengths differ, the last block of each message, whole or not, is set
 * apart. So is the first block, if the number of blocks before the last is odd.
 * The rest is halves that end together: a message shorter than the longest
 * begins later; until then its lane computes with zeroes, and its h is kept.
 *
 * A last block may be shorter than 16 bytes. Its 1 bit then follows its bytes,
 * and its bit 128 is 0. An empty message has a last block of 0.
 */

#include "../../compat.h"
#include "poly1305-offsets.h"
#include "poly1305-avx512.h"
#include "poly1305-batch-avx512.h"

	.section .rodata
	.p2align 6
/* Masks that clamp r, by limb; bit 128, in limb 2; numbers */
clamp_0:
	.quad	0xffc0fffffff
clamp_1:
	.quad	0xfffffc0ffff
clamp_2:
	.quad	0xffffffc0f
bit_128:
	.quad	1 << 40
one:
	.quad	1
sixteen:
	.quad	16
sixty_four:
	.quad	64
minus_16:
	.quad	-16
minus_32:
	.quad	-32
/* Lanes with nothing to load read this. */
zeroes:
	.fill	32, 1, 0
/* A load from n bytes in has the 1 bit behind 16 - n bytes, or none for n = 0. */
padding:
	.fill	16, 1, 0
	.byte	1
	.fill	15, 1, 0

	.text

/*
 * void poly1305_batch_avx512(const struct poly1305_mac_req *const reqs[],
 *			      unsigned int n);
 *
 * A lanes function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_batch_avx512)
	xor	%edx, %edx
	jmp	eights_avx512
SYM_FUNC_END(poly1305_batch_avx512)

/*
 * unsigned int poly1305_run_avx512(const struct poly1305_mac_req *reqs,
 *				    unsigned int n);
 *
 * A run function as poly1305_core.h defines it.
 */
SYM_TYPED_FUNC_START(poly1305_run_avx512)
	mov	$1, %edx
	jmp	eights_avx512
SYM_FUNC_END(poly1305_run_avx512)

/* Both; %edx says whether REQS points to the requests of a run */
SYM_FUNC_START_LOCAL(eights_avx512)
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%esi, VAR_MESSAGES(%rsp)
	mov	%esi, VAR_ASKED(%rsp)
	movl	$0, VAR_HAS_GROUPS(%rsp)
	mov	%edx, VAR_ADJACENT(%rsp)
	set_masks
	vpbroadcastq bit_128(%rip), HIBIT
	kxnorb	ALL, ALL, ALL
	cmpl	$0, VAR_ADJACENT(%rsp)
	jne	.Lrun
	begin_eight 0
	vmovdqa64 LOB, VAR_PADS(%rsp)
	vmovdqa64 HIB, VAR_PADS + 64(%rsp)

.Leight:
	test	DIFFER, DIFFER
	jnz	.Ldiffer
.Lalike:
	/*
	 * LEFT = blocks; %ecx = bytes that the last lacks; MARKS = the block
	 * with the 1 bit
	 */
	mov	ONE_LEN, %rcx
	neg	%rcx
	and	$15, %ecx
	add	%rcx, ONE_LEN
	lea	padding(%rip), MARKS
	add	%rcx, MARKS
	xor	%ebx, %ebx			/* OFFSET */
	shr	$4, LEFT
	jz	.Lempty
	test	$1, LEFT
	jz	.Leven

	/* If the number of blocks is odd: one row */
	dec	LEFT
	jz	.Lone_row
	load_row
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	carry44	X
	add	$16, OFFSET
	jmp	.Lpowers

	/* Only one row */
.Lone_row:
	load_one_row
	zero_sums
	mul44	Y, F
	cmpl	$0, VAR_ADJACENT(%rsp)
	je	.Ltags

	/*
	 * A run of single rows: the next eight are multiplied beside the end of
	 * these, and constants stay in their registers. E holds the next pads.
	 */
.Lrow_run:
	join44
	copy_limbs	L, X
	subl	$8, VAR_MESSAGES(%rsp)
	jz	.Lrun_last
	begin_run_eight 8, .Lrun_last
	vmovdqa64 LOB, E0
	vmovdqa64 HIB, E1
	load_one_row
	reduce
	add_pads
	zero_sums
	mul44	Y, F
	store_tags 1
	vmovdqa64 E0, VAR_PADS(%rsp)
	vmovdqa64 E1, VAR_PADS + 64(%rsp)
	add	$8 * REQ_SIZE, REQS
	jmp	.Lrow_run

.Lempty:
	zero_sums
	jmp	.Ltags

	/* Only one half: not worth r^2 */
.Leven:
	cmp	$2, LEFT
	jne	.Lfirst_half
	load_end 0
	split	LOA, HIA, ALL
	zero_sums
	mul44	Y, F
	carry44	X
	split	LOB, HIB, WHOLE
	add_h
	zero_sums
	mul44	Y, F
	jmp	.Ltags

.Lfirst_half:
	square_by_s F, E
	times20 E
	half_of_all first=1
	carry44	X
	add	$32, OFFSET
	sub	$2, LEFT
	jmp	.Lhalves

.Lpowers:
	square_by_s F, E
	times20 E
.Lhalves:
	shr	$1, LEFT
	cmp	$2 * GROUPS_MIN, LEFT
	jae	.Lmany

	/* LEFT = halves */
.Lhalf:
	dec	LEFT
	jz	.Llast_half
	half_of_all
	carry44	X
	add	$32, OFFSET
	jmp	.Lhalf

.Llast_half:
	half_of_all load_end, WHOLE
	jmp	.Ltags

	/* Long enough for r^3 and r^4 */
.Lmany:
	higher_powers
	shr	$1, LEFT
	jnc	.Lgroup
	half_of_all
	carry44	X
	add	$32, OFFSET

	/* LEFT = groups */
.Lgroup:
	dec	LEFT
	jz	.Llast_group
	group_of_all
	carry44	X
	add	$64, OFFSET
	jmp	.Lgroup

.Llast_group:
	group_of_all load_end, WHOLE

	/* Load the keys of the next eight before these are finished. */
.Ltags:
	join44
	copy_limbs	L, X
	cmpl	$0, VAR_ADJACENT(%rsp)
	jne	.Lrun_tags
	subl	$8, VAR_MESSAGES(%rsp)
	jz	.Llast_tags
	begin_eight 64
	reduce
	add_pads
	store_tags
	vmovdqa64 LOB, VAR_PADS(%rsp)
	vmovdqa64 HIB, VAR_PADS + 64(%rsp)
	add	$64, REQS
	jmp	.Leight

.Llast_tags:
	reduce
	add_pads
	store_tags

	/* Wipe the frame as far as it was used, and all vector registers. */
.Lend:
	mov	VAR_ASKED(%rsp), %eax
	sub	VAR_MESSAGES(%rsp), %eax
	vpxor	%xmm0, %xmm0, %xmm0
	wipe_rows	VAR_PADS, 4
	cmpl	$0, VAR_HAS_GROUPS(%rsp)
	je	.Lwiped
	wipe_rows	VAR_R4, 10
.Lwiped:
	kxorb	%k1, %k1, %k1
	vzeroupper
.irp i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpxor	%xmm\i, %xmm\i, %xmm\i
.endr
.irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vpxorq	%xmm\i, %xmm\i, %xmm\i
.endr
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET

	/* The same for a run, as far as lengths are equal */
.Lrun:
	mov	REQ_LEN(REQS), ONE_LEN
	mov	ONE_LEN, VAR_RUN_LEN(%rsp)
	begin_run_eight 0, .Lend
	vmovdqa64 LOB, VAR_PADS(%rsp)
	vmovdqa64 HIB, VAR_PADS + 64(%rsp)
	jmp	.Lalike
.Lrun_tags:
	subl	$8, VAR_MESSAGES(%rsp)
	jz	.Lrun_last
	begin_run_eight 8, .Lrun_last
	reduce
	add_pads
	store_tags 1
	vmovdqa64 LOB, VAR_PADS(%rsp)
	vmovdqa64 HIB, VAR_PADS + 64(%rsp)
	add	$8 * REQ_SIZE, REQS
	jmp	.Lalike
.Lrun_last:
	reduce
	add_pads
	store_tags 1
	jmp	.Lend

	/* Lengths differ. */
.Ldiffer:
	describe_messages
	jnz	.Ldiffer_short
	load_tail 0, DATA0, Z0, %xmm12
	load_tail 1, DATA1, Z1, %xmm13
	load_tail 2, DATA2, Z0
	load_tail 3, DATA3, Z1
	load_tail 4, DATA4, Z0
	load_tail 5, DATA5, Z1
	load_tail 6, DATA6, Z0
	load_tail 7, DATA7, Z1
	vpunpcklqdq Z1, Z0, LOB
	vpunpckhqdq Z1, Z0, HIB
	move_last
.Ldiffer_marks:
	mark_last
	lea	zeroes(%rip), NONE
	begin_differ 0, DATA0, Z0, %xmm12
	begin_differ 1, DATA1, Z1, %xmm13
	begin_differ 2, DATA2, Z0
	begin_differ 3, DATA3, Z1
	begin_differ 4, DATA4, Z0
	begin_differ 5, DATA5, Z1
	begin_differ 6, DATA6, Z0
	begin_differ 7, DATA7, Z1
	vpunpcklqdq Z1, Z0, LOB
	vpunpckhqdq Z1, Z0, HIB
	split	LOB, HIB, ODD
	zero_sums
	mul44	Y, F
	carry44	X
	neg	SHORTEST
	neg	OFFSET
	jz	.Ldiffer_last
	square_by_s F, E
	times20 E

	/* While some lanes have not begun */
	cmp	SHORTEST, OFFSET
	jge	.Ldiffer_whole
.Ldiffer_half:
	find_begun
	load_begun 0, DATA0, Z0, %ymm12
	load_begun 1, DATA1, Z1, %ymm13
	load_begun 4, DATA4, Z2, %ymm14
	load_begun 5, DATA5, Z3, %ymm28
	load_begun 2, DATA2, Z0
	load_begun 3, DATA3, Z1
	load_begun 6, DATA6, Z2
	load_begun 7, DATA7, Z3
	transpose
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	add_h
	mul44	Y, E
	carry44	Y
	vmovdqa64 Y0, X0{BEGUN}
	vmovdqa64 Y1, X1{BEGUN}
	vmovdqa64 Y2, X2{BEGUN}
	add	$32, OFFSET
	cmp	SHORTEST, OFFSET
	jl	.Ldiffer_half

.Ldiffer_whole:
	cmp	$-64 * GROUPS_MIN, OFFSET
	jg	.Ldiffer_whole_check
	higher_powers
	test	$32, OFFSET
	jz	.Ldiffer_group
	half_of_all
	carry44	X
	add	$32, OFFSET
.Ldiffer_group:
	group_of_all
	carry44	X
	add	$64, OFFSET
	jnz	.Ldiffer_group
	jmp	.Ldiffer_last

.Ldiffer_whole_half:
	half_of_all
	carry44	X
	add	$32, OFFSET
.Ldiffer_whole_check:
	test	OFFSET, OFFSET
	jnz	.Ldiffer_whole_half

.Ldiffer_last:
	vmovdqa64 VAR_LAST_LO(%rsp), LOB
	vmovdqa64 VAR_LAST_HI(%rsp), HIB
	split	LOB, HIB, WHOLE
	add_h
	zero_sums
	mul44	Y, F
	jmp	.Ltags

	/* Some have fewer than 16 bytes. */
.Ldiffer_short:
	load_short_last 0, DATA0, Z0, %xmm12
	load_short_last 1, DATA1, Z1, %xmm13
	load_short_last 2, DATA2, Z0
	load_short_last 3, DATA3, Z1
	load_short_last 4, DATA4, Z0
	load_short_last 5, DATA5, Z1
	load_short_last 6, DATA6, Z0
	load_short_last 7, DATA7, Z1
	vpunpcklqdq Z1, Z0, LOB
	vpunpckhqdq Z1, Z0, HIB
	jmp	.Ldiffer_marks
SYM_FUNC_END(eights_avx512)
