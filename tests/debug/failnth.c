// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * failnth - let each allocation of a system call fail in turn
 *
 *	failnth load FILE [PARAMETERS]	load a module
 *	failnth TYPE NAME [KEYLEN]	AF_ALG's socket, bind, setsockopt, accept,
 *					sendmsg and recv; TYPE is hash or aead
 *	failnth probe FILE NAME FUNCTION
 *					make the hash NAME from a template in the module
 *					FILE, which a kernel thread does; one of the
 *					allocations that fail must be in FUNCTION
 *
 * /proc/thread-self/fail-nth makes the n-th allocation fail; n grows until a call
 * makes fewer. For kernel threads, see probe(). A call that fails must give an errno
 * that is documented for it. It must leave nothing broken: the same call then succeeds
 * and gives the right result. A call that succeeds although an allocation failed must
 * have done its work. poly1305.ko may load with some of its drivers missing, if the log
 * names each of them.
 *
 * Prints how many sites failed, by errno. Exit status 0, or 1 after one line with the
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"

#define AGAIN	2000		/* waits of 10 ms */
#define TEXT	300		/* bytes: SIMD works on some of them */
#define ASSOC	16
#define TAG	16

/*
 * probe() may miss allocations by kernel threads that are smaller than STEP bytes. From
 * FUNCTION's own allocations to the end of its error paths the limit is FINE bytes.
 */
#define STEP	256
#define FINE	64

/* Modules */

static const char *name_of(const char *file)
{
	static char name[64];
	const char *base = strrchr(file, '/');
	size_t len;

	base = base ? base + 1 : file;
	len = strcspn(base, ".");
	snprintf(name, sizeof(name), "%.*s", (int)len, base);
	return name;
}

static unsigned int registered(const char *name)
{
	static char text[1 << 16];
	char line[80];
	ssize_t n, len = 0;
	int fd = open("/proc/crypto", O_RDONLY);

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = 0;
	snprintf(line, sizeof(line), "module       : %s\n", name);
	return occurrences(text, line);
}

/* The kernel's own tests of a new driver may still hold it. */
static void unload(const char *name)
{
	int i;

	for (i = 0; i < AGAIN; i++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return;
		if (errno != EAGAIN)
			break;
		usleep(10000);
	}
	die("rmmod %s: %m", name);
}

static bool present(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

static void load(const char *file, const char *parameters)
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

	if (syscall(SYS_init_module, image, st.st_size, parameters))
		die("%s: %m", file);
	all = registered(name);
	unload(name);

	for (n = 1; n < MANY; n++) {
		logged(refusal);
		arm(n);
		err = syscall(SYS_init_module, image, st.st_size, parameters) ?
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

static const char *type, *name;
static unsigned char key[64], text[TEXT + TAG], result[TEXT + TAG], right[TEXT + TAG];
static int keylen = -1;
static bool is_aead;

enum { SOCKET, BIND, SETKEY, ACCEPT, SEND, RECV, CALLS };

static const char *const call_names[CALLS] = {
	"socket", "bind", "setsockopt", "accept", "sendmsg", "recv"
};

/* According to man pages and the crypto API's documentation */
static const int documented[CALLS][4] = {
	[SOCKET] = { ENOMEM, ENOBUFS, ENFILE },
	[BIND] = { ENOMEM },
	[SETKEY] = { ENOMEM },
	[ACCEPT] = { ENOMEM, ENOBUFS, ENFILE },
	[SEND] = { ENOMEM, ENOBUFS },
	[RECV] = { ENOMEM },
};

static int tfm = -1, op = -1;

static int do_socket(void)
{
	tfm = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return tfm;
}

static int do_bind(void)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG };

	snprintf((char *)sa.salg_type, sizeof(sa.salg_type), "%s", type);
	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	return bind(tfm, (struct sockaddr *)&sa, sizeof(sa));
}

static int do_setkey(void)
{
	return keylen < 0 ? 0 : setsockopt(tfm, SOL_ALG, ALG_SET_KEY, key, keylen);
}

static int do_accept(void)
{
	op = accept4(tfm, NULL, NULL, SOCK_CLOEXEC);
	return op;
}

static int do_send(void)
{
	struct iovec iov = { text, TEXT };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union {
		char bytes[CMSG_SPACE(4) + CMSG_SPACE(4) + CMSG_SPACE(16)];
		struct cmsghdr align;
	} control = {};
	struct cmsghdr *c;
	struct af_alg_iv *iv;

	if (is_aead) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_ALG;
		c->cmsg_type = ALG_SET_OP;
		c->cmsg_len = CMSG_LEN(4);
		*(int *)CMSG_DATA(c) = ALG_OP_ENCRYPT;
		c = CMSG_NXTHDR(&msg, c);
		c->cmsg_level = SOL_ALG;
		c->cmsg_type = ALG_SET_IV;
		c->cmsg_len = CMSG_LEN(16);
		iv = (struct af_alg_iv *)CMSG_DATA(c);
		iv->ivlen = 12;
		c = CMSG_NXTHDR(&msg, c);
		c->cmsg_level = SOL_ALG;
		c->cmsg_type = ALG_SET_AEAD_ASSOCLEN;
		c->cmsg_len = CMSG_LEN(4);
		*(int *)CMSG_DATA(c) = ASSOC;
	}
	return sendmsg(op, &msg, 0);
}

static int do_recv(void)
{
	return recv(op, result, is_aead ? TEXT + TAG : TAG, 0);
}

static int (*const calls[CALLS])(void) = {
	do_socket, do_bind, do_setkey, do_accept, do_send, do_recv
};

static void close_all(void)
{
	if (op >= 0)
		close(op);
	if (tfm >= 0)
		close(tfm);
	op = -1;
	tfm = -1;
}

/* Make the calls from first to last; none of them may fail. */
static void undisturbed(int first, int last)
{
	int i;

	for (i = first; i <= last; i++) {
		if (calls[i]() < 0)
			die("%s of %s: %m", call_names[i], name);
	}
}

/* Let the n-th allocation of call @which fail; false if it makes fewer. */
static bool disturbed(int which, int n)
{
	int err, back;

	undisturbed(SOCKET, which - 1);
	memset(result, 0, sizeof(result));
	arm(n);
	err = calls[which]() < 0 ? errno : 0;
	if (!disarm()) {
		if (err)
			die("%s of %s: %s, though nothing failed",
			    call_names[which], name, strerror(err));
		close_all();
		return false;
	}
	note(err);
	if (err && !among(err, documented[which]))
		die("%s of %s, site %d: %s", call_names[which], name, n,
		    strerror(err));

	/* Make the call again. A message begins with a new operation. */
	back = which;
	if (err && which >= SEND) {
		close(op);
		back = ACCEPT;
	}
	undisturbed(err ? back : which + 1, RECV);
	if (memcmp(result, right, sizeof(right)))
		die("%s of %s, site %d: then a wrong result", call_names[which],
		    name, n);
	close_all();
	return true;
}

static void sockets(void)
{
	int which, n;

	is_aead = !strcmp(type, "aead");
	memset(key, 7, sizeof(key));
	/* An r of Poly1305-AES has these bits clear. */
	for (n = 16; n < 32; n++)
		key[n] = 4;
	for (n = 0; n < TEXT; n++)
		text[n] = n * 37;

	undisturbed(SOCKET, RECV);
	memcpy(right, result, sizeof(right));
	close_all();
	for (which = SOCKET; which < CALLS; which++) {
		for (n = 1; n < MANY && disturbed(which, n); n++)
			;
		sum_up(call_names[which]);
	}
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

static int bound(void)
{
	int err;

	if (do_socket() < 0)
		die("socket: %m");
	err = do_bind() ? errno : 0;
	close_all();
	return err;
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
static void probe(const char *file, const char *function)
{
	/*
	 * ENOENT: there is no instance, and the kernel does not keep the reason.
	 * ELIBBAD: there is one, but it could not be tested; see known().
	 */
	static const int documented[] = { ENOMEM, ENOENT, ELIBBAD, 0 };
	int fd = open(file, O_RDONLY | O_CLOEXEC), bytes, err;
	unsigned int ours = 0, here;
	bool failed;

	type = "hash";
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
		err = bound();
		failed = exceeded();
		here = logged(function);
		ours += here;
		if (!failed && err)
			die("bind: %s, though nothing failed", strerror(err));
		if (failed) {
			note(err);
			if (err && !among(err, documented))
				die("bind, %d bytes: %s", bytes, strerror(err));
			err = bound();
			if (err == ELIBBAD) {
				/* It stays untested until the module goes. */
				unload(name_of(file));
				insert(fd, file);
				err = bound();
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
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "load")) {
		load(argv[2], argc == 4 ? argv[3] : "");
	} else if (argc == 5 && !strcmp(argv[1], "probe")) {
		name = argv[3];
		probe(argv[2], argv[4]);
	} else if (argc == 3 || argc == 4) {
		type = argv[1];
		name = argv[2];
		if (argc == 4)
			keylen = atoi(argv[3]);
		sockets();
	} else {
		fputs("usage: failnth load|probe ARGUMENT..., or failnth TYPE NAME [KEYLEN]\n",
		      stderr);
		return 1;
	}
	printf("%u allocation sites failed in turn\n", all_sites);
	return 0;
}
