/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef POLY1305_BENCH_H
#define POLY1305_BENCH_H

#define pr_fmt(fmt) fmt

#include "../../tests/cases/versions.h"
#include <crypto/hash.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../../poly1305_core.h"
#include "../../tests/reference/poly1305_ref.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE

/* The longest packet: the AEADs are measured up to here. */
#define PACKET_MAX	8192

/**
 * struct way - one way to a tag
 * @name: its name in the results
 * @on: the driver that it measures, or the library
 * @run: computes the tag of that many bytes, either of those behind the key in input
 *	 or of a packet
 * @want: writes the right tag
 * @tfm: the driver, for ways that call one
 * @req: the request, for an AEAD
 */
struct way {
	const char *name;
	const char *on;
	int (*run)(const struct way *way, const u8 *input, size_t len,
		   u8 tag[TAG_SIZE]);
	void (*want)(const u8 *input, size_t len, u8 tag[TAG_SIZE]);
	struct crypto_shash *tfm;
	struct aead_request *req;
};

/* aead.c: the two ways of --kernel --packets, ours and @peer; free even if it fails */
int aead_list(struct way ways[2], const char *peer);
void aead_free(const struct way ways[2]);

#endif /* POLY1305_BENCH_H */
