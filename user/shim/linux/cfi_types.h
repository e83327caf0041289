/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What it defines in the kernel, linux/linkage.h defines here. */
