// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The arithmetic of the reference by GMP, independent of the reference's own */

#include <gmp.h>

#include "check.h"

static void load(mpz_t x, const u64 words[3])
{
	mpz_import(x, 3, -1, sizeof(words[0]), 0, 0, words);
}

void ref_gmp_step(u64 h[3], const u64 m[3], const u64 a[3])
{
	static mpz_t p, x, y;

	if (!mpz_sgn(p)) {
		mpz_inits(p, x, y, NULL);
		load(p, ref_p);
	}

	load(x, h);
	load(y, m);
	mpz_add(x, x, y);
	load(y, a);
	mpz_mul(x, x, y);
	mpz_mod(x, x, p);

	memset(h, 0, 3 * sizeof(h[0]));
	mpz_export(h, NULL, -1, sizeof(h[0]), 0, 0, x);
}
