/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Samples in TSC cycles, for the modules in this folder */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <linux/kernel.h>
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

/* The least sample and the median. The samples are sorted. */
static inline int print_samples(char *at, size_t room, u32 *samples, size_t n)
{
	sort(samples, n, sizeof(*samples), by_size, NULL);
	return scnprintf(at, room, " %u %u", samples[0], samples[n / 2]);
}

#endif
