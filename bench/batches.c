// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * batches [PERCENT [DRIVER]] - does poly1305_mac_batch() ever take longer than its
 * messages one by one? Compares both for every tier, all numbers of messages up to 64,
 * and many lengths, equal and different. Filling in the requests is not measured. Prints
 * each batch that is slower by more than PERCENT (default 3), and the worst ratio. Exit
 * status 1 if there is such a batch.
 *
 * batches need [DRIVER] - what do groups cost? Times each lanes function against its
 * longest message one by one, and prints the table for arch/x86/poly1305-presets.h.
 *
 * The library does not export the lanes functions, so this links the module's objects.
 */

#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "poly1305_core.h"
#include "poly1305_user.h"

#define MOST		64
#define LONGEST		4096

/* TSC cycles for a sample. Batches that look slow get more rounds. */
#define SAMPLE		6000
#define ROUNDS		12
#define MORE_ROUNDS	120
#define NEED_ROUNDS	1500

/* How many steps a class of lengths is divided into */
#define NEED_STEPS	6

static const size_t lengths[] = {
	0, 1, 15, 16, 17, 32, 48, 64, 100, 128, 200, 256, 512, 576, 1024, 1420,
	2048, LONGEST
};

static u8 keys[MOST][POLY1305_MAC_KEY_SIZE], tags[MOST][POLY1305_MAC_TAG_SIZE];
static u8 data[LONGEST];
static struct poly1305_mac_req reqs[MOST];

/* The lanes function that batches need measures, and its input */
static const struct poly1305_lanes *lanes;
static const struct poly1305_mac_req *group[MOST];

static void in_lanes(unsigned int n)
{
	lanes->batch(group, n);
}

static void batch(unsigned int n)
{
	if (poly1305_mac_batch(reqs, n))
		abort();
}

static void one_by_one(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		poly1305_mac_digest(reqs[i].key, reqs[i].data, reqs[i].len,
				    reqs[i].tag);
}

static u64 sample(void (*run)(unsigned int n), unsigned int n, unsigned int calls)
{
	unsigned int cpu;
	u64 begin;

	run(n);
	_mm_lfence();
	begin = __rdtsc();
	_mm_lfence();
	while (calls--)
		run(n);
	begin = __rdtscp(&cpu) - begin;
	_mm_lfence();
	return begin;
}

/* The time of n messages by run, relative to one by one; cycles gets both times. */
static double compare(void (*run)(unsigned int n), unsigned int n,
		      unsigned int rounds, double cycles[2])
{
	u64 least[2] = { UINT64_MAX, UINT64_MAX }, t;
	unsigned int calls = 1 + SAMPLE / (sample(one_by_one, n, 1) + 1);

	while (rounds--) {
		t = sample(run, n, calls);
		if (t < least[0])
			least[0] = t;
		t = sample(one_by_one, n, calls);
		if (t < least[1])
			least[1] = t;
	}
	cycles[0] = (double)least[0] / calls;
	cycles[1] = (double)least[1] / calls;
	return (double)least[0] / least[1];
}

static double check(const char *name, unsigned int n, const char *what,
		    size_t len, double limit)
{
	double cycles[2], ratio = compare(batch, n, ROUNDS, cycles);

	if (ratio > limit)
		ratio = compare(batch, n, MORE_ROUNDS, cycles);
	if (ratio > limit)
		printf("%s: %u messages of %s%zu bytes: %.0f cycles, one by one %.0f\n",
		       name, n, what, len, cycles[0], cycles[1]);
	return ratio;
}

/*
 * The cost of a group, in sixteenths of its longest message alone. The groups of a few
 * calls in a row have all messages of one length, or all but the first down to half.
 */
static double need(size_t len, bool differ)
{
	const unsigned int width = lanes->width;
	double cycles[2], each;
	unsigned int i;

	for (i = 0; i < MOST; i++)
		reqs[i].len = len;
	compare(in_lanes, width, NEED_ROUNDS, cycles);
	each = cycles[1] / width;
	if (differ) {
		for (i = 1; i < width; i++)
			reqs[i].len = len - i * 37 % (len / 2 + 1);
		compare(in_lanes, width, NEED_ROUNDS, cycles);
	}
	return 16 * cycles[0] / each;
}

/* Prints the greatest need of each class of lengths, and of each length in it. */
static void print_need(const char *name)
{
	size_t l, len, from, to;
	unsigned int class;
	double most, sixteenths;
	int differ;

	for (differ = 0; differ < 2; differ++) {
		printf("%s, %s%s lengths:\n", name, lanes->name,
		       differ ? " different" : " equal");
		for (class = 0; class < POLY1305_LEN_CLASSES; class++) {
			from = class ? (16 << class) - 16 : 0;
			to = (32 << class) - 17;
			most = 0;
			printf("\t");
			for (l = 0; l <= NEED_STEPS; l++) {
				len = from + l * (to - from) / NEED_STEPS;
				sixteenths = need(len, differ);
				if (sixteenths > most)
					most = sixteenths;
				printf("%zu: %.1f  ", len, sixteenths);
			}
			printf("class %u: %.0f\n", class, most + .5);
		}
	}
}

static void print_needs(const char *only)
{
	const struct poly1305_tier *tier;
	size_t i;

	for (i = 0; i < POLY1305_NTIERS; i++) {
		tier = poly1305_tiers[i];
		if ((*only && strcmp(tier->name, only)) ||
		    poly1305_user_select(tier->name))
			continue;
		lanes = tier->pairs;
		if (lanes)
			print_need(tier->name);
		lanes = tier->lanes;
		if (lanes)
			print_need(tier->name);
	}
}

int main(int argc, char **argv)
{
	const double limit = 1 + (argc > 1 ? atof(argv[1]) : 3) / 100;
	const char *only = argc > 2 ? argv[2] : "", *const *name;
	unsigned int n, i, slow = 0, all = 0;
	double ratio, worst = 0;
	cpu_set_t set;
	size_t l;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (i = 0; i < MOST; i++) {
		for (n = 0; n < sizeof(keys[i]); n++)
			keys[i][n] = 31 * i + 11 * n * n;
		reqs[i].key = keys[i];
		reqs[i].data = data;
		reqs[i].tag = tags[i];
		group[i] = &reqs[i];
	}
	if (argc > 1 && !strcmp(argv[1], "need")) {
		print_needs(only);
		return 0;
	}
	for (name = poly1305_user_impls(); *name; name++) {
		if (*only && strcmp(*name, only))
			continue;
		poly1305_user_select(*name);
		for (l = 0; l < 2 * ARRAY_SIZE(lengths); l++) {
			const size_t len = lengths[l / 2];

			/* Equal lengths, then lengths between len / 2 and len */
			for (i = 0; i < MOST; i++)
				reqs[i].len = l % 2 ? len - i * 37 % (len / 2 + 1) :
						      len;
			for (n = 1; n <= MOST; n++) {
				ratio = check(*name, n, l % 2 ? "up to " : "",
					      len, limit);
				if (ratio > worst)
					worst = ratio;
				slow += ratio > limit;
				all++;
			}
		}
	}
	printf("%u of %u slower than %.2f times one by one; the worst %.3f\n",
	       slow, all, limit, worst);
	return slow > 0;
}
