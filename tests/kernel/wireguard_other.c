// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * wireguard_other.ko: poly1305_wireguard.ko under another name, for the test that two
 * live patches of the same functions do not disturb each other.
 */
#include "../../poly1305_wireguard.c"
