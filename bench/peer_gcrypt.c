// SPDX-License-Identifier: GPL-2.0 OR MIT
/* libgcrypt: its gcry_cipher interface, with one handle for all packets */

#include <gcrypt.h>

#include "bench.h"

static gcry_cipher_hd_t cipher;

static bool gcrypt_select(const struct bench_impl *impl)
{
	if (cipher)
		return true;
	if (!gcry_check_version(NULL))
		return false;
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return !gcry_cipher_open(&cipher, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305, 0);
}

static void packets_key(const uint8_t key[KEY_SIZE])
{
	gcry_cipher_setkey(cipher, key, KEY_SIZE);
}

static void packet_begin(const uint8_t *ad, size_t ad_len)
{
	static const uint8_t nonce[12];

	gcry_cipher_setiv(cipher, nonce, sizeof(nonce));
	if (ad_len)
		gcry_cipher_authenticate(cipher, ad, ad_len);
	gcry_cipher_final(cipher);
}

static void packet_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	packet_begin(ad, ad_len);
	gcry_cipher_encrypt(cipher, dst, len, src, len);
	gcry_cipher_gettag(cipher, dst + len, TAG_SIZE);
}

static bool packet_open(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	packet_begin(ad, ad_len);
	gcry_cipher_decrypt(cipher, dst, len, src, len);
	return !gcry_cipher_checktag(cipher, src + len, TAG_SIZE);
}

static const struct bench_packets packets = {
	.set_key = packets_key,
	.seal = packet_seal,
	.open = packet_open,
};

static const struct bench_impl impls[] = {
	{
		.name = "libgcrypt-aead",
		.tier = "any",
		.select = gcrypt_select,
		.packets = &packets,
	},
	{ }
};

const struct bench_peer peer_gcrypt = { "libgcrypt " GCRYPT_VERSION, impls };
