// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The shash drivers, as the crypto API calls them. Their input is the key followed by
 * the message.
 */

#include "check.h"

/* One hash; err is the first error of the driver's functions */
struct hash {
	const struct shash_alg *alg;
	const u8 *data;
	size_t len;
	u8 *tag;
	struct shash_desc *desc;
	u8 *state;
	int err;
};

static size_t piece(size_t left)
{
	return rnd() & 1 ? min(left, rnd_below(40)) : rnd_below(left + 1);
}

static void some_updates(struct hash *h, size_t until)
{
	size_t n;

	while (h->len > until) {
		n = piece(h->len - until);
		h->err = h->err ?: h->alg->update(h->desc, h->data, n);
		h->data += n;
		h->len -= n;
	}
}

static void run_final(void *arg)
{
	struct hash *h = arg;

	h->err = h->alg->init(h->desc);
	some_updates(h, 0);
	h->err = h->err ?: h->alg->final(h->desc, h->tag);
}

static void run_finup(void *arg)
{
	struct hash *h = arg;

	h->err = h->alg->init(h->desc);
	some_updates(h, rnd_below(h->len + 1));
	h->err = h->err ?: h->alg->finup(h->desc, h->data, h->len, h->tag);
}

static void run_digest(void *arg)
{
	struct hash *h = arg;

	h->err = h->alg->digest(h->desc, h->data, h->len, h->tag);
}

/*
 * Exported by one driver and imported by the same or another one, into a descriptor that holds
 * junk, or a message under another key, whose powers of r are known
 */
static void run_export(void *arg)
{
	struct hash *h = arg;

	h->err = h->alg->init(h->desc);
	some_updates(h, rnd_below(h->len + 1));
	h->err = h->err ?: h->alg->export(h->desc, h->state);
	memset(shash_desc_ctx(h->desc), 0xff, h->alg->descsize);
	h->alg = any_tier()->alg;
	if (rnd() & 1)
		h->err = h->err ?: h->alg->init(h->desc) ?:
			 h->alg->update(h->desc, input.ro, KEY_SIZE + 1024);
	h->err = h->err ?: h->alg->import(h->desc, h->state);
	some_updates(h, 0);
	h->err = h->err ?: h->alg->final(h->desc, h->tag);
}

/* One hash; expected is its tag, or NULL if the input ends within the key */
static void try_hash(const struct tier *tier, void (*run)(void *arg),
		     size_t at, size_t len, const u8 *expected)
{
	const size_t tag_at = area_offset(&tags, TAG_SIZE, 1);
	const size_t desc_at = area_offset(&objects, sizeof(struct shash_desc) +
					   tier->alg->descsize, 8);
	const size_t state_at = area_offset(&exports,
					    tier->alg->statesize, 1);
	struct hash h = {
		.alg = tier->alg,
		.data = input.ro + at,
		.len = len,
		.tag = tags.rw + tag_at,
		.desc = (void *)(objects.rw + desc_at),
		.state = exports.rw + state_at,
	};

	area_paint(&tags);
	area_paint(&objects);
	area_paint(&exports);
	call(run, &h);
	area_check(&objects, desc_at, sizeof(*h.desc) + h.alg->descsize);
	area_check(&exports, state_at, h.alg->statesize);
	area_check(&tags, tag_at, expected ? TAG_SIZE : 0);

	if (h.err != (expected ? 0 : -ENOKEY))
		fail("error %d after %zu bytes", h.err, len);
	if (expected && memcmp(h.tag, expected, TAG_SIZE))
		fail("wrong tag for %zu bytes, key included", len);

	/* digest() does not use the descriptor; the others must wipe it. */
	if (run != run_digest && !desc_wiped(h.desc))
		fail("the descriptor is not wiped, %zu bytes", len);
}

static void try_all(const struct tier *tier, void (*run)(void *arg))
{
	u8 expected[TAG_SIZE];
	size_t len, at;
	u64 i;

	for (i = first_case(); next_case(&i, LEN_MAX + random_cases() / 2); i++) {
		len = i <= LEN_MAX ? i : rnd_below(500);
		at = area_offset(&input, len, 1);
		fill_message(input.rw + at, len);
		if (len >= KEY_SIZE) {
			fill_key(input.rw + at);
			ref_tag(expected, input.rw + at,
				input.rw + at + KEY_SIZE, len - KEY_SIZE);
		}
		try_hash(tier, run, at, len, len < KEY_SIZE ? NULL : expected);
	}
}

static void test_final(const struct tier *tier)
{
	try_all(tier, run_final);
}

static void test_finup(const struct tier *tier)
{
	try_all(tier, run_finup);
}

static void test_digest(const struct tier *tier)
{
	try_all(tier, run_digest);
}

static void test_export(const struct tier *tier)
{
	try_all(tier, run_export);
}

/* Imports a state, valid or not. A rejected import must change nothing. */
static void try_import(const struct shash_alg *alg, const u8 *state,
		       int expected, const char *what)
{
	struct shash_desc *desc = (void *)objects.rw;
	int err;

	area_paint(&objects);
	err = alg->import(desc, state);
	if (err != expected)
		fail("error %d for %s", err, what);
	if (err)
		area_check(&objects, 0, 0);
}

/* Import with one 32- or 64-bit member of the state changed */
static void try_u32(const struct shash_alg *alg, u8 *state, size_t at, u32 value,
		    int expected, const char *what)
{
	u32 old;

	memcpy(&old, state + at, sizeof(old));
	memcpy(state + at, &value, sizeof(value));
	try_import(alg, state, expected, what);
	memcpy(state + at, &old, sizeof(old));
}

static void try_u64(const struct shash_alg *alg, u8 *state, size_t at, u64 value,
		    int expected, const char *what)
{
	u64 old;

	memcpy(&old, state + at, sizeof(old));
	memcpy(state + at, &value, sizeof(value));
	try_import(alg, state, expected, what);
	memcpy(state + at, &old, sizeof(old));
}

/* Offset of a member of an exported state */
#define AT(member)	offsetof(struct poly1305_saved, member)

static void test_import(const struct tier *tier)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc;
	u8 *state;
	unsigned int bit;
	u64 clamp, i;

	desc = (void *)objects.rw;
	state = exports.rw + exports.size - sizeof(struct poly1305_saved);
	for (i = first_case(); next_case(&i, KEY_SIZE + 100); i++) {
		fill_message(input.rw, i);
		area_paint(&objects);
		if (alg->init(desc) || alg->update(desc, input.ro, i) ||
		    alg->export(desc, state))
			fail("cannot export after %zu bytes", (size_t)i);
		try_import(alg, state, 0, "an exported state");

		try_u32(alg, state, AT(headlen), KEY_SIZE + 1, -EINVAL, "headlen 33");
		try_u32(alg, state, AT(headlen), -1U, -EINVAL, "headlen 2^32 - 1");
		try_u32(alg, state, AT(buflen), BLOCK_SIZE - 1, 0,
			"a block less a byte");
		try_u32(alg, state, AT(buflen), BLOCK_SIZE, -EINVAL, "a block");
		try_u32(alg, state, AT(buflen), -1U, -EINVAL, "buflen 2^32 - 1");
		try_u64(alg, state, AT(h[1]), POLY1305_H1_MAX, 0,
			"the greatest h[1]");
#if POLY1305_H1_MAX < U64_MAX
		try_u64(alg, state, AT(h[1]), POLY1305_H1_MAX + 1, -EINVAL,
			"h[1] one greater");
		try_u64(alg, state, AT(h[1]), -1ULL, -EINVAL, "h[1] = 2^64 - 1");
#endif
		try_u64(alg, state, AT(h[2]), POLY1305_H2_MAX, 0,
			"the greatest h[2]");
		try_u64(alg, state, AT(h[2]), POLY1305_H2_MAX + 1, -EINVAL,
			"h[2] one greater");
		try_u64(alg, state, AT(h[2]), -1ULL, -EINVAL, "h[2] = 2^64 - 1");
		for (bit = 0; bit < 128; bit++) {
			clamp = bit < 64 ? POLY1305_CLAMP_LO : POLY1305_CLAMP_HI;
			try_u64(alg, state, AT(r) + bit / 64 * 8, 1ULL << bit % 64,
				clamp >> bit % 64 & 1 ? 0 : -EINVAL, "a bit of r");
		}
	}
}

/* An exported state, and a descriptor, must not keep the unclamped key. */
static void test_forgets(const struct tier *tier)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc;
	size_t cut;
	u64 i, j;

	desc = (void *)objects.rw;
	for (i = first_case(); next_case(&i, 100); i++) {
		cut = rnd_below(KEY_SIZE + 1);
		rnd_bytes(input.rw, KEY_SIZE + i);
		input.rw[3] |= 0xf0;	/* bits that clamping clears, unlike r's */
		area_paint(&objects);
		area_paint(&exports);
		if (alg->init(desc) || alg->update(desc, input.ro, cut) ||
		    alg->update(desc, input.ro + cut, KEY_SIZE + i - cut) ||
		    alg->export(desc, exports.rw))
			fail("cannot export");
		for (j = 0; j + 8 <= alg->statesize; j++)
			if (!memcmp(exports.rw + j, input.rw, 8))
				fail("the exported state holds the unclamped key");
		for (j = 0; j + 8 <= alg->descsize; j++)
			if (!memcmp((u8 *)shash_desc_ctx(desc) + j, input.rw, 8))
				fail("the descriptor holds the unclamped key");
	}
}

const struct test shash_tests[] = {
	{ "shash-final", test_final },
	{ "shash-finup", test_finup },
	{ "shash-digest", test_digest },
	{ "shash-export", test_export },
	{ "shash-import", test_import },
	{ "shash-forgets-key", test_forgets },
	{ }
};
