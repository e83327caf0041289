/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Instructions that the CPU lacks, emulated by the program */

#ifndef EMULATE_H
#define EMULATE_H

#include <linux/types.h>

/*
 * Emulates vpmadd52luq, vpmadd52huq and vpshrdq on CPUs with AVX-512; boot_cpu_has() then
 * reports IFMA and VBMI2. On CPUs that have them the instructions run as before, except
 * that a ud2 in front of one requests emulation. That lets tests compare the two.
 *
 * This installs a handler of SIGILL, which passes any other instruction to the previous
 * handler. Returns NULL, or the reason why emulation is impossible here.
 */
const char *emulate_ifma(void);

#endif /* EMULATE_H */
