// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * registers CHECKS PROCESSES [NAME...] - whether vector registers of processes keep
 * what they hold
 *
 * Each process fills every xmm register, or ymm register where the CPU has these,
 * with bytes that are its own, and compares them again and again, CHECKS registers
 * in all. In between it counts, with nothing but interrupts and other processes to
 * disturb it, or, if NAMEs are given, every other process hashes through AF_ALG with
 * one of these drivers. Registers are loaded once and for many checks.
 *
 * Prints how many registers were checked, and how often a process was switched away
 * from. Exit status 0, or 1 after lines that say what was wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kcapi_test/afalg.h"

#define REGISTERS	16
#define ROUNDS		20000	/* checks of all registers for one load */
#define SPINS		300	/* turns of an empty loop between two checks */

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
		"mov	$" size " * 2, %[counter]\n"			\
		"4:	mov	-8(%[have], %[counter], 8), %[word]\n\t" \
		"cmp	-8(%[want], %[counter], 8), %[word]\n\t"	\
		"jne	5f\n\t"						\
		"dec	%[counter]\n\t"					\
		"jnz	4b\n\t"						\
		"dec	%[rounds]\n\t"					\
		"jnz	1b\n"						\
		"5:\n\t"						\
		: [rounds] "+b" (rounds), [counter] "=&r" (counter),	\
		  [word] "=&r" (word), "+r" (r10), "+r" (r8), "+r" (r9)	\
		: "D" (op), "S" (text), "d" (len), [want] "r" (want),	\
		  [have] "r" (have), [spins] "i" (SPINS),		\
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

/* One process: as many checks, with hashing if driver is not NULL */
static int process(unsigned int number, unsigned long checks, const char *driver)
{
	const bool ymm = __builtin_cpu_supports("avx");
	const unsigned int words = ymm ? 4 : 2;
	const int op = driver ? operation(driver) : -1;
	unsigned long done = 0;
	struct rng rng = { .state = number + 1 };
	unsigned int wrong = 0, i;
	long left;

	while (done < checks && !wrong) {
		rng_fill(&rng, (unsigned char *)want, sizeof(want));
		left = ymm ? watch_ymm(ROUNDS, op, sizeof(text)) :
			     watch_xmm(ROUNDS, op, sizeof(text));
		done += (ROUNDS - left) * REGISTERS;
		for (i = 0; left && i < REGISTERS; i++) {
			if (!memcmp(want + i * words, have + i * words,
				    words * 8))
				continue;
			printf("process %u (%s): %s%u changed after %lu checks\n",
			       number, driver ?: "no system call",
			       ymm ? "ymm" : "xmm", i, done);
			wrong++;
		}
	}
	fflush(stdout);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	unsigned long checks, each;
	unsigned int n, i, rounds;
	struct rusage usage;
	int status, failed = 0;
	const char *driver;
	cpu_set_t first;

	checks = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	n = argc > 2 ? atoi(argv[2]) : 0;
	if (!checks || !n) {
		fputs("usage: registers CHECKS PROCESSES [NAME...]\n", stderr);
		return 1;
	}
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first)) {
		perror("registers");
		return 1;
	}
	/* Whole rounds for everybody */
	rounds = (checks / n + ROUNDS * REGISTERS - 1) / (ROUNDS * REGISTERS);
	each = (unsigned long)rounds * ROUNDS * REGISTERS;
	for (i = 0; i < n; i++) {
		driver = argc > 3 && i % 2 ? argv[3 + i / 2 % (argc - 3)] : NULL;
		switch (fork()) {
		case 0:
			_exit(process(i, each, driver));
		case -1:
			perror("fork");
			return 1;
		}
	}
	for (i = 0; i < n; i++)
		failed |= wait(&status) < 0 || status;
	getrusage(RUSAGE_CHILDREN, &usage);
	if (!failed)
		printf("%lu registers checked, none wrong; %ld switches\n",
		       each * n, usage.ru_nivcsw + usage.ru_nvcsw);
	return failed;
}
