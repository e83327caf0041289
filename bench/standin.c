// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A stand-in for ChaCha20 of 16 blocks with AVX-512, which is under discussion for Linux: vector i
 * holds word i of 16 blocks, and all 32 vector registers are in use. The patch has assembly; this
 * code has the same structure and is what a compiler makes of it.
 */

#pragma GCC target("avx512f,avx512bw")

#include <immintrin.h>
#include <stdint.h>

#include "bench.h"

static inline void quarter(__m512i x[16], int a, int b, int c, int d)
{
	x[a] = _mm512_add_epi32(x[a], x[b]);
	x[d] = _mm512_rol_epi32(_mm512_xor_si512(x[d], x[a]), 16);
	x[c] = _mm512_add_epi32(x[c], x[d]);
	x[b] = _mm512_rol_epi32(_mm512_xor_si512(x[b], x[c]), 12);
	x[a] = _mm512_add_epi32(x[a], x[b]);
	x[d] = _mm512_rol_epi32(_mm512_xor_si512(x[d], x[a]), 8);
	x[c] = _mm512_add_epi32(x[c], x[d]);
	x[b] = _mm512_rol_epi32(_mm512_xor_si512(x[b], x[c]), 7);
}

/* Four vectors of one word of 16 blocks become four of four words of four blocks each. */
static inline void four_words(__m512i x[])
{
	__m512i low_01 = _mm512_unpacklo_epi32(x[0], x[1]);
	__m512i high_01 = _mm512_unpackhi_epi32(x[0], x[1]);
	__m512i low_23 = _mm512_unpacklo_epi32(x[2], x[3]);
	__m512i high_23 = _mm512_unpackhi_epi32(x[2], x[3]);

	x[0] = _mm512_unpacklo_epi64(low_01, low_23);
	x[1] = _mm512_unpackhi_epi64(low_01, low_23);
	x[2] = _mm512_unpacklo_epi64(high_01, high_23);
	x[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

/* The vectors 0, 4, 8 and 12 become four whole blocks, 4 numbers apart. */
static inline void four_blocks(__m512i x[])
{
	__m512i low = _mm512_shuffle_i32x4(x[0], x[4], 0x44);
	__m512i high = _mm512_shuffle_i32x4(x[0], x[4], 0xee);
	__m512i low2 = _mm512_shuffle_i32x4(x[8], x[12], 0x44);
	__m512i high2 = _mm512_shuffle_i32x4(x[8], x[12], 0xee);

	x[0] = _mm512_shuffle_i32x4(low, low2, 0x88);
	x[4] = _mm512_shuffle_i32x4(low, low2, 0xdd);
	x[8] = _mm512_shuffle_i32x4(high, high2, 0x88);
	x[12] = _mm512_shuffle_i32x4(high, high2, 0xdd);
}

void standin_16block_xor(uint32_t *state, uint8_t *dst, const uint8_t *src, unsigned int len,
			 int rounds)
{
	__m512i x[16], begin[16];
	int i;

	for (i = 0; i < 16; i++)
		begin[i] = _mm512_set1_epi32(state[i]);
	begin[12] = _mm512_add_epi32(begin[12], _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7,
								 6, 5, 4, 3, 2, 1, 0));
	for (i = 0; i < 16; i++)
		x[i] = begin[i];
	for (; rounds; rounds -= 2) {
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
		x[i] = _mm512_add_epi32(x[i], begin[i]);
	for (i = 0; i < 16; i += 4)
		four_words(x + i);
	for (i = 0; i < 4; i++)
		four_blocks(x + i);
	for (i = 0; i < 16 && len; i++) {
		unsigned int n = len < 64 ? len : 64;
		__mmask64 mask = ~0ull >> (64 - n);
		__m512i text = _mm512_maskz_loadu_epi8(mask, src);

		_mm512_mask_storeu_epi8(dst, mask, _mm512_xor_si512(text, x[i]));
		dst += n;
		src += n;
		len -= n;
	}
}
