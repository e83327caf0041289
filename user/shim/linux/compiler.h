/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#define likely(x)		__builtin_expect(!!(x), 1)
#define __maybe_unused		__attribute__((__unused__))
#define noinline		__attribute__((__noinline__))
#define noinline_for_stack	noinline
#define __no_sanitize_address	/* The sanitizer of user space has no limit of the frame. */
#define barrier()		__asm__ volatile ("" : : : "memory")
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

#endif
