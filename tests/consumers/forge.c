// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * forge INTERFACE MAC ADDRESS COUNT KIND... - put forged packets on a wire
 *
 * Sends COUNT datagrams to port 9 of ADDRESS, which the kernel must seal, and captures the
 * packets that leave by INTERFACE for them. The caller ensures that these reach no receiver.
 * Then sends each packet to MAC in several forged versions, one kind after the other, then twice
 * unchanged: genuine, and replayed. A KIND is
 *
 *	NAME:AT:LEN	one of the bits in LEN bytes at AT is flipped
 *	NAME:AT:0	the frame ends at AT
 *
 * where AT is an offset in the frame, or counts from its end if it is negative. Exit status: 0,
 * or 1 after one line that says why.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>

#define FRAME_MAX	1600
#define COUNT_MAX	100
/* No handshake, and nothing that a kernel sends by itself, is so long. */
#define PAYLOAD_MIN	300
#define PAYLOAD_MAX	1300
#define DISCARD_PORT	9

/* Offsets in a frame whose IP header has no options */
#define AT_PROTOCOL	23
#define AT_UDP_CHECKSUM	40

struct frame {
	size_t len;
	uint8_t data[FRAME_MAX];
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static size_t below(size_t n)
{
	uint32_t x;

	if (getrandom(&x, sizeof(x), 0) != sizeof(x))
		die("getrandom");
	return x % n;
}

static int open_wire(const char *interface)
{
	struct timeval limit = { .tv_sec = 10 };
	struct sockaddr_ll on = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(interface),
	};
	int wire = socket(AF_PACKET, SOCK_RAW, 0);

	if (wire < 0 || !on.sll_ifindex ||
	    setsockopt(wire, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    bind(wire, (void *)&on, sizeof(on)))
		die(interface);
	return wire;
}

/* Send a datagram, and capture the sealed packet on its way out. */
static void capture(int wire, int udp, const struct sockaddr_in *to, struct frame *f)
{
	static const uint8_t payload[PAYLOAD_MAX];
	size_t len = PAYLOAD_MIN + below(PAYLOAD_MAX - PAYLOAD_MIN);
	struct sockaddr_ll from;
	socklen_t from_len;
	ssize_t n;

	if (sendto(udp, payload, len, 0, (const void *)to, sizeof(*to)) < 0)
		die("sendto");
	do {
		from_len = sizeof(from);
		n = recvfrom(wire, f->data, sizeof(f->data), 0, (void *)&from, &from_len);
		if (n < 0)
			die("no packet leaves");
	} while (from.sll_pkttype != PACKET_OUTGOING || n < PAYLOAD_MIN);
	f->len = n;
	/* The checksum is left to a device that is not there: send none. */
	if (from.sll_protocol == htons(ETH_P_IP) && f->data[AT_PROTOCOL] == IPPROTO_UDP)
		memset(f->data + AT_UDP_CHECKSUM, 0, 2);
}

static void send_forged(int wire, struct frame f, int at, int len)
{
	size_t offset = at < 0 ? f.len + at : (size_t)at;

	if (offset + len > f.len)
		die("a kind that is not in the frame");
	if (len)
		f.data[offset + below(len)] ^= 1 << below(8);
	else
		f.len = offset;
	if (send(wire, f.data, f.len, 0) != (ssize_t)f.len)
		die("send");
}

int main(int argc, char **argv)
{
	static struct frame frames[COUNT_MAX];
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(DISCARD_PORT) };
	int count = argc < 6 ? 0 : atoi(argv[4]), wire, udp, at, len, i, kind;
	uint8_t mac[ETH_ALEN];

	if (count < 1 || count > COUNT_MAX || inet_pton(AF_INET, argv[3], &to.sin_addr) != 1 ||
	    sscanf(argv[2], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &mac[0], &mac[1], &mac[2],
		   &mac[3], &mac[4], &mac[5]) != ETH_ALEN) {
		fputs("usage: forge INTERFACE MAC ADDRESS COUNT KIND...\n", stderr);
		return 1;
	}
	wire = open_wire(argv[1]);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	for (i = 0; i < count; i++) {
		capture(wire, udp, &to, &frames[i]);
		memcpy(frames[i].data, mac, sizeof(mac));
	}
	for (kind = 5; kind < argc; kind++) {
		if (sscanf(argv[kind], "%*[a-z]:%d:%d", &at, &len) != 2)
			die(argv[kind]);
		for (i = 0; i < count; i++)
			send_forged(wire, frames[i], at, len);
	}
	for (i = 0; i < 2 * count; i++)
		if (send(wire, frames[i % count].data, frames[i % count].len, 0) < 0)
			die("send");
	return 0;
}
