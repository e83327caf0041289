/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The x86-64 rows of the glue's table: CPU tests, block functions and the
 * lengths from which each wins. Included by poly1305_glue.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <linux/sched.h>

static inline void poly1305_fpu_begin(void)
{
	kernel_fpu_begin();
}

static inline void poly1305_fpu_end(void)
{
	kernel_fpu_end();
}

/*
 * Whether an FPU section finds nothing to save: kernel threads have no state of
 * a user process, and once a section has saved one it stays saved until the
 * return to user space. What saving costs, only longer messages win back.
 */
static inline bool poly1305_fpu_saved(void)
{
	return (current->flags & PF_KTHREAD) ||
	       test_thread_flag(TIF_NEED_FPU_LOAD);
}

/* poly1305-x86_64.S; it chooses its instructions by poly1305_x86_64_adx. */
void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
			    size_t nblocks, u32 hibit);
void poly1305_digest_x86_64(const u8 key[POLY1305_MAC_KEY_SIZE],
			    const u8 *data, size_t len,
			    u8 tag[POLY1305_MAC_TAG_SIZE]);
extern u8 poly1305_x86_64_adx;

static bool x86_64_usable(void)
{
	poly1305_x86_64_adx = boot_cpu_has(X86_FEATURE_BMI2) &&
			      boot_cpu_has(X86_FEATURE_ADX);
	return true;
}

void poly1305_blocks_sse2(struct poly1305_mac_state *state, const u8 *data,
			  size_t nblocks, u32 hibit);

/*
 * Scalar code wins up to about 16 KiB, by a sixth at 4 KiB and 2% at 16 KiB: who
 * asks for SSE2 gets it there, so that it is also what pieces of a page test.
 */
static bool sse2_usable(void)
{
	return boot_cpu_has(X86_FEATURE_XMM2);
}

void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
			  size_t nblocks, u32 hibit);

static bool avx2_usable(void)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2) &&
	       cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data,
			    size_t nblocks, u32 hibit);
void poly1305_digest_avx512(const u8 key[POLY1305_MAC_KEY_SIZE],
			    const u8 *data, size_t len,
			    u8 tag[POLY1305_MAC_TAG_SIZE]);

/*
 * 512-bit work lowers the clock of some CPUs, and with it that of everything
 * else that runs on the core. That is no reason to ask for more than features
 * here: the CPUs that paid dearly, Skylake-X and its like, lack IFMA; those
 * that have it, Cannon Lake and Ice Lake on, and AMD's from Zen 4 on, lose a
 * few percent of their clock or nothing, against half of the cycles saved.
 */
static bool avx512_usable(void)
{
	return boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       boot_cpu_has(X86_FEATURE_AVX512BW) &&
	       boot_cpu_has(X86_FEATURE_AVX512DQ) &&
	       boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	       boot_cpu_has(X86_FEATURE_BMI2) &&
	       cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM |
				 XFEATURE_MASK_AVX512, NULL);
}

#define POLY1305_ARCH_TIERS(row)					\
	row(x86_64, "poly1305-x86_64", 320, x86_64_usable,		\
	    .blocks = poly1305_blocks_x86_64,				\
	    .has_digest = true,						\
	    .digest = poly1305_digest_x86_64)				\
	row(sse2, "poly1305-sse2", 310, sse2_usable,			\
	    .blocks = poly1305_blocks_sse2,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .min_len = 4096,						\
	    .min_len_save = 20480,					\
	    .section_len = 32768)					\
	row(avx2, "poly1305-avx2", 400, avx2_usable,			\
	    .blocks = poly1305_blocks_avx2,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .min_len = 512,						\
	    .min_len_save = 1024,					\
	    .section_len = 32768)					\
	row(avx512, "poly1305-avx512", 500, avx512_usable,		\
	    .blocks = poly1305_blocks_avx512,				\
	    .has_digest = true,						\
	    .digest = poly1305_digest_avx512,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .min_len = 208,						\
	    .min_len_save = 768,					\
	    .section_len = 65536)

#endif /* POLY1305_X86_H */
