/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 and ChaCha20-Poly1305 on x86-64: the functions of chapoly-avx512.S and chapoly-avx2.S,
 * and the path of a packet through AVX2's. Included by chapoly_core.c alone.
 */

#ifndef CHAPOLY_X86_H
#define CHAPOLY_X86_H

#include <asm/simd.h>
#include <linux/cache.h>

#include "poly1305-fpu.h"
#include "poly1305-offsets.h"

/* arch/x86/chapoly-avx512.S */
void chacha20_avx512(const u32 state[16], u8 *dst, const u8 *src, size_t len,
		     u8 key[MAC_KEY], bool with_key);

/* arch/x86/chapoly-avx2.S: what its functions work on, and keep between calls */
struct chapoly_avx2 {
	u32 state[16];			/* of block 0 */
	u32 numbers[8];			/* of the next blocks */
	u8 spilled[32];
	u64 h[3], key[4];		/* r and s */
	u64 q1, s0;			/* 5 r[1] / 4, 5 r[0] */
	u8 stream[CHAPOLY_STREAM_SIZE] __aligned(32);
} __aligned(32);

static_assert(offsetof(struct chapoly_avx2, state) == FRAME_STATE);
static_assert(offsetof(struct chapoly_avx2, numbers) == FRAME_NUMBERS);
static_assert(offsetof(struct chapoly_avx2, spilled) == FRAME_WORD);
static_assert(offsetof(struct chapoly_avx2, h) == FRAME_H);
static_assert(offsetof(struct chapoly_avx2, key) == FRAME_R);
static_assert(offsetof(struct chapoly_avx2, q1) == FRAME_Q1);
static_assert(offsetof(struct chapoly_avx2, s0) == FRAME_S0);
static_assert(offsetof(struct chapoly_avx2, stream) == FRAME_STREAM);
static_assert(__alignof__(struct chapoly_avx2) == 32);

void chapoly_avx2_begin(struct chapoly_avx2 *frame, const u8 key[CHAPOLY_KEY_SIZE],
			const u8 nonce[CHAPOLY_NONCE_SIZE], u32 first, u32 second);
void chapoly_avx2_strides(struct chapoly_avx2 *frame, u8 *dst, const u8 *src, size_t strides,
			  const u8 *mac, size_t mac_blocks);
void chapoly_avx2_key(struct chapoly_avx2 *frame, u8 *dst, const u8 *src);
void chapoly_avx2_rows(struct chapoly_avx2 *frame, size_t blocks);
void chapoly_avx2_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len);
void chapoly_mulx(struct chapoly_avx2 *frame, const u8 *data, size_t blocks, const u8 *end,
		  size_t end_blocks, u8 *tag);

static enum code code __ro_after_init;

/* The keystream of the next blocks */
static void avx2_stream(struct chapoly_avx2 *f, size_t blocks)
{
	if (blocks <= 6)
		chapoly_avx2_rows(f, blocks);
	else
		chapoly_avx2_strides(f, f->stream, zeros, 1, zeros, 0);
}

/*
 * Wipe the keys, and the stream of this number of blocks. It is rounded up, because the rows of two
 * blocks are always written together.
 */
static void avx2_wipe(struct chapoly_avx2 *f, size_t blocks)
{
	memzero_explicit(f, offsetof(struct chapoly_avx2, stream) +
			    round_up(blocks, 2) * CHACHA_BLOCK_SIZE);
}

/* ChaCha20 of a piece, not interleaved with the MAC */
static noinline_for_stack void crypt_avx2(const struct chacha_state *cipher, u8 *dst,
					  const u8 *src, size_t len)
{
	const size_t strides = len / CHAPOLY_STREAM_SIZE, last = len % CHAPOLY_STREAM_SIZE;
	struct chapoly_avx2 f __uninitialized;

	chapoly_avx2_begin(&f, (u8 *)(cipher->x + 4), (u8 *)(cipher->x + 13), cipher->x[12],
			   cipher->x[12] + 1);
	if (strides)
		chapoly_avx2_strides(&f, dst, src, strides, zeros, 0);
	if (last) {
		avx2_stream(&f, DIV_ROUND_UP(last, CHACHA_BLOCK_SIZE));
		chapoly_avx2_xor(dst + len - last, src + len - last, f.stream, last);
	}
	memzero_explicit(&f, sizeof(f));
}

/*
 * Our own ChaCha20, if it may be used here and now; len is at most PART. With with_key, block 0
 * comes before the text, and its first half goes to key; otherwise key is not used. AVX2 makes
 * block 0 only for packets in one piece.
 */
static __always_inline bool crypt_simd(struct chacha_state *cipher, u8 *dst, const u8 *src,
				       size_t len, u8 *key, bool with_key)
{
	if (code == LIBRARY || (code == AVX2 && with_key) || !crypto_simd_usable())
		return false;
	poly1305_fpu_begin();
	if (code == AVX512)
		chacha20_avx512(cipher->x, dst, src, len, key, with_key);
	else
		crypt_avx2(cipher, dst, src, len);
	poly1305_fpu_end();
	cipher->x[12] += with_key + DIV_ROUND_UP(len, CHACHA_BLOCK_SIZE);
	return true;
}

void chapoly_use(const char *tier)
{
	if (!strcmp(tier, "poly1305-avx512"))
		code = AVX512;
	else if (!strcmp(tier, "poly1305-avx2"))
		code = AVX2;
	else
		code = LIBRARY;
}

/* The most strides in one FPU section, so that with the text around them it has at most PART */
#define STRIDES_MAX	(PART / CHAPOLY_STREAM_SIZE - 2)

/*
 * Make the MAC's key of the first half of block 0, and take the associated data. The kernel cannot
 * preempt an FPU section, so long ones are taken outside.
 */
static void fused_begin(struct chapoly_avx2 *f, const u8 *ad, size_t ad_len)
{
	const size_t rest = ad_len % MAC_BLOCK;
	u8 block[MAC_BLOCK] = { 0 };

	f->key[0] &= 0x0ffffffc0fffffffULL;
	f->key[1] &= 0x0ffffffc0ffffffcULL;
	f->q1 = f->key[1] + f->key[1] / 4;
	f->s0 = f->key[0] * 5;
	memset(f->h, 0, sizeof(f->h));
	if (ad_len > SHORT_AD_MAX)
		poly1305_fpu_end();
	if (ad_len) {
		memcpy(block, ad + ad_len - rest, rest);
		chapoly_mulx(f, ad, ad_len / MAC_BLOCK, block, !!rest, f->spilled);
	}
	if (ad_len > SHORT_AD_MAX)
		poly1305_fpu_begin();
}

/*
 * As many strides as one FPU section may have, interleaved with the MAC of as many bytes at mac.
 * Returns their length in bytes.
 */
static size_t fused_strides(struct chapoly_avx2 *f, u8 *dst, const u8 *src, size_t len,
			    const u8 *mac)
{
	const size_t n = min_t(size_t, len / CHAPOLY_STREAM_SIZE, STRIDES_MAX);

	chapoly_avx2_strides(f, dst, src, n, mac, CHAPOLY_STREAM_SIZE / MAC_BLOCK);
	if (n == STRIDES_MAX) {
		poly1305_fpu_end();
		poly1305_fpu_begin();
	}
	return n * CHAPOLY_STREAM_SIZE;
}

/* The last n bytes of ciphertext, and both lengths */
static void fused_tag(struct chapoly_avx2 *f, const u8 *text, size_t n, size_t ad_len, size_t len,
		      u8 tag[TAG_SIZE])
{
	const size_t rest = n % MAC_BLOCK;
	u8 *end = f->spilled;

	copy(end, text + n - rest, rest);
	put_lengths(end + rest, ad_len, len);
	chapoly_mulx(f, text, n / MAC_BLOCK, end, 1 + !!rest, tag);
}

/*
 * Block 0 and up to 7 blocks of text come first, or, if that spares a stride, 8 blocks of text with
 * block 0 interleaved. Then the MAC of each stride is interleaved with the next stride.
 */
static noinline_for_stack void seal_fused(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					  size_t ad_len, const u8 *nonce, const u8 *key)
{
	const bool spare = len > SHORT_MAX && (len - 1) % CHAPOLY_STREAM_SIZE >= SHORT_MAX;
	size_t next = spare ? CHAPOLY_STREAM_SIZE : SHORT_MAX, mac = 0, n;
	size_t done = min_t(size_t, len, next);
	const size_t blocks = !spare + DIV_ROUND_UP(done, CHACHA_BLOCK_SIZE);
	struct chapoly_avx2 f __uninitialized;

	poly1305_fpu_begin();
	chapoly_avx2_begin(&f, key, nonce, spare, spare + 1);
	if (spare) {
		chapoly_avx2_key(&f, f.stream, zeros);
	} else {
		avx2_stream(&f, blocks);
		memcpy(f.key, f.stream, MAC_KEY);
	}
	fused_begin(&f, ad, ad_len);
	chapoly_avx2_xor(dst, src, f.stream + CHAPOLY_STREAM_SIZE - next, done);
	if (len - done >= CHAPOLY_STREAM_SIZE) {
		chapoly_avx2_strides(&f, dst + done, src + done, 1, dst, next / MAC_BLOCK);
		done += CHAPOLY_STREAM_SIZE;
		mac = next;
		next = CHAPOLY_STREAM_SIZE;
	}
	for (; len - done >= CHAPOLY_STREAM_SIZE; done += n, mac += n)
		n = fused_strides(&f, dst + done, src + done, len - done, dst + mac);
	if (len > done) {
		chapoly_avx2_strides(&f, f.stream, zeros, 1, dst + mac, next / MAC_BLOCK);
		chapoly_avx2_xor(dst + done, src + done, f.stream, len - done);
		mac += next;
	}
	fused_tag(&f, dst + mac, len - mac, ad_len, len, dst + len);
	poly1305_fpu_end();
	avx2_wipe(&f, blocks);
}

/*
 * Decryption of each stride is interleaved with its own MAC. The bytes behind the last stride are
 * decrypted when the tag is known. Their keystream is made with block 0 if 7 blocks suffice, and
 * otherwise interleaved with the MAC.
 */
static noinline_for_stack int open_fused(u8 *dst, const u8 *src, size_t len, const u8 *ad,
					 size_t ad_len, const u8 *nonce, const u8 *key)
{
	const size_t last = len % CHAPOLY_STREAM_SIZE, whole = len - last;
	const bool with_key = last <= SHORT_MAX;
	const size_t blocks = 1 + DIV_ROUND_UP(last, CHACHA_BLOCK_SIZE);
	struct chapoly_avx2 f __uninitialized;
	size_t done = 0, mac;
	u8 tag[TAG_SIZE];
	bool right;

	poly1305_fpu_begin();
	chapoly_avx2_begin(&f, key, nonce, 0, 1 + whole / CHACHA_BLOCK_SIZE);
	avx2_stream(&f, with_key ? blocks : 1);
	memcpy(f.key, f.stream, MAC_KEY);
	fused_begin(&f, ad, ad_len);
	chapoly_avx2_begin(&f, key, nonce, 1, 2);
	while (done < whole)
		done += fused_strides(&f, dst + done, src + done, whole - done, src + done);
	mac = done;
	if (!with_key) {
		mac += round_down(last, MAC_BLOCK);
		chapoly_avx2_strides(&f, f.stream, zeros, 1, src + done, last / MAC_BLOCK);
	}
	fused_tag(&f, src + mac, len - mac, ad_len, len, tag);
	right = is_right(tag, src + len);
	if (right)
		chapoly_avx2_xor(dst + done, src + done,
				 f.stream + with_key * CHACHA_BLOCK_SIZE, last);
	poly1305_fpu_end();
	if (!right && whole)
		memset(dst, 0, len);
	avx2_wipe(&f, with_key ? blocks : ARRAY_SIZE(f.numbers));
	return right ? 0 : -EBADMSG;
}

#endif /* CHAPOLY_X86_H */
