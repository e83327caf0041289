// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * libgcrypt: its gcry_mac interface, with one handle that gets a key per message, and
 * gcry_cipher, with one handle for all packets
 */

#include <gcrypt.h>

#include "bench.h"

static gcry_mac_hd_t handle;
static gcry_cipher_hd_t cipher;

static bool gcrypt_select(const struct bench_impl *impl)
{
	if (handle)
		return true;
	if (!gcry_check_version(NULL))
		return false;
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return !gcry_mac_open(&handle, GCRY_MAC_POLY1305, 0, NULL) &&
	       !gcry_cipher_open(&cipher, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305, 0);
}

static void gcrypt_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	gcry_mac_setkey(handle, key, KEY_SIZE);
}

static void gcrypt_update(const uint8_t *data, size_t len)
{
	gcry_mac_write(handle, data, len);
}

static void gcrypt_final(uint8_t tag[TAG_SIZE])
{
	size_t len = TAG_SIZE;

	gcry_mac_read(handle, tag, &len);
}

static void gcrypt_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			  const uint8_t key[KEY_SIZE])
{
	gcrypt_init(key, 0);
	gcrypt_update(msg, len);
	gcrypt_final(tag);
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
		.name = "libgcrypt",
		.tier = "scalar",
		.entry = "gcry_mac_setkey, _write, _read",
		.select = gcrypt_select,
		.digest = gcrypt_digest,
		.init = gcrypt_init,
		.update = gcrypt_update,
		.final = gcrypt_final,
	},
	{
		.name = "libgcrypt-aead",
		.tier = "any",
		.entry = "gcry_cipher_setiv, _encrypt, _gettag",
		.select = gcrypt_select,
		.packets = &packets,
	},
	{ }
};

const struct bench_peer peer_gcrypt = { "libgcrypt " GCRYPT_VERSION, impls };
