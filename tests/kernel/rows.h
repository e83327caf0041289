/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rows of the glue's table, for modules with block functions of their own:
 * see Kbuild. To be included in one file of a module.
 */

#ifndef POLY1305_TEST_ROWS_H
#define POLY1305_TEST_ROWS_H

#include "../../poly1305_core.h"

#ifdef CONFIG_X86_64
#include "../../arch/x86/poly1305-x86.h"
#else
#define POLY1305_ARCH_TIERS(row)
static inline void poly1305_fpu_begin(void) { }
static inline void poly1305_fpu_end(void) { }
#endif

static bool always_usable(int *priority)
{
	return true;
}

/**
 * struct row - an implementation
 * @driver: its driver's name
 * @usable: whether this CPU and this kernel can run it; may lower a priority
 * @blocks: its block function
 */
struct row {
	const char *driver;
	bool (*usable)(int *priority);
	void (*blocks)(struct poly1305_mac_state *state, const u8 *data,
		       size_t nblocks, u32 hibit);
};

#define ROW(id, name, prio, usable_fn, ...)				\
	{ name, usable_fn, poly1305_blocks_##id },

static const struct row rows[] = {
	{ "poly1305-portable", always_usable, poly1305_blocks_generic },
	POLY1305_ARCH_TIERS(ROW)
};

#undef ROW

static const struct row *const rows_end = rows + ARRAY_SIZE(rows);

/* The first from this row on that can run here, or rows_end */
static const struct row *usable_row(const struct row *row)
{
	int priority;

	while (row < rows_end && !row->usable(&priority))
		row++;
	return row;
}

#define for_each_usable_row(row)					\
	for (row = usable_row(rows); row < rows_end; row = usable_row(row + 1))

static void run_row(const struct row *row, struct poly1305_mac_state *state,
		    const u8 *data, size_t nblocks, u32 hibit)
{
	poly1305_fpu_begin();
	row->blocks(state, data, nblocks, hibit);
	poly1305_fpu_end();
}

#endif /* POLY1305_TEST_ROWS_H */
