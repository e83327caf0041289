// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Mbed TLS: portable C with limbs of 32 bits */

#include <mbedtls/poly1305.h>
#include <mbedtls/version.h>

#include "bench.h"

static mbedtls_poly1305_context ctx;

static bool mbedtls_select(const struct bench_impl *impl)
{
	(void)impl;
	return true;
}

static void mbedtls_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			   const uint8_t key[KEY_SIZE])
{
	mbedtls_poly1305_mac(key, msg, len, tag);
}

static void mbedtls_begin(const uint8_t key[KEY_SIZE], size_t hint)
{
	(void)hint;
	mbedtls_poly1305_init(&ctx);
	mbedtls_poly1305_starts(&ctx, key);
}

static void mbedtls_add(const uint8_t *data, size_t len)
{
	mbedtls_poly1305_update(&ctx, data, len);
}

static void mbedtls_end(uint8_t tag[TAG_SIZE])
{
	mbedtls_poly1305_finish(&ctx, tag);
	mbedtls_poly1305_free(&ctx);
}

static const struct bench_impl impls[] = {
	{
		.name = "mbedtls",
		.tier = "portable",
		.entry = "mbedtls_poly1305_mac",
		.select = mbedtls_select,
		.digest = mbedtls_digest,
		.init = mbedtls_begin,
		.update = mbedtls_add,
		.final = mbedtls_end,
	},
	{ }
};

const struct bench_peer peer_mbedtls = { MBEDTLS_VERSION_STRING_FULL, impls };
