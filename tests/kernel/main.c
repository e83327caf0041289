// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_test.ko: tests of poly1305.ko from inside the kernel.
 *
 * Loading it runs every case on the exported functions and on each shash
 * driver, and writes the results to the kernel log in KTAP. It loads only if
 * all of them pass.
 */

#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "poly1305_test.h"

#define DRIVERS_MAX	16

/* Those of poly1305.ko, unless the parameter says otherwise */
static char *drivers[DRIVERS_MAX] = {
	"poly1305-portable", "poly1305-x86_64", "poly1305-sse2",
	"poly1305-avx2", "poly1305-avx512f", "poly1305-avx512",
};

static unsigned int ndrivers;
module_param_array(drivers, charp, &ndrivers, 0444);
MODULE_PARM_DESC(drivers, "shash drivers to test, all of which must be there (default: those of poly1305.ko that are)");

unsigned int effort = 1;
module_param(effort, uint, 0444);
MODULE_PARM_DESC(effort, "factor for the number of random and concurrent trials (default: 1)");

static unsigned int seed = 1305;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "where the random numbers begin (default: 1305)");

struct subject subjects[1 + DRIVERS_MAX] = { { .name = "library" } };
unsigned int nsubjects = 1;
struct sample random_sample, ones_sample;
const char *skip_reason;

static const struct testcase testcases[] = {
	{ "vectors", test_vectors, true, true },
	{ "lengths", test_lengths, true, true },
	{ "alignment", test_alignment, true, true },
	{ "cuts", test_cuts, true, true },
	{ "pieces", test_pieces, true, true },
	{ "large", test_large, true, true },
	{ "overlap", test_overlap, true, true },
	{ "hint", test_hint, true, false },
	{ "verify", test_verify, true, false },
	{ "wipe", test_wipe, true, false },
	{ "null", test_null, true, false },
	{ "sg", test_sg, true, false },
	{ "sg-short", test_sg_short, true, false },
	{ "attributes", test_attributes, false, true },
	{ "key-cuts", test_key_cuts, false, true },
	{ "no-key", test_no_key, false, true },
	{ "desc-wipe", test_desc_wipe, false, true },
	{ "desc-alignment", test_desc_alignment, false, true },
	{ "desc-copy", test_desc_copy, false, true },
	{ "export", test_export, false, true },
	{ "import-garbage", test_import_garbage, false, true },
	{ "contexts", test_contexts, true, true },
	{ "nested", test_nested, true, true },
	{ "mid-message", test_mid_message, true, true },
	{ "every-cpu", test_every_cpu, true, true },
	{ "at-once", test_at_once, true, true },
	{ "threads", test_threads, true, true },
};

/* Numbers that a seed reproduces, by xorshift */
static u32 random(void)
{
	static u32 x;

	if (!x)
		x = seed ?: 1;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

u32 random_below(u32 limit)
{
	return (u64)random() * limit >> 32;
}

/* Below 2^bits; each order of magnitude is as likely as any other */
u32 random_len(u32 bits)
{
	return random_below(2 << random_below(bits));
}

void random_fill(u8 *p, size_t len)
{
	while (len--)
		*p++ = random() >> 24;
}

/* The tags of all beginnings of a message, with each block looked at once */
static void sample_tags(const struct sample *sample)
{
	const u8 *msg = sample->input + KEY_SIZE;
	struct reference whole, ref;
	size_t len, rest;

	reference_init(&whole, sample->input);
	for (len = 0; len <= LEN_MAX; len++) {
		rest = len % POLY1305_MAC_BLOCK_SIZE;
		if (len && !rest)
			reference_block(&whole,
					msg + len - POLY1305_MAC_BLOCK_SIZE,
					POLY1305_MAC_BLOCK_SIZE);
		ref = whole;
		if (rest)
			reference_block(&ref, msg + len - rest, rest);
		reference_tag(&ref, sample->tags[len]);
	}
}

static void free_sample(struct sample *sample)
{
	kfree(sample->input);
	vfree(sample->tags);
}

static int alloc_sample(struct sample *sample)
{
	const u8 *msg;

	sample->input = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	sample->tags = vmalloc(TAG_SIZE * (LEN_MAX + 1));
	if (!sample->input || !sample->tags) {
		free_sample(sample);
		return -ENOMEM;
	}
	msg = sample->input + KEY_SIZE;
	sg_init_table(sample->sgl, 3);
	sg_set_buf(&sample->sgl[0], msg, 500);
	sg_set_buf(&sample->sgl[1], msg + 500, 1);
	sg_set_buf(&sample->sgl[2], msg + 501, LEN_MAX - 501);
	return 0;
}

static void free_subjects(void)
{
	while (nsubjects > 1)
		crypto_free_shash(subjects[--nsubjects].tfm);
}

/* Drivers that were named must be there; of the known ones, those that are. */
static int alloc_subjects(void)
{
	struct crypto_shash *tfm;
	size_t i;

	for (i = 0; i < DRIVERS_MAX && drivers[i]; i++) {
		if (ndrivers && i == ndrivers)
			break;
		tfm = crypto_alloc_shash(drivers[i], 0, 0);
		if (IS_ERR(tfm) && (ndrivers || PTR_ERR(tfm) != -ENOENT)) {
			pr_err("# no driver %s: error %ld\n", drivers[i],
			       PTR_ERR(tfm));
			return PTR_ERR(tfm);
		}
		pr_info("# driver %s: %s\n", drivers[i],
			IS_ERR(tfm) ? "not registered" : "tested");
		if (IS_ERR(tfm))
			continue;
		subjects[nsubjects].name = drivers[i];
		subjects[nsubjects++].tfm = tfm;
	}
	return 0;
}

static bool applies(const struct testcase *testcase, const struct subject *s)
{
	return s->tfm ? testcase->shash : testcase->library;
}

static int run_all(void)
{
	unsigned int total = 0, n = 0, passed = 0, failed = 0, skipped = 0;
	const struct testcase *testcase, *end;
	const struct subject *s;
	int err;

	end = testcases + ARRAY_SIZE(testcases);
	for (testcase = testcases; testcase < end; testcase++)
		for (s = subjects; s < subjects + nsubjects; s++)
			total += applies(testcase, s);

	pr_info("1..%u\n", total);
	for (testcase = testcases; testcase < end; testcase++) {
		for (s = subjects; s < subjects + nsubjects; s++) {
			if (!applies(testcase, s))
				continue;
			err = testcase->run(s);
			pr_info("%sok %u %s.%s%s%s\n", err < 0 ? "not " : "",
				++n, testcase->name, s->name,
				err == SKIP ? " # SKIP " : "",
				err == SKIP ? skip_reason : "");
			passed += !err;
			failed += err < 0;
			skipped += err == SKIP;
			cond_resched();
		}
	}
	pr_info("# Totals: pass:%u fail:%u skip:%u\n", passed, failed,
		skipped);
	return failed ? -EINVAL : 0;
}

static int __init poly1305_test_init(void)
{
	int err;

	if (!effort) {
		pr_err("poly1305_test: effort=0 would test nothing\n");
		return -EINVAL;
	}

	err = alloc_sample(&random_sample);
	if (err)
		return err;
	err = alloc_sample(&ones_sample);
	if (err)
		goto free_random;
	random_fill(random_sample.input, KEY_SIZE + LEN_MAX);
	memset(ones_sample.input, 0xff, KEY_SIZE + LEN_MAX);
	sample_tags(&random_sample);
	sample_tags(&ones_sample);

	pr_info("KTAP version 1\n");
	pr_info("# poly1305_test: effort=%u seed=%u\n", effort, seed);
	err = alloc_subjects();
	if (!err) {
		err = run_all();
		print_times();
	}

	free_subjects();
	free_sample(&ones_sample);
free_random:
	free_sample(&random_sample);
	return err;
}

static void __exit poly1305_test_exit(void)
{
}

module_init(poly1305_test_init);
module_exit(poly1305_test_exit);

MODULE_DESCRIPTION("Tests of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
