// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * tamper COUNT - pass on records of kernel TLS, and change them while they are opened
 *
 * A relay has no key, but the pages from which the kernel decrypts: over loopback, those that it
 * spliced into its connection. It passes on a genuine record COUNT times, and all the time flips a
 * bit of it and back. The receiver may get the genuine text or an error. Exit status: 0, or 1 after
 * one line that says why.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tls.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define HEADER_SIZE	5
#define TEXT_SIZE	16000
#define RECORD_SIZE	(HEADER_SIZE + TEXT_SIZE + TLS_CIPHER_CHACHA20_POLY1305_TAG_SIZE)

static uint8_t text[TEXT_SIZE], got[TEXT_SIZE], record[RECORD_SIZE];

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* A connection over loopback, whose end does not wait in TIME_WAIT */
static void connection(int ends[2])
{
	struct sockaddr_in here = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const struct linger reset = { 1, 0 };
	socklen_t len = sizeof(here);
	int server = socket(AF_INET, SOCK_STREAM, 0);

	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	must(!bind(server, (void *)&here, len) && !listen(server, 1) &&
	     !getsockname(server, (void *)&here, &len) &&
	     !setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)) &&
	     !connect(ends[0], (void *)&here, len), "connect");
	ends[1] = accept(server, NULL, NULL);
	must(ends[1] >= 0, "accept");
	close(server);
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* From now on the kernel seals what is sent, or opens what is received. */
static void use_tls(int end, int direction)
{
	const struct tls12_crypto_info_chacha20_poly1305 info = {
		.info = { TLS_1_2_VERSION, TLS_CIPHER_CHACHA20_POLY1305 },
		.key = "always the same",
	};

	must(!setsockopt(end, IPPROTO_TCP, TCP_ULP, "tls", 4) &&
	     !setsockopt(end, SOL_TLS, direction, &info, sizeof(info)), "TLS");
}

/* Returns the number of bytes received before an error, at most len. */
static size_t receive(int end, uint8_t *to, size_t len)
{
	size_t done;
	ssize_t n;

	for (done = 0; done < len; done += n) {
		n = recv(end, to + done, len - done, 0);
		if (n <= 0)
			break;
	}
	return done;
}

static void *change(void *none)
{
	for (;;)
		__atomic_fetch_xor(&record[HEADER_SIZE + TEXT_SIZE / 2], 1, __ATOMIC_RELAXED);
	return none;
}

int main(int argc, char **argv)
{
	const struct iovec all = { record, RECORD_SIZE };
	int left = argc == 2 ? atoi(argv[1]) : 0, ends[2], pages[2], accepted = 0, modified = 0;
	pthread_t changer;

	connection(ends);
	use_tls(ends[0], TLS_TX);
	must(send(ends[0], text, TEXT_SIZE, 0) == TEXT_SIZE, "send");
	must(receive(ends[1], record, RECORD_SIZE) == RECORD_SIZE, "the record");
	close_both(ends);

	must(!pipe(pages), "pipe");
	must(!pthread_create(&changer, NULL, change, NULL), "thread");
	for (; left > 0; left--) {
		connection(ends);
		use_tls(ends[1], TLS_RX);
		must(vmsplice(pages[1], &all, 1, 0) == RECORD_SIZE &&
		     splice(pages[0], NULL, ends[0], NULL, RECORD_SIZE, 0) == RECORD_SIZE,
		     "splice");
		if (receive(ends[1], got, TEXT_SIZE) == TEXT_SIZE) {
			accepted++;
			modified += !!memcmp(got, text, TEXT_SIZE);
		}
		close_both(ends);
	}
	printf("%d records were accepted, %d of them with modified text\n", accepted, modified);
	return !!modified;
}
