// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_bench.ko: the cost of a MAC inside the kernel. Each length is measured in
 * every way to compute it: with the exported functions and with the shash drivers.
 *
 * All ways and lengths are measured in turn, again and again, so that disturbances hit
 * all alike. Each call has a key of its own. Bottom halves are off, as in a network
 * driver. Every way must first give the right tag for every length. The results are JSON
 * in the kernel log, in TSC cycles per call.
 */

#define pr_fmt(fmt) fmt

#include "../../tests/cases/versions.h"
#include <crypto/hash.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "../../poly1305_core.h"
#include "../../tests/reference/poly1305_ref.h"
#include "samples.h"

#define KEY_SIZE	POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	POLY1305_MAC_TAG_SIZE

/* One way to the tag of len bytes behind the key in input: its name, and what it measures */
struct way {
	const char *name;
	const char *on;
	int (*run)(const struct way *way, const u8 *input, size_t len, u8 tag[TAG_SIZE]);
	struct crypto_shash *tfm;	/* for ways that call a driver */
};

static unsigned int rounds = 100;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "how often everything is measured (default: 100)");

static const u32 lens[] = {
	0, 1, 16, 32, 64, 96, 128, 192, 256, 384, 448, 512, 576, 1024, 1420,
	1500, 4096, 8192, 16384, 65536, SZ_1M,
};

/* A sample takes about this many bytes, but 16 calls at most. */
#define SAMPLE_LEN	SZ_4K

#define PIECE	1024

/* A CPU may lack some of the drivers. */
#define DRIVER_NAME(id)	"poly1305-" #id,
static const char *const drivers[] = { POLY1305_TIERS(DRIVER_NAME) };

static struct way ways[3 + 2 * ARRAY_SIZE(drivers)];
static unsigned int nways;
static u32 *samples;

static int run_digest(const struct way *way, const u8 *input, size_t len,
		      u8 tag[TAG_SIZE])
{
	poly1305_mac_digest(input, input + KEY_SIZE, len, tag);
	return 0;
}

static int run_update(const struct way *way, const u8 *input, size_t len,
		      u8 tag[TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;

	poly1305_mac_init_hint(&ctx, input, len);
	poly1305_mac_update(&ctx, input + KEY_SIZE, len);
	poly1305_mac_final(&ctx, tag);
	return 0;
}

static int run_pieces(const struct way *way, const u8 *input, size_t len,
		      u8 tag[TAG_SIZE])
{
	const u8 *msg = input + KEY_SIZE;
	struct poly1305_mac_ctx ctx;
	size_t n;

	poly1305_mac_init_hint(&ctx, input, len);
	for (; len; msg += n, len -= n) {
		n = min_t(size_t, len, PIECE);
		poly1305_mac_update(&ctx, msg, n);
	}
	poly1305_mac_final(&ctx, tag);
	return 0;
}

static int run_shash_digest(const struct way *way, const u8 *input, size_t len,
			    u8 tag[TAG_SIZE])
{
	SHASH_DESC_ON_STACK(desc, way->tfm);

	desc->tfm = way->tfm;
	return crypto_shash_digest(desc, input, KEY_SIZE + len, tag);
}

static int run_shash_update(const struct way *way, const u8 *input, size_t len,
			    u8 tag[TAG_SIZE])
{
	SHASH_DESC_ON_STACK(desc, way->tfm);

	desc->tfm = way->tfm;
	return crypto_shash_init(desc) ?:
	       crypto_shash_update(desc, input, KEY_SIZE) ?:
	       crypto_shash_update(desc, input + KEY_SIZE, len) ?:
	       crypto_shash_final(desc, tag);
}

static void list_ways(void)
{
	struct way *way = ways;
	struct crypto_shash *tfm;
	size_t i;

	*way++ = (struct way){ "digest", "library", run_digest };
	*way++ = (struct way){ "update", "library", run_update };
	*way++ = (struct way){ "pieces", "library", run_pieces };
	for (i = 0; i < ARRAY_SIZE(drivers); i++) {
		tfm = crypto_alloc_shash(drivers[i], 0, 0);
		if (IS_ERR(tfm))
			continue;
		*way++ = (struct way){ "shash-update", drivers[i], run_shash_update, tfm };
		*way++ = (struct way){ "shash-digest", drivers[i], run_shash_digest, tfm };
	}
	nways = way - ways;
}

static void free_ways(void)
{
	while (nways--) {
		if (ways[nways].run == run_shash_digest)
			crypto_free_shash(ways[nways].tfm);
	}
}

static int check_tags(const u8 *input)
{
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	const struct way *way;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (way = ways; way < ways + nways; way++) {
			poly1305_ref(input, input + KEY_SIZE, lens[i], want);
			memset(tag, 0, sizeof(tag));
			err = way->run(way, input, lens[i], tag);
			if (err || memcmp(tag, want, TAG_SIZE)) {
				pr_err("# %s, %s: wrong tag of %u bytes, error %d\n",
				       way->on, way->name, lens[i], err);
				return -EBADMSG;
			}
		}
		cond_resched();
	}
	return 0;
}

static u32 *sample(unsigned int len, unsigned int way)
{
	return samples + (len * nways + way) * rounds;
}

static u32 measure(const struct way *way, u8 *input, size_t len)
{
	const unsigned int calls = clamp_t(size_t, SAMPLE_LEN / (len + 1), 1,
					   16);
	u8 tag[TAG_SIZE];
	unsigned int i;
	u64 start;

	local_bh_disable();
	way->run(way, input, len, tag);
	start = cycles();
	for (i = 0; i < calls; i++) {
		input[i]++;
		way->run(way, input, len, tag);
	}
	start = cycles() - start;
	local_bh_enable();
	return min_t(u64, div_u64(start * 10, calls), U32_MAX);
}

static void print_results(void)
{
	unsigned int i, j;
	u32 *s;

	pr_info("{\"kernel\": \"%s\", \"rounds\": %u, \"results\": [\n",
		init_utsname()->release, rounds);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (j = 0; j < nways; j++) {
			s = sample(i, j);
			sort_samples(s, rounds);
			pr_info("{\"mode\": \"%s\", \"impl\": \"%s\", \"len\": %u, \"min\": %u.%u, \"median\": %u.%u}%s\n",
				ways[j].name, ways[j].on, lens[i], s[0] / 10,
				s[0] % 10, s[rounds / 2] / 10,
				s[rounds / 2] % 10,
				i + 1 < ARRAY_SIZE(lens) || j + 1 < nways ? "," : "");
		}
		cond_resched();
	}
	pr_info("]}\n");
}

static int bench(u8 *input)
{
	unsigned int i, j, round;
	int err;

	for (i = 0; i < KEY_SIZE + SZ_1M; i++)
		input[i] = i * i >> 3;
	err = check_tags(input);
	if (err)
		return err;

	samples = vmalloc(array3_size(ARRAY_SIZE(lens), nways * rounds,
				      sizeof(*samples)));
	if (!samples)
		return -ENOMEM;
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			for (j = 0; j < nways; j++)
				sample(i, j)[round] = measure(&ways[j], input,
							      lens[i]);
			cond_resched();
		}
	}
	print_results();
	vfree(samples);
	return 0;
}

static int __init poly1305_bench_init(void)
{
	u8 *input;
	int err;

	if (!rounds || rounds > 10000) {
		pr_err("poly1305_bench: rounds=%u: 1 to 10000\n", rounds);
		return -EINVAL;
	}
	input = vmalloc(KEY_SIZE + SZ_1M);
	if (!input)
		return -ENOMEM;
	list_ways();
	err = bench(input);
	free_ways();
	vfree(input);
	return err;
}

static void __exit poly1305_bench_exit(void)
{
}

module_init(poly1305_bench_init);
module_exit(poly1305_bench_exit);

MODULE_DESCRIPTION("Benchmark of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
