// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * library_caller.ko: another module that calls all six functions that the live patch replaces, as
 * WireGuard and AmneziaWG's module do: handshakes and cookies in buffers, and packets in place in a
 * socket buffer after a header and random padding, linear and in fragments. insmod fails if any
 * result is wrong.
 */
#include <crypto/chacha20poly1305.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/skbuff.h>

#define TAG		CHACHA20POLY1305_AUTHTAG_SIZE
#define HEADER		16
#define PADDING		23	/* in front of the header, as S4 of AmneziaWG says: any number */
#define ROOM		128	/* for the headers of the network stack */
#define FRAGMENTS	8

static u8 key[CHACHA20POLY1305_KEY_SIZE];
static u8 text[4096], sealed[sizeof(text) + TAG], opened[sizeof(text)];

static bool handshake(void)
{
	u8 hash[32];

	get_random_bytes(hash, sizeof(hash));
	chacha20poly1305_encrypt(sealed, text, 32, hash, sizeof(hash), 0, key);
	return chacha20poly1305_decrypt(opened, sealed, 32 + TAG, hash, sizeof(hash), 0, key) &&
	       !memcmp(opened, text, 32);
}

static bool cookie(void)
{
	u8 nonce[XCHACHA20POLY1305_NONCE_SIZE], mac[16];

	get_random_bytes(nonce, sizeof(nonce));
	get_random_bytes(mac, sizeof(mac));
	xchacha20poly1305_encrypt(sealed, text, 16, mac, sizeof(mac), nonce, key);
	return xchacha20poly1305_decrypt(opened, sealed, 16 + TAG, mac, sizeof(mac), nonce, key) &&
	       !memcmp(opened, text, 16);
}

/* The text from @from to @to, and room around it */
static struct sk_buff *buffer(size_t from, size_t to)
{
	struct sk_buff *skb = alloc_skb(ROOM + PADDING + HEADER + to - from + TAG, GFP_KERNEL);

	if (skb) {
		skb_reserve(skb, ROOM + PADDING + HEADER);
		memcpy(skb_put(skb, to - from), text + from, to - from);
	}
	return skb;
}

/* The first @first bytes of the text in one buffer, the others in a second one */
static struct sk_buff *fragments(size_t first, size_t len)
{
	struct sk_buff *skb = buffer(0, first), *more = buffer(first, len);

	if (!skb || !more) {
		kfree_skb(skb);
		kfree_skb(more);
		return NULL;
	}
	skb_shinfo(skb)->frag_list = more;
	skb->len += more->len;
	skb->data_len += more->len;
	skb->truesize += more->truesize;
	return skb;
}

/* Sealed it is what the function for buffers makes; forged it is refused; then it is opened. */
static bool packet(struct sk_buff *skb, size_t len, u64 nonce)
{
	struct scatterlist sg[FRAGMENTS];
	struct sk_buff *last;
	bool right;
	int n;

	if (!skb)
		return false;
	n = skb_cow_data(skb, TAG, &last);
	if (n < 0 || n > FRAGMENTS)
		return false;
	skb_push(skb, HEADER);
	pskb_put(skb, last, TAG);
	get_random_bytes(skb_push(skb, PADDING), PADDING);
	sg_init_table(sg, n);
	if (skb_to_sgvec(skb, sg, HEADER + PADDING, len + TAG) <= 0)
		return false;

	chacha20poly1305_encrypt(sealed, text, len, NULL, 0, nonce, key);
	right = chacha20poly1305_encrypt_sg_inplace(sg, len, NULL, 0, nonce, key) &&
		!skb_copy_bits(skb, HEADER + PADDING, opened, len) && !memcmp(opened, sealed, len);

	skb_tail_pointer(last)[-1] ^= 1;
	right = right && !chacha20poly1305_decrypt_sg_inplace(sg, len + TAG, NULL, 0, nonce, key);

	/* What a refused packet holds is not defined. */
	n = skb_store_bits(skb, HEADER + PADDING, sealed, len + TAG);
	right = right && !n &&
		chacha20poly1305_decrypt_sg_inplace(sg, len + TAG, NULL, 0, nonce, key) &&
		!skb_copy_bits(skb, HEADER + PADDING, opened, len) && !memcmp(opened, text, len);
	kfree_skb(skb);
	return right;
}

static int __init caller_init(void)
{
	static const size_t lengths[] = { 16, 112, 1420, 3999 };
	int i;

	get_random_bytes(key, sizeof(key));
	get_random_bytes(text, sizeof(text));
	if (!handshake() || !cookie())
		return -EBADMSG;
	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		if (!packet(buffer(0, lengths[i]), lengths[i], i) ||
		    !packet(fragments(lengths[i] / 3, lengths[i]), lengths[i], ~0ull - i))
			return -EBADMSG;
	return 0;
}
module_init(caller_init);

static void __exit caller_exit(void)
{
}
module_exit(caller_exit);

MODULE_DESCRIPTION("calls what the live patch replaces, as WireGuard's relatives do");
MODULE_LICENSE("Dual MIT/GPL");
