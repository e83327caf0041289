/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The part of the crypto API that chapoly/poly1305_chapoly.c needs, for the checker */

#ifndef SHIM_CRYPTO_INTERNAL_AEAD_H
#define SHIM_CRYPTO_INTERNAL_AEAD_H

#include <crypto/internal/hash.h>
#include <linux/scatterlist.h>
#include <linux/types.h>

struct crypto_aead;

struct aead_request {
	struct crypto_aead *tfm;
	unsigned int assoclen, cryptlen;
	u8 *iv;
	struct scatterlist *src, *dst;
};

struct aead_alg {
	int (*setkey)(struct crypto_aead *tfm, const u8 *key, unsigned int len);
	int (*setauthsize)(struct crypto_aead *tfm, unsigned int size);
	int (*encrypt)(struct aead_request *req);
	int (*decrypt)(struct aead_request *req);
	unsigned int ivsize;
	unsigned int chunksize;
	unsigned int maxauthsize;
	struct {
		char cra_name[CRYPTO_MAX_ALG_NAME];
		char cra_driver_name[CRYPTO_MAX_ALG_NAME];
		int cra_priority;
		unsigned int cra_blocksize;
		unsigned int cra_ctxsize;
		void *cra_module;
	} base;
};

struct crypto_aead {
	const struct aead_alg *alg;
	void *__ctx[] __attribute__((aligned(8)));
};

static inline void *crypto_aead_ctx(struct crypto_aead *tfm)
{
	return tfm->__ctx;
}

static inline unsigned int crypto_aead_ivsize(struct crypto_aead *tfm)
{
	return tfm->alg->ivsize;
}

static inline struct crypto_aead *crypto_aead_reqtfm(struct aead_request *req)
{
	return req->tfm;
}

int crypto_register_aead(struct aead_alg *alg);
#define crypto_unregister_aead(alg)	((void)(alg))

#endif
