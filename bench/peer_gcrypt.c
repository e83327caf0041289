// SPDX-License-Identifier: GPL-2.0 OR MIT
/* libgcrypt: its gcry_mac interface, with one handle that gets a key per message */

#include <gcrypt.h>

#include "bench.h"

static gcry_mac_hd_t handle;

static bool gcrypt_select(const struct bench_impl *impl)
{
	(void)impl;
	if (handle)
		return true;
	if (!gcry_check_version(NULL))
		return false;
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return !gcry_mac_open(&handle, GCRY_MAC_POLY1305, 0, NULL);
}

static void gcrypt_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	(void)hint;
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
	{ }
};

const struct bench_peer peer_gcrypt = { "libgcrypt " GCRYPT_VERSION, impls };
