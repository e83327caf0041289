// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305(aes) on each tier: its tags, and each line of the table "Errors" in
 * docs/poly1305-aes.md.
 */

#include "aes.h"
#include "check.h"

#define NONCE_SIZE	16

static struct crypto_shash *tfm;
static const struct shash_alg *alg;
static struct shash_desc *desc;

/* Makes a valid key and sets it. */
static void set_key(u8 key[KEY_SIZE])
{
	u64 r[2];

	rnd_bytes(key, 16);
	fill_r(r);
	put_unaligned_le64(r[0], key + 16);
	put_unaligned_le64(r[1], key + 24);
	if (alg->setkey(tfm, key, KEY_SIZE))
		fail("setkey rejects a valid key");
}

/* The reference: poly1305_r(m) + AES_k(n), where data holds n and then m */
static void expect(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE], const u8 *data,
		   size_t len)
{
	u8 one_time[KEY_SIZE];

	memcpy(one_time, key + 16, 16);
	aes_block(key, data, one_time + 16);
	ref_tag(tag, one_time, data + NONCE_SIZE, len - NONCE_SIZE);
}

/* A nonce and len bytes of message, which end at a guard page */
static u8 *any_input(size_t len)
{
	u8 *data = input.rw + input.size - NONCE_SIZE - len;

	rnd_bytes(data, NONCE_SIZE);
	fill_message(data + NONCE_SIZE, len);
	return data;
}

/* Sets a new key; returns a nonce and len bytes of message, and their tag. */
static u8 *new_message(u8 key[KEY_SIZE], u8 expected[TAG_SIZE], size_t len)
{
	u8 *data;

	set_key(key);
	data = any_input(len);
	expect(expected, key, data, NONCE_SIZE + len);
	return data;
}

static void begin(const struct tier *tier)
{
	tfm = aes_transform();
	alg = &tfm->inst->alg;
	desc = (void *)(objects.rw + objects.size - sizeof(*desc) -
			alg->descsize);
	desc->tfm = tfm;
	serve_by(tier);
}

static int finup(const u8 *data, size_t len, u8 *tag)
{
	return alg->update(desc, data, len) ?: alg->final(desc, tag);
}

/* A finished descriptor must be all zeros, which is also its state after init. */
static void check_wiped(const char *after)
{
	size_t i;

	for (i = 0; i < alg->descsize; i++)
		if (((u8 *)shash_desc_ctx(desc))[i])
			fail("after %s the descriptor is not wiped", after);
}

/* One piece; then two, sometimes cut within the nonce, with an export in between */
static void test_aes(const struct tier *tier)
{
	u8 expected[TAG_SIZE], key[KEY_SIZE], *data;
	size_t len, cut;
	u64 i;
	int err;

	begin(tier);
	for (i = first_case(); next_case(&i, LEN_MAX + 1); i++) {
		len = NONCE_SIZE + i;
		data = new_message(key, expected, i);
		area_paint(&tags);
		err = alg->digest(desc, data, len, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("digest: error %d, %zu bytes", err, len);

		cut = rnd() & 1 ? rnd_below(len + 1) : rnd_below(NONCE_SIZE + 1);
		memset(shash_desc_ctx(desc), 0xff, alg->descsize);
		err = alg->init(desc) ?: alg->update(desc, data, cut) ?:
		      alg->export(desc, exports.rw);
		memset(shash_desc_ctx(desc), 0xff, alg->descsize);
		err = err ?: alg->import(desc, exports.rw) ?:
		      finup(data + cut, len - cut, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("export: error %d, %zu bytes cut at %zu", err, len,
			     cut);
		check_wiped("final");
		area_check(&tags, 0, TAG_SIZE);
	}
}

static void test_aes_setkey(const struct tier *tier)
{
	u8 key[2 * KEY_SIZE], expected[TAG_SIZE], *data;
	unsigned int len, bit;
	u64 i, clamp;

	begin(tier);
	for (i = first_case(); next_case(&i, 100); i++) {
		data = new_message(key, expected, i);
		memset(key + KEY_SIZE, 0, KEY_SIZE);
		for (len = 0; len <= sizeof(key); len++)
			if (len != KEY_SIZE &&
			    alg->setkey(tfm, len ? key : NULL, len) != -EINVAL)
				fail("setkey accepts a key of %u bytes", len);
		if (alg->setkey(tfm, key, -1U) != -EINVAL)
			fail("setkey accepts a key of 2^32 - 1 bytes");
		for (bit = 0; bit < 128; bit++) {
			clamp = bit < 64 ? POLY1305_CLAMP_LO : POLY1305_CLAMP_HI;
			if (clamp >> bit % 64 & 1)
				continue;
			key[16 + bit / 8] |= 1 << bit % 8;
			if (alg->setkey(tfm, key, KEY_SIZE) != -EINVAL)
				fail("setkey accepts an r with bit %u", bit);
			key[16 + bit / 8] &= ~(1 << bit % 8);
		}

		/*
		 * The rejected keys have left the old one in place. In the kernel the
		 * crypto API would now demand a new key.
		 */
		if (alg->digest(desc, data, NONCE_SIZE + i, tags.rw) ||
		    memcmp(tags.rw, expected, TAG_SIZE))
			fail("a rejected key has changed the old one");
	}
}

/* An incomplete nonce: no output, and no effect on the next message */
static void test_aes_nonce(const struct tier *tier)
{
	u8 key[KEY_SIZE], expected[TAG_SIZE], *data;
	size_t len, n;
	u64 i;
	int err;

	begin(tier);
	for (i = first_case(); next_case(&i, 20 * NONCE_SIZE); i++) {
		n = i % NONCE_SIZE;
		len = NONCE_SIZE + i;
		data = new_message(key, expected, i);

		area_paint(&tags);
		err = alg->digest(desc, n ? data : NULL, n, tags.rw);
		if (err != -EINVAL)
			fail("digest of %zu bytes: error %d", n, err);
		/* The same after a message that init discarded */
		err = alg->init(desc) ?: alg->update(desc, data, len) ?:
		      alg->init(desc) ?: alg->update(desc, data, n) ?:
		      alg->final(desc, tags.rw);
		if (err != -EINVAL)
			fail("final of %zu bytes: error %d", n, err);
		area_check(&tags, 0, 0);
		check_wiped("final without a nonce");

		/* A nonce in pieces, with empty updates from NULL between them */
		err = alg->init(desc);
		for (n = 0; n < NONCE_SIZE; n++)
			err = err ?: alg->update(desc, NULL, 0) ?:
			      alg->update(desc, data + n, 1);
		err = err ?: alg->update(desc, NULL, 0) ?:
		      alg->update(desc, data + n, len - n) ?:
		      finup(NULL, 0, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("nonce in pieces: error %d, %zu bytes", err, len);
	}
}

/* Calls in a wrong order: after final a descriptor is as after init. */
static void test_aes_order(const struct tier *tier)
{
	u8 key[KEY_SIZE], other[KEY_SIZE], expected[TAG_SIZE], fresh[256], *data;
	size_t len;
	u64 i;
	int err;

	begin(tier);
	for (i = first_case(); next_case(&i, 1000); i++) {
		len = NONCE_SIZE + i;
		data = new_message(key, expected, i);
		memset(fresh, 0, sizeof(fresh));
		err = alg->init(desc) ?: alg->export(desc, fresh);

		err = err ?: alg->update(desc, input.ro, rnd_below(300)) ?:
		      alg->init(desc) ?: finup(data, len, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("init twice: error %d", err);

		area_paint(&tags);
		err = alg->final(desc, tags.rw);
		if (err != -EINVAL)
			fail("final twice: error %d", err);
		area_check(&tags, 0, 0);

		err = finup(data, len, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("update after final: error %d", err);

		err = alg->export(desc, exports.rw);
		if (err || memcmp(exports.rw, fresh, alg->statesize))
			fail("export after final: error %d", err);

		/* A message keeps the key that was set when its nonce was complete. */
		err = alg->init(desc) ?: alg->update(desc, data, NONCE_SIZE);
		set_key(other);
		err = err ?: finup(data + NONCE_SIZE, i, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("setkey behind the nonce: error %d", err);
		expect(expected, other, data, len);
		if (alg->setkey(tfm, key, KEY_SIZE) || alg->init(desc) ||
		    alg->update(desc, data, NONCE_SIZE - 1) ||
		    alg->setkey(tfm, other, KEY_SIZE) ||
		    finup(data + NONCE_SIZE - 1, i + 1, tags.rw) ||
		    memcmp(tags.rw, expected, TAG_SIZE))
			fail("setkey within the nonce");
	}
}

static void test_aes_overlap(const struct tier *tier)
{
	u8 key[KEY_SIZE], expected[TAG_SIZE], saved[NONCE_SIZE + 1000], *data, *tag;
	size_t len;
	u64 i;

	begin(tier);
	for (i = first_case(); next_case(&i, 1000); i++) {
		len = NONCE_SIZE + i;
		data = new_message(key, expected, i);
		memcpy(saved, data, len);
		tag = data + rnd_below(i + 1);
		if (alg->digest(desc, data, len, tag) ||
		    memcmp(tag, expected, TAG_SIZE))
			fail("digest: the tag at %zu of %zu bytes",
			     (size_t)(tag - data), len);
		memcpy(data, saved, len);
		if (alg->init(desc) || finup(data, len, tag) ||
		    memcmp(tag, expected, TAG_SIZE))
			fail("final: the tag at %zu of %zu bytes",
			     (size_t)(tag - data), len);
		memcpy(tag, saved + (tag - data), TAG_SIZE);
		if (memcmp(data, saved, len))
			fail("bytes outside the tag are written");

		if (alg->setkey(tfm, key, KEY_SIZE) || alg->init(desc) ||
		    finup(data, len, key + rnd_below(17)) ||
		    alg->digest(desc, data, len, tags.rw) ||
		    memcmp(tags.rw, expected, TAG_SIZE))
			fail("the tag over the key that was set");
	}
}

/* Imports a state with one member changed. A rejected import changes nothing. */
static void try_import(const u8 *state, size_t at, const void *value, size_t size,
		       int expected, const char *what)
{
	u8 forged[256];
	int err;

	memcpy(forged, state, alg->statesize);
	memcpy(forged + at, value, size);
	area_paint(&objects);
	desc->tfm = tfm;
	err = alg->import(desc, forged);
	if (err != expected)
		fail("import: error %d for %s", err, what);
	if (err)
		area_check(&objects, (u8 *)desc - objects.rw, sizeof(*desc));
}

/* Offset of a member of an exported state */
#define AT(member)	offsetof(struct poly1305_saved, member)

static void test_aes_import(const struct tier *tier)
{
	static const u32 bad_nonce[] = { NONCE_SIZE + 1, -1U };
	static const u32 bad_block[] = { 16, 17, -1U };
	static const u64 bad_h[] = { POLY1305_H2_MAX + 1, -1ULL };
	const u64 good_h = POLY1305_H2_MAX;
	u8 key[KEY_SIZE], expected[TAG_SIZE], state[256], *data;
	size_t len, cut, n;
	u64 i, j;
	int err;

	begin(tier);
	for (i = first_case(); next_case(&i, 300); i++) {
		len = NONCE_SIZE + i;
		data = new_message(key, expected, i);
		cut = rnd_below(len + 1);
		if (alg->init(desc) || alg->update(desc, data, cut) ||
		    alg->export(desc, state))
			fail("cannot export after %zu bytes", cut);
		try_import(state, AT(h[2]), &good_h, 8, 0, "h[2] = 4");
		for (j = 0; j < ARRAY_SIZE(bad_nonce); j++)
			try_import(state, AT(headlen), &bad_nonce[j], 4, -EINVAL,
				   "too long a nonce");
		for (j = 0; j < ARRAY_SIZE(bad_block); j++)
			try_import(state, AT(buflen), &bad_block[j], 4, -EINVAL,
				   "too long a block");
		for (j = 0; j < ARRAY_SIZE(bad_h); j++)
			try_import(state, AT(h[2]), &bad_h[j], 8, -EINVAL,
				   "too great an h[2]");

		/* Unused bytes, behind a partial nonce or block, are ignored. */
		n = min_t(size_t, cut, NONCE_SIZE);
		memset(state + AT(head) + n, 0xff, NONCE_SIZE - n);
		n = cut > NONCE_SIZE ? cut % 16 : 0;
		memset(state + AT(buf) + n, 0xff, 16 - n);
		err = alg->import(desc, state) ?:
		      finup(data + cut, len - cut, tags.rw);
		if (err || memcmp(tags.rw, expected, TAG_SIZE))
			fail("import: error %d, unused bytes changed, %zu of %zu",
			     err, cut, len);
	}
}

const struct test aes_tests[] = {
	{ "aes", test_aes },
	{ "aes-setkey", test_aes_setkey },
	{ "aes-nonce", test_aes_nonce },
	{ "aes-order", test_aes_order },
	{ "aes-overlap", test_aes_overlap },
	{ "aes-import", test_aes_import },
	{ }
};
