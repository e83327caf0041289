/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Each case of tests/cases is a test of checkpoly1305. */

#ifndef CHECK_CASES_H
#define CHECK_CASES_H

#include <linux/types.h>

/* Its name, or NULL behind the last one */
const char *case_name(size_t i);

/*
 * Runs it on the exported functions and on that driver, as it applies. Returns an errno after
 * saying why on stderr, or 1 and why it cannot run.
 */
int case_run(size_t i, const char *driver, u64 random_seed, unsigned int times,
	     const char **why_skipped);

#endif /* CHECK_CASES_H */
