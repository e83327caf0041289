// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The Rust crates of rust/Cargo.toml, by the functions of rust/peers.rs */

#include "foreign.h"

#define IMPL(row_name, functions, crate) {				\
	.name = row_name,						\
	.tier = "any",							\
	.entry = functions,						\
	.packets = &(const struct bench_packets){			\
		.set_key = bench_rust_key,				\
		.seal = bench_##crate##_seal,				\
		.open = bench_##crate##_open,				\
	},								\
}

static const struct bench_impl impls[] = {
	IMPL("ring", "seal_in_place_separate_tag, open_within", ring),
	IMPL("aws-lc", "seal_out_of_place_scatter, open_separate_gather", aws_lc),
	IMPL("rustcrypto", "encrypt_inout_detached, decrypt_...", rustcrypto),
	{ }
};

const struct bench_peer peer_rust = { CRATES, impls };
