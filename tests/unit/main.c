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

#include "check.h"

static const char usage[] =
"usage: checkpoly1305 [OPTION...] [PATTERN...]\n"
"Prints TAP. A point is called CASE/SUBJECT. With shell patterns, only matching points run.\n"
"  --list      list the points and exit\n"
"  --seed N    seed of the random input; each run prints its own\n"
"  --cases N   number of random cases for each point (20000)\n"
"  --slow      also test messages of more than 2^32 bytes\n";

u8 *input, *output, *tags, *objects, *exports;
unsigned long cases = 20000;
bool slow;
static bool list;
static char **patterns;

static sigjmp_buf end_of_case;

int fail(const char *fmt, ...)
{
	va_list args;

	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	siglongjmp(end_of_case, -EINVAL);
}

int skip(const char *why)
{
	printf("# %s\n", why);
	siglongjmp(end_of_case, 1);
}

/* A fault ends the case, not the program. */
static void on_signal(int number)
{
	fail("%s", strsignal(number));
}

int call_case(const struct testcase *testcase, const struct subject *s)
{
	const int err = sigsetjmp(end_of_case, 1);

	if (err)
		return err;
	/* Cases that change these leave them as they are. */
	shim_simd_usable = true;
	shim_fpu_saved = true;
	prepare(s->tier);
	if (s->kind != TIER)
		serve_by(s->tier);
	return testcase->run(s);
}

void any_context(void)
{
	if (shim_fpu_sections && !shim_simd_usable)
		fail("an FPU section began where SIMD is not usable");
	shim_fpu_sections = 0;
	shim_simd_usable = rnd() & 1;
	shim_fpu_saved = rnd() & 1;
}

bool selected(const struct testcase *testcase, const struct subject *s)
{
	char point[128], **pattern;

	snprintf(point, sizeof(point), "%s/%s", testcase->name, s->name);
	for (pattern = patterns; *pattern; pattern++)
		if (!fnmatch(*pattern, point, 0))
			return true;
	return pattern == patterns;
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

static void add(enum kind kind, const struct tier *tier, const char *prefix, const char *driver)
{
	char *name;

	if (asprintf(&name, "%s%s", prefix, tier->name) < 0 || add_subject(kind, name, driver))
		abort();
	subjects[nsubjects - 1].tier = tier;
}

static void prepare_all(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	u8 **const areas[] = { &input, &output, &tags, &objects, &exports };
	const struct tier *tier;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], on_signal);
	for (i = 0; i < ARRAY_SIZE(areas); i++)
		*areas[i] = vmalloc(AREA_SIZE);
	if (fixture_setup())
		abort();
	for (tier = tier_list(); tier->name; tier++) {
		add(TIER, tier, "", NULL);
		add(LIBRARY, tier, "library/", NULL);
		add(SHASH, tier, "", tier->def->name);
		add(AES, tier, "poly1305(aes)/", "poly1305(aes)");
	}
}

int main(int argc, char **argv)
{
	const struct testcase *testcase;
	const struct subject *s;
	size_t points = 0;

	seed = time(NULL) ^ getpid() << 16;
	parse(argv + 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	prepare_all();

	for_each_point(testcase, s) {
		points++;
		if (list)
			printf("%s/%s\n", testcase->name, s->name);
	}
	if (!points) {
		fprintf(stderr, "checkpoly1305: no point matches (try --list)\n");
		return 2;
	}
	return !list && run_cases() ? 1 : 0;
}
