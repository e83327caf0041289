// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The template "poly1305" of the crypto API. Its instance poly1305(aes) is Poly1305-AES as
 * Bernstein's paper defines it. With any other cipher that has blocks and keys of 16 bytes, the
 * instance is what the paper calls Poly1305-AnotherFunction.
 *
 * The key is k || r, 16 bytes each. The tag of message m under nonce n is
 *
 *	(m(r) mod p) + cipher_k(n)	(mod 2^128),
 *
 * with m(r) as in poly1305_core.h. As with vmac64, the first 16 bytes of the input are n, and the
 * others are m. Unlike a one-time key, this key serves many messages. Each message needs a nonce
 * that has never been used under this key.
 *
 * The paper requires certain bits of r to be 0. Keys in which one of them is 1 are refused. If the
 * bits were cleared instead, keys that other implementations refuse would work here.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/algapi.h>
#include <crypto/internal/hash.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "poly1305_core.h"
#include "poly1305_desc.h"

#define CIPHER_KEY_SIZE	16
#define NONCE_SIZE	16
#define KEY_SIZE	(CIPHER_KEY_SIZE + POLY1305_MAC_BLOCK_SIZE)

static_assert(NONCE_SIZE == POLY1305_MAC_TAG_SIZE);

/* A key: r, and the cipher with key k */
struct poly1305_aes_key {
	struct crypto_cipher *cipher;
	u8 r[POLY1305_MAC_BLOCK_SIZE];
};

/* r is secret, but this result is not: the error code reveals it anyway. */
static bool r_permitted(const u8 r[POLY1305_MAC_BLOCK_SIZE])
{
	return !((get_unaligned_le64(r) & ~POLY1305_CLAMP_LO) |
		 (get_unaligned_le64(r + 8) & ~POLY1305_CLAMP_HI));
}

static int key_set(struct poly1305_aes_key *key, const u8 *bytes, unsigned int len)
{
	const u8 *r;
	int err;

	if (len != KEY_SIZE)
		return -EINVAL;
	r = bytes + CIPHER_KEY_SIZE;
	if (!r_permitted(r))
		return -EINVAL;

	err = crypto_cipher_setkey(key->cipher, bytes, CIPHER_KEY_SIZE);
	if (err)
		return err;
	memcpy(key->r, r, sizeof(key->r));
	return 0;
}

/* The one-time key of a message: r, and the pad cipher_k(nonce) */
static void one_time_key(const struct poly1305_aes_key *key, const u8 nonce[NONCE_SIZE],
			 u8 out[POLY1305_MAC_KEY_SIZE])
{
	memcpy(out, key->r, sizeof(key->r));
	crypto_cipher_encrypt_one(key->cipher, out + sizeof(key->r), nonce);
}

static void desc_update(const struct poly1305_aes_key *key, struct poly1305_desc *d,
			const u8 *data, unsigned int len)
{
	u8 once[POLY1305_MAC_KEY_SIZE];

	if (d->prefix_len < NONCE_SIZE && len &&
	    poly1305_take_prefix(d, NONCE_SIZE, &data, &len)) {
		one_time_key(key, d->prefix, once);
		poly1305_mac_init(&d->mac, once);
		memzero_explicit(once, sizeof(once));
	}
	if (len)
		poly1305_mac_update(&d->mac, data, len);
}

/*
 * Leaves the descriptor as after init, even on failure. Before 6.16 the crypto API does not wipe
 * descriptors.
 */
static int desc_final(struct poly1305_desc *d, u8 *tag)
{
	int err = 0;

	if (d->prefix_len == NONCE_SIZE)
		poly1305_mac_final(&d->mac, tag);
	else
		err = -EINVAL;
	memzero_explicit(d, sizeof(*d));
	return err;
}

static int key_digest(const struct poly1305_aes_key *key, const u8 *data, unsigned int len,
		      u8 *tag)
{
	u8 once[POLY1305_MAC_KEY_SIZE];

	if (len < NONCE_SIZE)
		return -EINVAL;
	one_time_key(key, data, once);
	poly1305_mac_digest(once, data + NONCE_SIZE, len - NONCE_SIZE, tag);
	memzero_explicit(once, sizeof(once));
	return 0;
}

static int shash_setkey(struct crypto_shash *tfm, const u8 *bytes, unsigned int len)
{
	return key_set(crypto_shash_ctx(tfm), bytes, len);
}

static int shash_init(struct shash_desc *desc)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	d->prefix_len = 0;
	return 0;
}

static int shash_update(struct shash_desc *desc, const u8 *data, unsigned int len)
{
	desc_update(crypto_shash_ctx(desc->tfm), shash_desc_ctx(desc), data, len);
	return 0;
}

static int shash_final(struct shash_desc *desc, u8 *tag)
{
	return desc_final(shash_desc_ctx(desc), tag);
}

static int shash_digest(struct shash_desc *desc, const u8 *data, unsigned int len, u8 *tag)
{
	return key_digest(crypto_shash_ctx(desc->tfm), data, len, tag);
}

static int shash_export(struct shash_desc *desc, void *out)
{
	return poly1305_export(shash_desc_ctx(desc), NONCE_SIZE, out);
}

/* r comes from the set key, so a state must be imported under the key of its export. */
static int shash_import(struct shash_desc *desc, const void *in)
{
	const struct poly1305_aes_key *key = crypto_shash_ctx(desc->tfm);
	u64 r[2] = { get_unaligned_le64(key->r), get_unaligned_le64(key->r + 8) };
	const int err = poly1305_import(shash_desc_ctx(desc), NONCE_SIZE, r, in);

	memzero_explicit(r, sizeof(r));
	return err;
}

static int shash_init_tfm(struct crypto_shash *tfm)
{
	struct poly1305_aes_key *key = crypto_shash_ctx(tfm);
	struct crypto_cipher *cipher;

	cipher = crypto_spawn_cipher(shash_instance_ctx(shash_alg_instance(tfm)));
	if (IS_ERR(cipher))
		return PTR_ERR(cipher);
	key->cipher = cipher;
	return 0;
}

static void shash_exit_tfm(struct crypto_shash *tfm)
{
	struct poly1305_aes_key *key = crypto_shash_ctx(tfm);

	crypto_free_cipher(key->cipher);
}

static int poly1305_aes_create(struct crypto_template *tmpl, struct rtattr **tb)
{
	struct crypto_cipher_spawn *spawn;
	struct shash_instance *inst;
	struct crypto_alg *cipher;
	u32 mask;
	int err;

	err = crypto_check_attr_type(tb, CRYPTO_ALG_TYPE_SHASH, &mask);
	if (err)
		return err;

	inst = kzalloc(sizeof(*inst) + sizeof(*spawn), GFP_KERNEL);
	if (!inst)
		return -ENOMEM;
	spawn = shash_instance_ctx(inst);

	err = crypto_grab_cipher(spawn, shash_crypto_instance(inst),
				 crypto_attr_alg_name(tb[1]), 0, mask);
	if (err)
		goto free;
	cipher = crypto_spawn_cipher_alg(spawn);

	err = -EINVAL;
	if (cipher->cra_blocksize != NONCE_SIZE)
		goto free;

	err = crypto_inst_setname(shash_crypto_instance(inst), tmpl->name, cipher);
	if (err)
		goto free;

	inst->alg.base.cra_priority = cipher->cra_priority;
	inst->alg.base.cra_blocksize = POLY1305_MAC_BLOCK_SIZE;
	inst->alg.base.cra_ctxsize = sizeof(struct poly1305_aes_key);
	inst->alg.digestsize = POLY1305_MAC_TAG_SIZE;
	inst->alg.descsize = sizeof(struct poly1305_desc);
	inst->alg.statesize = sizeof(struct poly1305_saved);
	inst->alg.init_tfm = shash_init_tfm;
	inst->alg.exit_tfm = shash_exit_tfm;
	inst->alg.setkey = shash_setkey;
	inst->alg.init = shash_init;
	inst->alg.update = shash_update;
	inst->alg.final = shash_final;
	inst->alg.digest = shash_digest;
	inst->alg.export = shash_export;
	inst->alg.import = shash_import;
	inst->free = shash_free_singlespawn_instance;

	err = shash_register_instance(tmpl, inst);
	if (!err)
		return 0;
free:
	shash_free_singlespawn_instance(inst);
	return err;
}

static struct crypto_template poly1305_aes_template = {
	.name = "poly1305",
	.create = poly1305_aes_create,
	.module = THIS_MODULE,
};

/* The longest data of a vector, in bytes */
#define POLY1305_AES_TESTVEC_MAX	79

/*
 * The vectors of Appendix A of Bernstein's paper "The Poly1305-AES message-authentication code", in
 * hexadecimal: data is the nonce, then the message; key is k || r. The members are arrays to put
 * them into init data, where string literals would not be.
 */
struct poly1305_aes_testvec {
	char key[2 * 32 + 1];
	char data[2 * POLY1305_AES_TESTVEC_MAX + 1];
	char tag[2 * 16 + 1];
};

static const struct poly1305_aes_testvec poly1305_aes_testvecs[] __initconst = {
	{
		.key = "ec074c835580741701425b623235add6"
		       "851fc40c3467ac0be05cc20404f3f700",
		.data = "fb447350c4e868c52ac3275cf9d4327e"
			"f3f6",
		.tag = "f4c633c3044fc145f84f335cb81953de",
	},
	{
		.key = "75deaa25c09f208e1dc4ce6b5cad3fbf"
		       "a0f3080000f46400d0c7e9076c834403",
		.data = "61ee09218d29b0aaed7e154a2c5509cc",
		.tag = "dd3fab2251f11ac759f0887129cc2ee7",
	},
	{
		.key = "6acb5f61a7176dd320c5c1eb2edcdc74"
		       "48443d0bb0d21109c89a100b5ce2c208",
		.data = "ae212a55399729595dea458bc621ff0e"
			"663cea190ffb83d89593f3f476b6bc24d7e679107ea26adb8caf6652d0656136",
		.tag = "0ee1c16bb73f0f4fd19881753c01cdbe",
	},
	{
		.key = "e1a5668a4d5b66a5f68cc5424ed5982d"
		       "12976a08c4426d0ce8a82407c4f48207",
		.data = "9ae831e743978d3a23527c7128149e3a"
			"ab0812724a7f1e342742cbed374d94d136c6b8795d45b3819830f2c04491faf0"
			"990c62e48b8018b2c3e4a0fa3134cb67fa83e158c994d961c4cb21095c1bf9",
		.tag = "5154ad0d2cb26e01274fc51148491f1b",
	},
};

/* Test a vector in one call, then byte by byte. */
static int __init test_vector(struct poly1305_aes_key *key, const struct poly1305_aes_testvec *vec)
{
	u8 data[POLY1305_AES_TESTVEC_MAX], bytes[KEY_SIZE];
	u8 tag[POLY1305_MAC_TAG_SIZE], expected[POLY1305_MAC_TAG_SIZE];
	const unsigned int len = strlen(vec->data) / 2;
	struct poly1305_desc d = { .prefix_len = 0 };
	unsigned int i;
	int err;

	if (hex2bin(bytes, vec->key, sizeof(bytes)) || hex2bin(data, vec->data, len) ||
	    hex2bin(expected, vec->tag, sizeof(expected)))
		return -EINVAL;

	err = key_set(key, bytes, sizeof(bytes));
	if (err)
		return err;
	err = key_digest(key, data, len, tag);
	if (err)
		return err;
	if (memcmp(tag, expected, sizeof(tag)))
		return -EBADMSG;

	for (i = 0; i < len; i++)
		desc_update(key, &d, data + i, 1);
	err = desc_final(&d, tag);
	if (err)
		return err;
	return memcmp(tag, expected, sizeof(tag)) ? -EBADMSG : 0;
}

static int __init selftest(void)
{
	struct poly1305_aes_key key;
	size_t i;
	int err = 0;

	/* The cipher alone: for poly1305(aes) the crypto API would request this module. */
	key.cipher = crypto_alloc_cipher("aes", 0, 0);
	if (IS_ERR(key.cipher)) {
		pr_err("the kernel has no cipher aes: error %ld\n", PTR_ERR(key.cipher));
		return PTR_ERR(key.cipher);
	}
	for (i = 0; i < ARRAY_SIZE(poly1305_aes_testvecs) && !err; i++) {
		err = test_vector(&key, &poly1305_aes_testvecs[i]);
		if (err)
			pr_err("self-test of poly1305(aes) failed: vector %zu, error %d\n",
			       i, err);
	}
	crypto_free_cipher(key.cipher);
	return err;
}

static int __init poly1305_aes_mod_init(void)
{
	int err;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!poly1305_mac_fits())
		return -ENOEXEC;
	err = selftest();
	return err ? err : crypto_register_template(&poly1305_aes_template);
}

static void __exit poly1305_aes_mod_exit(void)
{
	crypto_unregister_template(&poly1305_aes_template);
}

module_init(poly1305_aes_mod_init);
module_exit(poly1305_aes_mod_exit);

MODULE_DESCRIPTION("Poly1305-AES message authenticator");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_ALIAS_CRYPTO("poly1305(aes)");
IMPORT_CRYPTO_INTERNAL;
