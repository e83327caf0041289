// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases about sockets: errors, clones, splicing, lifetimes, threads. They expect
 * the behaviour of kernels that have a poly1305 of their own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

#include "afalg.h"

#define KEY	POLY1305_KEY_SIZE
#define TAG	POLY1305_TAG_SIZE
#define CANARY	0xa5

#ifndef SOL_ALG
#define SOL_ALG	279
#endif

/* The call that ends the message, the last send or the recv, gives ENOKEY. */
static int want_enokey(int err, int op)
{
	unsigned char tag[TAG];
	size_t i;

	if (!err) {
		memset(tag, CANARY, TAG);
		err = alg_recv(op, tag);
		for (i = 0; i < TAG; i++) {
			if (tag[i] != CANARY)
				return -EBADE;
		}
	}
	return err == -ENOKEY ? 0 : err ?: -EBADMSG;
}

static bool short_key(struct subject *t)
{
	const size_t len = KEY + 68;
	const unsigned char *in = t->input;
	int op = alg_accept(t->tfm);
	const char *how = "";
	size_t n, i;
	int err = 0;

	for (n = 0; n < KEY && !err; n++) {
		how = "one send";
		err = want_enokey(alg_send(op, in, n, 0), op) ?:
		      alg_mac(op, in, len);
		if (err)
			break;
		how = "MSG_MORE, then recv";
		err = want_enokey(alg_send(op, in, n, MSG_MORE), op) ?:
		      alg_mac(op, in, len);
		if (err)
			break;
		how = "byte by byte";
		for (i = 0; i < n && !err; i++)
			err = alg_send(op, in + i, 1, MSG_MORE);
		err = want_enokey(err, op) ?: alg_mac(op, in, len);
		if (err)
			break;
		how = "MSG_MORE, then an empty send";
		err = alg_send(op, in, n, MSG_MORE) ?:
		      want_enokey(alg_send(op, NULL, 0, 0), op) ?:
		      alg_mac(op, in, len);
		if (err)
			break;
	}
	close(op);
	return err ? fail("%zu bytes of key, %s: %s", n, how, why(err)) : true;
}

/* Where one message ends and the next begins. */
static bool new_message(struct subject *t)
{
	const unsigned char *a = t->input, *b = t->input + 5000;
	const size_t len_a = KEY + 1000, len_b = KEY + 333;
	int op = alg_accept(t->tfm);
	const char *how;
	int err;

	how = "a second send drops a tag that was not received";
	err = alg_send(op, a, len_a, 0) ?: alg_mac(op, b, len_b);
	if (err)
		goto out;
	how = "so does one with MSG_MORE";
	err = alg_send(op, a, len_a, 0) ?: alg_send(op, b, 40, MSG_MORE) ?:
	      alg_send(op, b + 40, len_b - 40, 0) ?: alg_check(op, b, len_b);
	if (err)
		goto out;
	how = "recv ends a message";
	err = alg_send(op, a, 100, MSG_MORE) ?: alg_check(op, a, 100) ?:
	      alg_mac(op, b, len_b);
	if (err)
		goto out;
	how = "a tag is received once, and a new message has no key";
	err = alg_mac(op, a, len_a) ?: want_enokey(0, op) ?:
	      alg_mac(op, b, len_b);
out:
	close(op);
	return err ? fail("%s: %s", how, why(err)) : true;
}

/*
 * Clones an operation after @at bytes, and the clone half-way to its own end.
 * The original goes on with one text, both clones with another.
 */
static int clone_at(struct subject *t, size_t at, unsigned char *other)
{
	const unsigned char *in = t->input;
	size_t len = at + KEY + rng_below(&t->rng, 200);
	size_t half = at + (len - at) / 2;
	int op = alg_accept(t->tfm), clone = -1, second = -1, err;

	memcpy(other, in, at);
	memcpy(other + at, in + INPUT_MAX - (len - at), len - at);

	err = alg_send(op, in, at, MSG_MORE);
	if (err)
		goto out;
	clone = alg_accept(op);
	err = clone < 0 ? clone : alg_send(op, in + at, half - at, MSG_MORE) ?:
	      alg_send(clone, other + at, half - at, MSG_MORE);
	if (err)
		goto out;
	second = alg_accept(clone);
	err = second < 0 ? second : 0;
	if (err)
		goto out;

	/* An operation must not need the one it came from. */
	if (at % 2) {
		err = alg_send(op, in + half, len - half, 0) ?:
		      alg_check(op, in, len);
		close(op);
		op = -1;
	}
	err = err ?: alg_send(clone, other + half, len - half, 0) ?:
	      alg_check(clone, other, len) ?:
	      alg_send(second, other + half, len - half, 0) ?:
	      alg_check(second, other, len);
	if (op >= 0)
		err = err ?: alg_send(op, in + half, len - half, 0) ?:
		      alg_check(op, in, len);
out:
	if (second >= 0)
		close(second);
	if (clone >= 0)
		close(clone);
	if (op >= 0)
		close(op);
	return err;
}

static bool clone_states(struct subject *t)
{
	static const size_t far[] = { 1000, 4095, 4128, 20011, 70000 };
	unsigned char *other = malloc(INPUT_MAX);
	size_t at = 0, i;
	int err = 0;

	for (i = 0; i <= 200 && !err; i++) {
		at = i;
		err = clone_at(t, at, other);
	}
	for (i = 0; i < sizeof(far) / sizeof(*far) && !err; i++) {
		at = far[i];
		err = clone_at(t, at, other);
	}
	free(other);
	return err ? fail("cloned after %zu bytes: %s", at, why(err)) : true;
}

/* A buffer shorter than the tag gets its beginning, a longer one the tag alone. */
static bool recv_sizes(struct subject *t)
{
	static const size_t sizes[] = {
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32,
		64, 4096
	};
	const size_t len = KEY + 50;
	unsigned char want[TAG], buf[4096];
	int op = alg_accept(t->tfm);
	bool truncated;
	size_t i, j;
	int err = 0;

	poly1305_ref(t->input, t->input + KEY, len - KEY, want);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes) && !err; i++) {
		size_t due = sizes[i] < TAG ? sizes[i] : TAG;
		struct iovec iov[] = {
			{ buf, sizes[i] / 2 },
			{ buf + sizes[i] / 2, sizes[i] - sizes[i] / 2 },
		};
		struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

		memset(buf, CANARY, sizeof(buf));
		err = alg_send(op, t->input, len, i & 1 ? MSG_MORE : 0);
		if (err)
			break;
		if (recvmsg(op, &msg, 0) != (ssize_t)due)
			err = -EIO;
		truncated = msg.msg_flags & MSG_TRUNC;
		if (due < TAG ? !truncated : truncated)
			err = -EMSGSIZE;
		if (memcmp(buf, want, due))
			err = -EBADMSG;
		for (j = due; j < sizeof(buf); j++) {
			if (buf[j] != CANARY)
				err = -EOVERFLOW;
		}
		/* The rest of a tag is gone. */
		err = err ?: want_enokey(0, op) ?: alg_mac(op, t->input, len);
	}
	close(op);
	return err ? fail("a buffer of %zu: %s", sizes[i - !!i], why(err)) :
		     true;
}

/* Moves pages of this process into the socket through a pipe. */
static int splice_in(int op, const unsigned char *buf, size_t len, bool more)
{
	int pipes[2], err = 0;

	if (pipe(pipes))
		return -errno;
	while (len && !err) {
		struct iovec iov = { (void *)buf, len };
		ssize_t in = vmsplice(pipes[1], &iov, 1, 0), out;

		if (in < 0) {
			err = -errno;
			break;
		}
		buf += in;
		len -= in;
		for (; in > 0; in -= out) {
			out = splice(pipes[0], NULL, op, NULL, in,
				     more || len ? SPLICE_F_MORE : 0);
			if (out < 0) {
				err = -errno;
				break;
			}
			if (!out) {
				err = -EIO;
				break;
			}
		}
	}
	close(pipes[0]);
	close(pipes[1]);
	return err;
}

/*
 * In kernels up to 6.4 only splicing reaches a driver's digest and finup: sends
 * always take init, update, final there.
 */
static bool splices(struct subject *t)
{
	static const size_t sizes[] = {
		0, 1, 15, 16, 17, 64, 100, 1000, 4064, 4065, 4096, 8192, 65504,
		70000
	};
	static const size_t offsets[] = { 0, 1, 7, 16, 4090 };
	int op = alg_accept(t->tfm);
	unsigned char *buf = NULL;
	const char *how = "";
	size_t i, j = 0, n, len = 0;
	int err = 0;

	if (posix_memalign((void **)&buf, 4096, 1 << 17))
		return fail("no memory");
	memcpy(buf, t->input, 1 << 17);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes) && !err; i++) {
		len = KEY + sizes[i];
		for (j = 0; j < sizeof(offsets) / sizeof(*offsets); j++) {
			unsigned char *in = buf + offsets[j];

			how = "in one go";
			err = splice_in(op, in, len, false) ?:
			      alg_check(op, in, len);
			if (err)
				break;
			how = "spliced, then sent";
			err = splice_in(op, in, len / 2, true) ?:
			      alg_send(op, in + len / 2, len - len / 2, 0) ?:
			      alg_check(op, in, len);
			if (err)
				break;
			how = "sent, then spliced";
			err = alg_send(op, in, 21, MSG_MORE) ?:
			      splice_in(op, in + 21, len - 21, false) ?:
			      alg_check(op, in, len);
			if (err)
				break;
			how = "spliced in two, then recv";
			err = splice_in(op, in, 33 % len, true) ?:
			      splice_in(op, in + 33 % len, len - 33 % len,
					true) ?:
			      alg_check(op, in, len);
			if (err)
				break;
		}
	}
	if (err) {
		tap_diag("  %zu bytes at offset %zu, %s: %s", len - KEY,
			 offsets[j], how, why(err));
		goto out;
	}

	for (n = 1; n < KEY && !err; n++) {
		int short_op = alg_accept(t->tfm);

		/*
		 * If a splice fails to end a message, kernels up to 6.4 still
		 * wait for more of it, so the operation is of no more use.
		 */
		err = want_enokey(splice_in(op, buf, n, false), op) ?:
		      alg_mac(op, buf, 100) ?:
		      alg_send(short_op, buf, n / 2, MSG_MORE) ?:
		      want_enokey(splice_in(short_op, buf, n - n / 2, false),
				  short_op) ?:
		      alg_mac(op, buf, 100);
		close(short_op);
		if (err)
			tap_diag("  %zu bytes of key: %s", n, why(err));
	}
out:
	free(buf);
	close(op);
	return !err;
}

static bool sendfiles(struct subject *t)
{
	static const size_t sizes[] = {
		0, 16, 100, 4064, 4096, 5000, 65504, 65536, 65537, 300000
	};
	int op = alg_accept(t->tfm), file, err = 0;
	size_t i, sent;

	file = memfd_create("afalg_test", MFD_CLOEXEC);
	if (file < 0)
		return fail("memfd_create: %s", strerror(errno));
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes) && !err; i++) {
		const size_t len = KEY + sizes[i];

		/* All from the file; then 50 bytes sent, and the rest from the file. */
		for (sent = 0; sent <= 50 && sent < len && !err; sent += 50) {
			off_t from = sent;
			ssize_t n;

			if (pwrite(file, t->input, len, 0) != (ssize_t)len ||
			    ftruncate(file, len))
				err = -errno;
			if (sent && !err)
				err = alg_send(op, t->input, sent, MSG_MORE);
			if (err)
				break;
			n = sendfile(op, file, &from, len - sent);
			if (n < 0)
				err = -errno;
			else if ((size_t)n != len - sent)
				err = -EIO;
			err = err ?: alg_check(op, t->input, len);
			if (err)
				tap_diag("  %zu bytes, %zu sent before: %s",
					 sizes[i], sent, why(err));
		}
	}
	close(file);
	close(op);
	return !err;
}

/* The key is part of the input. Trying to set one fails and does no harm. */
static bool set_key(struct subject *t)
{
	int op, err = 0;

	if (!setsockopt(t->tfm, SOL_ALG, ALG_SET_KEY, t->input, KEY))
		return fail("ALG_SET_KEY succeeded");
	if (errno != ENOSYS)
		return fail("ALG_SET_KEY: %s, not ENOSYS", strerror(errno));
	op = alg_accept(t->tfm);
	err = alg_mac(op, t->input, KEY + 100);
	close(op);
	return err ? fail("afterwards: %s", why(err)) : true;
}

static bool unknown_driver(struct subject *t)
{
	char name[sizeof(((struct sockaddr_alg *)NULL)->salg_name)];
	int fd, op, err;

	snprintf(name, sizeof(name), "%.50s-missing", t->driver);
	fd = alg_bind(name);
	if (fd != -ENOENT) {
		if (fd >= 0)
			close(fd);
		return fail("bind to %s: %s, not ENOENT", name,
			    fd < 0 ? strerror(-fd) : "success");
	}
	op = alg_accept(t->tfm);
	err = alg_mac(op, t->input, KEY + 100);
	close(op);
	return err ? fail("afterwards: %s", why(err)) : true;
}

/* The sum of references to algorithms of this name or driver name */
static long references(const char *driver)
{
	char line[256], key[64], value[128];
	FILE *f = fopen("/proc/crypto", "r");
	bool ours = false;
	long sum = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s : %127s", key, value) != 2)
			ours = false;	/* the empty line between two entries */
		else if (!strcmp(key, "name") || !strcmp(key, "driver"))
			ours |= !strcmp(value, driver);
		else if (!strcmp(key, "refcnt") && ours)
			sum += atol(value);
	}
	fclose(f);
	return sum;
}

/* Sockets that are closed within a message leave nothing behind. */
static bool close_midway(struct subject *t)
{
	long before = references(t->driver), after;
	int i, j, op, fd[3], err = 0;

	if (before <= 0)
		return fail("no %s in /proc/crypto", t->driver);
	for (i = 0; i < 200 && !err; i++) {
		fd[0] = alg_bind(t->driver);
		fd[1] = alg_accept(fd[0]);
		err = alg_send(fd[1], t->input, 5 * i, MSG_MORE);
		fd[2] = alg_accept(fd[1]);
		if (!err && fd[2] < 0)
			err = fd[2];
		if (!err && references(t->driver) <= before)
			err = -ECHILD;
		/* The three sockets are closed in each order in turn. */
		for (j = 0; j < 3; j++)
			close(fd[(i + j) % 3]);
	}
	if (err)
		return fail("round %d: %s", i - 1, err == -ECHILD ?
			    "an open socket holds no reference" : why(err));

	/* Newer kernels may drop references a little later. */
	for (i = 0; i < 100; i++) {
		after = references(t->driver);
		if (after == before)
			break;
		usleep(20000);
	}
	if (after != before)
		return fail("%ld references before, %ld after", before, after);

	op = alg_accept(t->tfm);
	err = alg_mac(op, t->input, KEY + 100);
	close(op);
	return err ? fail("afterwards: %s", why(err)) : true;
}

#define THREADS		8
#define ROUNDS		200

struct worker {
	const struct subject *t;
	pthread_t thread;
	bool own_tfm;
	int number;
	int err;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	int tfm = w->own_tfm ? alg_bind(w->t->driver) : w->t->tfm;
	int i, op = tfm < 0 ? tfm : alg_accept(tfm);
	struct rng rng = { w->t->rng.state + w->number };

	w->err = op < 0 ? op : 0;
	for (i = 0; i < ROUNDS && !w->err; i++) {
		size_t len = KEY + rng_below(&rng, 6000);
		size_t cut = rng_below(&rng, len);
		const unsigned char *in = w->t->input + rng_below(&rng, 9999);

		w->err = alg_send(op, in, cut, MSG_MORE) ?:
			 alg_send(op, in + cut, len - cut, 0) ?:
			 alg_check(op, in, len);
	}
	if (op >= 0)
		close(op);
	if (w->own_tfm && tfm >= 0)
		close(tfm);
	return NULL;
}

static bool threads(struct subject *t, bool own_tfm)
{
	struct worker workers[THREADS];
	int i, started, err = 0;

	for (started = 0; started < THREADS; started++) {
		struct worker *w = &workers[started];

		*w = (struct worker){ .t = t, .own_tfm = own_tfm,
				      .number = started };
		err = -pthread_create(&w->thread, NULL, work, w);
		if (err)
			break;
	}
	for (i = 0; i < started; i++) {
		pthread_join(workers[i].thread, NULL);
		err = err ?: workers[i].err;
	}
	return err ? fail("%s", why(err)) : true;
}

static bool threads_one_tfm(struct subject *t)
{
	return threads(t, false);
}

static bool threads_many_tfms(struct subject *t)
{
	return threads(t, true);
}

const struct test_case socket_cases[] = {
	{ "short_key", short_key, "0 to 31 bytes give ENOKEY, no output" },
	{ "new_message", new_message, "the end of a message and the beginning of the next" },
	{ "clone", clone_states, "accept on an operation, anywhere in it" },
	{ "recv_sizes", recv_sizes, "buffers shorter and longer than a tag" },
	{ "splice", splices, "vmsplice and splice, mixed with send" },
	{ "sendfile", sendfiles, "a file's pages, with and without its key" },
	{ "set_key", set_key, "ALG_SET_KEY gives ENOSYS" },
	{ "unknown_driver", unknown_driver, "bind gives ENOENT" },
	{ "close_midway", close_midway, "sockets closed within a message" },
	{ "threads_one_tfm", threads_one_tfm, "8 threads share a transform" },
	{ "threads_many_tfms", threads_many_tfms,
	  "8 threads, each with a transform" },
	{ 0 }
};
