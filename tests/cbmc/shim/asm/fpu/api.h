/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* In place of user/shim's: whether code runs in an FPU section, which a section begins and ends */
#ifndef CBMC_ASM_FPU_API_H
#define CBMC_ASM_FPU_API_H

#include <asm/cpufeature.h>
#include <crypto/internal/simd.h>
#include <linux/types.h>

#define XFEATURE_MASK_SSE	0x02
#define XFEATURE_MASK_YMM	0x04
#define XFEATURE_MASK_AVX512	0xe0

extern bool section;

static inline void kernel_fpu_begin(void)
{
	__CPROVER_assert(simd_usable, "an FPU section where SIMD is usable");
	__CPROVER_assert(!section, "no FPU section in another");
	section = true;
}

static inline void kernel_fpu_end(void)
{
	__CPROVER_assert(section, "an FPU section ends once");
	section = false;
}

static inline bool x86_saves(u64 mask)
{
	return true;
}

#endif
