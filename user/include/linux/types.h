/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What poly1305.h needs of the kernel's <linux/types.h>. The system's own comes
 * first, so a program that also includes other <linux/...> headers finds there
 * what it always finds.
 */

#ifndef POLY1305_USER_TYPES_H
#define POLY1305_USER_TYPES_H

/* As those are: no warning about #include_next in programs that want pedantry */
#pragma GCC system_header

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#ifndef __must_check
#define __must_check	__attribute__((warn_unused_result))
#endif

#endif /* POLY1305_USER_TYPES_H */
