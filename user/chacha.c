// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ChaCha20 (RFC 8439, section 2.3) in plain C, for user space. In the kernel, chapoly.ko uses
 * the kernel library's.
 */

#include "compat.h"
#include <crypto/chacha.h>
#include <linux/kernel.h>
#include <linux/string.h>

#define ROTATE(x, n)	((x) << (n) | (x) >> (32 - (n)))

#define STEP(a, b, d, n) do {						\
	x[a] += x[b];							\
	x[d] = ROTATE(x[d] ^ x[a], n);					\
} while (0)

#define QUARTER_ROUND(a, b, c, d) do {					\
	STEP(a, b, d, 16);						\
	STEP(c, d, b, 12);						\
	STEP(a, b, d, 8);						\
	STEP(c, d, b, 7);						\
} while (0)

void chacha20_block(struct chacha_state *state, u8 out[CHACHA_BLOCK_SIZE])
{
	u32 x[16];
	int i;

	memcpy(x, state->x, sizeof(x));
	for (i = 0; i < 10; i++) {
		QUARTER_ROUND(0, 4, 8, 12);
		QUARTER_ROUND(1, 5, 9, 13);
		QUARTER_ROUND(2, 6, 10, 14);
		QUARTER_ROUND(3, 7, 11, 15);
		QUARTER_ROUND(0, 5, 10, 15);
		QUARTER_ROUND(1, 6, 11, 12);
		QUARTER_ROUND(2, 7, 8, 13);
		QUARTER_ROUND(3, 4, 9, 14);
	}
	for (i = 0; i < 16; i++)
		put_unaligned_le32(x[i] + state->x[i], out + 4 * i);
	state->x[12]++;
	memzero_explicit(x, sizeof(x));
}

void chacha20_crypt(struct chacha_state *state, u8 *dst, const u8 *src, unsigned int bytes)
{
	u8 stream[CHACHA_BLOCK_SIZE];
	size_t n;

	for (; bytes; bytes -= n, src += n, dst += n) {
		n = min_t(size_t, bytes, sizeof(stream));
		chacha20_block(state, stream);
		crypto_xor_cpy(dst, src, stream, n);
	}
	memzero_explicit(stream, sizeof(stream));
}
