// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Go's golang.org/x/crypto. A sample is one call of a loop in Go. */

#include "foreign.h"

static const struct bench_packets packets = {
	.set_key = bench_go_key,
	.many = bench_go_packets,
};

static const struct bench_impl impls[] = {
	{
		.name = "go-aead",
		.tier = "any",
		.packets = &packets,
	},
	{ }
};

const struct bench_peer peer_go = { "golang.org/x/crypto", impls };
