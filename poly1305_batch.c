// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Many messages at once, and messages in scatterlists.
 */

#include "compat.h"
#include <linux/bitops.h>
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

/* Messages that stand within so many requests of each other can share lanes. */
#define QUEUE_MAX	64

/* The cost of a message beside its bytes, in bytes */
#define MESSAGE_COST	16

/* So few messages gain less from sharing than it costs to compare their lengths. */
#define FEW		3

/* From so many messages on, short ones gain enough from sharing, too. */
#define MANY		16

/* Lengths that differ by no more than this are not worth sorting. */
#define LIKE_LEN	128

/**
 * struct mix - the number and lengths of some messages, all that decisions need
 * @n: the number
 * @cost: the sum of their lengths, and MESSAGE_COST for each
 * @shortest: the least of their lengths
 * @longest: the greatest of their lengths
 */
struct mix {
	unsigned int n;
	size_t cost;
	size_t shortest;
	size_t longest;
};

static __always_inline void mix_begin(struct mix *mix)
{
	*mix = (struct mix){ .shortest = SIZE_MAX };
}

static __always_inline void mix_add(struct mix *mix, size_t len)
{
	mix->n++;
	mix->cost += len + MESSAGE_COST;
	mix->shortest = min(mix->shortest, len);
	mix->longest = max(mix->longest, len);
}

/**
 * struct queue - messages that may share lanes
 * @mix: their number and lengths
 * @reqs: their requests, and room for copies that fill up lanes
 */
struct queue {
	struct mix mix;
	const struct poly1305_mac_req *reqs[QUEUE_MAX + POLY1305_LANES_MAX - 1];
};

/*
 * The rule. A group is one message for each lane, or fewer. It takes as long as
 * need / 16 messages of the greatest length one by one, so it wins if its messages
 * cost at least as much as those. The cost is given as a multiple, for estimates.
 */
static __always_inline bool group_wins(const struct poly1305_lanes *lanes,
				       size_t cost, unsigned int times,
				       size_t shortest, size_t longest)
{
	const size_t unit = longest + MESSAGE_COST;
	const struct poly1305_lanes_win *win = lanes->win;
	const bool differ = shortest < longest;
	const u8 *need = win->need[differ];

	return longest >= win->min_len[differ] && longest <= win->max_len &&
	       16 * cost >= need[fls(unit / (2 * MESSAGE_COST))] * unit * times;
}

/* Whether n messages are many and long enough for a search for groups that win */
static __always_inline bool worth_looking(const struct poly1305_lanes *lanes,
					  unsigned int n, size_t cost,
					  size_t shortest, size_t longest)
{
	const struct poly1305_lanes_win *win;
	size_t min_len;

	if (!lanes || n <= lanes->width / 2)
		return false;
	win = lanes->win;
	min_len = win->min_len[shortest < longest];
	return longest >= min_len && (cost >= n * win->min_mean ||
				      (n >= MANY && shortest >= min_len));
}

/*
 * Whether some group of the queue is expected to win. With more messages than lanes,
 * this estimates the cost of the group of the longest: after sorting, lengths in a
 * group differ only width / n times as much as in the whole queue. It computes n^2
 * times the cost, to do without divisions.
 */
static __always_inline bool some_win(const struct poly1305_lanes *lanes,
				     const struct mix *mix)
{
	const size_t longest = lanes ? min(mix->longest, lanes->win->max_len) : 0;
	size_t cost = mix->cost, all, differ;
	unsigned int times = 1;

	if (!worth_looking(lanes, mix->n, cost, mix->shortest, mix->longest) ||
	    mix->shortest > lanes->win->max_len)
		return false;
	if (mix->n > lanes->width) {
		all = mix->n * (longest + MESSAGE_COST);
		differ = all - min(cost, all);
		cost = (all * mix->n - differ * lanes->width) * lanes->width;
		times = mix->n * mix->n;
	}
	return group_wins(lanes, cost, times, mix->shortest, longest);
}

/* Sort by length, longest first: the quickest way for few messages */
static void sort_few(struct queue *q)
{
	const struct poly1305_mac_req *req;
	unsigned int i, j;

	for (i = 1; i < q->mix.n; i++) {
		req = q->reqs[i];
		for (j = i; j && q->reqs[j - 1]->len < req->len; j--)
			q->reqs[j] = q->reqs[j - 1];
		q->reqs[j] = req;
	}
}

/*
 * Sort by length, longest first, for many messages. The buckets are a 32nd of the longest
 * wide, or less, and are not sorted: better order would not pay for its time.
 * Not inline, for its arrays should not stay on the stack below the lanes functions.
 */
static noinline void sort_many(struct queue *q)
{
	const struct poly1305_mac_req *sorted[QUEUE_MAX];
	unsigned int shift = 0, i, sum;
	u8 place[QUEUE_MAX] = {};
	u8 bucket[QUEUE_MAX];

	while (q->mix.longest >> shift >= QUEUE_MAX)
		shift++;
	for (i = 0; i < q->mix.n; i++) {
		bucket[i] = QUEUE_MAX - 1 - (q->reqs[i]->len >> shift);
		place[bucket[i]]++;
	}
	for (i = 0, sum = 0; i < QUEUE_MAX; i++) {
		sum += place[i];
		place[i] = sum - place[i];
	}
	for (i = 0; i < q->mix.n; i++)
		sorted[place[bucket[i]]++] = q->reqs[i];
	memcpy(q->reqs, sorted, q->mix.n * sizeof(sorted[0]));
}

/*
 * The number of messages, beginning with q->reqs[first], that one call should run in
 * lanes: consecutive groups that win and together cost no more than room
 */
static unsigned int winners(const struct poly1305_lanes *lanes,
			    const struct queue *q, unsigned int first,
			    size_t room)
{
	const unsigned int width = lanes->width, end = q->mix.n;
	unsigned int i = first, next;
	struct mix group;

	/* If the longest wins with the shortest beside it, all full groups win. */
	if (!first && end >= width && q->mix.cost <= room &&
	    group_wins(lanes, q->mix.longest + MESSAGE_COST +
			      (width - 1) * (q->mix.shortest + MESSAGE_COST), 1,
		       q->mix.shortest, q->mix.longest))
		return end & ~(width - 1);

	while (i < end) {
		mix_begin(&group);
		for (next = i; next < end && group.n < width; next++)
			mix_add(&group, q->reqs[next]->len);
		if (group.cost > room ||
		    !group_wins(lanes, group.cost, 1, group.shortest,
				group.longest))
			break;
		room -= group.cost;
		i = next;
	}
	return i - first;
}

/*
 * Run the messages of the queue that win in lanes, and leave the others in it. The
 * lane functions of a SIMD tier run in FPU sections of at most section_len bytes.
 * If there are fewer messages than lanes in the last group, the lanes left over
 * repeat its last message and write the same tag again.
 */
static void run_lanes(const struct poly1305_tier *tier,
		      const struct poly1305_lanes *lanes, struct queue *q)
{
	const bool simd = lanes == tier->lanes;
	size_t room = simd ? tier->section_len : SIZE_MAX;
	unsigned int i = 0, n, all;
	struct mix rest;

	mix_begin(&rest);
	while (i < q->mix.n) {
		n = 0;
		if (q->reqs[i]->len >= lanes->win->min_len[0])
			n = winners(lanes, q, i, room);
		if (!n) {
			mix_add(&rest, q->reqs[i]->len);
			q->reqs[rest.n - 1] = q->reqs[i++];
			continue;
		}
		/* Where SIMD is not usable, no group fits. */
		if (simd && !poly1305_section_begin(tier, q->mix.cost)) {
			room = 0;
			continue;
		}
		for (all = n; all & (lanes->width - 1); all++)
			q->reqs[i + all] = q->reqs[i + n - 1];
		lanes->batch(q->reqs + i, all);
		if (simd)
			poly1305_section_end();
		for (; n; n--, i++)
			poly1305_inject_fault(tier, lanes->name,
					      q->reqs[i]->tag);
	}
	q->mix = rest;
}

static void digest_one(const struct poly1305_tier *tier,
		       const struct poly1305_mac_req *req)
{
	tier->ops->digest(req->key, req->data, req->len, req->tag);
}

static void digest_each(const struct poly1305_tier *tier,
			const struct poly1305_mac_req *req, unsigned int n)
{
	const struct poly1305_mac_req *const end = req + n;

	while (req < end)
		digest_one(tier, req++);
}

/* Whether each scatterlist holds as many bytes as its request says */
static bool lists_suffice(const struct poly1305_mac_req *req, unsigned int n)
{
	for (; n; n--, req++)
		if (req->sgl && sg_nents_for_len(req->sgl, req->len) < 0)
			return false;
	return true;
}

/*
 * Compute the tags of messages that are in scatterlists or too long for lanes, and
 * keep only the others in the queue.
 */
static void sift(const struct poly1305_tier *tier, struct queue *q, size_t max_len)
{
	const struct poly1305_mac_req *req;
	const unsigned int n = q->mix.n;
	unsigned int i;

	mix_begin(&q->mix);
	for (i = 0; i < n; i++) {
		req = q->reqs[i];
		if (req->sgl) {
			digest_list(tier, req->key, req->sgl,
				    sg_nents_for_len(req->sgl, req->len),
				    req->len, req->tag);
		} else if (req->len > max_len) {
			digest_one(tier, req);
		} else {
			q->reqs[q->mix.n] = req;
			mix_add(&q->mix, req->len);
		}
	}
}

/*
 * Compute the tags of up to QUEUE_MAX messages. Returns -EINVAL, before it writes any
 * tag, if a scatterlist is too short.
 */
static noinline int run_queue(const struct poly1305_tier *tier,
			      const struct poly1305_mac_req *reqs,
			      unsigned int n)
{
	const struct poly1305_lanes *lanes = tier->lanes;
	const struct poly1305_lanes *pairs = tier->pairs;
	const size_t max_len = max(lanes ? lanes->win->max_len : 0,
				   pairs ? pairs->win->max_len : 0);
	unsigned long lists = 0;
	bool lanes_win, pairs_win;
	struct queue q;
	struct mix mix;
	unsigned int i;

	mix_begin(&mix);
	for (i = 0; i < n; i++) {
		lists |= (unsigned long)reqs[i].sgl;
		q.reqs[i] = reqs + i;
		mix_add(&mix, reqs[i].len);
	}
	q.mix = mix;
	if (lists && !lists_suffice(reqs, n))
		return -EINVAL;
	if (lists || mix.longest > max_len)
		sift(tier, &q, max_len);

	lanes_win = some_win(lanes, &q.mix);
	pairs_win = some_win(pairs, &q.mix);
	if ((lanes_win || pairs_win) &&
	    q.mix.longest - q.mix.shortest > LIKE_LEN) {
		if (q.mix.n > POLY1305_LANES_MAX)
			sort_many(&q);
		else
			sort_few(&q);
	}
	if (lanes_win) {
		run_lanes(tier, lanes, &q);
		pairs_win = some_win(pairs, &q.mix);
	}
	if (pairs_win)
		run_lanes(tier, pairs, &q);
	for (i = 0; i < q.mix.n; i++)
		digest_one(tier, q.reqs[i]);
	return 0;
}

/* Whether n messages look as if all were as long as the first, and a run would win */
static __always_inline bool look_alike(const struct poly1305_lanes *lanes,
				       const struct poly1305_mac_req *reqs,
				       unsigned int n)
{
	const struct poly1305_lanes_win *win;

	if (!lanes || !lanes->has_run || n < lanes->width)
		return false;
	win = lanes->win;
	return reqs->len >= win->min_run && reqs->len <= win->max_len &&
	       reqs[1].len == reqs->len && reqs[n - 1].len == reqs->len;
}

/*
 * Compute the tags of the first of n messages, up to where lengths begin to differ.
 * The run function itself looks at each request, so nothing is queued. Returns the
 * number of tags.
 */
static unsigned int run_alike(const struct poly1305_tier *tier,
			      const struct poly1305_mac_req *reqs,
			      unsigned int n)
{
	const struct poly1305_lanes *lanes = tier->lanes;
	const size_t cost = reqs->len + MESSAGE_COST;
	unsigned int most = n, done = 0, did, i;

	if (most * cost > tier->section_len)
		most = tier->section_len / cost;
	do {
		most = min(n - done, most) & ~(lanes->width - 1);
		if (!most || !poly1305_section_begin(tier, most * cost))
			break;
		did = lanes->run(reqs + done, most);
		poly1305_section_end();
		for (i = 0; i < did; i++)
			poly1305_inject_fault(tier, lanes->name,
					      reqs[done + i].tag);
		done += did;
	} while (did == most);
	return done;
}

/*
 * Returns nonzero if any request has a scatterlist, and sets lens to a number that is
 * not below any length. For short messages this loop is much of the work of a batch.
 * It is inline so that the lengths are not read where lens is not used.
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

/* Whether it may be worth looking for lanes or pairs, by bounds of the lengths */
static __always_inline bool worth_queueing(const struct poly1305_tier *tier,
					   unsigned int n, size_t shortest,
					   size_t longest)
{
	const size_t cost = n * (longest + MESSAGE_COST);

	return worth_looking(tier->pairs, n, cost, shortest, longest) ||
	       worth_looking(tier->lanes, n, cost, shortest, longest);
}

int poly1305_batch(const struct poly1305_tier *tier,
		   const struct poly1305_mac_req *reqs, unsigned int n)
{
	const bool run = look_alike(tier->lanes, reqs, n);
	size_t lens = 0, unused;
	unsigned long lists;
	unsigned int some;

	/* If all are like the first and the last, run_queue() may pay: one loop less. */
	if (!run && n > FEW && n <= QUEUE_MAX &&
	    worth_queueing(tier, n, min(reqs->len, reqs[n - 1].len),
			   max(reqs->len, reqs[n - 1].len)))
		return run_queue(tier, reqs, n);

	lists = run ? look(reqs, n, &unused) : look(reqs, n, &lens);
	if (lists && !lists_suffice(reqs, n))
		return -EINVAL;
	if (!lists && run) {
		some = run_alike(tier, reqs, n);
		n -= some;
		reqs += some;
	}
	if (!lists && (n <= FEW || (!run && !worth_queueing(tier, n, reqs->len,
							    lens)))) {
		digest_each(tier, reqs, n);
		return 0;
	}
	for (; n; n -= some, reqs += some) {
		some = min_t(unsigned int, n, QUEUE_MAX);
		run_queue(tier, reqs, some);
	}
	return 0;
}
