// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The tiers of Poly1271, of which poly1271_kunit.ko contains a copy */

#include "../../../poly1305_tiers.c"
#include "../../../poly1271_generic.c"
