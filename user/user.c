// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305.ko in user space: replacements for functions of the kernel, and the two
 * functions of poly1305_user.h.
 */

#include <crypto/internal/hash.h>
#include <crypto/internal/simd.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "chapoly/chapoly_core.h"
#include "poly1305_core.h"
#include "poly1305_user.h"

#ifdef CONFIG_X86_64
const unsigned int *shim_features;
#endif
bool shim_simd_usable = true;
bool shim_fpu_saved = true;
unsigned long shim_fpu_sections;

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' ^ 'A';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

int hex2bin(u8 *dst, const char *src, size_t count)
{
	int high, low;

	for (; count; count--, src += 2) {
		high = nibble(src[0]);
		low = high < 0 ? -1 : nibble(src[1]);
		if (low < 0)
			return -EINVAL;
		*dst++ = high << 4 | low;
	}
	return 0;
}

/* The registered drivers, those with the highest priority first */
static const struct shash_alg *algs[POLY1305_NTIERS + 1];
static size_t nalgs;

int crypto_register_shash(struct shash_alg *alg)
{
	size_t i = nalgs++;

	for (; i && algs[i - 1]->base.cra_priority < alg->base.cra_priority; i--)
		algs[i] = algs[i - 1];
	algs[i] = alg;
	return 0;
}

/* Unregister all drivers: the module never unregisters only some. */
void crypto_unregister_shash(struct shash_alg *alg)
{
	nalgs = 0;
}

const char *const *poly1305_user_impls(void)
{
	static const char *names[POLY1305_NTIERS + 1];
	size_t i;

	for (i = 0; i < nalgs; i++)
		names[i] = algs[i]->base.cra_driver_name;
	return names;
}

int poly1305_user_select(const char *name)
{
	size_t i = 0, j = 0;

	while (i < nalgs && strcmp(name, algs[i]->base.cra_driver_name))
		i++;
	if (i == nalgs)
		return -ENOENT;
	while (strcmp(name, poly1305_tiers[j]->name))
		j++;
	poly1305_use_tier(poly1305_tiers[j]);
#ifdef CONFIG_X86_64
	chapoly_use(name);
#endif
	return 0;
}
