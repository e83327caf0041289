// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Messages of about 2^32 bytes, through every entry. They find lengths kept in 32 bits
 * instead of 64, and comparisons that are wrong at that limit.
 */

#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* More than 2^32 bytes, a key and a message: one piece of memory, mapped many times */
#define PIECE		(2 << 20)
#define PIECES		2049
#define HUGE_LEN	((1ULL << 32) + 17)

static u8 *map_huge(void)
{
	static u8 piece[PIECE];
	const int fd = memfd_create("checkpoly1305", 0);
	u8 *map = mmap(NULL, (size_t)PIECES * PIECE, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t i;

	rnd_bytes(piece, sizeof(piece));
	if (fd < 0 || write(fd, piece, PIECE) != PIECE || map == MAP_FAILED)
		skip("no memory");
	for (i = 0; i < PIECES; i++)
		if (mmap(map + i * PIECE, PIECE, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
			skip("no memory");
	close(fd);
	return map;
}

/* The tag in updates that are short, which other tests compare with big integers */
static void expect(const u8 *key, const u8 *data, u64 len, u8 tag[TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;
	size_t n;

	poly1305_mac_init(&ctx, key);
	for (; len; data += n, len -= n) {
		n = min_t(u64, len, AREA_SIZE);
		poly1305_mac_update(&ctx, data, n);
	}
	poly1305_mac_final(&ctx, tag);
}

/* The shash takes 2^32 - 1 bytes, the greatest 32-bit length. */
static void try_shash(const struct shash_alg *alg, const u8 *map)
{
	struct shash_desc *desc = (void *)objects;
	u8 expected[TAG_SIZE], tag[TAG_SIZE];

	expect(map, map + KEY_SIZE, -1U - KEY_SIZE, expected);
	if (alg->digest(desc, map, -1U, tag) || memcmp(tag, expected, TAG_SIZE))
		fail("shash digest: wrong tag for 2^32 - 1 bytes");
	if (alg->init(desc) || alg->finup(desc, map, -1U, tag) || memcmp(tag, expected, TAG_SIZE))
		fail("shash finup: wrong tag for 2^32 - 1 bytes");
}

void test_huge(const struct tier *tier)
{
	const u64 first = (1ULL << 32) + 5;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *key, *data;
	struct scatterlist list[3] = { };
	struct poly1305_mac_ctx ctx;

	if (!slow)
		skip("takes seconds: needs --slow");
	if (sizeof(size_t) < sizeof(u64))
		skip("no buffer can be that long on this CPU");
	serve_by(tier);
	key = map_huge();
	data = key + KEY_SIZE;
	try_shash(tier->alg, key);

	expect(key, data, HUGE_LEN, expected);
	if (poly1305_mac_verify(key, data, (size_t)HUGE_LEN, expected))
		fail("verify: the right tag is rejected");
	poly1305_mac_init_hint(&ctx, key, (size_t)HUGE_LEN);
	poly1305_mac_update(&ctx, data, (size_t)first);
	poly1305_mac_update(&ctx, data + first, HUGE_LEN - first);
	poly1305_mac_final(&ctx, tag);
	if (memcmp(tag, expected, TAG_SIZE))
		fail("updates: wrong tag");

	list[0] = (struct scatterlist){ data, 1U << 31, &list[1] };
	list[1] = (struct scatterlist){ data + (1U << 31), 1U << 31, &list[2] };
	list[2] = (struct scatterlist){ data + (1ULL << 32), HUGE_LEN - (1ULL << 32), NULL };
	if (poly1305_mac_digest_sg(key, list, (size_t)HUGE_LEN, tag) ||
	    memcmp(tag, expected, TAG_SIZE))
		fail("scatterlist: wrong tag");
	/* Cut to 32 bits, the list's length would be that of its last entry. */
	list[2].length--;
	if (poly1305_mac_digest_sg(key, list, (size_t)HUGE_LEN, tag) != -EINVAL)
		fail("scatterlist: more than 2^32 bytes from a list one byte shorter");
	munmap(key, (size_t)PIECES * PIECE);
}
