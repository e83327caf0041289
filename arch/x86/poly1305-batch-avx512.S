/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Eight messages at once, each under its own key, for CPUs with AVX512F, VL, BW,
 * DQ and IFMA.
 *
 * Notation and contract: poly1305_core.h. A vector of numbers is three zmm
 * registers, one for each limb in radix 2^44, as in poly1305-avx512.h; each of
 * its eight lanes belongs to one message. What is written here about h, r and a
 * block is done to eight of each.
 *
 * All messages end together. A group is the next 64 bytes of each message: one
 * vector a message, which a transposition turns into four rows, the i-th block
 * of every message in each. A message that is shorter than the longest begins
 * later: until then its loads are masked, and its lane takes blocks that are 0
 * with a bit 128 of 0, which leave its h = 0 as it is. The last group ends with
 * the messages, whose last blocks may be shorter than 16 bytes: what is missing
 * is masked as well, and the 1 bit behind the message set into the last row.
 *
 * In up to SERIAL groups rows are taken one after the other, beginning with the
 * first that has a block,
 *
 *	h = (h + m) r
 *
 * and in more than that four at a time, with one reduction:
 *
 *	h = (h + m_1) r^4 + m_2 r^3 + m_3 r^2 + m_4 r
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

	.text

/*
 * void poly1305_batch_avx512(const struct poly1305_mac_req *const reqs[8]);
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

	/* Where messages end, their last blocks counted as whole */
	set_masks
	vpbroadcastq bit_128(%rip), HIBIT
	begin_lane 0, END0
	begin_lane 1, END1
	begin_lane 2, END2
	begin_lane 3, END3
	begin_lane 4, END4
	begin_lane 5, END5
	begin_lane 6, END6
	begin_lane 7, END7
	describe_messages
	end_lane 0, END0
	end_lane 1, END1
	end_lane 2, END2
	end_lane 3, END3
	end_lane 4, END4
	end_lane 5, END5
	end_lane 6, END6
	end_lane 7, END7

	/* s, and r in radix 2^44 */
	load_keys
	store_power R1

	/* LEFT = -64 times the groups, %rcx = 16 times the rows without block */
	lea	63(LONGEST), LEFT
	and	$-64, LEFT
	mov	%edx, %ecx
	sub	%esi, %ecx
	neg	LEFT
	movl	$1, IS_SERIAL(%rsp)
	cmp	$-64 * SERIAL, LEFT
	jge	.Lpowers_done
	movl	$0, IS_SERIAL(%rsp)
	copy	F, E
	next_power R2
	next_power R3
	next_power R4
.Lpowers_done:
	vpxorq	X0, X0, X0
	vpxorq	X1, X1, X1
	vpxorq	X2, X2, X2
	neg	SHORTEST
	test	LEFT, LEFT
	jz	.Ltags

.Lgroup:
	/* Of a group before the last, when all messages have begun, all counts. */
	cmp	$-64, LEFT
	je	.Lsome
	cmp	SHORTEST, LEFT
	jge	.Lall
.Lsome:
	mask_lanes
	load_lanes masked=1
	jmp	.Lloaded
.Lall:
	kxnorb	%k2, %k2, %k2
	kmovb	%k2, %k3
	kmovb	%k2, %k4
	kmovb	%k2, %k5
	load_lanes
.Lloaded:
	transpose
	cmp	$-64, LEFT
	jne	.Lpadded
	vporq	MARK_LO(%rsp), LO3, LO3
	vporq	MARK_HI(%rsp), HI3, HI3
.Lpadded:
	cmpl	$0, IS_SERIAL(%rsp)
	jne	.Lserial

	split	LO0, HI0, %k2
	add_h
	zero_sums
	mul_row	R4
	split	LO1, HI1, %k3
	mul_row	R3
	split	LO2, HI2, %k4
	mul_row	R2
	split	LO3, HI3, %k5
	mul_row	R1
	carry44	X
.Lnext_group:
	add	$64, LEFT
	jnz	.Lgroup
	jmp	.Ltags

	/* Rows from number %rcx / 16 on */
.Lserial:
	kmovb	%k2, ROW_LANES(%rsp)
	kmovb	%k3, ROW_LANES + 1(%rsp)
	kmovb	%k4, ROW_LANES + 2(%rsp)
	kmovb	%k5, ROW_LANES + 3(%rsp)
	store_rows
	lea	ROWS(%rsp), %rsi
	shr	$4, %ecx
.Lrow:
	kmovb	ROW_LANES(%rsp, %rcx), %k2
	mov	%ecx, %eax
	shl	$7, %eax
	vmovdqa64 (%rsi, %rax), LO0
	vmovdqa64 64(%rsi, %rax), HI0
	split	LO0, HI0, %k2
	add_h
	zero_sums
	mul_row	R1
	carry44	X
	inc	%ecx
	cmp	$4, %ecx
	jb	.Lrow
	xor	%ecx, %ecx
	jmp	.Lnext_group

.Ltags:
	reduce
	add_pads
	store_tag 0, END0
	store_tag 1, END1
	store_tag 2, END2
	store_tag 3, END3
	store_tag 4, END4
	store_tag 5, END5
	store_tag 6, END6
	store_tag 7, END7

	/* Leave nothing behind in the frame, as far as used, or registers. */
	vpxor	%xmm0, %xmm0, %xmm0
	wipe	PADS, 2
	wipe	R1, 5
	cmpl	$0, IS_SERIAL(%rsp)
	jne	.Lwipe_rows
	wipe	R4, 15
	jmp	.Lwiped
.Lwipe_rows:
	wipe	ROWS, 8
.Lwiped:
	vzeroall
	kxorb	%k1, %k1, %k1
.irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	vpxorq	%zmm\i, %zmm\i, %zmm\i
.endr
	lea	-40(%rbp), %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(poly1305_batch_avx512)
