// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * libnettle.a. Its public Poly1305-AES is another function, but a static link reaches
 * the parts that it shares with ChaCha20-Poly1305.
 */

#include <nettle/poly1305.h>
#include <nettle/version.h>

#include "blocks.h"

static struct {
	struct poly1305_ctx poly;
	union nettle_block16 pad;
	struct partial partial;
} ctx;

static void blocks(const uint8_t *data, size_t len, uint32_t padbit)
{
	for (; len; data += BLOCK, len -= BLOCK)
		_nettle_poly1305_block(&ctx.poly, data, padbit);
}

static void nettle_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	_nettle_poly1305_set_key(&ctx.poly, key);
	memcpy(ctx.pad.b, key + 16, 16);
	ctx.partial.buflen = 0;
}

static void nettle_update(const uint8_t *data, size_t len)
{
	add(&ctx.partial, data, len);
}

static void nettle_final(uint8_t tag[TAG_SIZE])
{
	add_last(&ctx.partial);
	_nettle_poly1305_digest(&ctx.poly, &ctx.pad);
	memcpy(tag, ctx.pad.b, TAG_SIZE);
}

BENCH_DIGEST(nettle_digest, nettle_init, nettle_update, nettle_final)

static const struct bench_impl impls[] = {
	{
		.name = "nettle",
		.tier = "scalar",
		BENCH_FUNCTIONS(nettle),
	},
	{ }
};

#define TEXT(x)		#x
#define VERSION(a, b)	"nettle " TEXT(a) "." TEXT(b)

const struct bench_peer peer_nettle = {
	VERSION(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR), impls
};
