/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Macros that the kernel's ChaCha20 uses, for bench/: no frames for unwinders */
#define FRAME_BEGIN
#define FRAME_END
