// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The functions of kernel.h, and two of the C library's */

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/*
 * memcpy() and memset() that leave no data in registers, like the kernel's on x86-64.
 * The C library's may leave any, which would be blamed on the code under test.
 */
#if defined(CONFIG_X86_64) && !defined(__SANITIZE_ADDRESS__)
void *memcpy(void *to, const void *from, size_t len)
{
	void *at = to;

	asm volatile("rep movsb" : "+D" (at), "+S" (from), "+c" (len) : : "memory");
	return to;
}

void *memset(void *to, int byte, size_t len)
{
	void *at = to;

	asm volatile("rep stosb" : "+D" (at), "+c" (len) : "a" (byte) : "memory");
	return to;
}
#endif

const void *memchr_inv(const void *p, int c, size_t len)
{
	const u8 *byte = p;

	for (; len; len--, byte++)
		if (*byte != c)
			return byte;
	return NULL;
}

void *vmalloc(size_t size)
{
	const size_t page = sysconf(_SC_PAGESIZE), all = round_up(size, page) + 2 * page;
	u8 *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + page, all - 2 * page, PROT_READ | PROT_WRITE))
		abort();
	return p + page;
}

void sg_init_table(struct scatterlist *sgl, unsigned int n)
{
	memset(sgl, 0, n * sizeof(*sgl));
	for (; n > 1; n--, sgl++)
		sgl->next = sgl + 1;
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
	if (!strcmp(name, "poly1305(aes)")) {
		tfm = aes_transform();
		tfm->flags = CRYPTO_TFM_NEED_KEY;
		return tfm;
	}
	return ERR_PTR(-ENOENT);
}

int crypto_shash_setkey(struct crypto_shash *tfm, const u8 *key, unsigned int len)
{
	const int err = crypto_shash_alg(tfm)->setkey(tfm, key, len);

	tfm->flags = err ? CRYPTO_TFM_NEED_KEY : 0;
	return err;
}
