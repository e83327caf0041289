/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * libpoly1305.a: Poly1305 in user space, from the sources of the kernel module. For C and
 * C++. poly1305.h describes most functions; this header adds two.
 *
 * At program start every tier that the CPU can run undergoes a self-test. If a tier fails,
 * it is reported on stderr and not used. If the portable tier fails, the program aborts.
 */

#ifndef POLY1305_USER_H
#define POLY1305_USER_H

#include "chapoly.h"
#include "poly1305.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names of the usable tiers, best first, then NULL */
const char *const *poly1305_user_impls(void);

/*
 * Selects the tier for all further calls; at program start it is the best usable one. Must
 * not be called while another thread computes a MAC. Returns 0, or -ENOENT if no usable
 * tier has that name; then nothing changes.
 */
int poly1305_user_select(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* POLY1305_USER_H */
