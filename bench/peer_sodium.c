// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * libsodium.a. For a MAC it chooses once between SSE2 and donna-64 in C. A static link reaches
 * both tables of functions. Its public functions take one more jump.
 */

#include <sodium.h>

#include "foreign.h"

static const struct sodium_onetimeauth *chosen;
static crypto_onetimeauth_poly1305_state state;

static bool sodium_select(const struct bench_impl *impl)
{
	chosen = impl->arg ? &crypto_onetimeauth_poly1305_sse2_implementation :
			     &crypto_onetimeauth_poly1305_donna_implementation;
	return true;
}

static void sodium_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			  const uint8_t key[KEY_SIZE])
{
	chosen->digest(tag, msg, len, key);
}

static void sodium_begin(const uint8_t key[KEY_SIZE], size_t hint)
{
	chosen->init(&state, key);
}

static void sodium_update(const uint8_t *data, size_t len)
{
	chosen->update(&state, data, len);
}

static void sodium_final(uint8_t tag[TAG_SIZE])
{
	chosen->final(&state, tag);
}

static const uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];

static void sodium_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	crypto_aead_chacha20poly1305_ietf_encrypt(dst, NULL, src, len, ad, ad_len, NULL, nonce,
						  key);
}

static bool sodium_open(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	return !crypto_aead_chacha20poly1305_ietf_decrypt(dst, NULL, NULL, src, len + TAG_SIZE,
							  ad, ad_len, nonce, key);
}

static const struct bench_packets sodium_packets = {
	.seal = sodium_seal,
	.open = sodium_open,
};

static bool sodium_begins(const struct bench_impl *impl)
{
	return sodium_init() >= 0;
}

#define IMPL(tier_name, row_name, which) {				\
	.name = "libsodium-" row_name,					\
	.tier = tier_name,						\
	.entry = "crypto_onetimeauth_poly1305",				\
	.arg = which,							\
	.select = sodium_select,					\
	.digest = sodium_digest,					\
	.init = sodium_begin,						\
	.update = sodium_update,					\
	.final = sodium_final,						\
}

static const struct bench_impl impls[] = {
	IMPL("sse2", "sse2", 1),
	IMPL("portable", "donna64", 0),
	{
		.name = "libsodium-aead",
		.tier = "any",
		.entry = "crypto_aead_chacha20poly1305_ietf",
		.select = sodium_begins,
		.packets = &sodium_packets,
	},
	{ }
};

const struct bench_peer peer_sodium = {
	"libsodium " SODIUM_VERSION_STRING, impls
};
