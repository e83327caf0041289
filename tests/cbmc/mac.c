// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_tier.h for the tier ISA, what it calls in poly1305_tiers.c and poly1305_core.h, and
 * poly1305_desc.h: each function once, with any arguments, on any context or descriptor that they
 * may leave. So the assertions hold for any order of calls with any lengths.
 *
 * With SIMD_FROM an update is that of a tier of the harness, which differs from x86's with that
 * simd_from in no more than the names of functions.
 *
 * Block functions demand what poly1305_core.h says of states, and leave any state that it allows.
 * Byte number any of the message stands for all, word pow_any for all of pow.
 */

#include <linux/string.h>
#include "../../compat.h"
#include "ghost.h"
#ifdef SIMD_FROM
/* A tier of the harness in place of x86's, so that only one loop over sections is there */
#include "../../poly1305_core.h"
#include "../../arch/x86/poly1305-fpu.h"
#define POLY1305_X86_H
static const struct poly1305_tier tier_x86_64, tier_sse2, tier_avx2, tier_avx512;
#endif
#include "../../poly1305_tiers.c"

#ifndef ISA
#define ISA		portable
#endif
#define GLUED(a, b)	a##_##b
#define GLUE(a, b)	GLUED(a, b)
#define OF(name)	GLUE(name, ISA)

typedef unsigned __int128 u128;

bool poly1305_has_mulx;

static struct poly1305_mac_ctx mac;
static bool powers;			/* the tier's vector code has left powers in pow */
static size_t pow_any;
static u64 pow_word;

/* The message: had bytes that are in the context, and those from the caller */
static const u8 *from, *key;
static size_t had, total, any, done;
static u8 byte_any;
static bool ended, tagged;
static size_t wiped;			/* bytes that memset() has wiped last */

static bool good_state(const struct poly1305_mac_state *state)
{
	return state->h[2] <= 4 && !(state->r[0] & ~0x0ffffffc0fffffffULL) &&
	       !(state->r[1] & ~0x0ffffffc0ffffffcULL) &&
	       (!state->have_powers || (powers && state->pow[pow_any] == pow_word));
}

/* Whether the bytes of a block from number n on are zeros, 0 < n < 16 */
static bool zeros_from(const u8 *block, unsigned int n)
{
	const u64 lo = get_unaligned_le64(block), hi = get_unaligned_le64(block + 8);

	return n < 8 ? !hi && !(lo >> 8 * n) : !(hi >> 8 * (n - 8));
}

/* Any context between init and final */
static bool good(const struct poly1305_mac_ctx *ctx)
{
	return good_state(&ctx->state) && ctx->buflen < 16 &&
	       (!ctx->buflen || zeros_from(ctx->buf, ctx->buflen));
}

void *ghost_memset(void *to, int c, size_t n)
{
	static const struct poly1305_desc no_desc;

	NEED(writable(to, n) && !c, "memset: writable, zeros");
	if (n == sizeof(no_desc))
		*(struct poly1305_desc *)to = no_desc;
	wiped = n;
	return to;
}

/* Up to a key */
void *ghost_memcpy(void *to, const void *source, size_t n)
{
	const size_t at = OFFSET(to) - OFFSET(mac.buf);
	u8 *bytes = to;
	u128 block, part = 0;
	size_t i;

	NEED(n <= 32 && readable(source, n) && writable(to, n), "memcpy: places");
	NEED(apart(to, n, source, n), "memcpy: apart");
	if (SAME(to, &mac)) {
		/* A block is a number here, which is easier to prove. */
		NEED(at < 16 && n < 16 && at + n <= 16, "memcpy: a block has 16 bytes");
		block = get_unaligned_le64(mac.buf + 8);
		block = block << 64 | get_unaligned_le64(mac.buf);
		for (i = 0; i < 16; i++)
			if (i < n)
				part |= (u128)((const u8 *)source)[i] << 8 * i;
		block = (block & ~((((u128)1 << 8 * n) - 1) << 8 * at)) | part << 8 * at;
		put_unaligned_le64(block, mac.buf);
		put_unaligned_le64(block >> 64, mac.buf + 8);
		return to;
	}
	for (i = 0; i < 32; i++)
		if (i < n)
			bytes[i] = ((const u8 *)source)[i];
	return to;
}

static void blocks(struct poly1305_mac_state *state, const u8 *data, size_t n, u32 hibit)
{
	NEED(readable(data, 16 * n) && writable(state, sizeof(*state)), "blocks: places");
	NEED(apart(data, 16 * n, state, sizeof(*state)), "blocks: data is apart from state");
	NEED(good_state(state), "blocks: a state that poly1305_core.h allows");
	NEED(!ended && hibit <= 1, "blocks: hibit is 0 or 1, and 0 comes last");
	if (hibit) {
		NEED(16 * n <= total - done, "blocks: no more than the message");
		NEED(from && SAME(data, from) ? data == from + (done - had) && done >= had :
		     any - done >= 16 * n || data[any - done] == byte_any,
		     "blocks: the message in order");
		done += 16 * n;
	} else {
		NEED(n == 1 && done < total && total - done < 16, "blocks: the last block");
		NEED(any - done >= 16 || data[any - done] == byte_any, "blocks: the end");
		NEED(data[total - done] == 1, "blocks: the byte 1 after the message");
		NEED(total - done == 15 || zeros_from(data, total - done + 1),
		     "blocks: zeros after the byte 1");
		ended = true;
	}
	state->h[0] = nondet_u64();
	state->h[1] = nondet_u64();
	state->h[2] = nondet_u64();
	GIVEN(state->h[2] <= 4);
}

static void scalar(struct poly1305_mac_state *state, const u8 *data, size_t n, u32 hibit)
{
	NEED(!section, "scalar code in no FPU section");
	blocks(state, data, n, hibit);
}

static void simd(struct poly1305_mac_state *state, const u8 *data, size_t n, u32 hibit)
{
	NEED(section, "vector code in an FPU section");
	NEED(n <= 4096, "a section that is short enough");
	blocks(state, data, n, hibit);
	if (nondet_bool()) {
		powers = true;
		pow_word = nondet_u64();
		state->have_powers = nondet_u32();
		state->pow[pow_any] = pow_word;
	}
}

/* poly1305_tail(), as it is proved */
void ghost_tail(u8 *buf, const u8 *end, size_t tail, size_t n)
{
	const size_t begin = had + (size_t)(end - from) - tail;

	NEED(tail > 0 && tail < 16 && tail <= n && readable(end - n, n) && writable(buf, 16),
	     "tail: places");
	put_unaligned_le64(nondet_u64(), buf);
	put_unaligned_le64(nondet_u64(), buf + 8);
	GIVEN(zeros_from(buf, tail));
	if (any >= begin && any - begin < tail)
		GIVEN(buf[any - begin] == byte_any);
}

/* A message in one buffer */
static void digest(const u8 *k, const u8 *data, size_t n, u8 *tag)
{
	NEED(k == key && data == from && n == total && writable(tag, 16), "digest: the message");
	NEED(!tagged, "digest: once");
	tagged = true;
}

void ghost_digest(const u8 *k, const void *data, size_t n, u8 *tag)
{
	NEED(!section, "scalar code in no FPU section");
	digest(k, data, n, tag);
}

#define SCALAR(isa)								\
void poly1305_blocks_##isa(struct poly1305_mac_state *state, const u8 *data,	\
			   size_t n, u32 hibit)					\
{										\
	NEED(OF(tier).scalar.blocks == poly1305_blocks_##isa, "the tier's code");	\
	scalar(state, data, n, hibit);						\
}

#define SIMD(isa)								\
void poly1305_blocks_##isa(struct poly1305_mac_state *state, const u8 *data,	\
			   size_t n, u32 hibit)					\
{										\
	NEED(OF(tier).simd.blocks == poly1305_blocks_##isa, "the tier's code");	\
	simd(state, data, n, hibit);						\
}

#define SCALAR_DIGEST(isa)							\
void poly1305_digest_##isa(const u8 *k, const u8 *data, size_t n, u8 *tag)	\
{										\
	ghost_digest(k, data, n, tag);						\
}

#define SIMD_DIGEST(isa)							\
void poly1305_digest_##isa(const u8 *k, const u8 *data, size_t n, u8 *tag)	\
{										\
	NEED(section && n <= 65536, "vector code in a short FPU section");	\
	NEED(OF(tier).simd.digest == poly1305_digest_##isa, "the tier's code");	\
	digest(k, data, n, tag);						\
}

#ifdef SIMD_FROM
static const struct poly1305_tier tier_vectors;

SCALAR(generic)
SCALAR(mulx)
SIMD(avx2)

#define TIER			tier_vectors
#define TIER_OPS		ops_vectors
#define TIER_SIMD_BLOCKS	simd_blocks_vectors
#define TIER_UPDATE		update_vectors
#define TIER_UPDATE_BUFFER	update_buffer_vectors
#define TIER_FINAL		final_vectors
#define TIER_DIGEST_CTX		digest_ctx_vectors
#define TIER_DIGEST		digest_vectors
#define TIER_SHASH_UPDATE	shash_update_vectors
#define TIER_SHASH_FINAL	shash_final_vectors
#define TIER_SHASH_FINUP	shash_finup_vectors
#define TIER_SHASH_DIGEST	shash_digest_vectors
#include "../../poly1305_tier.h"

static const struct poly1305_tier tier_vectors = {
	.scalar = { poly1305_blocks_mulx },
	.simd = { poly1305_blocks_avx2 },
	.simd_from = SIMD_FROM,
};
#else
SCALAR(generic)
SCALAR(x86_64)
SCALAR(mulx)
SIMD(sse2)
SIMD(avx2)
SIMD(avx512)
SCALAR_DIGEST(x86_64)
SCALAR_DIGEST(mulx)
SIMD_DIGEST(avx2)
SIMD_DIGEST(avx512)
#endif

void poly1305_emit(const u64 h[3], const u64 s[2], u8 tag[16])
{
	NEED(h[2] <= 4 && !section && writable(tag, 16), "emit: h is below 2p");
	NEED(ended ? total : done == total, "emit: after the whole message");
	tagged = true;
}

/* What poly1305_tier.h is proved to do, for the shash drivers */
void ghost_update(struct poly1305_mac_ctx *ctx, const void *data, size_t n)
{
	NEED(good(ctx) && n && data == from + done && n == total - done,
	     "update: the rest of the input");
	done += n;
}

void ghost_final(struct poly1305_mac_ctx *ctx, u8 *tag)
{
	NEED(good(ctx) && writable(tag, 16), "final: a context");
	tagged = true;
}

static u64 clamped(size_t word)
{
	return word ? POLY1305_CLAMP_HI : POLY1305_CLAMP_LO;
}

/* Any descriptor between calls */
static bool good_desc(const struct poly1305_desc *d, size_t prefix_size)
{
	return d->prefix_len <= prefix_size && (d->prefix_len < prefix_size || good(&d->mac));
}

static struct {
	struct shash_desc base;
	struct poly1305_desc ctx;
} desc, other;

int main(void)
{
	struct poly1305_mac_ctx any_ctx;
	struct poly1305_desc any_desc;
	const size_t word = nondet_size(), k = nondet_size(), all_words = nondet_size();
	const size_t prefix_size = nondet_bool() ? 16 : 32;
	u8 tag[16], key_bytes[32], buf[16];
	size_t len = nondet_size();
	u64 r[2], before;

	(void)tag;
	section = false;
	powers = nondet_bool();
	shim_fpu_saved = nondet_bool();
	ended = false;
	tagged = false;
	wiped = 0;
	done = 0;
	had = 0;
	pow_any = nondet_size();
	pow_word = nondet_u64();
	any = nondet_size();
	key = key_bytes;
	mac = any_ctx;
	desc.ctx = any_desc;
	GIVEN(word < 2 && k < 32 && pow_any < 24 && len <= 1UL << 48);
#ifdef TAIL
	/* The end of a text, of which nothing else may be read */
	had = nondet_size();
	GIVEN(had && had < 16 && had <= len && k < 16);
	from = any_bytes(len);
	byte_any = k < had ? from[len - had + k] : 0;
	poly1305_tail(buf, from + len, had, len);
	NEED(buf[k] == byte_any, "the end of the text, and zeros");
#elif defined(UPDATE)
	GIVEN(good(&mac));
	from = any_bytes(len);
	had = mac.buflen;
	total = had + len;
	GIVEN(total ? any < total : any == SIZE_MAX);
	if (total)
		byte_any = any < had ? mac.buf[any] : from[any - had];
	before = mac.s[word];
	r[word] = mac.state.r[word];
	OF(update)(&mac, from, len);
	NEED(good(&mac) && !section, "a context in order");
	NEED(done + mac.buflen == total, "the whole message");
	NEED(any - done >= mac.buflen || mac.buf[any - done] == byte_any, "the rest is kept");
	NEED(mac.s[word] == before && mac.state.r[word] == r[word], "the key stays");
#elif defined(FINAL)
	GIVEN(good(&mac));
	had = mac.buflen;
	total = had;
	GIVEN(total ? any < total : any == SIZE_MAX);
	if (total)
		byte_any = mac.buf[any];
	GIVEN(all_words < sizeof(mac) / 8);
	OF(final)(&mac, tag);
	NEED(tagged && ended == !!had, "the tag");
	NEED(!((u64 *)&mac)[all_words], "the context is wiped");
#elif defined(DIGEST)
	from = any_bytes(len);
	total = len;
	NEED(OF(tier).simd_from == LEAST, "simd_from of the proof of update");
	OF(digest)(key, from, len, tag);
	NEED(tagged && !section, "the tag");
#elif defined(SHASH)
	GIVEN(len <= UINT_MAX && good_desc(&desc.ctx, 32));
	from = any_bytes(len);
	total = len;
	had = desc.ctx.prefix_len;
	if (had < 32)
		powers = false;		/* of another key, if any */
	done = min_t(size_t, len, 32 - had);
	if (k < had)
		byte_any = desc.ctx.prefix[k];
	else if (k < had + done)
		byte_any = from[k - had];
	OF(shash_update)(&desc.base, from, len);
	NEED(done == total && desc.ctx.prefix_len == min_t(size_t, had + len, 32),
	     "all of the input");
	NEED(good_desc(&desc.ctx, 32), "a descriptor in order");
	if (desc.ctx.prefix_len < 32)
		NEED(k >= had + len || desc.ctx.prefix[k] == byte_any, "the key, so far");
	else if (had < 32)
		NEED(wiped == 32 && (k < 16 ? ((u8 *)desc.ctx.mac.state.r)[k] ==
		     (byte_any & (u8)(clamped(k / 8) >> 8 * (k & 7))) :
		     ((u8 *)desc.ctx.mac.s)[k - 16] == byte_any), "the key");
#elif defined(SHASH_END)
	GIVEN(good_desc(&desc.ctx, 32));
	had = desc.ctx.prefix_len;
	NEED(OF(shash_final)(&desc.base, tag) == (had == 32 ? 0 : -ENOKEY), "0, or -ENOKEY");
	NEED(tagged == (had == 32) && !desc.ctx.prefix_len, "a tag, and the driver's next message");
	tagged = false;
	GIVEN(len <= UINT_MAX);
	key = any_bytes(len);
	from = key + 32;
	total = len - 32;
	NEED(OF(shash_digest)(&desc.base, key, len, tag) == (len >= 32 ? 0 : -ENOKEY),
	     "0, or -ENOKEY");
	NEED(tagged == (len >= 32), "a tag");
#elif defined(IMPORT)
	/* A state that nobody exported */
	struct poly1305_saved hostile;
	int result;

	desc.ctx.prefix_len = nondet_u32();
	GIVEN(all_words < sizeof(desc.ctx) / 8);
	before = ((u64 *)&desc.ctx)[all_words];
	r[0] &= POLY1305_CLAMP_LO;
	r[1] &= POLY1305_CLAMP_HI;
	powers = false;
	result = poly1305_import(&desc.ctx, prefix_size, prefix_size == 16 ? r : NULL, &hostile);
	NEED(!result || result == -EINVAL, "0, or -EINVAL");
	NEED(result ? before == ((u64 *)&desc.ctx)[all_words] : good_desc(&desc.ctx, prefix_size),
	     "a descriptor in order, or as it was");
	NEED(wiped == sizeof(hostile), "the copy is wiped");
#elif defined(EXPORT)
	struct poly1305_saved out;

	GIVEN(good_desc(&desc.ctx, prefix_size));
	poly1305_export(&desc.ctx, prefix_size, &out);
	NEED(wiped == sizeof(out), "the copy is wiped");
	NEED(prefix_size == 32 || !out.r[word], "a set key is not exported");
	powers = false;
	NEED(!poly1305_import(&other.ctx, prefix_size,
			      prefix_size == 16 ? desc.ctx.mac.state.r : NULL, &out),
	     "what was exported is imported");
	NEED(good_desc(&other.ctx, prefix_size) && other.ctx.prefix_len == desc.ctx.prefix_len,
	     "a descriptor in order");
	if (desc.ctx.prefix_len < prefix_size) {
		NEED(k >= desc.ctx.prefix_len || other.ctx.prefix[k] == desc.ctx.prefix[k],
		     "the same prefix");
		return 0;
	}
	NEED(other.ctx.mac.buflen == desc.ctx.mac.buflen &&
	     (k >= other.ctx.mac.buflen || other.ctx.mac.buf[k] == desc.ctx.mac.buf[k]),
	     "the same rest of the message");
	NEED(other.ctx.mac.state.h[word] == desc.ctx.mac.state.h[word] &&
	     other.ctx.mac.state.h[2] == desc.ctx.mac.state.h[2] &&
	     other.ctx.mac.state.r[word] == desc.ctx.mac.state.r[word] &&
	     other.ctx.mac.s[word] == desc.ctx.mac.s[word], "the same state");
#endif
	return 0;
}
