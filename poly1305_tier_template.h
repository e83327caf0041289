/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The operations of one tier: the path of a message in poly1305_tiers.c, compiled
 * for that tier. To be included once for each, with TIER defined as its identifier,
 * before the tier is defined. With TIER avx2 there are update_avx2() and so on; of
 * tier_avx2, which is constant, nothing is looked up at run time.
 */

#define TIER_NAME(name)	__PASTE(__PASTE(name, _), TIER)

static const struct poly1305_tier TIER_NAME(tier);

/* More blocks than one FPU section takes, or blocks behind scalar ones */
static noinline void TIER_NAME(update_sections)(struct poly1305_mac_ctx *ctx,
						const u8 *data, size_t len)
{
	const size_t most = TIER_NAME(tier).section_len / POLY1305_MAC_BLOCK_SIZE;
	size_t n, nblocks = len / POLY1305_MAC_BLOCK_SIZE;

	do {
		n = min(nblocks, most);
		if (ctx->state.unfolded)
			fold(&ctx->state);
		simd_section(&TIER_NAME(tier), &ctx->state, data, n);
		data += n * POLY1305_MAC_BLOCK_SIZE;
		nblocks -= n;
	} while (nblocks);
}

static noinline void TIER_NAME(update_simd_rest)(struct poly1305_mac_ctx *ctx,
						 const u8 *data, size_t len);

/* Updates long enough for SIMD to pay, if it may be used */
static noinline void TIER_NAME(update_simd)(struct poly1305_mac_ctx *ctx,
					    const u8 *data, size_t len)
{
	const size_t nblocks = len / POLY1305_MAC_BLOCK_SIZE;

	if (len % POLY1305_MAC_BLOCK_SIZE)
		TIER_NAME(update_simd_rest)(ctx, data, len);
	else if (!simd_allowed(&TIER_NAME(tier), len))
		scalar_blocks(&TIER_NAME(tier), &ctx->state, data, nblocks, 1);
	else if (ctx->state.unfolded || len > TIER_NAME(tier).section_len)
		TIER_NAME(update_sections)(ctx, data, len);
	else
		simd_section(&TIER_NAME(tier), &ctx->state, data, nblocks);
}

/* The rest goes to the buffer first. So nothing is kept while blocks are processed. */
static noinline void TIER_NAME(update_simd_rest)(struct poly1305_mac_ctx *ctx,
						 const u8 *data, size_t len)
{
	const size_t rest = len % POLY1305_MAC_BLOCK_SIZE;

	ctx->buflen = rest;
	buffer_rest(ctx, data + len, rest, len);
	TIER_NAME(update_simd)(ctx, data, len - rest);
}

/* The same for fewer blocks */
static noinline void TIER_NAME(update_rest)(struct poly1305_mac_ctx *ctx,
					    const u8 *data, size_t len)
{
	const size_t rest = len % POLY1305_MAC_BLOCK_SIZE;

	ctx->buflen = rest;
	if (len >= 8)
		put_rest(ctx, data + len, rest, 8);
	else
		buffer_rest(ctx, data + len, rest, len);
	if (len >= POLY1305_MAC_BLOCK_SIZE)
		scalar_blocks(&TIER_NAME(tier), &ctx->state, data,
			      len / POLY1305_MAC_BLOCK_SIZE, 1);
}

/*
 * Saving registers takes time that shows in short updates. So most of these functions call
 * the next one last. Three keep something across a call and save registers for it:
 * update_buffer(), update_simd_rest() and update_sections(); in a kernel update_simd() does,
 * too, for kernel_fpu_begin(). In other places of a line of the instruction cache update()
 * and update_buffer() take up to a tenth longer.
 */
static __always_inline void
TIER_NAME(update_empty)(struct poly1305_mac_ctx *ctx, const u8 *data,
			size_t len)
{
	if (TIER_NAME(tier).has_simd &&
	    len >= TIER_NAME(tier).simd_from->piece)
		TIER_NAME(update_simd)(ctx, data, len);
	else if (likely(len % POLY1305_MAC_BLOCK_SIZE == 0))
		scalar_blocks(&TIER_NAME(tier), &ctx->state, data,
			      len / POLY1305_MAC_BLOCK_SIZE, 1);
	else
		TIER_NAME(update_rest)(ctx, data, len);
}

static noinline __aligned(64) void
TIER_NAME(update_buffer)(struct poly1305_mac_ctx *ctx, const u8 *data,
			 size_t len)
{
	const size_t room = POLY1305_MAC_BLOCK_SIZE - ctx->buflen;

	if (len >= sizeof(ctx->buf))
		put_head(ctx, get_unaligned_le64(data),
			 get_unaligned_le64(data + 8));
	else if (len)
		buffer_head(ctx, data, len);
	if (len < room) {
		ctx->buflen += len;
		return;
	}
	ctx->buflen = 0;
	data += room;
	len -= room;
	scalar_blocks(&TIER_NAME(tier), &ctx->state, ctx->buf, 1, 1);
	TIER_NAME(update_empty)(ctx, data, len);
}

static noinline __aligned(64) void
TIER_NAME(update)(struct poly1305_mac_ctx *ctx, const void *data, size_t len)
{
	if (likely(!ctx->buflen))
		TIER_NAME(update_empty)(ctx, data, len);
	else
		TIER_NAME(update_buffer)(ctx, data, len);
}

static void TIER_NAME(final)(struct poly1305_mac_ctx *ctx,
			     u8 tag[POLY1305_MAC_TAG_SIZE])
{
	ctx_tag(&TIER_NAME(tier), ctx, tag);
	wipe_words(ctx, sizeof(*ctx));
}

static noinline void TIER_NAME(digest_ctx)(const u8 key[POLY1305_MAC_KEY_SIZE],
					   const void *data, size_t len,
					   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;

	poly1305_ctx_init(&ctx, key, 0);
	TIER_NAME(update)(&ctx, data, len);
	ctx_tag(&TIER_NAME(tier), &ctx, tag);
	wipe_ctx(&ctx);
}

static noinline void TIER_NAME(digest_any)(const u8 key[POLY1305_MAC_KEY_SIZE],
					   const void *data, size_t len,
					   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	/* If this were a function, clang would call both kinds of code by one pointer. */
	const bool done = simd_pays(&TIER_NAME(tier), len) ?
		simd_digest(&TIER_NAME(tier), key, data, len, tag) :
		scalar_digest(&TIER_NAME(tier), key, data, len, tag);

	if (!done)
		TIER_NAME(digest_ctx)(key, data, len, tag);
	if (len > LONG_LEN)
		poly1305_inject_fault(&TIER_NAME(tier), "long:", tag);
}

/*
 * Short messages take so little time that a second threshold would show; digest_any()
 * takes the others. Room for a state would show there, so digest_ctx() is out of line.
 */
static void TIER_NAME(digest)(const u8 key[POLY1305_MAC_KEY_SIZE],
			      const void *data, size_t len,
			      u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (TIER_NAME(tier).quick_below &&
	    likely(len < *TIER_NAME(tier).quick_below))
		quick_digest(&TIER_NAME(tier), key, data, len, tag);
	else
		TIER_NAME(digest_any)(key, data, len, tag);
}

/* Three ways for packets, out of line: each has a stack frame as large as it needs */
static noinline void TIER_NAME(quick_aead)(const u8 key[POLY1305_MAC_KEY_SIZE],
					   const u8 *ad, size_t ad_len,
					   const u8 *text, size_t len,
					   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	parts_aead(&TIER_NAME(tier), false, key, ad, ad_len, text, len, tag);
}

static noinline void TIER_NAME(parts_aead)(const u8 key[POLY1305_MAC_KEY_SIZE],
					   const u8 *ad, size_t ad_len,
					   const u8 *text, size_t len,
					   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	parts_aead(&TIER_NAME(tier), true, key, ad, ad_len, text, len, tag);
}

static noinline void TIER_NAME(ctx_aead)(const u8 key[POLY1305_MAC_KEY_SIZE],
					 const u8 *ad, size_t ad_len,
					 const u8 *text, size_t len,
					 u8 tag[POLY1305_MAC_TAG_SIZE])
{
	ctx_aead(&TIER_NAME(tier), key, ad, ad_len, text, len, tag);
}

static void TIER_NAME(mac_aead)(const u8 key[POLY1305_MAC_KEY_SIZE],
				const void *ad, size_t ad_len,
				const void *text, size_t len,
				u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const size_t nblocks = packet_blocks(ad_len, len);
	const bool in_parts = may_be_parts(ad_len, len);

	if (in_parts && TIER_NAME(tier).quick_below &&
	    nblocks * POLY1305_MAC_BLOCK_SIZE < *TIER_NAME(tier).quick_below)
		TIER_NAME(quick_aead)(key, ad, ad_len, text, len, tag);
	else if (in_parts && parts_pay(&TIER_NAME(tier), nblocks))
		TIER_NAME(parts_aead)(key, ad, ad_len, text, len, tag);
	else
		TIER_NAME(ctx_aead)(key, ad, ad_len, text, len, tag);
}

static int TIER_NAME(shash_update)(struct shash_desc *desc, const u8 *data,
				   unsigned int len)
{
	desc_update(&TIER_NAME(tier), shash_desc_ctx(desc), data, len);
	return 0;
}

static int TIER_NAME(shash_final)(struct shash_desc *desc, u8 *tag)
{
	return desc_final(&TIER_NAME(tier), shash_desc_ctx(desc), tag);
}

static int TIER_NAME(shash_finup)(struct shash_desc *desc, const u8 *data,
				  unsigned int len, u8 *tag)
{
	desc_update(&TIER_NAME(tier), shash_desc_ctx(desc), data, len);
	return desc_final(&TIER_NAME(tier), shash_desc_ctx(desc), tag);
}

static int TIER_NAME(shash_digest)(struct shash_desc *desc, const u8 *data,
				   unsigned int len, u8 *tag)
{
	if (len < POLY1305_MAC_KEY_SIZE)
		return -ENOKEY;
	TIER_NAME(digest)(data, data + POLY1305_MAC_KEY_SIZE,
			  len - POLY1305_MAC_KEY_SIZE, tag);
	return 0;
}

static const struct poly1305_ops TIER_NAME(ops) = {
	.update = TIER_NAME(update),
	.final = TIER_NAME(final),
	.digest = TIER_NAME(digest),
	.aead = POLY1305_WHOLE_LIBRARY ? TIER_NAME(mac_aead) : NULL,
	.shash_update = TIER_NAME(shash_update),
	.shash_final = TIER_NAME(shash_final),
	.shash_finup = TIER_NAME(shash_finup),
	.shash_digest = TIER_NAME(shash_digest),
};

#undef TIER_NAME
#undef TIER
