/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The path of a message through one tier. Included once for each tier, before the tier's
 * definition. The includer defines TIER as the tier's identifier, and TIER_UPDATE and so on as the
 * names of the functions that this file defines. TIER is a constant: none of its members is loaded
 * at run time.
 */

static const struct poly1305_tier TIER;

/*
 * Process whole blocks: enough for vectors once powers of r are known. From the second such update
 * on, powers are computed even if that update alone does not repay them, because later updates use
 * them.
 */
static noinline void TIER_SIMD_BLOCKS(struct poly1305_mac_state *state, const u8 *data,
				      size_t len)
{
	const bool pays = len >= TIER.simd_from || state->want_powers;
	size_t n;

	state->want_powers = true;
	if (!pays || !simd_allowed(&TIER, len)) {
		scalar_blocks(&TIER, state, data, len, 1);
		return;
	}
	/* The kernel cannot preempt a section, so long data take several. */
	for (; len; data += n, len -= n) {
		n = min_t(size_t, len, POLY1305_SECTION_LEN);
		poly1305_fpu_begin();
		TIER.simd.blocks(state, data, n / POLY1305_MAC_BLOCK_SIZE, 1);
		poly1305_fpu_end();
	}
}

static void TIER_UPDATE_BUFFER(struct poly1305_mac_ctx *ctx, const u8 *data, size_t len);

/* The tail is stored first, so the call of the block function is the last step. */
static noinline void TIER_UPDATE(struct poly1305_mac_ctx *ctx, const void *src, size_t len)
{
	const size_t tail = len % POLY1305_MAC_BLOCK_SIZE;
	const u8 *data = src;

	if (ctx->buflen) {
		TIER_UPDATE_BUFFER(ctx, data, len);
		return;
	}
	if (tail) {
		len -= tail;
		poly1305_tail(ctx->buf, data + len + tail, tail, len + tail);
		ctx->buflen = tail;
	}
	if (TIER.simd_from && len + POLY1305_POWERS_COST >= TIER.simd_from)
		TIER_SIMD_BLOCKS(&ctx->state, data, len);
	else if (len)
		scalar_blocks(&TIER, &ctx->state, data, len, 1);
}

static noinline void TIER_UPDATE_BUFFER(struct poly1305_mac_ctx *ctx, const u8 *data, size_t len)
{
	const size_t n = min_t(size_t, len, POLY1305_MAC_BLOCK_SIZE - ctx->buflen);
	size_t rest;

	if (!len)
		return;
	buffer_append(ctx->buf, ctx->buflen, data, n, len);
	ctx->buflen += n;
	if (ctx->buflen < POLY1305_MAC_BLOCK_SIZE)
		return;
	scalar_blocks(&TIER, &ctx->state, ctx->buf, POLY1305_MAC_BLOCK_SIZE, 1);
	rest = len - n;
	ctx->buflen = rest;
	if (rest >= POLY1305_MAC_BLOCK_SIZE) {
		ctx->buflen = 0;
		TIER_UPDATE(ctx, data + n, rest);
	} else if (rest) {
		poly1305_tail(ctx->buf, data + len, rest, len);
	}
}

static void TIER_FINAL(struct poly1305_mac_ctx *ctx, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (ctx->buflen) {
		buffer_pad(ctx->buf, ctx->buflen);
		scalar_blocks(&TIER, &ctx->state, ctx->buf, POLY1305_MAC_BLOCK_SIZE, 0);
	}
	poly1305_emit(ctx->state.h, ctx->s, tag);
	wipe_words(ctx, sizeof(*ctx));
}

/* Not inlined: only this path has a context on the stack. */
static noinline void TIER_DIGEST_CTX(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
				     size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;

	poly1305_ctx_init(&ctx, key);
	TIER_UPDATE(&ctx, data, len);
	TIER_FINAL(&ctx, tag);
}

static void TIER_DIGEST(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
			u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const bool simd = TIER.simd_from && len >= TIER.simd_from && simd_allowed(&TIER, len);

	if (!simd && TIER.scalar.has_digest) {
		TIER.scalar.digest(key, data, len, tag);
	} else if (simd && TIER.simd.has_digest && len <= POLY1305_SECTION_LEN) {
		poly1305_fpu_begin();
		TIER.simd.digest(key, data, len, tag);
		poly1305_fpu_end();
	} else {
		TIER_DIGEST_CTX(key, data, len, tag);
	}
}

static int TIER_SHASH_UPDATE(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	desc_take_key(d, &data, &len);
	if (len)
		TIER_UPDATE(&d->mac, data, len);
	return 0;
}

/* Leaves the descriptor as after init, even on failure. */
static int TIER_SHASH_FINAL(struct shash_desc *desc, u8 *tag)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	if (d->prefix_len < sizeof(d->prefix)) {
		wipe_words(d, sizeof(*d));
		return -ENOKEY;
	}
	TIER_FINAL(&d->mac, tag);
	d->prefix_len = 0;
	return 0;
}

static int TIER_SHASH_FINUP(struct shash_desc *desc, const u8 *data, unsigned int len, u8 *tag)
{
	TIER_SHASH_UPDATE(desc, data, len);
	return TIER_SHASH_FINAL(desc, tag);
}

static int TIER_SHASH_DIGEST(struct shash_desc *desc, const u8 *data, unsigned int len, u8 *tag)
{
	if (len < POLY1305_MAC_KEY_SIZE)
		return -ENOKEY;
	TIER_DIGEST(data, data + POLY1305_MAC_KEY_SIZE, len - POLY1305_MAC_KEY_SIZE, tag);
	return 0;
}

static const struct poly1305_ops TIER_OPS = {
	.update = TIER_UPDATE,
	.final = TIER_FINAL,
	.digest = TIER_DIGEST,
	.shash_update = TIER_SHASH_UPDATE,
	.shash_final = TIER_SHASH_FINAL,
	.shash_finup = TIER_SHASH_FINUP,
	.shash_digest = TIER_SHASH_DIGEST,
};

#undef TIER
#undef TIER_OPS
#undef TIER_SIMD_BLOCKS
#undef TIER_UPDATE
#undef TIER_UPDATE_BUFFER
#undef TIER_FINAL
#undef TIER_DIGEST_CTX
#undef TIER_DIGEST
#undef TIER_SHASH_UPDATE
#undef TIER_SHASH_FINAL
#undef TIER_SHASH_FINUP
#undef TIER_SHASH_DIGEST
