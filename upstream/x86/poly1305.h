/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 for x86-64
 *
 * Notation of the assembly: p = 2^130 - 5.  A block of 16 bytes stands for the little-endian number
 * m + 2^128 * hibit.  The message m_1 ... m_n stands for the polynomial
 *
 *	m_1 r^n + m_2 r^(n-1) + ... + m_n r	(mod p),
 *
 * which is evaluated block by block as h = (h + m_i) r.
 *
 * Between calls the state has one form, whatever code ran last: h[2] <= 4, so h < 2p, and r is
 * clamped.  Powers of r are computed by the vector code, which alone uses them.
 */

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <linux/jump_label.h>
#include <linux/sizes.h>

#include "poly1305-offsets.h"
#ifdef WITH_AVX512
#include "poly1305-packet.h"
#endif /* WITH_AVX512 */

/* struct poly1305_block_state, as the assembly has it */
struct poly1305_mac_state {
	u64 h[3];	/* the accumulator */
	u64 r[2];	/* clamped */
	u32 have_powers;	/* whether pow holds powers of r */
	u32 unused;
	u64 pow[];	/* in the form of the vector code in use */
};

static_assert(offsetof(struct poly1305_mac_state, h) == STATE_H);
static_assert(offsetof(struct poly1305_mac_state, r) == STATE_R);
static_assert(offsetof(struct poly1305_mac_state, have_powers) == STATE_HAVE_POWERS);
static_assert(offsetof(struct poly1305_mac_state, pow) == STATE_POW);
#ifdef WITH_AVX512
/* Five limbs of eight powers */
static_assert(sizeof(struct poly1305_block_state) >= STATE_POW + 5 * STATE_POW_ROW);
#else
/* Five vectors */
static_assert(sizeof(struct poly1305_block_state) >= STATE_POW + 5 * 32);
#endif /* WITH_AVX512 */

/* The x86_64 function continues as the mulx function if poly1305_has_mulx. */
extern bool poly1305_has_mulx;
asmlinkage void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
				       size_t nblocks, u32 hibit);
asmlinkage void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
				     size_t nblocks, u32 hibit);
#ifdef WITH_AVX512
asmlinkage void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data,
				       size_t nblocks, u32 hibit);

/* For libchacha20poly1305, which may be another module */
extern typeof(poly1305_packet_avx512) libpoly1305_packet;
void libpoly1305_packet(const struct poly1305_packet *mac, const u8 *text, size_t len,
			u8 tag[POLY1305_DIGEST_SIZE])
{
	poly1305_packet_avx512(mac, text, len, tag);
}
EXPORT_SYMBOL_GPL(libpoly1305_packet);
#endif /* WITH_AVX512 */

static __ro_after_init DEFINE_STATIC_KEY_FALSE(poly1305_use_avx2);
#ifdef WITH_AVX512
static __ro_after_init DEFINE_STATIC_KEY_FALSE(poly1305_use_avx512);
#endif /* WITH_AVX512 */

static void poly1305_block_init(struct poly1305_block_state *block_state,
				const u8 raw_key[POLY1305_BLOCK_SIZE])
{
	struct poly1305_mac_state *state = (void *)block_state;

	memset(state, 0, sizeof(*state));
	state->r[0] = get_unaligned_le64(raw_key) & CLAMP_LO;
	state->r[1] = get_unaligned_le64(raw_key + 8) & CLAMP_HI;
}

/* Vectors repay the powers of r from these lengths on, in bytes, and once there are powers: */
#define POLY1305_AVX2_FROM	288
#ifdef WITH_AVX512
#define POLY1305_AVX512_FROM	193
#endif /* WITH_AVX512 */
#define POLY1305_POWERS_COST	80

static bool poly1305_takes_vectors(const struct poly1305_mac_state *state, unsigned int len)
{
	if (state->have_powers)
		len += POLY1305_POWERS_COST;
#ifdef WITH_AVX512
	if (static_branch_likely(&poly1305_use_avx512))
		return len >= POLY1305_AVX512_FROM && likely(irq_fpu_usable());
#endif /* WITH_AVX512 */
	return static_branch_likely(&poly1305_use_avx2) && len >= POLY1305_AVX2_FROM &&
	       likely(irq_fpu_usable());
}

static void poly1305_blocks(struct poly1305_block_state *block_state, const u8 *inp,
			    unsigned int len, u32 padbit)
{
	struct poly1305_mac_state *state = (void *)block_state;
	unsigned int n;

	if (!poly1305_takes_vectors(state, len)) {
		poly1305_blocks_x86_64(state, inp, len / POLY1305_BLOCK_SIZE, padbit);
		return;
	}
	/* The kernel cannot preempt a section, so long data take several. */
	for (; len; inp += n, len -= n) {
		n = min(len, SZ_4K);
		kernel_fpu_begin();
#ifdef WITH_AVX512
		if (static_branch_likely(&poly1305_use_avx512))
			poly1305_blocks_avx512(state, inp, n / POLY1305_BLOCK_SIZE, padbit);
		else
#endif /* WITH_AVX512 */
			poly1305_blocks_avx2(state, inp, n / POLY1305_BLOCK_SIZE, padbit);
		kernel_fpu_end();
	}
}

POLY1305_EMIT
static void poly1305_emit(const struct poly1305_state *state, u8 digest[POLY1305_DIGEST_SIZE],
			  const u32 nonce[4])
{
	const u64 s[2] = { nonce[0] | (u64)nonce[1] << 32, nonce[2] | (u64)nonce[3] << 32 };

	poly1305_add_pad(state->h64, s, digest);
}

#define poly1305_mod_init_arch poly1305_mod_init_arch
static void __init poly1305_mod_init_arch(void)
{
	poly1305_has_mulx = boot_cpu_has(X86_FEATURE_BMI2);
	if (boot_cpu_has(X86_FEATURE_AVX) &&
	    boot_cpu_has(X86_FEATURE_AVX2) &&
	    boot_cpu_has(X86_FEATURE_BMI2) &&
	    cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL))
		static_branch_enable(&poly1305_use_avx2);
#ifdef WITH_AVX512
	/* Where 512-bit registers lower the clock, AVX2 stays. */
	if (boot_cpu_has(X86_FEATURE_AVX512F) &&
	    boot_cpu_has(X86_FEATURE_AVX512VL) &&
	    boot_cpu_has(X86_FEATURE_AVX512BW) &&
	    boot_cpu_has(X86_FEATURE_AVX512DQ) &&
	    boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	    boot_cpu_has(X86_FEATURE_AVX512_VBMI2) &&
	    boot_cpu_has(X86_FEATURE_BMI2) &&
	    !boot_cpu_has(X86_FEATURE_PREFER_YMM) &&
	    cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM | XFEATURE_MASK_AVX512, NULL))
		static_branch_enable(&poly1305_use_avx512);
#endif /* WITH_AVX512 */
}
