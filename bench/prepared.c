// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Is it worth keeping the powers of r if r serves many messages, as in Poly1305-AES?
 * 1,000 keys take turns, with one message each. Prints a table of TSC cycles a message,
 * without the cipher, which costs the same either way.
 *
 * The library does not export these functions, so this links the module's objects.
 */

#include <linux/kernel.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#include "poly1305.h"
#include "poly1305_user.h"

#define KEYS	1000
#define ROUNDS	100
#define LONGEST	8192

static u8 keys[KEYS][POLY1305_MAC_KEY_SIZE], data[LONGEST];
static struct poly1305_mac_prepared prepared[KEYS];
static u8 tags[2][KEYS][POLY1305_MAC_TAG_SIZE];

static void with(size_t len)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		poly1305_mac_digest_prepared(&prepared[i], keys[i] + 16, data,
					     len, tags[0][i]);
}

static void without(size_t len)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		poly1305_mac_digest(keys[i], data, len, tags[1][i]);
}

static void measure(void (*run)(size_t len), size_t len, u64 *least)
{
	unsigned int cpu;
	u64 begin;

	_mm_lfence();
	begin = __rdtsc();
	_mm_lfence();
	run(len);
	begin = __rdtscp(&cpu) - begin;
	if (begin < *least)
		*least = begin;
}

int main(void)
{
	static const size_t lengths[] = {
		16, 64, 256, 512, 1024, 1280, 1420, 2048, 4096, LONGEST
	};
	const char *const *name;
	size_t i, n;
	int round;

	for (i = 0; i < sizeof(data); i++)
		data[i] = 7 * i;
	for (i = 0; i < KEYS; i++) {
		for (n = 0; n < sizeof(keys[i]); n++)
			keys[i][n] = 31 * i + (i >> 8) + 11 * n * n;
		poly1305_mac_prepare(&prepared[i], keys[i]);
	}

	printf("TSC cycles a message, %d keys in rotation, minimum of %d rounds:\n"
	       "powers of r kept, computed anew, ratio\n", KEYS, ROUNDS);
	for (name = poly1305_user_impls(); *name; name++) {
		printf("\n%s\n", *name);
		poly1305_user_select(*name);
		for (i = 0; i < ARRAY_SIZE(lengths); i++) {
			u64 least[2] = { UINT64_MAX, UINT64_MAX };

			for (round = 0; round < ROUNDS; round++) {
				measure(with, lengths[i], &least[0]);
				measure(without, lengths[i], &least[1]);
			}
			if (memcmp(tags[0], tags[1], sizeof(tags[0]))) {
				fprintf(stderr, "prepared: wrong tags\n");
				return 1;
			}
			printf("%6zu  %6.0f  %6.0f  %5.2f\n", lengths[i],
			       (double)least[0] / KEYS,
			       (double)least[1] / KEYS,
			       (double)least[1] / least[0]);
		}
	}
	return 0;
}
