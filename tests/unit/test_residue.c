// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Secrets that the C code around the arithmetic leaves in general registers and below the stack
 * pointer. tests/proofs shows that assembly leaves none there nor in vectors.
 *
 * Each way is called twice, with different secrets (key and message) and everything else equal.
 * Any difference between the residues of the two calls depends on a secret. Tags are not secret.
 *
 * - Compilers spill what they like, but the C code must wipe its arrays, contexts and descriptors.
 * - It must leave a clean stack if the arithmetic is assembly, and clean general registers if the
 *   compiler zeroes them, which Kbuild and the Makefile request. Otherwise any word of the stack
 *   may hold what a register held: clang pushes one to align the stack.
 */

#define _GNU_SOURCE
#include <string.h>

#include <crypto/internal/simd.h>

#include "traced.h"
#include "ways.h"

/* What a call leaves in registers that it may change, and below the stack pointer */
#define DEAD_STACK	(16 << 10)
struct residue {
	u64 gpr[9];
	u64 dead[DEAD_STACK / 8];
};

/* The residues and the tags of the two calls */
static struct residue left[2];
static u64 tags_of[2][2];
/* The way that ran, as a prefix of messages */
static const char *doing = "";

static u8 stack[256 << 10] __aligned(64);
#define TOP	(stack + sizeof(stack) - 64)

#ifdef __AVX512F__
#define AVX512_REGISTERS						\
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",	\
	"xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3",	\
	"k4", "k5", "k6", "k7"
#else
#define AVX512_REGISTERS
#endif

#ifdef CONFIG_X86_64
/* Calls fn with the stack that ends at TOP, and with the same in all registers each time. */
static noinline void call(void (*fn)(void *arg), void *arg, struct residue *out)
{
	register u8 *r12 asm("r12") = TOP;
	register void *r13 asm("r13") = fn;
	register u64 r8 asm("r8") = 8, r9 asm("r9") = 9, r10 asm("r10") = 10, r11 asm("r11") = 11;
	u64 a = 0, c = 1, d = 2, s = 6, t = (u64)arg;

	asm volatile("mov %%rsp, (%%r12)\n\t"
		     "mov %%rbp, 8(%%r12)\n\t"
		     "mov %%r12, %%rsp\n\t"
		     "xor %%ebx, %%ebx\n\t"
		     "xor %%ebp, %%ebp\n\t"
		     "xor %%r14d, %%r14d\n\t"
		     "xor %%r15d, %%r15d\n\t"
		     "call *%%r13\n\t"
		     "mov 8(%%r12), %%rbp\n\t"
		     "mov (%%r12), %%rsp"
		     : "+a" (a), "+c" (c), "+d" (d), "+S" (s), "+D" (t), "+r" (r8), "+r" (r9),
		       "+r" (r10), "+r" (r11), "+r" (r12), "+r" (r13)
		     :
		     : "rbx", "r14", "r15", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3",
		       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
		       "xmm12", "xmm13", "xmm14", "xmm15" AVX512_REGISTERS);
	memcpy(out->gpr, (u64[]){ a, c, d, s, t, r8, r9, r10, r11 }, sizeof(out->gpr));
	memcpy(out->dead, TOP - DEAD_STACK, DEAD_STACK);
}
#else
static void call(void (*fn)(void *arg), void *arg, struct residue *out)
{
	skip("registers and stack are recorded on x86-64 only");
}
#endif

/* Equal words, or the same half of the same tag */
static bool harmless(u64 a, u64 b)
{
	return a == b || (a == tags_of[0][0] && b == tags_of[1][0]) ||
	       (a == tags_of[0][1] && b == tags_of[1][1]);
}

static void compare_gpr(void)
{
	static const char *const names[] = {
		"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!harmless(left[0].gpr[i], left[1].gpr[i]))
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

void find(const void *secret, size_t len, const char *what)
{
	if (len >= 8 && memmem(left[1].dead, sizeof(left[1].dead), secret, len))
		fail("%s%s is on the stack", doing, what);
}

void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t rest = len % BLOCK_SIZE;
	struct poly1305_ref ref;

	poly1305_ref_init(&ref, key);
	find(key, 16, "the unclamped r");
	find(ref.r, 16, "r");
	find(key + 16, 16, "s");
	if (CHECK_CLEAN_GPR && rest >= 8)
		find(data + len - rest, rest, "the end of the message");
}

/* Runs it twice, with different secrets. */
static void run_twice(const struct way *way, struct message *m)
{
	const u64 rest = rnd();
	int i;

	for (i = 0; i < 2; i++) {
		rnd_begin(rest + 1 + i);
		rnd_bytes(input.at, KEY_SIZE + m->len + 16);
		rnd_begin(rest);
		if (way->before)
			way->before(m);
		memset(m->tag, 0, TAG_SIZE);
		memset(TOP - DEAD_STACK, 0, DEAD_STACK);
		call(way->run, m, &left[i]);
		/* verify writes no tag, so the right one is still a secret. */
		memcpy(tags_of[i], m->tag, TAG_SIZE);
	}
}

/* No copy of a context, descriptor or buffer stays on the stack. */
void test_residue(const struct tier *tier)
{
	struct message m = new_message(tier);
	const struct way *way;
	u64 i;

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
	if (RUNNING_ON_VALGRIND)
		skip("valgrind takes a change of stacks amiss");
	for (i = 0; next_case(i, 600 + 20); i++) {
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
				find_secrets(m.key, m.key + KEY_SIZE, m.len);
			}
			if (way->find)
				way->find(&m);
		}
	}
}
