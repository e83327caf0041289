// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tap.h"

static unsigned int planned, ran, failed;

void tap_plan(unsigned int tests)
{
	planned = tests;
	printf("TAP version 13\n1..%u\n", tests);
	fflush(stdout);
}

void tap_diag(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("# ", stdout);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

void tap_result(bool passed, const char *format, ...)
{
	va_list args;

	ran++;
	if (!passed)
		failed++;
	printf("%s %u - ", passed ? "ok" : "not ok", ran);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

int tap_end(void)
{
	tap_diag("%u passed, %u failed", ran - failed, failed);
	return failed || ran != planned ? TAP_FAIL : TAP_PASS;
}

bool rng_seed(struct rng *rng, const char *text)
{
	char *end;

	if (!text) {
		/* Short enough to type again */
		__u32 fresh;

		if (getrandom(&fresh, sizeof(fresh), 0) != sizeof(fresh))
			return false;
		rng->state = fresh;
		return true;
	}
	errno = 0;
	rng->state = strtoull(text, &end, 0);
	return !errno && end != text && !*end;
}

/*
 * A counter with an odd step, mixed by multiplications and shifts. Each of them is
 * invertible, so all 2^64 outputs occur.
 */
__u64 rng_next(struct rng *rng)
{
	__u64 x = rng->state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

void rng_fill(struct rng *rng, void *buf, size_t len)
{
	unsigned char *p = buf;

	while (len) {
		__u64 x = rng_next(rng);
		size_t n = len < sizeof(x) ? len : sizeof(x);

		memcpy(p, &x, n);
		p += n;
		len -= n;
	}
}
