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

/* core.c, aead.c: self-tests, with a wrong bit in the tag of that vector, if there is one */
int core_selftest(size_t wrong);
int aead_selftest(size_t wrong);
extern const size_t selftest_vectors;

/* --slow */
extern bool slow;

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

#endif /* CHECK_H */
