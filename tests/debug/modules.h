/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Modules that come and go, for hammer and failnth */
#ifndef MODULES_H
#define MODULES_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One line on standard output, and exit status 1 */
#define die(...)	(printf(__VA_ARGS__), putchar('\n'), exit(1))

static inline unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* The name of the module in a file */
static inline const char *name_of(const char *file)
{
	static char name[56];
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	return name;
}

/* The number of algorithms of a module in /proc/crypto */
static inline unsigned int registered(const char *name)
{
	static char text[1 << 16];
	char line[80];
	ssize_t n, len = 0;
	int fd = open("/proc/crypto", O_RDONLY | O_CLOEXEC);

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = 0;
	snprintf(line, sizeof(line), "module       : %s\n", name);
	return occurrences(text, line);
}

/* Unload a module as soon as nobody uses it; returns how often that was refused. */
static inline unsigned int unload(const char *name)
{
	unsigned int refusals;

	for (refusals = 0; syscall(SYS_delete_module, name, O_NONBLOCK); refusals++) {
		if ((errno != EAGAIN && errno != EBUSY) || refusals == 20000)
			die("rmmod %s: %m", name);
		usleep(3000);
	}
	return refusals;
}

#endif
