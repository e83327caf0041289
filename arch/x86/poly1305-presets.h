/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The thresholds of the tiers for x86-64 that depend on the CPU: presets, each measured
 * on one or two CPUs, and the rule that chooses one. docs/design.md has the rule as a
 * table, CONTRIBUTING.md the commands that measure.
 */

#ifndef POLY1305_PRESETS_H
#define POLY1305_PRESETS_H

#include <asm/processor.h>

#include "../../poly1305_core.h"

/**
 * struct x86_preset - thresholds for one kind of CPU
 * @cpu: the CPUs on which they were measured, except where a comment names another
 * @chains_from: the least length for three chains with mulx, at least
 *	16 * POLY1305_MIN_CHAINS (poly1305-offsets.h)
 * @avx2_groups_from: the least number of blocks for the groups of poly1305-avx2.S, at
 *	least 112; poly1305-avx2-short.S takes fewer
 * @avx512f_from: the least number of bytes for poly1305-avx512f.S, more than eight blocks;
 *	AVX2 code takes fewer
 * @avx512f_kept_from: the same for a piece, if earlier ones left powers of its eights
 * @avx512f_groups_from: the least number of bytes for its groups, at least four vectors of
 *	four blocks, and @avx512f_from. If all three are equal, there are no eights.
 * @avx512_shifts: whether the loops of poly1305-avx512.S take less time with shifts than
 *	with vpshrdq
 * @avx512_beside: whether messages of 81 blocks and more take less time in poly1305-avx512.S
 *	if scalar code takes up to an eighth of the blocks, beside the vectors. The loops for this
 *	have shifts, whatever @avx512_shifts says.
 * @avx512_kept_most: the most vectors of eight blocks, behind the first, for which a piece of
 *	poly1305-avx512.S with known powers ends with one reduction less
 * @sse2_wins: whether SSE2 code beats scalar code from some length on, so that its tier
 *	should rank above the scalar one
 * @sse2, @avx2, @avxifma, @avx512f, @avx512: of the tiers of these names. No CPU with
 *	AVX-IFMA was measured: on AMD's, other instructions stood for AVX-IFMA's, and
 *	Emerald Rapids' @avxifma is an estimate.
 * @pairs, @lanes_avx2, @lanes_avx512: of the lanes functions
 */
struct x86_preset {
	const char *cpu;
	u64 chains_from;
	u64 avx2_groups_from;
	u64 avx512f_from;
	u64 avx512f_kept_from;
	u64 avx512f_groups_from;
	bool avx512_shifts;
	bool avx512_beside;
	u32 avx512_kept_most;
	bool sse2_wins;
	struct poly1305_simd_from sse2;
	struct poly1305_simd_from avx2;
	struct poly1305_simd_from avxifma;
	struct poly1305_simd_from avx512f;
	struct poly1305_simd_from avx512;
	struct poly1305_lanes_win pairs;
	struct poly1305_lanes_win lanes_avx2;
	struct poly1305_lanes_win lanes_avx512;
};

/*
 * The preset in use, and the function that sets it, before the first call of any tier's code.
 * Only bench/thresholds.c tries others later.
 */
extern struct x86_preset poly1305_x86_preset;
void poly1305_x86_use(const struct x86_preset *preset);

/* As @need: more than the messages of any group, 16 * POLY1305_LANES_MAX at most, one by one */
#define NEVER	255

/* Any number of vectors */
#define ANY	U32_MAX

static const struct x86_preset x86_emerald_rapids = {
	.cpu = "Intel Emerald Rapids",
	.chains_from = 576,
	/* poly1305-avx2-short.S was not measured here: its lengths are scalar. */
	.avx2_groups_from = 112,
	/* The eights of poly1305-avx512f.S were not measured here. */
	.avx512f_from = 768,
	.avx512f_kept_from = 768,
	.avx512f_groups_from = 768,
	.avx512_kept_most = ANY,
	/*
	 * Scalar code wins at any length. SSE2 code runs from 4096 bytes, so
	 * page-sized pieces exercise it.
	 */
	.sse2 = { .saved = 4096, .piece = 4096, .cold = 20480 },
	.avx2 = { .saved = 2048, .piece = 2048, .cold = 4096 },
	.avxifma = { .saved = 448, .piece = 448, .cold = 1536 },
	.avx512f = { .saved = 1792, .piece = 1792, .cold = 2816 },
	.avx512 = { .saved = 208, .piece = 208, .cold = 1024 },
	.pairs = {
		.min_mean = 176,
		.min_len = { 80, 80 },
		.max_len = 1280,
		.need = {
			{ NEVER, NEVER, 18, 18, 18, 18, 18, NEVER },
			{ NEVER, NEVER, 28, 24, 20, 18, 17, NEVER },
		},
	},
	.lanes_avx2 = {
		.min_len = { 1024, 1024 },
		.min_run = 1024,
		.max_len = 3072,
		.need = {
			{ NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 49, 49 },
			{ NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, 52, 52 },
		},
	},
	.lanes_avx512 = {
		.min_mean = 64,
		.max_len = 3072,
		.need = {
			{ 120, 120, 72, 65, 65, 75, 99, NEVER },
			{ 128, 128, 96, 75, 73, 82, 104, NEVER },
		},
	},
};

/*
 * The members for code that Zen 3 can run were measured there, and fit Zen 4. avx2.piece, and
 * all members for AVX-512 and AVX-IFMA, were measured on Zen 4.
 */
static const struct x86_preset x86_zen_3_4 = {
	.cpu = "AMD Zen 3 and 4",
	.chains_from = 800,
	.avx2_groups_from = 224,
	/* AVX2 code takes shorter messages: eights win at no length. */
	.avx512f_from = 7232,
	.avx512f_kept_from = 7232,
	.avx512f_groups_from = 7232,
	.avx512_shifts = true,
	.avx512_beside = true,
	.avx512_kept_most = 2,
	.sse2_wins = true,
	.sse2 = { .saved = 8192, .piece = 8192, .cold = 20480 },
	.avx2 = { .saved = 272, .piece = 128, .cold = 1536 },
	.avx512f = { .saved = 272, .piece = 128, .cold = 1536 },
	/* Measured with the 256-bit instructions of AVX-512 IFMA in place of AVX-IFMA's */
	.avxifma = { .saved = 193, .piece = 192, .cold = 1536 },
	.avx512 = { .saved = 193, .piece = 128, .cold = 1024 },
	.pairs = {
		.min_mean = 176,
		/* Different lengths gain less than sorting costs. */
		.min_len = { 112, SIZE_MAX },
		.max_len = 2031,
		.need = { { NEVER, NEVER, NEVER, 30, 30, 29, 30, NEVER } },
	},
	.lanes_avx2 = {
		.min_mean = 200,
		.min_len = { 112, 256 },
		.min_run = 49,
		.max_len = 4079,
		.need = {
			{ NEVER, NEVER, NEVER, 36, 36, 44, 50, 56 },
			{ NEVER, NEVER, NEVER, NEVER, 42, 46, 52, 57 },
		},
	},
	.lanes_avx512 = {
		.min_mean = 64,
		.min_len = { 0, 58 },
		.max_len = 4079,
		.need = {
			{ 112, 112, 67, 59, 68, 84, 99, 109 },
			{ NEVER, NEVER, 80, 62, 79, 91, 103, 111 },
		},
	},
};

static const struct x86_preset x86_zen_5 = {
	.cpu = "AMD Zen 5",
	.chains_from = 480,
	.avx2_groups_from = 144,
	.avx512f_from = 577,
	.avx512f_kept_from = 192,
	.avx512f_groups_from = 2048,
	.avx512_shifts = true,
	.avx512_kept_most = ANY,
	/* Scalar code wins at any length, as on Emerald Rapids. */
	.sse2 = { .saved = 4096, .piece = 4096, .cold = 20480 },
	.avx2 = { .saved = 353, .piece = 192, .cold = 1536 },
	/* Measured with the 256-bit instructions of AVX-512 IFMA in place of AVX-IFMA's */
	.avxifma = { .saved = 225, .piece = 192, .cold = 1536 },
	.avx512f = { .saved = 353, .piece = 192, .cold = 1536 },
	.avx512 = { .saved = 193, .piece = 128, .cold = 1024 },
	.pairs = {
		.min_mean = 176,
		.min_len = { 112, SIZE_MAX },
		.max_len = 1007,
		.need = { { NEVER, NEVER, NEVER, 30, 27, 30, NEVER, NEVER } },
	},
	.lanes_avx2 = {
		.min_mean = 200,
		.min_len = { 112, 256 },
		.min_run = 21,
		.max_len = 1007,
		.need = {
			{ NEVER, NEVER, NEVER, 43, 49, 60, NEVER, NEVER },
			{ NEVER, NEVER, NEVER, NEVER, 50, 58, NEVER, NEVER },
		},
	},
	.lanes_avx512 = {
		.min_mean = 64,
		.max_len = 4079,
		.need = {
			{ 72, 64, 56, 48, 62, 85, 104, 117 },
			{ 128, 128, 90, 56, 76, 96, 118, NEVER },
		},
	},
};

/* The family of AMD's CPUs from Zen on (0x17), and of Hygon's, of the same design; else 0 */
static inline unsigned int x86_zen_family(void)
{
	unsigned int family;
	bool zen;

#ifdef CONFIG_UML
	/* User-Mode Linux does not know the CPU; the instruction is not privileged. */
	u32 vendor, version, ecx, edx;

	asm volatile("cpuid" : "=a" (version), "=b" (vendor), "=c" (ecx), "=d" (edx)
		     : "a" (0), "c" (0));
	asm volatile("cpuid" : "=a" (version), "=c" (ecx), "=d" (edx)
		     : "a" (1), "c" (0) : "ebx");
	zen = vendor == 0x68747541 /* Auth */ || vendor == 0x6f677948 /* Hygo */;
	family = ((version >> 8) & 0xf) + ((version >> 20) & 0xff);
#else
	zen = boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
	      boot_cpu_data.x86_vendor == X86_VENDOR_HYGON;
	family = boot_cpu_data.x86;
#endif
	return zen && family >= 0x17 ? family : 0;
}

/*
 * The preset for this CPU: from family 0x1a (Zen 5) on Zen 5's, from Zen on that of Zen 3
 * and 4, and for all other CPUs Emerald Rapids'
 */
static inline const struct x86_preset *x86_preset(void)
{
	const unsigned int family = x86_zen_family();

	if (family >= 0x1a)
		return &x86_zen_5;
	return family ? &x86_zen_3_4 : &x86_emerald_rapids;
}

#endif /* POLY1305_PRESETS_H */
