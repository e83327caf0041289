// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_glue.c in user space: what the kernel would have provided, and the
 * two functions that the kernel does not need.
 */

#include "poly1305_glue.c"
#include "poly1305_user.h"

#include <ctype.h>

bool shim_simd_usable = true;

static int nibble(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	if (isxdigit((unsigned char)c))
		return tolower((unsigned char)c) - 'a' + 10;
	return -1;
}

int hex2bin(u8 *dst, const char *src, size_t count)
{
	int hi, lo;

	while (count--) {
		hi = nibble(*src++);
		lo = hi < 0 ? -1 : nibble(*src++);
		if (lo < 0)
			return -EINVAL;
		*dst++ = hi << 4 | lo;
	}
	return 0;
}

/* Names of what is registered, best first, NULL at the end */
static const char *names[ARRAY_SIZE(impls) + 1];

int crypto_register_shash(struct shash_alg *alg)
{
	return 0;
}

void crypto_unregister_shash(struct shash_alg *alg)
{
}

const char *const *poly1305_user_impls(void)
{
	size_t n = 0, i;

	for (i = 0; i < ARRAY_SIZE(impls); i++)
		if (impls[i].registered)
			names[n++] = impls[i].alg.base.cra_driver_name;
	names[n] = NULL;
	return names;
}

int poly1305_user_select(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(impls); i++) {
		if (impls[i].registered &&
		    !strcmp(name, impls[i].alg.base.cra_driver_name)) {
			use_impl(&impls[i]);
			return 0;
		}
	}
	return -ENOENT;
}
