// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * registers CHECKS PROCESSES [NAME...] - whether vector registers of processes keep
 * what they hold
 *
 * Each process fills every xmm register, or ymm register where the CPU has these,
 * with bytes that are its own, and compares them again and again, until all of them
 * together have compared CHECKS registers. In between it counts, with nothing but
 * interrupts and other processes to disturb it, or, if NAMEs are given, every other
 * process hashes through AF_ALG with one of these drivers. Registers are loaded once
 * and for many checks.
 *
 * Prints how many registers were checked by each kind of process, and how often a
 * process was switched away from. Exit status 0, or 1 after lines that say what was
 * wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
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

#include "../kcapi_test/afalg.h"

#define REGISTERS	16
#define SPINS		50	/* turns of an empty loop between two checks */

/* Checks of all registers for one load; a system call takes longer than to count. */
#define ROUNDS_COUNTING	50000
#define ROUNDS_HASHING	500

/* What all processes share */
static struct {
	atomic_ulong done[2];	/* registers checked while counting, while hashing */
	atomic_bool wrong;
} *all;

static uint64_t want[REGISTERS * 4], have[REGISTERS * 4];
static unsigned char text[2048];

/*
 * Load the registers from want, then rounds times: count, do the system call
 * send(op, text, len, MSG_MORE) if op is not negative, store the registers to have,
 * compare it with want as general registers see it. Returns how many rounds are
 * left: 0, or what was wrong is in have.
 */
#define WATCH(name, load, reg, size)					\
static long name(long rounds, long op, long len)			\
{									\
	register long r10 asm("r10") = MSG_MORE;			\
	register long r8 asm("r8") = 0;					\
	register long r9 asm("r9") = 0;					\
	long counter, word;						\
									\
	asm volatile(							\
		".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"	\
		load " want+\\i*" size "(%%rip), %%" reg "\\i\n\t"	\
		".endr\n"						\
		"1:	mov	%[spins], %[counter]\n"			\
		"2:	dec	%[counter]\n\t"				\
		"jnz	2b\n\t"						\
		"test	%%rdi, %%rdi\n\t"				\
		"js	3f\n\t"						\
		"mov	%[nr], %%eax\n\t"				\
		"syscall\n"						\
		"3:\n\t"						\
		".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"	\
		load " %%" reg "\\i, have+\\i*" size "(%%rip)\n\t"	\
		".endr\n\t"						\
		".set at, 0\n\t"						\
		".rept 2 * " size "\n\t"				\
		"mov	have+at(%%rip), %[word]\n\t"			\
		"cmp	want+at(%%rip), %[word]\n\t"			\
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

WATCH(watch_xmm, "movdqu", "xmm", "16")
WATCH(watch_ymm, "vmovdqu", "ymm", "32")

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

/* One process: until enough is done; it hashes if driver is not NULL. */
static int watch(unsigned int number, unsigned long checks, const char *driver)
{
	const bool ymm = __builtin_cpu_supports("avx");
	const unsigned int words = ymm ? 4 : 2;
	const int op = driver ? operation(driver) : -1;
	const long rounds = driver ? ROUNDS_HASHING : ROUNDS_COUNTING;
	struct rng rng = { .state = number + 1 };
	unsigned long mine = 0;
	unsigned int i, changed = 0;
	long left = 0;

	while (all->done[0] + all->done[1] < checks && !all->wrong) {
		rng_fill(&rng, (unsigned char *)want, sizeof(want));
		left = ymm ? watch_ymm(rounds, op, sizeof(text)) :
			     watch_xmm(rounds, op, sizeof(text));
		mine += (rounds - left) * REGISTERS;
		all->done[!!driver] += (rounds - left) * REGISTERS;
		if (left)
			break;
	}
	for (i = 0; left && i < REGISTERS; i++) {
		if (memcmp(want + i * words, have + i * words, words * 8))
			changed |= 1 << i;
	}
	if (left) {
		printf("process %u (%s): %sN changed after %lu checks, N in %#x\n",
		       number, driver ?: "no system call",
		       ymm ? "ymm" : "xmm", mine, changed);
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
