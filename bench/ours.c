// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Ours: the tiers that this CPU can run. Compiled once more, with other names and headers,
 * for an earlier commit.
 */

#include "impls.h"

/* Within one page: stores across two would cost a message some 40 TSC cycles. */
static struct poly1305_mac_ctx ctx __attribute__((aligned(512)));

static bool our_select(const struct bench_impl *impl)
{
	if (&our_packets && our_packets.select)
		our_packets.select(impl->name + impl->arg);
	return !poly1305_user_select(impl->name + impl->arg);
}

static void our_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		       const uint8_t key[KEY_SIZE])
{
	poly1305_mac_digest(key, msg, len, tag);
}

static void our_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	if (hint)
		poly1305_mac_init_hint(&ctx, key, hint);
	else
		poly1305_mac_init(&ctx, key);
}

static void our_update(const uint8_t *data, size_t len)
{
	poly1305_mac_update(&ctx, data, len);
}

static void our_final(uint8_t tag[TAG_SIZE])
{
	poly1305_mac_final(&ctx, tag);
}

const struct bench_impl our_impl = {
	.hint = true,
	.select = our_select,
	BENCH_FUNCTIONS(our),
	.packets = &our_packets,
};
