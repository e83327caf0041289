/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* How implementations are called in each mode, and whether all give the same */

#ifndef CALLS_H
#define CALLS_H

#include "impls.h"

#define LONGEST_PACKET	16384
#define AD_SIZE		12	/* as ESP has with extended sequence numbers */
#define MANY_KEYS	1000

/* How messages are passed, and from SEAL on packets */
enum style { WHOLE, CHAINED, PIECES, SEAL, OPEN, ALONE };

struct mode {
	const char *name;
	enum style style;
	size_t nkeys;
	size_t offset;
	size_t update_len;	/* of messages in several updates */
	size_t ad_len;		/* of packets */
	bool hint;
	const size_t *lengths;
};

/* The message, which the caller allocates, and the keys */
extern uint8_t *msg;
extern uint8_t keys[MANY_KEYS * KEY_SIZE];

bool is_packet(const struct mode *mode);

/* Whether one call into the library makes all calls of a sample */
bool repeats(const struct bench_impl *impl, const struct mode *mode);

/* Not measured: what calls() needs; for packets to be opened, a sealed one */
void prepare(const struct bench_impl *impl, const struct mode *mode, size_t len);

/* Measured: n calls */
void calls(const struct bench_impl *impl, const struct mode *mode, size_t len, size_t n);

/* Ends the program unless tag and packet of a message at that offset are right */
void check_one(const struct bench_impl *impl, size_t len, size_t offset, const uint8_t *key);

#endif
