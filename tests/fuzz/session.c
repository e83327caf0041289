// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Calls that process messages in pieces. Each slot holds one message, with one object
 * for every tier: a context of the library or a descriptor of the shash. Most calls
 * have a turn, which rotates the assignment of tiers to objects, so that every tier
 * continues what others began.
 *
 * An object can be used after final. poly1305.h says that a context then has an
 * all-zero key, docs/design.md that a descriptor is as after init.
 */

#include <stdlib.h>

#include "fuzz.h"

#define SLOTS		4

/**
 * struct slot - a message in progress
 * @kind: the type of the objects
 * @key: the first @keylen bytes of the key; r may be clamped already
 * @keylen: KEY_SIZE, unless a shash has not received the whole key
 * @h: the reference's accumulator, below p
 * @buf: the bytes of an incomplete block
 * @buflen: how many there are
 * @object: an object for each tier
 * @owner: the tier whose vector code may have left powers in it
 */
struct slot {
	enum { EMPTY, LIBRARY, SHASH } kind;
	u8 key[KEY_SIZE];
	u32 keylen;
	u64 h[3];
	u8 buf[BLOCK_SIZE];
	u32 buflen;
	void *object[TIERS_MAX];
	const struct tier *owner[TIERS_MAX];
};

static struct slot slots[SLOTS];

static size_t object_size(const struct slot *slot)
{
	if (slot->kind == LIBRARY)
		return sizeof(struct poly1305_mac_ctx);
	return sizeof(struct shash_desc) + tiers[0]->alg->descsize;
}

static void end_session(struct slot *slot)
{
	unsigned int i;

	for (i = 0; i < ntiers; i++) {
		free(slot->object[i]);
		slot->object[i] = NULL;
	}
	slot->kind = EMPTY;
}

void end_sessions(void)
{
	struct slot *slot;

	for (slot = slots; slot < slots + SLOTS; slot++)
		end_session(slot);
}

/* The meaning of an object after final */
static void expect_ended(struct slot *slot)
{
	memset(slot->key, 0, sizeof(slot->key));
	slot->keylen = slot->kind == LIBRARY ? KEY_SIZE : 0;
	memset(slot->h, 0, sizeof(slot->h));
	slot->buflen = 0;
}

/*
 * Allocates objects of the exact size, so that the sanitizer finds accesses beyond
 * them. With in_place, uses existing ones of that kind, in whatever state.
 */
static void begin_session(struct slot *slot, int kind, bool in_place)
{
	unsigned int i;

	if (!in_place || slot->kind != kind) {
		end_session(slot);
		slot->kind = kind;
		for (i = 0; i < ntiers; i++) {
			slot->object[i] = malloc(object_size(slot));
			memset(slot->object[i], 0xa5, object_size(slot));
		}
	}
	memset(slot->owner, 0, sizeof(slot->owner));
	expect_ended(slot);
}

static struct slot *take_slot(void)
{
	return &slots[take() % SLOTS];
}

static const struct tier *server(unsigned int i, unsigned int turn)
{
	return tiers[(i + turn) % ntiers];
}

/*
 * The tier that goes on with an object. Vector code of one tier has no use for the powers of
 * another.
 */
static const struct tier *take_over(struct slot *slot, unsigned int i, unsigned int turn)
{
	const struct tier *t = server(i, turn);
	struct poly1305_mac_ctx *ctx = slot->object[i];
	const bool first = !slot->owner[i];
	struct poly1305_desc *desc;

	if (!has_powers(t) || t == slot->owner[i])
		return t;
	slot->owner[i] = t;
	if (first)
		return t;
	if (slot->kind == SHASH) {
		desc = shash_desc_ctx((struct shash_desc *)slot->object[i]);
		ctx = &desc->mac;
	}
	ctx->state.npow = 0;
	return t;
}

/* The reference */
static void expect_update(struct slot *slot, const u8 *data, size_t len)
{
	u64 r[3];
	size_t n;

	n = min_t(size_t, len, KEY_SIZE - slot->keylen);
	memcpy(slot->key + slot->keylen, data, n);
	slot->keylen += n;
	data += n;
	len -= n;
	if (!len)
		return;

	ref_r(r, slot->key);
	n = min_t(size_t, len, BLOCK_SIZE - slot->buflen);
	memcpy(slot->buf + slot->buflen, data, n);
	slot->buflen += n;
	data += n;
	len -= n;
	if (slot->buflen < BLOCK_SIZE)
		return;
	ref_blocks(slot->h, r, slot->buf, 1, 1);
	n = len / BLOCK_SIZE;
	ref_blocks(slot->h, r, data, n, 1);
	slot->buflen = len % BLOCK_SIZE;
	memcpy(slot->buf, data + n * BLOCK_SIZE, slot->buflen);
}

static void expect_tag(const struct slot *slot, u8 tag[TAG_SIZE])
{
	u64 h[3] = { slot->h[0], slot->h[1], slot->h[2] };

	ref_end(tag, h, slot->key, slot->buf, slot->buflen);
}

/* Compares the parts of a context or of an exported state with the reference. */
static void check_parts(const struct slot *slot, const struct tier *t,
			const struct poly1305_mac_state *state,
			const u64 pad[2], const u8 *buf, u32 buflen)
{
	u64 value[3], key_r[3];

	value_of(value, state, t->name);
	if (memcmp(value, slot->h, sizeof(value)))
		fail("%s: h is wrong", t->name);
	ref_r(key_r, slot->key);
	if (state->r[0] != key_r[0] || state->r[1] != key_r[1])
		fail("%s: r is wrong", t->name);
	if (pad[0] != get_unaligned_le64(slot->key + 16) ||
	    pad[1] != get_unaligned_le64(slot->key + 24))
		fail("%s: s is wrong", t->name);
	if (buflen != slot->buflen || memcmp(buf, slot->buf, buflen))
		fail("%s: the bytes of the incomplete block are wrong", t->name);
}

/* Checks all contexts; a failure names the tier that ran last on the context. */
static void check_contexts(const struct slot *slot, unsigned int turn)
{
	const struct poly1305_mac_ctx *ctx;
	const struct tier *t;
	unsigned int i;

	for (i = 0; i < ntiers; i++) {
		t = server(i, turn);
		ctx = slot->object[i];
		check_parts(slot, t, &ctx->state, ctx->s, ctx->buf, ctx->buflen);
	}
}

void do_init(void)
{
	struct slot *slot = take_slot();
	const u8 how = take();
	unsigned int i;
	size_t hint;

	begin_session(slot, LIBRARY, how & 8);
	take_key(slot->key);
	hint = take_length();
	if (how & 2)
		hint = SIZE_MAX - hint;
	if (how & 4)
		hint *= 1 << 16;
	trace(" slot %zu, hint %zu", slot - slots, how & 1 ? hint : 0);
	for (i = 0; i < ntiers; i++) {
		begin_call(tiers[i]);
		if (how & 1)
			poly1305_mac_init_hint(slot->object[i], slot->key, hint);
		else
			poly1305_mac_init(slot->object[i], slot->key);
		end_call();
	}
	check_contexts(slot, 0);
}

void do_shash_init(void)
{
	const u8 which = take();
	struct slot *slot = &slots[which % SLOTS];
	unsigned int i;

	trace(" slot %zu", slot - slots);
	begin_session(slot, SHASH, which & 4);
	for (i = 0; i < ntiers; i++)
		if (tiers[i]->alg->init(slot->object[i]))
			fail("%s: error", tiers[i]->name);
}

void do_update(void)
{
	struct slot *slot = take_slot();
	const u8 turn = take();
	const struct tier *t;
	const u8 *data;
	unsigned int i;
	size_t len;

	data = take_piece(&len);
	trace(" slot %zu, turn %u, %zu bytes", slot - slots, turn % ntiers,
	      len);
	if (slot->kind == EMPTY)
		return;
	if (slot->kind == LIBRARY)
		passed(&((struct poly1305_mac_ctx *)slot->object[0])->state,
		       (slot->buflen + len) / BLOCK_SIZE);
	for (i = 0; i < ntiers; i++) {
		t = take_over(slot, i, turn);
		begin_call(t);
		if (slot->kind == LIBRARY)
			t->def->ops->update(slot->object[i], len ? data : NULL, len);
		else if (t->alg->update(slot->object[i], data, len))
			fail("%s: error", t->name);
		end_call();
	}
	expect_update(slot, data, len);
	if (slot->kind == LIBRARY)
		check_contexts(slot, turn);
}

/* Block functions alone, also with lengths that the tier would not pass to them */
void do_blocks(void)
{
	struct slot *slot = take_slot();
	const u8 turn = take();
	struct poly1305_mac_ctx *ctx;
	const struct tier *t;
	const u8 *data;
	unsigned int i;
	size_t len;
	u64 r[3];
	u32 hibit;

	hibit = turn >> 7 ^ 1;
	data = take_piece(&len);
	data += len % BLOCK_SIZE;
	len /= BLOCK_SIZE;
	trace(" slot %zu, turn %u, %zu blocks", slot - slots, turn % ntiers,
	      len);
	if (slot->kind != LIBRARY)
		return;
	ctx = slot->object[0];
	passed(&ctx->state, len);
	for (i = 0; i < ntiers; i++) {
		t = take_over(slot, i, turn);
		ctx = slot->object[i];
		begin_call(t);
		t->blocks(&ctx->state, data, len, hibit);
		end_call();
	}
	ref_r(r, slot->key);
	ref_blocks(slot->h, r, data, len, hibit);
	check_contexts(slot, turn);
}

/* Whether a descriptor holds nothing. Its padding never holds anything. */
static bool desc_wiped(struct shash_desc *desc)
{
	static const struct poly1305_desc zero;
	const struct poly1305_desc *d = shash_desc_ctx(desc);

	return !d->headlen && !memcmp(d->head, zero.head, sizeof(zero.head)) &&
	       !memcmp(&d->mac, &zero.mac, sizeof(zero.mac));
}

static bool is_wiped(const struct slot *slot, unsigned int i)
{
	static const struct poly1305_mac_ctx zero;

	if (slot->kind == SHASH)
		return desc_wiped(slot->object[i]);
	return !memcmp(slot->object[i], &zero, sizeof(zero));
}

void do_final(void)
{
	struct slot *slot = take_slot();
	const u8 turn = take(), how = take();
	const struct tier *t;
	u8 expected[TAG_SIZE], *tag;
	const u8 *data = NULL;
	unsigned int i;
	size_t len = 0;
	int err;

	trace(" slot %zu", slot - slots);
	if (slot->kind == EMPTY)
		return;
	if (slot->kind == SHASH && how & 1) {
		data = take_piece(&len);
		trace(" finup, %zu bytes", len);
		expect_update(slot, data, len);
	}
	memset(expected, 0xa5, sizeof(expected));
	if (slot->keylen == KEY_SIZE)
		expect_tag(slot, expected);

	tag = malloc(TAG_SIZE);
	for (i = 0; i < ntiers; i++) {
		t = take_over(slot, i, turn);
		memset(tag, 0xa5, TAG_SIZE);
		err = 0;
		begin_call(t);
		if (slot->kind == LIBRARY)
			t->def->ops->final(slot->object[i], tag);
		else if (data)
			err = t->alg->finup(slot->object[i], data, len, tag);
		else
			err = t->alg->final(slot->object[i], tag);
		end_call();
		if (err != (slot->keylen == KEY_SIZE ? 0 : -ENOKEY))
			fail("%s: error %d", t->name, err);
		compare_tags(tag, expected, t, "final");
		if (!is_wiped(slot, i))
			fail("%s: not wiped", t->name);
	}
	free(tag);
	expect_ended(slot);
}

static void expect_same(struct slot *to, const struct slot *from)
{
	to->keylen = from->keylen;
	to->buflen = from->buflen;
	memcpy(to->key, from->key, sizeof(to->key));
	memcpy(to->buf, from->buf, sizeof(to->buf));
	memcpy(to->h, from->h, sizeof(to->h));
}

static void export_import(const struct tier *t, void *from, void *to)
{
	u8 *state = malloc(sizeof(struct poly1305_saved));

	if (t->alg->export(from, state) || t->alg->import(to, state))
		fail("%s: error", t->name);
	free(state);
}

/* Copies objects; descriptors also by export and import, as algif_hash does. */
void do_clone(void)
{
	const struct slot *from = take_slot();
	const u8 which = take();
	struct slot *to = &slots[which % SLOTS];
	const bool exported = which & 4 && from->kind == SHASH;
	unsigned int i;

	trace(" slot %zu to %zu%s", from - slots, to - slots,
	      exported ? ", exported" : "");
	if (from->kind == EMPTY || from == to)
		return;
	begin_session(to, from->kind, which & 8);
	for (i = 0; i < ntiers; i++) {
		if (exported)
			export_import(tiers[i], from->object[i], to->object[i]);
		else
			memcpy(to->object[i], from->object[i], object_size(from));
	}
	expect_same(to, from);
	memcpy(to->owner, from->owner, sizeof(to->owner));
	if (to->kind == LIBRARY)
		check_contexts(to, 0);
}

/* Returns whether import must accept the state, which then also replaces the slot's. */
static bool expect_import(struct slot *slot, const u8 *state)
{
	struct poly1305_saved v;

	memcpy(&v, state, sizeof(v));
	if (v.headlen > KEY_SIZE || v.buflen > BLOCK_SIZE - 1 ||
	    POLY1305_H_BEYOND(v.h) || v.r[0] & ~POLY1305_CLAMP_LO ||
	    v.r[1] & ~POLY1305_CLAMP_HI)
		return false;

	slot->keylen = v.headlen;
	memset(slot->h, 0, sizeof(slot->h));
	slot->buflen = 0;
	if (v.headlen < KEY_SIZE) {
		memcpy(slot->key, v.head, KEY_SIZE);
		return true;
	}
	put_unaligned_le64(v.r[0], slot->key);
	put_unaligned_le64(v.r[1], slot->key + 8);
	memcpy(slot->key + 16, v.s, 16);
	memcpy(slot->h, v.h, sizeof(v.h));
	ref_reduce(slot->h);
	slot->buflen = v.buflen;
	memcpy(slot->buf, v.buf, v.buflen);
	return true;
}

/* An exported state must represent the reference's. */
static void check_exported(const struct slot *slot, const struct tier *t,
			   const u8 *state)
{
	struct poly1305_mac_state exported = {};
	struct poly1305_saved v;

	memcpy(&v, state, sizeof(v));
	memcpy(exported.h, v.h, sizeof(v.h));
	memcpy(exported.r, v.r, sizeof(v.r));
	if (v.headlen != slot->keylen)
		fail("%s: headlen is %u", t->name, v.headlen);
	if (v.headlen == KEY_SIZE)
		check_parts(slot, t, &exported, v.s, v.buf, v.buflen);
	else if (memcmp(v.head, slot->key, v.headlen))
		fail("%s: the key is wrong", t->name);
}

/*
 * Every tier exports. Then every tier imports one of these states, with up to three
 * bytes changed, into the same slot or another one.
 */
void do_export(void)
{
	struct slot *from = take_slot(), *to = take_slot(), expected = *from;
	const u8 turn = take(), whose = take() % ntiers;
	const size_t size = sizeof(struct poly1305_saved);
	u8 *state, *before, changes;
	const struct tier *t;
	unsigned int i, at;
	bool valid;
	int err;

	trace(" slot %zu to %zu, of %s", from - slots, to - slots,
	      tiers[whose]->name);
	if (from->kind != SHASH || to->kind != SHASH)
		return;
	state = malloc(size);
	for (i = 0; i < ntiers; i++) {
		/* The chosen tier comes last, so that its state remains. */
		at = (whose + 1 + i) % ntiers;
		t = tiers[at];
		if (t->alg->export(from->object[at], state))
			fail("%s: error", t->name);
		check_exported(from, t, state);
	}
	for (changes = take() % 4; changes; changes--)
		state[take() % size] ^= take();
	valid = expect_import(&expected, state);
	trace(" imported: %d", valid);

	before = malloc(object_size(to));
	for (i = 0; i < ntiers; i++) {
		t = server(i, turn);
		memcpy(before, to->object[i], object_size(to));
		err = t->alg->import(to->object[i], state);
		if (err != (valid ? 0 : -EINVAL))
			fail("%s: error %d", t->name, err);
		if (!valid && memcmp(before, to->object[i], object_size(to)))
			fail("%s: changed by a failed import", t->name);
	}
	free(before);
	free(state);
	if (!valid)
		return;
	expect_same(to, &expected);
}

/* Puts a random state that poly1305_core.h allows into all contexts of a slot. */
void do_poke(void)
{
	struct slot *slot = take_slot();
	struct poly1305_mac_state state = { .powers_pay = take() & 1 };
	struct poly1305_mac_ctx *ctx;
	unsigned int i;

	rnd_begin(take16());
	fill_r(state.r);
	if (rnd() & 1)
		fill_h(state.h);
	else
		fill_target(state.h);
	trace(" slot %zu, powers pay: %u", slot - slots, state.powers_pay);
	if (slot->kind != LIBRARY)
		return;
	for (i = 0; i < ntiers; i++) {
		ctx = slot->object[i];
		ctx->state = state;
		slot->owner[i] = NULL;
	}
	put_unaligned_le64(state.r[0], slot->key);
	put_unaligned_le64(state.r[1], slot->key + 8);
	memcpy(slot->h, state.h, sizeof(slot->h));
	ref_reduce(slot->h);
}

