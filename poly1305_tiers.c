// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The tiers, and the functions that they share.
 *
 * The path of a message is in poly1305_tier.h, which is compiled once for each tier. There and in
 * the inlined functions below, the tier is a constant: calls are direct, unused branches vanish.
 */

#include "compat.h"
#include <asm/simd.h>
#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <linux/module.h>

#include "poly1305_core.h"
#include "poly1305_desc.h"

#ifdef CONFIG_X86_64
#include "arch/x86/poly1305-fpu.h"
#else
/* Tiers without SIMD need no FPU sections. */
static inline void poly1305_fpu_begin(void) { }
static inline void poly1305_fpu_end(void) { }
static inline bool poly1305_fpu_saved(void) { return false; }
#endif

static bool always_usable(void)
{
	return true;
}

/*
 * True if SIMD is allowed in this context, and len bytes repay saving the registers of a process
 * if they must be saved.
 */
static __always_inline bool simd_allowed(const struct poly1305_tier *tier, size_t len)
{
	if (len < tier->simd_from + POLY1305_SAVING_COST && !poly1305_fpu_saved())
		return false;
	return crypto_simd_usable();
}

static __always_inline void scalar_blocks(const struct poly1305_tier *tier,
					  struct poly1305_mac_state *state, const u8 *data,
					  size_t len, u32 hibit)
{
	tier->scalar.blocks(state, data, len / POLY1305_MAC_BLOCK_SIZE, hibit);
}

void poly1305_prime_fpu(void)
{
	if (crypto_simd_usable()) {
		poly1305_fpu_begin();
		poly1305_fpu_end();
	}
}

/* Append the byte 1 that pads a message to the at bytes in buf. */
static __always_inline void buffer_pad(u8 *buf, size_t at)
{
	u8 *word = buf + (at & 8);

	put_unaligned_le64(get_unaligned_le64(word) | 1ULL << 8 * (at & 7), word);
}

/* Append n of the len bytes at data, 0 < n < 16, to the at bytes in buf. */
static __always_inline void buffer_append(u8 *buf, size_t at, const u8 *data, size_t n, size_t len)
{
	const unsigned int shift = 8 * at % 64;
	u64 lo, hi;

	if (len < 16) {
		memcpy(buf + at, data, n);
		return;
	}
	lo = get_unaligned_le64(data);
	hi = get_unaligned_le64(data + 8);
	if (shift) {
		hi = hi << shift | lo >> (64 - shift);
		lo <<= shift;
	}
	if (at < 8)
		poly1305_put_words(buf, get_unaligned_le64(buf) | lo, hi);
	else
		put_unaligned_le64(get_unaligned_le64(buf + 8) | lo, buf + 8);
}

/*
 * memzero_explicit() by words: for this size compilers emit rep stos, whose startup takes as long
 * as the MAC of a short message.
 */
static noinline void wipe_words(void *words, size_t bytes)
{
	unsigned long *p = words, *end = p + bytes / sizeof(*p);

	for (; end - p >= 4; p += 4) {
		WRITE_ONCE(p[0], 0);
		WRITE_ONCE(p[1], 0);
		WRITE_ONCE(p[2], 0);
		WRITE_ONCE(p[3], 0);
	}
	while (p < end)
		WRITE_ONCE(*p++, 0);
}

/* Move bytes from the input to the key. Once the key is complete, start the message. */
static noinline void desc_take_key(struct poly1305_desc *d, const u8 **data, unsigned int *len)
{
	if (d->prefix_len < sizeof(d->prefix) && *len &&
	    poly1305_take_prefix(d, sizeof(d->prefix), data, len)) {
		poly1305_ctx_init(&d->mac, d->prefix);
		memzero_explicit(d->prefix, sizeof(d->prefix));
	}
}

/* The tier for every CPU. The self-test compares all other tiers with it. */
#define TIER			tier_portable
#define TIER_OPS		ops_portable
#define TIER_SIMD_BLOCKS	simd_blocks_portable
#define TIER_UPDATE		update_portable
#define TIER_UPDATE_BUFFER	update_buffer_portable
#define TIER_FINAL		final_portable
#define TIER_DIGEST_CTX		digest_ctx_portable
#define TIER_DIGEST		digest_portable
#define TIER_SHASH_UPDATE	shash_update_portable
#define TIER_SHASH_FINAL	shash_final_portable
#define TIER_SHASH_FINUP	shash_finup_portable
#define TIER_SHASH_DIGEST	shash_digest_portable
#include "poly1305_tier.h"

static const struct poly1305_tier tier_portable = {
	.name = POLY1305_NAME "-portable",
	.priority = 120,
	.usable = always_usable,
	.scalar.blocks = poly1305_blocks_generic,
	.ops = &ops_portable,
};

#ifdef CONFIG_X86_64
#include "arch/x86/poly1305-x86.h"
#else
void poly1305_arch_init(void) { }
#endif

#define TIER_ADDRESS(id)	&tier_##id,
const struct poly1305_tier *const poly1305_tiers[POLY1305_NTIERS] = {
	POLY1305_TIERS(TIER_ADDRESS)
};
