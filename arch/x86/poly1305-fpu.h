/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* FPU sections on x86-64, and the CPU features for them */

#ifndef POLY1305_FPU_H
#define POLY1305_FPU_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <linux/sched.h>

#define poly1305_fpu_begin()	kernel_fpu_begin()
#define poly1305_fpu_end()	kernel_fpu_end()

#ifdef CONFIG_UML
/* User-Mode Linux is a process, whose FPU sections are empty. */
static __always_inline bool poly1305_fpu_saved(void) { return true; }
#else
/*
 * Whether an FPU section has no registers to save: the thread never runs in user space, or the
 * registers of the process have been saved since it entered the kernel.
 */
static __always_inline bool poly1305_fpu_saved(void)
{
	return (current->flags & POLY1305_PF_NO_FPU) || test_thread_flag(TIF_NEED_FPU_LOAD);
}
#endif

/* Whether the tier avx2 can run */
static inline bool x86_has_avx2(void)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2) &&
	       boot_cpu_has(X86_FEATURE_BMI2) &&
	       x86_saves(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM);
}

/* Whether the tier avx512 can run */
static inline bool x86_has_avx512(void)
{
	return boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       boot_cpu_has(X86_FEATURE_AVX512BW) &&
	       boot_cpu_has(X86_FEATURE_AVX512DQ) &&
	       boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	       boot_cpu_has(X86_FEATURE_AVX512_VBMI2) &&
	       boot_cpu_has(X86_FEATURE_BMI2) &&
	       x86_saves(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM | XFEATURE_MASK_AVX512);
}

#endif /* POLY1305_FPU_H */
