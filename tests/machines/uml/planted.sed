# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tests/machines/uml/build planted, with FAULT=1: its parameter may be written after
# poly1305.ko is loaded and has passed its self-test, and knows two more faults,
#
#	simd:DRIVER	what the driver's SIMD code computes outside batches is wrong
#	scalar:DRIVER	what its scalar code computes is wrong where a message is long
#			enough for SIMD, which is used unless the context forbids it
#
# so that it shows which cases reach them.

# poly1305_glue.c
s/^module_param(fault, charp, 0444);/module_param(fault, charp, 0644);/
/^static __always_inline void simd_blocks(/,/^}/s/^		tier->blocks(.*/&\
		poly1305_inject_fault(tier, "simd:", (u8 *)state);/
/^static __always_inline void tier_blocks(/,/^}/s/^	else$/	else {/
/^static __always_inline void tier_blocks(/,/^}/s/^		tier->scalar(.*/&\
		if (nblocks * POLY1305_MAC_BLOCK_SIZE >= tier->min_len)\
			poly1305_inject_fault(tier, "scalar:", (u8 *)state);\
	}/
/^static __always_inline void tier_digest(/,/^}/{
	s/^		tier->scalar_digest(.*/&\
		if (len >= tier->min_len)\
			poly1305_inject_fault(tier, "scalar:", tag);/
	/^		poly1305_fpu_end();/s/$/\
		poly1305_inject_fault(tier, "simd:", tag);/
}
