# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tests/machines/build -s: makes tiers use SIMD from 64 bytes on, whether it pays or
# not. Packets opened in softirq are too short for it otherwise. Per-CPU memory cannot be
# told to fail, so here it fails if an allocation just before it does.

# arch/x86/poly1305-x86.h
s/^\(	\.simd_from\(_cold\)*\) = [0-9]*,/\1 = 64,/

# samples/sealpair.c
s/= \(netdev_alloc_pcpu_stats(.*)\);/= ({\
		void *first = kmalloc(8, GFP_KERNEL);\
\
		kfree(first);\
		first ? \1 : NULL;\
	});/
