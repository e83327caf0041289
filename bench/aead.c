// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aead [ROUNDS [STEP]] - sealed packets: poly1305_aead.h beside the kernel's library
 *
 * Both sides have the kernel's ChaCha20 and its dispatch. The other side calls it and
 * the kernel's Poly1305 as lib/crypto/chacha20poly1305.c does. Samples of both
 * alternate; the least of ROUNDS counts. FPU sections cost nothing here. Prints a
 * table, then the worst ratio over all lengths from 0 to 9000 in steps of STEP.
 */

#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "poly1305_aead.h"
#include "poly1305_user.h"
#include "bench.h"

#define LONGEST		9000
#define CALLS		8
#define SIMD_PIECE	4096

typedef void (chacha_fn)(u32 *state, u8 *dst, const u8 *src, unsigned int len,
			 int rounds);
chacha_fn linux_chacha_block_xor_ssse3, linux_chacha_4block_xor_ssse3,
	  linux_chacha_2block_xor_avx2, linux_chacha_4block_xor_avx2,
	  linux_chacha_8block_xor_avx2, linux_chacha_2block_xor_avx512vl,
	  linux_chacha_4block_xor_avx512vl, linux_chacha_8block_xor_avx512vl;

static bool has_avx2, has_avx512vl;

static __always_inline u32 rotate(u32 x, int n)
{
	return x << n | x >> (32 - n);
}

static __always_inline void quarter(u32 x[16], int a, int b, int c, int d)
{
	x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 16);
	x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 12);
	x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 8);
	x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 7);
}

/* As portable code does it */
void chacha20_block(struct chacha_state *state, u8 out[CHACHA_BLOCK_SIZE])
{
	u32 x[16];
	int i;

	memcpy(x, state->x, sizeof(x));
	for (i = 0; i < 10; i++) {
		quarter(x, 0, 4, 8, 12);
		quarter(x, 1, 5, 9, 13);
		quarter(x, 2, 6, 10, 14);
		quarter(x, 3, 7, 11, 15);
		quarter(x, 0, 5, 10, 15);
		quarter(x, 1, 6, 11, 12);
		quarter(x, 2, 7, 8, 13);
		quarter(x, 3, 4, 9, 14);
	}
	for (i = 0; i < 16; i++)
		x[i] += state->x[i];
	memcpy(out, x, sizeof(x));
	state->x[12]++;
}

/* Up to so many blocks in one call of a function, whole or not */
static chacha_fn *vector_code(unsigned int bytes, unsigned int *most)
{
	*most = bytes > 256 ? 8 : bytes > 128 ? 4 : 2;
	if (has_avx512vl)
		return *most == 8 ? linux_chacha_8block_xor_avx512vl :
		       *most == 4 ? linux_chacha_4block_xor_avx512vl :
				    linux_chacha_2block_xor_avx512vl;
	if (has_avx2 && bytes > 64)
		return *most == 8 ? linux_chacha_8block_xor_avx2 :
		       *most == 4 ? linux_chacha_4block_xor_avx2 :
				    linux_chacha_2block_xor_avx2;
	*most = bytes > 64 ? 4 : 1;
	return *most == 4 ? linux_chacha_4block_xor_ssse3 :
			    linux_chacha_block_xor_ssse3;
}

static void vectors(struct chacha_state *state, u8 *dst, const u8 *src,
		    unsigned int bytes)
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

void chacha20_crypt(struct chacha_state *state, u8 *dst, const u8 *src,
		    unsigned int bytes)
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

static const struct bench_impl *stock;

static void stock_mac(const u8 *key, const u8 *ad, size_t ad_len,
		      const u8 *text, size_t len, u8 *tag)
{
	static const u8 zeros[16];
	u64 lengths[2] = { ad_len, len };

	stock->init(key, 0);
	stock->update(ad, ad_len);
	stock->update(zeros, -ad_len % 16);
	stock->update(text, len);
	stock->update(zeros, -len % 16);
	stock->update((u8 *)lengths, sizeof(lengths));
	stock->final(tag);
}

static void stock_key(struct chacha_state *cipher, u8 *key)
{
	memset(key, 0, 32);
	chacha20_crypt(cipher, key, key, 32);
}

static void stock_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad,
		       size_t ad_len, struct chacha_state *cipher)
{
	u8 key[32];

	stock_key(cipher, key);
	chacha20_crypt(cipher, dst, src, len);
	stock_mac(key, ad, ad_len, dst, len, dst + len);
	memzero_explicit(key, sizeof(key));
	memzero_explicit(cipher, sizeof(*cipher));
}

static bool stock_open(u8 *dst, const u8 *src, size_t len, const u8 *ad,
		       size_t ad_len, struct chacha_state *cipher)
{
	u8 key[32], tag[16];
	bool ok;

	stock_key(cipher, key);
	stock_mac(key, ad, ad_len, src, len, tag);
	ok = !crypto_memneq(tag, src + len, sizeof(tag));
	if (ok)
		chacha20_crypt(cipher, dst, src, len);
	memzero_explicit(key, sizeof(key));
	memzero_explicit(tag, sizeof(tag));
	memzero_explicit(cipher, sizeof(*cipher));
	return ok;
}

enum way { SEAL, OPEN, CIPHER, WAYS };

static u8 plain[LONGEST], sealed[2][LONGEST + 16], opened[LONGEST];
static u8 enciphered[LONGEST];
static u8 ad[16];
static size_t ad_len;

static void work(enum way way, bool ours, size_t len)
{
	static const u32 key[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const u8 iv[CHACHA_IV_SIZE];
	struct chacha_state cipher;
	bool ok = true;

	chacha_init(&cipher, key, iv);
	if (way == CIPHER)
		chacha20_crypt(&cipher, enciphered, plain, len);
	else if (way == SEAL && ours)
		aead_seal(sealed[1], plain, len, ad, ad_len, &cipher);
	else if (way == SEAL)
		stock_seal(sealed[0], plain, len, ad, ad_len, &cipher);
	else if (ours)
		ok = aead_open(opened, sealed[1], len, ad, ad_len, &cipher);
	else
		ok = stock_open(opened, sealed[0], len, ad, ad_len, &cipher);
	if (!ok) {
		fprintf(stderr, "aead: a packet of %zu is refused\n", len);
		exit(1);
	}
}

static u64 sample(enum way way, bool ours, size_t len)
{
	unsigned int cpu, i;
	u64 begin;

	_mm_lfence();
	begin = __rdtsc();
	_mm_lfence();
	for (i = 0; i < CALLS; i++)
		work(way, ours, len);
	begin = __rdtscp(&cpu) - begin;
	_mm_lfence();
	return begin / CALLS;
}

/* cycles[way][ours] */
static void measure(size_t len, int rounds, u64 cycles[WAYS][2])
{
	int round, i;

	memset(cycles, 0xff, WAYS * sizeof(cycles[0]));
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < 2 * WAYS; i++) {
			const int j = round & 1 ? 2 * WAYS - 1 - i : i;
			u64 *least = &cycles[j / 2][j % 2];

			*least = min(*least, sample(j / 2, j % 2, len));
		}
	}
	if (memcmp(sealed[0], sealed[1], len + 16) ||
	    memcmp(opened, plain, len)) {
		fprintf(stderr, "aead: packets of %zu bytes differ\n", len);
		exit(1);
	}
}

static double ratio(const u64 cycles[2])
{
	return (double)cycles[0] / cycles[1];
}

static void table(int rounds)
{
	static const size_t lengths[] = {
		0, 16, 64, 128, 256, 448, 449, 512, 576, 1024, 1420, 2048,
		4096, 8192, LONGEST
	};
	u64 cycles[WAYS][2];
	size_t i;

	printf("%zu bytes of associated data, TSC cycles\n", ad_len);
	printf("bytes   stock    seal  ratio   stock    open  ratio  ChaCha20\n");
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		measure(lengths[i], rounds, cycles);
		printf("%5zu %7lu %7lu %6.2f %7lu %7lu %6.2f %7.0f%%\n",
		       lengths[i], cycles[SEAL][0], cycles[SEAL][1],
		       ratio(cycles[SEAL]), cycles[OPEN][0], cycles[OPEN][1],
		       ratio(cycles[OPEN]),
		       100.0 * min(cycles[CIPHER][0], cycles[CIPHER][1]) /
				cycles[SEAL][1]);
	}
}

static void sweep(int rounds, size_t step)
{
	size_t len, at[2] = { 0, 0 };
	double worst[2] = { 99, 99 };
	u64 cycles[WAYS][2];
	int way;

	for (len = 0; len <= LONGEST; len += step) {
		measure(len, rounds, cycles);
		for (way = SEAL; way <= OPEN; way++) {
			/* A neighbour may have disturbed one of the two. */
			if (ratio(cycles[way]) < 1.02)
				measure(len, 10 * rounds, cycles);
			if (ratio(cycles[way]) < worst[way]) {
				worst[way] = ratio(cycles[way]);
				at[way] = len;
			}
		}
	}
	printf("0 to %d in steps of %zu: at least %.2f (seal, %zu bytes), %.2f (open, %zu bytes)\n",
	       LONGEST, step, worst[SEAL], at[SEAL], worst[OPEN], at[OPEN]);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 500;
	const size_t step = argc > 2 ? atoi(argv[2]) : 61;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	has_avx2 = __builtin_cpu_supports("avx2");
	has_avx512vl = __builtin_cpu_supports("avx512vl");
	for (stock = peer_linux.impls; !stock->select(stock); stock++)
		;
	printf("%s beside %s, %s\n", poly1305_user_impls()[0], stock->name,
	       peer_linux.version);
	for (ad_len = 0; ad_len <= 8; ad_len += 8) {
		table(rounds);
		sweep(rounds / 5 + 1, step);
	}
	return 0;
}
