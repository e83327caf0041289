// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * dudect [N [DRIVER]]: does the time of a call tell two classes of secrets apart?
 * It makes N measurements (default 20000) for each experiment and prints Welch's t.
 *
 * The method is that of Reparaz, Balasch and Verbauwhede, "Dude, is my code
 * constant time?". The classes alternate at random. Inputs are made beforehand
 * and copied to one place, so that caches treat both classes alike. Interrupts
 * lengthen some calls, so times above a percentile are cut off. Several
 * percentiles are tried; t is that of the greatest magnitude. For this reason, and
 * because no machine is quite at rest, |t| below 5 means nothing. A leak shows as a
 * |t| that grows with the root of N.
 */

#include <inttypes.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "poly1305_core.h"
#include "poly1305_user.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define LEN_MAX		4096
/* Inputs that are made at a time, and measurements that are not counted */
#define BATCH		256
#define WARM_UP		2000

struct input {
	bool class;
	u8 key[KEY_SIZE];
	u8 tag[TAG_SIZE];
	u8 message[LEN_MAX];
};

static struct input inputs[BATCH], work;
static u64 random_state = 1;

static u64 rnd(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static void rnd_bytes(u8 *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = rnd();
}

/**
 * struct experiment - two classes of inputs, and the function to measure
 * @name: the function and the classes, in words
 * @make: fills in an input of the class that is set in it
 * @verify: measure verify; otherwise digest
 */
struct experiment {
	const char *name;
	void (*make)(struct input *input, size_t len);
	bool verify;
};

static void right_tag(struct input *input, size_t len)
{
	poly1305_tiers[0]->ops->digest(input->key, input->message, len, input->tag);
}

static void random_input(struct input *input, size_t len)
{
	rnd_bytes(input->key, KEY_SIZE);
	rnd_bytes(input->message, len);
}

static void first_or_last(struct input *input, size_t len)
{
	random_input(input, len);
	right_tag(input, len);
	input->tag[input->class ? TAG_SIZE - 1 : 0] ^= 1;
}

static void right_or_last(struct input *input, size_t len)
{
	random_input(input, len);
	right_tag(input, len);
	input->tag[TAG_SIZE - 1] ^= input->class;
}

/* A fixed key and message with few bits set, or random ones */
static void fixed_or_random(struct input *input, size_t len)
{
	if (input->class) {
		random_input(input, len);
	} else {
		memset(input->key, 0, KEY_SIZE);
		input->key[0] = 1;
		memset(input->message, 0, len);
	}
	right_tag(input, len);
}

/* Messages of ones, under a key of ones or random keys */
static void ones_or_random(struct input *input, size_t len)
{
	if (input->class)
		rnd_bytes(input->key, KEY_SIZE);
	else
		memset(input->key, 0xff, KEY_SIZE);
	memset(input->message, 0xff, len);
	right_tag(input, len);
}

static const struct experiment experiments[] = {
	{ "verify: tag wrong in the first byte or the last", first_or_last, true },
	{ "verify: tag right or wrong in the last byte", right_or_last, true },
	{ "digest: key and message fixed or random", fixed_or_random, false },
	{ "digest: message of ones, key of ones or random", ones_or_random, false },
};

static const size_t lengths[] = { 16, 64, 576, 4096 };

static u64 now(void)
{
	unsigned int cpu;
	u64 t;

	_mm_lfence();
	t = __rdtscp(&cpu);
	_mm_lfence();
	return t;
}

/* The time of one call of an exported function, which uses the selected tier */
static u64 measure(const struct experiment *x, const struct input *input,
		   size_t len)
{
	u8 tag[TAG_SIZE];
	int err = 0;
	u64 t;

	memcpy(work.key, input->key, KEY_SIZE);
	memcpy(work.tag, input->tag, TAG_SIZE);
	memcpy(work.message, input->message, len);
	t = now();
	if (x->verify)
		err = poly1305_mac_verify(work.key, work.message, len, work.tag);
	else
		poly1305_mac_digest(work.key, work.message, len, tag);
	t = now() - t;

	if (!x->verify)
		err = memcmp(tag, work.tag, TAG_SIZE);
	else if (x->make == first_or_last || input->class)
		err = err != -EBADMSG;
	if (err) {
		printf("not ok: a wrong result of '%s', %zu bytes\n", x->name, len);
		exit(1);
	}
	return t;
}

struct sample {
	bool class;
	u64 time;
};

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Welch's t of the n fastest */
static double welch(const struct sample *sample, size_t n)
{
	double count[2] = {}, mean[2] = {}, square[2] = {}, d;
	size_t i;
	bool c;

	for (i = 0; i < n; i++) {
		c = sample[i].class;
		count[c]++;
		d = sample[i].time - mean[c];
		mean[c] += d / count[c];
		square[c] += d * (sample[i].time - mean[c]);
	}
	if (count[0] < 2 || count[1] < 2 || square[0] + square[1] == 0)
		return 0;
	return (mean[0] - mean[1]) /
	       sqrt(square[0] / (count[0] - 1) / count[0] +
		    square[1] / (count[1] - 1) / count[1]);
}

static double experiment(const struct experiment *x, size_t len, size_t n,
			 struct sample *sample)
{
	static const double cuts[] = { 1, 0.99, 0.95, 0.9, 0.75, 0.5 };
	double t, most = 0;
	size_t i, j;

	for (i = 0; i < n + WARM_UP; i++) {
		if (i % BATCH == 0)
			for (j = 0; j < BATCH; j++) {
				inputs[j].class = rnd() & 1;
				x->make(&inputs[j], len);
			}
		j = i < WARM_UP ? 0 : i - WARM_UP;
		sample[j].class = inputs[i % BATCH].class;
		sample[j].time = measure(x, &inputs[i % BATCH], len);
	}
	qsort(sample, n, sizeof(*sample), by_time);
	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		t = welch(sample, n * cuts[i]);
		if (fabs(t) > fabs(most))
			most = t;
	}
	return most;
}

int main(int argc, char **argv)
{
	const size_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
	struct sample *sample = calloc(n, sizeof(*sample));
	const char *const *name;
	size_t i, j;

	if (!n || !sample) {
		fprintf(stderr, "usage: dudect [N [DRIVER]]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (name = poly1305_user_impls(); *name; name++) {
		if (argc > 2 && strcmp(argv[2], *name))
			continue;
		poly1305_user_select(*name);
		for (i = 0; i < ARRAY_SIZE(experiments); i++)
			for (j = 0; j < ARRAY_SIZE(lengths); j++)
				printf("t = %8.2f  %s, %zu bytes, %s\n",
				       experiment(&experiments[i], lengths[j],
						  n, sample),
				       *name, lengths[j], experiments[i].name);
	}
	free(sample);
	return 0;
}
