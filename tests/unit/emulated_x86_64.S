/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Forms of vpmadd52luq, vpmadd52huq and vpshrdq as the assembler encodes them, and a
 * table that describes each: struct form in emulated.h. A ud2, which requests emulation,
 * precedes each instruction, and a ret follows it.
 */

#define NONE	(-1)
#define RIP	(-2)

	.section .rodata
	.p2align 2
	.globl	emulated_forms
	.hidden	emulated_forms
emulated_forms:

	.section .data
	.p2align 6
	.globl	emulated_operand
	.hidden	emulated_operand
emulated_operand:
	.fill	9, 8, 0

	.text
	.p2align 6

	/*
	 * Puts the masks, and all of the vectors but their low 128 bits, into their
	 * initial state, in which the CPU does not save them. rdi points to an
	 * empty XSAVE area.
	 */
	.globl	emulated_from_init
	.hidden	emulated_from_init
emulated_from_init:
	mov	$0xe4, %eax
	xor	%edx, %edx
	xrstor64 (%rdi)
	ud2
	vpmadd52luq %zmm1, %zmm2, %zmm3
	vpmadd52huq %zmm1, %zmm2, %zmm16
	vpshrdq	$40, %zmm1, %zmm2, %zmm17
	ret

	/* The shift count, which varies; some counts are above 63. */
	.set	count, 0

	/* op: 0 low half, 1 high half, 2 shift. mask: register 1 to 7, 0 for none */
	.macro	form op, lanes, dst, src, rm, mask, zero, broadcast, base, index, scale, disp, operands:vararg
771:	ud2
	.if \op == 0
	vpmadd52luq \operands
	.elseif \op == 1
	vpmadd52huq \operands
	.else
	.set	count, (count + 37) & 255
	vpshrdq	$count, \operands
	.endif
	ret
	.section .rodata
	.long	771b - .
	.byte	\op, \lanes, \dst, \src, \rm, \mask, \zero, \broadcast
	.byte	\base, \index, \scale, count
	.long	\disp
	.text
	.endm

	.macro	registers kind, lanes, op, dst, src, rm
	form	\op, \lanes, \dst, \src, \rm, 0, 0, 0, NONE, NONE, 1, 0, %\kind\()\rm, %\kind\()\src, %\kind\()\dst
	form	\op, \lanes, \dst, \src, \rm, 1, 0, 0, NONE, NONE, 1, 0, %\kind\()\rm, %\kind\()\src, %\kind\()\dst{%k1}
	form	\op, \lanes, \dst, \src, \rm, 6, 1, 0, NONE, NONE, 1, 0, %\kind\()\rm, %\kind\()\src, %\kind\()\dst{%k6}{z}
	.endm

	/* The memory operand \text, as a whole vector and as a broadcast */
	.macro	memory	kind, lanes, op, dst, src, base, index, scale, disp, text:vararg
	form	\op, \lanes, \dst, \src, 0, 0, 0, 0, \base, \index, \scale, \disp, \text, %\kind\()\src, %\kind\()\dst
	form	\op, \lanes, \dst, \src, 0, 7, 0, 0, \base, \index, \scale, \disp, \text, %\kind\()\src, %\kind\()\dst{%k7}
	form	\op, \lanes, \dst, \src, 0, 3, 1, 0, \base, \index, \scale, \disp, \text, %\kind\()\src, %\kind\()\dst{%k3}{z}
	form	\op, \lanes, \dst, \src, 0, 0, 0, 1, \base, \index, \scale, \disp, \text{1to\lanes}, %\kind\()\src, %\kind\()\dst
	form	\op, \lanes, \dst, \src, 0, 2, 0, 1, \base, \index, \scale, \disp, \text{1to\lanes}, %\kind\()\src, %\kind\()\dst{%k2}
	form	\op, \lanes, \dst, \src, 0, 5, 1, 1, \base, \index, \scale, \disp, \text{1to\lanes}, %\kind\()\src, %\kind\()\dst{%k5}{z}
	.endm

	.macro	forms	kind, lanes, op
	/* Each bit of each register number, set and clear; and equal registers */
	.irp	n, 0, 1, 2, 4, 8, 16, 31
	registers \kind, \lanes, \op, \n, 5, 10
	registers \kind, \lanes, \op, 5, \n, 10
	registers \kind, \lanes, \op, 5, 10, \n
	registers \kind, \lanes, \op, \n, \n, \n
	.endr
	registers \kind, \lanes, \op, 15, 30, 29
	registers \kind, \lanes, \op, 26, 21, 11
	registers \kind, \lanes, \op, 17, 17, 3
	registers \kind, \lanes, \op, 3, 17, 3

	/* Displacements: none, one byte in each unit, four bytes */
	.irp	d, 0, 8, 64, -128, 8128, -8192, 1016, 4, -12, 0x12340
	memory	\kind, \lanes, \op, 9, 24, 0, NONE, 1, \d, \d(%rax)
	memory	\kind, \lanes, \op, 20, 6, 1, 3, 8, \d, \d(%rcx, %rbx, 8)
	memory	\kind, \lanes, \op, 2, 31, NONE, 2, 2, \d, \d(, %rdx, 2)
	.endr

	memory	\kind, \lanes, \op, 20, 6, RIP, NONE, 1, 0, emulated_operand(%rip)
	memory	\kind, \lanes, \op, 30, 7, RIP, NONE, 1, 8, emulated_operand + 8(%rip)

	/* Every base register, as some have a special encoding */
	memory	\kind, \lanes, \op, 1, 2, 1, NONE, 1, 0, (%rcx)
	memory	\kind, \lanes, \op, 1, 2, 2, NONE, 1, 0, (%rdx)
	memory	\kind, \lanes, \op, 1, 2, 3, NONE, 1, 0, (%rbx)
	memory	\kind, \lanes, \op, 1, 2, 4, NONE, 1, 64, 64(%rsp)
	memory	\kind, \lanes, \op, 1, 2, 5, NONE, 1, 0, (%rbp)
	memory	\kind, \lanes, \op, 1, 2, 6, NONE, 1, 0, (%rsi)
	memory	\kind, \lanes, \op, 1, 2, 7, NONE, 1, 0, (%rdi)
	memory	\kind, \lanes, \op, 1, 2, 8, NONE, 1, 0, (%r8)
	memory	\kind, \lanes, \op, 1, 2, 9, NONE, 1, 0, (%r9)
	memory	\kind, \lanes, \op, 1, 2, 10, NONE, 1, 0, (%r10)
	memory	\kind, \lanes, \op, 1, 2, 11, NONE, 1, 0, (%r11)
	memory	\kind, \lanes, \op, 1, 2, 12, NONE, 1, 0, (%r12)
	memory	\kind, \lanes, \op, 1, 2, 13, NONE, 1, 0, (%r13)
	memory	\kind, \lanes, \op, 1, 2, 14, NONE, 1, 0, (%r14)
	memory	\kind, \lanes, \op, 1, 2, 15, NONE, 1, 0, (%r15)
	memory	\kind, \lanes, \op, 1, 2, 4, NONE, 1, 72, 72(%rsp)
	memory	\kind, \lanes, \op, 1, 2, 4, 5, 4, 200, 200(%rsp, %rbp, 4)

	/* Every index register; rsp cannot be one. */
	memory	\kind, \lanes, \op, 8, 16, 5, 0, 1, 0, (%rbp, %rax)
	memory	\kind, \lanes, \op, 8, 16, 13, 1, 2, 0, (%r13, %rcx, 2)
	memory	\kind, \lanes, \op, 8, 16, 0, 5, 4, 0, (%rax, %rbp, 4)
	memory	\kind, \lanes, \op, 8, 16, 0, 6, 8, 64, 64(%rax, %rsi, 8)
	memory	\kind, \lanes, \op, 8, 16, 0, 7, 1, 0, (%rax, %rdi)
	memory	\kind, \lanes, \op, 8, 16, 0, 8, 2, 0, (%rax, %r8, 2)
	memory	\kind, \lanes, \op, 8, 16, 0, 9, 4, 0, (%rax, %r9, 4)
	memory	\kind, \lanes, \op, 8, 16, 0, 10, 8, 0, (%rax, %r10, 8)
	memory	\kind, \lanes, \op, 8, 16, 0, 11, 1, 0, (%rax, %r11)
	memory	\kind, \lanes, \op, 8, 16, 11, 12, 1, 0, (%r11, %r12)
	memory	\kind, \lanes, \op, 8, 16, 0, 13, 4, 0, (%rax, %r13, 4)
	memory	\kind, \lanes, \op, 8, 16, 15, 14, 8, 0, (%r15, %r14, 8)
	memory	\kind, \lanes, \op, 8, 16, 14, 15, 1, 4, 4(%r14, %r15)
	.endm

	.irp	op, 0, 1, 2
	forms	xmm, 2, \op
	forms	ymm, 4, \op
	forms	zmm, 8, \op
	.endr

	.section .rodata
	.globl	emulated_forms_end
	.hidden	emulated_forms_end
emulated_forms_end:

	.section .note.GNU-stack, "", @progbits
