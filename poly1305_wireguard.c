// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * WireGuard on poly1305.ko. The kernel's WireGuard calls six functions of the
 * library libchacha20poly1305, and nothing else but big_key calls them. This module
 * replaces them with functions of the same contract, by a live patch. The wireguard
 * module stays as it is, and its tunnels notice nothing.
 *
 * A live patch changes over one task after the other. Until all are done, some
 * packets pass through the library and some through this module. The results are
 * the same, so nothing depends on that order.
 *
 * Nothing is patched unless the self-test passes. It compares our functions with
 * fixed results, and then with the library's, while these can still be reached.
 * The module therefore depends on the library, which cannot be unloaded before it.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "compat.h"
#include <asm/cpufeature.h>
#include <crypto/chacha.h>
#include <crypto/chacha20poly1305.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "poly1305_aead.h"
#include "poly1305_chapoly_vectors.h"

#define TAG_SIZE	CHACHA20POLY1305_AUTHTAG_SIZE
#define KEY_SIZE	CHACHA20POLY1305_KEY_SIZE
#define XNONCE_SIZE	XCHACHA20POLY1305_NONCE_SIZE
#define KEY_WORDS	(CHACHA_KEY_SIZE / sizeof(u32))

#ifdef POLY1305_FAULT
/* make FAULT=1: a test can make the results wrong, to see the self-test fail. */
static bool fault;
module_param(fault, bool, 0444);
MODULE_PARM_DESC(fault, "compute wrong results");
#else
#define fault	false
#endif

/*
 * Packets by the way they took, for an administrator who wants to see the module
 * at work. While nobody counts, a packet passes over a no-op.
 */
enum way { WAY_SHORT, WAY_LONG, WAY_PIECES, WAY_REFUSED, WAYS };

static const char * const way_names[WAYS] = {
	[WAY_SHORT] = "short",
	[WAY_LONG] = "long",
	[WAY_PIECES] = "pieces",
	[WAY_REFUSED] = "refused",
};

static DEFINE_STATIC_KEY_FALSE(counting);
static DEFINE_PER_CPU(unsigned long [WAYS], packets);
static bool count;

static __always_inline void count_packet(enum way way)
{
	if (static_branch_unlikely(&counting))
		this_cpu_inc(packets[way]);
}

static int count_set(const char *text, const struct kernel_param *param)
{
	int err = param_set_bool(text, param);

	if (err)
		return err;
	if (count)
		static_branch_enable(&counting);
	else
		static_branch_disable(&counting);
	return 0;
}

static const struct kernel_param_ops count_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = count_set,
	.get = param_get_bool,
};

module_param_cb(count, &count_ops, &count, 0644);
MODULE_PARM_DESC(count, "count packets, for the parameter packets (default: no)");

static int packets_get(char *text, const struct kernel_param *param)
{
	unsigned long sum;
	enum way way;
	int cpu, len = 0;

	for (way = 0; way < WAYS; way++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += per_cpu(packets, cpu)[way];
		len += sprintf(text + len, "%s %lu\n", way_names[way], sum);
	}
	return len;
}

/* The mode counts in sysfs alone: at load the kernel calls set(), even if it is NULL. */
static int packets_set(const char *text, const struct kernel_param *param)
{
	return -EPERM;
}

static const struct kernel_param_ops packets_ops = {
	.set = packets_set,
	.get = packets_get,
};

module_param_cb(packets, &packets_ops, NULL, 0444);
MODULE_PARM_DESC(packets, "packets sealed and opened while count=1, by way");

static void load_key(u32 words[KEY_WORDS], const u8 *key)
{
	size_t i;

	for (i = 0; i < KEY_WORDS; i++)
		words[i] = get_unaligned_le32(key + 4 * i);
}

/* WireGuard's nonce is a counter. Four zero bytes before it make RFC 8439's. */
static void cipher_begin(struct chacha_state *cipher, u64 nonce, const u8 *key)
{
	u32 words[KEY_WORDS];
	u8 iv[CHACHA_IV_SIZE] = { 0 };

	put_unaligned_le64(nonce, iv + 8);
	load_key(words, key);
	chacha_init(cipher, words, iv);
	memzero_explicit(words, sizeof(words));
}

/* XChaCha20: the nonce's first 16 bytes make the key, its last 8 are the nonce. */
static void xcipher_begin(struct chacha_state *cipher, const u8 *nonce,
			  const u8 *key)
{
	u32 words[KEY_WORDS];
	u8 iv[CHACHA_IV_SIZE] = { 0 };

	load_key(words, key);
	chacha_init(cipher, words, nonce);
	hchacha_block(cipher, words, 20);
	memcpy(iv + 8, nonce + 16, 8);
	chacha_init(cipher, words, iv);
	memzero_explicit(words, sizeof(words));
}

/* Text in one piece; the tag is behind it. */
static void linear_seal(u8 *dst, const u8 *src, size_t len, const u8 *ad,
			size_t ad_len, struct chacha_state *cipher)
{
	count_packet(aead_is_short(len, ad_len) ? WAY_SHORT : WAY_LONG);
	aead_seal(dst, src, len, ad, ad_len, cipher);
	dst[len] ^= fault;
}

static bool linear_open(u8 *dst, const u8 *src, size_t len, const u8 *ad,
			size_t ad_len, struct chacha_state *cipher)
{
	count_packet(aead_is_short(len, ad_len) ? WAY_SHORT : WAY_LONG);
	if (aead_open(dst, src, len, ad, ad_len, cipher))
		return true;
	count_packet(WAY_REFUSED);
	return false;
}

/*
 * Text in pieces, the tag behind it. The text is opened before the tag can be
 * compared, as by the library; but where the tag is wrong, zeros take its place.
 */
static noinline_for_stack bool
pieces_crypt(struct scatterlist *sgl, size_t len, const u8 *ad, size_t ad_len,
	     const struct chacha_state *cipher, bool seal)
{
	u8 tag[TAG_SIZE], received[TAG_SIZE];
	size_t n, all, left = len;
	struct aead_pieces p;
	struct scatterlist *sg;
	bool ok;

	count_packet(WAY_PIECES);
	aead_begin(&p, cipher, ad_len, len);
	aead_assoc(&p, ad, ad_len);
	for (sg = sgl; left && sg; sg = sg_next(sg)) {
		n = min_t(size_t, left, sg->length);
		aead_text(&p, sg_virt(sg), sg_virt(sg), n, seal);
		left -= n;
	}
	aead_end(&p, tag);
	tag[0] ^= fault;

	if (seal) {
		all = sg_pcopy_from_buffer(sgl, sg_nents(sgl), tag, TAG_SIZE,
					   len);
		ok = all == TAG_SIZE;
	} else {
		all = sg_pcopy_to_buffer(sgl, sg_nents(sgl), received, TAG_SIZE,
					 len);
		ok = all == TAG_SIZE && !crypto_memneq(tag, received, TAG_SIZE);
		if (!ok) {
			sg_zero_buffer(sgl, sg_nents(sgl), len, 0);
			count_packet(WAY_REFUSED);
		}
	}
	memzero_explicit(tag, sizeof(tag));
	return ok;
}

/* On 64-bit kernels all memory is mapped, so an entry of a list is one piece. */
static bool list_crypt(struct scatterlist *sgl, size_t len, const u8 *ad,
		       size_t ad_len, u64 nonce, const u8 *key, bool seal)
{
	struct chacha_state cipher;
	bool ok = true;

	BUILD_BUG_ON(!IS_ENABLED(CONFIG_64BIT));
	if (WARN_ON_ONCE(len > INT_MAX))
		return false;

	cipher_begin(&cipher, nonce, key);
	if (sgl->length < len + TAG_SIZE)
		ok = pieces_crypt(sgl, len, ad, ad_len, &cipher, seal);
	else if (seal)
		linear_seal(sg_virt(sgl), sg_virt(sgl), len, ad, ad_len,
			    &cipher);
	else
		ok = linear_open(sg_virt(sgl), sg_virt(sgl), len, ad, ad_len,
				 &cipher);
	memzero_explicit(&cipher, sizeof(cipher));
	return ok;
}

/* The functions that take the place of the library's */

static void live_chacha20poly1305_encrypt(u8 *dst, const u8 *src,
					  const size_t src_len, const u8 *ad,
					  const size_t ad_len, const u64 nonce,
					  const u8 key[KEY_SIZE])
{
	struct chacha_state cipher;

	cipher_begin(&cipher, nonce, key);
	linear_seal(dst, src, src_len, ad, ad_len, &cipher);
}

static bool live_chacha20poly1305_decrypt(u8 *dst, const u8 *src,
					  const size_t src_len, const u8 *ad,
					  const size_t ad_len, const u64 nonce,
					  const u8 key[KEY_SIZE])
{
	struct chacha_state cipher;

	if (src_len < TAG_SIZE)
		return false;
	cipher_begin(&cipher, nonce, key);
	return linear_open(dst, src, src_len - TAG_SIZE, ad, ad_len, &cipher);
}

static void live_xchacha20poly1305_encrypt(u8 *dst, const u8 *src,
					   const size_t src_len, const u8 *ad,
					   const size_t ad_len,
					   const u8 nonce[XNONCE_SIZE],
					   const u8 key[KEY_SIZE])
{
	struct chacha_state cipher;

	xcipher_begin(&cipher, nonce, key);
	linear_seal(dst, src, src_len, ad, ad_len, &cipher);
}

static bool live_xchacha20poly1305_decrypt(u8 *dst, const u8 *src,
					   const size_t src_len, const u8 *ad,
					   const size_t ad_len,
					   const u8 nonce[XNONCE_SIZE],
					   const u8 key[KEY_SIZE])
{
	struct chacha_state cipher;

	if (src_len < TAG_SIZE)
		return false;
	xcipher_begin(&cipher, nonce, key);
	return linear_open(dst, src, src_len - TAG_SIZE, ad, ad_len, &cipher);
}

static bool live_chacha20poly1305_encrypt_sg_inplace(struct scatterlist *src,
						     size_t src_len,
						     const u8 *ad,
						     const size_t ad_len,
						     const u64 nonce,
						     const u8 key[KEY_SIZE])
{
	return list_crypt(src, src_len, ad, ad_len, nonce, key, true);
}

static bool live_chacha20poly1305_decrypt_sg_inplace(struct scatterlist *src,
						     size_t src_len,
						     const u8 *ad,
						     const size_t ad_len,
						     const u64 nonce,
						     const u8 key[KEY_SIZE])
{
	if (src_len < TAG_SIZE)
		return false;
	return list_crypt(src, src_len - TAG_SIZE, ad, ad_len, nonce, key,
			  false);
}

/* A kernel whose library has other parameters does not compile this. */
#define FUNCTION(name)							\
{									\
	.old_name = #name,						\
	.new_func = __builtin_choose_expr(__same_type(live_##name, name), \
					  live_##name, (void)0),	\
}

static struct klp_func funcs[] = {
	FUNCTION(chacha20poly1305_encrypt),
	FUNCTION(chacha20poly1305_decrypt),
	FUNCTION(xchacha20poly1305_encrypt),
	FUNCTION(xchacha20poly1305_decrypt),
	FUNCTION(chacha20poly1305_encrypt_sg_inplace),
	FUNCTION(chacha20poly1305_decrypt_sg_inplace),
	{ }
};

/* No name means the kernel itself. */
static struct klp_object objects[] = {
	{
		.name = IS_BUILTIN(CONFIG_CRYPTO_LIB_CHACHA20POLY1305) ?
			NULL : "libchacha20poly1305",
		.funcs = funcs,
	},
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objects,
};

/* The self-test */

#define TEST_MAX	9000	/* bytes of text */
#define TEST_AD_MAX	300
#define TEST_MESSAGES	1000
#define PIECES		40

enum form { LINEAR, XCHACHA, LIST, FORMS };

static const char * const form_names[FORMS] __initconst = {
	"chacha20poly1305", "xchacha20poly1305", "chacha20poly1305 in pieces",
};

struct live_test {
	enum form form;
	bool stock;		/* call the library's function */
	size_t ad_len, len;
	u8 key[KEY_SIZE], xnonce[XNONCE_SIZE], ad[TEST_AD_MAX];
	u64 nonce;
	struct chacha_state cipher;
	u32 cuts;
	struct scatterlist sgl[PIECES];
	u8 plain[TEST_MAX + TAG_SIZE];
	u8 sealed[TEST_MAX + TAG_SIZE];
	u8 text[TEST_MAX + TAG_SIZE];
};

/*
 * Cut t->text and its tag into pieces of lengths that fit no block size. One time
 * in four there is one piece, as WireGuard has it for most packets.
 */
static void __init test_cut(struct live_test *t)
{
	size_t n, left = t->len + TAG_SIZE;
	u8 *data = t->text;
	unsigned int i = 0;
	u32 cut = t->cuts;

	sg_init_table(t->sgl, PIECES);
	while (left) {
		cut = cut * 1664525 + 1013904223;
		n = cut >> 23;
		if (!(t->cuts & 3) || i == PIECES - 1 || n > left)
			n = left;
		sg_set_buf(&t->sgl[i++], data, n);
		data += n;
		left -= n;
	}
	sg_mark_end(&t->sgl[i - 1]);
}

/* Seal or open t->text in place. */
static bool __init test_seal(struct live_test *t)
{
	switch (t->form) {
	case LINEAR:
		if (t->stock)
			chacha20poly1305_encrypt(t->text, t->text, t->len,
						 t->ad, t->ad_len, t->nonce,
						 t->key);
		else
			live_chacha20poly1305_encrypt(t->text, t->text, t->len,
						      t->ad, t->ad_len,
						      t->nonce, t->key);
		return true;
	case XCHACHA:
		if (t->stock)
			xchacha20poly1305_encrypt(t->text, t->text, t->len,
						  t->ad, t->ad_len, t->xnonce,
						  t->key);
		else
			live_xchacha20poly1305_encrypt(t->text, t->text,
						       t->len, t->ad, t->ad_len,
						       t->xnonce, t->key);
		return true;
	default:
		test_cut(t);
		if (t->stock)
			return chacha20poly1305_encrypt_sg_inplace(t->sgl,
					t->len, t->ad, t->ad_len, t->nonce,
					t->key);
		return live_chacha20poly1305_encrypt_sg_inplace(t->sgl, t->len,
				t->ad, t->ad_len, t->nonce, t->key);
	}
}

/* With less than all of the tag, if @missing is not 0 */
static bool __init test_open(struct live_test *t, size_t missing)
{
	const size_t len = t->len + TAG_SIZE - missing;

	switch (t->form) {
	case LINEAR:
		if (t->stock)
			return chacha20poly1305_decrypt(t->text, t->text, len,
					t->ad, t->ad_len, t->nonce, t->key);
		return live_chacha20poly1305_decrypt(t->text, t->text, len,
				t->ad, t->ad_len, t->nonce, t->key);
	case XCHACHA:
		if (t->stock)
			return xchacha20poly1305_decrypt(t->text, t->text, len,
					t->ad, t->ad_len, t->xnonce, t->key);
		return live_xchacha20poly1305_decrypt(t->text, t->text, len,
				t->ad, t->ad_len, t->xnonce, t->key);
	default:
		test_cut(t);
		if (t->stock)
			return chacha20poly1305_decrypt_sg_inplace(t->sgl, len,
					t->ad, t->ad_len, t->nonce, t->key);
		return live_chacha20poly1305_decrypt_sg_inplace(t->sgl, len,
				t->ad, t->ad_len, t->nonce, t->key);
	}
}

/* The vectors of poly1305_chapoly.ko, whose nonces WireGuard cannot have */
static const char * __init test_core(struct live_test *t,
				     const struct chapoly_testvec *vec)
{
	u32 words[KEY_WORDS];
	u8 iv[CHACHA_IV_SIZE] = { 0 };
	size_t i;

	t->form = LINEAR;
	t->ad_len = vec->assoclen;
	t->len = vec->len;
	for (i = 0; i < t->ad_len; i++)
		t->ad[i] = chapoly_test_byte(i);
	for (i = 0; i < t->len; i++)
		t->plain[i] = chapoly_test_byte(t->ad_len + i);
	memcpy(iv + 4, chapoly_test_nonce, sizeof(chapoly_test_nonce));
	load_key(words, chapoly_test_key);

	chacha_init(&t->cipher, words, iv);
	linear_seal(t->sealed, t->plain, t->len, t->ad, t->ad_len, &t->cipher);
	if (memcmp(t->sealed + t->len, vec->tag, TAG_SIZE))
		return "wrong tag";
	chacha_init(&t->cipher, words, iv);
	if (!linear_open(t->text, t->sealed, t->len, t->ad, t->ad_len,
			 &t->cipher))
		return "opening fails";
	if (memcmp(t->text, t->plain, t->len))
		return "opening is wrong";
	return NULL;
}

/* Flip a bit of text, tag or associated data, and open that. */
static const char * __init test_forged(struct live_test *t, size_t bit)
{
	const size_t all = t->len + TAG_SIZE;
	size_t at = bit / 8 % (all + t->ad_len), i;
	u8 *byte = at < all ? &t->sealed[at] : &t->ad[at - all];
	const char *wrong = NULL;

	*byte ^= 1 << bit % 8;
	memcpy(t->text, t->sealed, all);
	if (test_open(t, 0))
		wrong = "a forged message is accepted";
	for (i = 0; i < t->len && !wrong; i++)
		if (t->text[i] && t->text[i] != t->sealed[i])
			wrong = "text comes out of a forged message";
	*byte ^= 1 << bit % 8;
	return wrong;
}

/* With t->sealed known. Returns NULL, or what is wrong. */
static const char * __init test_message(struct live_test *t, size_t bit)
{
	const size_t all = t->len + TAG_SIZE;

	memcpy(t->text, t->plain, t->len);
	if (!test_seal(t))
		return "sealing fails";
	if (memcmp(t->text, t->sealed, all))
		return "sealing is wrong";
	if (!test_open(t, 0))
		return "opening fails";
	if (memcmp(t->text, t->plain, t->len))
		return "opening is wrong";
	if (test_open(t, t->len + 1 + bit % TAG_SIZE))
		return "less than a tag is accepted";
	return test_forged(t, bit);
}

struct live_testvec {
	bool xchacha;
	unsigned int ad_len, len;
	u8 tag[TAG_SIZE];
};

/*
 * Computed by libsodium, and again from the text of RFC 8439 and of the draft
 * "XChaCha: eXtended-nonce ChaCha and AEAD_XChaCha20_Poly1305". Associated data and
 * text are as in poly1305_chapoly_vectors.h, and so is the key. The nonce is 40 and
 * so on. A tag stands for the ciphertext that it authenticates.
 */
static const struct live_testvec vectors[] __initconst = {
	{ false, 0, 0, { 0x5a, 0x70, 0x0f, 0x88, 0xe7, 0x87, 0xfe, 0x1c,
			 0x1e, 0xf6, 0x64, 0xe6, 0x01, 0xba, 0x93, 0x5f } },
	{ false, 32, 12, { 0x93, 0x70, 0xaa, 0x2c, 0xee, 0xa2, 0xf0, 0xea,
			   0xef, 0x45, 0x36, 0x8f, 0xd3, 0xb5, 0x4e, 0x51 } },
	{ false, 32, 32, { 0xf3, 0x34, 0x3e, 0x12, 0xb0, 0xd5, 0xec, 0xed,
			   0xb1, 0x34, 0x93, 0x27, 0x72, 0x81, 0xb2, 0x3d } },
	{ false, 0, 16, { 0x13, 0x34, 0x83, 0x5f, 0xd1, 0x8e, 0x49, 0xe1,
			  0x53, 0xbd, 0x35, 0xb3, 0x9d, 0xc3, 0x87, 0xc8 } },
	{ false, 0, 448, { 0x3e, 0x8c, 0xf6, 0x3a, 0x98, 0xf2, 0x4a, 0x59,
			   0x0d, 0x2b, 0x6c, 0xbf, 0x76, 0x5b, 0x06, 0xd3 } },
	{ false, 0, 464, { 0xe7, 0x29, 0x03, 0xb7, 0xda, 0x89, 0xe1, 0x24,
			   0xe1, 0x16, 0xaf, 0xbc, 0x6f, 0x48, 0x51, 0x4d } },
	{ false, 0, 1424, { 0x5f, 0x88, 0x8d, 0xc8, 0x1b, 0x88, 0xc3, 0x8c,
			    0x4b, 0x7e, 0x43, 0xa5, 0x4b, 0x80, 0x45, 0x8d } },
	{ false, 0, 9000, { 0x67, 0xf5, 0x1b, 0xce, 0xdb, 0x0d, 0xd0, 0xbe,
			    0xb1, 0x96, 0x37, 0x43, 0x04, 0x16, 0xec, 0xc4 } },
	{ true, 16, 16, { 0x49, 0x74, 0x68, 0x2f, 0x9c, 0x70, 0x62, 0x9f,
			  0xa3, 0x24, 0xa2, 0x0a, 0xb7, 0x60, 0x96, 0x8d } },
	{ true, 0, 0, { 0x1d, 0xac, 0x8f, 0x73, 0x14, 0x6d, 0x1e, 0x9d,
			0xa7, 0x96, 0xcb, 0x7f, 0x72, 0x21, 0xa5, 0xdf } },
	{ true, 33, 1000, { 0x5d, 0x0e, 0xc4, 0x85, 0xeb, 0x6a, 0x69, 0xd2,
			    0x0f, 0xe8, 0x53, 0x9a, 0xe1, 0xca, 0xd7, 0x17 } },
};

/* The ciphertext comes from sealing in one piece, which the tag confirms. */
static const char * __init test_vector(struct live_test *t, size_t n)
{
	const char *wrong;
	size_t i;

	t->form = vectors[n].xchacha ? XCHACHA : LINEAR;
	t->ad_len = vectors[n].ad_len;
	t->len = vectors[n].len;
	memcpy(t->key, chapoly_test_key, KEY_SIZE);
	for (i = 0; i < XNONCE_SIZE; i++)
		t->xnonce[i] = 0x40 + i;
	t->nonce = get_unaligned_le64(t->xnonce);
	for (i = 0; i < t->ad_len; i++)
		t->ad[i] = chapoly_test_byte(i);
	for (i = 0; i < t->len; i++)
		t->plain[i] = chapoly_test_byte(t->ad_len + i);

	memcpy(t->text, t->plain, t->len);
	test_seal(t);
	if (memcmp(t->text + t->len, vectors[n].tag, TAG_SIZE))
		return "wrong tag";
	memcpy(t->sealed, t->text, t->len + TAG_SIZE);
	wrong = test_message(t, 7 * n);
	if (wrong || vectors[n].xchacha)
		return wrong;

	t->form = LIST;
	for (t->cuts = 0; t->cuts < 8 && !wrong; t->cuts++)
		wrong = test_message(t, 11 * n + t->cuts);
	return wrong;
}

/* A random message: what the library says is right. */
static const char * __init test_random(struct live_test *t, size_t n)
{
	struct {
		u32 len, ad_len, cuts, bit;
	} r;
	bool ok;

	get_random_bytes(&r, sizeof(r));
	get_random_bytes(t->key, sizeof(t->key));
	get_random_bytes(t->xnonce, sizeof(t->xnonce));
	get_random_bytes(&t->nonce, sizeof(t->nonce));
	get_random_bytes(t->ad, sizeof(t->ad));
	t->form = n % FORMS;
	t->cuts = r.cuts;
	/* Half of them are short; WireGuard's packets have no associated data. */
	t->len = r.len % (n & 1 ? 2 * AEAD_SHORT_MAX : TEST_MAX + 1);
	t->ad_len = n & 2 ? r.ad_len % 65 : 0;
	get_random_bytes(t->plain, t->len);

	t->stock = true;
	memcpy(t->text, t->plain, t->len);
	ok = test_seal(t);
	memcpy(t->sealed, t->text, t->len + TAG_SIZE);
	ok = ok && test_open(t, 0) && !memcmp(t->text, t->plain, t->len);
	t->stock = false;
	return ok ? test_message(t, r.bit) : "the library cannot open its own";
}

static int __init live_selftest(void)
{
	struct live_test *t = kzalloc(sizeof(*t), GFP_KERNEL);
	const char *wrong = NULL;
	size_t i;

	if (!t)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(chapoly_testvecs) && !wrong; i++)
		wrong = test_core(t, &chapoly_testvecs[i]);
	for (i = 0; i < ARRAY_SIZE(vectors) && !wrong; i++)
		wrong = test_vector(t, i);
	for (i = 0; i < TEST_MESSAGES && !wrong; i++) {
		wrong = test_random(t, i);
		cond_resched();
	}
	if (wrong)
		pr_err("self-test of %s failed: %s, %zu and %zu bytes\n",
		       form_names[t->form], wrong, t->ad_len, t->len);
	kfree_sensitive(t);
	return wrong ? -EBADMSG : 0;
}

/*
 * Without SSSE3 the kernel's ChaCha20 computes one block at a time, and we gain
 * nothing by asking for several at once.
 */
static int __init live_init(void)
{
	int err, cpu;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!boot_cpu_has(X86_FEATURE_SSSE3)) {
		pr_info("not loaded: this CPU lacks SSSE3, so nothing would be gained\n");
		return -ENODEV;
	}
	err = live_selftest();
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&packets, cpu), 0, sizeof(packets));
	if (!err)
		err = klp_enable_patch(&patch);
	if (err)
		pr_err("not loaded: error %d; WireGuard is as it was\n", err);
	else
		pr_info("version " POLY1305_VERSION "; WireGuard changes over to it\n");
	return err;
}

/* Only a patch that was switched off can be unloaded; then nothing is left to do. */
static void __exit live_exit(void)
{
}

module_init(live_init);
module_exit(live_exit);

MODULE_DESCRIPTION("WireGuard with the MAC of poly1305.ko, by a live patch");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_INFO(livepatch, "Y");
