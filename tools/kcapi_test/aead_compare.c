// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aead_compare [-n COUNT] [-s SEED] [NAME...]: are the kernel's AEADs of these names
 * ChaCha20-Poly1305?
 *
 * Seals random messages, and compares them with those of aead_ref.c; opens them; tampers. The
 * kernel gets each result's memory in pieces, so it works on a list of entries of any length.
 * Prints TAP. The exit status is 4 if the kernel has no AF_ALG or no crypto_user, or if no name
 * is given and it lacks the default one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <kcapi.h>

#include "../../tests/reference/aead_ref.h"
#include "tap.h"

#define DEFAULT_NAME	"rfc7539(chacha20,poly1305)"
#define MIN_COUNT	100	/* enough for every kind of tampering */
#define ASSOC_MAX	64
#define TEXT_MAX	4096
#define MESSAGE_MAX	(ASSOC_MAX + TEXT_MAX + AEAD_TAG_SIZE)

/* The most pieces of a message; with one the list has a single entry a page. */
#define PIECES_MAX	6

/* A transform with operations takes no second key, so each key gets a new transform. */
#define MESSAGES_PER_KEY	50

struct message {
	unsigned char key[AEAD_KEY_SIZE];
	unsigned char nonce[AEAD_NONCE_SIZE];
	unsigned char plain[ASSOC_MAX + TEXT_MAX];	/* assoc, then text */
	unsigned char sealed[MESSAGE_MAX];		/* by the reference */
	size_t alen, len;
};

/* The checks of every message; each becomes one line of TAP. */
enum check { SEALED, OPENED, TAG_REFUSED, TEXT_REFUSED, ASSOC_REFUSED, CHECKS };

static const char *const check_names[CHECKS] = {
	[SEALED] = "ciphertexts and tags equal the reference's",
	[OPENED] = "decryption gives back the plaintext",
	[TAG_REFUSED] = "a changed tag gives EBADMSG",
	[TEXT_REFUSED] = "a changed ciphertext gives EBADMSG",
	[ASSOC_REFUSED] = "changed associated data give EBADMSG",
};

static struct tally {
	unsigned int tried, wrong, first_wrong;
} tallies[CHECKS];

static void tally(enum check which, unsigned int number, bool right)
{
	struct tally *t = &tallies[which];

	t->tried++;
	if (!right && !t->wrong++)
		t->first_wrong = number;
}

static int open_aead(struct kcapi_handle **handle, const char *name, const unsigned char *key)
{
	int err = kcapi_aead_init(handle, name, 0);

	if (!err && kcapi_aead_ivsize(*handle) != AEAD_NONCE_SIZE)
		err = -EINVAL;
	err = err ?: kcapi_aead_setkey(*handle, key, AEAD_KEY_SIZE) ?:
	      kcapi_aead_settaglen(*handle, AEAD_TAG_SIZE);
	if (err)
		tap_diag("%s: %s", name, strerror(-err));
	return err;
}

/*
 * Cuts a buffer into random pieces, one time in four into one. Half the pieces are short, so
 * that associated data are cut, too. Returns their number.
 */
static size_t cut(struct rng *rng, const unsigned char *data, size_t len, struct iovec *iov)
{
	const bool whole = !rng_below(rng, 4);
	size_t n = 0, most, take;

	for (; len; len -= take, data += take) {
		most = len > ASSOC_MAX && rng_below(rng, 2) ? ASSOC_MAX : len;
		take = whole || n == PIECES_MAX - 1 ? len : 1 + rng_below(rng, most);
		iov[n++] = (struct iovec){ (void *)data, take };
	}
	return n;
}

/* Sends a message in pieces, and reads the result into pieces. Returns its length or an error. */
static ssize_t transfer(struct kcapi_handle *handle, struct rng *rng,
			const unsigned char *in, size_t in_len,
			unsigned char *out, size_t out_len)
{
	struct iovec iov[PIECES_MAX];
	ssize_t sent = kcapi_aead_stream_update_last(handle, iov, cut(rng, in, in_len, iov));

	if (sent < 0)
		return sent;
	return kcapi_aead_stream_op(handle, iov, cut(rng, out, out_len, iov));
}

/* Writes associated data, ciphertext and tag. */
static bool seal(struct kcapi_handle *handle, const struct message *m, struct rng *rng,
		 unsigned char *out)
{
	const size_t in_len = m->alen + m->len, out_len = in_len + AEAD_TAG_SIZE;

	kcapi_aead_setassoclen(handle, m->alen);
	return kcapi_aead_stream_init_enc(handle, m->nonce, NULL, 0) >= 0 &&
	       transfer(handle, rng, m->plain, in_len, out, out_len) == (ssize_t)out_len;
}

/* Writes associated data and text; returns their length or an error. */
static ssize_t open_sealed(struct kcapi_handle *handle, const struct message *m,
			   struct rng *rng, unsigned char *out)
{
	const size_t out_len = m->alen + m->len;
	ssize_t err;

	kcapi_aead_setassoclen(handle, m->alen);
	err = kcapi_aead_stream_init_dec(handle, m->nonce, NULL, 0);
	/* The kernel decrypts only if there is room for output. */
	return err < 0 ? err : transfer(handle, rng, m->sealed, out_len + AEAD_TAG_SIZE, out,
					out_len ?: 1);
}

/* Flips one bit in one of the three parts, which take turns. */
static enum check tamper(unsigned int number, struct message *m, struct rng *rng)
{
	enum check part = TAG_REFUSED + number % 3;
	size_t at = m->alen + m->len + rng_below(rng, AEAD_TAG_SIZE);

	if (part == TEXT_REFUSED && m->len)
		at = m->alen + rng_below(rng, m->len);
	else if (part == ASSOC_REFUSED && m->alen)
		at = rng_below(rng, m->alen);
	else
		part = TAG_REFUSED;
	m->sealed[at] ^= 1 << rng_below(rng, 8);
	return part;
}

static void check(struct kcapi_handle *handle, unsigned int number, struct message *m,
		  struct rng *rng)
{
	const size_t plain_len = m->alen + m->len, sealed_len = plain_len + AEAD_TAG_SIZE;
	unsigned char out[MESSAGE_MAX] = { 0 };
	enum check part;

	memcpy(m->sealed, m->plain, m->alen);
	aead_ref_encrypt(m->key, m->nonce, m->plain, m->alen, m->plain + m->alen, m->len,
			 m->sealed + m->alen);
	tally(SEALED, number, seal(handle, m, rng, out) && !memcmp(out, m->sealed, sealed_len));
	memset(out, 0, sizeof(out));
	tally(OPENED, number, open_sealed(handle, m, rng, out) == (ssize_t)plain_len &&
	      !memcmp(out, m->plain, plain_len));
	part = tamper(number, m, rng);
	tally(part, number, open_sealed(handle, m, rng, out) == -EBADMSG);
}

static void random_message(struct rng *rng, struct message *m)
{
	m->alen = rng_below(rng, ASSOC_MAX + 1);
	m->len = rng_below(rng, TEXT_MAX + 1);
	/* Empty and tiny ones more often than chance alone would give. */
	if (!rng_below(rng, 16))
		m->alen = 0;
	if (!rng_below(rng, 16))
		m->len = rng_below(rng, 20);
	rng_fill(rng, m->nonce, sizeof(m->nonce));
	rng_fill(rng, m->plain, m->alen + m->len);
}

#define TIP_1	"Ladies and Gentlemen of the class of '99: If I could offer "
#define TIP_2	"you only one tip for the future, sunscreen would be it."

/* RFC 8439, section 2.8.2: the tag depends on every byte of the ciphertext. */
static bool reference_is_right(void)
{
	static const unsigned char nonce[AEAD_NONCE_SIZE] = {
		0x07, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47
	};
	static const unsigned char assoc[] = {
		0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5,
		0xc6, 0xc7
	};
	static const char text[] = TIP_1 TIP_2;
	static const unsigned char tag[AEAD_TAG_SIZE] = {
		0x1a, 0xe1, 0x0b, 0x59, 0x4f, 0x09, 0xe2, 0x6a,
		0x7e, 0x90, 0x2e, 0xcb, 0xd0, 0x60, 0x06, 0x91
	};
	unsigned char key[AEAD_KEY_SIZE], out[sizeof(text) + AEAD_TAG_SIZE];
	const size_t len = sizeof(text) - 1;
	int i;

	for (i = 0; i < AEAD_KEY_SIZE; i++)
		key[i] = 0x80 + i;
	aead_ref_encrypt(key, nonce, assoc, sizeof(assoc),
			 (const unsigned char *)text, len, out);
	return !memcmp(out + len, tag, AEAD_TAG_SIZE);
}

static int run(const char *name, unsigned int count, struct rng *rng)
{
	static struct message m;
	struct kcapi_handle *handle = NULL;
	unsigned int number;
	int err = 0, i;

	memset(tallies, 0, sizeof(tallies));
	for (number = 0; number < count && !err; number++) {
		if (number % MESSAGES_PER_KEY == 0) {
			kcapi_aead_destroy(handle);
			rng_fill(rng, m.key, sizeof(m.key));
			err = open_aead(&handle, name, m.key);
			if (err)
				break;
		}
		random_message(rng, &m);
		check(handle, number, &m, rng);
	}
	kcapi_aead_destroy(handle);

	/* A check passes only if it was made at least once. */
	for (i = 0; i < CHECKS; i++) {
		if (tallies[i].wrong)
			tap_diag("  %u of %u wrong, first in message %u", tallies[i].wrong,
				 tallies[i].tried, tallies[i].first_wrong);
		tap_result(tallies[i].tried && !tallies[i].wrong, "%s: %s (%u)", name,
			   check_names[i], tallies[i].tried);
	}
	return err;
}

int main(int argc, char **argv)
{
	static char default_name[] = DEFAULT_NAME, *just_default[] = { default_name };
	unsigned long count = 10000;
	const char *seed = NULL;
	struct kcapi_handle *handle;
	struct rng rng;
	bool named;
	int opt, err, failed = 0;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		if (opt == 'n')
			count = strtoul(optarg, NULL, 10);
		else if (opt == 's')
			seed = optarg;
		else
			count = 0;
	}
	named = optind < argc;
	argv = named ? argv + optind : just_default;
	argc = named ? argc - optind : 1;
	if (count < MIN_COUNT || !rng_seed(&rng, seed)) {
		fprintf(stderr, "usage: aead_compare [-n COUNT] [-s SEED] [NAME...]\n"
			"COUNT is at least %d, and 10000 by default.\n", MIN_COUNT);
		return TAP_FAIL;
	}

	kcapi_set_verbosity(KCAPI_LOG_NONE);
	err = kcapi_aead_init(&handle, argv[0], 0);
	if (err == -EAFNOSUPPORT)
		return tap_skip_all("this kernel has no AF_ALG");
	if (err == -EPROTONOSUPPORT)
		return tap_skip_all("libkcapi needs the kernel's crypto_user");
	if (err == -ENOENT && !named)
		return tap_skip_all("this kernel has no " DEFAULT_NAME " (or lacks algif_aead)");
	if (!err)
		kcapi_aead_destroy(handle);

	tap_plan(1 + CHECKS * argc);
	tap_diag("seed %#llx", rng.state);
	tap_result(reference_is_right(), "the reference gives the tag of RFC 8439 2.8.2");
	for (; argc; argc--, argv++)
		failed |= run(*argv, count, &rng);
	return failed ? TAP_FAIL : tap_end();
}
