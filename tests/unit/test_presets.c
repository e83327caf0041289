// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The presets of arch/x86/poly1305-presets.h: the CPUs that take each, and that every
 * tier passes its self-test with each. Options of the checker run all tests with one.
 */

#include "check.h"

#ifdef CONFIG_X86_64

#include <asm/processor.h>

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
	{ X86_VENDOR_AMD, 0x17, "AMD Zen 3" },
	{ X86_VENDOR_AMD, 0x19, "AMD Zen 3" },
	{ X86_VENDOR_AMD, 0x1a, "AMD Zen 5" },
	{ X86_VENDOR_AMD, 0x1b, "AMD Zen 5" },
	{ X86_VENDOR_HYGON, 0x18, "AMD Zen 3" },
	{ X86_VENDOR_UNKNOWN, 0x19, "Intel Emerald Rapids" },
};

static void test_presets(const struct tier *tier)
{
	const struct cpuinfo_x86 *const before = shim_pretended_cpu;
	const struct tier *broken = NULL, *t;
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
		for (t = tier_list(); t->name; t++)
			if (!t->alg->base.cra_driver_name[0])
				broken = t;
		pretend(before);
		if (strcmp(preset, cpus[i].preset))
			fail("vendor %d, family 0x%x: the preset is that of %s",
			     cpus[i].vendor, cpus[i].family, preset);
		if (broken)
			fail("%s fails its self-test with the preset of %s",
			     broken->name, preset);
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
