// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The cases of tests/cases, for main.c */

#include "../cases/poly1305_test.h"
#include "cases.h"

const char *case_name(size_t i)
{
	return i < ncases ? testcases[i].name : NULL;
}

int case_run(size_t i, const char *driver, u64 random_seed, unsigned int times,
	     const char **why_skipped)
{
	const struct testcase *testcase = &testcases[i];
	const struct subject *s;
	int err = 0;

	seed = random_seed;
	effort = times;
	if (!random_sample.input && fixture_setup(NULL, 0))
		return -ENOMEM;
	for (s = subjects; s < subjects + nsubjects; s++) {
		if ((testcase->kinds & s->kind) && (s->kind != SHASH || !strcmp(s->name, driver)))
			err = err ?: run_case(testcase, s);
	}
	if (err == SKIP)
		*why_skipped = skip_reason;
	return err;
}
