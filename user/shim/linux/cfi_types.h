/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Empty: the shim's linux/linkage.h defines these macros. */
