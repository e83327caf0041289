// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * cycle TIMES EVERY FILE [FILE...] - load and unload a module TIMES times
 *
 * The first FILE is loaded each time. Every EVERY-th time the others, which use it,
 * are loaded after it and unloaded before it. If a module is in use, unloading is
 * tried again until it is not. No algorithm of it may then be left in /proc/crypto.
 *
 * Prints the number of loads, and how often unloading was refused because of users.
 * Exit status 0, or 1 after one line with the reason.
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

#define FILES_MAX	8
#define REFUSALS_MAX	20000	/* in a row */
#define PAUSE		3000	/* microseconds */

static struct module {
	char name[56], entry[80];
	int fd;
} modules[FILES_MAX];

static unsigned long loads, refusals;

static void die(const struct module *m, const char *what)
{
	printf("%s: after %lu loads: %s: %m\n", m->name, loads, what);
	exit(1);
}

static void open_module(struct module *m, const char *file)
{
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	snprintf(m->name, sizeof(m->name), "%.*s",
		 (int)strcspn(base, "."), base);
	snprintf(m->entry, sizeof(m->entry), "module       : %s\n", m->name);
	m->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (m->fd < 0)
		die(m, file);
}

/* Whether /proc/crypto lists an algorithm of the module */
static bool registered(const struct module *m)
{
	static char text[1 << 16];
	ssize_t n, len = 0;
	int fd = open("/proc/crypto", O_RDONLY | O_CLOEXEC);

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = 0;
	return strstr(text, m->entry);
}

static void load(const struct module *m)
{
	if (syscall(SYS_finit_module, m->fd, "", 0))
		die(m, "not loaded");
	loads++;
}

static void unload(const struct module *m)
{
	unsigned int n;

	for (n = 0; syscall(SYS_delete_module, m->name, O_NONBLOCK); n++) {
		if ((errno != EAGAIN && errno != EBUSY) || n == REFUSALS_MAX)
			die(m, "not unloaded");
		refusals++;
		usleep(PAUSE);
	}
	if (registered(m))
		die(m, "still registered");
}

int main(int argc, char **argv)
{
	int times, every, n = argc - 3, i, j, last;

	if (n < 1 || n > FILES_MAX) {
		fputs("usage: cycle TIMES EVERY FILE [FILE...]\n", stderr);
		return 1;
	}
	times = atoi(argv[1]);
	every = atoi(argv[2]);
	for (j = 0; j < n; j++)
		open_module(&modules[j], argv[3 + j]);
	for (i = 1; i <= times; i++) {
		last = i % every ? 0 : n - 1;
		for (j = 0; j <= last; j++)
			load(&modules[j]);
		if (!registered(&modules[0]))
			die(&modules[0], "not registered");
		for (j = last; j >= 0; j--)
			unload(&modules[j]);
	}
	printf("%d times, %lu loads; unloading was refused %lu times\n", times,
	       loads, refusals);
	return 0;
}
