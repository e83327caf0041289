/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The self-tests of chapoly.ko and poly1305_chapoly.ko, with vectors that tests may change */

#ifndef CHECK_SELFTEST_H
#define CHECK_SELFTEST_H

#include <linux/init.h>
#include <linux/kernel.h>

#include "chapoly.h"

/* This header has data alone, and its guard keeps a module from including it again. */
#define const
#include "../../chapoly/chapoly_vectors.h"
#undef const

/* Whether a failure is expected, and so not printed */
static bool silent;
#undef pr_err
#define pr_err(fmt, ...)	((void)(silent || fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)))

/* A function that runs a self-test, with a wrong bit in the tag of that vector, if it exists */
#define SELFTEST(name, run)							\
int name(size_t wrong)								\
{										\
	u8 none, *byte = wrong < ARRAY_SIZE(chapoly_testvecs) ?			\
			 &chapoly_testvecs[wrong].tag[wrong % 16] : &none;	\
	int err;								\
										\
	silent = true;								\
	*byte ^= 1 << wrong % 8;						\
	err = run;								\
	*byte ^= 1 << wrong % 8;						\
	silent = false;								\
	return err;								\
}

#endif /* CHECK_SELFTEST_H */
