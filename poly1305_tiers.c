// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The tiers, the FPU sections, and the path of a message through a tier.
 *
 * The path is written once, in functions that are inlined and get a constant tier:
 * poly1305_tier_template.h compiles them for each. So every tier calls its code
 * directly, and has no branch for what it lacks.
 */

#include "compat.h"
#include <asm/simd.h>
#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "poly1305_core.h"
#include "poly1305_saved.h"

#ifdef CONFIG_X86_64
#include "arch/x86/poly1305-fpu.h"
#else
/* Tiers without SIMD need no FPU sections. */
static inline void poly1305_fpu_begin(void) { }
static inline void poly1305_fpu_end(void) { }
static inline bool poly1305_fpu_saved(void) { return false; }
#endif

static bool always_usable(int *priority)
{
	return true;
}

#ifdef POLY1305_FAULT
/* make FAULT=1: lets a test see what happens when a tier is wrong */
static char *fault;
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "name of the driver that shall compute wrong results");

/* fault=lanes:DRIVER and fault=pairs:DRIVER break batches alone. */
void poly1305_inject_fault(const struct poly1305_tier *tier, const char *where,
			   void *result)
{
	const size_t n = strlen(where);

	if (fault && !strncmp(fault, where, n) &&
	    !strcmp(fault + n, tier->name))
		*(u8 *)result ^= 1;
}
#endif

/*
 * Whether SIMD may be used here and now, and pays for len bytes if the FPU registers of a
 * user process must be saved first
 */
static __always_inline bool simd_allowed(const struct poly1305_tier *tier,
					 size_t len)
{
	if (tier->has_simd && len < tier->simd_from->cold &&
	    !poly1305_fpu_saved())
		return false;
	return crypto_simd_usable();
}

/* Whether SIMD pays for len bytes, too. likely(): only short messages notice a taken branch. */
static __always_inline bool simd_pays(const struct poly1305_tier *tier,
				      size_t len)
{
	if (!tier->has_simd || likely(len < tier->simd_from->saved))
		return false;
	return simd_allowed(tier, len);
}

/* Blocks that SIMD does not pay for or may not be used for */
static __always_inline void scalar_blocks(const struct poly1305_tier *tier,
					  struct poly1305_mac_state *state,
					  const u8 *data, size_t nblocks,
					  u32 hibit)
{
	if (!tier->scalar.unfolds)
		poly1305_fold(state);
	tier->scalar.blocks(state, data, nblocks, hibit);
	poly1305_inject_fault(tier, "", state);
}

/*
 * FPU sections begin and end here, in simd_digest() and parts_aead() and, for batches, in
 * poly1305_section_begin() and _end(). The CPU cannot be preempted within one. So a section
 * ends after section_len bytes, a few microseconds at most, and other tasks may run before
 * the next one.
 */
static __always_inline void simd_section(const struct poly1305_tier *tier,
					 struct poly1305_mac_state *state,
					 const u8 *data, size_t nblocks)
{
	poly1305_fpu_begin();
	tier->simd.blocks(state, data, nblocks, 1);
	poly1305_fpu_end();
	poly1305_inject_fault(tier, "", state);
}

/*
 * Out of line, for it is rare that vectors follow scalar code. Its registers are zero on return
 * (-fzero-call-used-regs), before the kernel's code that begins the section.
 */
static noinline void fold(struct poly1305_mac_state *state)
{
	poly1305_fold(state);
}

/*
 * For poly1305_batch.c: begins an FPU section for lanes, unless none may be used or
 * the user state that it would have to save costs more than len bytes win back
 */
bool poly1305_section_begin(const struct poly1305_tier *tier, size_t len)
{
	if (!simd_allowed(tier, len))
		return false;
	poly1305_fpu_begin();
	return true;
}

void poly1305_section_end(void)
{
	poly1305_fpu_end();
}

/*
 * Without the barrier gcc, in user space, may join both words in a vector, and leave that
 * or one of them on the stack.
 */
static __always_inline void put_block(u8 block[16], u64 lo, u64 hi)
{
	put_unaligned_le64(lo, block);
	barrier();
	put_unaligned_le64(hi, block + 8);
}

/*
 * lo + 2^64 hi = the rest bytes before end, 0 < rest < 16, followed by the bit @one.
 * They are among the last len bytes of what the caller gave, all of which may be read.
 * Incomplete blocks are handled in words: the CPU would wait to load a word from bytes
 * that were stored one by one.
 */
static __always_inline void load_rest(u64 *lo, u64 *hi, const u8 *end,
				      size_t rest, size_t len, u64 one)
{
	const u8 *p = end - rest;
	u64 last;

	if (len >= 8) {
		last = get_unaligned_le64(end - 8) >> 1 | one << 63;
		last >>= ~(8 * rest) & 63;
		*lo = rest < 8 ? last : get_unaligned_le64(p);
		*hi = rest < 8 ? 0 : last;
		return;
	}
	if (rest >= 4)
		*lo = get_unaligned_le32(p) |
		      (u64)get_unaligned_le32(end - 4) << 8 * (rest - 4);
	else
		*lo = p[0] | p[rest / 2] << 8 * (rest / 2) |
		      p[rest - 1] << 8 * (rest - 1);
	*lo |= one << 8 * rest;
	*hi = 0;
}

/*
 * block = the rest bytes before end, and zeros. This, buffer_rest() and buffer_head() are
 * out of line and wipe their registers on return. Otherwise compiled code called next might
 * save registers that still hold message words. Right after put_rest(), put_head() and
 * put_end() only block and parts functions and copy_rest() are called; they do not save the
 * registers that these use.
 */
static noinline void copy_rest(u8 block[16], const u8 *end, size_t rest,
			       size_t len)
{
	u64 lo, hi;

	load_rest(&lo, &hi, end, rest, len, 0);
	put_block(block, lo, hi);
}

/* Put the rest bytes before end into the buffer, which is empty or used up. */
static __always_inline void put_rest(struct poly1305_mac_ctx *ctx,
				     const u8 *end, size_t rest, size_t len)
{
	u64 lo, hi;

	load_rest(&lo, &hi, end, rest, len, 1);
	put_block(ctx->buf, lo, hi);
}

/* The same, for any data */
static noinline void buffer_rest(struct poly1305_mac_ctx *ctx, const u8 *end,
				 size_t rest, size_t len)
{
	put_rest(ctx, end, rest, len);
}

/*
 * Put lo + 2^64 hi behind the bytes in the buffer, as far as there is room: 16 bytes, of
 * which Poly1271's blocks do not contain the last.
 */
static __always_inline void put_head(struct poly1305_mac_ctx *ctx, u64 lo,
				     u64 hi)
{
	const unsigned int shift = 8 * ctx->buflen;

	lo ^= 1;			/* takes the buffer's 1 bit away */
	hi = hi << (shift & 63) | lo >> 1 >> (~shift & 63);
	lo <<= shift & 63;
	if (ctx->buflen >= 8) {
		hi = lo;
		lo = 0;
	}
	put_block(ctx->buf, get_unaligned_le64(ctx->buf) ^ lo,
		  get_unaligned_le64(ctx->buf + 8) ^ hi);
}

/* Put the less than 16 bytes of data behind those in the buffer. */
static noinline void buffer_head(struct poly1305_mac_ctx *ctx, const u8 *data,
				 size_t len)
{
	u64 lo, hi;

	load_rest(&lo, &hi, data + len, len, len, 1);
	put_head(ctx, lo, hi);
}

static __always_inline void ctx_tag(const struct poly1305_tier *tier,
				    struct poly1305_mac_ctx *ctx,
				    u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (ctx->buflen)
		scalar_blocks(tier, &ctx->state, ctx->buf, 1, 0);
	poly1305_fold(&ctx->state);
	poly1305_emit(ctx->state.h, ctx->s, tag);
}

/*
 * memzero_explicit() in words: for so few of them compilers choose an instruction
 * that takes as long to begin as a short message takes.
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

/*
 * A local context is wiped only as far as it was used: the powers, most of it, are
 * untouched while npow and own are 0.
 */
static __always_inline void wipe_ctx(struct poly1305_mac_ctx *ctx)
{
	const size_t used = offsetof(struct poly1305_mac_ctx, state.pow);

	static_assert(sizeof(*ctx) % sizeof(long) == 0);
	static_assert(offsetof(struct poly1305_mac_ctx, state.pow) %
		      sizeof(long) == 0);
	wipe_words(ctx, ctx->state.npow || ctx->state.own ? sizeof(*ctx) : used);
}

/*
 * fault=long:DRIVER breaks messages of more than LONG_LEN bytes alone, and
 * "fault=long packet:DRIVER" such packets.
 */
#define LONG_LEN	4096

static __always_inline void quick_digest(const struct poly1305_tier *tier,
					 const u8 key[POLY1305_MAC_KEY_SIZE],
					 const u8 *data, size_t len,
					 u8 tag[POLY1305_MAC_TAG_SIZE])
{
	tier->quick(key, data, len, tag);
	poly1305_inject_fault(tier, "", tag);
}

/* The tag of a message, if SIMD can compute it without a state in memory */
static __always_inline bool simd_digest(const struct poly1305_tier *tier,
					const u8 key[POLY1305_MAC_KEY_SIZE],
					const u8 *data, size_t len,
					u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (!tier->simd.has_digest || len > tier->section_len ||
	    (tier->simd.digest_below && len >= *tier->simd.digest_below))
		return false;
	poly1305_fpu_begin();
	tier->simd.digest(key, data, len, tag);
	poly1305_fpu_end();
	poly1305_inject_fault(tier, "", tag);
	return true;
}

/* The same for scalar code */
static __always_inline bool scalar_digest(const struct poly1305_tier *tier,
					  const u8 key[POLY1305_MAC_KEY_SIZE],
					  const u8 *data, size_t len,
					  u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (!tier->scalar.has_digest)
		return false;
	tier->scalar.digest(key, data, len, tag);
	poly1305_inject_fault(tier, "", tag);
	return true;
}

static __always_inline void copy_block(u8 to[POLY1305_MAC_BLOCK_SIZE],
				       const u8 from[POLY1305_MAC_BLOCK_SIZE])
{
	put_block(to, get_unaligned_le64(from), get_unaligned_le64(from + 8));
}

/*
 * The MAC of RFC 8439. Its message is ad, zeros, text, zeros, and both lengths, each
 * part a multiple of 16 bytes long.
 */
static __always_inline size_t packet_blocks(size_t ad_len, size_t len)
{
	return ad_len / POLY1305_MAC_BLOCK_SIZE +
	       !!(ad_len % POLY1305_MAC_BLOCK_SIZE) +
	       len / POLY1305_MAC_BLOCK_SIZE +
	       !!(len % POLY1305_MAC_BLOCK_SIZE) + 1;
}

/* For a parts function: the blocks of a packet, but those of its text before the last one */
struct packet_ends {
	u8 before[POLY1305_MAC_BLOCK_SIZE];	/* may be read, but does not count */
	u8 ad[POLY1305_MAC_BLOCK_SIZE];
	u8 last[POLY1305_MAC_BLOCK_SIZE];
	u8 lengths[POLY1305_MAC_BLOCK_SIZE];
};

/* Whether a packet has a text, and associated data of one block at most */
static __always_inline bool may_be_parts(size_t ad_len, size_t len)
{
	return ad_len <= POLY1305_MAC_BLOCK_SIZE && len;
}

/* block = the last rest bytes before end, 1 to 16 of the len there, and zeros */
static __always_inline void put_end(u8 block[POLY1305_MAC_BLOCK_SIZE],
				    const u8 *end, size_t rest, size_t len)
{
	u64 lo, hi;

	if (rest == POLY1305_MAC_BLOCK_SIZE) {
		copy_block(block, end - rest);
	} else if (len >= 8) {
		load_rest(&lo, &hi, end, rest, 8, 0);
		put_block(block, lo, hi);
	} else {
		copy_rest(block, end, rest, len);
	}
}

/* Returns the number of bytes of text before its last block, which may be a whole one. */
static __always_inline size_t put_ends(struct packet_ends *ends, const u8 *ad,
				       size_t ad_len, const u8 *text, size_t len)
{
	const size_t rest = (len - 1) % POLY1305_MAC_BLOCK_SIZE + 1;

	if (ad_len)
		put_end(ends->ad, ad + ad_len, ad_len, ad_len);
	put_end(ends->last, text + len, rest, len);
	put_block(ends->lengths, ad_len, len);
	return len - rest;
}

static __always_inline void wipe_ends(struct packet_ends *ends)
{
	put_block(ends->ad, 0, 0);
	put_block(ends->last, 0, 0);
	barrier();
}

/* Whether the tier has a parts function with vectors that pays for so many blocks */
static __always_inline bool parts_pay(const struct poly1305_tier *tier,
				      size_t nblocks)
{
	return tier->has_simd && tier->simd.parts_from &&
	       nblocks >= tier->simd.parts_from &&
	       (!tier->simd.parts_below || nblocks < *tier->simd.parts_below) &&
	       nblocks <= tier->section_len / POLY1305_MAC_BLOCK_SIZE &&
	       simd_pays(tier, nblocks * POLY1305_MAC_BLOCK_SIZE);
}

/* By a parts function: that with vectors, or the quick one */
static __always_inline void parts_aead(const struct poly1305_tier *tier,
				       bool simd,
				       const u8 key[POLY1305_MAC_KEY_SIZE],
				       const u8 *ad, size_t ad_len,
				       const u8 *text, size_t len,
				       u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct packet_ends ends __aligned(8);
	size_t whole;

	/* Before put_ends(), which may leave message words in registers */
	if (simd)
		poly1305_fpu_begin();
	whole = put_ends(&ends, ad, ad_len, text, len);
	if (simd)
		tier->simd.parts(key, text, whole, ends.ad, ad_len, tag);
	else
		tier->quick_parts(key, text, whole, ends.ad, ad_len, tag);
	if (simd)
		poly1305_fpu_end();
	poly1305_inject_fault(tier, "", tag);
	wipe_ends(&ends);
	if (len > LONG_LEN)
		poly1305_inject_fault(tier, "long packet:", tag);
}

/* Whole blocks of a packet, by scalar code alone unless simd is set */
static __always_inline void packet_part(const struct poly1305_tier *tier,
					struct poly1305_mac_ctx *ctx,
					bool simd, const u8 *data, size_t len)
{
	if (simd)
		tier->ops->update(ctx, data, len);
	else if (len)
		scalar_blocks(tier, &ctx->state, data,
			      len / POLY1305_MAC_BLOCK_SIZE, 1);
}

static __always_inline void ctx_aead(const struct poly1305_tier *tier,
				     const u8 key[POLY1305_MAC_KEY_SIZE],
				     const u8 *ad, size_t ad_len,
				     const u8 *text, size_t len,
				     u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const size_t ad_rest = ad_len % POLY1305_MAC_BLOCK_SIZE;
	const size_t rest = len % POLY1305_MAC_BLOCK_SIZE;
	/* No part of a shorter one gains by vectors, yet update() would compute powers. */
	const bool simd = tier->has_simd && ad_len + len >= tier->simd_from->saved;
	/* In this order prove.py sees that no block is read beyond the frame. */
	struct {
		struct packet_ends ends __aligned(8);
		struct poly1305_mac_ctx ctx;
	} on;

	if (ad_rest)
		copy_rest(on.ends.ad, ad + ad_len, ad_rest, ad_len);
	if (rest)
		copy_rest(on.ends.last, text + len, rest, len);
	put_block(on.ends.lengths, ad_len, len);
	poly1305_ctx_init(&on.ctx, key, ad_len + len);
	packet_part(tier, &on.ctx, simd, ad, ad_len - ad_rest);
	if (ad_rest)
		packet_part(tier, &on.ctx, simd, on.ends.ad, sizeof(on.ends.ad));
	packet_part(tier, &on.ctx, simd, text, len - rest);
	if (rest)
		packet_part(tier, &on.ctx, simd, on.ends.last, sizeof(on.ends.last));
	packet_part(tier, &on.ctx, simd, on.ends.lengths, sizeof(on.ends.lengths));
	poly1305_fold(&on.ctx.state);
	poly1305_emit(on.ctx.state.h, on.ctx.s, tag);
	wipe_ctx(&on.ctx);
	wipe_ends(&on.ends);
	if (len > LONG_LEN)
		poly1305_inject_fault(tier, "long packet:", tag);
}

/* Take from the input what the key still lacks. One copy serves all tiers. */
static noinline void desc_take_key(struct poly1305_desc *d, const u8 **data,
				   unsigned int *len)
{
	if (poly1305_take_head(d, sizeof(d->head), data, len)) {
		poly1305_ctx_init(&d->mac, d->head, 0);
		memzero_explicit(d->head, sizeof(d->head));
	}
}

static __always_inline void desc_update(const struct poly1305_tier *tier,
					struct poly1305_desc *d,
					const u8 *data, unsigned int len)
{
	if (d->headlen < sizeof(d->head) && len)
		desc_take_key(d, &data, &len);
	if (len)
		tier->ops->update(&d->mac, data, len);
}

/* After final, successful or not, the descriptor is as after init. */
static __always_inline int desc_final(const struct poly1305_tier *tier,
				      struct poly1305_desc *d, u8 *tag)
{
	int err = 0;

	if (d->headlen == sizeof(d->head))
		ctx_tag(tier, &d->mac, tag);
	else
		err = -ENOKEY;
	wipe_words(d, sizeof(*d));
	return err;
}

/* The tier for every CPU: the others are compared with it. */
#define TIER portable
#include "poly1305_tier_template.h"

static const struct poly1305_tier tier_portable = {
	.name = POLY1305_NAME "-portable",
	.priority = 120,
	.usable = always_usable,
	.scalar.blocks = poly1305_blocks_generic,
	.prepared_from = 1280,
	.ops = &ops_portable,
};

#ifdef CONFIG_X86_64
#ifdef POLY1271
#include "arch/x86/poly1271-x86.h"
#else
#include "arch/x86/poly1305-x86.h"
#endif
#else
void poly1305_arch_init(void) { }
#endif

#define TIER_ADDRESS(id)	&tier_##id,
const struct poly1305_tier *const poly1305_tiers[POLY1305_NTIERS] = {
	POLY1305_TIERS(TIER_ADDRESS)
};
