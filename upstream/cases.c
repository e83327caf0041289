// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What upstream/series adds to lib/crypto/tests/chacha20poly1305_kunit.c, before its list of test
 * cases. This comment and the line above stay behind.
 */
#define KEY_SIZE	CHACHA20POLY1305_KEY_SIZE
#define TAG_SIZE	CHACHA20POLY1305_AUTHTAG_SIZE
#define NONCE_SIZE	sizeof(u64)
#define MASK26		0x3ffffff

/*
 * The reference: RFC 8439 byte by byte, for messages in pieces.  It calls nothing that an
 * architecture replaces, so all other code is compared with it.
 */
struct chacha20poly1305_ref {
	struct chacha_state chacha;
	u8 stream[CHACHA_BLOCK_SIZE];
	unsigned int used;		/* bytes of stream */
	u32 h[5], r[5];			/* in radix 2^26 */
	u8 s[POLY1305_DIGEST_SIZE];
	u8 block[POLY1305_BLOCK_SIZE];	/* of the MAC's message */
	unsigned int at;		/* bytes of block */
	u64 ad_len, len;
};

static void ref_split(u32 x[5], const u8 block[POLY1305_BLOCK_SIZE], u32 hibit)
{
	u64 lo = get_unaligned_le64(block), hi = get_unaligned_le64(block + 8);

	x[0] = lo & MASK26;
	x[1] = lo >> 26 & MASK26;
	x[2] = (lo >> 52 | hi << 12) & MASK26;
	x[3] = hi >> 14 & MASK26;
	x[4] = hi >> 40 | hibit << 24;
}

/* h = (h + block + 2^128) r modulo 2^130 - 5 */
static void ref_absorb(struct chacha20poly1305_ref *c)
{
	u64 d[5], carry = 0;
	u32 m[5];

	ref_split(m, c->block, 1);
	for (int i = 0; i < 5; i++)
		c->h[i] += m[i];
	for (int i = 0; i < 5; i++) {
		d[i] = 0;
		for (int j = 0; j < 5; j++)
			d[i] += (u64)c->h[j] *
				(j <= i ? c->r[i - j] : 5 * c->r[5 + i - j]);
	}
	for (int i = 0; i < 5; i++) {
		d[i] += carry;
		c->h[i] = d[i] & MASK26;
		carry = d[i] >> 26;
	}
	d[0] = c->h[0] + 5 * carry;
	c->h[0] = d[0] & MASK26;
	c->h[1] += d[0] >> 26;
}

static void ref_mac(struct chacha20poly1305_ref *c, const u8 *data, size_t n)
{
	while (n--) {
		c->block[c->at++] = *data++;
		if (c->at == sizeof(c->block)) {
			ref_absorb(c);
			c->at = 0;
		}
	}
}

static void ref_pad(struct chacha20poly1305_ref *c)
{
	static const u8 zero;

	while (c->at)
		ref_mac(c, &zero, 1);
}

/* The nonce of an XChaCha20 message has 24 bytes, of which 16 make the key. */
static void ref_init(struct chacha20poly1305_ref *c, const u8 *nonce,
		     size_t nonce_len, const u8 *key)
{
	u8 iv[CHACHA_IV_SIZE] = {};
	u8 block0[CHACHA_BLOCK_SIZE];
	u32 k[CHACHA_KEY_WORDS];

	memset(c, 0, sizeof(*c));
	for (int i = 0; i < CHACHA_KEY_WORDS; i++)
		k[i] = get_unaligned_le32(key + 4 * i);
	if (nonce_len == XCHACHA20POLY1305_NONCE_SIZE) {
		chacha_init(&c->chacha, k, nonce);
		hchacha_block_generic(&c->chacha, k, 20);
	}
	memcpy(iv + sizeof(iv) - NONCE_SIZE, nonce + nonce_len - NONCE_SIZE,
	       NONCE_SIZE);
	chacha_init(&c->chacha, k, iv);
	chacha20_block(&c->chacha, block0);
	for (int i = 3; i < 16; i += 4)
		block0[i] &= 0x0f;
	for (int i = 4; i < 16; i += 4)
		block0[i] &= 0xfc;
	ref_split(c->r, block0, 0);
	memcpy(c->s, block0 + 16, sizeof(c->s));
	c->used = CHACHA_BLOCK_SIZE;
}

static void ref_ad(struct chacha20poly1305_ref *c, const u8 *ad, size_t n)
{
	ref_mac(c, ad, n);
	c->ad_len += n;
}

static void ref_text(struct chacha20poly1305_ref *c, u8 *dst, const u8 *src,
		     size_t n, bool encrypt)
{
	if (n && !c->len)
		ref_pad(c);
	c->len += n;
	if (!encrypt)
		ref_mac(c, src, n);
	for (size_t i = 0; i < n; i++) {
		if (c->used == CHACHA_BLOCK_SIZE) {
			chacha20_block(&c->chacha, c->stream);
			c->used = 0;
		}
		dst[i] = src[i] ^ c->stream[c->used++];
	}
	if (encrypt)
		ref_mac(c, dst, n);
}

/* tag = (h modulo 2^130 - 5) + s modulo 2^128 */
static void ref_tag(struct chacha20poly1305_ref *c, u8 tag[TAG_SIZE])
{
	__le64 lens[2] = { cpu_to_le64(c->ad_len), cpu_to_le64(c->len) };
	u32 words[4], g, carry;
	u64 sum = 0;

	ref_pad(c);
	ref_mac(c, (u8 *)lens, sizeof(lens));
	/* Twice: afterwards all limbs are below 2^26. */
	for (int i = 0; i < 10; i++) {
		carry = c->h[i % 5] >> 26;
		c->h[i % 5] &= MASK26;
		c->h[(i + 1) % 5] += i % 5 == 4 ? 5 * carry : carry;
	}
	/* h + 5 has bit 130 if h is 2^130 - 5 or more. */
	carry = 5;
	for (int i = 0; i < 5; i++)
		carry = (c->h[i] + carry) >> 26;
	g = 5 * carry;
	for (int i = 0; i < 5; i++) {
		g += c->h[i];
		c->h[i] = g & MASK26;
		g >>= 26;
	}
	words[0] = c->h[0] | c->h[1] << 26;
	words[1] = c->h[1] >> 6 | c->h[2] << 20;
	words[2] = c->h[2] >> 12 | c->h[3] << 14;
	words[3] = c->h[3] >> 18 | c->h[4] << 8;
	for (int i = 0; i < 4; i++) {
		sum += (u64)words[i] + get_unaligned_le32(c->s + 4 * i);
		put_unaligned_le32(sum, tag + 4 * i);
		sum >>= 32;
	}
	memset(c, 0, sizeof(*c));
}

/*
 * The AEAD test template: its messages in pieces are those of the reference, its one-shot messages
 * those of the library, which has the tag right after the text.  If the template has it elsewhere,
 * the text is copied to the end of a guarded buffer.
 */
#define GUARDED_SIZE	(16384 + TAG_SIZE)
static void *guarded;
static u8 *guarded_end;

struct chacha20poly1305_key {
	u8 raw[KEY_SIZE];
};

static int preparekey(struct chacha20poly1305_key *key, const u8 *raw,
		      size_t key_len, size_t tag_len)
{
	if (key_len != KEY_SIZE || tag_len != TAG_SIZE)
		return -EINVAL;
	memcpy(key->raw, raw, KEY_SIZE);
	return 0;
}

static int encrypt(u8 *dst, const u8 *src, size_t len, u8 *tag, const u8 *ad,
		   size_t ad_len, const u8 *nonce, size_t nonce_len,
		   const struct chacha20poly1305_key *key)
{
	u8 *out = tag == dst + len ? dst : guarded_end - TAG_SIZE - len;

	if (nonce_len != NONCE_SIZE)
		return -EINVAL;
	chacha20poly1305_encrypt(out, src, len, ad, ad_len,
				 get_unaligned_le64(nonce), key->raw);
	if (out != dst) {
		memcpy(dst, out, len);
		memcpy(tag, out + len, TAG_SIZE);
	}
	return 0;
}

/* The library need not clear what it does not write. */
static int decrypt(u8 *dst, const u8 *src, size_t len, const u8 *tag,
		   const u8 *ad, size_t ad_len, const u8 *nonce,
		   size_t nonce_len, const struct chacha20poly1305_key *key)
{
	const u8 *in = src;

	if (nonce_len != NONCE_SIZE)
		return -EINVAL;
	if (tag != src + len) {
		in = guarded_end - TAG_SIZE - len;
		memcpy((u8 *)in, src, len);
		memcpy((u8 *)in + len, tag, TAG_SIZE);
	}
	if (chacha20poly1305_decrypt(dst, in, len + TAG_SIZE, ad, ad_len,
				     get_unaligned_le64(nonce), key->raw))
		return 0;
	memset(dst, 0, len);
	return -EBADMSG;
}

static int init(struct chacha20poly1305_ref *c, size_t len, size_t ad_len,
		const u8 *nonce, size_t nonce_len,
		const struct chacha20poly1305_key *key)
{
	if (nonce_len != NONCE_SIZE)
		return -EINVAL;
	ref_init(c, nonce, nonce_len, key->raw);
	return 0;
}

static void encrypt_update(struct chacha20poly1305_ref *c, u8 *dst,
			   const u8 *src, size_t n)
{
	ref_text(c, dst, src, n, true);
}

static void decrypt_update(struct chacha20poly1305_ref *c, u8 *dst,
			   const u8 *src, size_t n)
{
	ref_text(c, dst, src, n, false);
}

static int decrypt_final(struct chacha20poly1305_ref *c, const u8 *tag)
{
	u8 right[TAG_SIZE];

	ref_tag(c, right);
	return memcmp(right, tag, TAG_SIZE) ? -EBADMSG : 0;
}

static const size_t valid_key_lens[] = { KEY_SIZE };
static const size_t valid_nonce_lens[] = { NONCE_SIZE };
static const size_t valid_tag_lens[] = { TAG_SIZE };

/* Computed with big integers, in Python */
static const u8 monte_carlo_checksum[BLAKE2S_HASH_SIZE] = {
	0xec, 0xbb, 0x13, 0x24, 0x12, 0x4a, 0xf8, 0xb2, 0x93, 0x3f, 0x5e,
	0x87, 0xab, 0x8d, 0x63, 0xe0, 0xde, 0x41, 0xf4, 0x8f, 0xce, 0x8b,
	0x4a, 0xc6, 0x90, 0xa2, 0xf3, 0x2a, 0x82, 0x39, 0x88, 0x72,
};

#define AEAD_KEY			chacha20poly1305_key
#define AEAD_CTX			chacha20poly1305_ref
#define AEAD_VALID_KEY_LENS		valid_key_lens
#define AEAD_VALID_NONCE_LENS		valid_nonce_lens
#define AEAD_VALID_TAG_LENS		valid_tag_lens
#define AEAD_MAX_KEY_LEN		KEY_SIZE
#define AEAD_MAX_NONCE_LEN		NONCE_SIZE
#define AEAD_MAX_TAG_LEN		TAG_SIZE
#define AEAD_MONTE_CARLO_CHECKSUM	monte_carlo_checksum
#define AEAD_PREPAREKEY			preparekey
#define AEAD_ENCRYPT			encrypt
#define AEAD_DECRYPT			decrypt
#define AEAD_INIT			init
#define AEAD_AUTH_UPDATE		ref_ad
#define AEAD_ENCRYPT_UPDATE		encrypt_update
#define AEAD_ENCRYPT_FINAL		ref_tag
#define AEAD_DECRYPT_UPDATE		decrypt_update
#define AEAD_DECRYPT_FINAL		decrypt_final
#include "aead-test-template.h"

/* A random message, and what the reference makes of it */
#define MAX_AD_LEN	68
struct message {
	size_t len, ad_len;
	u64 nonce;
	u8 key[KEY_SIZE], ad[MAX_AD_LEN];
	u8 *plain, *sealed;
};

static struct message *alloc_message(struct kunit *test, size_t max_len)
{
	struct message *m = alloc_buf(test, sizeof(*m));

	m->plain = alloc_buf(test, max_len + 1);
	m->sealed = alloc_buf(test, max_len + TAG_SIZE);
	return m;
}

static void make_message(struct message *m, size_t len)
{
	struct chacha20poly1305_ref c;
	u8 nonce[NONCE_SIZE];

	m->len = len;
	m->ad_len = rand_bool() ? rand32() % (MAX_AD_LEN + 1) : 0;
	rand_bytes(m->key, sizeof(m->key));
	rand_bytes(m->ad, m->ad_len);
	rand_bytes(m->plain, len);
	rand_bytes(nonce, sizeof(nonce));
	m->nonce = get_unaligned_le64(nonce);
	ref_init(&c, nonce, sizeof(nonce), m->key);
	ref_ad(&c, m->ad, m->ad_len);
	ref_text(&c, m->sealed, m->plain, len, true);
	ref_tag(&c, m->sealed + len);
}

static bool open_message(const struct message *m, u8 *dst, const u8 *src)
{
	return chacha20poly1305_decrypt(dst, src, m->len + TAG_SIZE, m->ad,
					m->ad_len, m->nonce, m->key);
}

/* Flip a random bit of the ciphertext, the tag or the associated data. */
static void forge(struct message *m, u8 *sealed)
{
	size_t at = rand32() % (m->len + TAG_SIZE + m->ad_len);
	u8 *byte = at < m->len + TAG_SIZE ? &sealed[at] :
					    &m->ad[at - m->len - TAG_SIZE];

	*byte ^= 1 << rand32() % 8;
}

/* Whether a buffer that had those bytes still has them, or zeros: anything but text */
static bool has_no_text(const u8 *buf, const u8 *before, size_t len)
{
	return !memcmp(buf, before, len) || mem_is_zero(buf, len);
}

/*
 * Encrypt and decrypt a message, not in place and in place, in buffers that end at a guard page.
 * Then forge it: no text may be left.
 */
static void check_message(struct kunit *test, struct message *m, u8 *in_end,
			  u8 *out_end)
{
	const size_t len = m->len, all = len + TAG_SIZE;
	u8 *plain = in_end - len, *in = in_end - all, *out = out_end - all;

	memcpy(plain, m->plain, len);
	chacha20poly1305_encrypt(out, plain, len, m->ad, m->ad_len, m->nonce,
				 m->key);
	KUNIT_ASSERT_MEMEQ_MSG(test, out, m->sealed, all,
			       "encryption; len=%zu ad_len=%zu", len,
			       m->ad_len);
	memcpy(out, m->plain, len);
	chacha20poly1305_encrypt(out, out, len, m->ad, m->ad_len, m->nonce,
				 m->key);
	KUNIT_ASSERT_MEMEQ_MSG(test, out, m->sealed, all,
			       "encryption in place; len=%zu ad_len=%zu", len,
			       m->ad_len);

	memcpy(in, m->sealed, all);
	KUNIT_ASSERT_TRUE_MSG(test, open_message(m, out_end - len, in),
			      "decryption; len=%zu ad_len=%zu", len, m->ad_len);
	KUNIT_ASSERT_MEMEQ(test, out_end - len, m->plain, len);
	KUNIT_ASSERT_MEMEQ(test, in, m->sealed, all);
	KUNIT_ASSERT_TRUE_MSG(test, open_message(m, in, in),
			      "decryption in place; len=%zu ad_len=%zu", len,
			      m->ad_len);
	KUNIT_ASSERT_MEMEQ(test, in, m->plain, len);

	forge(m, m->sealed);
	memcpy(in, m->sealed, all);
	memset(out, 0xa5, all);
	memset(m->plain, 0xa5, len);
	KUNIT_ASSERT_FALSE_MSG(test, open_message(m, out_end - len, in),
			       "forged; len=%zu ad_len=%zu", len, m->ad_len);
	KUNIT_ASSERT_TRUE_MSG(test, has_no_text(out_end - len, m->plain, len),
			      "forged, but decrypted; len=%zu", len);
	KUNIT_ASSERT_FALSE_MSG(test, open_message(m, in, in),
			       "forged, in place; len=%zu ad_len=%zu", len,
			       m->ad_len);
	KUNIT_ASSERT_TRUE_MSG(test, has_no_text(in, m->sealed, len),
			      "forged, but decrypted in place; len=%zu", len);
}

/* All lengths of a packet */
static void test_chacha20poly1305_lengths(struct kunit *test)
{
	const size_t max_len = 1500;
	struct message *m = alloc_message(test, max_len);
	u8 *in_end = alloc_guarded_buf(test, max_len + TAG_SIZE);
	u8 *out_end = alloc_guarded_buf(test, max_len + TAG_SIZE);

	in_end += max_len + TAG_SIZE;
	out_end += max_len + TAG_SIZE;
	for (size_t len = 0; len <= max_len; len++) {
		make_message(m, len);
		check_message(test, m, in_end, out_end);
	}
}

/* Lengths about the multiples of 512 bytes, at which implementations change what they do */
static void test_chacha20poly1305_long(struct kunit *test)
{
	const size_t max_len = 66000;
	struct message *m = alloc_message(test, max_len);
	u8 *in_end = alloc_guarded_buf(test, max_len + TAG_SIZE);
	u8 *out_end = alloc_guarded_buf(test, max_len + TAG_SIZE);

	in_end += max_len + TAG_SIZE;
	out_end += max_len + TAG_SIZE;
	for (size_t len = 2048; len < max_len - 512;
	     len += len < 20480 ? 512 : 8192) {
		make_message(m, len - 1 - rand32() % 192);
		check_message(test, m, in_end, out_end);
		make_message(m, len);
		check_message(test, m, in_end, out_end);
		make_message(m, len + 1 + rand32() % 192);
		check_message(test, m, in_end, out_end);
	}
}

/* Cut a message and its tag into pieces of odd lengths. */
#define MAX_PIECES	16
static void cut(struct scatterlist *sgl, u8 *data, size_t len)
{
	unsigned int i = 0;
	size_t n;

	sg_init_table(sgl, MAX_PIECES);
	do {
		n = i == MAX_PIECES - 1 || rand32() % 8 == 0 ? len :
		    rand32() % 2 ? 1 + rand32() % 700 : 1 + rand32() % 20;
		n = min(n, len);
		sg_set_buf(&sgl[i++], data, n);
		data += n;
		len -= n;
	} while (len);
	sg_mark_end(&sgl[i - 1]);
}

static bool open_list(const struct message *m, struct scatterlist *sgl)
{
	return chacha20poly1305_decrypt_sg_inplace(sgl, m->len + TAG_SIZE,
						   m->ad, m->ad_len, m->nonce,
						   m->key);
}

static bool seal_list(const struct message *m, struct scatterlist *sgl)
{
	return chacha20poly1305_encrypt_sg_inplace(sgl, m->len, m->ad,
						   m->ad_len, m->nonce, m->key);
}

static void test_chacha20poly1305_scatterlists(struct kunit *test)
{
	const size_t max_len = 3000;
	struct message *m = alloc_message(test, max_len);
	u8 *data = alloc_buf(test, max_len + TAG_SIZE);
	struct scatterlist sgl[MAX_PIECES];

	for (int i = 0; i < 3000; i++) {
		/* Up to some length of a packet, implementations may do otherwise. */
		const size_t len = i < 100 ? 1450 + i : rand_length(max_len);
		const size_t all = len + TAG_SIZE;

		make_message(m, len);
		memcpy(data, m->plain, len);
		cut(sgl, data, all);
		KUNIT_ASSERT_TRUE(test, seal_list(m, sgl));
		KUNIT_ASSERT_MEMEQ_MSG(test, data, m->sealed, all,
				       "encryption; len=%zu ad_len=%zu", len,
				       m->ad_len);
		cut(sgl, data, all);
		KUNIT_ASSERT_TRUE_MSG(test, open_list(m, sgl),
				      "decryption; len=%zu ad_len=%zu", len,
				      m->ad_len);
		KUNIT_ASSERT_MEMEQ(test, data, m->plain, len);

		forge(m, m->sealed);
		memcpy(data, m->sealed, all);
		cut(sgl, data, all);
		KUNIT_ASSERT_FALSE_MSG(test, open_list(m, sgl),
				       "forged; len=%zu ad_len=%zu", len,
				       m->ad_len);
	}
}

static void test_xchacha20poly1305(struct kunit *test)
{
	const size_t max_len = 1024;
	struct message *m = alloc_message(test, max_len);
	u8 *data = alloc_buf(test, max_len + TAG_SIZE);
	u8 nonce[XCHACHA20POLY1305_NONCE_SIZE];
	struct chacha20poly1305_ref c;
	bool ok;

	for (int i = 0; i < 300; i++) {
		const size_t len = rand_length(max_len), all = len + TAG_SIZE;

		make_message(m, len);
		rand_bytes(nonce, sizeof(nonce));
		ref_init(&c, nonce, sizeof(nonce), m->key);
		ref_ad(&c, m->ad, m->ad_len);
		ref_text(&c, m->sealed, m->plain, len, true);
		ref_tag(&c, m->sealed + len);
		xchacha20poly1305_encrypt(data, m->plain, len, m->ad,
					  m->ad_len, nonce, m->key);
		KUNIT_ASSERT_MEMEQ(test, data, m->sealed, all);
		ok = xchacha20poly1305_decrypt(data, data, all, m->ad,
					       m->ad_len, nonce, m->key);
		KUNIT_ASSERT_TRUE(test, ok);
		KUNIT_ASSERT_MEMEQ(test, data, m->plain, len);
	}
}

/* Three messages, one for each context that may run at a time */
struct irq_slot {
	struct message *m;
	u8 *data;
	atomic_t in_use;
	bool list;
};

static bool irq_func(void *state)
{
	struct irq_slot *slot = state;
	const struct message *m;
	struct scatterlist sgl[2];
	bool ok;

	while (atomic_cmpxchg(&slot->in_use, 0, 1))
		slot++;
	m = slot->m;
	memcpy(slot->data, m->plain, m->len);
	sg_init_table(sgl, 2);
	sg_set_buf(&sgl[0], slot->data, m->len / 3);
	sg_set_buf(&sgl[1], slot->data + m->len / 3,
		   m->len - m->len / 3 + TAG_SIZE);
	slot->list = !slot->list;
	if (slot->list)
		seal_list(m, sgl);
	else
		chacha20poly1305_encrypt(slot->data, slot->data, m->len, m->ad,
					 m->ad_len, m->nonce, m->key);
	ok = !memcmp(slot->data, m->sealed, m->len + TAG_SIZE);
	ok &= slot->list ? open_list(m, sgl) :
			   open_message(m, slot->data, slot->data);
	ok &= !memcmp(slot->data, m->plain, m->len);
	atomic_set_release(&slot->in_use, 0);
	return ok;
}

/* A packet in interrupts that come in the middle of another packet */
static void test_chacha20poly1305_interrupt_packets(struct kunit *test)
{
	static const size_t lens[] = { 100, 576, 1420 };
	struct irq_slot *slots = alloc_buf(test, 3 * sizeof(*slots));

	memset(slots, 0, 3 * sizeof(*slots));
	for (int i = 0; i < 3; i++) {
		slots[i].m = alloc_message(test, lens[i]);
		slots[i].data = alloc_buf(test, lens[i] + TAG_SIZE);
		make_message(slots[i].m, lens[i]);
	}
	kunit_run_irq_test(test, irq_func, 100000, slots);
}

/* No function may leave a section open in which the kernel uses vector registers. */
static void test_chacha20poly1305_sections(struct kunit *test)
{
	static const size_t lens[] = { 0, 64, 576, 1420, 9000, 40000 };
	struct message *m = alloc_message(test, 40000);
	const int count = preempt_count();
	struct scatterlist sgl[MAX_PIECES];
	int open = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		const size_t all = lens[i] + TAG_SIZE;

		make_message(m, lens[i]);
		for (int j = 0; j < 4; j++) {
			cut(sgl, m->sealed, all);
			if (j & 1)
				open_message(m, m->sealed, m->sealed);
			else
				open_list(m, sgl);
			open += preempt_count() != count || !may_use_simd();
			if (j & 2)
				chacha20poly1305_encrypt(m->sealed, m->sealed,
							 m->len, m->ad,
							 m->ad_len, m->nonce,
							 m->key);
			else
				seal_list(m, sgl);
			open += preempt_count() != count || !may_use_simd();
		}
	}
	KUNIT_EXPECT_EQ_MSG(test, open, 0, "calls end in an open section");
}

enum bench_op {
	BENCH_SEAL, BENCH_OPEN, BENCH_SEAL_LIST, BENCH_OPEN_LIST,
	BENCH_SEAL_LIST3, BENCH_OPEN_LIST3, BENCH_MAC, BENCH_OPS
};

/* A list of one entry or of three, the last of which has the tag, too */
static void bench_list(struct scatterlist sgl[3], u8 *data, size_t len,
		       bool three)
{
	const size_t third = len / 3;

	if (!three) {
		sg_init_one(sgl, data, len + TAG_SIZE);
		return;
	}
	sg_init_table(sgl, 3);
	sg_set_buf(&sgl[0], data, third);
	sg_set_buf(&sgl[1], data + third, third);
	sg_set_buf(&sgl[2], data + 2 * third, len - 2 * third + TAG_SIZE);
}

static void bench_call(const struct message *m, u8 *data, enum bench_op op)
{
	struct scatterlist sgl[3];
	struct poly1305_desc_ctx mac;

	switch (op) {
	case BENCH_SEAL:
		chacha20poly1305_encrypt(data, data, m->len, NULL, 0, m->nonce,
					 m->key);
		return;
	case BENCH_OPEN:
		if (!chacha20poly1305_decrypt(data, m->sealed,
					      m->len + TAG_SIZE, NULL, 0,
					      m->nonce, m->key))
			WARN_ON_ONCE(1);
		return;
	case BENCH_SEAL_LIST:
	case BENCH_SEAL_LIST3:
		bench_list(sgl, data, m->len, op == BENCH_SEAL_LIST3);
		chacha20poly1305_encrypt_sg_inplace(sgl, m->len, NULL, 0,
						    m->nonce, m->key);
		return;
	case BENCH_MAC:
		poly1305_init(&mac, m->key);
		poly1305_update(&mac, data, m->len);
		poly1305_final(&mac, data);
		return;
	default:
		memcpy(data, m->sealed, m->len + TAG_SIZE);
		bench_list(sgl, data, m->len, op == BENCH_OPEN_LIST3);
		if (!chacha20poly1305_decrypt_sg_inplace(sgl,
							 m->len + TAG_SIZE,
							 NULL, 0, m->nonce,
							 m->key))
			WARN_ON_ONCE(1);
	}
}

static int cmp_times(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 :
	       *(const u32 *)a > *(const u32 *)b;
}

/*
 * The time of a call in ns, minimum and median of many rounds: linear messages, and scatterlists of
 * one entry and of three, in place, as WireGuard has them.  There the time to decrypt includes a
 * copy.  The last column is the MAC alone.
 */
static void benchmark_chacha20poly1305(struct kunit *test)
{
	static const size_t lens[] = { 0, 16, 64, 256, 576, 1420, 4096, 16384 };
	static const char * const names[] = {
		"encrypt", "decrypt", "sg encrypt", "sg decrypt",
		"sg3 encrypt", "sg3 decrypt", "poly1305",
	};
	enum { ROUNDS = 101 };
	char line[200];
	struct message *m = alloc_message(test, 16384);
	u8 *data = alloc_buf(test, 16384 + TAG_SIZE);
	u32 *times = alloc_buf(test, BENCH_OPS * ROUNDS * sizeof(*times));

	if (!IS_ENABLED(CONFIG_CRYPTO_LIB_BENCHMARK))
		kunit_skip(test, "not enabled");
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		const u32 calls = 1 + 200000 / (lens[i] + 300);

		do
			make_message(m, lens[i]);
		while (m->ad_len);
		for (int r = -20; r < ROUNDS; r++) {
			for (int op = 0; op < BENCH_OPS; op++) {
				u64 t;

				preempt_disable();
				t = ktime_get_ns();
				for (u32 j = 0; j < calls; j++)
					bench_call(m, data, op);
				t = ktime_get_ns() - t;
				preempt_enable();
				if (r >= 0)
					times[op * ROUNDS + r] =
						div_u64(10 * t, calls);
			}
		}
		for (int op = 0; op < BENCH_OPS; op++)
			sort(times + op * ROUNDS, ROUNDS, sizeof(*times),
			     cmp_times, NULL);
		for (int op = 0, at = 0; op < BENCH_OPS; op++) {
			const u32 least = times[op * ROUNDS];
			const u32 median = times[op * ROUNDS + ROUNDS / 2];

			at += scnprintf(line + at, sizeof(line) - at,
					" %s %u.%u/%u.%u", names[op],
					least / 10, least % 10,
					median / 10, median % 10);
		}
		kunit_info(test, "len=%zu: ns min/median:%s", lens[i], line);
	}
}

static int chacha20poly1305_suite_init(struct kunit_suite *suite)
{
	const size_t size = round_up(GUARDED_SIZE, PAGE_SIZE);

	guarded = vmalloc(size);
	if (!guarded)
		return -ENOMEM;
	guarded_end = guarded + size;
	return 0;
}

static void chacha20poly1305_suite_exit(struct kunit_suite *suite)
{
	vfree(guarded);
	guarded = NULL;
}

