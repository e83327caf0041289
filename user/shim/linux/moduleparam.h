/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_MODULEPARAM_H
#define SHIM_LINUX_MODULEPARAM_H

#define MODULE_PARM_DESC(name, text)
#define module_param(name, type, mode)
#define module_param_named(name, variable, type, mode)

#endif
