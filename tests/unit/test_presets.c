// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The presets of arch/x86/poly1305-presets.h: the CPUs that take each, and that with each
 * every tier passes its self-test and begins FPU sections from its thresholds on. Options
 * of the checker run all tests with one.
 */

#include "check.h"

#ifdef CONFIG_X86_64

#include <asm/processor.h>
#include <crypto/internal/simd.h>

#include "arch/x86/poly1305-offsets.h"
#include "arch/x86/poly1305-presets.h"

/* The table in docs/design.md */
static const struct {
	u8 vendor;
	u8 family;
	const char *preset;
} cpus[] = {
	{ X86_VENDOR_INTEL, 6, "Intel Emerald Rapids" },
	{ X86_VENDOR_INTEL, 0x19, "Intel Emerald Rapids" },
	{ X86_VENDOR_AMD, 0x15, "Intel Emerald Rapids" },
	{ X86_VENDOR_AMD, 0x16, "Intel Emerald Rapids" },
	{ X86_VENDOR_AMD, 0x17, "AMD Zen 3 and 4" },
	{ X86_VENDOR_AMD, 0x19, "AMD Zen 3 and 4" },
	{ X86_VENDOR_AMD, 0x1a, "AMD Zen 5" },
	{ X86_VENDOR_AMD, 0x1b, "AMD Zen 5" },
	{ X86_VENDOR_HYGON, 0x18, "AMD Zen 3 and 4" },
	{ X86_VENDOR_UNKNOWN, 0x19, "Intel Emerald Rapids" },
};

/* Whether len bytes, as a message or as an update, run in an FPU section */
static bool uses_simd(const struct tier *t, bool update, size_t len)
{
	static const u8 zero_key[KEY_SIZE], zeros[16 << 10];
	const unsigned long before = shim_fpu_sections;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];

	poly1305_ctx_init(&ctx, zero_key, 0);
	if (update)
		t->def->ops->update(&ctx, zeros, len);
	else
		t->def->ops->digest(zero_key, zeros, len, tag);
	return shim_fpu_sections != before;
}

/* Updates of whole blocks and others take different paths. */
static bool keeps_thresholds(const struct tier *t)
{
	const struct poly1305_simd_from *from = t->def->simd_from;
	size_t piece;

	if (!t->def->has_simd)
		return true;
	piece = (from->piece + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
	return !uses_simd(t, false, from->saved - 1) &&
	       uses_simd(t, false, from->saved) &&
	       !uses_simd(t, true, piece - BLOCK_SIZE) &&
	       !uses_simd(t, true, piece - 1) &&
	       uses_simd(t, true, piece) && uses_simd(t, true, piece + 1);
}

/* What the code of poly1305-avx512f.S relies on */
static bool avx512f_fits(const struct x86_preset *preset)
{
	return preset->avx512f_kept_from > 8 * BLOCK_SIZE &&
	       preset->avx512f_from > 8 * BLOCK_SIZE &&
	       preset->avx512f_groups_from >= 16 * BLOCK_SIZE &&
	       preset->avx512f_groups_from >= preset->avx512f_from;
}

static void test_presets(const struct tier *tier)
{
	const struct cpuinfo_x86 *const before = shim_pretended_cpu;
	const struct tier *broken = NULL, *astray = NULL, *t;
	struct cpuinfo_x86 cpu = {};
	const char *preset;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		cpu.x86_vendor = cpus[i].vendor;
		cpu.x86 = cpus[i].family;
		pretend(&cpu);
		preset = poly1305_x86_preset.cpu;
		if (poly1305_x86_preset.chains_from < 16 * POLY1305_MIN_CHAINS)
			fail("%s: chains_from is less than the code looks for",
			     preset);
		if (!avx512f_fits(&poly1305_x86_preset))
			fail("%s: thresholds of AVX-512F that its code does not allow",
			     preset);
		for (t = tier_list(); t->name; t++) {
			if (!t->alg->base.cra_driver_name[0])
				broken = t;
			if (!keeps_thresholds(t))
				astray = t;
		}
		pretend(before);
		if (strcmp(preset, cpus[i].preset))
			fail("vendor %d, family 0x%x: the preset is that of %s",
			     cpus[i].vendor, cpus[i].family, preset);
		if (broken)
			fail("%s fails its self-test with the preset of %s",
			     broken->name, preset);
		if (astray)
			fail("%s does not keep its thresholds with the preset of %s",
			     astray->name, preset);
	}
}

#else

static void test_presets(const struct tier *tier)
{
	skip("this is not an x86-64 CPU");
}

#endif

const struct test preset_tests[] = {
	{ "presets", test_presets, true },
	{ }
};
