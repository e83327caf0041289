/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * checkpoly1305: every implementation against big-integer arithmetic. main.c
 * says how it is used, each test_*.c what it tests.
 */

#ifndef CHECK_H
#define CHECK_H

#include "compat.h"
#include <crypto/internal/hash.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "poly1305_core.h"
#include "poly1305_saved.h"
#include "poly1305_user.h"
#include "../reference/poly1305_ref.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define BLOCK_SIZE	POLY1305_MAC_BLOCK_SIZE

/* Every length up to this one is tried, in bytes and in blocks. */
#define LEN_MAX		4200
#define NBLOCKS_MAX	(LEN_MAX / BLOCK_SIZE)

/* Room for the longest input, wherever it begins */
#define INPUT_MAX	(32 << 10)

/**
 * struct subject - an implementation under test
 * @name: what to call it
 * @tier: the tier
 * @alg: its shash driver
 * @blocks: its block function
 * @digest: its digest function, or NULL
 * @batch: its lanes function, that for pairs if it has no other, or NULL
 * @run: its run function, or NULL
 * @lanes: how many messages @batch and @run take at a time
 * @compiled: whether they are C, which cannot promise clean registers
 * @poor: whether the CPU shall seem to lack what they can do without
 */
struct subject {
	const char *name;
	const struct poly1305_tier *tier;
	const struct shash_alg *alg;
	poly1305_blocks_fn *blocks;
	poly1305_digest_fn *digest;
	poly1305_lanes_fn *batch;
	poly1305_run_fn *run;
	unsigned int lanes;
	bool compiled;
	bool poor;
};

/* internals.c: all that this CPU can run, an entry without a name at the end */
const struct subject *subjects(void);

/* To be called before a subject is. */
void prepare(const struct subject *subject);

/* Whether the exported functions call it, and whether they did at start */
bool serves(const struct subject *subject);
bool served_at_start(const struct subject *subject);

/* Loads the module anew, as the CPU can do more than it could at start. */
void reload(void);

/* One of them by chance */
const struct subject *any_subject(void);

/* test_api.c: makes the exported functions call it */
void serve_by(const struct subject *subject);

/**
 * struct test - something that is expected of every subject
 * @name: its name; with the subject's it names a point
 * @run: tries it, and calls fail() if it is not so
 * @once: whether it has nothing to do with subjects
 */
struct test {
	const char *name;
	void (*run)(const struct subject *subject);
	bool once;
};

/* Each list ends with an entry without a name. */
extern const struct test reference_tests[];
extern const struct test block_tests[];
extern const struct test residue_tests[];
extern const struct test message_tests[];
extern const struct test shash_tests[];
extern const struct test api_tests[];
extern const struct test huge_tests[];
extern const struct test batch_tests[];
extern const struct test aes_tests[];
extern const struct test emulate_tests[];

/* main.c: ends the test that is running; text says what is wrong */
void fail(const char *text, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Ends it as well: it cannot be tried here, and text says why */
void skip(const char *text) __attribute__((noreturn));

/*
 * The cases of a test: for (i = first_case(); next_case(&i, n); i++). Each
 * begins its own random numbers, so it comes out alike whatever ran before.
 */
u64 first_case(void);
bool next_case(const u64 *i, u64 n);
/* How many cases of random input a test should try */
u64 random_cases(void);
/* Whether slow tests are wanted, calls are to be like any other, AVX-512 emulated */
bool slow_tests(void);
bool plain_calls(void);
bool emulating(void);

/* random.c */
u64 rnd(void);
/* Begins other random numbers; returns what would go on with the old ones. */
u64 rnd_begin(u64 seed);
/* Below n */
size_t rnd_below(size_t n);
void rnd_bytes(void *p, size_t len);

/* ref.c: arithmetic modulo p = 2^130 - 5 on numbers of three words, low first */
void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks,
		u32 hibit);
void ref_tag(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len);
/* The tag, if earlier blocks led to h */
void ref_end(u8 tag[TAG_SIZE], const u64 h[3], const u8 key[KEY_SIZE],
	     const u8 *data, size_t len);
void ref_r(u64 r[3], const u8 key[KEY_SIZE]);
void ref_reduce(u64 h[3]);
void ref_add(u64 h[3], const u64 a[3]);
void ref_subtract(u64 h[3], const u64 a[3]);
void ref_multiply(u64 h[3], const u64 a[3]);
void ref_invert(u64 h[3]);

/* ref_gmp.c: poly1305_ref_step() by GMP */
void ref_gmp_step(u64 h[3], const u64 m[3], const u64 a[3]);

/**
 * struct area - memory between two inaccessible pages
 * @name: what is kept there
 * @size: its size in bytes, whole pages
 * @rw: where it can be written
 * @ro: the same memory where it cannot
 */
struct area {
	const char *name;
	size_t size;
	u8 *rw;
	u8 *ro;
};

/* What functions read and write; objects: states, contexts, descriptors */
extern struct area input, keys, tags, objects, exports, stack;
/* The same for batches, with input and requests */
extern struct area messages, requests;

void make_areas(void);

/* The area that has address at, or beside which it is, and where in it; or NULL */
const struct area *area_near(const void *address, long *offset);

/*
 * Where in an area something of len bytes lies: first, last or anywhere, as far
 * as alignment, a power of two, lets it.
 */
size_t area_offset(const struct area *area, size_t len, size_t alignment);

/* Fills an area, so that area_check() can tell who wrote outside his object. */
void area_paint(const struct area *area);
void area_check(const struct area *area, size_t offset, size_t len);

/*
 * input.c: keys and messages that are random, and some that are not; and the
 * members of any state that the contract allows. fill_powers() needs r.
 */
void fill_key(u8 key[KEY_SIZE]);
void fill_message(u8 *data, size_t len);
void fill_r(u64 r[2]);
void fill_h(u64 h[3]);
void fill_powers(struct poly1305_mac_state *state, u32 npow);
/* An h near which carries and the last reduction have something to do */
void fill_target(u64 h[3]);
/* Changes the last block of whole blocks so that they lead to such an h. */
void aim_message(const u8 key[KEY_SIZE], u8 *data, size_t len);
/* x += y 2^shift, for shift < 128 */
void add_shifted(u64 x[3], u64 y, unsigned int shift);

/**
 * struct residue - what a call left behind
 * @gpr: general registers, in the order of the encoding
 * @mask: mask registers
 * @vector: vector registers
 * @dead: the stack below the stack pointer, up to it
 */
#define DEAD_STACK	(16 << 10)
struct residue {
	u64 gpr[16];
	u64 mask[8];
	u64 vector[32][8];
	u64 dead[DEAD_STACK / 8];
};

/*
 * call.c: call a function, on x86-64 with junk in all registers and on a stack
 * of its own, and fail if it does not return as the ABI demands.
 */
void call_blocks(poly1305_blocks_fn *fn, struct poly1305_mac_state *state,
		 const u8 *data, size_t nblocks, u32 hibit);
void call_digest(poly1305_digest_fn *fn, const u8 *key, const u8 *data, size_t len,
		 u8 *tag);
void call_batch(poly1305_lanes_fn *fn, const struct poly1305_mac_req *const reqs[],
		unsigned int n);
unsigned int call_run(poly1305_run_fn *fn, const struct poly1305_mac_req *reqs,
		      unsigned int n);
void call(void (*fn)(void *arg), void *arg);

/*
 * On x86-64: runs code that ends with ret, with the registers that are given, and
 * puts there what it leaves in them. The stack pointer is one of them.
 */
void call_code(const void *code, struct residue *registers);

/* What the last call left; skips the test where nothing is known of it. */
const struct residue *call_residue(void);

#endif /* CHECK_H */
