/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef POLY1305_BENCH_H
#define POLY1305_BENCH_H

#include "../../tests/kernel/poly1305_test.h"

/* The longest packet: the AEADs are measured up to here. */
#define PACKET_MAX	8192

/**
 * struct way - one way to a tag
 * @name: what it is called in the results
 * @on: what it is measured on: a driver, or the library
 * @run: computes the tag of so many bytes, of those behind the key in input or of
 *	 a packet
 * @want: writes the tag that is right
 * @tier: the tier, for what needs its block function
 * @tfm: the driver, for what needs one
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
