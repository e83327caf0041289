/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The implementations that a run measures, and what its results say of them */

#ifndef IMPLS_H
#define IMPLS_H

#include "bench.h"
#include "poly1305_user.h"

/* Those whose names match the pattern: ours come first. */
#define MOST_IMPLS	64
extern struct bench_impl impls[MOST_IMPLS];
extern size_t nimpls;
void find_impls(const char *pattern);
bool select_impl(const struct bench_impl *impl);

/* Parts of the JSON */
void print_impls(void);
void print_packages(void);

/*
 * Ours, without name and tier, now and at an earlier commit, and the names of the tiers then.
 * @arg is the length of a prefix.
 */
extern const struct bench_impl our_impl;
extern const struct bench_impl before_impl __attribute__((weak));
extern __typeof__(poly1305_user_impls) before_poly1305_user_impls __attribute__((weak));

#endif
