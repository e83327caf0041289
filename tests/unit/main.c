// SPDX-License-Identifier: GPL-2.0 OR MIT
/* checkpoly1305: options, and running the tests */

#define _GNU_SOURCE
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <crypto/internal/simd.h>

#include "cases.h"
#include "check.h"

static const char usage[] =
"usage: checkpoly1305 [OPTION...] [PATTERN...]\n"
"\n"
"Compares every tier that this CPU can run with big-integer arithmetic, and prints\n"
"TAP. A point is called TEST/TIER. With shell patterns, only matching points run:\n"
"'blocks/*' '*/poly1305-avx2'.\n"
"\n"
"  --list      list the points and exit\n"
"  --seed N    seed of the random input; each run prints its own\n"
"  --cases N   number of random cases for each point (20000)\n"
"  --slow      also test messages of more than 2^32 bytes\n"
"  --time      print how long the self-test at load takes, and exit\n"
"  --adx       use ADX and BMI2, which valgrind executes but does not show\n";

/* A test of this file's folder or of tests/cases, run on every tier */
struct test {
	const char *name;
	void (*run)(const struct tier *tier);
};

static const struct test tests[] = {
	{ "blocks", test_blocks },
	{ "registered", test_registered },
	{ "updates-interrupted", test_interrupted },
	{ "sections", test_sections },
	{ "threshold", test_threshold },
	{ "residue", test_residue },
	{ "traced", test_traced },
#ifndef POLY1271	/* It lacks what these test. */
	{ "huge", test_huge },
	{ "aead", test_aead },
#endif
};

static char **patterns;
static u64 seed;
static u64 cases = 20000;
static int list, slow, times, adx;

/* The running point */
static const char *point;
static unsigned int points;
static u64 case_at;
static char why[256];
static sigjmp_buf end_of_test;
enum { FAILED = 1, SKIPPED };

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

static void on_signal(int number)
{
	fail("%s", strsignal(number));
}

/*
 * A fault ends the test, not the program. The handler has a stack of its own, as the
 * stack of the faulting code may be unusable.
 */
static void catch_signals(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	static u8 stack[64 << 10];
	const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	const struct sigaction action = {
		.sa_handler = on_signal,
		.sa_flags = SA_ONSTACK,
	};
	size_t i;

	sigaltstack(&alternate, NULL);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}

bool next_case(u64 i, u64 n)
{
	static time_t told;
	const char *c;

	if (i >= n)
		return false;

	case_at = i;
	rnd_begin(seed);
	for (c = point; *c; c++)
		rnd_begin(rnd() + *c);
	rnd_begin(rnd() + i);

	if (i % 1024 == 0 && time(NULL) - told >= 10) {
		told = time(NULL);
		fprintf(stderr, "%s: case %" PRIu64 " of %" PRIu64 "\n", point, i, n);
	}
	return true;
}

u64 random_cases(void)
{
	return cases;
}

bool slow_tests(void)
{
	return slow;
}

static bool selected(const char *name)
{
	char **pattern;

	for (pattern = patterns; *pattern; pattern++)
		if (!fnmatch(*pattern, name, 0))
			return true;
	return pattern == patterns;
}

/* The case that run_case() runs, from tests/cases */
static size_t case_number;

static void run_case(const struct tier *tier)
{
	const char *why_skipped;
	int err;

	serve_by(tier);
	err = case_run(case_number, tier->def->name, seed, 1 + cases / 5000, &why_skipped);
	if (err > 0)
		skip(why_skipped);
	if (err)
		fail("error %d: a line of the case says what failed", err);
}

/* Runs one point; returns 0, FAILED or SKIPPED. */
static int try(const struct test *test, const struct tier *tier)
{
	int result;

	case_at = 0;
	/* Tests that change these leave them as they are. */
	shim_simd_usable = true;
	shim_fpu_saved = true;
	prepare(tier);
	result = sigsetjmp(end_of_test, 1);
	if (!result)
		test->run(tier);
	return result;
}

static bool report(int result)
{
	if (result == FAILED) {
		printf("not ok %u - %s\n# seed %" PRIu64 " case %" PRIu64 ": %s\n",
		       points, point, seed, case_at, why);
		return false;
	}
	printf("ok %u - %s%s%s\n", points, point,
	       result == SKIPPED ? " # SKIP " : "", result == SKIPPED ? why : "");
	return true;
}

static u64 number(const char *text)
{
	char *end;
	u64 n;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-') {
		fprintf(stderr, "checkpoly1305: '%s' is not a number\n", text);
		exit(2);
	}
	return n;
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "seed", required_argument, NULL, 's' },
		{ "cases", required_argument, NULL, 'c' },
		{ "list", no_argument, &list, true },
		{ "slow", no_argument, &slow, true },
		{ "time", no_argument, &times, true },
		{ "adx", no_argument, &adx, true },
		{ }
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'h':
			fputs(usage, stdout);
			exit(0);
		case 's':
			seed = number(optarg);
			break;
		case 'c':
			cases = number(optarg);
			break;
		case '?':
			fputs(usage, stderr);
			exit(2);
		}
	}
	patterns = argv + optind;
	assume_adx = adx;
	if (!cases) {
		fprintf(stderr, "checkpoly1305: --cases 0 would test nothing\n");
		exit(2);
	}
}

/* Repeats the self-tests that passed at load, and prints their times. */
static void tell_times(void)
{
	const struct tier *tier;
	struct timespec begin, end;
	double ms, sum = 0;

	for (tier = tier_list(); tier->name; tier++) {
		if (tier->poor)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &begin);
		poly1305_selftest(tier->def, tier->alg);
		clock_gettime(CLOCK_MONOTONIC, &end);
		ms = (end.tv_sec - begin.tv_sec) * 1e3 +
		     (end.tv_nsec - begin.tv_nsec) / 1e6;
		sum += ms;
		printf("# self-test of %s: %.1f ms\n", tier->name, ms);
	}
	printf("# self-tests in total: %.1f ms\n", sum);
}

/* Runs one test on every tier; returns how many points failed. */
static unsigned int try_tiers(const struct test *test)
{
	const struct tier *tier;
	unsigned int failed = 0;
	char name[128];

	for (tier = tier_list(); tier->name; tier++) {
		snprintf(name, sizeof(name), "%s/%s", test->name, tier->name);
		if (!selected(name))
			continue;
		points++;
		point = name;
		if (list)
			printf("%s\n", name);
		else if (!report(try(test, tier)))
			failed++;
	}
	return failed;
}

int main(int argc, char **argv)
{
	unsigned int failed = 0;
	size_t i;

	seed = time(NULL) ^ (u64)getpid() << 32;
	parse(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	make_areas();
	catch_signals();
	if (times) {
		tell_times();
		return 0;
	}

	if (!list)
		printf("# seed %" PRIu64 "\n", seed);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		failed += try_tiers(&tests[i]);
	while (case_name(case_number)) {
		const struct test test = { case_name(case_number), run_case };

		failed += try_tiers(&test);
		case_number++;
	}

	if (!points) {
		fprintf(stderr, "checkpoly1305: no point matches (try --list)\n");
		return 2;
	}
	if (list)
		return 0;
	printf("1..%u\n", points);
	return failed ? 1 : 0;
}
