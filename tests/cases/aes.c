// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases for poly1305(aes): the tags, and the lines of the table "Errors" in
 * docs/poly1305-aes.md. They need poly1305_aes.ko. They apply to the library alone, as
 * that module calls the functions that poly1305.ko exports.
 */

#include "../../poly1305_saved.h"
#include "poly1305_test.h"

#define NONCE_SIZE	16
#define INPUT_SIZE	(NONCE_SIZE + LEN_MAX)
#define POISON		0x5a

/* A key that is set, a nonce and a message, and the pad of that key and nonce */
struct aes {
	struct crypto_shash *tfm;
	struct crypto_cipher *cipher;
	u8 key[KEY_SIZE];
	u8 pad[TAG_SIZE];
	u8 input[INPUT_SIZE];
	u8 copy[INPUT_SIZE];
};

static void new_key(u8 key[KEY_SIZE])
{
	int i;

	random_fill(key, KEY_SIZE);
	for (i = 16 + 3; i < KEY_SIZE; i += 4)
		key[i] &= 15;
	for (i = 16 + 4; i < KEY_SIZE; i += 4)
		key[i] &= 252;
}

static int set_key(struct aes *a)
{
	int err;

	err = crypto_shash_setkey(a->tfm, a->key, KEY_SIZE) ?:
	      crypto_cipher_setkey(a->cipher, a->key, 16);
	if (!err)
		crypto_cipher_encrypt_one(a->cipher, a->pad, a->input);
	return err;
}

/* The tag of the input's first len bytes, nonce included */
static void expected(const struct aes *a, size_t len, u8 tag[TAG_SIZE])
{
	u8 one_time[KEY_SIZE];

	memcpy(one_time, a->key + 16, 16);
	memcpy(one_time + 16, a->pad, 16);
	poly1305_ref(one_time, a->input + NONCE_SIZE, len - NONCE_SIZE, tag);
}

static int check_tag(const struct subject *s, const struct aes *a, int err,
		     size_t len, const u8 *tag, const char *what)
{
	u8 want[TAG_SIZE];

	expected(a, len, want);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "%s: %zu bytes, nonce included, error %d", what,
			    len, err);
	return 0;
}

static int check_error(const struct subject *s, int err, int want, const u8 *tag,
		       const char *what)
{
	if (err != want)
		return fail(s, "%s: error %d, not %d", what, err, want);
	if (memchr_inv(tag, POISON, TAG_SIZE))
		return fail(s, "%s: the tag is written", what);
	return 0;
}

/* Runs one case with a key set, or skips it if poly1305(aes) does not exist. */
static int with_aes(const struct subject *s,
		    int (*run)(const struct subject *s, struct aes *a))
{
	struct crypto_shash *tfm = crypto_alloc_shash("poly1305(aes)", 0, 0);
	struct aes *a;
	int err;

	if (IS_ERR(tfm) && PTR_ERR(tfm) == -ENOENT) {
		skip_reason = "no poly1305(aes): load poly1305_aes.ko first";
		return SKIP;
	}
	if (IS_ERR(tfm))
		return fail(s, "poly1305(aes): error %ld", PTR_ERR(tfm));
	a = kzalloc(sizeof(*a), GFP_KERNEL);
	if (!a) {
		crypto_free_shash(tfm);
		return fail(s, "no memory");
	}
	a->tfm = tfm;
	a->cipher = crypto_alloc_cipher("aes", 0, 0);
	if (IS_ERR(a->cipher)) {
		err = fail(s, "aes: error %ld", PTR_ERR(a->cipher));
		goto out;
	}
	random_fill(a->input, INPUT_SIZE);
	new_key(a->key);
	err = set_key(a);
	err = err ? fail(s, "setkey: error %d", err) : run(s, a);
	crypto_free_cipher(a->cipher);
out:
	crypto_free_shash(tfm);
	kfree_sensitive(a);
	return err;
}

/* One piece; then two, often cut within the nonce, with export and import in between */
static int aes_tags(const struct subject *s, struct aes *a)
{
	SHASH_DESC_ON_STACK(desc, a->tfm);
	u8 tag[TAG_SIZE], state[sizeof(struct poly1305_saved)];
	size_t len, cut;
	int err;

	desc->tfm = a->tfm;
	if (crypto_shash_statesize(a->tfm) != sizeof(state))
		return fail(s, "%u bytes of state",
			    crypto_shash_statesize(a->tfm));
	for (len = NONCE_SIZE; len <= INPUT_SIZE; len += len < 400 ? 1 : 61) {
		err = crypto_shash_digest(desc, a->input, len, tag);
		err = check_tag(s, a, err, len, tag, "digest");
		if (err)
			return err;

		cut = random_below(len + 1);
		if (len % 2)
			cut %= NONCE_SIZE + 1;
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, cut) ?:
		      crypto_shash_export(desc, state);
		memset(shash_desc_ctx(desc), 0xff,
		       crypto_shash_descsize(a->tfm));
		err = err ?: crypto_shash_import(desc, state) ?:
		      crypto_shash_finup(desc, a->input + cut, len - cut, tag);
		err = check_tag(s, a, err, len, tag, "cut and exported");
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

/* Keys of a wrong length, or with a bit that clamping clears: then no key is set. */
static int aes_setkey(const struct subject *s, struct aes *a)
{
	static const unsigned int lens[] = { 0, 1, 16, 31, 33, 64 };
	SHASH_DESC_ON_STACK(desc, a->tfm);
	struct poly1305_saved state = { 0 };
	u8 key[2 * KEY_SIZE] = { 0 };
	unsigned int i, bit, refused = 0;
	u8 tag[TAG_SIZE];
	int err;

	desc->tfm = a->tfm;
	memset(tag, POISON, TAG_SIZE);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		err = crypto_shash_setkey(a->tfm, lens[i] ? key : NULL, lens[i]);
		if (err != -EINVAL)
			return fail(s, "a key of %u bytes: %d", lens[i], err);
	}
	for (bit = 0; bit < 128; bit++) {
		memset(key, 0, sizeof(key));
		key[16 + bit / 8] = BIT(bit % 8);
		err = crypto_shash_setkey(a->tfm, key, KEY_SIZE);
		if (err && err != -EINVAL)
			return fail(s, "bit %u: %d", bit, err);
		if (!err)
			continue;
		refused++;
		err = check_error(s, crypto_shash_init(desc), -ENOKEY, tag,
				  "init without a key") ?:
		      check_error(s, crypto_shash_digest(desc, a->input,
							 INPUT_SIZE, tag),
				  -ENOKEY, tag, "digest without a key") ?:
		      check_error(s, crypto_shash_import(desc, &state), -ENOKEY,
				  tag, "import without a key");
		if (err)
			return err;
	}
	if (refused != 22)
		return fail(s, "%u bits of r are rejected", refused);
	return 0;
}

/* An incomplete nonce; then one in single bytes, with empty updates between them */
static int aes_nonce(const struct subject *s, struct aes *a)
{
	const size_t len = NONCE_SIZE + 100;
	SHASH_DESC_ON_STACK(desc, a->tfm);
	u8 tag[TAG_SIZE];
	size_t n, i;
	int err;

	desc->tfm = a->tfm;
	for (n = 0; n < NONCE_SIZE; n++) {
		memset(tag, POISON, TAG_SIZE);
		err = check_error(s, crypto_shash_digest(desc, n ? a->input :
							 NULL, n, tag),
				  -EINVAL, tag, "digest without a nonce");
		if (err)
			return err;
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, n) ?:
		      crypto_shash_final(desc, tag);
		err = check_error(s, err, -EINVAL, tag, "final without a nonce");
		if (err)
			return err;
		err = crypto_shash_init(desc) ?:
		      crypto_shash_finup(desc, a->input, n, tag);
		err = check_error(s, err, -EINVAL, tag, "finup without a nonce");
		if (err)
			return err;
	}

	err = crypto_shash_init(desc);
	for (i = 0; i < NONCE_SIZE; i++)
		err = err ?: crypto_shash_update(desc, NULL, 0) ?:
		      crypto_shash_update(desc, a->input + i, 1);
	err = err ?: crypto_shash_update(desc, NULL, 0) ?:
	      crypto_shash_update(desc, a->input + i, len - i) ?:
	      crypto_shash_finup(desc, NULL, 0, tag);
	return check_tag(s, a, err, len, tag, "a nonce in pieces");
}

/* Calls the driver directly: since 6.16 the crypto API wipes descriptors too. */
static int driver_finup(struct shash_desc *desc, const u8 *data, size_t len,
			u8 *tag)
{
	const struct shash_alg *alg = crypto_shash_alg(desc->tfm);

	return alg->update(desc, data, len) ?: alg->final(desc, tag);
}

/* Calls in a wrong order: after final a descriptor is as after init. */
static int aes_order(const struct subject *s, struct aes *a)
{
	static const u16 lens[] = { 0, 5, 16, 300, LEN_MAX };
	const struct shash_alg *alg = crypto_shash_alg(a->tfm);
	SHASH_DESC_ON_STACK(desc, a->tfm);
	struct poly1305_saved fresh, state;
	u8 tag[TAG_SIZE];
	size_t i, len;
	int err;

	desc->tfm = a->tfm;
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = NONCE_SIZE + lens[i];
		err = crypto_shash_init(desc) ?:
		      crypto_shash_export(desc, &fresh) ?:
		      crypto_shash_update(desc, a->input, 40) ?:
		      crypto_shash_init(desc) ?:
		      driver_finup(desc, a->input, len, tag);
		err = check_tag(s, a, err, len, tag, "init twice");
		if (err)
			return err;
		if (memchr_inv(shash_desc_ctx(desc), 0,
			       crypto_shash_descsize(a->tfm)))
			return fail(s, "final: the descriptor is not wiped");

		memset(tag, POISON, TAG_SIZE);
		err = check_error(s, alg->final(desc, tag), -EINVAL, tag,
				  "final twice") ?:
		      check_error(s, crypto_shash_final(desc, tag), -EINVAL,
				  tag, "final three times");
		if (err)
			return err;

		err = driver_finup(desc, a->input, len, tag);
		err = check_tag(s, a, err, len, tag, "update after final");
		if (err)
			return err;

		err = crypto_shash_export(desc, &state);
		if (err || memcmp(&state, &fresh, sizeof(state)))
			return fail(s, "export after final: error %d", err);

		/* A message discarded by init, then one without a nonce */
		memset(tag, POISON, TAG_SIZE);
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, len) ?:
		      crypto_shash_init(desc) ?: alg->final(desc, tag);
		err = check_error(s, err, -EINVAL, tag, "final after init");
		if (err)
			return err;
		if (memchr_inv(shash_desc_ctx(desc), 0,
			       crypto_shash_descsize(a->tfm)))
			return fail(s, "final without a nonce: the descriptor is not wiped");
	}
	return 0;
}

/* A new key: a message keeps the key that was set when its nonce was complete. */
static int aes_rekey(const struct subject *s, struct aes *a)
{
	const size_t len = NONCE_SIZE + 700;
	SHASH_DESC_ON_STACK(desc, a->tfm);
	u8 other[KEY_SIZE], tag[TAG_SIZE];
	size_t cut;
	int err;

	desc->tfm = a->tfm;
	for (cut = 0; cut <= len; cut++) {
		new_key(other);
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, cut);
		if (cut < NONCE_SIZE) {
			memcpy(a->key, other, KEY_SIZE);
			err = err ?: set_key(a);
		} else {
			err = err ?: crypto_shash_setkey(a->tfm, other, KEY_SIZE);
		}
		err = err ?: crypto_shash_finup(desc, a->input + cut, len - cut,
						tag);
		err = check_tag(s, a, err, len, tag, "a new key");
		err = err ?: set_key(a);
		if (err)
			return err;
	}
	return 0;
}

/* The tag may overwrite the nonce, the message or the caller's key. */
static int aes_overlap(const struct subject *s, struct aes *a)
{
	static const u16 lens[] = { 0, 16, 31, 300, 1420 };
	SHASH_DESC_ON_STACK(desc, a->tfm);
	u8 key[KEY_SIZE], tag[TAG_SIZE];
	size_t i, len, at;
	int err;

	desc->tfm = a->tfm;
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = NONCE_SIZE + lens[i];
		for (at = 0; at + TAG_SIZE <= len; at++) {
			memcpy(a->copy, a->input, len);
			err = crypto_shash_digest(desc, a->copy, len,
						  a->copy + at);
			err = check_tag(s, a, err, len, a->copy + at,
					"digest over its input");
			if (err)
				return err;
			memcpy(a->copy + at, a->input + at, TAG_SIZE);
			if (memcmp(a->copy, a->input, len))
				return fail(s, "%zu bytes, bytes outside the tag are written",
					    len);
			err = crypto_shash_init(desc) ?:
			      crypto_shash_finup(desc, a->copy, len,
						 a->copy + at);
			err = check_tag(s, a, err, len, a->copy + at,
					"finup over its input");
			if (err)
				return err;
		}
		cond_resched();
	}

	memcpy(key, a->key, KEY_SIZE);
	err = crypto_shash_setkey(a->tfm, key, KEY_SIZE) ?:
	      crypto_shash_digest(desc, a->input, len, key + 16) ?:
	      crypto_shash_digest(desc, a->input, len, tag);
	return check_tag(s, a, err, len, tag, "a tag over the key");
}

/*
 * import rejects a state that export cannot have written, and leaves the descriptor as
 * it was. It ignores unused bytes.
 */
static int aes_import(const struct subject *s, struct aes *a)
{
	const size_t len = NONCE_SIZE + 300;
	SHASH_DESC_ON_STACK(desc, a->tfm);
	u8 tag[TAG_SIZE];
	struct poly1305_saved state;
	size_t cut, n;
	int err;

	desc->tfm = a->tfm;
	for (cut = 0; cut <= len; cut++) {
		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, cut) ?:
		      check_import(s, desc, NONCE_SIZE);
		if (err)
			return err;

		err = crypto_shash_init(desc) ?:
		      crypto_shash_update(desc, a->input, cut) ?:
		      crypto_shash_export(desc, &state);
		n = min_t(size_t, cut, NONCE_SIZE);
		memset(state.head + n, 0xff, NONCE_SIZE - n);
		n = cut > NONCE_SIZE ? cut % 16 : 0;
		memset(state.buf + n, 0xff, 16 - n);
		err = err ?: crypto_shash_import(desc, &state) ?:
		      crypto_shash_finup(desc, a->input + cut, len - cut, tag);
		err = check_tag(s, a, err, len, tag, "unused bytes changed");
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

int test_aes(const struct subject *s)
{
	return with_aes(s, aes_tags);
}

int test_aes_setkey(const struct subject *s)
{
	return with_aes(s, aes_setkey);
}

int test_aes_nonce(const struct subject *s)
{
	return with_aes(s, aes_nonce);
}

int test_aes_order(const struct subject *s)
{
	return with_aes(s, aes_order);
}

int test_aes_rekey(const struct subject *s)
{
	return with_aes(s, aes_rekey);
}

int test_aes_overlap(const struct subject *s)
{
	return with_aes(s, aes_overlap);
}

int test_aes_import(const struct subject *s)
{
	return with_aes(s, aes_import);
}

IMPORT_CRYPTO_INTERNAL;
