/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* FPU sections on x86-64, and what the CPU has for them */

#ifndef POLY1305_FPU_H
#define POLY1305_FPU_H

#include <asm/cpufeature.h>
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
static inline bool x86_saves_zmm(void) { return true; }
static __always_inline bool poly1305_fpu_saved(void) { return true; }
#else
/* Whether the kernel saves the ymm registers */
static inline bool x86_saves_ymm(void)
{
	return x86_saves(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM);
}

/* Whether it saves the zmm and mask registers */
static inline bool x86_saves_zmm(void)
{
	return x86_saves(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM | XFEATURE_MASK_AVX512);
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

/* Whether the tier avx2 can run */
static inline bool x86_has_avx2(void)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2) &&
	       boot_cpu_has(X86_FEATURE_BMI2) &&
	       x86_saves_ymm();
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
	       x86_saves_zmm();
}

#endif /* POLY1305_FPU_H */
