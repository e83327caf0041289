// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Measures all implementations in one process, with their samples interleaved, and
 * writes the results as JSON. docs/benchmarks.md describes the method; tools/bench
 * turns the JSON into tables.
 */

#define _GNU_SOURCE
#include <err.h>
#include <getopt.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <x86intrin.h>

#include "calls.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define LONGEST		(1 << 20)
#define FRESH_KEYS	64	/* an array of keys that stays in the first cache */
#define MOST_ROUNDS	10000

/* Without --rounds: the time that rounds may take, and their least number */
#define SECONDS		20
#define LEAST_ROUNDS	5

/* The least TSC cycles for a sample, and the most calls in one */
#define SAMPLE		12000
#define MOST_CALLS	512

static const size_t all_lengths[] = {
	0, 1, 16, 32, 64, 96, 128, 192, 256, 384, 512, 576, 1024, 1420, 1500,
	2048, 4096, 8192, 16384, 65536, LONGEST, SIZE_MAX
};

static const size_t some_lengths[] = {
	16, 64, 128, 256, 576, 1024, 1420, 4096, 16384, SIZE_MAX
};

static const size_t piece_lengths[] = {
	1024, 4096, 16384, 65536, SIZE_MAX
};

static const size_t packet_lengths[] = {
	0, 16, 64, 128, 256, 448, 512, 576, 768, 1024, 1280, 1420, 1500, 2048, 4096, 9000,
	16384, SIZE_MAX
};

static const size_t one_length[] = { 16384, SIZE_MAX };

/* An option may choose some of these, and other lengths. */
static struct mode all_modes[] = {
	{ "one-shot", WHOLE, FRESH_KEYS, 0, 0, 0, false, all_lengths },
	{ "1000-keys", WHOLE, MANY_KEYS, 0, 0, 0, false, some_lengths },
	{ "unaligned", WHOLE, FRESH_KEYS, 1, 0, 0, false, some_lengths },
	{ "chained", CHAINED, FRESH_KEYS, 0, 0, 0, false, some_lengths },
	{ "pieces-16", PIECES, FRESH_KEYS, 0, 16, 0, false, piece_lengths },
	{ "pieces-33", PIECES, FRESH_KEYS, 0, 33, 0, false, piece_lengths },
	{ "pieces-64", PIECES, FRESH_KEYS, 0, 64, 0, false, piece_lengths },
	{ "pieces-64-hint", PIECES, FRESH_KEYS, 0, 64, 0, true, piece_lengths },
	{ "pieces-256", PIECES, FRESH_KEYS, 0, 256, 0, false, piece_lengths },
	{ "pieces-256-hint", PIECES, FRESH_KEYS, 0, 256, 0, true, piece_lengths },
	{ "pieces-1024", PIECES, FRESH_KEYS, 0, 1024, 0, false, piece_lengths },
	{ "pieces-1024-hint", PIECES, FRESH_KEYS, 0, 1024, 0, true, piece_lengths },
	{ "pieces-4096", PIECES, FRESH_KEYS, 0, 4096, 0, false, piece_lengths },
	{ "seal-0", SEAL, 1, 0, 0, 0, false, packet_lengths },
	{ "open-0", OPEN, 1, 0, 0, 0, false, packet_lengths },
	{ "seal-12", SEAL, 1, 0, 0, AD_SIZE, false, packet_lengths },
	{ "open-12", OPEN, 1, 0, 0, AD_SIZE, false, packet_lengths },
	{ "alone", ALONE, 1, 0, 0, 0, false, packet_lengths },
};

/* The last of all_modes */
#define PACKET_MODES	5

/* Both readings wait until all instructions before them have ended. */
static inline uint64_t tsc_begin(void)
{
	uint64_t tsc;

	_mm_lfence();
	tsc = __rdtsc();
	_mm_lfence();
	return tsc;
}

static inline uint64_t tsc_end(void)
{
	unsigned int cpu;
	uint64_t tsc = __rdtscp(&cpu);

	_mm_lfence();
	return tsc;
}

static uint64_t tsc_cost;

static uint64_t sample(const struct bench_impl *impl, const struct mode *mode,
		       size_t len, size_t n)
{
	uint64_t begin, cycles;

	begin = tsc_begin();
	calls(impl, mode, len, n);
	cycles = tsc_end() - begin;
	return cycles > tsc_cost ? cycles - tsc_cost : 0;
}

static void find_tsc_cost(void)
{
	uint64_t begin, cycles;
	int i;

	tsc_cost = UINT64_MAX;
	for (i = 0; i < 1000; i++) {
		begin = tsc_begin();
		cycles = tsc_end() - begin;
		if (cycles < tsc_cost)
			tsc_cost = cycles;
	}
}

/*
 * Core cycles per TSC cycle. A multiplication takes 3 core cycles on all CPUs that
 * this runs on, and here each waits for the one before.
 */
static double core_clock(void)
{
	uint64_t begin, cycles, least = UINT64_MAX, x = 3;
	int i;

	for (i = 0; i < 100; i++) {
		begin = tsc_begin();
		__asm__ volatile(".rept 1000; imul %0, %0; .endr" : "+r"(x));
		cycles = tsc_end() - begin;
		if (cycles < least)
			least = cycles;
	}
	return 3000.0 / (least - tsc_cost);
}

/* One implementation at one length in one mode, and its samples */
struct cell {
	const struct bench_impl *impl;
	const struct mode *mode;
	size_t len;
	size_t calls;
	double *cycles;	/* per call, by round */
};

static struct cell *cells;
static size_t ncells;

static bool can(const struct bench_impl *impl, const struct mode *mode)
{
	if (is_packet(mode))
		return impl->packets && (mode->style != ALONE || impl->packets->cipher);
	if (!impl->digest || (mode->hint && !impl->hint))
		return false;
	return mode->style != PIECES || impl->init;
}

/* reallocarray(), but the program ends if there is no memory */
static void *array(void *old, size_t n, size_t size)
{
	void *new = reallocarray(old, n, size);

	if (!new)
		err(1, NULL);
	return new;
}

static void make_cells(const struct mode *mode, size_t nmodes, size_t rounds)
{
	const struct bench_impl *impl;
	const size_t *len;

	for (; nmodes--; mode++) {
		for (len = mode->lengths; *len != SIZE_MAX; len++) {
			for (impl = impls; impl < impls + nimpls; impl++) {
				if (!can(impl, mode))
					continue;
				cells = array(cells, ncells + 1, sizeof(*cells));
				cells[ncells++] = (struct cell){
					impl, mode, *len, 0, array(NULL, rounds, sizeof(double)),
				};
			}
		}
	}
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1000000000.0;
}

/* How many calls make a sample long enough */
static void calibrate(struct cell *cell)
{
	uint64_t cycles, least = UINT64_MAX;
	int i;

	prepare(cell->impl, cell->mode, cell->len);
	for (i = 0; i < 4; i++) {
		cycles = sample(cell->impl, cell->mode, cell->len, 4) / 4;
		if (cycles < least)
			least = cycles;
	}
	cell->calls = SAMPLE / (least + 1) + 1;
	/* So that the one call into Go is but a small part */
	if (repeats(cell->impl, cell->mode))
		cell->calls *= 8;
	if (cell->calls > MOST_CALLS)
		cell->calls = MOST_CALLS;
}

/*
 * A round goes over all cells, so that a change of the clock or a busy neighbour hits
 * all implementations. Odd rounds go backwards, so that no implementation always
 * follows the same one. Returns how many rounds there were.
 */
static size_t measure(size_t rounds, double limit, bool progress)
{
	const double end = seconds() + limit;
	struct cell *cell;
	size_t round, i;

	for (i = 0; i < ncells; i++)
		calibrate(&cells[i]);
	for (round = 0; round < rounds && (round < LEAST_ROUNDS || seconds() < end); round++) {
		for (i = 0; i < ncells; i++) {
			if (progress && i % 512 == 0)
				fprintf(stderr, "\rround %zu: %zu of %zu ", round + 1, i, ncells);
			cell = &cells[round & 1 ? ncells - 1 - i : i];
			prepare(cell->impl, cell->mode, cell->len);
			calls(cell->impl, cell->mode, cell->len, cell->calls / 2 + 1);
			cell->cycles[round] =
				(double)sample(cell->impl, cell->mode, cell->len,
					       cell->calls) / cell->calls;
		}
	}
	if (progress)
		fprintf(stderr, "\r\033[K");
	return round;
}

static void check_tags(void)
{
	size_t i, len;

	for (i = 0; i < nimpls; i++)
		for (len = 0; len < 1100; len++)
			check_one(&impls[i], len, len & 1, keys + len % MANY_KEYS *
				  KEY_SIZE);
	for (i = 0; i < ncells; i++)
		check_one(cells[i].impl, cells[i].len, 0, keys);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_results(size_t rounds)
{
	struct cell *cell;
	size_t i;

	printf(" \"results\": [\n");
	for (i = 0; i < ncells; i++) {
		cell = &cells[i];
		qsort(cell->cycles, rounds, sizeof(double), compare);
		printf("  {\"impl\": \"%s\", \"mode\": \"%s\", ",
		       cell->impl->name, cell->mode->name);
		printf("\"len\": %zu, \"min\": %.2f, \"median\": %.2f}%s\n",
		       cell->len, cell->cycles[0], cell->cycles[rounds / 2],
		       i + 1 < ncells ? "," : "");
	}
	printf(" ]\n");
}

static int pin(void)
{
	const int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "cannot run on CPU %d", cpu);
	return cpu;
}

static void fill(void *buf, size_t len)
{
	if (getrandom(buf, len, 0) != (ssize_t)len)
		err(1, "getrandom");
}

static size_t number_of_rounds(const char *value)
{
	unsigned int n;
	char junk;

	if (sscanf(value, "%5u%c", &n, &junk) != 1 || !n || n > MOST_ROUNDS)
		errx(2, "--rounds must be 1 to %d, not %s", MOST_ROUNDS, value);
	return n;
}

/* The value of an option, a range from least to 9999: its numbers, and SIZE_MAX */
static const size_t *range(const char *option, const char *value, unsigned int least)
{
	const unsigned int most = 9999;
	unsigned int first, last;
	size_t *numbers, n = 0;
	char junk;

	if (sscanf(value, "%4u-%4u%c", &first, &last, &junk) != 2 ||
	    first < least || last < first)
		errx(2, "--%s must be A-B, from %u to %u, not %s", option, least, most, value);
	numbers = array(NULL, last - first + 2, sizeof(*numbers));
	while (first <= last)
		numbers[n++] = first++;
	numbers[n] = SIZE_MAX;
	return numbers;
}

/* For --pieces: updates of each size */
static struct mode *each_size(const size_t *sizes, size_t *n)
{
	struct mode *modes = NULL;
	char *name;

	for (*n = 0; sizes[*n] != SIZE_MAX; ++*n) {
		modes = array(modes, *n + 1, sizeof(*modes));
		if (asprintf(&name, "pieces-%zu", sizes[*n]) < 0)
			err(1, NULL);
		modes[*n] = (struct mode){ name, PIECES, FRESH_KEYS, 0, sizes[*n],
					   0, false, one_length };
	}
	return modes;
}

static const struct option options[] = {
	{ "impl", required_argument, NULL, 'i' },
	{ "lengths", required_argument, NULL, 'e' },
	{ "packets", optional_argument, NULL, 's' },
	{ "pieces", required_argument, NULL, 'p' },
	{ "quick", no_argument, NULL, 'q' },
	{ "rounds", required_argument, NULL, 'r' },
	{ }
};

int main(int argc, char **argv)
{
	struct mode *modes = all_modes;
	size_t nmodes = ARRAY_SIZE(all_modes), rounds = 300, i;
	const char *pattern = "*";
	const size_t *lengths;
	uint64_t tsc;
	double start, limit = SECONDS;
	int cpu, c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'i':
			pattern = optarg;
			break;
		case 'e':
			all_modes[0].lengths = range("lengths", optarg, 0);
			modes = all_modes;
			nmodes = 1;
			break;
		case 'p':
			modes = each_size(range("pieces", optarg, 1), &nmodes);
			break;
		case 's':
			nmodes = PACKET_MODES;
			modes = all_modes + ARRAY_SIZE(all_modes) - nmodes;
			lengths = optarg ? range("packets", optarg, 0) : packet_lengths;
			for (i = 0; i < nmodes; i++)
				modes[i].lengths = lengths;
			break;
		case 'q':
			all_modes[0].lengths = some_lengths;
			modes = all_modes;
			nmodes = 1;
			rounds = 100;
			break;
		case 'r':
			rounds = number_of_rounds(optarg);
			limit = HUGE_VAL;
			break;
		default:
			return 2;
		}
	}
	if (optind != argc)
		errx(2, "no option: %s", argv[optind]);
	cpu = pin();
	msg = aligned_alloc(4096, LONGEST + 4096);
	if (!msg)
		err(1, NULL);
	fill(msg, LONGEST + 4096);
	fill(keys, sizeof(keys));
	find_impls(pattern);
	if (!nimpls)
		errx(1, "no implementation is named %s", pattern);

	printf("{\n");
	print_packages();
	print_impls();
	make_cells(modes, nmodes, rounds);
	if (!ncells)
		errx(1, "none of these can be measured so");
	check_tags();
	find_tsc_cost();
	start = seconds();
	tsc = __rdtsc();
	rounds = measure(rounds, limit, getenv("BENCH_PROGRESS"));
	printf(" \"tsc_mhz\": %.0f,\n",
	       (__rdtsc() - tsc) / (seconds() - start) / 1e6);
	printf(" \"core_per_tsc\": %.3f,\n", core_clock());
	printf(" \"seconds\": %.0f,\n", seconds() - start);
	printf(" \"rounds\": %zu,\n \"cpu\": %d,\n", rounds, cpu);
	print_results(rounds);
	printf("}\n");
	return fflush(stdout) || ferror(stdout);
}
