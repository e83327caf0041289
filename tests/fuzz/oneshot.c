// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Calls that take a whole message */

#include <stdlib.h>

#include "fuzz.h"

#define ENTRIES		20
#define BATCH_MAX	72

void serve_by(const struct tier *t)
{
	if (poly1305_user_select(t->def->name))
		fail("%s cannot be selected", t->def->name);
}

/* A packet: associated data, as many bytes as the key says, and text */
static void do_aead(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t ad_len = min_t(size_t, len, key[16] % 20);
	const u8 *text = data + ad_len;
	u8 expected[TAG_SIZE], *tag, *ad;
	unsigned int i;

	poly1305_ref_aead(key, data, ad_len, text, len - ad_len, expected);
	tag = malloc(TAG_SIZE);
	ad = malloc(ad_len);
	memcpy(ad, data, ad_len);
	for (i = 0; i < ntiers; i++) {
		begin_call(tiers[i]);
		tiers[i]->def->ops->aead(key, ad, ad_len, text, len - ad_len, tag);
		end_call();
		compare_tags(tag, expected, tiers[i], "aead");
	}
	free(ad);
	free(tag);
}

/*
 * Each tier's digest through its operations, its digest function and its shash; and the
 * same bytes as a packet
 */
void do_digest(void)
{
	u8 key[KEY_SIZE], expected[TAG_SIZE], *both, *tag, *desc;
	const struct shash_alg *alg;
	const u8 *data;
	unsigned int i;
	size_t len;

	take_key(key);
	data = take_piece(&len);
	trace(" %zu bytes", len);
	ref_tag(expected, key, data, len);
	tag = malloc(TAG_SIZE);
	desc = malloc(sizeof(struct shash_desc) + tiers[0]->alg->descsize);
	both = malloc(KEY_SIZE + len);
	memcpy(both, key, KEY_SIZE);
	memcpy(both + KEY_SIZE, data, len);
	for (i = 0; i < ntiers; i++) {
		alg = tiers[i]->alg;
		begin_call(tiers[i]);
		tiers[i]->def->ops->digest(key, len ? data : NULL, len, tag);
		compare_tags(tag, expected, tiers[i], "digest");
		if (tiers[i]->digest) {
			tiers[i]->digest(key, data, len, tag);
			compare_tags(tag, expected, tiers[i],
				     "digest function");
		}
		if (alg->digest((void *)desc, both, KEY_SIZE + len, tag))
			fail("%s: error from the shash", tiers[i]->name);
		compare_tags(tag, expected, tiers[i], "shash digest");
		if (alg->digest((void *)desc, both, len % KEY_SIZE, tag) !=
		    -ENOKEY)
			fail("%s: no error without a key", tiers[i]->name);
		end_call();
	}
	free(both);
	free(desc);
	free(tag);
	if (POLY1305_WHOLE_LIBRARY)
		do_aead(key, data, len);
}

/* A message that leads to an awkward h; its tag, and the tag with one wrong bit */
void do_verify(void)
{
	u8 key[KEY_SIZE], tag[TAG_SIZE], *message;
	const u16 bit = take();
	const u8 *data;
	unsigned int i;
	size_t len;

	take_key(key);
	data = take_piece(&len);
	message = malloc(len);
	memcpy(message, data, len);
	if (len && len % BLOCK_SIZE == 0)
		aim_message(key, message, len);
	trace(" %zu bytes", len);
	ref_tag(tag, key, message, len);
	for (i = 0; i < ntiers; i++) {
		serve_by(tiers[i]);
		begin_call(tiers[i]);
		if (poly1305_mac_verify(key, message, len, tag))
			fail("%s: rejects the right tag", tiers[i]->name);
		tag[bit / 8 % TAG_SIZE] ^= 1 << bit % 8;
		if (poly1305_mac_verify(key, message, len, tag) != -EBADMSG)
			fail("%s: accepts a wrong tag", tiers[i]->name);
		tag[bit / 8 % TAG_SIZE] ^= 1 << bit % 8;
		end_call();
	}
	free(message);
}

static struct poly1305_mac_req reqs[BATCH_MAX];

/* A list, and a length that may be shorter or longer than the list */
void do_scatterlist(void)
{
	struct scatterlist list[ENTRIES];
	u8 key[KEY_SIZE], expected[TAG_SIZE], *tag;
	size_t len, left, n, wanted;
	unsigned int i, entries = 0;
	const u8 *data;
	int err;

	if (!POLY1305_WHOLE_LIBRARY)
		return;
	take_key(key);
	data = take_piece(&len);
	wanted = len;
	switch (take() % 4) {
	case 0:
		wanted = take_length();
		break;
	case 1:
		wanted = len / 2;
		break;
	}
	for (left = len; left && entries < ENTRIES - 1; left -= n) {
		n = min_t(size_t, left, take_length());
		list[entries].addr = (u8 *)data + len - left;
		list[entries++].length = n;
	}
	list[entries].addr = (u8 *)data + len - left;
	list[entries++].length = left;
	for (i = 0; i < entries; i++)
		list[i].next = i + 1 < entries ? &list[i + 1] : NULL;
	trace(" %zu bytes, of %zu in %u pieces", wanted, len, entries);

	memset(expected, 0xa5, sizeof(expected));
	if (wanted <= len)
		ref_tag(expected, key, data, wanted);
	tag = malloc(TAG_SIZE);
	for (i = 0; i < ntiers; i++) {
		memset(tag, 0xa5, TAG_SIZE);
		serve_by(tiers[i]);
		begin_call(tiers[i]);
		err = poly1305_mac_digest_sg(key, list, wanted, tag);
		end_call();
		if (err != (wanted <= len ? 0 : -EINVAL))
			fail("%s: error %d", tiers[i]->name, err);
		compare_tags(tag, expected, tiers[i], "scatterlist");
	}
	free(tag);
}

/* A batch; each list has two entries. */
static struct scatterlist lists[BATCH_MAX][2];
static u8 keys_of[BATCH_MAX][KEY_SIZE], expected_of[BATCH_MAX][TAG_SIZE];

/* A request for part of the data. Returns false if its list is one byte too short. */
static bool make_request(unsigned int i, const u8 *data, size_t size, size_t len,
			 bool lists_too)
{
	struct poly1305_mac_req *req = &reqs[i];
	struct scatterlist *list = lists[i];
	size_t cut;

	len = min(len, size);
	fill_key(keys_of[i]);
	req->key = keys_of[i];
	req->data = data + rnd_below(size - len + 1);
	req->len = len;
	req->sgl = NULL;
	ref_tag(expected_of[i], req->key, req->data, len);
	if (!lists_too || rnd_below(4))
		return true;

	cut = rnd_below(len + 1);
	list[0] = (struct scatterlist){ (u8 *)req->data, cut, &list[1] };
	list[1] = (struct scatterlist){ (u8 *)req->data + cut, len - cut, NULL };
	req->data = NULL;
	req->sgl = list;
	if (!len || rnd_below(32))
		return true;
	req->len = len + 1;
	return false;
}

/* A batch of similar or different lengths, in buffers and lists. All tags or none. */
void do_batch(void)
{
	const unsigned int n = take() % (BATCH_MAX + 1);
	const size_t base = take_length() % LEN_MAX;
	const u8 spread = take(), how = take();
	bool valid = true;
	const u8 *data;
	unsigned int i, j;
	size_t size;
	u8 *out;
	int err;

	if (!POLY1305_WHOLE_LIBRARY)
		return;
	data = take_piece(&size);
	for (i = 0; i < n; i++)
		valid &= make_request(i, data, size, base + rnd_below(spread + 1),
				      how & 1);
	trace(" %u messages of %zu to %zu bytes, valid: %d", n, base,
	      base + spread, valid);
	out = malloc(n * TAG_SIZE);
	for (i = 0; i < n; i++)
		reqs[i].tag = out + i * TAG_SIZE;
	for (j = 0; j < ntiers; j++) {
		memset(out, 0xa5, n * TAG_SIZE);
		serve_by(tiers[j]);
		begin_call(tiers[j]);
		err = poly1305_mac_batch(reqs, n);
		end_call();
		if (err != (valid ? 0 : -EINVAL))
			fail("%s: error %d", tiers[j]->name, err);
		if (!valid)
			memset(expected_of, 0xa5, sizeof(expected_of));
		for (i = 0; i < n; i++)
			compare_tags(reqs[i].tag, expected_of[i], tiers[j],
				     "batch");
	}
	free(out);
}

/*
 * A request in len + BESIDE bytes of memory: 16 bytes, the key, the message, 16 bytes.
 * Its tag begins anywhere from the first byte to the end of the message.
 */
#define BESIDE	(TAG_SIZE + KEY_SIZE + TAG_SIZE)
static void make_overlapping(struct poly1305_mac_req *req, u8 *memory,
			     const u8 *data, size_t len, size_t where)
{
	u8 *key = memory + TAG_SIZE;

	*req = (struct poly1305_mac_req){
		.key = key,
		.data = key + KEY_SIZE,
		.len = len,
		.tag = memory + where % (TAG_SIZE + KEY_SIZE + len + 1),
	};
	fill_key(key);
	memcpy(key + KEY_SIZE, data, len);
	if (len && len % BLOCK_SIZE == 0)
		aim_message(key, key + KEY_SIZE, len);
}

enum { DIGEST, DIGEST_PREPARED, DIGEST_SG, DIGEST_FUNCTION, BATCH, OVERLAPS };

/* By a function that Poly1271's library lacks */
static int call_whole(unsigned int which, struct poly1305_mac_req *req,
		      unsigned int n)
{
	u8 *data = (u8 *)req->data;
	struct poly1305_mac_prepared prepared;
	struct scatterlist list[2] = {
		{ data, req->len / 3, &list[1] },
		{ data + req->len / 3, req->len - req->len / 3, NULL },
	};

	switch (which) {
	case DIGEST_PREPARED:
		poly1305_mac_prepare(&prepared, req->key);
		poly1305_mac_digest_prepared(&prepared, req->key + BLOCK_SIZE,
					     data, req->len, req->tag);
		return 0;
	case DIGEST_SG:
		return poly1305_mac_digest_sg(req->key, list, req->len, req->tag);
	default:
		return poly1305_mac_batch(req, n);
	}
}

static int call_overlapping(const struct tier *t, unsigned int which,
			    struct poly1305_mac_req *req, unsigned int n)
{
	if (which == DIGEST_FUNCTION && t->digest)
		t->digest(req->key, req->data, req->len, req->tag);
	else if (which == DIGEST || which == DIGEST_FUNCTION ||
		 !POLY1305_WHOLE_LIBRARY)
		poly1305_mac_digest(req->key, req->data, req->len, req->tag);
	else
		return call_whole(which, req, n);
	return 0;
}

/*
 * A tag may overlap the key and the message of its request. Nothing but the tag may
 * change.
 */
void do_overlap(void)
{
	const u8 how = take(), count = take();
	const unsigned int which = how % OVERLAPS;
	const bool batch = which == BATCH && POLY1305_WHOLE_LIBRARY;
	const unsigned int n = batch ? 1 + count % BATCH_MAX : 1;
	const size_t spread = how / OVERLAPS & 1 ? 40 : 0;
	const u16 where = take16();
	u8 *before, *after, *work;
	size_t size, stride, all;
	const u8 *data;
	unsigned int i, j;

	data = take_piece(&size);
	if (which == BATCH)
		size = min_t(size_t, size, LEN_MAX / 4);
	trace(" function %u, %u messages, up to %zu bytes", which, n, size);
	stride = size + BESIDE;
	all = n * stride;
	before = malloc(all);
	after = malloc(all);
	work = calloc(n, stride);
	for (i = 0; i < n; i++)
		make_overlapping(&reqs[i], work + i * stride, data,
				 size - rnd_below(min(size, spread) + 1),
				 where + i);
	memcpy(before, work, all);
	memcpy(after, work, all);
	for (i = 0; i < n; i++)
		ref_tag(after + (reqs[i].tag - work), reqs[i].key, reqs[i].data,
			reqs[i].len);
	for (j = 0; j < ntiers; j++) {
		memcpy(work, before, all);
		serve_by(tiers[j]);
		begin_call(tiers[j]);
		if (call_overlapping(tiers[j], which, reqs, n))
			fail("%s: error", tiers[j]->name);
		end_call();
		if (memcmp(work, after, all))
			fail("%s: wrong tag, or other bytes changed",
			     tiers[j]->name);
	}
	free(work);
	free(after);
	free(before);
}
