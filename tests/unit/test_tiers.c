// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The tiers as the module has them: their registration, where SIMD begins, and whole messages
 * through what no caller of tests/cases reaches: the digest function alone, tiers that take
 * turns, and SIMD that is allowed and forbidden midway. Tags are compared with those of
 * big-integer arithmetic.
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
static void test_registered(const struct tier *tier)
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

/* A message, and the buffers of one way to compute its tag */
struct message {
	const struct tier *tier;
	const u8 *key;
	const u8 *data;
	size_t len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
};

static void by_function(struct message *m)
{
	call_digest(m->tier->digest, m->key, m->data, m->len, m->tag);
}

static void run_digest(void *arg)
{
	const struct message *m = arg;

	m->tier->def->ops->digest(m->key, m->data, m->len, m->tag);
}

static void by_digest(struct message *m)
{
	call(run_digest, m);
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

static void begin(struct message *m)
{
	if (rnd() & 1)
		poly1305_mac_init(m->ctx, m->key);
	else
		poly1305_mac_init_hint(m->ctx, m->key, any_hint(m->len));
}

/*
 * This tier and random others take turns. Vector code of one tier has no use for the powers of
 * another.
 */
static void run_mixed(void *arg)
{
	struct message *m = arg;
	const struct tier *tier = m->tier, *owner = tier;
	size_t n;

	begin(m);
	for (; m->len; m->len -= n, m->data += n) {
		n = piece(m->len);
		tier = rnd() & 1 ? m->tier : any_tier();
		if (has_powers(tier) && tier->def != owner->def) {
			m->ctx->state.npow = 0;
			owner = tier;
		}
		tier->def->ops->update(m->ctx, m->data, n);
	}
	tier->def->ops->final(m->ctx, m->tag);
}

/* With and without usable SIMD, and with the FPU registers saved already or not */
static void run_interrupted(void *arg)
{
	struct message *m = arg;
	size_t n;

	begin(m);
	for (; m->len; m->len -= n, m->data += n) {
		const unsigned long sections = shim_fpu_sections;

		n = piece(m->len);
		shim_simd_usable = rnd() & 1;
		shim_fpu_saved = rnd() & 1;
		m->tier->def->ops->update(m->ctx, n ? m->data : NULL, n);
		if (!shim_simd_usable && shim_fpu_sections != sections)
			fail("an FPU section began where SIMD is not usable");
	}
	m->tier->def->ops->final(m->ctx, m->tag);
}

/* Runs with a context, which must be all zeros afterwards. */
static void with_context(struct message *m, void (*run)(void *arg))
{
	const size_t at = area_offset(&objects, sizeof(*m->ctx), 8);
	size_t i;

	m->ctx = (void *)(objects.rw + at);
	area_paint(&objects);
	call(run, m);
	for (i = 0; i < sizeof(*m->ctx); i++)
		if (objects.rw[at + i])
			fail("the context is not wiped, at byte %zu", i);
	area_check(&objects, at, sizeof(*m->ctx));
}

static void by_turns(struct message *m)
{
	with_context(m, run_mixed);
}

static void interrupted(struct message *m)
{
	with_context(m, run_interrupted);
}

/* The input area holds the message at offset at. */
static void try_message(const struct tier *tier,
			void (*way)(struct message *m), const u8 key[KEY_SIZE],
			size_t at, size_t len, const u8 expected[TAG_SIZE])
{
	const size_t key_at = area_offset(&keys, KEY_SIZE, 1);
	const size_t tag_at = area_offset(&tags, TAG_SIZE, 1);
	struct message m = {
		.tier = tier,
		.key = keys.ro + key_at,
		.data = input.ro + at,
		.len = len,
		.tag = tags.rw + tag_at,
	};

	memcpy(keys.rw + key_at, key, KEY_SIZE);
	area_paint(&tags);
	way(&m);
	if (memcmp(m.tag, expected, TAG_SIZE))
		fail("wrong tag for %zu bytes", len);
	area_check(&tags, tag_at, TAG_SIZE);
}

static size_t any_len(void)
{
	switch (rnd_below(64)) {
	case 0:
		return rnd_below(INPUT_MAX - KEY_SIZE);
	case 1 ... 4:
		return rnd_below(LEN_MAX + 1);
	case 5 ... 8:
		return rnd_below(60) * BLOCK_SIZE;
	case 9 ... 24:
		return rnd_below(700);
	default:
		return rnd_below(160);
	}
}

/* Each length up to LEN_MAX, then random ones */
static void try_all(const struct tier *tier,
		    void (*way)(struct message *m))
{
	u8 expected[TAG_SIZE], key[KEY_SIZE];
	size_t len, at;
	u64 i;

	for (i = first_case(); next_case(&i, LEN_MAX + 1 + random_cases()); i++) {
		len = i <= LEN_MAX ? i : any_len();
		at = area_offset(&input, len, 1);
		fill_key(key);
		fill_message(input.rw + at, len);
		if (len && len % BLOCK_SIZE == 0 && rnd() & 1)
			aim_message(key, input.rw + at, len);
		ref_tag(expected, key, input.rw + at, len);
		try_message(tier, way, key, at, len, expected);
	}
}

static void test_function(const struct tier *tier)
{
	if (!tier->digest)
		skip("it has no digest function");
	try_all(tier, by_function);
}

static void test_digest(const struct tier *tier)
{
	try_all(tier, by_digest);
}

static void test_turns(const struct tier *tier)
{
	try_all(tier, by_turns);
}

static void test_interrupted(const struct tier *tier)
{
	try_all(tier, interrupted);
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

static void test_sections(const struct tier *tier)
{
	static u8 data[3 << 16];
	struct poly1305_mac_ctx ctx;
	u8 key[KEY_SIZE], expected[TAG_SIZE], tag[TAG_SIZE];
	unsigned long before;
	size_t len;
	u64 i;

	for (i = first_case(); next_case(&i, 20); i++) {
		len = sizeof(data) - rnd_below(sizeof(data) / 2);
		fill_key(key);
		fill_message(data, len);
		ref_tag(expected, key, data, len);

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
	poly1305_mac_init_hint(&ctx, keys.ro, hint);
	if (update)
		tier->def->ops->update(&ctx, input.ro, len);
	else
		tier->def->ops->digest(keys.ro, input.ro, len, tag);
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
static void test_threshold(const struct tier *tier)
{
	const size_t least = tier->def->simd_from, blocks = whole_blocks(least);
	const size_t saving = POLY1305_SAVING_COST, from = tier->digest ? least : blocks;
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

const struct test tier_tests[] = {
	{ "registered", test_registered },
	{ "digest-function", test_function },
	{ "digest", test_digest },
	{ "updates-by-turns", test_turns },
	{ "updates-interrupted", test_interrupted },
	{ "sections", test_sections },
	{ "threshold", test_threshold },
	{ }
};
