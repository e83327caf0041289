/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_ERR_H
#define SHIM_LINUX_ERR_H

#include <linux/errno.h>
#include <linux/types.h>

#define IS_ERR(p)	((uintptr_t)(p) >= (uintptr_t)-4095)
#define PTR_ERR(p)	((long)(p))
#define ERR_PTR(err)	((void *)(long)(err))

#endif
