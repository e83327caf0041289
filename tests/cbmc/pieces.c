// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly.c, packets in pieces: each function once, with any arguments, on any packet of a set. For
 * chapoly_begin(), chapoly_ad(), chapoly_text(), chapoly_end() and chapoly_verify() the set is
 * good(), and holds what they leave. So the assertions hold for any order of calls of these
 * five with any lengths.
 *
 * chapoly_pieces_crypt(), chapoly_pieces_mac() and chapoly_pieces_tag() have sets of their own, in
 * main(). crypt() and mac_chunks() are replaced; oneshot.c proves them. For chapoly_text() the
 * first two are replaced by what CRYPT and MAC prove.
 *
 * Texts are not written, only counted, so C that writes to them itself is seen, too. Byte number
 * zero_any of a block stands for all that a fill writes.
 */

#include <linux/string.h>
#include "../../compat.h"
#include "ghost.h"
#include "../../chapoly/chapoly.c"

const struct chapoly_impl chapoly_avx2, chapoly_avx512;

static struct chapoly_pieces packet;
/* Numbers up to TEXT_MAX and more, of no more bits than that takes, which is easier to prove */
typedef unsigned __CPROVER_bitvector[40] number;

static number announced, position;	/* the length of the whole text, and of what was ciphered */
/*
 * ChaCha20: number of the next block, and of the one after those in packet.stream; bytes left
 * there
 */
static number next, next_of_stream, unused;
/*
 * The MAC: bytes taken of associated data and text, and whether zeros after the former were taken
 */
static u64 ad_taken, taken;
static bool has_key, padded, mac_ended, wiped;

/* The piece: its bytes, and how many were copied, ciphered, and authenticated */
static u8 *dst;
static const u8 *src;
static size_t len, copied, ciphered, authenticated;
static size_t rest;			/* bytes of the piece to come, and their places */
static u8 *to_next;
static const u8 *from_next;
static bool sealing, zeroed;
static const u8 *key, *nonce, *ad;
static size_t zero_any;
static const void *tag_of, *received;
static bool right, tag_secret;

static bool is_text(const void *p)
{
	return dst && SAME(p, dst);
}

void *ghost_memset(void *to, int c, size_t n)
{
	NEED(writable(to, n) && !c, "memset: writable, zeros");
	if (to == packet.stream) {
		if (zero_any < n)
			packet.stream[zero_any] = 0;
	} else if (to == &packet) {
		NEED(n == sizeof(packet), "the whole packet is wiped");
		packet.made = 0;
		packet.used = 0;
		packet.left = 0;
		packet.len = 0;
		packet.ad_len = 0;
		packet.seal = false;
		wiped = true;
	} else if (is_text(to)) {
		NEED(to == dst && n == len && !ciphered, "zeros for a text that is too long");
		zeroed = true;
	} else if (to == tag_of && n == TAG_SIZE) {
		tag_secret = false;
	} else if (zero_any < n) {
		((u8 *)to)[zero_any] = 0;
	}
	return to;
}

void *ghost_memcpy(void *to, const void *from, size_t n)
{
	NEED(readable(from, n) && writable(to, n) && apart(to, n, from, n), "memcpy: places");
	NEED(!sealing && dst != src && to == dst + copied && from == src + copied &&
	     n <= len - copied,
	     "each byte of ciphertext is read once, in order");
	copied += n;
	return to;
}

/*
 * n bytes of text are ciphered with the keystream from byte position from_stream on, without block
 * 0.
 */
static void text_ciphered(u8 *to, const u8 *from, size_t n, number from_stream)
{
	NEED(readable(from, n) && writable(to, n), "text is readable and writable");
	NEED(to == to_next && n <= rest, "text is ciphered once, in order");
	NEED(from == (sealing ? from_next : to), "text stays where it is");
	NEED(sealing || !has_key || authenticated >= ciphered + n,
	     "ciphertext is authenticated before it is decrypted");
	NEED(from_stream == position, "text is ciphered with its own keystream");
	to_next += n;
	from_next += n;
	rest -= n;
	ciphered += n;
	position += n;
}

void ghost_crypt(struct chacha_state *cipher, u8 *to, const u8 *from, size_t n)
{
	NEED(n && !section && cipher == (void *)packet.cipher && cipher->x[12] == (u32)next,
	     "the packet's next block");
	if (is_text(to)) {
		NEED(!unused, "all of the keystream is used");
		text_ciphered(to, from, n, (next - 1) << 6);
		next += (n + 63) >> 6;
	} else {
		NEED(to == packet.stream && from == to && n == packet.made && !(n & 63),
		     "whole blocks of keystream");
		NEED(n <= sizeof(packet.stream), "keystream has room");
		NEED(zero_any >= n || !packet.stream[zero_any], "keystream is made of zeros");
		next += n >> 6;
		next_of_stream = next;
		unused = n;
	}
	cipher->x[12] = next;
}

void crypto_xor_cpy(u8 *to, const u8 *from, const u8 *stream, unsigned int n)
{
	const size_t i = OFFSET(stream) - OFFSET(packet.stream);

	NEED(SAME(stream, &packet) && i < packet.made && n <= packet.made - i,
	     "keystream is there");
	NEED(i == packet.made - unused, "keystream is used in order");
	text_ciphered(to, from, n, ((next_of_stream - 1) << 6) - unused);
	unused -= n;
}

void poly1305_mac_init_hint(struct poly1305_mac_ctx *ctx, const u8 *k, size_t n)
{
	NEED(ctx == &packet.mac && k == packet.stream && (next_of_stream << 6) == packet.made,
	     "the MAC's key is block 0");
	has_key = true;
	padded = false;
	mac_ended = false;
	ad_taken = 0;
	taken = 0;
}

void poly1305_mac_update(struct poly1305_mac_ctx *ctx, const void *data, size_t n)
{
	const u8 *bytes = data;

	NEED(ctx == &packet.mac && has_key && !mac_ended && readable(data, n),
	     "the MAC has a key, and no tag");
	if (!n)
		return;
	if (is_text(data)) {
		NEED(padded || !(ad_taken & 15), "zeros come after associated data");
		NEED(data == dst + authenticated && n <= len - authenticated,
		     "the MAC takes the text in order");
		NEED(sealing ? authenticated + n <= ciphered : ciphered <= authenticated,
		     "the MAC takes ciphertext");
		NEED(sealing || dst == src || authenticated + n <= copied || !src,
		     "the MAC takes the copy of the text");
		authenticated += n;
		taken += n;
	} else if (ad && SAME(data, ad)) {
		NEED(data == ad && n == len && !taken && !padded, "the MAC takes associated data");
		ad_taken += n;
	} else if (SAME(data, chapoly_zeros)) {
		NEED(n == (-ad_taken & 15) && !taken && !padded, "zeros, once");
		padded = true;
	} else {
		NEED(padded || !(ad_taken & 15), "zeros come after associated data");
		NEED(n == 16 + (-taken & 15), "zeros up to a block, and the lengths");
		NEED(zero_any >= n - 16 || !bytes[zero_any], "zeros up to a block");
		NEED(get_unaligned_le64(bytes + n - 16) == ad_taken &&
		     get_unaligned_le64(bytes + n - 8) == taken, "both lengths");
		mac_ended = true;
	}
}

void ghost_mac_chunks(struct poly1305_mac_ctx *mac, const u8 *data, size_t n)
{
	if (n)
		poly1305_mac_update(mac, data, n);
}

void poly1305_mac_final(struct poly1305_mac_ctx *ctx, u8 *tag)
{
	NEED(ctx == &packet.mac && mac_ended && writable(tag, TAG_SIZE), "the message has ended");
	has_key = false;
	tag_of = tag;
	tag_secret = true;
}

unsigned long crypto_memneq(const void *a, const void *b, size_t size)
{
	NEED(a == tag_of && b == received && size == TAG_SIZE && readable(b, size),
	     "the whole tag is compared with the one received");
	right = nondet_bool();
	return !right;
}

/* What holds of keystream and lengths between calls, if the packet is not wiped */
static bool stream_fits(void)
{
	return announced <= TEXT_MAX && packet.left <= announced &&
	       position + (number)packet.left == announced && packet.made &&
	       packet.made <= sizeof(packet.stream) && !(packet.made & 63) &&
	       packet.used <= packet.made && unused == packet.made - packet.used &&
	       packet.cipher[12] == (u32)next && next && next <= 9 + (announced >> 6) &&
	       (!unused || next_of_stream == next) &&
	       (!packet.left || (next - 1) << 6 == position + unused);
}

static bool mac_fits(void)
{
	return has_key && !mac_ended && packet.len == taken && packet.ad_len == ad_taken &&
	       taken <= TEXT_MAX && (!taken ? !padded : padded || !(ad_taken & 15));
}

/* Any packet between two calls of exported functions */
static bool good(void)
{
	return (!packet.made && !packet.left && !packet.len) ||
	       (stream_fits() && mac_fits() && taken == position);
}

/*
 * chapoly_pieces_crypt(), for chapoly_text(). What it does to the keystream, which chapoly_text()
 * does not change, follows in main().
 */
void ghost_pieces_crypt(struct chapoly_pieces *p, u8 *to, const u8 *from, size_t n)
{
	NEED(p == &packet && n <= packet.left, "no more than is left");
	NEED(to == dst + ciphered && from == (sealing ? src : dst) + ciphered &&
	     n <= len - ciphered,
	     "text is ciphered once, in order");
	NEED(sealing || ciphered + n <= authenticated,
	     "ciphertext is authenticated before it is decrypted");
	ciphered += n;
	position += n;
	packet.left -= n;
}

/* chapoly_pieces_mac(), for chapoly_text() */
void ghost_pieces_mac(struct chapoly_pieces *p, const u8 *text, size_t n)
{
	NEED(p == &packet && n && n <= TEXT_MAX - taken, "text for the MAC");
	NEED(text == dst + authenticated && n <= len - authenticated,
	     "the MAC takes the text in order");
	NEED(sealing ? authenticated + n <= ciphered : ciphered <= authenticated,
	     "the MAC takes ciphertext");
	NEED(sealing || dst == src || authenticated + n <= copied,
	     "the MAC takes the copy of the text");
	padded = padded || ad_taken & 15;
	packet.len += n;
	authenticated += n;
	taken += n;
}

static void any_text(void)
{
	dst = malloc(len);
	GIVEN(dst);
	src = nondet_bool() ? dst : malloc(len);
	GIVEN(src);
	to_next = dst;
	from_next = src;
	rest = len;
}

int main(void)
{
	u8 key_bytes[CHAPOLY_KEY_SIZE], nonce_bytes[CHAPOLY_NONCE_SIZE], tag[TAG_SIZE];
	const size_t word = nondet_size();
	const bool seals = nondet_bool();
	struct chapoly_pieces any_packet;
	bool whole, fits;
	int result;

	section = false;
	announced = nondet_u64();
	position = nondet_u64();
	unused = nondet_u64();
	next = nondet_u64();
	next_of_stream = nondet_u64();
	ad_taken = nondet_u64();
	taken = nondet_u64();
	has_key = nondet_bool();
	padded = nondet_bool();
	best_seal_max = nondet_bool() ? SIZE_MAX : 0;
	mac_ended = false;
	wiped = false;
	zeroed = false;
	right = false;
	tag_secret = false;
	copied = 0;
	ciphered = 0;
	authenticated = 0;
	len = nondet_size();
	zero_any = nondet_size();
	key = key_bytes;
	nonce = nonce_bytes;
	tag_of = NULL;
	dst = NULL;
	src = NULL;
	ad = NULL;
	packet = any_packet;
	packet.seal = nondet_bool();
	GIVEN(zero_any < sizeof(packet.stream) && word < 8);

#ifdef BEGIN
	announced = len;
	position = 0;
	next = 0;
	has_key = false;
	chapoly_begin(&packet, len, nonce, key, seals);
	unused -= 64;				/* block 0 is the MAC's key */
	NEED(good(), "a packet that is begun, or wiped");
	NEED(!wiped == (len <= TEXT_MAX) && !packet.made == wiped,
	     "a packet that is too long is wiped");
	if (!wiped) {
		NEED(packet.seal == seals && packet.left == len, "the packet takes its whole text");
		NEED(packet.cipher[4 + word] == get_unaligned_le32(key + 4 * word), "its key");
		NEED(word >= 3 || packet.cipher[13 + word] == get_unaligned_le32(nonce + 4 * word),
		     "its nonce");
	}
	return 0;
#endif
#if defined(CRYPT) || defined(MAC) || defined(TAG)
	GIVEN(packet.made && stream_fits());
#else
	GIVEN(good());
#endif
	sealing = packet.seal;
	fits = packet.made;
	(void)result;
#ifdef AD
	ad = any_bytes(len);
	GIVEN(len <= U64_MAX - ad_taken && len <= 1UL << 48);
	whole = fits && !packet.len;
	chapoly_ad(&packet, ad, len);
	NEED(good(), "a packet that is in order, or wiped");
	NEED(len ? !packet.made == !whole : !packet.made == !fits,
	     "associated data after text wipe");
	NEED(!packet.made || packet.ad_len == ad_taken, "the length of associated data");
#elif defined(TEXT)
	any_text();
	whole = len <= packet.left;
	chapoly_text(&packet, dst, src, len);
	if (ciphered) {
		packet.used = nondet_size();
		packet.made = nondet_size();
		next = nondet_u64();
		next_of_stream = nondet_u64();
		unused = nondet_u64();
		packet.cipher[12] = next;
		GIVEN(stream_fits());
	}
	NEED(good(), "a packet that is in order, or wiped");
	NEED(whole ? !wiped : !packet.made && wiped && zeroed,
	     "too much text wipes, and becomes zeros");
	NEED(!whole || (ciphered == len && authenticated == len && !zeroed), "all of the text");
#elif defined(END)
	whole = packet.made && !packet.left && packet.seal;
	result = chapoly_end(&packet, tag);
	NEED(result == (whole ? 0 : -EINVAL) && wiped, "0, or -EINVAL");
	NEED(whole ? tag_of == tag : zero_any >= TAG_SIZE || !tag[zero_any], "a tag, or zeros");
#elif defined(VERIFY)
	received = tag;
	whole = packet.made && !packet.left && !packet.seal;
	result = chapoly_verify(&packet, tag);
	NEED(result == (!whole ? -EINVAL : right ? 0 : -EBADMSG) && wiped,
	     "0, -EBADMSG or -EINVAL");
	NEED(!tag_secret, "the tag is wiped");
#elif defined(CRYPT)
	/* chapoly_list.c decrypts a packet that was authenticated before. */
	has_key = false;
	any_text();
	GIVEN(len <= packet.left);
	src = sealing ? src : dst;
	from_next = src;
	chapoly_pieces_crypt(&packet, dst, src, len);
	NEED(stream_fits() && !rest && ciphered == len, "all of the text");
#elif defined(MAC)
	/* chapoly_list.c authenticates text before any is decrypted. */
	any_text();
	src = NULL;
	ciphered = sealing ? len : 0;
	GIVEN(mac_fits() && len && len <= TEXT_MAX - taken);
	chapoly_pieces_mac(&packet, dst, len);
	NEED(stream_fits() && mac_fits() && authenticated == len, "all of the text");
#else
	GIVEN(mac_fits());
	chapoly_pieces_tag(&packet, tag);
	NEED(stream_fits() && tag_of == tag, "the packet has its tag");
#endif
	return 0;
}
