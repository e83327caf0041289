/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* TAP output and exit codes of kselftest; reproducible random numbers */
#ifndef TAP_H
#define TAP_H

#include <stddef.h>
#include <stdbool.h>
#include <linux/types.h>

#define TAP_PASS	0
#define TAP_FAIL	1

void tap_plan(unsigned int tests);

/* Prints one line of explanation. */
__attribute__((format(printf, 1, 2)))
void tap_diag(const char *format, ...);

__attribute__((format(printf, 2, 3)))
void tap_result(bool passed, const char *format, ...);

/* TAP_PASS if the whole plan ran and passed, else TAP_FAIL. */
int tap_end(void);

struct rng {
	__u64 state;
};

/* Takes the seed from @text, or a new one if it is NULL; false if it is no number. */
bool rng_seed(struct rng *rng, const char *text);

__u64 rng_next(struct rng *rng);

/* A random number below @limit, which is not zero */
static inline size_t rng_below(struct rng *rng, size_t limit)
{
	return rng_next(rng) % limit;
}

void rng_fill(struct rng *rng, void *buf, size_t len);

#endif /* TAP_H */
