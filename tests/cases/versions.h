/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Differences between kernel versions that concern the tests but not the module */

#ifndef POLY1305_TEST_VERSIONS_H
#define POLY1305_TEST_VERSIONS_H

#include "../../compat.h"
#include <linux/hrtimer.h>

/* hrtimer_setup() was added in 6.13, hrtimer_init() removed in 6.15. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/*
 * Since 5.18 may_use_simd() is false within an FPU section, in any context. Older
 * kernels may have this as a fix.
 */
#define SECTIONS_ARE_NOTICED	(LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0))

#endif /* POLY1305_TEST_VERSIONS_H */
