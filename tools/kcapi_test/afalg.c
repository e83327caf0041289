// SPDX-License-Identifier: GPL-2.0 OR MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

#include "afalg.h"

int alg_bind(const char *driver)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG, .salg_type = "hash" };
	int fd, err;

	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", driver);
	fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&sa, sizeof(sa))) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

int alg_accept(int fd)
{
	int op = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

	return op < 0 ? -errno : op;
}

int alg_send(int op, const void *buf, size_t len, int flags)
{
	ssize_t n = send(op, buf, len, flags);

	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

int alg_sendv(int op, const struct iovec *iov, int count, int flags)
{
	struct msghdr msg = {
		.msg_iov = (struct iovec *)iov,
		.msg_iovlen = count,
	};
	size_t len = 0;
	ssize_t n;
	int i;

	for (i = 0; i < count; i++)
		len += iov[i].iov_len;
	n = sendmsg(op, &msg, flags);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

int alg_recv(int op, unsigned char *tag)
{
	ssize_t n = recv(op, tag, POLY1305_TAG_SIZE, 0);

	if (n < 0)
		return -errno;
	return n == POLY1305_TAG_SIZE ? 0 : -EIO;
}

int alg_check(int op, const unsigned char *input, size_t len)
{
	unsigned char want[POLY1305_TAG_SIZE], got[POLY1305_TAG_SIZE];
	int err = alg_recv(op, got);

	if (err)
		return err;
	poly1305_ref(input, input + POLY1305_KEY_SIZE, len - POLY1305_KEY_SIZE,
		     want);
	return memcmp(want, got, sizeof(want)) ? -EBADMSG : 0;
}

int alg_mac(int op, const unsigned char *input, size_t len)
{
	int err = alg_send(op, input, len, 0);

	return err ?: alg_check(op, input, len);
}

const char *why(int err)
{
	if (err == -EBADMSG)
		return "wrong tag";
	if (err == -EBADE)
		return "output where there must be none";
	return strerror(-err);
}
