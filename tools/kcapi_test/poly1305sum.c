// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305sum - compute and check Poly1305 tags with the kernel's poly1305
 *
 * A key authenticates one message, so each file needs its own. The program reads
 * the keys in order from one key file and accepts no other number than that of files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <kcapi.h>

#define DEFAULT_DRIVER	"poly1305"
#define KEY_SIZE	32
#define TAG_SIZE	16
#define BLOCK_SIZE	16

/* libkcapi sends pieces below 32 KiB; larger ones it may splice. */
#define PIECE		16384

/* A message: a file, and with --check the expected tag */
struct entry {
	char *name;
	unsigned char tag[TAG_SIZE];
};

static struct entry *entries;
static size_t nentries;

/* One key for each entry. */
static unsigned char *keys;
static size_t keys_size;

/* Runs at exit(), too: the program never leaves a key in memory. */
static void wipe_keys(void)
{
	if (keys)
		explicit_bzero(keys, keys_size);
}

__attribute__((format(printf, 1, 2)))
static void complain(const char *format, ...)
{
	va_list args;

	/* Keep lines in order if both streams go to the same place. */
	fflush(stdout);
	va_start(args, format);
	fputs("poly1305sum: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

#define die(...)	do { complain(__VA_ARGS__); exit(EXIT_FAILURE); } while (0)

static void *allocate(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n, size);

	if (!p)
		die("out of memory");
	return p;
}

/* Nonzero if they differ; the time does not depend on where. */
static unsigned int differ(const unsigned char *a, const unsigned char *b,
			   size_t n)
{
	unsigned int difference = 0;

	while (n--) {
		difference |= *a++ ^ *b++;
		/* Keep compilers from ending the loop once all bits are set. */
		__asm__ ("" : "+r" (difference));
	}
	return difference;
}

/*
 * A hexadecimal digit's value, or 16 or more for any other character. The digit may
 * be part of a key, so there is no branch and no table.
 */
static unsigned int hex_value(unsigned char c)
{
	unsigned int digit = c ^ '0';		/* 0..9 for a digit */
	unsigned int letter = (c | 32) ^ 96;	/* 1..6 for a letter */
	unsigned int is_digit = (digit - 10) >> 31;
	unsigned int is_letter = (letter - 7) >> 31 & ~((letter - 1) >> 31);

	return (digit & -is_digit) | ((letter + 9) & -is_letter) |
	       (1 ^ (is_digit | is_letter)) << 4;
}

static void add_entry(const char *name)
{
	entries = allocate(entries, nentries + 1, sizeof(*entries));
	entries[nentries] = (struct entry){ .name = strdup(name) };
	if (!entries[nentries++].name)
		die("out of memory");
}

/* Undoes print_name() in place; false if print_name() cannot have written this. */
static bool unescape(char *name)
{
	char *to = name;

	for (; *name; name++) {
		if (*name == '\\') {
			name++;
			if (*name == 'n')
				*to++ = '\n';
			else if (*name == 'r')
				*to++ = '\r';
			else if (*name == '\\')
				*to++ = '\\';
			else
				return false;
		} else {
			*to++ = *name;
		}
	}
	*to = '\0';
	return true;
}

/* One line of a list: TAG, two spaces or a space and an asterisk, FILE. */
static bool parse_line(char *line)
{
	bool escaped = *line == '\\';
	unsigned char tag[TAG_SIZE];
	unsigned int high, low;
	char *name;
	int i;

	line += escaped;
	if (strnlen(line, 2 * TAG_SIZE + 3) < 2 * TAG_SIZE + 3)
		return false;
	for (i = 0; i < TAG_SIZE; i++) {
		high = hex_value(line[2 * i]);
		low = hex_value(line[2 * i + 1]);
		if (high > 15 || low > 15)
			return false;
		tag[i] = high << 4 | low;
	}
	name = line + 2 * TAG_SIZE;
	if (name[0] != ' ' || (name[1] != ' ' && name[1] != '*'))
		return false;
	name += 2;
	if (escaped && !unescape(name))
		return false;
	add_entry(name);
	memcpy(entries[nentries - 1].tag, tag, TAG_SIZE);
	return true;
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
	ssize_t n;

	if (!f)
		die("%s: %s", path, strerror(errno));
	for (number = 1; (n = getline(&line, &room, f)) > 0; number++) {
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (strlen(line) != (size_t)n || !parse_line(line))
			die("%s: %zu: not a line of the form 'TAG  FILE'", path,
			    number);
	}
	if (ferror(f))
		die("%s: %s", path, strerror(errno));
	if (f != stdin)
		fclose(f);
	free(line);
}

/* Reads until there are @size bytes or the input ends. */
static size_t read_full(int fd, void *buf, size_t size, const char *path)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(fd, (char *)buf + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("%s: %s", path, strerror(errno));
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* Reads hexadecimal digits, with white space anywhere, into up to @size bytes. */
static size_t read_hex(int fd, unsigned char *out, size_t size)
{
	unsigned int bad = 0, value;
	unsigned char c;
	size_t digits = 0;

	while (digits < 2 * size && read_full(fd, &c, 1, "standard input")) {
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			continue;
		value = hex_value(c);
		bad |= value >> 4;
		if (digits % 2 == 0)
			out[digits / 2] = value << 4;
		else
			out[digits / 2] |= value;
		digits++;
	}
	explicit_bzero(&c, 1);
	explicit_bzero(&value, sizeof(value));
	if (bad)
		die("standard input: a key is 64 hexadecimal digits");
	if (digits % 2)
		die("standard input: half a byte at the end of the key");
	return digits / 2;
}

static const char one_key_each[] =
	"each message needs a key of its own, of 32 bytes";

/* Reads one key for each entry; more, fewer or two equal keys are errors. */
static void read_keys(int fd, bool hex, const char *path)
{
	size_t need = nentries * KEY_SIZE, got, i, j;

	/* One byte more, to notice a file that is too long. */
	keys = allocate(NULL, nentries + 1, KEY_SIZE);
	keys_size = need + KEY_SIZE;
	got = hex ? read_hex(fd, keys, need + 1) :
		    read_full(fd, keys, need + 1, path);
	if (got != need)
		die("%s: %s than %zu bytes: %s", path,
		    got < need ? "fewer" : "more", need, one_key_each);
	for (i = 1; i < nentries; i++) {
		for (j = 0; j < i; j++) {
			if (!differ(keys + i * KEY_SIZE, keys + j * KEY_SIZE,
				    KEY_SIZE))
				die("%s: keys %zu and %zu are the same: %s",
				    path, j + 1, i + 1, one_key_each);
		}
	}
}

/* kcapi_md_init(), with the kernel's own reason if it fails */
static int init_hash(struct kcapi_handle **handle, const char *driver)
{
	errno = 0;
	return kcapi_md_init(handle, driver, 0);
}

static struct kcapi_handle *open_driver(const char *driver)
{
	struct kcapi_handle *handle, *other;
	int err = init_hash(&handle, driver);

	if (err == -EAFNOSUPPORT)
		die("this kernel has no AF_ALG: modprobe af_alg");
	if (err == -EPROTONOSUPPORT)
		die("this kernel does not list its hashes: modprobe crypto_user");
	if (err == -ENOENT) {
		/* If even this hash is missing, it is not poly1305 that is. */
		err = init_hash(&other, "sha256");
		if (err == -ENOENT)
			die("this kernel does not hash for user space: modprobe algif_hash");
		if (!err)
			kcapi_md_destroy(other);
		die("%s: no such hash: modprobe poly1305 (or poly1305_generic)",
		    driver);
	}
	if (err)
		die("%s: %s", driver, strerror(-err));
	if (kcapi_md_digestsize(handle) != TAG_SIZE ||
	    kcapi_md_blocksize(handle) != BLOCK_SIZE)
		die("%s: not a Poly1305, whose tags and blocks have 16 bytes",
		    driver);
	return handle;
}

/* An error from the kernel's hash concerns every file, so it ends the program. */
static void check_kernel(ssize_t ret, const char *driver)
{
	int err = ret == -1 ? errno : (int)-ret;	/* -1 is send(2)'s */

	if (ret >= 0)
		return;
	if (err == ENOKEY)
		die("%s: not a Poly1305: its key must be set by other means (ENOKEY)",
		    driver);
	die("%s: %s", driver, strerror(err));
}

/* Computes the tag of all that can be read from @fd; false if reading fails. */
static bool compute(struct kcapi_handle *handle, const char *driver,
		    const unsigned char *key, int fd, unsigned char *tag)
{
	static unsigned char piece[PIECE];
	ssize_t n;
	int err;

	check_kernel(kcapi_md_update(handle, key, KEY_SIZE), driver);
	while ((n = read(fd, piece, sizeof(piece)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		check_kernel(kcapi_md_update(handle, piece, n), driver);
	}
	err = errno;
	/* After a failed read, too: this ends the message. */
	check_kernel(kcapi_md_final(handle, tag, TAG_SIZE), driver);
	errno = err;
	return !n;
}

/* Opens a file and computes its tag; complains if it cannot be read. */
static bool compute_file(struct kcapi_handle *handle, const char *driver,
			 size_t number, unsigned char *tag)
{
	const char *name = entries[number].name;
	unsigned char *key = keys + number * KEY_SIZE;
	int fd = STDIN_FILENO;
	bool done;

	if (strcmp(name, "-"))
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	done = fd >= 0 && compute(handle, driver, key, fd, tag);
	if (!done)
		complain("%s: %s", name, strerror(errno));
	if (fd > STDIN_FILENO)
		close(fd);
	explicit_bzero(key, KEY_SIZE);
	return done;
}

/* As sha256sum does, print names that contain a newline on one line. */
static void print_name(const char *prefix, const char *name, const char *suffix)
{
	if (strpbrk(name, "\\\n\r"))
		putchar('\\');
	fputs(prefix, stdout);
	for (; *name; name++) {
		if (*name == '\n')
			fputs("\\n", stdout);
		else if (*name == '\r')
			fputs("\\r", stdout);
		else if (*name == '\\')
			fputs("\\\\", stdout);
		else
			putchar(*name);
	}
	puts(suffix);
}

static bool print_tags(struct kcapi_handle *handle, const char *driver,
		       bool raw)
{
	char hex[2 * TAG_SIZE + 3];
	unsigned char tag[TAG_SIZE];
	bool all = true;
	size_t i;
	int j;

	for (i = 0; i < nentries; i++) {
		if (!compute_file(handle, driver, i, tag)) {
			all = false;
			continue;
		}
		if (raw) {
			fwrite(tag, TAG_SIZE, 1, stdout);
			continue;
		}
		for (j = 0; j < TAG_SIZE; j++)
			sprintf(hex + 2 * j, "%02x", tag[j]);
		strcpy(hex + 2 * j, "  ");
		print_name(hex, entries[i].name, "");
	}
	return all;
}

/*
 * The computed tag is compared and forgotten, never printed: a forger must not learn
 * the right tag of a message of his own.
 */
static bool check_tags(struct kcapi_handle *handle, const char *driver,
		       bool quiet, bool status)
{
	size_t i, unread = 0, wrong = 0;
	unsigned char tag[TAG_SIZE];
	const char *verdict;

	for (i = 0; i < nentries; i++) {
		if (!compute_file(handle, driver, i, tag)) {
			unread++;
			verdict = ": FAILED open or read";
		} else if (differ(tag, entries[i].tag, TAG_SIZE)) {
			wrong++;
			verdict = ": FAILED";
		} else {
			verdict = quiet ? NULL : ": OK";
		}
		explicit_bzero(tag, sizeof(tag));
		if (verdict && !status)
			print_name("", entries[i].name, verdict);
	}
	if (unread && !status)
		complain("WARNING: %zu listed file%s could not be read",
			 unread, unread == 1 ? "" : "s");
	if (wrong && !status)
		complain("WARNING: %zu computed tag%s did NOT match",
			 wrong, wrong == 1 ? "" : "s");
	return !unread && !wrong;
}

static void usage(void)
{
	puts("Usage: poly1305sum -k KEYS [-d DRIVER] [--raw] [FILE]...\n"
	     "       poly1305sum -k KEYS [-d DRIVER] --check [--quiet | --status] [LIST]...\n"
	     "Print or check Poly1305 tags, computed by the kernel. FILE - is standard input.\n"
	     "\n"
	     "  -k, --key-file KEYS  file with the keys, 32 bytes for each FILE, in the order\n"
	     "                       of the FILEs; - reads hexadecimal from standard input\n"
	     "      --key-fd N       like --key-file, from file descriptor N\n"
	     "  -c, --check          read tags and file names from each LIST and check them;\n"
	     "                       the keys are in the order of the lines\n"
	     "      --quiet          do not print OK for each file that is authentic\n"
	     "      --status         print nothing; only the exit status tells\n"
	     "  -d, --driver NAME    hash to use (default " DEFAULT_DRIVER "), see /proc/crypto\n"
	     "      --raw            print tags only, as 16 bytes each\n"
	     "  -h, --help           this text\n"
	     "\n"
	     "ONE KEY, ONE MESSAGE: anyone who sees the tags of two messages under one key can\n"
	     "forge others. Make new keys for every run:\n"
	     "  head -c 32 /dev/urandom >key; poly1305sum -k key FILE >FILE.tag\n"
	     "No option takes a key itself: everyone on the machine can read arguments.\n"
	     "\n"
	     "Exit status: 0 if all went well and every tag matched, else 1.");
}

enum { OPT_KEY_FD = 256, OPT_QUIET, OPT_STATUS, OPT_RAW };

static const struct option options[] = {
	{ "key-file", required_argument, NULL, 'k' },
	{ "key-fd", required_argument, NULL, OPT_KEY_FD },
	{ "check", no_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "status", no_argument, NULL, OPT_STATUS },
	{ "driver", required_argument, NULL, 'd' },
	{ "raw", no_argument, NULL, OPT_RAW },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static int parse_fd(const char *text)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || end == text || n > INT_MAX)
		die("--key-fd %s: not a file descriptor", text);
	return n;
}

int main(int argc, char **argv)
{
	static const struct rlimit no_core;
	bool check = false, quiet = false, status = false, raw = false, good;
	const char *driver = DEFAULT_DRIVER, *key_path = NULL, *input;
	unsigned int key_sources = 0, stdin_uses = 0;
	struct kcapi_handle *handle;
	int opt, key_fd = STDIN_FILENO;
	size_t i;

	while ((opt = getopt_long(argc, argv, "k:cd:h", options, NULL)) != -1) {
		switch (opt) {
		case 'k':
			key_path = optarg;
			key_sources++;
			break;
		case OPT_KEY_FD:
			key_fd = parse_fd(optarg);
			key_sources++;
			break;
		case 'c':
			check = true;
			break;
		case OPT_QUIET:
			quiet = true;
			break;
		case OPT_STATUS:
			status = true;
			break;
		case 'd':
			driver = optarg;
			break;
		case OPT_RAW:
			raw = true;
			break;
		case 'h':
			usage();
			return EXIT_SUCCESS;
		default:
			fputs("Try 'poly1305sum --help'.\n", stderr);
			return EXIT_FAILURE;
		}
	}
	if (key_sources != 1)
		die("one of --key-file and --key-fd is needed");
	if ((quiet || status) && !check)
		die("--quiet and --status go with --check only");
	if (raw && check)
		die("--raw does not go with --check");

	/* No core dump may put a key on the disk. */
	setrlimit(RLIMIT_CORE, &no_core);
	atexit(wipe_keys);
	kcapi_set_verbosity(KCAPI_LOG_NONE);

	do {
		input = optind < argc ? argv[optind] : "-";
		if (!check) {
			add_entry(input);
			continue;
		}
		stdin_uses += !strcmp(input, "-");
		read_list(input);
	} while (++optind < argc);
	if (!nentries)
		die("%s: no lines of the form 'TAG  FILE'", input);

	for (i = 0; i < nentries; i++)
		stdin_uses += !strcmp(entries[i].name, "-");
	stdin_uses += key_path && !strcmp(key_path, "-");
	if (stdin_uses > 1)
		die("standard input can be only one of the keys, the list, a file");

	handle = open_driver(driver);
	if (!key_path) {
		read_keys(key_fd, false, "key descriptor");
	} else if (!strcmp(key_path, "-")) {
		read_keys(STDIN_FILENO, true, "standard input");
	} else {
		key_fd = open(key_path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (key_fd < 0)
			die("%s: %s", key_path, strerror(errno));
		read_keys(key_fd, false, key_path);
		close(key_fd);
	}

	good = check ? check_tags(handle, driver, quiet, status) :
		       print_tags(handle, driver, raw);
	kcapi_md_destroy(handle);
	for (i = 0; i < nentries; i++)
		free(entries[i].name);
	free(entries);
	wipe_keys();
	free(keys);
	keys = NULL;
	if (fflush(stdout) || ferror(stdout))
		die("standard output: %s", strerror(errno));
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
