/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Rounds of afalg_fuzz, and their random numbers */
#ifndef AFALG_FUZZ_H
#define AFALG_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <linux/types.h>

#include "../../tests/reference/aead_ref.h"

#define SLOTS	5		/* for sockets: a transform, then its operations */
#define PIECES	16		/* most in a call */
#define ARENA	65536	/* bytes of a buffer, before a page without access */
#define TEXT	(ARENA / 4)	/* longest text */

/*
 * An operation, and the message that it is in: plan bytes of the arena, done of which were sent.
 * text is what a packet to open was sealed from, or all that a hash was given since its message
 * began, unless the state is LOST, because kernels and drivers differ after errors and empty sends.
 */
struct op {
	bool begun, seal;
	size_t start, plan, done, alen;
	unsigned char iv[AEAD_NONCE_SIZE];
	enum { FRESH, MIDDLE, ENDED, LOST } state;
	size_t len;
	unsigned char text[2 * TEXT];
};

struct round {
	const struct kind *kind;
	const char *name[2];		/* the driver, and the kernel's own or NULL */
	__u64 rng;			/* of random numbers, the state */
	unsigned char key[AEAD_KEY_SIZE + 4], next[AEAD_KEY_SIZE + 4];
	bool keyed;
	size_t used;			/* bytes of the arena that messages have had */
	long ret;			/* of the last call */
	struct op ops[SLOTS];
};

struct call {
	enum { SEND, SPLICE, RECV, ACCEPT, CLOSE, OPTION, BIND, WHATS } what;
	int slot, to, flags, n;
	struct iovec iov[PIECES];	/* with offsets in place of addresses */
	size_t len;
	unsigned int controllen, op, alen, ivlen;
	const unsigned char *iv;
	int level, option;
	const void *value;
	socklen_t size;
};

/*
 * A counter with an odd step, mixed by multiplications and shifts. Each of them is
 * invertible, so all 2^64 outputs occur.
 */
static inline __u64 rng_next(__u64 *rng)
{
	__u64 x = *rng += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

static inline size_t rng_below(__u64 *rng, size_t limit)
{
	return rng_next(rng) % limit;
}

static inline void rng_fill(__u64 *rng, unsigned char *p, size_t len)
{
	while (len--)
		*p++ = rng_next(rng);
}

#endif /* AFALG_FUZZ_H */
