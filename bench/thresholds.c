// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * thresholds [DRIVER] - which values of the preset's members fit this CPU? Measures
 * messages of up to 4096 lengths around each threshold, or updates of as many sizes, with
 * every kind of code between which it chooses. Prints the values with the least loss, and
 * those in use. The loss is how much more time the chosen code takes than the best: the mean
 * over these lengths, and the worst. Each value found is in use for the members after it. The
 * messages do not wait for each other, and there are no FPU sections.
 *
 * The library does not export the preset, so this links the module's objects.
 */

#define _GNU_SOURCE
#include <linux/kernel.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#include "arch/x86/poly1305-offsets.h"
#include "arch/x86/poly1305-presets.h"
#include "poly1305_core.h"
#include "poly1305_user.h"

#define LONGEST		(32 << 10)
#define PAGE		4096
#define KEYS		64

/* TSC cycles for a sample, and how many samples */
#define SAMPLE		6000
#define ROUNDS		30

/* The length of a message in updates */
#define IN_UPDATES	(16 << 10)

/* The most lengths for a question, and the most kinds of code */
#define LENGTHS		4096
#define WAYS		5

/*
 * A question: successive thresholds, of which each begins another kind of code, for messages
 * or updates of @from bytes to fewer than @to. Or, if there are values, which of them one
 * member should have.
 */
struct question {
	const char *driver;
	bool updates;
	u32 from, to;
	unsigned int members;
	struct member {
		const char *name;
		size_t offset, size;
		u32 unit, least;
	} member[3];
	unsigned int nvalues;
	u32 value[WAYS];
};

/* A u64 or size_t in units of so many bytes, and the least value that its code allows */
#define THRESHOLD(m, unit, least)					\
	{ #m, offsetof(struct x86_preset, m), sizeof(u64), unit, least }
#define VALUE(m, type)							\
	{ #m, offsetof(struct x86_preset, m), sizeof(type), 1, 0 }

static const struct question questions[] = {
	{ "poly1305-x86_64", false, 16 * POLY1305_MIN_CHAINS, 2048,
	  1, { THRESHOLD(chains_from, 1, 16 * POLY1305_MIN_CHAINS) } },
	/* sse2_wins unless it never does. */
	{ "poly1305-sse2", false, 1024, LONGEST, 1, { THRESHOLD(sse2.saved, 1, 1024) } },
	{ "poly1305-sse2", true, 1024, 16384, 1, { THRESHOLD(sse2.piece, 1, 1024) } },
	{ "poly1305-avx2", false, 16 * AVX2_SHORT_MIN, 8192,
	  2, { THRESHOLD(avx2.saved, 1, 16 * AVX2_SHORT_MIN),
	       THRESHOLD(avx2_groups_from, 16, 112) } },
	{ "poly1305-avx2", true, 128, 2048, 1, { THRESHOLD(avx2.piece, 1, 128) } },
	{ "poly1305-avxifma", false, 129, 2048, 1, { THRESHOLD(avxifma.saved, 1, 129) } },
	{ "poly1305-avxifma", true, 128, 2048, 1, { THRESHOLD(avxifma.piece, 1, 128) } },
	{ "poly1305-avx512f", false, 16 * AVX2_SHORT_MIN, 12288,
	  3, { THRESHOLD(avx512f.saved, 1, 16 * AVX2_SHORT_MIN),
	       THRESHOLD(avx512f_from, 1, 129),
	       THRESHOLD(avx512f_groups_from, 1, 256) } },
	{ "poly1305-avx512f", true, 128, 2048,
	  2, { THRESHOLD(avx512f.piece, 1, 128), THRESHOLD(avx512f_kept_from, 1, 129) } },
	{ "poly1305-avx512", false, 129, 2048, 1, { THRESHOLD(avx512.saved, 1, 129) } },
	{ "poly1305-avx512", true, 128, 2048, 1, { THRESHOLD(avx512.piece, 1, 128) } },
	{ "poly1305-avx512", false, 1024, 16384, 1, { VALUE(avx512_shifts, bool) },
	  2, { 0, 1 } },
	{ "poly1305-avx512", false, 1024, 16384, 1, { VALUE(avx512_beside, bool) },
	  2, { 0, 1 } },
	{ "poly1305-avx512", true, 128, 2048, 1, { VALUE(avx512_kept_most, u32) },
	  5, { 0, 1, 2, 3, ANY } },
};

static u8 keys[KEYS][POLY1305_MAC_KEY_SIZE], buffer[PAGE + LONGEST];

/* Of each kind of code, and of the best, for each length */
static double cycles[WAYS][LENGTHS], least[LENGTHS];

/* x86 is little-endian. */
static void set_member(struct x86_preset *p, const struct member *m, u64 value)
{
	memcpy((u8 *)p + m->offset, &value, m->size);
}

static u64 get_member(const struct x86_preset *p, const struct member *m)
{
	u64 value = 0;

	memcpy(&value, (const u8 *)p + m->offset, m->size);
	return value;
}

/* At another place of a page each time, as that matters where a table is on the stack */
static const u8 *data(unsigned int i)
{
	return buffer + 13 * 64 * i % PAGE;
}

static void message(size_t len, unsigned int i)
{
	u8 tag[POLY1305_MAC_TAG_SIZE];

	poly1305_mac_digest(keys[i % KEYS], data(i), len, tag);
}

static void updates(size_t len, unsigned int i)
{
	static struct poly1305_mac_ctx ctx __aligned(512);	/* within one page */
	u8 tag[POLY1305_MAC_TAG_SIZE];
	size_t done;

	poly1305_mac_init(&ctx, keys[i % KEYS]);
	for (done = 0; done + len <= IN_UPDATES; done += len)
		poly1305_mac_update(&ctx, data(i) + done, len);
	poly1305_mac_final(&ctx, tag);
}

static double sample(void (*run)(size_t len, unsigned int i), size_t len)
{
	unsigned int cpu, calls, i;
	u64 begin;

	run(len, 0);
	begin = __rdtsc();
	run(len, 1);
	calls = 1 + SAMPLE / (__rdtsc() - begin + 1);
	_mm_lfence();
	begin = __rdtsc();
	_mm_lfence();
	for (i = 0; i < calls; i++)
		run(len, i);
	begin = __rdtscp(&cpu) - begin;
	_mm_lfence();
	return (double)begin / calls;
}

static unsigned int ways(const struct question *q)
{
	return q->nvalues ? q->nvalues : q->members + 1;
}

/* Odd, so that all residues by 16 occur */
static u32 step(const struct question *q)
{
	return ((q->to - q->from - 1) / LENGTHS + 1) | 1;
}

static unsigned int lengths(const struct question *q)
{
	return (q->to - q->from) / step(q);
}

/* p chooses one kind of code for all lengths. */
static void choose(const struct question *q, struct x86_preset *p, unsigned int way)
{
	const struct member *m;
	unsigned int i;

	if (q->nvalues) {
		set_member(p, q->member, q->value[way]);
		return;
	}
	for (i = 0; i < q->members; i++) {
		m = &q->member[i];
		set_member(p, m, i < way ? m->least : q->to / m->unit);
	}
}

static void measure(const struct question *q, struct x86_preset p)
{
	unsigned int round, i, way;
	double t;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < lengths(q); i++) {
			for (way = 0; way < ways(q); way++) {
				choose(q, &p, way);
				poly1305_x86_use(&p);
				t = sample(q->updates ? updates : message,
					   q->from + i * step(q));
				if (!round || t < cycles[way][i])
					cycles[way][i] = t;
				if ((!round && !way) || t < least[i])
					least[i] = t;
			}
		}
	}
}

/* The kind of code for a length, with these thresholds or this value */
static unsigned int chosen(const struct question *q, const u64 *value, u32 len)
{
	unsigned int way = 0;

	if (q->nvalues)
		while (way < q->nvalues - 1 && q->value[way] < *value)
			way++;
	else
		while (way < q->members && len >= value[way] * q->member[way].unit)
			way++;
	return way;
}

static double loss(const struct question *q, const u64 *value, double *worst, u32 *at)
{
	double sum = 0, l;
	unsigned int i;
	u32 len;

	*worst = 0;
	*at = q->from;
	for (i = 0; i < lengths(q); i++) {
		len = q->from + i * step(q);
		l = cycles[chosen(q, value, len)][i] / least[i] - 1;
		sum += l;
		if (l > *worst) {
			*worst = l;
			*at = len;
		}
	}
	return sum / lengths(q);
}

/*
 * sum[way][i] is the least loss of the i least lengths by codes up to this way, which begins
 * at length number begins[way][i].
 */
static void find_thresholds(const struct question *q, u64 *value)
{
	static unsigned int begins[WAYS][LENGTHS + 1];
	static double sum[WAYS][LENGTHS + 1];
	const struct member *m;
	unsigned int i, way;

	for (way = 0; way < ways(q); way++) {
		for (i = 0; i < lengths(q); i++) {
			sum[way][i + 1] = sum[way][i] + cycles[way][i] / least[i];
			begins[way][i + 1] = begins[way][i];
			if (way && sum[way - 1][i + 1] <= sum[way][i + 1]) {
				sum[way][i + 1] = sum[way - 1][i + 1];
				begins[way][i + 1] = i + 1;
			}
		}
	}
	for (way = ways(q) - 1, i = lengths(q); way; way--) {
		m = &q->member[way - 1];
		i = begins[way][i];
		value[way - 1] = max((q->from + i * step(q) + m->unit - 1) / m->unit,
				     m->least);
	}
}

static void find_value(const struct question *q, u64 *value)
{
	double l, best = 0, worst;
	unsigned int i;
	u64 v;
	u32 at;

	for (i = 0; i < q->nvalues; i++) {
		v = q->value[i];
		l = loss(q, &v, &worst, &at);
		if (!i || l < best) {
			best = l;
			*value = v;
		}
	}
}

static void print_value(u64 value)
{
	if (value == ANY)
		printf("%10s", "ANY");
	else
		printf("%10llu", (unsigned long long)value);
}

/* Whether a threshold that was found is behind all lengths */
static bool never(const struct question *q, const struct member *m, u64 value)
{
	return !q->nvalues && value * m->unit >= q->from + lengths(q) * step(q);
}

static void print_loss(const struct question *q, const u64 *value)
{
	double mean, worst;
	u32 at;

	mean = loss(q, value, &worst, &at);
	printf("%6.2f%% %5.1f%% at %5u", 100 * mean, 100 * worst, at);
}

static void answer(const struct question *q, struct x86_preset *p)
{
	u64 found[ARRAY_SIZE(q->member)], used[ARRAY_SIZE(q->member)];
	const struct member *m;
	unsigned int i;

	measure(q, *p);
	if (q->nvalues)
		find_value(q, found);
	else
		find_thresholds(q, found);
	for (i = 0; i < q->members; i++) {
		m = &q->member[i];
		used[i] = get_member(p, m);
		set_member(p, m, found[i]);
		printf("%-20s", m->name);
		if (never(q, m, found[i]))
			printf("%10s", "never");
		else
			print_value(found[i]);
		if (i < q->members - 1)
			printf("%22s", "");
		else
			print_loss(q, found);
		print_value(used[i]);
		if (i == q->members - 1)
			print_loss(q, used);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct x86_preset preset = poly1305_x86_preset;
	const struct question *q;
	unsigned int i, n, asked = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
	memset(buffer, 0x5a, sizeof(buffer));
	for (i = 0; i < KEYS; i++)
		for (n = 0; n < sizeof(keys[i]); n++)
			keys[i][n] = 31 * i + 11 * n * n;
	printf("in use: %s\n%-20s%10s%7s  worst loss      in use%7s  worst loss\n",
	       preset.cpu, "", "best", "mean", "mean");
	for (i = 0; i < ARRAY_SIZE(questions); i++) {
		q = &questions[i];
		if ((argc > 1 && strcmp(argv[1], q->driver)) ||
		    poly1305_user_select(q->driver))
			continue;
		answer(q, &preset);
		fflush(stdout);
		asked++;
	}
	if (!asked) {
		fprintf(stderr, "thresholds: this CPU has no thresholds for %s\n", argv[1]);
		return 1;
	}
	return 0;
}
