// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Packets with AVX2 and BMI2: ChaCha20 in vectors, interleaved with the MAC in general registers.
 *
 * A stride is 512 bytes of text, 8 blocks. Interleaved with the first stride, general registers
 * compute block 0, which gives the MAC's key. Afterwards they compute the MAC of ciphertext that
 * sealing has written, or that opening decrypts if the tag is right.
 */

#include "chapoly-x86.h"

#define STRIDE		CHAPOLY_STREAM_SIZE
#define MAC_BLOCK	POLY1305_MAC_BLOCK_SIZE

/* The most keystream that chapoly_avx2_rows() computes. More takes a stride in columns. */
#define ROWS_MAX	(6 * CHACHA_BLOCK_SIZE)

/* The double rounds of a stride that come with the MAC of as much text, 4 blocks each */
#define STRIDE_ROUNDS	(STRIDE / (4 * MAC_BLOCK))

/* The frame of chapoly-avx2.S, which keeps it between calls */
struct chapoly_avx2 {
	struct chapoly_blocks blocks;
	u32 word[8];			/* word 9 of 8 blocks */
	struct poly1305_packet mac;
	u8 stream[STRIDE] __aligned(32);
} __aligned(32);

static_assert(offsetof(struct chapoly_avx2, blocks) == 0);
static_assert(offsetof(struct chapoly_avx2, word) == FRAME_WORD);
static_assert(offsetof(struct chapoly_avx2, mac) == FRAME_H - MAC_H);
static_assert(offsetof(struct chapoly_avx2, stream) == FRAME_STREAM);

/*
 * Compute the MAC's key, and the keystream from block number on for len bytes of text, at most a
 * stride. Returns the address of the keystream.
 */
static const u8 *first_stream(struct chapoly_avx2 *f, const u8 *key, const u8 *nonce, u32 number,
			      size_t len)
{
	const size_t blocks = 1 + DIV_ROUND_UP(len, CHACHA_BLOCK_SIZE);

	f->mac.h[2] = 0;	/* The assembly demands a bound, also before the MAC starts. */
	if (blocks > ROWS_MAX / CHACHA_BLOCK_SIZE) {
		chapoly_x86_begin(&f->blocks, key, nonce, number, number + 1);
		chapoly_avx2_strides(f, chapoly_zeros, WITH_KEY, f->stream, chapoly_zeros, 1);
		return f->stream;
	}
	chapoly_x86_begin(&f->blocks, key, nonce, 0, number);
	chapoly_avx2_rows(f, chapoly_zeros, 0, blocks);
	memcpy(f->mac.key, f->stream, sizeof(f->mac.key));
	return f->stream + CHACHA_BLOCK_SIZE;
}

/*
 * Encrypt or decrypt as many whole strides as there are, or a text of less than a stride,
 * interleaved with the MAC as chapoly_avx2_strides() has it. Returns the number of bytes.
 */
static size_t crypt_next(struct chapoly_avx2 *f, const u8 *mac, size_t rounds, u8 *dst,
			 const u8 *src, size_t len)
{
	if (len >= STRIDE) {
		chapoly_avx2_strides(f, mac, rounds, dst, src, len / STRIDE);
		return round_down(len, STRIDE);
	}
	if (len <= ROWS_MAX)
		chapoly_avx2_rows(f, mac, rounds, DIV_ROUND_UP(len, CHACHA_BLOCK_SIZE));
	else
		chapoly_avx2_strides(f, mac, rounds, f->stream, chapoly_zeros, 1);
	chapoly_x86_xor(dst, src, f->stream, len);
	return len;
}

/* Wipe the frame with the stream that first_stream() returns for len bytes. */
static void wipe(struct chapoly_avx2 *f, size_t len)
{
	const size_t stream = len <= CHACHA_BLOCK_SIZE ? 2 * CHACHA_BLOCK_SIZE : STRIDE;

	chapoly_x86_wipe(f, offsetof(struct chapoly_avx2, stream) + stream);
}

/*
 * The most strides in an FPU section: at most CHAPOLY_CHUNK bytes with the text around them. After
 * so many another section starts.
 */
#define STRIDES_MAX	(CHAPOLY_CHUNK / STRIDE - 2)

static void seal_avx2(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		      const u8 *nonce, const u8 *key)
{
	size_t done = min_t(size_t, len, STRIDE), mac = 0, n;
	struct chapoly_avx2 f __uninitialized;

	poly1305_fpu_begin();
	chapoly_x86_xor(dst, src, first_stream(&f, key, nonce, 1, done), done);
	chapoly_mac_begin(&f.mac, ad, ad_len);
	/* The MAC is a stride behind. */
	for (; done < len; done += n, mac += round_up(n, STRIDE)) {
		n = min_t(size_t, len - done, STRIDES_MAX * STRIDE);
		n = crypt_next(&f, dst + mac, STRIDE_ROUNDS, dst + done, src + done, n);
		if (n == STRIDES_MAX * STRIDE) {
			poly1305_fpu_end();
			poly1305_fpu_begin();
		}
	}
	chapoly_mac_end(&f.mac, dst + mac, len - mac, ad_len, len, dst + len);
	wipe(&f, len);
	poly1305_fpu_end();
}

/* The most whole strides whose keystream is kept until the tag is known to be right */
#define KEPT_MAX	(2 * STRIDE)

/*
 * The most text that is opened here. Most of a longer text's MAC is computed without ChaCha20 next
 * to it. Then poly1305.ko's MAC in vectors is faster (Zen 5, 29 November 2026).
 */
#define OPEN_MAX	(10 * STRIDE)

struct opening {
	struct chapoly_avx2 f;
	u8 kept[KEPT_MAX] __aligned(32);
} __aligned(32);

/* With KASAN's zones around it the frame would exceed 2048 bytes, which Kbuild warns of. */
static int __no_sanitize_address open_avx2(u8 *text, size_t len, const u8 *received, const u8 *ad,
					   size_t ad_len, const u8 *nonce, const u8 *key)
{
	/* Block 0 is computed together with the keystream of the last bytes, up to a stride. */
	const size_t rest = len % STRIDE, last = rest || len < 3 * STRIDE ? rest : STRIDE;
	const size_t whole = len - last, kept = min_t(size_t, whole, KEPT_MAX);
	struct opening o __uninitialized;
	u8 tag[CHAPOLY_TAG_SIZE];
	size_t done, mac = 0, rounds;
	const u8 *stream;
	bool right;

	poly1305_fpu_begin();
	stream = first_stream(&o.f, key, nonce, 1 + whole / CHACHA_BLOCK_SIZE, last);
	chapoly_mac_begin(&o.f.mac, ad, ad_len);
	if (whole)
		chapoly_x86_begin(&o.f.blocks, key, nonce, 1, 2);
	for (done = 0; done < kept; done += STRIDE, mac += 4 * rounds * MAC_BLOCK) {
		/* While the MAC has 8 blocks more to take than the strides, a stride takes 40. */
		rounds = len - mac >= kept - done + 8 * MAC_BLOCK ? 10 : STRIDE_ROUNDS;
		chapoly_avx2_strides(&o.f, text + mac, rounds, o.kept + done, chapoly_zeros, 1);
	}
	chapoly_mac_end(&o.f.mac, text + mac, len - mac, ad_len, len, tag);
	right = chapoly_is_right(tag, received);
	if (right) {
		chapoly_x86_xor(text, text, o.kept, kept);
		if (whole > kept)
			chapoly_avx2_strides(&o.f, chapoly_zeros, 0, text + kept, text + kept,
					     (whole - kept) / STRIDE);
		chapoly_x86_xor(text + whole, text + whole, stream, last);
	}
	wipe(&o.f, last);
	if (kept)
		chapoly_x86_wipe(o.kept, kept);
	poly1305_fpu_end();
	return right ? 0 : -EBADMSG;
}

static void crypt_avx2(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len)
{
	struct chapoly_avx2 f __uninitialized;
	size_t done;

	f.mac.h[2] = 0;
	poly1305_fpu_begin();
	chapoly_x86_begin(&f.blocks, (u8 *)(cipher->x + 4), (u8 *)(cipher->x + 13), cipher->x[12],
			  cipher->x[12] + 1);
	for (done = 0; done < len;)
		done += crypt_next(&f, chapoly_zeros, 0, dst + done, src + done, len - done);
	wipe(&f, STRIDE);
	poly1305_fpu_end();
	cipher->x[12] += DIV_ROUND_UP(len, CHACHA_BLOCK_SIZE);
}

const struct chapoly_impl chapoly_avx2 = {
	.name = "avx2",
	.tier = "poly1305-avx2",
	.seal_max = SIZE_MAX,
	.open_max = OPEN_MAX,
	.seal = seal_avx2,
	.open = open_avx2,
	.crypt = crypt_avx2,
};
