// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The reference, tests/reference/poly1305_ref.c, and what else the tests compute modulo p.
 * The case "vectors" of tests/cases compares it with known tags.
 */

#include "check.h"
#include "../reference/poly1305_ref.c"

const u64 ref_p[3] = POLY1305_REF_P;
static const u64 zero[3];
static const u64 one[3] = { 1 };

void ref_blocks(u64 h[3], const u64 r[2], const u8 *data, size_t nblocks,
		u32 hibit)
{
	const u64 a[3] = { r[0], r[1] };
	u64 m[3];

	ref_reduce(h);
	for (; nblocks--; data += BLOCK_SIZE) {
		load(m, data, BLOCK_SIZE, hibit);
		poly1305_ref_step(h, m, a);
	}
}

void ref_reduce(u64 h[3])
{
	poly1305_ref_step(h, zero, one);
}

void ref_multiply(u64 h[3], const u64 a[3])
{
	poly1305_ref_step(h, zero, a);
}

void ref_add(u64 h[3], const u64 a[3])
{
	poly1305_ref_step(h, a, one);
}
