/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sockets of AF_ALG for test programs. Functions that return int give a descriptor, or else a
 * negative errno.
 */
#ifndef AFALG_H
#define AFALG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <linux/if_alg.h>

#include "../../tests/reference/poly1305_ref.h"
#include "tap.h"

#define KEY	32
#define TAG	16

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Ends a case with a reason, without bytes of keys: the seed gives them. */
#define fail(...)	(tap_diag("  " __VA_ARGS__), false)

/* @type is "hash" or "aead". */
struct sockaddr_alg alg_address(const char *type, const char *name);
int alg_bind(const char *type, const char *name);
int alg_accept(int fd);

#endif /* AFALG_H */
