// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The cases for Poly1271: those of Poly1305, built with POLY1271 defined */

#include "../reference/poly1305_ref.c"
#include "fixture.c"
#include "both.c"
#include "library.c"
#include "shash.c"
#include "contexts.c"
#include "corners.c"
#include "guards.c"
