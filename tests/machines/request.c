// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * request NAME [TYPE] - request the kernel's NAME through AF_ALG, which loads or makes it
 *
 * TYPE is "hash" unless given, "aead" for instance. Exit status: 1 if there is no such thing.
 */
#include <linux/if_alg.h>
#include <stdio.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_alg addr = { .salg_family = AF_ALG };
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	if (argc < 2)
		return 1;
	snprintf((char *)addr.salg_type, sizeof(addr.salg_type), "%s", argc > 2 ? argv[2] : "hash");
	snprintf((char *)addr.salg_name, sizeof(addr.salg_name), "%s", argv[1]);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
