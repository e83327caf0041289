/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Hash sockets of AF_ALG for the test cases. Functions that return int give 0 or
 * a descriptor, or else a negative errno.
 */
#ifndef AFALG_H
#define AFALG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "../../tests/reference/poly1305_ref.h"
#include "tap.h"

#define POLY1305_KEY_SIZE	32
#define POLY1305_TAG_SIZE	16

/* Input to a hash is always key, then text; this much of it is at hand. */
#define INPUT_MAX	(POLY1305_KEY_SIZE + (1 << 20) + 64)

/* One driver under one test case. */
struct subject {
	const char *driver;
	int tfm;			/* bound socket, the operations' parent */
	struct rng rng;			/* starts at the seed in each case */
	const unsigned char *input;	/* INPUT_MAX random bytes */
};

struct test_case {
	const char *name;
	bool (*run)(struct subject *t);
	const char *about;
};

/* The cases, in the order in which they run; one without a name ends each list. */
extern const struct test_case message_cases[];
extern const struct test_case socket_cases[];

/* Ends a case with a reason, without bytes of keys: the seed gives them. */
#define fail(...)	(tap_diag("  " __VA_ARGS__), false)

int alg_bind(const char *driver);
int alg_accept(int fd);

/* Sends all of @len bytes, or gives an error; @flags as of send(2). */
int alg_send(int op, const void *buf, size_t len, int flags);
int alg_sendv(int op, const struct iovec *iov, int count, int flags);

/* Receives a tag of exactly 16 bytes. */
int alg_recv(int op, unsigned char *tag);

/* Receives the tag of @input; -EBADMSG if it is not that of the reference. */
int alg_check(int op, const unsigned char *input, size_t len);

/* Sends @input as one message and checks the tag. */
int alg_mac(int op, const unsigned char *input, size_t len);

/* The text for an error from the functions above. */
const char *why(int err);

#endif /* AFALG_H */
