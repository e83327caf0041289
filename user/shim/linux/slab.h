/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL		0
#define ZERO_SIZE_PTR		((void *)16)
#define kcalloc(n, size, flags)	calloc(n, size)
#define kzalloc(size, flags)	calloc(1, size)
#define kfree(p)		free(p)

#endif
