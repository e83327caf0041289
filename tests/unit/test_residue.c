// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Secrets that functions leave in registers and below the stack pointer.
 *
 * Each function is called twice, with different secrets (key, powers, h, message) and
 * everything else equal, including the junk in the registers. Any difference between
 * the residues of the two calls depends on a secret. Tags are not secret.
 *
 * The requirements differ:
 * - Assembly must leave no difference.
 * - Compilers spill what they like. Compiled arithmetic must only wipe its arrays of
 *   key material.
 * - The C code around the arithmetic must wipe those too, and must leave a clean stack
 *   if the arithmetic is assembly.
 * - Compiled code must leave clean general registers if the compiler zeroes them,
 *   which Kbuild and the Makefile request. Otherwise any word of the stack may hold what a
 *   register held: clang pushes one to align the stack.
 * - Vector registers must be clean if compiled code uses none, as in the kernel
 *   (GENERAL=y). The memcpy() in string.c leaves nothing there.
 */

#define _GNU_SOURCE
#include <string.h>

#include <crypto/internal/simd.h>

#include "ways.h"

static void need_optimization(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
}

/* The residues and the tags of the two calls */
static struct residue left[2];
static u64 tags_of[2][2];
static bool has_tag;
/* The way that ran, as a prefix of messages */
static const char *doing;

/* Equal words, or the same half of the same tag */
static bool harmless(u64 a, u64 b)
{
	return a == b ||
	       (has_tag && ((a == tags_of[0][0] && b == tags_of[1][0]) ||
			    (a == tags_of[0][1] && b == tags_of[1][1])));
}

static void compare_gpr(void)
{
	/* call.c checks the other registers, which the callee must preserve. */
	static const char *const names[16] = {
		"rax", "rcx", "rdx", [6] = "rsi", "rdi", "r8", "r9", "r10", "r11"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && !harmless(left[0].gpr[i], left[1].gpr[i]))
			fail("%s%s depends on a secret", doing, names[i]);
}

static void compare_stack(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(left[0].dead); i++)
		if (!harmless(left[0].dead[i], left[1].dead[i]))
			fail("%sthe stack, %zu bytes below its pointer, depends on a secret",
			     doing, DEAD_STACK - 8 * i);
}

static void compare_vectors(void)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(left[0].vector); i++)
		for (j = 0; j < ARRAY_SIZE(left[0].vector[i]); j++)
			if (!harmless(left[0].vector[i][j], left[1].vector[i][j]))
				fail("%sword %zu of vector register %zu depends on a secret",
				     doing, j, i);
	for (i = 0; i < ARRAY_SIZE(left[0].mask); i++)
		if (left[0].mask[i] != left[1].mask[i])
			fail("%smask register %zu depends on a secret", doing,
			     i);
}

static void compare_all(void)
{
	compare_gpr();
	compare_stack();
	compare_vectors();
}

static void check_residue(const struct tier *tier)
{
	if (!tier->compiled)
		compare_all();
	else if (CHECK_CLEAN_GPR)
		compare_gpr();
}

static void test_blocks(const struct tier *tier)
{
	struct poly1305_mac_state *state;
	size_t at, nblocks, earlier;
	u32 hibit;
	u64 i, rest;
	int run;

	call_residue();
	if (tier->compiled)
		need_optimization();
	state = (void *)(objects.rw + objects.size - sizeof(*state));
	has_tag = false;
	doing = "";
	for (i = first_case(); next_case(&i, 2 * (NBLOCKS_MAX + 1) + 200); i++) {
		nblocks = i / 2;
		if (nblocks > NBLOCKS_MAX)
			nblocks = rnd_below(INPUT_MAX / BLOCK_SIZE + 1);
		hibit = rnd_below(4) != 0;
		/* Blocks before these, with which a tier may leave powers */
		earlier = i % 2 ? rnd_below(40) : 0;
		at = area_offset(&input, nblocks * BLOCK_SIZE, 1);
		rest = rnd();
		for (run = 0; run < 2; run++) {
			rnd_begin(rest + 1 + run);
			rnd_bytes(input.rw + at, nblocks * BLOCK_SIZE);
			state->r[0] = rnd() & POLY1305_CLAMP_LO;
			state->r[1] = rnd() & POLY1305_CLAMP_HI;
			state->h[0] = rnd();
			state->h[1] = rnd() & POLY1305_H1_MAX;
			state->h[2] = rnd_below(POLY1305_H2_MAX + 1);
			rnd_bytes(state->pow, sizeof(state->pow));
			state->npow = 0;
			rnd_begin(rest);
			if (earlier)
				call_blocks(tier, state, input.ro, earlier, 1);
			call_blocks(tier, state, input.ro + at, nblocks, hibit);
			left[run] = *call_residue();
		}
		check_residue(tier);
	}
}

static void test_digest(const struct tier *tier)
{
	size_t at, len;
	u64 i, rest;
	int run;

	if (!tier->digest)
		skip("it has no digest function");
	call_residue();
	has_tag = true;
	doing = "";
	for (i = first_case(); next_case(&i, LEN_MAX + 200); i++) {
		len = i < LEN_MAX ? i : rnd_below(INPUT_MAX - KEY_SIZE);
		at = area_offset(&input, KEY_SIZE + len, 1);
		rest = rnd();
		for (run = 0; run < 2; run++) {
			rnd_begin(rest + 1 + run);
			rnd_bytes(input.rw + at, KEY_SIZE + len);
			rnd_begin(rest);
			call_digest(tier->digest, input.ro + at,
				    input.ro + at + KEY_SIZE, len, tags.rw);
			left[run] = *call_residue();
			memcpy(tags_of[run], tags.rw, TAG_SIZE);
		}
		check_residue(tier);
	}
}

void find(const void *secret, size_t len, const char *what)
{
	const struct residue *residue = call_residue();

	if (len >= 8 && memmem(residue->dead, sizeof(residue->dead), secret, len))
		fail("%s%s is on the stack", doing, what);
}

void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t rest = len % BLOCK_SIZE;
	u64 r[3];

	ref_r(r, key);
	find(key, 16, "the unclamped r");
	find(r, 16, "r");
	find(key + 16, 16, "s");
	if (CHECK_CLEAN_GPR && rest >= 8)
		find(data + len - rest, rest, "the end of the message");
}

/* Runs it twice, with different secrets; call_residue() then is the second residue. */
static void run_twice(const struct way *way, struct message *m)
{
	const u64 rest = rnd();
	int i;

	for (i = 0; i < 2; i++) {
		rnd_begin(rest + 1 + i);
		rnd_bytes(input.rw, KEY_SIZE + m->len + 16);
		rnd_begin(rest);
		if (way->before)
			way->before(m);
		memset(m->tag, 0, TAG_SIZE);
		call(way->run, m);
		left[i] = *call_residue();
		/* verify writes no tag, so the right one is still a secret. */
		memcpy(tags_of[i], m->tag, TAG_SIZE);
	}
}

/* No copy of a context, descriptor or buffer stays on the stack. */
static void test_ways(const struct tier *tier)
{
	struct message m = new_message(tier);
	const struct way *way;
	u64 i;

	call_residue();
	need_optimization();
	has_tag = true;
	for (i = first_case(); next_case(&i, 600 + 20); i++) {
		m.len = i < 600 ? i : rnd_below(INPUT_MAX - KEY_SIZE - 16);
		for (way = ways; way->name; way++) {
			serve_by(tier);
			shim_simd_usable = true;
			run_twice(way, &m);
			doing = way->name;
			if (!way->ciphertext) {
				if (CHECK_CLEAN_GPR)
					compare_gpr();
				if (CHECK_CLEAN_GPR && !tier->compiled && !way->compiled)
					compare_stack();
				if (CHECK_CLEAN_VECTORS)
					compare_vectors();
				find_secrets(m.key, m.key + KEY_SIZE, m.len);
			}
			if (way->find)
				way->find(&m);
		}
	}
}

const struct test residue_tests[] = {
	{ "residue-blocks", test_blocks },
	{ "residue-digest", test_digest },
	{ "residue-ways", test_ways },
	{ }
};
