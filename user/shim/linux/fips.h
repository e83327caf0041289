/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_FIPS_H
#define SHIM_LINUX_FIPS_H

#define fips_enabled	0

#endif
