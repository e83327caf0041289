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
 *   which Kbuild and the Makefile request.
 * - Vector registers must be clean if compiled code uses none, as in the kernel
 *   (GENERAL=y). The memcpy() in string.c leaves nothing there.
 */

#define _GNU_SOURCE
#include <string.h>

#include "aes.h"
#include "check.h"

static void need_optimization(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
}

#define TAGS_MAX	20

/* The residues and the tags of the two calls */
static struct residue left[2];
static u64 tags_of[2][TAGS_MAX][2];
static size_t ntags;
/* The way that ran, as a prefix of messages */
static const char *doing;

/* Equal words, or the same half of the same tag */
static bool harmless(u64 a, u64 b)
{
	size_t i;

	if (a == b)
		return true;
	for (i = 0; i < ntags; i++)
		if ((a == tags_of[0][i][0] && b == tags_of[1][i][0]) ||
		    (a == tags_of[0][i][1] && b == tags_of[1][i][1]))
			return true;
	return false;
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

/* Searches the stack for the powers in the state, as three adjacent limbs. */
static void find_powers(const struct poly1305_mac_state *state,
			const struct residue *residue)
{
	u64 power[3];
	size_t i, k;

	for (k = 2; k <= state->npow; k++) {
		for (i = 0; i < 3; i++)
			power[i] = state->pow[i][POLY1305_MAC_POWERS - k];
		if (memmem(residue->dead, sizeof(residue->dead), power, sizeof(power)))
			fail("%sr^%zu is on the stack", doing, k);
	}
}

static void check_residue(const struct tier *tier,
			  const struct poly1305_mac_state *state)
{
	if (!tier->compiled) {
		compare_all();
		return;
	}
	if (CHECK_CLEAN_GPR)
		compare_gpr();
	if (state)
		find_powers(state, &left[1]);
}

static void test_blocks(const struct tier *tier)
{
	struct poly1305_mac_state *state;
	size_t at, nblocks, earlier;
	u32 npow, hint, hibit;
	u64 i, rest;
	int run;

	call_residue();
	if (tier->compiled)
		need_optimization();
	state = (void *)(objects.rw + objects.size - sizeof(*state));
	ntags = 0;
	doing = "";
	for (i = first_case(); next_case(&i, 4 * (NBLOCKS_MAX + 1) + 200); i++) {
		nblocks = i / 4;
		if (nblocks > NBLOCKS_MAX)
			nblocks = rnd_below(INPUT_MAX / BLOCK_SIZE + 1);
		npow = i % 4 < 2 ? 0 : rnd_below(POLY1305_MAC_POWERS + 1);
		hint = rnd() & 1 ? 0 : rnd_below(500);
		hibit = rnd_below(4) != 0;
		/* Blocks before these, with which a tier may leave powers of its own */
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
			fill_powers(state, npow);
			state->hint = hint;
			rnd_begin(rest);
			if (earlier)
				call_blocks(tier->blocks, state, input.ro, earlier, 1);
			call_blocks(tier->blocks, state, input.ro + at, nblocks, hibit);
			left[run] = *call_residue();
		}
		check_residue(tier, state);
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
	ntags = 1;
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
			memcpy(tags_of[run][0], tags.rw, TAG_SIZE);
		}
		check_residue(tier, NULL);
	}
}

static void make_request(struct poly1305_mac_req *req, size_t j, size_t len)
{
	*req = (struct poly1305_mac_req){
		.key = keys.ro + j * KEY_SIZE,
		.data = input.ro + area_offset(&input, len, 1),
		.len = len,
		.tag = tags.rw + j * TAG_SIZE,
	};
}

/* n messages by the lanes function, or, if lanes is NULL, by the run function */
static void check_requests(const struct tier *tier,
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
			call_batch(tier->batch, lanes, n);
		else
			call_run(tier->run, reqs, n);
		left[run] = *call_residue();
	}
	check_residue(tier, NULL);
}

static void test_lanes(const struct tier *tier)
{
	struct poly1305_mac_req reqs[2 * POLY1305_LANES_MAX];
	const struct poly1305_mac_req *lanes[2 * POLY1305_LANES_MAX];
	size_t j, n;
	bool alike;
	u64 i;

	if (!tier->batch)
		skip("it has no lanes function");
	call_residue();
	ntags = 0;
	doing = "";
	for (i = first_case(); next_case(&i, 800); i++) {
		n = tier->lanes * (1 + rnd_below(2));
		alike = rnd() & 1;
		for (j = 0; j < n; j++) {
			make_request(&reqs[j], j, alike || rnd() & 1 ?
				     i : rnd_below(i + 1));
			lanes[j] = &reqs[j];
		}
		check_requests(tier, lanes, NULL, n);
	}
}

/* Runs of equal lengths, some of which end early at another length */
static void test_run(const struct tier *tier)
{
	struct poly1305_mac_req reqs[3 * POLY1305_LANES_MAX];
	size_t j, n;
	u64 i;

	if (!tier->run)
		skip("it has no run function");
	call_residue();
	ntags = 0;
	doing = "";
	for (i = first_case(); next_case(&i, 800); i++) {
		n = tier->lanes * (1 + rnd_below(3));
		for (j = 0; j < n; j++)
			make_request(&reqs[j], j, rnd_below(50) ?
				     i : rnd_below(i + 1));
		check_requests(tier, NULL, reqs, n);
	}
}

#define BATCH_MAX	16

/* A message, and the buffers of the ways to its tag */
struct message {
	const struct tier *tier;
	const u8 *key;
	size_t len;
	u8 *tag;
	struct poly1305_mac_ctx *ctx;
	struct shash_desc *desc;
	struct poly1305_mac_prepared *prepared;
	struct scatterlist list[3];
	struct poly1305_mac_req *reqs;
	unsigned int nreqs;
	u8 aes_key[KEY_SIZE];
};

static_assert(BATCH_MAX <= TAGS_MAX);

static void must(int err)
{
	if (err)
		fail("error %d", err);
}

static void run_digest(void *arg)
{
	const struct message *m = arg;

	m->tier->def->ops->digest(m->key, m->key + KEY_SIZE, m->len, m->tag);
}

static void in_two(const struct message *m, const u8 *data)
{
	m->tier->def->ops->update(m->ctx, data, m->len / 2);
	m->tier->def->ops->update(m->ctx, data + m->len / 2,
				  m->len - m->len / 2);
	m->tier->def->ops->final(m->ctx, m->tag);
}

static void run_updates(void *arg)
{
	const struct message *m = arg;

	poly1305_mac_init(m->ctx, m->key);
	in_two(m, m->key + KEY_SIZE);
}

static int half_of_shash(const struct message *m)
{
	const struct shash_alg *alg = m->tier->alg;

	return alg->init(m->desc) ?: alg->update(m->desc, m->key, 20) ?:
	       alg->update(m->desc, m->key + 20, 12 + m->len / 2);
}

static void run_finup(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = m->tier->alg;

	must(half_of_shash(m) ?:
	     alg->finup(m->desc, m->key + KEY_SIZE + m->len / 2,
			m->len - m->len / 2, m->tag));
}

static void run_shash_digest(void *arg)
{
	const struct message *m = arg;

	must(m->tier->alg->digest(m->desc, m->key, KEY_SIZE + m->len, m->tag));
}

/* Input that ends within the key: no tag, and no residue of it */
static void run_no_key(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = m->tier->alg;

	if (alg->init(m->desc) ||
	    alg->update(m->desc, m->key, m->len % KEY_SIZE) ||
	    alg->final(m->desc, m->tag) != -ENOKEY)
		fail("the shash accepts a key that is too short");
}

static void run_export(void *arg)
{
	const struct message *m = arg;

	must(half_of_shash(m) ?: m->tier->alg->export(m->desc, exports.rw));
}

static void run_import(void *arg)
{
	const struct message *m = arg;

	must(m->tier->alg->import(m->desc, exports.rw));
}

/* A wrong tag is rejected; the right one must not stay in memory. */
static void run_verify(void *arg)
{
	const struct message *m = arg;

	if (!poly1305_mac_verify(m->key, m->key + KEY_SIZE, m->len, m->tag))
		fail("accepts a wrong tag");
}

#ifndef POLY1271
/* The second half first: halves that lie one behind the other are one message. */
static void run_digest2(void *arg)
{
	const struct message *m = arg;
	const u8 *half = m->key + KEY_SIZE + m->len / 2;

	m->tier->def->ops->digest2(m->key, half, m->len - m->len / 2,
				   m->key + KEY_SIZE, m->len / 2, m->tag);
}

static void run_sg(void *arg)
{
	struct message *m = arg;

	must(poly1305_mac_digest_sg(m->key, m->list, m->len, m->tag));
}

static void run_batch(void *arg)
{
	struct message *m = arg;

	must(poly1305_mac_batch(m->reqs, m->nreqs));
}

static void run_prepare(void *arg)
{
	const struct message *m = arg;

	poly1305_mac_prepare(m->prepared, m->key);
}

static void run_init_prepared(void *arg)
{
	const struct message *m = arg;

	poly1305_mac_init_prepared(m->ctx, m->prepared, m->key + 16);
	in_two(m, m->key + KEY_SIZE);
}

static void run_digest_prepared(void *arg)
{
	const struct message *m = arg;

	poly1305_mac_digest_prepared(m->prepared, m->key + 16, m->key + KEY_SIZE,
				     m->len, m->tag);
}

/* For poly1305(aes) a nonce and the message follow the key. */
static const u8 *aes_input(const struct message *m)
{
	return m->key + KEY_SIZE;
}

static const struct shash_alg *aes_alg(void)
{
	return &aes_transform()->inst->alg;
}

static void run_aes_setkey(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->setkey(aes_transform(), m->aes_key, KEY_SIZE));
}

static void run_aes_digest(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->digest(m->desc, aes_input(m), 16 + m->len, m->tag));
}

/* Cuts the nonce and the message in two. */
static void run_aes_updates(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();
	const size_t rest = m->len + 16 - 7;

	must(alg->init(m->desc) ?: alg->update(m->desc, aes_input(m), 7) ?:
	     alg->update(m->desc, aes_input(m) + 7, rest / 2) ?:
	     alg->update(m->desc, aes_input(m) + 7 + rest / 2, rest - rest / 2) ?:
	     alg->final(m->desc, m->tag));
}

static void run_aes_export(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();

	must(alg->init(m->desc) ?:
	     alg->update(m->desc, aes_input(m), 16 + m->len / 2) ?:
	     alg->export(m->desc, exports.rw));
}

static void run_aes_import(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->import(m->desc, exports.rw));
}

static void make_list(void *arg)
{
	struct message *m = arg;
	u8 *data = (u8 *)m->key + KEY_SIZE;

	m->list[0] = (struct scatterlist){ data, m->len / 3, &m->list[1] };
	m->list[1] = (struct scatterlist){ data, 0, &m->list[2] };
	m->list[2] = (struct scatterlist){ data + m->len / 3,
					   m->len - m->len / 3, NULL };
}

/* Keys at successive bytes, equal or different lengths, some lists */
static void make_batch(void *arg)
{
	struct message *m = arg;
	const bool alike = rnd() & 1, lists = !(rnd() & 3);
	unsigned int j;

	make_list(m);
	m->nreqs = 1 + rnd_below(BATCH_MAX);
	for (j = 0; j < m->nreqs; j++) {
		m->reqs[j] = (struct poly1305_mac_req){
			.key = m->key + j,
			.data = m->key + KEY_SIZE,
			.len = alike ? m->len : rnd_below(m->len + 1),
			.tag = m->tag + j * TAG_SIZE,
		};
		if (lists && rnd() & 1)
			m->reqs[j].sgl = m->list;
	}
}

static void make_aes_key(void *arg)
{
	struct message *m = arg;

	memcpy(m->aes_key, m->key, KEY_SIZE);
	put_unaligned_le64(get_unaligned_le64(m->key + 16) & POLY1305_CLAMP_LO,
			   m->aes_key + 16);
	put_unaligned_le64(get_unaligned_le64(m->key + 24) & POLY1305_CLAMP_HI,
			   m->aes_key + 24);
	run_aes_setkey(m);
}

static void make_aes_state(void *arg)
{
	make_aes_key(arg);
	run_aes_export(arg);
}
#endif

/**
 * struct way - a function or sequence of calls that takes secrets
 * @name: prefix of messages
 * @run: the calls, whose residue is examined
 * @before: prepares them, or NULL
 * @arithmetic: its arithmetic is C on every tier
 * @aes: it is poly1305(aes), whose one-time key is r and AES_k(nonce)
 */
struct way {
	const char *name;
	void (*run)(void *arg);
	void (*before)(void *arg);
	bool arithmetic;
	bool aes;
};

static const struct way ways[] = {
	{ "digest: ", run_digest },
	{ "update: ", run_updates },
	{ "shash finup: ", run_finup },
	{ "shash digest: ", run_shash_digest },
	{ "shash without a key: ", run_no_key },
	{ "export: ", run_export },
	{ "import: ", run_import, run_export },
	{ "verify: ", run_verify },
#ifndef POLY1271
	{ "digest2: ", run_digest2 },
	{ "digest_sg: ", run_sg, make_list },
	{ "batch: ", run_batch, make_batch },
	{ "prepare: ", run_prepare, NULL, true },
	{ "init_prepared: ", run_init_prepared, run_prepare },
	{ "digest_prepared: ", run_digest_prepared, run_prepare },
	{ "aes setkey: ", run_aes_setkey, make_aes_key, true, true },
	{ "aes digest: ", run_aes_digest, make_aes_key, false, true },
	{ "aes update: ", run_aes_updates, make_aes_key, false, true },
	{ "aes export: ", run_aes_export, make_aes_key, false, true },
	{ "aes import: ", run_aes_import, make_aes_state, false, true },
#endif
};

static void find(const void *secret, size_t len, const char *what)
{
	const struct residue *residue = call_residue();

	if (memmem(residue->dead, sizeof(residue->dead), secret, len))
		fail("%s%s is on the stack", doing, what);
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
		memset(m->tag, 0, BATCH_MAX * TAG_SIZE);
		call(way->run, m);
		left[i] = *call_residue();
		/* verify writes no tag, so the right one is still a secret. */
		memcpy(tags_of[i], m->tag, BATCH_MAX * TAG_SIZE);
	}
}

/* Searches for the secrets of one message; key is its one-time key. */
static void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t rest = len % BLOCK_SIZE;
	u64 r[3];

	ref_r(r, key);
	find(key, 16, "the unclamped r");
	find(r, 16, "r");
	find(key + 16, 16, "s");
	if (rest >= 8)
		find(data + len - rest, rest, "the end of the message");
}

static void find_all(const struct way *way, const struct message *m)
{
	u8 tag[TAG_SIZE];

	find_secrets(m->key, m->key + KEY_SIZE, m->len);
	if (way->run == run_verify) {
		ref_tag(tag, m->key, m->key + KEY_SIZE, m->len);
		find(tag, TAG_SIZE, "the right tag");
	}
#ifndef POLY1271
	if (way->run == run_prepare)
		find_powers(&m->prepared->state, &left[1]);
	if (way->aes) {
		u8 key[KEY_SIZE];

		memcpy(key, m->aes_key + 16, 16);
		aes_block(m->aes_key, aes_input(m), key + 16);
		find(m->aes_key, 16, "k");
		find_secrets(key, aes_input(m) + 16, m->len);
	} else if (way->run == run_batch) {
		unsigned int j;

		for (j = 0; j < m->nreqs; j++)
			find_secrets(m->reqs[j].key, m->reqs[j].data,
				     m->reqs[j].len);
	}
#endif
}

/* No copy of a context, descriptor or buffer stays on the stack. */
static void test_glue(const struct tier *tier)
{
	struct message m = {
		.tier = tier,
		.key = input.ro,
		.tag = tags.rw,
		.ctx = (void *)objects.rw,
		.desc = (void *)objects.rw,
		.prepared = (void *)(objects.rw + objects.size / 2),
		.reqs = (void *)requests.rw,
	};
	const struct way *way;
	u64 i;

	call_residue();
	need_optimization();
	serve_by(tier);
	ntags = BATCH_MAX;
	for (i = first_case(); next_case(&i, 600 + 20); i++) {
		m.len = i < 600 ? i : rnd_below(INPUT_MAX - KEY_SIZE - 16);
		for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
#ifndef POLY1271
			m.desc->tfm = aes_transform();
#endif
			run_twice(way, &m);
			doing = way->name;
			if (CHECK_CLEAN_GPR)
				compare_gpr();
			if (!tier->compiled && !way->arithmetic)
				compare_stack();
			if (CHECK_CLEAN_VECTORS)
				compare_vectors();
			find_all(way, &m);
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
