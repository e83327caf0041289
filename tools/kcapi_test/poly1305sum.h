/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What the two files of poly1305sum share */
#ifndef POLY1305SUM_H
#define POLY1305SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define KEY_SIZE	32
#define TAG_SIZE	16
#define BLOCK_SIZE	16
#define NONCE_SIZE	16

struct options {
	const char *driver, *new_key;
	bool aes, bind_names, check, json, quiet, raw, status;
	bool progress;		/* standard error is a terminal */
};

extern struct options opt;

/* A message: a file, with --aes its nonce, and with --check the expected tag */
struct entry {
	char *name;
	unsigned char nonce[NONCE_SIZE];
	unsigned char tag[TAG_SIZE];
};

extern struct entry *entries;
extern size_t nentries;

/* One key for each entry, or with --aes one for all */
extern unsigned char *keys;

/* Runs at exit(), too: the program never leaves a key in memory. */
void wipe_keys(void);

__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

#define die(...)	do { complain(__VA_ARGS__); exit(EXIT_FAILURE); } while (0)

/* Nonzero if they differ; the time does not depend on where. */
unsigned int differ(const unsigned char *a, const unsigned char *b, size_t n);

void add_entry(const struct entry *entry);

/* What lines of a list look like */
const char *line_form(void);

/*
 * A bad line ends the program before any key is read: without it, the keys could
 * not be matched with the files.
 */
void read_list(const char *path);

/*
 * Reads one key for each entry, or with --aes one; more, fewer or two equal keys are
 * errors. A file that others can read gets a warning.
 */
void read_keys(int fd, bool hex, const char *path);

void random_bytes(void *p, size_t n);

/*
 * Writes @nkeys keys to a new file, safely on the disk when this returns. With --aes, their
 * r has the bits clear that the paper forbids.
 */
void make_keys(const char *path, size_t nkeys);

#endif /* POLY1305SUM_H */
