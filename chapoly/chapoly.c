// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ChaCha20-Poly1305 (RFC 8439) for packets: the exported functions, which chapoly.h describes; the
 * choice of an implementation; and the implementation for every CPU. The others are in
 * chapoly-avx2-glue.c and chapoly-avx512-glue.c.
 *
 * Block 0 of the keystream holds the MAC's key. The text is encrypted from block 1 on. The MAC's
 * message is
 *
 *	associated data, zeros up to 16 bytes, ciphertext, zeros up to 16 bytes, both lengths.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "../compat.h"
#include <asm/simd.h>
#include <crypto/internal/simd.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/static_call.h>

#include "chapoly_core.h"
#include "chapoly_vectors.h"

#define MAC_BLOCK	POLY1305_MAC_BLOCK_SIZE
#define TAG_SIZE	CHAPOLY_TAG_SIZE
#define KEY_WORDS	(CHAPOLY_KEY_SIZE / sizeof(u32))

/*
 * The most bytes of an update of the MAC. For longer updates the tier sse2 may compute a table of
 * powers, and takes 2.5 KiB of stack.
 */
#define MAC_CHUNK	3072

/* The 32-bit block counter's limit on text; block 0 is the MAC's key. */
#define TEXT_MAX	((u64)U32_MAX * CHACHA_BLOCK_SIZE)

const u8 chapoly_zeros[CHAPOLY_ZEROS];

/* Initialize the cipher. Its next block is block 0. */
static void cipher_begin(struct chacha_state *cipher, const u8 *nonce, const u8 *key)
{
	u32 words[KEY_WORDS];
	u8 iv[CHACHA_IV_SIZE] = { 0 };
	size_t i;

	for (i = 0; i < KEY_WORDS; i++)
		words[i] = get_unaligned_le32(key + 4 * i);
	memcpy(iv + sizeof(iv) - CHAPOLY_NONCE_SIZE, nonce, CHAPOLY_NONCE_SIZE);
	chacha_init(cipher, words, iv);
	memzero_explicit(words, sizeof(words));
}

bool chapoly_is_right(u8 tag[TAG_SIZE], const u8 *received)
{
	const bool right = !crypto_memneq(tag, received, TAG_SIZE);

	memzero_explicit(tag, TAG_SIZE);
	return right;
}

/* memcpy() for pointers that may be NULL if n is 0 */
static void copy(u8 *dst, const u8 *src, size_t n)
{
	if (n)
		memcpy(dst, src, n);
}

static int open_library(u8 *text, size_t len, const u8 *received, const u8 *ad, size_t ad_len,
			const u8 *nonce, const u8 *key);
static void crypt(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len);

/*
 * The implementation in use, and the longest texts for which seal and open may be called. Vectors
 * seal at least CHAPOLY_CHUNK bytes, so crypt may be called if seal may. Without vectors both
 * limits are 0.
 */
DEFINE_STATIC_CALL_NULL(chapoly_best_seal, chapoly_seal);
DEFINE_STATIC_CALL_NULL(chapoly_best_open, open_library);
DEFINE_STATIC_CALL_NULL(chapoly_best_crypt, crypt);
static size_t best_seal_max __ro_after_init;
static size_t best_open_max __ro_after_init;

static __always_inline bool takes_simd(size_t len, size_t max)
{
	return len <= max && crypto_simd_usable();
}

/* Encrypt or decrypt the next bytes of a packet. */
static void crypt(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len)
{
	size_t n;

	for (; len; dst += n, src += n, len -= n) {
		n = min_t(size_t, len, CHAPOLY_CHUNK);
		if (takes_simd(n, best_seal_max))
			static_call(chapoly_best_crypt)(cipher, dst, src, n);
		else
			chacha20_crypt(cipher, dst, src, n);
	}
}

/*
 * The implementation for every CPU and any length calls poly1305.ko for the MAC, and crypt() for
 * ChaCha20. The first bytes of the text are encrypted or decrypted together with block 0, in a
 * buffer on the stack.
 */

/* buf = block 0, which starts with the MAC's key, then len bytes of text, encrypted or decrypted */
static void crypt_early(struct chacha_state *cipher, u8 *buf, const u8 *src, size_t len)
{
	memset(buf, 0, CHACHA_BLOCK_SIZE);
	copy(buf + CHACHA_BLOCK_SIZE, src, len);
	crypt(cipher, buf, buf, CHACHA_BLOCK_SIZE + len);
}

/*
 * How much text to encrypt together with block 0: what exceeds a multiple of CHAPOLY_STREAM_SIZE,
 * because the rest then takes the fewest calls. Not inlined, else gcc emits a slow string
 * instruction for each copy of bounded length.
 */
static noinline size_t early_len(u64 len)
{
	const size_t n = (CHACHA_BLOCK_SIZE + len - 1) % CHAPOLY_STREAM_SIZE + 1;

	return min_t(u64, len, round_up(n, CHACHA_BLOCK_SIZE) - CHACHA_BLOCK_SIZE);
}

static void mac_chunks(struct poly1305_mac_ctx *mac, const u8 *data, size_t len)
{
	size_t n;

	for (; len; data += n, len -= n) {
		n = min_t(size_t, len, MAC_CHUNK);
		poly1305_mac_update(mac, data, n);
	}
}

/*
 * Longer updates of text save time, except where the library is the only implementation. There the
 * MAC's vectors are SSE2's, which take the most stack and save only 1 to 6% of the time at 9000
 * bytes (Zen 5, Zen 3).
 */
static void mac_text(struct poly1305_mac_ctx *mac, const u8 *text, size_t len)
{
	if (!best_seal_max)
		mac_chunks(mac, text, len);
	else
		poly1305_mac_update(mac, text, len);
}

static void mac_ad(struct poly1305_mac_ctx *mac, const u8 *ad, size_t ad_len)
{
	u8 block[MAC_BLOCK] = { 0 };

	if (!ad_len)
		return;
	if (ad_len <= MAC_BLOCK) {
		memcpy(block, ad, ad_len);
		poly1305_mac_update(mac, block, sizeof(block));
	} else {
		mac_chunks(mac, ad, ad_len);
		poly1305_mac_update(mac, chapoly_zeros, -ad_len % MAC_BLOCK);
	}
}

/* The end of the MAC's message: zeros after the text, and both lengths */
static void mac_end(struct poly1305_mac_ctx *mac, u64 ad_len, u64 len)
{
	const size_t pad = -len % MAC_BLOCK;
	u8 end[2 * MAC_BLOCK] = { 0 };

	put_unaligned_le64(ad_len, end + MAC_BLOCK);
	put_unaligned_le64(len, end + MAC_BLOCK + 8);
	poly1305_mac_update(mac, end + MAC_BLOCK - pad, pad + MAC_BLOCK);
}

static void tag_of_text(const u8 *key, const u8 *text, size_t len, const u8 *ad, size_t ad_len,
			u8 tag[TAG_SIZE])
{
	struct poly1305_mac_ctx mac;

	poly1305_mac_init_hint(&mac, key, ad_len + len);
	mac_ad(&mac, ad, ad_len);
	mac_text(&mac, text, len);
	mac_end(&mac, ad_len, len);
	poly1305_mac_final(&mac, tag);
}

static noinline_for_stack void seal_library(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					    size_t ad_len, const u8 *nonce, const u8 *key)
{
	const size_t early = early_len(len);
	struct chacha_state cipher;
	u8 buf[CHAPOLY_STREAM_SIZE];

	cipher_begin(&cipher, nonce, key);
	crypt_early(&cipher, buf, src, early);
	copy(dst, buf + CHACHA_BLOCK_SIZE, early);
	crypt(&cipher, dst + early, src + early, len - early);
	tag_of_text(buf, dst, len, ad, ad_len, dst + len);
	memzero_explicit(buf, CHACHA_BLOCK_SIZE);
	memzero_explicit(&cipher, sizeof(cipher));
}

static noinline_for_stack int open_library(u8 *text, size_t len, const u8 *received, const u8 *ad,
					   size_t ad_len, const u8 *nonce, const u8 *key)
{
	u8 buf[CHAPOLY_STREAM_SIZE], tag[TAG_SIZE];
	const size_t early = early_len(len);
	struct chacha_state cipher;
	bool right;

	cipher_begin(&cipher, nonce, key);
	crypt_early(&cipher, buf, text, early);
	tag_of_text(buf, text, len, ad, ad_len, tag);
	right = chapoly_is_right(tag, received);
	if (right) {
		copy(text, buf + CHACHA_BLOCK_SIZE, early);
		crypt(&cipher, text + early, text + early, len - early);
	}
	memzero_explicit(buf, CHACHA_BLOCK_SIZE + early);
	memzero_explicit(&cipher, sizeof(cipher));
	return right ? 0 : -EBADMSG;
}

static const struct chapoly_impl library = {
	.name = "library",
	.tier = "",
	.seal = seal_library,
	.open = open_library,
};

/*
 * From worst to best. An implementation after the one for poly1305.ko's best tier is never used, so
 * an administrator's choice for poly1305.ko applies here, too.
 */
static const struct chapoly_impl *const impls[] = {
	&library,
#ifdef CONFIG_X86_64
	&chapoly_avx2,
	&chapoly_avx512,
#endif
};

static void use_impl(const struct chapoly_impl *impl)
{
	static_call_update(chapoly_best_seal, impl->seal);
	static_call_update(chapoly_best_open, impl->open);
	if (impl->crypt)
		static_call_update(chapoly_best_crypt, impl->crypt);
	best_seal_max = impl->seal_max;
	best_open_max = impl->open_max;
}

void chapoly_use(const char *tier)
{
	size_t i;

	use_impl(&library);
	for (i = 0; i < ARRAY_SIZE(impls); i++)
		if (!strcmp(tier, impls[i]->tier))
			use_impl(impls[i]);
}

void chapoly_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		  const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE])
{
	if (takes_simd(len, best_seal_max))
		static_call(chapoly_best_seal)(dst, src, len, ad, ad_len, nonce, key);
	else
		seal_library(dst, src, len, ad, ad_len, nonce, key);
}
EXPORT_SYMBOL_GPL(chapoly_seal);

int chapoly_open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE])
{
	const u8 *tag = src + len;
	int err;

	/* After this copy, writes to src affect neither verification nor decryption. */
	if (dst != src)
		copy(dst, src, len);
	if (takes_simd(len, best_open_max))
		err = static_call(chapoly_best_open)(dst, len, tag, ad, ad_len, nonce, key);
	else
		err = open_library(dst, len, tag, ad, ad_len, nonce, key);
	if (err && len && dst != src)
		memset(dst, 0, len);
	return err;
}
EXPORT_SYMBOL_GPL(chapoly_open);

/*
 * Packets in pieces. A wiped packet has made == 0 and left == 0, so it takes no text and gives no
 * tag.
 */

static struct chacha_state *cipher_of(struct chapoly_pieces *p)
{
	BUILD_BUG_ON(sizeof(p->cipher) != sizeof(struct chacha_state));
	return (struct chacha_state *)p->cipher;
}

void chapoly_begin(struct chapoly_pieces *p, u64 len, const u8 nonce[CHAPOLY_NONCE_SIZE],
		   const u8 key[CHAPOLY_KEY_SIZE], bool seal)
{
	if (len > TEXT_MAX) {
		memzero_explicit(p, sizeof(*p));
		return;
	}
	cipher_begin(cipher_of(p), nonce, key);
	p->seal = seal;
	p->ad_len = 0;
	p->len = 0;
	p->left = len;
	p->used = CHACHA_BLOCK_SIZE;
	p->made = CHACHA_BLOCK_SIZE + round_up(early_len(len), CHACHA_BLOCK_SIZE);
	memset(p->stream, 0, p->made);
	crypt(cipher_of(p), p->stream, p->stream, p->made);
	poly1305_mac_init_hint(&p->mac, p->stream, len);
}
EXPORT_SYMBOL_GPL(chapoly_begin);

void chapoly_ad(struct chapoly_pieces *p, const u8 *ad, size_t n)
{
	if (n && p->len)
		memzero_explicit(p, sizeof(*p));
	if (!p->made)
		return;
	mac_chunks(&p->mac, ad, n);
	p->ad_len += n;
}
EXPORT_SYMBOL_GPL(chapoly_ad);

/*
 * Use up p->stream first. If 512 bytes or more of the piece are left, or it ends the text, the rest
 * needs no copy of the keystream. Otherwise p->stream is filled, for the rest and for the next
 * piece. Since n <= p->left, each iteration makes progress or fills p->stream.
 */
void chapoly_pieces_crypt(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n)
{
	size_t take;

	for (; n; dst += take, src += take, n -= take, p->left -= take) {
		if (p->used < p->made) {
			take = min(n, p->made - p->used);
			crypto_xor_cpy(dst, src, p->stream + p->used, take);
			p->used += take;
		} else if (n == p->left || n >= CHAPOLY_STREAM_SIZE) {
			take = n == p->left ? n : round_down(n, CHACHA_BLOCK_SIZE);
			crypt(cipher_of(p), dst, src, take);
		} else {
			take = 0;
			p->used = 0;
			p->made = round_up(min_t(u64, p->left, CHAPOLY_STREAM_SIZE),
					   CHACHA_BLOCK_SIZE);
			memset(p->stream, 0, p->made);
			crypt(cipher_of(p), p->stream, p->stream, p->made);
		}
	}
}

static void pad_ad(struct chapoly_pieces *p)
{
	if (!p->len)
		poly1305_mac_update(&p->mac, chapoly_zeros, -p->ad_len % MAC_BLOCK);
}

void chapoly_pieces_mac(struct chapoly_pieces *p, const u8 *text, size_t n)
{
	pad_ad(p);
	p->len += n;
	mac_text(&p->mac, text, n);
}

void chapoly_text(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n)
{
	size_t chunk;

	if (n > p->left) {
		memzero_explicit(p, sizeof(*p));
		memset(dst, 0, n);
		return;
	}
	for (; n; dst += chunk, src += chunk, n -= chunk) {
		chunk = min_t(size_t, n, CHAPOLY_CHUNK);
		if (p->seal) {
			chapoly_pieces_crypt(p, dst, src, chunk);
			chapoly_pieces_mac(p, dst, chunk);
		} else {
			if (dst != src)
				memcpy(dst, src, chunk);
			chapoly_pieces_mac(p, dst, chunk);
			chapoly_pieces_crypt(p, dst, dst, chunk);
		}
	}
}
EXPORT_SYMBOL_GPL(chapoly_text);

void chapoly_pieces_tag(struct chapoly_pieces *p, u8 tag[TAG_SIZE])
{
	pad_ad(p);
	mac_end(&p->mac, p->ad_len, p->len);
	poly1305_mac_final(&p->mac, tag);
}

static int pieces_end(struct chapoly_pieces *p, bool seal, u8 tag[TAG_SIZE])
{
	const bool whole = p->made && !p->left && p->seal == seal;

	if (whole)
		chapoly_pieces_tag(p, tag);
	else
		memset(tag, 0, TAG_SIZE);
	memzero_explicit(p, sizeof(*p));
	return whole ? 0 : -EINVAL;
}

int chapoly_end(struct chapoly_pieces *p, u8 tag[CHAPOLY_TAG_SIZE])
{
	return pieces_end(p, true, tag);
}
EXPORT_SYMBOL_GPL(chapoly_end);

int chapoly_verify(struct chapoly_pieces *p, const u8 tag[CHAPOLY_TAG_SIZE])
{
	u8 expected[TAG_SIZE];

	if (pieces_end(p, false, expected))
		return -EINVAL;
	return chapoly_is_right(expected, tag) ? 0 : -EBADMSG;
}
EXPORT_SYMBOL_GPL(chapoly_verify);

const u32 chapoly_abi = POLY1305_ABI(struct chapoly_pieces);
EXPORT_SYMBOL_GPL(chapoly_abi);

/* The self-test: each vector whole, in place, in pieces, and forged */

static u8 test_ad[CHAPOLY_TEST_MAX] __initdata;
static u8 test_plain[CHAPOLY_TEST_MAX] __initdata;
static u8 test_sealed[CHAPOLY_TEST_MAX + TAG_SIZE] __initdata;
static u8 test_out[CHAPOLY_TEST_MAX + TAG_SIZE] __initdata;
static struct chapoly_pieces test_pieces __initdata;

/* Seal or open in place, in pieces of irregular lengths. */
static int __init test_cut(const struct chapoly_testvec *vec, bool seal, u8 tag[TAG_SIZE])
{
	size_t at, n, cut = 5;

	chapoly_begin(&test_pieces, vec->len, chapoly_test_nonce, chapoly_test_key, seal);
	chapoly_ad(&test_pieces, test_ad, vec->ad_len / 2);
	chapoly_ad(&test_pieces, test_ad + vec->ad_len / 2, vec->ad_len - vec->ad_len / 2);
	for (at = 0; at < vec->len; at += n) {
		cut = cut * 7 % 997;	/* 997 is a prime, so cut never becomes 0. */
		n = min_t(size_t, cut, vec->len - at);
		chapoly_text(&test_pieces, test_out + at, test_out + at, n);
	}
	return seal ? chapoly_end(&test_pieces, tag) : chapoly_verify(&test_pieces, tag);
}

static int __init test_open(const struct chapoly_testvec *vec)
{
	return chapoly_open(test_out, test_out, vec->len, test_ad, vec->ad_len,
			    chapoly_test_nonce, chapoly_test_key);
}

/* Returns NULL if everything is right, else the name of the fault. */
static const char * __init test_vector(const struct chapoly_testvec *vec)
{
	const size_t len = vec->len, all = len + TAG_SIZE;
	u8 tag[TAG_SIZE];
	size_t i;

	for (i = 0; i < vec->ad_len; i++)
		test_ad[i] = chapoly_test_byte(i);
	for (i = 0; i < len; i++)
		test_plain[i] = chapoly_test_byte(vec->ad_len + i);

	chapoly_seal(test_sealed, test_plain, len, test_ad, vec->ad_len, chapoly_test_nonce,
		     chapoly_test_key);
	if (memcmp(test_sealed + len, vec->tag, TAG_SIZE))
		return "wrong tag";

	memcpy(test_out, test_plain, len);
	chapoly_seal(test_out, test_out, len, test_ad, vec->ad_len, chapoly_test_nonce,
		     chapoly_test_key);
	if (memcmp(test_out, test_sealed, all))
		return "sealing in place is wrong";
	if (test_open(vec))
		return "opening fails";
	if (memcmp(test_out, test_plain, len))
		return "opening is wrong";

	if (test_cut(vec, true, tag) || memcmp(test_out, test_sealed, len) ||
	    memcmp(tag, vec->tag, TAG_SIZE))
		return "sealing in pieces is wrong";
	if (test_cut(vec, false, tag) || memcmp(test_out, test_plain, len))
		return "opening in pieces is wrong";
	tag[len % TAG_SIZE] ^= 1 << len % 8;
	if (test_cut(vec, false, tag) != -EBADMSG)
		return "a forged packet in pieces is accepted";

	memcpy(test_out, test_sealed, all);
	test_out[all - 1 - len % TAG_SIZE] ^= 1 << len % 8;
	if (test_open(vec) != -EBADMSG)
		return "a forged packet is accepted";
	if (memcmp(test_out, test_sealed, len))
		return "a forged packet is written";
	return NULL;
}

static int __init test_all(const char *name)
{
	const char *wrong;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(chapoly_testvecs); i++) {
		wrong = test_vector(&chapoly_testvecs[i]);
		if (wrong) {
			pr_err("self-test of %s failed: %s, %u and %u bytes\n", name, wrong,
			       chapoly_testvecs[i].ad_len, chapoly_testvecs[i].len);
			return -EBADMSG;
		}
	}
	return 0;
}

/* An implementation that fails is logged and not used. If the library fails, so does the load. */
static int __init chapoly_init(void)
{
	const struct chapoly_impl *best = &library;
	size_t i, most = 0;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!poly1305_mac_fits())
		return -ENOEXEC;
	for (i = 0; i < ARRAY_SIZE(impls); i++)
		if (!strcmp(impls[i]->tier, poly1305_mac_tier()))
			most = i;
	for (i = 0; i <= most; i++) {
		use_impl(impls[i]);
		if (!test_all(impls[i]->name))
			best = impls[i];
		else if (!i)
			return -EBADMSG;
	}
	use_impl(best);
	return 0;
}

static void __exit chapoly_exit(void)
{
}

module_init(chapoly_init);
module_exit(chapoly_exit);

MODULE_DESCRIPTION("ChaCha20-Poly1305 for packets, with the MAC of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_IMPORT_NS(POLY1305_PACKETS);
