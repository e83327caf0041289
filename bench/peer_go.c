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

static const struct bench_impl impls[] = {
	{
		.name = "go",
		.tier = "scalar",
		.entry = "poly1305.Sum, in a loop in Go",
		.select = go_select,
		.many = go_many,
	},
	{ }
};

const struct bench_peer peer_go = { "golang.org/x/crypto", impls };
