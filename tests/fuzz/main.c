// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * fuzzpoly1305: libFuzzer's bytes are read as calls: two bytes select the function, the object and
 * whether SIMD may be used, the next ones are arguments. Two of them are a seed, from which
 * tests/cases/input.c makes a key or a piece of a message, sometimes an awkward one. One tier after
 * the other executes all calls. When a message ends, the first tier's tag must be that of the
 * reference, and those of the others the same.
 *
 * An object can be used after final. poly1305.h says that a context then has an all-zero key,
 * docs/design.md that a descriptor is as after init.
 */

#include <stdarg.h>
#include <stdlib.h>

#include <crypto/internal/simd.h>

#include "../unit/check.h"

#define SLOTS		4
/* The most calls, and bytes of messages, for one input; and the longest piece of a message */
#define CALLS_MAX	40
#define BYTES_MAX	(96 << 10)
#define PIECE_MAX	(80 << 10)

/**
 * struct slot - a message in progress
 * @kind: LIBRARY or SHASH, or 0 without an object
 * @object: a context or a descriptor
 * @input: the key and what follows it
 * @len: how many bytes of that there are
 * @known: false if an import of a changed state began the message
 */
static struct slot {
	enum kind kind;
	void *object;
	u8 input[KEY_SIZE + BYTES_MAX + PIECE_MAX];
	size_t len;
	bool known;
} slots[SLOTS];

/* For each call what it gave, as far as other tiers need that */
static struct result {
	struct poly1305_saved exported;
	u8 tag[TAG_SIZE];
	int err;
} results[CALLS_MAX + SLOTS], *result;

/* The tier that executes the calls now, and whether it is the first one */
static const struct tier *tier;
static bool first;
static unsigned int ntiers;

static const u8 *next, *end;
static size_t bytes;
static const char *doing;
/* Memory for a piece of a message, between guard pages */
static u8 *room;

int fail(const char *text, ...)
{
	va_list args;

	fprintf(stderr, "fuzzpoly1305: %s: %s: ", doing, tier->name);
	va_start(args, text);
	vfprintf(stderr, text, args);
	va_end(args);
	fprintf(stderr, "\n");
	abort();
}

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

/* A piece, mostly short, at the end of the room or at any alignment near its beginning */
static const u8 *take_piece(size_t *len)
{
	const u8 how = take(), size = take();
	u8 *piece;

	*len = size < 0xe0 ? size : min_t(size_t, take16() * (size & 31) >> 4, PIECE_MAX);
	bytes += *len;
	piece = how & 0x40 ? room + (how & 0x3f) : room + PAGE_ALIGN(PIECE_MAX + 64) - *len;
	random_state = take16();
	fill_message(piece, *len);
	return piece;
}

/* An object after final, or a shash after init */
static void expect_ended(struct slot *slot)
{
	memset(slot->input, 0, KEY_SIZE);
	slot->len = slot->kind == LIBRARY ? KEY_SIZE : 0;
	slot->known = true;
}

/* Objects have their exact size, so that the sanitizer finds accesses beyond them. */
static void do_init(struct slot *slot)
{
	const u8 how = take();
	const bool library = how & 8;
	const size_t size = library ? sizeof(struct poly1305_mac_ctx) :
				      sizeof(struct shash_desc) + tier->alg->descsize;
	const size_t hint = how & 2 ? take16() : SIZE_MAX - take();

	free(slot->object);
	slot->object = malloc(size);
	memset(slot->object, 0xa5, size);
	slot->kind = library ? LIBRARY : SHASH;
	expect_ended(slot);
	if (!library) {
		if (tier->alg->init(slot->object))
			fail("error");
		return;
	}
	random_state = take16();
	fill_key(slot->input);
	if (how & 1)
		poly1305_mac_init_hint(slot->object, slot->input, hint);
	else
		poly1305_mac_init(slot->object, slot->input);
}

static void expect_update(struct slot *slot, const u8 *data, size_t len)
{
	if (!slot->known || !len)
		return;
	memcpy(slot->input + slot->len, data, len);
	slot->len += len;
}

static void do_update(struct slot *slot)
{
	size_t len;
	const u8 *data = take_piece(&len);

	if (slot->kind == LIBRARY)
		tier->def->ops->update(slot->object, len ? data : NULL, len);
	else if (tier->alg->update(slot->object, data, len))
		fail("error");
	expect_update(slot, data, len);
}

static void do_final(struct slot *slot)
{
	const bool finup = slot->kind == SHASH && take() & 1;
	u8 *tag = malloc(TAG_SIZE);
	const u8 *data = NULL;
	size_t len = 0;
	int err = 0;

	if (finup)
		data = take_piece(&len);
	memset(tag, 0xa5, TAG_SIZE);
	if (slot->kind == LIBRARY)
		tier->def->ops->final(slot->object, tag);
	else if (finup)
		err = tier->alg->finup(slot->object, data, len, tag);
	else
		err = tier->alg->final(slot->object, tag);

	expect_update(slot, data, len);
	if (first) {
		memset(result->tag, 0xa5, TAG_SIZE);
		result->err = slot->len < KEY_SIZE ? -ENOKEY : 0;
		if (!result->err)
			poly1305_ref(slot->input, slot->input + KEY_SIZE, slot->len - KEY_SIZE,
				     result->tag);
	}
	/* All go on alike from an imported state that no message leads to. */
	if (first && !slot->known) {
		memcpy(result->tag, tag, TAG_SIZE);
		result->err = err;
	}
	if (err != result->err || memcmp(tag, result->tag, TAG_SIZE))
		fail("error %d, or a wrong tag", err);
	free(tag);
	expect_ended(slot);
}

/*
 * Each tier imports the state that the first tier exports, with up to three bytes changed.
 * tests/cases tests which states are refused.
 */
static void do_export(struct slot *from)
{
	struct slot *to = &slots[take() % SLOTS];
	struct poly1305_saved state;
	u8 changes;
	int err;

	if (from->kind != SHASH || to->kind != SHASH)
		return;
	if (tier->alg->export(from->object, &state))
		fail("error");
	if (first)
		result->exported = state;
	state = result->exported;
	for (changes = take() % 4; changes; changes--)
		((u8 *)&state)[take() % sizeof(state)] ^= take();
	err = tier->alg->import(to->object, &state);
	if (first)
		result->err = err;
	if (err != result->err || (err && err != -EINVAL))
		fail("error %d", err);
	if (err)
		return;
	memmove(to->input, from->input, max_t(size_t, from->len, KEY_SIZE));
	to->len = from->len;
	to->known = from->known && !memcmp(&state, &result->exported, sizeof(state));
}

static void run_calls(void)
{
	static const struct {
		const char *name;
		void (*run)(struct slot *slot);
	} calls[] = {
		{ "init", do_init },
		{ "update", do_update },
		{ "final", do_final },
		{ "export", do_export },
	};
	struct slot *slot;
	unsigned int i;
	u8 where;

	bytes = 0;
	for (result = results; next < end && result < results + CALLS_MAX && bytes < BYTES_MAX;
	     result++) {
		i = take() % ARRAY_SIZE(calls);
		where = take();
		slot = &slots[where % SLOTS];
		if (!slot->kind)
			i = 0;
		doing = calls[i].name;
		shim_simd_usable = !(where & 0x40);
		shim_fpu_saved = !(where & 0x80);
		shim_fpu_sections = 0;
		if (first && getenv("FUZZ_TRACE"))
			fprintf(stderr, "%s, slot %zu, SIMD %d, registers saved %d\n", doing,
				slot - slots, shim_simd_usable, shim_fpu_saved);
		calls[i].run(slot);
		if (shim_fpu_sections && !shim_simd_usable)
			fail("an FPU section where SIMD is not usable");
	}
	doing = "end";
	next = end;	/* no more pieces */
	for (slot = slots; slot < slots + SLOTS; slot++, result++) {
		if (slot->kind)
			do_final(slot);
		slot->kind = 0;
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	room = vmalloc(PIECE_MAX + 64);
	for (; tier_list()[ntiers].name; ntiers++)
		fprintf(stderr, "fuzzpoly1305: %s\n", tier_list()[ntiers].name);
	return 0;
}

/* Any tier is the first for some input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	unsigned int i;

	for (i = 0; i < ntiers; i++) {
		tier = &tier_list()[(i + size) % ntiers];
		prepare(tier);
		first = !i;
		next = data;
		end = data + size;
		run_calls();
	}
	return 0;
}
