/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_KERNEL_H
#define SHIM_LINUX_KERNEL_H

#include <assert.h>
#include <limits.h>
#include <linux/types.h>
#include <stdio.h>

#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define __aligned(x)		__attribute__((aligned(x)))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define S64_MAX			INT64_MAX

#define sizeof_field(type, member)	sizeof(((type *)0)->member)
#define min_t(type, a, b)						\
({									\
	type min_a = (a), min_b = (b);					\
									\
	min_a < min_b ? min_a : min_b;					\
})
#define max_t(type, a, b)						\
({									\
	type max_a = (a), max_b = (b);					\
									\
	max_a > max_b ? max_a : max_b;					\
})
#define round_up(x, to)		(((x) + (to) - 1) / (to) * (to))
#define round_down(x, to)	((x) / (to) * (to))
#define DIV_ROUND_UP(x, by)	(((x) + (by) - 1) / (by))
#define max(a, b)		max_t(typeof((a) + (b)), a, b)
#define min(a, b)		min_t(typeof((a) + (b)), a, b)

#define pr_err(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)

/* The library prints errors only. */
#define pr_info(fmt, ...)	do { } while (0)

#endif
