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
 * these drivers. Registers are loaded once for many comparisons.
 *
 * Prints how many registers each kind of process has checked, and how often processes
 * were switched. Exit status 0, or 1 after lines with the
 * reason.
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/kcapi_test/afalg.h"

#define SPINS		50	/* turns of an empty loop between two checks */
#define VECTORS_MAX	32
#define MASKS		8
#define WORDS_MAX	(VECTORS_MAX * 8 + MASKS)

/* Comparisons for one load; a system call takes longer than counting. */
#define ROUNDS_COUNTING	50000
#define ROUNDS_HASHING	500

/* The registers of a process that have changed: bit N for register N */
struct changes {
	uint32_t vectors;
	uint32_t masks;
};

/* Memory that all processes share */
static struct {
	atomic_ulong done[2];	/* registers checked while counting, while hashing */
	atomic_bool wrong;
} *all;

/* All vector registers, one after the other, then all mask registers */
static uint64_t want[WORDS_MAX], have[WORDS_MAX];
static unsigned char text[2048];

#define TO_15		"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
#define TO_31		TO_15 ",16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"

/* All vector registers from want, or to have */
#define LOAD_EACH(mov, reg, list, size)					\
	".irp i, " list "\n\t"						\
	mov "	want + \\i * " size "(%%rip), %%" reg "\\i\n\t"		\
	".endr\n\t"
#define STORE_EACH(mov, reg, list, size)				\
	".irp i, " list "\n\t"						\
	mov "	%%" reg "\\i, have + \\i * " size "(%%rip)\n\t"		\
	".endr\n\t"

/* The mask registers, behind 32 zmm registers there */
#define LOAD_MASKS							\
	".irp i, 0,1,2,3,4,5,6,7\n\t"					\
	"kmovq	want + 32 * 64 + \\i * 8(%%rip), %%k\\i\n\t"		\
	".endr\n\t"
#define STORE_MASKS							\
	".irp i, 0,1,2,3,4,5,6,7\n\t"					\
	"kmovq	%%k\\i, have + 32 * 64 + \\i * 8(%%rip)\n\t"		\
	".endr\n\t"

/*
 * Load the registers from want. Then, rounds times, count, make the system call
 * send(op, text, len, MSG_MORE) if op is not negative, store the registers in have, and
 * compare have with want in general registers. Returns the number of rounds left: 0, or
 * have differs from want. zmm16 to zmm31 and mask registers are not declared as clobbered:
 * without -mavx512f compilers neither know nor use them.
 */
#define WATCH(name, load, store, words)					\
static long name(long rounds, long op, long len)			\
{									\
	register long r10 asm("r10") = MSG_MORE;			\
	register long r8 asm("r8") = 0;					\
	register long r9 asm("r9") = 0;					\
	long counter, word;						\
									\
	asm volatile(							\
		load							\
		"1:	mov	%[spins], %[counter]\n"			\
		"2:	dec	%[counter]\n\t"				\
		"jnz	2b\n\t"						\
		"test	%%rdi, %%rdi\n\t"				\
		"js	3f\n\t"						\
		"mov	%[nr], %%eax\n\t"				\
		"syscall\n"						\
		"3:\n\t"						\
		store							\
		".set at, 0\n\t"						\
		".rept	" words "\n\t"					\
		"mov	have + at(%%rip), %[word]\n\t"			\
		"cmp	want + at(%%rip), %[word]\n\t"			\
		"jne	5f\n\t"						\
		".set at, at + 8\n\t"					\
		".endr\n\t"						\
		"dec	%[rounds]\n\t"					\
		"jnz	1b\n"						\
		"5:\n\t"						\
		: [rounds] "+b" (rounds), [counter] "=&r" (counter),	\
		  [word] "=&r" (word), "+r" (r10), "+r" (r8), "+r" (r9)	\
		: "D" (op), "S" (text), "d" (len), [spins] "i" (SPINS),	\
		  [nr] "i" (SYS_sendto)					\
		: "rax", "rcx", "r11", "cc", "memory",			\
		  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",	\
		  "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",	\
		  "xmm12", "xmm13", "xmm14", "xmm15");			\
	return rounds;							\
}

#define XMM(each)	each("movdqu", "xmm", TO_15, "16")
#define YMM(each)	each("vmovdqu", "ymm", TO_15, "32")
#define ZMM(each)	each("vmovdqu64", "zmm", TO_31, "64")

WATCH(watch_xmm, XMM(LOAD_EACH), XMM(STORE_EACH), "16 * 2")
WATCH(watch_ymm, YMM(LOAD_EACH), YMM(STORE_EACH), "16 * 4")
WATCH(watch_zmm, ZMM(LOAD_EACH) LOAD_MASKS, ZMM(STORE_EACH) STORE_MASKS, "32 * 8 + 8")

/* Sets of registers; each set contains the ones that follow it */
struct set {
	const char *name;
	unsigned int vectors, words, masks;	/* words of 64 bits in a vector */
	long (*watch)(long rounds, long op, long len);
};

static const struct set sets[] = {
	{ "zmm", 32, 8, MASKS, watch_zmm },
	{ "ymm", 16, 4, 0, watch_ymm },
	{ "xmm", 16, 2, 0, watch_xmm },
	{ }
};

/* Whether this CPU has the registers and its kernel lets us use them */
static bool usable(const struct set *set)
{
	switch (set->words) {
	case 8:
		return __builtin_cpu_supports("avx512f") &&
		       __builtin_cpu_supports("avx512bw");
	case 4:
		return __builtin_cpu_supports("avx");
	default:
		return true;
	}
}

static const struct set *largest(void)
{
	const struct set *set = sets;

	while (!usable(set))
		set++;
	return set;
}

static struct changes compare(const struct set *set)
{
	const unsigned int masks_at = set->vectors * set->words;
	struct changes changed = { 0, 0 };
	unsigned int i;

	for (i = 0; i < set->vectors; i++) {
		if (memcmp(want + i * set->words, have + i * set->words,
			   set->words * 8))
			changed.vectors |= 1u << i;
	}
	for (i = 0; i < set->masks; i++) {
		if (want[masks_at + i] != have[masks_at + i])
			changed.masks |= 1u << i;
	}
	return changed;
}

static int operation(const char *driver)
{
	int op = alg_bind(driver);

	op = op < 0 ? op : alg_accept(op);
	if (op < 0) {
		printf("%s: %s\n", driver, strerror(-op));
		exit(1);
	}
	return op;
}

/* One process, until enough is checked. It hashes if driver is not NULL. */
static int watch(unsigned int number, unsigned long checks, const char *driver)
{
	const struct set *set = largest();
	const unsigned int registers = set->vectors + set->masks;
	const int op = driver ? operation(driver) : -1;
	const long rounds = driver ? ROUNDS_HASHING : ROUNDS_COUNTING;
	struct rng rng = { .state = number + 1 };
	struct changes changed;
	unsigned long mine = 0;
	long left = 0;

	while (all->done[0] + all->done[1] < checks && !all->wrong) {
		rng_fill(&rng, (unsigned char *)want, sizeof(want));
		left = set->watch(rounds, op, sizeof(text));
		mine += (rounds - left) * registers;
		all->done[!!driver] += (rounds - left) * registers;
		if (left)
			break;
	}
	if (left) {
		changed = compare(set);
		printf("process %u (%s): %s and mask registers changed after %lu checks: %#x %#x\n",
		       number, driver ?: "no system call", set->name, mine,
		       changed.vectors, changed.masks);
		all->wrong = true;
	}
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	unsigned long checks;
	const char *driver;
	unsigned int n, i;
	cpu_set_t first;
	int status;

	checks = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	n = argc > 2 ? atoi(argv[2]) : 0;
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
			_exit(watch(i, checks, driver));
		case -1:
			perror("fork");
			return 1;
		}
	}
	for (i = 0; i < n; i++) {
		if (wait(&status) < 0 || status)
			all->wrong = true;
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	if (!all->wrong)
		printf("%lu registers checked while counting, %lu while hashing; %ld switches\n",
		       all->done[0], all->done[1],
		       usage.ru_nivcsw + usage.ru_nvcsw);
	return all->wrong;
}
