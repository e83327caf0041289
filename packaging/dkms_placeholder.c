// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DKMS installs this in place of a module that does not compile for a kernel, because DKMS
 * insists on every module of its list. The Makefile's target dkms-modules builds it. It has no
 * alias, and only logs that the module is left out.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>

static int __init left_out_init(void)
{
	pr_info("not loaded: this module does not compile for this kernel\n");
	return -ENODEV;
}

module_init(left_out_init);

MODULE_DESCRIPTION("left out: this module does not compile for this kernel");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
