/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20-Poly1305 for x86-64: a whole message in one FPU section
 */

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <linux/jump_label.h>
#include <linux/scatterlist.h>
#include <linux/sizes.h>
#include <linux/static_call.h>

#include "chacha20poly1305-impl.h"

/* If the CPU has vectors, the implementation in use and the longest texts that it takes */
static __ro_after_init DEFINE_STATIC_KEY_FALSE(chacha20poly1305_use_simd);
DEFINE_STATIC_CALL_NULL(chapoly_seal, *chapoly_avx2.seal);
DEFINE_STATIC_CALL_NULL(chapoly_open, *chapoly_avx2.open);
DEFINE_STATIC_CALL_NULL(chapoly_crypt, *chapoly_avx2.crypt);
static size_t chapoly_seal_max __ro_after_init;
static size_t chapoly_open_max __ro_after_init;
static size_t chapoly_crypt_max __ro_after_init;

/* An empty message, which has block 0 alone, is faster in general registers. */
static __always_inline bool chapoly_takes(size_t len, size_t max)
{
	return static_branch_likely(&chacha20poly1305_use_simd) && len && len <= max &&
	       likely(irq_fpu_usable());
}

#define chacha20poly1305_encrypt_arch chacha20poly1305_encrypt_arch
static bool chacha20poly1305_encrypt_arch(u8 *dst, const u8 *src, size_t len,
					  const u8 *ad, size_t ad_len,
					  const struct chacha_state *chacha_state)
{
	if (!chapoly_takes(len, chapoly_seal_max))
		return false;
	static_call(chapoly_seal)(dst, src, len, ad, ad_len,
				  (const u8 *)&chacha_state->x[13],
				  (const u8 *)&chacha_state->x[4]);
	return true;
}

/*
 * Not in place, the ciphertext is first copied: each byte of it is read once, so what is
 * authenticated is what is decrypted, whoever else may write to src.
 */
#define chacha20poly1305_decrypt_arch chacha20poly1305_decrypt_arch
static bool chacha20poly1305_decrypt_arch(u8 *dst, const u8 *src, size_t len,
					  const u8 *ad, size_t ad_len,
					  const struct chacha_state *chacha_state,
					  bool *authentic)
{
	if (!chapoly_takes(len, chapoly_open_max))
		return false;
	if (dst != src)
		memcpy(dst, src, len);
	*authentic = !static_call(chapoly_open)(dst, len, src + len, ad, ad_len,
						(const u8 *)&chacha_state->x[13],
						(const u8 *)&chacha_state->x[4]);
	if (unlikely(!*authentic) && dst != src)
		memset(dst, 0, len);
	return true;
}

/*
 * The longest text in a list of several entries that is copied to a buffer and back.  Packets are
 * shorter.  With what is called below, this takes less than 4 KiB of stack.
 */
#define CHAPOLY_LIST_MAX	1520

static noinline_for_stack bool chapoly_crypt_sg(struct scatterlist *sgl, size_t len,
						const u8 *ad, size_t ad_len,
						const struct chacha_state *chacha_state,
						bool encrypt)
{
	const u8 *nonce = (const u8 *)&chacha_state->x[13], *key = (const u8 *)&chacha_state->x[4];
	const size_t all = len + CHAPOLY_TAG_SIZE, n = encrypt ? len : all;
	const int nents = sg_nents_for_len(sgl, all);
	u8 buf[CHAPOLY_LIST_MAX + CHAPOLY_TAG_SIZE];
	bool right;

	if (nents < 0 || sg_copy_to_buffer(sgl, nents, buf, n) != n)
		return false;
	if (encrypt) {
		static_call(chapoly_seal)(buf, buf, len, ad, ad_len, nonce, key);
		sg_copy_from_buffer(sgl, nents, buf, all);
		return true;
	}
	right = !static_call(chapoly_open)(buf, len, buf + len, ad, ad_len, nonce, key);
	if (likely(right)) {
		sg_copy_from_buffer(sgl, nents, buf, len);
		memzero_explicit(buf, len);
	}
	return right;
}

#define chacha20poly1305_crypt_sg_arch chacha20poly1305_crypt_sg_arch
static bool chacha20poly1305_crypt_sg_arch(struct scatterlist *sgl, size_t len,
					   const u8 *ad, size_t ad_len,
					   const struct chacha_state *chacha_state,
					   bool encrypt, bool *done)
{
	const size_t max = encrypt ? chapoly_seal_max : chapoly_open_max;

	if (!chapoly_takes(len, min(max, CHAPOLY_LIST_MAX)))
		return false;
	*done = chapoly_crypt_sg(sgl, len, ad, ad_len, chacha_state, encrypt);
	return true;
}

#define chacha20poly1305_crypt_arch chacha20poly1305_crypt_arch
static bool chacha20poly1305_crypt_arch(struct chacha_state *chacha_state, u8 *dst, const u8 *src,
					size_t len)
{
	if (len <= CHACHA_BLOCK_SIZE || !chapoly_takes(len, chapoly_crypt_max))
		return false;
	static_call(chapoly_crypt)(chacha_state, dst, src, len);
	return true;
}

static void __init chapoly_use(const struct chapoly_impl *impl)
{
	static_call_update(chapoly_seal, impl->seal);
	static_call_update(chapoly_open, impl->open);
	static_call_update(chapoly_crypt, impl->crypt);
	chapoly_seal_max = impl->seal_max;
	chapoly_open_max = impl->open_max;
	chapoly_crypt_max = CHAPOLY_CHUNK;
}

#define chacha20poly1305_mod_init_arch chacha20poly1305_mod_init_arch
static void __init chacha20poly1305_mod_init_arch(void)
{
	if (!boot_cpu_has(X86_FEATURE_AVX) || !boot_cpu_has(X86_FEATURE_AVX2) ||
	    !boot_cpu_has(X86_FEATURE_BMI2) ||
	    !cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL))
		return;
	chapoly_use(&chapoly_avx2);
	/* For longer texts the ChaCha20 of chacha.h with AVX-512VL is faster than AVX2. */
	if (boot_cpu_has(X86_FEATURE_AVX512VL)) {
		chapoly_open_max = SZ_1K;
		chapoly_crypt_max = 0;
	}
#ifdef WITH_AVX512
	/* Where 512-bit registers lower the clock, AVX2 stays. */
	if (boot_cpu_has(X86_FEATURE_AVX512F) &&
	    boot_cpu_has(X86_FEATURE_AVX512VL) &&
	    boot_cpu_has(X86_FEATURE_AVX512BW) &&
	    boot_cpu_has(X86_FEATURE_AVX512DQ) &&
	    boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	    boot_cpu_has(X86_FEATURE_AVX512_VBMI2) &&
	    !boot_cpu_has(X86_FEATURE_PREFER_YMM) &&
	    cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM | XFEATURE_MASK_AVX512, NULL))
		chapoly_use(&chapoly_avx512);
#endif /* WITH_AVX512 */
	static_branch_enable(&chacha20poly1305_use_simd);
}
