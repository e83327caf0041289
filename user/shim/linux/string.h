/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <stdio.h>
#include <string.h>

#define strscpy(dst, src, size)	snprintf(dst, size, "%s", src)

/* The asm makes the compiler keep the memset(), as if the zeros were read. */
static inline void memzero_explicit(void *p, size_t len)
{
	memset(p, 0, len);
	asm volatile("" : : "r" (p) : "memory");
}

#endif
