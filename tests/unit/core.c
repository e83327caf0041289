// SPDX-License-Identifier: GPL-2.0 OR MIT
/* chapoly/chapoly.c in the checker */

#include <linux/module.h>

#include "selftest.h"

/* The module is loaded after poly1305.ko. */
#undef SHIM_INIT
#define SHIM_INIT	103
#include "../../chapoly/chapoly.c"

SELFTEST(core_selftest, test_all("the library"))

const size_t selftest_vectors = ARRAY_SIZE(chapoly_testvecs);
