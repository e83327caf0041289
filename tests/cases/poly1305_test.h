/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations for the cases. poly1305_test.ko runs them inside a kernel, checkpoly1305 in
 * user space with what tests/unit/kernel.h takes from a kernel.
 *
 * The cases use only the interfaces that any caller has: the functions that poly1305.ko
 * exports, and the crypto API's shash by driver name. Of poly1305_core.h they take names
 * and constants.
 */

#ifndef POLY1305_TEST_H
#define POLY1305_TEST_H

#define pr_fmt(fmt) fmt

#ifdef __KERNEL__
#include "../../compat.h"
#include <crypto/hash.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#else
#include "../unit/kernel.h"
#endif

#include "../../poly1305_core.h"
#include "../reference/poly1305_ref.h"
#include "corner.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE

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

/* Return value of a case that cannot run on this kernel or machine */
#define SKIP		1

/**
 * struct subject - an interface that cases run on
 * @name: "library" for the exported functions, or the name of a shash driver
 * @tfm: NULL for the exported functions, or the driver's transform
 */
struct subject {
	const char *name;
	struct crypto_shash *tfm;
};

/**
 * struct testcase - a case
 * @name: its name in the results
 * @run: returns 0, a negative errno after logging one line that says why, or SKIP
 * @library: whether it applies to the exported functions
 * @shash: whether it applies to shash drivers
 */
struct testcase {
	const char *name;
	int (*run)(const struct subject *s);
	bool library;
	bool shash;
};

/**
 * struct sample - a key, a message, and its tags
 * @input: the key with the message behind it, as a shash takes them
 * @sgl: the message as a scatterlist
 * @tags: @tags[len] is the tag of the first len bytes
 */
struct sample {
	u8 *input;
	struct scatterlist sgl[3];
	u8 (*tags)[TAG_SIZE];
};

/**
 * struct mac - a message in pieces through either interface
 * @s: the interface
 * @ctx: the state, for the exported functions
 * @desc: the state, for a shash driver
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
extern struct sample random_sample, ones_sample;
extern unsigned int effort, seed;
extern const char *skip_reason;

u32 random_below(u32 limit);
u32 random_len(u32 bits);
void random_fill(u8 *p, size_t len);
int fixture_setup(char *const *drivers, unsigned int ndrivers);
void fixture_teardown(void);

/* Logs one line; evaluates to -EINVAL */
#define fail(s, fmt, ...)						\
({									\
	pr_err("# %s: " fmt "\n", (s)->name, ##__VA_ARGS__);		\
	-EINVAL;							\
})

/* both.c */
int mac_digest(const struct subject *s, const u8 *input, size_t len,
	       u8 tag[TAG_SIZE]);
int mac_init(struct mac *mac, const struct subject *s, const u8 key[KEY_SIZE]);
int mac_update(struct mac *mac, const u8 *data, size_t len);
int mac_final(struct mac *mac, u8 tag[TAG_SIZE]);
int mac_cut(const struct subject *s, const u8 *input, size_t len, size_t cut,
	    u8 tag[TAG_SIZE]);
int check_import(const struct subject *s, struct shash_desc *desc, u32 head_size);
int check_overlap(const struct subject *s, const char *how, int err, u8 *buf,
		  size_t len, size_t at);

/*
 * The cases: the ID of test_ID(), the name in the results, whether it applies to the
 * exported functions, and whether to shash drivers
 */
#define POLY1305_TESTCASES(row)						\
	row(vectors, "vectors", true, true)				\
	row(lengths, "lengths", true, true)				\
	row(alignment, "alignment", true, true)				\
	row(cuts, "cuts", true, true)					\
	row(pieces, "pieces", true, true)				\
	row(large, "large", true, true)					\
	row(overlap, "overlap", true, true)				\
	row(copy, "copy", true, true)					\
	row(verify, "verify", true, false)				\
	row(null, "null", true, false)					\
	row(order, "order", true, false)				\
	row(attributes, "attributes", false, true)			\
	row(no_key, "no-key", false, true)				\
	row(after_final, "after-final", false, true)			\
	row(desc_alignment, "desc-alignment", false, true)		\
	row(export, "export", false, true)				\
	row(forgets_key, "forgets-key", false, true)			\
	row(import, "import", false, true)				\
	POLY1305_ONLY(row)						\
	POLY1305_CONTEXTS(row)

/* Poly1271 has neither hints, nor scatterlists, nor poly1305(aes), and other corners. */
#ifdef POLY1271
#define POLY1305_ONLY(row)
#else
#define POLY1305_ONLY(row)						\
	row(corners, "corners", true, true)				\
	row(hint, "hint", true, false)					\
	row(sg, "sg", true, false)					\
	row(sg_short, "sg-short", true, false)				\
	row(sg_overlap, "sg-overlap", true, false)			\
	row(aes, "aes", true, false)					\
	row(aes_setkey, "aes-setkey", true, false)			\
	row(aes_nonce, "aes-nonce", true, false)			\
	row(aes_order, "aes-order", true, false)			\
	row(aes_rekey, "aes-rekey", true, false)			\
	row(aes_overlap, "aes-overlap", true, false)			\
	row(aes_import, "aes-import", true, false)
#endif

/* Only a kernel has interrupts. */
#ifdef __KERNEL__
#define POLY1305_CONTEXTS(row)						\
	row(contexts, "contexts", true, true)				\
	row(at_once, "at-once", true, true)
#else
#define POLY1305_CONTEXTS(row)
#endif

#define DECLARE_CASE(id, text, in_library, in_shash)			\
	int test_##id(const struct subject *s);
POLY1305_TESTCASES(DECLARE_CASE)

extern const struct testcase testcases[];
extern const size_t ncases;
#define CASES_MAX	64

/* fixture.c: runs a case with the random numbers that follow from the seed */
int run_case(const struct testcase *testcase, const struct subject *s);

#endif /* POLY1305_TEST_H */
