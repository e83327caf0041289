// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The part of ctgrind for what poly1305.ko has beyond POLY1305_WHOLE_LIBRARY */

#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <stdlib.h>

#include "ctgrind.h"

/* arch/x86/poly1305-x86_64.S */
extern size_t poly1305_x86_64_mulx_below;

void use_adx(bool on)
{
	poly1305_x86_64_mulx_below = on ? 576 : 0;
}

/* A packet, and a length announced */
static void try_parts(size_t len)
{
	struct poly1305_mac_ctx ctx;

	hide(key, sizeof(key));
	hide(message, sizeof(message));
	poly1305_mac_aead(key, message, len % 20, message, len, tag);
	poly1305_mac_aead(key, message, 8, message, len, tag);
	poly1305_mac_init_hint(&ctx, key, 2 * len);
	poly1305_mac_update(&ctx, message, len);
	poly1305_mac_update(&ctx, message, len);
	poly1305_mac_final(&ctx, tag);
	calls += 3;
}

/* One r and two pads, as Poly1305-AES has them */
static void try_prepared(size_t len)
{
	struct poly1305_mac_prepared prepared;
	struct poly1305_mac_ctx ctx;

	hide(key, sizeof(key));
	hide(message, sizeof(message));
	poly1305_mac_prepare(&prepared, key);
	poly1305_mac_digest_prepared(&prepared, key + 16, message, len, tag);
	hide(key, sizeof(key));
	poly1305_mac_init_prepared(&ctx, &prepared, key + 16);
	poly1305_mac_update(&ctx, message, len / 3);
	poly1305_mac_update(&ctx, message + len / 3, len - len / 3);
	poly1305_mac_final(&ctx, tag);
	calls += 3;
}

/* A message in two pieces. Their addresses and lengths are public. */
static void try_list(size_t len)
{
	struct scatterlist list[2] = {
		{ message, len / 3, &list[1] },
		{ message + len / 3, len - len / 3, NULL },
	};

	hide(key, sizeof(key));
	hide(message, sizeof(message));
	if (poly1305_mac_digest_sg(key, list, len, tag))
		exit(2);
	calls++;
}

/* Messages of one length, which fill lanes, and of others near it, which do not */
static void try_batch(size_t len)
{
	static u8 keys[20][KEY_SIZE], out[20][TAG_SIZE];
	struct poly1305_mac_req reqs[ARRAY_SIZE(keys)] = {};
	size_t i;

	hide(keys, sizeof(keys));
	hide(message, sizeof(message));
	for (i = 0; i < ARRAY_SIZE(reqs); i++) {
		reqs[i].key = keys[i];
		reqs[i].data = message;
		reqs[i].len = len + (i < 9 ? 0 : i);
		reqs[i].tag = out[i];
	}
	if (poly1305_mac_batch(reqs, ARRAY_SIZE(reqs)))
		exit(2);
	calls++;
}

void try_whole(size_t len)
{
	try_parts(len);
	try_prepared(len);
	try_list(len);
	if (len <= 4096 + 17)
		try_batch(len);
}
