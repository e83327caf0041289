// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Allocations that fail, and the results */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "fault.h"

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	exit(1);
}

static int nth = -1;

void arm(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	if (nth < 0)
		nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth < 0 || pwrite(nth, text, len, 0) != len)
		die("fail-nth: %m");
}

bool disarm(void)
{
	char text[16] = "";

	if (pread(nth, text, sizeof(text) - 1, 0) < 1)
		die("fail-nth: %m");
	arm(0);
	return !atoi(text);
}

/* The results of the sites of one call */
static unsigned int survived, by_errno[256];
unsigned int all_sites;

/* A line on the console now and then: a guest without a word is taken for dead. */
static void tell_progress(void)
{
	int fd = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "%u allocation sites\n", all_sites);
	close(fd);
}

void note(int err)
{
	if (err)
		by_errno[err]++;
	else
		survived++;
	all_sites++;
	if (all_sites % 50 == 0)
		tell_progress();
}

void sum_up(const char *what)
{
	unsigned int err, n = survived;

	for (err = 0; err < 256; err++)
		n += by_errno[err];
	printf("%-12s %4u sites:", what, n);
	for (err = 0; err < 256; err++) {
		if (by_errno[err])
			printf(" %u %s,", by_errno[err], strerrorname_np(err));
	}
	printf(" %u did without\n", survived);
	survived = 0;
	memset(by_errno, 0, sizeof(by_errno));
}

bool among(int err, const int *list)
{
	while (*list && *list != err)
		list++;
	return *list;
}

unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	while ((text = strstr(text, what))) {
		n++;
		text++;
	}
	return n;
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

unsigned int logged(const char *what)
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
