// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * hammer THREADS NAME... - hash in THREADS threads through AF_ALG until SIGTERM. The
 * threads take the named drivers in turn. A thread opens a socket for a few messages,
 * checks all tags, closes the socket, sleeps a little, and begins again. While a driver
 * is missing because its module is not loaded, bind must say so; the thread then waits.
 *
 * Prints how many tags were right, and how often a driver was missing. Exit status 0,
 * or 1 after one line with the reason.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../tools/kcapi_test/afalg.h"

#define MESSAGES	64
#define LENGTH_MAX	4000
#define AT_ONCE		8	/* messages by one socket */
#define PAUSE		20000	/* microseconds at most */

static unsigned char input[MESSAGES][POLY1305_KEY_SIZE + LENGTH_MAX];
static size_t lengths[MESSAGES];
static unsigned char tags[MESSAGES][POLY1305_TAG_SIZE];

static atomic_bool ended;
static atomic_ulong right, missing;
static atomic_bool wrong;

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
	unsigned char tag[POLY1305_TAG_SIZE];
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

int main(int argc, char **argv)
{
	struct rng rng = { .state = 1305 };
	pthread_t threads[16];
	int n, i;

	n = argc > 2 ? atoi(argv[1]) : 0;
	if (n < 1 || n > 16) {
		fputs("usage: hammer THREADS NAME...\n", stderr);
		return 1;
	}
	signal(SIGTERM, end);
	for (i = 0; i < MESSAGES; i++) {
		rng_fill(&rng, input[i], sizeof(input[i]));
		lengths[i] = POLY1305_KEY_SIZE + (i < 16 ? i * 17 :
						  i * 64 - i % 16);
		poly1305_ref(input[i], input[i] + POLY1305_KEY_SIZE,
			     lengths[i] - POLY1305_KEY_SIZE, tags[i]);
	}
	for (i = 0; i < n; i++) {
		if (pthread_create(&threads[i], NULL, work,
				   argv[2 + i % (argc - 2)]))
			return 1;
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%lu tags right, %lu times no driver\n", right, missing);
	return wrong;
}
