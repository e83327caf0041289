/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Eight messages at once, each under its own key, for CPUs with AVX512F, VL, BW,
 * DQ, IFMA and BMI2.
 *
 * Notation and contract: poly1305_core.h. A vector of numbers is three zmm
 * registers, one for each limb in radix 2^44, as in poly1305-avx512.h; each of
 * its eight lanes belongs to one message. What is written here about h, r and a
 * block is done to eight of each.
 *
 * A half is 32 bytes of each message, which a transposition turns into two rows,
 * the next block of every message in each:
 *
 *	h = (h + m_1) r^2 + m_2 r
 *
 * From GROUPS_MIN groups of two halves on, r^3 and r^4 save a reduction in each:
 *
 *	h = (h + m_1) r^4 + m_2 r^3 + m_3 r^2 + m_4 r
 *
 * The row with h comes last, as it alone has to wait for what was before.
 *
 * Eight messages of one length, as most are, begin together, the first block of
 * an odd number by itself. The others end together: a message that is shorter
 * than the longest begins later; until then its loads are masked, and its lane
 * takes blocks that are 0 with a bit 128 of 0, which leave its h = 0 as it is.
 *
 * A last block may be shorter than 16 bytes: what is missing is masked as well,
 * and the 1 bit behind the message set into the last row.
 */

#include "../../compat.h"
#include "poly1305-avx512.h"
#include "poly1305-batch-avx512.h"

	.section .rodata
	.p2align 6
/* 20 * 2^8 and 5 in all lanes: 2^140 and 2^130 (mod p) */
by_2_140:
	.fill	8, 8, 20 << 8
by_2_130:
	.fill	8, 8, 5
/* r0 and r1 clamped; bit 128 as limb 2 has it; numbers */
clamp_lo:
	.quad	0x0ffffffc0fffffff
clamp_hi:
	.quad	0x0ffffffc0ffffffc
bit_128:
	.quad	1 << 40
one:
	.quad	1
fifteen:
	.quad	15
sixteen:
	.quad	16
twenty:
	.quad	20
/* From n bytes in, a block: the 1 bit behind 16 - n bytes, none for n = 0 */
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
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$FRAME, %rsp
	and	$-64, %rsp
	mov	%esi, TODO(%rsp)
	movl	$0, HAS_GROUPS(%rsp)
	set_masks
	vpbroadcastq bit_128(%rip), HIBIT

.Leight:
	xor	%ebx, %ebx			/* DIFFER */
	begin_lane 0, DATA0
	load_first_key Z0, %ymm12
	begin_lane 2, DATA2
	load_second_key Z0
	begin_lane 1, DATA1
	load_first_key Z1, %ymm13
	begin_lane 3, DATA3
	load_second_key Z1
	begin_lane 4, DATA4
	load_first_key Z2, %ymm14
	begin_lane 6, DATA6
	load_second_key Z2
	begin_lane 5, DATA5
	load_first_key Z3, %ymm28
	begin_lane 7, DATA7
	load_second_key Z3
	transpose
	vmovdqa64 LOB, PADS(%rsp)
	vmovdqa64 HIB, PADS + 64(%rsp)
	split_key
	kxnorb	ALL, ALL, ALL
	test	DIFFER, DIFFER
	jnz	.Ldiffer

	/* LEFT = blocks; %rcx = bytes missing in the last, masked by its marks */
	mov	LEN, %rcx
	neg	%rcx
	and	$15, %ecx
	add	%rcx, LEN
	lea	padding(%rip), MARKS
	add	%rcx, MARKS
	xor	%ebx, %ebx			/* OFFSET */
	shr	$4, LEFT
	jz	.Lempty
	test	$1, LEFT
	jz	.Leven

	/* An odd number: one row */
	dec	LEFT
	jz	.Lonly
	load_row
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	carry44	X
	add	$16, OFFSET
	jmp	.Lpowers

	/* One row in all */
.Lonly:
	test	%ecx, %ecx
	jnz	.Lonly_short
	load_row
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	jmp	.Ltags
.Lonly_short:
	mov	$0xffff, %eax
	shrx	%ecx, %eax, %eax
	load_short_row
	vporq	(MARKS){1to8}, LOB, LOB
	vporq	8(MARKS){1to8}, HIB, HIB
	kxorb	%k1, %k1, %k1
	split	LOB, HIB, %k1
	zero_sums
	mul44	Y, F
	jmp	.Ltags

.Lempty:
	zero_sums
	jmp	.Ltags

.Leven:
	vpxorq	X0, X0, X0
	vpxorq	X1, X1, X1
	vpxorq	X2, X2, X2
.Lpowers:
	square	F, E
	twenty_times E
	shr	$1, LEFT
	cmp	$2 * GROUPS_MIN, LEFT
	jae	.Lmany

	/* LEFT = halves */
.Lhalf:
	dec	LEFT
	jz	.Llast_half
	load_half 0
	transpose
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	add_h
	mul44	Y, E
	carry44	X
	add	$32, OFFSET
	jmp	.Lhalf

.Llast_half:
	load_end 0
	split	LOB, HIB, LAST
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	add_h
	mul44	Y, E
	jmp	.Ltags

	/* Enough for r^3 and r^4 */
.Lmany:
	higher_powers
	shr	$1, LEFT
	jnc	.Lgroup
	load_half 0
	transpose
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	add_h
	mul44	Y, E
	carry44	X
	add	$32, OFFSET

	/* LEFT = groups */
.Lgroup:
	dec	LEFT
	jz	.Llast_group
	load_half 32
	transpose
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	mul44	Y, E
	load_half 0
	transpose
	split	LOB, HIB, ALL
	mul_row	R3
	split	LOA, HIA, ALL
	add_h
	mul_row	R4
	carry44	X
	add	$64, OFFSET
	jmp	.Lgroup

.Llast_group:
	load_end 32
	split	LOB, HIB, LAST
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	mul44	Y, E
	load_half 0
	transpose
	split	LOB, HIB, ALL
	mul_row	R3
	split	LOA, HIA, ALL
	add_h
	mul_row	R4

.Ltags:
	reduce
	add_pads
	store_tags
	add	$64, REQS
	subl	$8, TODO(%rsp)
	jnz	.Leight

	/* Leave nothing behind in the frame, as far as used, or registers. */
	vpxor	%xmm0, %xmm0, %xmm0
	wipe	PADS, 2
	cmpl	$0, HAS_GROUPS(%rsp)
	je	.Lwiped
	wipe	R4, 10
.Lwiped:
	vzeroall
	kxorb	%k1, %k1, %k1
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

	/* Lengths differ: all end together. */
.Ldiffer:
	describe_messages
	end_lane 0, DATA0
	end_lane 1, DATA1
	end_lane 2, DATA2
	end_lane 3, DATA3
	end_lane 4, DATA4
	end_lane 5, DATA5
	end_lane 6, DATA6
	end_lane 7, DATA7
	neg	SHORTEST

	/* OFFSET = -32 times the halves of the longest */
	lea	31(LONGEST), OFFSET
	and	$-32, OFFSET
	neg	OFFSET
	vpxorq	X0, X0, X0
	vpxorq	X1, X1, X1
	vpxorq	X2, X2, X2
	square	F, E
	twenty_times E
	movl	$0, BY_GROUPS(%rsp)
	cmp	$-64 * GROUPS_MIN, OFFSET
	jg	.Ldiffer_half
	movl	$1, BY_GROUPS(%rsp)
	higher_powers
	test	$32, OFFSET
	jz	.Ldiffer_group

.Ldiffer_half:
	cmp	$-32, OFFSET
	je	.Lmasked_half
	cmp	SHORTEST, OFFSET
	jge	.Lwhole_half
.Lmasked_half:
	mask_lanes 32
	load_masked_half 0, 4
	jmp	.Lhalf_loaded
.Lwhole_half:
	kmovb	ALL, %k4
	kmovb	ALL, %k5
	load_half 0
.Lhalf_loaded:
	transpose
	mark_end 32
	split	LOB, HIB, %k5
	zero_sums
	mul44	Y, F
	split	LOA, HIA, %k4
	add_h
	mul44	Y, E
	add	$32, OFFSET
	jz	.Ltags
	carry44	X
	cmpl	$0, BY_GROUPS(%rsp)
	je	.Ldiffer_half

.Ldiffer_group:
	cmp	$-64, OFFSET
	je	.Lmasked_group
	cmp	SHORTEST, OFFSET
	jge	.Lwhole_group
.Lmasked_group:
	mask_lanes 64
	load_masked_half 32, 4
	transpose
	mark_end 64
	split	LOB, HIB, %k5
	zero_sums
	mul44	Y, F
	split	LOA, HIA, %k4
	mul44	Y, E
	load_masked_half 0, 0
	transpose
	jmp	.Lgroup_loaded
.Lwhole_group:
	kmovb	ALL, %k2
	kmovb	ALL, %k3
	load_half 32
	transpose
	split	LOB, HIB, ALL
	zero_sums
	mul44	Y, F
	split	LOA, HIA, ALL
	mul44	Y, E
	load_half 0
	transpose
.Lgroup_loaded:
	split	LOB, HIB, %k3
	mul_row	R3
	split	LOA, HIA, %k2
	add_h
	mul_row	R4
	add	$64, OFFSET
	jz	.Ltags
	carry44	X
	jmp	.Ldiffer_group
SYM_FUNC_END(poly1305_batch_avx512)
