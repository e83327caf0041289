/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The part of the kernel's <linux/types.h> that poly1305.h needs. The system's header is
 * included first, so that programs can include other <linux/...> headers as usual.
 */

#ifndef POLY1305_USER_TYPES_H
#define POLY1305_USER_TYPES_H

/* As a system header, this gives no warning about #include_next with -Wpedantic. */
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
