// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_test.ko: tests of poly1305.ko from inside the kernel.
 *
 * On insmod it runs every case on the exported functions and on each shash driver, and
 * logs the results as KTAP. The module stays loaded only if all cases pass.
 */

#include "poly1305_test.h"

static char *drivers[SUBJECTS_MAX - 2];
static unsigned int ndrivers;
module_param_array(drivers, charp, &ndrivers, 0444);
MODULE_PARM_DESC(drivers, "shash drivers to test, which must all be registered (default: any of poly1305.ko that are)");

module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "seed of the random numbers (default: 1305)");

static int add_shash(enum kind kind, const char *name, bool optional)
{
	const int err = add_subject(kind, name, name);

	if (err)
		pr_info("# no %s: error %d\n", name, err);
	return err == -ENOENT && optional ? 0 : err;
}

/* All drivers named must be registered; without names, those that are not are left out. */
static int add_subjects(void)
{
#define DRIVER(id)	POLY1305_NAME "-" #id,
	static char *const all[] = { POLY1305_TIERS(DRIVER) };
	char *const *name = ndrivers ? drivers : all;
	char *const *const end = name + (ndrivers ?: ARRAY_SIZE(all));
	int err = add_subject(LIBRARY, "library", NULL);

	for (; name < end && !err; name++)
		err = add_shash(SHASH, *name, !ndrivers);
	return err ?: add_shash(AES, "poly1305(aes)", true);
}

static int __init poly1305_test_init(void)
{
	int err;

	pr_info("KTAP version 1\n");
	err = fixture_setup() ?: add_subjects() ?: run_cases();
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
