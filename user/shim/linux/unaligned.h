/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_UNALIGNED_H
#define SHIM_LINUX_UNALIGNED_H

#include <endian.h>
#include <linux/types.h>
#include <string.h>

static inline u32 get_unaligned_le32(const void *p)
{
	u32 x;

	memcpy(&x, p, sizeof(x));
	return le32toh(x);
}

static inline u64 get_unaligned_le64(const void *p)
{
	u64 x;

	memcpy(&x, p, sizeof(x));
	return le64toh(x);
}

static inline void put_unaligned_le32(u32 x, void *p)
{
	x = htole32(x);
	memcpy(p, &x, sizeof(x));
}

static inline void put_unaligned_le64(u64 x, void *p)
{
	x = htole64(x);
	memcpy(p, &x, sizeof(x));
}

#endif
