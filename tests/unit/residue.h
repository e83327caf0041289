/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* test_residue.c: what functions that take a message leave behind */

#ifndef CHECK_RESIDUE_H
#define CHECK_RESIDUE_H

#include "check.h"

/* A message, and the buffers of the ways to its tag */
struct message {
	const struct tier *tier;
	const u8 *key;
	size_t len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
	struct shash_desc *desc;
	struct scatterlist list[3];
	u8 aes_key[KEY_SIZE];
};

/**
 * struct way - a function or sequence of calls that takes secrets
 * @name: prefix of messages
 * @run: the calls, whose residue is examined
 * @before: prepares them, or NULL
 * @find: searches for more secrets than those of the message, or NULL
 * @arithmetic: its arithmetic is C on every tier
 */
struct way {
	const char *name;
	void (*run)(void *arg);
	void (*before)(void *arg);
	void (*find)(const struct message *m);
	bool arithmetic;
};

/* No copy of a context, descriptor or buffer stays on the stack. */
void check_ways(const struct tier *tier, const struct way *ways, size_t n);

/* Fails if there is an error */
void must(int err);

/* The message in two updates, from a context after init */
void in_two(const struct message *m, const u8 *data);

/* Fail if the last call has left that on the stack. */
void find(const void *secret, size_t len, const char *what);
/* The secrets of one message; key is its one-time key. */
void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len);

#endif /* CHECK_RESIDUE_H */
