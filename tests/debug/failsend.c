// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * failsend - let each allocation that sending makes fail in turn
 *
 *	failsend request WHERE COMMAND... -- UNDO...
 *	failsend datagram ADDRESS LEN		LEN bytes through UDP
 *
 * failsend runs COMMAND, and UNDO, which undoes its work. Then it sends the last netlink
 * request of each again and again. A request that fails must report that there was no
 * memory, and must leave nothing that the next one would find. A request that succeeds
 * must have done its work: doing it again fails, and undoing it succeeds. Whether a
 * datagram arrives is not checked here.
 *
 * Now and then a slab needs a page, which is one more allocation that can fail. If that
 * happens in one call and not in the next, a later allocation is missed. Therefore all
 * requests are sent again until one has failed at an allocation with WHERE in its call
 * trace in the log.
 *
 * Prints how many sites failed, by errno. Exit status 0, or 1 after one line with the
 * reason.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

#define PASSES	10		/* give up if WHERE has not failed by then */

/* Datagrams */

static void datagrams(const char *address, size_t len)
{
	static const int documented[] = { ENOMEM, ENOBUFS, 0 };
	static char data[8192];
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int n, err;

	if (len > sizeof(data) || inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
	    fd < 0)
		die("%s, %zu bytes: %m", address, len);
	for (n = 1; n < MANY; n++) {
		logged(NULL);
		/* The next send then goes into fragments. */
		if (sendto(fd, data, len / 2, MSG_MORE, (void *)&to, sizeof(to)) < 0)
			die("sendto: %m");
		arm(n);
		err = sendto(fd, data, len / 2, 0, (void *)&to, sizeof(to)) < 0 ?
		      errno : 0;
		if (!disarm())
			break;
		note(err);
		if (err && !among(err, documented))
			die("site %d: %s", n, strerror(err));
	}
	if (err)
		die("sendto: %s, though nothing failed", strerror(err));
	close(fd);
	logged(NULL);
	sum_up("sendto");
}

/* Requests to netlink */

struct request {
	int protocol;
	size_t len;
	char bytes[4096];
};

static void copy_from(pid_t pid, void *to, unsigned long from, size_t len)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, to, len, from) != (ssize_t)len)
		die("%s: %m", path);
	close(fd);
}

/* If a command enters this system call to send a request, keep the request. */
static void take(struct request *r, pid_t pid,
		 const struct __ptrace_syscall_info *info)
{
	struct iovec iov = { (void *)info->entry.args[1], info->entry.args[2] };
	struct msghdr msg;

	if (info->entry.nr == SYS_socket && info->entry.args[0] == AF_NETLINK)
		r->protocol = info->entry.args[2];
	if (info->entry.nr == SYS_sendmsg) {
		copy_from(pid, &msg, info->entry.args[1], sizeof(msg));
		copy_from(pid, &iov, (unsigned long)msg.msg_iov, sizeof(iov));
	}
	if (info->entry.nr != SYS_sendmsg && info->entry.nr != SYS_sendto)
		return;
	if (iov.iov_len > sizeof(r->bytes))
		die("a request of %zu bytes", iov.iov_len);
	r->len = iov.iov_len;
	copy_from(pid, r->bytes, (unsigned long)iov.iov_base, r->len);
}

/* Run a command, and keep its last request. */
static void learn(struct request *r, char **command)
{
	struct __ptrace_syscall_info info;
	int status, signal;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		die("ptrace: %m");
	for (signal = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, signal) ||
		    waitpid(pid, &status, 0) != pid)
			die("ptrace: %m");
		if (!WIFSTOPPED(status))
			break;
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80)) {
			if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info),
				   &info) < 0)
				die("ptrace: %m");
			if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
				take(r, pid, &info);
		}
		/* execve() raises SIGTRAP, too. */
		if ((signal & ~0x80) == SIGTRAP)
			signal = 0;
	}
	if (status || !r->len)
		die("%s: exit status %d, a request of %zu bytes", command[0],
		    WEXITSTATUS(status), r->len);
}

/* Send a request and let its n-th allocation fail. Returns an errno or 0. */
static int ask(const struct request *r, int n, bool *failed)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[4096];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, r->protocol);
	int err = 0;

	if (fd < 0)
		die("socket: %m");
	arm(n);
	if (send(fd, r->bytes, r->len, 0) < 0)
		err = errno;
	*failed = disarm();
	if (!err && recv(fd, &answer, sizeof(answer), 0) < 0)
		err = errno;
	else if (!err && answer.head.nlmsg_type != NLMSG_ERROR)
		die("an answer of type %u", answer.head.nlmsg_type);
	else if (!err)
		err = -answer.error.error;
	close(fd);
	return err;
}

static int ask_undisturbed(const struct request *r)
{
	bool failed;

	return ask(r, 0, &failed);
}

/* Check that the work is done: doing it again must fail. Then undo it. */
static void must_undo(const struct request *work, const struct request *undo,
		      int site)
{
	int err;

	if (!ask_undisturbed(work))
		die("site %d: its work was not there", site);
	err = ask_undisturbed(undo);
	if (err)
		die("site %d: it cannot be undone: %s", site, strerror(err));
}

/* A fault of the kernel's: device_add() of 6.1 without memory for a device's name */
static bool excused(int err)
{
	return err == EINVAL && logged_last(" dev_set_name+");
}

/*
 * Let each allocation of the request fail in turn. If a failed request left anything, the
 * next one would fail, too. Returns whether one failed at WHERE.
 */
static bool fail_each(const struct request *work, const struct request *undo,
		      const char *where)
{
	static const int documented[] = { ENOMEM, ENOBUFS, 0 };
	bool failed, found = false;
	int n, err;

	for (n = 1; n < MANY; n++) {
		logged(NULL);
		err = ask(work, n, &failed);
		logged(NULL);
		if (err && !(failed && (among(err, documented) || excused(err))))
			die("site %d: %s", n, strerror(err));
		if (!err)
			must_undo(work, undo, n);
		if (!failed)
			break;
		note(err);
		found |= err && logged_last(where);
		/* ENOBUFS may mean: done, but no memory for the answer. */
		if (err == ENOBUFS)
			ask_undisturbed(undo);
	}
	logged(NULL);
	sum_up("send");
	return found;
}

static void requests(const char *where, char **command, char **undo_command)
{
	static struct request work, undo;
	int passes = 0;

	learn(&work, command);
	learn(&undo, undo_command);
	while (!fail_each(&work, &undo, where))
		if (++passes == PASSES)
			die("%d passes, and no allocation failed at %s",
			    passes, where);
}

int main(int argc, char **argv)
{
	int i = 3;

	while (i < argc && strcmp(argv[i], "--"))
		i++;
	if (argc == 4 && !strcmp(argv[1], "datagram")) {
		datagrams(argv[2], atoi(argv[3]));
	} else if (i > 3 && i + 1 < argc && !strcmp(argv[1], "request")) {
		argv[i] = NULL;
		requests(argv[2], argv + 3, argv + i + 1);
	} else {
		fputs("usage: failsend request WHERE COMMAND... -- UNDO..., or failsend datagram ADDRESS LEN\n",
		      stderr);
		return 1;
	}
	printf("%u allocation sites failed in turn\n", all_sites);
	return 0;
}
