// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Packets sealed and opened by chapoly_core.c, with the kernel's ChaCha20 in place of
 * user/chacha.c, or with our own. Compiled once more for an earlier commit, which may have
 * poly1305_aead.h instead.
 */

#if __has_include("poly1305_aead.h")
#include "poly1305_aead.h"

const struct cpuinfo_x86 *shim_pretended_cpu;

/* A caller of that header keeps the key in words. */
static void begin(struct chacha_state *cipher, const u8 *key)
{
	static const u8 iv[CHACHA_IV_SIZE];

	chacha_init(cipher, (const u32 *)key, iv);
}

static void seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	struct chacha_state cipher;

	begin(&cipher, key);
	aead_seal(dst, src, len, ad, ad_len, &cipher);
}

static bool open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	struct chacha_state cipher;

	begin(&cipher, key);
	return aead_open(dst, src, len, ad, ad_len, &cipher);
}
#else
#include "chapoly_core.c"

#if __has_include("arch/x86/chapoly-avx512.S")
bool shim_simd_usable = true;
bool shim_emulating;
unsigned long shim_fpu_sections;

static void select_tier(const char *tier)
{
	chapoly_use(tier);
}

#define SELECT	select_tier
#endif

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
#endif

#undef TAG_SIZE
#include "bench.h"

#ifndef SELECT
#define SELECT	NULL
#endif
const struct bench_packets our_packets = { seal, open, SELECT };
