/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * libpoly1305.a: Poly1305 in user space, from the sources of the kernel module.
 * poly1305.h describes the functions; here are two more. C++ may include this.
 *
 * At program start every implementation that the CPU can run must pass a
 * self-test; one that fails says so on stderr and is not used. If the portable
 * one fails the program aborts.
 */

#ifndef POLY1305_USER_H
#define POLY1305_USER_H

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "poly1305.h"

/* The names of the implementations that can be used, best first, then NULL */
const char *const *poly1305_user_impls(void);

/*
 * Makes one of them serve all calls from now on; at start the best one does.
 * Not while another thread computes a MAC. Returns 0, or -ENOENT if there is no
 * such implementation; nothing changes then.
 */
int poly1305_user_select(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* POLY1305_USER_H */
