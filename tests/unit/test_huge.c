// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Messages of about 2^32 bytes, through every entry. They find lengths kept in 32 bits
 * instead of 64, and comparisons that are wrong at that limit.
 */

#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* A message of more than 2^32 bytes: one piece of memory, mapped many times */
#define PIECE		(2 << 20)
#define PIECES		2048
#define TAIL		17
#define HUGE_LEN	((u64)PIECE * PIECES + TAIL)

static u8 *map_huge(const u8 *piece)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	const int fd = memfd_create("checkpoly1305", 0);
	u8 *map = mmap(NULL, (size_t)PIECES * PIECE + page, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t i;

	if (fd < 0 || write(fd, piece, PIECE) != PIECE || map == MAP_FAILED)
		skip("no memory");
	for (i = 0; i <= PIECES; i++)
		if (mmap(map + i * PIECE, i < PIECES ? PIECE : page, PROT_READ,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			skip("no memory");
	close(fd);
	return map;
}

/*
 * The tag of pieces whole pieces and the first tail bytes of another. A piece of n
 * blocks takes h to h r^n + once, where once is its result from h = 0.
 */
static void expect_huge(u8 tag[TAG_SIZE], const u8 key[KEY_SIZE],
			const u8 *piece, size_t pieces, size_t tail)
{
	u64 once[3] = {}, rn[3];
	struct poly1305_ref ref;
	size_t n;

	poly1305_ref_init(&ref, key);
	ref_blocks(once, ref.r, piece, PIECE / BLOCK_SIZE, 1);
	memcpy(rn, ref.r, sizeof(rn));
	for (n = 1; n < PIECE / BLOCK_SIZE; n *= 2)
		ref_multiply(rn, rn);
	for (n = 0; n < pieces; n++) {
		ref_multiply(ref.h, rn);
		ref_add(ref.h, once);
	}
	poly1305_ref_update(&ref, piece, tail);
	poly1305_ref_tag(&ref, tag);
}

/* The piece that repeats when the message begins n bytes into the mapping */
static const u8 *after_head(const u8 *piece, size_t n)
{
	static u8 rest[PIECE];

	memcpy(rest, piece + n, PIECE - n);
	memcpy(rest + PIECE - n, piece, n);
	return rest;
}

/* 2^32 - 1 bytes, the greatest 32-bit length */
static void try_32_bits(const struct tier *tier, const u8 *map,
			const u8 key[KEY_SIZE], const u8 *piece)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc = (void *)objects.at;
	u8 expected[TAG_SIZE], tag[TAG_SIZE];
	struct scatterlist list[3] = {
		{ (u8 *)map, 1U << 31, &list[1] },
		{ (u8 *)map, 1U << 31, &list[2] },
		{ (u8 *)map, TAIL + 1, NULL },
	};

	expect_huge(expected, key, piece, PIECES - 1, PIECE - 1);
	if (alg->init(desc) || alg->update(desc, key, KEY_SIZE) ||
	    alg->finup(desc, map, -1U, tag) || memcmp(tag, expected, TAG_SIZE))
		fail("shash: wrong tag for 2^32 - 1 bytes");
	if (poly1305_mac_digest_sg(key, list, -1U, tag) ||
	    memcmp(tag, expected, TAG_SIZE))
		fail("scatterlist: wrong tag for 2^32 - 1 bytes");
	/* Cut to 32 bits, this list's length would be that of its last entry. */
	list[2].length = TAIL - 1;
	if (poly1305_mac_digest_sg(key, list, (size_t)HUGE_LEN, tag) != -EINVAL)
		fail("scatterlist: more than 2^32 bytes from a list one byte shorter");
}

/* 2^32 - 1 bytes that begin with the key */
static void try_head(const struct tier *tier, const u8 *map, const u8 *piece)
{
	const struct shash_alg *alg = tier->alg;
	struct shash_desc *desc = (void *)objects.at;
	u8 expected[TAG_SIZE], tag[TAG_SIZE];

	expect_huge(expected, map, after_head(piece, KEY_SIZE), PIECES - 1,
		    PIECE - 1 - KEY_SIZE);
	if (alg->digest(desc, map, -1U, tag) || memcmp(tag, expected, TAG_SIZE))
		fail("shash digest: wrong tag for 2^32 - 1 bytes");
	if (alg->init(desc) || alg->update(desc, map, -1U) ||
	    alg->final(desc, tag) || memcmp(tag, expected, TAG_SIZE))
		fail("shash update: wrong tag for 2^32 - 1 bytes");
}

static u8 piece[PIECE];

void test_huge(const struct tier *tier)
{
	const u64 first = (1ULL << 32) + 5;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], key[KEY_SIZE], *map;
	struct poly1305_mac_ctx ctx;
	u64 i, hint;

	if (!slow_tests())
		skip("takes seconds: needs --slow");
	if (sizeof(size_t) < sizeof(u64))
		skip("no buffer can be that long on this CPU");
	serve_by(tier);
	for (i = 0; next_case(i, 1); i++) {
		rnd_bytes(piece, sizeof(piece));
		fill_key(key);
		map = map_huge(piece);
		expect_huge(expected, key, piece, PIECES, TAIL);
		if (poly1305_mac_verify(key, map, (size_t)HUGE_LEN, expected))
			fail("verify: the right tag is rejected");
		hint = rnd() & 1 ? HUGE_LEN : -1ULL;
		poly1305_mac_init_hint(&ctx, key, (size_t)hint);
		poly1305_mac_update(&ctx, map, (size_t)first);
		poly1305_mac_update(&ctx, map + first, HUGE_LEN - first);
		poly1305_mac_final(&ctx, tag);
		if (memcmp(tag, expected, TAG_SIZE))
			fail("updates: wrong tag");
		try_32_bits(tier, map, key, piece);
		try_head(tier, map, piece);
		munmap(map, (size_t)PIECES * PIECE + sysconf(_SC_PAGESIZE));
	}
}
