/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What the files of ctgrind share */

#ifndef CTGRIND_H
#define CTGRIND_H

#include <valgrind/memcheck.h>

#include "poly1305_core.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define LEN_MAX		(66 << 10)

extern u8 key[KEY_SIZE], tag[TAG_SIZE], message[KEY_SIZE + LEN_MAX];
extern unsigned long calls;

static inline void hide(void *p, size_t len)
{
	VALGRIND_MAKE_MEM_UNDEFINED(p, len);
}

/* ctgrind_whole.c: what a MAC need not have */
void use_adx(bool on);
void try_whole(size_t len);

#endif
