// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aead_compare - do two implementations of ChaCha20-Poly1305 agree?
 *
 * Encrypts random messages with two of the kernel's AEADs, or with one and the
 * reference of aead_ref.c, and compares; decrypts; tampers. The kernel gets each result's
 * memory in pieces, so it works on a list of entries of any length. Prints TAP.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <kcapi.h>

#include "../../tests/reference/aead_ref.h"
#include "tap.h"

#define DEFAULT_NAME	"rfc7539(chacha20,poly1305)"
#define DEFAULT_COUNT	10000
#define MIN_COUNT	100	/* enough for every kind of tampering */
#define MAX_COUNT	1000000000
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
	size_t alen, len;
};

/* The checks of every message; each becomes one line of TAP. */
enum check {
	SAME, DECRYPTED, TAG_REFUSED, TEXT_REFUSED, ASSOC_REFUSED, REFERENCE,
	CHECKS
};

static const char *const check_names[CHECKS] = {
	[SAME] = "ciphertexts and tags are equal",
	[DECRYPTED] = "decryption gives back the plaintext",
	[TAG_REFUSED] = "a changed tag gives EBADMSG",
	[TEXT_REFUSED] = "a changed ciphertext gives EBADMSG",
	[ASSOC_REFUSED] = "changed associated data give EBADMSG",
	[REFERENCE] = "ciphertexts and tags equal the reference's",
};

struct tally {
	unsigned int tried, wrong, first_wrong;
};

struct comparison {
	const char *names[2];
	struct kcapi_handle *handles[2];
	int n;					/* number of AEADs, 1 or 2 */
	bool reference;
	unsigned int number;			/* of the current message */
	struct tally tallies[CHECKS];
};

static void tally(struct comparison *c, enum check which, bool right)
{
	struct tally *t = &c->tallies[which];

	t->tried++;
	if (right)
		return;
	if (!t->wrong++)
		t->first_wrong = c->number;
}

static void close_all(struct comparison *c)
{
	int i;

	for (i = 0; i < c->n; i++) {
		kcapi_aead_destroy(c->handles[i]);
		c->handles[i] = NULL;
	}
}

/* Make new transforms with this key. Returns 0, or a negative errno after a diagnosis. */
static int open_all(struct comparison *c, const unsigned char *key)
{
	int i, err;

	for (i = 0; i < c->n; i++) {
		err = kcapi_aead_init(&c->handles[i], c->names[i], 0);
		if (!err && kcapi_aead_ivsize(c->handles[i]) != AEAD_NONCE_SIZE)
			err = -EINVAL;
		if (!err)
			err = kcapi_aead_setkey(c->handles[i], key,
						AEAD_KEY_SIZE);
		if (!err)
			err = kcapi_aead_settaglen(c->handles[i],
						   AEAD_TAG_SIZE);
		if (err) {
			tap_diag("%s: %s", c->names[i], strerror(-err));
			close_all(c);
			return err;
		}
	}
	return 0;
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
static bool encrypt(struct kcapi_handle *handle, const struct message *m, struct rng *rng,
		    unsigned char *out)
{
	const size_t in_len = m->alen + m->len, out_len = in_len + AEAD_TAG_SIZE;

	kcapi_aead_setassoclen(handle, m->alen);
	return kcapi_aead_stream_init_enc(handle, m->nonce, NULL, 0) >= 0 &&
	       transfer(handle, rng, m->plain, in_len, out, out_len) == (ssize_t)out_len;
}

/* Writes associated data and text; returns their length or an error. */
static ssize_t decrypt(struct kcapi_handle *handle, const struct message *m, struct rng *rng,
		       const unsigned char *in, unsigned char *out)
{
	const size_t out_len = m->alen + m->len;
	ssize_t err;

	kcapi_aead_setassoclen(handle, m->alen);
	err = kcapi_aead_stream_init_dec(handle, m->nonce, NULL, 0);
	/* The kernel decrypts only if there is room for output. */
	return err < 0 ? err : transfer(handle, rng, in, out_len + AEAD_TAG_SIZE, out,
					out_len ?: 1);
}

/* Flips one bit in one of the three parts, which take turns. */
static enum check tamper(unsigned int number, const struct message *m,
			 struct rng *rng, unsigned char *sealed)
{
	enum check part = TAG_REFUSED + number % 3;
	size_t at = m->alen + m->len + rng_below(rng, AEAD_TAG_SIZE);

	if (part == TEXT_REFUSED && m->len)
		at = m->alen + rng_below(rng, m->len);
	else if (part == ASSOC_REFUSED && m->alen)
		at = rng_below(rng, m->alen);
	else
		part = TAG_REFUSED;
	sealed[at] ^= 1 << rng_below(rng, 8);
	return part;
}

static void compare(struct comparison *c, const struct message *m,
		    struct rng *rng)
{
	const size_t plain_len = m->alen + m->len;
	const size_t sealed_len = plain_len + AEAD_TAG_SIZE;
	unsigned char sealed[2][MESSAGE_MAX], out[MESSAGE_MAX];
	enum check part;
	bool done = true;
	int i;

	for (i = 0; i < c->n; i++)
		done &= encrypt(c->handles[i], m, rng, sealed[i]);
	if (c->n == 2)
		tally(c, SAME,
		      done && !memcmp(sealed[0], sealed[1], sealed_len));
	if (c->reference) {
		aead_ref_encrypt(m->key, m->nonce, m->plain, m->alen,
				 m->plain + m->alen, m->len, out + m->alen);
		memcpy(out, m->plain, m->alen);
		for (i = 0; i < c->n; i++)
			tally(c, REFERENCE,
			      done && !memcmp(sealed[i], out, sealed_len));
	}
	if (!done) {
		tally(c, DECRYPTED, false);
		return;
	}

	/* Each AEAD opens the message that the other has sealed. */
	for (i = 0; i < c->n; i++) {
		memset(out, 0, plain_len);
		tally(c, DECRYPTED,
		      decrypt(c->handles[i], m, rng, sealed[c->n - 1 - i], out) ==
		      (ssize_t)plain_len && !memcmp(out, m->plain, plain_len));
	}
	part = tamper(c->number, m, rng, sealed[0]);
	for (i = 0; i < c->n; i++)
		tally(c, part,
		      decrypt(c->handles[i], m, rng, sealed[0], out) == -EBADMSG);
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

static void usage(FILE *out)
{
	fputs("Usage: aead_compare [-n COUNT] [-s SEED] [-r] [NAME [NAME]]\n"
	      "Compare two of the kernel's AEADs, such as\n"
	      "rfc7539(chacha20-generic,poly1305-generic), on random messages.\n"
	      "Prints TAP.\n"
	      "\n"
	      "  -n, --count COUNT  of messages (default 10000)\n"
	      "  -s, --seed SEED    of the messages, as an earlier run printed it\n"
	      "  -r, --reference    compare with a reference inside the program too;\n"
	      "                     always so if there are not two names\n"
	      "  -h, --help         this text\n"
	      "\n"
	      "Without a name: " DEFAULT_NAME ".\n"
	      "Exit status: 0 all equal, 1 not, 4 skipped: the kernel has no AF_ALG or\n"
	      "no crypto_user, or no name was given and it lacks the default one.\n", out);
}

static int run(struct comparison *c, unsigned int count, struct rng *rng)
{
	static struct message m;
	int err = 0;

	for (c->number = 0; c->number < count && !err; c->number++) {
		if (c->number % MESSAGES_PER_KEY == 0) {
			close_all(c);
			rng_fill(rng, m.key, sizeof(m.key));
			err = open_all(c, m.key);
			if (err)
				break;
		}
		random_message(rng, &m);
		compare(c, &m, rng);
	}
	close_all(c);
	return err;
}

/* A check passes only if it was made at least once. */
static void report(const struct comparison *c)
{
	int i;

	for (i = 0; i < CHECKS; i++) {
		const struct tally *t = &c->tallies[i];

		if ((i == SAME && c->n < 2) ||
		    (i == REFERENCE && !c->reference))
			continue;
		if (t->wrong)
			tap_diag("  %u of %u wrong, first in message %u",
				 t->wrong, t->tried, t->first_wrong);
		tap_result(t->tried && !t->wrong, "%s (%u)", check_names[i],
			   t->tried);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 's' },
		{ "reference", no_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	struct comparison c = { .names = { DEFAULT_NAME }, .n = 1 };
	unsigned long count = DEFAULT_COUNT;
	const char *seed = NULL;
	struct rng rng;
	bool named;
	char *end;
	int opt, err, i;

	while ((opt = getopt_long(argc, argv, "n:s:rh", options, NULL)) != -1) {
		switch (opt) {
		case 'n':
			count = strtoul(optarg, &end, 10);
			if (*end || count < MIN_COUNT || count > MAX_COUNT) {
				fprintf(stderr, "aead_compare: COUNT is %d to %d\n",
					MIN_COUNT, MAX_COUNT);
				return TAP_FAIL;
			}
			break;
		case 's':
			seed = optarg;
			break;
		case 'r':
			c.reference = true;
			break;
		case 'h':
			usage(stdout);
			return TAP_PASS;
		default:
			usage(stderr);
			return TAP_FAIL;
		}
	}
	named = optind < argc;
	if (argc - optind > 2) {
		usage(stderr);
		return TAP_FAIL;
	}
	if (named)
		c.n = argc - optind;
	for (i = 0; optind + i < argc; i++)
		c.names[i] = argv[optind + i];
	if (c.n < 2)
		c.reference = true;
	if (!rng_seed(&rng, seed)) {
		fprintf(stderr, "aead_compare: %s is no seed\n", seed ?: "this");
		return TAP_FAIL;
	}

	kcapi_set_verbosity(KCAPI_LOG_NONE);
	err = kcapi_aead_init(&c.handles[0], c.names[0], 0);
	if (err == -EAFNOSUPPORT)
		return tap_skip_all("this kernel has no AF_ALG");
	if (err == -EPROTONOSUPPORT)
		return tap_skip_all("libkcapi needs the kernel's crypto_user");
	if (err == -ENOENT && !named)
		return tap_skip_all("this kernel has no " DEFAULT_NAME
				    " (or lacks algif_aead)");
	close_all(&c);

	/* One name: no SAME. REFERENCE, and a check of its own, only if wanted. */
	tap_plan(CHECKS - 2 + (c.n == 2) + 2 * c.reference);
	tap_diag("seed %#llx", rng.state);
	for (i = 0; i < c.n; i++)
		tap_diag("comparing %s", c.names[i]);
	if (c.reference)
		tap_result(reference_is_right(),
			   "the reference gives the tag of RFC 8439 2.8.2");
	err = run(&c, count, &rng);
	report(&c);
	return err ? TAP_FAIL : tap_end();
}
