/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The implementations that a run measures, and what its results say of them */

#ifndef IMPLS_H
#define IMPLS_H

#include "bench.h"

#define MOST_IMPLS	64
extern struct bench_impl impls[MOST_IMPLS];
extern size_t nimpls;

/* Those whose names match the pattern: ours come first. */
void find_impls(const char *pattern);

/* Parts of the JSON */
void print_impls(void);
void print_packages(void);

#endif
