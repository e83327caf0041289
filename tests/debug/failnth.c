// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * failnth load FILE | bind NAME - let each allocation of a system call fail in turn
 *
 * load loads a module, and bind binds a socket of AF_ALG to a hash. /proc/thread-self/fail-nth
 * makes the n-th allocation fail; n grows until a call makes fewer. A call may succeed although
 * an allocation failed. If it fails, it must give a documented errno and leave nothing
 * behind: otherwise later calls fail. The last call, in which nothing failed, must succeed.
 *
 * Prints how many allocations failed. Exit status 0, or 1 after one line with the reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../tools/kcapi_test/afalg.h"

/* The first allocations of a load, which are not tried: the kernel's loader makes 240 or more. */
#define LOADERS	200

/* One line on standard output, and exit status 1 */
#define die(...)	(printf(__VA_ARGS__), putchar('\n'), exit(1))

static int nth;		/* the file fail-nth */

/* Let the n-th allocation from here on fail; none if n is 0. */
static void arm(int n)
{
	if (dprintf(nth, "%d", n) < 1)
		die("fail-nth: %m");
}

/* Let no allocation fail from here on. Returns whether one did. */
static bool disarm(void)
{
	char left[16] = "";

	if (pread(nth, left, sizeof(left) - 1, 0) < 1)
		die("fail-nth: %m");
	arm(0);
	return !atoi(left);
}

/* Load the module in a file; an errno, or 0. */
static int load(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 || syscall(SYS_finit_module, fd, "", 0) ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err;
}

/* Unload it as soon as the kernel's own tests of its algorithms have ended. */
static void unload(const char *file)
{
	char name[56] = "";

	if (sscanf(basename(file), "%55[^.]", name) != 1)
		die("%s: no module", file);
	while (syscall(SYS_delete_module, name, O_NONBLOCK)) {
		if (errno != EAGAIN)
			die("rmmod %s: %m", name);
		usleep(3000);
	}
}

/* Bind a socket to a hash, and close it; an errno, or 0. */
static int bind_to(const char *name)
{
	int tfm = alg_bind("hash", name);

	if (tfm < 0)
		return -tfm;
	close(tfm);
	return 0;
}

/* ELIBBAD: the kernel had no memory to begin its own test of a new algorithm. */
static bool documented(int err)
{
	return err == ENOMEM || err == ENOBUFS || err == ENFILE || err == ELIBBAD;
}

int main(int argc, char **argv)
{
	const bool loads = argc == 3 && !strcmp(argv[1], "load");
	int n, err, console = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	bool failed = true;

	if (!loads && (argc != 3 || strcmp(argv[1], "bind"))) {
		fputs("usage: failnth load FILE | bind NAME\n", stderr);
		return 1;
	}
	nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	for (n = loads ? LOADERS : 0; failed; n++) {
		/* A guest without a word is taken for dead. */
		if (n % 10 == 9)
			dprintf(console, "%d allocations have failed\n", n);
		arm(n + 1);
		err = loads ? load(argv[2]) : bind_to(argv[2]);
		failed = disarm();
		if (err && (!failed || !documented(err)))
			die("allocation %d: %s", n + 1, strerror(err));
		if (loads && !err)
			unload(argv[2]);
	}
	printf("%d allocations, the last of %d, failed in turn\n", n - 1 - (loads ? LOADERS : 0),
	       n - 1);
	return 0;
}
