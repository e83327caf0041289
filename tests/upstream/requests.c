// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * tests/upstream/bench adds this file to the kernel's chacha20poly1305_kunit.c, whose functions it
 * calls: the time of requests of the crypto API, as its benchmark has that of messages. A request
 * has one entry, or as many as a packet with page fragments; it is not in place.
 */
#include <crypto/aead.h>

enum request_op { REQUEST_SEAL, REQUEST_OPEN, REQUEST_SEAL3, REQUEST_OPEN3, REQUEST_OPS };

struct requests {
	struct aead_request *req;
	u8 *plain, *sealed, *opened;
	size_t len;
};

enum { REQUEST_AD = 8 };

/* One entry, or three: associated data, and two halves of the text with its tag */
static void request_list(struct scatterlist sgl[3], u8 *buf, size_t len, bool three)
{
	const size_t text = len + TAG_SIZE;

	if (!three) {
		sg_init_one(sgl, buf, REQUEST_AD + text);
		return;
	}
	sg_init_table(sgl, 3);
	sg_set_buf(&sgl[0], buf, REQUEST_AD);
	sg_set_buf(&sgl[1], buf + REQUEST_AD, text / 2);
	sg_set_buf(&sgl[2], buf + REQUEST_AD + text / 2, text - text / 2);
}

static int request_call(const struct requests *r, enum request_op op)
{
	const bool seal = op == REQUEST_SEAL || op == REQUEST_SEAL3, three = op >= REQUEST_SEAL3;
	struct scatterlist from[3], to[3];
	u8 iv[12] = {};

	request_list(from, seal ? r->plain : r->sealed, r->len, three);
	request_list(to, seal ? r->sealed : r->opened, r->len, three);
	aead_request_set_crypt(r->req, from, to, r->len + (seal ? 0 : TAG_SIZE), iv);
	return seal ? crypto_aead_encrypt(r->req) : crypto_aead_decrypt(r->req);
}

static void benchmark_requests(struct kunit *test)
{
	static const size_t lens[] = { 0, 16, 64, 256, 576, 1420, 4096, 16384 };
	static const char * const names[] = {
		"request-encrypt", "request-decrypt", "request3-encrypt", "request3-decrypt",
	};
	enum { ROUNDS = 101, MAX = REQUEST_AD + 16384 + TAG_SIZE };
	struct crypto_aead *tfm = crypto_alloc_aead("rfc7539(chacha20,poly1305)", 0,
						    CRYPTO_ALG_ASYNC);
	static const u8 key[KEY_SIZE] = { 1 };
	struct requests r = {
		.plain = alloc_buf(test, MAX),
		.sealed = alloc_buf(test, MAX),
		.opened = alloc_buf(test, MAX),
	};
	u32 *times = alloc_buf(test, REQUEST_OPS * ROUNDS * sizeof(*times));
	char line[200];

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tfm);
	r.req = aead_request_alloc(tfm, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r.req);
	KUNIT_ASSERT_EQ(test, crypto_aead_setkey(tfm, key, sizeof(key)), 0);
	aead_request_set_callback(r.req, 0, NULL, NULL);
	aead_request_set_ad(r.req, REQUEST_AD);
	memset(r.plain, 0x5a, MAX);
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		const u32 calls = 1 + 200000 / (lens[i] + 300);
		int err = 0;

		r.len = lens[i];
		for (int round = -20; round < ROUNDS; round++) {
			for (int op = 0; op < REQUEST_OPS; op++) {
				u64 t;

				preempt_disable();
				t = ktime_get_ns();
				for (u32 j = 0; j < calls; j++)
					err = err ?: request_call(&r, op);
				t = ktime_get_ns() - t;
				preempt_enable();
				if (round >= 0)
					times[op * ROUNDS + round] = div_u64(10 * t, calls);
			}
		}
		KUNIT_EXPECT_EQ(test, err, 0);
		KUNIT_EXPECT_MEMEQ(test, r.opened, r.plain, REQUEST_AD + r.len);
		for (int op = 0, at = 0; op < REQUEST_OPS; op++) {
			u32 *t = times + op * ROUNDS;

			sort(t, ROUNDS, sizeof(*t), cmp_times, NULL);
			at += scnprintf(line + at, sizeof(line) - at, " %s %u.%u/%u.%u", names[op],
					t[0] / 10, t[0] % 10, t[ROUNDS / 2] / 10,
					t[ROUNDS / 2] % 10);
		}
		kunit_info(test, "len=%zu: ns min/median:%s", lens[i], line);
	}
	aead_request_free(r.req);
	crypto_free_aead(tfm);
}

static struct kunit_case request_cases[] = {
	KUNIT_CASE(benchmark_requests),
	{}
};

static struct kunit_suite request_suite = {
	.name = "requests",
	.test_cases = request_cases,
};

kunit_test_suite(request_suite);
