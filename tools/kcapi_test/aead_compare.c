// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aead_compare [-n COUNT] [-s SEED] [NAME...]: are the kernel's AEADs of these names
 * ChaCha20-Poly1305?
 *
 * Seals random messages, and compares them with those of aead_ref.c; opens them; tampers. The
 * kernel gets each result's memory in pieces, so it works on a list of entries of any length.
 * Wrong sizes of keys, tags and associated data must be refused.
 *
 * An AEAD with "esp" in its name is taken for that of IPsec (RFC 7634): the first 4 bytes of the
 * full nonce end the key. The others also end the associated data, where they are not
 * authenticated.
 *
 * Prints TAP. The exit status is 4 if the kernel has no AF_ALG, or if no name is given and it lacks
 * the default one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <linux/if_alg.h>

#include "../../tests/reference/aead_ref.h"
#include "tap.h"

#define DEFAULT_NAME	"rfc7539(chacha20,poly1305)"
#define ASSOC_MAX	64
#define TEXT_MAX	4096
#define MESSAGE_MAX	(ASSOC_MAX + TEXT_MAX + AEAD_TAG_SIZE)

/* The most pieces of a message; with one the list has a single entry a page. */
#define PIECES_MAX	6

/* Wrong sizes are tried up to these. */
#define KEY_MOST	128
#define TAG_MOST	32

/* A transform with operations takes no second key, so each key gets a new transform. */
#define MESSAGES_PER_KEY	50

/* salt, iv: bytes of the nonce in the key and in the associated data; 0 except for IPsec */
struct message {
	unsigned char key[KEY_MOST];			/* with the salt behind it */
	unsigned char nonce[AEAD_NONCE_SIZE];
	unsigned char plain[ASSOC_MAX + TEXT_MAX];	/* assoc, then text */
	unsigned char sealed[MESSAGE_MAX];		/* by the reference */
	size_t alen, len, salt, iv;
};

/* A transform, and its operation */
struct aead {
	int tfm, op;
};

/* A transform without a key, or an error */
static int bind_aead(const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG, .salg_type = "aead" };
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	return fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof(sa)) ? -errno : fd;
}

static bool refused(int tfm, int option, const void *value, size_t len)
{
	return setsockopt(tfm, SOL_ALG, option, value, len) && errno == EINVAL;
}

/* Opens a transform with the key and the salt of a message. Wrong sizes are tried first. */
static bool open_aead(struct aead *aead, const char *name, struct message *m)
{
	const char *wrong = NULL;
	size_t keysize, len;

	aead->tfm = bind_aead(name);
	if (aead->tfm < 0) {
		tap_diag("%s: %s", name, strerror(-aead->tfm));
		return false;
	}
	m->salt = strstr(name, "esp") ? 4 : 0;
	m->iv = m->salt ? AEAD_NONCE_SIZE - m->salt : 0;
	memcpy(m->key + AEAD_KEY_SIZE, m->nonce, m->salt);
	keysize = AEAD_KEY_SIZE + m->salt;
	for (len = 0; len <= KEY_MOST; len++)
		if (len != keysize && !refused(aead->tfm, ALG_SET_KEY, m->key, len))
			wrong = "a key of a wrong size is accepted";
	for (len = 1; len <= TAG_MOST; len++)
		if (len != AEAD_TAG_SIZE && !refused(aead->tfm, ALG_SET_AEAD_AUTHSIZE, NULL, len))
			wrong = "a tag of a wrong size is accepted";
	if (setsockopt(aead->tfm, SOL_ALG, ALG_SET_KEY, m->key, keysize) ||
	    setsockopt(aead->tfm, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, AEAD_TAG_SIZE))
		wrong = "a key or tag of the right size is refused";
	aead->op = accept(aead->tfm, NULL, NULL);
	if (aead->op < 0)
		wrong = strerror(errno);
	if (wrong)
		tap_diag("%s: %s", name, wrong);
	return !wrong;
}

static void close_aead(struct aead *aead)
{
	close(aead->op);
	close(aead->tfm);
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

/* Adds a control message with these bytes and, of an IV, their number. */
static void control(struct msghdr *msg, int type, const void *data, __u32 len)
{
	const size_t head = type == ALG_SET_IV ? sizeof(len) : 0;
	struct cmsghdr *c = msg->msg_control + msg->msg_controllen;

	c->cmsg_level = SOL_ALG;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(head + len);
	memcpy(CMSG_DATA(c), &len, head);
	memcpy(CMSG_DATA(c) + head, data, len);
	msg->msg_controllen += CMSG_SPACE(head + len);
}

/* Sends a message in pieces, and reads the result into pieces. Returns its length or an error. */
static ssize_t transfer(const struct aead *aead, const struct message *m, struct rng *rng, __u32 op,
			const unsigned char *in, size_t in_len, unsigned char *out, size_t out_len)
{
	union {
		struct cmsghdr align;
		char room[200];
	} options = { .room = { 0 } };
	struct iovec iov[PIECES_MAX];
	struct msghdr msg = { .msg_iov = iov, .msg_control = &options };
	const __u32 alen = m->alen;
	ssize_t n;

	msg.msg_iovlen = cut(rng, in, in_len, iov);
	control(&msg, ALG_SET_OP, &op, sizeof(op));
	control(&msg, ALG_SET_AEAD_ASSOCLEN, &alen, sizeof(alen));
	control(&msg, ALG_SET_IV, m->nonce + m->salt, AEAD_NONCE_SIZE - m->salt);
	if (sendmsg(aead->op, &msg, 0) < 0)
		return -errno;
	n = readv(aead->op, iov, cut(rng, out, out_len, iov));
	return n < 0 ? -errno : n;
}

/* Writes associated data, ciphertext and tag. */
static bool seal(const struct aead *aead, const struct message *m, struct rng *rng,
		 unsigned char *out)
{
	const size_t in_len = m->alen + m->len, out_len = in_len + AEAD_TAG_SIZE;

	return transfer(aead, m, rng, ALG_OP_ENCRYPT, m->plain, in_len, out, out_len) ==
	       (ssize_t)out_len;
}

/* Writes associated data and text; returns their length or an error. */
static ssize_t open_sealed(const struct aead *aead, const struct message *m, struct rng *rng,
			   unsigned char *out)
{
	const size_t out_len = m->alen + m->len;

	/* The kernel decrypts only if there is room for output. */
	return transfer(aead, m, rng, ALG_OP_DECRYPT, m->sealed, out_len + AEAD_TAG_SIZE, out,
			out_len ?: 1);
}

/* Flips one bit in the tag, the text or the associated data, which take turns. */
static void tamper(unsigned int number, struct message *m, struct rng *rng)
{
	size_t at = m->alen + m->len + rng_below(rng, AEAD_TAG_SIZE);

	if (number % 3 == 1 && m->len)
		at = m->alen + rng_below(rng, m->len);
	else if (number % 3 == 2 && m->alen > m->iv)
		at = rng_below(rng, m->alen - m->iv);
	m->sealed[at] ^= 1 << rng_below(rng, 8);
}

/* Returns what is wrong, or NULL. */
static const char *check(const struct aead *aead, unsigned int number, struct message *m,
			 struct rng *rng)
{
	const size_t plain_len = m->alen + m->len, sealed_len = plain_len + AEAD_TAG_SIZE;
	unsigned char out[MESSAGE_MAX] = { 0 };

	if (m->alen < m->iv)
		return open_sealed(aead, m, rng, out) == -EINVAL ? NULL :
		       "associated data without an IV do not give EINVAL";
	memcpy(m->plain + m->alen - m->iv, m->nonce + m->salt, m->iv);
	memcpy(m->sealed, m->plain, m->alen);
	aead_ref_encrypt(m->key, m->nonce, m->plain, m->alen - m->iv, m->plain + m->alen, m->len,
			 m->sealed + m->alen);
	if (!seal(aead, m, rng, out) || memcmp(out, m->sealed, sealed_len))
		return "it is not sealed as by the reference";
	memset(out, 0, sizeof(out));
	if (open_sealed(aead, m, rng, out) != (ssize_t)plain_len ||
	    memcmp(out, m->plain, plain_len))
		return "opening does not give back the plaintext";
	tamper(number, m, rng);
	if (open_sealed(aead, m, rng, out) != -EBADMSG)
		return "a changed bit does not give EBADMSG";
	return NULL;
}

/* The salt stays that of the key. */
static void random_message(struct rng *rng, struct message *m)
{
	m->alen = rng_below(rng, ASSOC_MAX + 1);
	m->len = rng_below(rng, TEXT_MAX + 1);
	/* Empty and tiny ones more often than chance alone would give. */
	if (!rng_below(rng, 16))
		m->alen = m->iv;
	if (!rng_below(rng, 16))
		m->len = rng_below(rng, 20);
	rng_fill(rng, m->nonce + m->salt, AEAD_NONCE_SIZE - m->salt);
	rng_fill(rng, m->plain, m->alen + m->len);
}

static bool run(const char *name, unsigned int count, struct rng *rng)
{
	static struct message m;
	struct aead aead = { -1, -1 };
	const char *wrong = NULL;
	unsigned int number;

	for (number = 0; number < count && !wrong; number++) {
		if (number % MESSAGES_PER_KEY == 0) {
			close_aead(&aead);
			rng_fill(rng, m.key, AEAD_KEY_SIZE);
			rng_fill(rng, m.nonce, sizeof(m.nonce));
			if (!open_aead(&aead, name, &m))
				return false;
		}
		random_message(rng, &m);
		wrong = check(&aead, number, &m, rng);
		if (wrong)
			tap_diag("  message %u: %s", number, wrong);
	}
	close_aead(&aead);
	return !wrong;
}

int main(int argc, char **argv)
{
	static char default_name[] = DEFAULT_NAME, *just_default[] = { default_name };
	unsigned long count = 10000;
	const char *seed = NULL;
	struct rng rng;
	bool named;
	int opt, fd;

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
	if (!count || !rng_seed(&rng, seed)) {
		fputs("usage: aead_compare [-n COUNT] [-s SEED] [NAME...]\n"
		      "COUNT is 10000 by default.\n", stderr);
		return TAP_FAIL;
	}

	fd = bind_aead(argv[0]);
	if (fd == -EAFNOSUPPORT)
		return tap_skip_all("this kernel has no AF_ALG");
	if (fd == -ENOENT && !named)
		return tap_skip_all("this kernel has no " DEFAULT_NAME " (or lacks algif_aead)");
	close(fd);

	tap_plan(argc);
	tap_diag("seed %#llx", rng.state);
	for (; argc; argc--, argv++)
		tap_result(run(*argv, count, &rng), "%s: %lu messages as the reference has them",
			   *argv, count);
	return tap_end();
}
