/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_CRYPTO_UTILS_H
#define SHIM_CRYPTO_UTILS_H

#include <linux/types.h>
#include <string.h>

/* Returns nonzero if the regions differ; the time does not depend on where. */
static inline unsigned long crypto_memneq(const void *a, const void *b,
					  size_t size)
{
	const u8 *x = a, *y = b;
	unsigned long differ = 0, v, w;

	for (; size >= sizeof(v); size -= sizeof(v), x += sizeof(v), y += sizeof(v)) {
		memcpy(&v, x, sizeof(v));
		memcpy(&w, y, sizeof(w));
		differ |= v ^ w;
		asm("" : "+r" (differ));
	}
	while (size--) {
		differ |= *x++ ^ *y++;
		asm("" : "+r" (differ));
	}
	return differ;
}

static inline void crypto_xor_cpy(u8 *dst, const u8 *a, const u8 *b,
				  unsigned int size)
{
	unsigned int i = 0;
	u64 x, y;

	for (; i + sizeof(x) <= size; i += sizeof(x)) {
		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		x ^= y;
		memcpy(dst + i, &x, sizeof(x));
	}
	for (; i < size; i++)
		dst[i] = a[i] ^ b[i];
}

#endif
