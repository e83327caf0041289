/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Declarations for poly1305_kunit.ko */

#ifndef POLY1305_KUNIT_H
#define POLY1305_KUNIT_H

#include <kunit/test.h>

/* blocks.c */
extern struct kunit_suite blocks_suite;

#endif /* POLY1305_KUNIT_H */
