// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for export and import, which only a shash has */

#include "../../poly1305_desc.h"
#include "poly1305_test.h"

/*
 * One driver exports a state, and both it and the driver that imports the state finish
 * the message. The importer's descriptor holds junk, or a message with other powers.
 */
static int export_import(const struct subject *from, const struct subject *to,
			 size_t len, size_t cut)
{
	const u8 *input = from->sample->input, *data = stream(from, input);
	const size_t rest = from->prefix_len + len - cut;
	u8 state[sizeof(struct poly1305_saved) + 8], tag[TAG_SIZE];
	struct mac mac;
	int err;

	memset(state, POISON, sizeof(state));
	err = mac_init(&mac, from, input) ?:
	      mac_update(&mac, data, cut) ?:
	      crypto_shash_export(&mac.desc, state) ?:
	      crypto_shash_finup(&mac.desc, data + cut, rest, tag);
	err = check_tag(from, err, tag, len, cut, "exporter");
	if (err)
		return err;
	if (memchr_inv(state + sizeof(struct poly1305_saved), POISON, 8))
		return fail("too many bytes are exported");

	memset(&mac, 0xff, sizeof(mac));
	err = mac_init(&mac, to, input);
	if (cut % 2)
		err = err ?: mac_update(&mac, data + 1, KEY_SIZE + LEN_SIMD);
	err = err ?: crypto_shash_import(&mac.desc, state) ?:
	      mac_update(&mac, data + cut, rest / 2) ?:
	      crypto_shash_finup(&mac.desc, data + cut + rest / 2, rest - rest / 2, tag);
	err = check_tag(from, err, tag, len, cut, to->name);
	if (err)
		return err;

	err = crypto_shash_export(&mac.desc, state);
	if (err || memchr_inv(state, 0, sizeof(struct poly1305_saved)))
		return fail("after final not the state after init is exported, error %d", err);
	return 0;
}

int test_export(const struct subject *s)
{
	const struct subject *to;
	size_t cut;
	int err = 0;

	if (crypto_shash_statesize(s->tfm) != sizeof(struct poly1305_saved))
		return fail("%u bytes of state", crypto_shash_statesize(s->tfm));

	for (to = subjects; to < subjects + nsubjects; to++) {
		/* In user space subjects share a transform. */
		if (to->kind != s->kind || (to != s && to->tfm == s->tfm))
			continue;
		for (cut = 0; cut <= s->prefix_len + 100; cut++)
			err = err ?: export_import(s, to, 100, cut);
		for (cut = 0; cut <= s->prefix_len + LEN_MAX; cut += 1549)
			err = err ?: export_import(s, to, LEN_MAX, cut);
		cond_resched();
	}
	return err;
}

/* The result of importing that state */
static int import_result(const struct subject *s, const struct poly1305_saved *saved)
{
	return saved->prefix_len > s->prefix_len || saved->buflen >= POLY1305_MAC_BLOCK_SIZE ||
	       (saved->r[0] & ~POLY1305_CLAMP_LO) || (saved->r[1] & ~POLY1305_CLAMP_HI) ||
	       POLY1305_H_BEYOND(saved->h) ? -EINVAL : 0;
}

/* Imports the state with each of its bits flipped. A state that is refused changes nothing. */
static int try_flips(struct mac *mac, const struct poly1305_saved *exported)
{
	struct poly1305_saved saved;
	struct mac before;
	unsigned int bit;
	int err;

	for (bit = 0; bit < 8 * sizeof(saved); bit++) {
		saved = *exported;
		((u8 *)&saved)[bit / 8] ^= 1 << bit % 8;
		before = *mac;
		err = crypto_shash_import(&mac->desc, &saved);
		if (err != import_result(mac->s, &saved))
			return fail("import with bit %u flipped: error %d", bit, err);
		if (err && memcmp(&before.desc, &mac->desc,
				  sizeof(before.desc) + sizeof(struct poly1305_desc)))
			return fail("import with bit %u flipped changes the descriptor", bit);
	}
	return 0;
}

/* import accepts what export can have written, with any unused bytes, and rejects all else. */
int test_import(const struct subject *s)
{
	const u8 *input = s->sample->input, *data = stream(s, input);
	struct poly1305_saved saved;
	const size_t len = 300;
	size_t cut, n;
	u8 tag[TAG_SIZE];
	struct mac mac;
	int err;

	memset(&mac, 0xff, sizeof(mac));
	for (cut = 0; cut <= s->prefix_len + len; cut += cut < 64 ? 1 : 7) {
		err = mac_init(&mac, s, input) ?:
		      mac_update(&mac, data, cut) ?:
		      crypto_shash_export(&mac.desc, &saved) ?:
		      try_flips(&mac, &saved);
		n = min(cut, s->prefix_len);
		memset(saved.prefix + n, 0xff, sizeof(saved.prefix) - n);
		memset(saved.buf + saved.buflen, 0xff, sizeof(saved.buf) - saved.buflen);
		err = err ?: crypto_shash_import(&mac.desc, &saved) ?:
		      crypto_shash_finup(&mac.desc, data + cut, s->prefix_len + len - cut, tag);
		err = check_tag(s, err, tag, len, cut, "import with unused bytes");
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}
