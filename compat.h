/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The one place that knows kernel versions, 5.10 and later. The rest of the
 * code is written as for the newest kernel.
 */

#ifndef POLY1305_COMPAT_H
#define POLY1305_COMPAT_H

#include <linux/version.h>

#ifdef __ASSEMBLER__

#include <linux/linkage.h>

/* Kernels without return thunks and straight-line speculation traps */
#ifndef RET
#define RET	ret
#endif

#else

/* asm/unaligned.h became linux/unaligned.h in 6.12 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* hex2bin() is in linux/hex.h, which linux/kernel.h once included */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/hex.h>
#endif

/* crypto_memneq() left crypto/algapi.h in 6.4 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <crypto/utils.h>
#else
#include <crypto/algapi.h>
#endif

#endif /* __ASSEMBLER__ */

#endif /* POLY1305_COMPAT_H */
