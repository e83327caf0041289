/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_CRYPTO_INTERNAL_SIMD_H
#define SHIM_CRYPTO_INTERNAL_SIMD_H

#include <linux/types.h>

/* In user space the FPU is always ours; tests say otherwise through this. */
extern bool shim_simd_usable;

static inline bool crypto_simd_usable(void)
{
	return shim_simd_usable;
}

#endif
