// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_measure.ko: what an ESP packet costs on this machine, sealed and opened by
 * poly1305_chapoly.ko and by the kernel's own AEAD.
 *
 * Loading it measures, in a second: all kinds of packets in turn, again and again, so that a
 * disturbance hits all alike. Both AEADs must first give the same bytes. Then the parameter
 * "results" has a line for each kind:
 *
 *	CONTEXT OPERATION LENGTH OURS MEDIAN STOCK MEDIAN
 *
 * in cycles of the time-stamp counter, the least and the median of the rounds. "poly1305ctl
 * measure" and "tools/bench --kernel --packets" read that, and unload the module.
 */

#include "../../compat.h"
#include <crypto/aead.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

#include "samples.h"

#define KEY_SIZE	36	/* with the salt */
#define TAG_SIZE	16
#define ASSOC		16	/* SPI and sequence number, and the IV again */
#define PACKET_MAX	8192
#define SAMPLE_LEN	4096	/* the bytes timed at once, roughly; at most 16 packets */

static unsigned int rounds = 200;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "how often everything is measured, up to 10000 (default: 200)");

static unsigned int lens[20] = { 64, 576, 1420 };
static unsigned int nlens = 3;
module_param_array(lens, uint, &nlens, 0444);
MODULE_PARM_DESC(lens, "bytes of the packets, up to 8192 (default: 64,576,1420)");

/*
 * The module's own memory, as the file in sysfs outlives exit, and a load that fails. All lengths
 * fit, even if cycles have seven digits.
 */
static char results[PAGE_SIZE];
module_param_string(results, results, sizeof(results), 0444);
MODULE_PARM_DESC(results, "cycles of each kind of packet, when the module is loaded");

enum { OURS, STOCK, SIDES };
enum { SEAL, OPEN, OPERATIONS };
enum { PROCESS, SOFTIRQ, CONTEXTS };

/* Which of the kernel's there are depends on its version; the first is the fastest. */
static const char *const stock[] = {
	"rfc7539esp(chacha20-simd,poly1305-simd)",
	"rfc7539esp(chacha20-lib,poly1305-generic)",
	"rfc7539esp(chacha20-generic,poly1305-generic)",
};

static const u8 key[KEY_SIZE] = { 1, 2, 3 };
static struct aead_request *reqs[SIDES];
static u8 *plain, *sealed[SIDES], *opened;
static u32 *samples;
static unsigned int round;
static int error;

static u32 *sample(int context, unsigned int len, int operation, int side)
{
	const unsigned int kind = (context * nlens + len) * OPERATIONS + operation;

	return samples + (kind * SIDES + side) * rounds;
}

static int crypt(int side, int operation, size_t len)
{
	struct aead_request *req = reqs[side];
	const bool seal = operation == SEAL;
	struct scatterlist from, to;
	u8 iv[8] = {};

	sg_init_one(&from, seal ? plain : sealed[side], ASSOC + len + TAG_SIZE);
	sg_init_one(&to, seal ? sealed[side] : opened, ASSOC + len + TAG_SIZE);
	aead_request_set_crypt(req, &from, &to, len + (seal ? 0 : TAG_SIZE), iv);
	return seal ? crypto_aead_encrypt(req) : crypto_aead_decrypt(req);
}

/*
 * Take one sample of each kind of packet. Our AEAD comes first in even rounds, the kernel's in odd
 * ones, so that neither always finds the other's data in the caches.
 */
static void measure_round(int context)
{
	unsigned int i, j, k, calls;
	int operation, side;
	u64 start;

	for (i = 0; i < nlens; i++) {
		calls = clamp_t(unsigned int, SAMPLE_LEN / (lens[i] + 1), 1, 16);
		for (j = 0; j < OPERATIONS * SIDES; j++) {
			operation = j / SIDES;
			side = (j + round) % SIDES;
			error = error ?: crypt(side, operation, lens[i]);
			start = cycles();
			for (k = 0; k < calls; k++)
				error = error ?: crypt(side, operation, lens[i]);
			*(sample(context, i, operation, side) + round) =
				min_t(u64, div_u64(cycles() - start, calls), U32_MAX);
		}
	}
}

static DECLARE_COMPLETION(measured);

static void measure_in_softirq(struct timer_list *timer)
{
	measure_round(SOFTIRQ);
	complete(&measured);
}

static DEFINE_TIMER(softirq, measure_in_softirq);

static int open_side(int side, const char *name)
{
	struct crypto_aead *tfm = crypto_alloc_aead(name, 0, CRYPTO_ALG_ASYNC);

	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	reqs[side] = aead_request_alloc(tfm, GFP_KERNEL);
	sealed[side] = kzalloc(ASSOC + PACKET_MAX + TAG_SIZE, GFP_KERNEL);
	if (!reqs[side]) {
		crypto_free_aead(tfm);
		return -ENOMEM;
	}
	aead_request_set_callback(reqs[side], 0, NULL, NULL);
	aead_request_set_ad(reqs[side], ASSOC);
	return sealed[side] ? crypto_aead_setkey(tfm, key, sizeof(key)) : -ENOMEM;
}

static void close_sides(void)
{
	struct crypto_aead *tfm;
	int side;

	for (side = 0; side < SIDES; side++) {
		if (reqs[side]) {
			tfm = crypto_aead_reqtfm(reqs[side]);
			aead_request_free(reqs[side]);
			crypto_free_aead(tfm);
		}
		kfree(sealed[side]);
	}
	kfree(plain);
	kfree(opened);
	vfree(samples);
}

/* Check that our AEAD and the kernel's give the same ciphertext and tag, and decrypt them. */
static int compare(void)
{
	unsigned int i;
	int err, side;

	memset(plain + ASSOC, 0x5a, PACKET_MAX);
	for (i = 0; i < nlens; i++) {
		for (side = 0; side < SIDES; side++) {
			memset(opened, 0, ASSOC + PACKET_MAX);
			err = crypt(side, SEAL, lens[i]) ?: crypt(side, OPEN, lens[i]);
			if (err)
				return err;
			if (memcmp(opened + ASSOC, plain + ASSOC, lens[i]))
				return -EBADMSG;
		}
		if (memcmp(sealed[OURS] + ASSOC, sealed[STOCK] + ASSOC, lens[i] + TAG_SIZE))
			return -EBADMSG;
	}
	return 0;
}

static void print_results(const char *name, u64 khz)
{
	static const char *const contexts[] = { "process", "softirq" };
	static const char *const operations[] = { "seal", "open" };
	unsigned int context, i, kind, operation, side;
	size_t n;

	n = scnprintf(results, PAGE_SIZE, "tsc_khz %llu\nrounds %u\nstock %s", khz, rounds, name);
	for (kind = 0; kind < CONTEXTS * nlens * OPERATIONS; kind++) {
		context = kind / OPERATIONS / nlens;
		i = kind / OPERATIONS % nlens;
		operation = kind % OPERATIONS;
		n += scnprintf(results + n, PAGE_SIZE - n, "\n%s %s %u", contexts[context],
			       operations[operation], lens[i]);
		for (side = 0; side < SIDES; side++)
			n += print_samples(results + n, PAGE_SIZE - n,
					   sample(context, i, operation, side), rounds);
	}
}

static int measure(void)
{
	int err = open_side(OURS, "chapoly-rfc7539esp");
	const char *const *name = stock - 1;
	u64 tsc, ns;

	if (err)
		return err;
	do {
		if (++name == stock + ARRAY_SIZE(stock))
			return -ENOENT;
		err = open_side(STOCK, *name);
	} while (err == -ENOENT);
	plain = kzalloc(ASSOC + PACKET_MAX + TAG_SIZE, GFP_KERNEL);
	opened = kzalloc(ASSOC + PACKET_MAX + TAG_SIZE, GFP_KERNEL);
	samples = vzalloc(array3_size(CONTEXTS * OPERATIONS * SIDES * nlens, rounds,
				      sizeof(*samples)));
	if (!plain || !opened || !samples)
		return -ENOMEM;
	err = err ?: compare();
	if (err)
		return err;
	ns = ktime_get_ns();
	tsc = cycles();
	for (round = 0; round < rounds && !error; round++) {
		measure_round(PROCESS);
		mod_timer(&softirq, jiffies + 1);
		wait_for_completion(&measured);
	}
	tsc = cycles() - tsc;
	ns = ktime_get_ns() - ns;
	synchronize_rcu();	/* The timer's function, too, has returned. */
	print_results(*name, div64_u64(tsc * 1000, div_u64(ns, 1000) ?: 1));
	return error;
}

static int __init poly1305_measure_init(void)
{
	unsigned int i;
	int err;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!rounds || rounds > 10000)
		return -EINVAL;
	for (i = 0; i < nlens; i++) {
		if (lens[i] > PACKET_MAX)
			return -EINVAL;
	}
	err = measure();
	close_sides();
	return err;
}

static void __exit poly1305_measure_exit(void)
{
}

module_init(poly1305_measure_init);
module_exit(poly1305_measure_exit);

MODULE_DESCRIPTION("What packets cost with poly1305_chapoly.ko and without");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_SOFTDEP("pre: poly1305_chapoly");
