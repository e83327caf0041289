// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Packets sealed and opened by chapoly.c. Where poly1305.ko has no ChaCha20 of its own, the
 * kernel's takes the place of user/chacha.c. Compiled once more for an earlier commit.
 */

#if __has_include("chapoly/chapoly.c")
#include "chapoly/chapoly.c"
#else
#include "chapoly_core.c"	/* before it moved */
#endif

#ifdef POLY1305_ABI
/* libpoly1305.a does not export these. chapoly_use() chooses the packets. */
const u32 poly1305_mac_abi = POLY1305_ABI(struct poly1305_mac_ctx);

const char *poly1305_mac_tier(void)
{
	return "";
}
#endif

bool shim_simd_usable = true;
unsigned long shim_fpu_sections;

static const u8 nonce[CHAPOLY_NONCE_SIZE];

static void seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	chapoly_seal(dst, src, len, ad, ad_len, nonce, key);
}

static bool open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	return !chapoly_open(dst, src, len, ad, ad_len, nonce, key);
}

static void cipher(u8 *dst, const u8 *src, size_t len, const u8 *key)
{
	struct chacha_state state;

	cipher_begin(&state, nonce, key);
	crypt(&state, dst, src, len);
}

#undef TAG_SIZE
#include "bench.h"

const struct bench_packets our_packets = {
	.seal = seal, .open = open, .cipher = cipher, .select = chapoly_use
};
