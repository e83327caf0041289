// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Many messages at once, and messages in scatterlists.
 */

#include "compat.h"
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "poly1305_core.h"

/* A message of len bytes in the first nents entries of a list */
static void digest_list(const struct poly1305_tier *tier,
			const u8 key[POLY1305_MAC_KEY_SIZE],
			struct scatterlist *sgl, int nents, size_t len,
			u8 tag[POLY1305_MAC_TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;
	struct sg_mapping_iter miter;
	size_t n;

	poly1305_ctx_init(&ctx, key, len);
	sg_miter_start(&miter, sgl, nents, SG_MITER_ATOMIC | SG_MITER_FROM_SG);
	while (len && sg_miter_next(&miter)) {
		n = min_t(size_t, len, miter.length);
		tier->ops->update(&ctx, miter.addr, n);
		len -= n;
	}
	sg_miter_stop(&miter);
	tier->ops->final(&ctx, tag);
}

int poly1305_digest_sg(const struct poly1305_tier *tier,
		       const u8 key[POLY1305_MAC_KEY_SIZE],
		       struct scatterlist *sgl, size_t len,
		       u8 tag[POLY1305_MAC_TAG_SIZE])
{
	const int nents = sg_nents_for_len(sgl, len);

	if (nents < 0)
		return -EINVAL;
	digest_list(tier, key, sgl, nents, len, tag);
	return 0;
}

/* Messages that wait for each other: enough to fill lanes with some of like length */
#define QUEUE_MAX	64

/* What a message costs beside its bytes, in bytes; more if it has no whole block */
#define MESSAGE_COST	4
#define SHORT_COST	16

/* Short ones gain little as pairs: there must be so many. */
#define MANY		16

/* Lengths that differ by no more are not worth sorting. */
#define LIKE_LEN	128

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

/* Longest first, for a few */
static void sort_few(struct queue *q)
{
	const struct poly1305_mac_req *req;
	unsigned int i, j;

	for (i = 1; i < q->n; i++) {
		req = q->reqs[i];
		for (j = i; j && q->reqs[j - 1]->len < req->len; j--)
			q->reqs[j] = q->reqs[j - 1];
		q->reqs[j] = req;
	}
}

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

static bool lanes_take(const struct poly1305_tier *tier, size_t longest)
{
	return longest >= tier->lanes.min && longest <= tier->lanes.max;
}

/*
 * What all lanes cost if these are the shortest and the longest of their messages,
 * and what n messages cost one by one, one of which is the longest: in bytes
 */
static size_t lanes_cost(const struct poly1305_tier *tier, size_t shortest,
			 size_t longest)
{
	size_t cost = tier->lanes.cost + tier->lanes.worth * longest +
		      (tier->lanes.square * longest * longest >> 12);

	if (shortest < longest)
		cost += tier->lanes.differ + longest / 4;
	return cost;
}

static size_t single_cost(unsigned int n, size_t bytes, size_t longest)
{
	return bytes + n * (longest < POLY1305_MAC_BLOCK_SIZE ? SHORT_COST :
								MESSAGE_COST);
}

/* Whether it is worth it to fill lanes with these, if not more than there are */
static bool lanes_win(const struct poly1305_tier *tier, unsigned int n,
		      size_t bytes, size_t shortest, size_t longest)
{
	return lanes_take(tier, longest) &&
	       single_cost(n, bytes, longest) >=
	       lanes_cost(tier, shortest, longest);
}

/* The same for these messages, not more than there are lanes */
static bool lanes_pay(const struct poly1305_tier *tier,
		      const struct poly1305_mac_req *const reqs[],
		      unsigned int n)
{
	size_t bytes = 0, shortest = SIZE_MAX, longest = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		bytes += reqs[i]->len;
		shortest = min(shortest, reqs[i]->len);
		longest = max(longest, reqs[i]->len);
	}
	return lanes_win(tier, n, bytes, shortest, longest);
}

/* Whatever messages stand beside each other, they fill enough lanes. */
static bool alike(const struct poly1305_tier *tier, const struct queue *q)
{
	return q->shortest >= tier->lanes.min &&
	       lanes_win(tier, tier->lanes.width, tier->lanes.width * q->shortest,
			 q->shortest, q->longest);
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
		i = q->n & ~(tier->lanes.width - 1);
	if (i)
		run_function(tier, tier->lanes.batch, "lanes:", q->reqs, i, i);
	for (; i < q->n; i += n) {
		n = min(q->n - i, tier->lanes.width);
		if (!lanes_pay(tier, q->reqs + i, n)) {
			/* Without a first that is much longer, they may. */
			if (q->reqs[i]->len >
			    2 * q->reqs[i + n - 1]->len + LIKE_LEN)
				n = 1;
			for (lane = 0; lane < n; lane++)
				q->reqs[left++] = q->reqs[i + lane];
			continue;
		}
		for (lane = n; lane < tier->lanes.width; lane++)
			q->reqs[i + lane] = q->reqs[i];
		run_function(tier, tier->lanes.batch, "lanes:", q->reqs + i,
			     tier->lanes.width, n);
	}
	q->n = left;
}

static void digest_one(const struct poly1305_tier *tier,
		       const struct poly1305_mac_req *req)
{
	tier->ops->digest(req->key, req->data, req->len, req->tag);
}

static void run_each(const struct poly1305_tier *tier,
		     const struct poly1305_mac_req *reqs, unsigned int n)
{
	const struct poly1305_mac_req *const end = reqs + n;

	while (reqs < end)
		digest_one(tier, reqs++);
}

static bool pairs_win(const struct poly1305_tier *tier, size_t shortest,
		      size_t longest)
{
	return tier->pairs.max && shortest >= tier->pairs.min &&
	       longest <= tier->pairs.max;
}

/* What is left: two at a time where that wins, else one by one */
static void run_pairs(const struct poly1305_tier *tier, const struct queue *q)
{
	const struct poly1305_mac_req *const *reqs = q->reqs;
	unsigned int i = 0;

	if (pairs_win(tier, q->shortest, q->longest) && q->n > 1) {
		i = q->n & ~1U;
		run_function(tier, tier->pairs.batch, "pairs:", reqs, i, i);
	}
	while (i < q->n) {
		if (i + 1 == q->n ||
		    !pairs_win(tier, min(reqs[i]->len, reqs[i + 1]->len),
			       max(reqs[i]->len, reqs[i + 1]->len))) {
			digest_one(tier, reqs[i++]);
			continue;
		}
		run_function(tier, tier->pairs.batch, "pairs:", reqs + i, 2, 2);
		i += 2;
	}
}

/*
 * Whether lanes may win over one by one: for what there is; or on average, if there
 * is more; or for what the longest are about once they are sorted
 */
static bool want_lanes(const struct poly1305_tier *tier, unsigned int n,
		       size_t bytes, size_t shortest, size_t longest)
{
	if (!tier->lanes.width || !lanes_take(tier, longest))
		return false;
	if (n <= tier->lanes.width)
		return lanes_win(tier, n, bytes, shortest, longest);
	if (longest - shortest > LIKE_LEN)
		bytes = n * longest - (n * longest - bytes) * tier->lanes.width / n;
	return single_cost(n, bytes, longest) * tier->lanes.width >=
	       lanes_cost(tier, shortest, longest) * n;
}

/* From how many bytes on n messages may gain as pairs */
static size_t pairs_min(const struct poly1305_tier *tier, unsigned int n)
{
	if (!tier->pairs.max)
		return SIZE_MAX;
	return n >= MANY ? tier->pairs.min : 2 * tier->pairs.min;
}

/* Whether most may win as pairs */
static bool want_pairs(const struct poly1305_tier *tier, unsigned int n,
		       size_t bytes, size_t shortest)
{
	return tier->pairs.max && shortest <= tier->pairs.max &&
	       (bytes >= 2 * n * tier->pairs.min ||
		shortest >= pairs_min(tier, n));
}

static void run_queue(const struct poly1305_tier *tier, struct queue *q)
{
	const size_t work = q->bytes + q->n * SHORT_COST;
	const bool lanes = want_lanes(tier, q->n, q->bytes, q->shortest,
				      q->longest);

	if ((lanes || tier->pairs.max) && q->n > 2 &&
	    q->longest - q->shortest > LIKE_LEN) {
		if (q->n > POLY1305_LANES_MAX)
			sort_queue(q);
		else
			sort_few(q);
	}
	if (lanes && poly1305_section_begin(tier, work)) {
		run_lanes(tier, q);
		poly1305_section_end();
	}
	if (q->n)
		run_pairs(tier, q);
}

/* What is too long to gain from company */
static size_t len_limit(const struct poly1305_tier *tier)
{
	return max(tier->lanes.max, tier->pairs.max);
}

/* How many bytes one queue may have: those of one FPU section, if it takes one */
static size_t bytes_limit(const struct poly1305_tier *tier)
{
	return tier->lanes.width ? tier->section_len : SIZE_MAX;
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
static void run_full_queue(const struct poly1305_tier *tier, struct queue *q)
{
	const struct poly1305_mac_req *rest[POLY1305_LANES_MAX];
	const unsigned int lanes = tier->lanes.width;
	const unsigned int n = lanes && q->n > lanes ? q->n & (lanes - 1) : 0;
	unsigned int i;

	q->n -= n;
	memcpy(rest, q->reqs + q->n, n * sizeof(rest[0]));
	run_queue(tier, q);
	begin_queue(q);
	for (i = 0; i < n; i++)
		add_to_queue(q, rest[i]);
}

/* n messages, whatever they are */
static noinline void run_any(const struct poly1305_tier *tier,
			     const struct poly1305_mac_req *req,
			     unsigned int n)
{
	const size_t len_max = len_limit(tier);
	const size_t bytes_max = bytes_limit(tier);
	struct queue q;

	begin_queue(&q);
	for (; n; n--, req++) {
		if (req->sgl) {
			digest_list(tier, req->key, req->sgl,
				    sg_nents_for_len(req->sgl, req->len),
				    req->len, req->tag);
		} else if (req->len > len_max) {
			digest_one(tier, req);
		} else {
			if (q.n == QUEUE_MAX || q.bytes + req->len > bytes_max)
				run_full_queue(tier, &q);
			add_to_queue(&q, req);
		}
	}
	if (q.n)
		run_queue(tier, &q);
}

/* The same, if they fit one queue as they are */
static noinline void run_whole_queue(const struct poly1305_tier *tier,
				     const struct poly1305_mac_req *req,
				     unsigned int n, size_t bytes,
				     size_t shortest, size_t longest)
{
	struct queue q;
	unsigned int i;

	q.n = n;
	q.bytes = bytes;
	q.shortest = shortest;
	q.longest = longest;
	for (i = 0; i < n; i++)
		q.reqs[i] = req + i;
	run_queue(tier, &q);
}

/* What n messages of any lengths come to */
static void measure(const struct poly1305_mac_req *req, unsigned int n,
		    size_t *bytes, size_t *shortest, size_t *longest)
{
	size_t sum = 0, least = SIZE_MAX, most = 0;

	for (; n; n--, req++) {
		sum += req->len;
		least = min(least, req->len);
		most = max(most, req->len);
	}
	*bytes = sum;
	*shortest = least;
	*longest = most;
}

/*
 * n messages that very likely gain, in one look if they are of one length: false, and
 * nothing done, if any is a list or they do not fit one queue
 */
static noinline bool run_at_once(const struct poly1305_tier *tier,
				 const struct poly1305_mac_req *reqs,
				 unsigned int n)
{
	const size_t len = reqs->len;
	unsigned long lists = 0;
	size_t differ = 0;
	struct queue q;
	unsigned int i;

	for (i = 0; i < n; i++) {
		lists |= (unsigned long)reqs[i].sgl;
		differ |= reqs[i].len ^ len;
		q.reqs[i] = reqs + i;
	}
	q.n = n;
	q.bytes = n * len;
	q.shortest = len;
	q.longest = len;
	if (differ)
		measure(reqs, n, &q.bytes, &q.shortest, &q.longest);
	if (lists || q.longest > len_limit(tier) ||
	    q.bytes > bytes_limit(tier))
		return false;
	if (want_lanes(tier, n, q.bytes, q.shortest, q.longest) ||
	    want_pairs(tier, n, q.bytes, q.shortest))
		run_queue(tier, &q);
	else
		run_each(tier, reqs, n);
	return true;
}

/* Messages for which it is worth it to fill all lanes once */
static void run_once(const struct poly1305_tier *tier,
		     const struct poly1305_mac_req *req, unsigned int n,
		     size_t bytes)
{
	const struct poly1305_mac_req *reqs[POLY1305_LANES_MAX];
	unsigned int i;

	if (!poly1305_section_begin(tier, bytes + n * SHORT_COST)) {
		run_each(tier, req, n);
		return;
	}
	for (i = 0; i < tier->lanes.width; i++)
		reqs[i] = i < n ? req + i : req;
	run_function(tier, tier->lanes.batch, "lanes:", reqs, tier->lanes.width, n);
	poly1305_section_end();
}

/* n messages, none of them a list, by what wins for them */
static void run_plain(const struct poly1305_tier *tier,
		      const struct poly1305_mac_req *reqs, unsigned int n)
{
	size_t bytes, shortest, longest;
	bool lanes;

	measure(reqs, n, &bytes, &shortest, &longest);
	if (longest > len_limit(tier) || bytes > bytes_limit(tier)) {
		run_any(tier, reqs, n);
		return;
	}
	lanes = want_lanes(tier, n, bytes, shortest, longest);
	if (lanes && n <= tier->lanes.width)
		run_once(tier, reqs, n, bytes);
	else if (lanes || want_pairs(tier, n, bytes, shortest))
		run_whole_queue(tier, reqs, n, bytes, shortest, longest);
	else
		run_each(tier, reqs, n);
}

/*
 * The first of n messages, none of them a list, as long as all are of one length:
 * the run function looks at each as it takes it. Returns how many there were.
 */
static unsigned int run_alike(const struct poly1305_tier *tier,
			      const struct poly1305_mac_req *reqs,
			      unsigned int n)
{
	const size_t len = reqs->len, cost = len + SHORT_COST;
	unsigned int most = n, done = 0, did, i;

	if (len > tier->lanes.max || reqs[1].len != len || reqs[n - 1].len != len)
		return 0;
	if (most * cost > tier->section_len)
		most = tier->section_len / cost;
	do {
		most = min(n - done, most) & ~(tier->lanes.width - 1);
		if (!most || !poly1305_section_begin(tier, most * cost))
			break;
		did = tier->lanes.run(reqs + done, most);
		poly1305_section_end();
		for (i = 0; i < did; i++)
			poly1305_inject_fault(tier, "lanes:",
					      reqs[done + i].tag);
		done += did;
	} while (did == most);
	return done;
}

/* Whether each scatterlist is as long as its message */
static bool lists_suffice(const struct poly1305_mac_req *req, unsigned int n)
{
	for (; n; n--, req++)
		if (req->sgl && sg_nents_for_len(req->sgl, req->len) < 0)
			return false;
	return true;
}

/*
 * Of n messages, all lists in one number, which is not 0 if there is any, and all
 * lengths, which is at least the greatest. Of short messages this is much of what a
 * batch costs beside them: inline, so that who needs no lengths does not read them.
 */
static __always_inline unsigned long look(const struct poly1305_mac_req *req,
					  unsigned int n, size_t *lens)
{
	unsigned long lists = 0;
	size_t all = 0;

	for (; n >= 4; n -= 4, req += 4) {
		lists |= (unsigned long)req[0].sgl | (unsigned long)req[1].sgl |
			 (unsigned long)req[2].sgl | (unsigned long)req[3].sgl;
		all |= req[0].len | req[1].len | req[2].len | req[3].len;
	}
	for (; n; n--, req++) {
		lists |= (unsigned long)req->sgl;
		all |= req->len;
	}
	*lens = all;
	return lists;
}

/* So many gain nothing, or less than it takes to find out what; as do half the lanes. */
#define FEW	3U

/* From how many bytes on n messages may gain from company */
static size_t share_min(const struct poly1305_tier *tier, unsigned int n)
{
	const size_t lanes = !tier->lanes.width ? SIZE_MAX :
			     n >= tier->lanes.width ? tier->lanes.min :
			     tier->lanes.part_min;

	return min(lanes, pairs_min(tier, n));
}

int poly1305_batch(const struct poly1305_tier *tier,
		   const struct poly1305_mac_req *reqs, unsigned int n)
{
	const bool run = tier->lanes.has_run && n >= tier->lanes.width;
	unsigned long lists;
	size_t lens = SIZE_MAX, unused;
	unsigned int some;

	if (!run && n >= MANY && n <= QUEUE_MAX &&
	    reqs->len >= share_min(tier, n) && run_at_once(tier, reqs, n))
		return 0;
	lists = run ? look(reqs, n, &unused) : look(reqs, n, &lens);
	if (lists) {
		if (!lists_suffice(reqs, n))
			return -EINVAL;
		run_any(tier, reqs, n);
		return 0;
	}
	if (run) {
		some = run_alike(tier, reqs, n);
		n -= some;
		reqs += some;
	}
	if (n <= max(FEW, tier->lanes.width / 2) || lens < share_min(tier, n)) {
		run_each(tier, reqs, n);
		return 0;
	}
	for (; n; n -= some, reqs += some) {
		some = min_t(size_t, n, QUEUE_MAX);
		run_plain(tier, reqs, some);
	}
	return 0;
}
