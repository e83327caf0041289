// SPDX-License-Identifier: GPL-2.0 OR MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

#include "afalg.h"

#define CANARY	0xa5

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

int alg_recv(int op, unsigned char *tag)
{
	ssize_t n = recv(op, tag, TAG, 0);

	if (n < 0)
		return -errno;
	return n == TAG ? 0 : -EIO;
}

int alg_refused(int want, int err, int op)
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
	return err == want ? 0 : err ?: -EBADMSG;
}

size_t unhex(unsigned char *out, const char *hex)
{
	size_t n;

	for (n = 0; sscanf(hex + 2 * n, "%2hhx", &out[n]) == 1; n++)
		;
	return n;
}

const char *why(int err)
{
	if (err == -EBADMSG)
		return "wrong tag";
	if (err == -EBADE)
		return "output where there must be none";
	return strerror(-err);
}
