// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The block functions themselves. Scalar and vector code must continue with a state that the
 * other left. All must also accept states at the limits of the contract, which random input
 * does not reach.
 */

#include <linux/vmalloc.h>

#include "../poly1305_test.h"
#include "kunit.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

#define BLOCK		POLY1305_MAC_BLOCK_SIZE
#define BLOCKS_MAX	1024

/* The next tier that this CPU can run, the first for NULL; or NULL after the last */
static const struct poly1305_tier *
usable_tier_after(const struct poly1305_tier *tier)
{
	/* Once: after a module's init the kernel makes what it sets read-only. */
	static bool set_up;
	size_t i = 0;

	if (!set_up)
		poly1305_arch_init();
	set_up = true;
	while (tier && poly1305_tiers[i++] != tier)
		;
	for (; i < POLY1305_NTIERS; i++)
		if (poly1305_usable(poly1305_tiers[i]))
			return poly1305_tiers[i];
	return NULL;
}

/* Calls the block function of a tier, in an FPU section if it needs one. */
static void run_tier(const struct poly1305_tier *tier,
		     struct poly1305_mac_state *state, const u8 *data,
		     size_t nblocks, u32 hibit)
{
	if (!tier->simd_from) {
		tier->scalar.blocks(state, data, nblocks, hibit);
		return;
	}
#ifdef CONFIG_X86_64
	kernel_fpu_begin();
	tier->simd.blocks(state, data, nblocks, hibit);
	kernel_fpu_end();
#endif
}

static const void *next_tier(struct kunit *test, const void *prev, char *desc)
{
	const struct poly1305_tier *tier = usable_tier_after(prev);

	if (tier)
		strscpy(desc, tier->name, KUNIT_PARAM_DESC_SIZE);
	return tier;
}

/*
 * Whether the contract allows the state, and the state has the reference's value. The
 * tags that it compares use the pad of the reference's key.
 */
static bool state_is(const struct poly1305_mac_state *state, const u64 r[2],
		     const struct poly1305_ref *ref)
{
	const u64 s[2] = { get_unaligned_le64(ref->s),
			   get_unaligned_le64(ref->s + 8) };
	u8 want[TAG_SIZE], tag[TAG_SIZE];

	if (POLY1305_H_BEYOND(state->h) || memcmp(state->r, r, 16))
		return false;
	poly1305_ref_tag(ref, want);
	poly1305_emit(state->h, s, tag);
	return !memcmp(tag, want, TAG_SIZE);
}

/* The state of a message that begins */
static void begin(struct poly1305_mac_state *state, const u8 key[KEY_SIZE])
{
	struct poly1305_mac_ctx ctx;

	poly1305_ctx_init(&ctx, key);
	*state = ctx.state;
}

static u8 *alloc_blocks(struct kunit *test)
{
	u8 *data = kunit_kmalloc(test, BLOCKS_MAX * BLOCK, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, data);
	return data;
}

/* A tier and one without vector code take turns at random numbers of blocks. */
static void take_turns(struct kunit *test, const struct poly1305_tier *tier,
		       const struct poly1305_tier *other, const u8 *data)
{
	const struct poly1305_tier *turn = tier;
	struct poly1305_mac_state state;
	struct poly1305_ref ref;
	u8 key[KEY_SIZE];
	size_t n, at, i;
	u64 r[2];

	random_fill(key, sizeof(key));
	begin(&state, key);
	poly1305_ref_init(&ref, key);
	memcpy(r, state.r, sizeof(r));

	for (at = 0; at < BLOCKS_MAX; at += n) {
		n = min_t(size_t, random_len(9), BLOCKS_MAX - at);
		run_tier(turn, &state, data + at * BLOCK, n, 1);
		for (i = at; i < at + n; i++)
			poly1305_ref_block(&ref, data + i * BLOCK, BLOCK);
		if (!state_is(&state, r, &ref)) {
			KUNIT_FAIL(test, "%s, %s in turns: wrong after %zu blocks of %s behind %zu",
				   tier->name, other->name, n, turn->name, at);
			return;
		}
		turn = turn == tier ? other : tier;
	}
}

static void run_turns(struct kunit *test)
{
	const struct poly1305_tier *tier = test->param_value, *other;
	u8 *data = alloc_blocks(test);
	unsigned int i;

	random_fill(data, BLOCKS_MAX * BLOCK);
	for (other = usable_tier_after(NULL); other; other = usable_tier_after(other)) {
		if (other->simd_from)
			continue;
		for (i = 0; i < 50 * effort; i++)
			take_turns(test, tier, other, data);
		cond_resched();
	}
}

/* Accumulators at the limits: around 0 and powers of 2, and the greatest */
static const u64 limits[][3] = {
	{ 0, 0, 0 },
	{ U64_MAX, 0, 0 },
	{ 0, 1, 0 },
	{ U64_MAX, U64_MAX, 0 },
	{ 0, 0, 1 },
	{ 0, 0, POLY1305_H2_MAX },
	{ U64_MAX, U64_MAX, POLY1305_H2_MAX },
};

/* And around p: each number is added to p - 1. */
static const u64 prime[3] = POLY1305_REF_P;
static const u8 above[] = { 0, 1, 2, 5 };

#define NLIMITS	(ARRAY_SIZE(limits) + ARRAY_SIZE(above))

static void set_limit(u64 h[3], size_t i)
{
	if (i < ARRAY_SIZE(limits)) {
		memcpy(h, limits[i], sizeof(limits[i]));
		return;
	}
	memcpy(h, prime, sizeof(prime));
	h[0] += above[i - ARRAY_SIZE(limits)] - 1;
	if (h[0] < prime[0] - 1)
		h[1]++;
}

/* Many numbers of blocks of ones, then a last block that is padded */
static int check_limit(struct kunit *test, const struct poly1305_tier *tier,
		       const struct poly1305_mac_state *start,
		       const struct corner *corner, const u8 *ones)
{
	static const u16 counts[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17,
				      24, 31, 32, 33, 63, 64, 65, 100, 256,
				      BLOCKS_MAX };
	struct poly1305_ref whole, ref;
	struct poly1305_mac_state state;
	u8 key[KEY_SIZE], last[BLOCK];
	size_t i, n = 0;

	memset(last, 0xff, sizeof(last));
	last[BLOCK - 1] = 1;
	if (hex2bin(key, corner->key, sizeof(key)))
		return -EINVAL;

	poly1305_ref_init(&whole, key);
	memcpy(whole.h, start->h, sizeof(whole.h));
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		for (; n < counts[i]; n++)
			poly1305_ref_block(&whole, ones, BLOCK);
		state = *start;
		run_tier(tier, &state, ones, n, 1);
		if (n && !state_is(&state, start->r, &whole))
			break;

		ref = whole;
		poly1305_ref_block(&ref, last, BLOCK - 1);
		run_tier(tier, &state, last, 1, 0);
		if (!state_is(&state, start->r, &ref))
			break;
	}
	if (i == ARRAY_SIZE(counts))
		return 0;
	KUNIT_FAIL(test, "%s: r of %s, h %llx:%016llx:%016llx, powers %u, %u blocks",
		   tier->name, corner->why, start->h[2], start->h[1],
		   start->h[0], start->npow, counts[i]);
	return -EINVAL;
}

/* Every limit, in a state without powers and in one that has those the tier leaves */
static int check_limits(struct kunit *test, const struct poly1305_tier *tier,
			const struct corner *corner, const u8 *ones)
{
	struct poly1305_mac_state start;
	u8 key[KEY_SIZE];
	size_t i;
	int err;

	if (hex2bin(key, corner->key, sizeof(key)))
		return -EINVAL;
	begin(&start, key);
	for (i = 0; i < 2 * NLIMITS; i++) {
		if (i == NLIMITS)
			run_tier(tier, &start, ones, BLOCKS_MAX, 1);
		set_limit(start.h, i % NLIMITS);
		err = check_limit(test, tier, &start, corner, ones);
		if (err)
			return err;
	}
	cond_resched();
	return 0;
}

/* check_limits() for every r among the corners */
static void run_limits(struct kunit *test)
{
	u8 *ones = alloc_blocks(test);
	const struct corner *corner;
	int err = 0;

	memset(ones, 0xff, BLOCKS_MAX * BLOCK);
	for (corner = corners; corner < corners + ncorners && !err; corner++) {
		if (corner == corners ||
		    strncmp(corner[-1].key, corner->key, 2 * BLOCK))
			err = check_limits(test, test->param_value, corner,
					   ones);
	}
	KUNIT_EXPECT_EQ(test, err, 0);
}

static struct kunit_case cases[] = {
	{ .run_case = run_turns, .name = "turns", .generate_params = next_tier,
	  .module_name = KBUILD_MODNAME },
	{ .run_case = run_limits, .name = "limits", .generate_params = next_tier,
	  .module_name = KBUILD_MODNAME },
	{ }
};

struct kunit_suite blocks_suite = {
	.name = POLY1305_NAME "_blocks",
	.test_cases = cases,
};
