// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly.h on each tier, against tests/reference/aead_ref.c: results, memory next to the
 * output, and forged packets; and with the AEAD of the crypto API, what opening does to memory that
 * others read and write meanwhile
 */

#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

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

/* Text and output end with their areas, so nothing after them can be accessed. */
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

/* Where a packet is forged, counted from its text: in the associated data, the text or the tag */
static long forged_byte(void)
{
	const long end = text_len + TAG_SIZE;

	return end - 1 - rnd_below(rnd() & 1 ? TAG_SIZE : assoc_len + end);
}

/* One wrong bit. In place nothing is written; another output gets zeros. */
static void try_forged(void)
{
	static u8 before[AREA_SIZE], zero[TEXT_MAX];
	const long end = text_len + TAG_SIZE, wrong = forged_byte();

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

/* A skip that exceeds 64 bits with the text and the tag is refused, and nothing is read. */
static void try_skip(bool seal)
{
	const size_t skip = SIZE_MAX - rnd_below(text_len + TAG_SIZE);
	struct chapoly_pieces p;
	struct scatterlist sgl;
	int err;

	place(sealed, text_len + TAG_SIZE, text_len + TAG_SIZE);
	sg_init_table(&sgl, 1);
	sg_set_buf(&sgl, text, text_len + TAG_SIZE);
	chapoly_begin(&p, text_len, nonce, key, seal);
	err = seal ? chapoly_seal_list(&p, &sgl, &sgl, skip) :
		     chapoly_open_list(&p, &sgl, &sgl, skip);
	if (err != -EINVAL || memchr_inv(&p, 0, sizeof(p)) ||
	    memcmp(text, sealed, text_len + TAG_SIZE))
		fail("lists: %zu bytes are skipped, %d", skip, err);
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
		try_skip(i & 1);
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

/*
 * Memory that others read or write during a call. A packet lies in shared, whose pages are
 * protected to make the code under test fault where a rule could be broken.
 */
#define SHARED_SIZE	(2 * AREA_SIZE)
static u8 *shared;

static void protect(u8 *at, size_t len, int prot)
{
	if (mprotect(at, len, prot))
		abort();
}

/* The packet with its associated data, and byte number at of the text at the start of a page */
static void share(size_t at)
{
	if (!shared)
		shared = vmalloc(SHARED_SIZE);
	protect(shared, SHARED_SIZE, PROT_READ | PROT_WRITE);
	text = shared + round_up(assoc_len + at, PAGE_SIZE) - at;
	ad = text - assoc_len;
	memcpy(ad, assoc, assoc_len);
	memcpy(text, sealed, text_len + TAG_SIZE);
}

#define ENTRIES		8

/* A list of the packet at p, of whole or of random entries, some of them empty */
static void cut_packet(struct scatterlist *sgl, u8 *p, size_t len, bool whole)
{
	unsigned int i;
	size_t n;

	sg_init_table(sgl, ENTRIES);
	for (i = 0; i < ENTRIES; i++, p += n, len -= n) {
		n = whole || i == ENTRIES - 1 ? len : rnd_len(len);
		sg_set_buf(&sgl[i], p, n);
	}
}

/* What is opened in place has one list or, as in dm-crypt, two of the same bytes. */
static int open_by_aead(bool whole)
{
	static struct scatterlist src[ENTRIES], dst[ENTRIES];
	static struct aead_request *req;
	int err;

	if (!req)
		req = aead_request_alloc(crypto_alloc_aead("chapoly-rfc7539", 0, 0), GFP_KERNEL);
	cut_packet(src, ad, assoc_len + text_len + TAG_SIZE, whole);
	cut_packet(dst, out - assoc_len, assoc_len + text_len, whole);
	aead_request_set_crypt(req, src, out == text && rnd() & 1 ? src : dst,
			       text_len + TAG_SIZE, nonce);
	aead_request_set_ad(req, assoc_len);
	err = crypto_aead_setkey(req->tfm, key, sizeof(key));
	return err ?: crypto_aead_decrypt(req);
}

/* In random pieces */
static int open_by_text(void)
{
	struct chapoly_pieces p;
	size_t done, n;

	chapoly_begin(&p, text_len, nonce, key, false);
	chapoly_ad(&p, ad, assoc_len);
	for (done = 0; done < text_len; done += n) {
		n = 1 + rnd_len(text_len - done - 1);
		chapoly_text(&p, out + done, text + done, n);
	}
	return chapoly_verify(&p, text + text_len);
}

/* The last one decrypts what it has not verified. */
enum { WHOLE, AEAD_WHOLE, AEAD_LIST, PIECES };

static int open_by(int form)
{
	switch (form) {
	case WHOLE:
		return open_packet();
	case PIECES:
		return open_by_text();
	default:
		return open_by_aead(form == AEAD_WHOLE);
	}
}

static const char *const forms[] = { "chapoly_open", "the AEAD", "the AEAD by lists", "pieces" };

/*
 * The first instruction that reads this page faults. Access is granted, and it traps when it is
 * done. Then the first byte of the page changes to changed, as if by another CPU; or, if changed is
 * negative, each of the instructions that follow traps, and looks for text of a forged packet.
 */
static u8 *page;
static int changed;
static int form_now;

#ifdef CONFIG_X86_64
#define TRAP_FLAG	0x100

static void set_trap(void *context, bool on)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

	*flags = on ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
}
#else
static void set_trap(void *context, bool on)
{
	skip("only on x86-64 are instructions executed one by one");
}
#endif

static void on_fault(int number, siginfo_t *info, void *context)
{
	const u8 *at = info->si_addr;

	/* The address may be that of the whole operand, whose end is in the page. */
	if (page && at >= page - 64 && at < page + PAGE_SIZE) {
		protect(page, PAGE_SIZE, PROT_READ | PROT_WRITE);
		set_trap(context, true);
	} else if (at >= shared && at < shared + SHARED_SIZE) {
		fail("%s: a forged packet of %zu bytes is written, at %td", forms[form_now],
		     text_len, at - text);
	} else {
		fail("%s", strsignal(number));
	}
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	size_t i;

	if (page && changed < 0) {
		for (i = 0; i + TAG_SIZE <= text_len; i += TAG_SIZE)
			if (!memcmp(out + i, plain + i, TAG_SIZE))
				fail("%s: a forged packet of %zu bytes is decrypted, at %zu",
				     forms[form_now], text_len, i);
		return;
	}
	if (page)
		*page = changed;
	page = NULL;
	set_trap(context, false);
}

/* Open the packet by some form. Meanwhile the page at that address changes, or out is watched. */
static int open_watched(int form, u8 *at, int to)
{
	int err;

	form_now = form;
	changed = to;
	page = at;
	protect(page, PAGE_SIZE, PROT_NONE);
	err = open_by(form);
	if (to >= 0 && page) {
		page = NULL;
		skip("no instruction traps here");
	}
	page = NULL;
	return err;
}

/*
 * Byte number at changes as soon as it has been read, from genuine to forged or back. If the packet
 * is accepted, its text is the genuine one: what the tag covers is what was decrypted.
 */
static void try_changed(int form, size_t at)
{
	const bool forged_first = rnd() & 1;
	const u8 genuine = sealed[at], forged = genuine ^ 1 << rnd_below(8);
	int err;

	share(at);
	text[at] = forged_first ? forged : genuine;
	out = output + assoc_len;
	err = open_watched(form, text + at, forged_first ? genuine : forged);
	if (err && err != -EBADMSG)
		fail("%s: %d, %zu bytes", forms[form], err, text_len);
	if (!err && memcmp(out, plain, text_len))
		fail("%s: %zu bytes with byte %zu %s: accepted, and the text is not genuine",
		     forms[form], text_len, at, forged_first ? "forged at first" : "forged later");
}

/* No instruction leaves text of a forged packet, not even until the next one. */
static void try_watched(int form)
{
	share(0);
	text[text_len + rnd_below(TAG_SIZE)] ^= 1 << rnd_below(8);
	memset(output, PAINT, AREA_SIZE);
	out = output + assoc_len;
	if (open_watched(form, text, -1) != -EBADMSG)
		fail("%s: accepts %zu bytes with a wrong tag", forms[form], text_len);
	if (memchr_inv(out, 0, text_len))
		fail("%s: a forged packet of %zu bytes leaves something", forms[form], text_len);
}

static void catch_faults(void)
{
	struct sigaction fault = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct sigaction trap = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	page = NULL;
	if (sigaction(SIGSEGV, &fault, NULL) || sigaction(SIGTRAP, &trap, NULL))
		abort();
}

/* A source that another CPU writes to, and a destination that it reads */
int test_aead_shared(const struct subject *s)
{
	static const u16 lens[] = { 64, 576, 1420, 1536, 4096, 16384, 20000 };
	static const u16 watched[] = { 64, 576 };
	size_t i, at;
	int form;

	catch_faults();
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		make_packet(lens[i]);
		for (form = WHOLE; form <= PIECES; form++)
			for (at = rnd_below(64); at < text_len; at += 1 + rnd_below(256))
				try_changed(form, at);
	}
	for (i = 0; i < ARRAY_SIZE(watched); i++) {
		make_packet(watched[i]);
		for (form = WHOLE; form < PIECES; form++)
			try_watched(form);
	}
	return 0;
}

/* In place, nothing of a forged packet is written: it may lie in pages without permission. */
int test_aead_forged(const struct subject *s)
{
	size_t i;

	catch_faults();
	for (i = 0; i < EACH_LEN + LONG_CASES; i++) {
		make_packet(i < EACH_LEN ? i : rnd_below(TEXT_MAX + 1));
		share(0);
		text[forged_byte()] ^= 1 << rnd_below(8);
		out = text;
		protect(shared, SHARED_SIZE, PROT_READ);
		for (form_now = WHOLE; form_now < PIECES; form_now++)
			if (open_by(form_now) != -EBADMSG)
				fail("%s: accepts %zu bytes, one of them wrong", forms[form_now],
				     text_len);
		share(0);
		if (open_by(AEAD_LIST) || memcmp(text, plain, text_len))
			fail("lists in place: %zu bytes are not opened", text_len);
	}
	return 0;
}
