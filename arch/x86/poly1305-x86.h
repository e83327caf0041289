/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tiers for x86-64: when each can run, and its code. poly1305-presets.h has the
 * lengths from which the code wins. Included by poly1305_tiers.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/processor.h>
#include <linux/cache.h>
#include <linux/moduleparam.h>

#include "poly1305-offsets.h"
#include "poly1305-presets.h"

#ifdef CONFIG_UML
/*
 * As for x86_saves_ymm() in poly1305-fpu.h. User-Mode Linux does not know the CPU's
 * model, and the clock is the concern of the kernel below it.
 */
static inline bool x86_saves_zmm(void) { return true; }
static inline bool x86_lowers_clock(void) { return false; }
#else
/* Whether the kernel saves the zmm and mask registers */
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

struct x86_preset poly1305_x86_preset __ro_after_init;

/*
 * arch/x86/poly1305-x86_64.S; and poly1305-mulx.S, for CPUs with mulx, adcx and adox, and
 * for messages below poly1305_x86_64_mulx_below bytes, which is 0 on others.
 */
poly1305_blocks_fn poly1305_blocks_x86_64;
poly1305_digest_fn poly1305_digest_x86_64;
poly1305_digest_fn poly1305_digest_mulx;
poly1305_parts_fn poly1305_parts_mulx;
extern size_t poly1305_x86_64_mulx_below;

/* arch/x86/poly1305-NAME.S */
poly1305_blocks_fn poly1305_blocks_sse2;
poly1305_blocks_fn poly1305_blocks_avx2;
poly1305_digest_fn poly1305_digest_avx2;
poly1305_parts_fn poly1305_parts_avx2;
extern u64 poly1305_avx2_groups_from;
extern u64 poly1305_avx512f_from;
extern u64 poly1305_avx512f_kept_from;
extern u64 poly1305_avx512f_groups_from;
extern bool poly1305_avx512_shifts;
extern bool poly1305_avx512_beside;
extern u32 poly1305_avx512_kept_most;
poly1305_blocks_fn poly1305_blocks_avxifma;
poly1305_digest_fn poly1305_digest_avxifma;
poly1305_parts_fn poly1305_parts_avxifma;
poly1305_blocks_fn poly1305_blocks_avx512f;
poly1305_digest_fn poly1305_digest_avx512f;
poly1305_parts_fn poly1305_parts_avx512f;
poly1305_blocks_fn poly1305_blocks_avx512;
poly1305_digest_fn poly1305_digest_avx512;
poly1305_parts_fn poly1305_parts_avx512;

/* arch/x86/poly1305-batch-NAME.S */
poly1305_lanes_fn poly1305_batch_x86_64;
poly1305_lanes_fn poly1305_batch_avx2;
poly1305_lanes_fn poly1305_batch_avx512;
poly1305_run_fn poly1305_run_avx2;
poly1305_run_fn poly1305_run_avx512;

#define X86_SCALAR {							\
	.blocks = poly1305_blocks_x86_64,				\
	.unfolds = true,						\
	.has_digest = true,						\
	.digest = poly1305_digest_x86_64,				\
}

static const struct poly1305_lanes pairs_x86_64 = {
	.name = "pairs:",
	.width = 2,
	.batch = poly1305_batch_x86_64,
	.win = &poly1305_x86_preset.pairs,
};

static const struct poly1305_lanes lanes_avx2 = {
	.name = "lanes:",
	.width = 4,
	.batch = poly1305_batch_avx2,
	.has_run = true,
	.run = poly1305_run_avx2,
	.win = &poly1305_x86_preset.lanes_avx2,
};

static const struct poly1305_lanes lanes_avx512 = {
	.name = "lanes:",
	.width = 8,
	.batch = poly1305_batch_avx512,
	.has_run = true,
	.run = poly1305_run_avx512,
	.win = &poly1305_x86_preset.lanes_avx512,
};

/*
 * For each tier with vectors, the lesser of the length from which they win and of
 * poly1305_x86_64_mulx_below
 */
static struct {
	size_t sse2, avx2, avxifma, avx512f, avx512;
} quick_below __ro_after_init;

#define X86_QUICK(id)							\
	.quick = poly1305_digest_mulx,					\
	.quick_parts = poly1305_parts_mulx,				\
	.quick_below = &quick_below.id

#define TIER x86_64
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_x86_64 = {
	.name = "poly1305-x86_64",
	.priority = 320,
	.usable = always_usable,
	.scalar = X86_SCALAR,
	.quick = poly1305_digest_mulx,
	.quick_parts = poly1305_parts_mulx,
	.quick_below = &poly1305_x86_64_mulx_below,
	.pairs = &pairs_x86_64,
	.ops = &ops_x86_64,
};

static bool sse2_usable(int *priority)
{
	if (poly1305_x86_preset.sse2_wins)
		*priority = tier_x86_64.priority + 5;
	return boot_cpu_has(X86_FEATURE_XMM2);
}

#define TIER sse2
#include "../../poly1305_tier_template.h"

static const struct poly1305_tier tier_sse2 = {
	.name = "poly1305-sse2",
	.priority = 310,
	.usable = sse2_usable,
	.scalar = X86_SCALAR,
	.has_simd = true,
	.simd.blocks = poly1305_blocks_sse2,
	.simd_from = &poly1305_x86_preset.sse2,
	X86_QUICK(sse2),
	.section_len = 32768,
	.pairs = &pairs_x86_64,
	.ops = &ops_sse2,
};

/* Pairs of messages that would run scalar code one by one */
static struct poly1305_lanes_win pairs_avx2_win __ro_after_init;
static const struct poly1305_lanes pairs_avx2 = {
	.name = "pairs:",
	.width = 2,
	.batch = poly1305_batch_x86_64,
	.win = &pairs_avx2_win,
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
	.has_simd = true,
	.simd = {
		.blocks = poly1305_blocks_avx2,
		.has_digest = true,
		.digest = poly1305_digest_avx2,
		.parts = poly1305_parts_avx2,
		.parts_from = AVX2_SHORT_MIN,
		.parts_below = &poly1305_avx2_groups_from,
	},
	.simd_from = &poly1305_x86_preset.avx2,
	X86_QUICK(avx2),
	.section_len = 65536,
	.lanes = &lanes_avx2,
	.pairs = &pairs_avx2,
	.ops = &ops_avx2,
};

#ifdef POLY1305_AVXIFMA
/* Whether the CPU has the multiplications of poly1305-avxifma.h */
static inline bool x86_has_avx_ifma(void)
{
#ifdef POLY1305_EVEX
	return boot_cpu_has(X86_FEATURE_AVX512IFMA) &&
	       boot_cpu_has(X86_FEATURE_AVX512VL) && x86_saves_zmm();
#elif defined(X86_FEATURE_AVX_IFMA)
	return boot_cpu_has(X86_FEATURE_AVX_IFMA);
#elif defined(CONFIG_UML)
	return false;
#else
	/* Linux knows the feature from 6.2 on: leaf 7, subleaf 1 of CPUID, bit 23 of eax. */
	u32 eax, ebx, ecx, edx;

	if (boot_cpu_data.cpuid_level < 7)
		return false;
	cpuid_count(7, 1, &eax, &ebx, &ecx, &edx);
	return eax & BIT(23);
#endif
}

/* As for AVX2 */
static struct poly1305_lanes_win pairs_avxifma_win __ro_after_init;
static const struct poly1305_lanes pairs_avxifma = {
	.name = "pairs:",
	.width = 2,
	.batch = poly1305_batch_x86_64,
	.win = &pairs_avxifma_win,
};

static bool avxifma_usable(int *priority)
{
	return boot_cpu_has(X86_FEATURE_AVX2) && x86_saves_ymm() &&
	       x86_has_avx_ifma();
}

#define TIER avxifma
#include "../../poly1305_tier_template.h"

static const u64 avxifma_parts_below = AVXIFMA_LONG;

static const struct poly1305_tier tier_avxifma = {
	.name = "poly1305-avxifma",
	.priority = 430,
	.usable = avxifma_usable,
	.scalar = X86_SCALAR,
	.has_simd = true,
	.simd = {
		.blocks = poly1305_blocks_avxifma,
		.has_digest = true,
		.digest = poly1305_digest_avxifma,
		.parts = poly1305_parts_avxifma,
		.parts_from = AVXIFMA_MIN,
		.parts_below = &avxifma_parts_below,
	},
	.simd_from = &poly1305_x86_preset.avxifma,
	X86_QUICK(avxifma),
	.section_len = 65536,
	.pairs = &pairs_avxifma,
	.ops = &ops_avxifma,
};
#endif

/* Packets of fewer blocks have a parts function. */
static u64 avx512f_parts_below __ro_after_init;

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
	.has_simd = true,
	.simd = {
		.blocks = poly1305_blocks_avx512f,
		.has_digest = true,
		.digest = poly1305_digest_avx512f,
		.digest_below = &poly1305_avx512f_groups_from,
		.parts = poly1305_parts_avx512f,
		.parts_from = AVX2_SHORT_MIN,
		.parts_below = &avx512f_parts_below,
	},
	.simd_from = &poly1305_x86_preset.avx512f,
	X86_QUICK(avx512f),
	.section_len = 65536,
	.pairs = &pairs_avx2,
	.ops = &ops_avx512f,
};

/*
 * 512-bit work lowers the clock of some CPUs, and so slows everything else on the
 * core. No test for that is needed here: the CPUs that lose much, Skylake-X and its
 * like, lack IFMA. Those with IFMA and VBMI2, Intel's from Ice Lake and AMD's from
 * Zen 4 on, lose a few percent of their clock or nothing, and save 30% of AVX2's
 * cycles or more.
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
	.has_simd = true,
	.simd = {
		.blocks = poly1305_blocks_avx512,
		.has_digest = true,
		.digest = poly1305_digest_avx512,
		.parts = poly1305_parts_avx512,
		.parts_from = AVX512_PARTS_MIN,
	},
	.simd_from = &poly1305_x86_preset.avx512,
	X86_QUICK(avx512),
	.section_len = 65536,
	.lanes = &lanes_avx512,
	.ops = &ops_avx512,
};

void poly1305_x86_use(const struct x86_preset *preset)
{
	struct x86_preset *const p = &poly1305_x86_preset;
	size_t mulx = 0;

	*p = *preset;
	if (boot_cpu_has(X86_FEATURE_BMI2) && boot_cpu_has(X86_FEATURE_ADX))
		mulx = p->chains_from;
	poly1305_x86_64_mulx_below = mulx;
	quick_below.sse2 = min(mulx, p->sse2.saved);
	quick_below.avx2 = min(mulx, p->avx2.saved);
	quick_below.avxifma = min(mulx, p->avxifma.saved);
	quick_below.avx512f = min(mulx, p->avx512f.saved);
	quick_below.avx512 = min(mulx, p->avx512.saved);

	pairs_avx2_win = p->pairs;
	pairs_avx2_win.max_len = min(p->pairs.max_len, p->avx2.saved - 1);
#ifdef POLY1305_AVXIFMA
	pairs_avxifma_win = p->pairs;
	pairs_avxifma_win.max_len = min(p->pairs.max_len, p->avxifma.saved - 1);
#endif
	/* From there on groups, of AVX-512F or of AVX2, take less time. */
	avx512f_parts_below = min(p->avx512f_groups_from / POLY1305_MAC_BLOCK_SIZE,
				  p->avx2_groups_from);

	poly1305_avx2_groups_from = p->avx2_groups_from;
	poly1305_avx512f_from = p->avx512f_from;
	poly1305_avx512f_kept_from = p->avx512f_kept_from;
	poly1305_avx512f_groups_from = p->avx512f_groups_from;
	poly1305_avx512_shifts = p->avx512_shifts;
	poly1305_avx512_beside = p->avx512_beside;
	poly1305_avx512_kept_most = p->avx512_kept_most;
}

void poly1305_arch_init(void)
{
	poly1305_x86_use(x86_preset());
}

#endif /* POLY1305_X86_H */
