/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Samples in TSC cycles, for the modules in this folder */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <linux/sort.h>
#include <linux/types.h>

/* All instructions before it have ended, and none after it has begun. */
static inline u64 cycles(void)
{
	u32 low, high;

	asm volatile("lfence; rdtsc; lfence" : "=a" (low), "=d" (high) : : "memory");
	return low | (u64)high << 32;
}

static inline int by_size(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The first sample is then the least, and samples[n / 2] is the median. */
static inline void sort_samples(u32 *samples, size_t n)
{
	sort(samples, n, sizeof(*samples), by_size, NULL);
}

#endif
