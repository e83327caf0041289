// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_test.ko: tests of poly1305.ko from inside the kernel.
 *
 * On insmod it runs every case on the exported functions and on each shash driver, and
 * logs the results as KTAP. The module stays loaded only if all cases pass.
 */

#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "poly1305_test.h"

#define ROW(id, text, in_library, in_shash)				\
	{ text, test_##id, in_library, in_shash },

static const struct testcase testcases[] = { POLY1305_TESTCASES(ROW) };

static char *without[ARRAY_SIZE(testcases)];
static unsigned int nwithout;
module_param_array(without, charp, &nwithout, 0444);
MODULE_PARM_DESC(without, "cases to leave out, as they would take too long (default: none)");

static bool left_out(const struct testcase *testcase)
{
	unsigned int i;

	for (i = 0; i < nwithout; i++)
		if (!strcmp(without[i], testcase->name))
			return true;
	return false;
}

/* Whether each name in without is that of a case */
static bool names_known(void)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(testcases); i++)
		n += left_out(&testcases[i]);
	return n == nwithout;
}

static bool applies(const struct testcase *testcase, const struct subject *s)
{
	if (left_out(testcase))
		return false;
	return s->tfm ? testcase->shash : testcase->library;
}

static int run_all(void)
{
	unsigned int total = 0, n = 0, passed = 0, failed = 0, skipped = 0;
	const struct testcase *testcase, *end;
	const struct subject *s;
	int err;

	end = testcases + ARRAY_SIZE(testcases);
	for (testcase = testcases; testcase < end; testcase++)
		for (s = subjects; s < subjects + nsubjects; s++)
			total += applies(testcase, s);

	pr_info("1..%u\n", total);
	for (testcase = testcases; testcase < end; testcase++) {
		for (s = subjects; s < subjects + nsubjects; s++) {
			if (!applies(testcase, s))
				continue;
			err = testcase->run(s);
			pr_info("%sok %u %s.%s%s%s\n", err < 0 ? "not " : "",
				++n, testcase->name, s->name,
				err == SKIP ? " # SKIP " : "",
				err == SKIP ? skip_reason : "");
			passed += !err;
			failed += err < 0;
			skipped += err == SKIP;
			cond_resched();
		}
	}
	pr_info("# Totals: pass:%u fail:%u skip:%u\n", passed, failed,
		skipped);
	return failed ? -EINVAL : 0;
}

static int __init poly1305_test_init(void)
{
	int err;

	if (!names_known()) {
		pr_err("%s: without: unknown or repeated case\n", KBUILD_MODNAME);
		return -EINVAL;
	}
	pr_info("KTAP version 1\n");
	err = fixture_setup();
	if (err)
		return err;
	err = run_all();
	print_times();
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
