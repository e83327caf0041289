/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * checkpoly1305 compares every tier with big-integer arithmetic. main.c describes
 * its use; each test_*.c begins with what it tests.
 */

#ifndef CHECK_H
#define CHECK_H

#include "../cases/poly1305_test.h"
#include "poly1305_desc.h"
#include "poly1305_user.h"

#define BLOCK_SIZE	POLY1305_MAC_BLOCK_SIZE

/* arch/x86: whether scalar code uses mulx */
extern bool poly1305_has_mulx;

/**
 * struct tier - a tier under test
 * @name: name in the names of points
 * @def: the module's definition of the tier
 * @alg: its shash driver
 * @blocks: its block function
 * @compiled: true for C code, which cannot promise clean registers
 * @no_mulx: pretend that the CPU lacks mulx, which is optional
 * @at_start: the exported functions used it when the program started
 */
struct tier {
	const char *name;
	const struct poly1305_tier *def;
	const struct shash_alg *alg;
	poly1305_blocks_fn *blocks;
	bool compiled, no_mulx, at_start;
};

/* The tiers that this CPU can run, then an entry without a name */
const struct tier *tier_list(void);
/* Must be called before any call of the tier's functions */
void prepare(const struct tier *tier);
/* Whether the exported functions use the tier now */
bool serves(const struct tier *tier);
/* test_tiers.c: makes the exported functions use the tier */
void serve_by(const struct tier *tier);

/* main.c: skip the running case; why says why it cannot run here */
int skip(const char *why) __attribute__((noreturn));

/* --slow */
extern bool slow;

/* ref.c: the blocks added to h, with bit 128 or without, and h reduced modulo p */
void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks, u32 hibit);

/*
 * The buffers of the functions under test, between inaccessible pages. In objects are states,
 * contexts and descriptors.
 */
#define AREA_SIZE	(32 << 10)
extern u8 *input, *output, *tags, *objects, *exports;

/* Where an object of len bytes ends with the area */
static inline void *at_end(u8 *area, size_t len)
{
	return area + AREA_SIZE - len;
}

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
 * struct way - a function or sequence of calls that takes secrets
 * @name: prefix of messages
 * @kinds: the kinds of subjects that have it
 * @run: the calls
 * @before: prepares them, or NULL
 * @find: searches what they have left for more secrets than those of the message, or NULL
 * @mac_way: how mac_tag() computes the tag
 * @packet: it seals or opens a packet, so it leaves ciphertext, which is no secret
 * @branches: it branches on something that depends on secrets, but is public
 */
struct way {
	const char *name;
	unsigned int kinds;
	void (*run)(void);
	void (*before)(void);
	void (*find)(void);
	int mac_way;
	bool packet, branches;
};

/*
 * ways.c: the ways in which secrets enter the code under test, which are a key in input and the
 * len bytes of message behind it. Tags come to tags, packets to output, states to objects.
 * test_residue.c looks at what each leaves behind, test_traced.c has valgrind watch it.
 */
extern struct call {
	const struct way *way;
	const struct subject *s;
	size_t len;
} now;

/* Calls look() for each way that the subject has. */
void look_at_ways(const struct subject *s, size_t len, void (*look)(void));
/* Prepares the call, with other secrets for another number */
void prepare_call(u64 secrets);
/* Finds what the call has left of the secrets that it took. */
void find_left(void);
/* test_residue.c: fails if the last call has left that on the stack. */
void find(const void *secret, size_t len, const char *what);

#endif /* CHECK_H */
