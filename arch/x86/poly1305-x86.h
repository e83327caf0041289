/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tiers for x86-64: when each can run, its code, and the lengths from which
 * the code wins. Included by poly1305_tiers.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/processor.h>
#include <linux/moduleparam.h>

#include "poly1305-offsets.h"

#ifdef CONFIG_UML
/*
 * User-Mode Linux has the CPU flags of the kernel below it, which lists no vector
 * extension whose registers it does not save. It does not know the CPU's model, and
 * the clock is that kernel's concern.
 */
static inline bool x86_saves_ymm(void) { return true; }
static inline bool x86_saves_zmm(void) { return true; }
static inline bool x86_lowers_clock(void) { return false; }
#else
/* Whether the kernel saves the ymm registers; the zmm and mask registers */
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

/* arch/x86/poly1305-x86_64.S; it uses mulx, adcx and adox if poly1305_x86_64_adx. */
poly1305_blocks_fn poly1305_blocks_x86_64;
poly1305_digest_fn poly1305_digest_x86_64;
extern u8 poly1305_x86_64_adx;

/* arch/x86/poly1305-NAME.S */
poly1305_blocks_fn poly1305_blocks_sse2;
poly1305_blocks_fn poly1305_blocks_avx2;
poly1305_blocks_fn poly1305_blocks_avx512f;
poly1305_blocks_fn poly1305_blocks_avx512;
poly1305_digest_fn poly1305_digest_avx512;

/* arch/x86/poly1305-batch-NAME.S */
poly1305_lanes_fn poly1305_batch_x86_64;
poly1305_lanes_fn poly1305_batch_avx2;
poly1305_lanes_fn poly1305_batch_avx512;
poly1305_run_fn poly1305_run_avx512;

#define X86_SCALAR {							\
	.blocks = poly1305_blocks_x86_64,				\
	.has_digest = true,						\
	.digest = poly1305_digest_x86_64,				\
}

/*
 * When lanes and pairs win, measured on Emerald Rapids. NEVER exceeds the cost of any
 * group. A CPU that differs needs another struct of these, and nothing else.
 */
#define NEVER	255

static const struct poly1305_lanes pairs_x86_64 = {
	.name = "pairs:",
	.width = 2,
	.batch = poly1305_batch_x86_64,
	.min_mean = 176,
	.min_len = 80,
	.max_len = 1280,
	.need = {
		{ NEVER, NEVER, 18, 18, 18, 18, 18, NEVER },
		{ NEVER, NEVER, 28, 24, 20, 18, 17, NEVER },
	},
};

static const struct poly1305_lanes lanes_avx2 = {
	.name = "lanes:",
	.width = 4,
	.batch = poly1305_batch_avx2,
	.min_len = 1024,
	.max_len = 3072,
	.need = {
		{ NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 49, 49 },
		{ NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 52, 52 },
	},
};

static const struct poly1305_lanes lanes_avx512 = {
	.name = "lanes:",
	.width = 8,
	.batch = poly1305_batch_avx512,
	.has_run = true,
	.run = poly1305_run_avx512,
	.min_mean = 64,
	.max_len = 3072,
	.need = {
		{ 120, 120, 72, 65, 65, 75, 99, NEVER },
		{ 128, 128, 96, 75, 73, 82, 104, NEVER },
	},
};

static bool x86_64_usable(int *priority)
{
	poly1305_x86_64_adx = boot_cpu_has(X86_FEATURE_BMI2) &&
			      boot_cpu_has(X86_FEATURE_ADX);
	return true;
}

#define TIER x86_64
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_x86_64 = {
	.name = "poly1305-x86_64",
	.priority = 320,
	.usable = x86_64_usable,
	.scalar = X86_SCALAR,
	.pairs = &pairs_x86_64,
	.ops = &ops_x86_64,
};

static bool sse2_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_XMM2);
}

#define TIER sse2
#include "../../poly1305_tier_template.h"

/*
 * Scalar code wins at any length on Emerald Rapids. SSE2 code runs from 4096 bytes,
 * so page-sized pieces exercise it.
 */
static const struct poly1305_tier tier_sse2 = {
	.name = "poly1305-sse2",
	.priority = 310,
	.usable = sse2_usable,
	.scalar = X86_SCALAR,
	.simd.blocks = poly1305_blocks_sse2,
	.simd_from = 4096,
	.simd_from_cold = 20480,
	.section_len = 32768,
	.pairs = &pairs_x86_64,
	.ops = &ops_sse2,
};

static bool avx2_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       boot_cpu_has(X86_FEATURE_AVX2) &&
	       x86_saves_ymm();
}

#define TIER avx2
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_avx2 = {
	.name = "poly1305-avx2",
	.priority = 400,
	.usable = avx2_usable,
	.scalar = X86_SCALAR,
	.simd.blocks = poly1305_blocks_avx2,
	.simd_from = 2048,
	.simd_from_cold = 4096,
	.section_len = 65536,
	.lanes = &lanes_avx2,
	.pairs = &pairs_x86_64,
	.ops = &ops_avx2,
};

static bool prefer_avx512f;
module_param(prefer_avx512f, bool, 0444);
MODULE_PARM_DESC(prefer_avx512f, "prefer poly1305-avx512f to poly1305-avx2 on CPUs, too, that lower their clock for it (default: N)");

/*
 * Where the clock is lowered, other code on the core pays for what is gained here.
 * Callers that request this driver by name, or users that set the parameter, know
 * whether there is any.
 */
static bool avx512f_usable(int *priority)
{
	if (x86_lowers_clock() && !prefer_avx512f)
		*priority = tier_avx2.priority - 10;
	return boot_cpu_has(X86_FEATURE_AVX2) &&
	       boot_cpu_has(X86_FEATURE_AVX512F) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) &&
	       x86_saves_zmm();
}

#define TIER avx512f
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_avx512f = {
	.name = "poly1305-avx512f",
	.priority = 450,
	.usable = avx512f_usable,
	.scalar = X86_SCALAR,
	.simd.blocks = poly1305_blocks_avx512f,
	.simd_from = 1792,
	.simd_from_cold = 2816,
	.section_len = 65536,
	.pairs = &pairs_x86_64,
	.ops = &ops_avx512f,
};

/*
 * 512-bit work lowers the clock of some CPUs, and so slows everything else on the
 * core. No test for that is needed here: the CPUs that lose much, Skylake-X and its
 * like, lack IFMA. Those with IFMA and VBMI2, Intel's from Ice Lake and AMD's from
 * Zen 4 on, lose a few percent of their clock or nothing, and save half the cycles.
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

#define TIER avx512
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_avx512 = {
	.name = "poly1305-avx512",
	.priority = 500,
	.usable = avx512_usable,
	.scalar = X86_SCALAR,
	.simd = {
		.blocks = poly1305_blocks_avx512,
		.has_digest = true,
		.digest = poly1305_digest_avx512,
	},
	.simd_from = 208,
	.simd_from_cold = 1024,
	.section_len = 65536,
	.lanes = &lanes_avx512,
	.ops = &ops_avx512,
};

#endif /* POLY1305_X86_H */
