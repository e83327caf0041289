// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Intel's ipsec-mb. Its public interface computes a Poly1305 tag alone by a job. Jobs
 * without checks are the cheapest; bursts do not support Poly1305. Only the manager for
 * AVX-512 has vector code, the others are scalar. A static link reaches the inner
 * functions, which users cannot call; they have rows of their own.
 */

#include <intel-ipsec-mb.h>
#include <stdlib.h>

#include "foreign.h"

/* AUTO is the manager that the library takes for this CPU. */
enum { SSE, AVX512, AVX512_NO_IFMA, AUTO };

static IMB_MGR *mgr;

static bool job_select(const struct bench_impl *impl)
{
	static IMB_MGR *mgrs[AUTO + 1];
	IMB_ARCH arch;

	mgr = mgrs[impl->arg];
	if (mgr)
		return true;
	if (impl->arg == AVX512 && !__builtin_cpu_supports("avx512ifma"))
		return false;
	mgr = alloc_mb_mgr(0);
	if (!mgr)
		abort();
	if (impl->arg == AVX512)
		init_mb_mgr_avx512(mgr);
	else if (impl->arg == AUTO)
		init_mb_mgr_auto(mgr, &arch);
	else
		init_mb_mgr_sse(mgr);
	if (imb_get_errno(mgr))
		return false;
	mgrs[impl->arg] = mgr;
	return true;
}

static void describe(IMB_JOB *job, uint8_t *tag, const uint8_t *msg, size_t len,
		     const uint8_t *key)
{
	job->cipher_mode = IMB_CIPHER_NULL;
	job->cipher_direction = IMB_DIR_ENCRYPT;
	job->chain_order = IMB_ORDER_HASH_CIPHER;
	job->hash_alg = IMB_AUTH_POLY1305;
	job->src = msg;
	job->hash_start_src_offset_in_bytes = 0;
	job->msg_len_to_hash_in_bytes = len;
	job->auth_tag_output = tag;
	job->auth_tag_output_len_in_bytes = TAG_SIZE;
	job->u.POLY1305._key = key;
}

static void job_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		       const uint8_t key[KEY_SIZE])
{
	describe(IMB_GET_NEXT_JOB(mgr), tag, msg, len, key);
	IMB_SUBMIT_JOB_NOCHECK(mgr);
}

static void (*inner)(IMB_JOB *job);

static bool inner_select(const struct bench_impl *impl)
{
	switch (impl->arg) {
	case AVX512:
		inner = poly1305_mac_fma_avx512;
		return __builtin_cpu_supports("avx512ifma");
	case AVX512_NO_IFMA:
		inner = poly1305_mac_plain_avx512;
		return __builtin_cpu_supports("avx512bw");
	}
	inner = poly1305_mac_scalar;
	return true;
}

static void inner_digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			 const uint8_t key[KEY_SIZE])
{
	static IMB_JOB job;

	describe(&job, tag, msg, len, key);
	inner(&job);
}

/* Packets by a job, as users of its job interface have them, or by direct calls */
static const uint8_t nonce[12];

static bool is_equal(const uint8_t *a, const uint8_t *b)
{
	uint8_t found = 0;
	int i;

	for (i = 0; i < TAG_SIZE; i++)
		found |= a[i] ^ b[i];
	return !found;
}

static void packet_job(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		       size_t ad_len, const uint8_t *key, uint8_t *tag, bool seal)
{
	IMB_JOB *job = IMB_GET_NEXT_JOB(mgr);

	job->cipher_mode = IMB_CIPHER_CHACHA20_POLY1305;
	job->hash_alg = IMB_AUTH_CHACHA20_POLY1305;
	job->cipher_direction = seal ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
	job->chain_order = seal ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
	job->enc_keys = key;
	job->dec_keys = key;
	job->key_len_in_bytes = KEY_SIZE;
	job->src = src;
	job->dst = dst;
	job->iv = nonce;
	job->iv_len_in_bytes = sizeof(nonce);
	job->cipher_start_src_offset_in_bytes = 0;
	job->msg_len_to_cipher_in_bytes = len;
	job->hash_start_src_offset_in_bytes = 0;
	job->msg_len_to_hash_in_bytes = len;
	job->u.CHACHA20_POLY1305.aad = ad;
	job->u.CHACHA20_POLY1305.aad_len_in_bytes = ad_len;
	job->auth_tag_output = tag;
	job->auth_tag_output_len_in_bytes = TAG_SIZE;
	if (!IMB_SUBMIT_JOB_NOCHECK(mgr))
		IMB_FLUSH_JOB(mgr);
}

static void job_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		     size_t ad_len, const uint8_t key[KEY_SIZE])
{
	packet_job(dst, src, len, ad, ad_len, key, dst + len, true);
}

static bool job_open(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		     size_t ad_len, const uint8_t key[KEY_SIZE])
{
	uint8_t tag[TAG_SIZE];

	packet_job(dst, src, len, ad, ad_len, key, tag, false);
	return is_equal(tag, src + len);
}

static void direct_seal(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	struct chacha20_poly1305_context_data ctx;

	IMB_CHACHA20_POLY1305_INIT(mgr, key, &ctx, nonce, ad, ad_len);
	IMB_CHACHA20_POLY1305_ENC_UPDATE(mgr, key, &ctx, dst, src, len);
	IMB_CHACHA20_POLY1305_ENC_FINALIZE(mgr, &ctx, dst + len, TAG_SIZE);
}

static bool direct_open(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
			size_t ad_len, const uint8_t key[KEY_SIZE])
{
	struct chacha20_poly1305_context_data ctx;
	uint8_t tag[TAG_SIZE];

	IMB_CHACHA20_POLY1305_INIT(mgr, key, &ctx, nonce, ad, ad_len);
	IMB_CHACHA20_POLY1305_DEC_UPDATE(mgr, key, &ctx, dst, src, len);
	IMB_CHACHA20_POLY1305_DEC_FINALIZE(mgr, &ctx, tag, TAG_SIZE);
	return is_equal(tag, src + len);
}

static const struct bench_packets job_packets = { .seal = job_seal, .open = job_open };
static const struct bench_packets direct_packets = { .seal = direct_seal, .open = direct_open };

#define PACKETS(how) {							\
	.name = "ipsec-mb-" #how,					\
	.tier = "any",							\
	.arg = AUTO,							\
	.select = job_select,						\
	.packets = &how##_packets,					\
}

#define MAC(row, id, which, how, is_inner) {				\
	.name = "ipsec-mb-" row #id,					\
	.tier = #id,							\
	.inner = is_inner,						\
	.arg = which,							\
	.select = how##_select,						\
	.digest = how##_digest,						\
}

static const struct bench_impl impls[] = {
	MAC("", avx512, AVX512, job, false),
	MAC("inner-", avx512, AVX512, inner, true),
	MAC("inner-", avx512f, AVX512_NO_IFMA, inner, true),
	MAC("", scalar, SSE, job, false),
	MAC("inner-", scalar, SSE, inner, true),
	PACKETS(job),
	PACKETS(direct),
	{ }
};

const struct bench_peer peer_ipsec_mb = { "ipsec-mb " IMB_VERSION_STR, impls };
