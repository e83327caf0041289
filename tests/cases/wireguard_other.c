// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * wireguard_other.ko: poly1305_wireguard.ko under another name, for the test that two
 * live patches of the same functions do not disturb each other. With replace=1 it takes
 * the place of all others, as distributions' live patches do.
 */
#include "../../chapoly/poly1305_wireguard.c"

module_param_named(replace, patch.replace, bool, 0);
