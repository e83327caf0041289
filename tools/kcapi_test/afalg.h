/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Sockets of AF_ALG for test programs: functions that give a descriptor, or a negative errno */
#ifndef AFALG_H
#define AFALG_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

/* @type is "hash" or "aead". */
static inline struct sockaddr_alg alg_address(const char *type, const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG };

	snprintf((char *)sa.salg_type, sizeof(sa.salg_type), "%s", type);
	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	return sa;
}

static inline int alg_bind(const char *type, const char *name)
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

#endif /* AFALG_H */
