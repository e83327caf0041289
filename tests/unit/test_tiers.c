// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The tiers as the module has them: their registration, where SIMD begins, and how long an FPU
 * section lasts
 */

#include "check.h"
#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#endif

void serve_by(const struct tier *tier)
{
	if (poly1305_user_select(tier->def->name))
		fail("cannot be selected: did it fail the self-test?");
	if (!serves(tier))
		fail("is not in use, although it was selected");
}

/* Those that passed the self-test are listed, the best first, which is in use at start. */
int test_registered(const struct subject *s)
{
	const struct tier *tier = s->tier;
	const char *const *name = poly1305_user_impls();
	size_t i;

	if (tier->at_start != !strcmp(tier->def->name, *name))
		fail("%s is listed first; in use at start: %d", *name, tier->at_start);
	/* The priorities of poly1305_tiers rise. */
	for (i = POLY1305_NTIERS; i--;)
		if (*name && !strcmp(*name, poly1305_tiers[i]->name))
			name++;
	if (*name)
		fail("%s is listed in a wrong place", *name);

	serve_by(tier);
	if (poly1305_user_select("") != -ENOENT || !serves(tier))
		fail("a tier that does not exist can be selected");
	return 0;
}

#ifdef CONFIG_X86_64
/* What each tier of poly1305_tiers needs of a CPU; 0 ends them. */
static const unsigned int needs[POLY1305_NTIERS][9] = {
	[2] = { X86_FEATURE_XMM2 },
	[3] = { X86_FEATURE_OSXSAVE, X86_FEATURE_AVX, X86_FEATURE_AVX2, X86_FEATURE_BMI2 },
	[4] = { X86_FEATURE_OSXSAVE, X86_FEATURE_AVX512F, X86_FEATURE_AVX512VL,
		X86_FEATURE_AVX512BW, X86_FEATURE_AVX512DQ, X86_FEATURE_AVX512IFMA,
		X86_FEATURE_AVX512_VBMI2, X86_FEATURE_BMI2 },
};

/* On a CPU with what it needs, but perhaps without one feature */
static void check_usable(size_t i, size_t without, bool expected)
{
	unsigned int has[ARRAY_SIZE(needs[0])];

	memcpy(has, needs[i], sizeof(has));
	if (without < ARRAY_SIZE(has))
		has[without] = ~0U;
	shim_features = has;
	if (poly1305_tiers[i]->usable() != expected)
		fail("%s is %susable without feature %zu; zmm %d", poly1305_tiers[i]->name,
		     expected ? "not " : "", without, poly1305_zmm);
	shim_features = NULL;
}

/* A tier is usable if the CPU has all that it needs, and avx512 if zmm or the kernel allows it. */
int test_usable(const struct subject *s)
{
	static const unsigned int wide[] = { 0 }, narrow[] = { X86_FEATURE_PREFER_YMM, 0 };
	size_t i, j;

	for (i = 0; i < POLY1305_NTIERS; i++) {
		check_usable(i, SIZE_MAX, true);
		for (j = 0; needs[i][j]; j++)
			check_usable(i, j, false);
	}
	for (i = 0; i < 6; i++) {
		poly1305_zmm = i / 2 - 1;
		shim_features = i % 2 ? narrow : wide;
		poly1305_arch_init();
		check_usable(4, SIZE_MAX, i / 2 ? i / 2 == 2 : !(i % 2));
	}
	poly1305_zmm = -1;
	poly1305_arch_init();
	return 0;
}
#else
int test_usable(const struct subject *s)
{
	return skip("every CPU has what its tiers need");
}
#endif

/*
 * The FPU sections of len bytes, as a message or as an update; saved: whether the registers of the
 * process are saved already; hint: the length announced
 */
static unsigned long sections(const struct tier *tier, bool saved, size_t hint, bool update,
			      size_t len)
{
	static u8 data[3 * POLY1305_SECTION_LEN];
	const unsigned long before = shim_fpu_sections;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];

	shim_fpu_saved = saved;
	poly1305_mac_init_hint(&ctx, random_sample.input, hint);
	if (update)
		tier->def->ops->update(&ctx, data, len);
	else
		tier->def->ops->digest(random_sample.input, data, len, tag);
	return shim_fpu_sections - before;
}

/*
 * SIMD begins at the length that the tier names; for updates, and for a message that has no
 * digest function, at the whole blocks of that length. It begins later where registers must be
 * saved, and earlier for updates of a message that is announced as long. The kernel cannot preempt
 * a section, so a long message or update takes several.
 */
int test_sections(const struct subject *s)
{
	const struct tier *tier = s->tier;
	const size_t least = tier->def->simd_from, blocks = round_up(least, BLOCK_SIZE);
	const size_t from = tier->def->simd.has_digest ? least : blocks;
	const size_t saving = least + POLY1305_SAVING_COST;
	const size_t early = round_up(least - POLY1305_POWERS_COST, BLOCK_SIZE);
	const size_t most = 3 * POLY1305_SECTION_LEN;

	if (!least)
		skip("it has no SIMD");
	if (sections(tier, true, 0, false, from - 1) || !sections(tier, true, 0, false, from) ||
	    sections(tier, true, 0, true, blocks - 1) || !sections(tier, true, 0, true, blocks))
		fail("SIMD does not begin at %zu bytes", from);
	if (sections(tier, false, 0, false, saving - 1) ||
	    !sections(tier, false, 0, false, round_up(saving, BLOCK_SIZE)))
		fail("with registers to save, SIMD does not begin at %zu bytes", saving);
	if (sections(tier, true, POLY1305_LONG_LEN - 1, true, early) ||
	    sections(tier, true, POLY1305_LONG_LEN, true, early - 1) ||
	    !sections(tier, true, POLY1305_LONG_LEN, true, early))
		fail("of a long message, SIMD does not begin at %zu bytes", early);
	if (sections(tier, true, 0, false, most) != 3 || sections(tier, true, 0, true, most) != 3)
		fail("%zu bytes do not take 3 FPU sections", most);
	return 0;
}
