/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef POLY1305_BENCH_H
#define POLY1305_BENCH_H

#include "../../tests/kernel/poly1305_test.h"

/* The longest packet: the AEADs are measured up to here. */
#define PACKET_MAX	8192

/**
 * struct way - one way to a tag
 * @name: its name in the results
 * @on: the driver that it measures, or the library
 * @run: computes the tag of that many bytes, either of those behind the key in input
 *	 or of a packet
 * @want: writes the right tag
 * @tier: the tier, for ways that call its block function
 * @tfm: the driver, for ways that call one
 * @req: the request, for an AEAD
 */
struct way {
	const char *name;
	const char *on;
	int (*run)(const struct way *way, const u8 *input, size_t len,
		   u8 tag[TAG_SIZE]);
	void (*want)(const u8 *input, size_t len, u8 tag[TAG_SIZE]);
	const struct poly1305_tier *tier;
	struct crypto_shash *tfm;
	struct aead_request *req;
};

/* aead.c: the three ways of --aead, the last two beside @peer; free even if it fails */
int aead_list(struct way ways[3], const char *peer);
void aead_free(const struct way ways[3]);

#endif /* POLY1305_BENCH_H */
