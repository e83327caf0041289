// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The functions that poly1305.ko exports; poly1305.h describes them. They call the best tier by
 * static calls, which init sets before another module can call these functions.
 */

#include "compat.h"
#include <linux/cache.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/static_call.h>

#include "poly1305_core.h"
#ifdef CONFIG_X86_64
#include "arch/x86/poly1305-packet.h"
#endif

static const struct poly1305_tier *best __ro_after_init;
DEFINE_STATIC_CALL_NULL(poly1305_best_update, poly1305_mac_update);
DEFINE_STATIC_CALL_NULL(poly1305_best_final, poly1305_mac_final);
DEFINE_STATIC_CALL_NULL(poly1305_best_digest, poly1305_mac_digest);

void poly1305_mac_init(struct poly1305_mac_ctx *ctx, const u8 key[POLY1305_MAC_KEY_SIZE])
{
	poly1305_ctx_init(ctx, key);
}
EXPORT_SYMBOL_GPL(poly1305_mac_init);

void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data, size_t len)
{
	static_call(poly1305_best_update)(ctx, data, len);
}
EXPORT_SYMBOL_GPL(poly1305_mac_update);

void poly1305_mac_final(struct poly1305_mac_ctx *ctx, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	static_call(poly1305_best_final)(ctx, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_final);

void poly1305_mac_digest(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
			 u8 tag[POLY1305_MAC_TAG_SIZE])
{
	static_call(poly1305_best_digest)(key, data, len, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest);

int poly1305_mac_verify(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
			const u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u8 expected[POLY1305_MAC_TAG_SIZE];
	int err;

	poly1305_mac_digest(key, data, len, expected);
	err = crypto_memneq(expected, tag, sizeof(expected)) ? -EBADMSG : 0;
	memzero_explicit(expected, sizeof(expected));
	return err;
}
EXPORT_SYMBOL_GPL(poly1305_mac_verify);

void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx, const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len)
{
	poly1305_ctx_init(ctx, key);
	ctx->state.want_powers = total_len >= POLY1305_LONG_LEN;
}
EXPORT_SYMBOL_GPL(poly1305_mac_init_hint);

const u32 poly1305_mac_abi = POLY1305_ABI(struct poly1305_mac_ctx);
EXPORT_SYMBOL_GPL(poly1305_mac_abi);

int poly1305_mac_digest_sg(const u8 key[POLY1305_MAC_KEY_SIZE], struct scatterlist *sgl,
			   size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct sg_mapping_iter miter;
	struct poly1305_mac_ctx ctx;
	size_t n;

	if (sg_nents_for_len(sgl, len) < 0)
		return -EINVAL;
	poly1305_mac_init(&ctx, key);
	/*
	 * One entry at a time: after an empty entry whose offset is a multiple of PAGE_SIZE other
	 * than 0, sg_miter_next() skips a page of the next entry.
	 */
	for (; len; sgl = sg_next(sgl)) {
		sg_miter_start(&miter, sgl, 1, SG_MITER_ATOMIC | SG_MITER_FROM_SG);
		while (len && sg_miter_next(&miter)) {
			n = min_t(size_t, len, miter.length);
			poly1305_mac_update(&ctx, miter.addr, n);
			len -= n;
		}
		sg_miter_stop(&miter);
	}
	poly1305_mac_final(&ctx, tag);
	return 0;
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest_sg);

const char *poly1305_mac_tier(void)
{
	return best->name;
}
EXPORT_SYMBOL_GPL(poly1305_mac_tier);

#ifdef CONFIG_X86_64
EXPORT_SYMBOL_NS_GPL(poly1305_packet_avx512, POLY1305_PACKETS);
#endif

void __init poly1305_use_tier(const struct poly1305_tier *tier)
{
	best = tier;
	static_call_update(poly1305_best_update, tier->ops->update);
	static_call_update(poly1305_best_final, tier->ops->final);
	static_call_update(poly1305_best_digest, tier->ops->digest);
}
