// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Botan: its class, used directly, without the lookup by name */

#define BOTAN_NO_DEPRECATED_WARNINGS
#include <botan/poly1305.h>
#include <botan/build.h>

#include "bench.h"

/* Never destroyed, because its allocator may be destroyed first at exit. */
static Botan::Poly1305 &mac = *new Botan::Poly1305;

static bool botan_select(const struct bench_impl *)
{
	return true;
}

static void botan_init(const uint8_t key[KEY_SIZE], size_t)
{
	mac.set_key(key, KEY_SIZE);
}

static void botan_update(const uint8_t *data, size_t len)
{
	mac.update(data, len);
}

static void botan_final(uint8_t tag[TAG_SIZE])
{
	mac.final(tag);
}

static void botan_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			 const uint8_t key[KEY_SIZE])
{
	mac.set_key(key, KEY_SIZE);
	mac.update(msg, len);
	mac.final(tag);
}

static const struct bench_impl impls[] = {
	{
		"botan", "portable", "Poly1305::set_key, update, final", false, 0,
		botan_select, botan_digest, botan_init, botan_update, botan_final,
		nullptr, nullptr,
	},
	{ }
};

#define TEXT(x)		#x
#define VERSION(a, b, c) "Botan " TEXT(a) "." TEXT(b) "." TEXT(c)

extern "C" const struct bench_peer peer_botan = {
	VERSION(BOTAN_VERSION_MAJOR, BOTAN_VERSION_MINOR, BOTAN_VERSION_PATCH),
	impls
};
