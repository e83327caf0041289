/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * checkpoly1305: every implementation against big-integer arithmetic. main.c
 * says how it is used, each test_*.c what it tests.
 */

#ifndef CHECK_H
#define CHECK_H

#include "compat.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "poly1305_core.h"
#include "poly1305_user.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define BLOCK_SIZE	POLY1305_MAC_BLOCK_SIZE

/* Every length up to this one is tried. */
#define LEN_MAX		4200

typedef void blocks_fn(struct poly1305_mac_state *state, const u8 *data,
		       size_t nblocks, u32 hibit);
typedef void digest_fn(const u8 key[KEY_SIZE], const u8 *data, size_t len,
		       u8 tag[TAG_SIZE]);

/**
 * struct subject - an implementation under test
 * @name: its driver name
 * @impl: its glue
 * @blocks: its block function
 * @digest: its digest function, or NULL
 * @compiled: whether they are C, which cannot promise clean registers
 */
struct subject {
	const char *name;
	const struct poly1305_impl *impl;
	blocks_fn *blocks;
	digest_fn *digest;
	bool compiled;
};

/* internals.c: all that this CPU can run, an entry without a name at the end */
const struct subject *subjects(void);

/**
 * struct test - something that is expected of every subject
 * @name: its name; with the subject's it names a point
 * @run: tries it, and calls fail() if it is not so
 */
struct test {
	const char *name;
	void (*run)(const struct subject *subject);
};

/* Each list ends with an entry without a name. */
extern const struct test blocks_tests[];
extern const struct test digest_tests[];

/* main.c: ends the test that is running; text says what is wrong */
void fail(const char *text, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/*
 * The cases of a test: for (i = first_case(); next_case(&i, n); i++). Each
 * begins its own random numbers, so it comes out alike whatever ran before.
 */
u64 first_case(void);
bool next_case(const u64 *i, u64 n);
/* How many cases of random input a test should try */
u64 random_cases(void);

u64 rnd(void);
/* Below n */
size_t rnd_below(size_t n);
void rnd_bytes(void *p, size_t len);

/* ref.c: arithmetic modulo p = 2^130 - 5 on numbers of three words, low first */
void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks,
		u32 hibit);
void ref_tag(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len);
void ref_reduce(u64 h[3]);
void ref_multiply(u64 h[3], const u64 a[3]);
void ref_invert(u64 h[3]);
void ref_subtract(u64 h[3], const u64 a[3]);

/* ref_gmp.c, ref_small.c: h = (h + m) a mod p, below p; inputs may be greater */
void ref_gmp_step(u64 h[3], const u64 m[3], const u64 a[3]);
void ref_small_step(u64 h[3], const u64 m[3], const u64 a[3]);

/**
 * struct area - memory between two inaccessible pages
 * @rw: where it can be written
 * @ro: the same memory where it cannot
 * @size: its size in bytes, whole pages
 */
struct area {
	u8 *rw;
	u8 *ro;
	size_t size;
};

struct area area_new(size_t size);

/*
 * Where in an area something of len bytes lies: first, last or anywhere, as far
 * as alignment, a power of two, lets it.
 */
size_t area_offset(const struct area *area, size_t len, size_t alignment);

/* Fills an area, so that area_check() can tell who wrote outside its object. */
void area_paint(const struct area *area);
void area_check(const struct area *area, size_t offset, size_t len,
		const char *what);

/**
 * struct residue - what a call left behind
 * @gpr: general registers, in the order of the encoding
 * @mask: mask registers
 * @vector: vector registers
 * @dead: the stack below the stack pointer
 */
#define DEAD_STACK	(16 << 10)
struct residue {
	u64 gpr[16];
	u64 mask[8];
	u8 vector[32][64];
	u64 dead[DEAD_STACK / 8];
};

/*
 * call.c: call a function, here with any registers and stack that the ABI
 * allows, and fail if it does not return as the ABI demands. The calls differ
 * only in what the compiler checks.
 */
void call_blocks(blocks_fn *fn, struct poly1305_mac_state *state,
		 const u8 *data, size_t nblocks, u32 hibit);
void call_digest(digest_fn *fn, const u8 *key, const u8 *data, size_t len,
		 u8 *tag);

/* What the last call left, or NULL where nothing is known of it */
const struct residue *call_residue(void);

/* Call directly from now on. */
void call_plainly(void);

#endif /* CHECK_H */
