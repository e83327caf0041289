// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_aes.c in the checker: the module itself, and stand-ins for the parts of
 * the crypto API that it needs. These are AES as FIPS 197 defines it, one template,
 * one instance and transforms. The module's self-test compares this AES with vectors.
 *
 * This AES is simple and slow, and constant-time. It leaves nothing on the stack, so that any
 * secret found there is the module's.
 */

#include <linux/compiler.h>

/* The module is loaded after poly1305.ko. */
#define SHIM_INIT	103
#include "../../poly1305_aes.c"
#include "kernel.h"

struct crypto_cipher {
	u8 key[16];
};

/* x y modulo x^8 + x^4 + x^3 + x + 1 */
static u8 multiply(u8 x, u8 y)
{
	u8 product = 0;
	int i;

	for (i = 0; i < 8; i++, y >>= 1) {
		product ^= -(y & 1) & x;
		x = x << 1 ^ (-(x >> 7) & 0x1b);
	}
	return product;
}

/* y = 1/x = x^254, plus four rotations of y, plus 0x63 */
static u8 substitute(u8 x)
{
	u8 y = x, sum = 0x63;
	int i;

	for (i = 0; i < 6; i++)
		y = multiply(multiply(y, y), x);
	y = multiply(y, y);
	for (i = 0; i <= 4; i++)
		sum ^= y << i | y >> (8 - i);
	return sum;
}

static noinline void encrypt(const u8 key[16], u8 *dst, const u8 *src)
{
	u8 k[16], state[16], moved[16], constant = 1;
	unsigned int round, i;

	memcpy(k, key, sizeof(k));
	for (i = 0; i < 16; i++)
		state[i] = src[i] ^ k[i];
	for (round = 1; round <= 10; round++) {
		/* The next round key */
		for (i = 0; i < 4; i++)
			k[i] ^= substitute(k[12 + (i + 1) % 4]);
		k[0] ^= constant;
		constant = multiply(constant, 2);
		for (i = 4; i < 16; i++)
			k[i] ^= k[i - 4];
		/* Row r of the columns moves by r. */
		for (i = 0; i < 16; i++)
			moved[i] = substitute(state[(i + 4 * (i % 4)) % 16]);
		for (i = 0; i < 16; i++) {
			const u8 *column = &moved[i & ~3];

			state[i] = k[i] ^ (round == 10 ? moved[i] :
					   multiply(column[i % 4], 2) ^
					   multiply(column[(i + 1) % 4], 3) ^
					   column[(i + 2) % 4] ^ column[(i + 3) % 4]);
		}
	}
	memcpy(dst, state, sizeof(state));
}

/* Wipes the dead frame of encrypt(). */
static noinline void wipe_stack(void)
{
	u8 frame[1024];

	memzero_explicit(frame, sizeof(frame));
}

int crypto_cipher_setkey(struct crypto_cipher *cipher, const u8 *key, unsigned int len)
{
	memcpy(cipher->key, key, len);
	return 0;
}

void aes_block(const u8 key[16], const u8 in[16], u8 out[16])
{
	encrypt(key, out, in);
	wipe_stack();
}

void crypto_cipher_encrypt_one(struct crypto_cipher *cipher, u8 *dst, const u8 *src)
{
	aes_block(cipher->key, src, dst);
}

struct crypto_cipher *crypto_alloc_cipher(const char *name, u32 type, u32 mask)
{
	return calloc(1, sizeof(struct crypto_cipher));
}

void crypto_free_cipher(struct crypto_cipher *cipher)
{
	free(cipher);
}

static struct shash_instance *instance;

int shash_register_instance(struct crypto_template *tmpl, struct shash_instance *inst)
{
	instance = inst;
	return 0;
}

struct crypto_shash *aes_transform(void)
{
	static struct crypto_shash *tfm;

	if (tfm)
		return tfm;
	if (instance->alg.base.cra_ctxsize != sizeof(struct poly1305_aes_key))
		abort();
	tfm = calloc(1, sizeof(*tfm) + sizeof(struct poly1305_aes_key));
	tfm->inst = instance;
	if (instance->alg.init_tfm(tfm))
		abort();
	return tfm;
}
