// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_aead_bench.ko: how fast poly1305_chapoly.ko is beside another AEAD.
 *
 * insmod poly1305_aead_bench.ko peer='rfc7539esp(chacha20-lib,poly1305-generic)'
 *
 * Loading it seals and opens packets of several lengths with both, by turns, in
 * place and with bottom halves off as a network driver would, and writes a line
 * for each length to the kernel log: nanoseconds a packet, the least and the
 * median of the rounds, and the ratio of the medians; and the least of what our
 * MAC of a packet alone takes, which is a part of ours. That is all it asserts:
 * each opens what the other has sealed.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/aead.h>
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "../../poly1305.h"

#define ROUNDS		101
#define PACKETS		100	/* in each round */
#define ASSOC		16	/* SPI and sequence number, and the IV again */
#define IV_SIZE		8
#define KEY_SIZE	36
#define TAG_SIZE	16
#define PACKET_MAX	8192

static char *peer = "rfc7539esp(chacha20-lib,poly1305-generic)";
module_param(peer, charp, 0444);
MODULE_PARM_DESC(peer, "driver to compare with");

struct subject {
	struct crypto_aead *tfm;
	struct aead_request *req;
	u64 ns[ROUNDS];
};

static const unsigned int lengths[] = {
	16, 64, 128, 192, 256, 384, 448, 576, 1024, 1420, 4096, 8192
};

static u8 *packet;

static int open_subject(struct subject *s, const char *driver)
{
	static const u8 key[KEY_SIZE] = { 1, 2, 3 };
	int err;

	s->tfm = crypto_alloc_aead(driver, 0, CRYPTO_ALG_ASYNC);
	if (IS_ERR(s->tfm)) {
		pr_err("no AEAD %s: error %ld\n", driver, PTR_ERR(s->tfm));
		err = PTR_ERR(s->tfm);
		s->tfm = NULL;
		return err;
	}
	s->req = aead_request_alloc(s->tfm, GFP_KERNEL);
	if (!s->req)
		return -ENOMEM;
	aead_request_set_callback(s->req, 0, NULL, NULL);
	return crypto_aead_setkey(s->tfm, key, sizeof(key));
}

static void close_subject(struct subject *s)
{
	aead_request_free(s->req);
	if (s->tfm)
		crypto_free_aead(s->tfm);
}

/* What from seals, to opens. */
static int agree(struct subject *from, struct subject *to, unsigned int len)
{
	u8 iv[IV_SIZE] = { 0 };
	struct scatterlist sg;
	int err;

	sg_init_one(&sg, packet, ASSOC + len + TAG_SIZE);
	aead_request_set_ad(from->req, ASSOC);
	aead_request_set_crypt(from->req, &sg, &sg, len, iv);
	aead_request_set_ad(to->req, ASSOC);
	aead_request_set_crypt(to->req, &sg, &sg, len + TAG_SIZE, iv);
	err = crypto_aead_encrypt(from->req);
	if (!err)
		err = crypto_aead_decrypt(to->req);
	if (err)
		pr_err("%u bytes: one does not open what the other has sealed: error %d\n",
		       len, err);
	return err;
}

/* Each packet is sealed and opened again, so that the next one is the same. */
static int one_round(struct subject *s, unsigned int len, u64 *ns)
{
	struct scatterlist sg;
	u8 iv[IV_SIZE] = { 0 };
	int i, err = 0;
	u64 begin;

	sg_init_one(&sg, packet, ASSOC + len + TAG_SIZE);
	aead_request_set_ad(s->req, ASSOC);
	local_bh_disable();
	begin = ktime_get_ns();
	for (i = 0; i < PACKETS && !err; i++) {
		aead_request_set_crypt(s->req, &sg, &sg, len, iv);
		err = crypto_aead_encrypt(s->req);
		if (err)
			break;
		aead_request_set_crypt(s->req, &sg, &sg, len + TAG_SIZE, iv);
		err = crypto_aead_decrypt(s->req);
	}
	*ns = ktime_get_ns() - begin;
	local_bh_enable();
	return err;
}

/* Our MAC of what RFC 8439 authenticates: associated data, text, both lengths */
static u64 mac_round(unsigned int len)
{
	static const u8 key[POLY1305_MAC_KEY_SIZE] = { 1, 2, 3 };
	u8 tag[TAG_SIZE];
	u64 begin;
	int i;

	local_bh_disable();
	begin = ktime_get_ns();
	for (i = 0; i < 2 * PACKETS; i++)
		poly1305_mac_digest(key, packet, ASSOC + round_up(len, 16) + 16,
				    tag);
	begin = ktime_get_ns() - begin;
	local_bh_enable();
	return begin;
}

static int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static int measure(struct subject ours_theirs[2], unsigned int len)
{
	struct subject *ours = &ours_theirs[0], *theirs = &ours_theirs[1];
	unsigned int i, per = 2 * PACKETS;
	u64 ratio, mac = U64_MAX;
	int err;

	err = agree(ours, theirs, len);
	if (!err)
		err = agree(theirs, ours, len);
	if (err)
		return err;
	for (i = 0; i < ROUNDS; i++) {
		err = one_round(ours, len, &ours->ns[i]);
		if (!err)
			err = one_round(theirs, len, &theirs->ns[i]);
		if (err)
			return err;
		mac = min(mac, mac_round(len));
	}
	sort(ours->ns, ROUNDS, sizeof(u64), by_size, NULL);
	sort(theirs->ns, ROUNDS, sizeof(u64), by_size, NULL);
	ratio = div64_u64(theirs->ns[ROUNDS / 2] * 100,
			  max_t(u64, ours->ns[ROUNDS / 2], 1));
	pr_info("%u bytes: ours %llu %llu, peer %llu %llu, ratio %llu.%02llu, MAC %llu\n",
		len, div_u64(ours->ns[0], per),
		div_u64(ours->ns[ROUNDS / 2], per),
		div_u64(theirs->ns[0], per),
		div_u64(theirs->ns[ROUNDS / 2], per),
		div_u64(ratio, 100), ratio - div_u64(ratio, 100) * 100,
		div_u64(mac, per));
	return 0;
}

static int __init aead_bench_init(void)
{
	struct subject *s = kcalloc(2, sizeof(*s), GFP_KERNEL);
	int err = -ENOMEM;
	size_t i;

	packet = kzalloc(ASSOC + PACKET_MAX + TAG_SIZE, GFP_KERNEL);
	if (!s || !packet)
		goto out;
	err = open_subject(&s[0], "chapoly-rfc7539esp");
	if (!err)
		err = open_subject(&s[1], peer);
	for (i = 0; i < ARRAY_SIZE(lengths) && !err; i++)
		err = measure(s, lengths[i]);
	close_subject(&s[0]);
	close_subject(&s[1]);
out:
	kfree(packet);
	kfree(s);
	return err;
}

static void __exit aead_bench_exit(void)
{
}

module_init(aead_bench_init);
module_exit(aead_bench_exit);

MODULE_DESCRIPTION("Benchmark of ChaCha20-Poly1305 AEADs");
MODULE_LICENSE("Dual MIT/GPL");
