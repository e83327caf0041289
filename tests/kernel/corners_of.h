/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The corners of the MAC that is built, to be included in an array of struct corner */

#ifdef POLY1271
#include "corners1271.h"
#else
#include "corners.h"
#endif
