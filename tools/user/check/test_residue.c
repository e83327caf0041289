// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What functions leave behind in registers and below the stack pointer.
 *
 * A function is called twice, with other secrets (key, powers, h, message) and
 * otherwise alike, down to the junk in the registers. Where the second call
 * leaves something else than the first did, it left something that depends on a
 * secret, in whatever form. Tags are no secret.
 *
 * All of that is asked of assembly. Compilers spill what they like, and zero no
 * vector registers. Of compiled arithmetic it is asked that no array of key
 * material stays: it wipes those by name. Of the glue too, and that it leaves
 * nothing on the stack beside, if the arithmetic it calls is assembly. And where
 * the compiler zeroes general registers (Kbuild and the Makefile ask it to), that
 * they are clean. The C library's memcpy() may leave what it likes in vector
 * registers; the kernel's has none.
 */

#define _GNU_SOURCE
#include <string.h>

#include "check.h"

static void need_optimization(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("such a build keeps copies of everything on the stack");
#endif
}

/* Of the two calls */
static struct residue left[2];
static u64 tag_of[2][2];

/* What follows from nothing secret, or is a tag */
static bool harmless(u64 a, u64 b)
{
	return a == b || (a == tag_of[0][0] && b == tag_of[1][0]) ||
	       (a == tag_of[0][1] && b == tag_of[1][1]);
}

static void compare_gpr(void)
{
	/* What a caller expects back is checked after each call. */
	static const char *const names[16] = {
		"rax", "rcx", "rdx", [6] = "rsi", "rdi", "r8", "r9", "r10", "r11"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && !harmless(left[0].gpr[i], left[1].gpr[i]))
			fail("%s depends on a secret", names[i]);
}

static void compare_stack(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(left[0].dead); i++)
		if (!harmless(left[0].dead[i], left[1].dead[i]))
			fail("the stack, %zu bytes below, depends on a secret",
			     DEAD_STACK - 8 * i);
}

static void compare_all(void)
{
	size_t i, j;

	compare_gpr();
	compare_stack();
	for (i = 0; i < ARRAY_SIZE(left[0].vector); i++)
		for (j = 0; j < ARRAY_SIZE(left[0].vector[i]); j++)
			if (!harmless(left[0].vector[i][j], left[1].vector[i][j]))
				fail("word %zu of vector register %zu depends on a secret",
				     j, i);
	for (i = 0; i < ARRAY_SIZE(left[0].mask); i++)
		if (left[0].mask[i] != left[1].mask[i])
			fail("mask register %zu depends on a secret", i);
}

/* The powers that the state knows, limb beside limb as tables hold them */
static void find_powers(const struct poly1305_mac_state *state,
			const struct residue *residue)
{
	u64 power[3];
	size_t i, k;

	for (k = 2; k <= state->npow; k++) {
		for (i = 0; i < 3; i++)
			power[i] = state->pow[i][POLY1305_MAC_POWERS - k];
		if (memmem(residue->dead, sizeof(residue->dead), power,
			   sizeof(power)))
			fail("r^%zu is on the stack", k);
	}
}

static void check_residue(const struct subject *subject,
			  const struct poly1305_mac_state *state)
{
	if (!subject->compiled) {
		compare_all();
		return;
	}
	if (CHECK_CLEAN_GPR)
		compare_gpr();
	if (state)
		find_powers(state, &left[1]);
}

static void test_blocks(const struct subject *subject)
{
	struct poly1305_mac_state *state;
	size_t at, nblocks;
	u32 npow, hint, hibit;
	u64 i, rest;
	int run;

	call_residue();
	if (subject->compiled)
		need_optimization();
	state = (void *)(objects.rw + objects.size - sizeof(*state));
	memset(tag_of, 0, sizeof(tag_of));
	for (i = first_case(); next_case(&i, 4 * (NBLOCKS_MAX + 1) + 200); i++) {
		nblocks = i / 4;
		if (nblocks > NBLOCKS_MAX)
			nblocks = rnd_below(INPUT_MAX / BLOCK_SIZE + 1);
		npow = i % 4 < 2 ? 0 : rnd_below(POLY1305_MAC_POWERS + 1);
		hint = rnd() & 1 ? 0 : rnd_below(500);
		hibit = rnd_below(4) != 0;
		at = area_offset(&input, nblocks * BLOCK_SIZE, 1);
		rest = rnd();
		for (run = 0; run < 2; run++) {
			rnd_begin(rest + 1 + run);
			rnd_bytes(input.rw + at, nblocks * BLOCK_SIZE);
			state->r[0] = rnd() & POLY1305_CLAMP_LO;
			state->r[1] = rnd() & POLY1305_CLAMP_HI;
			state->h[0] = rnd();
			state->h[1] = rnd();
			state->h[2] = rnd_below(POLY1305_H2_MAX + 1);
			fill_powers(state, npow);
			state->hint = hint;
			rnd_begin(rest);
			call_blocks(subject->blocks, state, input.ro + at,
				    nblocks, hibit);
			left[run] = *call_residue();
		}
		check_residue(subject, state);
	}
}

static void test_digest(const struct subject *subject)
{
	size_t at, len;
	u64 i, rest;
	int run;

	if (!subject->digest)
		skip("it has no digest function");
	call_residue();
	for (i = first_case(); next_case(&i, LEN_MAX + 200); i++) {
		len = i < LEN_MAX ? i : rnd_below(INPUT_MAX - KEY_SIZE);
		at = area_offset(&input, KEY_SIZE + len, 1);
		rest = rnd();
		for (run = 0; run < 2; run++) {
			rnd_begin(rest + 1 + run);
			rnd_bytes(input.rw + at, KEY_SIZE + len);
			rnd_begin(rest);
			call_digest(subject->digest, input.ro + at,
				    input.ro + at + KEY_SIZE, len, tags.rw);
			left[run] = *call_residue();
			memcpy(tag_of[run], tags.rw, TAG_SIZE);
		}
		check_residue(subject, NULL);
	}
}

/* Message j of a batch, of len bytes */
static void make_request(struct poly1305_mac_req *req, size_t j, size_t len)
{
	*req = (struct poly1305_mac_req){
		.key = keys.ro + j * KEY_SIZE,
		.data = input.ro + area_offset(&input, len, 1),
		.len = len,
		.tag = tags.rw + j * TAG_SIZE,
	};
}

/*
 * n messages by the lanes function, or if there are no lanes by the run function:
 * nothing but what follows from lengths and places stays.
 */
static void check_requests(const struct subject *subject,
			   const struct poly1305_mac_req *const *lanes,
			   const struct poly1305_mac_req *reqs, size_t n)
{
	const u64 rest = rnd();
	int run;

	for (run = 0; run < 2; run++) {
		rnd_begin(rest + 1 + run);
		rnd_bytes(keys.rw, n * KEY_SIZE);
		rnd_bytes(input.rw, input.size);
		rnd_begin(rest);
		if (lanes)
			call_batch(subject->batch, lanes, n);
		else
			call_run(subject->run, reqs, n);
		left[run] = *call_residue();
	}
	check_residue(subject, NULL);
}

static void test_lanes(const struct subject *subject)
{
	struct poly1305_mac_req reqs[2 * POLY1305_LANES_MAX];
	const struct poly1305_mac_req *lanes[2 * POLY1305_LANES_MAX];
	size_t j, n;
	bool alike;
	u64 i;

	if (!subject->batch)
		skip("it has no lanes function");
	call_residue();
	memset(tag_of, 0, sizeof(tag_of));
	for (i = first_case(); next_case(&i, 800); i++) {
		n = subject->lanes * (1 + rnd_below(2));
		alike = rnd() & 1;
		for (j = 0; j < n; j++) {
			make_request(&reqs[j], j, alike || rnd() & 1 ?
				     i : rnd_below(i + 1));
			lanes[j] = &reqs[j];
		}
		check_requests(subject, lanes, NULL, n);
	}
}

/* Whether or not a run ends before its time */
static void test_run(const struct subject *subject)
{
	struct poly1305_mac_req reqs[3 * POLY1305_LANES_MAX];
	size_t j, n;
	u64 i;

	if (!subject->run)
		skip("it has no run function");
	call_residue();
	memset(tag_of, 0, sizeof(tag_of));
	for (i = first_case(); next_case(&i, 800); i++) {
		n = subject->lanes * (1 + rnd_below(3));
		for (j = 0; j < n; j++)
			make_request(&reqs[j], j, rnd_below(50) ?
				     i : rnd_below(i + 1));
		check_requests(subject, NULL, reqs, n);
	}
}

/* A message on its way through the glue; what the stack holds belongs to that. */
struct message {
	const struct subject *subject;
	const u8 *key;
	size_t len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
	struct shash_desc *desc;
};

static void run_digest(void *arg)
{
	const struct message *m = arg;

	m->subject->impl->digest(m->key, m->key + KEY_SIZE, m->len, m->tag);
}

static void run_updates(void *arg)
{
	const struct message *m = arg;

	poly1305_mac_init(m->ctx, m->key);
	m->subject->impl->update(m->ctx, m->key + KEY_SIZE, m->len / 2);
	m->subject->impl->update(m->ctx, m->key + KEY_SIZE + m->len / 2,
				 m->len - m->len / 2);
	m->subject->impl->final(m->ctx, m->tag);
}

static int half_of_shash(const struct message *m)
{
	const struct shash_alg *alg = &m->subject->impl->alg;

	return alg->init(m->desc) ?: alg->update(m->desc, m->key, 20) ?:
	       alg->update(m->desc, m->key + 20, 12 + m->len / 2);
}

static void run_finup(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = &m->subject->impl->alg;

	if (half_of_shash(m) ||
	    alg->finup(m->desc, m->key + KEY_SIZE + m->len / 2,
		       m->len - m->len / 2, m->tag))
		fail("the shash reports an error");
}

static void run_shash_digest(void *arg)
{
	const struct message *m = arg;

	if (m->subject->impl->alg.digest(m->desc, m->key, KEY_SIZE + m->len,
					 m->tag))
		fail("the shash reports an error");
}

/* Too little for a key: no tag, and nothing of what there was stays. */
static void run_no_key(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = &m->subject->impl->alg;

	if (alg->init(m->desc) ||
	    alg->update(m->desc, m->key, m->len % KEY_SIZE) ||
	    alg->final(m->desc, m->tag) != -ENOKEY)
		fail("the shash accepts a key that is too short");
}

static void run_export(void *arg)
{
	const struct message *m = arg;

	if (half_of_shash(m) ||
	    m->subject->impl->alg.export(m->desc, exports.rw))
		fail("the shash reports an error");
}

static void run_import(void *arg)
{
	const struct message *m = arg;

	if (m->subject->impl->alg.import(m->desc, exports.rw))
		fail("the shash reports an error");
}

/* With a wrong tag: nobody may learn the right one. */
static void run_verify(void *arg)
{
	const struct message *m = arg;

	if (!poly1305_mac_verify(m->key, m->key + KEY_SIZE, m->len, m->tag))
		fail("accepts a wrong tag");
}

static void find(const void *secret, size_t len, const char *what)
{
	const struct residue *residue = call_residue();

	if (memmem(residue->dead, sizeof(residue->dead), secret, len))
		fail("%s is on the stack", what);
}

/* One function twice, with other secrets; what the second left is kept longest. */
static void run_twice(void (*run)(void *arg), struct message *m)
{
	const u64 rest = rnd();
	int i;

	for (i = 0; i < 2; i++) {
		rnd_begin(rest + 1 + i);
		rnd_bytes(input.rw, KEY_SIZE + m->len);
		/* Who gives a wrong tag must not learn the right one. */
		if (run == run_verify)
			memset(tag_of[i], 0, TAG_SIZE);
		else
			ref_tag((u8 *)tag_of[i], m->key, m->key + KEY_SIZE,
				m->len);
		if (run == run_import)
			run_export(m);
		memset(m->tag, 0, TAG_SIZE);
		rnd_begin(rest);
		call(run, m);
		left[i] = *call_residue();
	}
}

/* Contexts, descriptors and buffers: none is there any more. */
static void test_glue(const struct subject *subject)
{
	static void (*const runs[])(void *arg) = {
		run_digest, run_updates, run_finup, run_shash_digest,
		run_no_key, run_export, run_import, run_verify
	};
	struct message m = {
		.subject = subject,
		.key = input.ro,
		.tag = tags.rw,
		.ctx = (void *)objects.rw,
		.desc = (void *)objects.rw,
	};
	u8 expected[TAG_SIZE];
	u64 i, r[3];
	size_t run;

	call_residue();
	need_optimization();
	if (poly1305_user_select(subject->driver))
		fail("cannot be selected");
	for (i = first_case(); next_case(&i, 600 + 20); i++) {
		m.len = i < 600 ? i : rnd_below(INPUT_MAX - KEY_SIZE);
		for (run = 0; run < ARRAY_SIZE(runs); run++) {
			run_twice(runs[run], &m);
			if (CHECK_CLEAN_GPR)
				compare_gpr();
			if (!subject->compiled)
				compare_stack();

			ref_tag(expected, m.key, m.key + KEY_SIZE, m.len);
			ref_r(r, m.key);
			find(m.key, 16, "the unclamped r");
			find(r, 16, "r");
			find(m.key + 16, 16, "s");
			if (runs[run] == run_verify)
				find(expected, TAG_SIZE, "the right tag");
			if (m.len % 16 >= 8)
				find(m.key + KEY_SIZE + m.len / 16 * 16,
				     m.len % 16, "the end of the message");
		}
	}
}

const struct test residue_tests[] = {
	{ "residue-blocks", test_blocks },
	{ "residue-digest", test_digest },
	{ "residue-lanes", test_lanes },
	{ "residue-run", test_run },
	{ "residue-glue", test_glue },
	{ }
};
