// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The Rust crates of rust/Cargo.toml, by the functions of rust/peers.rs */

#include "bench.h"
#include "foreign.h"

static bool rust_select(const struct bench_impl *impl)
{
	(void)impl;
	return true;
}

static void ring_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		      size_t ad_len, const uint8_t key[KEY_SIZE])
{
	(void)src;
	(void)key;
	bench_ring_seal(dst, len, ad, ad_len);
}

#define SEAL(name)							\
static void name##_seal(uint8_t *dst, const uint8_t *src, size_t len,	\
			 const uint8_t *ad, size_t ad_len,		\
			 const uint8_t key[KEY_SIZE])			\
{									\
	(void)key;							\
	bench_##name##_seal(dst, src, len, ad, ad_len);		\
}

#define OPEN(name)							\
static bool name##_open(uint8_t *dst, const uint8_t *src, size_t len,	\
			 const uint8_t *ad, size_t ad_len,		\
			 const uint8_t key[KEY_SIZE])			\
{									\
	(void)key;							\
	return bench_##name##_open(dst, src, len, ad, ad_len);		\
}									\
									\
static const struct bench_packets name##_packets = {			\
	.set_key = bench_rust_key,					\
	.seal = name##_seal,						\
	.open = name##_open,						\
}

OPEN(ring);
SEAL(aws_lc)
OPEN(aws_lc);
SEAL(rustcrypto)
OPEN(rustcrypto);

#define IMPL(row_name, functions, which) {				\
	.name = row_name,						\
	.tier = "any",							\
	.entry = functions,						\
	.select = rust_select,						\
	.packets = which,						\
}

static const struct bench_impl impls[] = {
	IMPL("ring", "seal_in_place_separate_tag, open_within", &ring_packets),
	IMPL("aws-lc", "seal_out_of_place_scatter, open_separate_gather", &aws_lc_packets),
	IMPL("rustcrypto", "encrypt_inout_detached, decrypt_...", &rustcrypto_packets),
	{ }
};

const struct bench_peer peer_rust = { CRATES, impls };
