// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * libnettle.a. Its public Poly1305-AES is another function, but a static link reaches
 * the parts that it shares with ChaCha20-Poly1305.
 */

#include <nettle/poly1305.h>
#include <nettle/version.h>
#include <string.h>

#include "foreign.h"

static struct {
	struct poly1305_ctx poly;
	union nettle_block16 pad;
	uint8_t buf[16];
	size_t buflen;
} ctx;

static void nettle_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	_nettle_poly1305_set_key(&ctx.poly, key);
	memcpy(ctx.pad.b, key + 16, 16);
	ctx.buflen = 0;
}

static void nettle_update(const uint8_t *data, size_t len)
{
	size_t n;

	if (ctx.buflen) {
		n = 16 - ctx.buflen;
		if (n > len)
			n = len;
		memcpy(ctx.buf + ctx.buflen, data, n);
		ctx.buflen += n;
		data += n;
		len -= n;
		if (ctx.buflen < 16)
			return;
		_nettle_poly1305_block(&ctx.poly, ctx.buf, 1);
		ctx.buflen = 0;
	}
	for (; len >= 16; data += 16, len -= 16)
		_nettle_poly1305_block(&ctx.poly, data, 1);
	ctx.buflen = len;
	if (len)
		memcpy(ctx.buf, data, len);
}

static void nettle_final(uint8_t tag[TAG_SIZE])
{
	if (ctx.buflen) {
		ctx.buf[ctx.buflen++] = 1;
		memset(ctx.buf + ctx.buflen, 0, 16 - ctx.buflen);
		_nettle_poly1305_block(&ctx.poly, ctx.buf, 0);
	}
	_nettle_poly1305_digest(&ctx.poly, &ctx.pad);
	memcpy(tag, ctx.pad.b, TAG_SIZE);
}

static void nettle_mac(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		       const uint8_t key[KEY_SIZE])
{
	nettle_init(key, 0);
	nettle_update(msg, len);
	nettle_final(tag);
}

static const struct bench_impl impls[] = {
	{
		.name = "nettle",
		.tier = "scalar",
		.entry = "_nettle_poly1305_set_key, _block, _digest",
		.digest = nettle_mac,
		.init = nettle_init,
		.update = nettle_update,
		.final = nettle_final,
	},
	{ }
};

#define TEXT(x)		#x
#define VERSION(a, b)	"nettle " TEXT(a) "." TEXT(b)

const struct bench_peer peer_nettle = {
	VERSION(NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR), impls
};
