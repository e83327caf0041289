/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations for the cases. poly1305_test.ko runs them inside a kernel, checkpoly1305 in
 * user space with what tests/unit/kernel.h takes from a kernel.
 *
 * The cases use only the interfaces that any caller has: the functions that poly1305.ko
 * exports, and the crypto API's shash by driver name. Of poly1305_core.h they take names
 * and constants. Some look into descriptors and exported states.
 */

#ifndef POLY1305_TEST_H
#define POLY1305_TEST_H

#define pr_fmt(fmt) fmt

#ifdef __KERNEL__
#include "../../compat.h"
#include <crypto/aead.h>
#include <crypto/hash.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#else
#include "../unit/kernel.h"
#define virt_addr_valid(p)	true
#endif

#include "../../poly1305_core.h"
#include "../reference/poly1305_ref.h"
#include "random.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE
#define NONCE_SIZE	16

/* Cases try each length up to this one... */
#define LEN_ALL		4096

/*
 * A piece of this length reaches every driver's SIMD code, even if it begins and ends
 * within blocks.
 */
#define LEN_SIMD	(8192 + 48)

/* A third of this length still does. */
#define LEN_MAX		(3 * LEN_SIMD)

/* ...and longer ones in odd steps, so that last blocks of every length occur. */
#define NEXT_LEN(len)	((len) + ((len) < LEN_ALL ? 1 : 113))

/* Memory that must not be written holds this. */
#define POISON		0x5a

/* The exported functions; a shash driver of poly1305; and poly1305(aes), which calls the former */
enum kind { LIBRARY = 1, SHASH = 2, AES = 4, ALL = 7 };

/**
 * struct sample - a message, and its tags
 * @input: the one-time key, as a shash takes it, or in its second half the nonce of
 *	poly1305(aes), with the message behind it
 * @tags: @tags[len] is the tag of the first len bytes
 */
struct sample {
	u8 *input;
	u8 (*tags)[TAG_SIZE];
};

/**
 * struct subject - an interface that cases run on
 * @kind: its kind
 * @name: "library" for the exported functions, or the name of a shash
 * @tfm: NULL for the exported functions, or the transform
 * @head: how many bytes of input precede the message: a key, a nonce, or none
 * @no_head: the error if there are fewer
 * @sample: what cases compute the tag of
 */
struct subject {
	enum kind kind;
	const char *name;
	struct crypto_shash *tfm;
	size_t head;
	int no_head;
	struct sample *sample;
};

/**
 * struct testcase - a case
 * @name: its name in the results
 * @run: returns 0, or a negative errno after logging one line that says why
 * @kinds: the kinds of subjects that it applies to
 */
struct testcase {
	const char *name;
	int (*run)(const struct subject *s);
	unsigned int kinds;
};

/**
 * struct mac - a message in pieces through any interface
 * @s: the interface
 * @ctx: the state, for the exported functions
 * @desc: the state, for a shash
 */
struct mac {
	const struct subject *s;
	union {
		struct poly1305_mac_ctx ctx;
		struct shash_desc desc;
		u8 bytes[sizeof(struct shash_desc) + HASH_MAX_DESCSIZE];
	};
};

#define DRIVERS_MAX	16

/* fixture.c */
extern struct subject subjects[];
extern unsigned int nsubjects;
extern struct sample random_sample;
extern u8 aes_key[KEY_SIZE];
/* Room for an input */
extern u8 *work;
extern unsigned int effort, seed;

void random_aes_key(u8 key[KEY_SIZE]);
int fixture_setup(char *const *drivers, unsigned int ndrivers);
void fixture_teardown(void);

/* Logs one line; evaluates to -EINVAL */
#define fail(s, fmt, ...)						\
({									\
	pr_err("# %s: " fmt "\n", (s)->name, ##__VA_ARGS__);		\
	-EINVAL;							\
})

/* all.c: the bytes of an input that a shash takes, or of the message for the library */
static inline const u8 *stream(const struct subject *s, const u8 *input)
{
	return input + KEY_SIZE - s->head;
}

int mac_init(struct mac *mac, const struct subject *s, const u8 *input);
int mac_update(struct mac *mac, const u8 *data, size_t len);
int mac_final(struct mac *mac, u8 tag[TAG_SIZE]);

/* The last piece goes to finup; for the library, all of the pieces are a list. */
enum { DIGEST, UPDATES, FINUP_OR_LIST, WAYS };

int mac_tag(const struct subject *s, int way, const u8 *input, size_t total, size_t cut,
	    u8 tag[TAG_SIZE]);
int check_tag(const struct subject *s, int err, const u8 *tag, size_t len, size_t cut,
	      const char *what);
int check_ways(const struct subject *s, u8 *input, size_t len, size_t cut, u8 *tag);

/* The cases: NAME is test_NAME(), for these kinds of subjects. */
#define POLY1305_TESTCASES(row)						\
	row(vectors, LIBRARY | SHASH)					\
	row(lengths, ALL)						\
	row(cuts, ALL)							\
	row(pieces, ALL)						\
	row(large, LIBRARY | SHASH)					\
	row(overlap, ALL)						\
	row(order, ALL)							\
	row(verify, LIBRARY)						\
	row(short_head, SHASH | AES)					\
	row(export, SHASH | AES)					\
	row(import, SHASH | AES)					\
	row(sg, LIBRARY)						\
	row(aead_lists, LIBRARY)					\
	row(aes_setkey, AES)						\
	row(aes_rekey, AES)						\
	POLY1305_CONTEXTS(row)

/* Only a kernel has interrupts. */
#ifdef __KERNEL__
#define POLY1305_CONTEXTS(row)						\
	row(contexts, LIBRARY | SHASH)					\
	row(at_once, LIBRARY | SHASH)
#else
#define POLY1305_CONTEXTS(row)
#endif

#define DECLARE_CASE(name, kinds)	int test_##name(const struct subject *s);
POLY1305_TESTCASES(DECLARE_CASE)

extern const struct testcase testcases[];
extern const size_t ncases;

/* fixture.c: runs a case with the random numbers that follow from the seed */
int run_case(const struct testcase *testcase, const struct subject *s);

#endif /* POLY1305_TEST_H */
