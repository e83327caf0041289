/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What all harnesses share. A harness includes a source file unchanged, calls its functions with
 * any arguments that their headers allow, and defines what they call: each such function asserts
 * what its contract demands and keeps book in variables that the code does not see.
 */
#ifndef CBMC_GHOST_H
#define CBMC_GHOST_H

#include <linux/types.h>
#include <stdlib.h>

#define NEED(condition, text)	__CPROVER_assert(condition, text)
#define GIVEN(condition)	__CPROVER_assume(condition)
#define OFFSET(p)		((size_t)__CPROVER_POINTER_OFFSET(p))
#define SAME(p, q)		__CPROVER_same_object(p, q)

size_t nondet_size(void);
bool nondet_bool(void);
u8 nondet_u8(void);
u16 nondet_u16(void);
u32 nondet_u32(void);
u64 nondet_u64(void);

static inline bool readable(const void *p, size_t n)
{
	return !n || __CPROVER_r_ok(p, n);
}

static inline bool writable(void *p, size_t n)
{
	return !n || __CPROVER_w_ok(p, n);
}

/* Whether n bytes at p and m bytes at q share none */
static inline bool apart(const void *p, size_t n, const void *q, size_t m)
{
	return !n || !m || !SAME(p, q) || OFFSET(p) + n <= OFFSET(q) || OFFSET(q) + m <= OFFSET(p);
}

/* Whether byte number at of the object that p points into is one of n bytes at p */
static inline bool holds(const void *p, size_t n, size_t at)
{
	return at >= OFFSET(p) && at - OFFSET(p) < n;
}

/* n bytes, which may be at no address if there are none */
static inline u8 *any_bytes(size_t n)
{
	u8 *p = malloc(n);

	GIVEN(p);
	return n || nondet_bool() ? p : NULL;
}

/* For functions of C that the harness replaces: copies and fills of up to 64 bytes */
#define BYTE(i, f)	do { if ((i) < n) f(i); } while (0)
#define EIGHT(i, f)							\
	do {								\
		BYTE(i, f); BYTE((i) + 1, f); BYTE((i) + 2, f);		\
		BYTE((i) + 3, f); BYTE((i) + 4, f); BYTE((i) + 5, f);	\
		BYTE((i) + 6, f); BYTE((i) + 7, f);			\
	} while (0)

bool section;			/* in an FPU section */
bool simd_usable;		/* SIMD may be used */
bool shim_fpu_saved;
const unsigned int *shim_features;

#endif
