/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_CRYPTO_UTILS_H
#define SHIM_CRYPTO_UTILS_H

#include <linux/types.h>

/* Returns nonzero if the regions differ; the time does not depend on where. */
static inline unsigned long crypto_memneq(const void *a, const void *b,
					  size_t size)
{
	const u8 *x = a, *y = b;
	unsigned long differ = 0;

	while (size--) {
		differ |= *x++ ^ *y++;
		asm("" : "+r" (differ));
	}
	return differ;
}

#endif
