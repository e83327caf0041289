/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* In place of user/shim's: modules are not loaded. */
#ifndef CBMC_LINUX_MODULE_H
#define CBMC_LINUX_MODULE_H

#include <linux/init.h>
#include <linux/moduleparam.h>
#include <stdlib.h>

#define THIS_MODULE			NULL
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)
#define MODULE_VERSION(text)
#define MODULE_ALIAS_CRYPTO(name)
#define MODULE_IMPORT_NS(name)
#define EXPORT_SYMBOL_GPL(symbol)
#define EXPORT_SYMBOL_NS_GPL(symbol, ns)
#define module_init(fn)
#define module_exit(fn)

#endif
