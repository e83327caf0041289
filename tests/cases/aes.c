// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases for the key of poly1305(aes), which needs poly1305_aes.ko. Other cases run on it as on
 * any interface.
 */

#include "../../poly1305_desc.h"
#include "poly1305_test.h"

/* If a key has a wrong length, or a bit that clamping clears, it is refused, and none is set. */
int test_aes_setkey(const struct subject *s)
{
	static const unsigned int lens[] = { 0, 1, 16, 31, 33, 64 };
	const u8 *data = stream(s, s->sample->input);
	struct poly1305_saved state = { 0 };
	u8 key[2 * KEY_SIZE] = { 0 }, tag[TAG_SIZE];
	unsigned int i, bit, refused = 0;
	struct mac mac;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		err = crypto_shash_setkey(s->tfm, lens[i] ? key : NULL, lens[i]);
		if (err != -EINVAL)
			return fail("a key of %u bytes: %d", lens[i], err);
	}
	for (bit = 0; bit < 128; bit++) {
		memset(key, 0, sizeof(key));
		key[16 + bit / 8] = BIT(bit % 8);
		err = crypto_shash_setkey(s->tfm, key, KEY_SIZE);
		if (err && err != -EINVAL)
			return fail("bit %u: %d", bit, err);
		if (!err)
			continue;
		refused++;
		memset(tag, 0, TAG_SIZE);
		if (mac_init(&mac, s, NULL) != -ENOKEY ||
		    crypto_shash_digest(&mac.desc, data, s->prefix_len, tag) != -ENOKEY ||
		    crypto_shash_import(&mac.desc, &state) != -ENOKEY ||
		    memchr_inv(tag, 0, TAG_SIZE))
			return fail("bit %u: not all calls are refused", bit);
	}
	if (refused != 22)
		return fail("%u bits of r are rejected", refused);
	return 0;
}

/* A new key: a message keeps the key that was set when its nonce was complete. */
int test_aes_rekey(const struct subject *s)
{
	const u8 *input = s->sample->input, *data = stream(s, input);
	const size_t total = s->prefix_len + 700;
	u8 other[KEY_SIZE], want[TAG_SIZE], tag[TAG_SIZE];
	struct mac mac, another;
	size_t cut;
	int err;

	for (cut = 0; cut <= total; cut++) {
		rnd_bytes(other, KEY_SIZE);
		clamp_r(other + 16);
		err = crypto_shash_setkey(s->tfm, aes_key, KEY_SIZE) ?:
		      mac_init(&mac, s, input) ?:
		      mac_update(&mac, data, cut) ?:
		      crypto_shash_setkey(s->tfm, other, KEY_SIZE) ?:
		      mac_tag(&another, s, DIGEST, input, total, 0, want) ?:
		      crypto_shash_finup(&mac.desc, data + cut, total - cut, tag);
		if (cut >= s->prefix_len)
			memcpy(want, s->sample->tags[700], TAG_SIZE);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail("a new key behind %zu bytes: %d", cut, err);
	}
	return 0;
}
