/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The x86-64 rows of the glue's table: CPU tests, block functions and the
 * lengths from which each wins. Included by poly1305_glue.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <linux/sched.h>

/*
 * Whether an FPU section finds nothing to save: kernel threads have no state of
 * a user process, and once a section has saved one it stays saved until the
 * return to user space. Saving costs about as much as a kilobyte of Poly1305.
 */
static inline bool poly1305_fpu_saved(void)
{
	return (current->flags & PF_KTHREAD) ||
	       test_thread_flag(TIF_NEED_FPU_LOAD);
}

#define POLY1305_ARCH_TIERS(row)

#endif /* POLY1305_X86_H */
