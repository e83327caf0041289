// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <crypto/algapi.h>
#include <crypto/chacha.h>

#include "chapoly.h"
#include "ways.h"

struct message prepare_way(const struct way *way, const struct tier *tier, size_t len)
{
	struct message m = {
		.tier = tier,
		.alg = tier->alg,
		.key = input,
		.data = input + KEY_SIZE,
		.len = len,
		.in = input,
		.in_len = KEY_SIZE + len,
		.tag = tags,
		.ctx = (void *)objects,
		.desc = (void *)objects,
		.text = output,
	};

	serve_by(tier);
	shim_simd_usable = true;
	hide(input, AREA_SIZE);
	hide(tags, AREA_SIZE);
	if (way->before)
		way->before(&m);
	return m;
}

/* Whether a call fails is public. */
static void must(int err)
{
	reveal(&err, sizeof(err));
	if (err)
		fail("error %d", err);
}

static void run_digest(struct message *m)
{
	m->tier->def->ops->digest(m->key, m->data, m->len, m->tag);
}

static void run_updates(struct message *m)
{
	const size_t n = m->len / 3;

	if (m->len % 2)
		poly1305_mac_init(m->ctx, m->key);
	else
		poly1305_mac_init_hint(m->ctx, m->key, 2 * m->len);
	m->tier->def->ops->update(m->ctx, m->data, n);
	m->tier->def->ops->update(m->ctx, m->data + n, m->len - n);
	m->tier->def->ops->final(m->ctx, m->tag);
}

/* A wrong tag is rejected; the right one must not stay in memory. */
static void run_verify(struct message *m)
{
	int err = poly1305_mac_verify(m->key, m->data, m->len, m->tag);

	reveal(&err, sizeof(err));
	if (!err)
		fail("accepts a wrong tag");
}

static void find_verified(const struct message *m)
{
	u8 tag[TAG_SIZE];

	poly1305_ref(m->key, m->data, m->len, tag);
	find(tag, TAG_SIZE, "the right tag");
}

static void run_shash_digest(struct message *m)
{
	must(m->alg->digest(m->desc, m->in, m->in_len, m->tag));
}

/* Up to half of the message, cut within the key or the nonce */
static int half_of_shash(struct message *m)
{
	return m->alg->init(m->desc) ?: m->alg->update(m->desc, m->in, 7) ?:
	       m->alg->update(m->desc, m->in + 7, m->in_len - m->len / 2 - 7);
}

static void run_shash(struct message *m)
{
	const size_t n = m->len / 2;
	const u8 *rest = m->in + m->in_len - n;

	must(half_of_shash(m));
	if (m->alg->finup && m->len % 2)
		must(m->alg->finup(m->desc, rest, n, m->tag));
	else
		must(m->alg->update(m->desc, rest, n) ?: m->alg->final(m->desc, m->tag));
}

/* Input that ends within the key: no tag, and no residue of it */
static void run_no_key(struct message *m)
{
	if (m->alg->init(m->desc) || m->alg->update(m->desc, m->in, m->len % KEY_SIZE) ||
	    m->alg->final(m->desc, m->tag) != -ENOKEY)
		fail("the shash accepts a key that is too short");
}

static void run_export(struct message *m)
{
	must(half_of_shash(m) ?: m->alg->export(m->desc, exports));
}

/*
 * Whether import accepts a state is public. It tests whether r is clamped, which valgrind knows
 * bit by bit, and whether h is below its bound, which h[2] decides.
 */
static void make_state(struct message *m)
{
	run_export(m);
	reveal(exports + offsetof(struct poly1305_saved, h[2]), sizeof(u64));
}

static void run_import(struct message *m)
{
	must(m->alg->import(m->desc, exports));
}

static void run_sg(struct message *m)
{
	const unsigned int n = m->len / 3;
	static struct scatterlist list[3];

	list[0] = (struct scatterlist){ m->data, n, &list[1] };
	list[1] = (struct scatterlist){ m->data, 0, &list[2] };
	list[2] = (struct scatterlist){ m->data + n, m->len - n, NULL };
	must(poly1305_mac_digest_sg(m->key, list, m->len, m->tag));
}

static void run_aes_setkey(struct message *m)
{
	must(m->alg->setkey(m->desc->tfm, m->key, KEY_SIZE));
}

/* A permitted key. The message begins with a nonce. */
static void make_aes_key(struct message *m)
{
	u8 *r = m->key + 16;

	put_unaligned_le64(get_unaligned_le64(r) & POLY1305_CLAMP_LO, r);
	put_unaligned_le64(get_unaligned_le64(r + 8) & POLY1305_CLAMP_HI, r + 8);
	m->desc->tfm = aes_transform();
	m->alg = &m->desc->tfm->inst->alg;
	m->in = m->data;
	m->in_len = 16 + m->len;
	run_aes_setkey(m);
}

static void make_aes_state(struct message *m)
{
	make_aes_key(m);
	make_state(m);
}

/* The one-time key of poly1305(aes) is r and AES_k(nonce). */
static void find_aes(const struct message *m)
{
	u8 key[KEY_SIZE];

	memcpy(key, m->key + 16, 16);
	aes_block(m->key, m->in, key + 16);
	find_secrets(key, m->in + 16, m->len);
}

static const u8 nonce[CHAPOLY_NONCE_SIZE], assoc[AREA_SIZE];

/* Every fifth length is also that of the associated data. */
static size_t assoc_len(const struct message *m)
{
	return m->len % 5 ? m->len % 40 : m->len;
}

static void run_seal(struct message *m)
{
	chapoly_seal(m->text, m->text, m->len, assoc, assoc_len(m), nonce, m->key);
}

static int open_packet(struct message *m)
{
	return chapoly_open(m->text, m->text, m->len, assoc, assoc_len(m), nonce,
			    m->key);
}

static void run_open(struct message *m)
{
	must(open_packet(m));
}

static void run_forged(struct message *m)
{
	if (open_packet(m) != -EBADMSG)
		fail("opens a forged packet");
}

static void begin_pieces(struct message *m, struct chapoly_pieces *p, bool seal)
{
	const size_t n = m->len / 3;

	chapoly_begin(p, m->len, nonce, m->key, seal);
	chapoly_ad(p, assoc, assoc_len(m));
	chapoly_text(p, m->text, m->text, n);
	chapoly_text(p, m->text + n, m->text + n, m->len - n);
}

/* Half of the packets are opened, and have no tag. */
static void run_pieces(struct message *m)
{
	const bool seal = m->len % 2;
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(m, p, seal);
	if (chapoly_end(p, m->text + m->len) != (seal ? 0 : -EINVAL))
		fail("the end of pieces");
}

static void run_pieces_verify(struct message *m)
{
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(m, p, false);
	must(chapoly_verify(p, m->text + m->len));
}

/* The plaintext goes to the buffer of the call. For one packet in eight, SIMD is not usable. */
static void make_text(struct message *m)
{
	shim_simd_usable = rnd_below(8);
	memcpy(m->text, m->data, m->len);
}

static void make_sealed(struct message *m)
{
	make_text(m);
	run_seal(m);
}

static void make_forged(struct message *m)
{
	make_sealed(m);
	m->text[m->len] ^= 1;
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
	find_secrets(block, m->data, 0);
	for (i = 0; i < 24; i++) {
		chacha20_block(&state, block);
		find(block, 16, "keystream");
		find(block + 48, 16, "keystream");
	}
	find(m->data, min_t(size_t, m->len, 16), "the text");
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

const struct way ways[] = {
	{ "digest: ", run_digest },
	{ "update: ", run_updates },
	{ "verify: ", run_verify, NULL, find_verified },
	{ "shash digest: ", run_shash_digest },
	{ "shash update: ", run_shash },
	{ "shash without a key: ", run_no_key },
	{ "export: ", run_export },
	{ "import: ", run_import, make_state },
	{ "digest_sg: ", run_sg },
	{ "aes setkey: ", run_aes_setkey, make_aes_key, find_aes },
	{ "aes digest: ", run_shash_digest, make_aes_key, find_aes },
	{ "aes update: ", run_shash, make_aes_key, find_aes },
	{ "aes export: ", run_export, make_aes_key, find_aes },
	{ "aes import: ", run_import, make_aes_state, find_aes },
	{ "seal: ", run_seal, make_text, find_packet, .packet = true },
	{ "in pieces: ", run_pieces, make_sealed, find_packet, .packet = true, .pieces = true },
	/* Open branches on whether the tag is right. */
	{ "verify pieces: ", run_pieces_verify, make_sealed, find_packet,
	  .packet = true, .pieces = true, .branches = true },
	{ "open: ", run_open, make_sealed, find_packet,
	  .packet = true, .opens = true, .branches = true },
	{ "forged: ", run_forged, make_forged, find_forged,
	  .packet = true, .opens = true, .branches = true },
	{ }
};
