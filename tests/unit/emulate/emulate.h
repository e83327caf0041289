/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What a CPU lacks and a program does for it. */

#ifndef EMULATE_H
#define EMULATE_H

/*
 * From now on vpmadd52luq, vpmadd52huq and vpshrdq work in this program, in their
 * EVEX forms, on CPUs with AVX-512 but without IFMA or VBMI2; and boot_cpu_has()
 * says that it has both. Where the CPU has them they work as before, but a ud2 in
 * front of one has it emulated, which lets tests compare both.
 *
 * A handler of SIGILL is installed, which hands on what it does not know to the
 * handler it found. Returns NULL, or why this is impossible here.
 */
const char *emulate_avx512(void);

#endif /* EMULATE_H */
