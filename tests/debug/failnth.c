// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * failnth - let each allocation of a system call fail in turn
 *
 *	failnth load FILE		load a module
 *	failnth bind NAME		bind a socket of AF_ALG to a hash
 *	failnth probe FILE NAME FUNCTION
 *					make the hash NAME from a template in the module
 *					FILE, which a kernel thread does; one of the
 *					allocations that fail must be in FUNCTION
 *
 * /proc/thread-self/fail-nth makes the n-th allocation fail; n grows until a call
 * makes fewer. For kernel threads, see probe(). A call that fails must give an errno
 * that is documented for it. It must leave nothing broken: the same call then succeeds.
 * A call that succeeds although an allocation failed must
 * have done its work. poly1305.ko may load with some of its drivers missing, if the log
 * names each of them.
 *
 * Prints how many sites failed. Exit status 0, or 1 after one line with the
 * reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "modules.h"

#define MANY	10000		/* more allocations than any call makes */

/*
 * probe() may miss allocations by kernel threads that are smaller than STEP bytes. From
 * FUNCTION's own allocations to the end of its error paths the limit is FINE bytes.
 */
#define STEP	256
#define FINE	64

static int nth = -1;
static unsigned int sites, survived, all_sites;

/* Let the n-th allocation from here on fail; none if n is 0. */
static void arm(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	if (nth < 0)
		nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth < 0 || pwrite(nth, text, len, 0) != len)
		die("fail-nth: %m");
}

/* Let no allocation fail from here on. Returns whether one did. */
static bool disarm(void)
{
	char text[16] = "";

	if (pread(nth, text, sizeof(text) - 1, 0) < 1)
		die("fail-nth: %m");
	arm(0);
	return !atoi(text);
}

/*
 * Count the result of a site, an errno or 0. A line on the console now and then: a guest
 * without a word is taken for dead.
 */
static void note(int err)
{
	int fd;

	survived += !err;
	sites++;
	if (++all_sites % 50)
		return;
	fd = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	dprintf(fd, "%u allocation sites\n", all_sites);
	close(fd);
}

static void sum_up(const char *what)
{
	printf("%-12s %4u sites: %u did without\n", what, sites, survived);
	sites = 0;
	survived = 0;
}

/* Whether err is in a list that ends with 0 */
static bool among(int err, const int *list)
{
	while (*list && *list != err)
		list++;
	return *list;
}

/*
 * A warning of the kernel's own: if cryptomgr has no memory to begin the test of a new
 * algorithm, crypto_wait_for_test() warns. The algorithm exists then, but users get
 * ELIBBAD, as if the test had failed.
 */
static bool known(const char *splat)
{
	const char *end = strchr(splat, '\n');
	const char *found = strstr(splat, " crypto_wait_for_test+");

	return found && end && found < end;
}

/* Count what in the log since the last call, unless NULL; die of any splat. */
static unsigned int logged(const char *what)
{
	static char text[1 << 20];
	static const char *const splats[] = {
		"BUG:", "WARNING:", "INFO:", "Oops", "KASAN", "general protection"
	};
	const char *splat;
	size_t i;
	int len = klogctl(4 /* read all, and clear */, text, sizeof(text) - 1);

	if (len < 0)
		die("the log: %m");
	text[len] = 0;
	for (i = 0; i < sizeof(splats) / sizeof(*splats); i++)
		for (splat = text; (splat = strstr(splat, splats[i])); splat++)
			if (!known(splat))
				die("the log: %.2000s", splat);
	return what ? occurrences(text, what) : 0;
}

/* Modules */

static bool present(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

static void load(const char *file)
{
	/* ELIBBAD: the kernel could not begin its own test; see known(). */
	static const int documented[] = { ENOMEM, ELIBBAD, 0 };
	static const char refusal[] = ": cannot register ";
	const char *name = name_of(file);
	unsigned int all, have, refused, missing = 0;
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int n, err;
	struct stat st;
	void *image;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %m", file);
	image = malloc(st.st_size);
	if (!image || read(fd, image, st.st_size) != st.st_size)
		die("%s: %m", file);

	if (syscall(SYS_init_module, image, st.st_size, ""))
		die("%s: %m", file);
	all = registered(name);
	unload(name);

	for (n = 1; n < MANY; n++) {
		logged(refusal);
		arm(n);
		err = syscall(SYS_init_module, image, st.st_size, "") ?
		      errno : 0;
		if (!disarm()) {
			if (err)
				die("site %d did not fail, but loading did: %s", n,
				    strerror(err));
			unload(name);
			break;
		}
		note(err);
		refused = logged(refusal);
		if (err) {
			if (!among(err, documented))
				die("site %d: %s", n, strerror(err));
			if (present(name) || registered(name))
				die("site %d: part of the module stays", n);
			continue;
		}
		have = registered(name);
		if (all - have != refused)
			die("site %d: %u of %u drivers, and the log says %u", n,
			    have, all, refused);
		missing += all - have;
		unload(name);
	}
	sum_up(name);
	fflush(stdout);
	printf("%u drivers were not registered, each with a line in the log\n",
	       missing);
}

/* AF_ALG */

/* Bind a socket to a hash, and close it; an errno, or 0. */
static int bound(const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG, .salg_type = "hash" };
	int err, tfm = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	err = tfm < 0 || bind(tfm, (struct sockaddr *)&sa, sizeof(sa)) ? errno : 0;
	if (tfm >= 0)
		close(tfm);
	return err;
}

static void bind_to(const char *name)
{
	static const int documented[] = { ENOMEM, ENOBUFS, ENFILE, 0 };
	bool failed = true;
	int n, err = bound(name);

	for (n = 1; n < MANY && failed; n++) {
		if (err)
			die("%s, site %d: then %s", name, n - 1, strerror(err));
		arm(n);
		err = bound(name);
		failed = disarm();
		if (failed)
			note(err);
		if (err && (!failed || !among(err, documented)))
			die("%s, site %d: %s", name, n, strerror(err));
		err = bound(name);
	}
	sum_up(name);
}

/* Templates */

static void set(const char *file, const char *value)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(value);

	if (fd < 0 || write(fd, value, len) != len)
		die("%s: %m", file);
	close(fd);
}

#define FAILSLAB	"/sys/kernel/debug/failslab/"

/* Let one allocation fail: the one with which the sum exceeds that many bytes. */
static void allow(int bytes)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", bytes);
	set(FAILSLAB "space", text);
	set(FAILSLAB "times", "1");
}

static bool exceeded(void)
{
	char text[16] = "";
	int fd = open(FAILSLAB "times", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 1)
		die("times: %m");
	close(fd);
	set(FAILSLAB "times", "0");
	return !atoi(text);
}

static void insert(int fd, const char *file)
{
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("%s: %m", file);
}

/*
 * One kernel thread makes an instance, and another tests it. Both inherit
 * make-it-fail from kthreadd, process 2, which starts them. fail-nth is not inherited,
 * so failslab's "space" chooses the allocation, by the bytes allocated before it.
 */
static void probe(const char *file, const char *name, const char *function)
{
	/*
	 * ENOENT: there is no instance, and the kernel does not keep the reason.
	 * ELIBBAD: there is one, but it could not be tested; see known().
	 */
	static const int documented[] = { ENOMEM, ENOENT, ELIBBAD, 0 };
	int fd = open(file, O_RDONLY | O_CLOEXEC), bytes, err;
	unsigned int ours = 0, here;
	bool failed;

	set("/proc/2/make-it-fail", "1");
	set(FAILSLAB "times", "0");
	set(FAILSLAB "task-filter", "Y");
	set(FAILSLAB "interval", "1");
	set(FAILSLAB "verbose_ratelimit_interval_ms", "0");
	set(FAILSLAB "verbose", "2");
	set(FAILSLAB "probability", "100");
	for (bytes = 0; bytes < MANY * STEP; bytes += here ? FINE : STEP) {
		insert(fd, file);
		logged(NULL);
		allow(bytes);
		err = bound(name);
		failed = exceeded();
		here = logged(function);
		ours += here;
		if (!failed && err)
			die("bind: %s, though nothing failed", strerror(err));
		if (failed) {
			note(err);
			if (err && !among(err, documented))
				die("bind, %d bytes: %s", bytes, strerror(err));
			err = bound(name);
			if (err == ELIBBAD) {
				/* It stays untested until the module goes. */
				unload(name_of(file));
				insert(fd, file);
				err = bound(name);
			}
			if (err)
				die("bind, %d bytes: then %s", bytes,
				    strerror(err));
		}
		unload(name_of(file));
		if (!failed)
			break;
	}
	set(FAILSLAB "probability", "0");
	set(FAILSLAB "verbose", "0");
	set("/proc/2/make-it-fail", "0");
	sum_up("bind");
	printf("%u times in %s\n", ours, function);
	if (!ours)
		die("no allocation failed in %s", function);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "load")) {
		load(argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "bind")) {
		bind_to(argv[2]);
	} else if (argc == 5 && !strcmp(argv[1], "probe")) {
		probe(argv[2], argv[3], argv[4]);
	} else {
		fputs("usage: failnth load FILE | bind NAME | probe FILE NAME FUNCTION\n", stderr);
		return 1;
	}
	printf("%u allocation sites failed in turn\n", all_sites);
	return 0;
}
