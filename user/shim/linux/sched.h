/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <crypto/internal/simd.h>
#include <linux/types.h>

#define PF_KTHREAD		1
#define PF_USER_WORKER		2
#define TIF_NEED_FPU_LOAD	0

struct shim_task {
	unsigned int flags;
};

static const struct shim_task shim_task;
#define current			(&shim_task)

static inline bool test_thread_flag(int flag)
{
	return shim_fpu_saved;
}

#endif
