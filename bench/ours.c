// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Ours: the tiers that this CPU can run; with POLY1271 defined, those of Poly1271
 */

#include <stdlib.h>

#include "bench.h"
#include "poly1305_user.h"
#ifdef POLY1271
#include "poly1271_user.h"
#include "poly1271_core.h"
#define poly1305_user_select	poly1271_user_select
#define our_impl		our_poly1271
#endif

static bool our_select(const struct bench_impl *impl)
{
	return !poly1305_user_select(impl->name);
}

static void our_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		       const uint8_t key[KEY_SIZE])
{
	poly1305_mac_digest(key, msg, len, tag);
}

static struct poly1305_mac_ctx our_ctx;

static void our_init(const uint8_t key[KEY_SIZE], size_t hint)
{
#ifdef POLY1271
	(void)hint;
#else
	if (hint) {
		poly1305_mac_init_hint(&our_ctx, key, hint);
		return;
	}
#endif
	poly1305_mac_init(&our_ctx, key);
}

static void our_update(const uint8_t *data, size_t len)
{
	poly1305_mac_update(&our_ctx, data, len);
}

static void our_final(uint8_t tag[TAG_SIZE])
{
	poly1305_mac_final(&our_ctx, tag);
}

#ifndef POLY1271
uint8_t batch_tags[MOST_BATCH][TAG_SIZE];
/* As a caller without scatterlists keeps them: sgl stays NULL. */
static struct poly1305_mac_req batch_reqs[MOST_BATCH];

/* The members that a caller fills in for each message, with a key each or one key */
static void our_fill(const uint8_t *msg, size_t len, const uint8_t *keys,
		     size_t nkeys, unsigned int n)
{
	const size_t next = nkeys > 1 ? KEY_SIZE : 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		batch_reqs[i].key = keys + i * next;
		batch_reqs[i].data = msg;
		batch_reqs[i].len = len;
		batch_reqs[i].tag = batch_tags[i];
	}
}

static void our_batch(unsigned int n)
{
	if (poly1305_mac_batch(batch_reqs, n))
		abort();
}

#endif

const struct bench_impl our_impl = {
#ifdef POLY1271
	.entry = "poly1271_mac_digest",
#else
	.entry = "poly1305_mac_digest",
	.fill = our_fill,
	.batch = our_batch,
#endif
	.select = our_select,
	.digest = our_digest,
	.init = our_init,
	.update = our_update,
	.final = our_final,
};
