/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ways.c: the ways in which secrets enter the code under test. test_residue.c looks at what each
 * leaves behind, test_traced.c has valgrind watch it.
 */

#ifndef CHECK_WAYS_H
#define CHECK_WAYS_H

#include "check.h"

/* Valgrind's memory checker: which memory is secret, as if it were undefined */
#if __has_include("valgrind/memcheck.h")
#include <valgrind/memcheck.h>
#define hide(p, len)	VALGRIND_MAKE_MEM_UNDEFINED(p, len)
#define reveal(p, len)	VALGRIND_MAKE_MEM_DEFINED(p, len)
#else
#define RUNNING_ON_VALGRIND	0
#define VALGRIND_COUNT_ERRORS	0UL
#define hide(p, len)	((void)(p))
#define reveal(p, len)	((void)(p))
#endif

/**
 * struct message - a key with a message behind it, both secret, and the buffers of all ways
 * @tier: the tier under test
 * @alg: the shash of the tier, or poly1305(aes)
 * @key: the key
 * @data: the message
 * @len: its length
 * @in: what a shash takes before and as the message: the key, or with poly1305(aes) a nonce
 * @in_len: the length of that
 * @tag: receives the tag
 * @ctx: the state of the exported functions
 * @desc: the state of the shash
 * @text: a packet, with its tag behind it
 */
struct message {
	const struct tier *tier;
	const struct shash_alg *alg;
	u8 *key, *data;
	size_t len;
	const u8 *in;
	size_t in_len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
	struct shash_desc *desc;
	u8 *text;
};

/**
 * struct way - a function or sequence of calls that takes secrets
 * @name: prefix of messages
 * @run: the calls
 * @before: prepares them, or NULL
 * @find: searches what they have left for more secrets than those of the message, or NULL
 * @packet: it seals or opens a packet, so it leaves ciphertext, which is no secret
 * @opens: it only opens one
 * @pieces: it takes the packet in pieces
 * @branches: it branches on something that depends on secrets, but is public
 */
struct way {
	const char *name;
	void (*run)(struct message *m);
	void (*before)(struct message *m);
	void (*find)(const struct message *m);
	bool packet, opens, pieces, branches;
};

/* The last one has no name. */
extern const struct way ways[];

/* Prepares a way with len random bytes of message behind a random key. */
struct message prepare_way(const struct way *way, const struct tier *tier, size_t len);

/* test_residue.c: fails if the last call has left that on the stack. */
void find(const void *secret, size_t len, const char *what);
/* The secrets of one message; key is its one-time key. */
void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len);

#endif /* CHECK_WAYS_H */
