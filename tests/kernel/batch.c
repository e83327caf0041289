// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Cases for poly1305_mac_batch() */

#include <linux/sched.h>
#include <linux/slab.h>

#include "poly1305_test.h"

#define BATCH_MAX	100

struct batch {
	struct poly1305_mac_req reqs[BATCH_MAX];
	struct scatterlist sgl[BATCH_MAX][2];
	u8 keys[BATCH_MAX][KEY_SIZE];
	u8 want[BATCH_MAX][TAG_SIZE];
	u8 tags[BATCH_MAX][TAG_SIZE];
};

/*
 * A batch whose message i is the first lens[i] bytes behind the key in input. It is
 * small enough for the stack, so it works in any context.
 */
static int check_small(const struct subject *s, const u8 *input,
		       const size_t *lens, const u8 *const *wanted,
		       unsigned int n)
{
	struct poly1305_mac_req reqs[BATCH_SMALL];
	u8 tags[BATCH_SMALL][TAG_SIZE];
	unsigned int i;
	int err;

	for (i = 0; i < n; i++)
		reqs[i] = (struct poly1305_mac_req){
			.key = input,
			.data = input + KEY_SIZE,
			.len = lens[i],
			.tag = tags[i],
		};
	err = poly1305_mac_batch(reqs, n);
	if (err)
		return fail(s, "a batch of %u, error %d", n, err);
	for (i = 0; i < n; i++)
		if (memcmp(tags[i], wanted[i], TAG_SIZE))
			return fail(s, "%zu bytes, %u of a batch of %u", lens[i],
				    i, n);
	return 0;
}

/* One message of each length, all prefixes of the sample */
int check_batch(const struct subject *s, const u16 *lens, unsigned int n)
{
	const u8 *wanted[BATCH_SMALL];
	size_t all[BATCH_SMALL];
	unsigned int i;

	for (i = 0; i < n; i++) {
		all[i] = lens[i];
		wanted[i] = random_sample.tags[lens[i]];
	}
	return check_small(s, random_sample.input, all, wanted, n);
}

/* A batch of equal requests for one message */
int check_batch_of_one(const struct subject *s, const u8 *input, size_t len,
		       const u8 want[TAG_SIZE])
{
	const u8 *wanted[BATCH_SMALL];
	size_t lens[BATCH_SMALL];
	unsigned int i;

	for (i = 0; i < BATCH_SMALL; i++) {
		lens[i] = len;
		wanted[i] = want;
	}
	return check_small(s, input, lens, wanted, BATCH_SMALL);
}

/* Each message has its own key; about a third are lists of up to two entries. */
static void fill_batch(struct batch *b, unsigned int n, unsigned int bits)
{
	const u32 like = random_len(bits);
	const bool alike = random_below(2);
	struct poly1305_mac_req *req;
	const u8 *data;
	unsigned int i;
	u32 cut;

	for (i = 0; i < n; i++) {
		req = &b->reqs[i];
		random_fill(b->keys[i], KEY_SIZE);
		req->len = alike ? like + random_below(20) : random_len(bits);
		req->len = min_t(size_t, req->len, LEN_MAX);
		data = random_sample.input + KEY_SIZE +
		       random_below(LEN_MAX - req->len + 1);
		poly1305_ref(b->keys[i], data, req->len, b->want[i]);
		req->key = b->keys[i];
		req->tag = b->tags[i];
		req->data = data;
		req->sgl = NULL;
		if (random_below(3) || !req->len)
			continue;
		cut = 1 + random_below(req->len);
		sg_init_table(b->sgl[i], 2);
		sg_set_buf(&b->sgl[i][0], data, cut);
		sg_set_buf(&b->sgl[i][1], data + cut, req->len - cut);
		req->sgl = b->sgl[i];
		req->data = NULL;
	}
}

static int random_batch(const struct subject *s, struct batch *b)
{
	const unsigned int n = random_below(BATCH_MAX + 1);
	unsigned int i;
	int err;

	fill_batch(b, n, 12);
	memset(b->tags, 0x5a, sizeof(b->tags));
	err = poly1305_mac_batch(b->reqs, n);
	for (i = 0; i < n && !err; i++)
		if (memcmp(b->tags[i], b->want[i], TAG_SIZE))
			return fail(s, "message %u of %u, %zu bytes", i, n,
				    b->reqs[i].len);
	if (err || memchr_inv(b->tags[n], 0x5a, (BATCH_MAX - n) * TAG_SIZE))
		return fail(s, "a batch of %u, error %d", n, err);
	if (!n)
		return 0;

	/* One list is too short: no tag is written. */
	i = random_below(n);
	sg_init_one(b->sgl[i], random_sample.input, 1 + random_below(LEN_MAX));
	b->reqs[i].sgl = b->sgl[i];
	b->reqs[i].len = b->sgl[i]->length + 1;
	memset(b->tags, 0x5a, sizeof(b->tags));
	err = poly1305_mac_batch(b->reqs, n);
	if (err != -EINVAL || memchr_inv(b->tags, 0x5a, sizeof(b->tags)))
		return fail(s, "a list that is too short in a batch of %u: %d",
			    n, err);
	return 0;
}

int test_batch(const struct subject *s)
{
	struct batch *b = kmalloc(sizeof(*b), GFP_KERNEL);
	unsigned int i;
	int err = 0;

	if (!b)
		return fail(s, "no memory");
	for (i = 0; i < 60 * effort && !err; i++) {
		err = random_batch(s, b);
		cond_resched();
	}
	kfree(b);
	return err;
}

/*
 * Each tag overwrites part of its own key or message. Lengths are equal or similar, so
 * that most messages run in lanes and some are left over.
 */
static int overlapping_batch(const struct subject *s, u8 *bufs, size_t len,
			     unsigned int n)
{
	const size_t room = KEY_SIZE + LEN_SIMD;
	struct poly1305_mac_req reqs[BATCH_SMALL];
	const bool alike = random_below(2);
	unsigned int i;
	size_t at;
	u8 *buf;
	int err;

	for (i = 0; i < n; i++) {
		buf = bufs + i * room;
		memcpy(buf, random_sample.input, room);
		reqs[i] = (struct poly1305_mac_req){
			.key = buf,
			.data = buf + KEY_SIZE,
			.len = alike ? len : len - random_below(len / 16 + 1),
		};
		at = random_below(KEY_SIZE + reqs[i].len - TAG_SIZE + 1);
		reqs[i].tag = buf + at;
	}

	err = poly1305_mac_batch(reqs, n);
	for (i = 0; i < n; i++) {
		buf = bufs + i * room;
		at = reqs[i].tag - buf;
		if (err || memcmp(reqs[i].tag,
				  random_sample.tags[reqs[i].len], TAG_SIZE))
			return fail(s, "%zu bytes, %u of %u, the tag over byte %zu, error %d",
				    reqs[i].len, i, n, at, err);
		memcpy(reqs[i].tag, random_sample.input + at, TAG_SIZE);
		if (memcmp(buf, random_sample.input, room))
			return fail(s, "%zu bytes, %u of %u, bytes outside the tag are written",
				    reqs[i].len, i, n);
	}
	return 0;
}

int test_batch_overlap(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 64, 100, 300, 576, 1024, 1420,
				    3000, LEN_SIMD };
	u8 *bufs = kmalloc_array(BATCH_SMALL, KEY_SIZE + LEN_SIMD, GFP_KERNEL);
	unsigned int i, j;
	int err = 0;

	if (!bufs)
		return fail(s, "no memory");
	for (i = 0; i < ARRAY_SIZE(lens) && !err; i++) {
		for (j = 0; j < 20 * effort && !err; j++)
			err = overlapping_batch(s, bufs, lens[i],
						1 + random_below(BATCH_SMALL));
		cond_resched();
	}
	kfree(bufs);
	return err;
}
