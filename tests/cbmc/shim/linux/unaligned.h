/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* In place of user/shim's: x86-64 alone, and no call of memcpy(), which harnesses replace */
#ifndef CBMC_LINUX_UNALIGNED_H
#define CBMC_LINUX_UNALIGNED_H

#include <linux/types.h>

static inline u32 get_unaligned_le32(const void *p)
{
	return *(const u32 *)p;
}

static inline u64 get_unaligned_le64(const void *p)
{
	return *(const u64 *)p;
}

static inline void put_unaligned_le32(u32 x, void *p)
{
	*(u32 *)p = x;
}

static inline void put_unaligned_le64(u64 x, void *p)
{
	*(u64 *)p = x;
}

#endif
