// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Many messages at once, and messages in scatterlists.
 */

#include "compat.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "poly1305_core.h"

/* A message of len bytes in the first nents entries of a list */
static void digest_list(const struct poly1305_impl *impl,
			const u8 key[POLY1305_MAC_KEY_SIZE],
			struct scatterlist *sgl, int nents, size_t len,
			u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;
	struct sg_mapping_iter miter;
	size_t n;

	poly1305_mac_init_hint(&ctx, key, len);
	sg_miter_start(&miter, sgl, nents, SG_MITER_ATOMIC | SG_MITER_FROM_SG);
	while (len && sg_miter_next(&miter)) {
		n = min_t(size_t, len, miter.length);
		impl->update(&ctx, miter.addr, n);
		len -= n;
	}
	sg_miter_stop(&miter);
	impl->final(&ctx, tag);
}

int poly1305_digest_sg(const struct poly1305_impl *impl,
		       const u8 key[POLY1305_MAC_KEY_SIZE],
		       struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const int nents = sg_nents_for_len(sgl, len);

	if (nents < 0)
		return -EINVAL;
	digest_list(impl, key, sgl, nents, len, tag);
	return 0;
}

/*
 * Messages that wait for each other: enough to fill lanes with some of like
 * length, and no more than one FPU section may process.
 */
#define QUEUE_MAX	64

/* How many bytes that is, at most: a few microseconds' work */
#define SECTION_MAX	32768

/* What a message costs beside its bytes, in bytes */
#define MESSAGE_COST	32

/**
 * struct queue - messages in one buffer each, of a length that lanes like
 * @reqs: the messages, and room to fill up lanes
 * @n: how many
 * @bytes: how many bytes they have in all
 * @shortest: the least of their lengths
 * @longest: the greatest of their lengths
 */
struct queue {
	const struct poly1305_mac_req *reqs[QUEUE_MAX + POLY1305_LANES_MAX - 1];
	unsigned int n;
	size_t bytes;
	size_t shortest;
	size_t longest;
};

/*
 * Longest first, as far as a 64th of the longest makes a difference: lanes want
 * messages of like length beside each other, more is not worth the time.
 */
static void sort_queue(struct queue *q)
{
	const struct poly1305_mac_req *sorted[QUEUE_MAX];
	unsigned int shift = 0, i, sum;
	u8 place[QUEUE_MAX] = {};
	u8 bucket[QUEUE_MAX];

	while (q->longest >> shift >= QUEUE_MAX)
		shift++;
	for (i = 0; i < q->n; i++) {
		bucket[i] = QUEUE_MAX - 1 - (q->reqs[i]->len >> shift);
		place[bucket[i]]++;
	}
	for (i = 0, sum = 0; i < QUEUE_MAX; i++) {
		sum += place[i];
		place[i] = sum - place[i];
	}
	for (i = 0; i < q->n; i++)
		sorted[place[bucket[i]]++] = q->reqs[i];
	memcpy(q->reqs, sorted, q->n * sizeof(sorted[0]));
}

/*
 * Whether these messages, not more than there are lanes, fill enough of them,
 * and the longest is long enough
 */
static bool lanes_pay(const struct poly1305_tier *tier,
		      const struct poly1305_mac_req *const reqs[],
		      unsigned int n)
{
	size_t sum = n * MESSAGE_COST, longest = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		sum += reqs[i]->len;
		longest = max(longest, reqs[i]->len);
	}
	return longest >= tier->lanes_min && longest <= tier->lanes_max &&
	       sum >= tier->lanes_worth * (longest + MESSAGE_COST);
}

/* Whatever messages stand beside each other, they fill enough lanes. */
static bool alike(const struct poly1305_tier *tier, const struct queue *q)
{
	return q->shortest >= tier->lanes_min &&
	       q->longest <= tier->lanes_max &&
	       tier->lanes * (q->shortest + MESSAGE_COST) >=
	       tier->lanes_worth * (q->longest + MESSAGE_COST);
}

/* n messages from reqs on, the first of them as many as are no copies */
static void run_function(const struct poly1305_tier *tier,
			 void (*function)(const struct poly1305_mac_req *const *,
					  unsigned int),
			 const char *where,
			 const struct poly1305_mac_req *const reqs[],
			 unsigned int n, unsigned int own)
{
	unsigned int i;

	function(reqs, n);
	for (i = 0; i < own; i++)
		poly1305_inject_fault(tier, where, reqs[i]->tag);
}

/*
 * Inside an FPU section: what can share lanes. The rest is what is left in the
 * queue. Lanes without a message of their own do again what the first one of
 * those beside them does, and write the same tag.
 */
static void run_lanes(const struct poly1305_tier *tier, struct queue *q)
{
	unsigned int i = 0, n, lane, left = 0;

	if (alike(tier, q))
		i = q->n - q->n % tier->lanes;
	if (i)
		run_function(tier, tier->batch, "lanes:", q->reqs, i, i);
	for (; i < q->n; i += n) {
		n = min(q->n - i, tier->lanes);
		if (!lanes_pay(tier, q->reqs + i, n)) {
			q->reqs[left++] = q->reqs[i];
			n = 1;
			continue;
		}
		for (lane = n; lane < tier->lanes; lane++)
			q->reqs[i + lane] = q->reqs[i];
		run_function(tier, tier->batch, "lanes:", q->reqs + i,
			     tier->lanes, n);
	}
	q->n = left;
}

static void digest_one(const struct poly1305_impl *impl,
		       const struct poly1305_mac_req *req)
{
	impl->digest(req->key, req->data, req->len, req->tag);
}

/* What is left: two at a time where that wins, else one by one */
static void run_pairs(const struct poly1305_impl *impl, const struct queue *q)
{
	const struct poly1305_tier *tier = impl->tier;
	const bool all = q->longest <= POLY1305_PAIR_MAX;
	unsigned int i = 0;

	if (tier->has_pair && all && q->n > 1) {
		i = q->n & ~1U;
		run_function(tier, tier->pair, "pairs:", q->reqs, i, i);
	}
	while (tier->has_pair && i + 1 < q->n) {
		if (q->reqs[i]->len > POLY1305_PAIR_MAX ||
		    q->reqs[i + 1]->len > POLY1305_PAIR_MAX) {
			digest_one(impl, q->reqs[i++]);
			continue;
		}
		run_function(tier, tier->pair, "pairs:", q->reqs + i, 2, 2);
		i += 2;
	}
	for (; i < q->n; i++)
		digest_one(impl, q->reqs[i]);
}

/* Half as long as the longest is like it enough to be left where it stands. */
static void run_queue(const struct poly1305_impl *impl, struct queue *q)
{
	const struct poly1305_tier *tier = impl->tier;
	const size_t work = q->bytes + q->n * MESSAGE_COST;

	if (q->n > 2 && q->longest > 2 * q->shortest + MESSAGE_COST)
		sort_queue(q);
	if (q->n > 1 && tier->lanes && q->longest >= tier->lanes_min &&
	    poly1305_section_begin(tier, work)) {
		run_lanes(tier, q);
		poly1305_section_end();
	}
	run_pairs(impl, q);
}

/* What is too long to gain from company */
static size_t len_limit(const struct poly1305_tier *tier)
{
	return max_t(size_t, tier->lanes_max,
		     tier->has_pair ? POLY1305_PAIR_MAX : 0);
}

/* All of n messages, if they fit one queue as they are and none is a list */
static bool take_all(const struct poly1305_tier *tier,
		     const struct poly1305_mac_req *req, unsigned int n,
		     struct queue *q)
{
	size_t bytes = 0, shortest = SIZE_MAX, longest = 0;
	unsigned long lists = 0;
	unsigned int i;

	for (i = 0; i < n; i++, req++) {
		const size_t len = req->len;

		lists |= (unsigned long)req->sgl;
		bytes += len;
		shortest = min(shortest, len);
		longest = max(longest, len);
		q->reqs[i] = req;
	}
	q->n = n;
	q->bytes = bytes;
	q->shortest = shortest;
	q->longest = longest;
	return !lists && longest <= len_limit(tier) && bytes <= SECTION_MAX;
}

/* Takes messages from req on until one must wait for the next section. */
static const struct poly1305_mac_req *
take_some(const struct poly1305_impl *impl, const struct poly1305_mac_req *req,
	  const struct poly1305_mac_req *end, struct queue *q)
{
	const size_t limit = len_limit(impl->tier);
	size_t len;

	q->n = 0;
	q->bytes = 0;
	q->shortest = SIZE_MAX;
	q->longest = 0;
	for (; req < end; req++) {
		len = req->len;
		if (req->sgl) {
			digest_list(impl, req->key, req->sgl,
				    sg_nents_for_len(req->sgl, len), len,
				    req->tag);
		} else if (len > limit) {
			digest_one(impl, req);
		} else {
			if (q->n == QUEUE_MAX || q->bytes + len > SECTION_MAX)
				break;
			q->reqs[q->n++] = req;
			q->bytes += len;
			q->shortest = min(q->shortest, len);
			q->longest = max(q->longest, len);
		}
	}
	return req;
}

/* Whether each scatterlist is as long as its message */
static bool lists_suffice(const struct poly1305_mac_req *req,
			  const struct poly1305_mac_req *end)
{
	for (; req < end; req++)
		if (req->sgl && sg_nents_for_len(req->sgl, req->len) < 0)
			return false;
	return true;
}

int poly1305_batch(const struct poly1305_impl *impl,
		   const struct poly1305_mac_req *reqs, unsigned int n)
{
	const struct poly1305_mac_req *const end = reqs + n;
	struct queue q;

	/* Mostly one look at each message is all that choosing costs. */
	if (n <= QUEUE_MAX && take_all(impl->tier, reqs, n, &q)) {
		run_queue(impl, &q);
		return 0;
	}

	if (!lists_suffice(reqs, end))
		return -EINVAL;
	while (reqs < end) {
		n = min_t(size_t, end - reqs, QUEUE_MAX);
		if (take_all(impl->tier, reqs, n, &q))
			reqs += n;
		else
			reqs = take_some(impl, reqs, end, &q);
		run_queue(impl, &q);
	}
	return 0;
}
