// SPDX-License-Identifier: GPL-2.0 OR MIT
/* checkpoly1305: options, and running the tests */

#define _GNU_SOURCE
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../cases/poly1305_test.h"
#undef fail		/* The cases return; the tests of this folder do not. */
#include "check.h"

static const char usage[] =
"usage: checkpoly1305 [OPTION...] [PATTERN...]\n"
"Prints TAP. A point is called TEST/TIER. With shell patterns, only matching points run.\n"
"  --list      list the points and exit\n"
"  --seed N    seed of the random input; each run prints its own\n"
"  --cases N   number of random cases for each point (20000)\n"
"  --slow      also test messages of more than 2^32 bytes\n";

/* A test of this folder, or a case of tests/cases. Each runs on every tier. */
struct test {
	const char *name;
	void (*run)(const struct tier *tier);
	const struct testcase *testcase;
};

static const struct test tests[] = {
	{ "blocks", test_blocks },
	{ "registered", test_registered },
	{ "updates-interrupted", test_interrupted },
	{ "sections", test_sections },
	{ "residue", test_residue },
	{ "depth", test_depth },
	{ "traced", test_traced },
	{ "usable", test_usable },
	{ "huge", test_huge },
	{ "aead", test_aead },
};

u8 *input, *output, *keys, *tags, *objects, *exports;
unsigned long cases = 20000;
bool slow;
static bool list;
static char **patterns;

/* The outcome of the running point */
static char why[256];
static sigjmp_buf end_of_test;
enum { PASSED, FAILED, SKIPPED };

void fail(const char *text, ...)
{
	va_list args;

	va_start(args, text);
	vsnprintf(why, sizeof(why), text, args);
	va_end(args);
	siglongjmp(end_of_test, FAILED);
}

void skip(const char *text)
{
	snprintf(why, sizeof(why), "%s", text);
	siglongjmp(end_of_test, SKIPPED);
}

/* A fault ends the test, not the program. */
static void on_signal(int number)
{
	fail("%s", strsignal(number));
}

/* Runs a case on the exported functions and on the driver of the tier, as it applies. */
static void try_case(const struct testcase *testcase, const struct tier *tier)
{
	const struct subject *s;
	int err;

	serve_by(tier);
	for (s = subjects; s < subjects + nsubjects; s++) {
		if (!(testcase->kinds & s->kind) ||
		    (s->kind == SHASH && strcmp(s->name, tier->def->name)))
			continue;
		err = run_case(testcase, s);
		if (err)
			fail("error %d: a line of the case says what failed", err);
	}
}

/* Runs a test on a tier. Returns its outcome. */
static int try(const struct test *test, const struct tier *tier)
{
	const int outcome = sigsetjmp(end_of_test, 1);

	if (outcome)
		return outcome;
	/* Tests that change these leave them as they are. */
	shim_simd_usable = true;
	shim_fpu_saved = true;
	prepare(tier);
	random_state = seed;
	if (test->run)
		test->run(tier);
	else
		try_case(test->testcase, tier);
	return PASSED;
}

static bool selected(const char *name)
{
	char **pattern;

	for (pattern = patterns; *pattern; pattern++)
		if (!fnmatch(*pattern, name, 0))
			return true;
	return pattern == patterns;
}

static unsigned int points, failed;

static void try_tiers(const struct test *test)
{
	const struct tier *tier;
	char point[128];
	int outcome;

	for (tier = tier_list(); tier->name; tier++) {
		snprintf(point, sizeof(point), "%s/%s", test->name, tier->name);
		if (!selected(point))
			continue;
		points++;
		if (list) {
			printf("%s\n", point);
			continue;
		}
		outcome = try(test, tier);
		if (outcome == FAILED) {
			failed++;
			printf("not ok %u - %s\n# seed %u: %s\n", points, point, seed, why);
		} else {
			printf("ok %u - %s%s%s\n", points, point,
			       outcome == SKIPPED ? " # SKIP " : "",
			       outcome == SKIPPED ? why : "");
		}
	}
}

static void parse(char **arg)
{
	for (; *arg && !strncmp(*arg, "--", 2); arg++) {
		if (!strcmp(*arg, "--list"))
			list = true;
		else if (!strcmp(*arg, "--slow"))
			slow = true;
		else if (!strcmp(*arg, "--seed") && arg[1])
			seed = strtoul(*++arg, NULL, 0);
		else if (!strcmp(*arg, "--cases") && arg[1])
			cases = strtoul(*++arg, NULL, 0);
		else
			cases = 0;
		if (!cases) {
			fputs(usage, stderr);
			exit(2);
		}
	}
	patterns = arg;
	effort = 1 + cases / 5000;
}

static void prepare_input(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	u8 **const areas[] = { &input, &output, &keys, &tags, &objects, &exports };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], on_signal);
	for (i = 0; i < ARRAY_SIZE(areas); i++)
		*areas[i] = vmalloc(AREA_SIZE);
	if (fixture_setup(NULL, 0))
		abort();
}

int main(int argc, char **argv)
{
	size_t i;

	seed = time(NULL) ^ getpid() << 16;
	parse(argv + 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	prepare_input();

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		try_tiers(&tests[i]);
	for (i = 0; i < ncases; i++)
		try_tiers(&(struct test){ testcases[i].name, .testcase = &testcases[i] });

	if (!points) {
		fprintf(stderr, "checkpoly1305: no point matches (try --list)\n");
		return 2;
	}
	if (list)
		return 0;
	printf("1..%u\n", points);
	return failed ? 1 : 0;
}
