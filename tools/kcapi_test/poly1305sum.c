// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305sum - compute and check Poly1305 tags
 *
 * libpoly1305.a computes them or, with --driver, a hash of the kernel's, through AF_ALG. A key
 * authenticates one message, so each file needs its own key. The program reads the keys in order
 * from one key file, which must have as many keys as there are files.
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

/* How results are printed: the options of the same names, which sha256sum has, too */
static bool check, quiet, status, zero, tagged;

/* A line that --tag prints: this, the name, the end, the tag */
static const char tagged_start[] = "Poly1305 (", tagged_end[] = ") = ";

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

static void print_tag(const char *name, const u8 *tag)
{
	int i;

	if (tagged)
		printf("%s%s%s", tagged_start, name, tagged_end);
	for (i = 0; i < TAG; i++)
		printf("%02x", tag[i]);
	if (!tagged)
		printf("  %s", name);
	putchar(zero ? '\0' : '\n');
}

/*
 * Prints the tag of each file, or the verdict on it. What is computed for a check is never printed:
 * a forger must not learn the right tag of a message of his own.
 */
static bool print_all(void)
{
	size_t i, failed = 0;
	u8 tag[TAG];

	for (i = 0; i < nentries; i++) {
		bool done = compute(i, tag);
		bool right = done && (!check || !differ(tag, entries[i].tag, TAG));

		if (right && !check)
			print_tag(entries[i].name, tag);
		if (check && !status && !(right && quiet))
			printf("%s: %s\n", entries[i].name,
			       right ? "OK" : done ? "FAILED" : "FAILED open or read");
		failed += !right;
		explicit_bzero(tag, TAG);
	}
	if (failed && check && !status)
		error(0, 0, "WARNING: %zu of %zu files FAILED", failed, nentries);
	return !failed;
}

static struct entry *add_entry(const char *name)
{
	if (!zero && strchr(name, '\n'))
		error(EXIT_FAILURE, 0, "a name with a newline would break the list; see --zero");
	entries = allocate(entries, nentries + 1, sizeof(*entries));
	entries[nentries].name = name;
	return &entries[nentries++];
}

/* The name in a line of n bytes, which has the form of print_tag(), and its tag, or NULL */
static char *parse_line(char *line, size_t n, u8 *tag)
{
	const size_t start = strlen(tagged_start), end = strlen(tagged_end);
	char *name, *digits;
	int i;

	if (!strncmp(line, tagged_start, start) && n > start + end + 2 * TAG) {
		name = line + start;
		digits = line + n - 2 * TAG;
		if (memcmp(digits - end, tagged_end, end))
			return NULL;
		digits[-end] = '\0';
	} else if (n > 2 * TAG + 2 && line[2 * TAG] == ' ' && strchr(" *", line[2 * TAG + 1])) {
		name = line + 2 * TAG + 2;
		digits = line;
	} else {
		return NULL;
	}
	if (strspn(digits, "0123456789abcdefABCDEF") != 2 * TAG)
		return NULL;
	for (i = 0; i < TAG && sscanf(digits + 2 * i, "%2hhx", &tag[i]) == 1; i++)
		;
	return name;
}

/*
 * A bad line ends the program before any key is read: without it, the keys could
 * not be matched with the files.
 */
static void read_list(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *line = NULL;
	size_t room = 0, number;
	u8 tag[TAG];
	ssize_t n;

	if (!f)
		error(EXIT_FAILURE, errno, "%s", path);
	for (number = 1; (n = getline(&line, &room, f)) > 0; number++) {
		char *name = NULL;

		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (strlen(line) == (size_t)n)
			name = parse_line(line, n, tag);
		if (!name)
			error(EXIT_FAILURE, 0, "%s: %zu: not a line of the form 'TAG  FILE'",
			      path, number);
		memcpy(add_entry(name)->tag, tag, TAG);
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
	"Usage: poly1305sum -k KEYS [-d NAME] [--tag] [-z] [FILE]...\n"
	"       poly1305sum -k KEYS [-d NAME] --check [--quiet | --status] [LIST]...\n"
	"       poly1305sum --new-key KEYS [FILE]...\n"
	"\n"
	"Print the tag of each FILE, check the tags in each LIST, or make a key for each FILE.\n"
	"\n"
	"  -k, --key-file KEYS  32 bytes for each FILE, in their order; - is standard input\n"
	"  -c, --check          check tags that were printed, with or without --tag\n"
	"      --new-key KEYS   make keys, in a new file\n"
	"  -d, --driver NAME    the kernel's hash of that name computes\n"
	"      --tag            print lines of the form 'Poly1305 (FILE) = TAG'\n"
	"  -z, --zero           end each line with a zero byte, not a newline\n"
	"      --quiet          don't print OK for each file whose tag is right\n"
	"      --status         print no verdict: the exit status shows success\n"
	"      --help           print this\n"
	"      --version        print the version\n"
	"\n"
	"ONE KEY, ONE MESSAGE: anyone who sees the tags of two messages under one key can forge\n"
	"others. See poly1305sum(1).\n";

static int finish(bool good)
{
	if (fflush(stdout) || ferror(stdout))
		error(EXIT_FAILURE, errno, "standard output");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Options are combined as sha256sum has them. */
static void check_options(void)
{
	const char *wrong = NULL;

	if (zero && check)
		wrong = "the --zero option is not supported when verifying tags";
	else if (tagged && check)
		wrong = "the --tag option is meaningless when verifying tags";
	else if (status && !check)
		wrong = "the --status option is meaningful only when verifying tags";
	else if (quiet && !check)
		wrong = "the --quiet option is meaningful only when verifying tags";
	if (wrong)
		error(EXIT_FAILURE, 0, "%s; try --help", wrong);
}

int main(int argc, char **argv)
{
	enum { NEW_KEY = 256, TAGGED, QUIET, STATUS, HELP, PRINT_VERSION };
	static const struct option options[] = {
		{ "key-file", required_argument, NULL, 'k' },
		{ "check", no_argument, NULL, 'c' },
		{ "new-key", required_argument, NULL, NEW_KEY },
		{ "driver", required_argument, NULL, 'd' },
		{ "tag", no_argument, NULL, TAGGED },
		{ "zero", no_argument, NULL, 'z' },
		{ "quiet", no_argument, NULL, QUIET },
		{ "status", no_argument, NULL, STATUS },
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, PRINT_VERSION },
		{ 0 }
	};
	static const struct rlimit no_core;
	const char *key_path = NULL, *new_key = NULL, *driver = NULL, *input;
	int option, stdin_uses = 0;
	size_t i;

	while ((option = getopt_long(argc, argv, "k:cd:z", options, NULL)) != -1) {
		switch (option) {
		case 'k':
			key_path = optarg;
			break;
		case 'c':
			check = true;
			break;
		case 'd':
			driver = optarg;
			break;
		case 'z':
			zero = true;
			break;
		case NEW_KEY:
			new_key = optarg;
			break;
		case TAGGED:
			tagged = true;
			break;
		case QUIET:
		case STATUS:	/* The last one counts. */
			quiet = option == QUIET;
			status = option == STATUS;
			break;
		case HELP:
			return finish(fputs(usage, stdout) >= 0);
		case PRINT_VERSION:
			return finish(puts("poly1305sum (poly1305.ko) " VERSION) >= 0);
		default:
			error(EXIT_FAILURE, 0, "try --help");
		}
	}
	check_options();
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
	return finish(print_all());
}
