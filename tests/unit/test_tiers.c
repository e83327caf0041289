// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The tiers as the module has them: their registration, where SIMD begins, how long an FPU
 * section lasts, and messages during which SIMD is allowed and forbidden
 */

#include <crypto/internal/simd.h>

#include "check.h"

void serve_by(const struct tier *tier)
{
	if (poly1305_user_select(tier->def->name))
		fail("cannot be selected: did it fail the self-test?");
	if (!serves(tier))
		fail("is not in use, although it was selected");
}

/* It passed the self-test, is listed by priority, and registered its attributes. */
void test_registered(const struct tier *tier)
{
	const char *const *name = poly1305_user_impls();
	const struct shash_alg *alg = tier->alg;
	const struct tier *t, *last = NULL;
	bool listed = false;

	for (; *name; name++) {
		for (t = tier_list(); t->name && strcmp(t->name, *name); t++)
			;
		if (!t->name)
			fail("%s is listed, but cannot run", *name);
		if (!last && !served_at_start(t))
			fail("%s is listed first, but was not in use", *name);
		if (last && last->alg->base.cra_priority <=
			    t->alg->base.cra_priority)
			fail("%s is listed before %s", last->name, *name);
		listed |= t->def == tier->def;
		last = t;
	}
	if (!listed)
		fail("is not listed: did it fail the self-test?");
	if (strcmp(last->name, POLY1305_NAME "-portable"))
		fail("%s is listed last", last->name);

	if (strcmp(alg->base.cra_name, POLY1305_NAME) ||
	    strcmp(alg->base.cra_driver_name, tier->def->name) ||
	    alg->digestsize != TAG_SIZE || alg->base.cra_blocksize != BLOCK_SIZE ||
	    alg->statesize != sizeof(struct poly1305_saved))
		fail("an attribute of the shash is wrong");

	serve_by(tier);
	if (poly1305_user_select(POLY1305_NAME) != -ENOENT ||
	    poly1305_user_select("") != -ENOENT || !serves(tier))
		fail("a tier that does not exist can be selected");
}

/* The length of the next piece, often a short one */
static size_t piece(size_t left)
{
	switch (rnd_below(4)) {
	case 0:
		return min(left, rnd_below(20));
	case 1:
		return min(left, rnd_below(300));
	default:
		return rnd_below(left + 1);
	}
}

/* A hint that is right, slightly wrong, very wrong or absent */
static size_t any_hint(size_t len)
{
	const size_t hints[] = {
		0, 1, len - 1, len, len + 1, len / 2, 2 * len, 1500, SIZE_MAX
	};

	return hints[rnd_below(ARRAY_SIZE(hints))];
}

static size_t any_len(void)
{
	switch (rnd_below(64)) {
	case 0:
		return rnd_below(INPUT_MAX);
	case 1 ... 4:
		return rnd_below(4201);
	case 5 ... 8:
		return rnd_below(60) * BLOCK_SIZE;
	case 9 ... 24:
		return rnd_below(700);
	default:
		return rnd_below(160);
	}
}

/*
 * A message in pieces, with and without usable SIMD, and with the FPU registers saved already or
 * not: each length up to 4200 bytes, then random ones
 */
void test_interrupted(const struct tier *tier)
{
	struct poly1305_mac_ctx *ctx = at_end(&objects, sizeof(*ctx));
	u8 expected[TAG_SIZE], *key = at_end(&keys, KEY_SIZE), *tag = at_end(&tags, TAG_SIZE);
	const struct poly1305_ops *ops = tier->def->ops;
	unsigned long sections;
	size_t len, left, n, at;
	u8 *data;
	u64 i;

	for (i = 0; next_case(i, 4201 + random_cases()); i++) {
		len = i <= 4200 ? i : any_len();
		data = any_place(&input, len);
		fill_key(key);
		fill_message(data, len);
		poly1305_ref(key, data, len, expected);
		if (rnd() & 1)
			poly1305_mac_init(ctx, key);
		else
			poly1305_mac_init_hint(ctx, key, any_hint(len));
		for (left = len; left; left -= n, data += n) {
			sections = shim_fpu_sections;
			n = piece(left);
			shim_simd_usable = rnd() & 1;
			shim_fpu_saved = rnd() & 1;
			ops->update(ctx, n ? data : NULL, n);
			if (!shim_simd_usable && shim_fpu_sections != sections)
				fail("an FPU section began where SIMD is not usable");
		}
		ops->final(ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("wrong tag for %zu bytes", len);
		for (at = 0; at < sizeof(*ctx); at++)
			if (((u8 *)ctx)[at])
				fail("the context is not wiped, at byte %zu", at);
	}
}

/* A message of more bytes than one FPU section may take needs several. */
static void check_long(const struct tier *tier, unsigned long before,
		       const u8 tag[TAG_SIZE], const u8 expected[TAG_SIZE],
		       size_t len)
{
	const unsigned long sections = shim_fpu_sections - before;
	/* An incomplete block is outside of all sections. */
	const size_t most = sections * POLY1305_SECTION_LEN + BLOCK_SIZE - 1;

	if (memcmp(tag, expected, TAG_SIZE))
		fail("wrong tag for %zu bytes", len);
	if (tier->def->simd_from && len > most)
		fail("%lu FPU sections for %zu bytes", sections, len);
}

void test_sections(const struct tier *tier)
{
	static u8 data[3 << 16];
	struct poly1305_mac_ctx ctx;
	u8 key[KEY_SIZE], expected[TAG_SIZE], tag[TAG_SIZE];
	unsigned long before;
	size_t len;
	u64 i;

	for (i = 0; next_case(i, 20); i++) {
		len = sizeof(data) - rnd_below(sizeof(data) / 2);
		fill_key(key);
		fill_message(data, len);
		poly1305_ref(key, data, len, expected);

		before = shim_fpu_sections;
		tier->def->ops->digest(key, data, len, tag);
		check_long(tier, before, tag, expected, len);

		before = shim_fpu_sections;
		poly1305_mac_init(&ctx, key);
		tier->def->ops->update(&ctx, data, len);
		tier->def->ops->final(&ctx, tag);
		check_long(tier, before, tag, expected, len);
	}
}

/* Whether len bytes, as a message or as an update, run in an FPU section */
static bool uses_simd(const struct tier *tier, bool saved, size_t hint, bool update,
		      size_t len)
{
	const unsigned long before = shim_fpu_sections;
	struct poly1305_mac_ctx ctx;
	u8 tag[TAG_SIZE];

	shim_fpu_saved = saved;
	poly1305_mac_init_hint(&ctx, keys.at, hint);
	if (update)
		tier->def->ops->update(&ctx, input.at, len);
	else
		tier->def->ops->digest(keys.at, input.at, len, tag);
	shim_fpu_saved = true;
	return shim_fpu_sections != before;
}

/* The least number of bytes in whole blocks that is not below n */
static size_t whole_blocks(size_t n)
{
	return (n + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
}

/*
 * SIMD begins at the length that the tier names; for updates, and for a message that has no
 * digest function, at the whole blocks of that length. It begins later where registers must be
 * saved, and earlier for updates of a message that is announced as long.
 */
void test_threshold(const struct tier *tier)
{
	const size_t least = tier->def->simd_from, blocks = whole_blocks(least);
	const size_t from = tier->def->simd.has_digest ? least : blocks;
	const size_t saving = POLY1305_SAVING_COST;
	const size_t early = whole_blocks(least - POLY1305_POWERS_COST);

	if (!least)
		skip("it has no SIMD");
	if (uses_simd(tier, true, 0, false, from - 1) ||
	    !uses_simd(tier, true, 0, false, from) ||
	    uses_simd(tier, true, 0, true, blocks - 1) ||
	    !uses_simd(tier, true, 0, true, blocks))
		fail("SIMD does not begin at %zu bytes", from);
	if (uses_simd(tier, false, 0, false, least + saving - 1) ||
	    !uses_simd(tier, false, 0, false, whole_blocks(least + saving)))
		fail("with registers to save, SIMD does not begin at %zu bytes",
		     least + saving);
	if (POLY1305_WHOLE_LIBRARY &&
	    (uses_simd(tier, true, POLY1305_LONG_LEN - 1, true, early) ||
	     uses_simd(tier, true, POLY1305_LONG_LEN, true, early - 1) ||
	     !uses_simd(tier, true, POLY1305_LONG_LEN, true, early)))
		fail("of a long message, SIMD does not begin at %zu bytes", early);
}
