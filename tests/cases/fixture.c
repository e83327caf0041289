// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The fixture of all cases: subjects, random numbers, and samples with their tags */

#include "poly1305_test.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

unsigned int effort = 1;
unsigned int seed = 1305;
#define CASE(name, kinds)	{ #name, test_##name, kinds },
const struct testcase testcases[] = { POLY1305_TESTCASES(CASE) };
const size_t ncases = ARRAY_SIZE(testcases);

struct sample random_sample;
static struct sample aes_sample;
u8 aes_key[KEY_SIZE];
u8 *work;
struct subject subjects[SUBJECTS_MAX];
unsigned int nsubjects;

/* Computes the tags of all prefixes of the message under that one-time key, in one pass. */
static int sample_tags(struct sample *sample, const u8 *once)
{
	const u8 *msg = sample->input + KEY_SIZE;
	struct poly1305_ref whole, ref;
	size_t len, rest;

	if (sample->tags)
		return 0;
	sample->tags = vmalloc(TAG_SIZE * (LEN_MAX + 1));
	if (!sample->tags)
		return -ENOMEM;
	poly1305_ref_init(&whole, once);
	for (len = 0; len <= LEN_MAX; len++) {
		rest = len % POLY1305_MAC_BLOCK_SIZE;
		if (len && !rest)
			poly1305_ref_block(&whole,
					   msg + len - POLY1305_MAC_BLOCK_SIZE,
					   POLY1305_MAC_BLOCK_SIZE);
		ref = whole;
		if (rest)
			poly1305_ref_block(&ref, msg + len - rest, rest);
		poly1305_ref_tag(&ref, sample->tags[len]);
	}
	return 0;
}

/*
 * Adds a subject, with the transform of a shash driver if it has one: -ENOENT if there is none.
 * The tag of poly1305(aes) for a nonce and no message is the pad of the one-time key, which the
 * self-test compares with known ones.
 */
int add_subject(enum kind kind, const char *name, const char *driver)
{
	struct subject s = { kind, name, .sample = &random_sample };
	u8 once[KEY_SIZE];
	struct mac mac;
	int err = 0;

	if (nsubjects == SUBJECTS_MAX)
		return -ENOSPC;
	if (driver) {
		s.tfm = crypto_alloc_shash(driver, 0, 0);
		if (IS_ERR(s.tfm))
			return PTR_ERR(s.tfm);
		s.prefix_len = KEY_SIZE;
		s.no_head = -ENOKEY;
	}
	if (kind == AES) {
		s.prefix_len = NONCE_SIZE;
		s.no_head = -EINVAL;
		s.sample = &aes_sample;
		memcpy(once, aes_key + 16, 16);
		err = crypto_shash_setkey(s.tfm, aes_key, KEY_SIZE) ?:
		      mac_tag(&mac, &s, DIGEST, aes_sample.input, NONCE_SIZE, 0, once + 16) ?:
		      sample_tags(&aes_sample, once);
	}
	subjects[nsubjects++] = s;
	return err;
}

/*
 * Saves the vector registers of this process until it returns to user space. FPU
 * sections then cost as little as in a kernel thread, and tiers use SIMD from
 * simd_from on. Otherwise most messages here would be too short for SIMD. contexts.c
 * checks that the registers are saved.
 */
static void save_registers(void)
{
#ifdef CONFIG_X86_64
	kernel_fpu_begin();
	kernel_fpu_end();
#endif
}

int fixture_setup(void)
{
	random_state = seed;
	work = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	random_sample.input = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	aes_sample.input = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	if (!work || !random_sample.input || !aes_sample.input)
		return -ENOMEM;
	rnd_bytes(random_sample.input, KEY_SIZE + LEN_MAX);
	rnd_bytes(aes_sample.input, KEY_SIZE + LEN_MAX);
	rnd_bytes(aes_key, KEY_SIZE);
	clamp_r(aes_key + 16);
	save_registers();
	return sample_tags(&random_sample, random_sample.input);
}

void fixture_teardown(void)
{
	while (nsubjects) {
		if (subjects[--nsubjects].tfm)
			crypto_free_shash(subjects[nsubjects].tfm);
	}
	vfree(aes_sample.tags);
	vfree(random_sample.tags);
	kfree(aes_sample.input);
	kfree(random_sample.input);
	kfree(work);
}

/* A case may have left another key of poly1305(aes), or none. */
static int run_case(const struct testcase *testcase, const struct subject *s)
{
	random_state = seed;
	return (s->kind == AES ? crypto_shash_setkey(s->tfm, aes_key, KEY_SIZE) : 0) ?:
	       call_case(testcase, s);
}

/* Runs the selected points, each with the random numbers that follow from the seed. */
int run_cases(void)
{
	unsigned int total = 0, n = 0, failed = 0, skipped = 0;
	const struct testcase *testcase;
	const struct subject *s;
	int err;

	for_each_point(testcase, s)
		total++;
	pr_info("1..%u\n", total);
	pr_info("# effort=%u seed=%u\n", effort, seed);
	for_each_point(testcase, s) {
		err = run_case(testcase, s);
		pr_info("%sok %u - %s/%s%s\n", err < 0 ? "not " : "", ++n, testcase->name,
			s->name, err > 0 ? " # SKIP" : "");
		failed += err < 0;
		skipped += err > 0;
		cond_resched();
	}
	pr_info("# Totals: pass:%u fail:%u skip:%u\n", n - failed - skipped, failed, skipped);
	return failed ? -EINVAL : 0;
}
