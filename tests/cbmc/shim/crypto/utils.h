/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* In place of user/shim's: the harness defines them. */
#ifndef CBMC_CRYPTO_UTILS_H
#define CBMC_CRYPTO_UTILS_H

#include <linux/types.h>

unsigned long crypto_memneq(const void *a, const void *b, size_t size);
void crypto_xor_cpy(u8 *dst, const u8 *a, const u8 *b, unsigned int size);

#endif
