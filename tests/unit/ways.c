// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <crypto/algapi.h>
#include <crypto/chacha.h>

#include "chapoly.h"
#include "check.h"

/* Whether a call fails is public. */
static void must(int err)
{
	reveal(&err, sizeof(err));
	if (err)
		fail("error %d", err);
}

static void run_tag(struct message *m)
{
	const size_t total = m->s->head + m->len;

	must(mac_tag(m->mac, m->s, m->way->mac_way, m->input, total, total / 3, m->tag));
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

/* Input that ends within the head: no tag, and no residue of it */
static void run_short(struct message *m)
{
	if (mac_tag(m->mac, m->s, UPDATES, m->input, m->len % m->s->head, 0, m->tag) !=
	    m->s->no_head)
		fail("a head that is too short is accepted");
}

/* Half of the message, after a cut within the head */
static void run_export(struct message *m)
{
	const u8 *data = stream(m->s, m->input);

	must(mac_init(m->mac, m->s, m->input) ?: mac_update(m->mac, data, 7) ?:
	     mac_update(m->mac, data + 7, m->s->head - 7 + m->len / 2) ?:
	     crypto_shash_export(&m->mac->desc, exports));
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
	must(crypto_shash_import(&m->mac->desc, exports));
}

static void run_setkey(struct message *m)
{
	must(crypto_shash_setkey(m->s->tfm, m->key, KEY_SIZE));
}

/* A permitted key */
static void set_aes_key(struct message *m)
{
	u8 *r = m->key + 16;

	put_unaligned_le64(get_unaligned_le64(r) & POLY1305_CLAMP_LO, r);
	put_unaligned_le64(get_unaligned_le64(r + 8) & POLY1305_CLAMP_HI, r + 8);
	run_setkey(m);
}

struct message prepare_way(const struct way *way, const struct subject *s, size_t len)
{
	struct message m = {
		.s = s,
		.way = way,
		.key = input,
		.data = input + KEY_SIZE,
		.len = len,
		.input = s->kind == AES ? input + NONCE_SIZE : input,
		.tag = tags,
		.mac = (void *)objects,
		.text = output,
	};

	shim_simd_usable = true;
	hide(input, AREA_SIZE);
	hide(tags, AREA_SIZE);
	if (s->kind == AES)
		set_aes_key(&m);
	if (way->before)
		way->before(&m);
	return m;
}

/* The secrets of one message; key is its one-time key. */
static void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t rest = len % BLOCK_SIZE;
	u8 r[16];

	put_unaligned_le64(get_unaligned_le64(key) & POLY1305_CLAMP_LO, r);
	put_unaligned_le64(get_unaligned_le64(key + 8) & POLY1305_CLAMP_HI, r + 8);
	find(key, 16, "the unclamped r");
	find(r, 16, "r");
	find(key + 16, 16, "s");
	if (CHECK_CLEAN_GPR && rest >= 8)
		find(data + len - rest, rest, "the end of the message");
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
	{ "digest: ", ALL, run_tag, .mac_way = DIGEST },
	{ "updates: ", ALL, run_tag, .mac_way = UPDATES },
	{ "finup or list: ", ALL, run_tag, .mac_way = FINUP_OR_LIST },
	{ "verify: ", LIBRARY, run_verify, NULL, find_verified },
	{ "a short head: ", SHASH | AES, run_short },
	{ "export: ", SHASH | AES, run_export },
	{ "import: ", SHASH | AES, run_import, make_state },
	{ "setkey: ", AES, run_setkey },
	{ "seal: ", LIBRARY, run_seal, make_text, find_packet, .packet = true },
	{ "in pieces: ", LIBRARY, run_pieces, make_sealed, find_packet, .packet = true },
	/* Open branches on whether the tag is right. */
	{ "verify pieces: ", LIBRARY, run_pieces_verify, make_sealed, find_packet,
	  .packet = true, .branches = true },
	{ "open: ", LIBRARY, run_open, make_sealed, find_packet,
	  .packet = true, .branches = true },
	{ "forged: ", LIBRARY, run_forged, make_forged, find_forged,
	  .packet = true, .branches = true },
};

const size_t nways = ARRAY_SIZE(ways);

/* The one-time key of poly1305(aes) is r and AES_k(nonce). */
void find_left(const struct message *m)
{
	if (!m->way->packet)
		find_secrets(m->key, m->data, m->len);
	if (m->s->kind == AES) {
		u8 once[KEY_SIZE];

		memcpy(once, m->key + 16, 16);
		aes_block(m->key, m->data, once + 16);
		find_secrets(once, m->data + NONCE_SIZE, m->len);
	}
	if (m->way->find)
		m->way->find(m);
}
