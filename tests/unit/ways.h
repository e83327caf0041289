/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ways.c: the ways in which secrets enter the code under test. test_residue.c looks at what each
 * leaves behind, test_traced.c has valgrind watch it.
 */

#ifndef CHECK_WAYS_H
#define CHECK_WAYS_H

#include "chapoly.h"
#include "check.h"

/* A key with a message behind it, both secret, and the buffers of all ways */
struct message {
	const struct tier *tier;
	const u8 *key;
	size_t len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
	struct shash_desc *desc;
	struct scatterlist list[3];
	u8 aes_key[KEY_SIZE];
	u8 *text;		/* of a packet, with its tag behind it */
};

/**
 * struct way - a function or sequence of calls that takes secrets
 * @name: prefix of messages
 * @run: the calls
 * @before: prepares them, or NULL
 * @find: searches what they have left for more secrets than those of the message, or NULL
 * @compiled: its arithmetic, or a part of it, is C on every tier
 * @ciphertext: it leaves ciphertext, which is no secret
 * @branches: it branches on something that depends on secrets, but is public
 */
struct way {
	const char *name;
	void (*run)(void *arg);
	void (*before)(void *arg);
	void (*find)(const struct message *m);
	bool compiled, ciphertext, branches;
};

/* The last one has no name. */
extern const struct way ways[];

/* A message in the input area, with all buffers */
struct message new_message(const struct tier *tier);

/* test_residue.c: fails if the last call has left that on the stack. */
void find(const void *secret, size_t len, const char *what);
/* The secrets of one message; key is its one-time key. */
void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len);

#endif /* CHECK_WAYS_H */
