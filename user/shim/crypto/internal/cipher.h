/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Empty: the shim declares single-block ciphers in crypto/algapi.h, as old kernels do. */
