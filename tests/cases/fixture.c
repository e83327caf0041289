// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The fixture of all cases: subjects, random numbers, and samples with their tags */

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "poly1305_test.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

#define DRIVERS_MAX	16

/* By default, all drivers of poly1305.ko */
#define DRIVER(id)	POLY1305_NAME "-" #id,
static char *drivers[DRIVERS_MAX] = { POLY1305_TIERS(DRIVER) };

static unsigned int ndrivers;
module_param_array(drivers, charp, &ndrivers, 0444);
MODULE_PARM_DESC(drivers, "shash drivers to test, which must all be registered (default: any of poly1305.ko that are)");

unsigned int effort = 1;
module_param(effort, uint, 0444);
MODULE_PARM_DESC(effort, "factor for the number of random and concurrent trials (default: 1)");

static unsigned int seed = 1305;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "seed of the random numbers (default: 1305)");

struct subject subjects[1 + DRIVERS_MAX] = { { .name = "library" } };
unsigned int nsubjects = 1;
struct sample random_sample, ones_sample;
const char *skip_reason;

/* xorshift32, so that a seed reproduces the numbers */
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

/* Below 2^bits, with all orders of magnitude about equally likely */
u32 random_len(u32 bits)
{
	return random_below(2 << random_below(bits));
}

void random_fill(u8 *p, size_t len)
{
	while (len--)
		*p++ = random() >> 24;
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

/* Drivers named by the parameter must be registered; default ones may be missing. */
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
	int err;

	if (!effort) {
		pr_err("%s: effort=0 would test nothing\n", KBUILD_MODNAME);
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

	save_registers();
	pr_info("# %s: effort=%u seed=%u\n", KBUILD_MODNAME, effort, seed);
	err = alloc_subjects();
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
