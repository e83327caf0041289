// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The kernel's assembly of ChaCha20, called as its glue does, and packets as its library seals
 * and opens them (lib/crypto/chacha20poly1305.c). FPU sections cost nothing here.
 */

/* A block alone is made as the kernel's portable code does it. */
#define chacha20_crypt	chacha20_crypt_portable
#include "user/chacha.c"
#undef chacha20_crypt

#include <crypto/utils.h>

#include "bench.h"

#define SIMD_PIECE	4096

typedef void (chacha_fn)(u32 *state, u8 *dst, const u8 *src, unsigned int len, int rounds);
chacha_fn linux_chacha_block_xor_ssse3, linux_chacha_4block_xor_ssse3,
	  linux_chacha_2block_xor_avx2, linux_chacha_4block_xor_avx2,
	  linux_chacha_8block_xor_avx2, linux_chacha_2block_xor_avx512vl,
	  linux_chacha_4block_xor_avx512vl, linux_chacha_8block_xor_avx512vl,
	  standin_16block_xor;

/* Twice as many blocks at once as Linux has: see standin.c */
static bool sixteen;

/* Up to *most blocks in one call of the function, whole or not */
static chacha_fn *vector_code(unsigned int bytes, unsigned int *most)
{
	if (sixteen && bytes > 512) {
		*most = 16;
		return standin_16block_xor;
	}
	*most = bytes > 256 ? 8 : bytes > 128 ? 4 : 2;
	if (__builtin_cpu_supports("avx512vl"))
		return *most == 8 ? linux_chacha_8block_xor_avx512vl :
		       *most == 4 ? linux_chacha_4block_xor_avx512vl :
				    linux_chacha_2block_xor_avx512vl;
	if (__builtin_cpu_supports("avx2") && bytes > 64)
		return *most == 8 ? linux_chacha_8block_xor_avx2 :
		       *most == 4 ? linux_chacha_4block_xor_avx2 :
				    linux_chacha_2block_xor_avx2;
	*most = bytes > 64 ? 4 : 1;
	return *most == 4 ? linux_chacha_4block_xor_ssse3 : linux_chacha_block_xor_ssse3;
}

static void vectors(struct chacha_state *state, u8 *dst, const u8 *src, unsigned int bytes)
{
	unsigned int n, most;
	chacha_fn *fn;

	for (; bytes; dst += n, src += n, bytes -= n) {
		fn = vector_code(bytes, &most);
		n = min(bytes, most * CHACHA_BLOCK_SIZE);
		fn(state->x, dst, src, n, 20);
		state->x[12] += (n + CHACHA_BLOCK_SIZE - 1) / CHACHA_BLOCK_SIZE;
	}
}

void chacha20_crypt(struct chacha_state *state, u8 *dst, const u8 *src, unsigned int bytes)
{
	u8 stream[CHACHA_BLOCK_SIZE];
	unsigned int n;

	if (bytes && bytes <= CHACHA_BLOCK_SIZE) {
		chacha20_block(state, stream);
		crypto_xor_cpy(dst, src, stream, bytes);
		return;
	}
	for (; bytes; dst += n, src += n, bytes -= n) {
		n = min(bytes, SIMD_PIECE);
		vectors(state, dst, src, n);
	}
}

static void begin(struct chacha_state *cipher, const u8 *key, u8 mac_key[32])
{
	static const u8 iv[CHACHA_IV_SIZE];
	u32 words[CHACHA_KEY_SIZE / 4];
	int i;

	for (i = 0; i < CHACHA_KEY_SIZE / 4; i++)
		words[i] = get_unaligned_le32(key + 4 * i);
	chacha_init(cipher, words, iv);
	memzero_explicit(words, sizeof(words));
	memset(mac_key, 0, 32);
	chacha20_crypt(cipher, mac_key, mac_key, 32);
}

static void mac(const u8 *key, const u8 *ad, size_t ad_len, const u8 *text, size_t len,
		u8 *tag)
{
	const struct bench_impl *linux_mac = peer_linux.impls;
	static const u8 zeros[16];
	u64 lengths[2] = { ad_len, len };

	linux_mac->init(key, 0);
	linux_mac->update(ad, ad_len);
	linux_mac->update(zeros, -ad_len % 16);
	linux_mac->update(text, len);
	linux_mac->update(zeros, -len % 16);
	linux_mac->update((u8 *)lengths, sizeof(lengths));
	linux_mac->final(tag);
}

static void seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	struct chacha_state cipher;
	u8 mac_key[32];

	begin(&cipher, key, mac_key);
	chacha20_crypt(&cipher, dst, src, len);
	mac(mac_key, ad, ad_len, dst, len, dst + len);
	memzero_explicit(mac_key, sizeof(mac_key));
	memzero_explicit(&cipher, sizeof(cipher));
}

static bool open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 *key)
{
	struct chacha_state cipher;
	u8 mac_key[32], tag[16];
	bool right;

	begin(&cipher, key, mac_key);
	mac(mac_key, ad, ad_len, src, len, tag);
	right = !crypto_memneq(tag, src + len, sizeof(tag));
	if (right)
		chacha20_crypt(&cipher, dst, src, len);
	memzero_explicit(mac_key, sizeof(mac_key));
	memzero_explicit(tag, sizeof(tag));
	memzero_explicit(&cipher, sizeof(cipher));
	return right;
}

static void seal_sixteen(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
			 const u8 *key)
{
	sixteen = true;
	seal(dst, src, len, ad, ad_len, key);
	sixteen = false;
}

static bool open_sixteen(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
			 const u8 *key)
{
	bool right;

	sixteen = true;
	right = open(dst, src, len, ad, ad_len, key);
	sixteen = false;
	return right;
}

const struct bench_packets linux_packets = { .seal = seal, .open = open };
const struct bench_packets standin_packets = { .seal = seal_sixteen, .open = open_sixteen };
