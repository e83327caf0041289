/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fuzzpoly1305: sequences of calls, each sequence to every implementation and to
 * big integers at once. main.c says how bytes become calls.
 */

#ifndef FUZZ_H
#define FUZZ_H

#include "../unit/check.h"

#define SUBJECTS_MAX	16
/* The longest piece of a message: longer than any FPU section */
#define PIECE_MAX	(80 << 10)

/* main.c: what this CPU can run */
extern const struct subject *subject[SUBJECTS_MAX];
extern unsigned int nsubjects;

/* The rest of the input; at its end zeroes follow. */
u8 take(void);
u16 take16(void);
size_t take_length(void);
bool more(void);
void take_key(u8 key[KEY_SIZE]);

/* A piece of a message, between inaccessible pages; valid until the next one */
const u8 *take_piece(size_t *len);

/* Tells what is being done, if FUZZ_TRACE is in the environment. */
void trace(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Around each call: which implementation it is, and whether SIMD may be used */
void begin_call(const struct subject *s);
void end_call(void);
void take_conditions(void);

/* A path that only assembly can tell from another: something new for libFuzzer */
void passed(const struct poly1305_mac_state *state, size_t nblocks);

/* Fails if somebody has another tag. */
void compare_tags(const u8 *tag, const u8 *expected, const struct subject *s,
		  const char *what);

/* Makes the exported functions call it. */
void serve_by(const struct subject *s);

/* session.c: calls that share a context, a descriptor or what was prepared */
void do_init(void);
void do_shash_init(void);
void do_update(void);
void do_blocks(void);
void do_final(void);
void do_clone(void);
void do_export(void);
void do_poke(void);
void do_prepare(void);
void do_init_prepared(void);
void do_digest_prepared(void);
void end_sessions(void);

/* oneshot.c: calls that stand alone */
void do_digest(void);
void do_verify(void);
void do_scatterlist(void);
void do_batch(void);
void do_overlap(void);

#endif /* FUZZ_H */
