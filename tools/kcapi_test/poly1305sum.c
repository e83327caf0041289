// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305sum - compute and check Poly1305 tags with the kernel's poly1305
 *
 * A key of Poly1305 authenticates one message, so each file needs its own. The program
 * reads the keys in order from one key file and accepts no other number than that of
 * files. With --aes it computes Poly1305-AES: one key serves all files, each with a
 * random nonce, which stands beside the tag in the list. With --bind-names it then
 * authenticates each file's name, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <kcapi.h>

#include "poly1305sum.h"

#define DEFAULT_DRIVER	"poly1305"
#define AES_DRIVER	"poly1305(aes)"

/* libkcapi sends pieces below 32 KiB; larger ones it may splice. */
#define PIECE		16384

struct options opt;

void complain(const char *format, ...)
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

/* Tells apart the reasons for which there are no AF_ALG sockets. */
static void check_af_alg(void)
{
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	else if (errno == EAFNOSUPPORT)
		die("this kernel has no AF_ALG: modprobe af_alg (CONFIG_CRYPTO_USER_API)");
	else if (errno == EPERM || errno == EACCES)
		die("AF_ALG is forbidden here: a sandbox, a container or a security module must allow it (%s)",
		    strerror(errno));
	else
		die("AF_ALG: %s", strerror(errno));
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
	int err;

	check_af_alg();
	err = init_hash(&handle, driver);
	if (err == -EPROTONOSUPPORT)
		die("this kernel does not list its hashes: modprobe crypto_user (CONFIG_CRYPTO_USER)");
	if (err == -ENOENT) {
		/* If even this hash is missing, it is not poly1305 that is. */
		err = init_hash(&other, "sha256");
		if (err == -ENOENT)
			die("this kernel does not hash for user space: modprobe algif_hash (CONFIG_CRYPTO_USER_API_HASH)");
		if (!err)
			kcapi_md_destroy(other);
		die("%s: no such hash: modprobe %s", driver,
		    opt.aes ? "poly1305_aes" : "poly1305 (or poly1305_generic)");
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
static void check_kernel(ssize_t ret)
{
	int err = ret == -1 ? errno : (int)-ret;	/* -1 is send(2)'s */

	if (ret >= 0)
		return;
	if (err == ENOKEY)
		die("%s: not a Poly1305: its key must be set by other means (ENOKEY)",
		    opt.driver);
	die("%s: %s", opt.driver, strerror(err));
}

/* With --aes: sets the key of all files, and wipes it here. */
static void set_key(struct kcapi_handle *handle)
{
	int err = kcapi_md_setkey(handle, keys, KEY_SIZE);

	wipe_keys();
	if (err == -EINVAL || (err == -1 && errno == EINVAL))
		die("%s: refuses the key: its r has forbidden bits; make one with --aes --new-key",
		    opt.driver);
	check_kernel(err);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* On a terminal: how far a long file is, twice a second from the first second on */
struct progress {
	const char *name;
	double begin, next;
	unsigned long long bytes;
	bool shown;
};

static void show_progress(struct progress *p, size_t n)
{
	double t;

	p->bytes += n;
	if (!opt.progress)
		return;
	t = now();
	if (t < p->next)
		return;
	p->next = t + 0.5;
	p->shown = true;
	fprintf(stderr, "\r\033[K%.40s: %llu MiB, %.0f MiB/s", p->name, p->bytes >> 20,
		p->bytes / (t - p->begin) / (1 << 20));
}

static void end_progress(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}

/*
 * What --bind-names authenticates before the contents: the length of the name, in 8 bytes
 * with the least significant first, and the name. With the length there, no other name
 * and contents give the same message.
 */
static void update_name(struct kcapi_handle *handle, const char *name)
{
	size_t length = strlen(name);
	unsigned char le[8];
	int i;

	for (i = 0; i < 8; i++)
		le[i] = (unsigned long long)length >> 8 * i;
	check_kernel(kcapi_md_update(handle, le, sizeof(le)));
	check_kernel(kcapi_md_update(handle, (const unsigned char *)name, length));
}

/* Computes the tag of all that can be read from @fd; false if reading fails. */
static bool compute(struct kcapi_handle *handle, const struct entry *entry,
		    const unsigned char *key, int fd, unsigned char *tag)
{
	static unsigned char piece[PIECE];
	struct progress p = { .name = entry->name, .begin = now() };
	ssize_t n;
	int err;

	p.next = p.begin + 1;
	if (opt.aes)
		check_kernel(kcapi_md_update(handle, entry->nonce, NONCE_SIZE));
	else
		check_kernel(kcapi_md_update(handle, key, KEY_SIZE));
	if (opt.bind_names)
		update_name(handle, entry->name);
	while ((n = read(fd, piece, sizeof(piece)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		check_kernel(kcapi_md_update(handle, piece, n));
		show_progress(&p, n);
	}
	err = errno;
	end_progress(&p);
	/* After a failed read, too: this ends the message. */
	check_kernel(kcapi_md_final(handle, tag, TAG_SIZE));
	errno = err;
	return !n;
}

/* Opens a file and computes its tag; complains if it cannot be read. */
static bool compute_file(struct kcapi_handle *handle, size_t number,
			 unsigned char *tag)
{
	const struct entry *entry = &entries[number];
	unsigned char *key = opt.aes ? NULL : keys + number * KEY_SIZE;
	int fd = STDIN_FILENO;
	bool done;

	if (strcmp(entry->name, "-"))
		fd = open(entry->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	done = fd >= 0 && compute(handle, entry, key, fd, tag);
	if (!done)
		complain("%s: %s", entry->name, strerror(errno));
	if (fd > STDIN_FILENO)
		close(fd);
	if (key)
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

/* How many bytes the character at @s takes in UTF-8 (RFC 3629); 0 if it is none */
static size_t utf8_length(const unsigned char *s)
{
	/* First bytes, from and to; second bytes, from and to; length */
	static const unsigned char forms[][5] = {
		{ 0x01, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		if (s[0] < forms[i][0] || s[0] > forms[i][1] ||
		    s[1] < forms[i][2] || s[1] > forms[i][3])
			continue;
		for (n = 2; n < forms[i][4]; n++)
			if (s[n] >> 6 != 2)
				return 0;
		return forms[i][4];
	}
	return 0;
}

/*
 * A JSON string. A byte that is not part of UTF-8 becomes U+DC00 plus that byte, as
 * Python's surrogateescape has it, so every name can be told from every other.
 */
static void print_json(const char *text)
{
	size_t n;

	putchar('"');
	for (; *text; text += n) {
		n = utf8_length((const unsigned char *)text);
		if (!n) {
			n = 1;
			printf("\\udc%02x", (unsigned char)*text);
		} else if (*text == '"' || *text == '\\') {
			printf("\\%c", *text);
		} else if (n == 1 && *text < ' ') {
			printf("\\u%04x", *text);
		} else {
			fwrite(text, n, 1, stdout);
		}
	}
	putchar('"');
}

static void to_hex(char hex[33], const unsigned char bytes[16])
{
	int i;

	for (i = 0; i < 16; i++)
		sprintf(hex + 2 * i, "%02x", bytes[i]);
}

static void print_tag(const struct entry *entry, const unsigned char *tag)
{
	char hex[33], nonce[33], prefix[2 * 33 + 2];

	if (opt.raw) {
		fwrite(tag, TAG_SIZE, 1, stdout);
		return;
	}
	to_hex(hex, tag);
	to_hex(nonce, entry->nonce);
	if (opt.json) {
		fputs("{\"file\": ", stdout);
		print_json(entry->name);
		if (opt.aes)
			printf(", \"nonce\": \"%s\"", nonce);
		printf(", \"tag\": \"%s\"}\n", hex);
	} else {
		sprintf(prefix, "%s%s%s  ", opt.aes ? nonce : "",
			opt.bind_names ? "+" : opt.aes ? ":" : "", hex);
		print_name(prefix, entry->name, "");
	}
}

static bool print_tags(struct kcapi_handle *handle)
{
	unsigned char tag[TAG_SIZE];
	bool all = true;
	size_t i;

	for (i = 0; i < nentries; i++) {
		/* 128 random bits: no two files will ever have the same. */
		if (opt.aes)
			random_bytes(entries[i].nonce, NONCE_SIZE);
		if (compute_file(handle, i, tag))
			print_tag(&entries[i], tag);
		else
			all = false;
	}
	return all;
}

static void print_verdict(const struct entry *entry, const char *verdict)
{
	char suffix[32];

	if (opt.json) {
		fputs("{\"file\": ", stdout);
		print_json(entry->name);
		printf(", \"result\": \"%s\"}\n", verdict);
	} else {
		snprintf(suffix, sizeof(suffix), ": %s", verdict);
		print_name("", entry->name, suffix);
	}
}

/*
 * The computed tag is compared and forgotten, never printed: a forger must not learn
 * the right tag of a message of his own.
 */
static bool check_tags(struct kcapi_handle *handle)
{
	size_t i, unread = 0, wrong = 0;
	unsigned char tag[TAG_SIZE];
	const char *verdict;

	for (i = 0; i < nentries; i++) {
		if (!compute_file(handle, i, tag)) {
			unread++;
			verdict = "FAILED open or read";
		} else if (differ(tag, entries[i].tag, TAG_SIZE)) {
			wrong++;
			verdict = "FAILED";
		} else {
			verdict = opt.quiet ? NULL : "OK";
		}
		explicit_bzero(tag, sizeof(tag));
		if (verdict && !opt.status)
			print_verdict(&entries[i], verdict);
	}
	if (unread && !opt.status)
		complain("WARNING: %zu listed file%s could not be read",
			 unread, unread == 1 ? "" : "s");
	if (wrong && !opt.status)
		complain("WARNING: %zu computed tag%s did NOT match",
			 wrong, wrong == 1 ? "" : "s");
	return !unread && !wrong;
}

static void usage(void)
{
	puts("Usage: poly1305sum -k KEYS [-d DRIVER] [--raw | --json] [FILE]...\n"
	     "       poly1305sum -k KEYS [-d DRIVER] --check [--quiet | --status] [--json] [LIST]...\n"
	     "       poly1305sum --new-key KEYS [FILE]...\n"
	     "       poly1305sum --aes --new-key KEY\n"
	     "       poly1305sum --aes [--bind-names] -k KEY ...\n"
	     "Print or check Poly1305 tags, computed by the kernel. FILE - is standard input.\n"
	     "\n"
	     "  -k, --key-file KEYS  file with the keys, 32 bytes for each FILE, in the order\n"
	     "                       of the FILEs; - reads hexadecimal from standard input\n"
	     "      --key-fd N       like --key-file, from file descriptor N\n"
	     "  -c, --check          read tags and file names from each LIST and check them;\n"
	     "                       the keys are in the order of the lines\n"
	     "      --quiet          do not print OK for each file that is authentic\n"
	     "      --status         print nothing but errors; see the exit status\n"
	     "      --new-key KEYS   make a key for each FILE, or with --aes one for all, in a\n"
	     "                       new file that only you can read\n"
	     "      --aes            Poly1305-AES: one key for all FILEs of all runs, and a\n"
	     "                       nonce for each, before the tag in the list\n"
	     "      --bind-names     with --aes: the tag is of name and contents\n"
	     "  -d, --driver NAME    hash to use, see /proc/crypto (default " DEFAULT_DRIVER ", or\n"
	     "                       with --aes " AES_DRIVER ")\n"
	     "      --raw            print tags only, as 16 bytes each\n"
	     "      --json           print a JSON object on a line for each FILE\n"
	     "  -h, --help           this text\n"
	     "      --version        the version of this program\n"
	     "\n"
	     "WITHOUT --aes, ONE KEY, ONE MESSAGE: anyone who sees the tags of two messages\n"
	     "under one key can forge others. Make new keys for every run:\n"
	     "  poly1305sum --new-key key; poly1305sum -k key FILE >FILE.tag\n"
	     "No option takes a key itself: everyone on the machine can read arguments.\n"
	     "\n"
	     "Exit status: 0 if all went well and every tag matched, else 1.");
}

enum {
	OPT_KEY_FD = 256, OPT_QUIET, OPT_STATUS, OPT_RAW, OPT_NEW_KEY, OPT_AES,
	OPT_BIND_NAMES, OPT_JSON, OPT_VERSION
};

static const struct option options[] = {
	{ "key-file", required_argument, NULL, 'k' },
	{ "key-fd", required_argument, NULL, OPT_KEY_FD },
	{ "check", no_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "status", no_argument, NULL, OPT_STATUS },
	{ "new-key", required_argument, NULL, OPT_NEW_KEY },
	{ "aes", no_argument, NULL, OPT_AES },
	{ "bind-names", no_argument, NULL, OPT_BIND_NAMES },
	{ "driver", required_argument, NULL, 'd' },
	{ "raw", no_argument, NULL, OPT_RAW },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
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

static int finish(bool good)
{
	if (fflush(stdout) || ferror(stdout))
		die("standard output: %s", strerror(errno));
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static const struct rlimit no_core;
	const char *key_path = NULL, *input;
	unsigned int key_sources = 0, stdin_uses = 0, given = 0;
	struct kcapi_handle *handle;
	int option, key_fd = STDIN_FILENO;
	size_t i;
	bool good;

	while ((option = getopt_long(argc, argv, "k:cd:h", options, NULL)) != -1) {
		given++;
		switch (option) {
		case 'k':
			key_path = optarg;
			key_sources++;
			break;
		case OPT_KEY_FD:
			key_fd = parse_fd(optarg);
			key_sources++;
			break;
		case 'c':
			opt.check = true;
			break;
		case OPT_QUIET:
			opt.quiet = true;
			break;
		case OPT_STATUS:
			opt.status = true;
			break;
		case OPT_NEW_KEY:
			opt.new_key = optarg;
			break;
		case OPT_AES:
			opt.aes = true;
			break;
		case OPT_BIND_NAMES:
			opt.bind_names = true;
			break;
		case 'd':
			opt.driver = optarg;
			break;
		case OPT_RAW:
			opt.raw = true;
			break;
		case OPT_JSON:
			opt.json = true;
			break;
		case 'h':
			usage();
			return finish(true);
		case OPT_VERSION:
			puts("poly1305sum " POLY1305_VERSION);
			return finish(true);
		default:
			fputs("Try 'poly1305sum --help'.\n", stderr);
			return EXIT_FAILURE;
		}
	}
	/* No core dump may put a key on the disk; one that goes to a pipe has no limit. */
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_DUMPABLE, 0);
	atexit(wipe_keys);
	if (opt.new_key) {
		if (given != 1U + opt.aes)
			die("--new-key makes keys and nothing else");
		if (opt.aes && optind < argc)
			die("--aes --new-key makes one key for all files, and takes no FILE");
		make_keys(opt.new_key, optind < argc ? argc - optind : 1);
		return EXIT_SUCCESS;
	}
	if (key_sources != 1)
		die("one of --key-file and --key-fd is needed");
	if ((opt.quiet || opt.status) && !opt.check)
		die("--quiet and --status go with --check only");
	if (opt.raw && (opt.check || opt.json || opt.aes))
		die("--raw does not go with --check, --json or --aes");
	if (opt.bind_names && !opt.aes)
		die("--bind-names goes with --aes only");
	if (!opt.driver)
		opt.driver = opt.aes ? AES_DRIVER : DEFAULT_DRIVER;
	opt.progress = !opt.status && isatty(STDERR_FILENO);

	kcapi_set_verbosity(KCAPI_LOG_NONE);

	do {
		input = optind < argc ? argv[optind] : "-";
		if (!opt.check) {
			add_entry(&(struct entry){ .name = (char *)input });
			continue;
		}
		stdin_uses += !strcmp(input, "-");
		read_list(input);
	} while (++optind < argc);
	if (!nentries)
		die("%s: no lines of the form '%s'", input, line_form());

	for (i = 0; i < nentries; i++)
		stdin_uses += !strcmp(entries[i].name, "-");
	stdin_uses += key_path ? !strcmp(key_path, "-") :
				 key_fd == STDIN_FILENO;
	if (stdin_uses > 1)
		die("standard input can be only one of the keys, the list, a file");

	handle = open_driver(opt.driver);
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
	if (opt.aes)
		set_key(handle);

	good = opt.check ? check_tags(handle) : print_tags(handle);
	kcapi_md_destroy(handle);
	for (i = 0; i < nentries; i++)
		free(entries[i].name);
	free(entries);
	wipe_keys();
	free(keys);
	keys = NULL;
	return finish(good);
}
