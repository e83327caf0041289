// SPDX-License-Identifier: GPL-2.0 OR MIT
/* chapoly_aead.c in the checker: the module itself, and its algorithms for kernel.h */

#include <linux/compiler.h>
#include <linux/module.h>

#include "kernel.h"

/* crypto_alloc_aead() loads the module when it is first called. */
#undef module_init
#undef module_exit
#define module_init(fn)	static int (*const aead_load)(void) = fn
#define module_exit(fn)	static void __attribute__((destructor))		\
			aead_unload(void) { fn(); }

#include "../../chapoly_aead.c"

static const struct aead_alg *algs[ARRAY_SIZE(chapoly_algs)];
static size_t nalgs;

int crypto_register_aead(struct aead_alg *alg)
{
	algs[nalgs++] = alg;
	return 0;
}

struct crypto_aead *crypto_alloc_aead(const char *name, u32 type, u32 mask)
{
	struct crypto_aead *tfm;
	size_t i = 0;

	if (!nalgs && aead_load())
		abort();
	while (strcmp(algs[i]->base.cra_driver_name, name))
		i++;
	tfm = calloc(1, sizeof(*tfm) + algs[i]->base.cra_ctxsize);
	tfm->alg = algs[i];
	return tfm;
}
