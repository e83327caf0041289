/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_MODULE_H
#define SHIM_LINUX_MODULE_H

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

/* The module is loaded before main() and before the constructors of other code. */
#ifndef SHIM_INIT
#define SHIM_INIT	102
#endif
#define module_init(fn)							\
static void __attribute__((constructor(SHIM_INIT))) shim_init(void)	\
{									\
	if (fn())							\
		abort();						\
}
#define module_exit(fn)							\
static void __attribute__((destructor)) shim_exit(void)			\
{									\
	fn();								\
}

#endif
