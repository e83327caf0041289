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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
	exit(1);
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

/* Decrypt @len bytes, @assoclen of them associated data. */
static ssize_t decrypt(int alg, uint32_t ivsize, uint32_t assoclen, size_t len)
{
	static uint8_t data[256];
	struct {
		struct cmsghdr op_hdr;
		uint32_t op, pad;
		struct cmsghdr assoclen_hdr;
		uint32_t assoclen, pad2;
		struct cmsghdr iv_hdr;
		uint32_t ivsize;
		uint8_t iv[12];
	} control = {
		{ CMSG_LEN(4), SOL_ALG, ALG_SET_OP }, ALG_OP_DECRYPT, 0,
		{ CMSG_LEN(4), SOL_ALG, ALG_SET_AEAD_ASSOCLEN }, assoclen, 0,
		{ CMSG_LEN(4 + ivsize), SOL_ALG, ALG_SET_IV }, ivsize, { 0 },
	};
	struct iovec iov = { .iov_base = data, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = accept(alg, NULL, NULL);
	ssize_t n;

	if (fd < 0 || sendmsg(fd, &msg, 0) != (ssize_t)len)
		die("sendmsg");
	/* After a packet that is accepted, recv() would wait for another one. */
	n = recv(fd, data, sizeof(data), MSG_DONTWAIT);
	close(fd);
	return n;
}

int main(int argc, char **argv)
{
	struct sockaddr_alg addr = { .salg_family = AF_ALG, .salg_type = "aead" };
	int alg = socket(AF_ALG, SOCK_SEQPACKET, 0);
	static const uint8_t key[KEY_MAX];
	size_t ivsize, keysize, len;

	if (argc != 2) {
		fputs("usage: aead_errors NAME\n", stderr);
		return 1;
	}
	ivsize = strstr(argv[1], "esp") ? 8 : 12;
	keysize = 32 + 12 - ivsize;
	snprintf((char *)addr.salg_name, sizeof(addr.salg_name), "%s", argv[1]);
	if (bind(alg, (void *)&addr, sizeof(addr)))
		die(argv[1]);

	for (len = 0; len <= KEY_MAX; len++)
		if (len != keysize)
			must_refuse(setsockopt(alg, SOL_ALG, ALG_SET_KEY, key, len), "a key", len);
	if (setsockopt(alg, SOL_ALG, ALG_SET_KEY, key, keysize))
		die("the right key size");
	for (len = 1; len <= TAG_MAX; len++)
		if (len != TAG_SIZE)
			must_refuse(setsockopt(alg, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, len),
				    "a tag", len);
	if (setsockopt(alg, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, TAG_SIZE))
		die("the right tag size");

	for (len = 0; len < TAG_SIZE; len++)
		must_refuse(decrypt(alg, ivsize, 16, 16 + len), "a packet", len);
	for (len = 0; ivsize == 8 && len < ivsize; len++)
		must_refuse(decrypt(alg, ivsize, len, len + 64), "associated data", len);
	if (decrypt(alg, ivsize, 16, 64) >= 0 || errno != EBADMSG)
		die("a forged packet");

	printf("%u of %u refused\n", refused, tried);
	return refused != tried;
}
