/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#include_next <linux/errno.h>
#include <errno.h>
