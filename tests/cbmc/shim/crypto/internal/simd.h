/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* In place of user/shim's: SIMD is usable at some calls, and at others not. */
#ifndef CBMC_CRYPTO_INTERNAL_SIMD_H
#define CBMC_CRYPTO_INTERNAL_SIMD_H

#include <linux/types.h>

extern bool shim_fpu_saved;
extern bool simd_usable;

bool nondet_bool(void);

/* What was said last */
static inline bool crypto_simd_usable(void)
{
	simd_usable = nondet_bool();
	return simd_usable;
}

#endif
