// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * WireGuard on chapoly.ko, by a live patch. The kernel's WireGuard calls six functions of the
 * library libchacha20poly1305, whose only other caller is the key type big_key. This module
 * replaces the six functions and keeps their contracts. The wireguard module and its tunnels do not
 * change.
 *
 * The kernel switches one task after another to a live patch. In the meantime, some packets pass
 * through the library and others through this module. Results are identical, so the order of tasks
 * does not matter.
 *
 * If the self-test fails, nothing is patched. The self-test compares this module's functions with
 * the library's, which can only be called before the patch. These calls also make this module
 * depend on the library, which therefore cannot be unloaded first. chapoly.ko has tested itself.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "../compat.h"
#include <asm/cpufeature.h>
#include <crypto/chacha20poly1305.h>
#include <linux/errno.h>
#include <linux/jump_label.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../chapoly.h"

#define TAG_SIZE	CHACHA20POLY1305_AUTHTAG_SIZE
#define KEY_SIZE	CHACHA20POLY1305_KEY_SIZE
#define XNONCE_SIZE	XCHACHA20POLY1305_NONCE_SIZE
#define KEY_WORDS	(CHACHA_KEY_SIZE / sizeof(u32))

/* Counters show an administrator that the module is in use. They are nearly free when off. */
enum counter { COUNT_WHOLE, COUNT_PIECES, COUNT_REFUSED, COUNTERS };

static const char * const counter_names[COUNTERS] = { "whole", "pieces", "refused" };

static DEFINE_STATIC_KEY_FALSE(counting);
static DEFINE_PER_CPU(unsigned long [COUNTERS], packets);
static bool count;

static __always_inline void count_packet(enum counter counter)
{
	if (static_branch_unlikely(&counting))
		this_cpu_inc(packets[counter]);
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
	int i, cpu, len = 0;

	for (i = 0; i < COUNTERS; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += per_cpu(packets, cpu)[i];
		len += sprintf(text + len, "%s %lu\n", counter_names[i], sum);
	}
	return len;
}

/* Mode 0444 restricts sysfs only: at load the kernel calls set() without a test for NULL. */
static int packets_set(const char *text, const struct kernel_param *param)
{
	return -EPERM;
}

static const struct kernel_param_ops packets_ops = {
	.set = packets_set,
	.get = packets_get,
};

module_param_cb(packets, &packets_ops, NULL, 0444);
MODULE_PARM_DESC(packets, "packets sealed and opened while count=1: whole, in pieces, refused");

/* RFC 8439's nonce: four zero bytes, then WireGuard's nonce, a counter */
static void make_nonce(u8 nonce[CHAPOLY_NONCE_SIZE], u64 counter)
{
	memset(nonce, 0, 4);
	put_unaligned_le64(counter, nonce + 4);
}

/*
 * XChaCha20: the key and the first 16 bytes of the nonce give the key of ChaCha20, and the last
 * 8 bytes of the nonce are the last 8 of ChaCha20's.
 */
static void make_xkey(u8 key_out[KEY_SIZE], u8 nonce_out[CHAPOLY_NONCE_SIZE], const u8 *nonce,
		      const u8 *key)
{
	u32 words[KEY_WORDS];
	struct chacha_state cipher;
	size_t i;

	for (i = 0; i < KEY_WORDS; i++)
		words[i] = get_unaligned_le32(key + 4 * i);
	chacha_init(&cipher, words, nonce);
	hchacha_block(&cipher, words, 20);
	for (i = 0; i < KEY_WORDS; i++)
		put_unaligned_le32(words[i], key_out + 4 * i);
	make_nonce(nonce_out, get_unaligned_le64(nonce + 16));
	memzero_explicit(words, sizeof(words));
	memzero_explicit(&cipher, sizeof(cipher));
}

/* Seal a whole packet. */
static void seal_whole(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		       const u8 *nonce, const u8 *key)
{
	count_packet(COUNT_WHOLE);
	chapoly_seal(dst, src, len, ad, ad_len, nonce, key);
}

static bool open_whole(u8 *dst, const u8 *src, size_t len, const u8 *ad, size_t ad_len,
		       const u8 *nonce, const u8 *key)
{
	count_packet(COUNT_WHOLE);
	if (!chapoly_open(dst, src, len, ad, ad_len, nonce, key))
		return true;
	count_packet(COUNT_REFUSED);
	return false;
}

/* Seal or open a packet in pieces. If the list has too few bytes, nothing is written. */
static noinline_for_stack bool
crypt_pieces(struct scatterlist *sgl, size_t len, const u8 *ad, size_t ad_len, const u8 *nonce,
	     const u8 *key, bool seal)
{
	struct chapoly_pieces p;
	int err;

	count_packet(COUNT_PIECES);
	chapoly_begin(&p, len, nonce, key, seal);
	chapoly_ad(&p, ad, ad_len);
	if (seal)
		return !chapoly_seal_list(&p, sgl, sgl, 0);
	err = chapoly_open_list(&p, sgl, sgl, 0);
	if (err == -EBADMSG)
		count_packet(COUNT_REFUSED);
	return !err;
}

static bool crypt_list(struct scatterlist *sgl, size_t len, const u8 *ad, size_t ad_len,
		       u64 counter, const u8 *key, bool seal)
{
	u8 nonce[CHAPOLY_NONCE_SIZE];
	u8 *text = sg_virt(sgl);

	if (WARN_ON_ONCE(len > INT_MAX))
		return false;

	make_nonce(nonce, counter);
	if (sgl->length < len + TAG_SIZE)
		return crypt_pieces(sgl, len, ad, ad_len, nonce, key, seal);
	if (!seal)
		return open_whole(text, text, len, ad, ad_len, nonce, key);
	seal_whole(text, text, len, ad, ad_len, nonce, key);
	return true;
}

/* The functions that replace the library's */

static void live_chacha20poly1305_encrypt(u8 *dst, const u8 *src, const size_t src_len,
					  const u8 *ad, const size_t ad_len, const u64 nonce,
					  const u8 key[KEY_SIZE])
{
	u8 bytes[CHAPOLY_NONCE_SIZE];

	make_nonce(bytes, nonce);
	seal_whole(dst, src, src_len, ad, ad_len, bytes, key);
}

static bool live_chacha20poly1305_decrypt(u8 *dst, const u8 *src, const size_t src_len,
					  const u8 *ad, const size_t ad_len, const u64 nonce,
					  const u8 key[KEY_SIZE])
{
	u8 bytes[CHAPOLY_NONCE_SIZE];

	if (src_len < TAG_SIZE)
		return false;
	make_nonce(bytes, nonce);
	return open_whole(dst, src, src_len - TAG_SIZE, ad, ad_len, bytes, key);
}

static void live_xchacha20poly1305_encrypt(u8 *dst, const u8 *src, const size_t src_len,
					   const u8 *ad, const size_t ad_len,
					   const u8 nonce[XNONCE_SIZE], const u8 key[KEY_SIZE])
{
	u8 xnonce[CHAPOLY_NONCE_SIZE], xkey[KEY_SIZE];

	make_xkey(xkey, xnonce, nonce, key);
	seal_whole(dst, src, src_len, ad, ad_len, xnonce, xkey);
	memzero_explicit(xkey, sizeof(xkey));
}

static bool live_xchacha20poly1305_decrypt(u8 *dst, const u8 *src, const size_t src_len,
					   const u8 *ad, const size_t ad_len,
					   const u8 nonce[XNONCE_SIZE], const u8 key[KEY_SIZE])
{
	u8 xnonce[CHAPOLY_NONCE_SIZE], xkey[KEY_SIZE];
	bool ok;

	if (src_len < TAG_SIZE)
		return false;
	make_xkey(xkey, xnonce, nonce, key);
	ok = open_whole(dst, src, src_len - TAG_SIZE, ad, ad_len, xnonce, xkey);
	memzero_explicit(xkey, sizeof(xkey));
	return ok;
}

static bool live_chacha20poly1305_encrypt_sg_inplace(struct scatterlist *src, size_t src_len,
						     const u8 *ad, const size_t ad_len,
						     const u64 nonce, const u8 key[KEY_SIZE])
{
	return crypt_list(src, src_len, ad, ad_len, nonce, key, true);
}

static bool live_chacha20poly1305_decrypt_sg_inplace(struct scatterlist *src, size_t src_len,
						     const u8 *ad, const size_t ad_len,
						     const u64 nonce, const u8 key[KEY_SIZE])
{
	if (src_len < TAG_SIZE)
		return false;
	return crypt_list(src, src_len - TAG_SIZE, ad, ad_len, nonce, key, false);
}

/* Does not compile if a function of the kernel's library has other parameters. */
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

/* If the library is built into the kernel, the name is NULL. */
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

#define TEST_MAX	9000	/* bytes of payload */
#define TEST_AD_MAX	300
#define TEST_MESSAGES	1000
#define PIECES		40

enum test_form { TEST_LINEAR, TEST_XCHACHA, TEST_LIST, TEST_FORMS };

static const char * const form_names[TEST_FORMS] __initconst = {
	"chacha20poly1305", "xchacha20poly1305", "chacha20poly1305 in pieces",
};

struct live_test {
	enum test_form form;
	bool stock;		/* call the library's function */
	size_t ad_len, len;
	u8 key[KEY_SIZE], xnonce[XNONCE_SIZE], ad[TEST_AD_MAX];
	u64 nonce;
	u32 cuts;
	struct scatterlist sgl[PIECES];
	u8 plain[TEST_MAX + TAG_SIZE];
	u8 sealed[TEST_MAX + TAG_SIZE];
	u8 text[TEST_MAX + TAG_SIZE];
};

/*
 * Cut t->text and its tag into pieces of random lengths. One time in four there is only one piece,
 * as in most of WireGuard's packets.
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

/* Call the library's function, or its replacement. */
#define CALL(t, fn, ...)						\
	((t)->stock ? fn(__VA_ARGS__) : live_##fn(__VA_ARGS__))

/* Seal t->text in place. */
static bool __init test_seal(struct live_test *t)
{
	switch (t->form) {
	case TEST_LINEAR:
		CALL(t, chacha20poly1305_encrypt, t->text, t->text, t->len, t->ad, t->ad_len,
		     t->nonce, t->key);
		return true;
	case TEST_XCHACHA:
		CALL(t, xchacha20poly1305_encrypt, t->text, t->text, t->len, t->ad, t->ad_len,
		     t->xnonce, t->key);
		return true;
	default:
		test_cut(t);
		return CALL(t, chacha20poly1305_encrypt_sg_inplace, t->sgl, t->len, t->ad,
			    t->ad_len, t->nonce, t->key);
	}
}

/* Open t->text in place, without its last bytes, missing of them. */
static bool __init test_open(struct live_test *t, size_t missing)
{
	const size_t len = t->len + TAG_SIZE - missing;

	switch (t->form) {
	case TEST_LINEAR:
		return CALL(t, chacha20poly1305_decrypt, t->text, t->text, len, t->ad, t->ad_len,
			    t->nonce, t->key);
	case TEST_XCHACHA:
		return CALL(t, xchacha20poly1305_decrypt, t->text, t->text, len, t->ad,
			    t->ad_len, t->xnonce, t->key);
	default:
		test_cut(t);
		return CALL(t, chacha20poly1305_decrypt_sg_inplace, t->sgl, len, t->ad, t->ad_len,
			    t->nonce, t->key);
	}
}

/* Opening must fail after a bit of ciphertext, tag or associated data has changed. */
static const char * __init test_forged(struct live_test *t, size_t bit)
{
	const size_t all = t->len + TAG_SIZE;
	size_t at = bit / 8 % (all + t->ad_len);
	u8 *byte = at < all ? &t->sealed[at] : &t->ad[at - all];
	const char *wrong = NULL;

	*byte ^= 1 << bit % 8;
	memcpy(t->text, t->sealed, all);
	if (test_open(t, 0))
		wrong = "a forged message is accepted";
	else if (memcmp(t->text, t->sealed, all))
		wrong = "a forged message is written";
	*byte ^= 1 << bit % 8;
	return wrong;
}

/* Test the message t->plain, for which t->sealed is expected. Returns NULL, or the fault's name. */
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

/* Test a random message. The library gives the result expected. */
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
	t->form = n % TEST_FORMS;
	t->cuts = r.cuts;
	/* Half of the messages are short, and half have no associated data, like WireGuard's. */
	t->len = r.len % (n & 1 ? 1024 : TEST_MAX + 1);
	t->ad_len = n & 2 ? r.ad_len % 65 : 0;
	get_random_bytes(t->plain, t->len);

	t->stock = true;
	memcpy(t->text, t->plain, t->len);
	ok = test_seal(t);
	memcpy(t->sealed, t->text, t->len + TAG_SIZE);
	ok = ok && test_open(t, 0) && !memcmp(t->text, t->plain, t->len);
	t->stock = false;
	return ok ? test_message(t, r.bit) : "stock decryption rejects stock ciphertext";
}

static int __init live_selftest(void)
{
	struct live_test *t = kzalloc(sizeof(*t), GFP_KERNEL);
	const char *wrong = NULL;
	size_t i;

	if (!t)
		return -ENOMEM;
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
 * Without SSSE3 the kernel's ChaCha20 computes one block at a time, so chapoly.ko is not faster,
 * although it asks for several blocks at once.
 */
static int __init live_init(void)
{
	int err, cpu;

	if (poly1305_fips_mode())
		return -ENODEV;
	if (!chapoly_fits())
		return -ENOEXEC;
	if (!boot_cpu_has(X86_FEATURE_SSSE3)) {
		pr_info("not loaded: this CPU lacks SSSE3, so stock code is as fast\n");
		return -ENODEV;
	}
	err = live_selftest();
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&packets, cpu), 0, sizeof(packets));
	if (!err)
		err = klp_enable_patch(&patch);
	if (err)
		pr_err("not loaded: error %d; WireGuard is unchanged\n", err);
	else
		pr_info("version " POLY1305_VERSION "; WireGuard switches to it\n");
	return err;
}

/* The kernel unloads a live patch only after it has been switched off: nothing is left to do. */
static void __exit live_exit(void)
{
}

module_init(live_init);
module_exit(live_exit);

MODULE_DESCRIPTION("WireGuard with the functions of chapoly.ko, by a live patch");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_VERSION(POLY1305_VERSION);
MODULE_INFO(livepatch, "Y");
