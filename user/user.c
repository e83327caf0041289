// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_glue.c in user space: what the kernel would have provided, and the
 * two functions that the kernel does not need.
 */

#include "poly1305_glue.c"
#include "poly1305_user.h"

bool shim_simd_usable = true;
bool shim_fpu_saved = true;
unsigned long shim_fpu_sections;
#ifdef CONFIG_X86_64
bool shim_emulating;
#endif

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

/* The glue's table keeps the list of what is registered. */
int crypto_register_shash(struct shash_alg *alg)
{
	return 0;
}

void crypto_unregister_shash(struct shash_alg *alg)
{
}

/* The best of those that are registered and worse than limit, or NULL */
static const struct poly1305_impl *best_below(int limit)
{
	const struct poly1305_impl *impl, *best = NULL;

	for (impl = impls; impl < impls + ARRAY_SIZE(impls); impl++)
		if (impl->registered && impl->alg.base.cra_priority < limit &&
		    (!best || impl->alg.base.cra_priority >
			      best->alg.base.cra_priority))
			best = impl;
	return best;
}

const char *const *poly1305_user_impls(void)
{
	static const char *names[ARRAY_SIZE(impls) + 1];
	const struct poly1305_impl *impl;
	int limit = INT_MAX;
	size_t n = 0;

	while ((impl = best_below(limit))) {
		names[n++] = impl->alg.base.cra_driver_name;
		limit = impl->alg.base.cra_priority;
	}
	return names;
}

int poly1305_user_select(const char *name)
{
	const struct poly1305_impl *impl;

	for (impl = impls; impl < impls + ARRAY_SIZE(impls); impl++) {
		if (impl->registered &&
		    !strcmp(name, impl->alg.base.cra_driver_name)) {
			use_impl(impl);
			return 0;
		}
	}
	return -ENOENT;
}
