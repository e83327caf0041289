// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The functions that poly1305.ko exports; poly1305.h says what they do. Static calls
 * take them to the best tier. Until it is known, no other module can call them.
 */

#include "compat.h"
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "poly1305_core.h"

static const struct poly1305_tier *best_tier __ro_after_init;
static size_t best_prepared_from __ro_after_init;
DEFINE_STATIC_CALL_NULL(poly1305_best_update, poly1305_mac_update);
DEFINE_STATIC_CALL_NULL(poly1305_best_final, poly1305_mac_final);
DEFINE_STATIC_CALL_NULL(poly1305_best_digest, poly1305_mac_digest);

void poly1305_mac_init(struct poly1305_mac_ctx *ctx,
		       const u8 key[POLY1305_MAC_KEY_SIZE])
{
	poly1305_ctx_init(ctx, key, 0);
}
EXPORT_SYMBOL_GPL(poly1305_mac_init);

void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data,
			 size_t len)
{
	static_call(poly1305_best_update)(ctx, data, len);
}
EXPORT_SYMBOL_GPL(poly1305_mac_update);

void poly1305_mac_final(struct poly1305_mac_ctx *ctx,
			u8 tag[POLY1305_MAC_TAG_SIZE])
{
	static_call(poly1305_best_final)(ctx, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_final);

void poly1305_mac_digest(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
			 size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	static_call(poly1305_best_digest)(key, data, len, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest);

int poly1305_mac_verify(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
			size_t len, const u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u8 expected[POLY1305_MAC_TAG_SIZE];
	int err;

	poly1305_mac_digest(key, data, len, expected);
	err = crypto_memneq(expected, tag, sizeof(expected)) ? -EBADMSG : 0;
	memzero_explicit(expected, sizeof(expected));
	return err;
}
EXPORT_SYMBOL_GPL(poly1305_mac_verify);

/* What poly1305.ko alone exports: POLY1305_WHOLE_LIBRARY */
#ifndef POLY1271
DEFINE_STATIC_CALL_NULL(poly1305_best_aead, poly1305_mac_aead);

void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx,
			    const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len)
{
	poly1305_ctx_init(ctx, key, total_len);
}
EXPORT_SYMBOL_GPL(poly1305_mac_init_hint);

void poly1305_mac_aead(const u8 key[POLY1305_MAC_KEY_SIZE], const void *ad,
		       size_t ad_len, const void *text, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE])
{
	static_call(poly1305_best_aead)(key, ad, ad_len, text, len, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_aead);

int poly1305_mac_digest_sg(const u8 key[POLY1305_MAC_KEY_SIZE],
			   struct scatterlist *sgl, size_t len,
			   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	return poly1305_digest_sg(best_tier, key, sgl, len, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest_sg);

int poly1305_mac_batch(struct poly1305_mac_req *reqs, unsigned int n)
{
	if (n != 1 || reqs->sgl)
		return poly1305_batch(best_tier, reqs, n);
	poly1305_mac_digest(reqs->key, reqs->data, reqs->len, reqs->tag);
	return 0;
}
EXPORT_SYMBOL_GPL(poly1305_mac_batch);

void poly1305_mac_prepare(struct poly1305_mac_prepared *prepared,
			  const u8 r[POLY1305_MAC_BLOCK_SIZE])
{
	poly1305_init_state(&prepared->state, r);
	poly1305_extend_powers(&prepared->state);
}
EXPORT_SYMBOL_GPL(poly1305_mac_prepare);

void poly1305_mac_init_prepared(struct poly1305_mac_ctx *ctx,
				const struct poly1305_mac_prepared *prepared,
				const u8 pad[POLY1305_MAC_TAG_SIZE])
{
	ctx->state = prepared->state;
	ctx->s[0] = get_unaligned_le64(pad);
	ctx->s[1] = get_unaligned_le64(pad + 8);
	ctx->buflen = 0;
}
EXPORT_SYMBOL_GPL(poly1305_mac_init_prepared);

void poly1305_mac_digest_prepared(const struct poly1305_mac_prepared *prepared,
				  const u8 pad[POLY1305_MAC_TAG_SIZE],
				  const void *data, size_t len,
				  u8 tag[POLY1305_MAC_TAG_SIZE])
{
	u8 key[POLY1305_MAC_KEY_SIZE];
	struct poly1305_mac_ctx ctx;

	/* Powers that are known must be worth copying. */
	if (len < best_prepared_from) {
		put_unaligned_le64(prepared->state.r[0], key);
		put_unaligned_le64(prepared->state.r[1], key + 8);
		memcpy(key + 16, pad, POLY1305_MAC_TAG_SIZE);
		poly1305_mac_digest(key, data, len, tag);
		memzero_explicit(key, sizeof(key));
	} else {
		poly1305_mac_init_prepared(&ctx, prepared, pad);
		poly1305_mac_update(&ctx, data, len);
		poly1305_mac_final(&ctx, tag);
	}
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest_prepared);
#endif

void __init poly1305_use_tier(const struct poly1305_tier *tier)
{
	best_tier = tier;
	best_prepared_from = tier->prepared_from ?: SIZE_MAX;
	static_call_update(poly1305_best_update, tier->ops->update);
	static_call_update(poly1305_best_final, tier->ops->final);
	static_call_update(poly1305_best_digest, tier->ops->digest);
#ifndef POLY1271
	static_call_update(poly1305_best_aead, tier->ops->aead);
#endif
}
