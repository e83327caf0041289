// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * aead_errors NAME - check that a ChaCha20-Poly1305 refuses wrong sizes
 *
 * NAME is an AEAD of the kernel, with IVs of 8 bytes if NAME contains "esp", else of
 * 12. Each of these must give EINVAL: a wrong key length to 128, a wrong tag length to
 * 32, a packet without room for the tag and, in the ESP form, associated data without
 * room for the IV. Right sizes must work in between. Prints the numbers of refusals
 * and of attempts. Exit status: 0 if they are equal, or 1.
 */
#include <errno.h>
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY_MAX		128
#define TAG_MAX		32
#define TAG_SIZE	16

static unsigned int tried, refused;

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

/* Count it; result is what a call returned. */
static void must_refuse(ssize_t result, const char *what, int size)
{
	tried++;
	if (result < 0 && errno == EINVAL)
		refused++;
	else
		printf("%s of %d bytes: %s\n", what, size,
		       result < 0 ? strerror(errno) : "accepted");
}

static int bound(const char *name)
{
	struct sockaddr_alg addr = {
		.salg_family = AF_ALG, .salg_type = "aead"
	};
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	if (strlen(name) >= sizeof(addr.salg_name)) {
		fprintf(stderr, "%s: too long\n", name);
		_exit(1);
	}
	strcpy((char *)addr.salg_name, name);
	if (fd < 0 || bind(fd, (void *)&addr, sizeof(addr)))
		die(name);
	return fd;
}

/* Decrypt @len zero bytes, @assoclen of them associated data. */
static ssize_t decrypt(int alg, size_t ivsize, uint32_t assoclen, size_t len)
{
	static uint8_t data[256];
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(uint32_t)) * 2 +
			   CMSG_SPACE(sizeof(struct af_alg_iv) + 12)];
	} control = { 0 };
	struct iovec iov = { .iov_base = data, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen =
			CMSG_SPACE(sizeof(uint32_t)) * 2 +
			CMSG_SPACE(sizeof(struct af_alg_iv) + ivsize),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	struct af_alg_iv *iv;
	uint32_t op = ALG_OP_DECRYPT;
	uint8_t out[256];
	int fd = accept(alg, NULL, NULL);
	ssize_t n;

	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_OP;
	c->cmsg_len = CMSG_LEN(sizeof(op));
	memcpy(CMSG_DATA(c), &op, sizeof(op));
	c = CMSG_NXTHDR(&msg, c);
	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_AEAD_ASSOCLEN;
	c->cmsg_len = CMSG_LEN(sizeof(assoclen));
	memcpy(CMSG_DATA(c), &assoclen, sizeof(assoclen));
	c = CMSG_NXTHDR(&msg, c);
	c->cmsg_level = SOL_ALG;
	c->cmsg_type = ALG_SET_IV;
	c->cmsg_len = CMSG_LEN(sizeof(*iv) + ivsize);
	iv = (void *)CMSG_DATA(c);
	iv->ivlen = ivsize;

	if (fd < 0 || sendmsg(fd, &msg, 0) != (ssize_t)len)
		die("sendmsg");
	/* After a packet that is accepted, recv() would wait for another one. */
	n = recv(fd, out, sizeof(out), MSG_DONTWAIT);
	close(fd);
	return n;
}

int main(int argc, char **argv)
{
	static const uint8_t key[KEY_MAX];
	size_t ivsize, keysize, len;
	int alg;

	if (argc != 2) {
		fputs("usage: aead_errors NAME\n", stderr);
		return 1;
	}
	ivsize = strstr(argv[1], "esp") ? 8 : 12;
	keysize = 32 + 12 - ivsize;

	alg = bound(argv[1]);
	for (len = 0; len <= KEY_MAX; len++)
		if (len != keysize)
			must_refuse(setsockopt(alg, SOL_ALG, ALG_SET_KEY, key,
					       len), "a key", len);
	if (setsockopt(alg, SOL_ALG, ALG_SET_KEY, key, keysize))
		die("the right key size");
	for (len = 1; len <= TAG_MAX; len++)
		if (len != TAG_SIZE)
			must_refuse(setsockopt(alg, SOL_ALG,
					       ALG_SET_AEAD_AUTHSIZE, NULL,
					       len), "a tag", len);
	if (setsockopt(alg, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, TAG_SIZE))
		die("the right tag size");

	for (len = 0; len < TAG_SIZE; len++)
		must_refuse(decrypt(alg, ivsize, 16, 16 + len),
			    "a packet", len);
	for (len = 0; ivsize == 8 && len < ivsize; len++)
		must_refuse(decrypt(alg, ivsize, len, len + 64),
			    "associated data", len);
	if (decrypt(alg, ivsize, 16, 64) >= 0 || errno != EBADMSG)
		die("a forged packet");

	printf("%u of %u refused\n", refused, tried);
	return refused != tried;
}
