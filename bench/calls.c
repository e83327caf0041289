// SPDX-License-Identifier: GPL-2.0 OR MIT
/* How implementations are called in each mode, and whether all give the same */

#include <err.h>
#include <string.h>

#include "calls.h"

#define CHACHA_BLOCK	64
#define MAC_BLOCK	16

uint8_t *msg;
uint8_t keys[MANY_KEYS * KEY_SIZE];
static uint8_t tag[TAG_SIZE];

/*
 * The message and the opened text begin with a page, and the sealed text half a page later, so that
 * no store waits for a load of the same place in a page.
 */
static struct {
	uint8_t opened[LONGEST_PACKET + CHACHA_BLOCK];
	uint8_t gap[1984];
	uint8_t sealed[LONGEST_PACKET + CHACHA_BLOCK];
} packet __attribute__((aligned(4096)));

static void updates(const struct bench_impl *impl, const struct mode *mode,
		    const uint8_t *data, size_t len, const uint8_t *key)
{
	size_t n;

	impl->init(key, mode->hint ? len : 0);
	for (; len; data += n, len -= n) {
		n = len < mode->update_len ? len : mode->update_len;
		impl->update(data, n);
	}
	impl->final(tag);
}

bool is_packet(const struct mode *mode)
{
	return mode->style >= SEAL;
}

static void seal_packets(const struct bench_impl *impl, const uint8_t *data, size_t len,
			 size_t ad_len, const uint8_t *key, size_t n)
{
	const struct bench_packets *p = impl->packets;

	if (p->many)
		p->many(true, packet.sealed, data, len, msg, ad_len, n);
	else
		p->seal(packet.sealed, data, len, msg, ad_len, key);
}

static void open_packets(const struct bench_impl *impl, size_t len, size_t ad_len,
			 const uint8_t *key, size_t n)
{
	const struct bench_packets *p = impl->packets;

	if (!(p->many ? p->many(false, packet.opened, packet.sealed, len, msg, ad_len, n) :
			p->open(packet.opened, packet.sealed, len, msg, ad_len, key)))
		errx(1, "%s: a packet of %zu bytes is refused", impl->name, len);
}

/* As sealing a packet: ChaCha20 of block 0 and the text, then the MAC of text and lengths */
static void alone(const struct bench_impl *impl, const uint8_t *data, size_t len,
		  const uint8_t *key)
{
	impl->packets->cipher(packet.sealed, data, CHACHA_BLOCK + len, key);
	impl->digest(tag, packet.sealed, (len + MAC_BLOCK - 1) / MAC_BLOCK * MAC_BLOCK + MAC_BLOCK,
		     key);
}

/* Out of line: more cases in one_by_one() would show in messages of a few bytes. */
static __attribute__((noinline)) void other(const struct bench_impl *impl,
					    const struct mode *mode, const uint8_t *data,
					    size_t len, const uint8_t *key)
{
	if (mode->style == SEAL)
		seal_packets(impl, data, len, mode->ad_len, key, 1);
	else if (mode->style == OPEN)
		open_packets(impl, len, mode->ad_len, key, 1);
	else if (mode->style == ALONE)
		alone(impl, data, len, key);
	else
		updates(impl, mode, data, len, key);
}

static void one_by_one(const struct bench_impl *impl, const struct mode *mode,
		       size_t len, size_t n)
{
	const uint8_t *data = msg + mode->offset;
	const uint8_t *end = keys + mode->nkeys * KEY_SIZE;
	const uint8_t *key = keys;
	size_t none = 0;

	/* A constant unknown to the compiler, so a chained key waits for the last tag. */
	__asm__("" : "+r"(none));
	for (; n; n--) {
		switch (mode->style) {
		case WHOLE:
			impl->digest(tag, data, len, key);
			break;
		case CHAINED:
			impl->digest(tag, data, len, key + (tag[0] & none));
			break;
		default:
			other(impl, mode, data, len, key);
			break;
		}
		key += KEY_SIZE;
		if (key == end)
			key = keys;
	}
}

bool repeats(const struct bench_impl *impl, const struct mode *mode)
{
	return is_packet(mode) && impl->packets->many;
}

/*
 * Where the loop of one_by_one(), which is inlined, lies in the cache's lines shows in
 * messages of a few bytes.
 */
__attribute__((aligned(64))) void
calls(const struct bench_impl *impl, const struct mode *mode, size_t len, size_t n)
{
	if (!repeats(impl, mode))
		one_by_one(impl, mode, len, n);
	else if (mode->style == SEAL)
		seal_packets(impl, msg, len, mode->ad_len, keys, n);
	else
		open_packets(impl, len, mode->ad_len, keys, n);
}

static void set_key(const struct bench_impl *impl, const uint8_t *key)
{
	if (impl->packets->set_key)
		impl->packets->set_key(key);
}

void prepare(const struct bench_impl *impl, const struct mode *mode, size_t len)
{
	select_impl(impl);
	if (!is_packet(mode))
		return;
	set_key(impl, keys);
	if (mode->style == OPEN)
		seal_packets(impl, msg, len, mode->ad_len, keys, 1);
}

/* Seals and opens a packet. All must give the same; the first of them is the reference. */
static bool packet_agrees(const struct bench_impl *impl, size_t len, const uint8_t *data,
			  size_t ad_len, const uint8_t *key)
{
	static uint8_t want[sizeof(packet.sealed)];
	const struct bench_impl *first = impls;

	while (!first->packets)
		first++;
	select_impl(first);
	set_key(first, key);
	seal_packets(first, data, len, ad_len, key, 1);
	memcpy(want, packet.sealed, len + TAG_SIZE);
	select_impl(impl);
	set_key(impl, key);
	seal_packets(impl, data, len, ad_len, key, 1);
	if (memcmp(packet.sealed, want, len + TAG_SIZE))
		return false;
	open_packets(impl, len, ad_len, key, 1);
	if (memcmp(packet.opened, data, len))
		return false;
	if (!impl->packets->cipher)
		return true;
	memcpy(packet.opened + CHACHA_BLOCK, data, len);
	impl->packets->cipher(packet.opened, packet.opened, CHACHA_BLOCK + len, key);
	return !memcmp(packet.opened + CHACHA_BLOCK, want, len);
}

/*
 * Unless all implementations agree, nothing is measured. Tags are compared with those of our
 * portable code.
 */
void check_one(const struct bench_impl *impl, size_t len, size_t offset, const uint8_t *key)
{
	static const struct mode sixes = { .update_len = 6 }, kilo = { .update_len = 1000 };
	const uint8_t *data = msg + offset;
	uint8_t want[TAG_SIZE];
	const char *how = "";
	bool good = true;

	poly1305_user_select("poly1305-portable");
	poly1305_mac_digest(key, data, len, want);
	select_impl(impl);
	memset(tag, 0, sizeof(tag));
	if (impl->digest) {
		impl->digest(tag, data, len, key);
		good = !memcmp(tag, want, TAG_SIZE);
	}
	if (good && impl->init) {
		how = " in updates";
		memset(tag, 0, sizeof(tag));
		updates(impl, len < 3000 ? &sixes : &kilo, data, len, key);
		good = !memcmp(tag, want, TAG_SIZE);
	}
	if (good && impl->packets && len <= LONGEST_PACKET) {
		how = " of text in a packet";
		good = packet_agrees(impl, len, data, 0, key) &&
		       packet_agrees(impl, len, data, AD_SIZE, key);
	}
	if (!good)
		errx(1, "%s: wrong tag of %zu bytes%s", impl->name, len, how);
}
