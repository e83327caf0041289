// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_chapoly.c: keys and requests of both AEADs, with any lengths and any lists, in place or
 * not. chapoly.c and chapoly_list.c are replaced by what oneshot.c, pieces.c and lists.c prove. The
 * crypto API refuses to open less than a tag.
 *
 * Of a list the first entry is seen, and how many bytes there are in all. If no byte of a list may
 * be read, it is at no address. Byte number any of a key or a nonce stands for all.
 */

#include <linux/string.h>
#include <linux/compiler.h>
#include "../../compat.h"
#include "ghost.h"
#include "../../chapoly/poly1305_chapoly.c"

static struct scatterlist first[2];
static struct scatterlist *list[2];		/* of the source, and of the destination */
static u64 all[2];
static bool sealing, esp;
static u32 skip, ad_len, len;
static u8 iv[NONCE_SIZE];
static struct chapoly_key *set;
static size_t any;

static const struct chapoly_pieces *pieces;	/* a packet that has begun */
static bool too_short, called, right, nonce_secret;
static const u8 *nonce_of;

void *ghost_memset(void *to, int c, size_t n)
{
	NEED(writable(to, n) && !c, "memset: zeros");
	if (to == nonce_of && n == NONCE_SIZE)
		nonce_secret = false;
	return to;
}

void *ghost_memcpy(void *to, const void *from, size_t n)
{
	NEED(readable(from, n) && writable(to, n) && apart(to, n, from, n), "memcpy: places");
	NEED(n <= NONCE_SIZE, "memcpy: a part of a nonce");
	return short_memcpy(to, from, min_t(size_t, n, NONCE_SIZE));
}

static void need_key(const u8 *nonce, const u8 *key)
{
	const size_t salt = esp ? 4 : 0;

	NEED(key == set->bytes, "the key");
	NEED(OFFSET(nonce) == 0 && (any >= NONCE_SIZE ||
				    nonce[any] == (any < salt ? set->salt[any] : iv[any - salt])),
	     "the nonce");
	nonce_of = nonce;
	nonce_secret = true;
}

/* Whether list number i has n bytes */
static bool enough(bool i, u64 n)
{
	return n <= all[i];
}

void chapoly_begin(struct chapoly_pieces *p, u64 n, const u8 *nonce, const u8 *key, bool seal)
{
	need_key(nonce, key);
	NEED(!pieces && writable(p, sizeof(*p)) && n == len && seal == sealing, "a packet begins");
	pieces = p;
}

void chapoly_ad_list(struct chapoly_pieces *p, struct scatterlist *ad, size_t n)
{
	NEED(p == pieces && ad == list[0] && n == ad_len && !called, "associated data");
	called = true;
	too_short = !enough(0, n);
}

static int crypt_list(struct chapoly_pieces *p, struct scatterlist *dst, struct scatterlist *src,
		      size_t n, bool seal)
{
	NEED(p == pieces && called && dst == list[1] && src == list[0] && n == skip &&
	     seal == sealing, "the packet");
	pieces = NULL;
	if (too_short || !enough(0, (u64)skip + len + (seal ? 0 : TAG_SIZE)) ||
	    ((seal || len) && !enough(1, (u64)skip + len + (seal ? TAG_SIZE : 0))))
		return -EINVAL;
	right = seal || nondet_bool();
	return right ? 0 : -EBADMSG;
}

int chapoly_seal_list(struct chapoly_pieces *p, struct scatterlist *dst, struct scatterlist *src,
		      size_t n)
{
	return crypt_list(p, dst, src, n, true);
}

int chapoly_open_list(struct chapoly_pieces *p, struct scatterlist *dst, struct scatterlist *src,
		      size_t n)
{
	return crypt_list(p, dst, src, n, false);
}

/* n bytes at p are in the first entry of list number i, after those to skip. */
static bool within(bool i, const u8 *p, u64 n)
{
	return !n || (list[i] && p == (u8 *)list[i]->addr + skip && skip + n <= list[i]->length);
}

static void in_one_piece(const u8 *dst, const u8 *src, size_t n, const u8 *ad, size_t n_ad,
			 const u8 *nonce, const u8 *key)
{
	need_key(nonce, key);
	NEED(!called && n == len && n_ad == ad_len, "one call, lengths");
	NEED(within(0, src, (u64)len + (sealing ? 0 : TAG_SIZE)) &&
	     within(1, dst, (u64)len + (sealing ? TAG_SIZE : 0)), "payload and tag of the lists");
	NEED(!n_ad || (ad == list[0]->addr && ad_len <= list[0]->length), "associated data");
	called = true;
}

void chapoly_seal(u8 *dst, const u8 *src, size_t n, const u8 *ad, size_t n_ad, const u8 *nonce,
		  const u8 *key)
{
	in_one_piece(dst, src, n, ad, n_ad, nonce, key);
	NEED(sealing, "a packet to seal");
	right = true;
}

int chapoly_open(u8 *dst, const u8 *src, size_t n, const u8 *ad, size_t n_ad, const u8 *nonce,
		 const u8 *key)
{
	in_one_piece(dst, src, n, ad, n_ad, nonce, key);
	NEED(!sealing, "a packet to open");
	right = nondet_bool();
	return right ? 0 : -EBADMSG;
}

/* A list whose first entry is anywhere in memory; whether others follow does not matter */
static void any_list(bool i, u8 *memory)
{
	first[i].length = nondet_u32();
	first[i].addr = memory + nondet_u32();
	all[i] = nondet_u64();
	GIVEN(all[i] < 1UL << 63 && all[i] >= first[i].length);
	list[i] = &first[i];
}

int main(void)
{
	struct crypto_aead *tfm = malloc(sizeof(*tfm) + sizeof(struct chapoly_key));
	const size_t size = nondet_size();
	struct aead_request req;
	u8 *memory = malloc(size);
	bool enough_bytes;
	int result;

	GIVEN(tfm && memory && size > 1UL << 34);
	esp = nondet_bool();
	tfm->alg = &chapoly_algs[esp];
	set = crypto_aead_ctx(tfm);
	any = nondet_size();
	(void)enough_bytes;
#ifdef SETKEY
	{
		const u32 n = nondet_u32();
		u8 *bytes = any_bytes(n);

		result = chapoly_setkey(tfm, bytes, n);
		NEED(result == (n == (esp ? 36 : 32) ? 0 : -EINVAL), "0, or -EINVAL");
		NEED(result || any >= n || ((u8 *)set)[any] == bytes[any], "the key");
		NEED(chapoly_setauthsize(tfm, n) == (n == 16 ? 0 : -EINVAL), "tags of 16 bytes");
	}
#else
	pieces = NULL;
	nonce_of = NULL;
	too_short = false;
	called = false;
	right = false;
	nonce_secret = false;
	sealing = nondet_bool();
	skip = nondet_u32();
	len = nondet_u32();
	GIVEN(sealing || len <= U32_MAX - TAG_SIZE);
	ad_len = skip - (esp ? ESP_IV_SIZE : 0);
	any_list(0, memory);
	any_list(1, memory);
	if (nondet_bool()) {
		list[1] = list[0];
		all[1] = all[0];
	}
	if (!skip && !len && sealing)
		list[0] = NULL;
	if (!len && !sealing)
		list[1] = NULL;
	req.tfm = tfm;
	req.iv = iv;
	req.src = list[0];
	req.dst = list[1];
	req.assoclen = skip;
	req.cryptlen = len + (sealing ? 0 : TAG_SIZE);
	result = sealing ? chapoly_encrypt(&req) : chapoly_decrypt(&req);
	NEED(!pieces && !nonce_secret, "no packet is left, and the nonce with the salt is wiped");
	if (esp && skip < ESP_IV_SIZE) {
		NEED(result == -EINVAL && !called, "no IV: -EINVAL");
		return 0;
	}
	NEED(called, "the packet is sealed or opened");
	enough_bytes = enough(0, (u64)skip + len + (sealing ? 0 : TAG_SIZE)) &&
		       (!(sealing || len) || enough(1, (u64)skip + len + (sealing ? TAG_SIZE : 0)));
	NEED(result == (!enough_bytes ? -EINVAL : right ? 0 : -EBADMSG), "0, -EBADMSG or -EINVAL");
#endif
	return 0;
}
