// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ChaCha20-Poly1305 written from RFC 8439, for comparison only: nothing is
 * wiped, and its Poly1305 is the tests' big-integer one.
 */
#include <string.h>
#include <linux/types.h>

#include "aead_ref.h"
#include "poly1305_ref.h"

#define BLOCK	64	/* bytes of key stream */

static __u32 load32(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (__u32)p[3] << 24;
}

static void store32(unsigned char *p, __u32 x)
{
	int i;

	for (i = 0; i < 4; i++)
		p[i] = x >> 8 * i;
}

static __u32 rotate(__u32 x, int n)
{
	return x << n | x >> (32 - n);
}

static void quarter(__u32 *x, int a, int b, int c, int d)
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

static void key_stream(const unsigned char *key, const unsigned char *nonce,
		       __u32 counter, unsigned char *out)
{
	static const unsigned char sigma[] = "expand 32-byte k";
	__u32 start[16], x[16];
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

/* Copies @len bytes and zeroes up to the next multiple of 16. */
static size_t padded(unsigned char *out, const unsigned char *in, size_t len)
{
	size_t pad = -len % 16;

	if (len)
		memcpy(out, in, len);
	memset(out + len, 0, pad);
	return len + pad;
}

void aead_ref_encrypt(const unsigned char *key, const unsigned char *nonce,
		      const unsigned char *assoc, size_t alen,
		      const unsigned char *text, size_t len,
		      unsigned char *out)
{
	unsigned char mac[2 * AEAD_REF_MAX + 16], stream[BLOCK];
	size_t i, n;

	for (i = 0; i < len; i++) {
		if (i % BLOCK == 0)
			key_stream(key, nonce, 1 + i / BLOCK, stream);
		out[i] = text[i] ^ stream[i % BLOCK];
	}

	n = padded(mac, assoc, alen);
	n += padded(mac + n, out, len);
	store32(mac + n, alen);
	store32(mac + n + 4, 0);
	store32(mac + n + 8, len);
	store32(mac + n + 12, 0);

	/* Block 0 of the key stream holds the one-time key. */
	key_stream(key, nonce, 0, stream);
	poly1305_ref(stream, mac, n + 16, out + len);
}
