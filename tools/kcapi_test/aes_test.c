// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests poly1305(aes), or another instance of that template, through AF_ALG:
 * with the paper's vectors, and against OpenSSL's cipher and the big-integer
 * arithmetic of these tests. Prints TAP.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/if_alg.h>
#include <openssl/evp.h>

#include "afalg.h"
#include "../../poly1305_aes_vectors.h"

#define CIPHER_KEY	16
#define NONCE		16
#define KEY		32
#define TAG		POLY1305_TAG_SIZE
#define DATA_MAX	9000		/* more than two pages */
#define CANARY		0xa5

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#ifndef SOL_ALG
#define SOL_ALG		279
#endif

/* The arguments of a case: an instance, and the number of random messages */
struct instance {
	const char *cipher;
	const EVP_CIPHER *evp;
	char name[64];
	unsigned int count;
	struct rng rng;
	int tfm;
};

struct aes_case {
	const char *name;
	bool (*run)(struct instance *t);
};

static void clamp(unsigned char *r)
{
	int i;

	for (i = 3; i < 16; i += 4)
		r[i] &= 0x0f;
	for (i = 4; i < 16; i += 4)
		r[i] &= 0xfc;
}

static void random_key(struct instance *t, unsigned char key[KEY])
{
	rng_fill(&t->rng, key, KEY);
	clamp(key + CIPHER_KEY);
}

static int set_key(int tfm, const unsigned char *key, size_t len)
{
	return setsockopt(tfm, SOL_ALG, ALG_SET_KEY, key, len) ? -errno : 0;
}

/* One block, encrypted by OpenSSL */
static void encrypt(const EVP_CIPHER *evp, const unsigned char *key,
		    const unsigned char *in, unsigned char *out)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	if (!ctx || !EVP_EncryptInit_ex(ctx, evp, NULL, key, NULL) ||
	    !EVP_EncryptUpdate(ctx, out, &n, in, NONCE) || n != NONCE) {
		fputs("aes_test: OpenSSL cannot encrypt\n", stderr);
		exit(TAP_FAIL);
	}
	EVP_CIPHER_CTX_free(ctx);
}

/* The right tag: Poly1305 of the message under r || cipher(nonce) */
static void reference(const struct instance *t, const unsigned char *key,
		      const unsigned char *data, size_t len, unsigned char *tag)
{
	unsigned char one_time[POLY1305_KEY_SIZE];

	memcpy(one_time, key + CIPHER_KEY, 16);
	encrypt(t->evp, key, data, one_time + 16);
	poly1305_ref(one_time, data + NONCE, len - NONCE, tag);
}

/* Receives a tag; -EBADMSG if it is not the right one. */
static int check_tag(const struct instance *t, int op, const unsigned char *key,
		     const unsigned char *data, size_t len)
{
	unsigned char want[TAG], got[TAG];
	int err = alg_recv(op, got);

	if (err)
		return err;
	reference(t, key, data, len, want);
	return memcmp(want, got, TAG) ? -EBADMSG : 0;
}

static int mac(const struct instance *t, int op, const unsigned char *key,
	       const unsigned char *data, size_t len)
{
	return alg_send(op, data, len, 0) ?: check_tag(t, op, key, data, len);
}

static size_t unhex(unsigned char *out, const char *hex)
{
	size_t n;

	for (n = 0; sscanf(hex + 2 * n, "%2hhx", &out[n]) == 1; n++)
		;
	return n;
}

static bool vectors(struct instance *t)
{
	const size_t n = ARRAY_SIZE(poly1305_aes_testvecs);
	unsigned char key[KEY], data[POLY1305_AES_TESTVEC_MAX + 1];
	unsigned char tag[TAG], got[TAG];
	size_t i, len;
	int op, err;

	for (i = 0; i < n; i++) {
		unhex(key, poly1305_aes_testvecs[i].key);
		len = unhex(data, poly1305_aes_testvecs[i].data);
		unhex(tag, poly1305_aes_testvecs[i].tag);
		err = set_key(t->tfm, key, KEY);
		op = alg_accept(t->tfm);
		err = err ?: alg_send(op, data, len, 0) ?: alg_recv(op, got);
		close(op);
		if (err || memcmp(tag, got, TAG))
			return fail("vector %zu: %s", i + 1,
				    why(err ?: -EBADMSG));
	}
	return true;
}

/* Messages under a new key each, in one piece or cut at random */
static bool random_messages(struct instance *t)
{
	static unsigned char data[DATA_MAX];
	unsigned char key[KEY];
	size_t len, at, n;
	unsigned int i;
	int op, err;

	for (i = 0; i < t->count; i++) {
		random_key(t, key);
		len = NONCE + (rng_below(&t->rng, 8) ?
			       rng_below(&t->rng, 300) :
			       rng_below(&t->rng, DATA_MAX - NONCE + 1));
		rng_fill(&t->rng, data, len);
		err = set_key(t->tfm, key, KEY);
		op = alg_accept(t->tfm);
		n = len;
		for (at = 0; at < len && !err; at += n) {
			if (i % 2)
				n = 1 + rng_below(&t->rng, len - at);
			err = alg_send(op, data + at, n,
				       at + n < len ? MSG_MORE : 0);
		}
		err = err ?: check_tag(t, op, key, data, len);
		close(op);
		if (err)
			return fail("message %u, %zu bytes: %s", i, len,
				    why(err));
	}
	return true;
}

/* Sets a key, and makes len bytes to authenticate. */
static int new_key(struct instance *t, unsigned char key[KEY],
		   unsigned char *data, size_t len)
{
	random_key(t, key);
	rng_fill(&t->rng, data, len);
	return set_key(t->tfm, key, KEY);
}

/* Many messages under one key, each with a nonce of its own */
static bool one_key(struct instance *t)
{
	static unsigned char data[DATA_MAX];
	unsigned char key[KEY];
	size_t len = 0;
	unsigned int i;
	int op, err;

	err = new_key(t, key, data, sizeof(data));
	op = alg_accept(t->tfm);
	for (i = 0; i < 1000 && !err; i++) {
		memcpy(data, &i, sizeof(i));
		len = NONCE + rng_below(&t->rng, i % 10 ? 200 : 2000);
		err = mac(t, op, key, data, len);
	}
	close(op);
	return err ? fail("message %u, %zu bytes: %s", i, len, why(err)) : true;
}

/* Every length to 1084 */
static bool lengths(struct instance *t)
{
	static unsigned char data[DATA_MAX];
	unsigned char key[KEY];
	size_t len;
	int op, err;

	err = new_key(t, key, data, sizeof(data));
	op = alg_accept(t->tfm);
	for (len = NONCE; len <= 1100 && !err; len++)
		err = mac(t, op, key, data, len);
	close(op);
	return err ? fail("%zu bytes: %s", len - 1, why(err)) : true;
}

static bool key_lengths(struct instance *t)
{
	unsigned char key[2 * KEY] = {};
	size_t len;
	int err;

	for (len = 0; len <= sizeof(key); len++) {
		err = set_key(t->tfm, key, len);
		if (err != (len == KEY ? 0 : -EINVAL))
			return fail("%zu bytes: %s", len, why(err));
	}
	return true;
}

/* Each bit of r alone: setkey refuses the 22 that Poly1305 forbids, and no other. */
static bool forbidden_bits(struct instance *t)
{
	static const unsigned char all[16] = {
		255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255, 255
	};
	unsigned char allowed[16], key[KEY];
	unsigned int bit, refused = 0;
	int err, want;

	memcpy(allowed, all, sizeof(all));
	clamp(allowed);
	for (bit = 0; bit < 128; bit++) {
		memset(key, 0, KEY);
		key[CIPHER_KEY + bit / 8] = 1 << bit % 8;
		want = allowed[bit / 8] >> bit % 8 & 1 ? 0 : -EINVAL;
		err = set_key(t->tfm, key, KEY);
		if (err != want)
			return fail("bit %u: %s", bit, why(err));
		refused += !!want;
	}
	if (refused != 22)
		return fail("%u bits refused", refused);
	memcpy(key + CIPHER_KEY, all, sizeof(all));
	err = set_key(t->tfm, key, KEY);
	return err == -EINVAL ? true : fail("all bits: %s", why(err));
}

/* Without a key, or after a key that was refused, there are no tags. */
static bool no_key(struct instance *t)
{
	unsigned char data[NONCE] = {}, key[KEY], tag[TAG];
	const char *how = "no key yet";
	int tfm, op, err;

	tfm = alg_bind(t->name);
	op = alg_accept(tfm);
	err = op < 0 ? op : alg_send(op, data, NONCE, 0) ?: alg_recv(op, tag);
	close(op);
	if (err != -ENOKEY)
		goto out;

	how = "a key refused after a good one";
	random_key(t, key);
	err = set_key(tfm, key, KEY);
	key[CIPHER_KEY + 3] |= 0x80;
	if (!err && set_key(tfm, key, KEY) == -EINVAL) {
		op = alg_accept(tfm);
		err = op < 0 ? op :
		      alg_send(op, data, NONCE, 0) ?: alg_recv(op, tag);
		close(op);
	}
out:
	close(tfm);
	return err == -ENOKEY ? true : fail("%s: %s", how, why(err));
}

/* The call that ends the message gives EINVAL, and no byte of a tag. */
static int want_einval(int err, int op)
{
	unsigned char tag[TAG];
	size_t i;

	if (!err) {
		memset(tag, CANARY, TAG);
		err = alg_recv(op, tag);
		for (i = 0; i < TAG; i++) {
			if (tag[i] != CANARY)
				return -EBADE;
		}
	}
	return err == -EINVAL ? 0 : err ?: -EBADMSG;
}

static bool short_nonce(struct instance *t)
{
	unsigned char key[KEY], data[NONCE + 100];
	const char *how = "";
	size_t n, i;
	int op, err;

	err = new_key(t, key, data, sizeof(data));
	op = alg_accept(t->tfm);
	for (n = 0; n < NONCE && !err; n++) {
		how = "one send";
		err = want_einval(alg_send(op, data, n, 0), op) ?:
		      mac(t, op, key, data, sizeof(data));
		if (err)
			break;
		how = "byte by byte";
		for (i = 0; i < n && !err; i++)
			err = alg_send(op, data + i, 1, MSG_MORE);
		err = want_einval(err, op) ?:
		      mac(t, op, key, data, sizeof(data));
	}
	close(op);
	return err ? fail("%zu bytes of nonce, %s: %s", n, how, why(err)) : true;
}

/* An accepted operation in the middle: export and import */
static bool clones(struct instance *t)
{
	unsigned char key[KEY], data[NONCE + 60], other[NONCE + 60];
	size_t at;
	int op, clone, err;

	err = new_key(t, key, data, sizeof(data));
	for (at = 1; at < sizeof(data) && !err; at++) {
		memcpy(other, data, at);
		rng_fill(&t->rng, other + at, sizeof(other) - at);
		op = alg_accept(t->tfm);
		err = alg_send(op, data, at, MSG_MORE);
		clone = alg_accept(op);
		err = err ?:
		      alg_send(clone, other + at, sizeof(other) - at, 0) ?:
		      alg_send(op, data + at, sizeof(data) - at, 0) ?:
		      check_tag(t, clone, key, other, sizeof(other)) ?:
		      check_tag(t, op, key, data, sizeof(data));
		close(clone);
		close(op);
	}
	return err ? fail("after %zu bytes: %s", at - 1, why(err)) : true;
}

/* A tag can be read once: the second read ends a new message, without a nonce. */
static bool tag_once(struct instance *t)
{
	unsigned char key[KEY], data[NONCE + 700];
	size_t len;
	int op, err;

	err = new_key(t, key, data, sizeof(data));
	op = alg_accept(t->tfm);
	err = err ?: want_einval(0, op);
	for (len = NONCE; len <= sizeof(data) && !err; len += 9)
		err = mac(t, op, key, data, len) ?: want_einval(0, op) ?:
		      want_einval(0, op);
	close(op);
	return err ? fail("%zu bytes: %s", len - 9, why(err)) : true;
}

/* Empty sends between the bytes of a nonce and of a message */
static bool empty_pieces(struct instance *t)
{
	unsigned char key[KEY], data[NONCE + 40];
	size_t at;
	int op, err;

	err = new_key(t, key, data, sizeof(data));
	op = alg_accept(t->tfm);
	for (at = 0; at < sizeof(data) && !err; at++)
		err = alg_send(op, NULL, 0, MSG_MORE) ?:
		      alg_send(op, data + at, 1, MSG_MORE);
	err = err ?: alg_send(op, NULL, 0, 0) ?:
	      check_tag(t, op, key, data, sizeof(data));
	close(op);
	return err ? fail("after %zu bytes: %s", at, why(err)) : true;
}

/* No instance with blocks of 8 bytes. Another MAC shows that the kernel has the cipher. */
static bool other_blocks(struct instance *t)
{
	int fd = alg_bind("cmac(des3_ede)"), err;

	if (fd < 0)
		return fail("no cipher to try: %s", why(fd));
	close(fd);
	/* The instance under test exists; this one must not. */
	close(t->tfm);
	t->tfm = alg_bind("poly1305(des3_ede)");
	err = t->tfm;
	return err == -ENOENT || err == -EINVAL ? true : fail("%s", why(err));
}

/* The first two cases are for AES only. */
#define AES_CASES	2

static const struct aes_case cases[] = {
	{ "vectors", vectors },
	{ "no blocks of another size", other_blocks },
	{ "random messages, new keys", random_messages },
	{ "a thousand messages, one key", one_key },
	{ "every length to 1084", lengths },
	{ "keys of other lengths", key_lengths },
	{ "forbidden bits of r", forbidden_bits },
	{ "no key", no_key },
	{ "no whole nonce", short_nonce },
	{ "clones", clones },
	{ "a tag is there once", tag_once },
	{ "empty pieces", empty_pieces },
};

static unsigned int first_case(const char *cipher)
{
	return strcmp(cipher, "aes") ? AES_CASES : 0;
}

static const EVP_CIPHER *evp_of(const char *cipher)
{
	if (!strcmp(cipher, "aes"))
		return EVP_aes_128_ecb();
	if (!strcmp(cipher, "camellia"))
		return EVP_camellia_128_ecb();
	if (!strcmp(cipher, "sm4"))
		return EVP_sm4_ecb();
	return NULL;
}

static void usage(FILE *out)
{
	fputs("Usage: aes_test [-n COUNT] [-s SEED] [CIPHER...]\n"
	      "Test poly1305(CIPHER) of the running kernel. Prints TAP.\n"
	      "\n"
	      "  -n COUNT  random messages (default 10000)\n"
	      "  -s SEED   of the random numbers, as an earlier run printed it\n"
	      "  -h        this text\n"
	      "\n"
	      "CIPHER is aes (the default), camellia or sm4.\n"
	      "Exit status: 0 passed, 1 not, 4 skipped: the kernel has no AF_ALG.\n",
	      out);
}

int main(int argc, char **argv)
{
	static char aes[4] = "aes", *just_aes[] = { aes };
	struct instance t = { .count = 10000 };
	const char *seed = NULL;
	struct rng rng;
	unsigned int i, plan = 0;
	int opt, fd, n;

	while ((opt = getopt(argc, argv, "n:s:h")) != -1) {
		switch (opt) {
		case 'n':
			t.count = strtoul(optarg, NULL, 10);
			break;
		case 's':
			seed = optarg;
			break;
		case 'h':
			usage(stdout);
			return TAP_PASS;
		default:
			usage(stderr);
			return TAP_FAIL;
		}
	}
	if (!t.count || !rng_seed(&rng, seed)) {
		usage(stderr);
		return TAP_FAIL;
	}
	fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
	if (fd < 0)
		return tap_skip_all("the kernel has no AF_ALG");
	close(fd);

	argv += optind;
	argc -= optind;
	if (!argc) {
		argc = 1;
		argv = just_aes;
	}
	for (n = 0; n < argc; n++)
		plan += ARRAY_SIZE(cases) - first_case(argv[n]);
	tap_plan(plan);
	tap_diag("seed %#llx", rng.state);
	for (n = 0; n < argc; n++) {
		t.cipher = argv[n];
		t.evp = evp_of(t.cipher);
		snprintf(t.name, sizeof(t.name), "poly1305(%s)", t.cipher);
		for (i = first_case(t.cipher); i < ARRAY_SIZE(cases); i++) {
			t.rng = rng;
			t.tfm = t.evp ? alg_bind(t.name) : -EINVAL;
			if (t.tfm < 0)
				tap_diag("  cannot bind: %s", why(t.tfm));
			tap_result(t.tfm >= 0 && cases[i].run(&t), "%s: %s",
				   t.name, cases[i].name);
			if (t.tfm >= 0)
				close(t.tfm);
		}
	}
	return tap_end();
}
