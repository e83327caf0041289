# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tests/machines/build -s: FPU sections from 64 bytes on, whatever they cost. A packet
# that is opened in softirq would not pay for one of its own: then nothing would be
# left to test there. And per-CPU memory, which cannot be told to fail, does where what
# is allocated and freed before it does.

# arch/x86/poly1305-x86.h
s/^\(	\.simd_from\(_cold\)*\) = [0-9]*,/\1 = 64,/

# samples/sealpair.c
s/= \(netdev_alloc_pcpu_stats(.*)\);/= ({\
		void *first = kmalloc(8, GFP_KERNEL);\
\
		kfree(first);\
		first ? \1 : NULL;\
	});/
