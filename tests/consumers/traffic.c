// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * traffic - traffic between two ends of a link, checked at both
 *
 *	traffic ping ADDRESS MOST [STEP]
 *					an echo of every payload of 1 to MOST bytes,
 *					or of every STEP-th
 *	traffic receive PORT		take one TCP connection to its end
 *	traffic send ADDRESS PORT MIB	the other end of it
 *
 * On SIGUSR1 the sender ends before MIB. The last two print the number of bytes passed,
 * and a checksum that depends on their order. Exit status: 0, or 1 after one line that
 * says why.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define CHUNK	65536		/* MIB is a whole number of these */
#define MIB	(1024 * 1024)
#define PATIENCE 180	/* seconds without a byte: the link is dead */
#define BURST	(4 * MIB)

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t next(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	return z ^ z >> 27;
}

/* Depends on every word and its position. */
static uint64_t checksum(uint64_t sum, const uint64_t *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		sum = (sum ^ words[i]) * 0xff51afd7ed558ccd;
		sum ^= sum >> 32;
	}
	return sum;
}

static struct sockaddr_in address(const char *host, const char *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };

	a.sin_port = htons(atoi(port));
	if (inet_pton(AF_INET, host, &a.sin_addr) != 1) {
		fprintf(stderr, "%s is no address\n", host);
		exit(1);
	}
	return a;
}

static void be_patient(int fd, time_t seconds)
{
	struct timeval limit = { .tv_sec = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)))
		die("setsockopt");
}

static uint16_t internet_checksum(const uint8_t *data, size_t len)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? data[i] : data[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

/* Read until the answer arrives, and compare it with the bytes sent. */
static void await_echo(int fd, const uint8_t *sent, size_t len)
{
	const struct icmphdr *echo = (const void *)sent;
	uint8_t packet[CHUNK];
	const struct iphdr *ip = (const void *)packet;

	for (;;) {
		ssize_t n = recv(fd, packet, sizeof(packet), 0);
		size_t skip = ip->ihl * 4;
		const struct icmphdr *got = (const void *)(packet + skip);

		if (n < 0)
			die("no answer");
		if ((size_t)n < skip + sizeof(*got) ||
		    got->type != ICMP_ECHOREPLY ||
		    got->un.echo.id != echo->un.echo.id ||
		    got->un.echo.sequence != echo->un.echo.sequence)
			continue;
		if (n - skip != len ||
		    memcmp(got + 1, sent + sizeof(*echo), len - sizeof(*echo))) {
			fputs("the answer differs from what was sent\n", stderr);
			exit(1);
		}
		return;
	}
}

static int ping(const char *host, int most, int step)
{
	struct sockaddr_in to = address(host, "0");
	int fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
	uint8_t packet[CHUNK];
	struct icmphdr *echo = (void *)packet;
	int payload, answers = 0;

	if (fd < 0)
		die("socket");
	be_patient(fd, 20);
	for (payload = 1; payload <= most; payload += step) {
		size_t len = sizeof(*echo) + payload;

		memset(echo, 0, sizeof(*echo));
		echo->type = ICMP_ECHO;
		echo->un.echo.id = htons(getpid());
		echo->un.echo.sequence = htons(payload);
		if (getrandom(echo + 1, payload, 0) != payload)
			die("getrandom");
		echo->checksum = internet_checksum(packet, len);
		if (sendto(fd, packet, len, 0, (void *)&to, sizeof(to)) < 0)
			die("sendto");
		await_echo(fd, packet, len);
		answers++;
	}
	printf("%d answers\n", answers);
	return 0;
}

static uint64_t buffer[CHUNK / sizeof(uint64_t)];

/*
 * Fill the buffer, as the other end did: checksums are of whole buffers. MSG_WAITALL
 * would return less after the time that be_patient() sets. Returns the number of
 * bytes, which is less than a buffer only at the end.
 */
static size_t fill(int fd)
{
	size_t len = 0;

	while (len < sizeof(buffer)) {
		ssize_t n = recv(fd, (char *)buffer + len, sizeof(buffer) - len,
				 0);

		if (n < 0)
			die("recv");
		if (!n)
			break;
		len += n;
	}
	return len;
}

static int receive(const char *port)
{
	struct sockaddr_in here = address("0.0.0.0", port);
	int yes = 1, fd, peer = socket(AF_INET, SOCK_STREAM, 0);
	uint64_t sum = 0, total = 0;
	size_t n;

	if (peer < 0 ||
	    setsockopt(peer, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(peer, (void *)&here, sizeof(here)) || listen(peer, 1))
		die("listen");
	be_patient(peer, PATIENCE);
	signal(SIGUSR1, SIG_IGN);
	fd = accept(peer, NULL, NULL);
	if (fd < 0)
		die("accept");
	be_patient(fd, PATIENCE);
	while ((n = fill(fd))) {
		memset((char *)buffer + n, 0, -n & 7);
		sum = checksum(sum, buffer, (n + 7) / 8);
		total += n;
	}
	printf("%llu bytes, %016llx\n", (unsigned long long)total,
	       (unsigned long long)sum);
	return 0;
}

static volatile sig_atomic_t enough;

static void on_signal(int number)
{
	enough = number;
}

static void send_all(int fd, const void *data, size_t len)
{
	while (len) {
		ssize_t n = send(fd, data, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("send");
		data = (const char *)data + n;
		len -= n;
	}
}

/* Try again for 10 seconds: the receiver may not listen yet. */
static int connect_to(const struct sockaddr_in *to)
{
	int tries, fd;

	for (tries = 0; tries < 100; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (fd < 0)
			die("socket");
		be_patient(fd, PATIENCE);
		if (!connect(fd, (const void *)to, sizeof(*to)))
			return fd;
		close(fd);
		usleep(100000);
	}
	die("connect");
	return -1;
}

/*
 * Wait until the other end has acknowledged all data, and 50 ms more. The kernel takes no
 * live patch out before each of its threads has slept, and ksoftirqd sleeps only then.
 */
static void pause_between_bursts(int fd)
{
	int left, ms;

	for (ms = 0; ms < PATIENCE * 1000; ms++) {
		if (ioctl(fd, SIOCOUTQ, &left))
			die("SIOCOUTQ");
		if (!left) {
			usleep(50000);
			return;
		}
		usleep(1000);
	}
	fputs("the other end acknowledges no data\n", stderr);
	exit(1);
}

static int transmit(const char *host, const char *port, int mib)
{
	struct sockaddr_in to = address(host, port);
	uint64_t sum = 0, seed, most = (uint64_t)mib * MIB, done;
	int fd = connect_to(&to);
	size_t i;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		die("getrandom");
	signal(SIGUSR1, on_signal);
	for (done = 0; done < most && !enough;) {
		for (i = 0; i < CHUNK / sizeof(*buffer); i++)
			buffer[i] = next(&seed);
		sum = checksum(sum, buffer, CHUNK / sizeof(*buffer));
		send_all(fd, buffer, sizeof(buffer));
		done += sizeof(buffer);
		if (done % BURST == 0)
			pause_between_bursts(fd);
	}
	if (shutdown(fd, SHUT_WR) || recv(fd, buffer, 1, 0))
		die("the other end");
	printf("%llu bytes, %016llx\n", (unsigned long long)done,
	       (unsigned long long)sum);
	return 0;
}

int main(int argc, char **argv)
{
	if ((argc == 4 || (argc == 5 && atoi(argv[4]) > 0)) &&
	    !strcmp(argv[1], "ping"))
		return ping(argv[2], atoi(argv[3]),
			    argc == 5 ? atoi(argv[4]) : 1);
	if (argc == 3 && !strcmp(argv[1], "receive"))
		return receive(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "send"))
		return transmit(argv[2], argv[3], atoi(argv[4]));
	fputs("usage: traffic ping ADDRESS MOST [STEP] | receive PORT | send ADDRESS PORT MIB\n",
	      stderr);
	return 1;
}
