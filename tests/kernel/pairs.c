// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Drivers take turns within one message: each imports the state that the other has
 * exported.
 */

#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include "poly1305_test.h"

#define TURNS_LEN	SZ_64K

/* One turn: import the state, hash, export it again */
static int take_turn(const struct subject *s, u8 *state, const u8 *data,
		     size_t len)
{
	SHASH_DESC_ON_STACK(desc, s->tfm);

	desc->tfm = s->tfm;
	memset(shash_desc_ctx(desc), 0xff, crypto_shash_descsize(s->tfm));
	return crypto_shash_import(desc, state) ?:
	       crypto_shash_update(desc, data, len) ?:
	       crypto_shash_export(desc, state);
}

/*
 * Two drivers take turns at the pieces of a message, each up to 2^bits bytes long. A
 * cut may fall anywhere, also within the key.
 */
static int take_turns(const struct subject *s, const struct subject *to,
		      const u8 *input, size_t total, unsigned int bits,
		      const u8 *want)
{
	u8 state[STATE_MAX], tag[TAG_SIZE];
	SHASH_DESC_ON_STACK(desc, s->tfm);
	const struct subject *turn = s;
	size_t at, n;
	int err;

	desc->tfm = s->tfm;
	err = crypto_shash_init(desc) ?: crypto_shash_export(desc, state);
	for (at = 0; at < total && !err; at += n) {
		n = min_t(size_t, 1 + random_len(bits), total - at);
		err = take_turn(turn, state, input + at, n);
		turn = turn == s ? to : s;
		cond_resched();
	}

	desc->tfm = turn->tfm;
	err = err ?: crypto_shash_import(desc, state) ?:
	      crypto_shash_final(desc, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "in turns with %s, pieces below 2^%u, %zu bytes, error %d",
			    to->name, bits, total - KEY_SIZE, err);
	return 0;
}

/* One change of drivers, after each possible number of bytes */
static int change_everywhere(const struct subject *s, const struct subject *to,
			     const u8 *input, size_t len, const u8 *want)
{
	const size_t total = KEY_SIZE + len;
	u8 state[STATE_MAX], tag[TAG_SIZE];
	SHASH_DESC_ON_STACK(desc, s->tfm);
	size_t at;
	int err;

	for (at = 0; at <= total; at++) {
		desc->tfm = s->tfm;
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, at) ?:
		      crypto_shash_export(desc, state);
		desc->tfm = to->tfm;
		err = err ?: crypto_shash_import(desc, state) ?:
		      crypto_shash_finup(desc, input + at, total - at, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail(s, "exported to %s after %zu of %zu bytes, error %d",
				    to->name, at, total, err);
	}
	return 0;
}

static int pair_up(const struct subject *s, const u8 *input)
{
	static const u8 bits[] = { 1, 5, 8, 11, 13, 15 };
	const struct subject *to;
	u8 want[TAG_SIZE];
	size_t i, len;
	int err;

	for (to = subjects; to < subjects + nsubjects; to++) {
		if (!to->tfm)
			continue;
		for (i = 0; i < ARRAY_SIZE(bits); i++) {
			len = random_below(min(TURNS_LEN, 256 << bits[i]));
			poly1305_ref(input, input + KEY_SIZE, len, want);
			err = take_turns(s, to, input, KEY_SIZE + len, bits[i],
					 want);
			if (err)
				return err;
		}
		err = change_everywhere(s, to, random_sample.input, 1100,
					random_sample.tags[1100]);
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

int test_pairs(const struct subject *s)
{
	u8 *input = vmalloc(KEY_SIZE + TURNS_LEN);
	int err;

	if (!input)
		return fail(s, "no memory");
	random_fill(input, KEY_SIZE + TURNS_LEN);
	err = pair_up(s, input);
	vfree(input);
	return err;
}
