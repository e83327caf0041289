// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The emulation of IFMA and VBMI2: each form in emulated_x86_64.S, as the
 * assembler encodes it, against multiplication and shifts by hand. Each form runs twice:
 * with a ud2 in front, which requests emulation, and without. On a CPU that has the
 * extension the second run checks the expectations against the CPU.
 */

#include "check.h"
#include "emulate/emulate.h"
#include "emulated.h"

#ifdef CONFIG_X86_64

#define LANES		8
#define RSP		4
#define RDI		7
#define UD2		2
#define SHIFT		2

/* The low or high 52 bits of a b, for 52-bit a and b, in digits of 26 bits */
static u64 half_product(u64 a, u64 b, bool high)
{
	const u64 digit = (1 << 26) - 1;
	const u64 a0 = a & digit, a1 = a >> 26 & digit;
	const u64 b0 = b & digit, b1 = b >> 26 & digit;
	u64 low = a0 * b0, middle = a0 * b1 + a1 * b0;

	middle += low >> 26;
	low &= digit;
	if (high)
		return a1 * b1 + (middle >> 26);
	return (middle & digit) << 26 | low;
}

/* The low word of high:low shifted right by count mod 64 bits */
static u64 funnel(u64 low, u64 high, unsigned int count)
{
	for (count %= 64; count; count--) {
		low = low >> 1 | high << 63;
		high >>= 1;
	}
	return low;
}

static u64 any_word(void)
{
	switch (rnd_below(4)) {
	case 0:
		return -1ULL >> rnd_below(64);
	case 1:
		return 1ULL << rnd_below(64);
	default:
		return rnd();
	}
}

static bool chosen(const struct form *f, const struct residue *regs,
		   unsigned int lane)
{
	return !f->mask || regs->mask[f->mask] >> lane & 1;
}

static bool in_memory(const struct form *f)
{
	return f->base != NONE || f->index != NONE;
}

/*
 * Places the operand in memory and sets the registers of its address. The part of it
 * that belongs to masked-out lanes may be inaccessible.
 */
static u8 *place(const struct form *f, struct residue *regs)
{
	unsigned int lanes = f->broadcast ? 1 : f->lanes;
	u64 at;

	if (!in_memory(f))
		return NULL;
	if (f->base == RIP)
		return emulated_operand + f->disp;
	if (f->base == RSP) {
		at = regs->gpr[RSP] - 8 + f->disp;
		if (f->index != NONE) {
			regs->gpr[f->index] = rnd_below(16);
			at += regs->gpr[f->index] * f->scale;
		}
		return (u8 *)at;
	}

	if (f->mask && !f->broadcast && rnd() & 1) {
		lanes = rnd_below(lanes + 1);
		regs->mask[f->mask] &= (1 << lanes) - 1;
	}
	at = (u64)(input.rw + input.size - 8 * lanes - 8 * rnd_below(2));
	if (f->base == NONE) {
		at -= (at - f->disp) % f->scale;
		regs->gpr[f->index] = (at - f->disp) / f->scale;
		return (u8 *)at;
	}
	if (f->index != NONE)
		regs->gpr[f->index] = (rnd() >> 40) - (1 << 23);
	regs->gpr[f->base] = at - f->disp -
		(f->index == NONE ? 0 : regs->gpr[f->index] * f->scale);
	return (u8 *)at;
}

static void expect(const struct form *f, struct residue *regs, const u8 *operand)
{
	u64 result[LANES] = {}, word;
	unsigned int i;

	for (i = 0; i < f->lanes; i++) {
		if (!chosen(f, regs, i)) {
			result[i] = f->zero ? 0 : regs->vector[f->dst][i];
			continue;
		}
		if (in_memory(f))
			memcpy(&word, operand + (f->broadcast ? 0 : 8 * i), 8);
		else
			word = regs->vector[f->rm][i];
		if (f->kind == SHIFT)
			result[i] = funnel(regs->vector[f->src][i], word,
					   f->count);
		else
			result[i] = regs->vector[f->dst][i] +
				    half_product(regs->vector[f->src][i], word,
						 f->kind);
	}
	memcpy(regs->vector[f->dst], result, sizeof(result));
}

static void compare(const struct form *f, const struct residue *expected,
		    const struct residue *regs, const char *run)
{
	const int n = f - emulated_forms;

	if (memcmp(regs->vector[f->dst], expected->vector[f->dst],
		   sizeof(regs->vector[f->dst])))
		fail("form %d, %s: wrong result", n, run);
	if (memcmp(regs->vector, expected->vector, sizeof(regs->vector)))
		fail("form %d, %s: another vector register changes", n, run);
	if (memcmp(regs->mask, expected->mask, sizeof(regs->mask)))
		fail("form %d, %s: a mask register changes", n, run);
	if (memcmp(regs->gpr, expected->gpr, sizeof(regs->gpr)))
		fail("form %d, %s: a general register changes", n, run);
}

static void try_form(const struct form *f)
{
	static struct residue before, expected, regs;
	const u8 *code = (const u8 *)&f->code + f->code;
	u8 *operand, *p, *end;
	size_t i, j;

	rnd_bytes(before.gpr, sizeof(before.gpr));
	rnd_bytes(before.mask, sizeof(before.mask));
	for (i = 0; i < ARRAY_SIZE(before.vector); i++)
		for (j = 0; j < LANES; j++)
			before.vector[i][j] = any_word();
	before.gpr[RSP] = (u64)(stack.rw + stack.size - 1024);

	operand = place(f, &before);
	end = f->base == RIP || f->base == RSP ? operand + 8 * LANES :
						 input.rw + input.size;
	for (p = operand; p && p + 8 <= end; p += 8)
		put_unaligned_le64(any_word(), p);
	expected = before;
	expect(f, &expected, operand);

	regs = before;
	call_code(code, &regs);
	compare(f, &expected, &regs, "emulated");
	regs = before;
	call_code(code + UD2, &regs);
	compare(f, &expected, &regs, "without ud2");
}

/* The kernel does not save registers in their initial state; the emulator must know. */
static void test_init(const struct tier *tier)
{
	static u8 area[576] __attribute__((aligned(64)));
	const u32 mxcsr = 0x1f80;
	static struct residue regs;
	u64 low[32][2], i, j;

	if (!emulating())
		skip("nothing is emulated, without --emulate");
	memcpy(area + 24, &mxcsr, sizeof(mxcsr));
	for (i = first_case(); next_case(&i, 100); i++) {
		rnd_bytes(&regs, offsetof(struct residue, dead));
		for (j = 0; j < 32; j++)
			memcpy(low[j], regs.vector[j], sizeof(low[j]));
		memset(low[16], 0, 16 * sizeof(low[16]));
		for (j = 0; j < 2; j++) {
			low[3][j] += half_product(low[1][j], low[2][j], false);
			low[16][j] = half_product(low[1][j], low[2][j], true);
			low[17][j] = funnel(low[2][j], low[1][j], 40);
		}
		regs.gpr[RSP] = (u64)(stack.rw + stack.size - 1024);
		regs.gpr[RDI] = (u64)area;
		call_code(emulated_from_init, &regs);
		for (j = 0; j < 8 * 32; j++)
			if (regs.vector[j / 8][j % 8] !=
			    (j % 8 < 2 ? low[j / 8][j % 8] : 0))
				fail("word %d of vector register %d is wrong",
				     (int)j % 8, (int)j / 8);
		for (j = 0; j < 8; j++)
			if (regs.mask[j])
				fail("mask register %d is not 0", (int)j);
	}
}

static void test_forms(const struct tier *tier)
{
	const struct form *f;
	u64 i;

	if (!emulating())
		skip("nothing is emulated, without --emulate");
	for (i = first_case(); next_case(&i, 10 + random_cases() / 100); i++)
		for (f = emulated_forms; f < emulated_forms_end; f++)
			try_form(f);
}

#else

static void test_forms(const struct tier *tier)
{
	skip("this is not an x86-64 CPU");
}

static void test_init(const struct tier *tier)
{
	skip("this is not an x86-64 CPU");
}

#endif

const struct test emulate_tests[] = {
	{ "emulated-forms", test_forms, true },
	{ "emulated-from-init", test_init, true },
	{ }
};
