/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_LINKAGE_H
#define SHIM_LINUX_LINKAGE_H

#define SYM_TYPED_FUNC_START(name)					\
	.globl name;							\
	.hidden name;							\
	.type name, @function;						\
	.p2align 6;							\
name:
/* Macros that the kernel's own assembly uses, for tools/bench */
#define SYM_FUNC_START(name)	SYM_TYPED_FUNC_START(name)
#define SYM_FUNC_START_LOCAL(name)					\
	.type name, @function;						\
	.p2align 6;							\
name:
#define SYM_FUNC_END(name)						\
	.size name, . - name
#define RET		ret
#define ASM_RET		ret

#ifdef __ASSEMBLY__
	.section .note.GNU-stack, "", @progbits
	.text
#endif

#endif
