// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_aead.h on each tier, with the ChaCha20 of tests/reference: results, memory
 * beside the output, forged packets, and secrets left on the stack.
 */

#define _GNU_SOURCE
#include <string.h>

#include "check.h"
#include "../reference/aead_ref.c"

#include "poly1305_aead.h"

#define EACH_LEN	1101
#define LONG_CASES	60
#define TEXT_MAX	20000
#define ASSOC_MAX	70

/* A packet: its plaintext, and what it is sealed to */
static u8 key[AEAD_KEY_SIZE], nonce[AEAD_NONCE_SIZE];
static u8 assoc[ASSOC_MAX], plain[TEXT_MAX], sealed[TEXT_MAX + TAG_SIZE];
static size_t assoc_len, text_len;

void chacha20_block(struct chacha_state *state, u8 out[CHACHA_BLOCK_SIZE])
{
	u8 bytes[AEAD_KEY_SIZE + 16];
	int i;

	for (i = 0; i < 12; i++)
		store32(bytes + 4 * i, state->x[4 + i]);
	key_stream(bytes, bytes + AEAD_KEY_SIZE + 4, state->x[12]++, out);
}

void chacha20_crypt(struct chacha_state *state, u8 *dst, const u8 *src,
		    unsigned int bytes)
{
	u8 stream[CHACHA_BLOCK_SIZE];
	unsigned int i;

	for (i = 0; i < bytes; i++) {
		if (i % CHACHA_BLOCK_SIZE == 0)
			chacha20_block(state, stream);
		dst[i] = src[i] ^ stream[i % CHACHA_BLOCK_SIZE];
	}
	memzero_explicit(stream, sizeof(stream));
}

static void begin_cipher(struct chacha_state *cipher)
{
	u8 iv[CHACHA_IV_SIZE] = { 0 };
	u32 words[8];
	int i;

	for (i = 0; i < 8; i++)
		words[i] = get_unaligned_le32(key + 4 * i);
	memcpy(iv + 4, nonce, sizeof(nonce));
	chacha_init(cipher, words, iv);
}

static void make_packet(size_t len)
{
	static const size_t usual[] = { 0, 8, 12, 16, 32 };

	text_len = len;
	assoc_len = rnd() & 1 ? usual[rnd_below(ARRAY_SIZE(usual))] :
				rnd_below(ASSOC_MAX + 1);
	rnd_bytes(key, sizeof(key));
	rnd_bytes(nonce, sizeof(nonce));
	rnd_bytes(assoc, assoc_len);
	rnd_bytes(plain, len);
	aead_ref_encrypt(key, nonce, assoc, assoc_len, plain, len, sealed);
}

/* Puts a text, and the associated data before it, at the end of the input area. */
static u8 *put_text(const u8 *text, size_t len, size_t behind)
{
	u8 *at = input.rw + input.size - len - behind;

	memcpy(at, text, len);
	memcpy(at - assoc_len, assoc, assoc_len);
	return at;
}

/* Where the output comes: over the text, or to the end of another area */
static u8 *output(u8 *text, size_t len)
{
	area_paint(&messages);
	return rnd() & 1 ? text : messages.rw + messages.size - len;
}

static void check_output(const u8 *text, const u8 *out, const u8 *want,
			 size_t len, const char *what)
{
	if (memcmp(out, want, len))
		fail("%s: wrong, %zu bytes, %zu of associated data, %s place",
		     what, text_len, assoc_len, out == text ? "in" : "not in");
	if (out == text)
		area_check(&messages, 0, 0);
	else
		area_check(&messages, out - messages.rw, len);
}

static void check_zero(const void *object, size_t size, const char *what)
{
	const u8 *bytes = object;

	while (size--)
		if (*bytes++)
			fail("%s is not wiped, %zu bytes", what, text_len);
}

static void try_seal(void)
{
	u8 *text = put_text(plain, text_len, TAG_SIZE);
	u8 *out = output(text, text_len + TAG_SIZE);
	struct chacha_state cipher;

	/* Not in place, nothing behind the text may be read. */
	if (out != text)
		text = put_text(plain, text_len, 0);
	begin_cipher(&cipher);
	aead_seal(out, text, text_len, text - assoc_len, assoc_len, &cipher);
	check_output(text, out, sealed, text_len + TAG_SIZE, "seal");
	check_zero(&cipher, sizeof(cipher), "seal: the cipher");
}

static void try_open(void)
{
	u8 *text = put_text(sealed, text_len + TAG_SIZE, 0);
	u8 *out = output(text, text_len);
	struct chacha_state cipher;

	begin_cipher(&cipher);
	if (!aead_open(out, text, text_len, text - assoc_len, assoc_len, &cipher))
		fail("open: refuses %zu bytes, %zu of associated data", text_len,
		     assoc_len);
	check_output(text, out, plain, text_len, "open");
	check_zero(&cipher, sizeof(cipher), "open: the cipher");
}

/* One wrong bit: in the associated data, the text or the tag */
static void try_forged(void)
{
	static u8 before[TEXT_MAX + TAG_SIZE];
	const long end = text_len + TAG_SIZE;
	u8 *text = put_text(sealed, end, 0);
	u8 *out = output(text, text_len);
	const long wrong = end - 1 - rnd_below(rnd() & 1 ? TAG_SIZE : assoc_len + end);
	struct chacha_state cipher;

	text[wrong] ^= 1 << rnd_below(8);
	memcpy(before, text, text_len + TAG_SIZE);
	begin_cipher(&cipher);
	if (aead_open(out, text, text_len, text - assoc_len, assoc_len, &cipher))
		fail("open: accepts %zu bytes, byte %ld wrong", text_len,
		     wrong);
	area_check(&messages, 0, 0);
	if (memcmp(text, before, text_len + TAG_SIZE))
		fail("open: changes a forged packet of %zu bytes", text_len);
	check_zero(&cipher, sizeof(cipher), "open, forged: the cipher");
}

/* The length of a next piece of at most n bytes: short, any, or all that remains */
static size_t cut(size_t n)
{
	const size_t most[] = { min_t(size_t, n, 3), min_t(size_t, n, 70),
				min_t(size_t, n, 700), n };

	return rnd_below(most[rnd_below(4)] + 1);
}

static void try_pieces(bool seal)
{
	const u8 *from = seal ? plain : sealed, *want = seal ? sealed : plain;
	u8 *text = put_text(from, text_len, 0), *out = output(text, text_len);
	struct chacha_state cipher;
	struct aead_pieces p;
	u8 tag[TAG_SIZE];
	size_t done, n;

	begin_cipher(&cipher);
	aead_begin(&p, &cipher, assoc_len, text_len);
	for (done = 0; done < assoc_len; done += n) {
		n = cut(assoc_len - done);
		aead_assoc(&p, text - assoc_len + done, n);
	}
	aead_assoc(&p, NULL, 0);
	for (done = 0; done < text_len; done += n) {
		n = cut(text_len - done);
		aead_text(&p, out + done, text + done, n, seal);
	}
	aead_end(&p, tag);
	check_output(text, out, want, text_len, seal ? "pieces, seal" :
						       "pieces, open");
	if (memcmp(tag, sealed + text_len, TAG_SIZE))
		fail("pieces: wrong tag, %zu bytes, %zu of associated data",
		     text_len, assoc_len);
	check_zero(&p, sizeof(p), "pieces: the state");
}

static void test_aead(const struct tier *tier)
{
	u64 i;

	serve_by(tier);
	for (i = first_case(); next_case(&i, EACH_LEN + LONG_CASES); i++) {
		make_packet(i < EACH_LEN ? i :
			    rnd_below(i % 4 ? 9001 : TEXT_MAX + 1));
		try_seal();
		try_open();
		try_forged();
		try_pieces(true);
		try_pieces(false);
	}
}

/* A call for test_stack(); text is read and written. */
struct packet_call {
	u8 *text;
	struct chacha_state cipher;
	bool seal, ok;
};

static void run_packet(void *arg)
{
	struct packet_call *c = arg;

	if (c->seal)
		aead_seal(c->text, c->text, text_len, assoc, assoc_len,
			  &c->cipher);
	else
		c->ok = aead_open(c->text, c->text, text_len, assoc, assoc_len,
				  &c->cipher);
}

static void find_on_stack(const void *secret, size_t len, const char *what)
{
	const struct residue *residue = call_residue();

	if (len >= 8 && memmem(residue->dead, sizeof(residue->dead), secret, len))
		fail("%s is on the stack, %zu bytes", what, text_len);
}

/*
 * No key of the MAC, plaintext, or right tag of a forged packet stays there. (The
 * cipher of this file leaves its own key.)
 */
static void test_stack(const struct tier *tier)
{
	u8 block[CHACHA_BLOCK_SIZE];
	struct packet_call c;
	u64 i;

	call_residue();
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
	serve_by(tier);
	for (i = first_case(); next_case(&i, 3 * 700); i++) {
		make_packet(i < 3 * 660 ? i / 3 : rnd_below(TEXT_MAX + 1));
		key_stream(key, nonce, 0, block);
		c.seal = i % 3 == 0;
		c.text = put_text(c.seal ? plain : sealed, text_len + TAG_SIZE, 0);
		c.text[text_len] ^= i % 3 == 1;
		begin_cipher(&c.cipher);
		call(run_packet, &c);
		find_on_stack(block, 16, "r");
		find_on_stack(block + 16, 16, "s");
		find_on_stack(plain, min_t(size_t, text_len, 16), "the text");
		if (i % 3 == 1)
			find_on_stack(sealed + text_len, TAG_SIZE,
				      "the right tag");
		if (!c.seal && c.ok != (i % 3 == 2))
			fail("open is wrong, %zu bytes", text_len);
	}
}

const struct test aead_tests[] = {
	{ "aead", test_aead },
	{ "aead-stack", test_stack },
	{ }
};
