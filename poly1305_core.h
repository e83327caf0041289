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

/*
 * The least of what kernels from 5.10 to 7.2 allow a descriptor (360 bytes, 361
 * on 7.2) and an exported state (345 bytes, on 7.2)
 */
#define POLY1305_STATE_MAX	345

/* poly1305_generic.c: for every CPU, in plain C */
void poly1305_init_state(struct poly1305_mac_state *state,
			 const u8 r[POLY1305_MAC_BLOCK_SIZE]);
void poly1305_blocks_generic(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit);
void poly1305_emit(const u64 h[3], const u64 s[2],
		   u8 tag[POLY1305_MAC_TAG_SIZE]);

/**
 * struct poly1305_impl - one implementation behind the glue
 * @usable: whether this CPU and this kernel can run it
 * @update: its poly1305_mac_update()
 * @final: its poly1305_mac_final()
 * @digest: its poly1305_mac_digest()
 * @alg: its shash driver
 * @registered: whether @alg is registered
 *
 * These may be called in any context, as what they stand for.
 */
struct poly1305_impl {
	bool (*usable)(void);
	void (*update)(struct poly1305_mac_ctx *ctx, const void *data,
		       size_t len);
	void (*final)(struct poly1305_mac_ctx *ctx,
		      u8 tag[POLY1305_MAC_TAG_SIZE]);
	void (*digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data,
		       size_t len, u8 tag[POLY1305_MAC_TAG_SIZE]);
	struct shash_alg alg;
	bool registered;
};

/* poly1305_selftest.c: 0, or -EBADMSG after one line that says what differed */
int poly1305_selftest(const struct poly1305_impl *impl,
		      const struct poly1305_impl *portable);

#endif /* POLY1305_CORE_H */
