/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The tiers, for test modules that contain poly1305_tiers.c and the block functions */

#ifndef POLY1305_TEST_TIERS_H
#define POLY1305_TEST_TIERS_H

#include "../../poly1305_core.h"

/* The next tier that this CPU can run, the first for NULL; or NULL after the last */
static inline const struct poly1305_tier *
usable_tier_after(const struct poly1305_tier *tier)
{
	/* Once: after a module's init the kernel makes the thresholds read-only. */
	static bool set_up;
	size_t i = 0;
	int priority;

	if (!set_up)
		poly1305_arch_init();
	set_up = true;
	while (tier && poly1305_tiers[i++] != tier)
		;
	for (; i < POLY1305_NTIERS; i++)
		if (poly1305_usable(poly1305_tiers[i], &priority))
			return poly1305_tiers[i];
	return NULL;
}

#define for_each_usable_tier(tier)					\
	for (tier = usable_tier_after(NULL); tier;			\
	     tier = usable_tier_after(tier))

/* Calls the block function of a tier, in an FPU section if it needs one. */
static inline void run_tier(const struct poly1305_tier *tier,
			    struct poly1305_mac_state *state, const u8 *data,
			    size_t nblocks, u32 hibit)
{
	if (tier->has_simd || !tier->scalar.unfolds)
		poly1305_fold(state);
	if (!tier->has_simd) {
		tier->scalar.blocks(state, data, nblocks, hibit);
	} else if (!WARN_ON(!poly1305_section_begin(tier, SIZE_MAX))) {
		tier->simd.blocks(state, data, nblocks, hibit);
		poly1305_section_end();
	}
}

#endif /* POLY1305_TEST_TIERS_H */
