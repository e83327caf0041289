// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Calls that take a whole message */

#include <stdlib.h>

#include "chapoly.h"
#include "fuzz.h"
#include "../reference/aead_ref.c"

#define ENTRIES		20

void serve_by(const struct tier *t)
{
	if (poly1305_user_select(t->def->name))
		fail("%s cannot be selected", t->def->name);
}

/* Each tier's digest through its operations, its digest function and its shash */
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

/* A list, and a length that may be shorter or longer than the list */
void do_scatterlist(void)
{
	struct scatterlist list[ENTRIES];
	u8 key[KEY_SIZE], expected[TAG_SIZE], *tag;
	size_t len, left, n, wanted;
	unsigned int i, entries = 0;
	const u8 *data;
	int err;

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

/* A packet in pieces of size bytes, sealed or opened in place, and its tag behind it */
static void by_pieces(u8 *text, size_t len, const u8 *ad, size_t ad_len, const u8 *nonce,
		      const u8 *key, size_t size, bool seal)
{
	struct chapoly_pieces p;
	size_t at, n;

	chapoly_begin(&p, len, nonce, key);
	for (at = 0; at < ad_len; at += n) {
		n = min(size, ad_len - at);
		chapoly_ad(&p, ad + at, n);
	}
	for (at = 0; at < len; at += n) {
		n = min(size, len - at);
		chapoly_text(&p, text + at, text + at, n, seal);
	}
	chapoly_end(&p, text + len);
}

/* A packet, sealed and opened, whole and in pieces; then with one wrong bit */
void do_chapoly(void)
{
	u8 key[KEY_SIZE], *sealed, *out, *ad;
	const u16 bit = take16();
	const size_t size = 1 + take_length(), ad_len = take() % 70;
	const u8 *nonce = key + 7, *data;
	unsigned int i;
	size_t len, all;

	take_key(key);
	data = take_piece(&len);
	all = len + TAG_SIZE;
	trace(" %zu bytes, %zu of associated data, pieces of %zu", len, ad_len, size);
	ad = malloc(ad_len);
	fill_message(ad, ad_len);
	sealed = malloc(all);
	aead_ref_encrypt(key, nonce, ad, ad_len, data, len, sealed);
	out = malloc(all);
	for (i = 0; i < ntiers; i++) {
		serve_by(tiers[i]);
		begin_call(tiers[i]);
		chapoly_seal(out, data, len, ad, ad_len, nonce, key);
		if (memcmp(out, sealed, all))
			fail("%s: sealing is wrong", tiers[i]->name);
		by_pieces(out, len, ad, ad_len, nonce, key, size, false);
		if (memcmp(out, data, len) || memcmp(out + len, sealed + len, TAG_SIZE))
			fail("%s: opening in pieces is wrong", tiers[i]->name);
		by_pieces(out, len, ad, ad_len, nonce, key, size, true);
		if (memcmp(out, sealed, all))
			fail("%s: sealing in pieces is wrong", tiers[i]->name);
		if (chapoly_open(out, sealed, len, ad, ad_len, nonce, key) ||
		    memcmp(out, data, len))
			fail("%s: opening is wrong", tiers[i]->name);
		sealed[bit / 8 % all] ^= 1 << bit % 8;
		memset(out, 0, len);
		if (chapoly_open(out, sealed, len, ad, ad_len, nonce, key) != -EBADMSG ||
		    (len && (*out || memcmp(out, out + 1, len - 1))))
			fail("%s: opens a forged packet", tiers[i]->name);
		sealed[bit / 8 % all] ^= 1 << bit % 8;
		end_call();
	}
	free(out);
	free(sealed);
	free(ad);
}

enum { DIGEST, DIGEST_SG, DIGEST_FUNCTION, OVERLAPS };

static int call_overlapping(const struct tier *t, unsigned int which, const u8 *key,
			    u8 *data, size_t len, u8 *tag)
{
	struct scatterlist list[2] = {
		{ data, len / 3, &list[1] },
		{ data + len / 3, len - len / 3, NULL },
	};

	if (which == DIGEST_SG)
		return poly1305_mac_digest_sg(key, list, len, tag);
	if (which == DIGEST_FUNCTION && t->digest)
		t->digest(key, data, len, tag);
	else
		poly1305_mac_digest(key, data, len, tag);
	return 0;
}

/*
 * A tag may overlap the key and the message, anywhere from the 16 bytes before the key to the
 * end of the message. Nothing but the tag may change.
 */
void do_overlap(void)
{
	const unsigned int which = take() % OVERLAPS;
	const u16 where = take16();
	u8 *before, *after, *work, *key, *message, *tag;
	size_t len, all;
	const u8 *data;
	unsigned int i;

	data = take_piece(&len);
	all = TAG_SIZE + KEY_SIZE + len + TAG_SIZE;
	trace(" function %u, %zu bytes", which, len);
	before = malloc(all);
	after = malloc(all);
	work = calloc(1, all);
	key = work + TAG_SIZE;
	message = key + KEY_SIZE;
	tag = work + where % (TAG_SIZE + KEY_SIZE + len + 1);
	fill_key(key);
	memcpy(message, data, len);
	if (len && len % BLOCK_SIZE == 0)
		aim_message(key, message, len);
	memcpy(before, work, all);
	memcpy(after, work, all);
	ref_tag(after + (tag - work), key, message, len);
	for (i = 0; i < ntiers; i++) {
		memcpy(work, before, all);
		serve_by(tiers[i]);
		begin_call(tiers[i]);
		if (call_overlapping(tiers[i], which, key, message, len, tag))
			fail("%s: error", tiers[i]->name);
		end_call();
		if (memcmp(work, after, all))
			fail("%s: wrong tag, or other bytes changed",
			     tiers[i]->name);
	}
	free(work);
	free(after);
	free(before);
}
