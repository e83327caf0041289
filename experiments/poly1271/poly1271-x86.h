/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Poly1271's tiers for x86-64. Included by poly1305_tiers.c alone. */

#ifndef POLY1271_X86_H
#define POLY1271_X86_H

#include <asm/cpufeature.h>

#include "../../arch/x86/poly1305-offsets.h"

/* poly1271-x86_64.S; it uses mulx if poly1271_x86_64_mulx. */
poly1305_blocks_fn poly1271_blocks_x86_64;
poly1305_digest_fn poly1271_digest_x86_64;
extern u8 poly1271_x86_64_mulx;

/* poly1271-avx2.S */
poly1305_blocks_fn poly1271_blocks_avx2;

#define TIER			tier_x86_64
#define TIER_OPS		ops_x86_64
#define TIER_SIMD_BLOCKS	simd_blocks_x86_64
#define TIER_UPDATE		update_x86_64
#define TIER_UPDATE_BUFFER	update_buffer_x86_64
#define TIER_FINAL		final_x86_64
#define TIER_DIGEST_CTX		digest_ctx_x86_64
#define TIER_DIGEST		digest_x86_64
#define TIER_SHASH_UPDATE	shash_update_x86_64
#define TIER_SHASH_FINAL	shash_final_x86_64
#define TIER_SHASH_FINUP	shash_finup_x86_64
#define TIER_SHASH_DIGEST	shash_digest_x86_64
#include "../../poly1305_tier.h"

static const struct poly1305_tier tier_x86_64 = {
	.name = "poly1271-x86_64",
	.priority = 320,
	.usable = always_usable,
	.scalar = { poly1271_blocks_x86_64, poly1271_digest_x86_64, true },
	.ops = &ops_x86_64,
};

static bool avx2_usable(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2) && boot_cpu_has(X86_FEATURE_BMI2) &&
	       x86_saves(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM);
}

#define TIER			tier_avx2
#define TIER_OPS		ops_avx2
#define TIER_SIMD_BLOCKS	simd_blocks_avx2
#define TIER_UPDATE		update_avx2
#define TIER_UPDATE_BUFFER	update_buffer_avx2
#define TIER_FINAL		final_avx2
#define TIER_DIGEST_CTX		digest_ctx_avx2
#define TIER_DIGEST		digest_avx2
#define TIER_SHASH_UPDATE	shash_update_avx2
#define TIER_SHASH_FINAL	shash_final_avx2
#define TIER_SHASH_FINUP	shash_finup_avx2
#define TIER_SHASH_DIGEST	shash_digest_avx2
#include "../../poly1305_tier.h"

static const struct poly1305_tier tier_avx2 = {
	.name = "poly1271-avx2",
	.priority = 400,
	.usable = avx2_usable,
	.scalar = { poly1271_blocks_x86_64, poly1271_digest_x86_64, true },
	.simd.blocks = poly1271_blocks_avx2,
	.simd_from = 2048,
	.ops = &ops_avx2,
};

void poly1305_arch_init(void)
{
	poly1271_x86_64_mulx = boot_cpu_has(X86_FEATURE_BMI2);
}

#endif /* POLY1271_X86_H */
