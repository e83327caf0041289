# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For "tests/machines/build -s ... uml fault": its parameter may be written after
# poly1305.ko is loaded and has passed its self-test, and knows two more faults,
#
#	simd:DRIVER	what the driver's SIMD code computes outside batches is wrong
#	scalar:DRIVER	what its scalar code computes is wrong where a message is long
#			enough for SIMD, which is used unless the context forbids it
#
# so that it shows which cases reach them.

# poly1305_tiers.c
s/^module_param(fault, charp, 0444);/module_param(fault, charp, 0644);/
/^static __always_inline void simd_blocks(/,/^}/s/^		tier->simd\.blocks(.*/&\
		poly1305_inject_fault(tier, "simd:", state);/
/^static __always_inline void tier_blocks(/,/^}/s/^	else$/	else {/
/^static __always_inline void tier_blocks(/,/^}/s/^		tier->scalar\.blocks(.*/&\
		if (tier->simd_from \&\& nblocks * POLY1305_MAC_BLOCK_SIZE >= tier->simd_from)\
			poly1305_inject_fault(tier, "scalar:", state);\
	}/
/^static __always_inline void tier_digest(/,/^}/{
	s/^		tier->scalar\.digest(.*/&\
		if (tier->simd_from \&\& len >= tier->simd_from)\
			poly1305_inject_fault(tier, "scalar:", tag);/
	/^		poly1305_fpu_end();/s/$/\
		poly1305_inject_fault(tier, "simd:", tag);/
}
