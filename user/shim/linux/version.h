/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The shim has the interfaces of the newest kernel. */
#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE	KERNEL_VERSION(255, 0, 0)
