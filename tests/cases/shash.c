// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for export and import, which only a shash has */

#include "../../poly1305_saved.h"
#include "poly1305_test.h"

#define POISON	0x5a

/*
 * One driver exports a state, and both it and the driver that imports the state finish
 * the message. The importer's descriptor holds junk, or a message with other powers.
 */
static int export_import(const struct subject *from, const struct subject *to,
			 size_t len, size_t cut)
{
	const u8 *input = from->sample->input, *data = stream(from, input);
	const size_t rest = from->head + len - cut;
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
		return fail(from, "too many bytes are exported");

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
		return fail(to, "after final not the state after init is exported, error %d", err);
	return 0;
}

int test_export(const struct subject *s)
{
	const struct subject *to;
	size_t cut;
	int err = 0;

	if (crypto_shash_statesize(s->tfm) != sizeof(struct poly1305_saved))
		return fail(s, "%u bytes of state", crypto_shash_statesize(s->tfm));

	for (to = subjects; to < subjects + nsubjects; to++) {
		if (to->kind != s->kind)
			continue;
		for (cut = 0; cut <= s->head + 100; cut++)
			err = err ?: export_import(s, to, 100, cut);
		for (cut = 0; cut <= s->head + LEN_MAX; cut += 1549)
			err = err ?: export_import(s, to, LEN_MAX, cut);
		cond_resched();
	}
	return err;
}

/* A member of an exported state, another value for it, and what import returns then */
struct change {
	size_t at, size;
	u64 value;
	int err;
};

#define CHANGE(member, value, err)					\
	{ offsetof(struct poly1305_saved, member),			\
	  sizeof_field(struct poly1305_saved, member), value, err }

/* A state that is refused changes nothing. */
static int try_change(struct mac *mac, const struct poly1305_saved *exported,
		      const struct change *change)
{
	struct poly1305_saved saved = *exported;
	const struct mac before = *mac;
	const u32 low = change->value;
	int err;

	memcpy((u8 *)&saved + change->at,
	       change->size == sizeof(low) ? (const void *)&low : &change->value, change->size);
	err = crypto_shash_import(&mac->desc, &saved);
	if (err != change->err)
		return fail(mac->s, "import with %llx at %zu: error %d",
			    (unsigned long long)change->value, change->at, err);
	if (err && memcmp(&before.desc, &mac->desc,
			  sizeof(before.desc) + sizeof(struct poly1305_desc)))
		return fail(mac->s, "import with %llx at %zu: the descriptor has changed",
			    (unsigned long long)change->value, change->at);
	return 0;
}

/* Each limit of a state, and beyond */
static int try_changes(struct mac *mac, const struct poly1305_saved *saved)
{
	const u32 head = mac->s->head;
	const struct change changes[] = {
		CHANGE(headlen, head, 0),
		CHANGE(headlen, head + 1, -EINVAL),
		CHANGE(headlen, U32_MAX, -EINVAL),
		CHANGE(buflen, POLY1305_MAC_BLOCK_SIZE - 1, 0),
		CHANGE(buflen, POLY1305_MAC_BLOCK_SIZE, -EINVAL),
		CHANGE(buflen, U32_MAX, -EINVAL),
		CHANGE(h[1], POLY1305_H1_MAX, 0),
		CHANGE(h[1], POLY1305_H1_MAX + 1, POLY1305_H1_MAX < U64_MAX ? -EINVAL : 0),
		CHANGE(h[2], POLY1305_H2_MAX, 0),
		CHANGE(h[2], POLY1305_H2_MAX + 1, -EINVAL),
		CHANGE(h[2], U64_MAX, -EINVAL),
	};
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(changes); i++)
		err = err ?: try_change(mac, saved, &changes[i]);
	for (i = 0; i < 64; i++) {
		const struct change bits[] = {
			CHANGE(r[0], 1ULL << i, POLY1305_CLAMP_LO >> i & 1 ? 0 : -EINVAL),
			CHANGE(r[1], 1ULL << i, POLY1305_CLAMP_HI >> i & 1 ? 0 : -EINVAL),
		};

		err = err ?: try_change(mac, saved, &bits[0]) ?: try_change(mac, saved, &bits[1]);
	}
	return err;
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
	for (cut = 0; cut <= s->head + len; cut++) {
		err = mac_init(&mac, s, input) ?:
		      mac_update(&mac, data, cut) ?:
		      crypto_shash_export(&mac.desc, &saved) ?:
		      try_changes(&mac, &saved);
		n = min(cut, s->head);
		memset(saved.head + n, 0xff, sizeof(saved.head) - n);
		memset(saved.buf + saved.buflen, 0xff, sizeof(saved.buf) - saved.buflen);
		err = err ?: crypto_shash_import(&mac.desc, &saved) ?:
		      crypto_shash_finup(&mac.desc, data + cut, s->head + len - cut, tag);
		err = check_tag(s, err, tag, len, cut, "import with unused bytes");
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}
