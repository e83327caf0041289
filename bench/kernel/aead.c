// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ESP packets with ChaCha20-Poly1305: poly1305_chapoly.ko beside another AEAD. A packet is
 * sealed in place, then opened, so that the next one is the same.
 */

#include <crypto/aead.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "../../tests/reference/aead_ref.h"
#include "bench.h"

#define ASSOC	16	/* SPI and sequence number, and the IV again */
#define AD	8	/* the part of these that RFC 7634 authenticates */

static const u8 key[AEAD_KEY_SIZE + 4] = { 1, 2, 3 };	/* and the salt */
static u8 *packet;

static int run_packet(const struct way *way, const u8 *input, size_t len,
		      u8 tag[TAG_SIZE])
{
	u8 iv[8] = { 0 };
	struct scatterlist sg;
	int err;

	sg_init_one(&sg, packet, ASSOC + len + TAG_SIZE);
	aead_request_set_crypt(way->req, &sg, &sg, len, iv);
	err = crypto_aead_encrypt(way->req);
	if (err)
		return err;
	memcpy(tag, packet + ASSOC + len, TAG_SIZE);
	aead_request_set_crypt(way->req, &sg, &sg, len + TAG_SIZE, iv);
	return crypto_aead_decrypt(way->req);
}

static void want_packet(const u8 *input, size_t len, u8 tag[TAG_SIZE])
{
	static const u8 nonce[AEAD_NONCE_SIZE];
	u8 *text = packet + ASSOC;

	aead_ref_encrypt(key, nonce, packet, AD, text, len, text);
	memcpy(tag, text + len, TAG_SIZE);
	/* The same key stream again: the text is as before. */
	aead_ref_encrypt(key, nonce, packet, AD, text, len, text);
}

static int open_aead(struct way *way)
{
	struct crypto_aead *tfm = crypto_alloc_aead(way->on, 0, CRYPTO_ALG_ASYNC);

	if (IS_ERR(tfm)) {
		pr_err("# no AEAD %s: error %ld\n", way->on, PTR_ERR(tfm));
		return PTR_ERR(tfm);
	}
	way->req = aead_request_alloc(tfm, GFP_KERNEL);
	if (!way->req) {
		crypto_free_aead(tfm);
		return -ENOMEM;
	}
	aead_request_set_callback(way->req, 0, NULL, NULL);
	aead_request_set_ad(way->req, ASSOC);
	return crypto_aead_setkey(tfm, key, sizeof(key));
}

int aead_list(struct way ways[2], const char *peer)
{
	ways[0] = (struct way){ "packet", "chapoly-rfc7539esp", run_packet,
				want_packet };
	ways[1] = (struct way){ "packet", peer, run_packet, want_packet };
	packet = kzalloc(ASSOC + PACKET_MAX + TAG_SIZE, GFP_KERNEL);
	if (!packet)
		return -ENOMEM;
	return open_aead(&ways[0]) ?: open_aead(&ways[1]);
}

void aead_free(const struct way ways[2])
{
	struct crypto_aead *tfm;
	int i;

	for (i = 0; i < 2; i++) {
		if (!ways[i].req)
			continue;
		tfm = crypto_aead_reqtfm(ways[i].req);
		aead_request_free(ways[i].req);
		crypto_free_aead(tfm);
	}
	kfree(packet);
}
