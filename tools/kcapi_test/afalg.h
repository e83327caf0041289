/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Hash sockets of AF_ALG for the test cases. Functions that return int give 0 or
 * a descriptor, or else a negative errno.
 */
#ifndef AFALG_H
#define AFALG_H

#include <stdbool.h>
#include <stddef.h>

#include "../../tests/reference/poly1305_ref.h"
#include "tap.h"

#define KEY	32
#define TAG	16

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Ends a case with a reason, without bytes of keys: the seed gives them. */
#define fail(...)	(tap_diag("  " __VA_ARGS__), false)

int alg_bind(const char *driver);
int alg_accept(int fd);

/* Sends all of @len bytes, or gives an error; @flags as of send(2). */
int alg_send(int op, const void *buf, size_t len, int flags);

/* Receives a tag of exactly 16 bytes. */
int alg_recv(int op, unsigned char *tag);

/*
 * The call that ends a message, which has given @err, or else the next recv, must give
 * @want and no byte of a tag. Returns 0 if so.
 */
int alg_refused(int want, int err, int op);

/* Writes the bytes of a hexadecimal number, and returns how many there are. */
size_t unhex(unsigned char *out, const char *hex);

/* The text for an error from the functions above. */
const char *why(int err);

#endif /* AFALG_H */
