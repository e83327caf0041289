// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Go's golang.org/x/crypto. A sample is one call of a loop in Go. */

#include "bench.h"
#include "foreign.h"

static bool go_select(const struct bench_impl *impl)
{
	(void)impl;
	return true;
}

static void go_many(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		    const uint8_t *keys, size_t nkeys, size_t n)
{
	bench_go_many(tag, msg, len, keys, nkeys, n);
}

static bool go_packets(bool seal, uint8_t *dst, const uint8_t *src, size_t len,
		       const uint8_t *ad, size_t ad_len, size_t n)
{
	if (!seal)
		return bench_go_open((void *)dst, (void *)src, len, (void *)ad, ad_len, n);
	bench_go_seal((void *)dst, (void *)src, len, (void *)ad, ad_len, n);
	return true;
}

static void go_key(const uint8_t key[KEY_SIZE])
{
	bench_go_key((void *)key);
}

static const struct bench_packets packets = { .set_key = go_key, .many = go_packets };

static const struct bench_impl impls[] = {
	{
		.name = "go",
		.tier = "scalar",
		.entry = "poly1305.Sum, in a loop in Go",
		.select = go_select,
		.many = go_many,
	},
	{
		.name = "go-aead",
		.tier = "any",
		.entry = "chacha20poly1305, in a loop in Go",
		.select = go_select,
		.packets = &packets,
	},
	{ }
};

const struct bench_peer peer_go = { "golang.org/x/crypto", impls };
