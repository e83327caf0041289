// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * deny socket|fsync FIRST ERRNO COMMAND...: runs a command for which that system call fails
 * with that error if its first argument is FIRST. Sockets of the family AF_ALG fail so in a
 * sandbox or on a kernel without AF_ALG.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

int main(int argc, char **argv)
{
	bool known = argc > 4 && (!strcmp(argv[1], "socket") || !strcmp(argv[1], "fsync"));
	int call = known && argv[1][0] == 's' ? __NR_socket : __NR_fsync;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, known ? atoi(argv[2]) : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (known ? atoi(argv[3]) : 0)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };

	if (!known) {
		fputs("Usage: deny socket|fsync FIRST ERRNO COMMAND...\n", stderr);
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("deny: seccomp");
		return 4;
	}
	execvp(argv[4], argv + 4);
	perror(argv[4]);
	return 2;
}
