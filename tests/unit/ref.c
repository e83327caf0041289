// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The reference, tests/reference/poly1305_ref.c, upon GMP's arithmetic if there is
 * GMP; and what else the tests compute modulo p.
 */

#include "check.h"

#ifdef CHECK_WITH_GMP
#define POLY1305_REF_STEP	ref_gmp_step
#endif
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
		POLY1305_REF_STEP(h, m, a);
	}
}

void ref_r(u64 r[3], const u8 key[KEY_SIZE])
{
	struct poly1305_ref ref;

	poly1305_ref_init(&ref, key);
	memcpy(r, ref.r, sizeof(ref.r));
}

void ref_end(u8 tag[TAG_SIZE], const u64 h[3], const u8 key[KEY_SIZE],
	     const u8 *data, size_t len)
{
	struct poly1305_ref ref;

	poly1305_ref_init(&ref, key);
	memcpy(ref.h, h, sizeof(ref.h));
	ref_reduce(ref.h);
	poly1305_ref_update(&ref, data, len);
	poly1305_ref_tag(&ref, tag);
}

void ref_tag(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
	     size_t len)
{
	poly1305_ref(key, data, len, tag);
}

void ref_reduce(u64 h[3])
{
	POLY1305_REF_STEP(h, zero, one);
}

void ref_multiply(u64 h[3], const u64 a[3])
{
	POLY1305_REF_STEP(h, zero, a);
}

void ref_add(u64 h[3], const u64 a[3])
{
	POLY1305_REF_STEP(h, a, one);
}

/* By Fermat: h^(p - 2) */
void ref_invert(u64 h[3])
{
	const u64 exponent[3] = { ref_p[0] - 2, ref_p[1], ref_p[2] };
	u64 x[3] = { h[0], h[1], h[2] };
	int bit;

	memcpy(h, one, sizeof(one));
	for (bit = 129; bit >= 0; bit--) {
		ref_multiply(h, h);
		if (exponent[bit / 64] >> bit % 64 & 1)
			ref_multiply(h, x);
	}
}

/* h = h - a: a (p - 1) is -a */
void ref_subtract(u64 h[3], const u64 a[3])
{
	const u64 minus_one[3] = { ref_p[0] - 1, ref_p[1], ref_p[2] };
	u64 x[3] = { a[0], a[1], a[2] };

	ref_multiply(x, minus_one);
	ref_add(h, x);
}
