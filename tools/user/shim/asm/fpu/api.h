/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_FPU_API_H
#define SHIM_ASM_FPU_API_H

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

/* boot_cpu_has() already asks the compiler's runtime, which looks at XCR0. */
static inline int cpu_has_xfeatures(u64 mask, const char **name)
{
	return 1;
}

#endif
