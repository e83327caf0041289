/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * user/shim's, with multiples of powers of two by masks, as in the kernel: divisions are hard to
 * prove.
 */
#include_next <linux/kernel.h>

#undef round_up
#undef round_down
#define round_up(x, to)		((((x) - 1) | ((typeof(x))(to) - 1)) + 1)
#define round_down(x, to)	((x) & ~((typeof(x))(to) - 1))
