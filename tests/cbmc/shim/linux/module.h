/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* As user/shim's, but modules are not loaded: CBMC has an entry of its own. */
#ifndef CBMC_LINUX_MODULE_H
#define CBMC_LINUX_MODULE_H

#include "../../../../user/shim/linux/module.h"

#undef module_init
#undef module_exit
#define module_init(fn)
#define module_exit(fn)

#endif
