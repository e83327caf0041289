// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_aes.c in the checker: the module itself, and stand-ins for the parts of
 * the crypto API that it needs. These are AES as FIPS 197 defines it, templates,
 * instances and transforms.
 *
 * This AES is simple and slow. It leaves nothing on the stack, so that any secret
 * found there is the module's.
 */

#include <linux/compiler.h>
#include <linux/module.h>

/* aes_transform() loads the module when it is first called. */
#undef module_init
#undef module_exit
#define module_init(fn)	static int (*const aes_load)(void) = fn
#define module_exit(fn)	static void __attribute__((destructor))		\
			aes_unload(void) { fn(); }

#include "../../poly1305_aes.c"
#include "aes.h"

#define ROUNDS	10

/* w[i][j] is byte j of word i, as in the standard; each round uses four words. */
struct crypto_cipher {
	u8 w[4 * (ROUNDS + 1)][4];
};

static u8 sbox[256];

/* x y modulo x^8 + x^4 + x^3 + x + 1 */
static u8 multiply(u8 x, u8 y)
{
	u8 product = 0;

	for (; y; y >>= 1) {
		product ^= y & 1 ? x : 0;
		x = x << 1 ^ (x & 0x80 ? 0x1b : 0);
	}
	return product;
}

/* sbox[x] is y = 1/x = x^254, plus four rotations of y, plus 0x63. */
static void fill_sbox(void)
{
	unsigned int x, i;
	u8 y;

	for (x = 0; x < 256; x++) {
		y = 1;
		for (i = 0; i < 254; i++)
			y = multiply(y, x);
		sbox[x] = 0x63 ^ y;
		for (i = 1; i <= 4; i++)
			sbox[x] ^= y << i | y >> (8 - i);
	}
}

static noinline void expand(struct crypto_cipher *cipher, const u8 *key)
{
	u8 (*w)[4] = cipher->w, constant = 1;
	unsigned int i, j;

	memcpy(w, key, 16);
	for (i = 4; i < 4 * (ROUNDS + 1); i++) {
		for (j = 0; j < 4; j++)
			w[i][j] = w[i - 4][j] ^ (i % 4 ? w[i - 1][j] :
						 sbox[w[i - 1][(j + 1) % 4]]);
		if (i % 4)
			continue;
		w[i][0] ^= constant;
		constant = multiply(constant, 2);
	}
}

static noinline void encrypt(const struct crypto_cipher *cipher, u8 *dst,
			     const u8 *src)
{
	static u8 state[16], moved[16];
	unsigned int round, i;

	for (i = 0; i < 16; i++)
		state[i] = src[i] ^ cipher->w[i / 4][i % 4];
	for (round = 1; round <= ROUNDS; round++) {
		/* Row r of the columns moves by r. */
		for (i = 0; i < 16; i++)
			moved[i] = sbox[state[(i + 4 * (i % 4)) % 16]];
		for (i = 0; i < 16; i++) {
			const u8 *column = &moved[i & ~3];

			state[i] = round == ROUNDS ? moved[i] :
				   multiply(column[i % 4], 2) ^
				   multiply(column[(i + 1) % 4], 3) ^
				   column[(i + 2) % 4] ^ column[(i + 3) % 4];
			state[i] ^= cipher->w[4 * round + i / 4][i % 4];
		}
	}
	memcpy(dst, state, 16);
}

/* Wipes the dead frames of expand() and encrypt(). */
static noinline void wipe_stack(void)
{
	u8 frame[1024];

	memzero_explicit(frame, sizeof(frame));
}

int crypto_cipher_setkey(struct crypto_cipher *cipher, const u8 *key,
			 unsigned int len)
{
	expand(cipher, key);
	wipe_stack();
	return 0;
}

void crypto_cipher_encrypt_one(struct crypto_cipher *cipher, u8 *dst,
			       const u8 *src)
{
	encrypt(cipher, dst, src);
	wipe_stack();
}

struct crypto_cipher *crypto_alloc_cipher(const char *name, u32 type, u32 mask)
{
	return calloc(1, sizeof(struct crypto_cipher));
}

void crypto_free_cipher(struct crypto_cipher *cipher)
{
	free(cipher);
}

void aes_block(const u8 key[16], const u8 in[16], u8 out[16])
{
	static struct crypto_cipher cipher;

	crypto_cipher_setkey(&cipher, key, 16);
	crypto_cipher_encrypt_one(&cipher, out, in);
}

/* There is one template and one instance. */

static struct crypto_template *template;
static struct shash_instance *instance;

int crypto_register_template(struct crypto_template *tmpl)
{
	template = tmpl;
	return 0;
}

void crypto_unregister_template(struct crypto_template *tmpl)
{
}

int crypto_check_attr_type(struct rtattr **tb, u32 type, u32 *mask)
{
	*mask = 0;
	return 0;
}

const char *crypto_attr_alg_name(struct rtattr *attr)
{
	return "aes";
}

int crypto_grab_cipher(struct crypto_cipher_spawn *spawn,
		       struct shash_instance *inst, const char *name, u32 type,
		       u32 mask)
{
	static struct crypto_alg aes = {
		.cra_priority = 100,
		.cra_blocksize = 16,
	};

	spawn->alg = &aes;
	return 0;
}

struct crypto_alg *crypto_spawn_cipher_alg(struct crypto_cipher_spawn *spawn)
{
	return spawn->alg;
}

struct crypto_cipher *crypto_spawn_cipher(struct crypto_cipher_spawn *spawn)
{
	return crypto_alloc_cipher("aes", 0, 0);
}

int crypto_inst_setname(struct shash_instance *inst, const char *name,
			struct crypto_alg *alg)
{
	snprintf(inst->alg.base.cra_name, CRYPTO_MAX_ALG_NAME, "%s(aes)", name);
	return 0;
}

int shash_register_instance(struct crypto_template *tmpl,
			    struct shash_instance *inst)
{
	instance = inst;
	return 0;
}

void shash_free_singlespawn_instance(struct shash_instance *inst)
{
	free(inst);
}

struct crypto_shash *aes_transform(void)
{
	static union {
		struct crypto_shash tfm;
		u8 bytes[sizeof(struct crypto_shash) +
			 sizeof(struct poly1305_aes_key)];
	} transform;
	struct rtattr *tb[2] = {};

	if (instance)
		return &transform.tfm;
	fill_sbox();
	if (aes_load() || template->create(template, tb))
		abort();
	transform.tfm.inst = instance;
	if (instance->alg.base.cra_ctxsize != sizeof(struct poly1305_aes_key) ||
	    instance->alg.init_tfm(&transform.tfm))
		abort();
	return &transform.tfm;
}
