// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * seal_forge - put frames on the wire of a sealpair, and inspect its frames
 *
 *	seal_forge attack WIRE NETNS DEVICE KEY COUNT
 *	seal_forge window WIRE NETNS DEVICE KEY
 *	seal_forge pieces WIRE NETNS DEVICE KEY
 *	seal_forge segments DEVICE FROM TO COUNT
 *	seal_forge listen WIRE KEY COUNT
 *	seal_forge dump NETNS >FILE
 *	seal_forge search KEY <FILE
 *
 * KEY is the file with the key under which DEVICE, in NETNS, opens frames sent on
 * WIRE. No other frames may come. Frames are sealed as sealpair.h says, by code that
 * shares nothing with the driver.
 *
 * attack: send 64 frames that must be accepted, then COUNT that must not: invented,
 * changed in one bit, cut short, or repeated. Each must be counted as its kind.
 * window: send counters around the edges of the replay window, which must be
 * SEAL_WINDOW frames wide, and around the highest. The session must be new.
 * pieces: send frames that arrive in fragments, header included.
 * segments: have DEVICE seal COUNT TCP segments of one flow, from address FROM to TO,
 * sent by two sockets in turn. The receiver may merge them.
 * listen: check that the next COUNT frames that leave by WIRE are sealed under KEY,
 * with counters from 0. Says "ready" when it listens.
 * dump: print all that rtnetlink tells about the devices in NETNS. search: check that
 * FILE contains no 8 bytes of KEY, neither raw nor in hexadecimal.
 *
 * Exit status: 0, or 1 after one line that says why.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../../samples/sealpair.h"
#include "../reference/aead_ref.h"

#define WINDOW		2048ULL
#define FRAME_MAX	8192
#define POOL		64
#define BURST		64
#define SEGMENT		1000
#define PATIENCE	30	/* seconds until a frame counts as lost */

struct frame {
	size_t len;
	uint8_t data[FRAME_MAX];
};

#define HDR(frame)	((struct seal_hdr *)((frame)->data + ETH_HLEN))
#define TEXT(frame)	((frame)->data + ETH_HLEN + sizeof(struct seal_hdr))
#define AROUND		(ETH_HLEN + sizeof(struct seal_hdr) + SEAL_TAG_SIZE)

/* The ways in which a device can count a frame */
enum fate { ACCEPTED, BAD_TAG, REPLAY, MALFORMED, OTHERWISE, FATES };

static const char *const fates[FATES] = {
	"accepted", "rx_bad_tag", "rx_replay", "rx_malformed", "otherwise"
};

static unsigned char key[SEAL_KEY_SIZE];
static const char *device;
static int wire;

static void __attribute__((noreturn, format(printf, 1, 2)))
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void die(const char *what)
{
	fail("%s: %s", what, strerror(errno));
}

/* Pseudorandom, the same in every run */
static uint64_t chance(void)
{
	static uint64_t x = 1;
	uint64_t z = x += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void scatter(uint8_t *p, size_t len)
{
	while (len--)
		*p++ = chance();
}

static void read_key(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0 || read(fd, key, sizeof(key)) != sizeof(key))
		die(name);
	close(fd);
}

static void enter(const char *netns)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

static void open_wire(const char *name, int protocol)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(name),
	};
	int yes = 1;

	wire = socket(AF_PACKET, SOCK_RAW, 0);
	if (wire < 0 || bind(wire, (void *)&at, sizeof(at)) ||
	    setsockopt(wire, SOL_PACKET, PACKET_QDISC_BYPASS, &yes,
		       sizeof(yes)))
		die(name);
}

/* The counters of the device, as ethtool shows them */
static void count(uint64_t n[FATES])
{
	static struct {
		struct ethtool_sset_info head;
		__u32 n;
	} sets = { .head = { .cmd = ETHTOOL_GSSET_INFO,
			     .sset_mask = 1 << ETH_SS_STATS } };
	static struct {
		struct ethtool_gstrings head;
		char name[64][ETH_GSTRING_LEN];
	} names = { .head = { .cmd = ETHTOOL_GSTRINGS,
			      .string_set = ETH_SS_STATS } };
	static struct {
		struct ethtool_stats head;
		__u64 value[64];
	} stats = { .head = { .cmd = ETHTOOL_GSTATS } };
	static int fd = -1;
	struct ifreq request = { .ifr_data = (void *)&sets };
	unsigned int i, fate;

	snprintf(request.ifr_name, IFNAMSIZ, "%s", device);
	if (fd < 0) {
		fd = socket(AF_INET, SOCK_DGRAM, 0);
		if (ioctl(fd, SIOCETHTOOL, &request))
			die(device);
		names.head.len = sets.n;
		request.ifr_data = (void *)&names;
		if (sets.n > 64 || ioctl(fd, SIOCETHTOOL, &request))
			die(device);
	}
	stats.head.n_stats = sets.n;
	request.ifr_data = (void *)&stats;
	if (ioctl(fd, SIOCETHTOOL, &request))
		die(device);

	memset(n, 0, FATES * sizeof(*n));
	for (i = 0; i < sets.n; i++) {
		for (fate = BAD_TAG; fate < OTHERWISE; fate++)
			if (!strcmp(names.name[i], fates[fate]))
				break;
		if (!strncmp(names.name[i], "rx_", 3))
			n[fate] += stats.value[i];
	}
}

static uint64_t accepted(void)
{
	struct ifaddrs *all, *each;
	uint64_t n = 0;

	if (getifaddrs(&all))
		die("getifaddrs");
	for (each = all; each; each = each->ifa_next) {
		if (!strcmp(each->ifa_name, device) && each->ifa_addr &&
		    each->ifa_addr->sa_family == AF_PACKET)
			n = ((struct rtnl_link_stats *)each->ifa_data)->rx_packets;
	}
	freeifaddrs(all);
	return n;
}

/*
 * Wait until the device has counted that many frames more than in @before. Reading
 * the number of accepted ones is slow, so that is done only if the others fall short.
 */
static void await(const uint64_t before[FATES], uint64_t frames,
		  uint64_t now[FATES])
{
	static uint64_t last;
	time_t begin = time(NULL);
	uint64_t met;
	int fate;

	for (;;) {
		count(now);
		now[ACCEPTED] = last;
		for (met = 0, fate = 0; fate < FATES; fate++)
			met += now[fate] - before[fate];
		if (last >= before[ACCEPTED] && met >= frames)
			return;
		last = accepted();
		if (time(NULL) - begin > PATIENCE)
			fail("%llu of %llu frames were not counted",
			     (unsigned long long)(frames - met),
			     (unsigned long long)frames);
		sched_yield();
	}
}

/* A frame as the peer would send it. Its content has no receiver. */
static void seal(struct frame *f, uint64_t counter, size_t len)
{
	static const uint8_t inner[ETH_HLEN] = {
		2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0
	};
	uint8_t nonce[AEAD_NONCE_SIZE] = {}, text[FRAME_MAX];

	memset(f->data, 0xff, ETH_ALEN);
	memset(f->data + ETH_ALEN, 2, ETH_ALEN);
	f->data[12] = SEAL_ETHERTYPE >> 8;
	f->data[13] = SEAL_ETHERTYPE & 0xff;
	*HDR(f) = (struct seal_hdr){
		.version = htole16(SEAL_VERSION), .len = htole16(len),
		.counter = htole64(counter),
	};
	scatter(text, len);
	memcpy(text, inner, sizeof(inner));
	memcpy(nonce + 4, &HDR(f)->counter, 8);
	aead_ref_encrypt(key, nonce, (void *)HDR(f), sizeof(struct seal_hdr),
			 text, len, TEXT(f));
	f->len = AROUND + len;
}

/* The fate, by sealpair.h, of a frame that differs from what the peer sent */
static enum fate fate_of(const struct frame *f)
{
	const struct seal_hdr *hdr = HDR(f);

	if (f->len < AROUND || hdr->version != htole16(SEAL_VERSION) ||
	    hdr->zero || le64toh(hdr->counter) >= SEAL_LIMIT ||
	    le16toh(hdr->len) < ETH_HLEN ||
	    f->len < AROUND + le16toh(hdr->len))
		return MALFORMED;
	return BAD_TAG;
}

static void transmit(struct frame *frames, int n)
{
	struct mmsghdr messages[BURST] = {};
	struct iovec data[BURST];
	int i, done;

	for (i = 0; i < n; i++) {
		data[i].iov_base = frames[i].data;
		data[i].iov_len = frames[i].len;
		messages[i].msg_hdr.msg_iov = &data[i];
		messages[i].msg_hdr.msg_iovlen = 1;
	}
	for (i = 0; i < n; i += done) {
		done = sendmmsg(wire, messages + i, n - i, 0);
		if (done <= 0)
			die("sendmmsg");
	}
}

static void attack(uint64_t total)
{
	static const char *const kinds[] = {
		"invented", "changed", "cut short", "repeated"
	};
	static struct frame pool[POOL], burst[BURST];
	uint64_t before[FATES], now[FATES], expected[FATES] = {};
	uint64_t sent, of_kind[4] = {};
	struct timespec begin, end;
	double seconds;
	int i, fate;

	count(before);
	before[ACCEPTED] = accepted();
	for (i = 0; i < POOL; i++)
		seal(&pool[i], i, ETH_HLEN + chance() % 600);
	transmit(pool, POOL);
	expected[ACCEPTED] = POOL;
	await(before, POOL, now);

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (sent = 0; sent < total; sent += i) {
		for (i = 0; i < BURST && sent + i < total; i++) {
			struct frame *f = &burst[i];
			int kind = (sent + i) % 4;
			size_t bit;

			const struct frame *from = &pool[chance() % POOL];

			f->len = from->len;
			memcpy(f->data, from->data, f->len);
			if (kind == 0) {
				HDR(f)->counter = htole64(chance() >> 4);
				scatter(TEXT(f), f->len - AROUND +
						 SEAL_TAG_SIZE);
			} else if (kind == 1) {
				bit = chance() % (8 * (f->len - ETH_HLEN));
				f->data[ETH_HLEN + bit / 8] ^= 1 << bit % 8;
			} else if (kind == 2) {
				f->len = ETH_HLEN +
					 chance() % (f->len - ETH_HLEN);
			}
			of_kind[kind]++;
			expected[kind == 3 ? REPLAY : fate_of(f)]++;
		}
		transmit(burst, i);
		await(before, POOL + sent + i, now);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	now[ACCEPTED] = accepted();

	for (i = 0; i < 4; i++)
		printf("%llu %s\n", (unsigned long long)of_kind[i], kinds[i]);
	for (fate = 0; fate < FATES; fate++) {
		printf("%s: %llu, %llu expected\n", fates[fate],
		       (unsigned long long)(now[fate] - before[fate]),
		       (unsigned long long)expected[fate]);
		if (now[fate] - before[fate] != expected[fate])
			fail("not as expected: %s", fates[fate]);
	}
	seconds = end.tv_sec - begin.tv_sec +
		  (end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("%.0f frames a second\n", total / seconds);
}

static void expect(uint64_t counter, bool right, enum fate fate)
{
	static struct frame f;
	uint64_t before[FATES], now[FATES];

	seal(&f, counter, 64);
	if (!right)
		f.data[f.len - 1] ^= 0x80;
	count(before);
	before[ACCEPTED] = accepted();
	transmit(&f, 1);
	await(before, 1, now);
	if (now[fate] != before[fate] + 1)
		fail("counter %llu was not %s", (unsigned long long)counter,
		     fates[fate]);
}

static void window(void)
{
	const uint64_t far = 1ULL << 40;
	uint64_t c;

	expect(5, true, ACCEPTED);
	expect(5, true, REPLAY);
	expect(0, true, ACCEPTED);
	expect(0, true, REPLAY);
	expect(4, true, ACCEPTED);

	/* Both sides of the window's end */
	expect(5000, true, ACCEPTED);
	expect(5000 - WINDOW, true, REPLAY);
	expect(4999 - WINDOW, true, REPLAY);
	expect(5001 - WINDOW, true, ACCEPTED);
	expect(5001 - WINDOW, true, REPLAY);
	expect(4999, true, ACCEPTED);

	/* A forged counter moves nothing. */
	expect(1ULL << 50, false, BAD_TAG);
	expect(4998, true, ACCEPTED);

	/* One step of a whole window: every counter in it is new. */
	expect(5000 + WINDOW, true, ACCEPTED);
	expect(5000, true, REPLAY);
	for (c = 5001; c < 5000 + WINDOW; c++)
		expect(c, true, ACCEPTED);
	for (c = 5001; c <= 5000 + WINDOW; c += 97)
		expect(c, true, REPLAY);

	/* A slightly smaller step keeps one counter as seen, and no other. */
	expect(5000 + 2 * WINDOW - 1, true, ACCEPTED);
	expect(5000 + WINDOW, true, REPLAY);
	expect(5001 + WINDOW, true, ACCEPTED);

	expect(far, true, ACCEPTED);
	expect(far - WINDOW, true, REPLAY);
	expect(far - WINDOW + 1, true, ACCEPTED);
	expect(SEAL_LIMIT, true, MALFORMED);
	expect(UINT64_MAX, true, MALFORMED);
	expect(SEAL_LIMIT - 1, true, ACCEPTED);
	expect(SEAL_LIMIT - 1, true, REPLAY);
	expect(far, true, REPLAY);
	puts("the window is as it should be");
}

/* With PACKET_VNET_HDR, bytes after the first hdr_len go to fragments. */
static void pieces(void)
{
	struct virtio_net_hdr head = {};
	static struct frame f;
	uint64_t before[FATES], now[FATES];
	size_t first, n = 0;
	int yes = 1;

	if (setsockopt(wire, SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof(yes)))
		die("PACKET_VNET_HDR");
	count(before);
	before[ACCEPTED] = accepted();
	for (first = ETH_HLEN; first < ETH_HLEN + 64; first += 3) {
		struct iovec data[2] = {
			{ &head, sizeof(head) }, { f.data, 0 }
		};

		seal(&f, n++, 6000 + first);
		data[1].iov_len = f.len;
		head.hdr_len = first;
		if (writev(wire, data, 2) != (ssize_t)(sizeof(head) + f.len))
			die("writev");
		await(before, n, now);
	}
	if (now[ACCEPTED] - before[ACCEPTED] != n)
		fail("%llu of %zu were accepted",
		     (unsigned long long)(now[ACCEPTED] - before[ACCEPTED]), n);
	printf("%zu frames in pieces\n", n);
}

/* RFC 1071: continue @sum with an even number of bytes. */
static uint32_t add(const void *p, size_t len, uint32_t sum)
{
	const uint8_t *b = p;

	for (; len; len -= 2, b += 2)
		sum += b[0] << 8 | b[1];
	return sum;
}

static uint16_t checksum(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

static void segments(const char *name, const char *from, const char *to,
		     uint64_t total)
{
	const struct ethhdr outer = {
		.h_dest = { 2, 0, 0, 0, 1, 1 }, .h_source = { 2, 0, 0, 0, 1, 0 },
		.h_proto = htons(ETH_P_IP),
	};
	struct iphdr ip = {
		.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_TCP,
		.tot_len = htons(sizeof(ip) + sizeof(struct tcphdr) + SEGMENT),
		.frag_off = htons(IP_DF),
		.saddr = inet_addr(from), .daddr = inet_addr(to),
	};
	struct tcphdr tcp = {
		.source = htons(7), .dest = htons(7), .ack = 1, .doff = 5,
		.window = htons(4096),
	};
	static struct frame f;
	int wires[2];
	uint32_t sum;
	uint64_t n;

	open_wire(name, 0);
	wires[0] = wire;
	open_wire(name, 0);
	wires[1] = wire;
	for (n = 0; n < total; n++) {
		uint8_t *at = f.data;

		ip.id = htons(n);
		ip.check = 0;
		ip.check = checksum(add(&ip, sizeof(ip), 0));
		tcp.seq = htonl(n * SEGMENT);
		tcp.check = 0;
		memcpy(at, &outer, sizeof(outer));
		at = mempcpy(at + sizeof(outer), &ip, sizeof(ip));
		scatter(at + sizeof(tcp), SEGMENT);
		sum = add(&ip.saddr, 8, IPPROTO_TCP + sizeof(tcp) + SEGMENT);
		sum = add(&tcp, sizeof(tcp), sum);
		tcp.check = checksum(add(at + sizeof(tcp), SEGMENT, sum));
		memcpy(at, &tcp, sizeof(tcp));
		f.len = at + sizeof(tcp) + SEGMENT - f.data;
		if (write(wires[n % 2], f.data, f.len) != (ssize_t)f.len)
			die("write");
	}
}

static void listen_for(uint64_t most)
{
	struct timeval limit = { .tv_sec = PATIENCE };
	int room = 1 << 24;
	static struct frame f;
	static uint8_t text[FRAME_MAX], again[FRAME_MAX];
	uint8_t nonce[AEAD_NONCE_SIZE] = {};
	struct sockaddr_ll from;
	uint64_t n = 0;

	if (setsockopt(wire, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    setsockopt(wire, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		die("setsockopt");
	puts("ready");
	fflush(stdout);
	while (n < most) {
		socklen_t len = sizeof(from);
		ssize_t got = recvfrom(wire, f.data, sizeof(f.data), 0,
				       (void *)&from, &len);
		size_t inside;

		if (got < 0)
			die("no frame");
		if (from.sll_pkttype != PACKET_OUTGOING)
			continue;
		f.len = got;
		if (f.data[12] != SEAL_ETHERTYPE >> 8 ||
		    f.data[13] != (SEAL_ETHERTYPE & 0xff) ||
		    fate_of(&f) == MALFORMED)
			fail("frame %llu is not sealed", (unsigned long long)n);
		if (le64toh(HDR(&f)->counter) != n)
			fail("frame %llu has counter %llu",
			     (unsigned long long)n,
			     (unsigned long long)le64toh(HDR(&f)->counter));
		inside = f.len - AROUND;
		memcpy(nonce + 4, &HDR(&f)->counter, 8);
		aead_ref_encrypt(key, nonce, (void *)HDR(&f), 16, TEXT(&f),
				 inside, text);
		aead_ref_encrypt(key, nonce, (void *)HDR(&f), 16, text, inside,
				 again);
		if (le16toh(HDR(&f)->len) != inside ||
		    memcmp(again, TEXT(&f), inside + SEAL_TAG_SIZE))
			fail("frame %llu is not what RFC 8439 says",
			     (unsigned long long)n);
		n++;
	}
	printf("%llu frames sealed as RFC 8439 says\n", (unsigned long long)n);
}

static void dump(void)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg link;
	} ask = {
		.head = { sizeof(ask), RTM_GETLINK,
			  NLM_F_REQUEST | NLM_F_DUMP, 0, 0 },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	static char answer[65536];
	struct nlmsghdr *head = (void *)answer;
	ssize_t n;

	if (fd < 0 || send(fd, &ask, sizeof(ask), 0) < 0)
		die("rtnetlink");
	do {
		n = recv(fd, answer, sizeof(answer), 0);
		if (n <= 0 || write(1, answer, n) != n)
			die("rtnetlink");
	} while (head->nlmsg_type != NLMSG_DONE);
}

static void search(void)
{
	static char all[1 << 22];
	size_t len = fread(all, 1, sizeof(all), stdin);
	char hex[17];
	int i, j;

	if (!len || len == sizeof(all))
		fail("nothing to search, or too much");
	for (i = 0; i + 8 <= SEAL_KEY_SIZE; i++) {
		for (j = 0; j < 8; j++)
			sprintf(hex + 2 * j, "%02x", key[i + j]);
		if (memmem(all, len, key + i, 8) || memmem(all, len, hex, 16))
			fail("bytes %d to %d of the key are there", i, i + 7);
	}
	printf("%zu bytes without the key\n", len);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (argc == 6 && !strcmp(what, "segments")) {
		segments(argv[2], argv[3], argv[4], strtoull(argv[5], NULL, 0));
	} else if (argc >= 6 && argc == (strcmp(what, "attack") ? 6 : 7)) {
		open_wire(argv[2], 0);
		enter(argv[3]);
		device = argv[4];
		read_key(argv[5]);
		if (!strcmp(what, "attack"))
			attack(strtoull(argv[6], NULL, 0));
		else if (!strcmp(what, "window"))
			window();
		else if (!strcmp(what, "pieces"))
			pieces();
		else
			fail("no such thing: %s", what);
	} else if (argc == 5 && !strcmp(what, "listen")) {
		read_key(argv[3]);
		open_wire(argv[2], ETH_P_ALL);
		listen_for(strtoull(argv[4], NULL, 0));
	} else if (argc == 3 && !strcmp(what, "dump")) {
		enter(argv[2]);
		dump();
	} else if (argc == 3 && !strcmp(what, "search")) {
		read_key(argv[2]);
		search();
	} else {
		fail("usage: seal_forge attack|window|pieces|segments|listen|dump|search ...");
	}
	return 0;
}
