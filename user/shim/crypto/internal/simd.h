/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_CRYPTO_INTERNAL_SIMD_H
#define SHIM_CRYPTO_INTERNAL_SIMD_H

#include <linux/types.h>

/*
 * In user space SIMD is always usable, and FPU sections have nothing to save. Tests
 * change both, and count the sections.
 */
extern bool shim_simd_usable;
extern bool shim_fpu_saved;
extern unsigned long shim_fpu_sections;

static inline bool crypto_simd_usable(void)
{
	return shim_simd_usable;
}

#endif
