// SPDX-License-Identifier: GPL-2.0 OR MIT
/* poly1305_chapoly.c and chapoly_list.c in the checker, and the algorithms for kernel.h */

#include <linux/compiler.h>

#include "kernel.h"
#include "selftest.h"

/* The module is loaded after chapoly.ko. */
#undef SHIM_INIT
#define SHIM_INIT	104
#include "../../chapoly/poly1305_chapoly.c"
#include "../../chapoly/chapoly_list.c"

SELFTEST(aead_selftest, chapoly_selftest())

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

	while (strcmp(algs[i]->base.cra_driver_name, name))
		i++;
	tfm = calloc(1, sizeof(*tfm) + algs[i]->base.cra_ctxsize);
	tfm->alg = algs[i];
	return tfm;
}
