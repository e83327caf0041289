/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * checkpoly1305 compares every tier with big-integer arithmetic. main.c describes
 * its use; each test_*.c begins with what it tests.
 */

#ifndef CHECK_H
#define CHECK_H

#include "compat.h"
#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "poly1305_core.h"
#include "poly1305_desc.h"
#include "poly1305_user.h"
#include "../cases/random.h"
#include "../reference/poly1305_ref.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
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

/* aes.c: the transform of poly1305(aes), without a key at first; and AES of one block */
struct crypto_shash *aes_transform(void);
void aes_block(const u8 key[16], const u8 in[16], u8 out[16]);

/* The tests, each run on every tier. They call fail() if they fail. */
void test_blocks(const struct tier *tier);
void test_registered(const struct tier *tier);
void test_usable(const struct tier *tier);
void test_interrupted(const struct tier *tier);
void test_sections(const struct tier *tier);
void test_residue(const struct tier *tier);
void test_depth(const struct tier *tier);
void test_traced(const struct tier *tier);
void test_huge(const struct tier *tier);
void test_aead(const struct tier *tier);

/* main.c: fail the running test and leave it; text says what is wrong */
void fail(const char *text, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/* Skip the running test and leave it; text says why it cannot run here */
void skip(const char *text) __attribute__((noreturn));

/* --cases and --slow */
extern unsigned long cases;
extern bool slow;

/* input.c: random and awkward keys, messages, and members of any state that the contract allows */
void fill_key(u8 key[KEY_SIZE]);
void fill_message(u8 *data, size_t len);
void fill_r(u64 r[2]);
void fill_h(u64 h[3]);

/* ref.c: the blocks added to h, with bit 128 or without, and h reduced modulo p */
void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks, u32 hibit);

/*
 * The buffers of the functions under test, between inaccessible pages. In objects are states,
 * contexts and descriptors.
 */
#define AREA_SIZE	(32 << 10)
extern u8 *input, *output, *keys, *tags, *objects, *exports;

/* Where an object of len bytes ends with the area */
static inline void *at_end(u8 *area, size_t len)
{
	return area + AREA_SIZE - len;
}

/* A place for len bytes: those that end with the area, or any of the first 128 alignments in it */
static inline u8 *any_place(u8 *area, size_t len)
{
	const size_t most = min_t(size_t, AREA_SIZE - len, 127);

	return rnd() & 1 ? at_end(area, len) : area + rnd_below(most + 1);
}

#endif /* CHECK_H */
