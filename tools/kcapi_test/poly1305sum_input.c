// SPDX-License-Identifier: GPL-2.0 OR MIT
/* poly1305sum: lists of files, and keys */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libgen.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "poly1305sum.h"

struct entry *entries;
size_t nentries;
unsigned char *keys;
static size_t keys_size;

void wipe_keys(void)
{
	if (keys)
		explicit_bzero(keys, keys_size);
}

static void *allocate(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n, size);

	if (!p)
		die("out of memory");
	return p;
}

unsigned int differ(const unsigned char *a, const unsigned char *b, size_t n)
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

void add_entry(const struct entry *entry)
{
	entries = allocate(entries, nentries + 1, sizeof(*entries));
	entries[nentries] = *entry;
	entries[nentries].name = strdup(entry->name);
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

const char *line_form(void)
{
	if (!opt.aes)
		return "TAG  FILE";
	return opt.bind_names ? "NONCE+TAG  FILE" : "NONCE:TAG  FILE";
}

/* Takes 16 bytes in hexadecimal from *at; false if there are none. */
static bool parse_16(char **at, unsigned char bytes[16])
{
	unsigned int high, low;
	int i;

	/* The terminating 0 of a string is no digit. */
	for (i = 0; i < 16; i++) {
		high = hex_value(*(*at)++);
		if (high > 15)
			return false;
		low = hex_value(*(*at)++);
		if (low > 15)
			return false;
		bytes[i] = high << 4 | low;
	}
	return true;
}

/* One line of a list: line_form(), or an asterisk in place of the second space */
static bool parse_line(char *line)
{
	bool escaped = *line == '\\';
	struct entry entry = { 0 };

	line += escaped;
	if (opt.aes && (!parse_16(&line, entry.nonce) || *line++ != (opt.bind_names ? '+' : ':')))
		return false;
	if (!parse_16(&line, entry.tag) || line[0] != ' ' ||
	    (line[1] != ' ' && line[1] != '*') || !line[2])
		return false;
	entry.name = line + 2;
	if (escaped && !unescape(entry.name))
		return false;
	add_entry(&entry);
	return true;
}

void read_list(const char *path)
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
			die("%s: %zu: not a line of the form '%s'", path,
			    number, line_form());
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

void read_keys(int fd, bool hex, const char *path)
{
	const char *rule = opt.aes ? "--aes takes one key, of 32 bytes" :
		"each message needs a key of its own, of 32 bytes";
	const size_t nkeys = opt.aes ? 1 : nentries;
	size_t need = nkeys * KEY_SIZE, got, i, j;
	struct stat st;

	if (!opt.status && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_mode & 0044)
		complain("WARNING: %s: its mode, %04o, lets others read the key; 0600 does not",
			 path, st.st_mode & 07777);

	/* One byte more, to notice a file that is too long. */
	keys = allocate(NULL, nkeys + 1, KEY_SIZE);
	keys_size = need + KEY_SIZE;
	got = hex ? read_hex(fd, keys, need + 1) :
		    read_full(fd, keys, need + 1, path);
	if (got != need)
		die("%s: %s than %zu bytes: %s", path,
		    got < need ? "fewer" : "more", need, rule);
	for (i = 1; i < nkeys; i++) {
		for (j = 0; j < i; j++) {
			if (!differ(keys + i * KEY_SIZE, keys + j * KEY_SIZE,
				    KEY_SIZE))
				die("%s: keys %zu and %zu are the same: %s",
				    path, j + 1, i + 1, rule);
		}
	}
}

void random_bytes(void *p, size_t n)
{
	if (getrandom(p, n, 0) != (ssize_t)n)
		die("no random bytes: %s", strerror(errno));
}

/* fsync() of an open file; a file system that has none is no error. */
static bool on_disk(int fd)
{
	return !fsync(fd) || errno == EINVAL;
}

/* Puts the name of a new file on the disk, too. */
static bool name_on_disk(const char *path)
{
	char *copy = strdup(path);
	bool done;
	int fd;

	if (!copy)
		return false;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	done = fd >= 0 && on_disk(fd);
	if (fd >= 0)
		close(fd);
	return done;
}

void make_keys(const char *path, size_t nkeys)
{
	unsigned char *r;
	bool written;
	size_t n;
	int i, fd;

	keys = allocate(NULL, nkeys, KEY_SIZE);
	keys_size = nkeys * KEY_SIZE;
	for (n = 0; n < keys_size; n += KEY_SIZE)
		random_bytes(keys + n, KEY_SIZE);
	if (opt.aes) {
		r = keys + KEY_SIZE / 2;
		for (i = 3; i < 16; i += 4)
			r[i] &= 15;
		for (i = 4; i < 16; i += 4)
			r[i] &= 252;
	}
	/* O_EXCL: to overwrite a key is to lose it. */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	errno = ENOSPC;
	written = write(fd, keys, keys_size) == (ssize_t)keys_size && on_disk(fd) &&
		  name_on_disk(path);
	if (!written || close(fd)) {
		complain("%s: %s", path, strerror(errno));
		unlink(path);
		exit(EXIT_FAILURE);
	}
}
