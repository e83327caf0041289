// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What calls leave below the stack pointer, and how deep they go.
 *
 * Secrets that the C code around the arithmetic leaves in general registers and below the stack
 * pointer: tests/proofs shows that assembly leaves none there nor in vectors. Each way is called
 * twice, with different secrets (key and message) and everything else equal. Any difference between
 * the residues of the two calls depends on a secret. Tags are not secret.
 *
 * - Compilers spill what they like, but the C code must wipe its arrays, contexts and descriptors.
 * - It must leave a clean stack if the arithmetic is assembly, and clean general registers if the
 *   compiler zeroes them, which Kbuild and the Makefile request. Otherwise any word of the stack
 *   may hold what a register held: clang pushes one to align the stack.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "check.h"

/* The last words of the stack, which are compared */
#define WORDS	2048
#define END	(stack + ARRAY_SIZE(stack) - WORDS)
/* What they hold before a call */
#define PAINT	0xa5c33c5a96e17887ULL

/* The call runs on a stack of its own, for the first or second time. */
static int turn;
static u64 stack[16 * WORDS] __aligned(64);
static ucontext_t main_context;

/* Where the frame of the caller ends */
static u64 *top;

/* What the two calls leave in registers that they may change, and on the stack; and their tags */
static u64 registers[2][9], dead[2][WORDS], tags_of[2][2];

static void call(void)
{
#ifdef CONFIG_X86_64
	register u64 r8 asm("r8"), r9 asm("r9"), r10 asm("r10"), r11 asm("r11");
	u64 a, c, d, s, t;

	asm volatile("mov %%rsp, %0" : "=r" (top));
	now.way->run();
	asm volatile("" : "=a" (a), "=c" (c), "=d" (d), "=S" (s), "=D" (t), "=r" (r8), "=r" (r9),
			  "=r" (r10), "=r" (r11));
	memcpy(registers[turn], (u64[]){ a, c, d, s, t, r8, r9, r10, r11 }, sizeof(registers[0]));
#endif
}

/* The registers that a call must preserve are the same for each, as it may push them. */
static void call_on_stack(void)
{
	static ucontext_t begin;
	ucontext_t context;
	size_t i;

	if (!begin.uc_link) {
		getcontext(&begin);
		begin.uc_link = &main_context;
		begin.uc_stack.ss_sp = stack;
		begin.uc_stack.ss_size = sizeof(stack);
	}
	context = begin;
	for (i = 0; i < WORDS; i++)
		END[i] = PAINT;
	makecontext(&context, call, 0);
	swapcontext(&main_context, &context);
	memcpy(dead[turn], END, sizeof(dead[0]));
}

/* Equal words, or the same half of the same tag, are harmless. */
static void compare(const u64 *first, const u64 *second, size_t n, const char *what)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (first[i] != second[i] &&
		    (first[i] != tags_of[0][0] || second[i] != tags_of[1][0]) &&
		    (first[i] != tags_of[0][1] || second[i] != tags_of[1][1]))
			fail("%s%s %zu depends on a secret", now.way->name, what, i);
}

void find(const void *secret, size_t len, const char *what)
{
	if (len >= 8 && memmem(dead[1], sizeof(dead[1]), secret, len))
		fail("%s%s is on the stack", now.way->name, what);
}

/* Calls twice, with different secrets. */
static void look_twice(void)
{
	const u64 rest = rnd();

	for (turn = 0; turn < 2; turn++) {
		random_state = rest;
		prepare_call(rest + 1 + turn);
		memset(tags, 0, TAG_SIZE);
		call_on_stack();
		/* verify writes no tag, so the right one is still a secret. */
		memcpy(tags_of[turn], tags, TAG_SIZE);
	}
	if (CHECK_CLEAN_GPR && !now.way->packet)
		compare(registers[0], registers[1], 9, "register");
	if (CHECK_CLEAN_GPR && !now.way->packet && !now.s->tier->compiled)
		compare(dead[0], dead[1], WORDS, "word of the stack");
	find_left();
}

static void needs_own_stack(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
#ifndef CONFIG_X86_64
	skip("what a compiler may spill there is known for x86-64 only");
#endif
	if (RUNNING_ON_VALGRIND)
		skip("valgrind takes a change of stacks amiss");
}

/* The most bytes of stack that a call may take. docs/design.md has the reasons of all but 2048. */
static size_t deepest(void)
{
	if (!now.way->packet)
		return 3072;
	return strcmp(now.s->tier->name, "poly1305-avx512") ? 2048 : 2560;
}

/* The frames of this test, and what compilers differ by */
#define SLACK	256

static size_t most[2];

static void look_how_deep(void)
{
	size_t deep, i;

	prepare_call(rnd());
	call_on_stack();
	for (i = 0; END[i] == PAINT; i++)
		;
	deep = (top - (END + i)) * sizeof(u64);
	if (deep > deepest() + SLACK)
		fail("%s%zu bytes take %zu of stack", now.way->name, now.len, deep);
	most[now.way->packet] = max(most[now.way->packet], deep);
}

/* How deep the exported functions and the drivers go */
int test_depth(const struct subject *s)
{
	size_t len;

	needs_own_stack();
	turn = 0;
	memset(most, 0, sizeof(most));
	for (len = 0; len < AREA_SIZE - KEY_SIZE - 16; len += len < 64 ? 1 : len / 32 + 1)
		look_at_ways(s, len, look_how_deep);
	printf("# %zu bytes of stack, for packets %zu\n", most[0], most[1]);
	return 0;
}

/* No copy of a context, descriptor or buffer stays on the stack. */
int test_residue(const struct subject *s)
{
	size_t i;

	needs_own_stack();
	for (i = 0; i < 600 + 20; i++)
		look_at_ways(s, i < 600 ? i : rnd_below(AREA_SIZE - KEY_SIZE - 16), look_twice);
	return 0;
}
