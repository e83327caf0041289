// SPDX-License-Identifier: GPL-2.0 OR MIT
/* poly1271_test.ko: poly1305_test.ko for Poly1271 */

#include "main.c"
