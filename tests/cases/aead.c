// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A case for the AEADs of poly1305_chapoly.ko, with scatterlists that no socket makes */

#include "../reference/aead_ref.h"
#include "poly1305_test.h"

#define SALT_SIZE	4
#define ASSOC_MAX	40
#define TEXT_MAX	(3 * PAGE_SIZE)
#define AREA_SIZE	(4 * PAGE_SIZE)
#define ENTRIES		64

/* No list is here: to read it is an oops. */
#define NO_LIST		((struct scatterlist *)-PAGE_SIZE)

/* A packet, plain and sealed by the reference, with its associated data before it */
static u8 plain[ASSOC_MAX + TEXT_MAX], sealed[ASSOC_MAX + TEXT_MAX + TAG_SIZE];
static u8 iv[AEAD_NONCE_SIZE];
static size_t ad_len, text_len;

/* Where the kernel gets it, and what should be there after a call */
static u8 *in, *out, *expected;
static struct scatterlist in_list[ENTRIES], out_list[ENTRIES];

/*
 * Make a list of random pieces; the last 16 bytes are tag_pieces of them. Before one piece in four
 * is an empty entry, whose offset is a page. The list ends with its bytes, or continues at NO_LIST.
 */
static void cut_list(struct scatterlist *sgl, u8 *data, size_t len, unsigned int tag_pieces,
		     bool ends)
{
	unsigned int i = 0;
	size_t n;

	sg_init_table(sgl, ENTRIES);
	if (!len)
		return;
	for (; len; len -= n, data += n) {
		if (!rnd_below(4))
			sg_set_page(&sgl[i++], virt_to_page(data), 0, PAGE_SIZE);
		if (len <= TAG_SIZE)
			n = tag_pieces > 1 ? 1 : len;
		else
			n = i < ENTRIES / 4 ? rnd_len(len - TAG_SIZE) : len - TAG_SIZE;
		if (len <= TAG_SIZE)
			tag_pieces--;
		sg_set_buf(&sgl[i++], data, n);
	}
	if (!ends)
		sg_chain(sgl, i + 1, NO_LIST);
	else
		sg_mark_end(&sgl[i - 1]);
}

/*
 * Seal or open what is at from, in place if dst is in. The lists have fewer bytes than the request
 * says by in_missing and out_missing. What is at to must come out, or the error. Then nothing is
 * written, but a forged packet that is not opened in place leaves zeros.
 */
static int crypt(struct aead_request *req, bool seal, const u8 *from, const u8 *to, u8 *dst,
		 size_t in_missing, size_t out_missing, int error)
{
	const size_t in_len = text_len + (seal ? 0 : TAG_SIZE);
	const size_t out_len = text_len + (seal ? TAG_SIZE : 0);
	const size_t in_all = ad_len + (dst == in ? max(in_len, out_len) : in_len);
	const unsigned int tag_pieces = 1 + rnd_below(TAG_SIZE);
	struct scatterlist *dst_list = dst == in ? in_list : out_len ? out_list : NO_LIST;
	int err;

	memset(in, POISON, AREA_SIZE);
	memset(out, POISON, AREA_SIZE);
	memcpy(in, from, ad_len + in_len);
	memcpy(expected, dst, AREA_SIZE);
	cut_list(in_list, in, in_all - in_missing, tag_pieces, in_missing);
	cut_list(out_list, out, ad_len + out_len - out_missing, tag_pieces, out_missing);
	aead_request_set_crypt(req, in_all ? in_list : NO_LIST, dst_list, in_len, iv);
	aead_request_set_ad(req, ad_len);
	err = seal ? crypto_aead_encrypt(req) : crypto_aead_decrypt(req);

	if (!error)
		memcpy(expected + ad_len, to + ad_len, out_len);
	else if (error == -EBADMSG && dst == out)
		memset(expected + ad_len, 0, text_len);
	if (err != error || memcmp(dst, expected, AREA_SIZE))
		return fail("%zu bytes, %zu of associated data: the output is wrong, or %d and not %d",
			    text_len, ad_len, err, error);
	return 0;
}

/* A packet: sealed, opened, forged, and with a byte less in a list */
static int crypt_all(struct aead_request *req, u8 *dst)
{
	u8 *bit = sealed + ad_len + rnd_below(text_len + TAG_SIZE);
	int err;

	err = crypt(req, true, plain, sealed, dst, 0, 0, 0) ?:
	      crypt(req, false, sealed, plain, dst, 0, 0, 0);
	*bit ^= 1;
	err = err ?: crypt(req, false, sealed, NULL, dst, 0, 0, -EBADMSG);
	*bit ^= 1;
	err = err ?: crypt(req, true, plain, NULL, dst, dst == in, dst == out, -EINVAL) ?:
		     crypt(req, false, sealed, NULL, dst, 1, 0, -EINVAL);
	if (text_len && dst == out)
		err = err ?: crypt(req, false, sealed, NULL, dst, 0, 1, -EINVAL);
	return err;
}

/* Less than a tag, or less associated data than hidden bytes, are refused unread. */
static int try_short(struct aead_request *req, size_t hidden)
{
	size_t n;

	for (n = 0; n < TAG_SIZE + hidden; n++) {
		aead_request_set_crypt(req, NO_LIST, NO_LIST, min_t(size_t, n, TAG_SIZE), iv);
		aead_request_set_ad(req, n < TAG_SIZE ? hidden : n - TAG_SIZE);
		if (crypto_aead_decrypt(req) != -EINVAL)
			return fail("%zu bytes of tag and associated data", n);
	}
	return 0;
}

/* Random packets, every other one empty, of a driver whose associated data end with hidden bytes */
static int try_packets(struct aead_request *req, const u8 *key, const u8 *salt, size_t hidden)
{
	const size_t salt_len = hidden ? SALT_SIZE : 0;
	u8 nonce[AEAD_NONCE_SIZE];
	unsigned int i;
	int err = 0;

	for (i = 0; i < 300 * effort && !err; i++) {
		text_len = i % 2 ? rnd_len(TEXT_MAX) : 0;
		ad_len = hidden + (i % 4 ? rnd_len(ASSOC_MAX - hidden) : 0);
		rnd_bytes(iv, sizeof(iv));
		rnd_bytes(plain, ad_len + text_len);
		memcpy(nonce, salt, salt_len);
		memcpy(nonce + salt_len, iv, sizeof(nonce) - salt_len);
		memcpy(sealed, plain, ad_len);
		aead_ref_encrypt(key, nonce, plain, ad_len - hidden, plain + ad_len, text_len,
				 sealed + ad_len);
		err = crypt_all(req, out) ?: crypt_all(req, in);
		cond_resched();
	}
	return err;
}

static int try_driver(const char *name, size_t hidden)
{
	struct crypto_aead *tfm = crypto_alloc_aead(name, 0, 0);
	struct aead_request *req;
	u8 key[KEY_SIZE + SALT_SIZE];
	int err;

	if (PTR_ERR(tfm) == -ENOENT) {
		pr_info("# poly1305_chapoly.ko is not loaded, and not tested\n");
		return 0;
	}
	if (IS_ERR(tfm))
		return fail("%s: error %ld", name, PTR_ERR(tfm));
	rnd_bytes(key, sizeof(key));
	req = aead_request_alloc(tfm, GFP_KERNEL);
	err = !req ? -ENOMEM : crypto_aead_setkey(tfm, key, KEY_SIZE + (hidden ? SALT_SIZE : 0));
	if (err) {
		err = fail("%s: error %d", name, err);
	} else {
		aead_request_set_callback(req, 0, NULL, NULL);
		err = try_short(req, hidden) ?: try_packets(req, key, key + KEY_SIZE, hidden);
	}
	aead_request_free(req);
	crypto_free_aead(tfm);
	return err;
}

int test_aead_lists(const struct subject *s)
{
	int err;

	in = kmalloc(AREA_SIZE, GFP_KERNEL);
	out = kmalloc(AREA_SIZE, GFP_KERNEL);
	expected = kmalloc(AREA_SIZE, GFP_KERNEL);
	if (!in || !out || !expected)
		err = fail("no memory");
	else
		err = try_driver("chapoly-rfc7539", 0) ?: try_driver("chapoly-rfc7539esp", 8);
	kfree(in);
	kfree(out);
	kfree(expected);
	return err;
}
