/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * checkpoly1305 compares every tier with big-integer arithmetic. main.c describes
 * its use; each test_*.c begins with what it tests.
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

#ifdef POLY1271
/* Its library takes no hints. */
#define poly1305_mac_init_hint(ctx, key, len)				\
	((void)(len), poly1305_ctx_init(ctx, key))
#endif

/* Tests try every length up to these, in bytes and in blocks. */
#define LEN_MAX		4200
#define NBLOCKS_MAX	(LEN_MAX / BLOCK_SIZE)

/* Room for the longest input at any alignment */
#define INPUT_MAX	(32 << 10)

/**
 * struct tier - a tier under test
 * @name: name in the names of points
 * @def: the module's definition of the tier
 * @alg: its shash driver
 * @blocks: its block function
 * @digest: its digest function, or NULL
 * @compiled: true for C code, which cannot promise clean registers
 * @poor: pretend that the CPU lacks optional features (ADX)
 */
struct tier {
	const char *name;
	const struct poly1305_tier *def;
	const struct shash_alg *alg;
	poly1305_blocks_fn *blocks;
	poly1305_digest_fn *digest;
	bool compiled;
	bool poor;
};

/* internals.c: whether the CPU is said to have ADX and BMI2 */
extern bool assume_adx;

/* The tiers that this CPU can run, then an entry without a name */
const struct tier *tier_list(void);

/* Must be called before any call of the tier's functions */
void prepare(const struct tier *tier);

/* Whether the exported functions use the tier now, and whether they did at start */
bool serves(const struct tier *tier);
bool served_at_start(const struct tier *tier);

/* A random tier of the list */
const struct tier *any_tier(void);

/* Whether its vector code leaves powers of r in a state, of no use to another tier */
static inline bool has_powers(const struct tier *tier)
{
	return tier->def->simd_from;
}

/* test_tiers.c: makes the exported functions use the tier */
void serve_by(const struct tier *tier);

/**
 * struct test - a test, usually run on every tier
 * @name: the point's name is this, a slash and the tier's name
 * @run: runs the test; calls fail() if it fails
 * @once: run once, as the test does not depend on the tier
 */
struct test {
	const char *name;
	void (*run)(const struct tier *tier);
	bool once;
};

/* Each list ends with an entry without a name. */
extern const struct test reference_tests[];
extern const struct test block_tests[];
extern const struct test residue_tests[];
extern const struct test traced_tests[];
extern const struct test tier_tests[];

/* NULL where the Makefile leaves the file out, as the MAC lacks what it tests */
#define POLY1305_TESTS(id)	\
	extern const struct test id##_tests[] __attribute__((weak))

POLY1305_TESTS(huge);
POLY1305_TESTS(aead);

/* main.c: fail the running test and leave it; text says what is wrong */
void fail(const char *text, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Skip the running test and leave it; text says why it cannot run here */
void skip(const char *text) __attribute__((noreturn));

/*
 * The cases of a test: for (i = first_case(); next_case(&i, n); i++). Each case
 * seeds the random numbers anew, so it is reproducible on its own.
 */
u64 first_case(void);
bool next_case(const u64 *i, u64 n);
u64 random_cases(void);		/* --cases */
/* The options --slow and --plain */
bool slow_tests(void);
bool plain_calls(void);

/* random.c */
u64 rnd(void);
/* Sets the random state; returns the old one, with which the old numbers continue. */
u64 rnd_begin(u64 seed);
size_t rnd_below(size_t n);
void rnd_bytes(void *p, size_t len);

/* ref.c: arithmetic modulo p, ref_p, on numbers of three words, low first */
extern const u64 ref_p[3];
void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks,
		u32 hibit);
void ref_tag(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len);
/* The tag, if earlier blocks led to h */
void ref_end(u8 tag[TAG_SIZE], const u64 h[3], const u8 key[KEY_SIZE],
	     const u8 *data, size_t len);
void ref_r(u64 r[3], const u8 key[KEY_SIZE]);
void ref_reduce(u64 h[3]);
/* The value of h of a state, reduced; fails if the contract does not allow that h */
void value_of(u64 h[3], const struct poly1305_mac_state *state, const char *tier);
void ref_add(u64 h[3], const u64 a[3]);
void ref_subtract(u64 h[3], const u64 a[3]);
void ref_multiply(u64 h[3], const u64 a[3]);
void ref_invert(u64 h[3]);

/* ref_gmp.c: poly1305_ref_step() by GMP */
void ref_gmp_step(u64 h[3], const u64 m[3], const u64 a[3]);

/**
 * struct area - memory between two inaccessible pages
 * @name: its content, for messages
 * @size: its size in bytes, whole pages
 * @rw: a writable mapping
 * @ro: a read-only mapping of the same memory
 */
struct area {
	const char *name;
	size_t size;
	u8 *rw;
	u8 *ro;
};

/* All buffers of the functions under test; objects: states, contexts, descriptors */
extern struct area input, output, keys, tags, objects, exports, stack;

void make_areas(void);

/*
 * The area that address lies in or next to, with the offset of address from its
 * beginning; or NULL
 */
const struct area *area_near(const void *address, long *offset);

/*
 * A random place in an area for an object of len bytes: the first, one near it, or
 * most often the last. alignment is a power of two.
 */
size_t area_offset(const struct area *area, size_t len, size_t alignment);

/* Fills an area; area_check() finds writes outside the len bytes at offset. */
void area_paint(const struct area *area);
void area_check(const struct area *area, size_t offset, size_t len);

/*
 * input.c: random and awkward keys and messages, and members of any state that the
 * contract allows
 */
void fill_key(u8 key[KEY_SIZE]);
void fill_message(u8 *data, size_t len);
void fill_r(u64 r[2]);
void fill_h(u64 h[3]);
/* A value near a multiple of 2^64 or p, where carries and the last reduction work */
void fill_target(u64 h[3]);
/*
 * Changes the last block so that the message leads to such an h. len is a multiple
 * of the block size.
 */
void aim_message(const u8 key[KEY_SIZE], u8 *data, size_t len);

/**
 * struct residue - registers and dead stack after a call
 * @gpr: general registers, in the order of the encoding
 * @mask: mask registers
 * @vector: vector registers
 * @dead: the stack that ends at the stack pointer
 */
#define DEAD_STACK	(16 << 10)
struct residue {
	u64 gpr[16];
	u64 mask[8];
	u64 vector[32][8];
	u64 dead[DEAD_STACK / 8];
};

/*
 * call.c: call a function and fail if it breaks the ABI. On x86-64 it runs with junk
 * in all registers and on a stack of its own.
 */
void call_blocks(const struct tier *tier, struct poly1305_mac_state *state,
		 const u8 *data, size_t nblocks, u32 hibit);
void call_digest(poly1305_digest_fn *fn, const u8 *key, const u8 *data, size_t len,
		 u8 *tag);
void call(void (*fn)(void *arg), void *arg);

/* The residue of the last call; skips the test where that is not recorded. */
const struct residue *call_residue(void);

#endif /* CHECK_H */
