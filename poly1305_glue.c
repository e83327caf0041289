// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305.ko and the crypto API: the shash drivers, one for each tier, and the choice of the best
 * tier when the module loads.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/internal/hash.h>
#include <linux/module.h>

#include "poly1305_core.h"
#include "poly1305_desc.h"

static int shash_init(struct shash_desc *desc)
{
	struct poly1305_desc *d = shash_desc_ctx(desc);

	d->prefix_len = 0;
	return 0;
}

static int shash_export(struct shash_desc *desc, void *out)
{
	return poly1305_export(shash_desc_ctx(desc), POLY1305_MAC_KEY_SIZE, out);
}

static int shash_import(struct shash_desc *desc, const void *in)
{
	return poly1305_import(shash_desc_ctx(desc), POLY1305_MAC_KEY_SIZE, NULL, in);
}

/* In the order of poly1305_tiers. A driver without a name is not registered. */
static struct shash_alg drivers[POLY1305_NTIERS];

static void __init init_driver(struct shash_alg *alg, const struct poly1305_tier *tier)
{
	alg->init = shash_init;
	alg->update = tier->ops->shash_update;
	alg->final = tier->ops->shash_final;
	alg->finup = tier->ops->shash_finup;
	alg->digest = tier->ops->shash_digest;
	alg->export = shash_export;
	alg->import = shash_import;
	alg->digestsize = POLY1305_MAC_TAG_SIZE;
	alg->descsize = sizeof(struct poly1305_desc);
	alg->statesize = sizeof(struct poly1305_saved);
	strscpy(alg->base.cra_name, POLY1305_NAME, CRYPTO_MAX_ALG_NAME);
	strscpy(alg->base.cra_driver_name, tier->name, CRYPTO_MAX_ALG_NAME);
	alg->base.cra_priority = tier->priority;
	alg->base.cra_blocksize = POLY1305_MAC_BLOCK_SIZE;
	alg->base.cra_module = THIS_MODULE;
}

/*
 * Register the driver of each usable tier that passes the self-test and whose name is free. If the
 * first driver, portable, cannot be registered, the load fails, because the self-test compares all
 * others with portable. Once portable is registered there may be users, so a later error does not
 * fail the load.
 */
static int __init poly1305_mod_init(void)
{
	const struct poly1305_tier *tier, *best = NULL;
	int err;
	struct shash_alg *alg;
	size_t i;

	if (poly1305_fips_mode())
		return -ENODEV;

	/* Let the self-test run SIMD code from simd_from on. */
	poly1305_prime_fpu();
	poly1305_arch_init();
	for (i = 0; i < POLY1305_NTIERS; i++) {
		tier = poly1305_tiers[i];
		alg = &drivers[i];
		if (!tier->usable())
			continue;

		init_driver(alg, tier);
		err = poly1305_selftest(tier, alg);
		if (!err) {
			err = crypto_register_shash(alg);
			if (err)
				pr_err("cannot register %s: error %d\n", tier->name, err);
		}
		if (err && i == 0)
			return err;
		if (err) {
			alg->base.cra_driver_name[0] = '\0';
			continue;
		}

		if (!best || tier->priority > best->priority)
			best = tier;
	}

	poly1305_use_tier(best);
	pr_info("version " POLY1305_VERSION "; the best driver on this CPU is %s\n", best->name);
	return 0;
}

static void __exit poly1305_mod_exit(void)
{
	size_t i;

	for (i = 0; i < POLY1305_NTIERS; i++)
		if (drivers[i].base.cra_driver_name[0])
			crypto_unregister_shash(&drivers[i]);
}

module_init(poly1305_mod_init);
module_exit(poly1305_mod_exit);

MODULE_DESCRIPTION(POLY1305_TITLE);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);

/* Any user can load this module by binding an AF_ALG socket to one of these names. */
MODULE_ALIAS_CRYPTO(POLY1305_NAME);
#define DRIVER_ALIAS(id)	MODULE_ALIAS_CRYPTO(POLY1305_NAME "-" #id);
POLY1305_TIERS(DRIVER_ALIAS)
