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
struct subject subjects[2 + DRIVERS_MAX];
unsigned int nsubjects;

u64 random_state;

int run_case(const struct testcase *testcase, const struct subject *s)
{
	/* A case may have left another key, or none. */
	if (s->kind == AES && crypto_shash_setkey(s->tfm, aes_key, KEY_SIZE))
		return fail(s, "a key is refused");
	random_state = seed;
	return testcase->run(s);
}

/* r without the bits that clamping clears */
void random_aes_key(u8 key[KEY_SIZE])
{
	int i;

	rnd_bytes(key, KEY_SIZE);
	for (i = 16 + 3; i < KEY_SIZE; i += 4)
		key[i] &= 15;
	for (i = 16 + 4; i < KEY_SIZE; i += 4)
		key[i] &= 252;
}

/* Computes the tags of all prefixes of the message under that one-time key, in one pass. */
static int sample_tags(struct sample *sample, const u8 *once)
{
	const u8 *msg = sample->input + KEY_SIZE;
	struct poly1305_ref whole, ref;
	size_t len, rest;

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

/* All drivers named must be registered; without names, those that are not are left out. */
static int add_drivers(char *const *names, unsigned int n)
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
		subjects[nsubjects++] = (struct subject){
			SHASH, *name, tfm, KEY_SIZE, -ENOKEY, &random_sample
		};
	}
	return 0;
}

/* With a nonce and no message the tag is the pad, which the self-test compares with known ones. */
static int add_aes(void)
{
	struct subject s = { AES, "poly1305(aes)", NULL, NONCE_SIZE, -EINVAL, &aes_sample };
	u8 once[KEY_SIZE];

	s.tfm = crypto_alloc_shash(s.name, 0, 0);
	if (PTR_ERR(s.tfm) == -ENOENT) {
		pr_info("# poly1305_aes.ko is not loaded, and not tested\n");
		return 0;
	}
	if (IS_ERR(s.tfm))
		return PTR_ERR(s.tfm);
	subjects[nsubjects++] = s;
	memcpy(once, aes_key + 16, 16);
	return crypto_shash_setkey(s.tfm, aes_key, KEY_SIZE) ?:
	       mac_tag(&s, DIGEST, aes_sample.input, NONCE_SIZE, 0, once + 16) ?:
	       sample_tags(&aes_sample, once);
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

	random_state = seed;
	work = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	random_sample.input = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	aes_sample.input = kmalloc(KEY_SIZE + LEN_MAX, GFP_KERNEL);
	if (!work || !random_sample.input || !aes_sample.input) {
		fixture_teardown();
		return -ENOMEM;
	}
	rnd_bytes(random_sample.input, KEY_SIZE + LEN_MAX);
	rnd_bytes(aes_sample.input, KEY_SIZE + LEN_MAX);
	random_aes_key(aes_key);

	save_registers();
	pr_info("# effort=%u seed=%u\n", effort, seed);
	subjects[nsubjects++] = (struct subject){ LIBRARY, "library", .sample = &random_sample };
	err = sample_tags(&random_sample, random_sample.input) ?:
	      add_drivers(drivers, ndrivers) ?:
	      add_aes();
	if (err)
		fixture_teardown();
	return err;
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
