/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What emulated_x86_64.S has: instructions, and what they are. */

#ifndef EMULATED_H
#define EMULATED_H

#include <linux/types.h>

/* In place of a register's number */
#define NONE		(-1)
#define RIP		(-2)

/**
 * struct form - one instruction
 * @code: how far from here a ud2 is, the instruction, and ret
 * @kind: 0: vpmadd52luq, 1: vpmadd52huq, 2: vpshrdq
 * @lanes: of its vectors
 * @dst: its destination's number
 * @src: its first source's
 * @rm: its second source's, unless that is in memory
 * @mask: its mask register's, or 0
 * @zero: whether it zeroes what the mask leaves out
 * @broadcast: whether it loads one word for all lanes
 * @base: register, NONE, or RIP for a distance from emulated_operand; with @index NONE
 *	as well, nothing is in memory
 * @index: register, or NONE
 * @scale: its factor
 * @count: by how many bits vpshrdq shifts
 * @disp: displacement
 */
struct form {
	int code;
	u8 kind, lanes, dst, src, rm, mask, zero, broadcast;
	signed char base, index;
	u8 scale, count;
	int disp;
};

extern const struct form emulated_forms[] __attribute__((visibility("hidden")));
extern const struct form emulated_forms_end[] __attribute__((visibility("hidden")));
extern const u8 emulated_from_init[] __attribute__((visibility("hidden")));
extern u8 emulated_operand[] __attribute__((visibility("hidden")));

#endif /* EMULATED_H */
