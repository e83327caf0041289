// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * esp_forge INTERFACE MAC ADDRESS COUNT - put forged ESP packets on a wire
 *
 * Sends COUNT datagrams to port 9 of ADDRESS, which IPsec must seal, and captures the
 * packets that leave by INTERFACE for them. The caller ensures that these reach no
 * receiver. Then sends each packet to MAC in several forged versions, one kind after
 * the other, then twice unchanged. Prints the number of packets of each kind. Exit
 * status: 0, or 1 after one line that says why.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define FRAME_MAX	1600
#define COUNT_MAX	1000
#define PAYLOAD_MAX	1300
#define DISCARD_PORT	9

/* Offsets in a frame. The IP header has no options here. */
#define ESP		(sizeof(struct ethhdr) + sizeof(struct iphdr))
#define ESP_SPI		ESP
#define ESP_SEQUENCE	(ESP + 4)
#define ESP_IV		(ESP + 8)
#define ESP_TEXT	(ESP + 16)
#define TAG_SIZE	16

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

static void shorten(struct frame *f, size_t len)
{
	struct iphdr *ip = (void *)(f->data + sizeof(struct ethhdr));
	const uint16_t *words = (const void *)ip;
	uint32_t sum = 0;
	size_t i;

	f->len = len;
	ip->tot_len = htons(len - sizeof(struct ethhdr));
	ip->check = 0;
	for (i = 0; i < sizeof(*ip) / 2; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	ip->check = ~(sum + (sum >> 16));
}

static void as_it_was(struct frame *f)
{
	(void)f;
}

static void forge_spi(struct frame *f)
{
	f->data[ESP_SPI] ^= 0x80;
}

/* Use a new number, or the packet would count as replayed. */
static void forge_sequence(struct frame *f)
{
	f->data[ESP_SEQUENCE + 1] ^= 1 << below(8);
}

static void forge_iv(struct frame *f)
{
	flip(f->data + ESP_IV, ESP_TEXT - ESP_IV);
}

static void forge_text(struct frame *f)
{
	flip(f->data + ESP_TEXT, f->len - TAG_SIZE - ESP_TEXT);
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

/* After the IV there is less than a tag, or nothing. */
static void stump(struct frame *f)
{
	shorten(f, ESP_TEXT + below(TAG_SIZE));
}

static const struct kind {
	const char *name;
	void (*forge)(struct frame *f);
} kinds[] = {
	{ "spi", forge_spi },
	{ "sequence", forge_sequence },
	{ "iv", forge_iv },
	{ "text", forge_text },
	{ "tag", forge_tag },
	{ "cut", cut },
	{ "stump", stump },
	{ "genuine", as_it_was },
	{ "replayed", as_it_was },
};

/* The next ESP packet on its way out */
static void capture(int wire, struct frame *f)
{
	const struct iphdr *ip = (const void *)(f->data + sizeof(struct ethhdr));
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
		 from.sll_protocol != htons(ETH_P_IP) ||
		 (size_t)n < ESP_TEXT + TAG_SIZE || ip->ihl != 5 ||
		 ip->protocol != IPPROTO_ESP);
	f->len = n;
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

int main(int argc, char **argv)
{
	uint8_t mac[ETH_ALEN];
	int wire, count, i;
	size_t k;

	if (argc != 5 || sscanf(argv[2], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx",
				&mac[0], &mac[1], &mac[2], &mac[3], &mac[4],
				&mac[5]) != ETH_ALEN) {
		fputs("usage: esp_forge INTERFACE MAC ADDRESS COUNT\n", stderr);
		return 1;
	}
	count = atoi(argv[4]);
	if (count < 1 || count > COUNT_MAX) {
		fprintf(stderr, "COUNT is 1 to %d\n", COUNT_MAX);
		return 1;
	}

	wire = open_wire(argv[1]);
	for (i = 0; i < count; i++) {
		send_and_capture(wire, argv[3], &frames[i]);
		memcpy(frames[i].data, mac, sizeof(mac));
	}
	for (k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		for (i = 0; i < count; i++) {
			struct frame f = frames[i];

			kinds[k].forge(&f);
			if (send(wire, f.data, f.len, 0) != (ssize_t)f.len)
				die("send");
		}
		printf("%s %d\n", kinds[k].name, count);
	}
	return 0;
}
