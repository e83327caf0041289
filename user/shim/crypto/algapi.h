/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The part of the crypto API that poly1305_aes.c needs, for the checker: templates,
 * their instances, transforms, and one cipher. tests/unit/aes.c defines functions.
 */

#ifndef SHIM_CRYPTO_ALGAPI_H
#define SHIM_CRYPTO_ALGAPI_H

#include <crypto/internal/hash.h>
#include <linux/err.h>
#include <linux/types.h>
#include <stdlib.h>

#define CRYPTO_ALG_TYPE_SHASH	0x0000000e

struct rtattr;

struct crypto_alg {
	int cra_priority;
	unsigned int cra_blocksize;
};

struct crypto_template {
	const char *name;
	int (*create)(struct crypto_template *tmpl, struct rtattr **tb);
	void *module;
};

/* The cipher of an instance */
struct crypto_cipher_spawn {
	struct crypto_alg *alg;
};

struct shash_instance {
	void (*free)(struct shash_instance *inst);
	struct shash_alg alg;
	void *__ctx[] __attribute__((aligned(8)));
};

struct crypto_shash {
	struct shash_instance *inst;
	u32 flags;
	void *__ctx[] __attribute__((aligned(8)));
};

static inline void *crypto_shash_ctx(struct crypto_shash *tfm)
{
	return tfm->__ctx;
}

static inline struct shash_instance *
shash_alg_instance(struct crypto_shash *tfm)
{
	return tfm->inst;
}

static inline void *shash_instance_ctx(struct shash_instance *inst)
{
	return inst->__ctx;
}

static inline struct shash_instance *
shash_crypto_instance(struct shash_instance *inst)
{
	return inst;
}

/* A transform of the cipher, with a key */
struct crypto_cipher;

struct crypto_cipher *crypto_alloc_cipher(const char *name, u32 type, u32 mask);
void crypto_free_cipher(struct crypto_cipher *cipher);
int crypto_cipher_setkey(struct crypto_cipher *cipher, const u8 *key,
			 unsigned int len);
void crypto_cipher_encrypt_one(struct crypto_cipher *cipher, u8 *dst,
			       const u8 *src);

#define crypto_check_attr_type(tb, type, mask)	(*(mask) = 0)
#define crypto_attr_alg_name(attr)		"aes"
#define crypto_inst_setname(inst, name, alg)	0
#define crypto_spawn_cipher_alg(spawn)		((spawn)->alg)
#define crypto_spawn_cipher(spawn)		crypto_alloc_cipher("aes", 0, 0)

static inline int crypto_grab_cipher(struct crypto_cipher_spawn *spawn,
				     struct shash_instance *inst,
				     const char *name, u32 type, u32 mask)
{
	static struct crypto_alg aes = { .cra_priority = 100, .cra_blocksize = 16 };

	spawn->alg = &aes;
	return 0;
}

static inline void shash_free_singlespawn_instance(struct shash_instance *inst)
{
	free(inst);
}

int shash_register_instance(struct crypto_template *tmpl,
			    struct shash_instance *inst);

/* The template has its instance at once. */
#define crypto_register_template(tmpl)		((tmpl)->create(tmpl, NULL))
#define crypto_unregister_template(tmpl)	((void)(tmpl))

#endif
