# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tests/machines/build -s: a build of the modules with faults that a debugging kernel,
# or a test in it, must find. A fault occurs only if the parameter "plant" of poly1305.ko
# names it:
#
#	overread	a byte past the end of the descriptor is read
#	sleep		an FPU section may sleep
#	nested		an FPU section within another
#	locks		two locks are taken in one order and then in the other
#	cpu		the number of the CPU is read where it may change
#	schedule	an FPU section calls the scheduler, once; the scheduler complains
#			and then no longer knows that this was forbidden
#	race		all threads count in one place, with plain reads and writes
#	leak		each message leaks an allocation
#	fpu-softirq	FPU sections in softirq save nothing
#	fpu-process	those in system calls and other processes save nothing
#	silent		a driver that cannot be registered is not named in the log
#	badmsg		poly1305_chapoly.ko takes a lack of memory in its self-test
#			for a wrong result
#	unsaid		sealpair.ko reports success when it has no memory for keys
#	einval		it reports EINVAL then
#	uncounted	it does not count frames that it cannot send
#	tag		one tag in 64 of poly1305-avx2 is wrong, from after the
#			module's own self-test on

# poly1305_core.h, samples/sealpair.c, poly1305_tiers.c and poly1305_glue.c
/^#include "\(\.\.\/\)*poly1305.h"$/a\
#include <linux/moduleparam.h>\
#include <linux/slab.h>\
#include <linux/smp.h>\
#include <linux/spinlock.h>\
#include <linux/string.h>\
extern char *poly1305_plant;\
extern bool poly1305_planted_tag;\
extern unsigned long poly1305_planted_count;\
#define planted(what) (poly1305_plant \&\& !strncmp(poly1305_plant, what, strlen(what)))
/^static bool always_usable/i\
char *poly1305_plant;\
static DEFINE_SPINLOCK(planted_a);\
static DEFINE_SPINLOCK(planted_b);\
bool poly1305_planted_tag;\
unsigned long poly1305_planted_count;\
EXPORT_SYMBOL_GPL(poly1305_plant);\
module_param_named(plant, poly1305_plant, charp, 0644);\

/^static int shash_init(/,/^}/s/^	return 0;/	if (planted("leak"))\
		(void)READ_ONCE(*(u8 *)kzalloc(48, GFP_ATOMIC));\
	if (planted("cpu"))\
		(void)smp_processor_id();\
&/
/^static __always_inline int desc_final(/,/^}/s/^	memzero_explicit.*/	if (planted("overread"))\
		(void)READ_ONCE(((u8 *)(d + 1))[0]);\
	if (planted("tag") \&\& poly1305_planted_tag \&\&\
	    !strcmp(tier->name, "poly1305-avx2") \&\& tag[0] % 64 == 7)\
		tag[5] ^= 1;\
&/
/^static __always_inline void simd_blocks(/,/^}/s/^		poly1305_fpu_end();/		if (planted("sleep"))\
			might_sleep();\
		if (planted("nested")) {\
			poly1305_fpu_begin();\
			poly1305_fpu_end();\
		}\
		if (planted("schedule") \&\& !poly1305_planted_count++) {\
			schedule_timeout_uninterruptible(1);\
			preempt_disable();\
		}\
&/
/^static __always_inline void desc_update(/,/^}/s/^	if (d->headlen < .*/	if (planted("race"))\
		for (int i = 0; i < 100; i++) {\
			poly1305_planted_count++;\
			barrier();\
		}\
	if (planted("locks")) {\
		spin_lock(\&planted_a);\
		spin_lock(\&planted_b);\
		spin_unlock(\&planted_b);\
		spin_unlock(\&planted_a);\
		spin_lock(\&planted_b);\
		spin_lock(\&planted_a);\
		spin_unlock(\&planted_a);\
		spin_unlock(\&planted_b);\
	}\
&/
s/^		err = poly1305_selftest(.*/		poly1305_planted_tag = false;\
&\
		poly1305_planted_tag = true;/

/^static int __init poly1305_mod_init(/,/^}/s/^			if (err)$/			if (err \&\& !planted("silent"))/

# poly1305_chapoly.c
s/^		if (wrong && t->err == -ENOMEM)/		if (wrong \&\& t->err == -ENOMEM \&\& !planted("badmsg"))/

# samples/sealpair.c
/^static int seal_set_session(/,/^}/s/^		return -ENOMEM;/		return planted("unsaid") ? 0 : planted("einval") ? -EINVAL : -ENOMEM;/
/^static netdev_tx_t seal_xmit(/,/^}/s/return seal_drop(seal, NULL, TX_REFUSED);/return planted("uncounted") ? 0 : seal_drop(seal, NULL, TX_REFUSED);/

# arch/x86/poly1305-fpu.h
/^static inline void poly1305_fpu_begin/i\
#define unsaved() planted(in_serving_softirq() ? "fpu-softirq" : "fpu-process")\

s/^	kernel_fpu_begin();/	if (!unsaved())\
	&/
s/^	kernel_fpu_end();/	if (!unsaved())\
	&/
