# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tools/vm/build -s: one build of the modules with the faults that a debugging
# kernel, or a test in it, must find. None of them happens unless the parameter
# "plant" of poly1305.ko names it:
#
#	overread	a byte past the end of the descriptor is read
#	sleep		an FPU section may sleep
#	leak		each message leaks an allocation
#	fpu		FPU sections save nothing
#	tag		one tag in 64 of poly1305-avx2 is wrong, from after the
#			module's own self-test on

# poly1305_core.h and poly1305_glue.c
/^#include "poly1305.h"$/a\
#include <linux/moduleparam.h>\
#include <linux/slab.h>\
#include <linux/string.h>\
extern char *poly1305_plant;\
extern bool poly1305_planted_tag;\
#define planted(what) (poly1305_plant \&\& !strncmp(poly1305_plant, what, strlen(what)))
/^static bool always_usable/i\
char *poly1305_plant;\
bool poly1305_planted_tag;\
EXPORT_SYMBOL_GPL(poly1305_plant);\
module_param_named(plant, poly1305_plant, charp, 0644);\

/^static int shash_init(/,/^}/s/^	return 0;/	if (planted("leak"))\
		(void)READ_ONCE(*(u8 *)kzalloc(48, GFP_ATOMIC));\
&/
/^static __always_inline int desc_final(/,/^}/s/^	memzero_explicit.*/	if (planted("overread"))\
		(void)READ_ONCE(((u8 *)(d + 1))[0]);\
	if (planted("tag") \&\& poly1305_planted_tag \&\&\
	    !strcmp(tier->name, "poly1305-avx2") \&\& tag[0] % 64 == 7)\
		tag[5] ^= 1;\
&/
/^static __always_inline void simd_blocks(/,/^}/s/^		poly1305_fpu_end();/		if (planted("sleep"))\
			might_sleep();\
&/
s/^		err = poly1305_selftest(.*/		poly1305_planted_tag = false;\
&\
		poly1305_planted_tag = true;/

# arch/x86/poly1305-x86.h
s/^	kernel_fpu_begin();/	if (!planted("fpu"))\
	&/
s/^	kernel_fpu_end();/	if (!planted("fpu"))\
	&/
