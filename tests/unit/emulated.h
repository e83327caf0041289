/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The table of instructions in emulated_x86_64.S */

#ifndef EMULATED_H
#define EMULATED_H

#include <linux/types.h>

/* In place of a register's number */
#define NONE		(-1)
#define RIP		(-2)

/**
 * struct form - one instruction
 * @code: distance from this member to ud2, the instruction, and ret
 * @kind: 0: vpmadd52luq, 1: vpmadd52huq, 2: vpshrdq
 * @lanes: lanes of its vectors
 * @dst: number of the destination register
 * @src: number of the first source register
 * @rm: number of the second source register, unless that operand is in memory
 * @mask: number of the mask register, or 0
 * @zero: whether lanes outside the mask become zero
 * @broadcast: whether one word is loaded for all lanes
 * @base: base register, NONE, or RIP for a distance from emulated_operand. No operand
 *	is in memory if @base and @index are both NONE.
 * @index: index register, or NONE
 * @scale: factor of the index
 * @count: number of bits that vpshrdq shifts by
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
