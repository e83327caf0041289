/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Where newer kernels have ciphers of single blocks: crypto/algapi.h has ours. */
