/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Interfaces inside poly1305.ko: the tiers, each an implementation of Poly1305 for a class of CPUs,
 * and the contract of their code.
 *
 * Notation: p = 2^130 - 5. A block of 16 bytes stands for the little-endian number
 * m + 2^128 * hibit. The message m_1 ... m_n stands for the polynomial
 *
 *	m_1 r^n + m_2 r^(n-1) + ... + m_n r	(mod p),
 *
 * which is evaluated block by block as h = (h + m_i) r.
 *
 * The state
 * ---------
 * Between calls struct poly1305_mac_state has this form, whatever code ran last:
 *
 *  - h[0] + 2^64 h[1] + 2^128 h[2] is congruent to the value so far. h[2] <= 4, so
 *    h < 2^130 + 2^128 < 2p: one conditional subtraction reduces h.
 *  - r[0] + 2^64 r[1] is clamped: r[0] < 2^60, r[1] < 2^60, and r[1] is a multiple of 4.
 *  - If have_powers is not 0, pow holds powers of r as the tier's vector code left them. A message
 *    meets the vector code of one tier only. All other code ignores have_powers and pow, and no
 *    export has them.
 *  - want_powers is set once the message is known to repay powers of r: it was announced as long,
 *    or one of its updates could have used powers. Shorter updates then compute powers, too.
 *
 * Inside, a block function works in any radix and with any number of lanes.
 *
 * Block functions: poly1305_blocks_fn
 * -----------------------------------
 * For each of nblocks blocks of 16 bytes, h = (h + block + 2^128 * hibit) r. hibit is 1, or 0 for a
 * last block that contains its own 1 bit.
 *
 *  - The result is right for every nblocks, including 0. The caller chooses the lengths for which a
 *    block function is fast.
 *  - data needs no alignment; state is aligned as a u64. data is apart from state. Nothing outside
 *    data[0 .. 16 * nblocks - 1] is read. A masked load may extend beyond these bytes, because
 *    masked lanes do not fault.
 *  - No branch, address or operand of a variable-time instruction depends on h, r, pow or data.
 *    They may depend on nblocks, hibit and have_powers.
 *  - When assembly returns, no vector register, no general register that it has written, and
 *    nothing below the stack pointer holds key material: r, powers of r, h, message. Compilers may
 *    spill r and h to the stack.
 *  - A block function runs in a kernel FPU section if and only if it is a tier's simd code.
 *
 * Digest functions: poly1305_digest_fn
 * ------------------------------------
 * Computes the tag of a whole message of any length, including 0. The rules for block functions
 * apply. tag may overlap key or data. A tier has a digest function if it is faster than the block
 * function, which needs a state in memory.
 */

#ifndef POLY1305_CORE_H
#define POLY1305_CORE_H

#include "compat.h"
#include <linux/errno.h>
#include <linux/string.h>

#include "poly1305.h"

#define POLY1305_NAME		"poly1305"
#define POLY1305_TITLE		"Poly1305 one-time authenticator"

/* r &= 0x0ffffffc0ffffffc0ffffffc0fffffff, as two words */
#define POLY1305_CLAMP_LO	0x0ffffffc0fffffffULL
#define POLY1305_CLAMP_HI	0x0ffffffc0ffffffcULL

/* Bounds of words 1 and 2 of h in a state; whether h exceeds them */
#define POLY1305_H1_MAX		U64_MAX
#define POLY1305_H2_MAX		4
#define POLY1305_H_BEYOND(h)	((h)[2] > POLY1305_H2_MAX)

/*
 * The identifiers of all tiers. Tier NAME has the driver poly1305-NAME. The first tier must be
 * portable, because the self-test compares all others with it.
 */
#ifdef CONFIG_X86_64
#define POLY1305_TIERS(each)						\
	each(portable) each(x86_64) each(sse2) each(avx2) each(avx512)
#else
#define POLY1305_TIERS(each)	each(portable)
#endif

struct shash_alg;
struct shash_desc;

typedef void (poly1305_blocks_fn)(struct poly1305_mac_state *state, const u8 *data, size_t nblocks,
				  u32 hibit);
typedef void (poly1305_digest_fn)(const u8 key[POLY1305_MAC_KEY_SIZE], const u8 *data, size_t len,
				  u8 tag[POLY1305_MAC_TAG_SIZE]);

/*
 * Arithmetic for one message. has_digest says whether digest is not NULL: with
 * -fno-delete-null-pointer-checks, as in the kernel, compilers test the address of a function at
 * run time.
 */
struct poly1305_code {
	poly1305_blocks_fn *blocks;
	poly1305_digest_fn *digest;
	bool has_digest;
};

/*
 * The functions that poly1305_tier.h compiles for a tier. The exported functions and the tier's
 * shash driver call these, in any context except NMI. They start FPU sections themselves.
 */
struct poly1305_ops {
	void (*update)(struct poly1305_mac_ctx *ctx, const void *data, size_t len);
	void (*final)(struct poly1305_mac_ctx *ctx, u8 tag[POLY1305_MAC_TAG_SIZE]);
	void (*digest)(const u8 key[POLY1305_MAC_KEY_SIZE], const void *data, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE]);
	int (*shash_update)(struct shash_desc *desc, const u8 *data, unsigned int len);
	int (*shash_final)(struct shash_desc *desc, u8 *tag);
	int (*shash_finup)(struct shash_desc *desc, const u8 *data, unsigned int len, u8 *tag);
	int (*shash_digest)(struct shash_desc *desc, const u8 *data, unsigned int len, u8 *tag);
};

/*
 * An implementation of Poly1305 for a class of CPUs. The exported functions use the tier of the
 * highest priority among those that are usable and pass their self-test.
 */
struct poly1305_tier {
	const char *name;		/* of the tier's shash driver */
	int priority;			/* of that driver */
	bool (*usable)(void);		/* whether this CPU and this kernel can run the tier */
	struct poly1305_code scalar;	/* code that needs no FPU section */
	struct poly1305_code simd;	/* code that must run in FPU sections */
	size_t simd_from;		/* bytes from which simd is faster; 0 without simd */
	const struct poly1305_ops *ops;
};

/* The most bytes in an FPU section, which takes 1 to 10 microseconds on Zen 3 to Zen 5 */
#define POLY1305_SECTION_LEN	(4096 * POLY1305_MAC_BLOCK_SIZE)

/*
 * Once powers of r are known, vectors are faster even for updates that are up to
 * POLY1305_POWERS_COST bytes shorter than simd_from. A message of POLY1305_LONG_LEN bytes repays
 * its powers even if all its updates are that short. Measured with AVX-512 on Zen 5 (26 November
 * 2026): vectors are 20% slower for updates of 96 bytes, and 15% faster for updates of 128 bytes.
 */
#define POLY1305_POWERS_COST	80
#define POLY1305_LONG_LEN	1024

/* The bytes to add to simd_from if a section must save the registers of a process: an estimate */
#define POLY1305_SAVING_COST	1024

#define POLY1305_PLUS_ONE(id)	+ 1
#define POLY1305_NTIERS		(0 POLY1305_TIERS(POLY1305_PLUS_ONE))

/* poly1305_generic.c */
poly1305_blocks_fn poly1305_blocks_generic;
void poly1305_emit(const u64 h[3], const u64 s[2], u8 tag[POLY1305_MAC_TAG_SIZE]);
/* poly1305_tiers.c. poly1305_arch_init() must run before the first use of a tier. */
void poly1305_arch_init(void);
extern const struct poly1305_tier *const poly1305_tiers[POLY1305_NTIERS];
/* Whether the tier avx512 may be used; negative until poly1305_arch_init() decides */
extern int poly1305_zmm;

/*
 * If SIMD may be used, run an empty FPU section, which saves the registers of the process. Until
 * the process returns to user space, messages use SIMD from simd_from bytes on.
 */
void poly1305_prime_fpu(void);

/* poly1305_lib.c: let the exported functions use a tier. chapoly.ko asks for the tier's name. */
void poly1305_use_tier(const struct poly1305_tier *tier);
const char *poly1305_mac_tier(void);

/* poly1305_selftest.c: test a tier and its driver. Returns 0, or -EBADMSG and logs the fault. */
int poly1305_selftest(const struct poly1305_tier *tier, const struct shash_alg *alg);

static __always_inline void poly1305_ctx_init(struct poly1305_mac_ctx *ctx,
					      const u8 key[POLY1305_MAC_KEY_SIZE])
{
	ctx->state.h[0] = 0;
	ctx->state.h[1] = 0;
	ctx->state.h[2] = 0;
	ctx->state.r[0] = get_unaligned_le64(key) & POLY1305_CLAMP_LO;
	ctx->state.r[1] = get_unaligned_le64(key + 8) & POLY1305_CLAMP_HI;
	ctx->state.have_powers = 0;
	ctx->state.want_powers = false;
	ctx->s[0] = get_unaligned_le64(key + 16);
	ctx->s[1] = get_unaligned_le64(key + 24);
	ctx->buflen = 0;
}

/*
 * Store both words of a buffer, whose bytes after buflen are zeros. Single bytes are stored only if
 * necessary: a block function that loads the word right afterwards would have to wait for them.
 */
static __always_inline void poly1305_put_words(u8 *buf, u64 lo, u64 hi)
{
	put_unaligned_le64(lo, buf);
	put_unaligned_le64(hi, buf + 8);
}

/* buf = the tail bytes before end and zeros, 0 < tail < 16; all len bytes before end may be read */
static __always_inline void poly1305_tail(u8 *buf, const u8 *end, size_t tail, size_t len)
{
	const unsigned int shift = 8 * -tail % 64;

	if (len < 8) {
		poly1305_put_words(buf, 0, 0);
		memcpy(buf, end - tail, tail);
	} else if (tail > 8) {
		poly1305_put_words(buf, get_unaligned_le64(end - tail),
				   get_unaligned_le64(end - 8) >> shift);
	} else {
		poly1305_put_words(buf, get_unaligned_le64(end - 8) >> shift, 0);
	}
}

#endif /* POLY1305_CORE_H */
