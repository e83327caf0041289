// SPDX-License-Identifier: GPL-2.0 OR MIT
/* poly1271_kunit.ko: poly1305_kunit.ko for Poly1271 */

#include "../poly1271_cases.c"
#include "main.c"
#include "blocks.c"
