// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealkeys - give a device of sealpair.ko its keys
 *
 *	sealkeys DEVICE TX RX [PEER [LIMIT]]
 *
 * TX and RX are files with a key of 32 bytes each: TX for frames that this end sends,
 * RX for frames that it receives. The other end gets them in reverse order. "-" is
 * standard input. PEER is the address of the other end's lower device, and LIMIT the
 * number of frames that may be sent under TX. Both keys must be new: never used for
 * anything before. Needs CAP_NET_ADMIN. Exit status: 0, or 1 after one line with the
 * reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sealpair.h"

static struct {
	struct nlmsghdr head;
	struct ifinfomsg link;
	char attributes[256];
} message;

static void die(const char *what)
{
	explicit_bzero(&message, sizeof(message));
	fprintf(stderr, "sealkeys: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Append an attribute, or begin one that holds the following ones until end(). */
static struct rtattr *add(int type, const void *data, size_t len)
{
	struct rtattr *a = (void *)((char *)&message +
				    NLMSG_ALIGN(message.head.nlmsg_len));

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(a), data, len);
	message.head.nlmsg_len = NLMSG_ALIGN(message.head.nlmsg_len) +
				 RTA_ALIGN(a->rta_len);
	return a;
}

static void end(struct rtattr *a)
{
	a->rta_len = (char *)&message + message.head.nlmsg_len - (char *)a;
}

static void add_key(int type, const char *name)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : 0;
	unsigned char key[SEAL_KEY_SIZE + 1];
	size_t have = 0;
	ssize_t n;

	/* A key follows another on standard input; a file has no more. */
	size_t want = fd ? sizeof(key) : SEAL_KEY_SIZE;

	if (fd < 0)
		die(name);
	while (have < want && (n = read(fd, key + have, want - have)) > 0)
		have += n;
	if (have != SEAL_KEY_SIZE) {
		errno = EINVAL;
		die(name);
	}
	add(type, key, SEAL_KEY_SIZE);
	explicit_bzero(key, sizeof(key));
	if (fd)
		close(fd);
}

static void add_peer(const char *text)
{
	unsigned char a[ETH_ALEN];
	char rest;

	if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", &a[0], &a[1],
		   &a[2], &a[3], &a[4], &a[5], &rest) != ETH_ALEN) {
		errno = EINVAL;
		die(text);
	}
	add(IFLA_SEALPAIR_PEER, a, sizeof(a));
}

static void add_limit(const char *text)
{
	unsigned long long limit;
	__u32 value;
	char *rest;

	errno = 0;
	limit = strtoull(text, &rest, 0);
	value = limit;
	if (errno || !*text || *rest || value != limit) {
		errno = ERANGE;
		die(text);
	}
	add(IFLA_SEALPAIR_TX_LIMIT, &value, sizeof(value));
}

int main(int argc, char **argv)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[1024];
	} answer;
	struct rtattr *info, *data;
	int fd;

	if (argc < 4 || argc > 6) {
		fprintf(stderr,
			"usage: sealkeys DEVICE TX RX [PEER [LIMIT]]\n");
		return 1;
	}
	message.head.nlmsg_len = NLMSG_LENGTH(sizeof(message.link));
	message.head.nlmsg_type = RTM_NEWLINK;
	message.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	message.link.ifi_index = if_nametoindex(argv[1]);
	if (!message.link.ifi_index)
		die(argv[1]);
	info = add(IFLA_LINKINFO, NULL, 0);
	add(IFLA_INFO_KIND, "sealpair", strlen("sealpair"));
	data = add(IFLA_INFO_DATA, NULL, 0);
	add_key(IFLA_SEALPAIR_TX_KEY, argv[2]);
	add_key(IFLA_SEALPAIR_RX_KEY, argv[3]);
	if (argc > 4)
		add_peer(argv[4]);
	if (argc > 5)
		add_limit(argv[5]);
	end(data);
	end(info);

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0 || send(fd, &message, message.head.nlmsg_len, 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < (ssize_t)NLMSG_LENGTH(sizeof(int)))
		die("rtnetlink");
	errno = -answer.error.error;
	if (errno)
		die(argv[1]);
	explicit_bzero(&message, sizeof(message));
	return 0;
}
