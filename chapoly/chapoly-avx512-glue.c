// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Packets with AVX-512: ChaCha20 in vectors, then the MAC, of short packets in general registers
 */

#include "chapoly-x86.h"

/*
 * The most text whose MAC is computed in general registers. poly1305_packet_avx512() takes 128
 * bytes or more. On an Intel Xeon with AMX, packets of 193 to 256 bytes take up to 5% less time
 * with general registers, and those of 257 to 384 take 4 to 18% less with vectors (29 November
 * 2026).
 */
#define SCALAR_MAX	256

/*
 * The most text that is decrypted to the frame before its tag is known to be right. One pass of
 * chacha20_avx512() computes it with block 0; two passes cost 45% more at 1420 bytes (Zen 5, 26
 * November 2026).
 */
#define EARLY_MAX	CHAPOLY_ZEROS

/* Aligned to a vector, so chapoly_avx512_wipe() gets a multiple of 64 bytes */
struct sealing {
	struct chapoly_blocks blocks;
	struct poly1305_packet mac;
} __aligned(64);

struct opening {
	struct chapoly_blocks blocks;
	struct poly1305_packet mac;
	u8 stream[EARLY_MAX] __aligned(64);
} __aligned(64);

/* tag = the tag of up to CHAPOLY_CHUNK bytes of ciphertext */
static void make_tag(struct poly1305_packet *mac, const u8 *text, size_t len, const u8 *ad,
		     size_t ad_len, u8 tag[CHAPOLY_TAG_SIZE])
{
	chapoly_mac_begin(mac, ad, ad_len);
	if (len <= SCALAR_MAX) {
		chapoly_mac_end(mac, text, len, ad_len, len, tag);
		return;
	}
	memset(mac->end, 0, sizeof(mac->end));
	chapoly_mac_lengths(mac, ad_len, len);
	poly1305_packet_avx512(mac, text, len, tag);
}

static void seal_avx512(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
			const u8 *nonce, const u8 *key)
{
	struct sealing f __uninitialized;

	poly1305_fpu_begin();
	chapoly_x86_begin(&f.blocks, key, nonce, 0, 1);
	chacha20_avx512(f.blocks.state, dst, src, len, (u8 *)f.mac.key, true);
	make_tag(&f.mac, dst, len, ad, ad_len, dst + len);
	chapoly_avx512_wipe(&f, sizeof(f));
	poly1305_fpu_end();
}

static int open_avx512(u8 *text, size_t len, const u8 *received, const u8 *ad, size_t ad_len,
		       const u8 *nonce, const u8 *key)
{
	const size_t early = min_t(size_t, len, EARLY_MAX);
	struct opening f __uninitialized;
	u8 tag[CHAPOLY_TAG_SIZE];
	bool right;

	poly1305_fpu_begin();
	chapoly_x86_begin(&f.blocks, key, nonce, 0, 1);
	chacha20_avx512(f.blocks.state, f.stream, chapoly_zeros, early, (u8 *)f.mac.key, true);
	make_tag(&f.mac, text, len, ad, ad_len, tag);
	right = chapoly_is_right(tag, received);
	if (right) {
		chapoly_avx512_xor(f.stream, text, text, early);
		if (len > early) {
			f.blocks.state[12] = 1 + EARLY_MAX / CHACHA_BLOCK_SIZE;
			chacha20_avx512(f.blocks.state, text + early, text + early, len - early,
					(u8 *)f.mac.key, false);
		}
	}
	chapoly_avx512_wipe(&f, offsetof(struct opening, stream) +
			    round_up(early, CHACHA_BLOCK_SIZE));
	poly1305_fpu_end();
	return right ? 0 : -EBADMSG;
}

static void crypt_avx512(struct chacha_state *cipher, u8 *dst, const u8 *src, size_t len)
{
	poly1305_fpu_begin();
	chacha20_avx512(cipher->x, dst, src, len, dst, false);
	poly1305_fpu_end();
	cipher->x[12] += DIV_ROUND_UP(len, CHACHA_BLOCK_SIZE);
}

const struct chapoly_impl chapoly_avx512 = {
	.name = "avx512",
	.tier = "poly1305-avx512",
	.seal_max = CHAPOLY_CHUNK,
	.open_max = CHAPOLY_CHUNK,
	.seal = seal_avx512,
	.open = open_avx512,
	.crypt = crypt_avx512,
};
