/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The part of the crypto API that poly1305_aes.c needs, for the checker: templates,
 * their instances, transforms, and one cipher. tests/unit/aes.c defines the functions.
 */

#ifndef SHIM_CRYPTO_ALGAPI_H
#define SHIM_CRYPTO_ALGAPI_H

#include <crypto/internal/hash.h>
#include <linux/err.h>
#include <linux/types.h>

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

int crypto_check_attr_type(struct rtattr **tb, u32 type, u32 *mask);
const char *crypto_attr_alg_name(struct rtattr *attr);
int crypto_grab_cipher(struct crypto_cipher_spawn *spawn,
		       struct shash_instance *inst, const char *name, u32 type,
		       u32 mask);
struct crypto_alg *crypto_spawn_cipher_alg(struct crypto_cipher_spawn *spawn);
struct crypto_cipher *crypto_spawn_cipher(struct crypto_cipher_spawn *spawn);
int crypto_inst_setname(struct shash_instance *inst, const char *name,
			struct crypto_alg *alg);
int shash_register_instance(struct crypto_template *tmpl,
			    struct shash_instance *inst);
void shash_free_singlespawn_instance(struct shash_instance *inst);
int crypto_register_template(struct crypto_template *tmpl);
void crypto_unregister_template(struct crypto_template *tmpl);

#endif
