// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * seal, open and crypt of chapoly-avx2-glue.c or chapoly-avx512-glue.c, for packets of any bytes
 * at any place: what they demand of the assembly, and that its calls together make the packet of
 * RFC 8439.
 *
 * One byte of the text, byte number any, stands for all: it must be ciphered once, with its own
 * byte of the keystream. One byte of the frame, byte number frame_any, stands for all that must be
 * wiped. Texts are never written, only marked, so C that writes to them itself is seen, too.
 */

#include <linux/string.h>
#include "../../compat.h"
#include "ghost.h"

/* The copy of the end of a text is a ghost, which asserts what poly1305_core.h demands. */
#define poly1305_tail proved_tail
#include "../../poly1305_core.h"
#undef poly1305_tail
static void poly1305_tail(u8 *buf, const u8 *end, size_t tail, size_t len);

#ifdef AVX2
#include "../../chapoly/chapoly-avx2-glue.c"
#define ISA(name)	name##_avx2
#else
#include "../../chapoly/chapoly-avx512-glue.c"
#define ISA(name)	name##_avx512
#endif

/* The longest text that chapoly.h allows */
#define TEXT_MAX	((1UL << 38) - 64)

/* chapoly_mulx() takes up to 2^31 blocks. No kernel has so much memory in one piece. */
#define AD_MAX		(1UL << 35)

const u8 chapoly_zeros[CHAPOLY_ZEROS];

/* The packet */
static u8 *dst;
static const u8 *src, *text, *ad, *key, *nonce, *received;	/* text: the ciphertext */
static size_t len, ad_len, any;
static enum { SEALING, OPENING, CRYPTING } doing;
static u32 first;			/* number of the text's first block */

static bool ciphered;			/* dst[any] is what it must become */
static bool right;			/* the tag was compared, and is right */
static bool has_state, has_key, mac_begun, mac_ended;
/* Numbers of the next blocks: of the first, and of the second, which others follow */
static u32 next[2];
static const u8 *stream_any;		/* where the keystream for dst[any] is, or NULL */
static size_t taken;			/* bytes of ciphertext that the MAC has taken */
static const u8 *tail_at, *tail_end;	/* a block that ends with tail_n bytes before tail_end */
static size_t tail_n;
static const void *frame_of;		/* the frame; which byte of it stands for all */
static size_t frame_any;
static bool secret;			/* that byte is secret */
#ifdef AVX2
static bool copied;			/* C copied the key; word key_any of it */
static size_t key_any;
static u64 key_copy;
#endif

static void forget(void *p, size_t n)
{
	if (!dst || !SAME(p, dst))
		__CPROVER_havoc_slice(p, n);
}

static bool zeros48(const u8 *end)
{
	const u64 *words = (const u64 *)end;

	return !(words[0] | words[1] | words[2] | words[3] | words[4] | words[5]) &&
	       get_unaligned_le64(end + 48) == ad_len && get_unaligned_le64(end + 56) == len;
}

#include "contracts.h"

void *ghost_memset(void *to, int c, size_t n)
{
	u64 *words = to;
	size_t i;

	NEED(!c && n == 64, "memset() of the block that ends the MAC's message alone");
	for (i = 0; i < 8; i++)
		words[i] = 0;
	return to;
}

void *ghost_memcpy(void *to, const void *from, size_t n)
{
	NEED(false, "no copy whose length is no constant");
	return to;
}

static void poly1305_tail(u8 *buf, const u8 *end, size_t tail, size_t n)
{
	NEED(tail > 0 && tail < 16 && tail <= n, "poly1305_tail: 0 < tail < 16, tail <= len");
	NEED(readable(end - n, n), "poly1305_tail: len bytes before end are readable");
	NEED(writable(buf, 16), "poly1305_tail: buf is writable");
	__CPROVER_havoc_slice(buf, 16);
	tail_at = buf;
	tail_end = end;
	tail_n = tail;
}

/* n bytes at p now hold a secret, or no longer do */
static void holds_secret(const void *p, size_t n, bool is)
{
	if (SAME(p, frame_of) && holds(p, n, frame_any))
		secret = is;
}

/*
 * n bytes at to become those at from, encrypted or decrypted with the keystream from block number
 * on
 */
static void text_ciphered(u8 *to, const u8 *from, size_t n, u32 number)
{
	NEED(SAME(to, dst) && SAME(from, src), "text goes from src to dst");
	NEED(OFFSET(to) + n <= len, "no more than the text is written");
	NEED(OFFSET(to) == OFFSET(from), "a byte of text stays where it is");
	NEED(doing != OPENING || right, "nothing is decrypted before the tag is known to be right");
	if (!holds(to, n, any))
		return;
	NEED(!ciphered, "a byte of text is ciphered once");
	NEED((any - OFFSET(to)) % 64 == any % 64 &&
	     (u32)(number + (any - OFFSET(to)) / 64) == (u32)(first + any / 64),
	     "a byte of text is ciphered with its own byte of the keystream");
	ciphered = true;
}

/* n bytes at to are the keystream from block number on */
static void stream_made(u8 *to, size_t n, u32 number)
{
	const u32 at = (u32)(first + any / 64) - number;

	NEED(SAME(to, frame_of), "keystream goes to the frame");
	holds_secret(to, n, true);
	if (stream_any && holds(to, n, OFFSET(stream_any)))
		stream_any = NULL;
	if (len && 64 * (u64)at + any % 64 < n)
		stream_any = to + 64 * at + any % 64;
}

/*
 * The MAC takes n bytes of text. A call that also crypts has ciphered dst[any] before the MAC
 * takes that byte, if early says so.
 */
static void text_taken(const u8 *from, size_t n, bool early)
{
	NEED(doing != CRYPTING && has_key && (mac_begun || !ad_len) && !mac_ended,
	     "the MAC has its key and the associated data");
	mac_begun = true;
	NEED(SAME(from, text) && OFFSET(from) == taken, "the MAC takes the text in order");
	NEED(n <= len - taken, "the MAC takes no more than the text");
	if (n && any - taken < n) {
		NEED(doing != SEALING || ciphered || early, "the MAC takes text that is encrypted");
		NEED(doing != OPENING || text != dst || !(ciphered || early),
		     "the MAC takes text that is not decrypted");
	}
	taken += n;
}

/* The MAC's message ends with the rest of the text and the lengths, at mac->end. */
static void message_ends(struct poly1305_packet *mac, u8 *tag)
{
	NEED(taken == len, "the MAC takes the whole text");
	NEED(get_unaligned_le64(mac->end + 48) == ad_len &&
	     get_unaligned_le64(mac->end + 56) == len,
	     "the MAC takes both lengths");
	NEED(doing != SEALING || tag == dst + len, "the tag follows the text");
#ifdef AVX2
	if (copied)
		NEED(mac->key[key_any] == (key_copy & (key_any == 0 ? POLY1305_CLAMP_LO :
						       key_any == 1 ? POLY1305_CLAMP_HI : U64_MAX)),
		     "the MAC's key is the first half of block 0");
#endif
	mac_ended = true;
}

void chapoly_x86_begin(struct chapoly_blocks *frame, const u8 *k, const u8 *n, u32 number,
		       u32 second)
{
	contract_chapoly_x86_begin(frame, k, n, number, second);
	NEED(k == key && n == nonce, "the packet's key and nonce");
	if (!frame_of)
		frame_of = frame;
	NEED(OFFSET(frame) == 0 && SAME(frame, frame_of), "one frame");
	holds_secret(frame, sizeof(*frame), true);
	has_state = true;
	next[0] = number;
	next[1] = second;
	effect_chapoly_x86_begin(frame, k, n, number, second);
	frame->state[12] = 0;
	if (doing == CRYPTING)
		NEED(number == first && second == (u32)(first + 1), "the packet's next blocks");
}

static void xors(u8 *to, const u8 *from, const u8 *stream, size_t n)
{
	NEED(SAME(to, dst) && SAME(from, src), "text goes from src to dst");
	NEED(OFFSET(to) + n <= len, "no more than the text is written");
	NEED(OFFSET(to) == OFFSET(from), "a byte of text stays where it is");
	NEED(doing != OPENING || right, "nothing is decrypted before the tag is known to be right");
	if (!holds(to, n, any))
		return;
	NEED(!ciphered, "a byte of text is ciphered once");
	NEED(stream_any && stream + (any - OFFSET(to)) == stream_any,
	     "a byte of text is ciphered with its own byte of the keystream");
	ciphered = true;
}

static void wipes(void *frame, size_t n)
{
	NEED(SAME(frame, frame_of), "the frame is wiped");
	holds_secret(frame, n, false);
}

#ifdef AVX512
void chapoly_avx512_xor(const u8 *stream, u8 *to, const u8 *from, size_t n)
{
	contract_chapoly_avx512_xor(stream, to, from, n);
	xors(to, from, stream, n);
}

void chapoly_avx512_wipe(void *frame, size_t n)
{
	contract_chapoly_avx512_wipe(frame, n);
	wipes(frame, n);
}
#else
void chapoly_x86_xor(u8 *to, const u8 *from, const u8 *stream, size_t n)
{
	contract_chapoly_x86_xor(to, from, stream, n);
	xors(to, from, stream, n);
}

void chapoly_x86_wipe(void *frame, size_t n)
{
	contract_chapoly_x86_wipe(frame, n);
	wipes(frame, n);
}
#endif

void chapoly_mulx(struct poly1305_packet *mac, const u8 *data, size_t blocks, const u8 *end,
		  size_t end_blocks, u8 *tag)
{
	size_t rest;

	contract_chapoly_mulx(mac, data, blocks, end, end_blocks, tag);
	holds_secret(mac, sizeof(*mac), true);
	NEED(has_key && !mac_ended, "the MAC has its key, and no tag");
	NEED(mac->fresh <= 1, "fresh is 0 or 1");
	if (!mac_begun && ad_len) {
		rest = ad_len % 16;
		NEED(data == ad && blocks == ad_len / 16, "the MAC takes the associated data");
		NEED(end_blocks == !!rest, "the MAC takes one block of the rest, if there is one");
		NEED(!rest || (end == tail_at && tail_end == ad + ad_len && tail_n == rest),
		     "the MAC takes the rest of the associated data, and zeros");
		NEED(mac->fresh, "nothing comes before the associated data");
		mac_begun = true;
		effect_chapoly_mulx(mac, data, blocks, end, end_blocks, tag);
		return;
	}
	NEED(!!mac->fresh == !mac_begun, "the MAC knows whether something came before");
	text_taken(data, 16 * blocks, false);
	rest = len - taken;
	NEED(rest < 16 && end_blocks == 1 + !!rest,
	     "the MAC takes a block of the rest, and the lengths");
	if (rest) {
		NEED(end == tail_at && SAME(tail_end, text) && OFFSET(tail_end) == len &&
		     tail_n == rest, "the MAC takes the rest of the text, and zeros");
		text_taken(tail_end - rest, rest, false);
	}
	NEED(end + 16 * end_blocks == mac->end + 64, "the MAC takes the lengths");
	message_ends(mac, tag);
	effect_chapoly_mulx(mac, data, blocks, end, end_blocks, tag);
}

#ifdef AVX2
/* Strides of text, or keystream */
static void strides_ciphered(struct chapoly_avx2 *frame, u8 *to, const u8 *from, size_t n)
{
	NEED(has_state && OFFSET(frame) == 0 && SAME(frame, frame_of), "the frame has a state");
	NEED(next[1] == (u32)(next[0] + 1), "the next blocks follow one another");
	if (SAME(from, chapoly_zeros)) {
		NEED(n == 1, "one stride of keystream");
		stream_made(to, 512, next[0]);
	} else {
		text_ciphered(to, from, 512 * n, next[0]);
	}
	next[0] += 8 * n;
	next[1] += 8 * n;
}

static void key_made(struct chapoly_avx2 *frame)
{
	NEED(!has_key, "the key is made once");
	has_key = true;
	holds_secret(&frame->mac, sizeof(frame->mac), true);
}

/* A stride reads the MAC's text before it writes its own; strides before it have written. */
static void mac_interleaved(struct chapoly_avx2 *frame, const u8 *mac, size_t n, size_t stride,
			    const u8 *to)
{
	bool early = false;

	if (SAME(mac, to) && holds(mac, n, any) && any >= OFFSET(to))
		early = (any - OFFSET(to)) / 512 < (any - OFFSET(mac)) / stride;
	NEED(mac_begun || !(frame->mac.h[0] | frame->mac.h[1] | frame->mac.h[2]),
	     "nothing comes before the text, so h is 0");
	text_taken(mac, n, early);
	holds_secret(&frame->mac, sizeof(frame->mac), true);
}

void chapoly_avx2_strides(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds, u8 *to,
			  const u8 *from, size_t n)
{
	contract_chapoly_avx2_strides(frame, mac, rounds, to, from, n);
	if (rounds == WITH_KEY)
		key_made(frame);
	else if (rounds)
		mac_interleaved(frame, mac, 64 * rounds * n, 64 * rounds, to);
	strides_ciphered(frame, to, from, n);
	effect_chapoly_avx2_strides(frame, mac, rounds, to, from, n);
}

void chapoly_avx2_rows(struct chapoly_avx2 *frame, const u8 *mac, size_t rounds, size_t blocks)
{
	const size_t size = blocks <= 2 ? 128 : 384;
	const bool first_is_key = !has_key && doing != CRYPTING;

	contract_chapoly_avx2_rows(frame, mac, rounds, blocks);
	NEED(has_state && OFFSET(frame) == 0 && SAME(frame, frame_of), "the frame has a state");
	if (rounds)
		mac_interleaved(frame, mac, 64 * rounds, 64 * rounds, frame->stream);
	if (first_is_key) {
		/* The copy of the key is C's. */
		NEED(next[0] == 0, "block 0 is the key");
		key_made(frame);
		holds_secret(frame->stream, 64, true);
		stream_made(frame->stream + 64, size - 64, next[1]);
	} else {
		NEED(next[1] == (u32)(next[0] + 1), "the next blocks follow one another");
		stream_made(frame->stream, size, next[0]);
	}
	effect_chapoly_avx2_rows(frame, mac, rounds, blocks);
	if (first_is_key) {
		copied = true;
		key_copy = ((const u64 *)frame->stream)[key_any];
	}
}
#else
void chacha20_avx512(const u32 state[16], u8 *to, const u8 *from, size_t n, u8 *mac_key,
		     bool with_key)
{
	const u32 number = state[12] + with_key;

	contract_chacha20_avx512(state, to, from, n, mac_key, with_key);
	NEED(doing == CRYPTING || (has_state && SAME(state, frame_of) && OFFSET(state) == 0),
	     "the frame has a state");
	if (with_key) {
		NEED(!has_key && state[12] == 0 && doing != CRYPTING, "block 0 is the key");
		has_key = true;
		holds_secret(mac_key, 32, true);
	}
	if (SAME(from, chapoly_zeros))
		stream_made(to, n, number);
	else
		text_ciphered(to, from, n, number);
	effect_chacha20_avx512(state, to, from, n, mac_key, with_key);
}

void poly1305_packet_avx512(struct poly1305_packet *mac, const u8 *from, size_t n, u8 *tag)
{
	contract_poly1305_packet_avx512(mac, from, n, tag);
	NEED(mac_begun || !(mac->h[0] | mac->h[1] | mac->h[2]),
	     "nothing comes before the text, so h is 0");
	text_taken(from, n, false);
	message_ends(mac, tag);
	holds_secret(mac, sizeof(*mac), true);
	effect_poly1305_packet_avx512(mac, from, n, tag);
}
#endif

bool chapoly_is_right(u8 tag[CHAPOLY_TAG_SIZE], const u8 *other)
{
	NEED(doing == OPENING && mac_ended, "the tag is that of the whole message");
	NEED(readable(tag, 16) && writable(tag, 16) && readable(other, 16),
	     "both tags are readable");
	NEED(other == received, "the tag is compared with the one received");
	right = nondet_bool();
	return right;
}

int main(void)
{
	const struct chapoly_impl *impl = &ISA(chapoly);
	u8 key_bytes[32], nonce_bytes[12];
	struct chacha_state cipher;
	size_t max, touched;
	u8 before = 0;
	int result = 0;

	simd_usable = true;
	section = false;
	ciphered = false;
	right = false;
	has_state = false;
	has_key = false;
	mac_begun = false;
	mac_ended = false;
	secret = false;
	stream_any = NULL;
	tail_at = NULL;
	tail_end = NULL;
	frame_of = NULL;
#ifdef AVX2
	copied = false;
	key_any = nondet_size();
	GIVEN(key_any < 4);
#endif
	taken = 0;
	key = key_bytes;
	nonce = nonce_bytes;
	len = nondet_size();
	ad_len = nondet_size();
	any = nondet_size();
	frame_any = nondet_size();
	touched = nondet_size();
#ifdef SEAL
	doing = SEALING;
	max = impl->seal_max;
#elif defined(OPEN)
	doing = OPENING;
	max = impl->open_max;
#else
	doing = CRYPTING;
	max = CHAPOLY_CHUNK;
#endif
	GIVEN(len <= max && len <= TEXT_MAX && ad_len <= AD_MAX);
	GIVEN(len ? any < len : any == SIZE_MAX);
	GIVEN(touched < len || !len);
	ad = any_bytes(ad_len);
	first = 1;
	if (doing == SEALING) {
		dst = malloc(len + 16);
		GIVEN(dst);
		src = nondet_bool() ? dst : any_bytes(len);
		text = dst;
	} else if (doing == OPENING) {
		/* The tag is the text's neighbour, or anywhere. */
		dst = malloc(len + 16);
		GIVEN(dst);
		src = dst;
		text = dst;
		received = nondet_bool() ? dst + len : any_bytes(16);
		GIVEN(received);
	} else {
		dst = any_bytes(len);
		src = nondet_bool() ? dst : any_bytes(len);
		first = cipher.x[12];
		key = (u8 *)(cipher.x + 4);
		nonce = (u8 *)(cipher.x + 13);
	}
	if (len)
		before = dst[touched];

#ifdef SEAL
	impl->seal(dst, src, len, ad, ad_len, nonce, key);
	NEED(mac_ended, "the packet has its tag");
#elif defined(OPEN)
	result = impl->open(dst, len, received, ad, ad_len, nonce, key);
	NEED(mac_ended && result == (right ? 0 : -EBADMSG), "the result is that of the tags");
	NEED(right || !ciphered, "nothing of a forged packet is decrypted");
#else
	impl->crypt(&cipher, dst, src, len);
	NEED(cipher.x[12] == (u32)(first + len / 64 + !!(len % 64)),
	     "the number of the next block");
#endif
	NEED(!len || result || ciphered, "all of the text is ciphered");
	NEED(!len || dst[touched] == before, "C itself writes no text");
	NEED(!secret, "all that is secret is wiped");
	NEED(!section, "the FPU section has ended");
	return 0;
}
