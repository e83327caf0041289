// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_test.ko: tests of poly1305.ko from inside the kernel.
 *
 * On insmod it runs every case on the exported functions and on each shash driver, and
 * logs the results as KTAP. The module stays loaded only if all cases pass.
 */

#include "poly1305_test.h"

static char *drivers[DRIVERS_MAX];
static unsigned int ndrivers;
module_param_array(drivers, charp, &ndrivers, 0444);
MODULE_PARM_DESC(drivers, "shash drivers to test, which must all be registered (default: any of poly1305.ko that are)");

module_param(effort, uint, 0444);
MODULE_PARM_DESC(effort, "factor for the number of random and concurrent trials (default: 1)");

module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "seed of the random numbers (default: 1305)");

static int run_all(void)
{
	unsigned int total = 0, n = 0, passed = 0, failed = 0;
	const struct testcase *testcase, *end;
	const struct subject *s;
	int err;

	end = testcases + ncases;
	for (testcase = testcases; testcase < end; testcase++)
		for (s = subjects; s < subjects + nsubjects; s++)
			total += !!(testcase->kinds & s->kind);

	pr_info("1..%u\n", total);
	for (testcase = testcases; testcase < end; testcase++) {
		for (s = subjects; s < subjects + nsubjects; s++) {
			if (!(testcase->kinds & s->kind))
				continue;
			err = run_case(testcase, s);
			pr_info("%sok %u %s.%s\n", err ? "not " : "", ++n, testcase->name,
				s->name);
			passed += !err;
			failed += !!err;
			cond_resched();
		}
	}
	pr_info("# Totals: pass:%u fail:%u\n", passed, failed);
	return failed ? -EINVAL : 0;
}

static int __init poly1305_test_init(void)
{
	int err;

	if (!effort) {
		pr_err("%s: effort=0 would test nothing\n", KBUILD_MODNAME);
		return -EINVAL;
	}
	pr_info("KTAP version 1\n");
	err = fixture_setup(drivers, ndrivers);
	if (err)
		return err;
	err = run_all();
	fixture_teardown();
	return err;
}

static void __exit poly1305_test_exit(void)
{
}

module_init(poly1305_test_init);
module_exit(poly1305_test_exit);

MODULE_DESCRIPTION("Tests of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
