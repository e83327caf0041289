// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * chapoly_list.c: lists of any number of entries of any lengths, empty ones among them. Entries are
 * anywhere in one memory, and may overlap. It is not read or written, only addresses are compared.
 *
 * PIECE proves next_piece() from any cursor. One object is the entry that the cursor is at, and
 * becomes the following one in sg_next(). For the other functions next_piece() is replaced by what
 * is proved: list[i] is the first entry of a list, and moved[i] any later one. Where that starts is
 * for next_piece() alone to know, so it is BASE, which is easy to prove with. Each function runs
 * once, on any packet and any lists. chapoly.c is replaced by what pieces.c proves.
 *
 * A piece is known by its address, and so is its place in the list. Byte number any of the text
 * stands for all that have the same address in two passes.
 */

#include <linux/string.h>
#include "../../compat.h"
#include "ghost.h"
#include "../../chapoly/chapoly_list.c"

#define TEXT_MAX	((u64)U32_MAX * CHACHA_BLOCK_SIZE)

static u8 *memory;

#ifdef PIECE
static struct scatterlist entry;	/* the one that the cursor is at */
static u64 start;			/* number of its first byte */
static u64 position, all, entries;	/* the cursor's byte; bytes of the list; entries to come */

static void any_entry(void)
{
	entry.length = nondet_u32();
	entry.addr = memory + nondet_u32();
	GIVEN(entry.length <= all - start && (entries || start + entry.length == all));
}

struct scatterlist *ghost_next(struct scatterlist *sg)
{
	NEED(sg == &entry && entry.length <= position - start, "an entry is left for a later byte");
	NEED(entries, "there is another entry");
	entries--;
	start += entry.length;
	any_entry();
	return sg;
}

int main(void)
{
	const size_t size = nondet_size(), most = nondet_size();
	struct cursor c = { &entry };
	size_t n = most;
	u8 *from;

	memory = malloc(size);
	start = nondet_u64();
	position = nondet_u64();
	all = nondet_u64();
	entries = nondet_u64();
	/* Fewer than 2^31 entries of fewer than 2^32 bytes each */
	GIVEN(memory && size > 1UL << 33 && all < 1UL << 63);
	GIVEN(start <= position && position < all && n);
	any_entry();
	c.at = position - start;
	from = next_piece(&c, &n);
	NEED(c.sg == &entry && c.at == position - start, "the cursor stays at its byte");
	NEED(n && n <= most && n <= entry.length - c.at, "bytes of the entry");
	NEED(from == (u8 *)entry.addr + c.at, "the address of the byte");
	return 0;
}
#else

static struct scatterlist list[2], moved[2];	/* of the source, and of the destination */
#define BASE		(U64_MAX / 2 + 1)
static u64 all[2];			/* bytes of the lists */
static struct chapoly_pieces packet;
static u64 skip, len, end;		/* the first byte of the text is skip, the last end - 1 */
static u64 next, opened;		/* the next byte, and in opening's second pass */
static bool out;			/* the list written to: 0 in place */

/* The last piece of each list: its first byte's number, its length and its address */
static u64 at[2];
static size_t size[2];
static const u8 *piece[2];

/* Byte number any of the text: its address in each list, and what became of it */
static u64 any, any_at[2];
static bool any_copied, any_zeroed;

static u8 *tag, *received;
static bool to_list, written, wiped, ended, verified, right;

/* The number of the byte that a cursor is at */
static u64 byte_of(const struct cursor *c)
{
	return c->sg == &moved[0] || c->sg == &moved[1] ? c->at + BASE : c->at;
}

/* What PIECE proves of next_piece() */
u8 *ghost_piece(struct cursor *c, size_t *n)
{
	const bool i = c->sg == &list[1] || c->sg == &moved[1];
	const u64 first = byte_of(c);
	const size_t most = nondet_u32();
	u64 offset = nondet_u64();

	NEED(c->sg == &list[i] || c->sg == &moved[i], "a cursor");
	NEED(*n && first < all[i] && *n <= all[i] - first, "bytes of the list");
	GIVEN(most);
	*n = min_t(size_t, *n, most);
	if (any >= first && any - first < *n)
		offset = any_at[i] - (any - first);
	if (nondet_bool()) {
		c->sg = &moved[i];
		c->at = first - BASE;
	}
	at[i] = first;
	size[i] = *n;
	piece[i] = memory + offset;
	return memory + offset;
}

/* Returns the number of the first of n bytes at p, which are of the last piece. */
static u64 number(bool i, const void *p, size_t n)
{
	NEED(p == piece[i] && n && n <= size[i], "bytes of a piece");
	return at[i];
}

int ghost_nents_for_len(struct scatterlist *sg, u64 n)
{
	if (!n)
		return 0;
	NEED(sg == &list[0] || sg == &list[1], "a list");
	return all[sg == &list[1]] >= n ? 1 : -EINVAL;
}

void *ghost_memset(void *to, int c, size_t n)
{
	u64 first;

	NEED(!c, "memset: zeros");
	if (to == &packet) {
		NEED(n == sizeof(packet), "the whole packet is wiped");
		packet.made = 0;
		packet.left = 0;
		packet.len = 0;
		wiped = true;
		return to;
	}
	first = number(out, to, n);
	NEED(verified && !right && first >= skip && first < end && n <= end - first,
	     "zeros for the text of a forged packet");
	written = true;
	if (any >= first && any - first < n)
		any_zeroed = true;
	return to;
}

void *ghost_memcpy(void *to, const void *from, size_t n)
{
#ifdef TAG
	u8 *bytes = to_list ? (u8 *)from : to;

	NEED(bytes == tag + (next - skip) && n <= end - next, "the tag in order");
	NEED(number(0, to_list ? to : from, n) == next, "a byte of the tag has its place");
	next += n;
#else
	NEED(number(0, from, n) == next && number(out, to, n) == next && n <= end - next &&
	     !wiped && !verified, "ciphertext is copied in order");
	written = true;
	if (any >= next && any - next < n) {
		NEED(!any_copied, "each byte of ciphertext is read once");
		any_copied = true;
	}
#endif
	return to;
}

/* What AD of pieces.c proves */
void chapoly_ad(struct chapoly_pieces *p, const u8 *ad, size_t n)
{
	NEED(p == &packet && n <= end - next && number(0, ad, n) == next,
	     "associated data in order");
	next += n;
}

/* What TEXT proves */
void chapoly_text(struct chapoly_pieces *p, u8 *to, const u8 *from, size_t n)
{
	NEED(p == &packet && packet.made && packet.seal && n <= packet.left, "text to seal");
	NEED(number(0, from, n) == next && number(out, to, n) == next, "text stays where it is");
	written = true;
	next += n;
	packet.left -= n;
	packet.len += n;
}

/* What END proves */
int chapoly_end(struct chapoly_pieces *p, u8 *t)
{
	const bool whole = packet.made && !packet.left && packet.seal;

	NEED(p == &packet, "the packet");
	tag = t;
	ended = whole;
	ghost_memset(p, 0, sizeof(*p));
	return whole ? 0 : -EINVAL;
}

/* What MAC proves */
void chapoly_pieces_mac(struct chapoly_pieces *p, const u8 *text, size_t n)
{
	NEED(p == &packet && packet.made && !packet.seal && !ended && n <= end - next,
	     "ciphertext for the MAC");
	NEED(number(out, text, n) == next, "the MAC takes ciphertext in order");
	NEED(any < next || any - next >= n || any_copied || any_at[0] == any_at[out],
	     "the MAC takes the copy of the text");
	next += n;
	packet.len += n;
}

/* What TAG proves there */
void chapoly_pieces_tag(struct chapoly_pieces *p, u8 *t)
{
	NEED(p == &packet && packet.made && !ended && next == end, "the MAC has all of the text");
	tag = t;
	ended = true;
}

bool chapoly_is_right(u8 *t, const u8 *r)
{
	NEED(ended && t == tag && r == received && r != t && !verified, "the tag received");
	verified = true;
	right = nondet_bool();
	return right;
}

/* What CRYPT proves */
void chapoly_pieces_crypt(struct chapoly_pieces *p, u8 *to, const u8 *from, size_t n)
{
	NEED(verified && right, "nothing is decrypted before the tag is known to be right");
	NEED(p == &packet && packet.made && n <= packet.left && to == from &&
	     number(out, to, n) == opened, "the text is decrypted in order");
	written = true;
	opened += n;
	packet.left -= n;
}

/* What TAG proves of copy_tag() */
void ghost_copy_tag(struct cursor c, u8 *t, bool writes)
{
	const bool i = c.sg == &list[1];

	NEED(c.sg == &list[i] && byte_of(&c) == end && all[i] >= TAG_SIZE &&
	     end <= all[i] - TAG_SIZE, "the tag is behind the text");
	if (writes) {
		NEED(i == out && packet.seal && ended && t == tag, "the tag of the packet");
		written = true;
		to_list = true;
	} else {
		NEED(!i && !packet.seal && !verified, "the tag of the source");
		received = t;
	}
}

/* Whether list number i has n bytes behind the first skip */
static bool enough(bool i, u64 n)
{
	return !(skip + (__uint128_t)n) || skip + (__uint128_t)n <= all[i];
}

int main(void)
{
	const size_t bytes = nondet_size();
	bool whole;
	int result;
#ifdef TAG
	u8 tag_bytes[TAG_SIZE];
#endif

	memory = malloc(bytes);
	GIVEN(memory && bytes > 1UL << 44);
	all[0] = nondet_u64();
	all[1] = nondet_u64();
	/* Fewer than 2^31 entries of fewer than 2^32 bytes each */
	GIVEN(all[0] < 1UL << 63 && all[1] < 1UL << 63);
	any_at[0] = nondet_u64();
	any_at[1] = nondet_u64();
	GIVEN(any_at[0] >= 1UL << 40 && any_at[0] < 1UL << 42);
	GIVEN(any_at[1] >= 1UL << 40 && any_at[1] < 1UL << 42);
	skip = nondet_u64();
	len = nondet_u64();
	any = nondet_u64();
	out = nondet_bool();
	to_list = false;
	any_copied = false;
	any_zeroed = false;
	tag = NULL;
	received = NULL;
	written = false;
	wiped = false;
	ended = false;
	verified = false;
	right = false;
	(void)whole;
#ifdef TAG
	len = TAG_SIZE;
#elif defined(AD)
	skip = 0;
#endif
	end = skip + len;
	next = skip;
	opened = skip;
	(void)result;
#ifdef TAG
	any = U64_MAX;
	to_list = nondet_bool();
	tag = tag_bytes;
	GIVEN(all[0] >= TAG_SIZE && skip <= all[0] - TAG_SIZE);
	copy_tag((struct cursor){ &list[0], skip }, tag, to_list);
	NEED(next == end, "the whole tag");
#elif defined(AD)
	any = U64_MAX;
	packet.made = 64;
	chapoly_ad_list(&packet, len || nondet_bool() ? &list[0] : NULL, len);
	NEED(wiped == (len > all[0]), "a packet is wiped if the list is too short");
	NEED(next == (wiped ? 0 : len), "all associated data, or nothing");
#else
	packet.made = nondet_size();
	packet.len = nondet_u64();
	packet.left = len;
	packet.seal = nondet_bool();
	GIVEN(packet.made ? len <= TEXT_MAX && packet.len <= TEXT_MAX - len : !packet.len && !len);
	whole = packet.made && !packet.len;
#ifdef SEAL
	any = U64_MAX;
	whole = whole && packet.seal && enough(0, len) && enough(out, len + TAG_SIZE);
	result = chapoly_seal_list(&packet, &list[out], &list[0], skip);
	NEED(result == (whole ? 0 : -EINVAL), "0, or -EINVAL");
	NEED(whole ? next == end && ended && to_list : !written,
	     "all of the text and the tag, or nothing");
#else
	GIVEN(len ? any >= skip && any - skip < len : any == U64_MAX);
	whole = whole && !packet.seal && enough(0, len + TAG_SIZE) && (!len || enough(out, len));
	result = chapoly_open_list(&packet, &list[out], &list[0], skip);
	NEED(result == (!whole ? -EINVAL : right ? 0 : -EBADMSG), "0, -EBADMSG or -EINVAL");
	NEED(whole ? verified : !written, "nothing is written to lists that are too short");
	NEED(!right || opened == end, "all of the text is decrypted");
	NEED(!len || !right || !any_zeroed, "a packet that is right is not zeroed");
	NEED(!len || right || !whole || any_zeroed == (any_at[0] != any_at[out]),
	     "a forged packet leaves zeros, or is as it was in place");
#endif
	NEED(wiped, "the packet is wiped");
#endif
	return 0;
}
#endif
