// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * deny ERRNO COMMAND...: runs a command for which AF_ALG sockets fail with that error,
 * as in a sandbox or on a kernel without AF_ALG.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_ALG, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | atoi(argc > 2 ? argv[1] : "")),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };

	if (argc < 3) {
		fputs("Usage: deny ERRNO COMMAND...\n", stderr);
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("deny: seccomp");
		return 4;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
