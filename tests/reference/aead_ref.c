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

/* Adds b to a, and rotates d xor a by n. */
static void mix(uint32_t *x, int a, int b, int d, int n)
{
	x[a] += x[b];
	x[d] ^= x[a];
	x[d] = x[d] << n | x[d] >> (32 - n);
}

static void quarter(uint32_t *x, int a, int b, int c, int d)
{
	mix(x, a, b, d, 16);
	mix(x, c, d, b, 12);
	mix(x, a, b, d, 8);
	mix(x, c, d, b, 7);
}

static void key_stream(const uint8_t *key, const uint8_t *nonce, uint32_t counter, uint8_t *out)
{
	uint8_t start[BLOCK] = "expand 32-byte k";
	uint32_t x[16];
	int i, j;

	memcpy(start + 16, key, 32);
	store32(start + 48, counter);
	memcpy(start + 52, nonce, 12);
	for (i = 0; i < 16; i++)
		x[i] = load32(start + 4 * i);
	for (i = 0; i < 10; i++) {
		for (j = 0; j < 4; j++)		/* columns */
			quarter(x, j, 4 + j, 8 + j, 12 + j);
		for (j = 0; j < 4; j++)		/* diagonals */
			quarter(x, j, 4 + (j + 1) % 4, 8 + (j + 2) % 4, 12 + (j + 3) % 4);
	}
	for (i = 0; i < 16; i++)
		store32(out + 4 * i, x[i] + load32(start + 4 * i));
}

/* Adds bytes, and zeros up to the next multiple of 16. */
static void add_padded(struct poly1305_ref *mac, const uint8_t *p, size_t len)
{
	size_t n;

	for (; len; p += n, len -= n) {
		uint8_t block[16] = { 0 };

		n = len < sizeof(block) ? len : sizeof(block);
		memcpy(block, p, n);
		poly1305_ref_block(mac, block, sizeof(block));
	}
}

void aead_ref_encrypt(const uint8_t *key, const uint8_t *nonce, const uint8_t *assoc, size_t alen,
		      const uint8_t *text, size_t len, uint8_t *out)
{
	struct poly1305_ref mac;
	uint8_t stream[BLOCK], lengths[16] = { 0 };
	size_t i;

	for (i = 0; i < len; i++) {
		if (i % BLOCK == 0)
			key_stream(key, nonce, 1 + i / BLOCK, stream);
		out[i] = text[i] ^ stream[i % BLOCK];
	}

	/* Block 0 of the key stream begins with the one-time key. */
	key_stream(key, nonce, 0, stream);
	poly1305_ref_init(&mac, stream);
	add_padded(&mac, assoc, alen);
	add_padded(&mac, out, len);
	store32(lengths, alen);
	store32(lengths + 8, len);
	poly1305_ref_block(&mac, lengths, sizeof(lengths));
	poly1305_ref_tag(&mac, out + len);
}
