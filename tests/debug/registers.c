// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * registers CHECKS PROCESSES [NAME...] - do vector registers of processes keep their
 * contents?
 *
 * Each process fills its vector registers with bytes of its own: the zmm and mask
 * registers if the CPU has them, otherwise the ymm or the xmm registers. Then it compares
 * them again and again, until all processes together have compared CHECKS registers.
 * Between two comparisons it counts, disturbed only by interrupts and other processes.
 * If NAMEs are given, every second process hashes instead, through AF_ALG with one of
 * these drivers. All run on the first CPU.
 *
 * Prints how many registers each kind of process has checked. Exit status 0, or 1 after
 * lines with the reason.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/kcapi_test/afalg.h"

#define SPINS		50	/* turns of an empty loop between two comparisons */
#define VECTORS_MAX	32
#define MASKS		8
#define WORDS_MAX	(VECTORS_MAX * 8 + MASKS)

/* Comparisons for one load; a system call takes longer than counting. */
#define ROUNDS_COUNTING	50000
#define ROUNDS_HASHING	500

/* Memory that all processes share */
static struct {
	atomic_ulong done[2];	/* registers checked while counting, while hashing */
	atomic_bool wrong;
} *all;

/* All vector registers, one after the other, then all mask registers */
static uint64_t want[WORDS_MAX], have[WORDS_MAX];

#define TO_7		"0,1,2,3,4,5,6,7"
#define TO_15		TO_7 ",8,9,10,11,12,13,14,15"
#define TO_31		TO_15 ",16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"

/* An instruction for each \i in the list */
#define EACH(list, insn)	".irp i, " list "\n\t" insn "\n\t.endr\n\t"

/* load() and store(): the registers in the list, each of SIZE bytes, and more */
#define LOAD_AND_STORE(load, store, name, list, move, size, load_more, store_more)	\
static void load(const void *from)							\
{											\
	asm volatile(EACH(list, move " \\i * " size "(%0), %%" name "\\i") load_more	\
		     : : "r" (from) : "memory");					\
}											\
static void store(void *to)								\
{											\
	asm volatile(EACH(list, move " %%" name "\\i, \\i * " size "(%0)") store_more	\
		     : : "r" (to) : "memory");						\
}

LOAD_AND_STORE(load_xmm, store_xmm, "xmm", TO_15, "movdqu", "16", "", "")
LOAD_AND_STORE(load_ymm, store_ymm, "ymm", TO_15, "vmovdqu", "32", "", "")
LOAD_AND_STORE(load_zmm, store_zmm, "zmm", TO_31, "vmovdqu64", "64",
	       EACH(TO_7, "kmovq 32 * 64 + \\i * 8(%0), %%k\\i"),
	       EACH(TO_7, "kmovq %%k\\i, 32 * 64 + \\i * 8(%0)"))

struct set {
	const char *name;
	unsigned int registers, words;	/* words of 64 bits in all of them */
	void (*load)(const void *from);
	void (*store)(void *to);
};

static const struct set zmm = { "zmm", VECTORS_MAX + MASKS, WORDS_MAX, load_zmm, store_zmm };
static const struct set ymm = { "ymm", 16, 16 * 4, load_ymm, store_ymm };
static const struct set xmm = { "xmm", 16, 16 * 2, load_xmm, store_xmm };

/* The largest set that this CPU has; it contains the others */
static const struct set *largest(void)
{
	if (__builtin_cpu_supports("avx512bw"))
		return &zmm;
	return __builtin_cpu_supports("avx") ? &ymm : &xmm;
}

/*
 * Load the registers from want, and compare them with it rounds times. Before each comparison,
 * count, and send to op unless that is negative. Returns how often they were right. Between
 * load and store neither this function nor libc's syscall() uses vector registers.
 */
__attribute__((target("general-regs-only")))
static long times_right(const struct set *set, long rounds, int op)
{
	static unsigned char text[2048];
	unsigned int spin, i;
	long round;

	set->load(want);
	for (round = 0; round < rounds; round++) {
		for (spin = 0; spin < SPINS; spin++)
			asm volatile("");
		if (op >= 0)
			syscall(SYS_sendto, op, text, sizeof(text), MSG_MORE, NULL, 0);
		set->store(have);
		for (i = 0; i < set->words; i++)
			if (want[i] != have[i])
				return round;
	}
	return rounds;
}

/* One process, until enough is checked. It hashes if driver is not NULL. */
static void watch(unsigned int number, unsigned long checks, const char *driver)
{
	const struct set *set = largest();
	const int op = driver ? accept(alg_bind("hash", driver), NULL, NULL) : -1;
	const long rounds = driver ? ROUNDS_HASHING : ROUNDS_COUNTING;
	long right = rounds;
	int i;

	if (driver && op < 0) {
		printf("%s: no socket\n", driver);
		exit(1);
	}
	srand48(number);
	while (all->done[0] + all->done[1] < checks && !all->wrong && right == rounds) {
		for (i = 0; i < WORDS_MAX; i++)
			want[i] = (uint64_t)mrand48() << 32 ^ mrand48();
		right = times_right(set, rounds, op);
		all->done[!!driver] += right * set->registers;
	}
	if (right < rounds) {
		printf("process %u (%s): %s registers changed\n", number,
		       driver ?: "no system call", set->name);
		all->wrong = true;
	}
	exit(0);
}

int main(int argc, char **argv)
{
	unsigned long checks = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned int n = argc > 2 ? atoi(argv[2]) : 0, i;
	const char *driver;
	cpu_set_t first;
	int status;

	if (!checks || !n) {
		fputs("usage: registers CHECKS PROCESSES [NAME...]\n", stderr);
		return 1;
	}
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (all == MAP_FAILED || sched_setaffinity(0, sizeof(first), &first)) {
		perror("registers");
		return 1;
	}
	for (i = 0; i < n; i++) {
		driver = argc > 3 && i % 2 ? argv[3 + i / 2 % (argc - 3)] : NULL;
		switch (fork()) {
		case 0:
			watch(i, checks, driver);
			break;
		case -1:
			perror("fork");
			return 1;
		}
	}
	for (i = 0; i < n; i++)
		if (wait(&status) < 0 || status)
			all->wrong = true;
	if (!all->wrong)
		printf("%lu registers checked while counting, %lu while hashing\n",
		       all->done[0], all->done[1]);
	return all->wrong;
}
