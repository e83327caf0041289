// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ChaCha20-Poly1305 (RFC 8439) and its ESP form (RFC 7634) with the MAC of
 * poly1305.ko, under the names that IPsec, AF_ALG and others request. Kernels up
 * to 6.15 build these AEADs from any shash "poly1305". Newer kernels call a
 * library that cannot be replaced; there, this module brings our MAC to the AEADs.
 * It is built for x86-64 alone.
 *
 * poly1305_aead.h does the work. A packet takes one of three ways to it:
 *
 *  - Text in one piece, as IPsec's nearly always is, is sealed where it lies.
 *  - A short packet in several pieces is copied to the stack and back.
 *  - A longer one is walked once, piece by piece.
 *
 * Nothing sleeps unless the request allows it.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/internal/aead.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "poly1305_aead.h"
#include "poly1305_chapoly_vectors.h"

#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define NONCE_SIZE	CHACHAPOLY_IV_SIZE
#define ESP_IV_SIZE	8
#define KEY_WORDS	(CHACHA_KEY_SIZE / sizeof(u32))

/*
 * Above any instance of the kernel's template, whose priority is at most that of
 * the best ChaCha20 or MAC: 500.
 */
#define PRIORITY	600

#ifdef POLY1305_FAULT
/* make FAULT=1: a test can make the results wrong, to see the self-test fail. */
static bool fault;
module_param(fault, bool, 0444);
MODULE_PARM_DESC(fault, "compute wrong results");
#else
#define fault	false
#endif

struct chapoly_key {
	u32 words[KEY_WORDS];
	u8 salt[NONCE_SIZE - ESP_IV_SIZE];	/* ESP form only */
};

static unsigned int salt_size(struct crypto_aead *tfm)
{
	return NONCE_SIZE - crypto_aead_ivsize(tfm);
}

static int chapoly_setkey(struct crypto_aead *tfm, const u8 *bytes,
			  unsigned int len)
{
	struct chapoly_key *key = crypto_aead_ctx(tfm);
	size_t i;

	if (len != CHACHA_KEY_SIZE + salt_size(tfm))
		return -EINVAL;

	for (i = 0; i < KEY_WORDS; i++)
		key->words[i] = get_unaligned_le32(bytes + 4 * i);
	memcpy(key->salt, bytes + CHACHA_KEY_SIZE, salt_size(tfm));
	return 0;
}

static int chapoly_setauthsize(struct crypto_aead *tfm, unsigned int size)
{
	return size == TAG_SIZE ? 0 : -EINVAL;
}

/* The keystream starts at block 0, whose first half is the MAC's key. */
static void cipher_begin(struct chacha_state *cipher, struct aead_request *req)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	const struct chapoly_key *key = crypto_aead_ctx(tfm);
	u8 *at, iv[CHACHA_IV_SIZE] = { 0 };

	at = iv + sizeof(iv) - NONCE_SIZE;
	memcpy(at, key->salt, salt_size(tfm));
	memcpy(at + salt_size(tfm), req->iv, crypto_aead_ivsize(tfm));
	chacha_init(cipher, key->words, iv);
	memzero_explicit(iv, sizeof(iv));	/* the salt is part of the key */
}

/*
 * Where a list begins, if its first entry holds all its n bytes, else NULL. For 0 bytes
 * there need not be a list: AF_ALG passes one that it has not filled in.
 */
static noinline u8 *one_piece(struct scatterlist *sgl, unsigned int n)
{
	if (!n)
		return ZERO_SIZE_PTR;
	return sgl->length < n ? NULL : sg_virt(sgl);
}

struct chapoly_short {
	u8 in[AEAD_ROOM];
	u8 out[AEAD_STREAM];
	u8 assoc[AEAD_ASSOC_MAX];
};

/* A short packet in pieces */
static noinline_for_stack int short_packet(struct aead_request *req,
					   unsigned int assoclen,
					   unsigned int len, bool seal,
					   struct chacha_state *cipher)
{
	struct chapoly_short s;
	u8 *text = s.in + CHACHA_BLOCK_SIZE;
	int err = 0;

	scatterwalk_map_and_copy(s.assoc, req->src, 0, assoclen, 0);
	scatterwalk_map_and_copy(text, req->src, req->assoclen,
				 len + (seal ? 0 : TAG_SIZE), 0);
	if (seal) {
		aead_seal_room(s.in, len, s.assoc, assoclen, cipher);
		text[len] ^= fault;
		scatterwalk_map_and_copy(text, req->dst, req->assoclen,
					 len + TAG_SIZE, 1);
		return 0;
	}

	text = s.out + CHACHA_BLOCK_SIZE;
	if (!aead_open_room(s.out, s.in, len, s.assoc, assoclen, cipher))
		err = -EBADMSG;
	else if (len)
		scatterwalk_map_and_copy(text, req->dst, req->assoclen, len, 1);
	memzero_explicit(text, len);
	return err;
}

static void long_assoc(struct aead_pieces *p, struct scatterlist *sgl,
		       unsigned int assoclen)
{
	unsigned int n, left = assoclen;
	struct sg_mapping_iter miter;

	sg_miter_start(&miter, sgl, sg_nents(sgl),
		       SG_MITER_ATOMIC | SG_MITER_FROM_SG);
	while (left && sg_miter_next(&miter)) {
		n = min_t(size_t, left, miter.length);
		aead_assoc(p, miter.addr, n);
		left -= n;
	}
	sg_miter_stop(&miter);
}

static int long_text(struct aead_pieces *p, struct aead_request *req, bool seal)
{
	struct skcipher_walk walk;
	int err;

	err = seal ? skcipher_walk_aead_encrypt(&walk, req, false) :
		     skcipher_walk_aead_decrypt(&walk, req, false);
	while (!err && walk.nbytes) {
		aead_text(p, walk.dst.virt.addr, walk.src.virt.addr,
			  walk.nbytes, seal);
		err = skcipher_walk_done(&walk, 0);
	}
	return err;
}

static noinline_for_stack int long_packet(struct aead_request *req,
					  unsigned int assoclen,
					  unsigned int len, bool seal,
					  struct chacha_state *cipher)
{
	u8 tag[TAG_SIZE], received[TAG_SIZE];
	struct aead_pieces p;
	int err;

	aead_begin(&p, cipher, assoclen, len);
	memzero_explicit(cipher, sizeof(*cipher));
	long_assoc(&p, req->src, assoclen);
	err = long_text(&p, req, seal);
	aead_end(&p, tag);

	if (seal && !err) {
		tag[0] ^= fault;
		scatterwalk_map_and_copy(tag, req->dst, req->assoclen + len,
					 TAG_SIZE, 1);
	} else if (!seal) {
		scatterwalk_map_and_copy(received, req->src,
					 req->assoclen + len, TAG_SIZE, 0);
		if (!err && crypto_memneq(tag, received, TAG_SIZE))
			err = -EBADMSG;
		/* Text that is not authentic must not be seen. */
		if (err)
			sg_zero_buffer(req->dst, sg_nents(req->dst), len,
				       req->assoclen);
	}
	memzero_explicit(tag, sizeof(tag));
	return err;
}

/*
 * In the ESP form the API's associated data end with a copy of the IV, 8 bytes
 * that the MAC does not cover.
 */
static int chapoly_crypt(struct aead_request *req, bool seal)
{
	unsigned int ivsize = crypto_aead_ivsize(crypto_aead_reqtfm(req));
	unsigned int assoclen = req->assoclen, len = req->cryptlen;
	struct chacha_state cipher;
	u8 *src, *dst;

	if (ivsize == ESP_IV_SIZE) {
		if (assoclen < ESP_IV_SIZE)
			return -EINVAL;
		assoclen -= ESP_IV_SIZE;
	}
	if (!seal)
		len -= TAG_SIZE;	/* The API refuses shorter input. */

	cipher_begin(&cipher, req);
	src = one_piece(req->src, req->assoclen + req->cryptlen);
	dst = one_piece(req->dst, req->assoclen + len + (seal ? TAG_SIZE : 0));
	if (!src || !dst) {
		if (aead_is_short(len, assoclen))
			return short_packet(req, assoclen, len, seal, &cipher);
		return long_packet(req, assoclen, len, seal, &cipher);
	}
	dst += req->assoclen;
	if (!seal)
		return aead_open(dst, src + req->assoclen, len, src, assoclen,
				 &cipher) ? 0 : -EBADMSG;
	aead_seal(dst, src + req->assoclen, len, src, assoclen, &cipher);
	dst[len] ^= fault;
	return 0;
}

static int chapoly_encrypt(struct aead_request *req)
{
	return chapoly_crypt(req, true);
}

static int chapoly_decrypt(struct aead_request *req)
{
	return chapoly_crypt(req, false);
}

#define CHAPOLY(name, driver, iv_size)					\
{									\
	.setkey = chapoly_setkey,					\
	.setauthsize = chapoly_setauthsize,				\
	.encrypt = chapoly_encrypt,					\
	.decrypt = chapoly_decrypt,					\
	.ivsize = iv_size,						\
	.chunksize = CHACHA_BLOCK_SIZE,					\
	.maxauthsize = TAG_SIZE,					\
	.base = {							\
		.cra_name = name,					\
		.cra_driver_name = driver,				\
		.cra_priority = PRIORITY,				\
		.cra_blocksize = 1,					\
		.cra_ctxsize = sizeof(struct chapoly_key),		\
		.cra_module = THIS_MODULE,				\
	},								\
}

static struct aead_alg chapoly_algs[] = {
	CHAPOLY("rfc7539(chacha20,poly1305)", "chapoly-rfc7539", NONCE_SIZE),
	CHAPOLY("rfc7539esp(chacha20,poly1305)", "chapoly-rfc7539esp",
		ESP_IV_SIZE),
};

static struct aead_alg *registered[ARRAY_SIZE(chapoly_algs)];

/*
 * The self-test runs before anything is registered. A registered algorithm, even
 * an internal one, can be found by netlink and held by others, and a load that
 * failed could not take it back. The API makes transforms of registered
 * algorithms only, so the test makes its own.
 */

/* Room for associated data followed by an IV, text and tag */
#define TEST_MAX	(CHAPOLY_TEST_MAX + ESP_IV_SIZE + TAG_SIZE)

/* The longest piece of a scatterlist in the tests, and the number of pieces */
#define PIECE_MAX	1000
#define PIECES		(2 * TEST_MAX / PIECE_MAX + 2)

struct chapoly_test {
	struct crypto_aead *tfm;
	struct aead_request *req;
	const struct chapoly_testvec *vec;
	bool pieces, in_place;
	unsigned int assoclen, len;	/* as in the request */
	u8 *plain, *sealed, *in, *out;
	struct scatterlist src[PIECES], dst[PIECES];
	int err;			/* of the last request */
};

/* Make a scatterlist of pieces whose lengths fit no block size. */
static void __init test_sgl(struct chapoly_test *t, struct scatterlist *sgl,
			    u8 *data, unsigned int len, unsigned int cut)
{
	unsigned int n, i = 0;

	sg_init_table(sgl, PIECES);
	while (len) {
		cut = cut * 7 % 997;	/* a prime: never 0 */
		n = t->pieces && i < PIECES - 1 ? min(len, cut) : len;
		sg_set_buf(&sgl[i++], data, n);
		data += n;
		len -= n;
	}
	sg_mark_end(&sgl[i ? i - 1 : 0]);
}

/* Seal or open t->in into t->out. */
static int __init test_crypt(struct chapoly_test *t, bool seal)
{
	unsigned int tag = seal ? 0 : TAG_SIZE;
	u8 iv[NONCE_SIZE];

	memcpy(iv, chapoly_test_nonce + salt_size(t->tfm),
	       crypto_aead_ivsize(t->tfm));
	test_sgl(t, t->src, t->in, t->assoclen + t->len + TAG_SIZE, 5);
	test_sgl(t, t->dst, t->out, t->assoclen + t->len + TAG_SIZE, 3);
	aead_request_set_ad(t->req, t->assoclen);
	aead_request_set_crypt(t->req, t->src, t->in_place ? t->src : t->dst,
			       t->len + tag, iv);
	t->err = chapoly_crypt(t->req, seal);
	return t->err;
}

/* Returns NULL, or a description of the failure. */
static const char * __init test_layout(struct chapoly_test *t)
{
	u8 *in = t->in, *out = t->in_place ? t->in : t->out;
	u8 *tag = in + t->assoclen + t->len;
	unsigned int i;

	memcpy(in, t->plain, t->assoclen + t->len);
	if (test_crypt(t, true))
		return "sealing fails";
	if (memcmp(out + t->assoclen + t->len, t->vec->tag, TAG_SIZE))
		return "wrong tag";
	memcpy(t->sealed, out, t->assoclen + t->len + TAG_SIZE);

	memcpy(in + t->assoclen, t->sealed + t->assoclen, t->len + TAG_SIZE);
	if (test_crypt(t, false))
		return "opening fails";
	if (memcmp(out + t->assoclen, t->plain + t->assoclen, t->len))
		return "wrong text";

	memcpy(in + t->assoclen, t->sealed + t->assoclen, t->len + TAG_SIZE);
	memset(t->out, 0, TEST_MAX);
	tag[t->len % TAG_SIZE] ^= 1 << t->len % 8;
	if (test_crypt(t, false) != -EBADMSG)
		return "a wrong tag is accepted";
	for (i = 0; i < t->len; i++)
		if (out[t->assoclen + i] &&
		    out[t->assoclen + i] != t->sealed[t->assoclen + i])
			return "text comes out of a forged packet";
	return NULL;
}

static int __init test_vector(struct chapoly_test *t, const char *name)
{
	const char *wrong;
	unsigned int i, layout;

	t->len = t->vec->len;
	t->assoclen = t->vec->assoclen;
	for (i = 0; i < t->assoclen + t->len; i++)
		t->plain[i] = chapoly_test_byte(i);
	if (crypto_aead_ivsize(t->tfm) == ESP_IV_SIZE) {
		memmove(t->plain + t->assoclen + ESP_IV_SIZE,
			t->plain + t->assoclen, t->len);
		t->assoclen += ESP_IV_SIZE;
	}
	for (layout = 0; layout < 4; layout++) {
		t->pieces = layout & 1;
		t->in_place = layout & 2;
		wrong = test_layout(t);
		if (wrong && t->err == -ENOMEM)
			return t->err;
		if (wrong) {
			pr_err("self-test of %s failed: %s, %u and %u bytes, layout %u\n",
			       name, wrong, t->vec->assoclen, t->len, layout);
			return -EBADMSG;
		}
	}
	return 0;
}

static int __init test_alg(struct chapoly_test *t, struct aead_alg *alg)
{
	u8 key[CHACHA_KEY_SIZE + sizeof_field(struct chapoly_key, salt)];
	int err = -ENOMEM;
	size_t i;

	t->tfm = kzalloc(sizeof(*t->tfm) + alg->base.cra_ctxsize, GFP_KERNEL);
	if (!t->tfm)
		return -ENOMEM;
	t->tfm->base.__crt_alg = &alg->base;
	t->tfm->authsize = TAG_SIZE;
	t->req = aead_request_alloc(t->tfm, GFP_KERNEL);
	if (!t->req)
		goto out;
	aead_request_set_callback(t->req, CRYPTO_TFM_REQ_MAY_SLEEP, NULL, NULL);
	memcpy(key, chapoly_test_key, CHACHA_KEY_SIZE);
	memcpy(key + CHACHA_KEY_SIZE, chapoly_test_nonce, salt_size(t->tfm));
	err = chapoly_setkey(t->tfm, key,
			     CHACHA_KEY_SIZE + salt_size(t->tfm));
	for (i = 0; i < ARRAY_SIZE(chapoly_testvecs) && !err; i++) {
		t->vec = &chapoly_testvecs[i];
		err = test_vector(t, alg->base.cra_name);
	}
out:
	aead_request_free(t->req);
	kfree(t->tfm);
	return err;
}

static int __init chapoly_selftest(void)
{
	struct chapoly_test *t = kzalloc(sizeof(*t), GFP_KERNEL);
	u8 *room = kcalloc(4, TEST_MAX, GFP_KERNEL);
	int err = -ENOMEM;
	size_t i;

	if (!t || !room)
		goto out;
	t->plain = room;
	t->sealed = room + TEST_MAX;
	t->in = room + 2 * TEST_MAX;
	t->out = room + 3 * TEST_MAX;

	err = 0;
	for (i = 0; i < ARRAY_SIZE(chapoly_algs) && !err; i++)
		err = test_alg(t, &chapoly_algs[i]);
out:
	kfree(room);
	kfree(t);
	return err;
}

/*
 * Once one AEAD is registered it may have users, the kernel's own tests among
 * them, so nothing may fail the load after that.
 */
static int __init chapoly_mod_init(void)
{
	size_t i, count = 0;
	int err;

	if (poly1305_fips_mode())
		return -ENODEV;
	err = chapoly_selftest();
	if (err) {
		pr_err("not loaded: error %d\n", err);
		return err;
	}

	for (i = 0; i < ARRAY_SIZE(chapoly_algs); i++) {
		struct aead_alg *alg = &chapoly_algs[i];

		err = crypto_register_aead(alg);
		if (err)
			pr_err("cannot register %s: error %d\n",
			       alg->base.cra_driver_name, err);
		else
			registered[count++] = alg;
	}
	return count ? 0 : err;
}

static void __exit chapoly_mod_exit(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registered) && registered[i]; i++)
		crypto_unregister_aead(registered[i]);
}

module_init(chapoly_mod_init);
module_exit(chapoly_mod_exit);

MODULE_DESCRIPTION("ChaCha20-Poly1305 with the MAC of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_ALIAS_CRYPTO("rfc7539(chacha20,poly1305)");
MODULE_ALIAS_CRYPTO("rfc7539esp(chacha20,poly1305)");
MODULE_ALIAS_CRYPTO("chapoly-rfc7539");
MODULE_ALIAS_CRYPTO("chapoly-rfc7539esp");
