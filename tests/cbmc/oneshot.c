// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly_seal() and chapoly_open() of chapoly.c with the implementation for every CPU, and with
 * any other. Other functions stand in for crypt() and mac_chunks(). With PARTS, the proof is of
 * these two.
 *
 * Byte number any of the text stands for all, byte number zero_any of a block for all that a copy
 * or a fill writes, and byte number secret_any of it for all that must be wiped. Texts are not
 * written, only marked, so C that writes to them itself is seen, too.
 */

#include <linux/string.h>
#include "../../compat.h"
#include "ghost.h"
#include "../../chapoly/chapoly.c"

const struct chapoly_impl chapoly_avx2, chapoly_avx512;

/* The packet */
static u8 *dst;
static const u8 *src, *ad, *key, *nonce;
static size_t len, ad_len, any;
static bool sealing;

static bool copied, ciphered, zeroed;	/* what became of dst[any] */
static bool right;
/*
 * ChaCha20: number of the next block; whether and where a buffer has text byte any, encrypted or
 * not
 */
static u64 next;
static const void *state_of, *tag_of;
static const u8 *buffer_of, *buffer_any;
static bool buffer_ciphered, has_block_0;
static size_t zero_any, secret_any;
static bool buffer_secret, state_secret, tag_secret;
/* The MAC: bytes taken of associated data and of text */
static const void *mac_of;
static size_t ad_taken, taken;
static bool padded, mac_ended, tag_made;

static bool is_text(const void *p)
{
	return dst && SAME(p, dst);
}

/* The buffer of the first bytes */
static bool is_buffer(const void *p)
{
	return !is_text(p) && !(src && SAME(p, src)) &&
	       __CPROVER_OBJECT_SIZE(p) == CHAPOLY_STREAM_SIZE;
}

void *ghost_memset(void *to, int c, size_t n)
{
	NEED(writable(to, n), "memset: writable");
	NEED(!c, "memset: zeros");
	if (is_text(to)) {
		NEED(!sealing && !right && to == dst && n == len,
		     "zeros for the text of a forged packet");
		zeroed = true;
		return to;
	}
	if (holds(to, n, zero_any))
		((u8 *)to)[zero_any - OFFSET(to)] = 0;
	if (is_buffer(to) && holds(to, n, secret_any))
		buffer_secret = false;
	if (to == state_of && n == sizeof(struct chacha_state))
		state_secret = false;
	if (to == tag_of && n == TAG_SIZE)
		tag_secret = false;
	return to;
}

/* Copies of a length that is no constant */
void *ghost_memcpy(void *to, const void *from, size_t n)
{
	NEED(n && writable(to, n) && readable(from, n), "memcpy: readable and writable");
	NEED(apart(to, n, from, n), "memcpy: apart");
	if (is_text(to) && src && SAME(from, src)) {
		NEED(!sealing && to == dst && from == src && n == len, "the ciphertext is copied");
		NEED(!copied, "each byte of ciphertext is read once");
		copied = true;
	} else if (is_text(to)) {
		NEED(is_buffer(from) && OFFSET(to) + n <= len, "text comes from the buffer");
		NEED(sealing || right, "nothing is decrypted before the tag is known to be right");
		if (holds(to, n, any)) {
			NEED(!ciphered, "a byte of text is ciphered once");
			NEED(buffer_ciphered && (const u8 *)from + (any - OFFSET(to)) == buffer_any,
			     "a byte of text comes from its own place in the buffer");
			ciphered = true;
		}
	} else if (is_buffer(to)) {
		NEED(SAME(from, sealing ? src : dst), "the buffer has text");
		if (holds(from, n, any)) {
			buffer_any = (u8 *)to + (any - OFFSET(from));
			buffer_ciphered = false;
		}
	} else {
		NEED(from == ad && n == ad_len, "short associated data are copied");
		if (zero_any < n)
			((u8 *)to)[zero_any] = ad[zero_any];
	}
	return to;
}

/* Also the contract of crypt(), chacha20_crypt() and an implementation's crypt */
static void need_crypt(struct chacha_state *cipher, u8 *to, const u8 *from, size_t n)
{
	NEED(readable(from, n) && writable(to, n), "crypt: readable and writable");
	NEED(to == from || apart(to, n, from, n), "crypt: in place, or apart");
	NEED(!section, "crypt: in no FPU section");
}

void ghost_crypt(struct chacha_state *cipher, u8 *to, const u8 *from, size_t n)
{
	const size_t word = nondet_size();

	need_crypt(cipher, to, from, n);
	if (!state_of) {
		state_of = cipher;
		state_secret = true;
		next = 0;
		GIVEN(word < 8);
		NEED(cipher->x[4 + word] == get_unaligned_le32(key + 4 * word), "the packet's key");
		NEED(cipher->x[12] == 0, "block 0 comes first");
		NEED(word >= 3 || cipher->x[13 + word] == get_unaligned_le32(nonce + 4 * word),
		     "the packet's nonce");
	}
	NEED(cipher == state_of && cipher->x[12] == (u32)next, "the packet's next block");
	if (!n)
		return;
	if (is_text(to)) {
		NEED(next == 1 + OFFSET(to) / 64 && OFFSET(to) % 64 == 0,
		     "text is ciphered with its own keystream");
		NEED(OFFSET(to) + n <= len, "no more than the text is written");
		NEED(sealing ? from == src + OFFSET(to) : from == to, "text stays where it is");
		NEED(sealing || right, "nothing is decrypted before the tag is known to be right");
		if (holds(to, n, any)) {
			NEED(!ciphered, "a byte of text is ciphered once");
			ciphered = true;
		}
	} else {
		NEED(is_buffer(to) && to == from && OFFSET(to) == 0 && next == 0 && n >= 64,
		     "the buffer starts with block 0");
		NEED(zero_any >= 64 || !to[zero_any], "block 0 is zeros before");
		has_block_0 = true;
		buffer_of = to;
		if (buffer_any) {
			NEED(OFFSET(buffer_any) == 64 + any && OFFSET(buffer_any) < n,
			     "text in the buffer is ciphered with its own keystream");
			buffer_ciphered = true;
		}
		/* Ciphertext is not secret. */
		if (secret_any < (sealing ? 64 : n))
			buffer_secret = true;
	}
	next += n / 64 + !!(n % 64);
	cipher->x[12] = next;
}

void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx, const u8 *k, size_t n)
{
	NEED(has_block_0 && k == buffer_of && writable(ctx, sizeof(*ctx)),
	     "the MAC's key is block 0");
	NEED(!mac_of, "one MAC");
	mac_of = ctx;
}

void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data, size_t n)
{
	const u8 *bytes = data;
	const size_t size = __CPROVER_OBJECT_SIZE(data);

	NEED(ctx == mac_of && !mac_ended && readable(data, n), "the MAC has a key, and no tag");
	NEED(!section, "the MAC is in no FPU section");
	if (!n)
		return;
	if (is_text(data)) {
		NEED(ad_taken == ad_len && (padded || !(ad_len % 16)),
		     "associated data and zeros come before text");
		NEED(OFFSET(data) == taken && n <= len - taken, "the MAC takes the text in order");
		NEED(sealing || dst == src || copied, "the MAC takes the copy of the text");
		NEED(!holds(data, n, any) || ciphered == sealing, "the MAC takes ciphertext");
		taken += n;
	} else if (ad && SAME(data, ad)) {
		NEED(!taken && !padded && OFFSET(data) == ad_taken && n <= ad_len - ad_taken,
		     "the MAC takes the associated data in order");
		ad_taken += n;
	} else if (SAME(data, chapoly_zeros)) {
		NEED(ad_taken == ad_len && n == -ad_len % 16 && !taken && !padded, "zeros, once");
		padded = true;
	} else if (size == MAC_BLOCK) {
		NEED(n == 16 && ad_len && ad_len <= 16 && !ad_taken && !taken,
		     "short associated data");
		NEED(zero_any >= 16 || bytes[zero_any] == (zero_any < ad_len ? ad[zero_any] : 0),
		     "associated data, and zeros");
		ad_taken = ad_len;
		padded = true;
	} else {
		NEED(ad_taken == ad_len && (padded || !(ad_len % 16)) && taken == len,
		     "lengths come last");
		NEED(n == 16 + -len % 16, "zeros up to a block, and the lengths");
		NEED(zero_any >= n - 16 || !bytes[zero_any], "zeros up to a block");
		NEED(get_unaligned_le64(bytes + n - 16) == ad_len &&
		     get_unaligned_le64(bytes + n - 8) == len, "both lengths");
		mac_ended = true;
	}
}

void ghost_mac_chunks(struct poly1305_mac_ctx *mac, const u8 *data, size_t n)
{
	if (n)
		poly1305_mac_update(mac, data, n);
}

void poly1305_mac_final(struct poly1305_mac_ctx *ctx, u8 *tag)
{
	NEED(ctx == mac_of && mac_ended && writable(tag, 16), "the MAC's message has ended");
	NEED(!sealing || tag == dst + len, "the tag follows the text");
	tag_made = true;
	if (!sealing) {
		tag_of = tag;
		tag_secret = true;
	}
}

unsigned long crypto_memneq(const void *a, const void *b, size_t size)
{
	NEED(tag_made && a == tag_of && b == src + len && size == 16 && readable(b, 16),
	     "the whole tag is compared with the one received");
	right = nondet_bool();
	return !right;
}

/* Another implementation, which glue.c proves */
static void other_seal(u8 *to, const u8 *from, size_t n, const u8 *a, size_t a_len, const u8 *iv,
		       const u8 *k)
{
	NEED(simd_usable && !section && n <= best_seal_max, "seal: SIMD is usable, length");
	NEED(to == dst && from == src && n == len && a == ad && a_len == ad_len && iv == nonce &&
	     k == key, "seal: the packet");
	ciphered = true;
	tag_made = true;
}

static int other_open(u8 *text, size_t n, const u8 *received, const u8 *a, size_t a_len,
		      const u8 *iv, const u8 *k)
{
	NEED(simd_usable && !section && n <= best_open_max, "open: SIMD is usable, length");
	NEED(text == dst && received == src + len && n == len && a == ad && a_len == ad_len &&
	     iv == nonce && k == key, "open: the packet");
	NEED(!len || dst == src || copied, "open: the copy of the text");
	right = nondet_bool();
	ciphered = right;
	return right ? 0 : -EBADMSG;
}

#ifdef PARTS
static void *part_of;
static size_t done;

/* What crypt() and mac_chunks() call: consecutive parts */
static void part(size_t at, size_t n, size_t most)
{
	NEED(at == done && n && n <= len - done && n <= most, "parts in order");
	NEED(n % 64 == 0 || n == len - done, "whole blocks, but at the end");
	done += n;
}

void chacha20_crypt(struct chacha_state *cipher, u8 *to, const u8 *from, unsigned int n)
{
	need_crypt(cipher, to, from, n);
	NEED(cipher == part_of && SAME(to, dst) && from == src + OFFSET(to),
	     "text stays where it is");
	part(OFFSET(to), n, CHAPOLY_CHUNK);
}

static void other_crypt(struct chacha_state *cipher, u8 *to, const u8 *from, size_t n)
{
	NEED(simd_usable, "crypt: SIMD is usable");
	chacha20_crypt(cipher, to, from, n);
}

void ghost_update(struct poly1305_mac_ctx *ctx, const void *data, size_t n)
{
	NEED(ctx == part_of && SAME(data, src) && readable(data, n), "update: readable");
	part(OFFSET(data), n, MAC_CHUNK);
}
#endif

int main(void)
{
	u8 key_bytes[CHAPOLY_KEY_SIZE], nonce_bytes[CHAPOLY_NONCE_SIZE];
	struct chapoly_impl other = { .seal_max = nondet_size(), .open_max = nondet_size() };
	const size_t touched = nondet_size();
	u8 before = 0;
	int result = 0;

	section = false;
	copied = false;
	ciphered = false;
	zeroed = false;
	right = false;
	buffer_ciphered = false;
	has_block_0 = false;
	padded = false;
	mac_ended = false;
	tag_made = false;
	buffer_secret = false;
	state_secret = false;
	tag_secret = false;
	state_of = NULL;
	tag_of = NULL;
	mac_of = NULL;
	buffer_of = NULL;
	buffer_any = NULL;
	ad_taken = 0;
	taken = 0;
	next = 0;
	len = nondet_size();
	ad_len = nondet_size();
	any = nondet_size();
	zero_any = nondet_size();
	secret_any = nondet_size();
	key = key_bytes;
	nonce = nonce_bytes;
	/* chapoly_core.h: 0, or CHAPOLY_CHUNK or more; opening is for texts that sealing is for */
	GIVEN(!other.seal_max ? !other.open_max : other.seal_max >= CHAPOLY_CHUNK);
	best_seal_max = other.seal_max;
	best_open_max = other.open_max;
	static_call_update(chapoly_best_seal, other_seal);
	static_call_update(chapoly_best_open, other_open);
	GIVEN(len <= TEXT_MAX && ad_len <= 1UL << 40);
	GIVEN(len ? any < len && touched < len : any == SIZE_MAX && touched == SIZE_MAX);
	GIVEN(zero_any < CHAPOLY_STREAM_SIZE && secret_any < CHAPOLY_STREAM_SIZE);
	ad = any_bytes(ad_len);
#ifdef PARTS
	part_of = malloc(sizeof(struct poly1305_mac_ctx));
	dst = any_bytes(len);
	src = nondet_bool() ? dst : any_bytes(len);
	done = 0;
	GIVEN(part_of);
	static_call_update(chapoly_best_crypt, other_crypt);
#ifdef MAC
	mac_chunks(part_of, src, len);
#else
	crypt(part_of, dst, src, len);
#endif
	NEED(done == len, "all of the text");
	return 0;
#elif defined(SEAL)
	sealing = true;
	dst = malloc(len + TAG_SIZE);
	src = nondet_bool() ? dst : any_bytes(len);
#else
	sealing = false;
	src = malloc(len + TAG_SIZE);
	dst = nondet_bool() ? (u8 *)src : any_bytes(len);
	GIVEN(src);
#endif
	GIVEN(dst || !len);
	if (len)
		before = dst[touched];
#ifdef SEAL
	GIVEN(dst);
	chapoly_seal(dst, src, len, ad, ad_len, nonce, key);
	NEED(tag_made, "the packet has its tag");
#else
	result = chapoly_open(dst, src, len, ad, ad_len, nonce, key);
	NEED(result == (right ? 0 : -EBADMSG), "the result is that of the tags");
	NEED(right || !len || (!ciphered && zeroed == (dst != src)),
	     "a forged packet leaves zeros, or is as it was in place");
	NEED(!right || !zeroed, "a packet that is right is not zeroed");
#endif
	NEED(!len || result || ciphered, "all of the text is ciphered");
	NEED(!len || dst[touched] == before, "C itself writes no text");
	NEED(!buffer_secret && !state_secret && !tag_secret,
	     "all that is secret is wiped");
	return 0;
}
