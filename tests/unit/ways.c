// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <crypto/chacha.h>
#include <crypto/internal/simd.h>

#include "aes.h"
#include "traced.h"
#include "ways.h"

struct message new_message(const struct tier *tier)
{
	return (struct message){
		.tier = tier,
		.key = input.at,
		.tag = tags.at,
		.ctx = (void *)objects.at,
		.desc = (void *)objects.at,
		.text = output.at,
	};
}

/* Whether a call fails is public. */
static void must(int err)
{
	reveal(&err, sizeof(err));
	if (err)
		fail("error %d", err);
}

static void run_digest(void *arg)
{
	const struct message *m = arg;

	m->tier->def->ops->digest(m->key, m->key + KEY_SIZE, m->len, m->tag);
}

static void run_updates(void *arg)
{
	const struct message *m = arg;
	const u8 *data = m->key + KEY_SIZE;
	const size_t n = m->len / 3;

	if (m->len % 2)
		poly1305_mac_init(m->ctx, m->key);
	else
		poly1305_mac_init_hint(m->ctx, m->key, 2 * m->len);
	m->tier->def->ops->update(m->ctx, data, n);
	m->tier->def->ops->update(m->ctx, data + n, m->len - n);
	m->tier->def->ops->final(m->ctx, m->tag);
}

static int half_of_shash(const struct message *m)
{
	const struct shash_alg *alg = m->tier->alg;

	return alg->init(m->desc) ?: alg->update(m->desc, m->key, 20) ?:
	       alg->update(m->desc, m->key + 20, 12 + m->len / 2);
}

static void run_finup(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = m->tier->alg;

	must(half_of_shash(m) ?:
	     alg->finup(m->desc, m->key + KEY_SIZE + m->len / 2,
			m->len - m->len / 2, m->tag));
}

static void run_shash_digest(void *arg)
{
	const struct message *m = arg;

	must(m->tier->alg->digest(m->desc, m->key, KEY_SIZE + m->len, m->tag));
}

/* Input that ends within the key: no tag, and no residue of it */
static void run_no_key(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = m->tier->alg;

	if (alg->init(m->desc) ||
	    alg->update(m->desc, m->key, m->len % KEY_SIZE) ||
	    alg->final(m->desc, m->tag) != -ENOKEY)
		fail("the shash accepts a key that is too short");
}

static void run_export(void *arg)
{
	const struct message *m = arg;

	must(half_of_shash(m) ?: m->tier->alg->export(m->desc, exports.at));
}

/*
 * Whether import accepts a state is public. It tests whether r is clamped, which valgrind knows
 * bit by bit, and whether h is below its bound, which h[2] decides.
 */
static void make_state(void *arg)
{
	run_export(arg);
	reveal(exports.at + offsetof(struct poly1305_saved, h[2]), sizeof(u64));
}

static void run_import(void *arg)
{
	const struct message *m = arg;

	must(m->tier->alg->import(m->desc, exports.at));
}

/* A wrong tag is rejected; the right one must not stay in memory. */
static void run_verify(void *arg)
{
	const struct message *m = arg;
	int err = poly1305_mac_verify(m->key, m->key + KEY_SIZE, m->len, m->tag);

	reveal(&err, sizeof(err));
	if (!err)
		fail("accepts a wrong tag");
}

static void find_verified(const struct message *m)
{
	u8 tag[TAG_SIZE];

	poly1305_ref(m->key, m->key + KEY_SIZE, m->len, tag);
	find(tag, TAG_SIZE, "the right tag");
}

#ifndef POLY1271
static void make_list(void *arg)
{
	struct message *m = arg;
	u8 *data = (u8 *)m->key + KEY_SIZE;

	m->list[0] = (struct scatterlist){ data, m->len / 3, &m->list[1] };
	m->list[1] = (struct scatterlist){ data, 0, &m->list[2] };
	m->list[2] = (struct scatterlist){ data + m->len / 3,
					   m->len - m->len / 3, NULL };
}

static void run_sg(void *arg)
{
	struct message *m = arg;

	must(poly1305_mac_digest_sg(m->key, m->list, m->len, m->tag));
}

/* For poly1305(aes) a nonce and the message follow the key. */
static const u8 *aes_input(const struct message *m)
{
	return m->key + KEY_SIZE;
}

static const struct shash_alg *aes_alg(void)
{
	return &aes_transform()->inst->alg;
}

static void run_aes_setkey(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->setkey(aes_transform(), m->aes_key, KEY_SIZE));
}

static void run_aes_digest(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->digest(m->desc, aes_input(m), 16 + m->len, m->tag));
}

/* Cuts the nonce and the message in two. */
static void run_aes_updates(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();
	const size_t rest = m->len + 16 - 7;

	must(alg->init(m->desc) ?: alg->update(m->desc, aes_input(m), 7) ?:
	     alg->update(m->desc, aes_input(m) + 7, rest / 2) ?:
	     alg->update(m->desc, aes_input(m) + 7 + rest / 2, rest - rest / 2) ?:
	     alg->final(m->desc, m->tag));
}

static void run_aes_export(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();

	must(alg->init(m->desc) ?:
	     alg->update(m->desc, aes_input(m), 16 + m->len / 2) ?:
	     alg->export(m->desc, exports.at));
}

static void run_aes_import(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->import(m->desc, exports.at));
}

static void make_aes_key(void *arg)
{
	struct message *m = arg;

	m->desc->tfm = aes_transform();
	memcpy(m->aes_key, m->key, KEY_SIZE);
	put_unaligned_le64(get_unaligned_le64(m->key + 16) & POLY1305_CLAMP_LO,
			   m->aes_key + 16);
	put_unaligned_le64(get_unaligned_le64(m->key + 24) & POLY1305_CLAMP_HI,
			   m->aes_key + 24);
	run_aes_setkey(m);
}

static void make_aes_state(void *arg)
{
	make_aes_key(arg);
	run_aes_export(arg);
}

/* The one-time key of poly1305(aes) is r and AES_k(nonce). */
static void find_aes(const struct message *m)
{
	u8 key[KEY_SIZE];

	memcpy(key, m->aes_key + 16, 16);
	aes_block(m->aes_key, aes_input(m), key + 16);
	find(m->aes_key, 16, "k");
	find_secrets(key, aes_input(m) + 16, m->len);
}

static const u8 nonce[CHAPOLY_NONCE_SIZE], assoc[40];

static size_t assoc_len(const struct message *m)
{
	return m->len % sizeof(assoc);
}

static void seal(struct message *m)
{
	chapoly_seal(m->text, m->text, m->len, assoc, assoc_len(m), nonce, m->key);
}

static int open_packet(struct message *m)
{
	return chapoly_open(m->text, m->text, m->len, assoc, assoc_len(m), nonce, m->key);
}

/* A text. Now and then AVX2 has no MAC beside it, and SIMD must not be used. */
static void make_text(void *arg)
{
	struct message *m = arg;

#ifdef CONFIG_X86_64
	if (!strcmp(m->tier->name, "poly1305-avx2"))
		chapoly_use(rnd_below(4) ? "poly1305-avx2" : "poly1305-avx2-alone");
#endif
	shim_simd_usable = rnd_below(8);
	memcpy(m->text, m->key + KEY_SIZE, m->len);
}

static void make_sealed(void *arg)
{
	make_text(arg);
	seal(arg);
}

static void make_forged(void *arg)
{
	struct message *m = arg;

	make_sealed(m);
	m->text[m->len] ^= 1;
}

static void run_seal(void *arg)
{
	seal(arg);
}

static void run_open(void *arg)
{
	must(open_packet(arg));
}

static void run_forged(void *arg)
{
	if (open_packet(arg) != -EBADMSG)
		fail("opens a forged packet");
}

static void in_pieces(struct message *m, bool sealing)
{
	const size_t n = m->len / 3;
	struct chapoly_pieces p;

	chapoly_begin(&p, m->len, nonce, m->key);
	chapoly_ad(&p, assoc, assoc_len(m));
	chapoly_text(&p, m->text, m->text, n, sealing);
	chapoly_text(&p, m->text + n, m->text + n, m->len - n, sealing);
	chapoly_end(&p, m->text + m->len);
}

static void run_seal_pieces(void *arg)
{
	in_pieces(arg, true);
}

static void run_open_pieces(void *arg)
{
	in_pieces(arg, false);
}

static void find_packet(const struct message *m)
{
	struct chacha_state state;
	u8 block[CHACHA_BLOCK_SIZE], iv[CHACHA_IV_SIZE] = { 0 };
	u32 key[8];
	int i;

	for (i = 0; i < 8; i++)
		key[i] = get_unaligned_le32(m->key + 4 * i);
	chacha_init(&state, key, iv);
	chacha20_block(&state, block);
	find_secrets(block, m->key + KEY_SIZE, 0);
	find(m->key + KEY_SIZE, min_t(size_t, m->len, 16), "the text");
#ifndef __AVX__		/* With -march=native compilers keep the key in spilled vectors. */
	find(m->key, 16, "half of the key");
	find(m->key + 16, 16, "half of the key");
#endif
}

static void find_forged(const struct message *m)
{
	u8 tag[TAG_SIZE];

	memcpy(tag, m->text + m->len, TAG_SIZE);
	tag[0] ^= 1;
	find(tag, TAG_SIZE, "the right tag");
	find_packet(m);
}
#endif

const struct way ways[] = {
	{ "digest: ", run_digest },
	{ "update: ", run_updates },
	{ "shash finup: ", run_finup },
	{ "shash digest: ", run_shash_digest },
	{ "shash without a key: ", run_no_key },
	{ "export: ", run_export },
	{ "import: ", run_import, make_state },
	{ "verify: ", run_verify, NULL, find_verified },
#ifndef POLY1271
	{ "digest_sg: ", run_sg, make_list },
	/* The checker's own AES looks up secrets in a table. */
	{ "aes setkey: ", run_aes_setkey, make_aes_key, find_aes, .compiled = true,
	  .branches = true },
	{ "aes digest: ", run_aes_digest, make_aes_key, find_aes, .branches = true },
	{ "aes update: ", run_aes_updates, make_aes_key, find_aes, .branches = true },
	{ "aes export: ", run_aes_export, make_aes_key, find_aes, .branches = true },
	{ "aes import: ", run_aes_import, make_aes_state, find_aes, .branches = true },
	{ "seal: ", run_seal, make_text, find_packet, .ciphertext = true },
	{ "seal in pieces: ", run_seal_pieces, make_text, find_packet, .ciphertext = true },
	{ "open in pieces: ", run_open_pieces, make_sealed, find_packet, .ciphertext = true },
	/* Open branches on whether the tag is right. */
	{ "open: ", run_open, make_sealed, find_packet, .ciphertext = true, .branches = true },
	{ "forged: ", run_forged, make_forged, find_forged, .ciphertext = true, .branches = true },
#endif
	{ }
};
