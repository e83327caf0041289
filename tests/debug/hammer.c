// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * hammer THREADS NAME... [-- TIMES EVERY FILE...] - hash while modules come and go
 *
 * THREADS threads hash through AF_ALG, with the named drivers in turn. A thread opens a socket
 * for a few messages, checks all tags, closes the socket, sleeps a little, and begins again.
 * While a driver is missing because its module is not loaded, bind must say so; the thread
 * then waits. Without TIMES this goes on until SIGTERM.
 *
 * With TIMES the first FILE is loaded and unloaded so often meanwhile. Every EVERY-th time
 * the other modules, which use it, are loaded after it and unloaded before it. If a module
 * is in use, unloading is tried again until it is not. No algorithm of it may then be left in
 * /proc/crypto.
 *
 * Prints how many tags were right, how often a driver was missing, and how often modules were
 * loaded. Exit status 0, or 1 after one line with the reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../tools/kcapi_test/afalg.h"
#include "modules.h"

#define MESSAGES	64
#define LENGTH_MAX	4000
#define AT_ONCE		8	/* messages by one socket */
#define PAUSE		20000	/* microseconds at most */

static unsigned char input[MESSAGES][KEY + LENGTH_MAX];
static size_t lengths[MESSAGES];
static unsigned char tags[MESSAGES][TAG];

static atomic_bool ended, wrong;
static atomic_ulong right, missing;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void complain(const char *driver, const char *what, size_t len, int err)
{
	printf("%s: %s, %zu bytes: %s\n", driver, what, len, strerror(-err));
	wrong = true;
}

/* In two parts, so that states last from one call to the next */
static bool message(const char *driver, int op, unsigned int i)
{
	const size_t len = lengths[i], half = len / 2;
	unsigned char tag[TAG];
	int err;

	err = alg_send(op, input[i], half, MSG_MORE) ?:
	      alg_send(op, input[i] + half, len - half, 0) ?:
	      alg_recv(op, tag);
	if (err)
		complain(driver, "error", len, err);
	else if (memcmp(tag, tags[i], sizeof(tag)))
		complain(driver, "wrong tag", len, -EBADMSG);
	else
		right++;
	return !wrong;
}

static void *work(void *arg)
{
	const char *driver = arg;
	struct rng rng = { .state = (unsigned long)&rng };
	unsigned int i = 0, n;
	int tfm, op;

	while (!ended && !wrong) {
		tfm = alg_bind(driver);
		if (tfm == -ENOENT) {
			missing++;
			usleep(PAUSE / 4);
			continue;
		}
		op = tfm < 0 ? tfm : alg_accept(tfm);
		if (op < 0) {
			complain(driver, "no socket", 0, op);
			break;
		}
		for (n = 0; n < AT_ONCE && message(driver, op, i); n++)
			i = (i + 1) % MESSAGES;
		close(op);
		close(tfm);
		usleep(rng_below(&rng, PAUSE));
	}
	return NULL;
}

static void cycle(int times, int every, int files, char **file)
{
	unsigned long loads = 0, refusals = 0;
	int i, j, last, fd[8];

	if (files < 1 || files > 8 || every < 1)
		die("at most 8 modules, and the others from time to time");
	for (j = 0; j < files; j++)
		fd[j] = open(file[j], O_RDONLY | O_CLOEXEC);
	for (i = 1; i <= times && !wrong; i++) {
		last = i % every ? 0 : files - 1;
		for (j = 0; j <= last; j++, loads++)
			if (syscall(SYS_finit_module, fd[j], "", 0))
				die("%s, time %d: %m", file[j], i);
		if (!registered(name_of(file[0])))
			die("%s, time %d: not registered", file[0], i);
		for (j = last; j >= 0; j--) {
			refusals += unload(name_of(file[j]));
			if (registered(name_of(file[j])))
				die("%s, time %d: still registered", file[j], i);
		}
	}
	printf("%d times, %lu loads; unloading was refused %lu times\n", times, loads, refusals);
}

int main(int argc, char **argv)
{
	struct rng rng = { .state = 1305 };
	pthread_t threads[16];
	int n, i, names;

	for (names = 0; 2 + names < argc && strcmp(argv[2 + names], "--"); names++)
		;
	n = names ? atoi(argv[1]) : 0;
	if (n < 1 || n > 16 || (2 + names < argc && argc < 6 + names)) {
		fputs("usage: hammer THREADS NAME... [-- TIMES EVERY FILE...]\n", stderr);
		return 1;
	}
	signal(SIGTERM, end);
	for (i = 0; i < MESSAGES; i++) {
		rng_fill(&rng, input[i], sizeof(input[i]));
		lengths[i] = KEY + (i < 16 ? i * 17 : i * 64 - i % 16);
		poly1305_ref(input[i], input[i] + KEY,
			     lengths[i] - KEY, tags[i]);
	}
	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, argv[2 + i % names]))
			return 1;
	if (2 + names < argc) {
		cycle(atoi(argv[3 + names]), atoi(argv[4 + names]), argc - names - 5,
		      argv + names + 5);
		ended = 1;
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%lu tags right, %lu times no driver\n", right, missing);
	return wrong;
}
