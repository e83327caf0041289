/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The inside of poly1305.ko: what a tier is, and the contract that its code keeps.
 *
 * A tier is an implementation of Poly1305 for some kind of CPU. The files call
 * each other in one direction only, from top to bottom:
 *
 *	poly1305_glue.c		the shash drivers; init chooses the best tier
 *	poly1305_selftest.c	tests a tier before its driver is registered
 *	poly1305_lib.c		the exported functions
 *	poly1305_batch.c	batches and scatterlists
 *	poly1305_tiers.c	the tiers; poly1305_tier_template.h, the path of a
 *				message, is compiled once for each
 *	poly1305_generic.c	the arithmetic, in C; arch/x86 has it in assembly
 *
 * Notation: p = 2^130 - 5. A block of 16 bytes stands for the little-endian
 * number m + 2^128 * hibit; the message m_1 ... m_n for the polynomial
 *
 *	m_1 r^n + m_2 r^(n-1) + ... + m_n r	(mod p),
 *
 * which is built up block by block as h = (h + m_i) r.
 *
 * The state
 * ---------
 * Between calls struct poly1305_mac_state has this form, whatever code ran last:
 *
 *  - h[0] + 2^64 h[1] + 2^128 h[2] is congruent to the value so far. h[2] <= 4, so
 *    h < 2^130 + 2^128 < 2p: one conditional subtraction reduces it. If unfolded is 1,
 *    however, h[2] may be anything below 2^63. Any block function may leave such an h.
 *    Only one that says so takes it; before all others, poly1305_fold() is called.
 *  - r[0] + 2^64 r[1] is clamped: r[0] < 2^60, r[1] < 2^60, and r[1] is a
 *    multiple of 4.
 *  - npow powers of r are known, r^1 to r^npow; npow is 0 or at most
 *    POLY1305_MAC_POWERS. r^k is pow[0][8-k] + 2^44 pow[1][8-k]
 *    + 2^88 pow[2][8-k] (mod p), with limbs below 2^45, 2^45 and 2^43. These
 *    bounds exceed the radix, so that the last carries may be left out. The
 *    highest power comes first because lane j of 8 takes the j-th block of a
 *    group. Entries of pow for powers above npow are undefined. The powers only
 *    cache what follows from r: any code may extend, use or ignore them, and
 *    they are never exported.
 *  - own is 0, or what the code of avx2 and avx512f remembers; any other code leaves it
 *    alone. With npow = 0 that code may have left powers in a form of its own in pow,
 *    which poly1305-offsets.h describes. Code that writes to pow in the common form sets
 *    npow, which ends that.
 *  - hint is the number of blocks that the caller announced, or 0.
 *
 * Inside, a block function works in any radix and with any number of lanes.
 *
 * Block functions: poly1305_blocks_fn
 * -----------------------------------
 * Does h = (h + block + 2^128 * hibit) r for each of nblocks blocks of 16
 * bytes. hibit is 1, or 0 for a last block that contains its own 1 bit.
 *
 *  - Any nblocks gives the right state, 0 and small numbers included. When a
 *    block function pays is for the caller to decide.
 *  - data needs no alignment, state only that of a u64. Nothing outside
 *    data[0 .. 16 * nblocks - 1] is read, not even by lanes of a masked load
 *    that could fault.
 *  - No branch, address or operand of a variable-time instruction depends on h,
 *    r, pow or data. They may depend on nblocks, hibit, npow, hint, own
 *    and unfolded.
 *  - On return no vector register, no general register that the code has
 *    written, and nothing below the stack pointer holds key material: r, powers
 *    of r, h, message.
 *  - It runs inside a kernel FPU section if and only if it belongs to a tier's
 *    simd code.
 *
 * Digest functions: poly1305_digest_fn
 * ------------------------------------
 * Computes the tag of a whole message of any length, 0 included, under the same
 * rules; tag may overlap key or data. Code has one if it can do better than to
 * go through a state in memory, block by block. A parts function does the same for
 * whole blocks in parts: one block at the beginning of ends, if there are three parts,
 * len bytes at data, and the other two blocks of ends. It may read the block before ends,
 * whose contents do not matter.
 *
 * Lanes functions: poly1305_lanes_fn
 * ----------------------------------
 * Computes the tags of n messages, each in one buffer, of any lengths, under the
 * same rules. n is a multiple of the number of lanes and not 0. The function
 * takes one message for each lane at a time; it is fast if their lengths are about
 * the same. It reads all messages and keys of one such group before it writes the
 * first of their tags.
 *
 * Run functions: poly1305_run_fn
 * ------------------------------
 * Does the same for requests that stand beside each other in memory. It stops at
 * the first group of lanes in which some message is not as long as the first
 * message of all, and returns the number of tags that it has computed. So its
 * caller need not look at each request. No request may have a scatterlist.
 */

#ifndef POLY1305_CORE_H
#define POLY1305_CORE_H

#include "compat.h"
#include <linux/kernel.h>

#include "poly1305.h"

#ifdef POLY1271
#include "poly1271_core.h"
#else
#define POLY1305_NAME		"poly1305"
#define POLY1305_TITLE		"Poly1305 one-time authenticator"

/* r &= 0x0ffffffc0ffffffc0ffffffc0fffffff, as two words */
#define POLY1305_CLAMP_LO	0x0ffffffc0fffffffULL
#define POLY1305_CLAMP_HI	0x0ffffffc0ffffffcULL

/* The upper words of the greatest h of a state; whether h is beyond it */
#define POLY1305_H1_MAX		U64_MAX
#define POLY1305_H2_MAX		4
#define POLY1305_H_BEYOND(h)	((h)[2] > POLY1305_H2_MAX)

/* Whether the library has more than init, update, final, digest and verify */
#define POLY1305_WHOLE_LIBRARY	true

/*
 * The identifiers of all tiers. The first is portable, which all others are compared with.
 * That of the driver poly1305-NAME is NAME.
 */
#ifdef CONFIG_X86_64
#ifdef POLY1305_AVXIFMA
#define POLY1305_IF_AVXIFMA(each) each(avxifma)
#else
#define POLY1305_IF_AVXIFMA(each)
#endif
#define POLY1305_TIERS(each)						\
	each(portable) each(x86_64) each(sse2) each(avx2)		\
	POLY1305_IF_AVXIFMA(each) each(avx512f) each(avx512)
#else
#define POLY1305_TIERS(each)	each(portable)
#endif
#endif

/* The most lanes that a lanes function has */
#define POLY1305_LANES_MAX	8

struct shash_alg;
struct shash_desc;

typedef void (poly1305_blocks_fn)(struct poly1305_mac_state *state,
				  const u8 *data, size_t nblocks, u32 hibit);
typedef void (poly1305_digest_fn)(const u8 key[POLY1305_MAC_KEY_SIZE],
				  const u8 *data, size_t len,
				  u8 tag[POLY1305_MAC_TAG_SIZE]);
typedef void (poly1305_parts_fn)(const u8 key[POLY1305_MAC_KEY_SIZE],
				 const u8 *data, size_t len,
				 const u8 ends[3 * POLY1305_MAC_BLOCK_SIZE],
				 bool three, u8 tag[POLY1305_MAC_TAG_SIZE]);
typedef void (poly1305_lanes_fn)(const struct poly1305_mac_req *const reqs[],
				 unsigned int n);
typedef unsigned int (poly1305_run_fn)(const struct poly1305_mac_req *reqs,
				       unsigned int n);

/**
 * struct poly1305_code - arithmetic for one message
 * @blocks: the block function
 * @unfolds: whether @blocks takes an unfolded h
 * @has_digest: whether there is a @digest
 * @digest: the digest function
 * @digest_below: the least length in bytes for which @blocks is faster, or NULL
 * @parts: the parts function
 * @parts_from: the least number of blocks that it takes, 0 if there is none
 * @parts_below: the least number that it does not take, or NULL
 *
 * @unfolds counts for scalar code alone, @digest_below and the members behind it for code
 * with vectors alone.
 *
 * Here and below, has_ members say what a NULL pointer could. The kernel is built
 * with -fno-delete-null-pointer-checks: a compiler would load the address of a
 * function to compare it with NULL.
 */
struct poly1305_code {
	poly1305_blocks_fn *blocks;
	bool unfolds;
	bool has_digest;
	poly1305_digest_fn *digest;
	const u64 *digest_below;
	poly1305_parts_fn *parts;
	size_t parts_from;
	const u64 *parts_below;
};

/*
 * Classes of lengths for struct poly1305_lanes_win: below 16 bytes, 48, 112, 240, 496,
 * 1008, 2032 and 4080
 */
#define POLY1305_LEN_CLASSES	8

/**
 * struct poly1305_lanes_win - when a lanes function beats one message at a time
 * @min_mean: the least mean of (length + 16) for which a search for groups that win
 *	pays; a long batch pays also if no message is shorter than @min_len
 * @min_len: the least length that the longest message of a group may have, if all
 *	lengths are equal, and if they differ
 * @min_run: the least length of the messages of a run
 * @max_len: the greatest length that any message may have, below 4080
 * @need: the cost of a group, in sixteenths of its longest message alone, by the
 *	class of that message: need[0] if all lengths are equal, else need[1]. The
 *	group wins if the sum of (length + 16) over its messages is at least
 *	need / 16 * (longest + 16).
 */
struct poly1305_lanes_win {
	size_t min_mean;
	size_t min_len[2];
	size_t min_run;
	size_t max_len;
	u8 need[2][POLY1305_LEN_CLASSES];
};

/**
 * struct poly1305_lanes - a lanes function
 * @name: the prefix of the fault that FAULT=1 can inject into its tags
 * @width: how many messages it takes at a time, a power of 2
 * @batch: the lanes function
 * @has_run: whether there is a @run
 * @run: the run function that goes with it
 * @win: when they win
 */
struct poly1305_lanes {
	const char *name;
	unsigned int width;
	poly1305_lanes_fn *batch;
	bool has_run;
	poly1305_run_fn *run;
	const struct poly1305_lanes_win *win;
};

/**
 * struct poly1305_simd_from - the least length for which SIMD beats scalar code
 * @saved: when a section finds nothing in the FPU registers that it must save
 * @piece: the same for one of many updates, as powers of r may be known from the others
 * @cold: when they hold the state of a user process
 */
struct poly1305_simd_from {
	size_t saved;
	size_t piece;
	size_t cold;
};

/*
 * struct poly1305_ops - what poly1305_tier_template.h makes of a tier
 *
 * The functions behind those of poly1305.h and of the tier's shash driver. All may be
 * called in any context. They begin FPU sections themselves. aead is NULL where the
 * library has no such function.
 */
struct poly1305_ops {
	void (*update)(struct poly1305_mac_ctx *ctx, const void *data,
		       size_t len);
	void (*final)(struct poly1305_mac_ctx *ctx,
		      u8 tag[POLY1305_MAC_TAG_SIZE]);
	void (*digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
		       size_t len, u8 tag[POLY1305_MAC_TAG_SIZE]);
	void (*aead)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *ad,
		     size_t ad_len, const void *text, size_t len,
		     u8 tag[POLY1305_MAC_TAG_SIZE]);
	int (*shash_update)(struct shash_desc *desc, const u8 *data,
			    unsigned int len);
	int (*shash_final)(struct shash_desc *desc, u8 *tag);
	int (*shash_finup)(struct shash_desc *desc, const u8 *data,
			   unsigned int len, u8 *tag);
	int (*shash_digest)(struct shash_desc *desc, const u8 *data,
			    unsigned int len, u8 *tag);
};

/**
 * struct poly1305_tier - an implementation of Poly1305 for some kind of CPU
 * @name: the name of its shash driver
 * @priority: the priority of its driver; the exported functions use the tier of
 *	the highest priority that is usable
 * @usable: whether this CPU and this kernel can run it. It may change the priority
 *	where the CPU makes the tier a bad choice, or a better one.
 * @scalar: code that needs no FPU section
 * @has_simd: whether there is a @simd
 * @simd: code that must run in FPU sections
 * @simd_from: the length from which @simd wins over @scalar. On x86-64 this is part of
 *	the preset for the CPU, as is @win of @lanes and @pairs.
 * @quick: scalar code for messages shorter than *@quick_below, for which no other threshold counts
 * @quick_parts: the same for whole blocks in parts, as few as two
 * @quick_below: the least length that these two do not take, or NULL if there are none
 * @section_len: the most bytes for one FPU section
 * @prepared_from: the least length of a message in one piece for which known powers
 *	of r win, or 0 if they never do; docs/poly1305-aes.md has the figures
 * @lanes: lanes of vectors, which run in FPU sections, or NULL
 * @pairs: two lanes in the general registers, without FPU sections, for messages that
 *	@lanes does not take, or NULL
 * @ops: the functions that use all of this
 */
struct poly1305_tier {
	const char *name;
	int priority;
	bool (*usable)(int *priority);
	struct poly1305_code scalar;
	bool has_simd;
	struct poly1305_code simd;
	const struct poly1305_simd_from *simd_from;
	poly1305_digest_fn *quick;
	poly1305_parts_fn *quick_parts;
	const size_t *quick_below;
	size_t section_len;
	size_t prepared_from;
	const struct poly1305_lanes *lanes;
	const struct poly1305_lanes *pairs;
	const struct poly1305_ops *ops;
};

#define POLY1305_PLUS_ONE(id)	+ 1
#define POLY1305_NTIERS		(0 POLY1305_TIERS(POLY1305_PLUS_ONE))

/* poly1305_generic.c */
poly1305_blocks_fn poly1305_blocks_generic;
void poly1305_emit(const u64 h[3], const u64 s[2],
		   u8 tag[POLY1305_MAC_TAG_SIZE]);
#if defined(CONFIG_ARCH_SUPPORTS_INT128) && defined(__SIZEOF_INT128__)
void poly1305_extend_powers(struct poly1305_mac_state *state);
#else
/* The 32-bit arithmetic uses no powers, and no other tier runs on such a CPU. */
static inline void poly1305_extend_powers(struct poly1305_mac_state *state)
{
}
#endif

/*
 * poly1305_tiers.c. poly1305_arch_init() sets the thresholds for this CPU, before the
 * first use of a tier.
 */
void poly1305_arch_init(void);
extern const struct poly1305_tier *const poly1305_tiers[POLY1305_NTIERS];

/*
 * Whether a tier can run here, as its @usable says. KMSAN does not see what assembly writes, so
 * with it there is only the portable tier.
 */
static inline bool poly1305_usable(const struct poly1305_tier *tier, int *priority)
{
#ifdef CONFIG_KMSAN
	if (tier != poly1305_tiers[0])
		return false;
#endif
	return tier->usable(priority);
}

bool poly1305_section_begin(const struct poly1305_tier *tier, size_t len);
void poly1305_section_end(void);
#ifdef POLY1305_FAULT
void poly1305_inject_fault(const struct poly1305_tier *tier, const char *where,
			   void *result);
#else
static inline void poly1305_inject_fault(const struct poly1305_tier *tier,
					 const char *where, void *result)
{
}
#endif

/* poly1305_batch.c: poly1305_mac_digest_sg() and poly1305_mac_batch() of a tier */
int poly1305_digest_sg(const struct poly1305_tier *tier,
		       const u8 key[POLY1305_MAC_KEY_SIZE],
		       struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);
int poly1305_batch(const struct poly1305_tier *tier,
		   const struct poly1305_mac_req *reqs, unsigned int n);

/* poly1305_lib.c: makes the exported functions use the tier */
void poly1305_use_tier(const struct poly1305_tier *tier);

/*
 * poly1305_selftest.c: returns 0, or -EBADMSG after one line in the log that says
 * what differed. alg is the driver of the tier.
 */
int poly1305_selftest(const struct poly1305_tier *tier,
		      const struct shash_alg *alg);

/* Brings an unfolded h into the form with h[2] <= 4, by 2^130 = 5 (mod p). */
static __always_inline void poly1305_fold(struct poly1305_mac_state *state)
{
	u64 *h = state->h, carry = (h[2] >> 2) * 5;

	if (!state->unfolded)
		return;
	h[0] += carry;
	carry = h[0] < carry;
	h[1] += carry;
	carry = h[1] < carry;
	h[2] = (h[2] & 3) + carry;
	state->unfolded = 0;
}

static __always_inline void
poly1305_init_state(struct poly1305_mac_state *state,
		    const u8 r[POLY1305_MAC_KEY_SIZE / 2])
{
	state->h[0] = 0;
	state->h[1] = 0;
	state->h[2] = 0;
	state->r[0] = get_unaligned_le64(r) & POLY1305_CLAMP_LO;
	state->r[1] = get_unaligned_le64(r + 8) & POLY1305_CLAMP_HI;
	state->npow = 0;
	state->hint = 0;
	state->own = 0;
	state->unfolded = 0;
}

/* Begin a message of about total_len bytes, or of unknown length if that is 0. */
static __always_inline void poly1305_ctx_init(struct poly1305_mac_ctx *ctx,
					      const u8 key[POLY1305_MAC_KEY_SIZE],
					      size_t total_len)
{
	poly1305_init_state(&ctx->state, key);
	if (total_len)
		ctx->state.hint = min_t(size_t, U32_MAX,
					total_len / POLY1305_MAC_BLOCK_SIZE);
	ctx->s[0] = get_unaligned_le64(key + 16);
	ctx->s[1] = get_unaligned_le64(key + 24);
	ctx->buflen = 0;
}

#endif /* POLY1305_CORE_H */
