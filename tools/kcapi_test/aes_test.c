// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aes_test [-n COUNT] [-s SEED] [CIPHER]: tests poly1305(CIPHER) through AF_ALG, against
 * OpenSSL's cipher and big-integer arithmetic. tests/cases/aes.c tests more. CIPHER is aes (the
 * default), camellia or sm4. Prints TAP. The exit status is 4 if the kernel has no AF_ALG.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>
#include <openssl/evp.h>

#include "afalg.h"

#define CIPHER_KEY	16
#define NONCE		16
#define DATA_MAX	9000		/* more than two pages */

#ifndef SOL_ALG
#define SOL_ALG		279
#endif

static const EVP_CIPHER *evp;
static char name[64];
static unsigned int count = 10000;	/* of random messages */
static struct rng rng;
static int tfm, op = -1;		/* the parent socket, and the operation with its key */
static unsigned char key[KEY], data[DATA_MAX];

/* A key can be set only while there is no operation. */
static int set_key(size_t len)
{
	int err;

	close(op);
	err = setsockopt(tfm, SOL_ALG, ALG_SET_KEY, key, len) ? -errno : 0;
	op = alg_accept(tfm);
	return err ?: op < 0 ? op : 0;
}

/* Sets a random key, and makes len bytes to authenticate. */
static int begin(size_t len)
{
	int i;

	rng_fill(&rng, data, len);
	rng_fill(&rng, key, KEY);
	for (i = CIPHER_KEY + 3; i < KEY; i += 4)
		key[i] &= 0x0f;
	for (i = CIPHER_KEY + 4; i < KEY; i += 4)
		key[i] &= 0xfc;
	return set_key(KEY);
}

/* Receives a tag; -EBADMSG if it is not Poly1305 of the message under r || cipher(nonce). */
static int check(int from, const unsigned char *message, size_t len)
{
	unsigned char want[TAG], got[TAG], one_time[KEY];
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n, err = alg_recv(from, got);

	memcpy(one_time, key + CIPHER_KEY, 16);
	if (!ctx || !EVP_EncryptInit_ex(ctx, evp, NULL, key, NULL) ||
	    !EVP_EncryptUpdate(ctx, one_time + 16, &n, message, NONCE) || n != NONCE)
		exit(TAP_FAIL);
	EVP_CIPHER_CTX_free(ctx);
	poly1305_ref(one_time, message + NONCE, len - NONCE, want);
	return err ?: memcmp(want, got, TAG) ? -EBADMSG : 0;
}

/* In one piece or cut at random, with empty pieces; sometimes under the key of the last one */
static bool messages(void)
{
	size_t len, at, n;
	unsigned int i;
	int err = 0;

	for (i = 0; i < count; i++) {
		len = NONCE + rng_below(&rng, rng_below(&rng, 8) ? 300 : DATA_MAX - NONCE);
		if (i % 4 == 0)
			err = begin(len);
		else
			rng_fill(&rng, data, len);
		n = len;
		for (at = 0; at < len && !err; at += n) {
			if (i % 2)
				n = rng_below(&rng, len - at + 1);
			err = alg_send(op, data + at, n, at + n < len ? MSG_MORE : 0);
		}
		err = err ?: check(op, data, len);
		if (err)
			return fail("message %u, %zu bytes: %s", i, len, why(err));
	}
	return true;
}

/*
 * Too short a nonce; a tag that is read twice; then keys that are too short or have a forbidden
 * bit, and so no tag
 */
static bool errors(void)
{
	int err = begin(100);

	err = err ?: alg_refused(-EINVAL, alg_send(op, data, NONCE - 1, 0), op) ?:
	      alg_send(op, data, 100, 0) ?: check(op, data, 100) ?: alg_refused(-EINVAL, 0, op);
	if (!err && set_key(KEY - 1) != -EINVAL)
		err = -EBADE;
	key[CIPHER_KEY + 3] |= 0x10;
	if (!err && set_key(KEY) != -EINVAL)
		err = -EBADE;
	err = err ?: alg_refused(-ENOKEY, alg_send(op, data, NONCE, 0), op);
	return err ? fail("%s", why(err)) : true;
}

/* An accepted operation in the middle: export and import */
static bool clones(void)
{
	unsigned char other[NONCE + 60];
	const size_t len = sizeof(other);
	int old, new, err;
	size_t at;

	err = begin(len);
	for (at = 1; at < len && !err; at++) {
		memcpy(other, data, at);
		rng_fill(&rng, other + at, len - at);
		old = alg_accept(tfm);
		err = alg_send(old, data, at, MSG_MORE);
		new = alg_accept(old);
		err = err ?: alg_send(new, other + at, len - at, 0) ?:
		      alg_send(old, data + at, len - at, 0) ?:
		      check(new, other, len) ?: check(old, data, len);
		close(new);
		close(old);
	}
	return err ? fail("after %zu bytes: %s", at - 1, why(err)) : true;
}

/* No instance with blocks of 8 bytes. Another MAC shows that the kernel has the cipher. */
static bool other_blocks(void)
{
	int other = alg_bind("cmac(des3_ede)"), ours = alg_bind("poly1305(des3_ede)");

	if (other < 0 || (ours != -ENOENT && ours != -EINVAL))
		return fail("cmac: %d, poly1305: %d", other, ours);
	close(other);
	return true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)(void);
	} cases[] = {
		{ "random messages", messages },
		{ "errors", errors },
		{ "clones", clones },
		{ "no blocks of another size", other_blocks },
	};
	const char *seed = NULL, *cipher;
	struct rng start;
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		if (opt == 'n')
			count = strtoul(optarg, NULL, 10);
		else
			seed = optarg;
	}
	cipher = optind < argc ? argv[optind] : "aes";
	evp = !strcmp(cipher, "aes") ? EVP_aes_128_ecb() :
	      !strcmp(cipher, "camellia") ? EVP_camellia_128_ecb() :
	      !strcmp(cipher, "sm4") ? EVP_sm4_ecb() : NULL;
	if (!evp || !count || !rng_seed(&start, seed)) {
		fputs("usage: aes_test [-n COUNT] [-s SEED] [aes|camellia|sm4]\n", stderr);
		return TAP_FAIL;
	}
	snprintf(name, sizeof(name), "poly1305(%s)", cipher);
	tfm = alg_bind(name);
	if (tfm == -EAFNOSUPPORT)
		return tap_skip_all("the kernel has no AF_ALG");
	tap_plan(ARRAY_SIZE(cases));
	tap_diag("seed %#llx", start.state);
	if (tfm < 0)
		tap_diag("cannot bind to %s: %s", name, why(tfm));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rng = start;
		tap_result(!begin(0) && cases[i].run(), "%s: %s", name, cases[i].name);
	}
	return tap_end();
}
