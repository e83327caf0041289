/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tiers for x86-64: which CPUs can run each tier, its code, and the length from which its
 * vectors are faster than scalar code. Only poly1305_tiers.c includes this.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include "poly1305-fpu.h"
#include "poly1305-offsets.h"

static_assert(CLAMP_LO == POLY1305_CLAMP_LO && CLAMP_HI == POLY1305_CLAMP_HI);

/* The x86_64 functions continue as the mulx functions if poly1305_has_mulx. */
poly1305_blocks_fn poly1305_blocks_x86_64, poly1305_blocks_mulx, poly1305_blocks_sse2,
		   poly1305_blocks_avx2, poly1305_blocks_avx512;
poly1305_digest_fn poly1305_digest_x86_64, poly1305_digest_mulx, poly1305_digest_avx2,
		   poly1305_digest_avx512;
extern bool poly1305_has_mulx;

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
	.name = "poly1305-x86_64",
	.priority = 320,
	.usable = always_usable,
	.scalar = { poly1305_blocks_x86_64, poly1305_digest_x86_64, true },
	.ops = &ops_x86_64,
};

static bool sse2_usable(void)
{
	return boot_cpu_has(X86_FEATURE_XMM2);
}

#define TIER			tier_sse2
#define TIER_OPS		ops_sse2
#define TIER_SIMD_BLOCKS	simd_blocks_sse2
#define TIER_UPDATE		update_sse2
#define TIER_UPDATE_BUFFER	update_buffer_sse2
#define TIER_FINAL		final_sse2
#define TIER_DIGEST_CTX		digest_ctx_sse2
#define TIER_DIGEST		digest_sse2
#define TIER_SHASH_UPDATE	shash_update_sse2
#define TIER_SHASH_FINAL	shash_final_sse2
#define TIER_SHASH_FINUP	shash_finup_sse2
#define TIER_SHASH_DIGEST	shash_digest_sse2
#include "../../poly1305_tier.h"

static const struct poly1305_tier tier_sse2 = {
	.name = "poly1305-sse2",
	.priority = 325,
	.usable = sse2_usable,
	.scalar = { poly1305_blocks_x86_64, poly1305_digest_x86_64, true },
	.simd.blocks = poly1305_blocks_sse2,
	/*
	 * Shorter messages do not repay a table of powers. Compared with scalar code, vectors
	 * are 10% slower at 4 KiB, 4% faster at 8 KiB and 25% faster at 64 KiB (Zen 5, 26
	 * November 2026, with a table of 30 powers; the table of 24 is up to 2% slower on
	 * Zen 3).
	 */
	.simd_from = 8192,
	.ops = &ops_sse2,
};

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
	.name = "poly1305-avx2",
	.priority = 400,
	.usable = x86_has_avx2,
	.scalar = { poly1305_blocks_mulx, poly1305_digest_mulx, true },
	.simd = { poly1305_blocks_avx2, poly1305_digest_avx2, true },
	/*
	 * Shorter messages do not repay the powers. Compared with scalar code, vectors are 13%
	 * slower at 272 bytes, 6% slower at 288 and 3% faster at 320 (Zen 5, 26 November 2026).
	 * On Zen 3 they are faster at all three lengths (22 November 2026).
	 */
	.simd_from = 288,
	.ops = &ops_avx2,
};

/*
 * 512-bit registers lower the clock of some CPUs, even for surrounding code. The kernel knows
 * these CPUs, and an administrator can overrule it. From 1 KiB on, avx512 needs 35 to 67% fewer
 * cycles than avx2 (Zen 4, Zen 5). We have not measured how much the clock falls on any CPU.
 */
int poly1305_zmm = -1;
module_param_named(zmm, poly1305_zmm, int, 0444);
MODULE_PARM_DESC(zmm, "use 512-bit registers: 1 yes, 0 no (default: as the kernel prefers)");

static bool avx512_usable(void)
{
	return poly1305_zmm && x86_has_avx512();
}

#define TIER			tier_avx512
#define TIER_OPS		ops_avx512
#define TIER_SIMD_BLOCKS	simd_blocks_avx512
#define TIER_UPDATE		update_avx512
#define TIER_UPDATE_BUFFER	update_buffer_avx512
#define TIER_FINAL		final_avx512
#define TIER_DIGEST_CTX		digest_ctx_avx512
#define TIER_DIGEST		digest_avx512
#define TIER_SHASH_UPDATE	shash_update_avx512
#define TIER_SHASH_FINAL	shash_final_avx512
#define TIER_SHASH_FINUP	shash_finup_avx512
#define TIER_SHASH_DIGEST	shash_digest_avx512
#include "../../poly1305_tier.h"

static const struct poly1305_tier tier_avx512 = {
	.name = "poly1305-avx512",
	.priority = 500,
	.usable = avx512_usable,
	.scalar = { poly1305_blocks_mulx, poly1305_digest_mulx, true },
	.simd = { poly1305_blocks_avx512, poly1305_digest_avx512, true },
	/*
	 * Up to 192 bytes, a vector and a half, powers cost as much time as vectors save (Zen
	 * 4, 25 November 2026). From 193 bytes on, vectors are 20% faster than scalar code on
	 * Zen 5, and as fast on Emerald Rapids.
	 */
	.simd_from = 193,
	.ops = &ops_avx512,
};

void poly1305_arch_init(void)
{
	poly1305_has_mulx = boot_cpu_has(X86_FEATURE_BMI2);
	if (poly1305_zmm < 0)
		poly1305_zmm = !poly1305_prefers_ymm();
}

#endif /* POLY1305_X86_H */
