// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What poly1271.ko shares with poly1305.ko. Built in a copy of the sources in which
 * poly1305_core.h has the constants and names of poly1271_core.h.
 */

#include "../../poly1305_glue.c"
#include "../../poly1305_selftest.c"
#include "../../poly1305_lib.c"
#include "../../poly1305_tiers.c"
