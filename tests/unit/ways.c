// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <crypto/algapi.h>
#include <crypto/chacha.h>

#include "chapoly.h"
#include "check.h"

struct call now;

/* The message, or for poly1305(aes) a nonce and the message; and the state */
#define DATA	(input + KEY_SIZE)
#define MAC	((struct mac *)objects)

/* The input as the cases have it */
static const u8 *start(void)
{
	return now.s->kind == AES ? input + NONCE_SIZE : input;
}

/* Whether a call fails is public. */
static void must(int err)
{
	reveal(&err, sizeof(err));
	if (err)
		fail("error %d", err);
}

static void run_tag(void)
{
	const size_t total = now.s->head + now.len;

	must(mac_tag(MAC, now.s, now.way->mac_way, start(), total, total / 3, tags));
}

/* A wrong tag is rejected; the right one must not stay in memory. */
static void run_verify(void)
{
	int err = poly1305_mac_verify(input, DATA, now.len, tags);

	reveal(&err, sizeof(err));
	if (!err)
		fail("accepts a wrong tag");
}

static void find_verified(void)
{
	u8 tag[TAG_SIZE];

	poly1305_ref(input, DATA, now.len, tag);
	find(tag, TAG_SIZE, "the right tag");
}

/* Input that ends within the head: no tag, and no residue of it */
static void run_short(void)
{
	if (mac_tag(MAC, now.s, UPDATES, start(), now.len % now.s->head, 0, tags) !=
	    now.s->no_head)
		fail("a head that is too short is accepted");
}

/* Half of the message, after a cut within the head */
static void run_export(void)
{
	const u8 *data = stream(now.s, start());

	must(mac_init(MAC, now.s, start()) ?: mac_update(MAC, data, 7) ?:
	     mac_update(MAC, data + 7, now.s->head - 7 + now.len / 2) ?:
	     crypto_shash_export(&MAC->desc, exports));
}

/*
 * Whether import accepts a state is public. It tests whether r is clamped, which valgrind knows
 * bit by bit, and whether h is below its bound, which h[2] decides.
 */
static void make_state(void)
{
	run_export();
	reveal(exports + offsetof(struct poly1305_saved, h[2]), sizeof(u64));
}

static void run_import(void)
{
	must(crypto_shash_import(&MAC->desc, exports));
}

static void run_setkey(void)
{
	must(crypto_shash_setkey(now.s->tfm, input, KEY_SIZE));
}

/* A permitted key */
static void set_aes_key(void)
{
	u8 *r = input + 16;

	put_unaligned_le64(get_unaligned_le64(r) & POLY1305_CLAMP_LO, r);
	put_unaligned_le64(get_unaligned_le64(r + 8) & POLY1305_CLAMP_HI, r + 8);
	run_setkey();
}

void prepare_call(u64 secrets)
{
	const u64 rest = random_state;

	random_state = secrets;
	rnd_bytes(input, KEY_SIZE + now.len + 16);
	random_state = rest;
	shim_simd_usable = true;
	hide(input, AREA_SIZE);
	hide(tags, AREA_SIZE);
	if (now.s->kind == AES)
		set_aes_key();
	if (now.way->before)
		now.way->before();
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
static size_t assoc_len(void)
{
	return now.len % 5 ? now.len % 40 : now.len;
}

static void run_seal(void)
{
	chapoly_seal(output, output, now.len, assoc, assoc_len(), nonce, input);
}

static int open_packet(void)
{
	return chapoly_open(output, output, now.len, assoc, assoc_len(), nonce,
			    input);
}

static void run_open(void)
{
	must(open_packet());
}

static void run_forged(void)
{
	if (open_packet() != -EBADMSG)
		fail("opens a forged packet");
}

static void begin_pieces(struct chapoly_pieces *p, bool seal)
{
	const size_t n = now.len / 3;

	chapoly_begin(p, now.len, nonce, input, seal);
	chapoly_ad(p, assoc, assoc_len());
	chapoly_text(p, output, output, n);
	chapoly_text(p, output + n, output + n, now.len - n);
}

/* Half of the packets are opened, and have no tag. */
static void run_pieces(void)
{
	const bool seal = now.len % 2;
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(p, seal);
	if (chapoly_end(p, output + now.len) != (seal ? 0 : -EINVAL))
		fail("the end of pieces");
}

static void run_pieces_verify(void)
{
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(p, false);
	must(chapoly_verify(p, output + now.len));
}

/* The plaintext goes to the buffer of the call. For one packet in eight, SIMD is not usable. */
static void make_text(void)
{
	shim_simd_usable = rnd_below(8);
	memcpy(output, DATA, now.len);
}

static void make_sealed(void)
{
	make_text();
	run_seal();
}

static void make_forged(void)
{
	make_sealed();
	output[now.len] ^= 1;
}

static void find_packet(void)
{
	struct chacha_state state;
	u8 block[CHACHA_BLOCK_SIZE], iv[CHACHA_IV_SIZE] = { 0 };
	u32 key[8];
	int i;

	for (i = 0; i < 8; i++)
		key[i] = get_unaligned_le32(input + 4 * i);
	chacha_init(&state, key, iv);
	chacha20_block(&state, block);
	find_secrets(block, DATA, 0);
	for (i = 0; i < 24; i++) {
		chacha20_block(&state, block);
		find(block, 16, "keystream");
		find(block + 48, 16, "keystream");
	}
	find(DATA, min_t(size_t, now.len, 16), "the text");
#ifndef __AVX__		/* With -march=native compilers keep the key in spilled vectors. */
	find(input, 16, "half of the key");
	find(input + 16, 16, "half of the key");
#endif
}

static void find_forged(void)
{
	u8 tag[TAG_SIZE];

	memcpy(tag, output + now.len, TAG_SIZE);
	tag[0] ^= 1;
	find(tag, TAG_SIZE, "the right tag");
	find_packet();
}

static const struct way ways[] = {
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

void look_at_ways(const struct subject *s, size_t len, void (*look)(void))
{
	for (now.way = ways; now.way < ways + ARRAY_SIZE(ways); now.way++) {
		now.s = s;
		now.len = len;
		if (now.way->kinds & s->kind)
			look();
	}
}

/* The one-time key of poly1305(aes) is r and AES_k(nonce). */
void find_left(void)
{
	if (!now.way->packet)
		find_secrets(input, DATA, now.len);
	if (now.s->kind == AES) {
		u8 once[KEY_SIZE];

		memcpy(once, input + 16, 16);
		aes_block(input, DATA, once + 16);
		find_secrets(once, DATA + NONCE_SIZE, now.len);
	}
	if (now.way->find)
		now.way->find();
}
