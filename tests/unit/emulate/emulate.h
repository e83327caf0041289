/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Instructions that the CPU lacks, emulated by the program */

#ifndef EMULATE_H
#define EMULATE_H

#include <linux/types.h>

/*
 * Emulates the VEX forms of vpmadd52luq and vpmadd52huq on CPUs with AVX2 and, if the CPU
 * has AVX-512, the EVEX forms of these and of vpshrdq; boot_cpu_has() then reports
 * AVX-IFMA, IFMA and VBMI2. On CPUs that have them the instructions run as before, except
 * that a ud2 in front of one requests emulation. That lets tests compare the two.
 *
 * This installs a handler of SIGILL, which passes any other instruction to the previous
 * handler. Returns NULL, or the reason why emulation is impossible here.
 */
const char *emulate_ifma(void);

/* Whether that includes the EVEX forms */
bool emulates_avx512(void);

#endif /* EMULATE_H */
