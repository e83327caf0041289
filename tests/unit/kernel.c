// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The functions of kernel.h */

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "kernel.h"

const void *memchr_inv(const void *p, int c, size_t len)
{
	const u8 *byte = p;

	for (; len; len--, byte++)
		if (*byte != c)
			return byte;
	return NULL;
}

/* The inaccessible page before an area keeps its size. */
void *vmalloc(size_t size)
{
	const size_t page = sysconf(_SC_PAGESIZE), all = round_up(size, page) + 2 * page;
	u8 *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	*(size_t *)p = all;
	if (mprotect(p, page, PROT_NONE) || mprotect(p + all - page, page, PROT_NONE))
		abort();
	return p + page;
}

void vfree(void *area)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	u8 *p = (u8 *)area - page;

	if (area && (mprotect(p, page, PROT_READ) || munmap(p, *(size_t *)p)))
		abort();
}

void sg_init_table(struct scatterlist *sgl, unsigned int n)
{
	memset(sgl, 0, n * sizeof(*sgl));
	for (; n > 1; n--, sgl++)
		sgl->next = sgl + 1;
}

size_t sg_copy_to_buffer(struct scatterlist *sgl, unsigned int n, void *buf, size_t len)
{
	u8 *to = buf;

	for (; n; n--, to += sgl->length, sgl = sgl->next)
		memcpy(to, sgl->addr, sgl->length);
	return len;
}

size_t sg_copy_from_buffer(struct scatterlist *sgl, unsigned int n, const void *buf, size_t len)
{
	const u8 *from = buf;

	for (; n; n--, from += sgl->length, sgl = sgl->next)
		memcpy(sgl->addr, from, sgl->length);
	return len;
}

/* A driver of a tier in the list, or poly1305(aes) */
struct crypto_shash *crypto_alloc_shash(const char *name, u32 type, u32 mask)
{
	const struct tier *t;
	struct crypto_shash *tfm;

	for (t = tier_list(); t->name; t++) {
		if (strcmp(t->name, name))
			continue;
		tfm = calloc(1, sizeof(*tfm));
		tfm->inst = calloc(1, sizeof(*tfm->inst));
		tfm->inst->alg = *t->alg;
		return tfm;
	}
#ifndef POLY1271
	if (!strcmp(name, "poly1305(aes)")) {
		tfm = aes_transform();
		tfm->flags = CRYPTO_TFM_NEED_KEY;
		return tfm;
	}
#endif
	return ERR_PTR(-ENOENT);
}

void crypto_free_shash(struct crypto_shash *tfm)
{
	if (crypto_shash_alg(tfm)->setkey)
		return;
	free(tfm->inst);
	free(tfm);
}

int crypto_shash_setkey(struct crypto_shash *tfm, const u8 *key, unsigned int len)
{
	const int err = crypto_shash_alg(tfm)->setkey(tfm, key, len);

	tfm->flags = err ? CRYPTO_TFM_NEED_KEY : 0;
	return err;
}
