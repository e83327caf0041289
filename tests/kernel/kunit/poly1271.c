// SPDX-License-Identifier: GPL-2.0 OR MIT
/* poly1271_kunit.ko: poly1305_kunit.ko for Poly1271, with its block functions */

#include "../poly1271_cases.c"
#include "main.c"
#include "blocks.c"
#include "../../../poly1305_tiers.c"
#include "../../../poly1271_generic.c"
