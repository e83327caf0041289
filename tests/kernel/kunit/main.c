// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_kunit.ko: the cases of tests/kernel under KUnit. Each runs on the exported
 * functions, on every shash driver, or on both.
 */

#include <linux/module.h>

#include "../poly1305_test.h"
#include "../../../poly1305_core.h"
#include "kunit.h"

static void run_case(struct kunit *test, int (*run)(const struct subject *s))
{
	const struct subject *s = test->param_value;
	int err = run(s);

	if (err == SKIP)
		kunit_skip(test, "%s", skip_reason);
	if (err)
		KUNIT_FAIL(test, "%s: error %d; the line above says what failed",
			   s->name, err);
}

/* The next subject after prev that the case applies to, or the first for NULL */
static const void *next_subject(const struct subject *prev, bool in_library,
				bool in_shash, char *desc)
{
	const struct subject *s = prev ? prev + 1 : subjects;

	for (; s < subjects + nsubjects; s++) {
		if (s->tfm ? in_shash : in_library) {
			strscpy(desc, s->name, KUNIT_PARAM_DESC_SIZE);
			return s;
		}
	}
	return NULL;
}

#define DEFINE_CASE(id, text, in_library, in_shash)			\
static void run_##id(struct kunit *test)				\
{									\
	run_case(test, test_##id);					\
}									\
									\
static const void *params_##id(struct kunit *test, const void *prev,	\
			       char *desc)				\
{									\
	return next_subject(prev, in_library, in_shash, desc);		\
}

#define CASE(id, text, in_library, in_shash)				\
	{ .run_case = run_##id, .name = text, .generate_params = params_##id, \
	  .module_name = KBUILD_MODNAME },

POLY1305_TESTCASES(DEFINE_CASE)

static struct kunit_case all_cases[] = { POLY1305_TESTCASES(CASE) { } };

static int suite_init(struct kunit_suite *suite)
{
	return fixture_setup();
}

static void suite_exit(struct kunit_suite *suite)
{
	fixture_teardown();
}

static struct kunit_suite poly1305_suite = {
	.name = POLY1305_NAME,
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = all_cases,
};

kunit_test_suites(&poly1305_suite, &blocks_suite);

MODULE_DESCRIPTION("KUnit tests of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
