// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Ours: the tiers of Poly1305 and of Poly1271 that this CPU can run. Compiled once more, with
 * other names and headers, for an earlier version of them.
 */

#include <stdlib.h>

#include "bench.h"
#include "poly1305_user.h"
#include "poly1271_user.h"

#define MAC poly1305
#include "ours_mac.h"

#define MAC poly1271
#include "ours_mac.h"

static void init_hinted(const uint8_t key[KEY_SIZE], size_t hint)
{
	if (hint)
		poly1305_mac_init_hint(&ctx_poly1305, key, hint);
	else
		init_poly1305(key, 0);
}

static void our_packet(uint8_t tag[TAG_SIZE], const uint8_t *ad, size_t ad_len,
		       const uint8_t *text, size_t len,
		       const uint8_t key[KEY_SIZE])
{
	poly1305_mac_aead(key, ad, ad_len, text, len, tag);
}

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

const struct bench_impl our_impl = {
	.entry = "poly1305_mac_digest",
	.select = select_poly1305,
	.digest = digest_poly1305,
	.init = init_hinted,
	.update = update_poly1305,
	.final = final_poly1305,
	.packet = our_packet,
	.fill = our_fill,
	.batch = our_batch,
};

const struct bench_impl our_poly1271 = {
	.entry = "poly1271_mac_digest",
	.select = select_poly1271,
	.digest = digest_poly1271,
	.init = init_poly1271,
	.update = update_poly1271,
	.final = final_poly1271,
};
