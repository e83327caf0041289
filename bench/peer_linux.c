// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The kernel's own code, from the assembly that its sources generate, called as the
 * kernel calls it: scalar below 288 bytes, otherwise SIMD in pieces of 4 KiB. Other
 * costs in a kernel (saving FPU state, the crypto API) are not included.
 */

#include "blocks.h"

#define SIMD_MIN	288
#define SIMD_PIECE	4096

/*
 * The state of the assembly: the sum in words of 64 bits or, once SIMD code has run, in
 * five limbs of 26 bits with a word that marks them; then the key and its powers.
 */
struct linux_state {
	uint32_t limb[5];
	uint32_t in_limbs;
	uint8_t key[168];
};

static struct {
	_Alignas(64) struct linux_state state;
	uint32_t pad[4];
	struct partial partial;
} ctx;

static linux_blocks *simd;
static linux_emit *emit;

enum { SCALAR, TIER_AVX, TIER_AVX2, TIER_AVX512F, SIXTEEN_BLOCKS };

static bool linux_select(const struct bench_impl *impl)
{
	emit = linux_poly1305_emit_avx;
	switch (impl->arg) {
	case SIXTEEN_BLOCKS:
		simd = linux_poly1305_blocks_avx512;
		return __builtin_cpu_supports("avx512bw");
	case TIER_AVX512F:
		simd = linux_poly1305_blocks_avx512;
		return __builtin_cpu_supports("avx512f");
	case TIER_AVX2:
		simd = linux_poly1305_blocks_avx2;
		return __builtin_cpu_supports("avx2");
	case TIER_AVX:
		simd = linux_poly1305_blocks_avx;
		return __builtin_cpu_supports("avx");
	}
	simd = NULL;
	emit = linux_poly1305_emit_x86_64;
	return true;
}

static void blocks(const uint8_t *data, size_t len, uint32_t padbit)
{
	size_t n;

	if (!simd || (len < SIMD_MIN && !ctx.state.in_limbs)) {
		linux_poly1305_blocks_x86_64(&ctx.state, data, len, padbit);
		return;
	}
	do {
		n = len < SIMD_PIECE ? len : SIMD_PIECE;
		simd(&ctx.state, data, n, padbit);
		data += n;
		len -= n;
	} while (len);
}

static void linux_init(const uint8_t key[KEY_SIZE], size_t hint)
{
	linux_poly1305_init_x86_64(&ctx.state, key);
	memcpy(ctx.pad, key + 16, 16);
	ctx.partial.buflen = 0;
}

static void linux_update(const uint8_t *data, size_t len)
{
	add(&ctx.partial, data, len);
}

static void linux_final(uint8_t tag[TAG_SIZE])
{
	add_last(&ctx.partial);
	emit(&ctx.state, tag, ctx.pad);
	explicit_bzero(&ctx, sizeof(ctx));
}

BENCH_DIGEST(linux_digest, linux_init, linux_update, linux_final)

#define IMPL(id, which) {						\
	.name = "linux-" #id,						\
	.tier = #id,							\
	.arg = which,							\
	.select = linux_select,					\
	BENCH_FUNCTIONS(linux),					\
	.packets = &linux_packets,					\
}

static const struct bench_impl impls[] = {
	IMPL(avx512f, TIER_AVX512F),
	IMPL(avx2, TIER_AVX2),
	IMPL(avx, TIER_AVX),
	IMPL(scalar, SCALAR),
	{
		.name = "linux-16-blocks",
		.tier = "avx512f",
		.arg = SIXTEEN_BLOCKS,
		.select = linux_select,
		.packets = &standin_packets,
	},
	{ }
};

const struct bench_peer peer_linux = { LINUX_SOURCE, impls };
