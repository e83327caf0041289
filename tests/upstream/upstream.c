// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The kernel's own tests of Poly1305 and ChaCha20-Poly1305, run on the functions of libpoly1305.a
 * with each driver. Prints TAP. The part of the kernel that these tests use comes first.
 */

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <crypto/internal/simd.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/unaligned.h>

#include "poly1305_user.h"

struct kunit {
	bool failed;
};

struct kunit_case {
	const char *name;
	void (*run)(struct kunit *test);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
	int (*suite_init)(struct kunit_suite *suite);
	void (*suite_exit)(struct kunit_suite *suite);
};

/* A failed assertion ends a test case; a failed expectation does not. */
#define KUNIT_FAIL(test, ...)						\
	((test)->failed = true, printf("# " __VA_ARGS__), printf("\n"))
#define KUNIT_EXPECT_TRUE_MSG(test, condition, ...)			\
	((condition) ? 0 : KUNIT_FAIL(test, __VA_ARGS__))
#define ASSERT(test, condition, ...) do {				\
	if (!(condition)) {						\
		KUNIT_FAIL(test, __VA_ARGS__);				\
		return;							\
	}								\
} while (0)
#define KUNIT_ASSERT_LE(test, a, b)		ASSERT(test, (a) <= (b), #a " > " #b)
#define KUNIT_ASSERT_NOT_NULL(test, p)		ASSERT(test, p, "no memory")
#define KUNIT_ASSERT_MEMEQ(test, a, b, n)	ASSERT(test, !memcmp(a, b, n), #a " is wrong")
#define KUNIT_ASSERT_MEMEQ_MSG(test, a, b, n, ...) ASSERT(test, !memcmp(a, b, n), __VA_ARGS__)
#define KUNIT_CASE(fn)				{ #fn, fn }
#define kunit_test_suite(suite)

/* The end of the program frees the little memory of the tests. */
#define kunit_kmalloc(test, size, flags)	malloc(size)
#define kunit_kzalloc(test, size, flags)	calloc(1, size)
#define vfree(p)
#define PAGE_SIZE				4096
#define WARN_ON_ONCE(condition)			(condition)

typedef int atomic_t;
#define atomic_inc_return(a)			__atomic_add_fetch(a, 1, __ATOMIC_SEQ_CST)
#define atomic_set_release(a, value)		__atomic_store_n(a, value, __ATOMIC_RELEASE)
#define atomic_cmpxchg(a, old, new)		__sync_val_compare_and_swap(a, old, new)

/* Whole pages, and an inaccessible one behind them */
static void *vmalloc(size_t len)
{
	u8 *p = mmap(NULL, len + PAGE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED || mprotect(p + len, PAGE_SIZE, PROT_NONE) ? NULL : p;
}

static volatile struct {
	bool (*func)(void *state);
	void *state;
	bool served, failed;
} irq;

/*
 * SIGALRM is a hardirq, in which SIMD is not usable. On its return SIGUSR1 is delivered, a softirq,
 * which a hardirq may interrupt.
 */
static void on_signal(int number)
{
	const bool usable = shim_simd_usable;

	shim_simd_usable = number == SIGUSR1;
	irq.failed |= !irq.func(irq.state);
	shim_simd_usable = usable;
	if (number == SIGALRM)
		raise(SIGUSR1);
	else
		irq.served = true;
}

static void kunit_run_irq_test(struct kunit *test, bool (*func)(void *), int calls, void *state)
{
	const struct itimerval timer = { { 0, 30 }, { 0, 30 } }, none = { };
	struct sigaction action = { .sa_handler = on_signal };

	irq.func = func;
	irq.state = state;
	irq.served = false;
	irq.failed = false;
	sigaction(SIGUSR1, &action, NULL);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (calls-- > 0 || !irq.served)
		irq.failed |= !func(state);
	setitimer(ITIMER_REAL, &none, NULL);
	KUNIT_EXPECT_TRUE_MSG(test, !irq.failed, "wrong in an interrupt, or beside one");
}

/* The kernel's names for the functions under test */
#define POLY1305_BLOCK_SIZE			POLY1305_MAC_BLOCK_SIZE
#define POLY1305_KEY_SIZE			POLY1305_MAC_KEY_SIZE
#define POLY1305_DIGEST_SIZE			POLY1305_MAC_TAG_SIZE
#define poly1305_desc_ctx			poly1305_mac_ctx
#define poly1305_init				poly1305_mac_init
#define poly1305_update				poly1305_mac_update
#define poly1305_final				poly1305_mac_final
#define CHACHA20POLY1305_KEY_SIZE		CHAPOLY_KEY_SIZE
#define chacha20poly1305_encrypt_bignonce	chapoly_seal

/* WireGuard's nonce: 4 zeros, then a number */
#define NONCE(n)	((const u8 *)&(const __le64[]){ htole64((n) << 32), htole64((n) >> 32) })
#define chacha20poly1305_encrypt(dst, src, len, ad, ad_len, nonce, key)	\
	chapoly_seal(dst, src, len, ad, ad_len, NONCE(nonce), key)
#define chacha20poly1305_decrypt(dst, src, len, ad, ad_len, nonce, key)	\
	(!chapoly_open(dst, src, (len) - CHAPOLY_TAG_SIZE, ad, ad_len, NONCE(nonce), key))

/* The tests give a packet as one entry of a list. Here it is two pieces. */
static bool in_pieces(bool seal, struct scatterlist *sg, size_t len, const u8 *ad, size_t ad_len,
		      u64 nonce, const u8 *key)
{
	u8 *text = sg->addr, tag[CHAPOLY_TAG_SIZE];
	struct chapoly_pieces p;

	len -= seal ? 0 : sizeof(tag);
	chapoly_begin(&p, len, NONCE(nonce), key);
	chapoly_ad(&p, ad, ad_len);
	chapoly_text(&p, text, text, len / 3, seal);
	chapoly_text(&p, text + len / 3, text + len / 3, len - len / 3, seal);
	chapoly_end(&p, tag);
	if (seal)
		memcpy(text + len, tag, sizeof(tag));
	return !memcmp(text + len, tag, sizeof(tag));
}

#define sg_init_one(sg, buf, len)		((sg)->addr = (buf))
#define chacha20poly1305_encrypt_sg_inplace(...)	in_pieces(true, __VA_ARGS__)
#define chacha20poly1305_decrypt_sg_inplace(...)	in_pieces(false, __VA_ARGS__)

/* The tests, as the suite takes them from the kernel's sources */
#include "poly1305_kunit.c"
#include "chacha20poly1305_kunit.c"

int main(void)
{
	struct kunit_suite *const suites[] = { &poly1305_test_suite, &chacha20poly1305_test_suite };
	const char *const *driver;
	struct kunit_case *c;
	int i, points = 0, failed = 0;

	poly1305_suite_init(suites[0]);
	for (driver = poly1305_user_impls(); *driver; driver++) {
		poly1305_user_select(*driver);
		for (i = 0; i < 2; i++)
			for (c = suites[i]->test_cases; c->name; c++) {
				struct kunit test = { };

				c->run(&test);
				failed += test.failed;
				printf("%s %d - %s: %s\n", test.failed ? "not ok" : "ok", ++points,
				       *driver, c->name);
				fflush(stdout);
			}
	}
	printf("1..%d\n", points);
	return failed ? 1 : 0;
}
