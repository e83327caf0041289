// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * afalg_test - Poly1305 through AF_ALG, against big-integer arithmetic
 *
 * Runs every case for every driver named and prints TAP. The cases are in
 * cases_message.c and cases_socket.c.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <kcapi.h>

#include "afalg.h"

#define DEFAULT_DRIVER	"poly1305"
#define MAX_DRIVERS	32

static const struct test_case *const lists[] = { message_cases, socket_cases };

#define LISTS	(sizeof(lists) / sizeof(*lists))

static void usage(FILE *out)
{
	fputs("Usage: afalg_test [-d DRIVER]... [-s SEED] [PATTERN]\n"
	      "Test " DEFAULT_DRIVER " through AF_ALG. Prints TAP.\n"
	      "\n"
	      "  -d, --driver NAME  test this driver, not " DEFAULT_DRIVER "; repeat for more\n"
	      "  -s, --seed SEED    of the random input, as an earlier run printed it\n"
	      "  -l, --list         list the cases\n"
	      "  -h, --help         this text\n"
	      "\n"
	      "PATTERN is a shell pattern that names of cases must match.\n"
	      "Exit status: 0 all passed, 1 not, 4 skipped: the kernel has no AF_ALG or no\n"
	      "crypto_user, or no driver was named and it has no " DEFAULT_DRIVER ".\n", out);
}

static bool matches(const struct test_case *c, const char *pattern)
{
	return !fnmatch(pattern, c->name, 0);
}

static void list(void)
{
	const struct test_case *c;
	size_t i;

	for (i = 0; i < LISTS; i++) {
		for (c = lists[i]; c->name; c++)
			printf("%-18s %s\n", c->name, c->about);
	}
}

static unsigned int count(const char *pattern)
{
	const struct test_case *c;
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < LISTS; i++) {
		for (c = lists[i]; c->name; c++)
			n += matches(c, pattern);
	}
	return n;
}

static bool run_case(const struct test_case *c, const char *driver,
		     struct rng seed, unsigned char *input)
{
	struct subject t = { .driver = driver, .rng = seed, .input = input };
	bool passed;

	/* Each case begins at the seed, so that it can be rerun alone. */
	rng_fill(&t.rng, input, INPUT_MAX);
	t.tfm = alg_bind(driver);
	if (t.tfm < 0)
		return fail("cannot bind: %s", strerror(-t.tfm));
	passed = c->run(&t);
	close(t.tfm);
	return passed;
}

/* A reason to skip everything, or NULL. */
static const char *nothing_to_test(bool driver_named)
{
	int fd = alg_bind(DEFAULT_DRIVER);
	struct kcapi_handle *handle;
	int err;

	if (fd == -EAFNOSUPPORT)
		return "this kernel has no AF_ALG";
	if (fd == -ENOENT && !driver_named)
		return "this kernel has no hash " DEFAULT_DRIVER
		       " (or lacks algif_hash)";
	if (fd >= 0)
		close(fd);
	err = kcapi_md_init(&handle, "sha256", 0);
	if (err == -EPROTONOSUPPORT)
		return "libkcapi needs the kernel's crypto_user";
	if (!err)
		kcapi_md_destroy(handle);
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "driver", required_argument, NULL, 'd' },
		{ "seed", required_argument, NULL, 's' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	static unsigned char input[INPUT_MAX];
	const char *drivers[MAX_DRIVERS], *seed = NULL, *pattern = "*", *skip;
	const struct test_case *c;
	unsigned int ndrivers = 0, d;
	struct rng rng;
	size_t i;
	int opt;

	while ((opt = getopt_long(argc, argv, "d:s:lh", options, NULL)) != -1) {
		switch (opt) {
		case 'd':
			if (ndrivers == MAX_DRIVERS) {
				fputs("afalg_test: too many drivers\n", stderr);
				return TAP_FAIL;
			}
			drivers[ndrivers++] = optarg;
			break;
		case 's':
			seed = optarg;
			break;
		case 'l':
			list();
			return TAP_PASS;
		case 'h':
			usage(stdout);
			return TAP_PASS;
		default:
			usage(stderr);
			return TAP_FAIL;
		}
	}
	if (argc - optind > 1) {
		usage(stderr);
		return TAP_FAIL;
	}
	if (optind < argc)
		pattern = argv[optind];
	if (!count(pattern)) {
		fprintf(stderr, "afalg_test: no case matches %s (see --list)\n",
			pattern);
		return TAP_FAIL;
	}
	if (!rng_seed(&rng, seed)) {
		fprintf(stderr, "afalg_test: %s is no seed\n", seed ?: "this");
		return TAP_FAIL;
	}

	/* Errors in libkcapi are results here, so it must not print them. */
	kcapi_set_verbosity(KCAPI_LOG_NONE);
	skip = nothing_to_test(ndrivers);
	if (skip)
		return tap_skip_all(skip);
	if (!ndrivers)
		drivers[ndrivers++] = DEFAULT_DRIVER;

	tap_plan(ndrivers * count(pattern));
	tap_diag("seed %#llx", rng.state);
	for (d = 0; d < ndrivers; d++) {
		for (i = 0; i < LISTS; i++) {
			for (c = lists[i]; c->name; c++) {
				if (!matches(c, pattern))
					continue;
				tap_result(run_case(c, drivers[d], rng, input),
					   "%s %s", drivers[d], c->name);
			}
		}
	}
	return tap_end();
}
