// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Messages that lead to accumulators where reductions, carries and wraps are at their
 * limits. tests/cases/corners.py describes how they are made.
 */

#include "poly1305_test.h"

static const struct corner corners[] = {
#include "corners.h"
};

#define CORNER_MAX	SZ_64K

static int check_corner(const struct subject *s, const struct corner *corner,
			u8 *input)
{
	const size_t prefix = corner->blocks * POLY1305_MAC_BLOCK_SIZE;
	const size_t last = strlen(corner->last) / 2, len = prefix + last;
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	u8 *msg = input + KEY_SIZE;
	size_t cut;
	int err;

	if (KEY_SIZE + len > CORNER_MAX ||
	    hex2bin(input, corner->key, KEY_SIZE) ||
	    hex2bin(msg + prefix, corner->last, last) ||
	    hex2bin(want, corner->tag, TAG_SIZE))
		return fail(s, "%s: too long, or not hexadecimal", corner->why);
	memset(msg, corner->fill, prefix);

	poly1305_ref(input, msg, len, tag);
	if (memcmp(tag, want, TAG_SIZE))
		return fail(s, "%s: the reference is wrong", corner->why);

	err = mac_digest(s, input, len, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "%s: digest of %zu bytes, error %d", corner->why,
			    len, err);

	/* A cut puts the accumulator into memory. */
	for (cut = len - last; cut <= len; cut += POLY1305_MAC_BLOCK_SIZE) {
		err = mac_cut(s, input, len, KEY_SIZE + cut, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "%s: %zu bytes cut at %zu, error %d",
				    corner->why, len, cut, err);
	}
	return 0;
}

int test_corners(const struct subject *s)
{
	u8 *input = vmalloc(CORNER_MAX);
	size_t i;
	int err = 0;

	if (!input)
		return fail(s, "no memory");
	for (i = 0; i < ARRAY_SIZE(corners) && !err; i++) {
		err = check_corner(s, &corners[i], input);
		cond_resched();
	}
	vfree(input);
	return err;
}
