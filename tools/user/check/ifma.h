/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What ifma_x86_64.S has: instructions, and what they are. */

#ifndef IFMA_H
#define IFMA_H

#include <linux/types.h>

/* In place of a register's number */
#define NONE		(-1)
#define RIP		(-2)

/**
 * struct form - one instruction
 * @code: how far from here a ud2 is, the instruction, and ret
 * @high: whether it is vpmadd52huq
 * @lanes: of its vectors
 * @dst: its destination's number
 * @src: its first source's
 * @rm: its second source's, unless that is in memory
 * @mask: its mask register's, or 0
 * @zero: whether it zeroes what the mask leaves out
 * @broadcast: whether it loads one word for all lanes
 * @base: register, NONE, or RIP for a distance from ifma_operand; with @index NONE
 *	as well, nothing is in memory
 * @index: register, or NONE
 * @scale: its factor
 * @pad: 0
 * @disp: displacement
 */
struct form {
	int code;
	u8 high, lanes, dst, src, rm, mask, zero, broadcast;
	signed char base, index;
	u8 scale, pad;
	int disp;
};

extern const struct form ifma_forms[] __attribute__((visibility("hidden")));
extern const struct form ifma_forms_end[] __attribute__((visibility("hidden")));
extern const u8 ifma_from_init[] __attribute__((visibility("hidden")));
extern u8 ifma_operand[] __attribute__((visibility("hidden")));

#endif /* IFMA_H */
