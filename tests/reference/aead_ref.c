// SPDX-License-Identifier: GPL-2.0 OR MIT
/* ChaCha20-Poly1305 written from RFC 8439, for tests only: nothing is wiped. */
#include <linux/string.h>

#include "aead_ref.h"

#define BLOCK	64	/* bytes of key stream */

static uint32_t load32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store32(uint8_t *p, uint32_t x)
{
	int i;

	for (i = 0; i < 4; i++)
		p[i] = x >> 8 * i;
}

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void quarter(uint32_t *x, int a, int b, int c, int d)
{
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 16);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 12);
	x[a] += x[b];
	x[d] = rotate(x[d] ^ x[a], 8);
	x[c] += x[d];
	x[b] = rotate(x[b] ^ x[c], 7);
}

static void key_stream(const uint8_t *key, const uint8_t *nonce,
		       uint32_t counter, uint8_t *out)
{
	static const uint8_t sigma[] = "expand 32-byte k";
	uint32_t start[16], x[16];
	int i, j;

	for (i = 0; i < 4; i++)
		start[i] = load32(sigma + 4 * i);
	for (i = 0; i < 8; i++)
		start[4 + i] = load32(key + 4 * i);
	start[12] = counter;
	for (i = 0; i < 3; i++)
		start[13 + i] = load32(nonce + 4 * i);

	memcpy(x, start, sizeof(x));
	for (i = 0; i < 10; i++) {
		for (j = 0; j < 4; j++)		/* columns */
			quarter(x, j, 4 + j, 8 + j, 12 + j);
		for (j = 0; j < 4; j++)		/* diagonals */
			quarter(x, j, 4 + (j + 1) % 4, 8 + (j + 2) % 4,
				12 + (j + 3) % 4);
	}
	for (i = 0; i < 16; i++)
		store32(out + 4 * i, x[i] + start[i]);
}

void aead_ref_encrypt(const uint8_t *key, const uint8_t *nonce,
		      const uint8_t *assoc, size_t alen,
		      const uint8_t *text, size_t len, uint8_t *out)
{
	uint8_t stream[BLOCK];
	size_t i;

	for (i = 0; i < len; i++) {
		if (i % BLOCK == 0)
			key_stream(key, nonce, 1 + i / BLOCK, stream);
		out[i] = text[i] ^ stream[i % BLOCK];
	}

	/* Block 0 of the key stream begins with the one-time key. */
	key_stream(key, nonce, 0, stream);
	poly1305_ref_aead(stream, assoc, alen, out, len, out + len);
}
