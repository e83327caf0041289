// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * memcpy() and memset() that leave no data in registers, like the kernel's on x86-64.
 * The C library's may leave any, which would be blamed on the code under test.
 */

#include "check.h"

#if defined(CONFIG_X86_64) && !defined(__SANITIZE_ADDRESS__)
void *memcpy(void *to, const void *from, size_t len)
{
	void *at = to;

	asm volatile("rep movsb" : "+D" (at), "+S" (from), "+c" (len) : : "memory");
	return to;
}

void *memset(void *to, int byte, size_t len)
{
	void *at = to;

	asm volatile("rep stosb" : "+D" (at), "+c" (len) : "a" (byte) : "memory");
	return to;
}
#endif
