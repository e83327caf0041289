/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_FPU_API_H
#define SHIM_ASM_FPU_API_H

#include <asm/cpufeature.h>
#include <crypto/internal/simd.h>
#include <linux/types.h>

#define XFEATURE_MASK_SSE	0x02
#define XFEATURE_MASK_YMM	0x04
#define XFEATURE_MASK_AVX512	0xe0

static inline void kernel_fpu_begin(void)
{
	shim_fpu_sections++;
}

static inline void kernel_fpu_end(void)
{
}

/* Whether the system saves these registers on a context switch */
static inline bool x86_saves(u64 mask)
{
	u32 low, high;

	if (shim_features)
		return boot_cpu_has(X86_FEATURE_OSXSAVE);
	if (!boot_cpu_has(X86_FEATURE_OSXSAVE))
		return false;
	asm("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
	return (low & mask) == mask;
}

#endif
