/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The x86-64 rows of the glue's table: CPU tests, block functions and the
 * lengths from which each wins. Included by poly1305_glue.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/processor.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

#include "poly1305-offsets.h"

static inline void poly1305_fpu_begin(void)
{
	kernel_fpu_begin();
}

static inline void poly1305_fpu_end(void)
{
	kernel_fpu_end();
}

#ifdef CONFIG_UML
/*
 * User-Mode Linux is a process, and its FPU sections are empty: the kernel below
 * it saves the registers. Its CPU flags are those that /proc/cpuinfo has there,
 * and a kernel lists no vector extension whose registers it does not save.
 */
static inline bool poly1305_fpu_saved(void)
{
	return true;
}

static inline bool x86_saves_ymm(void)
{
	return true;
}

static inline bool x86_saves_zmm(void)
{
	return true;
}

/* It does not know the CPU's model. Its clock is for the kernel below to mind. */
static inline bool x86_lowers_clock(void)
{
	return false;
}
#else
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

/* Whether the kernel saves ymm registers, zmm and mask registers */
static inline bool x86_saves_ymm(void)
{
	return cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

static inline bool x86_saves_zmm(void)
{
	return cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM |
				 XFEATURE_MASK_AVX512, NULL);
}

/*
 * Skylake-X, Cascade Lake and Cooper Lake, all of them model 85: while they
 * multiply 512 bits at once, and for 0.7 ms after, they lower the clock of the
 * core, for everything that runs on it. docs/design.md says by how much.
 */
static inline bool x86_lowers_clock(void)
{
	return boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	       boot_cpu_data.x86 == 6 && boot_cpu_data.x86_model == 85;
}
#endif

/* poly1305-x86_64.S; it chooses its instructions by poly1305_x86_64_adx. */
void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
			    size_t nblocks, u32 hibit);
void poly1305_digest_x86_64(const u8 key[POLY1305_MAC_KEY_SIZE],
			    const u8 *data, size_t len,
			    u8 tag[POLY1305_MAC_TAG_SIZE]);
void poly1305_batch_x86_64(const struct poly1305_mac_req *const reqs[],
			   unsigned int n);
extern u8 poly1305_x86_64_adx;

static bool x86_64_usable(int *priority)
{
	poly1305_x86_64_adx = boot_cpu_has(X86_FEATURE_BMI2) &&
			      boot_cpu_has(X86_FEATURE_ADX);
	return true;
}

void poly1305_blocks_sse2(struct poly1305_mac_state *state, const u8 *data,
			  size_t nblocks, u32 hibit);

/*
 * Scalar code wins at any length on Emerald Rapids: who asks for SSE2 gets it from
 * a page on, so that it is also what pieces of a page test.
 */
static bool sse2_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_XMM2);
}

/* What other rows may have to stand below */
#define POLY1305_AVX2_PRIORITY	400

void poly1305_blocks_avx2(struct poly1305_mac_state *state, const u8 *data,
			  size_t nblocks, u32 hibit);

void poly1305_batch_avx2(const struct poly1305_mac_req *const reqs[],
			 unsigned int n);

static bool avx2_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2) &&
	       x86_saves_ymm();
}

void poly1305_blocks_avx512(struct poly1305_mac_state *state, const u8 *data,
			    size_t nblocks, u32 hibit);
void poly1305_digest_avx512(const u8 key[POLY1305_MAC_KEY_SIZE],
			    const u8 *data, size_t len,
			    u8 tag[POLY1305_MAC_TAG_SIZE]);
void poly1305_batch_avx512(const struct poly1305_mac_req *const reqs[],
			   unsigned int n);
unsigned int poly1305_run_avx512(const struct poly1305_mac_req *reqs,
				 unsigned int n);

/*
 * 512-bit work lowers the clock of some CPUs, and with it that of everything
 * else that runs on the core. That is no reason to ask for more than features
 * here: the CPUs that paid dearly, Skylake-X and its like, lack IFMA; those
 * that have it and VBMI2, Intel's from Ice Lake on and AMD's from Zen 4 on, lose
 * a few percent of their clock or nothing, against half of the cycles saved.
 */
static bool avx512_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       boot_cpu_has(X86_FEATURE_AVX512BW) &&
	       boot_cpu_has(X86_FEATURE_AVX512DQ) &&
	       boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	       boot_cpu_has(X86_FEATURE_AVX512_VBMI2) &&
	       boot_cpu_has(X86_FEATURE_BMI2) &&
	       x86_saves_zmm();
}

void poly1305_blocks_avx512f(struct poly1305_mac_state *state, const u8 *data,
			     size_t nblocks, u32 hibit);

static bool prefer_avx512f;
module_param(prefer_avx512f, bool, 0444);
MODULE_PARM_DESC(prefer_avx512f, "prefer poly1305-avx512f to poly1305-avx2 on CPUs, too, that lower their clock for it (default: N)");

/*
 * Where the clock is lowered, others pay for what is gained here. Who calls
 * this by name, or sets the parameter, knows whether anybody else runs there.
 */
static bool avx512f_usable(int *priority)
{
	if (x86_lowers_clock() && !prefer_avx512f)
		*priority = POLY1305_AVX2_PRIORITY - 10;
	return boot_cpu_has(X86_FEATURE_AVX2) &&
	       boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       x86_saves_zmm();
}

/* Of how many bytes two messages must be to win in the general registers */
#define POLY1305_PAIR_MIN	80
#define POLY1305_PAIR_MAX	1280

#define POLY1305_ARCH_TIERS(row)					\
	row(x86_64, "poly1305-x86_64", 320, x86_64_usable,		\
	    .blocks = poly1305_blocks_x86_64,				\
	    .has_digest = true,						\
	    .digest = poly1305_digest_x86_64,				\
	    .pair = poly1305_batch_x86_64,				\
	    .pair_min = POLY1305_PAIR_MIN,				\
	    .pair_max = POLY1305_PAIR_MAX)				\
	row(sse2, "poly1305-sse2", 310, sse2_usable,			\
	    .blocks = poly1305_blocks_sse2,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .pair = poly1305_batch_x86_64,				\
	    .pair_min = POLY1305_PAIR_MIN,				\
	    .pair_max = POLY1305_PAIR_MAX,				\
	    .min_len = 4096,						\
	    .min_len_save = 20480,					\
	    .section_len = 32768)					\
	row(avx2, "poly1305-avx2", POLY1305_AVX2_PRIORITY, avx2_usable,	\
	    .blocks = poly1305_blocks_avx2,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .pair = poly1305_batch_x86_64,				\
	    .pair_min = POLY1305_PAIR_MIN,				\
	    .pair_max = POLY1305_PAIR_MAX,				\
	    .min_len = 2048,						\
	    .min_len_save = 4096,						\
	    .section_len = 65536,					\
	    .lanes = 4,							\
	    .batch = poly1305_batch_avx2,				\
	    .lanes_cost = 32,						\
	    .lanes_worth = 3,						\
	    .lanes_min = 1024,						\
	    .lanes_part_min = 1024,					\
	    .lanes_max = 3072)						\
	row(avx512f, "poly1305-avx512f", 450, avx512f_usable,		\
	    .blocks = poly1305_blocks_avx512f,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .pair = poly1305_batch_x86_64,				\
	    .pair_min = POLY1305_PAIR_MIN,				\
	    .pair_max = POLY1305_PAIR_MAX,				\
	    .min_len = 1792,						\
	    .min_len_save = 2816,						\
	    .section_len = 65536)					\
	row(avx512, "poly1305-avx512", 500, avx512_usable,		\
	    .blocks = poly1305_blocks_avx512,				\
	    .has_digest = true,						\
	    .digest = poly1305_digest_avx512,				\
	    .simd = true,						\
	    .scalar = poly1305_blocks_x86_64,				\
	    .scalar_digest = poly1305_digest_x86_64,			\
	    .min_len = 208,						\
	    .min_len_save = 1024,					\
	    .section_len = 65536,					\
	    .lanes = 8,							\
	    .batch = poly1305_batch_avx512,				\
	    .has_run = true,						\
	    .run = poly1305_run_avx512,					\
	    .lanes_cost = 108,						\
	    .lanes_worth = 3,						\
	    .lanes_square = 9,						\
	    .lanes_differ = 80,					\
	    .lanes_min = 0,						\
	    .lanes_part_min = 48,					\
	    .lanes_max = 3072)

#endif /* POLY1305_X86_H */
