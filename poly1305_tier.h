/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The path of a message through one tier. Included once for each tier, before the tier's definition
 * and with TIER defined as its identifier. For TIER avx2 this defines update_avx2() and so on. They
 * use the constant tier_avx2, of which no member is loaded at run time.
 */

#define TIER_NAME(name)	__PASTE(__PASTE(name, _), TIER)

static const struct poly1305_tier TIER_NAME(tier);

/*
 * Process whole blocks, which are enough for vectors if powers of r are known. From the second such
 * update on, powers are computed even if it alone does not repay them: later ones use them.
 */
static noinline void TIER_NAME(simd_blocks)(struct poly1305_mac_state *state, const u8 *data,
					    size_t len)
{
	const bool pays = len >= TIER_NAME(tier).simd_from || state->powers_pay;
	size_t n;

	state->powers_pay = true;
	if (!pays || !simd_allowed(&TIER_NAME(tier), len)) {
		scalar_blocks(&TIER_NAME(tier), state, data, len, 1);
		return;
	}
	/* The kernel cannot preempt a section, so long data take several. */
	for (; len; data += n, len -= n) {
		n = min_t(size_t, len, POLY1305_SECTION_LEN);
		poly1305_fpu_begin();
		TIER_NAME(tier).simd.blocks(state, data, n / POLY1305_MAC_BLOCK_SIZE, 1);
		poly1305_fpu_end();
	}
}

static void TIER_NAME(update_buffer)(struct poly1305_mac_ctx *ctx, const u8 *data, size_t len);

/* Stores the tail first, to end with the call of the block function. */
static noinline void TIER_NAME(update)(struct poly1305_mac_ctx *ctx, const void *src, size_t len)
{
	const size_t tail = len % POLY1305_MAC_BLOCK_SIZE;
	const u8 *data = src;

	if (ctx->buflen) {
		TIER_NAME(update_buffer)(ctx, data, len);
		return;
	}
	if (tail) {
		len -= tail;
		poly1305_tail(ctx->buf, data + len + tail, tail, len + tail);
		ctx->buflen = tail;
	}
	if (TIER_NAME(tier).simd_from &&
	    len + POLY1305_POWERS_COST >= TIER_NAME(tier).simd_from)
		TIER_NAME(simd_blocks)(&ctx->state, data, len);
	else if (len)
		scalar_blocks(&TIER_NAME(tier), &ctx->state, data, len, 1);
}

static noinline void TIER_NAME(update_buffer)(struct poly1305_mac_ctx *ctx, const u8 *data,
					      size_t len)
{
	const size_t n = min_t(size_t, len, POLY1305_MAC_BLOCK_SIZE - ctx->buflen);
	size_t rest;

	if (!len)
		return;
	buffer_append(ctx->buf, ctx->buflen, data, n, len);
	ctx->buflen += n;
	if (ctx->buflen < POLY1305_MAC_BLOCK_SIZE)
		return;
	scalar_blocks(&TIER_NAME(tier), &ctx->state, ctx->buf, POLY1305_MAC_BLOCK_SIZE, 1);
	rest = len - n;
	ctx->buflen = rest;
	if (rest >= POLY1305_MAC_BLOCK_SIZE) {
		ctx->buflen = 0;
		TIER_NAME(update)(ctx, data + n, rest);
	} else if (rest) {
		poly1305_tail(ctx->buf, data + len, rest, len);
	}
}

static void TIER_NAME(final)(struct poly1305_mac_ctx *ctx, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (ctx->buflen) {
		buffer_pad(ctx->buf, ctx->buflen);
		scalar_blocks(&TIER_NAME(tier), &ctx->state, ctx->buf, POLY1305_MAC_BLOCK_SIZE, 0);
	}
	poly1305_emit(ctx->state.h, ctx->s, tag);
	wipe_words(ctx, sizeof(*ctx));
}

/* Not inlined: only this path has a context on the stack. */
static noinline void TIER_NAME(digest_ctx)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
					   size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;

	poly1305_ctx_init(&ctx, key);
	TIER_NAME(update)(&ctx, data, len);
	TIER_NAME(final)(&ctx, tag);
}

static void TIER_NAME(digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
			      u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const bool simd = TIER_NAME(tier).simd_from &&
			  len >= TIER_NAME(tier).simd_from &&
			  simd_allowed(&TIER_NAME(tier), len);

	if (!simd && TIER_NAME(tier).scalar.has_digest) {
		TIER_NAME(tier).scalar.digest(key, data, len, tag);
	} else if (simd && TIER_NAME(tier).simd.has_digest &&
		   len <= POLY1305_SECTION_LEN) {
		poly1305_fpu_begin();
		TIER_NAME(tier).simd.digest(key, data, len, tag);
		poly1305_fpu_end();
	} else {
		TIER_NAME(digest_ctx)(key, data, len, tag);
	}
}

static int TIER_NAME(shash_update)(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	desc_take_key(d, &data, &len);
	if (len)
		TIER_NAME(update)(&d->mac, data, len);
	return 0;
}

/* Afterwards the descriptor is as after init, also if this fails. */
static int TIER_NAME(shash_final)(struct shash_desc *desc, u8 *tag)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	if (d->headlen < sizeof(d->head)) {
		wipe_words(d, sizeof(*d));
		return -ENOKEY;
	}
	TIER_NAME(final)(&d->mac, tag);
	d->headlen = 0;
	return 0;
}

static int TIER_NAME(shash_finup)(struct shash_desc *desc, const u8 *data, unsigned int len,
				  u8 *tag)
{
	TIER_NAME(shash_update)(desc, data, len);
	return TIER_NAME(shash_final)(desc, tag);
}

static int TIER_NAME(shash_digest)(struct shash_desc *desc, const u8 *data, unsigned int len,
				   u8 *tag)
{
	if (len < POLY1305_MAC_KEY_SIZE)
		return -ENOKEY;
	TIER_NAME(digest)(data, data + POLY1305_MAC_KEY_SIZE, len - POLY1305_MAC_KEY_SIZE, tag);
	return 0;
}

static const struct poly1305_ops TIER_NAME(ops) = {
	.update = TIER_NAME(update),
	.final = TIER_NAME(final),
	.digest = TIER_NAME(digest),
	.shash_update = TIER_NAME(shash_update),
	.shash_final = TIER_NAME(shash_final),
	.shash_finup = TIER_NAME(shash_finup),
	.shash_digest = TIER_NAME(shash_digest),
};

#undef TIER_NAME
#undef TIER
