// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The Rust crate aws-lc-rs, by the functions of rust/peers.rs */

#include "foreign.h"

static const struct bench_packets packets = {
	.set_key = bench_rust_key,
	.seal = bench_aws_lc_seal,
	.open = bench_aws_lc_open,
};

static const struct bench_impl impls[] = {
	{
		.name = "aws-lc",
		.tier = "any",
		.packets = &packets,
	},
	{ }
};

const struct bench_peer peer_rust = { CRATE, impls };
