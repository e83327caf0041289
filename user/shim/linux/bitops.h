/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_BITOPS_H
#define SHIM_LINUX_BITOPS_H

/* The position of the highest set bit, counted from 1, or 0 for x = 0 */
static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

#endif
