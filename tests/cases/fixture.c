// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The fixture of all cases: subjects, random numbers, and samples with their tags */

#include "poly1305_test.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

unsigned int effort = 1;
unsigned int seed = 1305;
#define CASE(id, text, in_library, in_shash)				\
	{ text, test_##id, in_library, in_shash },
const struct testcase testcases[] = { POLY1305_TESTCASES(CASE) };
const size_t ncases = ARRAY_SIZE(testcases);

struct subject subjects[1 + DRIVERS_MAX] = { { .name = "library" } };
unsigned int nsubjects = 1;
struct sample random_sample, ones_sample;
const char *skip_reason;

/* xorshift32, so that a seed reproduces the numbers */
static u32 state;

static u32 next_random(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

int run_case(const struct testcase *testcase, const struct subject *s)
{
	state = seed ?: 1;
	return testcase->run(s);
}

u32 random_below(u32 limit)
{
	return (u64)next_random() * limit >> 32;
}

/* Below 2^bits, with all orders of magnitude about equally likely */
u32 random_len(u32 bits)
{
	return random_below(2 << random_below(bits));
}

void random_fill(u8 *p, size_t len)
{
	while (len--)
		*p++ = next_random() >> 24;
}

/* Computes the tags of all prefixes of the message in one pass. */
static void sample_tags(const struct sample *sample)
{
	const u8 *msg = sample->input + KEY_SIZE;
	struct poly1305_ref whole, ref;
	size_t len, rest;

	poly1305_ref_init(&whole, sample->input);
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

/* All drivers named must be registered; without names, those that are not are left out. */
static int alloc_subjects(char *const *names, unsigned int n)
{
#define DRIVER(id)	POLY1305_NAME "-" #id,
	static char *const all[] = { POLY1305_TIERS(DRIVER) };
	char *const *name = n ? names : all, *const *end = name + (n ?: ARRAY_SIZE(all));
	struct crypto_shash *tfm;

	for (; name < end; name++) {
		tfm = crypto_alloc_shash(*name, 0, 0);
		if (IS_ERR(tfm) && (n || PTR_ERR(tfm) != -ENOENT)) {
			pr_err("# no driver %s: error %ld\n", *name, PTR_ERR(tfm));
			return PTR_ERR(tfm);
		}
		pr_info("# driver %s: %s\n", *name,
			IS_ERR(tfm) ? "not registered" : "tested");
		if (IS_ERR(tfm))
			continue;
		subjects[nsubjects].name = *name;
		subjects[nsubjects++].tfm = tfm;
	}
	return 0;
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

int fixture_setup(char *const *drivers, unsigned int ndrivers)
{
	int err;

	state = seed ?: 1;
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

	save_registers();
	pr_info("# effort=%u seed=%u\n", effort, seed);
	err = alloc_subjects(drivers, ndrivers);
	if (err)
		goto free_all;
	return 0;

free_all:
	free_subjects();
	free_sample(&ones_sample);
free_random:
	free_sample(&random_sample);
	return err;
}

void fixture_teardown(void)
{
	free_subjects();
	free_sample(&ones_sample);
	free_sample(&random_sample);
}
