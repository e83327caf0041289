// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly.h on each tier, against tests/reference/aead_ref.c: results, memory beside the
 * output, and forged packets
 */

#include <crypto/internal/simd.h>

#include "chapoly.h"
#include "check.h"
#include "../reference/aead_ref.c"

/* Each length up to where AVX2's strides begin for the fourth time */
#define EACH_LEN	2101
#define LONG_CASES	60
#define TEXT_MAX	32000
#define ASSOC_MAX	70
#define PAINT		0xc5

/* A packet: its plaintext, and what it is sealed to */
static u8 key[CHAPOLY_KEY_SIZE], nonce[CHAPOLY_NONCE_SIZE];
static u8 assoc[ASSOC_MAX], plain[TEXT_MAX], sealed[TEXT_MAX + TAG_SIZE];
static size_t assoc_len, text_len;
static bool serves_avx2;

static void make_packet(size_t len)
{
	static const size_t usual[] = { 0, 8, 12, 16, 32 };

#ifdef CONFIG_X86_64
	/* Now and then AVX2 has no MAC beside it. */
	if (serves_avx2)
		chapoly_use(rnd_below(4) ? "poly1305-avx2" : "poly1305-avx2-alone");
#endif
	/* Now and then SIMD must not be used. */
	shim_simd_usable = rnd_below(8);
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
	u8 *at = at_end(&input, len + behind);

	memcpy(at, text, len);
	memcpy(at - assoc_len, assoc, assoc_len);
	return at;
}

/* Where the output comes: over the text, or to the end of another area */
static u8 *put_output(u8 *text, size_t len)
{
	memset(output.at, PAINT, output.size);
	return rnd() & 1 ? text : at_end(&output, len);
}

/* Nothing is read from a pointer to no bytes, which may be NULL. */
static const u8 *or_null(const u8 *p, size_t len)
{
	return len || rnd() & 1 ? p : NULL;
}

/* Nothing before the len bytes at the end of the output area is written. */
static void check_paint(size_t len)
{
	size_t i;

	for (i = 0; i < output.size - len; i++)
		if (output.at[i] != PAINT)
			fail("wrote %zu bytes before the output", output.size - len - i);
}

static void check_output(const u8 *text, const u8 *out, const u8 *want,
			 size_t len, const char *what)
{
	if (memcmp(out, want, len))
		fail("%s: wrong, %zu bytes, %zu of associated data, %s place",
		     what, text_len, assoc_len, out == text ? "in" : "not in");
	check_paint(out == text ? 0 : len);
}

static void try_seal(void)
{
	u8 *text = put_text(plain, text_len, TAG_SIZE);
	u8 *out = put_output(text, text_len + TAG_SIZE);

	/* Not in place, nothing behind the text may be read. */
	if (out != text)
		text = put_text(plain, text_len, 0);
	chapoly_seal(out, out == text ? text : or_null(text, text_len), text_len,
		     or_null(text - assoc_len, assoc_len), assoc_len, nonce, key);
	check_output(text, out, sealed, text_len + TAG_SIZE, "seal");
}

static int open_packet(u8 *out, const u8 *text)
{
	return chapoly_open((u8 *)or_null(out, text_len), text, text_len,
			    or_null(text - assoc_len, assoc_len), assoc_len, nonce, key);
}

static void try_open(void)
{
	u8 *text = put_text(sealed, text_len + TAG_SIZE, 0);
	u8 *out = put_output(text, text_len);
	const int err = open_packet(out, text);

	if (err)
		fail("open: error %d, %zu bytes, %zu of associated data", err, text_len,
		     assoc_len);
	check_output(text, out, plain, text_len, "open");
}

/*
 * One wrong bit: in the associated data, the text or the tag. Of more than 448 bytes the whole
 * output may be zeroed.
 */
static void try_forged(void)
{
	static const u8 zero[TEXT_MAX];
	static u8 before[TEXT_MAX + TAG_SIZE];
	bool zeroed;
	const long end = text_len + TAG_SIZE;
	u8 *text = put_text(sealed, end, 0);
	u8 *out = put_output(text, text_len);
	const long wrong = end - 1 - rnd_below(rnd() & 1 ? TAG_SIZE : assoc_len + end);

	text[wrong] ^= 1 << rnd_below(8);
	memcpy(before, text, text_len + TAG_SIZE);
	if (open_packet(out, text) != -EBADMSG)
		fail("open: accepts %zu bytes, byte %ld wrong", text_len, wrong);
	zeroed = text_len > 448 && !memcmp(out, zero, text_len);
	if (zeroed && out == text)
		memset(before, 0, text_len);
	check_paint(zeroed && out != text ? text_len : 0);
	if (memcmp(text, before, text_len + TAG_SIZE))
		fail("open: changes a forged packet of %zu bytes", text_len);
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
	static const struct chapoly_pieces zero;
	const u8 *from = seal ? plain : sealed, *want = seal ? sealed : plain;
	u8 *text = put_text(from, text_len, 0), *out = put_output(text, text_len);
	struct chapoly_pieces p;
	u8 tag[TAG_SIZE];
	size_t done, n;

	memset(&p, 0xff, sizeof(p));
	chapoly_begin(&p, text_len, nonce, key);
	for (done = 0; done < assoc_len; done += n) {
		n = cut(assoc_len - done);
		chapoly_ad(&p, or_null(text - assoc_len + done, n), n);
	}
	for (done = 0; done < text_len; done += n) {
		n = cut(text_len - done);
		chapoly_text(&p, out + done, or_null(text + done, n), n, seal);
	}
	chapoly_end(&p, tag);
	check_output(text, out, want, text_len, seal ? "pieces, seal" :
						       "pieces, open");
	if (memcmp(tag, sealed + text_len, TAG_SIZE))
		fail("pieces: wrong tag, %zu bytes, %zu of associated data",
		     text_len, assoc_len);
	if (memcmp(&p, &zero, sizeof(p)))
		fail("pieces: not wiped, %zu bytes", text_len);
}

void test_aead(const struct tier *tier)
{
	u64 i;

	serve_by(tier);
	serves_avx2 = !strcmp(tier->name, "poly1305-avx2");
	for (i = 0; next_case(i, EACH_LEN + LONG_CASES); i++) {
		make_packet(i < EACH_LEN ? i :
			    rnd_below(i % 4 ? 9001 : TEXT_MAX + 1));
		try_seal();
		try_open();
		try_forged();
		try_pieces(true);
		try_pieces(false);
	}
}
