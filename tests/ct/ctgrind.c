// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ctgrind [--adx] [DRIVER...]: finds branches and addresses that depend on secrets.
 * It marks keys, messages, states and tags as undefined. Valgrind's memcheck, under
 * which it must run, traces undefined bits through all computations and complains of
 * each branch and address that depends on one.
 *
 * poly1305_glue.c is included for its list of registered drivers.
 */

#include "poly1305_glue.c"
#include "poly1305_user.h"

#include <linux/errno.h>
#include <linux/scatterlist.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/memcheck.h>

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define LEN_MAX		(66 << 10)

/* arch/x86/poly1305-x86_64.S */
extern bool poly1305_has_mulx;

/*
 * Lengths at which tiers change their method. Each is tried with its neighbours, and
 * so are all lengths up to 64 bytes and every fifth up to 272.
 */
static const size_t boundaries[] = {
	512, 640, 768, 896, 1024, 1280, 2048, 2880, 3072, 4096, 6144, 8192,
	8256, 12288, 16384, 20480, 25600, 32768, 65536,
};

static u8 key[KEY_SIZE], tag[TAG_SIZE], message[KEY_SIZE + LEN_MAX + TAG_SIZE];
static struct {
	struct shash_desc desc;
	struct poly1305_desc ctx;
} hash;
static unsigned long calls;

static void hide(void *p, size_t len)
{
	VALGRIND_MAKE_MEM_UNDEFINED(p, len);
}

static void reveal(void *p, size_t len)
{
	VALGRIND_MAKE_MEM_DEFINED(p, len);
}

/* Everything is secret except lengths. */
static void try_library(size_t len)
{
	struct poly1305_mac_ctx ctx;
	int err;

	hide(key, sizeof(key));
	hide(message, sizeof(message));

	poly1305_mac_digest(key, message, len, tag);
	poly1305_mac_init_hint(&ctx, key, 2 * len);
	poly1305_mac_update(&ctx, message, len);
	poly1305_mac_update(&ctx, message, len);
	poly1305_mac_final(&ctx, tag);
	poly1305_mac_init(&ctx, key);
	poly1305_mac_update(&ctx, message, len / 3);
	poly1305_mac_update(&ctx, message + len / 3, len - len / 3);
	poly1305_mac_final(&ctx, tag);

	/* A right tag, then a wrong one. The result of verify is public. */
	poly1305_mac_digest(key, message, len, tag);
	err = poly1305_mac_verify(key, message, len, tag);
	reveal(&err, sizeof(err));
	if (err)
		exit(2);
	tag[TAG_SIZE - 1] ^= 1;
	err = poly1305_mac_verify(key, message, len, tag);
	reveal(&err, sizeof(err));
	if (err != -EBADMSG)
		exit(2);
	calls += 5;
}

/* A message in two pieces. Their addresses and lengths are public. */
static void try_list(size_t len)
{
	struct scatterlist list[2] = {
		{ message, len / 3, &list[1] },
		{ message + len / 3, len - len / 3, NULL },
	};

	hide(key, sizeof(key));
	hide(message, sizeof(message));
	if (poly1305_mac_digest_sg(key, list, len, tag))
		exit(2);
	calls++;
}

/* The nonce is public. chapoly_open() would branch on its result, which is public, too. */
static void try_packet(size_t len)
{
	static const u8 nonce[CHAPOLY_NONCE_SIZE];
	struct chapoly_pieces p;
	unsigned int seal;

	hide(key, sizeof(key));
	hide(message, sizeof(message));
	chapoly_seal(message, message, len, message, len % 40, nonce, key);
	for (seal = 0; seal < 2; seal++) {
		chapoly_begin(&p, len, nonce, key);
		chapoly_ad(&p, message, len % 40);
		chapoly_text(&p, message, message, len / 3, seal);
		chapoly_text(&p, message + len / 3, message + len / 3, len - len / 3, seal);
		chapoly_end(&p, tag);
	}
	calls += 3;
}

static void try_shash(const struct shash_alg *alg, size_t len)
{
	u8 state[POLY1305_STATE_MAX];
	int err;

	hide(message, sizeof(message));
	err = alg->digest(&hash.desc, message, KEY_SIZE + len, tag);
	err |= alg->init(&hash.desc);
	err |= alg->update(&hash.desc, message, len / 2 + 20);
	err |= alg->finup(&hash.desc, message, len - len / 2 + 12, tag);
	err |= alg->init(&hash.desc);
	err |= alg->update(&hash.desc, message, len + KEY_SIZE);
	err |= alg->export(&hash.desc, state);
	err |= alg->final(&hash.desc, tag);

	/*
	 * Whether import accepts a state is public. It tests whether r is clamped,
	 * which memcheck knows bit by bit, and whether h is below its bound, which h[2]
	 * decides.
	 */
	reveal(state + offsetof(struct poly1305_saved, h[2]), 8);
	err |= alg->import(&hash.desc, state);
	err |= alg->finup(&hash.desc, message, len, tag);
	if (err)
		exit(2);
	calls += 6;
}

/* Powers known and not, both kinds of last block */
static void try_blocks(const struct poly1305_tier *tier, size_t nblocks)
{
	const struct poly1305_code *code = tier->simd_from ? &tier->simd :
							     &tier->scalar;
	struct poly1305_mac_state state;
	size_t i;

	for (i = 0; i < 2; i++) {
		memset(&state, 0, sizeof(state));
		hide(state.h, sizeof(state.h));
		hide(state.r, sizeof(state.r));
		hide(state.pow, sizeof(state.pow));
		hide(message, sizeof(message));
		/* The second call has what the first has remembered. */
		code->blocks(&state, message, nblocks, 1);
		code->blocks(&state, message, nblocks, i);
		if (VALGRIND_CHECK_VALUE_IS_DEFINED(state.npow))
			exit(2);
		calls += 2;
	}
}

static void try_length(size_t i, size_t len)
{
	try_library(len);
	try_list(len);
	try_packet(len);
	try_shash(&drivers[i], len);
	try_blocks(poly1305_tiers[i], len / POLY1305_MAC_BLOCK_SIZE);
}

/* Returns the number of valgrind's complaints. */
static unsigned long try_tier(size_t i, const char *name)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	unsigned long errors;
	size_t len, n;
	int off;

	calls = 0;
	poly1305_use_tier(poly1305_tiers[i]);
	for (len = 0; len <= 272; len += len < 64 ? 1 : 5)
		try_length(i, len);
	for (n = 0; n < ARRAY_SIZE(boundaries); n++)
		for (off = -17; off <= 17; off += off == -1 ? 1 : 16)
			try_length(i, boundaries[n] + off);
	errors = VALGRIND_COUNT_ERRORS - before;
	printf("%s %s: %lu calls, %lu complaints\n", errors ? "not ok" : "ok",
	       name, calls, errors);
	return errors;
}

static bool wanted(char **names, const char *name)
{
	char **n;

	for (n = names; *n; n++)
		if (!strcmp(*n, name))
			return true;
	return n == names;
}

int main(int argc, char **argv)
{
	const bool adx = argv[1] && !strcmp(argv[1], "--adx");
	unsigned long errors = 0;
	const char *name;
	size_t i;

	argv += 1 + adx;
	if (!RUNNING_ON_VALGRIND) {
		fprintf(stderr, "ctgrind: must run under valgrind\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < POLY1305_NTIERS; i++) {
		name = drivers[i].base.cra_driver_name;
		if (!*name || !wanted(argv, name))
			continue;
		errors += try_tier(i, name);
		if (adx && !strcmp(name, "poly1305-x86_64")) {
			poly1305_has_mulx = true;
			errors += try_tier(i, "poly1305-x86_64 with adx");
			poly1305_has_mulx = false;
		}
	}
	return errors ? 1 : 0;
}
