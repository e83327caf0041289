/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Empty: compat.h includes it for poly1305_chapoly.c, which is kernel-only. */
