/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test vectors for the self-tests of chapoly.ko and poly1305_chapoly.ko. Associated data and
 * plaintext are one sequence of bytes. A tag depends on every byte of the ciphertext, so no
 * ciphertext is listed. OpenSSL computed the tags.
 *
 * Payload lengths are close to a block of the MAC, a block of ChaCha20, 448 bytes and a page.
 * Associated data have the lengths that IPsec and others use.
 */

#ifndef CHAPOLY_VECTORS_H
#define CHAPOLY_VECTORS_H

/* The most bytes of associated data and payload together */
#define CHAPOLY_TEST_MAX	4333

struct chapoly_testvec {
	unsigned int ad_len, len;
	u8 tag[CHAPOLY_TAG_SIZE];
};

static inline u8 chapoly_test_byte(unsigned int i)
{
	return i * 167 + (i >> 8) * 59 + 13;
}

/* Eight bytes, in hexadecimal; a tag */
#define TEST_BYTE(x, bit)	(0x##x##ULL >> (bit) & 0xff)
#define TEST_BYTES(x)								\
	TEST_BYTE(x, 56), TEST_BYTE(x, 48), TEST_BYTE(x, 40), TEST_BYTE(x, 32),	\
	TEST_BYTE(x, 24), TEST_BYTE(x, 16), TEST_BYTE(x, 8), TEST_BYTE(x, 0)
#define TEST_TAG(a, b)		{ TEST_BYTES(a), TEST_BYTES(b) }

/* 80, 81 and so on, as in RFC 8439, section 2.8.2 */
static const u8 chapoly_test_key[] __initconst = {
	TEST_BYTES(8081828384858687), TEST_BYTES(88898a8b8c8d8e8f),
	TEST_BYTES(9091929394959697), TEST_BYTES(98999a9b9c9d9e9f),
};

static const u8 chapoly_test_nonce[] __initconst = {
	0x07, 0x00, 0x00, 0x00, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
};

static const struct chapoly_testvec chapoly_testvecs[] __initconst = {
	{ 0, 0, TEST_TAG(a0784d7a4716f3fe, b4f64e7f4b39bf04) },
	{ 12, 0, TEST_TAG(ecf8dc35362ffc59, c9d998eb8706ba4c) },
	{ 41, 0, TEST_TAG(49424d31d8df6276, 82ce076e7ee93856) },
	{ 8, 1, TEST_TAG(a257cadad8acc890, bdc81b6b4667c9ca) },
	{ 12, 15, TEST_TAG(671ebabd29686f93, 63e9308e210f7edb) },
	{ 0, 16, TEST_TAG(79dff0782f416944, 49214e7586d25820) },
	{ 8, 63, TEST_TAG(e8fa2d02a139e6b1, 7a7cad99cb825629) },
	{ 12, 64, TEST_TAG(60d76e011514a262, 4d4c4c9ca21f71bd) },
	{ 16, 65, TEST_TAG(a510e9fcad46806c, 2b632fae79e608a0) },
	{ 8, 175, TEST_TAG(7db6e7d1cff4835a, f232120cfc767036) },
	{ 8, 191, TEST_TAG(c80126dd334f33ed, 3f312a10d1393186) },
	{ 12, 192, TEST_TAG(3d024a8897a48d10, eb0cd171529bf9eb) },
	{ 17, 64, TEST_TAG(027ef6c7114828ac, 0c15decfdf4fc6fc) },
	{ 0, 193, TEST_TAG(ee45eadd430033a0, 579e8252c3104838) },
	{ 12, 256, TEST_TAG(f7d05aa65b5a455a, 34f831079dbb51ce) },
	{ 8, 320, TEST_TAG(8d7de7ebd54219f3, ed234ba551124af4) },
	{ 8, 447, TEST_TAG(14ff8ce719c61648, e72d86c2c41de839) },
	{ 16, 448, TEST_TAG(aa805f0ebb48d485, cd9d81bebc444b81) },
	{ 17, 448, TEST_TAG(5e4ae523bc07948a, e552f12456d95b13) },
	{ 0, 449, TEST_TAG(806398bd775be18c, 8f867ccdbf26a6b6) },
	{ 8, 576, TEST_TAG(2373a8a59fc0da53, 22b08e58eaffd09e) },
	{ 12, 1000, TEST_TAG(8f24ec1cc9b1f012, 6af4854a7480d73a) },
	{ 8, 1420, TEST_TAG(3502f419faf453fe, d6dd733fc51586b7) },
	{ 300, 1420, TEST_TAG(4997d1944c48c022, affb94b14170a515) },
	{ 12, 4095, TEST_TAG(6f65913b68099b60, 09bff478b0ae7788) },
	{ 8, 4096, TEST_TAG(906142968c237386, 69844cf4d208a5f1) },
	{ 12, 4097, TEST_TAG(172cfeac5607e45b, c63967df06bd5376) },
	{ 33, 4300, TEST_TAG(376bbb18a79ba99b, 6c2ed1e86e15741d) },
};

#endif /* CHAPOLY_VECTORS_H */
