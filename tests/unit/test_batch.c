// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_mac_batch(), and the lanes and run functions behind it: each message of a
 * batch must get its own tag, whatever the other messages are.
 */

#include <crypto/internal/simd.h>

#include "check.h"

#define BATCH_MAX	200
/* Half of the input of a batch is awkward, the other half random. */
#define HALF		(messages.size / 2)

/* The requests of the current batch, read-only, and their tags */
static struct poly1305_mac_req *reqs;
static unsigned int n;
static u8 expected[BATCH_MAX][TAG_SIZE];

static void serve_batches_by(const struct tier *tier)
{
	if (poly1305_user_select(tier->def->name))
		fail("cannot be selected: did it fail the self-test?");
}

/* The lengths of the messages in one batch */
enum mix { ALIKE, NEARLY, SHORT, PACKETS, JUMBO, ANY, ONE_LONG, MIXES };

static size_t any_len(enum mix mix, size_t base, size_t i)
{
	switch (mix) {
	case ALIKE:
		return base;
	case NEARLY:
		return base + rnd_below(33);
	case SHORT:
		return rnd_below(100);
	case PACKETS:
		return rnd_below(1500);
	case JUMBO:
		return 1000 + rnd_below(2200);
	case ANY:
		return rnd_below(2) << rnd_below(17) >> rnd_below(2);
	default:
		return i ? rnd_below(64) : 65536;
	}
}

/*
 * A message anywhere in the input, often at its beginning or end. Its key is its own
 * or, sometimes, an earlier message's.
 */
static void make_req(struct poly1305_mac_req *req, size_t i, size_t len)
{
	const size_t slot = rnd_below(8) ? i : rnd_below(i + 1);

	req->key = keys.ro + keys.size - (slot + 1) * KEY_SIZE;
	req->len = len;
	req->data = messages.ro + area_offset(&messages, len, 1);
	if (!len && rnd() & 1)
		req->data = NULL;
	req->tag = tags.rw + tags.size - (i + 1) * TAG_SIZE;
	req->sgl = NULL;
}

static void make_batch(unsigned int count, enum mix mix)
{
	const size_t base = rnd_below(rnd_below(4) ? 200 : 2000);
	struct poly1305_mac_req *writable;
	size_t i, at, len;

	n = count;
	at = requests.size - n * sizeof(*reqs);
	writable = (void *)(requests.rw + at);
	reqs = (void *)(requests.ro + at);
	fill_message(messages.rw, HALF);
	rnd_bytes(messages.rw + HALF, messages.size - HALF);
	for (i = 0; i < n; i++)
		fill_key(keys.rw + keys.size - (i + 1) * KEY_SIZE);
	for (i = 0; i < n; i++) {
		len = min_t(size_t, any_len(mix, base, i), 65536);
		make_req(&writable[i], i, len);
		ref_tag(expected[i], reqs[i].key, reqs[i].data, len);
	}
}

static void run_batch(void *err)
{
	*(int *)err = poly1305_mac_batch(reqs, n);
}

static void check_batch(void)
{
	int err = 1;
	size_t i;

	area_paint(&tags);
	call(run_batch, &err);
	if (err)
		fail("error %d for %u messages", err, n);
	for (i = 0; i < n; i++)
		if (memcmp(reqs[i].tag, expected[i], TAG_SIZE))
			fail("wrong tag for message %zu of %u, %zu bytes", i, n,
			     reqs[i].len);
	area_check(&tags, tags.size - n * TAG_SIZE, n * TAG_SIZE);
}

/*
 * The lanes function itself, also with mixes of lengths that the scheduler would not
 * choose: equal, near or arbitrary ones, and one request in all lanes. With more
 * messages than lanes it takes several groups.
 */
#define LANES_TIMES	3
static void test_function(const struct tier *tier)
{
	const struct poly1305_mac_req *lanes[LANES_TIMES * POLY1305_LANES_MAX];
	struct poly1305_mac_req *writable;
	size_t j;
	u64 i;

	if (!tier->batch)
		skip("it has no lanes function");
	for (i = first_case(); next_case(&i, 1700 + random_cases() / 10); i++) {
		make_batch(tier->lanes * (1 + rnd_below(LANES_TIMES)),
			   i < 1700 ? ALIKE : rnd_below(MIXES));
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		if (i < 1700) {
			for (j = 0; j < n; j++) {
				make_req(&writable[j], j, rnd_below(9) ?
					 i : rnd_below(i + 100));
				ref_tag(expected[j], reqs[j].key, reqs[j].data,
					reqs[j].len);
			}
		}
		for (j = 0; j < n; j++)
			lanes[j] = &reqs[j];
		area_paint(&tags);
		call_batch(tier->batch, lanes, n);
		for (j = 0; j < n; j++)
			if (memcmp(reqs[j].tag, expected[j], TAG_SIZE))
				fail("wrong tag in lane %zu, %zu bytes",
				     j % tier->lanes, reqs[j].len);
		area_check(&tags, tags.size - n * TAG_SIZE, n * TAG_SIZE);

		/* One message in all lanes */
		for (j = 1; j < n; j++)
			lanes[j] = lanes[0];
		area_paint(&tags);
		call_batch(tier->batch, lanes, n);
		if (memcmp(lanes[0]->tag, expected[0], TAG_SIZE))
			fail("wrong tag in all lanes, %zu bytes", lanes[0]->len);
		area_check(&tags, tags.size - TAG_SIZE, TAG_SIZE);
	}
}

/*
 * The run function, at each length. It stops before the first group that contains a
 * message of another length, and writes none of that group's tags.
 */
static void test_run(const struct tier *tier)
{
	struct poly1305_mac_req *writable;
	unsigned int done, want;
	size_t j, odd;
	u64 i;

	if (!tier->run)
		skip("it has no run function");
	for (i = first_case(); next_case(&i, 1700 + random_cases() / 10); i++) {
		make_batch(tier->lanes * (1 + rnd_below(LANES_TIMES)), ALIKE);
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		odd = rnd() & 1 ? n : 1 + rnd_below(n - 1);
		for (j = 0; j < n; j++) {
			make_req(&writable[j], j,
				 i % 1700 + (j == odd ? 1 + rnd_below(20) : 0));
			if (j == odd && i % 1700 && rnd() & 1)
				writable[j].len = rnd_below(i % 1700);
			ref_tag(expected[j], reqs[j].key, reqs[j].data,
				reqs[j].len);
		}
		want = odd - odd % tier->lanes;
		area_paint(&tags);
		done = call_run(tier->run, reqs, n);
		if (done != want)
			fail("%u of %u done, where message %zu has another length",
			     done, n, odd);
		for (j = 0; j < done; j++)
			if (memcmp(reqs[j].tag, expected[j], TAG_SIZE))
				fail("wrong tag for message %zu of %u, %zu bytes",
				     j, n, reqs[j].len);
		area_check(&tags, tags.size - done * TAG_SIZE, done * TAG_SIZE);
	}
}

/*
 * A lanes function must read all keys and messages before it writes the first tag.
 * Here each tag overlaps the key or message of another lane.
 */
#define LANE_SLOT	(2 * TAG_SIZE + KEY_SIZE + 200)
static void test_function_overlap(const struct tier *tier)
{
	const struct poly1305_mac_req *lanes[POLY1305_LANES_MAX];
	struct poly1305_mac_req own[POLY1305_LANES_MAX];
	const unsigned int width = tier->lanes;
	size_t len, j, to;
	bool alike;
	u8 *slot;
	u64 i;

	if (!tier->batch)
		skip("it has no lanes function");
	for (i = first_case(); next_case(&i, 4000); i++) {
		alike = rnd() & 1;
		len = rnd_below(rnd() & 1 ? 20 : 200);
		for (j = 0; j < width; j++) {
			slot = messages.rw + j * LANE_SLOT + TAG_SIZE;
			if (!alike)
				len = rnd_below(rnd() & 1 ? 20 : 200);
			fill_key(slot);
			fill_message(slot + KEY_SIZE, len);
			own[j].key = slot;
			own[j].data = slot + KEY_SIZE;
			own[j].len = len;
			own[j].sgl = NULL;
			lanes[j] = &own[j];
			ref_tag(expected[j], slot, slot + KEY_SIZE, len);
		}
		to = 1 + rnd_below(width - 1);
		for (j = 0; j < width; j++) {
			slot = messages.rw + (j + to) % width * LANE_SLOT;
			own[j].tag = slot + rnd_below(TAG_SIZE + KEY_SIZE +
						      own[(j + to) % width].len);
		}
		if (tier->run && alike && rnd() & 1)
			call_run(tier->run, own, width);
		else
			call_batch(tier->batch, lanes, width);
		for (j = 0; j < width; j++)
			if (memcmp(own[j].tag, expected[j], TAG_SIZE))
				fail("wrong tag in lane %zu, %zu bytes: a tag was written first",
				     j, own[j].len);
	}
}

/* Messages of whole blocks that lead to values near the limits of the last reduction */
#define AIMED_BLOCKS	40
static void test_aimed(const struct tier *tier)
{
	const struct poly1305_mac_req *lanes[POLY1305_LANES_MAX];
	struct poly1305_mac_req own[POLY1305_LANES_MAX];
	bool alike;
	size_t len, j;
	u8 *slot;
	u64 i;

	if (!tier->batch)
		skip("it has no lanes function");
	for (i = first_case(); next_case(&i, 1000); i++) {
		alike = rnd() & 1;
		len = (1 + rnd_below(AIMED_BLOCKS)) * BLOCK_SIZE;
		for (j = 0; j < tier->lanes; j++) {
			slot = messages.rw + j * (KEY_SIZE + AIMED_BLOCKS *
						  BLOCK_SIZE);
			if (!alike)
				len = (1 + rnd_below(AIMED_BLOCKS)) *
				      BLOCK_SIZE;
			fill_key(slot);
			fill_message(slot + KEY_SIZE, len);
			aim_message(slot, slot + KEY_SIZE, len);
			own[j] = (struct poly1305_mac_req){
				.key = slot,
				.data = slot + KEY_SIZE,
				.len = len,
				.tag = tags.rw + j * TAG_SIZE,
			};
			lanes[j] = &own[j];
			ref_tag(expected[j], own[j].key, own[j].data, len);
		}
		call_batch(tier->batch, lanes, tier->lanes);
		for (j = 0; j < tier->lanes; j++)
			if (memcmp(own[j].tag, expected[j], TAG_SIZE))
				fail("wrong tag in lane %zu, %zu bytes", j,
				     own[j].len);
	}
}

/* Batches of each size, with each mix of lengths */
static void test_batches(const struct tier *tier)
{
	u64 i;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 700 + random_cases() / 25); i++) {
		make_batch(i <= BATCH_MAX ? i : rnd_below(40),
			   i < 4 * BATCH_MAX && i % 40 ? i % ONE_LONG :
							 rnd_below(MIXES));
		check_batch();
	}
}

static void test_equal_lengths(const struct tier *tier)
{
	struct poly1305_mac_req *writable;
	size_t j;
	u64 i;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 1700); i++) {
		make_batch(1 + rnd_below(12), ALIKE);
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		for (j = 0; j < n; j++) {
			make_req(&writable[j], j, i);
			ref_tag(expected[j], reqs[j].key, reqs[j].data, i);
		}
		check_batch();
	}
}

/* With and without usable SIMD, and with the FPU registers saved already or not */
static void test_interrupted(const struct tier *tier)
{
	unsigned long sections;
	u64 i;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 200); i++) {
		make_batch(rnd_below(40), rnd_below(MIXES));
		shim_simd_usable = i & 1;
		shim_fpu_saved = i & 2;
		sections = shim_fpu_sections;
		check_batch();
		if (!shim_simd_usable && shim_fpu_sections != sections)
			fail("an FPU section began where SIMD is not usable");
	}
}

/*
 * Messages that can share an FPU section must share it even if others stand between
 * them that cannot: ones that are too long, or in scatterlists.
 */
#define TOO_LONG	4100
#define NEIGHBOURS	64
static void test_bystanders(const struct tier *tier)
{
	static struct poly1305_mac_req sharing[NEIGHBOURS];
	static struct scatterlist lists[NEIGHBOURS];
	struct poly1305_mac_req *writable;
	unsigned long sections, want;
	unsigned int shared;
	u8 tag[TAG_SIZE];
	size_t j;
	u64 i;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 500 + random_cases() / 100); i++) {
		make_batch(4 + rnd_below(NEIGHBOURS - 3),
			   i & 1 ? PACKETS : JUMBO);
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		sections = shim_fpu_sections;
		for (j = 0, shared = 0; j < n; j++) {
			if (j < 4 || rnd_below(4)) {
				sharing[shared++] = reqs[j];
				continue;
			}
			if (rnd() & 1) {
				make_req(&writable[j], j,
					 TOO_LONG + rnd_below(9999));
				ref_tag(expected[j], reqs[j].key, reqs[j].data,
					reqs[j].len);
				poly1305_mac_digest(reqs[j].key, reqs[j].data,
						    reqs[j].len, tag);
				continue;
			}
			lists[j].addr = (void *)(size_t)reqs[j].data;
			lists[j].length = reqs[j].len;
			lists[j].next = NULL;
			writable[j].sgl = &lists[j];
			if (poly1305_mac_digest_sg(reqs[j].key, &lists[j],
						   reqs[j].len, tag))
				fail("a list is rejected");
		}
		if (poly1305_mac_batch(sharing, shared))
			fail("a batch without lists is rejected");
		want = shim_fpu_sections - sections;
		sections = shim_fpu_sections;
		check_batch();
		sections = shim_fpu_sections - sections;
		if (sections != want)
			fail("%lu FPU sections for %u messages, %lu without %u of them",
			     sections, n, want, n - shared);
	}
}

/* A queue with more bytes than one FPU section may process needs several. */
#define SECTION_LEN	65536
static void test_sections(const struct tier *tier)
{
	struct poly1305_mac_req *writable;
	unsigned long sections;
	size_t j, bytes;
	u64 i;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 20); i++) {
		make_batch(NEIGHBOURS, ALIKE);
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		for (j = 0, bytes = 0; j < n; j++) {
			make_req(&writable[j], j, 1400 + rnd_below(20));
			ref_tag(expected[j], reqs[j].key, reqs[j].data,
				reqs[j].len);
			bytes += reqs[j].len;
		}
		sections = shim_fpu_sections;
		check_batch();
		sections = shim_fpu_sections - sections;
		if (sections && sections < (bytes + SECTION_LEN - 1) / SECTION_LEN)
			fail("%lu FPU sections for %zu bytes", sections, bytes);
	}
}

/* Each tag overlaps the key or message of its own request. */
#define SLOT		(2 * TAG_SIZE + KEY_SIZE + 300)
static void test_overlap(const struct tier *tier)
{
	struct poly1305_mac_req own[20];
	size_t len, j;
	u8 *slot;
	u64 i;
	int err;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 2000); i++) {
		n = 2 + rnd_below(ARRAY_SIZE(own) - 1);
		len = rnd_below(300);
		for (j = 0; j < n; j++) {
			slot = messages.rw + j * SLOT;
			fill_key(slot + TAG_SIZE);
			if (rnd_below(4) == 0)
				len = rnd_below(300);
			fill_message(slot + TAG_SIZE + KEY_SIZE, len);
			own[j] = (struct poly1305_mac_req){
				.key = slot + TAG_SIZE,
				.data = slot + TAG_SIZE + KEY_SIZE,
				.len = len,
				.tag = slot + rnd_below(TAG_SIZE + KEY_SIZE +
							len + 1),
			};
			ref_tag(expected[j], own[j].key, own[j].data, len);
		}
		err = poly1305_mac_batch(own, n);
		if (err)
			fail("error %d", err);
		for (j = 0; j < n; j++)
			if (memcmp(own[j].tag, expected[j], TAG_SIZE))
				fail("wrong tag for message %zu of %u, %zu bytes, %ld from the key",
				     j, n, own[j].len,
				     (long)(own[j].tag - own[j].key));
	}
}

/* Some messages are lists of three entries; then one list is too short. */
static void test_lists(const struct tier *tier)
{
	static struct scatterlist lists[BATCH_MAX][3];
	struct poly1305_mac_req *writable;
	size_t j, k, cut[4];
	u64 i;
	int err;

	serve_batches_by(tier);
	for (i = first_case(); next_case(&i, 1000); i++) {
		make_batch(rnd_below(30), rnd_below(ANY));
		writable = (void *)(requests.rw + requests.size -
				    n * sizeof(*reqs));
		for (j = 0; j < n; j++) {
			if (rnd_below(3))
				continue;
			cut[0] = 0;
			cut[1] = rnd() & 1 ? reqs[j].len :
					     rnd_below(reqs[j].len + 1);
			cut[2] = cut[1] + rnd_below(reqs[j].len - cut[1] + 1);
			cut[3] = reqs[j].len;
			for (k = 0; k < 3; k++) {
				lists[j][k].addr = (void *)((size_t)reqs[j].data +
							    cut[k]);
				lists[j][k].length = cut[k + 1] - cut[k];
				lists[j][k].next = k < 2 ? &lists[j][k + 1] : NULL;
			}
			writable[j].sgl = lists[j];
			if (reqs[j].len || rnd() & 1)
				writable[j].data = NULL;
		}
		check_batch();

		/* One list is too short: no tag is written. */
		if (!n)
			continue;
		j = rnd_below(n);
		for (k = 0; k < 3; k++)
			lists[j][k].next = k < 2 ? &lists[j][k + 1] : NULL;
		writable[j].sgl = lists[j];
		writable[j].len = 1 + lists[j][0].length + lists[j][1].length +
				  lists[j][2].length + rnd_below(99);
		area_paint(&tags);
		err = poly1305_mac_batch(reqs, n);
		if (err != -EINVAL)
			fail("error %d for a list that is too short", err);
		area_check(&tags, 0, 0);
	}
}

const struct test batch_tests[] = {
	{ "batch-function", test_function },
	{ "batch-function-overlap", test_function_overlap },
	{ "batch-run", test_run },
	{ "batch-aimed", test_aimed },
	{ "batch", test_batches },
	{ "batch-equal-lengths", test_equal_lengths },
	{ "batch-interrupted", test_interrupted },
	{ "batch-bystanders", test_bystanders },
	{ "batch-sections", test_sections },
	{ "batch-overlap", test_overlap },
	{ "batch-lists", test_lists },
	{ }
};
