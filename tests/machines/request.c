// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * request NAME [TYPE] - request the kernel's NAME through AF_ALG, which loads or makes it
 *
 * TYPE is "hash" unless given, "aead" for instance. Exit status: 1 if there is no such thing.
 */
#include <string.h>

#include "../../tools/kcapi_test/afalg.h"

int main(int argc, char **argv)
{
	const int fd = argc < 2 ? -EINVAL : alg_bind(argc > 2 ? argv[2] : "hash", argv[1]);

	if (fd < 0)
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-fd));
	return fd < 0;
}
