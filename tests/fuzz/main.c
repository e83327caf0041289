// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * libFuzzer's bytes are read as calls: one byte selects the function, the next ones its
 * arguments. Every tier and the reference execute each call, and their results are
 * compared after it.
 *
 * Inputs are compact, so that libFuzzer explores quickly: two bytes are the seed from
 * which tests/unit/input.c makes a key or a piece of a message, sometimes an awkward
 * one. libFuzzer cannot see branches in assembly; passed() reports them.
 */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <crypto/internal/simd.h>

#include "fuzz.h"

/* The most calls, and bytes of messages, for one input */
#define CALLS_MAX	40
#define BYTES_MAX	(96 << 10)

const struct tier *tiers[TIERS_MAX];
unsigned int ntiers;

static const u8 *next, *end;
static size_t bytes;
static bool tracing;
static const char *doing;

/* Memory for a piece of a message */
static u8 *room;
static size_t room_size;

static u8 counters[2048] __attribute__((section("__libfuzzer_extra_counters")));

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

void trace(const char *text, ...)
{
	va_list args;

	if (!tracing)
		return;
	va_start(args, text);
	vfprintf(stderr, text, args);
	va_end(args);
	fprintf(stderr, "\n");
}

bool more(void)
{
	return next < end;
}

u8 take(void)
{
	return more() ? *next++ : 0;
}

u16 take16(void)
{
	const u16 low = take();

	return low | take() << 8;
}

/* Mostly short, less often up to 7 KiB, rarely up to PIECE_MAX */
size_t take_length(void)
{
	const u8 byte = take();
	size_t len = byte;

	if (byte >= 0xfc)
		len = ((byte & 3) << 8 | take()) * 81;
	else if (byte >= 0xe0)
		len = (byte & 31) << 8 | take();
	return min_t(size_t, len, PIECE_MAX);
}

static void take_bytes(u8 *p, size_t len)
{
	while (len--)
		*p++ = take();
}

void take_key(u8 key[KEY_SIZE])
{
	const u16 seed = take16();

	if (seed == 0xffff) {
		take_bytes(key, KEY_SIZE);
		return;
	}
	rnd_begin(seed);
	fill_key(key);
}

const u8 *take_piece(size_t *len)
{
	const u8 how = take();
	u8 *piece;

	*len = take_length();
	bytes += *len;
	/* At the end of the room, or at any alignment near its beginning */
	if (how & 0x40)
		piece = room + (how & 0x3f);
	else
		piece = room + room_size - *len;
	if (how & 0x80) {
		take_bytes(piece, min_t(size_t, *len, end - next));
	} else {
		rnd_begin(take16());
		fill_message(piece, *len);
	}
	return piece;
}

void take_conditions(void)
{
	const u8 byte = take();

	shim_simd_usable = byte & 1;
	shim_fpu_saved = byte >> 1 & 1;
	trace("SIMD usable: %d, registers saved: %d", shim_simd_usable, shim_fpu_saved);
}

void begin_call(const struct tier *t)
{
	prepare(t);
	shim_fpu_sections = 0;
}

void end_call(void)
{
	if (shim_fpu_sections && !shim_simd_usable)
		fail("an FPU section where SIMD is not usable");
}

/* A class of lengths, one of about 70 */
static unsigned int class(size_t nblocks)
{
	unsigned int log = 0;

	if (nblocks < 32)
		return nblocks;
	while (nblocks >= 8) {
		nblocks /= 2;
		log++;
	}
	return 24 + 4 * log + nblocks % 4;
}

void passed(const struct poly1305_mac_state *state, size_t nblocks)
{
	counters[class(nblocks) * 8 % sizeof(counters) + !!state->npow * 4 +
		 !!state->powers_pay * 2 + shim_simd_usable]++;
}

void compare_tags(const u8 *tag, const u8 *expected, const struct tier *t,
		  const char *what)
{
	if (memcmp(tag, expected, TAG_SIZE))
		fail("%s: wrong tag by %s", t->name, what);
}

struct call {
	const char *name;
	void (*run)(void);
};

static const struct call calls[] = {
	{ "update", do_update },
	{ "update", do_update },
	{ "blocks", do_blocks },
	{ "final", do_final },
	{ "init", do_init },
	{ "clone", do_clone },
	{ "poke", do_poke },
	{ "shash init", do_shash_init },
	{ "export", do_export },
	{ "conditions", take_conditions },
};

static void make_room(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);

	room_size = (PIECE_MAX + 64 + page - 1) / page * page;
	room = mmap(NULL, room_size + 2 * page, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED ||
	    mprotect(room + page, room_size, PROT_READ | PROT_WRITE)) {
		perror("fuzzpoly1305: mmap");
		exit(2);
	}
	room += page;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct tier *t;

	doing = "start";
	tracing = getenv("FUZZ_TRACE");
	make_room();
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
	const struct call *call;
	unsigned int n;

	next = data;
	end = data + size;
	bytes = 0;
	shim_simd_usable = true;
	shim_fpu_saved = true;
	rnd_begin(0);
	for (n = 0; more() && n < CALLS_MAX && bytes < BYTES_MAX; n++) {
		call = &calls[take() % ARRAY_SIZE(calls)];
		doing = call->name;
		trace("%s", doing);
		call->run();
	}
	doing = "end";
	end_sessions();
	return 0;
}
