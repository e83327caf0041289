// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ChaCha20-Poly1305 (RFC 8439) with the MAC of poly1305.ko. ChaCha20 is our own on CPUs for which
 * there is one, arch/x86/chapoly-NAME.S, and otherwise that of the kernel's library. chapoly.h says
 * what the exported functions do.
 *
 * Block 0 of the keystream holds the MAC's key, and the text begins at block 1. The message of
 * the MAC is
 *
 *	associated data, zeros, ciphertext, zeros, both lengths,
 *
 * each part a multiple of 16 bytes long.
 *
 *  - With AVX2, a packet in one piece is encrypted or decrypted in strides of 512 bytes,
 *    interleaved with the MAC.
 *  - Any other short packet is encrypted into a buffer on the stack, behind block 0, and the MAC's
 *    message is built around it, for one call.
 *  - Of any other longer packet the MAC takes the text where it is. Before the tag is known to be
 *    right, only the beginning is decrypted, as it comes with block 0 at no cost.
 *  - A packet in pieces is encrypted and authenticated piece by piece.
 *
 * This file has more than 500 lines, so that the format of a packet is in one place: these ways,
 * which share their static functions, and the test that compares them.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <crypto/chacha.h>
#include <crypto/internal/simd.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "chapoly.h"
#include "chapoly_vectors.h"
#include "poly1305_core.h"

#define MAC_BLOCK	POLY1305_MAC_BLOCK_SIZE
#define MAC_KEY		POLY1305_MAC_KEY_SIZE
#define TAG_SIZE	CHAPOLY_TAG_SIZE
#define KEY_WORDS	(CHAPOLY_KEY_SIZE / sizeof(u32))

/* The most text of a short packet, and its most associated data */
#define SHORT_MAX	(CHAPOLY_STREAM_SIZE - CHACHA_BLOCK_SIZE)
#define SHORT_AD_MAX	(CHACHA_BLOCK_SIZE - MAC_KEY)

/* More text than this is taken in parts: ChaCha20's length is an unsigned int. */
#define PART		16384

/*
 * Most bytes of an update of the MAC that takes up to 200 bytes of stack. In longer ones SSE2 and
 * AVX2 compute a table of powers, and take up to 2.7 KiB.
 */
#define MAC_PART	3072

/*
 * The most text that AVX-512 decrypts with block 0. Both take one pass; two passes cost 45% more at
 * 1420 bytes (Zen 5, 26 November 2026).
 */
#define FIRST_MAX	(23 * CHACHA_BLOCK_SIZE)

/* The blocks that a counter of 32 bits can number, without block 0 */
#define TEXT_MAX	((u64)U32_MAX * CHACHA_BLOCK_SIZE)

/* Block 0, the text of a short packet, zeros and both lengths */
#define ROOM		(CHAPOLY_STREAM_SIZE + 2 * MAC_BLOCK)

static const u8 zeros[CHAPOLY_STREAM_SIZE];

/* Block 0 comes first. */
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

/* Write both lengths behind the zeros that pad the text. Returns the end. */
static u8 *put_lengths(u8 *text_end, u64 ad_len, u64 len)
{
	u8 *at = text_end + -len % MAC_BLOCK;

	memset(text_end, 0, MAC_BLOCK);
	put_unaligned_le64(ad_len, at);
	put_unaligned_le64(len, at + 8);
	return at + MAC_BLOCK;
}

/* The ChaCha20 that is in use. AVX2's is interleaved with the MAC, if a packet is one piece. */
enum code { LIBRARY, AVX2, AVX512 };

/* Compare the tag of a packet with the tag received, and wipe the former. */
static bool is_right(u8 tag[TAG_SIZE], const u8 *received)
{
	const bool right = !crypto_memneq(tag, received, TAG_SIZE);

	memzero_explicit(tag, TAG_SIZE);
	return right;
}

/* memcpy() for a pointer that may be NULL if there are no bytes */
static void copy(u8 *dst, const u8 *src, size_t n)
{
	if (n)
		memcpy(dst, src, n);
}

#ifdef CONFIG_X86_64
#include "arch/x86/chapoly-x86.h"
#else
#define code	LIBRARY
static bool crypt_simd(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len, u8 *key,
		       bool with_key)
{
	return false;
}

#define seal_fused	seal_apart
#define open_fused	open_apart
#endif

static void crypt(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len)
{
	size_t n;

	for (; len; dst += n, src += n, len -= n) {
		n = min_t(size_t, len, PART);
		if (!crypt_simd(cipher, dst, src, n, dst, false))
			chacha20_crypt(cipher, dst, src, n);
	}
}

/* The first half of block 0 to room, and behind that block the text, encrypted or decrypted */
static void crypt_room(struct chacha_state *cipher, u8 *room, const u8 *src, size_t len)
{
	u8 *text = room + CHACHA_BLOCK_SIZE;

	/* Plain C makes a single block faster. */
	if (len && crypt_simd(cipher, text, src, len, room, true))
		return;
	memset(room, 0, CHACHA_BLOCK_SIZE);
	copy(text, src, len);
	chacha20_crypt(cipher, room, room, CHACHA_BLOCK_SIZE + len);
}

/*
 * How much text to encrypt with block 0, so that the rest of a packet takes as few calls of the
 * library as possible: what exceeds a multiple of CHAPOLY_STREAM_SIZE. Not inlined, because gcc
 * would make a slow instruction of each copy whose limit it knows.
 */
static noinline size_t first_text(u64 len)
{
	const size_t n = (CHACHA_BLOCK_SIZE + len - 1) % CHAPOLY_STREAM_SIZE + 1;

	return min_t(u64, len, round_up(n, CHACHA_BLOCK_SIZE) - CHACHA_BLOCK_SIZE);
}

/*
 * The tag of a short packet, whose ciphertext stands behind block 0. The associated data
 * replace the second half of that block; the key may be its first half.
 */
static void tag_of_room(const u8 *key, u8 *room, size_t len, const u8 *ad, size_t ad_len,
			u8 tag[TAG_SIZE])
{
	u8 *text = room + CHACHA_BLOCK_SIZE, *begin = text;

	if (ad_len) {
		begin -= round_up(ad_len, MAC_BLOCK);
		memset(text - SHORT_AD_MAX, 0, SHORT_AD_MAX);
		memcpy(begin, ad, ad_len);
	}
	poly1305_mac_digest(key, begin, put_lengths(text + len, ad_len, len) - begin, tag);
}

static void mac_parts(struct poly1305_mac_ctx *mac, const u8 *data, size_t len)
{
	size_t n;

	for (; len; data += n, len -= n) {
		n = min_t(size_t, len, MAC_PART);
		poly1305_mac_update(mac, data, n);
	}
}

/*
 * Longer updates of text save time, unless ChaCha20 is the library's. Then the MAC's vectors are
 * those of SSE2, which take the most stack to save 1 to 6% of 9000 bytes (Zen 5, Zen 3).
 */
static void mac_text(struct poly1305_mac_ctx *mac, const u8 *text, size_t len)
{
	if (code == LIBRARY)
		mac_parts(mac, text, len);
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
		mac_parts(mac, ad, ad_len);
		poly1305_mac_update(mac, zeros, -ad_len % MAC_BLOCK);
	}
}

/* The end of the MAC's message: zeros behind the text, and both lengths */
static void mac_end(struct poly1305_mac_ctx *mac, u64 ad_len, u64 len)
{
	const size_t pad = -len % MAC_BLOCK;
	u8 end[2 * MAC_BLOCK] = { 0 };

	put_unaligned_le64(ad_len, end + MAC_BLOCK);
	put_unaligned_le64(len, end + MAC_BLOCK + 8);
	poly1305_mac_update(mac, end + MAC_BLOCK - pad, pad + MAC_BLOCK);
}

/* The tag of a packet whose ciphertext lies in one piece */
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

static noinline_for_stack void seal_short(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					  size_t ad_len, struct chacha_state *cipher)
{
	u8 room[ROOM], *text = room + CHACHA_BLOCK_SIZE;

	crypt_room(cipher, room, src, len);
	tag_of_room(room, room, len, ad, ad_len, text + len);
	memcpy(dst, text, len + TAG_SIZE);
	memzero_explicit(room, CHACHA_BLOCK_SIZE);
}

static noinline_for_stack void seal_long(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					 size_t ad_len, struct chacha_state *cipher)
{
	u8 room[CHAPOLY_STREAM_SIZE];
	size_t n = min_t(size_t, len, PART);

	if (!crypt_simd(cipher, dst, src, n, room, true)) {
		n = first_text(len);
		crypt_room(cipher, room, src, n);
		copy(dst, room + CHACHA_BLOCK_SIZE, n);
	}
	crypt(cipher, dst + n, src + n, len - n);
	if (ad_len || len % MAC_BLOCK || (code == LIBRARY && len > MAC_PART)) {
		tag_of_text(room, dst, len, ad, ad_len, dst + len);
	} else {
		/* The lengths stand where the tag will be: all is one piece. */
		put_lengths(dst + len, 0, len);
		poly1305_mac_digest(room, dst, len + MAC_BLOCK, dst + len);
	}
	memzero_explicit(room, CHACHA_BLOCK_SIZE);
}

static bool is_short(size_t len, size_t ad_len)
{
	return len <= SHORT_MAX && ad_len <= SHORT_AD_MAX;
}

/* Whether seal_fused() or open_fused() takes a packet: plain C makes a single block faster. */
static bool is_fused(size_t len, size_t ad_len)
{
	return code == AVX2 && (len || ad_len > SHORT_AD_MAX) && crypto_simd_usable();
}

static noinline_for_stack void seal_apart(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					  size_t ad_len, const u8 *nonce, const u8 *key)
{
	struct chacha_state cipher;

	cipher_begin(&cipher, nonce, key);
	if (is_short(len, ad_len))
		seal_short(dst, src, len, ad, ad_len, &cipher);
	else
		seal_long(dst, src, len, ad, ad_len, &cipher);
	memzero_explicit(&cipher, sizeof(cipher));
}

void chapoly_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		  const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE])
{
	if (is_fused(len, ad_len))
		seal_fused(dst, src, len, ad, ad_len, nonce, key);
	else
		seal_apart(dst, src, len, ad, ad_len, nonce, key);
}
EXPORT_SYMBOL_GPL(chapoly_seal);

static noinline_for_stack bool open_short(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					  size_t ad_len, struct chacha_state *cipher)
{
	u8 in[ROOM], out[CHAPOLY_STREAM_SIZE], tag[TAG_SIZE];
	bool right;

	crypt_room(cipher, out, src, len);
	memcpy(in + CHACHA_BLOCK_SIZE, src, len);
	tag_of_room(out, in, len, ad, ad_len, tag);
	right = is_right(tag, src + len);
	if (right)
		copy(dst, out + CHACHA_BLOCK_SIZE, len);
	memzero_explicit(out, CHACHA_BLOCK_SIZE + len);
	return right;
}

static noinline_for_stack bool open_long(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					 size_t ad_len, struct chacha_state *cipher)
{
	u8 room[CHAPOLY_STREAM_SIZE], tag[TAG_SIZE];
	const size_t first = first_text(len);
	bool right;

	crypt_room(cipher, room, src, first);
	tag_of_text(room, src, len, ad, ad_len, tag);
	right = is_right(tag, src + len);
	if (right) {
		copy(dst, room + CHACHA_BLOCK_SIZE, first);
		crypt(cipher, dst + first, src + first, len - first);
	}
	memzero_explicit(room, CHACHA_BLOCK_SIZE + first);
	return right;
}

/*
 * Begin the MAC of a packet, and decrypt the beginning of its text when the MAC has taken it.
 * Returns its length. The MAC of the rest takes 1 KiB of the stack, so the buffer must be gone by
 * then.
 */
static noinline_for_stack size_t open_first(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					    size_t ad_len, struct chacha_state *cipher,
					    struct poly1305_mac_ctx *mac)
{
	const size_t n = min_t(size_t, len, FIRST_MAX);
	u8 key[MAC_KEY], text[FIRST_MAX];

	crypt_simd(cipher, text, src, n, key, true);
	poly1305_mac_init_hint(mac, key, ad_len + len);
	mac_ad(mac, ad, ad_len);
	poly1305_mac_update(mac, src, n);
	memcpy(dst, text, n);
	memzero_explicit(key, sizeof(key));
	memzero_explicit(text, n);
	return n;
}

static noinline_for_stack bool open_avx512(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					   size_t ad_len, struct chacha_state *cipher)
{
	struct poly1305_mac_ctx mac;
	u8 tag[TAG_SIZE];
	bool right;
	size_t n;

	n = open_first(dst, src, len, ad, ad_len, cipher, &mac);
	poly1305_mac_update(&mac, src + n, len - n);
	mac_end(&mac, ad_len, len);
	poly1305_mac_final(&mac, tag);
	right = is_right(tag, src + len);
	if (right)
		crypt(cipher, dst + n, src + n, len - n);
	else
		memset(dst, 0, len);
	return right;
}

static noinline_for_stack int open_apart(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					 size_t ad_len, const u8 *nonce, const u8 *key)
{
	struct chacha_state cipher;
	bool right;

	cipher_begin(&cipher, nonce, key);
	if (is_short(len, ad_len))
		right = open_short(dst, src, len, ad, ad_len, &cipher);
	else if (code == AVX512 && len > SHORT_MAX && crypto_simd_usable())
		right = open_avx512(dst, src, len, ad, ad_len, &cipher);
	else
		right = open_long(dst, src, len, ad, ad_len, &cipher);
	memzero_explicit(&cipher, sizeof(cipher));
	return right ? 0 : -EBADMSG;
}

int chapoly_open(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		 const u8 nonce[CHAPOLY_NONCE_SIZE], const u8 key[CHAPOLY_KEY_SIZE])
{
	if (is_fused(len, ad_len))
		return open_fused(dst, src, len, ad, ad_len, nonce, key);
	return open_apart(dst, src, len, ad, ad_len, nonce, key);
}
EXPORT_SYMBOL_GPL(chapoly_open);

static struct chacha_state *cipher_of(struct chapoly_pieces *p)
{
	BUILD_BUG_ON(sizeof(p->cipher) != sizeof(struct chacha_state));
	return (struct chacha_state *)p->cipher;
}

/* A wiped packet has made == 0 and left == 0, so it takes no more text and has no tag. */
static void pieces_wipe(struct chapoly_pieces *p)
{
	memzero_explicit(p, sizeof(*p));
}

void chapoly_begin(struct chapoly_pieces *p, u64 len, const u8 nonce[CHAPOLY_NONCE_SIZE],
		   const u8 key[CHAPOLY_KEY_SIZE], bool seal)
{
	if (len > TEXT_MAX) {
		pieces_wipe(p);
		return;
	}
	cipher_begin(cipher_of(p), nonce, key);
	p->seal = seal;
	p->ad_len = 0;
	p->len = 0;
	p->left = len;
	p->used = CHACHA_BLOCK_SIZE;
	p->made = CHACHA_BLOCK_SIZE + round_up(first_text(len), CHACHA_BLOCK_SIZE);
	memset(p->stream, 0, p->made);
	crypt(cipher_of(p), p->stream, p->stream, p->made);
	poly1305_mac_init_hint(&p->mac, p->stream, len);
}
EXPORT_SYMBOL_GPL(chapoly_begin);

void chapoly_ad(struct chapoly_pieces *p, const u8 *ad, size_t n)
{
	if (n && p->len)
		pieces_wipe(p);
	if (!p->made)
		return;
	mac_parts(&p->mac, ad, n);
	p->ad_len += n;
}
EXPORT_SYMBOL_GPL(chapoly_ad);

/*
 * Whole blocks need no copy of the keystream. The stream serves where a piece ends within a
 * block, and there for what follows. As n is at most p->left, each turn makes progress.
 */
static void crypt_piece(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n)
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
		poly1305_mac_update(&p->mac, zeros, -p->ad_len % MAC_BLOCK);
}

void chapoly_text(struct chapoly_pieces *p, u8 *dst, const u8 *src, size_t n)
{
	size_t part;

	if (n > p->left) {
		pieces_wipe(p);
		memset(dst, 0, n);
		return;
	}
	for (; n; dst += part, src += part, n -= part) {
		part = min_t(size_t, n, PART);
		pad_ad(p);
		p->len += part;
		if (!p->seal)
			mac_text(&p->mac, src, part);
		crypt_piece(p, dst, src, part);
		if (p->seal)
			mac_text(&p->mac, dst, part);
	}
}
EXPORT_SYMBOL_GPL(chapoly_text);

static int pieces_end(struct chapoly_pieces *p, bool seal, u8 tag[TAG_SIZE])
{
	const bool whole = p->made && !p->left && p->seal == seal;

	if (whole) {
		pad_ad(p);
		mac_end(&p->mac, p->ad_len, p->len);
		poly1305_mac_final(&p->mac, tag);
	} else {
		memset(tag, 0, TAG_SIZE);
	}
	pieces_wipe(p);
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
	return is_right(expected, tag) ? 0 : -EBADMSG;
}
EXPORT_SYMBOL_GPL(chapoly_verify);

const u32 chapoly_abi = POLY1305_ABI(struct chapoly_pieces);
EXPORT_SYMBOL_GPL(chapoly_abi);

/* The self-test: each vector in one piece, in place, in pieces, and forged */

static u8 test_ad[CHAPOLY_TEST_MAX] __initdata;
static u8 test_plain[CHAPOLY_TEST_MAX] __initdata;
static u8 test_sealed[CHAPOLY_TEST_MAX + TAG_SIZE] __initdata;
static u8 test_out[CHAPOLY_TEST_MAX + TAG_SIZE] __initdata;
static struct chapoly_pieces test_pieces __initdata;

/* Seal or open in place, in pieces of lengths that fit no block size. */
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

/* Returns NULL if all is right, else the name of the fault. */
static const char * __init test_vector(const struct chapoly_testvec *vec)
{
	const size_t len = vec->len, all = len + TAG_SIZE;
	u8 tag[TAG_SIZE], left = 0;
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
	for (i = 0; i < len; i++)
		left |= test_out[i];
	if (left && memcmp(test_out, test_sealed, len))
		return "a forged packet is decrypted";
	return NULL;
}

static int __init test_all(const char *how)
{
	const char *wrong;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(chapoly_testvecs); i++) {
		wrong = test_vector(&chapoly_testvecs[i]);
		if (wrong) {
			pr_err("self-test %s failed: %s, %u and %u bytes\n", how, wrong,
			       chapoly_testvecs[i].ad_len, chapoly_testvecs[i].len);
			return -EBADMSG;
		}
	}
	return 0;
}

/* If our own ChaCha20, which goes with the best tier, is wrong, the library's is used. */
static int __init chapoly_init(void)
{
	int err;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!poly1305_mac_fits())
		return -ENOEXEC;
	err = test_all("with the library's ChaCha20");
#ifdef CONFIG_X86_64
	chapoly_use(poly1305_mac_tier());
	if (!err && code != LIBRARY && test_all("with our own"))
		code = LIBRARY;
#endif
	return err;
}

static void __exit chapoly_exit(void)
{
}

module_init(chapoly_init);
module_exit(chapoly_exit);

MODULE_DESCRIPTION("ChaCha20-Poly1305 for packets, with the MAC of poly1305.ko");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
