// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealkeys - give a device of sealpair.ko its keys
 *
 *	sealkeys DEVICE TX RX [PEER [LIMIT]]
 *
 * TX and RX are files with a key of 32 bytes each: TX for frames that this end sends, RX
 * for frames that it receives. The other end needs them in reverse order. "-" is standard
 * input. PEER is the address of the other end's lower device, and LIMIT the number of
 * frames that may be sent under TX. Both keys must be new, never used for anything before.
 * Needs CAP_NET_ADMIN. Exit status: 0, or 1 after one line with the reason.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sealpair.h"

/* The netlink request, of nested attributes without padding */
static struct {
	struct nlmsghdr head;
	struct ifinfomsg link;
	struct rtattr info, kind;
	char name[8];
	struct rtattr data, attr;
	struct sealpair_config config;
} message = {
	.head = { sizeof(message), RTM_NEWLINK, NLM_F_REQUEST | NLM_F_ACK, 0, 0 },
	.info = { sizeof(message) - offsetof(typeof(message), info), IFLA_LINKINFO },
	.kind = { RTA_LENGTH(sizeof(message.name)), IFLA_INFO_KIND },
	.name = { 's', 'e', 'a', 'l', 'p', 'a', 'i', 'r' },
	.data = { sizeof(message) - offsetof(typeof(message), data), IFLA_INFO_DATA },
	.attr = { RTA_LENGTH(sizeof(message.config)), IFLA_SEALPAIR_CONFIG },
	.config = { .tx_limit = SEAL_LIMIT, .peer = { 255, 255, 255, 255, 255, 255 } },
};

static_assert(sizeof(message) == offsetof(typeof(message), attr) +
	      RTA_LENGTH(sizeof(message.config)), "no gaps");

static void die(const char *what)
{
	explicit_bzero(&message, sizeof(message));
	fprintf(stderr, "sealkeys: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void read_key(unsigned char key[SEAL_KEY_SIZE], const char *name)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : 0;
	unsigned char more;
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		die(name);
	while (have < SEAL_KEY_SIZE && (n = read(fd, key + have, SEAL_KEY_SIZE - have)) > 0)
		have += n;
	/* Standard input may hold both keys, but a file must end after its key. */
	if (have != SEAL_KEY_SIZE || (fd && read(fd, &more, 1))) {
		errno = EINVAL;
		die(name);
	}
	if (fd)
		close(fd);
}

static void read_peer(unsigned char a[ETH_ALEN], const char *text)
{
	char rest;

	if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", &a[0], &a[1], &a[2], &a[3], &a[4],
		   &a[5], &rest) != ETH_ALEN) {
		errno = EINVAL;
		die(text);
	}
}

static __u64 read_limit(const char *text)
{
	unsigned long long limit;
	char *rest;

	errno = 0;
	limit = strtoull(text, &rest, 0);
	if (errno || *text < '0' || *text > '9' || *rest || limit > SEAL_LIMIT) {
		errno = ERANGE;
		die(text);
	}
	return limit;
}

int main(int argc, char **argv)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[1024];
	} answer;
	struct sealpair_config *config = &message.config;
	int fd;

	if (argc < 4 || argc > 6) {
		fprintf(stderr, "usage: sealkeys DEVICE TX RX [PEER [LIMIT]]\n");
		return 1;
	}
	message.link.ifi_index = if_nametoindex(argv[1]);
	if (!message.link.ifi_index)
		die(argv[1]);
	read_key(config->tx_key, argv[2]);
	read_key(config->rx_key, argv[3]);
	if (argc > 4)
		read_peer(config->peer, argv[4]);
	if (argc > 5)
		config->tx_limit = read_limit(argv[5]);

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0 || send(fd, &message, sizeof(message), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < (ssize_t)NLMSG_LENGTH(sizeof(int)))
		die("rtnetlink");
	errno = -answer.error.error;
	if (errno)
		die(argv[1]);
	explicit_bzero(&message, sizeof(message));
	return 0;
}
