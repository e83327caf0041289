// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The kernel's own tests of Poly1305 and ChaCha20-Poly1305, run on the functions of libpoly1305.a
 * with each driver. Prints TAP. The part of the kernel that these tests use comes first.
 */

#include <sys/mman.h>
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
#define atomic_inc_return(a)			(++*(a))
#define atomic_set_release(a, value)		(*(a) = (value))
#define atomic_cmpxchg(a, old, new)		__sync_val_compare_and_swap(a, old, new)

/* Whole pages, followed by an inaccessible one */
static void *vmalloc(size_t len)
{
	u8 *p = mmap(NULL, len + PAGE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED || mprotect(p + len, PAGE_SIZE, PROT_NONE) ? NULL : p;
}

/*
 * In place of interrupts: contexts in which SIMD is usable or not, by turns. Modules run in real
 * interrupts in tests/cases.
 */
static void kunit_run_irq_test(struct kunit *test, bool (*func)(void *), int calls, void *state)
{
	bool right = true;

	while (calls-- > 0) {
		shim_simd_usable = calls % 3;
		right &= func(state);
	}
	shim_simd_usable = true;
	KUNIT_EXPECT_TRUE_MSG(test, right, "wrong where SIMD is usable at times");
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

/* Each packet is one entry of a list. */
#define sg_init_one(sg, buf, len)		((sg)->addr = (buf))
#define chacha20poly1305_encrypt_sg_inplace(sg, ...)			\
	(chacha20poly1305_encrypt((sg)->addr, (sg)->addr, __VA_ARGS__), true)
#define chacha20poly1305_decrypt_sg_inplace(sg, ...)			\
	chacha20poly1305_decrypt((sg)->addr, (sg)->addr, __VA_ARGS__)

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
