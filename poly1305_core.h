/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The inside of poly1305.ko: the contract between the glue and the arithmetic.
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
 * Between calls struct poly1305_mac_state has one form, whatever code ran last:
 *
 *  - h[0] + 2^64 h[1] + 2^128 h[2] is congruent to the value so far, h[2] <= 4.
 *    So h < 2^130 + 2^128 < 2p: one conditional subtraction reduces it.
 *  - r[0] + 2^64 r[1] is clamped: r[0] < 2^60, r[1] < 2^60, and r[1] is a
 *    multiple of 4.
 *  - npow powers of r are known, r^1 to r^npow; npow is 0 or at most
 *    POLY1305_MAC_POWERS. r^k is pow[0][8-k] + 2^44 pow[1][8-k]
 *    + 2^88 pow[2][8-k] (mod p), with limbs below 2^45, 2^45 and 2^43: a bit
 *    more than the radix, so that a producer need not carry to the end. Highest
 *    power first is the order in which the lanes of a vector want them: lane j
 *    of 8 takes the j-th block of a group. What stands in pow for greater
 *    powers is undefined. The powers are a cache of what follows from r: any
 *    code may add to them, use them or ignore them, and nobody exports them.
 *  - hint is the number of blocks that the caller announced, 0 if he did not.
 *
 * Inside, a block function works in any radix and with any number of lanes.
 *
 * Block functions
 * ---------------
 * void blocks(struct poly1305_mac_state *state, const u8 *data,
 *	       size_t nblocks, u32 hibit);
 *
 * does h = (h + block + 2^128 * hibit) r for each of nblocks blocks of 16
 * bytes. hibit is 1, or 0 for a last block that carries its 1 bit inside.
 *
 *  - Any nblocks, 0 included, gives the right state, however few; speed is the
 *    glue's concern.
 *  - data needs no alignment, state no more than that of a u64. Nothing outside
 *    data[0 .. 16 * nblocks - 1] is read, not even by a masked load's shadow
 *    that could fault.
 *  - No branch, address or operand of a variable-time instruction depends on h,
 *    r, pow or data. They may depend on nblocks, hibit, npow and hint.
 *  - On return no vector register, and nothing below the stack pointer, holds
 *    key material: r, powers of r, h, message. Nor does any general register
 *    that the code has written.
 *  - It runs inside a kernel FPU section if and only if its row in the glue's
 *    table says simd.
 *
 * Digest functions
 * ----------------
 * void digest(const u8 key[32], const u8 *data, size_t len, u8 tag[16]);
 *
 * computes the tag of a whole message of any length, 0 included, under the same
 * rules; tag may overlap key or data. It is an option: an implementation has one
 * if it can do better than to go through a state in memory, block by block.
 *
 * Lanes functions
 * ---------------
 * void batch(const struct poly1305_mac_req *const reqs[], unsigned int n);
 *
 * computes the tags of n messages, a multiple of the row's lanes and not 0, each
 * in one buffer, of any lengths, under the same rules. It takes as many as there
 * are lanes at a time, and is fast if their lengths are about the same. Of these
 * all messages and keys are read before the first tag is written.
 *
 * Run functions
 * -------------
 * unsigned int run(const struct poly1305_mac_req *reqs, unsigned int n);
 *
 * does the same for messages whose requests stand beside each other, n as there,
 * as many lanes at a time as long as all of them are as long as the first message.
 * So nobody else need look at each request. No request may have a list. It returns
 * how many tags it has computed.
 */

#ifndef POLY1305_CORE_H
#define POLY1305_CORE_H

#include <crypto/internal/hash.h>

#include "poly1305.h"

/* r &= 0x0ffffffc0ffffffc0ffffffc0fffffff, as two words */
#define POLY1305_CLAMP_LO	0x0ffffffc0fffffffULL
#define POLY1305_CLAMP_HI	0x0ffffffc0ffffffcULL

/* h[2] <= this in every state */
#define POLY1305_H2_MAX		4

/* The most lanes that a lanes function has */
#define POLY1305_LANES_MAX	8

/*
 * The least of what kernels from 5.10 to 7.2 allow a descriptor (360 bytes, 361
 * on 7.2) and an exported state (345 bytes, on 7.2)
 */
#define POLY1305_STATE_MAX	345

/* poly1305_generic.c: for every CPU, in plain C */
void poly1305_init_state(struct poly1305_mac_state *state,
			 const u8 r[POLY1305_MAC_BLOCK_SIZE]);
void poly1305_extend_powers(struct poly1305_mac_state *state);
void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit);
void poly1305_emit(const u64 h[3], const u64 s[2],
		   u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * struct poly1305_tier - what distinguishes one implementation from another
 * @name: its driver name
 * @blocks: its block function, as defined above
 * @has_digest: whether there is a @digest
 * @digest: its digest function
 * @prepared_min: from how many bytes on powers of r that are known win in a message
 *	of one piece, or 0 if they never do: docs/poly1305-aes.md has the figures
 * @simd: whether @blocks, @digest and @batch must run in FPU sections
 * @scalar: if so, the block function for where SIMD does not pay or may not be
 *	used
 * @scalar_digest: the digest function that goes with @scalar
 * @min_len: from how many bytes on @blocks and @digest win over @scalar when
 *	the FPU registers hold nothing that a section must save first
 * @min_len_save: the same when they hold the state of a user process
 * @section_len: how many bytes may be processed in one FPU section
 * @pair: a lanes function for two messages that needs no FPU section, for those
 *	that @batch does not take
 * @pair_min: from how many bytes of each on it wins
 * @pair_max: up to how many, or 0 if there is no @pair
 * @lanes: how many messages @batch takes at a time, a power of 2, or 0 if there
 *	is no such function
 * @batch: its lanes function
 * @has_run: whether there is a @run
 * @run: its run function, which must run in an FPU section, too
 * @lanes_cost: what all of its lanes cost beside the longest message in them, in
 *	bytes of messages one by one
 * @lanes_worth: how many messages as long as that one, one by one, take as long
 *	as the rest of what they cost
 * @lanes_square: and how many more for each 4096 bytes of that length
 * @lanes_differ: what they cost more if lengths differ, beside a quarter of it
 * @lanes_min: how many bytes a message must have for @batch to win
 * @lanes_part_min: the same for the longest of fewer messages than there are lanes
 * @lanes_max: up to how many it wins, if all lanes have messages of that length
 *
 * Some members say what a pointer being NULL could: the kernel is built so that
 * compilers do not take for granted that a function has an address, and they
 * would load it to compare it with NULL.
 */
struct poly1305_tier {
	const char *name;
	void (*blocks)(struct poly1305_mac_state *state, const u8 *data,
		       size_t nblocks, u32 hibit);
	bool has_digest;
	void (*digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data,
		       size_t len, u8 tag[POLY1305_MAC_TAG_SIZE]);
	size_t prepared_min;
	bool simd;
	void (*scalar)(struct poly1305_mac_state *state, const u8 *data,
		       size_t nblocks, u32 hibit);
	void (*scalar_digest)(const u8 key[POLY1305_MAC_KEY_SIZE],
			      const u8 *data, size_t len,
			      u8 tag[POLY1305_MAC_TAG_SIZE]);
	size_t min_len;
	size_t min_len_save;
	size_t section_len;
	void (*pair)(const struct poly1305_mac_req *const reqs[],
		     unsigned int n);
	size_t pair_min;
	size_t pair_max;
	unsigned int lanes;
	void (*batch)(const struct poly1305_mac_req *const reqs[],
		      unsigned int n);
	bool has_run;
	unsigned int (*run)(const struct poly1305_mac_req *reqs,
			    unsigned int n);
	size_t lanes_cost;
	unsigned int lanes_worth;
	unsigned int lanes_square;
	size_t lanes_differ;
	size_t lanes_min;
	size_t lanes_part_min;
	size_t lanes_max;
};

/**
 * struct poly1305_impl - one implementation behind the glue
 * @tier: its row
 * @usable: whether this CPU and this kernel can run it; may lower its priority
 * @update: its poly1305_mac_update()
 * @final: its poly1305_mac_final()
 * @digest: its poly1305_mac_digest()
 * @alg: its shash driver
 * @registered: whether @alg is registered
 *
 * These may be called in any context, as what they stand for.
 */
struct poly1305_impl {
	const struct poly1305_tier *tier;
	bool (*usable)(int *priority);
	void (*update)(struct poly1305_mac_ctx *ctx, const void *data,
		       size_t len);
	void (*final)(struct poly1305_mac_ctx *ctx,
		      u8 tag[POLY1305_MAC_TAG_SIZE]);
	void (*digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
		       size_t len, u8 tag[POLY1305_MAC_TAG_SIZE]);
	struct shash_alg alg;
	bool registered;
};

/* poly1305_glue.c, for poly1305_batch.c */
bool poly1305_section_begin(const struct poly1305_tier *tier, size_t len);
void poly1305_section_end(void);
#ifdef POLY1305_FAULT
void poly1305_inject_fault(const struct poly1305_tier *tier, const char *where,
			   u8 *tag);
#else
static inline void poly1305_inject_fault(const struct poly1305_tier *tier,
					 const char *where, u8 *tag)
{
}
#endif

/* poly1305_batch.c: poly1305_mac_digest_sg() and poly1305_mac_batch() by impl */
int poly1305_digest_sg(const struct poly1305_impl *impl,
		       const u8 key[POLY1305_MAC_KEY_SIZE],
		       struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);
int poly1305_batch(const struct poly1305_impl *impl,
		   const struct poly1305_mac_req *reqs, unsigned int n);

/* poly1305_selftest.c: 0, or -EBADMSG after one line that says what differed */
int poly1305_selftest(const struct poly1305_impl *impl,
		      const struct poly1305_impl *portable);

#endif /* POLY1305_CORE_H */
