// SPDX-License-Identifier: GPL-2.0 OR MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "afalg.h"

struct sockaddr_alg alg_address(const char *type, const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG };

	snprintf((char *)sa.salg_type, sizeof(sa.salg_type), "%s", type);
	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	return sa;
}

int alg_bind(const char *type, const char *name)
{
	const struct sockaddr_alg sa = alg_address(type, name);
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *)&sa, sizeof(sa))) {
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
