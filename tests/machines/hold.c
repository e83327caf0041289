// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * hold NAME [TYPE] - hold a transform of the kernel's NAME, through AF_ALG, until standard
 * input ends. TYPE is "hash" unless given, "aead" for instance. Says "held" once it
 * does; exits with 1 if it cannot.
 */
#include <linux/if_alg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_alg addr = {
		.salg_family = AF_ALG, .salg_type = "hash"
	};
	char byte;
	int fd;

	if (argc < 2)
		return 1;
	if (argc > 2)
		snprintf((char *)addr.salg_type, sizeof(addr.salg_type), "%s", argv[2]);
	snprintf((char *)addr.salg_name, sizeof(addr.salg_name), "%s", argv[1]);
	fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		perror(argv[1]);
		return 1;
	}
	puts("held");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
