/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by packets with AVX2 and with AVX-512: the state of ChaCha20, and the MAC of a packet in
 * general registers
 */

#ifndef CHAPOLY_X86_H
#define CHAPOLY_X86_H

#include <linux/compiler.h>

#include "chapoly_core.h"
#include "../arch/x86/poly1305-fpu.h"
#include "../arch/x86/poly1305-packet.h"

/* The state of ChaCha20 */
struct chapoly_blocks {
	u32 state[16];			/* of block 0 */
	u32 numbers[8];			/* of the next blocks, for AVX2 */
} __aligned(32);

static_assert(offsetof(struct chapoly_blocks, state) == FRAME_STATE);
static_assert(offsetof(struct chapoly_blocks, numbers) == FRAME_NUMBERS);

/*
 * The functions of assembly, whose contracts are above them there. Those of chapoly-x86.S:
 * chapoly_mulx() uses no vector registers.
 */
void chapoly_x86_begin(struct chapoly_blocks *frame, const u8 key[CHAPOLY_KEY_SIZE],
		       const u8 nonce[CHAPOLY_NONCE_SIZE], u32 first, u32 second);
void chapoly_x86_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len);
void chapoly_x86_wipe(void *frame, size_t size);
void chapoly_mulx(struct poly1305_packet *mac, const u8 *data, size_t blocks, const u8 *end,
		  size_t end_blocks, u8 *tag);

/* Of chapoly-avx2.S. chapoly-avx2-glue.c has the structure. */
struct chapoly_avx2;
void chapoly_avx2_strides(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds, u8 *dst,
			  const u8 *src, size_t strides);
void chapoly_avx2_rows(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds,
		       size_t blocks);

/* Of chapoly-avx512.S */
void chacha20_avx512(const u32 state[16], u8 *dst, const u8 *src, size_t len,
		     u8 key[POLY1305_MAC_KEY_SIZE], bool with_key);
void chapoly_avx512_xor(const u8 *stream, u8 *dst, const u8 *src, size_t len);
void chapoly_avx512_wipe(void *frame, size_t size);

/*
 * Start the MAC: clamp mac->key, the first half of block 0, then absorb the associated data and
 * zeros up to a block. Long associated data are absorbed between two FPU sections: they need no
 * vectors, and the kernel cannot preempt a section.
 */
static noinline void chapoly_mac_begin(struct poly1305_packet *mac, const u8 *ad, size_t ad_len)
{
	const size_t rest = ad_len % POLY1305_MAC_BLOCK_SIZE;
	u8 *tag = mac->end + sizeof(mac->end) - POLY1305_MAC_TAG_SIZE;

	mac->key[0] &= POLY1305_CLAMP_LO;
	mac->key[1] &= POLY1305_CLAMP_HI;
	mac->q1 = mac->key[1] + mac->key[1] / 4;
	mac->s0 = mac->key[0] * 5;
	mac->h[0] = 0;
	mac->h[1] = 0;
	mac->h[2] = 0;
	if (!ad_len)
		return;
	if (ad_len > CHAPOLY_STREAM_SIZE)
		poly1305_fpu_end();
	if (rest)
		poly1305_tail(mac->end, ad + ad_len, rest, ad_len);
	mac->fresh = true;
	chapoly_mulx(mac, ad, ad_len / POLY1305_MAC_BLOCK_SIZE, mac->end, !!rest, tag);
	if (ad_len > CHAPOLY_STREAM_SIZE)
		poly1305_fpu_begin();
}

/*
 * Write the last block of the MAC's message, the lengths of associated data and text, to the end of
 * mac->end. Returns the address of the block.
 */
static __always_inline u8 *chapoly_mac_lengths(struct poly1305_packet *mac, size_t ad_len,
					       size_t len)
{
	u8 *lengths = mac->end + sizeof(mac->end) - POLY1305_MAC_BLOCK_SIZE;

	put_unaligned_le64(ad_len, lengths);
	put_unaligned_le64(len, lengths + 8);
	return lengths;
}

/* tag = the MAC after the last n of len bytes of ciphertext, zeros up to a block, and lengths */
static __always_inline void chapoly_mac_end(struct poly1305_packet *mac, const u8 *text, size_t n,
					    size_t ad_len, size_t len, u8 tag[CHAPOLY_TAG_SIZE])
{
	const size_t rest = n % POLY1305_MAC_BLOCK_SIZE;
	u8 *end = chapoly_mac_lengths(mac, ad_len, len);

	mac->fresh = !(ad_len | (len - n));
	if (rest) {
		end -= POLY1305_MAC_BLOCK_SIZE;
		poly1305_tail(end, text + n, rest, len);
	}
	chapoly_mulx(mac, text, n / POLY1305_MAC_BLOCK_SIZE, end, 1 + !!rest, tag);
}

#endif /* CHAPOLY_X86_H */
