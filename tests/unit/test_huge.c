// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Messages of about 2^32 bytes, through every entry. They find lengths kept in 32 bits
 * instead of 64, and comparisons that are wrong at that limit.
 */

#define _GNU_SOURCE
#include <sys/mman.h>

#include "check.h"

#define HUGE_LEN	((1ULL << 32) + 17)

/* A key and a message. Pages of zeros between random ones take no memory. */
static u8 *map_huge(void)
{
	u8 *map = mmap(NULL, (size_t)(KEY_SIZE + HUGE_LEN), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		skip("no memory");
	rnd_bytes(map, PAGE_SIZE);
	rnd_bytes(map + HUGE_LEN - PAGE_SIZE, PAGE_SIZE);
	return map;
}

/* The tag in updates of at most that many bytes */
static void updates(const u8 *key, const u8 *data, u64 len, u64 most, u8 tag[TAG_SIZE])
{
	struct poly1305_mac_ctx ctx;
	size_t n;

	poly1305_mac_init(&ctx, key);
	for (; len; data += n, len -= n) {
		n = min(len, most);
		poly1305_mac_update(&ctx, data, n);
	}
	poly1305_mac_final(&ctx, tag);
}

/*
 * Other cases compare short updates with big integers. A shash takes up to 2^32 - 1 bytes, the
 * greatest 32-bit length.
 */
int test_huge(const struct subject *s)
{
	const u64 total = s->tfm ? U32_MAX : HUGE_LEN;
	const u64 len = total - s->prefix_len;
	u8 expected[TAG_SIZE], tag[TAG_SIZE], *input, *data;
	struct scatterlist list[2] = { };

	if (!slow)
		skip("takes seconds: needs --slow");
	if (sizeof(size_t) < sizeof(u64))
		skip("no buffer can be that long on this CPU");
	input = map_huge();
	data = input + KEY_SIZE;
	updates(input, data, len, AREA_SIZE, expected);
	all_ways(s, input, (size_t)len, s->tfm ? 0 : (1U << 31) + 1, expected);
	updates(input, data, len, (1ULL << 32) + 5, tag);
	if (memcmp(tag, expected, TAG_SIZE))
		fail("updates: wrong tag");
	if (poly1305_mac_verify(input, data, (size_t)len, expected))
		fail("verify: the right tag is rejected");
	/* Cut to 32 bits, the length would be less than the list's. */
	list[0] = (struct scatterlist){ input, U32_MAX, &list[1] };
	list[1] = (struct scatterlist){ input, 17, NULL };
	if (poly1305_mac_digest_sg(input, list, (size_t)HUGE_LEN, tag) != -EINVAL)
		fail("scatterlist: more than 2^32 bytes from a list one byte shorter");
	munmap(input, (size_t)(KEY_SIZE + HUGE_LEN));
	return 0;
}
