# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tools/vm/build -s: FPU sections from 64 bytes on, whatever they cost. A packet
# that is opened in softirq would not pay for one of its own: then nothing would be
# left to test there.

# arch/x86/poly1305-x86.h
s/^\(	    \.min_len\(_save\)*\) = [0-9]*,/\1 = 64,/
