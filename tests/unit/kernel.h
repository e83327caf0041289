/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What tests/cases takes from a kernel, beyond user/shim: memory between inaccessible pages,
 * scatterlists, and the crypto API's calls of a shash and of an AEAD. kernel.c has the longer
 * functions.
 */

#ifndef CHECK_KERNEL_H
#define CHECK_KERNEL_H

#include <crypto/algapi.h>
#include <crypto/internal/aead.h>
#include <crypto/internal/simd.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hex.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>

#define PAGE_SIZE	4096UL
#define PAGE_ALIGN(n)	round_up(n, PAGE_SIZE)
#define BIT(n)		(1UL << (n))

#define cond_resched()	do { } while (0)

/* The first byte that is not c, or NULL */
const void *memchr_inv(const void *p, int c, size_t len);

/* From the heap, whose bounds sanitizers and valgrind watch */
#define kmalloc(size, flags)	malloc(size)

/* Whole pages between inaccessible ones, until the program ends */
void *vmalloc(size_t size);
#define vfree(area)		((void)(area))

void sg_init_table(struct scatterlist *sgl, unsigned int n);

static inline void sg_set_buf(struct scatterlist *sg, const void *buf, unsigned int len)
{
	sg->addr = (void *)buf;
	sg->length = len;
}

/* A page is named by its address. */
#define virt_addr_valid(p)			true
#define virt_to_page(p)				((u8 *)(p))
#define sg_set_page(sg, page, len, offset)	sg_set_buf(sg, (page) + (offset), len)
#define sg_mark_end(sg)				((void)((sg)->next = NULL))

/* The last of the n entries at sgl gives way to a link to another list. */
static inline void sg_chain(struct scatterlist *sgl, unsigned int n, struct scatterlist *next)
{
	sgl[n - 2].next = next;
}

#define CRYPTO_TFM_NEED_KEY	1

/* aes.c: the transform of poly1305(aes), without a key at first; and AES of one block */
struct crypto_shash *aes_transform(void);
void aes_block(const u8 key[16], const u8 in[16], u8 out[16]);

struct crypto_shash *crypto_alloc_shash(const char *name, u32 type, u32 mask);
#define crypto_free_shash(tfm)	((void)(tfm))
int crypto_shash_setkey(struct crypto_shash *tfm, const u8 *key, unsigned int len);

static inline struct shash_alg *crypto_shash_alg(struct crypto_shash *tfm)
{
	return &tfm->inst->alg;
}

#define crypto_shash_statesize(tfm)	(crypto_shash_alg(tfm)->statesize)

#define CALL(desc, call)	(crypto_shash_alg((desc)->tfm)->call)
/* Without a key, these three refuse. */
#define KEYED(desc, call)							\
	((desc)->tfm->flags & CRYPTO_TFM_NEED_KEY ? -ENOKEY : CALL(desc, call))
#define crypto_shash_init(desc)			KEYED(desc, init(desc))
#define crypto_shash_digest(desc, data, len, out)	KEYED(desc, digest(desc, data, len, out))
#define crypto_shash_import(desc, in)		KEYED(desc, import(desc, in))
#define crypto_shash_update(desc, data, len)	CALL(desc, update(desc, data, len))
#define crypto_shash_final(desc, out)		CALL(desc, final(desc, out))
#define crypto_shash_export(desc, out)		CALL(desc, export(desc, out))
#define crypto_shash_finup(desc, data, len, out)				\
	(CALL(desc, finup) ? CALL(desc, finup(desc, data, len, out)) :		\
	 crypto_shash_update(desc, data, len) ?: crypto_shash_final(desc, out))

/* aead.c */
struct crypto_aead *crypto_alloc_aead(const char *name, u32 type, u32 mask);
#define crypto_free_aead(aead)				free(aead)
#define crypto_aead_setkey(aead, key, len)		((aead)->alg->setkey(aead, key, len))

static inline struct aead_request *aead_request_alloc(struct crypto_aead *tfm, int flags)
{
	struct aead_request *req = calloc(1, sizeof(*req));

	req->tfm = tfm;
	return req;
}

#define aead_request_free(req)				free(req)
#define aead_request_set_callback(req, flags, fn, data)	do { } while (0)
#define aead_request_set_ad(req, len)			((void)((req)->assoclen = (len)))

static inline void aead_request_set_crypt(struct aead_request *req, struct scatterlist *src,
					  struct scatterlist *dst, unsigned int len, u8 *iv)
{
	req->src = src;
	req->dst = dst;
	req->cryptlen = len;
	req->iv = iv;
}

#define crypto_aead_encrypt(req)	((req)->tfm->alg->encrypt(req))
#define crypto_aead_decrypt(req)					\
	((req)->cryptlen < POLY1305_MAC_TAG_SIZE ? -EINVAL : (req)->tfm->alg->decrypt(req))

#endif /* CHECK_KERNEL_H */
