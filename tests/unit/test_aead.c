// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly.h on each tier, against tests/reference/aead_ref.c: results, memory beside the
 * output, and forged packets
 */

#include "chapoly.h"
#include "check.h"
#include "../reference/aead_ref.c"

/* Each length up to the fourth stride of AVX2 */
#define EACH_LEN	2101
#define LONG_CASES	60
#define TEXT_MAX	32000
#define ASSOC_MAX	9000
/* The most text that a call out of order has in addition */
#define BEYOND		1500
#define PAINT		0xc5

/* A packet: its plaintext, and what it is sealed to */
static u8 key[CHAPOLY_KEY_SIZE], nonce[CHAPOLY_NONCE_SIZE];
static u8 assoc[ASSOC_MAX], plain[TEXT_MAX], sealed[TEXT_MAX + TAG_SIZE];
static size_t assoc_len, text_len;

/* Where it lies for a call, and where the output comes: over the text, or to another area */
static u8 *ad, *text, *out;

static void make_packet(size_t len)
{
	/* For one packet in eight, SIMD must not be used. */
	shim_simd_usable = rnd_below(8);
	text_len = len;
	assoc_len = rnd_len(rnd_below(32) ? 70 : min_t(size_t, ASSOC_MAX, TEXT_MAX - len));
	rnd_bytes(key, sizeof(key));
	rnd_bytes(nonce, sizeof(nonce));
	rnd_bytes(assoc, ASSOC_MAX);
	rnd_bytes(plain, len);
	aead_ref_encrypt(key, nonce, assoc, assoc_len, plain, len, sealed);
}

/* Text and output end with their areas, so nothing behind them can be accessed. */
static void place(const u8 *from, size_t len, size_t out_len)
{
	const bool in_place = rnd() & 1;

	text = at_end(input, in_place ? max(len, out_len) : len);
	ad = text - assoc_len;
	memcpy(text, from, len);
	memcpy(ad, assoc, assoc_len);
	memset(output, PAINT, AREA_SIZE);
	out = in_place ? text : at_end(output, out_len);
}

/* Nothing is read from a pointer to no bytes, which may be NULL. */
static u8 *or_null(u8 *p, size_t len)
{
	return len || rnd() & 1 ? p : NULL;
}

/* An output of len bytes; of the other area, nothing before it may be written. */
static void check_output(const u8 *want, size_t len, const char *what)
{
	if (memcmp(out, want, len))
		fail("%s: wrong, %zu bytes, %zu of associated data, %s place",
		     what, text_len, assoc_len, out == text ? "in" : "not in");
	if (memchr_inv(output, PAINT, AREA_SIZE - (out == text ? 0 : len)))
		fail("%s: wrote before the output of %zu bytes", what, len);
}

static int open_packet(void)
{
	return chapoly_open(or_null(out, text_len), text, text_len, or_null(ad, assoc_len),
			    assoc_len, nonce, key);
}

/*
 * AVX2 takes a packet of up to max bytes in one FPU section, but associated data above 512 bytes
 * outside.
 */
static void check_sections(const struct tier *tier, unsigned long before, size_t max)
{
	const unsigned long wanted = assoc_len > 512 ? 2 : 1;

	if (!strcmp(tier->name, "poly1305-avx2") && shim_simd_usable && text_len <= max &&
	    shim_fpu_sections - before != wanted)
		fail("%zu bytes, %zu of associated data: %lu FPU sections, not %lu", text_len,
		     assoc_len, shim_fpu_sections - before, wanted);
}

static void try_whole(const struct tier *tier)
{
	unsigned long before = shim_fpu_sections;

	place(plain, text_len, text_len + TAG_SIZE);
	chapoly_seal(out, or_null(text, text_len), text_len, or_null(ad, assoc_len), assoc_len,
		     nonce, key);
	check_output(sealed, text_len + TAG_SIZE, "seal");
	check_sections(tier, before, 8191);

	before = shim_fpu_sections;
	place(sealed, text_len + TAG_SIZE, text_len);
	if (open_packet())
		fail("open: rejects %zu bytes, %zu of associated data", text_len, assoc_len);
	check_output(plain, text_len, "open");
	check_sections(tier, before, 5120);
}

/*
 * One wrong bit: in the associated data, the text or the tag. In place nothing is written; another
 * output is zeroed.
 */
static void try_forged(void)
{
	static u8 before[AREA_SIZE], zero[TEXT_MAX];
	const long end = text_len + TAG_SIZE;
	const long wrong = end - 1 - rnd_below(rnd() & 1 ? TAG_SIZE : assoc_len + end);

	place(sealed, end, text_len);
	text[wrong] ^= 1 << rnd_below(8);
	memcpy(before, out, text_len);
	if (open_packet() != -EBADMSG)
		fail("open: accepts %zu bytes, byte %ld wrong", text_len, wrong);
	check_output(out == text ? before : zero, text_len, "forged");
}

/*
 * End a packet, by the call that fits or by the other one. If it is not right, neither its tag so
 * far nor zeros verify, and no tag comes out.
 */
static void end_pieces(struct chapoly_pieces *p, size_t ad_done, bool verify, bool right)
{
	static u8 whole[TEXT_MAX + TAG_SIZE];
	const u8 *want = (ad_done == assoc_len ? sealed : whole) + text_len;
	int err, expected = right ? 0 : -EINVAL;
	u8 tag[TAG_SIZE] = { 0 };

	if (ad_done != assoc_len)
		aead_ref_encrypt(key, nonce, assoc, ad_done, plain, text_len, whole);
	if (!verify) {
		err = chapoly_end(p, tag);
		if (right ? memcmp(tag, want, TAG_SIZE) : !!memchr_inv(tag, 0, TAG_SIZE))
			fail("pieces: wrong tag, %zu bytes", text_len);
	} else {
		if (right || rnd() & 1)
			memcpy(tag, want, TAG_SIZE);
		if (rnd() & 1) {
			tag[rnd_below(TAG_SIZE)] ^= 1 << rnd_below(8);
			expected = right ? -EBADMSG : -EINVAL;
		}
		err = chapoly_verify(p, tag);
	}
	if (err != expected)
		fail("pieces: %d and not %d, %zu bytes", err, expected, text_len);
}

/* The calls of a packet in pieces, in order or in any order. The first wrong call wipes it. */
static void try_pieces(bool seal, bool ordered)
{
	const size_t room = text_len + (ordered ? 0 : BEYOND);
	const bool too_long = !ordered && !rnd_below(16);
	const u8 *want = seal ? sealed : plain;
	size_t ad_done = 0, done = 0, n, i;
	enum { AD, TEXT, END } call;
	struct chapoly_pieces p;
	bool wiped = too_long, verify;

	place(seal ? plain : sealed, room, room);
	memset(&p, 0xff, sizeof(p));
	chapoly_begin(&p, too_long ? (1ULL << 38) - 63 : text_len, nonce, key, seal);
	for (i = 0; ordered ? !wiped : i < 16; i++) {
		call = ad_done < assoc_len ? AD : done < text_len ? TEXT : END;
		if (!ordered && !rnd_below(4))
			call = rnd_below(3);
		if (call == AD) {
			n = rnd_len((ordered ? assoc_len : ASSOC_MAX) - ad_done);
			chapoly_ad(&p, or_null((ordered ? ad : assoc) + ad_done, n), n);
			wiped |= n && done;
			ad_done += n;
		} else if (call == TEXT) {
			n = rnd_len((rnd_below(8) ? text_len : room) - done);
			chapoly_text(&p, or_null(out + done, n), or_null(text + done, n), n);
			wiped |= n > text_len - done;
			if (wiped ? !!memchr_inv(out + done, 0, n) :
				    memcmp(out + done, want + done, n))
				fail("pieces: %zu bytes at %zu of %zu", n, done, text_len);
			done += wiped ? 0 : n;
		} else {
			verify = ordered ? !seal : rnd() & 1;
			end_pieces(&p, ad_done, verify,
				   !wiped && done == text_len && verify != seal);
			wiped = true;
		}
		if (wiped && memchr_inv(&p, 0, sizeof(p)))
			fail("pieces: not wiped, %zu bytes", text_len);
	}
	if (ordered)
		check_output(want, text_len, "pieces");
}

int test_aead(const struct subject *s)
{
	size_t i;

	for (i = 0; i < EACH_LEN + LONG_CASES; i++) {
		make_packet(i < EACH_LEN ? i : rnd_below(i % 4 ? 9001 : TEXT_MAX + 1));
		try_whole(s->tier);
		try_forged();
		try_pieces(true, true);
		try_pieces(false, true);
		if (text_len < 9001) {
			try_pieces(true, false);
			try_pieces(false, false);
		}
	}
	return 0;
}

/* The self-tests pass, but not with a wrong bit in the tag of any vector. */
int test_aead_selftest(const struct subject *s)
{
	size_t i;

	if (core_selftest(selftest_vectors) || aead_selftest(selftest_vectors))
		fail("a self-test fails");
	for (i = 0; i < selftest_vectors; i++)
		if (core_selftest(i) != -EBADMSG || aead_selftest(i) != -EBADMSG)
			fail("a self-test leaves out vector %zu", i);
	return 0;
}
