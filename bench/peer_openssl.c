// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * OpenSSL's libcrypto.a: EVP for packets, and for a MAC the functions below EVP, which a
 * static link reaches. Each Init chooses a tier by the CPU features in OPENSSL_ia32cap_P, so
 * a tier is selected here by removing features from it.
 */

#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <stdlib.h>

#include "foreign.h"

/* Bits of CPUID 1 ECX and CPUID 7 EBX, words 1 and 2 of OPENSSL_ia32cap_P */
#define AVX		(1u << 28)
#define AVX2		(1u << 5)
#define AVX512F		(1u << 16)
#define AVX512IFMA	(1u << 21)
#define AVX512_ALL	(AVX512F | AVX512IFMA | 1u << 17 | 1u << 30 | 1u << 31)

enum { SCALAR, TIER_AVX, TIER_AVX2, TIER_AVX512F, TIER_AVX512, BEST };

static _Alignas(64) unsigned char ctx[1024];

static bool openssl_select(const struct bench_impl *impl)
{
	static unsigned int found[2];
	unsigned int word1, word2;

	if (!found[0]) {
		if (Poly1305_ctx_size() > sizeof(ctx))
			abort();
		found[0] = OPENSSL_ia32cap_P[1];
		found[1] = OPENSSL_ia32cap_P[2];
	}
	word1 = found[0];
	word2 = found[1];
	if (impl->arg < TIER_AVX)
		word1 &= ~AVX;
	if (impl->arg < TIER_AVX2)
		word2 &= ~AVX2;
	if (impl->arg < TIER_AVX512F)
		word2 &= ~AVX512_ALL;
	if (impl->arg < TIER_AVX512)
		word2 &= ~AVX512IFMA;
	OPENSSL_ia32cap_P[1] = word1;
	OPENSSL_ia32cap_P[2] = word2;

	switch (impl->arg) {
	case TIER_AVX:
		return word1 & AVX;
	case TIER_AVX2:
		return word2 & AVX2;
	case TIER_AVX512F:
		return word2 & AVX512F;
	case TIER_AVX512:
		return word2 & AVX512IFMA;
	}
	return true;
}

static void openssl_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	Poly1305_Init(ctx, key);
}

static void openssl_update(const uint8_t *data, size_t len)
{
	Poly1305_Update(ctx, data, len);
}

static void openssl_final(uint8_t tag[TAG_SIZE])
{
	Poly1305_Final(ctx, tag);
}

BENCH_DIGEST(openssl_digest, openssl_init, openssl_update, openssl_final)

static struct evp_cipher_ctx_st *evp;

static void evp_key(const uint8_t key[KEY_SIZE])
{
	if (!evp)
		evp = EVP_CIPHER_CTX_new();
	if (!EVP_CipherInit_ex(evp, EVP_chacha20_poly1305(), NULL, key, NULL, 1))
		abort();
}

static const uint8_t nonce[12];

static void evp_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		     size_t ad_len, const uint8_t key[KEY_SIZE])
{
	int n;

	EVP_CipherInit_ex(evp, NULL, NULL, NULL, nonce, 1);
	if (ad_len)
		EVP_CipherUpdate(evp, NULL, &n, ad, ad_len);
	EVP_CipherUpdate(evp, dst, &n, src, len);
	EVP_CipherFinal_ex(evp, dst + len, &n);
	EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, TAG_SIZE, dst + len);
}

static bool evp_open(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		     size_t ad_len, const uint8_t key[KEY_SIZE])
{
	int n;

	EVP_CipherInit_ex(evp, NULL, NULL, NULL, nonce, 0);
	EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_SET_TAG, TAG_SIZE, (void *)(src + len));
	if (ad_len)
		EVP_CipherUpdate(evp, NULL, &n, ad, ad_len);
	EVP_CipherUpdate(evp, dst, &n, src, len);
	return EVP_CipherFinal_ex(evp, dst + len, &n) > 0;
}

static const struct bench_packets evp_packets = {
	.set_key = evp_key,
	.seal = evp_seal,
	.open = evp_open,
};

#define IMPL(id, which) {						\
	.name = "openssl-" #id,						\
	.tier = #id,							\
	.arg = which,							\
	.select = openssl_select,					\
	BENCH_FUNCTIONS(openssl),					\
}

static const struct bench_impl impls[] = {
	IMPL(avx512, TIER_AVX512),
	IMPL(avx512f, TIER_AVX512F),
	IMPL(avx2, TIER_AVX2),
	IMPL(avx, TIER_AVX),
	IMPL(scalar, SCALAR),
	{
		.name = "openssl-aead",
		.tier = "any",
		.arg = BEST,
		.select = openssl_select,
		.packets = &evp_packets,
	},
	{ }
};

const struct bench_peer peer_openssl = { OPENSSL_VERSION_TEXT, impls };
