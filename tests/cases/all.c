// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The ways to compute a tag, and cases for all interfaces */

#include "../../poly1305_desc.h"
#include "../../testmgr_vectors.h"
#include "poly1305_test.h"

/* The library takes the key here; a shash takes it as input. */
int mac_init(struct mac *mac, const struct subject *s, const u8 *input)
{
	mac->s = s;
	if (s->tfm) {
		mac->desc.tfm = s->tfm;
		return crypto_shash_init(&mac->desc);
	}
	poly1305_mac_init(&mac->ctx, input);
	return 0;
}

/* No bytes need no pointer. */
int mac_update(struct mac *mac, const u8 *data, size_t len)
{
	if (!len)
		data = NULL;
	if (mac->s->tfm)
		return crypto_shash_update(&mac->desc, data, len);
	poly1305_mac_update(&mac->ctx, data, len);
	return 0;
}

int mac_final(struct mac *mac, u8 tag[TAG_SIZE])
{
	if (mac->s->tfm)
		return crypto_shash_final(&mac->desc, tag);
	poly1305_mac_final(&mac->ctx, tag);
	return 0;
}

static int digest_list(const u8 *input, const u8 *data, size_t len, size_t cut, u8 tag[TAG_SIZE])
{
	struct scatterlist sgl[3];

	sg_init_table(sgl, 3);
	sg_set_buf(&sgl[0], data, cut);
	sg_set_buf(&sgl[1], data, 0);
	sg_set_buf(&sgl[2], data + cut, len - cut);
	return poly1305_mac_digest_sg(input, sgl, len, tag);
}

/* The tag of an input whose stream() has total bytes. All ways but DIGEST cut it. */
int mac_tag(struct mac *mac, const struct subject *s, int way, const u8 *input, size_t total,
	    size_t cut, u8 tag[TAG_SIZE])
{
	const u8 *data = stream(s, input);
	const size_t rest = total - cut;
	int err;

	if (way == DIGEST && !s->tfm) {
		poly1305_mac_digest(input, total ? data : NULL, total, tag);
		return 0;
	}
	/* sg_set_buf() takes no memory of vmalloc(). */
	if (way == FINUP_OR_LIST && !s->tfm && virt_addr_valid(input))
		return digest_list(input, data, total, cut, tag);

	err = mac_init(mac, s, input);
	if (way == DIGEST)
		return err ?: crypto_shash_digest(&mac->desc, total ? data : NULL, total, tag);
	/* A hint may be wrong. */
	if (!s->tfm && cut % 2)
		poly1305_mac_init_hint(&mac->ctx, input, 2 * total);
	err = err ?: mac_update(mac, data, cut);
	if (way == FINUP_OR_LIST && s->tfm)
		return err ?: crypto_shash_finup(&mac->desc, rest ? data + cut : NULL, rest, tag);
	return err ?: mac_update(mac, data + cut, rest) ?: mac_final(mac, tag);
}

/* The tag of the sample's first len bytes, computed in two pieces */
int check_tag(const struct subject *s, int err, const u8 *tag, size_t len, size_t cut,
	      const char *what)
{
	if (err || memcmp(tag, s->sample->tags[len], TAG_SIZE))
		return fail("%s: %zu bytes, cut at %zu of input, error %d", what, len, cut, err);
	return 0;
}

static const char *const names[] = { "digest", "updates", "finup or list" };

/* All ways to the tag of any message */
int all_ways(const struct subject *s, const u8 *input, size_t len, size_t cut, const u8 *want)
{
	u8 tag[TAG_SIZE];
	struct mac mac;
	int way, err;

	for (way = 0; way < WAYS; way++) {
		err = mac_tag(&mac, s, way, input, s->prefix_len + len, cut, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			return fail("%s: %zu bytes, error %d", names[way], len, err);
	}
	return 0;
}

/*
 * All ways to the tag of the sample from a copy at input, which the tag may overwrite. Nothing else
 * may change.
 */
int check_ways(const struct subject *s, u8 *input, size_t len, size_t cut, u8 *tag)
{
	const u8 *sample = s->sample->input;
	struct mac mac;
	int way, err;

	for (way = 0; way < WAYS; way++) {
		memcpy(input, sample, KEY_SIZE + len);
		err = mac_tag(&mac, s, way, input, s->prefix_len + len, cut, tag);
		err = check_tag(s, err, tag, len, cut, names[way]);
		if (err)
			return err;
		if (tag >= input && tag < input + KEY_SIZE + len)
			memcpy(tag, sample + (tag - input), TAG_SIZE);
		if (memcmp(input, sample, KEY_SIZE + len))
			return fail("%s: %zu bytes, more than the tag is written", names[way], len);
	}
	return 0;
}

int test_vectors(const struct subject *s)
{
	struct poly1305_testvec vec;
	u8 want[TAG_SIZE], tag[TAG_SIZE];
	const char *text;
	size_t i, len;

	for_each_poly1305_testvec(i, text, &vec) {
		len = strlen(vec.msg) / 2;
		if (hex2bin(work, vec.key, KEY_SIZE) ||
		    hex2bin(work + KEY_SIZE, vec.msg, len) ||
		    hex2bin(want, vec.tag, TAG_SIZE))
			return fail("%s: not hexadecimal", vec.why);

		poly1305_ref(work, work + KEY_SIZE, len, tag);
		if (memcmp(tag, want, TAG_SIZE))
			return fail("%s: the reference is wrong", vec.why);

		if (all_ways(s, work, len, s->prefix_len + len / 2, want))
			return -EINVAL;
	}
	return 0;
}

#define AREA_SIZE	PAGE_ALIGN(KEY_SIZE + LEN_MAX)

/* The message without its key, where nothing lies before it */
static int check_alone(const struct subject *s, u8 *area, size_t len, u8 *tag)
{
	const u8 *input = s->sample->input;
	struct mac mac;
	int err;

	memcpy(area, input + KEY_SIZE, len);
	err = mac_init(&mac, s, input) ?:
	      mac_update(&mac, stream(s, input), s->prefix_len) ?:
	      mac_update(&mac, area, len) ?:
	      mac_final(&mac, tag);
	return check_tag(s, err, tag, len, s->prefix_len, "the message alone");
}

/*
 * A call must access nothing outside its buffers: each lies at the beginning or the end of an area
 * that has no mapped pages around it, and so at any alignment.
 */
int test_lengths(const struct subject *s)
{
	u8 *area = vmalloc(AREA_SIZE), *tags = vmalloc(PAGE_SIZE);
	size_t len, cut;
	int err = 0;

	if (!area || !tags)
		err = fail("no memory");
	for (len = 0; len <= LEN_MAX && !err; len = NEXT_LEN(len)) {
		cut = rnd_below(s->prefix_len + len + 1);
		err = check_ways(s, area, len, cut, tags) ?:
		      check_ways(s, area + AREA_SIZE - KEY_SIZE - len, len, cut,
				 tags + PAGE_SIZE - TAG_SIZE) ?:
		      check_alone(s, area, len, tags);
		cond_resched();
	}
	vfree(area);
	vfree(tags);
	return err;
}

/* Inputs cut in two, at every byte or many of them */
int test_cuts(const struct subject *s)
{
	static const u16 lens[] = { 0, 1, 16, 17, 65, 140, 301, 576, 1025,
				    2 * LEN_SIMD };
	size_t i, len, at;
	u8 tag[TAG_SIZE];
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		for (at = 0; at <= s->prefix_len + len;
		     at += len > LEN_ALL && at > KEY_SIZE ? 61 : 1) {
			err = check_ways(s, work, len, at, tag);
			if (err)
				return err;
		}
		cond_resched();
	}
	return 0;
}

/* A message longer than three FPU sections */
int test_large(const struct subject *s)
{
	const size_t len = 3 * POLY1305_SECTION_LEN + 17;
	u8 *input = kmalloc(KEY_SIZE + len, GFP_KERNEL), want[TAG_SIZE];
	int err;

	if (!input)
		return fail("no memory");
	rnd_bytes(input, KEY_SIZE + len);
	poly1305_ref(input, input + KEY_SIZE, len, want);
	err = all_ways(s, input, len, s->prefix_len + 1, want);
	kfree(input);
	return err;
}

/* The tag may overwrite the key, the nonce or the message. */
int test_overlap(const struct subject *s)
{
	static const u16 lens[] = { 0, 16, 31, 300, 1420, LEN_SIMD };
	size_t i, len, at;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		for (at = 0; at + TAG_SIZE <= KEY_SIZE + len; at += len > LEN_ALL ? 37 : 1) {
			err = check_ways(s, work, len, min(s->prefix_len + len, at), work + at);
			if (err)
				return err;
		}
		cond_resched();
	}
	return 0;
}

/* The driver's own final, as the crypto API wipes descriptors too since 6.16 */
static int final_and_wipe(struct mac *mac, u8 tag[TAG_SIZE])
{
	const struct poly1305_desc *d = shash_desc_ctx(&mac->desc);
	int err;

	if (!mac->s->tfm) {
		poly1305_mac_final(&mac->ctx, tag);
		return memchr_inv(&mac->ctx, 0, sizeof(mac->ctx)) ?
		       fail("the context is not wiped") : 0;
	}
	err = crypto_shash_alg(mac->s->tfm)->final(&mac->desc, tag);
	if (d->prefix_len || memchr_inv(d->prefix, 0, sizeof(d->prefix)) ||
	    memchr_inv(&d->mac, 0, sizeof(d->mac)))
		return fail("the descriptor is not wiped");
	return err;
}

/* A hint that is right, slightly wrong, very wrong or absent */
static size_t any_hint(size_t len)
{
	const size_t hints[] = { 0, len - 1, len, len + 1, 2 * len, 1500, SIZE_MAX };

	return hints[rnd_below(ARRAY_SIZE(hints))];
}

/* A message continues in a descriptor of any driver of its kind. */
static int hand_over(struct mac *mac)
{
	const struct subject *to;
	struct poly1305_saved state;
	int err = crypto_shash_export(&mac->desc, &state);

	do
		to = &subjects[rnd_below(nsubjects)];
	while (to->kind != mac->s->kind);
	memset(mac, 0xff, sizeof(*mac));
	return err ?: mac_init(mac, to, NULL) ?: crypto_shash_import(&mac->desc, &state);
}

/*
 * Messages in random pieces, most of them short, some empty; in user space SIMD is usable for some
 * of them. The state moves between them: it holds no pointers, and the crypto API aligns
 * descriptors only like a u64. Some states of a shash go to another driver, and some messages
 * begin where another one has ended, without init.
 */
int test_pieces(const struct subject *s)
{
	u8 room[56 + sizeof(struct mac)] __aligned(8), want[TAG_SIZE], tag[TAG_SIZE];
	u8 *area = vmalloc(AREA_SIZE), *input;
	struct mac *mac = (struct mac *)room;
	size_t len, total, at, n;
	unsigned long i;
	int err = 0;

	if (!area)
		return fail("no memory");
	for (i = 0; i < CASES && !err; i++) {
		len = i < 20 ? rnd_below(LEN_MAX + 1) : rnd_len(LEN_ALL);
		total = s->prefix_len + len;
		input = rnd() & 1 ? area + rnd_below(64) : area + AREA_SIZE - KEY_SIZE - len;
		if (s->kind == AES) {
			memcpy(input, s->sample->input, KEY_SIZE + len);
			memcpy(want, s->sample->tags[len], TAG_SIZE);
		} else {
			fill_key(input);
			fill_message(input + KEY_SIZE, len);
			poly1305_ref(input, input + KEY_SIZE, len, want);
		}
		if (!s->tfm || !i || rnd() & 1)
			err = mac_init(mac, s, input);
		if (!s->tfm && rnd() & 1)
			poly1305_mac_init_hint(&mac->ctx, input, any_hint(len));
		for (at = 0; at < total; at += n) {
			n = min_t(size_t, rnd_len(16383), total - at);
			any_context();
			err = err ?: mac_update(mac, stream(s, input) + at, n);
			mac = memmove(room + 8 * rnd_below(8), mac, sizeof(*mac));
			if (s->tfm && !rnd_below(8))
				err = err ?: hand_over(mac);
		}
		any_context();
		err = err ?: final_and_wipe(mac, tag);
		if (err || memcmp(tag, want, TAG_SIZE))
			err = fail("%zu bytes in pieces, the last by %s: error %d", len,
				   mac->s->name, err);
		cond_resched();
	}
	vfree(area);
	return err;
}

/*
 * A state may hold anything before init, also the prefix of a message. After final, a descriptor is
 * as after init. A context is zero, which is an all-zero key, so each tag is 0.
 */
int test_order(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 300, 1024, LEN_MAX };
	const u8 *input = s->sample->input, *data = stream(s, input);
	u8 tag[TAG_SIZE], zero[TAG_SIZE] = { 0 };
	struct mac mac;
	size_t i, len;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memset(&mac, 0xff, sizeof(mac));
		err = mac_init(&mac, s, input + 1) ?:
		      mac_update(&mac, data, i % 2 ? 40 : 7) ?:
		      mac_init(&mac, s, input) ?:
		      mac_update(&mac, data, s->prefix_len + len) ?:
		      final_and_wipe(&mac, tag);
		err = check_tag(s, err, tag, len, 40, "init twice");
		if (err)
			return err;

		memset(tag, POISON, TAG_SIZE);
		err = mac_final(&mac, tag);
		if (err != s->no_head || memchr_inv(tag, s->tfm ? POISON : 0, TAG_SIZE))
			return fail("final twice: %d", err);

		err = mac_update(&mac, data, s->prefix_len + len) ?: final_and_wipe(&mac, tag);
		if (err || memcmp(tag, s->tfm ? s->sample->tags[len] : zero, TAG_SIZE))
			return fail("%zu bytes, update after final: %d", len, err);
	}
	return 0;
}

/* Input that ends within the prefix gives an error and no tag, and nothing of it is left. */
int test_short_prefix(const struct subject *s)
{
	const u8 *input = s->sample->input;
	u8 tag[TAG_SIZE];
	struct mac mac;
	size_t n;
	int way, err;

	memset(tag, POISON, sizeof(tag));
	for (n = 0; n < s->prefix_len; n++) {
		for (way = 0; way < WAYS; way++) {
			err = mac_tag(&mac, s, way, input, n, n / 2, tag);
			if (err != s->no_head)
				return fail("%zu bytes, way %d: %d", n, way, err);
		}
		err = mac_init(&mac, s, input) ?:
		      mac_update(&mac, stream(s, input), n) ?:
		      final_and_wipe(&mac, tag);
		if (err != s->no_head || memchr_inv(tag, POISON, sizeof(tag)))
			return fail("%zu bytes: %d, or the tag is written", n, err);
	}
	return 0;
}

/* verify returns 0 for the right tag, -EBADMSG for any changed bit of tag or message. */
int test_verify(const struct subject *s)
{
	static const u16 lens[] = { 0, 5, 16, 100, 1500, LEN_SIMD };
	const u8 *key = random_sample.input;
	u8 tag[TAG_SIZE], *byte;
	size_t i, len, bit, n;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		len = lens[i];
		memcpy(work, key + KEY_SIZE, len);
		memcpy(tag, random_sample.tags[len], TAG_SIZE);
		err = poly1305_mac_verify(key, len ? work : NULL, len, tag);
		if (err)
			return fail("the right tag of %zu bytes: %d", len, err);

		for (bit = 0; bit < 8 * (TAG_SIZE + len); bit += bit < 2048 ? 1 : 97) {
			n = bit / 8;
			byte = n < TAG_SIZE ? &tag[n] : &work[n - TAG_SIZE];
			*byte ^= 1 << bit % 8;
			err = poly1305_mac_verify(key, work, len, tag);
			*byte ^= 1 << bit % 8;
			if (err != -EBADMSG)
				return fail("%zu bytes, bit %zu of both: %d", len, bit, err);
		}
		cond_resched();
	}
	return 0;
}
