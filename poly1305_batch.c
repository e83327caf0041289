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

/* Messages that wait for each other: enough to fill lanes with some of like length */
#define QUEUE_MAX	64

/* What a message costs beside its bytes, in bytes */
#define MESSAGE_COST	20

/* Lengths that differ by no more are not worth sorting. */
#define LIKE_LEN	96

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

/* Whether all lanes take less time than n messages of bytes in all, one by one */
static bool lanes_win(const struct poly1305_tier *tier, unsigned int n,
		      size_t bytes, size_t longest)
{
	const size_t worth = tier->lanes_worth + (longest >> tier->lanes_shift);

	return longest >= tier->lanes_min && longest <= tier->lanes_max &&
	       bytes + n * MESSAGE_COST >= worth * longest + tier->lanes_cost;
}

/* The same for these messages, not more than there are lanes */
static bool lanes_pay(const struct poly1305_tier *tier,
		      const struct poly1305_mac_req *const reqs[],
		      unsigned int n)
{
	size_t bytes = 0, longest = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		bytes += reqs[i]->len;
		longest = max(longest, reqs[i]->len);
	}
	return lanes_win(tier, n, bytes, longest);
}

/* Whatever messages stand beside each other, they fill enough lanes. */
static bool alike(const struct poly1305_tier *tier, const struct queue *q)
{
	return q->shortest >= tier->lanes_min &&
	       lanes_win(tier, tier->lanes, tier->lanes * q->shortest,
			 q->longest);
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
		i = q->n & ~(tier->lanes - 1);
	if (i)
		run_function(tier, tier->batch, "lanes:", q->reqs, i, i);
	for (; i < q->n; i += n) {
		n = min(q->n - i, tier->lanes);
		if (!lanes_pay(tier, q->reqs + i, n)) {
			/* Without a first that is much longer, they may. */
			if (q->reqs[i]->len >
			    2 * q->reqs[i + n - 1]->len + LIKE_LEN)
				n = 1;
			for (lane = 0; lane < n; lane++)
				q->reqs[left++] = q->reqs[i + lane];
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

static bool pairs_win(const struct poly1305_tier *tier, size_t shortest,
		      size_t longest)
{
	return tier->pair_max && shortest >= tier->pair_min &&
	       longest <= tier->pair_max;
}

/* What is left: two at a time where that wins, else one by one */
static void run_pairs(const struct poly1305_impl *impl, const struct queue *q)
{
	const struct poly1305_tier *tier = impl->tier;
	const struct poly1305_mac_req *const *reqs = q->reqs;
	unsigned int i = 0;

	if (pairs_win(tier, q->shortest, q->longest) && q->n > 1) {
		i = q->n & ~1U;
		run_function(tier, tier->pair, "pairs:", reqs, i, i);
	}
	while (i < q->n) {
		if (i + 1 == q->n ||
		    !pairs_win(tier, min(reqs[i]->len, reqs[i + 1]->len),
			       max(reqs[i]->len, reqs[i + 1]->len))) {
			digest_one(impl, reqs[i++]);
			continue;
		}
		run_function(tier, tier->pair, "pairs:", reqs + i, 2, 2);
		i += 2;
	}
}

static void run_queue(const struct poly1305_impl *impl, struct queue *q)
{
	const struct poly1305_tier *tier = impl->tier;
	const size_t work = q->bytes + q->n * MESSAGE_COST;

	if (q->n > 2 && q->longest - q->shortest > LIKE_LEN)
		sort_queue(q);
	if (tier->lanes &&
	    (q->n > tier->lanes ? q->longest >= tier->lanes_min :
	     lanes_win(tier, q->n, q->bytes, q->longest)) &&
	    poly1305_section_begin(tier, work)) {
		run_lanes(tier, q);
		poly1305_section_end();
	}
	if (q->n)
		run_pairs(impl, q);
}

/* What is too long to gain from company */
static size_t len_limit(const struct poly1305_tier *tier)
{
	return max(tier->lanes_max, tier->pair_max);
}

/* How many bytes one queue may have: those of one FPU section, if it takes one */
static size_t bytes_limit(const struct poly1305_tier *tier)
{
	return tier->lanes ? tier->section_len : SIZE_MAX;
}

static void begin_queue(struct queue *q)
{
	q->n = 0;
	q->bytes = 0;
	q->shortest = SIZE_MAX;
	q->longest = 0;
}

static void add_to_queue(struct queue *q, const struct poly1305_mac_req *req)
{
	q->reqs[q->n++] = req;
	q->bytes += req->len;
	q->shortest = min(q->shortest, req->len);
	q->longest = max(q->longest, req->len);
}

/* Full, but for messages that would leave lanes empty: these wait for others. */
static void run_full_queue(const struct poly1305_impl *impl, struct queue *q)
{
	const struct poly1305_mac_req *rest[POLY1305_LANES_MAX];
	const unsigned int lanes = impl->tier->lanes;
	const unsigned int n = lanes && q->n > lanes ? q->n & (lanes - 1) : 0;
	unsigned int i;

	q->n -= n;
	memcpy(rest, q->reqs + q->n, n * sizeof(rest[0]));
	run_queue(impl, q);
	begin_queue(q);
	for (i = 0; i < n; i++)
		add_to_queue(q, rest[i]);
}

/* What lengths that differ come to */
static void measure_queue(struct queue *q)
{
	size_t bytes = 0, shortest = SIZE_MAX, longest = 0;
	unsigned int i;

	for (i = 0; i < q->n; i++) {
		const size_t len = q->reqs[i]->len;

		bytes += len;
		shortest = min(shortest, len);
		longest = max(longest, len);
	}
	q->bytes = bytes;
	q->shortest = shortest;
	q->longest = longest;
}

/*
 * All of n messages, if they fit one queue as they are and none is a list. For
 * short messages of one length, this loop is much of what they cost here.
 */
static bool take_all(const struct poly1305_tier *tier,
		     const struct poly1305_mac_req *req, unsigned int n,
		     struct queue *q)
{
	const size_t len = n ? req->len : 0;
	unsigned long lists = 0;
	size_t differ = 0;
	unsigned int i;

	for (i = 0; i < n; i++, req++) {
		lists |= (unsigned long)req->sgl;
		differ |= req->len ^ len;
		q->reqs[i] = req;
	}
	q->n = n;
	q->bytes = n * len;
	q->shortest = len;
	q->longest = len;
	if (differ)
		measure_queue(q);
	return !lists && q->longest <= len_limit(tier) &&
	       q->bytes <= bytes_limit(tier);
}

/* n messages, whatever they are */
static void run_any(const struct poly1305_impl *impl,
		    const struct poly1305_mac_req *req, unsigned int n,
		    struct queue *q)
{
	const size_t len_max = len_limit(impl->tier);
	const size_t bytes_max = bytes_limit(impl->tier);
	unsigned int i;

	begin_queue(q);
	for (i = 0; i < n; i++, req++) {
		if (req->sgl) {
			digest_list(impl, req->key, req->sgl,
				    sg_nents_for_len(req->sgl, req->len),
				    req->len, req->tag);
		} else if (req->len > len_max) {
			digest_one(impl, req);
		} else {
			if (q->bytes + req->len > bytes_max)
				run_full_queue(impl, q);
			add_to_queue(q, req);
		}
	}
	if (q->n)
		run_queue(impl, q);
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
	for (; reqs < end; reqs += n) {
		n = min_t(size_t, end - reqs, QUEUE_MAX);
		if (take_all(impl->tier, reqs, n, &q))
			run_queue(impl, &q);
		else
			run_any(impl, reqs, n, &q);
	}
	return 0;
}
