/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* FPU sections on x86-64. Included by poly1305_tiers.c alone. */

#ifndef POLY1305_FPU_H
#define POLY1305_FPU_H

#include <asm/fpu/api.h>
#include <linux/sched.h>

static __always_inline void poly1305_fpu_begin(void)
{
	kernel_fpu_begin();
}

static __always_inline void poly1305_fpu_end(void)
{
	kernel_fpu_end();
}

#ifdef CONFIG_UML
/*
 * User-Mode Linux is a process, whose FPU sections are empty. Its CPU flags are those of the
 * kernel below it, which lists no vector extension whose registers it does not save.
 */
static inline bool x86_saves_ymm(void) { return true; }
static __always_inline bool poly1305_fpu_saved(void) { return true; }
#else
/* Whether the kernel saves the ymm registers */
static inline bool x86_saves_ymm(void)
{
	return cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

/*
 * Whether an FPU section has no registers to save: a thread that never runs in user space has
 * none there, and a process whose registers were saved once does not need that again until
 * it returns to user space.
 */
static __always_inline bool poly1305_fpu_saved(void)
{
	return (current->flags & POLY1305_PF_NO_FPU) ||
	       test_thread_flag(TIF_NEED_FPU_LOAD);
}
#endif

#endif /* POLY1305_FPU_H */
