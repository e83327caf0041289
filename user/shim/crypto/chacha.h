/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* ChaCha20's interface. user/chacha.c defines the last two functions. */
#ifndef SHIM_CRYPTO_CHACHA_H
#define SHIM_CRYPTO_CHACHA_H

#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#define CHACHA_KEY_SIZE		32
#define CHACHA_IV_SIZE		16
#define CHACHA_BLOCK_SIZE	64

struct chacha_state {
	u32 x[16];
};

static inline void chacha_init(struct chacha_state *state, const u32 key[8],
			       const u8 iv[CHACHA_IV_SIZE])
{
	int i;

	for (i = 0; i < 4; i++) {
		state->x[i] = get_unaligned_le32(&"expand 32-byte k"[4 * i]);
		state->x[12 + i] = get_unaligned_le32(iv + 4 * i);
	}
	memcpy(state->x + 4, key, CHACHA_KEY_SIZE);
}

void chacha20_block(struct chacha_state *state, u8 out[CHACHA_BLOCK_SIZE]);
void chacha20_crypt(struct chacha_state *state, u8 *dst, const u8 *src,
		    unsigned int bytes);

#endif
