/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fuzzpoly1305: runs each sequence of calls on every tier and on big-integer
 * arithmetic, and compares the results. main.c describes how bytes become calls.
 */

#ifndef FUZZ_H
#define FUZZ_H

#include "../unit/check.h"

#define TIERS_MAX	16
/* The longest piece of a message: longer than any FPU section */
#define PIECE_MAX	(80 << 10)

/* main.c: the tiers that this CPU can run */
extern const struct tier *tiers[TIERS_MAX];
extern unsigned int ntiers;

/* Consume input; zeros follow its end. */
u8 take(void);
u16 take16(void);
size_t take_length(void);
bool more(void);
void take_key(u8 key[KEY_SIZE]);

/* A piece of a message between guard pages, valid until the next call */
const u8 *take_piece(size_t *len);

/* Describes each call on stderr if FUZZ_TRACE is in the environment. */
void trace(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Around each call: prepare the tier; check that it used SIMD only where it may */
void begin_call(const struct tier *t);
void end_call(void);
void take_conditions(void);

/* Reports a path through assembly to libFuzzer, which cannot see its branches. */
void passed(const struct poly1305_mac_state *state, size_t nblocks);

/* Fails if the tags differ. */
void compare_tags(const u8 *tag, const u8 *expected, const struct tier *t,
		  const char *what);

/* session.c: calls that share a context or a descriptor */
void do_init(void);
void do_shash_init(void);
void do_update(void);
void do_blocks(void);
void do_final(void);
void do_clone(void);
void do_export(void);
void do_poke(void);
void end_sessions(void);

#endif /* FUZZ_H */
