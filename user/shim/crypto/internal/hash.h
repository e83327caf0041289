/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_CRYPTO_INTERNAL_HASH_H
#define SHIM_CRYPTO_INTERNAL_HASH_H

#include <linux/types.h>

#define HASH_MAX_DESCSIZE	368
#define HASH_MAX_STATESIZE	345
#define CRYPTO_MAX_ALG_NAME	128

struct crypto_shash;

struct shash_desc {
	struct crypto_shash *tfm;
	void *__ctx[] __attribute__((aligned(8)));
};

static inline void *shash_desc_ctx(struct shash_desc *desc)
{
	return desc->__ctx;
}

struct shash_alg {
	int (*init)(struct shash_desc *desc);
	int (*update)(struct shash_desc *desc, const u8 *data,
		      unsigned int len);
	int (*final)(struct shash_desc *desc, u8 *out);
	int (*finup)(struct shash_desc *desc, const u8 *data,
		     unsigned int len, u8 *out);
	int (*digest)(struct shash_desc *desc, const u8 *data,
		      unsigned int len, u8 *out);
	int (*export)(struct shash_desc *desc, void *out);
	int (*import)(struct shash_desc *desc, const void *in);
	int (*setkey)(struct crypto_shash *tfm, const u8 *key,
		      unsigned int len);
	int (*init_tfm)(struct crypto_shash *tfm);
	void (*exit_tfm)(struct crypto_shash *tfm);
	unsigned int digestsize;
	unsigned int descsize;
	unsigned int statesize;
	struct {
		char cra_name[CRYPTO_MAX_ALG_NAME];
		char cra_driver_name[CRYPTO_MAX_ALG_NAME];
		int cra_priority;
		unsigned int cra_blocksize;
		unsigned int cra_ctxsize;
		void *cra_module;
	} base;
};

/* user/user.c keeps the list of registered algorithms. */
int crypto_register_shash(struct shash_alg *alg);
void crypto_unregister_shash(struct shash_alg *alg);

#endif
