// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * forge PROTOCOL INTERFACE MAC ADDRESS COUNT - put forged packets on a wire
 *
 * PROTOCOL is esp, wireguard or sealpair. Sends COUNT datagrams to port 9 of ADDRESS, which the
 * kernel must seal, and captures the packets that leave by INTERFACE for them. The
 * caller ensures that these reach no receiver. Then sends each packet to MAC in several
 * forged versions, one kind after the other, then twice unchanged. Prints the number of
 * packets of each kind. Exit status: 0, or 1 after one line that says why.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../samples/sealpair.h"

#define FRAME_MAX	1600
#define COUNT_MAX	1000
#define PAYLOAD_MAX	1300
#define DISCARD_PORT	9

/* Offsets in a frame. The IP header has no options here. */
#define IP_DATA		(sizeof(struct ethhdr) + sizeof(struct iphdr))
#define ESP_SPI		IP_DATA
#define ESP_SEQUENCE	(IP_DATA + 4)
#define ESP_IV		(IP_DATA + 8)
#define ESP_TEXT	(IP_DATA + 16)
#define WG		(IP_DATA + sizeof(struct udphdr))
#define WG_TYPE		WG
#define WG_INDEX	(WG + 4)
#define WG_COUNTER	(WG + 8)
#define WG_TEXT		(WG + 16)
#define SEAL_AT		sizeof(struct ethhdr)
#define SEAL_COUNTER	(SEAL_AT + offsetof(struct seal_hdr, nonce) + 4)
#define SEAL_TEXT	(SEAL_AT + sizeof(struct seal_hdr))
#define TAG_SIZE	16

/* The first word of a WireGuard packet that carries data, and not a handshake */
static const uint8_t wg_data[4] = { 4 };

struct frame {
	size_t len;
	uint8_t data[FRAME_MAX];
};

static struct frame frames[COUNT_MAX];

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

/* Flip one of the bits in @len bytes. */
static void flip(uint8_t *data, size_t len)
{
	data[below(len)] ^= 1 << below(8);
}

/* A kind of forged packets: a bit of @len bytes at @at is flipped, or @forge does it. */
struct kind {
	const char *name;
	size_t at, len;
	void (*forge)(struct frame *f);
};

/* A protocol, whose text is the last thing before the tag, and its own kinds */
static const struct protocol {
	const char *name;
	uint16_t ethertype;
	uint8_t number;		/* in the IP header, if that is there */
	size_t text;		/* offset */
	size_t least;		/* bytes of text */
	struct kind kinds[5];
} protocols[3];
static const struct protocol *protocol;

static void shorten(struct frame *f, size_t len)
{
	struct iphdr *ip = (void *)(f->data + sizeof(struct ethhdr));
	struct udphdr *udp = (void *)(f->data + IP_DATA);
	const uint16_t *words = (const void *)ip;
	uint32_t sum = 0;
	size_t i;

	f->len = len;
	if (!protocol->number)
		return;
	ip->tot_len = htons(len - sizeof(struct ethhdr));
	ip->check = 0;
	for (i = 0; i < sizeof(*ip) / 2; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	ip->check = ~(sum + (sum >> 16));
	if (protocol->number == IPPROTO_UDP)
		udp->len = htons(len - IP_DATA);
}

/* Other bytes are then read as the tag. */
static void forge_length(struct frame *f)
{
	struct seal_hdr *hdr = (void *)(f->data + SEAL_AT);

	hdr->len = htole16(le16toh(hdr->len) - 1);
}

static void forge_text(struct frame *f)
{
	flip(f->data + protocol->text, f->len - TAG_SIZE - protocol->text);
}

static void forge_tag(struct frame *f)
{
	flip(f->data + f->len - TAG_SIZE, TAG_SIZE);
}

/* The end of the text is then read as the tag. */
static void cut(struct frame *f)
{
	shorten(f, f->len - 4 * (1 + below(4)));
}

/* Where the text begins there is less than a tag, or nothing. */
static void stump(struct frame *f)
{
	shorten(f, protocol->text + below(TAG_SIZE));
}

/* The kinds that all protocols have */
static const struct kind shared[] = {
	{ "text", 0, 0, forge_text },
	{ "tag", 0, 0, forge_tag },
	{ "cut", 0, 0, cut },
	{ "stump", 0, 0, stump },
	{ "genuine", 0, 0, NULL },
	{ "replayed", 0, 0, NULL },
	{ }
};

/*
 * Of numbers only some bits are flipped: ESP would take a lower one for replayed, WireGuard
 * and sealpair refuse a huge one without its tag. A packet of WireGuard without text
 * is no datagram: it keeps the peer alive.
 */
static const struct protocol protocols[3] = {
	{ "esp", ETH_P_IP, IPPROTO_ESP, ESP_TEXT, 0, {
		{ "spi", ESP_SPI, 1, NULL },
		{ "sequence", ESP_SEQUENCE + 1, 1, NULL },
		{ "iv", ESP_IV, 8, NULL },
	} },
	{ "wireguard", ETH_P_IP, IPPROTO_UDP, WG_TEXT, 1, {
		{ "type", WG_TYPE, 1, NULL },
		{ "index", WG_INDEX, 4, NULL },
		{ "counter", WG_COUNTER + 2, 1, NULL },
	} },
	{ "sealpair", SEAL_ETHERTYPE, 0, SEAL_TEXT, sizeof(struct ethhdr), {
		{ "version", SEAL_AT, 2, NULL },
		{ "length", 0, 0, forge_length },
		{ "zeros", SEAL_COUNTER - 4, 4, NULL },
		{ "number", SEAL_COUNTER, 7, NULL },
	} },
};

/* The next sealed packet on its way out */
static void capture(int wire, struct frame *f)
{
	const struct iphdr *ip = (const void *)(f->data + sizeof(struct ethhdr));
	struct udphdr *udp = (void *)(f->data + IP_DATA);
	struct sockaddr_ll from;
	socklen_t from_len;
	ssize_t n;

	do {
		from_len = sizeof(from);
		n = recvfrom(wire, f->data, sizeof(f->data), 0, (void *)&from,
			     &from_len);
		if (n < 0)
			die("no packet leaves");
	} while (from.sll_pkttype != PACKET_OUTGOING ||
		 from.sll_protocol != htons(protocol->ethertype) ||
		 (size_t)n < protocol->text + protocol->least + TAG_SIZE ||
		 (protocol->number && (ip->ihl != 5 || ip->protocol != protocol->number)) ||
		 (protocol->number == IPPROTO_UDP &&
		  memcmp(f->data + WG_TYPE, wg_data, sizeof(wg_data))));
	f->len = n;
	if (protocol->number == IPPROTO_UDP)
		udp->check = 0;		/* none */
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

static void send_and_capture(int wire, const char *host, struct frame *f)
{
	static uint8_t payload[PAYLOAD_MAX];
	struct sockaddr_in to = { .sin_family = AF_INET };
	size_t len = below(sizeof(payload));
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_port = htons(DISCARD_PORT);
	if (fd < 0 || inet_pton(AF_INET, host, &to.sin_addr) != 1 ||
	    sendto(fd, payload, len, 0, (void *)&to, sizeof(to)) < 0)
		die(host);
	capture(wire, f);
	close(fd);
}

/* Send all captured frames, in each of these kinds. */
static void send_all(int wire, const struct kind *kind, int count)
{
	int i;

	for (; kind->name; kind++) {
		for (i = 0; i < count; i++) {
			struct frame f = frames[i];

			if (kind->forge)
				kind->forge(&f);
			else if (kind->len)
				flip(f.data + kind->at, kind->len);
			if (send(wire, f.data, f.len, 0) != (ssize_t)f.len)
				die("send");
		}
		printf("%s %d\n", kind->name, count);
	}
}

int main(int argc, char **argv)
{
	uint8_t mac[ETH_ALEN];
	int wire, count, i;

	for (i = 0; i < 3 && argc == 6; i++)
		if (!strcmp(argv[1], protocols[i].name))
			protocol = &protocols[i];
	if (!protocol || sscanf(argv[3], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx",
				&mac[0], &mac[1], &mac[2], &mac[3], &mac[4],
				&mac[5]) != ETH_ALEN) {
		fputs("usage: forge PROTOCOL INTERFACE MAC ADDRESS COUNT\n",
		      stderr);
		return 1;
	}
	count = atoi(argv[5]);
	if (count < 1 || count > COUNT_MAX) {
		fprintf(stderr, "COUNT is 1 to %d\n", COUNT_MAX);
		return 1;
	}

	wire = open_wire(argv[2]);
	for (i = 0; i < count; i++) {
		send_and_capture(wire, argv[4], &frames[i]);
		memcpy(frames[i].data, mac, sizeof(mac));
	}
	send_all(wire, protocol->kinds, count);
	send_all(wire, shared, count);
	return 0;
}
