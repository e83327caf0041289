// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases for features that only the shash interface has: the key as the first bytes of
 * the input, descriptors, export and import.
 */

#include "../../poly1305_saved.h"
#include "poly1305_test.h"

#define POISON	0x5a

static u8 state[1024];

static int check_tag(const struct subject *s, int err, const u8 *tag,
		     size_t len, size_t cut, const char *what)
{
	if (err || memcmp(tag, random_sample.tags[len], TAG_SIZE))
		return fail(s, "%s: %zu bytes, key included, at %zu, error %d",
			    what, KEY_SIZE + len, cut, err);
	return 0;
}

/* Whether nothing is left of a key, nor of what was computed with it */
static bool desc_is_wiped(struct shash_desc *desc)
{
	const struct poly1305_desc *d = shash_desc_ctx(desc);

	return !memchr_inv(d->head, 0, sizeof(d->head)) &&
	       !memchr_inv(&d->mac, 0, sizeof(d->mac));
}

int test_attributes(const struct subject *s)
{
	const char *name = crypto_shash_alg(s->tfm)->base.cra_name;

	if (strcmp(name, POLY1305_NAME))
		return fail(s, "its algorithm is %s", name);
	if (crypto_shash_digestsize(s->tfm) != TAG_SIZE ||
	    crypto_shash_blocksize(s->tfm) != POLY1305_MAC_BLOCK_SIZE)
		return fail(s, "digest of %u bytes, blocks of %u",
			    crypto_shash_digestsize(s->tfm),
			    crypto_shash_blocksize(s->tfm));
	if (crypto_shash_get_flags(s->tfm) & CRYPTO_TFM_NEED_KEY)
		return fail(s, "it demands setkey");
	return 0;
}

/*
 * Fewer than 32 bytes of input contain no whole key. That gives -ENOKEY and no tag, and
 * leaves a descriptor that is wiped and can be used again.
 */
int test_no_key(const struct subject *s)
{
	enum { FINAL, FINUP, FINUP_ALL, DIGEST, WAYS };
	const u8 *input = random_sample.input;
	SHASH_DESC_ON_STACK(desc, s->tfm);
	u8 tag[TAG_SIZE];
	size_t len;
	int way, err;

	desc->tfm = s->tfm;
	for (len = 0; len < KEY_SIZE; len++) {
		for (way = FINAL; way < WAYS; way++) {
			memset(tag, POISON, sizeof(tag));
			memset(shash_desc_ctx(desc), 0xff,
			       crypto_shash_descsize(s->tfm));
			err = crypto_shash_init(desc);
			if (err)
				return fail(s, "init: %d", err);

			if (way == FINAL)
				err = crypto_shash_update(desc, input, len) ?:
				      crypto_shash_final(desc, tag);
			else if (way == FINUP)
				err = crypto_shash_update(desc, input,
							  len / 2) ?:
				      crypto_shash_finup(desc, input + len / 2,
							 len - len / 2, tag);
			else if (way == FINUP_ALL)
				err = crypto_shash_finup(desc, input, len, tag);
			else
				err = crypto_shash_digest(desc, len ? input : NULL,
							  len, tag);

			if (err != -ENOKEY)
				return fail(s, "%zu bytes, way %d: %d", len,
					    way, err);
			if (memchr_inv(tag, POISON, sizeof(tag)))
				return fail(s, "%zu bytes, way %d: the tag is written",
					    len, way);
			if (way != DIGEST && !desc_is_wiped(desc))
				return fail(s, "%zu bytes, way %d: the descriptor is not wiped",
					    len, way);

			err = crypto_shash_init(desc) ?:
			      crypto_shash_finup(desc, input, KEY_SIZE + 100,
						 tag);
			err = check_tag(s, err, tag, 100, len,
					"after a short key");
			if (err)
				return err;
		}
	}
	return 0;
}

/*
 * A descriptor may hold anything before init. After final and finup it holds no key, and is as
 * after init. These are the driver's, as the crypto API wipes descriptors too since 6.16.
 */
int test_after_final(const struct subject *s)
{
	const struct shash_alg *alg = crypto_shash_alg(s->tfm);
	static const u16 lens[] = { 0, 5, 16, 300, 1024, LEN_MAX };
	const u8 *input = random_sample.input;
	SHASH_DESC_ON_STACK(desc, s->tfm);
	u8 tag[TAG_SIZE];
	size_t i, len;
	int err;

	desc->tfm = s->tfm;
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memset(shash_desc_ctx(desc), 0xff, crypto_shash_descsize(s->tfm));
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, 40) ?:
		      crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, KEY_SIZE + len / 2) ?:
		      alg->finup(desc, input + KEY_SIZE + len / 2, len - len / 2, tag);
		err = check_tag(s, err, tag, len, 40, "init twice");
		if (err)
			return err;
		if (!desc_is_wiped(desc))
			return fail(s, "%zu bytes, finup: the descriptor is not wiped", len);

		memset(tag, POISON, sizeof(tag));
		err = crypto_shash_final(desc, tag);
		if (err != -ENOKEY || memchr_inv(tag, POISON, sizeof(tag)))
			return fail(s, "final twice: %d", err);

		err = crypto_shash_update(desc, input, KEY_SIZE + len) ?:
		      alg->final(desc, tag);
		err = check_tag(s, err, tag, len, 0, "update after final");
		if (err)
			return err;
		if (!desc_is_wiped(desc))
			return fail(s, "%zu bytes, final: the descriptor is not wiped", len);

		err = crypto_shash_export(desc, state) ?:
		      crypto_shash_import(desc, state) ?:
		      crypto_shash_finup(desc, input, KEY_SIZE + len, tag);
		err = check_tag(s, err, tag, len, 0, "export after final");
		if (err)
			return err;
	}
	return 0;
}

/* The crypto API aligns descriptors only like a u64. */
int test_desc_alignment(const struct subject *s)
{
	u8 buf[56 + 56 + sizeof(struct shash_desc) + HASH_MAX_DESCSIZE]
		__aligned(8);
	const u8 *input = random_sample.input;
	struct shash_desc *desc;
	u8 tag[TAG_SIZE];
	size_t at, len;
	int err;

	for (at = 0; at < 64; at += 8) {
		desc = (struct shash_desc *)(PTR_ALIGN(&buf[0], 64) + at);
		desc->tfm = s->tfm;
		for (len = 0; len <= LEN_MAX; len += LEN_MAX / 32) {
			err = crypto_shash_init(desc) ?:
			      crypto_shash_update(desc, input, KEY_SIZE / 2) ?:
			      crypto_shash_finup(desc, input + KEY_SIZE / 2,
						 KEY_SIZE / 2 + len, tag);
			err = check_tag(s, err, tag, len, at,
					"descriptor's address");
			if (err)
				return err;
		}
	}
	return 0;
}

/*
 * One driver exports a state, and both it and the driver that imports the state finish
 * the message. The importer's descriptor holds junk, or a message with another key, whose
 * powers are known. export must not write more than statesize bytes.
 */
static int export_import(const struct subject *from, const struct subject *to,
			 size_t len, size_t cut)
{
	const size_t size = crypto_shash_statesize(from->tfm);
	const u8 *input = random_sample.input;
	const size_t total = KEY_SIZE + len;
	SHASH_DESC_ON_STACK(desc, from->tfm);
	u8 tag[TAG_SIZE];
	int err;

	memset(state, POISON, sizeof(state));
	desc->tfm = from->tfm;
	err = crypto_shash_init(desc) ?:
	      crypto_shash_update(desc, input, cut) ?:
	      crypto_shash_export(desc, state) ?:
	      crypto_shash_finup(desc, input + cut, total - cut, tag);
	err = check_tag(from, err, tag, len, cut, "exporter");
	if (err)
		return err;
	if (memchr_inv(state + size, POISON, sizeof(state) - size))
		return fail(from, "more than %zu bytes exported", size);

	desc->tfm = to->tfm;
	memset(shash_desc_ctx(desc), 0xff, crypto_shash_descsize(to->tfm));
	if (cut % 2)
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input + 1, KEY_SIZE + LEN_SIMD);
	err = err ?: crypto_shash_import(desc, state) ?:
	      crypto_shash_update(desc, input + cut, (total - cut) / 2);
	cut += (total - cut) / 2;
	err = err ?: crypto_shash_finup(desc, input + cut, total - cut, tag);
	return check_tag(from, err, tag, len, cut, to->name);
}

int test_export(const struct subject *s)
{
	const struct subject *to;
	size_t cut;
	int err;

	if (crypto_shash_statesize(s->tfm) >= sizeof(state))
		return fail(s, "%u bytes of state",
			    crypto_shash_statesize(s->tfm));

	for (to = subjects; to < subjects + nsubjects; to++) {
		if (!to->tfm)
			continue;
		for (cut = 0; cut <= KEY_SIZE + 100; cut++) {
			err = export_import(s, to, 100, cut);
			if (err)
				return err;
		}
		for (cut = 0; cut <= KEY_SIZE + LEN_MAX; cut += 1549) {
			err = export_import(s, to, LEN_MAX, cut);
			if (err)
				return err;
		}
		cond_resched();
	}
	return 0;
}

/* Neither an exported state nor the descriptor keeps the key before clamping. */
int test_forgets_key(const struct subject *s)
{
	const size_t size = crypto_shash_descsize(s->tfm);
	SHASH_DESC_ON_STACK(desc, s->tfm);
	u8 input[KEY_SIZE + 50];
	size_t cut, i;
	int err;

	desc->tfm = s->tfm;
	random_fill(input, sizeof(input));
	input[3] |= 0xf0;	/* bits that clamping clears */
	for (cut = 0; cut <= KEY_SIZE; cut++) {
		memset(shash_desc_ctx(desc), POISON, size);
		memset(state, POISON, sizeof(state));
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, cut) ?:
		      crypto_shash_update(desc, input + cut, sizeof(input) - cut) ?:
		      crypto_shash_export(desc, state);
		if (err)
			return fail(s, "export: %d", err);
		for (i = 0; i + 8 <= sizeof(state); i++)
			if (!memcmp(state + i, input, 8) ||
			    (i + 8 <= size && !memcmp((u8 *)shash_desc_ctx(desc) + i, input, 8)))
				return fail(s, "the unclamped key, cut at %zu, is kept", cut);
	}
	return 0;
}

/* Imports the exported state with the member of size bytes at an offset changed. */
static int try_import(const struct subject *s, struct shash_desc *desc,
		      const struct poly1305_saved *exported, size_t at, size_t size, u64 value,
		      bool good)
{
	const size_t descsize = crypto_shash_descsize(desc->tfm);
	u8 changed[sizeof(*exported)], before[HASH_MAX_DESCSIZE];
	const u32 low = value;
	int err;

	memcpy(changed, exported, sizeof(changed));
	memcpy(changed + at, size == sizeof(low) ? (const void *)&low : &value, size);
	memcpy(before, shash_desc_ctx(desc), descsize);
	err = crypto_shash_import(desc, changed);
	if (err != (good ? 0 : -EINVAL))
		return fail(s, "import with %llx at %zu: error %d",
			    (unsigned long long)value, at, err);
	if (err && memcmp(before, shash_desc_ctx(desc), descsize))
		return fail(s, "import with %llx at %zu: the descriptor has changed",
			    (unsigned long long)value, at);
	return 0;
}

/* Each limit of a state, and beyond. A state that is refused changes nothing. */
int check_import(const struct subject *s, struct shash_desc *desc, u32 head_size)
{
	struct poly1305_saved saved;
	unsigned int bit;
	u64 clamp;
	int err = crypto_shash_export(desc, &saved);

	if (err || crypto_shash_statesize(desc->tfm) != sizeof(saved))
		return fail(s, "export of %u bytes: %d", crypto_shash_statesize(desc->tfm), err);
#define TRY(member, value, good)	try_import(s, desc, &saved,			\
	offsetof(struct poly1305_saved, member), sizeof(saved.member), value, good)
	err = TRY(headlen, saved.headlen, true) ?:
	      TRY(headlen, head_size + 1, false) ?:
	      TRY(headlen, U32_MAX, false) ?:
	      TRY(buflen, POLY1305_MAC_BLOCK_SIZE - 1, true) ?:
	      TRY(buflen, POLY1305_MAC_BLOCK_SIZE, false) ?:
	      TRY(buflen, U32_MAX, false) ?:
	      TRY(h[1], POLY1305_H1_MAX, true) ?:
	      TRY(h[2], POLY1305_H2_MAX, true) ?:
	      TRY(h[2], POLY1305_H2_MAX + 1, false) ?:
	      TRY(h[2], U64_MAX, false);
	if (POLY1305_H1_MAX < U64_MAX)
		err = err ?: TRY(h[1], POLY1305_H1_MAX + 1, false) ?:
		      TRY(h[1], U64_MAX, false);
	/* Without a key of the transform, the state has r. */
	for (bit = 0; bit < 128 && head_size == KEY_SIZE && !err; bit++) {
		clamp = bit < 64 ? POLY1305_CLAMP_LO : POLY1305_CLAMP_HI;
		err = try_import(s, desc, &saved,
				 offsetof(struct poly1305_saved, r) + bit / 64 * 8, 8,
				 1ULL << bit % 64, clamp >> bit % 64 & 1);
	}
	return err;
#undef TRY
}

/* import accepts what export can have written, rejects all else, and then changes nothing. */
int test_import(const struct subject *s)
{
	const u8 *input = random_sample.input;
	SHASH_DESC_ON_STACK(desc, s->tfm);
	const size_t len = 300;
	u8 tag[TAG_SIZE];
	size_t cut;
	int err;

	desc->tfm = s->tfm;
	memset(state, 0xff, sizeof(state));
	for (cut = 0; cut <= KEY_SIZE + len; cut++) {
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, cut);
		if (err)
			return fail(s, "update: %d", err);
		err = crypto_shash_import(desc, state);
		if (err != -EINVAL)
			return fail(s, "import of garbage: %d", err);
		err = crypto_shash_finup(desc, input + cut,
					 KEY_SIZE + len - cut, tag);
		err = check_tag(s, err, tag, len, cut, "after an import");
		if (err)
			return err;

		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, input, cut) ?:
		      check_import(s, desc, KEY_SIZE);
		if (err)
			return err;
	}
	return 0;
}
