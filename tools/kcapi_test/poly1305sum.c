// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305sum - compute and check Poly1305 tags
 *
 * libpoly1305.a computes them or, with --driver, a hash of the kernel's, through AF_ALG. A key
 * authenticates one message, so each file needs its own. The program reads the keys in order from
 * one key file and accepts no other number than that of files.
 */
#define _GNU_SOURCE
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "afalg.h"
#include "poly1305_user.h"

#define KEY	POLY1305_MAC_KEY_SIZE
#define TAG	POLY1305_MAC_TAG_SIZE
#define PIECE	16384

/* A message: a file, and with --check the tag that it should have */
static struct entry {
	const char *name;
	u8 tag[TAG];
} *entries;
static size_t nentries;

/* One key for each entry */
static u8 *keys;
static size_t keys_size;

/* A socket with the hash's name, or -1 if the library computes */
static int kernel = -1;

/* Runs at exit(): the program never leaves a key in memory. */
static void wipe_keys(void)
{
	if (keys)
		explicit_bzero(keys, keys_size);
}

static void *allocate(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n, size);

	if (!p)
		error(EXIT_FAILURE, 0, "out of memory");
	return p;
}

/* Nonzero if they differ; the time does not depend on where. */
static unsigned int differ(const u8 *a, const u8 *b, size_t n)
{
	unsigned int difference = 0;

	while (n--) {
		difference |= *a++ ^ *b++;
		/* Keep compilers from ending the loop once all bits are set. */
		__asm__ ("" : "+r" (difference));
	}
	return difference;
}

/* A message on its way: through a socket of the kernel's, or @op is -1 */
struct mac {
	int op;
	struct poly1305_mac_ctx ctx;
};

static void mac_update(struct mac *mac, const void *data, size_t n)
{
	if (mac->op < 0)
		poly1305_mac_update(&mac->ctx, data, n);
	else if (n && send(mac->op, data, n, MSG_MORE) != (ssize_t)n)
		error(EXIT_FAILURE, errno, "the kernel's hash");
}

static void mac_begin(struct mac *mac, const u8 *key)
{
	mac->op = -1;
	if (kernel < 0) {
		poly1305_mac_init(&mac->ctx, key);
		return;
	}
	mac->op = accept4(kernel, NULL, NULL, SOCK_CLOEXEC);
	if (mac->op < 0)
		error(EXIT_FAILURE, errno, "the kernel's hash");
	mac_update(mac, key, KEY);
}

static void mac_end(struct mac *mac, u8 *tag)
{
	if (mac->op < 0) {
		poly1305_mac_final(&mac->ctx, tag);
		return;
	}
	errno = 0;
	if (recv(mac->op, tag, TAG, MSG_TRUNC) != TAG)
		error(EXIT_FAILURE, errno, "the kernel's hash is no Poly1305");
	close(mac->op);
}

static void open_hash(const char *driver)
{
	static const u8 key[KEY] = "tells a Poly1305 from a hash";
	u8 right[TAG], tag[TAG];
	struct mac mac;

	kernel = alg_bind("hash", driver);
	if (kernel < 0)
		error(EXIT_FAILURE, -kernel, "%s: see AF_ALG in poly1305sum(1)", driver);
	mac_begin(&mac, key);
	mac_update(&mac, key, 5);
	mac_end(&mac, tag);
	poly1305_mac_digest(key, key, 5, right);
	if (memcmp(tag, right, TAG))
		error(EXIT_FAILURE, 0, "%s: not a Poly1305", driver);
}

static int open_file(const char *name)
{
	return strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
}

/* Opens a file and computes its tag, and wipes its key; says so if the file cannot be read. */
static bool compute(size_t number, u8 *tag)
{
	static u8 piece[PIECE];
	const char *name = entries[number].name;
	u8 *key = keys + number * KEY;
	const int fd = open_file(name);
	int err = fd < 0 ? errno : 0;
	struct mac mac;
	ssize_t n;

	mac_begin(&mac, key);
	explicit_bzero(key, KEY);
	while (!err && (n = read(fd, piece, PIECE))) {
		if (n < 0)
			err = errno;
		else
			mac_update(&mac, piece, n);
	}
	/* After an error, too: this ends the message. */
	mac_end(&mac, tag);
	if (err)
		error(0, err, "%s", name);
	if (fd > STDIN_FILENO)
		close(fd);
	return !err;
}

/*
 * Prints the tag of each file, or the verdict on it. What is computed for a check is never printed:
 * a forger must not learn the right tag of a message of his own.
 */
static bool print_all(bool check)
{
	size_t i, j, failed = 0;
	u8 tag[TAG];

	for (i = 0; i < nentries; i++) {
		bool done = compute(i, tag);
		bool right = done && (!check || !differ(tag, entries[i].tag, TAG));

		for (j = 0; right && !check && j < TAG; j++)
			printf("%02x", tag[j]);
		if (check)
			printf("%s: %s\n", entries[i].name,
			       right ? "OK" : done ? "FAILED" : "FAILED open or read");
		else if (right)
			printf("  %s\n", entries[i].name);
		failed += !right;
		explicit_bzero(tag, TAG);
	}
	if (failed && check)
		error(0, 0, "WARNING: %zu of %zu files FAILED", failed, nentries);
	return !failed;
}

static struct entry *add_entry(const char *name)
{
	if (strchr(name, '\n'))
		error(EXIT_FAILURE, 0, "a name with a newline in it would break the list");
	entries = allocate(entries, nentries + 1, sizeof(*entries));
	entries[nentries].name = name;
	return &entries[nentries++];
}

/*
 * A bad line ends the program before any key is read: without it, the keys could
 * not be matched with the files.
 */
static void read_list(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *line = NULL;
	size_t room = 0, number, i;
	ssize_t n;

	if (!f)
		error(EXIT_FAILURE, errno, "%s", path);
	for (number = 1; (n = getline(&line, &room, f)) > 0; number++) {
		struct entry *entry;

		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (strlen(line) != (size_t)n || n <= 2 * TAG + 2 ||
		    strspn(line, "0123456789abcdefABCDEF") != 2 * TAG ||
		    line[2 * TAG] != ' ' || !strchr(" *", line[2 * TAG + 1]))
			error(EXIT_FAILURE, 0, "%s: %zu: not a line of the form 'TAG  FILE'",
			      path, number);
		entry = add_entry(line + 2 * TAG + 2);
		for (i = 0; i < TAG && sscanf(line + 2 * i, "%2hhx", &entry->tag[i]) == 1; i++)
			;
		line = NULL;	/* It has the name. */
	}
	if (ferror(f))
		error(EXIT_FAILURE, errno, "%s", path);
}

static void read_keys(const char *path)
{
	static const char rule[] = "each message needs a key of its own, of 32 bytes";
	const size_t need = nentries * KEY;
	const int fd = open_file(path);
	size_t got = 0, i, j;
	ssize_t n;

	if (fd < 0)
		error(EXIT_FAILURE, errno, "%s", path);
	/* One byte more, to notice a file that is too long */
	keys_size = need + 1;
	keys = allocate(NULL, keys_size, 1);
	while ((n = read(fd, keys + got, keys_size - got)) > 0)
		got += n;
	if (n < 0)
		error(EXIT_FAILURE, errno, "%s", path);
	if (got != need)
		error(EXIT_FAILURE, 0, "%s: %s than %zu bytes: %s", path,
		      got < need ? "fewer" : "more", need, rule);
	for (i = 1; i < nentries; i++)
		for (j = 0; j < i; j++)
			if (!differ(keys + i * KEY, keys + j * KEY, KEY))
				error(EXIT_FAILURE, 0, "%s: keys %zu and %zu are the same: %s",
				      path, j + 1, i + 1, rule);
}

static void make_keys(const char *path, size_t nkeys)
{
	int fd;

	keys_size = nkeys * KEY;
	keys = allocate(NULL, nkeys, KEY);
	if (getrandom(keys, keys_size, 0) != (ssize_t)keys_size)
		error(EXIT_FAILURE, errno, "no random bytes");
	/* O_EXCL: to overwrite a key is to lose it. */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		error(EXIT_FAILURE, errno, "%s", path);
	errno = ENOSPC;
	if (write(fd, keys, keys_size) != (ssize_t)keys_size || close(fd)) {
		error(0, errno, "%s", path);
		unlink(path);
		exit(EXIT_FAILURE);
	}
}

static const char usage[] =
	"Usage: poly1305sum -k KEYS [-d NAME] [FILE]...          print the tag of each FILE\n"
	"       poly1305sum -k KEYS [-d NAME] --check [LIST]...  check those that were printed\n"
	"       poly1305sum --new-key KEYS [FILE]...             make a key for each FILE\n"
	"\n"
	"KEYS has 32 bytes for each FILE, in their order; - is standard input. With -d the\n"
	"kernel's hash of that name computes. ONE KEY, ONE MESSAGE: anyone who sees the tags of\n"
	"two messages under one key can forge others. See poly1305sum(1).\n";

static int finish(bool good)
{
	if (fflush(stdout) || ferror(stdout))
		error(EXIT_FAILURE, errno, "standard output");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "key-file", required_argument, NULL, 'k' },
		{ "check", no_argument, NULL, 'c' },
		{ "new-key", required_argument, NULL, 'n' },
		{ "driver", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	static const struct rlimit no_core;
	const char *key_path = NULL, *new_key = NULL, *driver = NULL, *input;
	bool check = false;
	int option, stdin_uses = 0;
	size_t i;

	while ((option = getopt_long(argc, argv, "k:cd:", options, NULL)) != -1) {
		if (option == 'k')
			key_path = optarg;
		else if (option == 'n')
			new_key = optarg;
		else if (option == 'd')
			driver = optarg;
		else if (option == 'c')
			check = true;
		else if (option == '?')
			error(EXIT_FAILURE, 0, "try --help");
		else
			return finish(fputs(usage, stdout) >= 0);
	}
	/* No core dump may put a key on the disk; one that goes to a pipe has no limit. */
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_DUMPABLE, 0);
	atexit(wipe_keys);
	if (!key_path == !new_key)
		error(EXIT_FAILURE, 0, "one of --key-file and --new-key is needed");
	if (new_key) {
		make_keys(new_key, optind < argc ? argc - optind : 1);
		return EXIT_SUCCESS;
	}
	do {
		input = optind < argc ? argv[optind] : "-";
		stdin_uses += check && !strcmp(input, "-");
		if (check)
			read_list(input);
		else
			add_entry(input);
	} while (++optind < argc);
	if (!nentries)
		error(EXIT_FAILURE, 0, "%s: no lines of the form 'TAG  FILE'", input);
	for (i = 0; i < nentries; i++)
		stdin_uses += !strcmp(entries[i].name, "-");
	if (stdin_uses + !strcmp(key_path, "-") > 1)
		error(EXIT_FAILURE, 0, "standard input is more than one of keys, list, file");
	if (driver)
		open_hash(driver);
	read_keys(key_path);
	return finish(print_all(check));
}
