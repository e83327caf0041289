// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * fuzzpoly1305: libFuzzer's bytes are read as calls: one byte selects the function, the next
 * ones its arguments. Every tier executes each call, on objects of its own. When a message
 * ends, all tags must be that of the reference.
 *
 * Inputs are compact, so that libFuzzer explores quickly: two bytes are the seed from which
 * tests/unit/input.c makes a key or a piece of a message, sometimes an awkward one. libFuzzer
 * cannot see branches in assembly; passed() reports lengths instead.
 *
 * An object can be used after final. poly1305.h says that a context then has an all-zero key,
 * docs/design.md that a descriptor is as after init.
 */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>

#include <crypto/internal/simd.h>

#include "../unit/check.h"
#include "../unit/kernel.h"

#define TIERS_MAX	16
#define SLOTS		4
/* The most calls, and bytes of messages, for one input; and the longest piece of a message */
#define CALLS_MAX	40
#define BYTES_MAX	(96 << 10)
#define PIECE_MAX	(80 << 10)

/**
 * struct slot - a message in progress
 * @kind: the type of the objects
 * @input: the key and what follows it
 * @len: how many bytes of that there are
 * @known: false if an import of a changed state began the message
 * @object: an object for each tier
 */
struct slot {
	enum { EMPTY, LIBRARY, SHASH } kind;
	u8 input[KEY_SIZE + BYTES_MAX + PIECE_MAX];
	size_t len;
	bool known;
	void *object[TIERS_MAX];
};

static struct slot slots[SLOTS];
static const struct tier *tiers[TIERS_MAX];
static unsigned int ntiers;

static const u8 *next, *end;
static size_t bytes;
static bool tracing;
static const char *doing;
/* Memory for a piece of a message, between guard pages */
static u8 *room;

static u8 counters[256] __attribute__((section("__libfuzzer_extra_counters")));

void fail(const char *text, ...)
{
	va_list args;

	fprintf(stderr, "fuzzpoly1305: %s: ", doing);
	va_start(args, text);
	vfprintf(stderr, text, args);
	va_end(args);
	fprintf(stderr, "\n");
	abort();
}

/* Describes each call on stderr if FUZZ_TRACE is in the environment. */
#define trace(...)	(tracing ? (void)fprintf(stderr, __VA_ARGS__) : (void)0)

/* Consume input; zeros follow its end. */
static u8 take(void)
{
	return next < end ? *next++ : 0;
}

static u16 take16(void)
{
	const u16 low = take();

	return low | take() << 8;
}

static void take_bytes(u8 *p, size_t len)
{
	while (len--)
		*p++ = take();
}

/* Mostly short, less often up to 7 KiB, rarely up to PIECE_MAX */
static size_t take_length(void)
{
	const u8 byte = take();
	size_t len = byte;

	if (byte >= 0xfc)
		len = ((byte & 3) << 8 | take()) * 81;
	else if (byte >= 0xe0)
		len = (byte & 31) << 8 | take();
	return min_t(size_t, len, PIECE_MAX);
}

static void take_key(u8 key[KEY_SIZE])
{
	const u16 seed = take16();

	if (seed == 0xffff) {
		take_bytes(key, KEY_SIZE);
		return;
	}
	rnd_begin(seed);
	fill_key(key);
}

/* A piece of a message, at the end of the room or at any alignment near its beginning */
static const u8 *take_piece(size_t *len)
{
	const u8 how = take();
	u8 *piece;

	*len = take_length();
	bytes += *len;
	piece = how & 0x40 ? room + (how & 0x3f) : room + PAGE_ALIGN(PIECE_MAX + 64) - *len;
	if (how & 0x80) {
		take_bytes(piece, min_t(size_t, *len, end - next));
	} else {
		rnd_begin(take16());
		fill_message(piece, *len);
	}
	return piece;
}

static struct slot *take_slot(void)
{
	return &slots[take() % SLOTS];
}

/* Around each call: prepare the tier; check that it used SIMD only where it may */
static void begin_call(const struct tier *t)
{
	prepare(t);
	shim_fpu_sections = 0;
}

static void end_call(void)
{
	if (shim_fpu_sections && !shim_simd_usable)
		fail("an FPU section where SIMD is not usable");
}

/* Reports a path through assembly to libFuzzer: a class of lengths */
static void passed(size_t len)
{
	size_t class = len / BLOCK_SIZE;

	if (class >= 64)
		class = 128 - __builtin_clzl(class);
	counters[2 * class + shim_simd_usable]++;
}

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

/* An object after final, or a shash after init */
static void expect_ended(struct slot *slot)
{
	memset(slot->input, 0, KEY_SIZE);
	slot->len = slot->kind == LIBRARY ? KEY_SIZE : 0;
	slot->known = true;
}

/*
 * Allocates objects of the exact size, so that the sanitizer finds accesses beyond them. With
 * in_place, uses existing ones of that kind, in whatever state.
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
	expect_ended(slot);
}

static void do_conditions(void)
{
	const u8 byte = take();

	shim_simd_usable = byte & 1;
	shim_fpu_saved = byte >> 1 & 1;
	trace(" SIMD usable: %d, registers saved: %d\n", shim_simd_usable, shim_fpu_saved);
}

static void do_init(void)
{
	struct slot *slot = take_slot();
	const u8 how = take();
	unsigned int i;
	size_t hint;

	begin_session(slot, LIBRARY, how & 8);
	take_key(slot->input);
	hint = take_length();
	if (how & 2)
		hint = SIZE_MAX - hint;
	if (how & 4)
		hint *= 1 << 16;
	trace(" slot %zu, hint %zu\n", slot - slots, how & 1 ? hint : 0);
	for (i = 0; i < ntiers; i++) {
		begin_call(tiers[i]);
		if (how & 1)
			poly1305_mac_init_hint(slot->object[i], slot->input, hint);
		else
			poly1305_mac_init(slot->object[i], slot->input);
		end_call();
	}
}

static void do_shash_init(void)
{
	const u8 which = take();
	struct slot *slot = &slots[which % SLOTS];
	unsigned int i;

	trace(" slot %zu\n", slot - slots);
	begin_session(slot, SHASH, which & 4);
	for (i = 0; i < ntiers; i++)
		if (tiers[i]->alg->init(slot->object[i]))
			fail("%s: error", tiers[i]->name);
}

static void expect_update(struct slot *slot, const u8 *data, size_t len)
{
	if (!slot->known || !len)
		return;
	memcpy(slot->input + slot->len, data, len);
	slot->len += len;
}

static void do_update(void)
{
	struct slot *slot = take_slot();
	const u8 *data;
	unsigned int i;
	size_t len;

	data = take_piece(&len);
	trace(" slot %zu, %zu bytes\n", slot - slots, len);
	if (slot->kind == EMPTY)
		return;
	passed(len);
	for (i = 0; i < ntiers; i++) {
		begin_call(tiers[i]);
		if (slot->kind == LIBRARY)
			tiers[i]->def->ops->update(slot->object[i], len ? data : NULL, len);
		else if (tiers[i]->alg->update(slot->object[i], data, len))
			fail("%s: error", tiers[i]->name);
		end_call();
	}
	expect_update(slot, data, len);
}

/* Whether an object holds nothing. The padding of a descriptor never holds anything. */
static bool is_wiped(const struct slot *slot, unsigned int i)
{
	static const struct poly1305_desc zero;
	const struct poly1305_desc *d;

	if (slot->kind == LIBRARY)
		return !memcmp(slot->object[i], &zero.mac, sizeof(zero.mac));
	d = shash_desc_ctx((struct shash_desc *)slot->object[i]);
	return !d->headlen && !memcmp(d->head, zero.head, sizeof(zero.head)) &&
	       !memcmp(&d->mac, &zero.mac, sizeof(zero.mac));
}

/* The last len bytes come with finup if there is data. */
static void final(struct slot *slot, const u8 *data, size_t len)
{
	u8 expected[TAG_SIZE], *tag = malloc(TAG_SIZE);
	int err, expected_err = 0;
	const struct tier *t;
	unsigned int i;

	expect_update(slot, data, len);
	memset(expected, 0xa5, sizeof(expected));
	if (slot->len < KEY_SIZE)
		expected_err = -ENOKEY;
	else
		poly1305_ref(slot->input, slot->input + KEY_SIZE, slot->len - KEY_SIZE, expected);
	for (i = 0; i < ntiers; i++) {
		t = tiers[i];
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
		/* All go on alike from an imported state that no message leads to. */
		if (!slot->known && !i) {
			expected_err = err;
			memcpy(expected, tag, TAG_SIZE);
		}
		if (err != expected_err)
			fail("%s: error %d", t->name, err);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("%s: wrong tag", t->name);
		if (!is_wiped(slot, i))
			fail("%s: not wiped", t->name);
	}
	free(tag);
	expect_ended(slot);
}

static void do_final(void)
{
	struct slot *slot = take_slot();
	const u8 how = take();
	const u8 *data = NULL;
	size_t len = 0;

	if (slot->kind == SHASH && how & 1)
		data = take_piece(&len);
	trace(" slot %zu, %zu bytes\n", slot - slots, len);
	if (slot->kind != EMPTY)
		final(slot, data, len);
}

static void expect_same(struct slot *to, const struct slot *from)
{
	memmove(to->input, from->input, max_t(size_t, from->len, KEY_SIZE));
	to->len = from->len;
	to->known = from->known;
}

/* Copies objects byte by byte. */
static void do_clone(void)
{
	const struct slot *from = take_slot();
	const u8 which = take();
	struct slot *to = &slots[which % SLOTS];
	unsigned int i;

	trace(" slot %zu to %zu\n", from - slots, to - slots);
	if (from->kind == EMPTY || from == to)
		return;
	begin_session(to, from->kind, which & 8);
	for (i = 0; i < ntiers; i++)
		memcpy(to->object[i], from->object[i], object_size(from));
	expect_same(to, from);
}

static bool importable(const struct poly1305_saved *v)
{
	return v->headlen <= KEY_SIZE && v->buflen < BLOCK_SIZE && !POLY1305_H_BEYOND(v->h) &&
	       !(v->r[0] & ~POLY1305_CLAMP_LO) && !(v->r[1] & ~POLY1305_CLAMP_HI);
}

/*
 * One tier exports. Then every tier imports this state, with up to three bytes changed, into the
 * same slot or another one.
 */
static void do_export(void)
{
	struct slot *from = take_slot(), *to = take_slot();
	const u8 whose = take() % ntiers;
	struct poly1305_saved exported, state;
	u8 *copy = malloc(sizeof(state)), *before, changes;
	unsigned int i;
	int err, want;

	trace(" slot %zu to %zu, of %s\n", from - slots, to - slots, tiers[whose]->name);
	if (from->kind != SHASH || to->kind != SHASH)
		goto out;
	if (tiers[whose]->alg->export(from->object[whose], copy))
		fail("%s: error", tiers[whose]->name);
	memcpy(&exported, copy, sizeof(exported));
	for (changes = take() % 4; changes; changes--)
		copy[take() % sizeof(state)] ^= take();
	memcpy(&state, copy, sizeof(state));
	want = importable(&state) ? 0 : -EINVAL;

	before = malloc(object_size(to));
	for (i = 0; i < ntiers; i++) {
		memcpy(before, to->object[i], object_size(to));
		err = tiers[i]->alg->import(to->object[i], copy);
		if (err != want)
			fail("%s: error %d", tiers[i]->name, err);
		if (err && memcmp(before, to->object[i], object_size(to)))
			fail("%s: changed by a failed import", tiers[i]->name);
	}
	free(before);
	if (want)
		goto out;
	expect_same(to, from);
	to->known &= !memcmp(&state, &exported, sizeof(state));
out:
	free(copy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct tier *t;

	doing = "start";
	tracing = getenv("FUZZ_TRACE");
	room = vmalloc(PIECE_MAX + 64);
	if (!room)
		fail("no memory");
	for (t = tier_list(); t->name && ntiers < TIERS_MAX; t++) {
		if (poly1305_user_select(t->def->name))
			fail("%s cannot be selected", t->def->name);
		fprintf(stderr, "fuzzpoly1305: %s\n", t->name);
		tiers[ntiers++] = t;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} calls[] = {
		{ "update", do_update },	/* twice: most calls of a message are updates */
		{ "update", do_update },
		{ "final", do_final },
		{ "init", do_init },
		{ "clone", do_clone },
		{ "shash init", do_shash_init },
		{ "export", do_export },
		{ "conditions", do_conditions },
	};
	struct slot *slot;
	unsigned int n, i;

	next = data;
	end = data + size;
	bytes = 0;
	shim_simd_usable = true;
	shim_fpu_saved = true;
	rnd_begin(0);
	for (n = 0; next < end && n < CALLS_MAX && bytes < BYTES_MAX; n++) {
		i = take() % ARRAY_SIZE(calls);
		doing = calls[i].name;
		trace("%s", doing);
		calls[i].run();
	}
	doing = "end";
	for (slot = slots; slot < slots + SLOTS; slot++) {
		if (slot->kind != EMPTY)
			final(slot, NULL, 0);
		end_session(slot);
	}
	return 0;
}
