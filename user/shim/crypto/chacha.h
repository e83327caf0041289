/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* compat.h includes it for poly1305_chapoly.c, which user space does not build. */
