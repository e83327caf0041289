/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_BUILD_BUG_H
#define SHIM_LINUX_BUILD_BUG_H

#include <assert.h>

#define BUILD_BUG_ON(condition)	static_assert(!(condition), #condition)

#endif
