/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_MODULEPARAM_H
#define SHIM_LINUX_MODULEPARAM_H

#include <linux/types.h>
#include <stdlib.h>

#define MODULE_PARM_DESC(name, text)
#define module_param_named(name, variable, type, mode)

/* In builds for tests, environment variables set the parameters: NAME=VALUE. */
#ifdef POLY1305_FAULT
#define module_param(name, type, mode)					\
static void __attribute__((constructor(101))) shim_param_##name(void)	\
{									\
	shim_param_##type(&(name), getenv(#name));			\
}

static inline void shim_param_charp(char **param, char *value)
{
	*param = value;
}

static inline void shim_param_bool(bool *param, const char *value)
{
	*param = value && *value == 'Y';
}
#else
#define module_param(name, type, mode)
#endif

#endif
