/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the tests, but not the module, need to know about kernel versions.
 */

#ifndef POLY1305_TEST_VERSIONS_H
#define POLY1305_TEST_VERSIONS_H

#include "../../compat.h"
#include <linux/hrtimer.h>

/* hrtimer_setup() came in 6.13, hrtimer_init() went in 6.15 */
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
 * From 5.18 on, and with a fix that others may have too, may_use_simd() is false in
 * an FPU section, whatever context that is in.
 */
#define SECTIONS_ARE_NOTICED	(LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0))

#endif /* POLY1305_TEST_VERSIONS_H */
