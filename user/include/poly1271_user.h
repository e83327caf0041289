/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1271 in libpoly1305.a: poly1271.h, and what poly1305_user.h adds to poly1305.h.
 */

#ifndef POLY1271_USER_H
#define POLY1271_USER_H

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "poly1271.h"

const char *const *poly1271_user_impls(void);
int poly1271_user_select(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* POLY1271_USER_H */
