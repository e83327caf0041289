/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Instructions that the CPU lacks, emulated by the program */

#ifndef EMULATE_H
#define EMULATE_H

/*
 * Emulates the EVEX forms of vpmadd52luq, vpmadd52huq and vpshrdq on CPUs that have
 * AVX-512 but lack IFMA or VBMI2; boot_cpu_has() then reports both. On CPUs that have
 * them the instructions run as before, except that a ud2 in front of one requests
 * emulation. That lets tests compare the two.
 *
 * This installs a handler of SIGILL, which passes any other instruction to the previous
 * handler. Returns NULL, or the reason why emulation is impossible here.
 */
const char *emulate_avx512(void);

#endif /* EMULATE_H */
