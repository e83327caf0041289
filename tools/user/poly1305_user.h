/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What libpoly1305.a has beside the functions of poly1305.h.
 */

#ifndef POLY1305_USER_H
#define POLY1305_USER_H

#include "poly1305.h"

/* Driver names usable on this CPU, NULL at the end */
const char *const *poly1305_user_impls(void);

/*
 * Make one of them serve the functions of poly1305.h: 0, or -ENOENT. At start
 * the best one does. Not to be called while another thread computes a MAC.
 */
int poly1305_user_select(const char *name);

#endif
