/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The harness of all cases. poly1305_test.ko runs them inside a kernel, checkpoly1305 in
 * user space with what tests/unit/kernel.h takes from a kernel.
 *
 * The cases of this folder use only the interfaces that any caller has: the functions that
 * poly1305.ko exports, and the crypto API's shash by driver name. Of poly1305_core.h they
 * take names and constants. Some look into descriptors and exported states.
 */

#ifndef POLY1305_TEST_H
#define POLY1305_TEST_H

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
#undef pr_err
#undef pr_info
#define pr_err(fmt, ...)	printf(fmt, ##__VA_ARGS__)
#define pr_info(fmt, ...)	printf(fmt, ##__VA_ARGS__)
#endif

#include "../../poly1305_core.h"
#include "../reference/poly1305_ref.h"

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

/*
 * The exported functions; a shash driver of poly1305; poly1305(aes), which calls the former; and
 * in user space alone a tier as it is inside the module
 */
enum kind { LIBRARY = 1, SHASH = 2, AES = 4, ALL = 7, TIER = 8 };

/**
 * struct sample - a message, and its tags
 * @input: the one-time key, as a shash takes it, or in its second half the nonce of
 *	poly1305(aes), followed by the message
 * @tags: @tags[len] is the tag of the first len bytes
 */
struct sample {
	u8 *input;
	u8 (*tags)[TAG_SIZE];
};

/**
 * struct subject - an interface that cases run on
 * @kind: its kind
 * @name: its name in the results
 * @tfm: the transform of a shash, or NULL
 * @prefix_len: how many bytes of input precede the message: a key, a nonce, or none
 * @no_head: the error if there are fewer
 * @sample: what cases compute the tag of
 * @tier: in user space, the tier that the exported functions use
 */
struct subject {
	enum kind kind;
	const char *name;
	struct crypto_shash *tfm;
	size_t prefix_len;
	int no_head;
	struct sample *sample;
	const struct tier *tier;
};

/**
 * struct testcase - a case
 * @name: its name in the results
 * @run: returns 0, or fail()
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

#define SUBJECTS_MAX	32

/* fixture.c */
extern struct subject subjects[SUBJECTS_MAX];
extern unsigned int nsubjects;
extern struct sample random_sample;
extern u8 aes_key[KEY_SIZE];	/* of poly1305(aes), until a case sets another */
/* Room for an input */
extern u8 *work;
extern unsigned int effort, seed;

int fixture_setup(void);
void fixture_teardown(void);
int add_subject(enum kind kind, const char *name, const char *driver);
int run_cases(void);

/*
 * fail() logs one line that says why, and evaluates to -EINVAL. In user space it leaves the case,
 * which may be one that has crashed, and there patterns select cases.
 */
#ifdef __KERNEL__
#define fail(fmt, ...)		({ pr_err("# " fmt "\n", ##__VA_ARGS__); -EINVAL; })
#define selected(testcase, s)	true
#define call_case(testcase, s)	((testcase)->run(s))
#define CASES			(300 * effort)
#define any_context()		do { } while (0)
#else
int fail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
bool selected(const struct testcase *testcase, const struct subject *s);
int call_case(const struct testcase *testcase, const struct subject *s);
extern unsigned long cases;
#define CASES			cases
/* The calls before it kept to their context. The next ones are in any. */
void any_context(void);
#endif

/* input.c. rnd_len() is up to most and 2^15, with all orders of magnitude about equally likely. */
extern u64 random_state;
u64 rnd(void);
u32 rnd_below(u32 n);
u32 rnd_len(u32 most);
void rnd_bytes(void *p, size_t len);
void clamp_r(u8 r[16]);
/* Keys and messages, often awkward ones, and the r of a state */
void fill_key(u8 key[KEY_SIZE]);
void fill_message(u8 *data, size_t len);
void fill_r(u64 r[2]);

/* all.c: the bytes of an input that a shash takes, or of the message for the library */
static inline const u8 *stream(const struct subject *s, const u8 *input)
{
	return input + KEY_SIZE - s->prefix_len;
}

int mac_init(struct mac *mac, const struct subject *s, const u8 *input);
int mac_update(struct mac *mac, const u8 *data, size_t len);
int mac_final(struct mac *mac, u8 tag[TAG_SIZE]);

/* The last piece goes to finup; for the library, all of the pieces are a list. */
enum { DIGEST, UPDATES, FINUP_OR_LIST, WAYS };

int mac_tag(struct mac *mac, const struct subject *s, int way, const u8 *input, size_t total,
	    size_t cut, u8 tag[TAG_SIZE]);
int check_tag(const struct subject *s, int err, const u8 *tag, size_t len, size_t cut,
	      const char *what);
int all_ways(const struct subject *s, const u8 *input, size_t len, size_t cut, const u8 *want);
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
	row(short_prefix, SHASH | AES)					\
	row(export, SHASH | AES)					\
	row(import, SHASH | AES)					\
	row(sg, LIBRARY)						\
	row(aead_lists, LIBRARY)					\
	row(aes_setkey, AES)						\
	row(aes_rekey, AES)						\
	POLY1305_MORE_CASES(row)

/* Only a kernel has interrupts. The cases of tests/unit look inside modules, or need a process. */
#ifdef __KERNEL__
#define POLY1305_MORE_CASES(row)					\
	row(contexts, LIBRARY | SHASH)					\
	row(at_once, LIBRARY | SHASH)
#else
#define POLY1305_MORE_CASES(row)					\
	row(blocks, TIER)						\
	row(registered, TIER)						\
	row(usable, TIER)						\
	row(sections, TIER)						\
	row(huge, LIBRARY | SHASH)					\
	row(aead, LIBRARY)						\
	row(aead_selftest, LIBRARY)					\
	row(aead_forged, LIBRARY)					\
	row(aead_shared, LIBRARY)					\
	row(residue, ALL)						\
	row(depth, ALL)							\
	row(traced, ALL)
#endif

#define DECLARE_CASE(name, kinds)	int test_##name(const struct subject *s);
POLY1305_TESTCASES(DECLARE_CASE)

extern const struct testcase testcases[];
extern const size_t ncases;

/* A point is a case on one of its subjects. */
#define for_each_point(testcase, s)					\
	for (testcase = testcases; testcase < testcases + ncases; testcase++)	\
		for (s = subjects; s < subjects + nsubjects; s++)	\
			if ((testcase->kinds & s->kind) && selected(testcase, s))

#endif /* POLY1305_TEST_H */
