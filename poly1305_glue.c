// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 for the kernel: the table of implementations and what chooses among
 * them, the FPU sections, the shash drivers and the exported functions.
 *
 * Everything that a message passes through is written once, as an inline
 * function of a row of the table, and compiled once for each row: the row is
 * constant there, so each driver calls its block function directly. What the
 * exported functions call is patched in by static calls when the module loads.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <asm/simd.h>
#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "poly1305_core.h"

#ifdef CONFIG_X86_64
#include "arch/x86/poly1305-x86.h"
#else
#define POLY1305_ARCH_TIERS(row)
/* Without SIMD rows there are no FPU sections. */
static inline void poly1305_fpu_begin(void) { }
static inline void poly1305_fpu_end(void) { }
static inline bool poly1305_fpu_saved(void) { return false; }
#endif

static bool always_usable(int *priority)
{
	return true;
}

/*
 * The table. Each row: identifier, driver name, priority, whether this CPU and
 * this kernel can run it (which may lower the priority, where it would be no good
 * choice though it can run), and the rest of its struct poly1305_tier. The portable
 * row comes first, all others in any order; the exported functions use the
 * highest priority that is usable.
 */
#define POLY1305_TIERS(row)						\
	row(portable, "poly1305-portable", 120, always_usable,		\
	    .blocks = poly1305_blocks_generic,				\
	    .prepared_min = 1280)					\
	POLY1305_ARCH_TIERS(row)

#ifdef POLY1305_FAULT
/* make FAULT=1: lets a test see what happens when an implementation is wrong */
static char *fault;
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "name of the driver that shall compute wrong results");

static void inject_fault(const struct poly1305_tier *tier, void *result)
{
	if (fault && !strcmp(fault, tier->name))
		*(u8 *)result ^= 1;
}

/* The same in batches alone: fault=lanes:DRIVER, fault=pairs:DRIVER */
void poly1305_inject_fault(const struct poly1305_tier *tier, const char *where,
			   u8 *tag)
{
	const size_t n = strlen(where);

	if (fault && !strncmp(fault, where, n) &&
	    !strcmp(fault + n, tier->name))
		*tag ^= 1;
}
#else
static inline void inject_fault(const struct poly1305_tier *tier, void *result)
{
}
#endif

/*
 * Whether SIMD may be used here and now, and pays for len bytes; short messages are
 * who would notice a jump
 */
static __always_inline bool simd_pays(const struct poly1305_tier *tier,
				      size_t len)
{
	if (!tier->simd || likely(len < tier->min_len))
		return false;
	if (len < tier->min_len_save && !poly1305_fpu_saved())
		return false;
	return crypto_simd_usable();
}

/*
 * FPU sections begin and end here, in tier_digest() and, for batches, in the two
 * functions below. Within one the CPU cannot be preempted, so a section ends after
 * section_len bytes, which take a few microseconds at most; what happens in between
 * is the scheduler's choice.
 */
static __always_inline void simd_blocks(const struct poly1305_tier *tier,
					struct poly1305_mac_state *state,
					const u8 *data, size_t nblocks,
					u32 hibit)
{
	const size_t most = tier->section_len / POLY1305_MAC_BLOCK_SIZE;
	size_t n;

	do {
		n = min(nblocks, most);
		poly1305_fpu_begin();
		tier->blocks(state, data, n, hibit);
		poly1305_fpu_end();
		data += n * POLY1305_MAC_BLOCK_SIZE;
		nblocks -= n;
	} while (nblocks);
}

static __always_inline void tier_blocks(const struct poly1305_tier *tier,
					struct poly1305_mac_state *state,
					const u8 *data, size_t nblocks,
					u32 hibit)
{
	if (!tier->simd)
		tier->blocks(state, data, nblocks, hibit);
	else if (simd_pays(tier, nblocks * POLY1305_MAC_BLOCK_SIZE))
		simd_blocks(tier, state, data, nblocks, hibit);
	else
		tier->scalar(state, data, nblocks, hibit);
	inject_fault(tier, state);
}

/*
 * For poly1305_batch.c: an FPU section for lanes, which win if nothing must be saved
 * for it, and pay for that as SIMD does with one message of len bytes
 */
bool poly1305_section_begin(const struct poly1305_tier *tier, size_t len)
{
	if (len < tier->min_len_save && !poly1305_fpu_saved())
		return false;
	if (!crypto_simd_usable())
		return false;
	poly1305_fpu_begin();
	return true;
}

void poly1305_section_end(void)
{
	poly1305_fpu_end();
}

/* A single block, from the context's buffer */
static __always_inline void tier_block(const struct poly1305_tier *tier,
				       struct poly1305_mac_ctx *ctx, u32 hibit)
{
	if (tier->simd)
		tier->scalar(&ctx->state, ctx->buf, 1, hibit);
	else
		tier->blocks(&ctx->state, ctx->buf, 1, hibit);
	inject_fault(tier, &ctx->state);
}

static __always_inline void ctx_init(struct poly1305_mac_ctx *ctx,
				     const u8 key[POLY1305_MAC_KEY_SIZE])
{
	poly1305_init_state(&ctx->state, key);
	ctx->s[0] = get_unaligned_le64(key + 16);
	ctx->s[1] = get_unaligned_le64(key + 24);
	ctx->buflen = 0;
}

static __always_inline void ctx_update(const struct poly1305_tier *tier,
				       struct poly1305_mac_ctx *ctx,
				       const u8 *data, size_t len)
{
	size_t n;

	if (ctx->buflen && len) {
		n = min_t(size_t, len, sizeof(ctx->buf) - ctx->buflen);
		memcpy(ctx->buf + ctx->buflen, data, n);
		ctx->buflen += n;
		if (ctx->buflen < sizeof(ctx->buf))
			return;
		tier_block(tier, ctx, 1);
		ctx->buflen = 0;
		data += n;
		len -= n;
	}

	n = len / POLY1305_MAC_BLOCK_SIZE;
	if (n) {
		tier_blocks(tier, &ctx->state, data, n, 1);
		data += n * POLY1305_MAC_BLOCK_SIZE;
		len -= n * POLY1305_MAC_BLOCK_SIZE;
	}

	if (len) {
		memset(ctx->buf, 0, sizeof(ctx->buf));
		memcpy(ctx->buf, data, len);
		ctx->buflen = len;
	}
}

/* A last block of fewer than 16 bytes carries its 1 bit behind them itself. */
static __always_inline void ctx_tag(const struct poly1305_tier *tier,
				    struct poly1305_mac_ctx *ctx,
				    u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (ctx->buflen) {
		ctx->buf[ctx->buflen] = 1;
		tier_block(tier, ctx, 0);
	}
	poly1305_emit(ctx->state.h, ctx->s, tag);
}

static __always_inline void ctx_final(const struct poly1305_tier *tier,
				      struct poly1305_mac_ctx *ctx,
				      u8 tag[POLY1305_MAC_TAG_SIZE])
{
	ctx_tag(tier, ctx, tag);
	memzero_explicit(ctx, sizeof(*ctx));
}

/*
 * memzero_explicit() in words: for so few of them compilers choose an instruction
 * that takes as long to begin as a short message takes.
 */
static __always_inline void wipe_words(void *words, size_t bytes)
{
	u64 *p = words, *end = p + bytes / sizeof(*p);

	while (p < end)
		WRITE_ONCE(*p++, 0);
}

/*
 * A context that nobody else sees is wiped only as far as it was used: the
 * powers, most of it, stay untouched while npow is 0.
 */
static __always_inline void ctx_digest(const struct poly1305_tier *tier,
				       const u8 key[POLY1305_MAC_KEY_SIZE],
				       const u8 *data, size_t len,
				       u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;

	ctx_init(&ctx, key);
	ctx_update(tier, &ctx, data, len);
	ctx_tag(tier, &ctx, tag);
	wipe_words(&ctx, ctx.state.npow ? sizeof(ctx) :
		   offsetof(struct poly1305_mac_ctx, state.pow));
}

static __always_inline void tier_digest(const struct poly1305_tier *tier,
					const u8 key[POLY1305_MAC_KEY_SIZE],
					const u8 *data, size_t len,
					u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const bool simd = simd_pays(tier, len);

	if (tier->simd && !simd) {
		tier->scalar_digest(key, data, len, tag);
	} else if (tier->has_digest && !tier->simd) {
		tier->digest(key, data, len, tag);
	} else if (tier->has_digest && len <= tier->section_len) {
		poly1305_fpu_begin();
		tier->digest(key, data, len, tag);
		poly1305_fpu_end();
	} else {
		ctx_digest(tier, key, data, len, tag);
		return;
	}
	inject_fault(tier, tag);
}

/*
 * The shash. What is hashed begins with the key: while keylen < 32 nothing but
 * key and keylen means anything, afterwards nothing but mac does.
 */
struct poly1305_desc {
	u32 keylen;
	u8 key[POLY1305_MAC_KEY_SIZE];
	struct poly1305_mac_ctx mac;
};

/* What export writes: all that does not follow from the rest. */
struct poly1305_saved {
	u32 keylen;
	u32 buflen;
	u8 key[POLY1305_MAC_KEY_SIZE];
	u8 buf[POLY1305_MAC_BLOCK_SIZE];
	u64 s[2];
	u64 r[2];
	u64 h[3];
};

static_assert(sizeof(struct poly1305_desc) <= POLY1305_STATE_MAX);
static_assert(sizeof(struct poly1305_saved) <= POLY1305_STATE_MAX);

static int shash_init(struct shash_desc *desc)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	d->keylen = 0;
	return 0;
}

/* Take from the input what the key still lacks. */
static void desc_take_key(struct poly1305_desc *d, const u8 **data,
			  unsigned int *len)
{
	unsigned int n = min_t(unsigned int, *len, sizeof(d->key) - d->keylen);

	if (n == sizeof(d->key)) {
		ctx_init(&d->mac, *data);
	} else {
		memcpy(d->key + d->keylen, *data, n);
		if (d->keylen + n == sizeof(d->key)) {
			ctx_init(&d->mac, d->key);
			memzero_explicit(d->key, sizeof(d->key));
		}
	}
	d->keylen += n;
	*data += n;
	*len -= n;
}

static __always_inline void desc_update(const struct poly1305_tier *tier,
					struct poly1305_desc *d,
					const u8 *data, unsigned int len)
{
	if (d->keylen < sizeof(d->key) && len)
		desc_take_key(d, &data, &len);
	if (len)
		ctx_update(tier, &d->mac, data, len);
}

static __always_inline int desc_final(const struct poly1305_tier *tier,
				      struct poly1305_desc *d, u8 *tag)
{
	int err = 0;

	if (d->keylen == sizeof(d->key))
		ctx_tag(tier, &d->mac, tag);
	else
		err = -ENOKEY;
	memzero_explicit(d, sizeof(*d));
	return err;
}

static int shash_export(struct shash_desc *desc, void *out)
{
	const struct poly1305_desc *d = shash_desc_ctx(desc);
	const struct poly1305_mac_ctx *mac = &d->mac;
	struct poly1305_saved saved = { .keylen = d->keylen };

	if (d->keylen < sizeof(d->key)) {
		memcpy(saved.key, d->key, d->keylen);
	} else {
		saved.buflen = mac->buflen;
		memcpy(saved.buf, mac->buf, mac->buflen);
		memcpy(saved.s, mac->s, sizeof(saved.s));
		memcpy(saved.r, mac->state.r, sizeof(saved.r));
		memcpy(saved.h, mac->state.h, sizeof(saved.h));
	}
	memcpy(out, &saved, sizeof(saved));
	memzero_explicit(&saved, sizeof(saved));
	return 0;
}

/*
 * Whether r is clamped and h below its bound, as poly1305_core.h has them: all that
 * may be known of the two. Export writes no others, and who is refused learns it
 * anyway. This stays a function, for tests/ct/prove.py takes what it returns, and
 * nothing else, for public.
 */
static noinline bool saved_permitted(const struct poly1305_saved *saved)
{
	const u64 beyond = (saved->r[0] & ~POLY1305_CLAMP_LO) |
			   (saved->r[1] & ~POLY1305_CLAMP_HI) |
			   (saved->h[2] > POLY1305_H2_MAX);

	return !beyond;
}

/*
 * A state that breaks what other code relies on cannot have been exported. It
 * is refused, and the descriptor left as it was.
 */
static int shash_import(struct shash_desc *desc, const void *in)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);
	struct poly1305_mac_ctx *mac = &d->mac;
	struct poly1305_saved saved;
	int err = -EINVAL;

	memcpy(&saved, in, sizeof(saved));
	if (saved.keylen > sizeof(saved.key) ||
	    saved.buflen >= sizeof(saved.buf) ||
	    !saved_permitted(&saved))
		goto out;

	d->keylen = saved.keylen;
	memcpy(d->key, saved.key, sizeof(d->key));
	mac->buflen = saved.buflen;
	memset(mac->buf, 0, sizeof(mac->buf));
	memcpy(mac->buf, saved.buf, saved.buflen);
	memcpy(mac->s, saved.s, sizeof(mac->s));
	memcpy(mac->state.r, saved.r, sizeof(mac->state.r));
	memcpy(mac->state.h, saved.h, sizeof(mac->state.h));
	mac->state.npow = 0;
	mac->state.hint = 0;
	err = 0;
out:
	memzero_explicit(&saved, sizeof(saved));
	return err;
}

/* Compile all of the above once for a row of the table... */
#define DEFINE_IMPL(id, driver, prio, usable_fn, ...)			\
MODULE_ALIAS_CRYPTO(driver);						\
									\
static const struct poly1305_tier tier_##id = {				\
	.name = driver,							\
	__VA_ARGS__							\
};									\
									\
static void update_##id(struct poly1305_mac_ctx *ctx, const void *data,	\
			size_t len)					\
{									\
	ctx_update(&tier_##id, ctx, data, len);				\
}									\
									\
static void final_##id(struct poly1305_mac_ctx *ctx,			\
		       u8 tag[POLY1305_MAC_TAG_SIZE])			\
{									\
	ctx_final(&tier_##id, ctx, tag);				\
}									\
									\
static void digest_##id(const u8 key[POLY1305_MAC_KEY_SIZE],		\
			const void *data, size_t len,			\
			u8 tag[POLY1305_MAC_TAG_SIZE])			\
{									\
	tier_digest(&tier_##id, key, data, len, tag);			\
}									\
									\
static int shash_update_##id(struct shash_desc *desc, const u8 *data,	\
			     unsigned int len)				\
{									\
	desc_update(&tier_##id, shash_desc_ctx(desc), data, len);	\
	return 0;							\
}									\
									\
static int shash_final_##id(struct shash_desc *desc, u8 *tag)		\
{									\
	return desc_final(&tier_##id, shash_desc_ctx(desc), tag);	\
}									\
									\
static int shash_finup_##id(struct shash_desc *desc, const u8 *data,	\
			    unsigned int len, u8 *tag)			\
{									\
	desc_update(&tier_##id, shash_desc_ctx(desc), data, len);	\
	return desc_final(&tier_##id, shash_desc_ctx(desc), tag);	\
}									\
									\
static int shash_digest_##id(struct shash_desc *desc, const u8 *data,	\
			     unsigned int len, u8 *tag)			\
{									\
	if (len < POLY1305_MAC_KEY_SIZE)				\
		return -ENOKEY;						\
	tier_digest(&tier_##id, data, data + POLY1305_MAC_KEY_SIZE,	\
		    len - POLY1305_MAC_KEY_SIZE, tag);			\
	return 0;							\
}

/* ... and list what came out. */
#define IMPL(id, driver, prio, usable_fn, ...)				\
{									\
	.tier = &tier_##id,						\
	.usable = usable_fn,						\
	.update = update_##id,						\
	.final = final_##id,						\
	.digest = digest_##id,						\
	.alg = {							\
		.init = shash_init,					\
		.update = shash_update_##id,				\
		.final = shash_final_##id,				\
		.finup = shash_finup_##id,				\
		.digest = shash_digest_##id,				\
		.export = shash_export,					\
		.import = shash_import,					\
		.digestsize = POLY1305_MAC_TAG_SIZE,			\
		.descsize = sizeof(struct poly1305_desc),		\
		.statesize = sizeof(struct poly1305_saved),		\
		.base = {						\
			.cra_name = "poly1305",				\
			.cra_driver_name = driver,			\
			.cra_priority = prio,				\
			.cra_blocksize = POLY1305_MAC_BLOCK_SIZE,	\
			.cra_module = THIS_MODULE,			\
		},							\
	},								\
},

POLY1305_TIERS(DEFINE_IMPL)

static struct poly1305_impl impls[] = { POLY1305_TIERS(IMPL) };

/* What the exported functions call: the best implementation, once known */
static const struct poly1305_impl *best_impl = &impls[0];
static size_t best_prepared_min = SIZE_MAX;
DEFINE_STATIC_CALL(poly1305_best_update, update_portable);
DEFINE_STATIC_CALL(poly1305_best_final, final_portable);
DEFINE_STATIC_CALL(poly1305_best_digest, digest_portable);

static void use_impl(const struct poly1305_impl *impl)
{
	best_impl = impl;
	best_prepared_min = impl->tier->prepared_min ?: SIZE_MAX;
	static_call_update(poly1305_best_update, impl->update);
	static_call_update(poly1305_best_final, impl->final);
	static_call_update(poly1305_best_digest, impl->digest);
}

void poly1305_mac_init(struct poly1305_mac_ctx *ctx,
		       const u8 key[POLY1305_MAC_KEY_SIZE])
{
	ctx_init(ctx, key);
}
EXPORT_SYMBOL_GPL(poly1305_mac_init);

void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx,
			    const u8 key[POLY1305_MAC_KEY_SIZE],
			    size_t total_len)
{
	ctx_init(ctx, key);
	ctx->state.hint = min_t(size_t, total_len / POLY1305_MAC_BLOCK_SIZE,
				U32_MAX);
}
EXPORT_SYMBOL_GPL(poly1305_mac_init_hint);

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

int poly1305_mac_digest_sg(const u8 key[POLY1305_MAC_KEY_SIZE],
			   struct scatterlist *sgl, size_t len,
			   u8 tag[POLY1305_MAC_TAG_SIZE])
{
	return poly1305_digest_sg(best_impl, key, sgl, len, tag);
}
EXPORT_SYMBOL_GPL(poly1305_mac_digest_sg);

int poly1305_mac_batch(struct poly1305_mac_req *reqs, unsigned int n)
{
	if (n != 1 || reqs->sgl)
		return poly1305_batch(best_impl, reqs, n);
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

	/* Powers that are known must be worth the copy of them. */
	if (len < best_prepared_min) {
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

/*
 * Every implementation that this CPU can run, that passes the self-test and
 * whose name is free is registered. The portable one, the first, must be: the
 * others are compared with it. Nothing can fail the load after the first
 * registration, from which on there may be users.
 */
static int __init poly1305_mod_init(void)
{
	struct poly1305_impl *portable = &impls[0], *best = portable, *impl;
	int err;

	/*
	 * After a section there is nothing to save until the return to user
	 * space. So self-tests reach SIMD from min_len on, whoever loads this.
	 */
	poly1305_fpu_begin();
	poly1305_fpu_end();

	for (impl = impls; impl < impls + ARRAY_SIZE(impls); impl++) {
		if (!impl->usable(&impl->alg.base.cra_priority))
			continue;

		err = poly1305_selftest(impl, portable);
		if (!err) {
			err = crypto_register_shash(&impl->alg);
			if (err)
				pr_err("cannot register %s: error %d\n",
				       impl->alg.base.cra_driver_name, err);
		}
		if (err && impl == portable)
			return err;
		if (err)
			continue;

		impl->registered = true;
		if (impl->alg.base.cra_priority > best->alg.base.cra_priority)
			best = impl;
	}

	use_impl(best);
	return 0;
}

static void __exit poly1305_mod_exit(void)
{
	struct poly1305_impl *impl;

	for (impl = impls; impl < impls + ARRAY_SIZE(impls); impl++)
		if (impl->registered)
			crypto_unregister_shash(&impl->alg);
}

module_init(poly1305_mod_init);
module_exit(poly1305_mod_exit);

MODULE_DESCRIPTION("Poly1305 one-time authenticator");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION("0.1");
MODULE_ALIAS_CRYPTO("poly1305");
