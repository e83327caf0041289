// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A case for a function that only the library has */

#include "poly1305_test.h"

/* verify returns 0 for the right tag, -EBADMSG for any changed bit of tag or message. */
int test_verify(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 100, 1500, LEN_SIMD };
	const u8 *key = random_sample.input;
	u8 tag[TAG_SIZE], *byte;
	size_t i, len, bit, n;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memcpy(work, key + KEY_SIZE, len);
		memcpy(tag, random_sample.tags[len], TAG_SIZE);
		err = poly1305_mac_verify(key, len ? work : NULL, len, tag);
		if (err)
			return fail(s, "the right tag of %zu bytes: %d", len, err);

		for (bit = 0; bit < 8 * (TAG_SIZE + len); bit += bit < 2048 ? 1 : 97) {
			n = bit / 8;
			byte = n < TAG_SIZE ? &tag[n] : &work[n - TAG_SIZE];
			*byte ^= 1 << bit % 8;
			err = poly1305_mac_verify(key, work, len, tag);
			*byte ^= 1 << bit % 8;
			if (err != -EBADMSG)
				return fail(s, "%zu bytes, bit %zu of tag and message: %d",
					    len, bit, err);
		}
		cond_resched();
	}
	return 0;
}
