// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * AEADs of the crypto API on chapoly.ko: ChaCha20-Poly1305 (RFC 8439) and its ESP form (RFC 7634),
 * under the names that IPsec, AF_ALG, kernel TLS and others request. Kernels up to 6.15 build these
 * AEADs from any shash "poly1305". Since 6.16 the kernel's AEADs call a library that cannot be
 * replaced, and need this module to use poly1305.ko.
 *
 * A packet in one piece, as nearly every packet of IPsec is, takes one call of chapoly_seal() or
 * chapoly_open(), without a copy. Nothing sleeps or allocates memory.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "../compat.h"
#include <crypto/internal/aead.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "../chapoly.h"
#include "chapoly_vectors.h"

#define TAG_SIZE	CHAPOLY_TAG_SIZE
#define NONCE_SIZE	CHAPOLY_NONCE_SIZE
#define ESP_IV_SIZE	8

/* Above the kernel's template, whose instances have at most the priority of their MAC, 500 */
#define PRIORITY	600

/* A key, and in the ESP form the salt, the first bytes of every nonce */
struct chapoly_key {
	u8 bytes[CHAPOLY_KEY_SIZE];
	u8 salt[NONCE_SIZE - ESP_IV_SIZE];
};

/*
 * A packet in scatterlists, as an AEAD request has it. src has skip bytes of associated data, then
 * len bytes of payload, then the tag if the packet is opened. dst receives payload and tag at the
 * same offsets, and may be src. The MAC covers the first ad_len of the skip bytes; in the ESP form
 * the others are a copy of the IV.
 */
struct packet {
	struct scatterlist *src, *dst;
	unsigned int skip, ad_len, len;
};

static unsigned int salt_size(struct crypto_aead *tfm)
{
	return NONCE_SIZE - crypto_aead_ivsize(tfm);
}

static int chapoly_setkey(struct crypto_aead *tfm, const u8 *bytes, unsigned int len)
{
	struct chapoly_key *key = crypto_aead_ctx(tfm);

	if (len != CHAPOLY_KEY_SIZE + salt_size(tfm))
		return -EINVAL;
	memcpy(key->bytes, bytes, CHAPOLY_KEY_SIZE);
	memcpy(key->salt, bytes + CHAPOLY_KEY_SIZE, salt_size(tfm));
	return 0;
}

static int chapoly_setauthsize(struct crypto_aead *tfm, unsigned int size)
{
	return size == TAG_SIZE ? 0 : -EINVAL;
}

/*
 * Returns the address of the first n bytes of a list if its first entry holds them all, else NULL.
 * If n is 0, the list is not read, because AF_ALG may not have filled it in.
 */
static u8 *one_piece(struct scatterlist *sgl, u64 n)
{
	if (!n)
		return ZERO_SIZE_PTR;
	return sgl->length < n ? NULL : sg_virt(sgl);
}

static noinline_for_stack int crypt_pieces(const struct packet *p, const u8 *nonce, const u8 *key,
					   bool seal)
{
	struct chapoly_pieces pieces;

	chapoly_begin(&pieces, p->len, nonce, key, seal);
	chapoly_ad_list(&pieces, p->src, p->ad_len);
	if (seal)
		return chapoly_seal_list(&pieces, p->dst, p->src, p->skip);
	return chapoly_open_list(&pieces, p->dst, p->src, p->skip);
}

/* If a list has fewer bytes than the lengths say, nothing is written. */
static int crypt_packet(const struct packet *p, const u8 *nonce, const u8 *key, bool seal)
{
	const u64 in = (u64)p->skip + p->len + (seal ? 0 : TAG_SIZE);
	const u64 out = seal ? in + TAG_SIZE : p->len ? in - TAG_SIZE : 0;
	u8 *src = one_piece(p->src, in), *dst = one_piece(p->dst, out);

	if (!src || !dst)
		return crypt_pieces(p, nonce, key, seal);
	if (!seal)
		return chapoly_open(dst + p->skip, src + p->skip, p->len, src, p->ad_len,
				    nonce, key);
	chapoly_seal(dst + p->skip, src + p->skip, p->len, src, p->ad_len, nonce, key);
	return 0;
}

static int chapoly_crypt(struct aead_request *req, bool seal)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	const struct chapoly_key *key = crypto_aead_ctx(tfm);
	const unsigned int iv_size = crypto_aead_ivsize(tfm);
	struct packet p = {
		.src = req->src,
		.dst = req->dst,
		.skip = req->assoclen,
		.ad_len = req->assoclen,
		.len = req->cryptlen - (seal ? 0 : TAG_SIZE),	/* The API checks cryptlen. */
	};
	u8 nonce[NONCE_SIZE];
	int err;

	if (iv_size == ESP_IV_SIZE) {
		if (p.ad_len < ESP_IV_SIZE)
			return -EINVAL;
		p.ad_len -= ESP_IV_SIZE;
	}
	memcpy(nonce, key->salt, salt_size(tfm));
	memcpy(nonce + salt_size(tfm), req->iv, iv_size);
	err = crypt_packet(&p, nonce, key->bytes, seal);
	memzero_explicit(nonce, sizeof(nonce));		/* The salt is part of the key. */
	return err;
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
	CHAPOLY("rfc7539esp(chacha20,poly1305)", "chapoly-rfc7539esp", ESP_IV_SIZE),
};

static struct aead_alg *registered[ARRAY_SIZE(chapoly_algs)];

/*
 * The self-test runs before any registration, because a load that fails could not unregister
 * algorithms in use. Users find even an internal algorithm through netlink.
 */

/* The most bytes of associated data, an IV, payload and tag */
#define TEST_MAX	(CHAPOLY_TEST_MAX + ESP_IV_SIZE + TAG_SIZE)

/* The most pieces of a scatterlist in the self-test; all but the last have up to 996 bytes */
#define PIECES		(2 * TEST_MAX / 1000 + 2)

static u8 test_plain[TEST_MAX] __initdata;
static u8 test_sealed[TEST_MAX] __initdata;
static struct scatterlist test_src[PIECES] __initdata, test_dst[PIECES] __initdata;

/* Make a scatterlist of one piece, or of pieces of various lengths. */
static void __init test_sgl(struct scatterlist *sgl, u8 *data, unsigned int len, bool pieces,
			    unsigned int cut)
{
	unsigned int n, i = 0;

	sg_init_table(sgl, PIECES);
	while (len) {
		cut = cut * 7 % 997;	/* 997 is a prime, so cut never becomes 0. */
		n = pieces && i < PIECES - 1 ? min(len, cut) : len;
		sg_set_buf(&sgl[i++], data, n);
		data += n;
		len -= n;
	}
	sg_mark_end(&sgl[i ? i - 1 : 0]);
}

/*
 * Test one vector in one layout. Lists must not point to static data of a module, so in and out are
 * allocated; they may be equal. Returns NULL, or the name of the fault.
 */
static const char * __init test_layout(const struct chapoly_testvec *vec, unsigned int skip,
				       bool pieces, u8 *in, u8 *out)
{
	const unsigned int len = vec->len, all = skip + len + TAG_SIZE;
	struct packet p = { test_src, out == in ? test_src : test_dst, skip, vec->ad_len, len };

	test_sgl(test_src, in, all, pieces, 5);
	test_sgl(test_dst, out, all, pieces, 3);
	memcpy(in, test_plain, skip + len);
	if (crypt_packet(&p, chapoly_test_nonce, chapoly_test_key, true))
		return "sealing fails";
	if (memcmp(out + skip + len, vec->tag, TAG_SIZE))
		return "wrong tag";

	memcpy(test_sealed, out, all);
	memcpy(in + skip, test_sealed + skip, len + TAG_SIZE);
	if (crypt_packet(&p, chapoly_test_nonce, chapoly_test_key, false))
		return "opening fails";
	if (memcmp(out + skip, test_plain + skip, len))
		return "wrong text";

	memcpy(in + skip, test_sealed + skip, len + TAG_SIZE);
	in[skip + len + len % TAG_SIZE] ^= 1 << len % 8;
	if (crypt_packet(&p, chapoly_test_nonce, chapoly_test_key, false) != -EBADMSG)
		return "a wrong tag is accepted";
	if (out == in ? memcmp(out + skip, test_sealed + skip, len) :
			!!memchr_inv(out + skip, 0, len))
		return "something comes out of a forged packet";
	return NULL;
}

/* Test one vector in one piece or scattered, in place or not, with an IV (ESP) or without. */
static int __init test_vector(const struct chapoly_testvec *vec, u8 *in, u8 *out)
{
	const char *wrong;
	unsigned int i, skip, layout;

	for (layout = 0; layout < 8; layout++) {
		skip = vec->ad_len + (layout & 4 ? ESP_IV_SIZE : 0);
		for (i = 0; i < vec->ad_len; i++)
			test_plain[i] = chapoly_test_byte(i);
		for (i = 0; i < vec->len; i++)
			test_plain[skip + i] = chapoly_test_byte(vec->ad_len + i);
		wrong = test_layout(vec, skip, layout & 1, in, layout & 2 ? in : out);
		if (wrong) {
			pr_err("self-test failed: %s, %u and %u bytes, layout %u\n", wrong,
			       vec->ad_len, vec->len, layout);
			return -EBADMSG;
		}
	}
	return 0;
}

static int __init chapoly_selftest(void)
{
	u8 *buf = kcalloc(2, TEST_MAX, GFP_KERNEL);
	int err = 0;
	size_t i;

	if (!buf)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(chapoly_testvecs) && !err; i++)
		err = test_vector(&chapoly_testvecs[i], buf, buf + TEST_MAX);
	kfree(buf);
	return err;
}

/* After the first registration there may be users, so a later error does not fail the load. */
static int __init chapoly_mod_init(void)
{
	size_t i, count = 0;
	int err;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!chapoly_fits())
		return -ENOEXEC;
	err = chapoly_selftest();
	if (err) {
		pr_err("not loaded: error %d\n", err);
		return err;
	}

	for (i = 0; i < ARRAY_SIZE(chapoly_algs); i++) {
		struct aead_alg *alg = &chapoly_algs[i];

		err = crypto_register_aead(alg);
		if (err)
			pr_err("cannot register %s: error %d\n", alg->base.cra_driver_name, err);
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

MODULE_DESCRIPTION("ChaCha20-Poly1305 of chapoly.ko for the crypto API");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_ALIAS_CRYPTO("rfc7539(chacha20,poly1305)");
MODULE_ALIAS_CRYPTO("rfc7539esp(chacha20,poly1305)");
MODULE_ALIAS_CRYPTO("chapoly-rfc7539");
MODULE_ALIAS_CRYPTO("chapoly-rfc7539esp");
