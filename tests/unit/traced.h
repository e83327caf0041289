/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Valgrind's memory checker: which memory is secret, as if it were undefined */

#ifndef CHECK_TRACED_H
#define CHECK_TRACED_H

#if __has_include("valgrind/memcheck.h")
#include <valgrind/memcheck.h>
#define hide(p, len)	VALGRIND_MAKE_MEM_UNDEFINED(p, len)
#define reveal(p, len)	VALGRIND_MAKE_MEM_DEFINED(p, len)
#else
#define RUNNING_ON_VALGRIND	0
#define VALGRIND_COUNT_ERRORS	0UL
#define hide(p, len)	((void)(p))
#define reveal(p, len)	((void)(p))
#endif

#endif /* CHECK_TRACED_H */
