// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * afalg_test - Poly1305 through AF_ALG, against big-integer arithmetic
 *
 * Runs every case for every driver named and prints TAP. The cases try what only sockets
 * give a driver: pages of other processes, pieces of a page, copies by export and import,
 * digest and finup by splicing, and users at the same time. They expect the behaviour of
 * kernels that have a poly1305 of their own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

#include "afalg.h"
#include "../../testmgr_vectors.h"

#define DEFAULT_DRIVER	"poly1305"
#define MAX_DRIVERS	32

#ifndef SOL_ALG
#define SOL_ALG	279
#endif

/* Input to a hash is always key, then text; this much of it is at hand, random. */
#define INPUT_MAX	(1 << 17)
static unsigned char input[INPUT_MAX];

static const char *driver;	/* under test */
static int tfm;			/* a socket bound to it, the operations' parent */
static struct rng rng;		/* starts at the seed in each case */

/* Receives the tag of len bytes at in; -EBADMSG if it is not that of the reference. */
static int check(int op, const unsigned char *in, size_t len)
{
	unsigned char want[TAG], got[TAG];
	int err = alg_recv(op, got);

	if (err)
		return err;
	poly1305_ref(in, in + KEY, len - KEY, want);
	return memcmp(want, got, TAG) ? -EBADMSG : 0;
}

/* Sends one message, and checks its tag. */
static int mac(int op, const unsigned char *in, size_t len)
{
	return alg_send(op, in, len, 0) ?: check(op, in, len);
}

static bool vectors(int op)
{
	static unsigned char in[KEY + POLY1305_TESTVEC_MAX + 1];
	unsigned char want[TAG + 1], got[TAG];
	struct poly1305_testvec v;
	const char *text;
	size_t i, len;
	int err;

	for_each_poly1305_testvec(i, text, &v) {
		len = unhex(in, v.key);
		len += unhex(in + len, v.msg);
		unhex(want, v.tag);
		err = alg_send(op, in, len, 0) ?: alg_recv(op, got);
		if (err || memcmp(want, got, TAG))
			return fail("vector %s: %s", v.why, why(err ?: -EBADMSG));
	}
	return true;
}

/* Every length to 4200, with a key and a message of its own */
static bool lengths(int op)
{
	size_t len;
	int err;

	for (len = 0; len <= 4200; len++) {
		err = mac(op, input + len, KEY + len);
		if (err)
			return fail("%zu bytes: %s", len, why(err));
	}
	return true;
}

/*
 * 0 to 31 bytes of input, in one send, in two and byte by byte; and a tag read twice. Old kernels
 * give what was in their memory to the next recv, so a message comes between.
 */
static bool short_key(int op)
{
	size_t n, i;
	int err = 0;

	for (n = 0; n < KEY && !err; n++) {
		err = alg_refused(-ENOKEY, alg_send(op, input, n, 0), op) ?:
		      mac(op, input, 100) ?: alg_refused(-ENOKEY, 0, op) ?:
		      alg_send(op, input, n, MSG_MORE) ?:
		      alg_refused(-ENOKEY, alg_send(op, NULL, 0, 0), op) ?:
		      mac(op, input, 100);
		for (i = 0; i < n && !err; i++)
			err = alg_send(op, input + i, 1, MSG_MORE);
		err = alg_refused(-ENOKEY, err, op) ?: mac(op, input, 100);
	}
	return err ? fail("%zu bytes of key: %s", n - 1, why(err)) : true;
}

/* A clone after each number of bytes goes on with another text. Each in turn ends first. */
static bool clones(int op)
{
	static unsigned char other[INPUT_MAX];
	int fd[2], i, err = 0;
	size_t at, len;

	for (at = 0; at < 25000 && !err; at += at < 200 ? 1 : 4129) {
		const unsigned char *texts[] = { input, other };

		len = at + KEY + rng_below(&rng, 200);
		memcpy(other, input, at);
		memcpy(other + at, input + INPUT_MAX - (len - at), len - at);
		fd[0] = alg_accept(tfm);
		err = alg_send(fd[0], input, at, MSG_MORE);
		fd[1] = alg_accept(fd[0]);
		for (i = at % 2; i < 2 + (int)(at % 2); i++) {
			err = err ?: alg_send(fd[i % 2], texts[i % 2] + at, len - at, 0) ?:
			      check(fd[i % 2], texts[i % 2], len);
			close(fd[i % 2]);
		}
	}
	return err ? fail("before byte %zu: %s", at, why(err)) : true;
}

/* Moves pages of this process into the socket through a pipe, whose room len must not exceed. */
static int splice_in(int op, const unsigned char *in, size_t len, bool more)
{
	struct iovec iov = { (void *)in, len };
	ssize_t n = 0;
	int pipes[2];

	if (pipe(pipes) || vmsplice(pipes[1], &iov, 1, 0) != (ssize_t)len)
		return -errno;
	while (len && n >= 0) {
		n = splice(pipes[0], NULL, op, NULL, len, more ? SPLICE_F_MORE : 0);
		if (!n)
			n = -1, errno = EIO;
		len -= n;
	}
	close(pipes[0]);
	close(pipes[1]);
	return n < 0 ? -errno : 0;
}

/*
 * In kernels up to 6.4 only splicing reaches a driver's digest and finup: sends
 * always take init, update, final there.
 */
static bool splices(int op)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 64, 100, 1000, 4064, 4065, 8192, 30000 };
	size_t i, at, len;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(sizes) && !err; i++) {
		len = KEY + sizes[i];
		for (at = 0; at < 20 && !err; at += 3) {
			const unsigned char *in = input + at;

			err = splice_in(op, in, len, false) ?: check(op, in, len) ?:
			      splice_in(op, in, len / 2, true) ?:
			      alg_send(op, in + len / 2, len - len / 2, 0) ?:
			      check(op, in, len) ?:
			      alg_send(op, in, 21, MSG_MORE) ?:
			      splice_in(op, in + 21, len - 21, false) ?: check(op, in, len);
		}
	}
	return err ? fail("%zu bytes: %s", sizes[i - 1], why(err)) : true;
}

/* The key is part of the input. Trying to set one fails and does no harm. */
static bool set_key(int op)
{
	int own = alg_bind(driver), err = 0;

	if (!setsockopt(own, SOL_ALG, ALG_SET_KEY, input, KEY) || errno != ENOSYS)
		err = -EBADE;
	err = err ?: mac(op, input, KEY + 100);
	close(own);
	return err ? fail("%s", why(err)) : true;
}

#define THREADS	8

struct worker {
	pthread_t thread;
	int number, err;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct rng mine = { rng.state + w->number };
	int op = alg_accept(tfm), i;
	const unsigned char *in;
	size_t len, cut;

	for (i = 0; i < 200 && !w->err; i++) {
		len = KEY + rng_below(&mine, 6000);
		cut = rng_below(&mine, len);
		in = input + rng_below(&mine, 9999);
		w->err = alg_send(op, in, cut, MSG_MORE) ?:
			 alg_send(op, in + cut, len - cut, 0) ?: check(op, in, len);
	}
	close(op);
	return NULL;
}

static bool threads(int op)
{
	struct worker workers[THREADS];
	int i, err = 0;

	for (i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .number = i };
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			exit(TAP_FAIL);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		err = err ?: workers[i].err;
	}
	return err ? fail("%s", why(err)) : true;
}

static const struct test_case {
	const char *name;
	bool (*run)(int op);
} cases[] = {
	{ "vectors", vectors },
	{ "lengths", lengths },
	{ "short_key", short_key },
	{ "clone", clones },
	{ "splice", splices },
	{ "set_key", set_key },
	{ "threads", threads },
};

static bool run_case(const struct test_case *c, struct rng seed)
{
	bool passed;
	int op;

	/* Each case begins at the seed, so that it can be rerun alone. */
	rng = seed;
	rng_fill(&rng, input, INPUT_MAX);
	tfm = alg_bind(driver);
	if (tfm < 0)
		return fail("cannot bind: %s", why(tfm));
	op = alg_accept(tfm);
	passed = c->run(op);
	close(op);
	close(tfm);
	return passed;
}

int main(int argc, char **argv)
{
	static const char usage[] =
		"usage: afalg_test [-d DRIVER]... [-s SEED] [PATTERN]\n"
		"Tests " DEFAULT_DRIVER ", or the drivers named, through AF_ALG. Prints TAP.\n"
		"PATTERN is a shell pattern for names of cases. Exit status 4: the kernel has\n"
		"no AF_ALG, or no " DEFAULT_DRIVER " and no driver is named.\n";
	const char *drivers[MAX_DRIVERS] = { DEFAULT_DRIVER }, *seed = NULL, *pattern;
	unsigned int n = 0, d, i, matching = 0;
	bool wrong = false;
	struct rng start;
	int opt, fd;

	while ((opt = getopt(argc, argv, "d:s:")) != -1) {
		if (opt == 'd' && n < MAX_DRIVERS)
			drivers[n++] = optarg;
		else if (opt == 's')
			seed = optarg;
		wrong |= opt == '?' || n == MAX_DRIVERS;
	}
	pattern = optind < argc ? argv[optind] : "*";
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		matching += !fnmatch(pattern, cases[i].name, 0);
	if (wrong || argc - optind > 1 || !matching || !rng_seed(&start, seed)) {
		fputs(usage, stderr);
		return TAP_FAIL;
	}
	fd = alg_bind(DEFAULT_DRIVER);
	if (fd == -EAFNOSUPPORT || (fd == -ENOENT && !n))
		return tap_skip_all("this kernel has no AF_ALG, or no hash " DEFAULT_DRIVER);
	if (fd >= 0)
		close(fd);

	n = n ?: 1;
	tap_plan(n * matching);
	tap_diag("seed %#llx", start.state);
	for (d = 0; d < n; d++) {
		driver = drivers[d];
		for (i = 0; i < ARRAY_SIZE(cases); i++)
			if (!fnmatch(pattern, cases[i].name, 0))
				tap_result(run_case(&cases[i], start), "%s %s", driver,
					   cases[i].name);
	}
	return tap_end();
}
