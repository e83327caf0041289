// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ktls 1.2|1.3 [COMMAND...] - check the records of kernel TLS with ChaCha20-Poly1305
 *
 * One end of a TCP connection has kernel TLS, the other end the reference. Records of 1
 * to 16384 bytes, 2 MB each way: those that the kernel sends must be the reference's, byte
 * by byte, and the kernel must open the reference's. A record with a bit of its text or tag
 * flipped, or in the place of another, must give EBADMSG. Then COMMAND is executed while
 * the connection is open. Exit status: COMMAND's, or 1 after one line that says why.
 */
#include <errno.h>
#include <linux/tls.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../reference/aead_ref.h"

#define HEADER	5
#define DATA	23		/* the type of a record with application data */
#define MOST	16384		/* bytes of text */
#define FIRST	0xfffffff8ULL	/* number of the first record: a carry is near */

static const uint8_t key[AEAD_KEY_SIZE] = "a constant key, for tests alone";
static const uint8_t iv[AEAD_NONCE_SIZE] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static int version;
static uint8_t text[MOST], record[HEADER + MOST + 1 + AEAD_TAG_SIZE], got[sizeof(record)];

static void die(const char *what, size_t len)
{
	printf("a record of %zu bytes: %s (%s)\n", len, what, strerror(errno));
	exit(1);
}

static void store64(uint8_t *p, uint64_t x)
{
	int i;

	for (i = 0; i < 8; i++)
		p[i] = x >> (56 - 8 * i);
}

static void header(uint8_t *p, size_t len)
{
	memcpy(p, (uint8_t[]){ DATA, 3, 3, len >> 8, len }, HEADER);
}

/* The record of that number (RFC 7905, RFC 8446), to @record. Returns its length. */
static size_t reference(uint64_t number, size_t len)
{
	size_t i, inner = len + (version == TLS_1_3_VERSION);	/* with its type */
	uint8_t nonce[AEAD_NONCE_SIZE] = { 0 }, assoc[8 + HEADER], in[MOST + 1];

	store64(nonce + 4, number);
	for (i = 0; i < sizeof(nonce); i++)
		nonce[i] ^= iv[i];
	memcpy(in, text, len);
	in[len] = DATA;
	header(record, inner + AEAD_TAG_SIZE);
	store64(assoc, number);
	header(assoc + 8, len);
	if (version == TLS_1_3_VERSION)
		memcpy(assoc, record, HEADER);
	aead_ref_encrypt(key, nonce, assoc, inner > len ? HEADER : sizeof(assoc), in, inner,
			 record + HEADER);
	return HEADER + inner + AEAD_TAG_SIZE;
}

/* A connection within this machine: fd[0] has kernel TLS. */
static void join(int fd[2])
{
	struct tls12_crypto_info_chacha20_poly1305 keys = {
		.info = { version, TLS_CIPHER_CHACHA20_POLY1305 }
	};
	int peer = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in to;
	socklen_t size = sizeof(to);

	memcpy(keys.key, key, sizeof(key));
	memcpy(keys.iv, iv, sizeof(iv));
	store64(keys.rec_seq, FIRST);
	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (listen(peer, 1) || getsockname(peer, (void *)&to, &size) ||
	    connect(fd[0], (void *)&to, size) ||
	    setsockopt(fd[0], SOL_TCP, TCP_ULP, "tls", sizeof("tls")) ||
	    setsockopt(fd[0], SOL_TLS, TLS_TX, &keys, sizeof(keys)) ||
	    setsockopt(fd[0], SOL_TLS, TLS_RX, &keys, sizeof(keys)))
		die("kernel TLS", 0);
	fd[1] = accept(peer, NULL, NULL);
	close(peer);
}

/* @len bytes from one end to the other, where @most are expected, in @got */
static ssize_t pass(int from, const void *data, size_t len, int to, size_t most)
{
	memset(got, 0, sizeof(got));
	if (send(from, data, len, 0) != (ssize_t)len)
		die("send", len);
	errno = 0;
	return recv(to, got, most, MSG_WAITALL);
}

static void genuine(int fd[2], uint64_t number, size_t len)
{
	ssize_t size = reference(number, len);

	if (pass(fd[0], text, len, fd[1], size) != size || memcmp(got, record, size))
		die("sent, but not the reference's", len);
	if (pass(fd[1], record, size, fd[0], len) != (ssize_t)len || memcmp(got, text, len))
		die("not opened to its text", len);
}

/* An error ends a connection. So each is on a connection of its own. */
static void forged(size_t len)
{
	size_t size = reference(FIRST, len), step = size / 80 + 1, at;
	int fd[2];

	/* Behind the last byte, the next record is in this one's place. */
	for (at = HEADER; at < size + step; at += step) {
		reference(FIRST + (at >= size), len);
		if (at < size)
			record[at] ^= 1 << at % 8;
		join(fd);
		if (pass(fd[1], record, size, fd[0], len) >= 0 || errno != EBADMSG)
			die("forged, but not refused", len);
		close(fd[0]);
		close(fd[1]);
	}
}

int main(int argc, char **argv)
{
	uint64_t number = FIRST;
	size_t len;
	int fd[2];

	version = argc < 2 ? 0 : !strcmp(argv[1], "1.2") ? TLS_1_2_VERSION :
		  !strcmp(argv[1], "1.3") ? TLS_1_3_VERSION : 0;
	if (!version) {
		fputs("usage: ktls 1.2|1.3 [COMMAND...]\n", stderr);
		return 1;
	}
	alarm(240);
	for (len = 0; len < MOST; len++)
		text[len] = len * len / 3;
	join(fd);
	for (len = MOST; len; len -= 1 + len / 128)
		genuine(fd, number++, len);
	forged(40);
	forged(1000);
	printf("TLS %s: %u records each way\n", argv[1], (unsigned int)(number - FIRST));
	fflush(stdout);
	if (argc > 2)
		execvp(argv[2], argv + 2);
	return argc > 2;
}
